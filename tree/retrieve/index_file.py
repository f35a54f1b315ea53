"""The file of the search index: opened, locked, told apart from a damaged one, and made anew where it cannot be right.

It is built in one transaction, beside which every other process goes on reading what was there before.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tree.retrieve import fact_index, item_index, name_counts, word_index
from tree.retrieve.derived_file import BUSY_SECONDS, identity_of, is_damage, making, remove, throw_away
from tree.store.database import StoreError, explained

FORMAT = "78"  # of the file; another one is built anew, but for those of which a step leads here
STEPS: dict[str, tuple[str, ...]] = {}  # none of those before: other items are read from the same texts since
CACHE = (
    4_000  # kB of the file that a connection remembers: with four times as much nothing is faster, the system remembers it too
)
LOG_BYTES = 16_000_000  # that the write-ahead log may keep on the disk
WITHOUT_NAME = ""  # a file that SQLite makes where temporary files go, and that is deleted when it is closed
LOSS_SECONDS = 0.05  # until whoever deletes the file has deleted its log as well
TRIES = 5

log = logging.getLogger("knowledge-tree")
T = TypeVar("T")

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE entry (id INTEGER PRIMARY KEY, place TEXT UNIQUE, source_id TEXT, leaf TEXT, record TEXT, length INTEGER);
CREATE TABLE name (name TEXT, place TEXT, source_id TEXT);
CREATE INDEX entry_leaf ON entry (leaf);
CREATE INDEX name_name ON name (name);
CREATE INDEX name_place ON name (place);
CREATE TABLE address (address TEXT, place TEXT, source_id TEXT);
CREATE INDEX address_address ON address (address);
CREATE INDEX address_place ON address (place);
CREATE TABLE folder (noun TEXT, place TEXT, source TEXT);
CREATE INDEX folder_noun ON folder (noun);
CREATE INDEX folder_place ON folder (place);
CREATE TABLE heading (name TEXT, entry INTEGER);
CREATE INDEX heading_name ON heading (name);
CREATE INDEX heading_entry ON heading (entry);
"""


class Busy(Exception):
    """Another process is writing the index."""


class _Opened:
    """A connection, closed with the thread or the index that it is of: it is part of a circle (its cache of statements), and would be there with its
    files and its memory until the next collection of garbage, of which the app has few."""

    def __init__(self, connection: sqlite3.Connection, identity: int | None) -> None:
        self.connection, self.identity = connection, identity

    def __del__(self) -> None:
        self.connection.close()


