"""The vectors of leaves: a derived file beside the search index, made anew where it is gone or damaged.

A vector belongs to a source and to the text of a leaf, so what stays the same keeps it, and what leaves a source takes it
along. The vectors of one model are there at a time: those of another go before its own come. They are searched by going
through all of them in memory, which takes about 10 ms for 50,000 parts; a vector database would be one more dependency
for less than that.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tree.retrieve.derived_file import BUSY_SECONDS, identity_of, is_damage, making, remove, throw_away
from tree.store.database import explained

if TYPE_CHECKING:  # it brings numpy, which most commands can do without
    from tree.retrieve.likeness import Floats, Likeness, NearPart, SourceVectors

FORMAT = "1"

log = logging.getLogger("knowledge-tree")
T = TypeVar("T")

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE source (id TEXT PRIMARY KEY, changes INTEGER NOT NULL);
CREATE TABLE leaf (source_id TEXT, leaf TEXT, vectors BLOB, UNIQUE (source_id, leaf));
CREATE TABLE given_up (source_id TEXT, leaf TEXT, reason TEXT, until REAL, UNIQUE (source_id, leaf))
"""

_WITH_LEAVES = "SELECT id FROM source WHERE EXISTS (SELECT 1 FROM leaf WHERE source_id = source.id)"


class OtherSize(Exception):
    """Vectors of another length than those that are there: it is not the same model any more."""


