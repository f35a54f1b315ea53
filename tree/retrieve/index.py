"""The search index: a derived file beside the database that follows the published versions.

It holds the words of each live leaf, already cut into terms (prompts.language), its facts and items, and a table of names:
what a question may call a document or a folder. Whatever is asked for is found, counted and ordered by the sources of the
scope alone: what other sources hold makes no difference to it. The file can be deleted at any time; the next question builds it again. So is one
that cannot be right: damaged, of another format, ahead of the store, or with other leaves than the trees have. It is
built in one transaction, beside which every other process goes on reading what was there before.
"""

from __future__ import annotations

import json
import logging
import math
import re
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.engine import Connection

from prompts.language import terms
from prompts.records import Property, SummaryRecord
from tree.retrieve import fact_index, item_index, word_index
from tree.retrieve.fact_index import FactIndex
from tree.retrieve.item_index import Described, ItemIndex
from tree.retrieve.names import Names
from tree.retrieve.text_facts import text_facts
from tree.retrieve.vectors import Vectors
from tree.store.database import StoreError, explained
from tree.store.leaves import FILE, Fact
from tree.store.models import DocumentRow, NodeRow, Source, Version, table_of
from tree.store.places import is_below, is_inside_document, root_place
from tree.store.rows import MANY, Store

FORMAT = "26"  # of the file; another one is built anew
BATCH = 2_000  # leaves indexed in one step
BACKGROUND = 50
MOST_NAMED = 200  # places of names that are looked up
BUSY_SECONDS = 30.0  # to wait for a lock that is held for moments only
PATIENCE_SECONDS = 3.0  # to wait for another process that is following the tree; then the index is used as it is
FIRST_BUILD_SECONDS = 120.0  # to wait for another process that builds the first index; then one is made in memory
LOG_BYTES = 16_000_000  # that the write-ahead log may keep on the disk
LOSS_SECONDS = 0.05  # until whoever deletes the file has deleted its log as well
TRIES = 5
NAMES_KEPT = 8  # versions and scopes of which the names are kept in memory

log = logging.getLogger("knowledge-tree")
T = TypeVar("T")

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE entry (id INTEGER PRIMARY KEY, place TEXT UNIQUE, source_id TEXT, leaf TEXT, record TEXT, length INTEGER);
CREATE TABLE name (name TEXT, place TEXT, source_id TEXT);
CREATE INDEX entry_leaf ON entry (leaf);
CREATE INDEX name_name ON name (name);
CREATE INDEX name_place ON name (place);
CREATE TABLE address (address TEXT, place TEXT, source_id TEXT);
CREATE INDEX address_address ON address (address);
CREATE INDEX address_place ON address (place);
CREATE TABLE heading (name TEXT, entry INTEGER);
CREATE INDEX heading_name ON heading (name);
CREATE INDEX heading_entry ON heading (entry);
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A leaf that shares a term with the question; `heading` and `body` are its terms, each with a space on both sides."""

    place: str
    source_id: str
    leaf: str
    heading: str
    body: str
    length: int


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Where a question is asked: the sources a person may see, and the branches (places) they chose, if any."""

    sources: tuple[str, ...]
    places: tuple[str, ...] = ()

    def includes(self, place: str) -> bool:
        return not self.places or any(is_below(place, top) for top in self.places)


class Contradiction(Exception):
    """The index holds other leaves than the trees it follows."""


class Outrun(Exception):
    """What was to be indexed has been published over and forgotten since it was listed."""


class Busy(Exception):
    """Another process is writing the index."""


class _LeafAt(NamedTuple):
    """A leaf as the index holds it: where it stands, the key of its text, the hash of its record."""

    place: str
    source_id: str
    leaf: str
    record: str


@dataclass(frozen=True, slots=True)
class _Delta:
    """What has changed in the trees between two versions, read in one snapshot of the database."""

    version: int
    published_at: float
    is_whole: bool  # nothing of what the index holds can be kept: `leaves` and `names` are all there is
    leaves: dict[str, _LeafAt]  # by place
    ended: set[str]  # places that an index of the version before may hold
    names: set[str]  # places of which the names are to be noted anew
    totals: dict[str, int]  # leaves of each source that may be asked


