"""All of a kind is listed: the files of the folder that is called so, the units of the organisation, what tickets are in."""

from __future__ import annotations

import pytest

from ingestion.sources import Sources
from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import Answer, ask
from tree.workspace import workspace

TEAMS = """# Who we are

- **Dock team** (dockers) - lead: Ines Falk. Loads and unloads.
- **Office** - lead: Bo Marsh. Pays and is paid.
- **Workshop** - lead: Maren Oduya. Mends what breaks.
- **Night watch** - lead: vacant since May. Guards the gate.
- **Others** - lead: Ada Quill. Come and go.
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("harbour"))
    following.write("org.md", TEAMS)
    for name in ("Lamp fails", "Gate is stuck", "Fog"):
        following.write(
            f"runbooks/{name.lower().replace(' ', '-')}.md", f"# {name}\n\nLook first, then ring the office about it.\n"
        )
    following.write("notes/runbooks-to-come.md", "# Runbooks to come\n\nSomebody has to write one for ice.\n")
    following.sync()
    yield following


@pytest.mark.parametrize(
    "question", ["which runbooks do we have?", "list all runbooks", "show me the runbooks", "how many runbooks are there?"]
)
def test_a_folder_that_is_called_so_is_listed_by_titles(harbour, question: str) -> None:
    answer = answered(harbour, question)
    assert answer.verdict == "complete" and answer.text.startswith("**3 runbooks**")
    assert [one.title for one in answer.citations] == ["Fog", "Gate is stuck", "Lamp fails"]


def test_units_are_listed_once_each_with_who_leads_them(harbour) -> None:
    answer = answered(harbour, "which teams are there?")
    assert (
        answer.verdict == "partial"
        and answer.text.startswith("**3 teams** that somebody leads")
        and answer.text.count("led by") == 3 + 1
    )
    assert "Dock team" in answer.text and "Ines Falk" in answer.text and "Others" not in answer.text
    assert answer.text.endswith("In the same lists, and led by nobody that is named: Night watch.")


def test_units_that_are_called_otherwise_are_no_answer(harbour) -> None:
    answer = answered(harbour, "how many crews are there?")
    assert answer.verdict == "partial" and "crews**" not in answer.text


def test_what_introduces_a_folder_and_its_tables_are_not_counted_and_folders_below_are_told(docs: Following) -> None:
    said = "Look first, then ring the office about it."
    for path, text in (
        ("policies/README.md", f"# Policies\n\n{said}\n"), ("policies/leave.md", f"# Leave\n\n{said}\n"),
        ("policies/phones.csv", "name,phone\nAna,1\nBen,2\nCleo,3\n"), ("policies/old/coal.md", f"# Coal\n\n{said}\n"),
    ):  # fmt: skip
        docs.write(path, text)
    text = answered(docs, "how many policies do we have?").text
    assert text.startswith("**2 policies**") and "In old, 1 of them:" in text and "Not counted: README.md and phones.csv." in text
    (docs.folder / "policies/old/coal.md").unlink()
    assert answered(docs, "how many policies do we have?").text.startswith("**1 policy**")


@pytest.mark.parametrize("question", ["which boats do we have?", "which runbooks mention ice?", "list the runbooks of 2024"])
def test_what_is_called_otherwise_or_has_a_condition_is_not(harbour, question: str) -> None:
    assert not answered(harbour, question).text.startswith(("**3 runbooks**", "**0"))


def test_of_several_sources_each_is_listed_and_to_somebody_only_what_they_may_see(tmp_path) -> None:
    with workspace(tmp_path / "home") as opened:
        sources = Sources(opened.database)
        for name, title in (("North", "Lamp fails"), ("South", "Gate is stuck")):
            folder = tmp_path / name / "runbooks"
            folder.mkdir(parents=True)
            (folder / "page.md").write_text(f"# {title}\n\nLook first, then ring the office about it.\n")
            sync(opened, sources, sources.add("folder", name, {"path": str(folder.parent)}))
        north = next(one.id for one in sources.all() if one.name == "North")
        somebody = Principal("somebody", "Somebody", only=frozenset((north,)))
        both, one = ([*ask(opened, "which runbooks do we have?", principal=who)][-1] for who in (OPERATOR, somebody))
    assert isinstance(both, Answer) and isinstance(one, Answer)
    assert both.text.startswith("**2 runbooks**") and "North › runbooks" in both.text and "South › runbooks" in both.text
    assert one.text.startswith("**1 runbook**") and "Gate" not in str(one) and "South" not in str(one)
