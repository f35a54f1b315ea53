"""Facts that are chosen before they are read: the same as are left of all that are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.tree.retrieve.fact_tables import indexed
from tree.retrieve import fact_index
from tree.retrieve.fact_index import FactIndex, StoredFact
from tree.retrieve.index import SearchScope
from tree.store.leaves import FILE, Entity, Fact


@pytest.fixture
def docs(tmp_path) -> Iterator[Following]:
    """Thirty notes with an owner in one source, three in another."""
    following = Following(tmp_path)
    for number in range(30):
        following.write(
            f"hall{number % 4}/pump {number}.md",
            f"# Pump {number}\n\nOwner: Ada Wren\nStatus: open\n\nIt stands by gate {number}.\n",
        )
    following.sync()
    few = tmp_path / "few"
    few.mkdir()
    for number in range(3):
        (few / f"{number}.md").write_text(
            f"# Lock {number}\n\nOwner: Ines Falk\nStatus: done\n\nIt is closed at {number}.\n", "utf-8"
        )
    sync(following.workspace, following.sources, following.sources.add("folder", "Few", {"path": str(few)}))
    following.workspace.index.catch_up()
    yield following
    following.workspace.close()


def test_facts_of_a_label_in_a_few_leaves_are_those_of_all_that_lie_there(docs) -> None:
    few = next(source.id for source in docs.sources.all() if source.name == "Few")
    index = docs.workspace.index
    everything = index.facts(SearchScope(tuple(source.id for source in docs.sources.all())))
    some = index.facts(SearchScope((few,)))
    assert some._are_few_leaves(["owner"]) and not everything._are_few_leaves(["owner"])
    for relations in (["owner"], ["status", "owner"], ["nothing"]):
        there = [fact for fact in everything.with_relation(relations) if fact.source_id == few]
        assert some.with_relation(relations) == there and len(there) == (0 if relations == ["nothing"] else 3 * len(relations))


def test_more_than_the_most_are_none(docs) -> None:
    few = next(source.id for source in docs.sources.all() if source.name == "Few")
    some = docs.workspace.index.facts(SearchScope((few,)))
    assert len(some.with_relation(["owner"], "ticket", 3)) == 3 and some.with_relation(["owner"], "ticket", 2) == []
    assert some.with_relation([], "", 5) == []


LABELS = ("Owner", "owner", "OWNER", "Test lead", "status", "Öwner", "leafText", "")
PEOPLE = ("Ada Wren", "ada wren", "Ada Wren (since June)", "Ines Falk", "open", "Ada Wren, Ines Falk")


def _some_facts(chance: Random) -> dict[str, list[Fact]]:
    """Facts of all kinds of a few values: of tickets, files and sections, in tables and beside them, some of a time that is over."""
    facts: dict[str, list[Fact]] = {}
    for number in range(12):
        place = f"{chance.choice('pqr')}/{number}.md"
        for _ in range(chance.randrange(6)):
            kind = chance.choice(("ticket", "document", "section", "row", "row"))
            subject = Entity(kind, f"{kind} {chance.randrange(4)}", f"{kind} {chance.randrange(4)}")
            value, row = chance.choice(PEOPLE), chance.randrange(1, 4) if kind == "row" else 0
            until = chance.choice(("", "", "2026-01-01"))
            group = chance.choice(("file", "Crew", "ticket", ""))
            person = Entity("person", value, value) if chance.random() < 0.5 else None
            start = chance.randrange(3)
            facts.setdefault(place, []).append(
                Fact(subject, chance.choice(LABELS), value, start, start, person, "", until, group, row, "table" if row else "")
            )
    return facts


def _left_of_all(
    facts: FactIndex, values: Sequence[str], asked: frozenset[str], most_rows: int, most_alike: int
) -> list[StoredFact]:
    every = facts.with_value(values)
    rows = Counter((one.fact.group, one.fact.relation) for one in every if one.fact.row)
    alike: Counter[tuple[str, ...]] = Counter()
    left = []
    for one in every:
        if one.fact.row:
            left += [one] * (rows[one.fact.group, one.fact.relation] <= most_rows)
        elif not one.fact.until and one.fact.relation in asked:
            alike[one.fact.relation, one.fact.group, one.fact.subject.kind] += 1
            is_first = most_alike < 0 or alike[one.fact.relation, one.fact.group, one.fact.subject.kind] <= most_alike
            left += [one] * is_first
    return left


@pytest.mark.parametrize("seed", range(40))
def test_facts_of_a_value_are_chosen_by_their_labels_as_if_all_had_been_read(seed: int) -> None:
    chance = Random(seed)
    facts = _some_facts(chance)
    scopes: list[tuple[str, list[object]]] = [("1", []), ("e.source_id = ?", ["p"]), ("e.place < ?", ["q/5"])]
    for where, bound in scopes:
        index = indexed(facts, where, bound)
        for _ in range(6):
            values = chance.sample(("ada wren", "ines falk", "open", "nobody", "ada wren ines falk"), chance.randrange(4))
            asked = frozenset(chance.sample(LABELS, chance.randrange(len(LABELS))))
            most_rows, most_alike = chance.randrange(4), chance.choice((-1, 0, 1, 2))
            found = index.telling(values, asked.__contains__, most_rows, most_alike)
            assert found == _left_of_all(index, values, asked, most_rows, most_alike)


def _documents(chance: Random) -> dict[str, list[Fact]]:
    """What documents of some sources say of themselves, and now and then a section or a ticket of the same person."""
    facts: dict[str, list[Fact]] = {}
    for number in range(40):
        place = f"{chance.choice('pqr')}/{chance.choice(('a', 'a b', 'c'))}/{number}.md"
        kind, group = chance.choice((("document", "file"), ("document", "file"), ("file", "file"), ("section", "Crew")))
        kind, group = (kind, group) if chance.random() < 0.8 or group == "file" else ("ticket", "ticket")
        value = chance.choice(("Ada Wren", "Ines Falk"))
        person = Entity("person", value, value) if chance.random() < 0.7 else None
        until = chance.choice(("", "", "2026-01-01"))
        label = chance.choice(("Owner", "owner")) if group == "file" or chance.random() < 0.2 else "Lead"
        facts[place] = [Fact(Entity(kind, place, place), label, value, number, number, person, "", until, group)]
    return facts


@pytest.mark.parametrize("seed", range(30))
def test_the_first_documents_that_name_somebody_are_found_source_by_source(seed: int) -> None:
    chance = Random(seed)
    facts = _documents(chance)
    for sources in (["p"], ["r", "p"], ["q", "r", "p"]):
        index = indexed(facts, sources=sources)
        for values in (["ada wren"], ["ines falk", "ada wren", "nobody"]):
            most = chance.randrange(6)
            every = [fact for fact in index.with_value(values) if not fact.fact.until]
            found = index.telling(values, lambda _: True, 0, most, lambda _: False)
            assert [fact for fact in every if fact in found] == found  # none twice, and in order
            for group, label in {(fact.fact.group, fact.fact.relation) for fact in every}:
                alike = [fact for fact in every if (fact.fact.group, fact.fact.relation) == (group, label)]
                assert [fact for fact in found if fact in alike][:most] == alike[:most]


def test_where_there_are_very_many_labels_all_facts_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_index, "MOST_LABELS", 1)
    index = indexed(_some_facts(Random(3)))
    assert index.telling(["ada wren"], lambda _: False, 0) == index.with_value(["ada wren"]) != []


@pytest.mark.parametrize("few", [0, 1_000])
def test_files_that_are_counted_and_looked_up_are_those_that_are_read(docs, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_index, "FEW", few)
    sources = [source.id for source in docs.sources.all()]
    for scope in (SearchScope(tuple(sources)), *(SearchScope((one,)) for one in sources)):
        index = docs.workspace.index
        files, named = index.facts(scope).all_files(), index.facts(scope).holding(FILE, ["owner"])
        elsewhere = {f"{source}/hall9/no pump.md" for source in sources} | {f"{source}/hall1/" for source in sources}
        assert len(index.facts(scope).all_files()) == len(set(files)) == len(named)
        assert files & (named | elsewhere) == named == set(files)
        assert files - named == set() == elsewhere & files
    assert len(index.facts(SearchScope(tuple(sources))).all_files()) == 33