class Vectors:
    """The file of one data folder, or with no path one in memory. Any number of threads and processes may use it."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lock, self._one_by_one = threading.Lock(), threading.Lock()
        self._loaded: dict[str, tuple[object, SourceVectors]] = {}
        self._memory = None if path else _prepared(":memory:")

    # ---- what is there

    def label(self) -> str:
        """Of the model whose vectors these are; empty before there are any."""
        return self._read(lambda connection: _meta(connection, "label"), "")

    def known(self, source_id: str) -> set[str]:
        """The leaves of a source that have a vector."""
        query = "SELECT leaf FROM leaf WHERE source_id = ?"
        return self._read(lambda connection: {leaf for (leaf,) in connection.execute(query, (source_id,))}, set())

    def given_up(self, source_id: str) -> dict[str, tuple[str, float]]:
        """Leaves of which the model could make nothing: why, and until when they are not tried again (seconds since 1970)."""
        query = "SELECT leaf, reason, until FROM given_up WHERE source_id = ?"
        found: list[tuple[str, str, float]] = self._read(lambda c: c.execute(query, (source_id,)).fetchall(), [])
        return {leaf: (reason, until) for leaf, reason, until in found}

    def state(self) -> tuple[dict[str, Any], float]:
        """What whoever makes vectors has noted last, and when, in seconds since 1970."""
        said = self._read(lambda connection: _meta(connection, "state"), "")
        found = json.loads(said) if said else {}
        return found, float(found.get("at", 0.0))

    def search(self, question: Floats, label: str, sources: Iterable[str]) -> Likeness | None:
        """How like the leaves of these sources are to a question's vector; None without vectors of this model and length."""

        from tree.retrieve.likeness import likeness_of

        return likeness_of(question, self._held(question, label, sources))

    def nearest_parts(
        self, question: Floats, label: str, sources: Iterable[str], limit: int, within: Collection[tuple[str, str]] | None = None
    ) -> list[NearPart]:
        """The parts of leaves that are most like a question's vector, the best first; `within`: of these (source, leaf) alone."""
        from tree.retrieve.likeness import NearPart

        found: list[NearPart] = []
        for id_, held in self._held(question, label, sources).items():
            leaves = None if within is None else {leaf for source_id, leaf in within if source_id == id_}
            found += [NearPart(cosine, id_, leaf, part) for cosine, leaf, part in held.nearest(question, limit, leaves)]
        return sorted(found, key=lambda one: (-one.cosine, one.source_id, one.leaf, one.part))[:limit]

    def _held(self, question: Floats, label: str, sources: Iterable[str]) -> dict[str, SourceVectors]:
        """The vectors of these sources; nothing where those that are there are of another model, or of another length."""

        def read(connection: sqlite3.Connection) -> dict[str, SourceVectors]:
            size = int(_meta(connection, "size") or 0)
            is_usable = _meta(connection, "label") == label and size == len(question)
            found = {id_: self._source(connection, id_, size) for id_ in (sources if is_usable else ())}
            self._release(connection, found)
            return found

        return self._read(read, {})

    def _release(self, connection: sqlite3.Connection, in_use: Collection[str]) -> None:
        """Takes from memory what is not in use and has no vectors any more: another process may have dropped them."""
        with self._lock:
            idle = self._loaded.keys() - in_use
        if idle:
            there = {id_ for (id_,) in connection.execute(_WITH_LEAVES)}
            with self._lock:
                for id_ in idle - there:
                    self._loaded.pop(id_, None)

    def _source(self, connection: sqlite3.Connection, source_id: str, size: int) -> SourceVectors:
        """As it is now; read again where something has changed."""
        row = connection.execute("SELECT changes FROM source WHERE id = ?", (source_id,)).fetchone()
        state = (_meta(connection, "label"), _meta(connection, "made"), size, row)
        with self._lock:
            known = self._loaded.get(source_id)
        if known is not None and known[0] == state:
            return known[1]
        rows = connection.execute("SELECT leaf, vectors FROM leaf WHERE source_id = ? ORDER BY leaf", (source_id,)).fetchall()
        from tree.retrieve.likeness import SourceVectors

        source = SourceVectors(rows, size)
        with self._lock:
            self._loaded[source_id] = state, source
        return source

    # ---- what changes

    def begin(self, label: str) -> None:
        """From now on these are the vectors of this model: those of another go."""

        def work(connection: sqlite3.Connection) -> None:
            if _meta(connection, "label") != label:
                for table in ("leaf", "given_up", "source"):
                    connection.execute(f"DELETE FROM {table}")
                _set_meta(connection, label=label, size="", made=str(time.time()))

        self._write(work)

    def add(self, source_id: str, label: str, leaves: Mapping[str, Floats]) -> bool:
        """Keeps the vectors of leaves: a row for each part. Returns whether it is still this model's turn.

        Raises OtherSize.
        """
        from tree.retrieve.likeness import rounded

        def work(connection: sqlite3.Connection) -> bool:
            if _meta(connection, "label") != label:
                return False
            size = {vectors.shape[1] for vectors in leaves.values()}
            held = int(_meta(connection, "size") or 0)
            if len(size | ({held} if held else set())) > 1:
                raise OtherSize
            if size and not held:
                _set_meta(connection, size=str(size.pop()))
            rows = [(source_id, leaf, rounded(vectors)) for leaf, vectors in leaves.items()]
            connection.executemany("INSERT OR REPLACE INTO leaf VALUES (?, ?, ?)", rows)
            self._forget_failures(connection, source_id, leaves)
            _changed(connection, source_id)
            return True

        return self._write(work)

    def give_up(self, source_id: str, leaves: Collection[str], reason: str, until: float) -> None:
        rows = [(source_id, leaf, reason, until) for leaf in leaves]
        self._write(lambda connection: connection.executemany("INSERT OR REPLACE INTO given_up VALUES (?, ?, ?, ?)", rows))

    def drop(self, source_id: str, leaves: Collection[str]) -> None:
        """What left a source."""
        if not leaves or not self._exists():
            return

        def work(connection: sqlite3.Connection) -> None:
            gone = connection.executemany(
                "DELETE FROM leaf WHERE source_id = ? AND leaf = ?", [(source_id, leaf) for leaf in leaves]
            )
            self._forget_failures(connection, source_id, leaves)
            if gone.rowcount:
                _changed(connection, source_id)

        self._write(work)

    def keep(self, held: Mapping[str, Collection[str]]) -> None:
        """Drops all but these leaves of these sources."""
        query = "SELECT source_id, leaf FROM leaf UNION SELECT source_id, leaf FROM given_up"
        there: list[tuple[str, str]] = self._read(lambda connection: connection.execute(query).fetchall(), [])
        for source_id in {source_id for source_id, _ in there}:
            self.drop(source_id, {leaf for source, leaf in there if source == source_id} - set(held.get(source_id, ())))

    def note_state(self, **said: object) -> None:
        """For whoever shows it, in whatever process."""
        self._write(lambda connection: _set_meta(connection, state=json.dumps({**said, "at": time.time()})))

    def wipe(self) -> None:
        """Leaves nothing of what was dropped in free pages or in the log."""
        if self.path is not None and self._exists():
            self._insist(self.path, self._rewritten)

    def forget(self) -> None:
        """Removes all of it."""
        self._loaded.clear()
        if self.path is not None:
            with making(self.path):
                remove(self.path)

    @staticmethod
    def _forget_failures(connection: sqlite3.Connection, source_id: str, leaves: Iterable[str]) -> None:
        rows = [(source_id, leaf) for leaf in leaves]
        connection.executemany("DELETE FROM given_up WHERE source_id = ? AND leaf = ?", rows)

    # ---- the file

    def _exists(self) -> bool:
        return self.path is None or self.path.exists()

    def _read(self, work: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        return self.run("DEFERRED", work) if self._exists() else nothing

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return self.run("IMMEDIATE", work)

    def run(self, mode: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does this in one transaction."""
        if self._memory is not None:
            with self._one_by_one:
                return work(self._memory)
        assert self.path is not None
        return self._insist(self.path, lambda: self._once(mode, work))

    @staticmethod
    def _insist(path: Path, work: Callable[[], T]) -> T:
        """Does this; where the file turns out to be damaged, once more with one that is made anew."""
        with explained(path):
            identity = identity_of(path)
            try:
                return work()
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                log.warning("the vectors are damaged and are made anew: %s", error)
                throw_away(path, identity)
                return work()

    def _rewritten(self) -> None:
        """Writes the file anew from what is in its tables."""
        with closing(_prepared(str(self.path))) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _once(self, mode: str, work: Callable[[sqlite3.Connection], T]) -> T:
        with closing(_prepared(str(self.path))) as connection:
            connection.execute(f"BEGIN {mode}")
            try:
                done = work(connection)
            except BaseException:
                connection.rollback()
                raise
            connection.commit()
            return done


def _prepared(path: str) -> sqlite3.Connection:
    """The file, laid out; one of another format is emptied first."""
    if path != ":memory:":
        Path(path).touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")
        if _format(connection) != FORMAT:
            connection.execute("BEGIN IMMEDIATE")
            if _format(connection) != FORMAT:  # nobody else has laid it out meanwhile
                for table in ("meta", "source", "leaf", "given_up"):
                    connection.execute(f"DROP TABLE IF EXISTS {table}")
                for statement in _SCHEMA.strip().split(";\n"):
                    connection.execute(statement)
                _set_meta(connection, format=FORMAT)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _format(connection: sqlite3.Connection) -> str:
    is_laid_out = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is not None
    return _meta(connection, "format") if is_laid_out else ""


def _meta(connection: sqlite3.Connection, key: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def _set_meta(connection: sqlite3.Connection, **values: str) -> None:
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))


def _changed(connection: sqlite3.Connection, source_id: str) -> None:
    """What is in memory of a source is read again."""
    connection.execute("INSERT INTO source VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET changes = changes + 1", (source_id,))