class Index:
    """The index of one data folder, or with no path one in memory for a single version.

    Any number of threads and processes may use the same file. `on_snapshot` is called between reading what is to be
    indexed and indexing it, for tests. What leaves a source takes its `vectors` along.
    """

    def __init__(
        self, store: Store, path: Path | None, on_snapshot: Callable[[], None] = lambda: None, vectors: Vectors | None = None
    ) -> None:
        self.store = store
        self.path = path
        self.vectors = vectors or Vectors(None)
        self._file = path or Path(":memory:")
        self._on_snapshot = on_snapshot
        self._lock = threading.Lock()
        self._names: dict[tuple[object, ...], Names] = {}  # the one used last comes last
        self._memory = None if path else self._open(":memory:")
        self._local = threading.local()

    def close(self) -> None:
        """Closes this thread's connection; the other threads' go with them."""
        connection, _ = getattr(self._local, "opened", (None, None))
        if connection is not None:
            connection.close()
            del self._local.opened

    # ---- following the tree

    def catch_up(self, patience: float = PATIENCE_SECONDS) -> int:
        """Brings the index to the newest version, and returns that version's number.

        Where another process holds the index longer than `patience` (seconds), or it cannot be written, it is left as it
        is: what has been found is held against the version asked anyway. Raises StoreError only when there is no index to
        fall back to and none can be made.
        """
        newest = self._newest()
        if newest == self._state():  # most questions: they wait for nobody who is writing
            return newest[0]
        try:
            return self._caught_up(patience)
        except Busy:
            return newest[0]
        except StoreError as error:
            if not self.version():
                raise
            log.warning("the search index is not brought up to date: %s", error)
            return newest[0]

    def serving(self, source_ids: Iterable[str], version: int, wait: float = FIRST_BUILD_SECONDS) -> Index:
        """This index; while it is first built by another process, which is waited for, one in memory in its place."""
        until = time.monotonic() + wait
        while version and not self.version():
            if time.monotonic() >= until:
                made = Index(self.store, None)
                made.load(source_ids, version)
                return made
            time.sleep(0.1)
            self.catch_up(patience=0.1)
        return self

    def load(self, source_ids: Iterable[str], version: int) -> None:
        """Fills an index in memory with the leaves that were live at an older version."""

        def fill(connection: sqlite3.Connection) -> None:
            for source_id in source_ids:
                nodes = self.store.all_nodes(source_id, version)
                self._add(
                    connection,
                    [_LeafAt(node.place, source_id, node.leaf, node.record) for node in nodes if node.leaf is not None],
                )
                self._name(connection, [node.place for node in nodes], {source_id}, version)
            _set_meta(connection, "version", str(version))

        self._run("IMMEDIATE", fill)

    def version(self) -> int:
        """The version the index holds; 0 before there is any."""
        return self._state()[0]

    def wipe(self) -> bool:
        """Leaves nothing of what has been deleted in the file: not in the words' own index, not in free pages, not in its log.

        Returns whether that is done; not so while another process still reads what there was before.
        """
        if self.path is None:
            return True
        self.catch_up(patience=FIRST_BUILD_SECONDS)
        self._run("IMMEDIATE", word_index.merge)
        with self._explaining():
            is_whole = self._insist(self._rewritten)
        self.vectors.wipe()
        return is_whole and self._newest() == self._state()

    def _rewritten(self) -> bool:
        """Writes the file anew from what is in its tables. Returns whether its log is empty then."""
        connection = self._connection()
        connection.execute("VACUUM")
        [busy, *_] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _newest(self) -> tuple[int, float]:
        with self.store.database.read() as database:
            return _newest(database)

    def _state(self) -> tuple[int, float]:
        def state(connection: sqlite3.Connection) -> tuple[int, float]:
            return int(_meta(connection, "version") or 0), float(_meta(connection, "published_at") or 0)

        return self._run("DEFERRED", state)

    def _caught_up(self, patience: float) -> int:
        is_contradictory, last = False, StoreError("The search index cannot be built. Ask again.")
        for attempt in range(1, TRIES + 1):
            try:
                with self._transaction("IMMEDIATE", patience) as connection:
                    version, gone = self._follow(connection, is_contradictory, attempt == TRIES)
                self._drop_vectors(gone)
                return version
            except (Contradiction, sqlite3.IntegrityError) as error:
                log.warning("the search index contradicts itself and is built anew: %s", error)
                is_contradictory = True
            except Outrun:
                continue
            except sqlite3.DatabaseError as error:
                last = self._told(error)
                self._throw_away(error)
        raise last

    def _follow(self, connection: sqlite3.Connection, anew: bool, is_last: bool) -> tuple[int, set[tuple[str, str]] | None]:
        """The version it holds now, and (source, leaf key) of what it held before and may hold no more; None for anything."""
        known = int(_meta(connection, "version") or 0), float(_meta(connection, "published_at") or 0)
        delta = self._delta((0, 0.0) if anew else known)
        self._on_snapshot()
        if delta.is_whole:
            _empty(connection)
        has_fewer = not delta.is_whole and _drop_sources(connection, delta.totals)
        found = {} if delta.is_whole else _entries_at(connection, delta.ended | delta.leaves.keys())
        same = {place for place, (_, _, held) in found.items() if place in delta.leaves and delta.leaves[place][:3] == held[:3]}
        _drop(connection, [(id_, length, held.source_id) for place, (id_, length, held) in found.items() if place not in same])
        self._add(connection, [leaf for place, leaf in delta.leaves.items() if place not in same], strict=not is_last)
        self._restate(connection, {found[place][0]: (found[place][2], delta.leaves[place]) for place in same})
        self._name(connection, delta.names, delta.totals, delta.version)
        _set_meta(connection, "version", str(delta.version))
        _set_meta(connection, "published_at", repr(delta.published_at))
        self._hold_against(connection, delta)
        gone = {(held.source_id, held.leaf) for place, (_, _, held) in found.items() if place not in same}
        return delta.version, None if delta.is_whole or has_fewer else gone

    def _drop_vectors(self, gone: set[tuple[str, str]] | None) -> None:
        """Of texts that no leaf of their source has any more. Should that fail, they are still never found: whatever is found by
        meaning is looked up here."""
        try:
            if gone is None:
                self.vectors.keep(self.leaves_by_source())
            elif gone and self.vectors.label():
                for source_id in {source_id for source_id, _ in gone}:
                    own = {leaf for source, leaf in gone if source == source_id}
                    self.vectors.drop(source_id, own - self._still_there(source_id, own))
        except StoreError as error:
            log.warning("vectors of what has gone are still in their file: %s", error)

    def leaves_by_source(self) -> dict[str, set[str]]:
        """The leaf keys of every source."""
        held: defaultdict[str, set[str]] = defaultdict(set)
        for source_id, leaf in self._rows("SELECT source_id, leaf FROM entry", ()):
            held[source_id].add(leaf)
        return held

    def _still_there(self, source_id: str, leaves: Iterable[str]) -> set[str]:
        query = "SELECT 1 FROM entry WHERE leaf = ? AND source_id = ? LIMIT 1"
        return {leaf for leaf in leaves if self._rows(query, (leaf, source_id))}

    def _delta(self, known: tuple[int, float]) -> _Delta:
        """Everything is read in one snapshot: a number read at one moment and rows of another would never agree again."""
        node, document, source, version = table_of(NodeRow), table_of(DocumentRow), table_of(Source), table_of(Version)
        with self.store.database.read() as database:
            number, published_at = _newest(database)
            then = database.scalar(sa.select(version.c.published_at).where(version.c.number == known[0]))
            # another database was put in place, or what ended since has been forgotten
            is_whole = not known[0] or number < known[0] or then not in (None, known[1]) or _is_forgotten(database, known[0])
            since = 0 if is_whole else known[0]
            open_ = set(database.scalars(sa.select(source.c.id).where(source.c.removing.is_(False))))
            began = sa.select(node.c.place, node.c.source_id, node.c.leaf, node.c.record, node.c.kind)
            rows = [
                row
                for row in database.execute(began.where(node.c.live_to.is_(None), node.c.live_from > since))
                if row.source_id in open_
            ]
            ended: set[str] = set()
            renamed: set[str] = set()
            if not is_whole:
                ended = set(database.scalars(sa.select(node.c.place).where(node.c.live_to > since)))
                named = sa.select(document.c.place).where(document.c.live_to.is_(None), document.c.live_from > since)
                renamed = set(database.scalars(named))
            tops = sa.select(node.c.source_id, node.c.leaves).where(
                node.c.live_to.is_(None), node.c.place.in_([root_place(id_) for id_ in sorted(open_)])
            )
            totals = dict.fromkeys(open_, 0) | dict(database.execute(tops).tuples().all())
        leaves = {row.place: _LeafAt(row.place, row.source_id, row.leaf, row.record) for row in rows if row.kind == "leaf"}
        return _Delta(number, published_at, is_whole, leaves, ended, ended | renamed | {row.place for row in rows}, totals)

    @staticmethod
    def _hold_against(connection: sqlite3.Connection, delta: _Delta) -> None:
        """Raises Contradiction where the index has more or fewer leaves of a source than its tree has."""
        held = dict(connection.execute("SELECT id, leaves FROM source").fetchall())
        differing = sorted(id_ for id_, number in delta.totals.items() if held.get(id_, 0) != number)
        if delta.is_whole:  # the tree itself is not right there: building the index again would not mend it
            _set_meta(connection, "differing", json.dumps(differing))
            return
        known = json.loads(_meta(connection, "differing") or "[]")
        if new := [id_ for id_ in differing if id_ not in known]:
            raise Contradiction(f"{new[0]} has {delta.totals[new[0]]} leaves, the index {held.get(new[0], 0)}")

    def _add(self, connection: sqlite3.Connection, leaves: Sequence[_LeafAt], strict: bool = False) -> None:
        for start in range(0, len(leaves), BATCH):
            texts = self.store.leaf_contents(leaf.leaf for leaf in leaves[start : start + BATCH])
            some = [leaf for leaf in leaves[start : start + BATCH] if leaf.leaf in texts]
            if strict and len(some) < len(leaves[start : start + BATCH]):
                raise Outrun
            records = self.store.records(leaf.record for leaf in some)
            [last] = connection.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
            entries, described = [], []
            words: defaultdict[str, list[tuple[int, list[str], list[str]]]] = defaultdict(list)
            for rowid, leaf in enumerate(some, last + 1):
                text, headings, facts, properties = texts[leaf.leaf]
                heading_terms, body_terms = terms("\n".join(headings)), terms(_with_properties(text, properties))
                entries.append((rowid, *leaf, len(heading_terms) + len(body_terms)))
                words[leaf.source_id].append((rowid, heading_terms, body_terms))
                stated = _all_facts(text, headings, facts)
                fact_index.add(connection, rowid, leaf.place, stated)
                if is_inside_document(leaf.place) and headings:
                    titles = {as_name(title) for title in headings[-1].split(" … ")}  # of several headings the first and the last
                    connection.executemany("INSERT INTO heading VALUES (?, ?)", [(title, rowid) for title in sorted(titles)])
                described.append(Described(rowid, leaf.place, text, headings, records.get(leaf.record, SummaryRecord()), stated))
            item_index.add(connection, described)
            connection.executemany(
                "INSERT INTO entry (id, place, source_id, leaf, record, length) VALUES (?, ?, ?, ?, ?, ?)", entries
            )
            for source_id, rows in words.items():
                word_index.add(connection, source_id, rows)

    def _restate(self, connection: sqlite3.Connection, leaves: Mapping[int, tuple[_LeafAt, _LeafAt]]) -> None:
        """Leaves of which only the record changed, as they were and are, by the number of their entry: what it lists is listed
        anew. No text is read for a record that lists the same."""
        changed = {id_: (before.record, leaf) for id_, (before, leaf) in leaves.items() if before.record != leaf.record}
        records = self.store.records([hash_ for before, leaf in changed.values() for hash_ in (before, leaf.record)])
        nothing = SummaryRecord()
        other = {
            id_: leaf for id_, (before, leaf) in changed.items()
            if before not in records or item_index.listed(records[before]) != item_index.listed(records.get(leaf.record, nothing))
        }  # fmt: skip
        item_index.drop(connection, other)
        texts = self.store.leaf_contents(leaf.leaf for leaf in other.values())
        described = [
            Described(id_, leaf.place, text, headings, records.get(leaf.record, nothing), _all_facts(text, headings, facts))
            for id_, leaf in other.items() if leaf.leaf in texts for text, headings, facts, _ in [texts[leaf.leaf]]
        ]  # fmt: skip
        item_index.add(connection, described)
        connection.executemany(
            "UPDATE entry SET record = ? WHERE id = ?", [(leaf.record, id_) for id_, (_, leaf) in changed.items()]
        )

    def _name(
        self, connection: sqlite3.Connection, places: Iterable[str], sources: Container[str], version: int | None = None
    ) -> None:
        """Notes anew what the documents and folders at these places are called; those of other sources have no name."""
        named = [place for place in places if not is_inside_document(place)]
        for start in range(0, len(named), MANY):
            some = named[start : start + MANY]
            for table in ("name", "address"):
                connection.execute(f"DELETE FROM {table} WHERE place IN ({','.join('?' * len(some))})", some)
            for place, source_id, titles, url in self.store.names_at(some, version):
                if source_id not in sources:  # it is being removed
                    continue
                word_index.open_source(connection, source_id)  # of which it holds something
                rows = {(as_name(title), place, source_id) for title in titles if title.strip()}
                connection.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(rows))
                if address := as_address(url):
                    connection.execute("INSERT INTO address VALUES (?, ?, ?)", (address, place, source_id))

    # ---- asking

    def search(self, words: Sequence[str], scope: SearchScope, limit: int) -> list[Hit]:
        """The best leaves for these terms by BM25, best first."""
        if not words or not scope.sources:
            return []

        def found(connection: sqlite3.Connection) -> list[tuple[float, Hit]]:
            distances = word_index.best(connection, words, scope.sources, scope.places, limit)
            query = f"""SELECT e.id, e.place, e.source_id, e.leaf, w.heading, w.body, e.length FROM entry e JOIN words w ON w.entry = e.id
                WHERE e.id IN ({",".join("?" * len(distances))})"""
            return [
                (distances[id_], Hit(place, source, leaf, f" {heading} ", f" {body} ", length))
                for id_, place, source, leaf, heading, body, length in connection.execute(query, list(distances))
            ]

        return [hit for _, hit in sorted(self._run("DEFERRED", found), key=lambda pair: (pair[0], pair[1].place))]

    def hits(self, leaves: Sequence[tuple[str, str]], scope: SearchScope, limit: int) -> list[Hit]:
        """Where these texts, given as (source, leaf key), stand in the scope: in their order, so many at most."""
        where, values = _scoped(scope)
        query = f"""SELECT e.place, e.source_id, e.leaf, w.heading, w.body, e.length FROM entry e JOIN words w ON w.entry = e.id
            WHERE e.leaf IN ({",".join("?" * len(leaves))}) AND {where} ORDER BY e.place"""
        found: defaultdict[tuple[str, str], list[Hit]] = defaultdict(list)
        for place, source, leaf, heading, body, length in self._rows(query, (*(leaf for _, leaf in leaves), *values)):
            found[source, leaf].append(Hit(place, source, leaf, f" {heading} ", f" {body} ", length))
        return [hit for one in leaves for hit in found[one]][:limit]

    def leaves(self, scope: SearchScope) -> set[tuple[str, str]]:
        """(source, leaf key) of all leaves in a scope."""
        where, values = _scoped(scope)
        return set(self._rows(f"SELECT e.source_id, e.leaf FROM entry e WHERE {where}", values))

    def mentioning(self, words: Sequence[str], scope: SearchScope) -> list[tuple[str, str]]:
        """(place, leaf key) of every leaf that has these terms one after the other, in the order of places."""
        if not words or not scope.sources:
            return []
        return self._run(
            "DEFERRED", lambda connection: sorted(word_index.with_phrase(connection, words, scope.sources, scope.places))
        )

    def weights(self, words: Iterable[str], scope: SearchScope) -> dict[str, float]:
        """Inverse document frequency of each term among the leaves of the scope's sources; the highest for one that occurs nowhere.

        A few leaves say little about how rare a word is, so BACKGROUND leaves without any of them are added.
        """
        wanted = list(dict.fromkeys(words))

        def weigh(connection: sqlite3.Connection) -> dict[str, float]:
            total = word_index.size(connection, scope.sources)[0] + BACKGROUND
            counts = word_index.count_leaves(connection, wanted, scope.sources)
            return {word: _weight(total, counts[word]) for word in wanted}

        return self._run("DEFERRED", weigh)

    def weight(self, leaves: int, scope: SearchScope) -> float:
        """What a term weighs that so many leaves of the scope's sources have."""
        return _weight(self._size(scope)[0] + BACKGROUND, leaves)

    def mean_length(self, scope: SearchScope) -> float:
        """Terms of a leaf of the scope's sources."""
        total, length = self._size(scope)
        return length / total if total else 1.0

    def _size(self, scope: SearchScope) -> tuple[int, int]:
        return self._run("DEFERRED", lambda connection: word_index.size(connection, scope.sources))

    def named(self, names: Iterable[str], scope: SearchScope) -> list[tuple[str, str]]:
        """(name, place) of documents and folders that bear one of these names; names as `as_name` writes them."""
        found: list[tuple[str, str]] = []
        wanted = list(dict.fromkeys(names))
        where, values = _scoped(scope)
        for start in range(0, len(wanted), MANY):
            some = wanted[start : start + MANY]
            query = f"""SELECT DISTINCT e.name, e.place FROM name e WHERE e.name IN ({",".join("?" * len(some))}) AND {where}
                ORDER BY e.name, e.place LIMIT {MOST_NAMED}"""
            found += self._rows(query, (*some, *values))
        return found

    def at_addresses(self, addresses: Iterable[str], scope: SearchScope) -> list[tuple[str, str]]:
        """(address, place) of documents that are known under one of these web addresses; as `as_address` writes them."""
        wanted = [address for address in dict.fromkeys(addresses) if address][:MOST_NAMED]
        where, values = _scoped(scope)
        query = f"""SELECT DISTINCT e.address, e.place FROM address e WHERE e.address IN ({",".join("?" * len(wanted))}) AND {where}
            ORDER BY e.address, e.place LIMIT {MOST_NAMED}"""
        return self._rows(query, (*wanted, *values))

    def told_under(self, names: Iterable[str], scope: SearchScope) -> list[tuple[str, str]]:
        """(name, place) of the only leaf inside a document in this scope that has such a heading, or that says what is meant by
        such a term; names as `as_name` writes them."""
        found: list[tuple[str, str]] = []
        wanted = list(dict.fromkeys(names))
        where, values = _scoped(scope)
        for start in range(0, len(wanted), MANY):
            some = wanted[start : start + MANY]
            marks = ",".join("?" * len(some))
            query = f"""SELECT name, min(place) FROM (
                SELECT h.name, e.place FROM heading h JOIN entry e ON e.id = h.entry WHERE h.name IN ({marks}) AND {where}
                UNION SELECT s.name, e.place FROM subject s JOIN entry e ON e.id = s.entry
                WHERE s.kind = 'term' AND s.name IN ({marks}) AND {where}
                ) GROUP BY name HAVING count(DISTINCT place) = 1 ORDER BY name LIMIT {MOST_NAMED}"""
            found += self._rows(query, (*some, *values, *some, *values))
        return found

    def facts(self, scope: SearchScope) -> FactIndex:
        """What the leaves in a scope state as facts."""
        where, values = _scoped(scope)
        if scope.places:
            return FactIndex(self._rows, where, values)
        others = f"NOT EXISTS (SELECT 1 FROM source WHERE leaves > 0 AND id NOT IN ({','.join('?' * len(scope.sources))}))"
        return FactIndex(self._rows, where, values, others, scope.sources)

    def items(self, scope: SearchScope) -> ItemIndex:
        """The decisions, actions and events of the leaves in a scope."""
        return ItemIndex(self._rows, *_scoped(scope))

    def names(self, scope: SearchScope) -> Names:
        """The names that those facts know; made once for a version and a scope."""
        key = (*self._state(), scope)
        with self._lock:
            made = self._names.pop(key, None)
        if made is None:
            made = Names(self.facts(scope))
        with self._lock:
            self._names[key] = made
            while len(self._names) > NAMES_KEPT:
                del self._names[next(iter(self._names))]
        return made

    def containing(self, text: str, scope: SearchScope, limit: int) -> list[str]:
        """Places whose name contains this text, those that begin with it first, then the shortest."""
        name = as_name(text)
        if not name or not scope.sources:
            return []
        where, values = _scoped(scope)
        query = f"""SELECT e.place FROM name e WHERE instr(e.name, ?) > 0 AND {where}
            GROUP BY e.place ORDER BY min(instr(e.name, ?) > 1), min(length(e.name)), e.place LIMIT ?"""
        return [place for (place,) in self._rows(query, (name, *values, name, limit))]

    # ---- the file

    def _rows(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return self._run("DEFERRED", lambda connection: connection.execute(query, values).fetchall())

    def _run(self, mode: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does this in one transaction."""

        def once() -> T:
            with self._transaction(mode) as connection:
                return work(connection)

        return self._insist(once)

    def _insist(self, work: Callable[[], T]) -> T:
        """Does this; where the file turns out to be damaged, with one that is made anew."""
        for _ in range(TRIES - 1):
            try:
                return work()
            except sqlite3.DatabaseError as error:
                self._throw_away(error)
                with suppress(Busy):
                    self._caught_up(FIRST_BUILD_SECONDS)
        with self._explaining():
            return work()

    @contextmanager
    def _transaction(self, mode: str, patience: float = BUSY_SECONDS) -> Iterator[sqlite3.Connection]:
        """Raises Busy when another process was writing all the while (seconds), sqlite3.DatabaseError for a file that cannot
        be right, StoreError for what else the disk says."""
        if self._memory is not None:
            with self._lock:
                yield self._memory
            return
        with self._telling_damage_apart():
            connection = self._connection()
            connection.execute(f"PRAGMA busy_timeout = {int(patience * 1_000)}")
            try:
                connection.execute(f"BEGIN {mode}")
            except sqlite3.OperationalError as error:
                if "locked" in str(error) and mode == "IMMEDIATE":
                    raise Busy from error
                raise
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def _telling_damage_apart(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, sqlite3.IntegrityError) or _is_damage(error) or _is_loss(error):
                raise
            with self._explaining():
                raise

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        with explained(self._file):
            yield

    def _told(self, error: Exception) -> StoreError:
        try:
            with self._explaining():
                raise error
        except StoreError as told:
            return told
        except sqlite3.DatabaseError:
            return StoreError(f"The search index in {self._file} cannot be built: {error}. Delete it and ask again.")

    def _throw_away(self, damage: sqlite3.DatabaseError) -> None:
        """A damaged file is removed, for it can be made anew, and one that somebody has deleted is let go of; what is
        neither is raised."""
        if self.path is not None and _is_loss(damage):
            self.close()
            time.sleep(LOSS_SECONDS)
            return
        if self.path is None or not _is_damage(damage):
            raise damage
        log.warning("the search index is damaged and is built anew: %s", damage)
        identity = getattr(self._local, "opened", (None, None))[1]
        self.close()
        with self._making():
            if identity is None or identity == _identity(self._file):  # nobody else has replaced it meanwhile
                _remove(self._file)

    @contextmanager
    def _making(self) -> Iterator[None]:
        """One at a time makes the file or throws it away."""
        try:
            with explained(self._file), FileLock(f"{self.path}.lock", timeout=BUSY_SECONDS):
                yield
        except Timeout as error:
            raise StoreError(f"Another program has held {self.path}.lock for too long. Close it and try again.") from error

    def _connection(self) -> sqlite3.Connection:
        """This thread's connection to the file that is there now."""
        connection, identity = getattr(self._local, "opened", (None, None))
        if connection is None or identity != _identity(self._file):
            self.close()
            with self._making():
                connection = self._open(str(self._file))
                self._local.opened = connection, _identity(self._file)
        return connection

    @staticmethod
    def _open(path: str) -> sqlite3.Connection:
        connection = _connect(path)
        try:
            if _format(connection) in (FORMAT, None):
                return _prepared(connection)
        except sqlite3.DatabaseError as error:  # it is derived, so it is made anew
            if not _is_damage(error):
                raise
        connection.close()
        _remove(Path(path))
        return _prepared(_connect(path))


def _newest(database: Connection) -> tuple[int, float]:
    """The number of the newest version and when it was published; zeros before the first."""
    version = table_of(Version)
    row = database.execute(sa.select(version.c.number, version.c.published_at).order_by(version.c.number.desc()).limit(1)).first()
    return (0, 0.0) if row is None else (row.number, row.published_at)


def _is_forgotten(database: Connection, since: int) -> bool:
    """Whether there was a version after `since` that is not kept any more, nor is what ended with it."""
    version = table_of(Version)
    later = sa.select(version.c.source_id, sa.func.min(version.c.number)).where(version.c.number > since)
    for source_id, first in database.execute(later.group_by(version.c.source_id)).tuples().all():
        own = sa.select(version.c.ordinal).where(version.c.source_id == source_id)
        before = database.scalar(own.where(version.c.number <= since).order_by(version.c.number.desc()).limit(1)) or 0
        if database.scalar(own.where(version.c.number == first)) != before + 1:
            return True
    return False


_DAMAGE = ("malformed", "not a database", "no such table", "no such column", "no such module", "vtable", "fts5:", "corrupt")


def _is_damage(error: Exception) -> bool:
    """Whether this says that the file itself cannot be right."""
    return isinstance(error, sqlite3.DatabaseError) and any(word in str(error).lower() for word in _DAMAGE)


def _is_loss(error: Exception) -> bool:
    """Whether this may come from a file, or its log, that was deleted while it was in use."""
    return isinstance(error, sqlite3.DatabaseError) and "disk i/o error" in str(error).lower()


def _weight(total: int, count: int) -> float:
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    if _format(connection) is None:
        connection.execute("BEGIN IMMEDIATE")
        _lay_out(connection)
        connection.execute("COMMIT")
    return connection


def _lay_out(connection: sqlite3.Connection) -> None:
    for statement in (
        *_SCHEMA.strip().split(";\n"),
        *word_index.SCHEMA.strip().split(";\n"),
        *fact_index.SCHEMA.strip().split(";\n"),
        *item_index.SCHEMA.strip().split(";\n"),
    ):
        connection.execute(statement)
    connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))


