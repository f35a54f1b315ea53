"""The search index: a derived file beside the database that follows the published versions.

SQLite's FTS5 holds one row for each live leaf, already cut into terms (prompts.language), and a table of names: what
a question may call a document or a folder. It can be deleted at any time; the next question builds it again. What has
left the tree is wiped from it at the next publish.
"""

from __future__ import annotations

import math
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock

from prompts.language import terms
from tree.store.database import StoreError, explained
from tree.store.models import DocumentRow, NodeRow
from tree.store.rows import MANY, Store

FORMAT = "3"  # of the file; another one is built anew
BATCH = 2_000  # leaves indexed in one step
BACKGROUND = 50

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE entry (id INTEGER PRIMARY KEY, place TEXT UNIQUE, source_id TEXT, leaf TEXT, length INTEGER);
CREATE VIRTUAL TABLE words USING fts5(heading, body, tokenize = 'unicode61 remove_diacritics 0 tokenchars ''_''');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab('words', 'row');
CREATE TABLE name (name TEXT, place TEXT, source_id TEXT);
CREATE INDEX name_name ON name (name);
CREATE INDEX name_place ON name (place);
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
class Scope:
    """Where a question is asked: the sources a person may see, and the branches (places) they chose, if any."""

    sources: tuple[str, ...]
    places: tuple[str, ...] = ()

    def includes(self, place: str) -> bool:
        return not self.places or any(is_below(place, top) for top in self.places)


def is_below(place: str, top: str) -> bool:
    """Whether a place is `top` or under it, going by names alone (runs are not known by name)."""
    return place == top or place.startswith(top if top.endswith("/") else (f"{top}#", f"{top}|"))


