"""Items of a topic are looked for where its words stand: what is found is what a look at all items finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tree.retrieve import item_index
from tree.retrieve.index import SearchScope
from tree.retrieve.record_item import Kept

SAMPLE = Path(__file__).parents[3] / "sample"
SORTS: tuple[Kept, ...] = ("decision", "action", "event", "point")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Following:
    """The sample in one source, a note in another."""
    following = Following(tmp_path_factory.mktemp("built"))
    following.write("gate.md", "# Gate\n\nDecided: the gate is painted green.\n")
    following.sync()
    sync(following.workspace, following.sources, following.sources.add("folder", "Sample", {"path": str(SAMPLE)}))
    following.workspace.index.catch_up()
    return following.closed()


@pytest.fixture
def docs(built: Following, tmp_path: Path) -> Iterator[Following]:
    following = built.copied(tmp_path)
    yield following
    following.workspace.close()


@pytest.mark.parametrize("is_told_apart", [True, False])
def test_items_of_words_are_those_that_a_look_at_all_finds(
    docs: Following, is_told_apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = docs.workspace.index
    if not is_told_apart:  # as in a file that was brought forward from an earlier format
        index.file.run("IMMEDIATE", lambda connection: connection.execute("UPDATE item SET is_own = 0"))
    # what an item is about that its leaf is not found by
    index.file.run(
        "IMMEDIATE",
        lambda connection: connection.execute(
            "UPDATE item SET topic = topic || ' lighthous ', is_own = 0 WHERE rowid IN (SELECT rowid FROM item ORDER BY said LIMIT 3)"
        ),
    )
    sources = [source.id for source in docs.sources.all()]
    known = [term for (term,) in index._rows("SELECT DISTINCT term FROM term ORDER BY term", ())]
    chance, number = Random(1), 0
    for scope in (SearchScope(tuple(sources)), *(SearchScope((one,)) for one in sources)):
        for words in [["lighthous"], *(chance.sample(known, chance.randrange(1, 4)) for _ in range(40))]:
            for sort in SORTS:
                monkeypatch.setattr(item_index, "MOST_WITH_WORDS", -1)  # all are looked at
                every = index.items(scope).find(sort, words)
                monkeypatch.setattr(item_index, "MOST_WITH_WORDS", 1_000)
                assert index.items(scope).find(sort, words) == every
                number += len(every)
    assert number > 100


def test_most_items_say_what_their_leaves_are_found_by(docs: Following) -> None:
    [(own, number)] = docs.workspace.index._rows("SELECT sum(is_own), count(*) FROM item", ())
    assert number > 200 and own > 0.9 * number


def test_the_items_of_a_few_leaves_are_found_without_a_look_at_the_others(docs: Following) -> None:
    query = """SELECT rowid FROM item WHERE entry IN (SELECT value FROM json_each('[1]'))
        UNION SELECT rowid FROM item WHERE sort = 'decision' AND NOT is_own"""
    plan = " ".join(row[3] for row in docs.workspace.index._rows(f"EXPLAIN QUERY PLAN {query}", ()))
    assert "item_entry" in plan and "item_other" in plan and "SCAN item" not in plan


def test_what_is_said_of_a_document_as_a_whole_is_told_with_its_title_and_listed_without(docs: Following) -> None:
    docs.write("copies.md", "# Copies of bookings\n\n## Decision\n\nTwo copies are kept.\n")
    docs.sync()
    items = docs.workspace.index.items(SearchScope((docs.source.id,)))
    [found] = [one.item for one in items.find("decision", ["copi"]) if "Two" in one.item.said]
    assert (found.said, found.words) == ("Copies of bookings: Two copies are kept.", "Two copies are kept.")
    assert "Two copies are kept." in items.passages("", ("decision",), ()).values()
