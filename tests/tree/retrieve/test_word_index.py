"""Over many sources the best leaves are found without looking at every leaf that has a common word."""

from __future__ import annotations

import sqlite3
from random import Random

import pytest

from tree.retrieve import word_index
from tree.retrieve.fact_rows import fact_rows
from tree.retrieve.leaf_entry import APART, LeafEntry

SOURCES = ("s1", "s2", "s3")
COMMON, RARE = [f"common{n}" for n in range(5)], [f"rare{n}" for n in range(400)]
USUAL = [f"usual{n}" for n in range(5)]  # each in a fourth of the leaves
PLACES = "CREATE TABLE entry (id INTEGER PRIMARY KEY, place TEXT UNIQUE, source_id TEXT, leaf TEXT, record TEXT, length INTEGER)"


def _leaf(chance: Random) -> tuple[list[str], list[str]]:
    usual = [word for word in USUAL if chance.random() < 0.25]
    return chance.choices(RARE, k=2), chance.choices(COMMON, k=chance.randrange(20)) + chance.choices(RARE, k=8) + usual


@pytest.fixture(scope="module")
def filled() -> sqlite3.Connection:
    connection, chance = sqlite3.connect(":memory:"), Random(1)
    for statement in (PLACES, *word_index.SCHEMA.strip().split(";\n")):
        connection.execute(statement)
    for entry in range(1, 901):
        source = SOURCES[entry % 3]
        heading, body = _leaf(chance)
        row = (entry, f"{source}/{entry}", source, len(heading) + len(body))
        connection.execute("INSERT INTO entry (id, place, source_id, length) VALUES (?, ?, ?, ?)", row)
        noted = LeafEntry(APART.join(heading), APART.join(body), len(heading) + len(body), [], fact_rows((), ""), [], ())
        word_index.add(connection, source, [(entry, noted)])
    return connection


@pytest.mark.parametrize("rare", [0, 1, 2, 4])
@pytest.mark.parametrize("sources", [SOURCES, SOURCES[:2]])
@pytest.mark.parametrize("few", [10, word_index.FEW])
def test_the_few_best_are_those_of_a_search_that_looks_at_all(filled, rare: int, sources, few: int, monkeypatch) -> None:
    chance = Random(rare)
    for _ in range(20):
        words = chance.sample(RARE, rare) + chance.sample(USUAL, chance.randrange(4)) + chance.sample(COMMON, 3)
        monkeypatch.setattr(word_index, "FEW", 10_000)  # so that every list is read
        every = word_index.best(filled, words, sources, (), 10_000)
        monkeypatch.setattr(word_index, "FEW", few)
        limit = chance.choice((1, 5, 20))
        found = word_index.best(filled, words, sources, (), limit)
        farthest = max(found.values())
        assert len(found) == limit and all(every[entry] == pytest.approx(distance) for entry, distance in found.items())
        assert {entry for entry, distance in every.items() if distance < farthest - 1e-9} <= found.keys()


def test_leaves_with_only_common_words_are_looked_for_by_sets_of_these(filled, monkeypatch) -> None:
    looked_for = []
    with_all = word_index._with_all
    monkeypatch.setattr(word_index, "FEW", 10)
    monkeypatch.setattr(word_index, "_with_all", lambda *asked: looked_for.append(found := with_all(*asked)) or found)
    chance = Random(5)
    for _ in range(10):
        word_index.best(filled, [*chance.sample(RARE, 2), *USUAL], SOURCES, (), 5)
    assert any(looked_for)


def test_common_words_alone_are_found_too(filled) -> None:
    every = word_index.best(filled, COMMON, SOURCES, (), 10_000)
    few = word_index.best(filled, COMMON, SOURCES, (), 10)
    assert sorted(few.values()) == pytest.approx(sorted(every.values())[:10]) and len(every) > 800


@pytest.mark.parametrize(
    "words",
    [
        [("rare0",)],
        [("rare1",), ("common1",)],
        [("rare1", "rare2"), ("common0", "common1")],
        [("rare3",), ("nowhere",)],
        [("usual0",)],
    ],
)
def test_the_leaves_with_all_words_are_those_that_have_them(filled, words: list[tuple[str, ...]]) -> None:
    places = dict(filled.execute("SELECT id, place FROM entry").fetchall())

    def having(term: str) -> set[str]:
        found = word_index.entries_with(filled, [term], SOURCES, 10_000)
        return {places[entry] for entry in found or ()}

    wanted = set(places.values())
    for forms in words:
        wanted &= set[str]().union(*map(having, forms))
    assert word_index.places_with_all(filled, words, SOURCES, (), 10_000) == sorted(wanted)
    own = [place for place in sorted(wanted) if place.startswith("s1/")]
    assert word_index.places_with_all(filled, words, SOURCES[:1], (), 10_000) == own


def test_very_many_leaves_with_all_words_are_not_listed(filled) -> None:
    assert word_index.places_with_all(filled, [("common0",), ("common1",)], SOURCES, (), 50) is None
    assert word_index.places_with_all(filled, [("common0",), ("rare5",)], SOURCES, (), 100) is not None


def test_leaves_are_counted_as_the_full_text_tables_count_them_and_no_more_once_they_are_gone(filled) -> None:
    known = [*COMMON, *USUAL, *RARE]

    def counted() -> dict[str, int]:
        found = dict.fromkeys(known, 0)
        for number in range(1, 4):
            for term, leaves in filled.execute(f"SELECT term, doc FROM vocabulary_{number}"):
                found[term] += leaves
        return found

    assert word_index.count_leaves(filled, known, SOURCES) == counted()
    with filled:
        entries = dict(filled.execute("SELECT id, length FROM entry WHERE source_id = 's1'").fetchall())
        word_index.drop(filled, "s1", entries)
        assert word_index.count_leaves(filled, known, SOURCES) == counted()
        assert filled.execute(
            "SELECT count(*) FROM term t JOIN source s ON s.number = t.source WHERE s.id = 's1'"
        ).fetchone() == (0,)
        filled.rollback()