class IndexFile:
    """The file at a path, or with none one in memory. Any number of threads and processes may use the same file.

    `made_anew` is called after a damaged file was thrown away, to fill the new one.
    """

    def __init__(self, path: Path | None, made_anew: Callable[[], None]) -> None:
        self.path = path
        self._file = path or Path(":memory:")
        self._made_anew = made_anew
        self._lock = threading.Lock()
        self._memory = None if path else _Opened(self._open(":memory:"), None)
        self._local = threading.local()

    def copy(self) -> IndexFile:
        """The same in a file without a name, which is gone when nobody uses it any more."""
        made = IndexFile(None, self._made_anew)
        made._memory = copied = _Opened(_connect(WITHOUT_NAME), None)
        self.run("DEFERRED", lambda connection: connection.backup(copied.connection))
        return made

    def close(self) -> None:
        """Closes this thread's connection; the other threads' go with them."""
        if (opened := self._opened) is not None:
            opened.connection.close()
            del self._local.opened

    def run(self, mode: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does this in one transaction."""

        def once() -> T:
            with self.transaction(mode) as connection:
                return work(connection)

        return self.insist(once)

    def insist(self, work: Callable[[], T]) -> T:
        """Does this; where the file turns out to be damaged, with one that is made anew."""
        for _ in range(TRIES - 1):
            try:
                return work()
            except sqlite3.DatabaseError as error:
                self.throw_away(error)
                self._made_anew()
        with self.explaining():
            return work()

    @contextmanager
    def transaction(self, mode: str, patience: float = BUSY_SECONDS) -> Iterator[sqlite3.Connection]:
        """Raises Busy when another process was writing all the while (seconds), sqlite3.DatabaseError for a file that cannot
        be right, StoreError for what else the disk says."""
        if self._memory is not None:
            with self._lock:
                yield self._memory.connection
            return
        with self._telling_damage_apart():
            connection = self.connection()
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
            if isinstance(error, sqlite3.IntegrityError) or is_damage(error) or _is_loss(error):
                raise
            with self.explaining():
                raise

    @contextmanager
    def explaining(self) -> Iterator[None]:
        with explained(self._file):
            yield

    def told(self, error: Exception) -> StoreError:
        try:
            with self.explaining():
                raise error
        except StoreError as told:
            return told
        except sqlite3.DatabaseError:
            return StoreError(f"The search index in {self._file} cannot be built: {error}. Delete it and ask again.")

    def throw_away(self, damage: sqlite3.DatabaseError) -> None:
        """A damaged file is removed, for it can be made anew, and one that somebody has deleted is let go of; what is
        neither is raised."""
        if self.path is not None and _is_loss(damage):
            self.close()
            time.sleep(LOSS_SECONDS)
            return
        if self.path is None or not is_damage(damage):
            raise damage
        log.warning("the search index is damaged and is built anew: %s", damage)
        identity = self._opened.identity if self._opened is not None else None
        self.close()
        throw_away(self._file, identity)

    def connection(self) -> sqlite3.Connection:
        """This thread's connection to the file that is there now."""
        opened = self._opened
        if opened is None or opened.identity != identity_of(self._file):
            self.close()
            with making(self._file):
                opened = _Opened(self._open(str(self._file)), identity_of(self._file))
                self._local.opened = opened
        return opened.connection

    @property
    def _opened(self) -> _Opened | None:
        """What this thread has open."""
        return getattr(self._local, "opened", None)

    @staticmethod
    def _open(path: str) -> sqlite3.Connection:
        connection = _connect(path)
        try:
            if _format(connection) in (FORMAT, None, *STEPS):
                return _prepared(connection)
        except sqlite3.DatabaseError as error:  # it is derived, so it is made anew
            if not is_damage(error):
                raise
        connection.close()
        remove(Path(path))
        return _prepared(_connect(path))


def _is_loss(error: Exception) -> bool:
    """Whether this may come from a file, or its log, that was deleted while it was in use."""
    return isinstance(error, sqlite3.DatabaseError) and "disk i/o error" in str(error).lower()


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    known = _format(connection)
    if known is None:
        connection.execute("BEGIN IMMEDIATE")
        _lay_out(connection)
        connection.execute("COMMIT")
    elif known in STEPS:
        _bring_forward(connection)
    return connection


def _bring_forward(connection: sqlite3.Connection) -> None:
    """What is in a file of an earlier format stays: to make it anew takes minutes where there is much."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if (known := _format(connection)) in STEPS:  # nobody else has done it meanwhile
            for statement in STEPS[known]:
                connection.execute(statement)
            set_meta(connection, "format", FORMAT)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _lay_out(connection: sqlite3.Connection) -> None:
    for statement in (
        *SCHEMA.strip().split(";\n"),
        *word_index.SCHEMA.strip().split(";\n"),
        *fact_index.SCHEMA.strip().split(";\n"),
        *name_counts.SCHEMA.strip().split(";\n"),
        *item_index.SCHEMA.strip().split(";\n"),
    ):
        connection.execute(statement)
    connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))


def empty(connection: sqlite3.Connection) -> None:
    """Inside the transaction of whoever fills it again: until that ends, all others read what was there."""
    word_index.drop_all(connection)
    for table in ("entry", "name", "fact", "subject", "part_of_table", "item", "content", "meta", "address", "heading", "folder",
                  *name_counts.TABLES):  # fmt: skip
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    _lay_out(connection)


def _connect(path: str) -> sqlite3.Connection:
    if path not in (":memory:", WITHOUT_NAME):
        Path(path).touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    # a lost index is built again, so it need not survive a power cut
    for pragma in ("journal_mode=WAL", "synchronous=OFF", "secure_delete=ON", f"cache_size=-{CACHE}", "temp_store=MEMORY",
                   f"journal_size_limit={LOG_BYTES}"):  # fmt: skip
        try:
            connection.execute(f"PRAGMA {pragma}")
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                connection.close()
                raise
    return connection


def _format(connection: sqlite3.Connection) -> str | None:
    """The format of an index; None for an empty file."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None:
        return None
    return meta(connection, "format") or "unknown"


def meta(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
