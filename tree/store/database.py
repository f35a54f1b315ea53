"""One database per data folder: how it is opened, read and written, and what its failures mean in words."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util.queue import Empty, Full, QueueCommon

from tree.store import migrations

BUSY_SECONDS = 30
LOOK_SECONDS = 0.05  # between two looks whether another process has written
MOST_KEPT = 500  # results of reads
CONNECTIONS = 20  # that are kept open for the next who reads

log = logging.getLogger("knowledge-tree")


class StoreError(Exception):
    """The data folder cannot be used as it is; the message says what to do."""


Value = TypeVar("Value")


class _Looked(NamedTuple):
    """A data version, what this process had written last before it was looked up, and until when it holds (monotonic seconds)."""

    last_write: int
    until: float
    number: int


class Database:
    """The SQLite file of a data folder. Writers take the write lock at once, readers never block them.

    SQLAlchemy's default transactions on SQLite lose updates, so every transaction is begun explicitly:
    IMMEDIATE to write, DEFERRED to read.
    """

    def __init__(self, home: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.home = home
        self.path = home / "knowledge.db"
        _make_folder(home)
        with explained(self.path):
            _make_file(self.path)
            self._engine = _engine(self.path, busy_seconds)
            self._reading = self._engine.execution_options(sqlite_begin="DEFERRED")
            _upgrade(self._engine)
            self._watching = sqlite3.connect(self.path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
        self._watching_lock = threading.Lock()
        self._numbers = count(1)
        self._last_write = 0  # another number after each write of this process
        self._looked = _Looked(-1, 0.0, 0)
        self._kept: dict[Hashable, tuple[int, Any]] = {}

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with explained(self.path), self._reading.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        try:
            with explained(self.path), self._engine.connect() as connection, connection.begin():
                yield connection
        finally:
            self._last_write = next(self._numbers)

    def data_version(self) -> int:
        """Another number after each commit: of this process at once, of another one within `2 * LOOK_SECONDS`. Far quicker than any
        query, and a page asks for it dozens of times while it is drawn.

        Whoever keeps what they read asks for it first: while it is the same, so is what was read after it.
        """
        looked = self._looked
        # while one thread looks, the others go on: they would stand in line for a lock that each gets only with the interpreter
        until = looked.until + (LOOK_SECONDS if self._watching_lock.locked() else 0)
        if looked.last_write == self._last_write and time.monotonic() < until:
            return looked.number
        with (
            explained(self.path),
            self._watching_lock,
        ):  # tells of commits of other connections, and nothing is written with this one
            last_write, until = self._last_write, time.monotonic() + LOOK_SECONDS
            [number] = self._watching.execute("PRAGMA data_version").fetchone()
            self._looked = _Looked(last_write, until, int(number))
            return int(number)

    def unchanged(self, key: Hashable, read: Callable[[], Value]) -> Value:
        """What `read` gives; as it was given last under this key where nothing was committed since. To be changed by nobody."""
        number = self.data_version()
        known = self._kept.get(key)
        if known is not None and known[0] == number:
            return cast(Value, known[1])
        value = read()
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[key] = number, value
        return value

    def check_readable(self) -> None:
        """Raises StoreError where it is not, or where the file has been taken away."""
        if not self.path.is_file():
            raise StoreError(f"{self.path} is missing. Put it back, or a backup in its place.")
        with self.read() as connection:
            connection.exec_driver_sql("SELECT name FROM migration LIMIT 1").all()

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
        with self._watching_lock:
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


def _make_folder(home: Path) -> None:
    """The data folder, for its owner alone. Raises StoreError where there can be none."""
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        mode = home.stat().st_mode
        is_ours = (home / "knowledge.db").exists() or not any(home.iterdir())
        if not mode & 0o077:
            return
        if is_ours and not mode & stat.S_ISVTX:
            _keep_private(home, 0o700)
        else:
            log.warning("%s holds other things as well, and others may look into it. Better use a folder of its own.", home)
    except OSError as error:
        reason = (error.strerror or str(error)).rstrip(".")
        raise StoreError(f"{home} cannot be the data folder: {reason}. Choose another one with --home.") from error


def _keep_private(path: Path, mode: int) -> None:
    """Takes away what others may do with it; where that is impossible it is told, and all goes on."""
    try:
        path.chmod(mode)
    except OSError as error:
        log.warning("Others may read %s, and that cannot be changed: %s.", path, error.strerror)
        return
    if path.stat().st_mode & 0o077:
        log.warning("Others may read %s: the disk it lies on keeps no permissions.", path)


def _make_file(path: Path) -> None:
    """A new database comes into being whole, under its name; one that is there and empty was not made by us."""
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
        _keep_private(path, 0o600)


def _create(path: Path) -> None:
    left = path.with_name(f"{path.name}-wal")
    if left.exists() and left.stat().st_size:
        raise StoreError(
            f"{path} is missing, and its log {left.name} is there. Put the database back beside it, or delete the log to start again."
        )
    draft = path.with_name(f"{path.name}.new")
    for suffix in ("", "-wal", "-shm"):
        Path(f"{draft}{suffix}").unlink(missing_ok=True)
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    engine = _engine(draft, BUSY_SECONDS)
    _upgrade(engine)
    engine.dispose()
    draft.rename(path)


def _upgrade(engine: Engine) -> None:
    try:
        with engine.connect() as connection, connection.begin():
            migrations.upgrade(connection)
    except (migrations.NewerDatabase, migrations.UnknownLayout) as error:
        raise StoreError(str(error)) from error


def _engine(path: Path, busy_seconds: float) -> Engine:
    # no limit above those that are kept: a page of one person must not wait for the connections of all the others
    engine = sa.create_engine(
        f"sqlite:///{path}",
        connect_args={"timeout": busy_seconds},
        poolclass=_Pool,
        pool_size=CONNECTIONS,
        max_overflow=-1,
        pool_use_lifo=True,
    )

    @sa.event.listens_for(engine, "connect")
    def _connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver must not send a BEGIN of its own
        pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY", "secure_delete=ON")
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get("sqlite_begin", "IMMEDIATE")
        if mode == "DEFERRED":  # which takes no lock, so it cannot fail: by the driver itself, for a page begins many of these
            connection.connection.cursor().execute("BEGIN DEFERRED")
        else:
            connection.exec_driver_sql(f"BEGIN {mode}")

    return engine


class _Idle(QueueCommon[ConnectionPoolEntry]):
    """The connections that nobody uses, without a lock: each step of a deque is one of the interpreter's.

    The queue that is usual here has one. Among fifty people, whoever held it waited for the interpreter, and all others for
    them: three quarters of the time of a slow page.
    """

    def __init__(self, maxsize: int = 0, use_lifo: bool = False) -> None:
        self.maxsize, self.use_lifo = maxsize, use_lifo
        self._idle: deque[ConnectionPoolEntry] = deque()

    def get(self, block: bool = True, timeout: float | None = None) -> ConnectionPoolEntry:
        try:
            return self._idle.pop()
        except IndexError:
            raise Empty from None

    def put(self, item: ConnectionPoolEntry, block: bool = True, timeout: float | None = None) -> None:
        if len(self._idle) >= self.maxsize:
            raise Full
        self._idle.append(item)

    def qsize(self) -> int:
        return len(self._idle)


class _Pool(sa.pool.QueuePool):
    _queue_class = _Idle


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
    if isinstance(error, OSError) and error.errno in (errno.EFBIG, errno.EIO) or "disk i/o error" in text:
        return (
            f"{path} could not be read or written: a limit on the size of files or a quota is reached, or the disk fails. "
            "Nothing was half-written; raise the limit, or check the disk, and try again."
        )
    if "full" in text or "no space left" in text or "quota" in text:
        return f"The disk that holds {path.parent} is full. Nothing was half-written; free some space and try again."
    if "locked" in text or "busy" in text:
        return f"Another program has held {path.name} for too long. Close it and try again."
    if any(
        words in text
        for words in (
            "readonly",
            "read-only",
            "permission denied",
            "unable to open",
            "not a directory",
            "file exists",
            "no such file",
        )
    ):
        return f"{path.parent} cannot be written to. Choose another data folder with --home, or mend its permissions."
    if any(words in text for words in ("malformed", "not a database")):
        return f"{path} is damaged. Put a backup in its place, or move it away to start again and sync every source."
    return None
