"""The search index: a derived file beside the database that follows the published versions.

It holds the words of each live leaf, already cut into terms (prompts.language), its facts and items, and a table of names:
what a question may call a document or a folder. Whatever is asked for is found, counted and ordered by the sources of the
scope alone: what other sources hold makes no difference to it. The file can be deleted at any time; the next question builds it again. So is one
that cannot be right: damaged, of another format, ahead of the store, or with other leaves than the trees have. It is
built in one transaction, beside which every other process goes on reading what was there before.
"""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tree.retrieve import index_entries, word_index
from tree.retrieve.fact_index import FactIndex
from tree.retrieve.index_entries import NOTHING_AHEAD, Contradiction, Outrun, as_name
from tree.retrieve.index_file import TRIES, Busy, IndexFile, empty, meta, set_meta
from tree.retrieve.item_index import ItemIndex
from tree.retrieve.kept import Kept
from tree.retrieve.leaf_entry import Ahead
from tree.retrieve.names import Names
from tree.retrieve.vectors import Vectors
from tree.store.database import StoreError
from tree.store.deltas import LeafAt, changed_since
from tree.store.places import is_below
from tree.store.statements import MANY
from tree.store.store import Store

BACKGROUND = 50
MOST_NAMED = 200  # places of names that are looked up
MOST_LOOKED_THROUGH = 400_000  # names or headings, one by one, for parts of them
PATIENCE_SECONDS = 3.0  # to wait for another process that is following the tree; then the index is used as it is
FIRST_BUILD_SECONDS = 120.0  # to wait for another process that builds the first index; then one is made in memory
OLDER_KEPT = 3  # indexes of older versions, each a file as large as this one: two people with other rights ask about two days
NAMES_KEPT = 8  # versions and scopes of which the names are kept in memory

log = logging.getLogger("knowledge-tree")


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


