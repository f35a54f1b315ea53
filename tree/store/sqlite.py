"""The SQLite file of a data folder: all that is of SQLite alone. Writers take the write lock at once, readers never block them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.engine import Connection, Engine

from tree.store import migrations
from tree.store.errors import MovedAway, StoreError, explained
from tree.store.home import MOVED, keep_private, make_folder
from tree.store.locks import FileLocks, Locks
from tree.store.pool import Pool

if TYPE_CHECKING:
    from tree.store.reach import Server

BUSY_SECONDS = 30
CONNECTIONS = 20  # that are kept open for the next who reads
CACHE = 500  # kB of the file that each of them remembers: with four times as much nothing is faster, the system remembers it too
WITH_A_LOG = b"\x02\x02"  # journal_mode=WAL, in the header of the file (https://sqlite.org/fileformat.html)
STATEMENTS = 64  # that each of them keeps prepared, about 8 kB each: 92 of 100 are found, of Python's 128 95 of 100


class SqliteFile:
    """SQLAlchemy's default transactions on SQLite lose updates, so every transaction is begun explicitly: IMMEDIATE to write,
    DEFERRED to read."""

    def __init__(self, home: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = home / "knowledge.db"
        self.identity = str(home)
        self.locks: Locks = FileLocks(home / "locks")
        self.server: Server | None = None
        make_folder(home)
        with self.explained():
            make_file(self.path)
            self.writing: Engine = _engine(self.path, busy_seconds)
            self.reading: Engine = self.writing.execution_options(sqlite_begin="DEFERRED")
            _upgrade(self.writing)
            self._watching = sqlite3.connect(self.path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)

    def explained(self) -> AbstractContextManager[None]:
        return explained(self.path)

    def commit_number(self) -> int:
        # tells of commits of other connections, and nothing is written with this one
        [number] = self._watching.execute("PRAGMA data_version").fetchone()
        return int(number)

    def check_there(self) -> None:
        _check_not_moved(self.path.with_name(MOVED))
        if not self.path.is_file():
            raise StoreError(f"{self.path} is missing. Put it back, or a backup in its place.")

    def size(self) -> int:
        return sum(os.stat(file).st_size for file in (self.path, self.path.with_name(f"{self.path.name}-wal")) if file.exists())

    def wipe(self) -> bool:
        with self.explained():
            connection = self.writing.raw_connection()
            try:
                connection.execute("PRAGMA temp_store = FILE")  # it is as large as the database
                connection.execute("VACUUM")
                [busy, *_] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                connection.execute("PRAGMA temp_store = MEMORY")
            finally:
                connection.close()
        return not busy

    def close(self) -> None:
        self.writing.dispose()
        self._watching.close()


def copy_database(home: Path, target: Path) -> None:
    """The database of a data folder as it is at this moment, in one new file; others go on reading and writing meanwhile.

    It is not upgraded, and nothing of what was deleted is in the copy.
    """
    path = home / "knowledge.db"
    if not path.is_file():
        raise StoreError(f"{home} is not a data folder: there is no {path.name} in it. Name the right one with --home.")
    with explained(target):
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with explained(path), closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS)) as connection:
        try:
            connection.execute("VACUUM INTO ?", (str(target),))  # reads one snapshot, which writers neither wait for nor disturb
        except sqlite3.OperationalError as error:
            if "full" not in str(error):
                raise
            raise StoreError(f"The disk that holds {target.parent} is full. Free some space and try again.") from error


def check_file(path: Path) -> None:
    """Raises StoreError where the file is no sound database."""
    with explained(path), closing(sqlite3.connect(path)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise StoreError(f"{path.name} is damaged.")


def make_file(path: Path) -> None:
    """A new database comes into being whole, under its name; one that is there and empty was not made by us."""
    _check_not_moved(path.with_name(MOVED))
    if not path.exists():
        locks = path.parent / "locks"
        locks.mkdir(exist_ok=True)
        try:
            with FileLock(locks / "database.lock", timeout=BUSY_SECONDS):
                if not path.exists():
                    _create(path)
        except Timeout as error:
            raise StoreError(f"Another program has been making {path.name} for too long. Close it and try again.") from error
    found = path.stat()
    if found.st_size == 0:
        raise StoreError(
            f"{path} is empty: what was in it is lost. Put a backup in its place, or delete it to start again and sync every source."
        )
    if found.st_mode & 0o077:
        keep_private(path, 0o600)


def _check_not_moved(moved: Path) -> None:
    if moved.exists():
        when = datetime.fromtimestamp(moved.stat().st_mtime, UTC)
        raise MovedAway(
            f"The database of this folder was moved to {moved.read_text('utf-8').strip()} on {when:%Y-%m-%d %H:%M} UTC: name that in "
            f"KNOWLEDGE_TREE_DATABASE. To go on with {moved.stem} as it was then, delete {moved.name}."
        )


def _create(path: Path) -> None:
    left = path.with_name(f"{path.name}-wal")
    if left.exists() and left.stat().st_size:
        raise StoreError(
            f"{path} is missing, and its log {left.name} is there. Put the database back beside it, or delete the log to start again."
        )
    draft = path.with_name(f"{path.name}.new")
    for suffix in ("", "-wal", "-shm"):
        Path(f"{draft}{suffix}").unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(_empty())
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)


@cache
def _empty() -> bytes:
    """A database in which nothing is yet."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        engine = sa.create_engine("sqlite://", creator=lambda: connection, poolclass=sa.pool.StaticPool)
        _upgrade(engine)
        whole = bytearray(connection.serialize())
    # the write and the read version of the file format: to change the journal later, one has to be alone with the file
    whole[18:20] = WITH_A_LOG
    return bytes(whole)


def _upgrade(engine: Engine) -> None:
    try:
        with engine.connect() as connection, connection.begin():
            migrations.upgrade(connection)
    except (migrations.NewerDatabase, migrations.UnknownLayout) as error:
        raise StoreError(str(error)) from error


def _casefolded(text: str | None) -> str | None:
    return None if text is None else text.casefold()


@contextmanager
def _without_waiting(connection: Connection, busy_seconds: float) -> Iterator[None]:
    cursor = connection.connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {int(busy_seconds * 1_000)}")


def _engine(path: Path, busy_seconds: float) -> Engine:
    # no limit above those that are kept: a page of one person must not wait for the connections of all the others
    engine = sa.create_engine(
        f"sqlite:///{path}",
        connect_args={"timeout": busy_seconds, "cached_statements": STATEMENTS},
        poolclass=Pool,
        pool_size=CONNECTIONS,
        max_overflow=-1,
        pool_use_lifo=True,
    )

    @sa.event.listens_for(engine, "connect")
    def _connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver must not send a BEGIN of its own
        pragmas = (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "temp_store=MEMORY",
            "secure_delete=ON",
            f"cache_size=-{CACHE}",
        )
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        connection.create_function("casefolded", 1, _casefolded, deterministic=True)

    moved = path.with_name(MOVED)

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        mode = options.get("sqlite_begin", "IMMEDIATE")
        if not options.get("waits", True):
            with _without_waiting(connection, busy_seconds):
                connection.exec_driver_sql(f"BEGIN {mode}")
        elif mode == "DEFERRED":  # which takes no lock, so it cannot fail: by the driver itself, for a page begins many of these
            connection.connection.cursor().execute("BEGIN DEFERRED")
        else:
            connection.exec_driver_sql(f"BEGIN {mode}")
        _check_not_moved(moved)  # an app that was running then would go on with what nobody looks at any more

    return engine
