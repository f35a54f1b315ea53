"""What upgrades keep in the database: leases, readings before they are published, versions in which only records changed."""

from __future__ import annotations

import time

import pytest
import sqlalchemy as sa

from prompts.records import LogicUnit, Reading, SummaryRecord
from tests.tree.fakes import CountingReader, document
from tree.build.builder import build
from tree.build.upgrades import Job, Upgrades
from tree.retrieve.index import Index
from tree.store.database import Database
from tree.store.forgetting import compact_upgrades, forget_before, forget_source
from tree.store.language_model import Labels
from tree.store.leaf_rows import LeafRows
from tree.store.models import Source, table_of
from tree.store.publishing import publish
from tree.store.store import Store
from tree.workspace import open_database

LABELS = Labels("model read", "model summarize")
UNIT = LogicUnit(kind="term", header="zanzibar", start=0, end=4)


class Looking(LeafRows):
    """Tells which texts were read for the search index."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.indexed: list[str] = []

    def contents(self, keys):
        found = super().contents(keys)
        self.indexed += found
        return found


class Tree:
    """A tree of a few leaves, and somebody who upgrades it without a model."""

    def __init__(self, home) -> None:
        self.database = open_database(home)
        self.store = Store(self.database)
        self.store.leaves = self.leaves = Looking(self.database)
        self.upgrades = Upgrades(self.database)
        with self.database.write() as connection:
            connection.execute(sa.insert(table_of(Source)).values(id="s", name="S", kind="folder", config={}, created_at=0))
        self.put(*(document(f"{n}.md", f"text {n}") for n in range(4)))

    def put(self, *documents, gone=()) -> None:
        change, _ = build(self.store, "s", "S", self.base(), CountingReader(), documents, gone, models=LABELS)
        publish(self.database, change)

    def base(self) -> int:
        with self.database.read() as connection:
            return connection.scalar(sa.select(table_of(Source).c.published))

    def job(self, place: str) -> Job:
        [job] = self.upgrades.jobs("s", LABELS, [place])
        return job

    def read(self, place: str, summary: str) -> Job:
        """Claims a place and stores what was made of it."""
        [job], _ = self.upgrades.leases.take("s", [self.job(place)], "me", 60)
        self.upgrades.keep(job, Reading(SummaryRecord(summary=summary), (UNIT,)), lambda connection: None)
        return job

    def publish(self, *jobs: Job) -> None:
        assert self.upgrades.publish("s", CountingReader(), LABELS, jobs)

    def count(self, table: str) -> int:
        with self.database.read() as connection:
            return connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()


@pytest.fixture
def tree(tmp_path, each_database):
    made = Tree(tmp_path)
    yield made
    made.database.close()


def summary_of(tree: Tree, place: str, version: int | None = None) -> str:
    node = tree.store.nodes.get(place, version)
    return tree.store.records.by_hash([node.record])[node.record].summary


def test_a_claim_is_one_owners_until_it_ends(tree) -> None:
    job = tree.job("s/1.md")
    assert tree.upgrades.leases.take("s", [job], "me", 60) == ([job], [])
    assert tree.upgrades.leases.take("s", [job], "you", 60) == ([], [])
    assert "s/1.md" not in tree.upgrades.unread.waiting("s", LABELS, 10, {})
    tree.upgrades.leases.release_all("me")
    assert tree.upgrades.leases.take("s", [job], "you", 60) == ([job], [])


def test_a_slow_owner_that_lives_keeps_what_it_claimed(tree) -> None:
    job = tree.job("s/1.md")
    tree.upgrades.leases.take("s", [job], "me", -1)
    assert tree.upgrades.leases.take("s", [job], "you", 60, lives=lambda owner: owner == "me") == ([], [])
    assert "s/1.md" not in tree.upgrades.unread.waiting("s", LABELS, 10, {})
    tree.upgrades.leases.release(job, is_its_fault=False)
    assert tree.upgrades.leases.take("s", [job], "you", 60, lives=lambda owner: True) == ([job], [])


def test_a_text_in_two_places_is_one_claim_and_what_comes_of_it_reaches_both(tree) -> None:
    tree.put(document("a/5.md", "text 5"), document("b/5.md", "text 5"))
    both = [tree.job("s/a/5.md"), tree.job("s/b/5.md")]
    assert tree.upgrades.leases.take("s", both, "me", 60) == ([both[0]], [])
    assert set(tree.upgrades.unread.waiting("s", LABELS, 10, {})) == {f"s/{n}.md" for n in range(4)}
    tree.upgrades.leases.give_up(both[0], "It was declined.", time.time() - 1)
    assert tree.upgrades.leases.take("s", both[1:], "you", 60) == ([both[1]], [])
    assert tree.upgrades.leases.take("s", both[:1], "me", 60) == ([], [])
    tree.upgrades.keep(both[1], Reading(SummaryRecord(summary="better"), ()), lambda connection: None)
    tree.publish(both[1])
    assert summary_of(tree, "s/a/5.md") == summary_of(tree, "s/b/5.md") == "better" and tree.count("claim") == 0


def test_what_was_read_and_not_published_is_known_to_the_next(tree) -> None:
    job = tree.read("s/1.md", "better")
    tree.upgrades.leases.release_all("me")
    tree.put(gone=("2.md",))
    forget_before(tree.database, time.time() + 1)
    assert tree.upgrades.leases.take("s", [job], "you", 60) == ([], [job])
    tree.publish(job)
    assert summary_of(tree, "s/1.md") == "better" and tree.count("claim") == 0


def test_a_reading_goes_with_its_source_and_none_is_kept_after_it(tree) -> None:
    job = tree.read("s/1.md", "better")
    forget_source(tree.database, "s")
    assert tree.count("reading") == tree.count("claim") == 0
    with tree.database.write() as connection:
        connection.execute(sa.delete(table_of(Source)))
    assert not tree.upgrades.keep(job, Reading(SummaryRecord(summary="late"), ()), lambda connection: None)
    assert tree.upgrades.leases.take("s", [job], "me", 60) == ([], [])
    assert tree.count("reading") == tree.count("record") == 0


def test_a_branch_waits_for_all_below_it_and_what_is_given_up_counts(tree) -> None:
    assert tree.upgrades.jobs("s", LABELS, ["s/"]) == []
    tree.publish(*(tree.read(f"s/{n}.md", f"better {n}") for n in range(3)))
    assert tree.upgrades.jobs("s", LABELS, ["s/"]) == []
    [job], _ = tree.upgrades.leases.take("s", [tree.job("s/3.md")], "me", 60)
    tree.upgrades.leases.give_up(job, "It was declined.", time.time() + 60)
    assert tree.upgrades.unread.counts("s", LABELS) == (3, 1, 1)
    assert tree.upgrades.unread.waiting("s", LABELS, 10, {}) == ["s/"]
    assert [child.record.summary for child in tree.job("s/").children] == ["better 0", "better 1", "better 2", "text 3"]
    tree.put(document("3.md", "another text"))
    assert tree.upgrades.unread.counts("s", LABELS) == (3, 2, 0)


def test_a_look_tells_when_there_is_nothing_left_to_look_for(tree) -> None:
    def look():
        return tree.upgrades.unread.look("s", LABELS, 10, {})

    tree.publish(*(tree.read(f"s/{n}.md", f"better {n}") for n in range(4)))
    assert look() == (["s/"], False)
    [job], _ = tree.upgrades.leases.take("s", [tree.job("s/")], "me", 60)
    assert look() == ([], False), "somebody else may fail at it"
    tree.upgrades.leases.give_up(job, "It was declined.", time.time() + 60)
    assert look() == ([], False), "it is tried again some day"
    tree.upgrades.keep(job, Reading(SummaryRecord(summary="better"), (UNIT,)), lambda connection: None)
    tree.publish(job)
    assert look() == ([], True)
    tree.put(document("3.md", "another text"))
    assert look() == (["s/3.md"], False)


def test_a_changed_prompt_makes_its_own_records_stale_and_no_others(tree) -> None:
    tree.publish(*(tree.read(f"s/{n}.md", f"better {n}") for n in range(4)))
    tree.publish(tree.read("s/", "better"))
    assert tree.upgrades.unread.counts("s", LABELS) == (5, 0, 0)
    assert tree.upgrades.unread.pending("s", LABELS._replace(summarize="other summarize")) == ([], ["s/"])
    assert len(tree.upgrades.unread.pending("s", LABELS._replace(read="other read")).leaves) == 4
    assert tree.upgrades.unread.pending("s", LABELS._replace(read="other read")).branches == []


def test_the_units_of_a_record_are_the_models(tree) -> None:
    before = tree.store.nodes.get("s/1.md")
    assert tree.store.records.units(before.record) is None
    tree.publish(tree.read("s/1.md", "better"))
    assert tree.store.records.units(tree.store.nodes.get("s/1.md").record) == (UNIT,)


def test_a_change_beside_it_keeps_what_the_model_read(tree) -> None:
    tree.publish(tree.read("s/1.md", "better"))
    tree.put(document("2.md", "another text"))
    assert summary_of(tree, "s/1.md") == "better"
    assert summary_of(tree, "s/") == "text 0 better another text text 3"


def test_the_index_reads_no_text_again_for_a_better_record(tree, tmp_path) -> None:
    index = Index(tree.store, tmp_path / "search.db")
    index.catch_up()
    tree.leaves.indexed.clear()
    tree.publish(tree.read("s/1.md", "better"))
    assert index.catch_up() == tree.store.versions.newest() and tree.leaves.indexed == []
    tree.put(document("1.md", "another text"))
    index.catch_up()
    assert tree.leaves.indexed == [tree.store.nodes.get("s/1.md").leaf]
    index.close()


def test_upgrades_that_follow_each_other_become_one_version(tree) -> None:
    first = tree.base()
    for n in range(3):
        tree.publish(tree.read(f"s/{n}.md", f"better {n}"))
    last = tree.base()
    live = tree.store.nodes.of_source("s")
    assert compact_upgrades(tree.database, time.time() + 1) == 2
    assert tree.store.nodes.of_source("s") == live and tree.store.versions.newest() == tree.base() == last
    assert summary_of(tree, "s/", first) == "text 0 text 1 text 2 text 3"
    assert summary_of(tree, "s/", last) == "better 0 better 1 better 2 text 3"
    with tree.database.read() as connection:
        told = [data for (data,) in connection.exec_driver_sql("SELECT data FROM record")]
    assert not any("better 0 text 1" in data for data in told)
