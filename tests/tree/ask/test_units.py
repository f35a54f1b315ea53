"""Who leads a unit, who did before, whose boss that is, and who is in it."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tests.tree.retrieve.test_units import LINES, PAGE
from tree.ask.several import as_earlier


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("page"))
    following.write("org/who-is-who.md", PAGE)
    following.write(
        "notes/walk.md", "# The walk\n\nThe rope walk was swept by Ida Holm. Per Lund brought tea to the sail loft.\n"
    )
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("who runs the sail loft these days", "**Per Lund**, lead of sail loft"),
        ("Who is the boss of the Attic?", "**Per Lund**, lead of Attic"),
        ("who leads the rope walk", "**Wren Abbot, since 1 May 2026**, lead of"),
        ("Who led the rope walk before Wren?", "**Otto Reyl**, former lead of"),
        ("Who is the deputy of the harbour desk?", "**Olga Brandt**, deputy of"),
        ("which team is Jan of Tarn in", "**Sail loft** (member: Jan of Tarn)"),
        ("who is Ida Holm's boss?", "**Per Lund**, lead of Sail loft"),
        ("Who leads the team of Nils Ekberg?", "**Mara Quist**, lead of Boat yard"),
    ],
)
def test_units_are_asked_for_as_people_do(page, question: str, lead: str) -> None:
    answer = page.ask(question)
    assert answer.verdict == "complete" and answer.text.casefold().startswith(lead.casefold()), answer.text
    assert {citation.place.rpartition("/")[2] for citation in answer.citations} == {"who-is-who.md"}


def test_who_it_was_before_is_asked_of_the_unit_before_it(page) -> None:
    first = page.ask("who runs the rope walk?")
    then = page.ask("and who was it before her?", earlier=[as_earlier(first)])
    assert "Wren Abbot" in first.text and then.text.startswith("**Otto Reyl**, former lead of Rope walk")


def test_all_who_are_in_a_unit_are_told_only_where_all_are_named(page) -> None:
    told = page.ask("who is in the sail loft?")
    assert told.verdict == "complete" and all(name in told.text for name in ("Per Lund", "Ida Holm", "Jan of Tarn"))
    assert page.ask("who is in the rope walk?").verdict != "complete"


def test_nobody_is_their_own_boss_and_nobody_unknown_has_one(page) -> None:
    assert page.ask("who is Per Lund's boss?").verdict != "complete"
    assert page.ask("who is Hanna Vik's boss?").verdict != "complete"
    assert page.ask("who runs the kitchen?").verdict != "complete"
    assert page.ask("who is on call for the sail loft?").verdict != "complete"
    assert page.ask("who works in the sail loft and on what?").verdict != "complete"


def test_what_is_asked_besides_is_not_dropped(page) -> None:
    assert "former lead" not in page.ask("who led the rope walk before Wren and until when?").text


def test_whoever_follows_leads_from_the_moment_the_page_says_so(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("who.md", PAGE)
    following.sync()
    following.write("who.md", PAGE.replace("Mara Quist", "Hanna Vik"))
    following.sync()
    assert following.ask("who runs the boat yard?").text.startswith("**Hanna Vik**")
    assert "Mara Quist" not in following.ask("who runs the slip?").text


def test_a_team_with_a_column_in_a_rota_is_a_team(docs: Following) -> None:
    docs.write("who.md", LINES)
    docs.write("oncall.csv", "week,from,hull,rigging\n47,2026-11-16,Ida,Lea\n48,2026-11-23,Per,Mara\n49,2026-11-30,Kit,Lea\n")
    for question in (
        "who is in the hull team",
        "members of hull",
        "who is on the hull team?",
        "list the members of the hull team",
    ):
        answer = answered(docs, question)
        assert answer.verdict == "complete" and all(name in answer.text for name in ("Ida Holm", "Per Lund", "Kit Moss")), (
            answer.text
        )
    assert answered(docs, "who leads hull").text.startswith("**Ida Holm**, lead of Hull")
    assert answered(docs, "deputy of mara").text.startswith("**Lea Brun**")
