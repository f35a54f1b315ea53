"""What no version needs is deleted in pieces, between which others write, and any of which may be the last for now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.records import SummaryRecord
from tests.tree.fakes import CountingReader, document
from tree.build.builder import build
from tree.store.database import Database
from tree.store.forgetting import PIECE, compact_upgrades, forget_before, forget_source
from tree.store.forms import record_hash
from tree.store.models import LeafRow, Source, Version, table_of
from tree.store.publishing import Change, publish
from tree.store.store import Store
from tree.workspace import database_url

TABLES = ("node", "document", "leaf", "record", "reading", "version")

pytestmark = pytest.mark.usefixtures("each_database")


class Watched(Database):
    """Calls `before` and `after` each writing transaction, but for those that these make themselves."""

    def __init__(self, home: Path) -> None:
        super().__init__(home, url=database_url())
        self.before: Callable[[], None] | None = None
        self.after: Callable[[], None] | None = None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        before, after, self.before, self.after = self.before, self.after, None, None
        if before is not None:
            before()
        with super().write() as connection:
            yield connection
        if after is not None:
            after()
        self.before, self.after = self.before or before, self.after or after


class Tree:
    """Two sources of a few documents."""

    def __init__(self, home: Path) -> None:
        self.database = Watched(home)
        self.store = Store(self.database)
        for id_ in "st":
            with self.database.write() as connection:
                row = {"id": id_, "name": id_, "kind": "folder", "config": {}, "created_at": 0}
                connection.execute(sa.insert(table_of(Source)).values(row))
            self.put(id_, *(document(f"{n}.md", f"text {n}") for n in range(6)))

    def base(self, source_id: str) -> int:
        with self.database.read() as connection:
            source = table_of(Source)
            return connection.scalar(sa.select(source.c.published).where(source.c.id == source_id))

    def put(self, source_id: str, *documents, gone=()) -> None:
        change, _ = build(self.store, source_id, source_id, self.base(source_id), CountingReader(), documents, gone)
        publish(self.database, change)

    def upgrade(self, places: list[str], summary: str) -> None:
        """Gives these places of the first source another record."""
        record = SummaryRecord(summary=summary)
        put = {place: replace(node, record=record_hash(record)) for place, node in self.store.nodes.at(places).items()}
        publish(self.database, Change("s", self.base("s"), put, records={record_hash(record): record}, is_upgrade=True))

    def seen(self, version: int) -> list[tuple[str, str]]:
        """(place, record) of each row that a version sees of the first source."""
        return sorted((node.place, node.record) for node in self.store.nodes.of_source("s", version))

    def counts(self) -> dict[str, int]:
        with self.database.read() as connection:
            return {table: connection.scalar(sa.text(f"SELECT count(*) FROM {table}")) for table in TABLES}

    def versions(self, source_id: str) -> set[int]:
        version = table_of(Version)
        with self.database.read() as connection:
            return set(connection.scalars(sa.select(version.c.number).where(version.c.source_id == source_id)))


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    made = Tree(tmp_path)
    yield made
    made.database.close()


@pytest.mark.parametrize("seed", range(3))
def test_at_each_step_of_a_compaction_every_version_sees_each_place_once(tree: Tree, seed: int) -> None:
    chance, places = Random(seed), [node.place for node in tree.store.nodes.of_source("s")]
    for number in range(11):
        tree.upgrade(chance.sample(places, 3), f"better {number}")
        if chance.random() < 0.3:  # versions of another source lie between, and are asked about
            tree.put("t", document("0.md", f"another {number}"))
    seen = {version: tree.seen(version) for version in range(1, tree.store.versions.newest() + 1)}
    known = {place: [dict(rows)[place] for rows in seen.values()] for place in places}
    steps = []

    def check() -> None:
        steps.append(tree.versions("s"))
        for version, before in seen.items():
            now = tree.seen(version)
            assert [place for place, _ in now] == sorted(places), version
            assert all(record in known[place][:version] for place, record in now), "a record of a later version"
            assert now == before or version not in steps[-1], version

    tree.database.after = check
    assert compact_upgrades(tree.database, time.time() + 1) == 10
    assert len({len(versions) for versions in steps}) > 2, "in steps"
    assert steps[-1] == {1, tree.base("s")}


def test_a_piece_is_no_more_than_some_rows(tree: Tree) -> None:
    rows = [{"key": f"nobody's {number}", "text": "", "data": {}} for number in range(2 * PIECE + 1)]
    with tree.database.write() as connection:
        connection.execute(sa.insert(table_of(LeafRow)), rows)
    counts = [tree.counts()["leaf"]]
    tree.database.after = lambda: counts.append(tree.counts()["leaf"])
    assert forget_before(tree.database, None) == len(rows)
    went = [before - after for before, after in zip(counts, counts[1:], strict=False) if before != after]
    assert went == [PIECE, PIECE, 1]


@pytest.mark.parametrize("moment", range(7))
def test_what_is_published_while_others_forget_is_whole(tree: Tree, moment: int) -> None:
    """The same text comes back just before it would have been deleted."""
    tree.put("s", gone=("1.md",))
    tree.put("t", gone=("1.md",))
    entries = iter(range(100))

    def come_back() -> None:
        if next(entries) == moment:
            tree.put("s", document("1.md", "text 1"))

    tree.database.before = come_back
    forget_before(tree.database, None)
    tree.database.before = None
    assert next(entries) > moment, "there were fewer transactions"
    assert tree.store.nodes.dangling("s") == tree.store.nodes.dangling("t") == []
    [node] = tree.store.nodes.of_document("s", "1.md")
    assert tree.store.leaves.require(node.leaf).text == "text 1"


class Killed(Exception):
    """As if the process had been killed."""


def test_what_was_cut_off_is_finished_by_the_next(tree: Tree) -> None:
    for moment in range(20):
        tree.put("s", document("2.md", f"another text {moment}"), document("1.md", f"text {moment}"))
        tree.put("s", gone=("1.md",))
        entries = iter(range(100))

        def kill(entries: Iterator[int] = entries, moment: int = moment) -> None:
            if next(entries) == moment:
                raise Killed

        tree.database.before = kill
        try:
            forget_before(tree.database, None)
            break
        except Killed:
            tree.database.before = None
        assert tree.store.nodes.dangling("s") == tree.store.nodes.dangling("t") == []
        forget_before(tree.database, None)
        assert tree.counts() | {"reading": 0} == {"node": 13, "document": 11, "leaf": 7, "record": 9, "reading": 0, "version": 2}
    assert 4 < moment < 19, "of a few transactions each was the last"


@pytest.mark.parametrize("moment", range(1, 4))
def test_a_removal_that_was_cut_off_is_finished_by_the_next(tree: Tree, moment: int) -> None:
    entries = iter(range(100))

    def kill() -> None:
        if next(entries) == moment:
            raise Killed

    tree.database.before = kill
    with pytest.raises(Killed):
        forget_source(tree.database, "s")
    tree.database.before = None
    forget_source(tree.database, "s")
    assert {node.source_id for node in tree.store.nodes.roots().values()} == {"t"}
    assert tree.counts() | {"reading": 0} == {"node": 7, "document": 6, "leaf": 6, "record": 7, "reading": 0, "version": 2}
