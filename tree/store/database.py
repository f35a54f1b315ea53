"""One database per data folder: how it is opened, read and written, and what its failures mean in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from tree.store import migrations

BUSY_SECONDS = 30


class StoreError(Exception):
    """The data folder cannot be used as it is; the message says what to do."""


class Database:
    """The SQLite file of a data folder. Writers take the write lock at once, readers never block them.

    SQLAlchemy's default transactions on SQLite lose updates, so every transaction is begun explicitly:
    IMMEDIATE to write, DEFERRED to read.
    """

    def __init__(self, home: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.home = home
        self.path = home / "knowledge.db"
        with explained(self.path):
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._engine = _engine(self.path, busy_seconds)
            self._reading = self._engine.execution_options(sqlite_begin="DEFERRED")
            try:
                with self.write() as connection:
                    migrations.upgrade(connection)
            except migrations.NewerDatabase as error:
                raise StoreError(str(error)) from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with explained(self.path), self._reading.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with explained(self.path), self._engine.connect() as connection, connection.begin():
            yield connection

    def wipe(self) -> bool:
        """Leaves nothing of what was deleted in the file, in its free pages or in its log.

        Returns whether that is done; not so while another process still reads what there was before.
        """
        with explained(self.path):
            connection = self._engine.raw_connection()
            try:
                connection.execute("PRAGMA temp_store = FILE")  # it is as large as the database
                connection.execute("VACUUM")
                [busy, *_] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                connection.execute("PRAGMA temp_store = MEMORY")
            finally:
                connection.close()
        return not busy

    def close(self) -> None:
        self._engine.dispose()


def _engine(path: Path, busy_seconds: float) -> Engine:
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": busy_seconds})

    @sa.event.listens_for(engine, "connect")
    def _connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver must not send a BEGIN of its own
        pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY", "secure_delete=ON")
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get("sqlite_begin", "IMMEDIATE")
        connection.exec_driver_sql(f"BEGIN {mode}")

    return engine


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns what the operating system and SQLite say into one sentence about the data folder."""
    try:
        yield
    except (sa.exc.OperationalError, sa.exc.DatabaseError, sqlite3.Error, OSError) as error:
        sentence = _sentence(error, path)
        if sentence is None:
            raise
        raise StoreError(sentence) from error


def _sentence(error: Exception, path: Path) -> str | None:
    text = str(getattr(error, "orig", error)).lower()
    if "full" in text or "no space left" in text or "quota" in text:
        return f"The disk that holds {path.parent} is full. Nothing was half-written; free some space and try again."
    if "locked" in text or "busy" in text:
        return f"Another program has held {path.name} for too long. Close it and try again."
    if any(
        words in text
        for words in ("readonly", "read-only", "permission denied", "unable to open", "not a directory", "file exists")
    ):
        return f"{path.parent} cannot be written to. Choose another data folder with --home, or mend its permissions."
    if any(words in text for words in ("malformed", "not a database", "disk i/o error")):
        return f"{path} is damaged. Put a backup in its place, or move it away to start again and sync every source."
    return None