class Index:
    """The index of one data folder, or with no path one in memory for a single older version."""

    def __init__(self, store: Store, path: Path | None) -> None:
        self.store = store
        self.path = path
        self._lock = threading.Lock()
        self._memory = None if path else self._open(":memory:")
        self._local = threading.local()

    def close(self) -> None:
        """Closes this thread's connection; the other threads' go with them."""
        connection, _ = getattr(self._local, "opened", (None, None))
        if connection is not None:
            connection.close()
            del self._local.opened

    # ---- following the tree

    def catch_up(self) -> int:
        """Brings the index to the newest version, and returns that version's number."""
        if (newest := self.store.newest()) == self.version():  # most questions: they wait for nobody who is writing
            return newest
        with self._transaction("IMMEDIATE") as connection:
            known = int(_meta(connection, "version") or 0)
            newest = self.store.newest()
            if newest != known:
                self._follow(connection, known, newest)
            return newest

    def load(self, source_ids: Iterable[str], version: int) -> None:
        """Fills an index in memory with the leaves that were live at an older version."""
        with self._transaction("IMMEDIATE") as connection:
            for source_id in source_ids:
                nodes = self.store.all_nodes(source_id, version)
                self._add(connection, [(node.place, source_id, node.leaf) for node in nodes if node.leaf is not None])
                self._name(connection, [node.place for node in nodes], version)
            _set_meta(connection, "version", str(version))

    def version(self) -> int:
        with self._transaction("DEFERRED") as connection:
            return int(_meta(connection, "version") or 0)

    def _follow(self, connection: sqlite3.Connection, known: int, newest: int) -> None:
        if newest < known:  # another database was put in place
            for table in ("entry", "words", "name"):
                connection.execute(f"DELETE FROM {table}")
            _set_size(connection, 0, 0)
            known = 0
        for source_id in self.store.touched_since(known) - {source.id for source in self.store.sources()}:
            _drop(connection, connection.execute("SELECT id, length FROM entry WHERE source_id = ?", (source_id,)).fetchall())
            connection.execute("DELETE FROM name WHERE source_id = ?", (source_id,))
        node, document = NodeRow.__table__, DocumentRow.__table__
        with self.store.database.read() as database:
            ended = set(database.scalars(sa.select(node.c.place).where(node.c.live_to > known))) if known else set()
            began = sa.select(node.c.place, node.c.source_id, node.c.leaf, node.c.kind).where(
                node.c.live_to.is_(None), node.c.live_from > known
            )
            began = list(database.execute(began))
            renamed = set(
                database.scalars(sa.select(document.c.place).where(document.c.live_to.is_(None), document.c.live_from > known))
            )
        leaves = {row.place: (row.place, row.source_id, row.leaf) for row in began if row.kind == "leaf"}
        found = [
            connection.execute("SELECT id, length, place, source_id, leaf FROM entry WHERE place = ?", (place,)).fetchone()
            for place in ended
        ]
        stale = [entry for entry in found if entry is not None and leaves.get(entry[2]) != entry[2:]]
        same = {entry[2] for entry in found if entry is not None} - {entry[2] for entry in stale}  # only its record changed
        _drop(connection, [entry[:2] for entry in stale])
        self._add(connection, [leaf for place, leaf in leaves.items() if place not in same])
        self._name(connection, ended | renamed | {row.place for row in began})
        _set_meta(connection, "version", str(newest))

    def _add(self, connection: sqlite3.Connection, leaves: Sequence[tuple[str, str, str]]) -> None:
        for start in range(0, len(leaves), BATCH):
            some = leaves[start : start + BATCH]
            texts = self.store.leaf_texts(key for _, _, key in some)
            [last] = connection.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
            entries, words = [], []
            for rowid, (place, source_id, key) in enumerate(some, last + 1):
                text, headings = texts[key]
                heading_terms, body_terms = terms("\n".join(headings)), terms(text)
                entries.append((rowid, place, source_id, key, len(heading_terms) + len(body_terms)))
                words.append((rowid, "  ".join(heading_terms), "  ".join(body_terms)))
            connection.executemany("INSERT INTO entry (id, place, source_id, leaf, length) VALUES (?, ?, ?, ?, ?)", entries)
            connection.executemany("INSERT INTO words (rowid, heading, body) VALUES (?, ?, ?)", words)
            total, length = _size(connection)
            _set_size(connection, total + len(entries), length + sum(entry[-1] for entry in entries))

    def _name(self, connection: sqlite3.Connection, places: Iterable[str], version: int | None = None) -> None:
        """Notes anew what the documents and folders at these places are called."""
        named = [place for place in places if "#" not in place]
        for start in range(0, len(named), MANY):
            some = named[start : start + MANY]
            connection.execute(f"DELETE FROM name WHERE place IN ({','.join('?' * len(some))})", some)
            for place, source_id, titles in self.store.names_at(some, version):
                rows = {(as_name(title), place, source_id) for title in titles if title.strip()}
                connection.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(rows))

    # ---- asking

    def search(self, words: Sequence[str], scope: Scope, limit: int) -> list[Hit]:
        """The best leaves for these terms by BM25, best first."""
        if not words or not scope.sources:
            return []
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        where, values = _scoped(scope)
        # ranked without the texts: a sort would carry those of every row that shares a word
        query = f"""SELECT e.place, e.source_id, e.leaf, w.heading, w.body, e.length FROM
            (SELECT e.id AS id, bm25(words, 1.5, 1.0) AS distance FROM words JOIN entry e ON e.id = words.rowid
                WHERE words MATCH ? AND {where} ORDER BY distance LIMIT ?) AS best
            JOIN entry e ON e.id = best.id JOIN words w ON w.rowid = best.id ORDER BY best.distance"""
        with self._transaction("DEFERRED") as connection:
            rows = connection.execute(query, (match, *values, limit)).fetchall()
        return [
            Hit(place, source, leaf, f" {heading} ", f" {body} ", length) for place, source, leaf, heading, body, length in rows
        ]

    def weights(self, words: Iterable[str], scope: Scope) -> dict[str, float]:
        """Inverse document frequency of each term among all leaves; the highest for one that occurs nowhere.

        A few leaves say little about how rare a word is, so BACKGROUND leaves without any of them are added.
        """
        with self._transaction("DEFERRED") as connection:
            total = _size(connection)[0] + BACKGROUND
            found = {}
            for word in dict.fromkeys(words):
                row = connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (word,)).fetchone()
                count = row[0] if row else 0
                found[word] = _weight(total, count)
            return found

    def weight(self, leaves: int) -> float:
        """What a term weighs that so many leaves have."""
        with self._transaction("DEFERRED") as connection:
            return _weight(_size(connection)[0] + BACKGROUND, leaves)

    def mean_length(self) -> float:
        with self._transaction("DEFERRED") as connection:
            total, length = _size(connection)
            return length / total if total else 1.0

    def named(self, names: Iterable[str], scope: Scope) -> list[tuple[str, str]]:
        """(name, place) of documents and folders that bear one of these names; names as `as_name` writes them."""
        found: list[tuple[str, str]] = []
        wanted = list(dict.fromkeys(names))
        with self._transaction("DEFERRED") as connection:
            for start in range(0, len(wanted), MANY):
                some = wanted[start : start + MANY]
                marks = ",".join("?" * len(some))
                sources = ",".join("?" * len(scope.sources))
                query = f"SELECT DISTINCT name, place FROM name WHERE name IN ({marks}) AND source_id IN ({sources}) LIMIT 200"
                found += connection.execute(query, (*some, *scope.sources)).fetchall()
        return [(name, place) for name, place in found if scope.includes(place)]

    def containing(self, text: str, scope: Scope, limit: int) -> list[str]:
        """Places whose name contains this text, those that begin with it first, then the shortest."""
        name = as_name(text)
        if not name or not scope.sources:
            return []
        sources = ",".join("?" * len(scope.sources))
        query = f"""SELECT place FROM name WHERE instr(name, ?) > 0 AND source_id IN ({sources})
            GROUP BY place ORDER BY min(instr(name, ?) > 1), min(length(name)), place LIMIT ?"""
        with self._transaction("DEFERRED") as connection:
            rows = connection.execute(query, (name, *scope.sources, name, limit)).fetchall()
        return [place for (place,) in rows if scope.includes(place)]

    # ---- the file

    @contextmanager
    def _transaction(self, mode: str) -> Iterator[sqlite3.Connection]:
        if self._memory is not None:
            with self._lock:
                yield self._memory
            return
        try:
            connection = self._connection()
            connection.execute(f"BEGIN {mode}")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()
        except (sqlite3.Error, OSError) as error:
            raise self._explained(error) from error

    def _explained(self, error: Exception) -> StoreError:
        """What went wrong in words; a damaged file is thrown away, for it can be made anew."""
        if isinstance(error, sqlite3.DatabaseError) and any(word in str(error) for word in ("malformed", "not a database")):
            self.close()
            with FileLock(f"{self.path}.lock"):
                _remove(self.path)
            return StoreError("The search index was damaged and has been thrown away. Ask again: it is then built anew.")
        try:
            with explained(self.path):
                raise error
        except StoreError as told:
            return told

    def _connection(self) -> sqlite3.Connection:
        """This thread's connection to the file that is there now."""
        connection, identity = getattr(self._local, "opened", (None, None))
        if connection is None or identity != _identity(self.path):
            self.close()
            with FileLock(f"{self.path}.lock"):  # nobody throws away what another is just making
                connection = self._open(str(self.path))
            self._local.opened = connection, _identity(self.path)
        return connection

    @staticmethod
    def _open(path: str) -> sqlite3.Connection:
        try:
            connection = _connect(path)
            if _format(connection) in (FORMAT, None):
                return _prepared(connection)
            connection.close()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            pass  # not a database any more: it is derived, so it is made anew
        _remove(Path(path))
        return _prepared(_connect(path))