class _Older(NamedTuple):
    """What an index of an older version is made of."""

    version: int
    sources: tuple[str, ...]
    kept: tuple[tuple[str, int, int], ...]  # the versions that are not forgotten


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
        self.file = IndexFile(path, self._made_anew)
        self._on_snapshot = on_snapshot
        self._lock = threading.Lock()  # of the names
        self._names: dict[tuple[object, ...], Names] = {}  # the one used last comes last
        self._older: Kept[_Older, Index] = Kept(OLDER_KEPT)

    def close(self) -> None:
        """Closes this thread's connection; the other threads' go with them."""
        self.file.close()

    # ---- following the tree

    def catch_up(self, patience: float = PATIENCE_SECONDS, ahead: Ahead = NOTHING_AHEAD) -> int:
        """Brings the index to the newest version, and returns that version's number. What was made `ahead` of leaves is not made again.

        Where another process holds the index longer than `patience` (seconds), or it cannot be written, it is left as it
        is: what has been found is held against the version asked anyway. Raises StoreError only when there is no index to
        fall back to and none can be made.
        """
        newest = self._newest()
        if newest == self._state():  # most questions: they wait for nobody who is writing
            return newest[0]
        try:
            return self._caught_up(patience, ahead)
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

    def as_of(self, source_ids: Sequence[str], version: int) -> Index:
        """One with the leaves that were live at an older version: a copy of this one in which what has changed since is turned back.
        The few made last are kept for the next questions, until anything of their sources is forgotten."""

        def make() -> Index:
            made = self._turned_back(source_ids, version)
            if made is None:
                made = Index(self.store, None)
                made.load(source_ids, version)
            return made

        key = self._older_one(tuple(sorted(source_ids)), version)
        return self._older.get(key, make, lambda kept: kept == self._older_one(kept.sources, kept.version))

    def _older_one(self, sources: tuple[str, ...], version: int) -> _Older:
        return _Older(version, sources, tuple(self.store.versions.kept(sources, version)))

    def _turned_back(self, source_ids: Sequence[str], version: int) -> Index | None:
        """None where there is no index of a later version, or no room for a copy of it."""
        made = Index(self.store, None)
        try:
            self.catch_up()
            if self.path is None or not self.version() >= version > 0:
                return None
            made.file = self.file.copy()
            made.turn_back(source_ids, version)
        except (StoreError, sqlite3.Error) as error:
            log.warning("the search index is not turned back: %s", error)
            return None
        return made

    def turn_back(self, source_ids: Sequence[str], version: int) -> None:
        """Makes a copy of a later version's index one of this version."""

        def turn(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN")
            index_entries.turn_back(connection, self.store, source_ids, version)
            set_meta(connection, "version", str(version))
            connection.execute("COMMIT")

        self.file.run("IMMEDIATE", turn)

    def load(self, source_ids: Iterable[str], version: int) -> None:
        """Fills an index in memory with the leaves that were live at an older version."""

        def fill(connection: sqlite3.Connection) -> None:
            for source_id in source_ids:
                nodes = self.store.nodes.of_source(source_id, version)
                index_entries.add(
                    connection,
                    self.store,
                    [LeafAt(node.place, source_id, node.leaf, node.record) for node in nodes if node.leaf is not None],
                )
                index_entries.name(connection, self.store.database, [node.place for node in nodes], {source_id}, version)
            set_meta(connection, "version", str(version))

        self.file.run("IMMEDIATE", fill)

    def version(self) -> int:
        """The version the index holds; 0 before there is any."""
        return self._state()[0]

    def wipe(self) -> bool:
        """Leaves nothing of what has been deleted in the file: not in the words' own index, not in free pages, not in its log.

        Returns whether that is done; not so while another process still reads what there was before.
        """
        self._older.clear()
        if self.path is None:
            return True
        self.catch_up(patience=FIRST_BUILD_SECONDS)
        self.file.run("IMMEDIATE", word_index.merge)
        with self.file.explaining():
            is_whole = self.file.insist(self._rewritten)
        self.vectors.wipe()
        return is_whole and self._newest() == self._state()

    def _rewritten(self) -> bool:
        """Writes the file anew from what is in its tables. Returns whether its log is empty then."""
        connection = self.file.connection()
        connection.execute("VACUUM")
        [busy, *_] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _newest(self) -> tuple[int, float]:
        return self.store.versions.newest_published()

    def _state(self) -> tuple[int, float]:
        def state(connection: sqlite3.Connection) -> tuple[int, float]:
            return int(meta(connection, "version") or 0), float(meta(connection, "published_at") or 0)

        return self.file.run("DEFERRED", state)

    def _made_anew(self) -> None:
        with suppress(Busy):
            self._caught_up(FIRST_BUILD_SECONDS)

    def _caught_up(self, patience: float, ahead: Ahead = NOTHING_AHEAD) -> int:
        is_contradictory, last = False, StoreError("The search index cannot be built. Ask again.")
        for attempt in range(1, TRIES + 1):
            try:
                with self.file.transaction("IMMEDIATE", patience) as connection:
                    version, gone = self._follow(connection, is_contradictory, attempt == TRIES, ahead)
                self._drop_vectors(gone)
                return version
            except (Contradiction, sqlite3.IntegrityError) as error:
                log.warning("the search index contradicts itself and is built anew: %s", error)
                is_contradictory = True
            except Outrun:
                continue
            except sqlite3.DatabaseError as error:
                last = self.file.told(error)
                self.file.throw_away(error)
        raise last

    def _follow(
        self, connection: sqlite3.Connection, anew: bool, is_last: bool, ahead: Ahead
    ) -> tuple[int, set[tuple[str, str]] | None]:
        """The version it holds now, and (source, leaf key) of what it held before and may hold no more; None for anything."""
        known = int(meta(connection, "version") or 0), float(meta(connection, "published_at") or 0)
        delta = changed_since(self.store.database, (0, 0.0) if anew else known)
        self._on_snapshot()
        if delta.is_whole and (anew or meta(connection, "version") is not None):  # a file that was just laid out is empty
            empty(connection)
        has_fewer = not delta.is_whole and index_entries.drop_sources(connection, delta.totals)
        found = {} if delta.is_whole else index_entries.entries_at(connection, delta.ended | delta.leaves.keys())
        same = {place for place, (_, _, held) in found.items() if place in delta.leaves and delta.leaves[place][:3] == held[:3]}
        index_entries.drop(
            connection, [(id_, length, held.source_id) for place, (id_, length, held) in found.items() if place not in same]
        )
        new = [leaf for place, leaf in delta.leaves.items() if place not in same]
        index_entries.add(connection, self.store, new, strict=not is_last, ahead=ahead)
        index_entries.restate(connection, self.store, {found[place][0]: (found[place][2], delta.leaves[place]) for place in same})
        index_entries.name(connection, self.store.database, delta.names, delta.totals, delta.version)
        set_meta(connection, "version", str(delta.version))
        set_meta(connection, "published_at", repr(delta.published_at))
        index_entries.hold_against(connection, delta)
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

    # ---- asking

    def search(self, words: Sequence[str], scope: SearchScope, limit: int) -> list[Hit]:
        """The best leaves for these terms by BM25, best first."""
        if not words or not scope.sources:
            return []
        return self._nearest(lambda connection: word_index.best(connection, words, scope.sources, scope.places, limit))

    def search_phrases(self, phrases: Sequence[Sequence[str]], scope: SearchScope, limit: int) -> list[Hit]:
        """The best leaves for terms that stand one after the other, by BM25, best first."""
        if not phrases or not scope.sources:
            return []
        return self._nearest(
            lambda connection: word_index.best_with_phrases(connection, phrases, scope.sources, scope.places, limit)
        )

    def _nearest(self, measured: Callable[[sqlite3.Connection], dict[int, float]]) -> list[Hit]:
        """What has been measured, given by the numbers of entries, the nearest first."""

        def found(connection: sqlite3.Connection) -> list[tuple[float, Hit]]:
            distances = measured(connection)
            query = f"""SELECT e.id, e.place, e.source_id, e.leaf, w.heading, w.body, e.length FROM entry e JOIN words w ON w.entry = e.id
                WHERE e.id IN ({",".join("?" * len(distances))})"""
            return [
                (distances[id_], Hit(place, source, leaf, f" {heading} ", f" {body} ", length))
                for id_, place, source, leaf, heading, body, length in connection.execute(query, list(distances))
            ]

        return [hit for _, hit in sorted(self.file.run("DEFERRED", found), key=lambda pair: (pair[0], pair[1].place))]

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
        return self.file.run(
            "DEFERRED", lambda connection: sorted(word_index.with_phrase(connection, words, scope.sources, scope.places))
        )

    def with_all(self, words: Sequence[Sequence[str]], scope: SearchScope, most: int) -> list[str] | None:
        """The places of all leaves that have one of the terms of each of these words, which takes less than to find the best of very many;
        None where they may be more than so many."""
        if not words or not scope.sources:
            return []
        return self.file.run(
            "DEFERRED",
            lambda connection: word_index.places_with_all(connection, words, scope.sources, scope.places, most),
        )

    def weights(self, words: Iterable[str], scope: SearchScope) -> dict[str, float]:
        """Inverse document frequency of each term among the leaves of the scope's sources; the highest for one that occurs nowhere.

        A few leaves say little about how rare a word is, so BACKGROUND leaves without any of them are added.
        """
        wanted = list(dict.fromkeys(words))
        if not wanted:
            return {}

        def weigh(connection: sqlite3.Connection) -> dict[str, float]:
            total = word_index.size(connection, scope.sources)[0] + BACKGROUND
            counts = word_index.count_leaves(connection, wanted, scope.sources)
            return {word: _weight(total, counts[word]) for word in wanted}

        return self.file.run("DEFERRED", weigh)

    def weight(self, leaves: int, scope: SearchScope) -> float:
        """What a term weighs that so many leaves of the scope's sources have."""
        return _weight(self._size(scope)[0] + BACKGROUND, leaves)

    def mean_length(self, scope: SearchScope) -> float:
        """Terms of a leaf of the scope's sources."""
        total, length = self._size(scope)
        return length / total if total else 1.0

    def _size(self, scope: SearchScope) -> tuple[int, int]:
        return self.file.run("DEFERRED", lambda connection: word_index.size(connection, scope.sources))

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

    def named_with(self, parts: Sequence[str], scope: SearchScope, most: int) -> list[tuple[str, str]] | None:
        """(name, place) of the documents that have all of these parts, in small letters, in one of their names; None where these are more than
        so many, or there are too many names to look through."""
        where, values = _scoped(scope)
        query = f"SELECT DISTINCT e.name, e.place FROM name e WHERE {_has_parts('e.name', parts)} AND e.place NOT LIKE '%/' AND {where} LIMIT ?"
        return self._looked_through("name", query, [*parts, *values], most)

    def headed_with(self, parts: Sequence[str], scope: SearchScope, most: int) -> list[tuple[str, str]] | None:
        """(heading, place of the leaf) of the headings inside documents that have all of these parts; None as in `named_with`."""
        where, values = _scoped(scope)
        query = f"""SELECT DISTINCT h.name, e.place FROM heading h JOIN entry e ON e.id = h.entry
            WHERE {_has_parts("h.name", parts)} AND {where} LIMIT ?"""
        return self._looked_through("heading", query, [*parts, *values], most)

    def _looked_through(self, table: str, query: str, values: Sequence[object], most: int) -> list[tuple[str, str]] | None:
        [(rows,)] = self._rows(f"SELECT max(rowid) FROM {table}", ())
        found = self._rows(query, (*values, most + 1)) if (rows or 0) <= MOST_LOOKED_THROUGH else []
        return sorted(found) if len(found) <= most and (rows or 0) <= MOST_LOOKED_THROUGH else None

    def at_addresses(self, addresses: Iterable[str], scope: SearchScope) -> list[tuple[str, str]]:
        """(address, place) of documents that are known under one of these web addresses; as `as_address` writes them."""
        wanted = [address for address in dict.fromkeys(addresses) if address][:MOST_NAMED]
        if not wanted:
            return []
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
        return ItemIndex(partial(self.file.run, "DEFERRED"), *_scoped(scope), scope.sources)

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
        return self.file.run("DEFERRED", lambda connection: connection.execute(query, values).fetchall())


def _weight(total: int, count: int) -> float:
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _has_parts(column: str, parts: Sequence[str]) -> str:
    return " AND ".join([f"instr({column}, ?) > 0" for _ in parts]) or "0"


def _scoped(scope: SearchScope) -> tuple[str, list[str]]:
    where = f"e.source_id IN ({','.join('?' * len(scope.sources))})"
    inside, places = word_index.within(scope.places)
    return f"{where} AND {inside}", [*scope.sources, *places]


# ---------------------------------------------------------------- several branches at once
