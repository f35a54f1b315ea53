"""Facts come and go with the documents that state them, and what one source says is told only where that source is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from connectors.base import Batch, Check, Document, Fact, Reference, Section
from ingestion.sources import Sources
from ingestion.sync import sync
from tests.databases import with_seeds
from tests.ingestion.workspaces import Following
from tree.retrieve.index import Index, SearchScope
from tree.retrieve.names import Mention, tokens

OWNERS = ("Maren Oduya", "Tomas Reyl", "Ines Falk")

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def _page(owner: str, parts: list[str]) -> str:
    rows = "\n".join(f"| {part} | {owner} |" for part in parts)
    return f"# Page\n\nOwner: {owner}\n\n| Part | Keeper |\n| --- | --- |\n{rows}\n"


def _facts(docs: Following, scope: SearchScope | None = None) -> set[tuple[str, str, str]]:
    """Subject, relation and value of all facts in a scope."""
    docs.workspace.index.catch_up()
    rows = docs.workspace.index.facts(scope or SearchScope((docs.source.id,))).everything()
    return {(row[5], row[10], row[11]) for row in rows}


def _fresh(docs: Following) -> Index:
    index = Index(docs.workspace.store, None)
    index.load([docs.source.id], docs.workspace.index.version())
    return index


ASKED = tokens(" ; ".join((*OWNERS, *(f"part {number}" for number in range(9)), "Page", "b", *map(str, range(6)))))


def _found(index: Index, scope: SearchScope) -> list[Mention]:
    """What every name that was ever written stands for."""
    return list(index.names(scope).find(ASKED))


@with_seeds(4)
def test_after_any_change_facts_and_names_are_those_of_a_fresh_index(docs: Following, seed: int) -> None:
    chance = Random(seed)
    for _ in range(5):
        for _ in range(chance.choice((1, 2, 4))):
            files = sorted(docs.folder.rglob("*.md"))
            name = f"{chance.choice(('', 'a/', 'b/'))}{chance.randrange(6)}.md"
            match chance.choice(("write", "write", "delete", "move")) if files else "write":
                case "write":
                    docs.write(name, _page(chance.choice(OWNERS), [f"part {chance.randrange(9)}" for _ in range(3)]))
                case "delete":
                    chance.choice(files).unlink()
                case "move":
                    (docs.folder / name).parent.mkdir(exist_ok=True)
                    chance.choice(files).rename(docs.folder / name)
        docs.sync()
        docs.workspace.index.catch_up()
        scope, fresh = SearchScope((docs.source.id,)), _fresh(docs)
        assert docs.workspace.index.facts(scope).everything() == fresh.facts(scope).everything()
        assert _found(docs.workspace.index, scope) == _found(fresh, scope)
        stated = {owner for owner in OWNERS if any(owner in path.read_text() for path in docs.folder.rglob("*.md"))}
        assert {value for _, relation, value in _facts(docs) if relation == "Keeper"} == stated
        assert {mention.text for mention in _found(docs.workspace.index, scope)} & set(OWNERS) == stated


def test_what_one_document_says_ends_nothing_that_another_says(docs: Following) -> None:
    docs.write("old.md", _page("Maren Oduya", ["Turnstile"]))
    docs.write("new.md", _page("Tomas Reyl", ["Turnstile"]))
    docs.sync()
    both = {("Turnstile", "Keeper", "Maren Oduya"), ("Turnstile", "Keeper", "Tomas Reyl")}
    assert both <= _facts(docs)
    (docs.folder / "new.md").unlink()
    docs.sync()
    assert {fact for fact in _facts(docs) if fact[1] == "Keeper"} - {("Turnstile", "Keeper", "Turnstile")} == {min(both)}


def test_an_older_version_is_asked_for_the_facts_it_had(docs: Following) -> None:
    docs.write("a.md", _page("Maren Oduya", ["Turnstile"]))
    docs.sync()
    docs.workspace.index.catch_up()
    then = docs.workspace.index.version()
    docs.write("a.md", _page("Tomas Reyl", ["Turnstile"]))
    docs.sync()
    older = Index(docs.workspace.store, None)
    older.load([docs.source.id], then)
    told = {row[11] for row in older.facts(SearchScope((docs.source.id,))).everything()}
    assert "Maren Oduya" in told and "Tomas Reyl" not in told


class OtherTickets:
    """A second source: one ticket."""

    def check(self) -> Check:
        return Check("1 ticket")

    def fetch(self, checkpoint: object, hints: object = None) -> Iterator[Batch]:
        subject = Reference("ticket", "SEC-1", "SEC-1 Quiet berth")
        said = {"key": "SEC-1", "status": "To Do", "assignee": "Wilma Hidden", "component": "Vault"}
        kinds = {"assignee": "person", "component": "component"}
        facts = tuple(
            Fact(subject, name, value, Reference(kinds[name], value, value) if name in kinds else None)
            for name, value in said.items()
        )
        yield Batch(
            (Document("1", subject.name, (), (Section("- Status: To Do"),), "1", kind="ticket", aliases=("SEC-1",), facts=facts),)
        )

    def census(self) -> Iterator[str]:
        return iter(("1",))

    def close(self) -> None:
        pass


def test_a_question_in_one_source_tells_nothing_of_another(docs: Following) -> None:
    docs.write("a.md", _page("Maren Oduya", ["Turnstile"]))
    docs.sync()
    sources = Sources(docs.workspace.database)
    other = sources.add("folder", "Secret", {"path": str(docs.folder)})
    sync(docs.workspace, sources, other, connector=OtherTickets())
    index = docs.workspace.index
    index.catch_up()
    here, there = SearchScope((docs.source.id,)), SearchScope((other.id,))
    names = index.names(here)
    hidden = ("SEC-1", "Wilma", "Hidden", "Vault", "To Do")
    assert not any("sec 1" in names.full(name) or names.near(name) for name in ("sec 1", "wilme", "hiddan", "vaultt"))
    for question in ("How many tickets are there?", "Who is assigned to SEC-1?", "What is Wilma working on?", "Which tickets are in Vault?",
                     "Who is Wilme Hidden?", "Who is the keeper of Vault?"):  # fmt: skip
        told = docs.ask(question, sources=[docs.source.id])
        assert not any(word in told.text for word in hidden if word.casefold() not in question.casefold()), question
        assert "1 of 1" not in told.text and "1 tickets" not in told.text
    assert index.facts(here).holding("ticket", ["key"]) == set()
    assert index.facts(there).holding("ticket", ["key"]) == {"sec 1"}


def test_a_question_in_one_branch_tells_nothing_of_another(docs: Following) -> None:
    docs.write("a/open.md", _page("Maren Oduya", ["Turnstile"]))
    docs.write("b/closed.md", _page("Ines Falk", ["Vault"]))
    docs.sync()
    scope = SearchScope((docs.source.id,), (f"{docs.source.id}/a/",))
    assert {value for _, relation, value in _facts(docs, scope) if relation == "Keeper"} == {"Maren Oduya"}
    names = docs.workspace.index.names(scope)
    [table] = names.tables
    assert names.values_of("keeper", table) == {"maren oduya"} and not names.near("vaullt")


def test_a_removed_source_takes_its_facts_along(docs: Following) -> None:
    docs.write("a.md", _page("Maren Oduya", ["Turnstile"]))
    docs.sync()
    scope = SearchScope((docs.source.id,))
    assert _facts(docs, scope)
    docs.write("b.md", "# Other\n\nNothing.\n")
    docs.sync()
    Sources(docs.workspace.database).mark_removing(docs.source.id)
    other = Sources(docs.workspace.database).add("folder", "Other", {"path": str(docs.folder)})
    sync(docs.workspace, Sources(docs.workspace.database), other, connector=OtherTickets())
    assert not _facts(docs, scope)