def _weight(total: int, count: int) -> float:
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    if _format(connection) is None:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.strip().split(";\n"):
            connection.execute(statement)
        if sqlite3.sqlite_version_info >= (3, 42):
            connection.execute("INSERT INTO words (words, rank) VALUES ('secure-delete', 1)")
        connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))
        connection.execute("COMMIT")
    return connection


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


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    # a lost index is built again, so it need not survive a power cut
    for pragma in ("journal_mode=WAL", "synchronous=OFF", "secure_delete=ON", "cache_size=-16000", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _format(connection: sqlite3.Connection) -> str | None:
    """The format of an index; None for an empty file."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None:
        return None
    return _meta(connection, "format") or "unknown"


def _meta(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def _set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _drop(connection: sqlite3.Connection, entries: Sequence[tuple[int, int]]) -> None:
    """Wipes entries, given with their lengths."""
    ids = [(id_,) for id_, _ in entries]
    connection.executemany("DELETE FROM words WHERE rowid = ?", ids)
    connection.executemany("DELETE FROM entry WHERE id = ?", ids)
    leaves, length = _size(connection)
    _set_size(connection, leaves - len(entries), length - sum(own for _, own in entries))


def _set_size(connection: sqlite3.Connection, leaves: int, length: int) -> None:
    """Kept up to date step by step; counting at every publish would take longer the larger the tree is."""
    _set_meta(connection, "leaves", str(leaves))
    _set_meta(connection, "terms", str(length))


def _size(connection: sqlite3.Connection) -> tuple[int, int]:
    return int(_meta(connection, "leaves") or 0), int(_meta(connection, "terms") or 0)


def _scoped(scope: Scope) -> tuple[str, list[str]]:
    where = f"e.source_id IN ({','.join('?' * len(scope.sources))})"
    values = list(scope.sources)
    if scope.places:
        tests = []
        for place in scope.places:
            if place.endswith("/"):
                tests.append("(e.place >= ? AND e.place < ?)")
                values += [place, place[:-1] + "0"]  # "0" follows "/"
            else:
                tests.append("(e.place = ? OR (e.place >= ? AND e.place < ?) OR (e.place >= ? AND e.place < ?))")
                values += [place, f"{place}#", f"{place}$", f"{place}|", f"{place}}}"]
        where += f" AND ({' OR '.join(tests)})"
    return where, values


# ---------------------------------------------------------------- several branches at once
