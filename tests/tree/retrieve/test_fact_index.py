"""Facts of a label: the same whether they are looked for by the label or leaf by leaf."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tree.retrieve.index import SearchScope


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