def _empty(connection: sqlite3.Connection) -> None:
    """Inside the transaction of whoever fills it again: until that ends, all others read what was there."""
    word_index.drop_all(connection)
    for table in ("entry", "name", "fact", "subject", "part_of_table", "item", "content", "meta", "address", "heading"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    _lay_out(connection)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _identity(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def as_name(text: str) -> str:
    """A title or an alias as names are compared: small letters, single spaces."""
    return " ".join(re.sub(r"[\s_]+", " ", text.casefold()).split())


def as_address(url: str) -> str:
    """A web address as addresses are compared: without scheme, "www.", query, fragment and a last slash; empty for none."""
    found = re.match(r"(?:https?:)?//(?:www\.)?([^?#]+)", url.strip(), re.IGNORECASE)
    return found[1].rstrip("/").casefold() if found else ""


def _connect(path: str) -> sqlite3.Connection:
    if path != ":memory:":
        Path(path).touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    # a lost index is built again, so it need not survive a power cut
    for pragma in ("journal_mode=WAL", "synchronous=OFF", "secure_delete=ON", "cache_size=-16000", "temp_store=MEMORY",
                   f"journal_size_limit={LOG_BYTES}"):  # fmt: skip
        try:
            connection.execute(f"PRAGMA {pragma}")
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                connection.close()
                raise
    return connection


def _format(connection: sqlite3.Connection) -> str | None:
    """The format of an index; None for an empty file."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None:
        return None
    return _meta(connection, "format") or "unknown"


def _meta(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def _with_properties(text: str, properties: Iterable[Property]) -> str:
    """A leaf's text below what its document says of itself, where that does not stand in it anyway."""
    said = [f"{name}: {value}" for name, value in properties if value not in text]
    return "\n".join((*said, text))


def _set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _entries_at(connection: sqlite3.Connection, places: Iterable[str]) -> dict[str, tuple[int, int, _LeafAt]]:
    """The entries at these places: their ids, their lengths, and what they hold."""
    query = "SELECT id, length, place, source_id, leaf, record FROM entry WHERE place = ?"
    found = (connection.execute(query, (place,)).fetchone() for place in places)
    return {entry[2]: (entry[0], entry[1], _LeafAt(*entry[2:])) for entry in found if entry is not None}


def _all_facts(text: str, headings: Sequence[str], facts: Sequence[Fact]) -> list[Fact]:
    """Those its source stated, and those its text states. What a document says of itself was read from its head as a whole."""
    is_ticket = any(fact.subject.kind == "ticket" for fact in facts)
    own = {(fact.relation, fact.start) for fact in facts if fact.group == FILE}
    stated = text_facts(text, headings[:-1], "ticket" if is_ticket else "file")
    if own:
        lines = {(relation, text.rfind("\n", 0, start) + 1) for relation, start in own}
        stated = [fact for fact in stated if fact.row or (fact.relation, text.rfind("\n", 0, fact.start) + 1) not in lines]
    return [*facts, *stated]


def _drop_sources(connection: sqlite3.Connection, kept: Iterable[str]) -> bool:
    """Drops all entries and names of sources that are not among those kept. Returns whether there were any."""
    gone = [id_ for (id_,) in connection.execute("SELECT id FROM source").fetchall() if id_ not in kept]
    for source_id in gone:
        entries = connection.execute("SELECT id, length, source_id FROM entry WHERE source_id = ?", (source_id,)).fetchall()
        _drop(connection, entries)
        for table in ("name", "address"):
            connection.execute(f"DELETE FROM {table} WHERE source_id = ?", (source_id,))
        word_index.drop_source(connection, source_id)
    return bool(gone)


def _drop(connection: sqlite3.Connection, entries: Sequence[tuple[int, int, str]]) -> None:
    """Drops entries, given with their lengths and sources."""
    lengths: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for id_, length, source_id in entries:
        lengths[source_id][id_] = length
    for source_id, own in lengths.items():
        word_index.drop(connection, source_id, own)
        connection.executemany("DELETE FROM entry WHERE id = ?", [(id_,) for id_ in own])
        connection.executemany("DELETE FROM heading WHERE entry = ?", [(id_,) for id_ in own])
        fact_index.drop(connection, own)
        item_index.drop(connection, own)


def _scoped(scope: SearchScope) -> tuple[str, list[str]]:
    where = f"e.source_id IN ({','.join('?' * len(scope.sources))})"
    inside, places = word_index.within(scope.places)
    return f"{where} AND {inside}", [*scope.sources, *places]


# ---------------------------------------------------------------- several branches at once
