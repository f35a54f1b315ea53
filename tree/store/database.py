"""One database per data folder: an SQLite file in it, or a PostgreSQL server that several data folders share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

from sqlalchemy.engine import Connection, Engine, Transaction

from tree.store.errors import Busy as Busy
from tree.store.errors import StoreError as StoreError
from tree.store.errors import explained as explained
from tree.store.locks import Locks
from tree.store.sqlite import BUSY_SECONDS, SqliteFile

LOOK_SECONDS = 0.05  # between two looks whether another process has written
MOST_KEPT = 500  # results of reads

if TYPE_CHECKING:
    from tree.store.reach import Server

Value = TypeVar("Value")


class Backend(Protocol):
    """What each database system does in its own way. All statements besides are SQLAlchemy's, and the same for all.

    A transaction of `writing` is alone from its begin on: no other one of any process has begun before it has ended. One of
    `reading` sees one state of everything, and waits for nobody.
    """

    identity: str  # tells this database from others, without a password
    locks: Locks
    writing: Engine
    reading: Engine
    server: Server | None  # how it is reached; None where it is a file

    def explained(self) -> AbstractContextManager[None]:
        """Turns what the system says into a StoreError with one sentence."""

    def commit_number(self) -> int:
        """Another number after each commit. Called by one thread at a time."""

    def check_there(self) -> None:
        """Raises StoreError where the database has been taken away."""

    def size(self) -> int:
        """Bytes on the disk."""

    def wipe(self) -> bool:
        """Leaves nothing of what was deleted in its files. Returns whether that is done."""

    def close(self) -> None: ...


class _Looked(NamedTuple):
    """A data version, what this process had written last before it was looked up, and until when it holds (monotonic seconds)."""

    last_write: int
    until: float
    number: int


class _Joined(threading.local):
    """The transaction that this thread is in (`Database.together`), and what is called once it is committed."""

    connection: Connection | None = None
    after: list[Callable[[], None]]


class Database:
    """Everything that the app keeps: in the file of a data folder, or at a URL of PostgreSQL."""

    def __init__(self, home: Path, busy_seconds: float = BUSY_SECONDS, url: str | None = None) -> None:
        self.home = home
        self.backend: Backend = _at(url, home, busy_seconds) if url else SqliteFile(home, busy_seconds)
        self.locks = self.backend.locks
        self.identity = self.backend.identity
        self._watching_lock = threading.Lock()
        self._numbers = count(1)
        self._last_write = 0  # another number after each write of this process
        self._looked = _Looked(-1, 0.0, 0)
        self._kept: dict[Hashable, tuple[int, Any]] = {}
        self._waiting: dict[int, float] = {}  # since when, of each who waits to write
        self._closing: list[Callable[[], None]] = []
        self._joined = _Joined()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        if (joined := self._joined.connection) is not None:
            yield joined
            return
        with self.backend.explained(), self.backend.reading.begin() as connection:
            yield connection

    @contextmanager
    def together(self) -> Iterator[None]:
        """Whatever this thread writes and reads inside is one transaction: all of it happens, or nothing.

        Raises what `write` raises. One inside another is part of it. Others who write wait meanwhile, so nothing slow belongs here.
        """
        if self._joined.connection is not None:
            yield
            return
        after: list[Callable[[], None]] = []
        try:
            with self.write() as connection:
                self._joined.connection, self._joined.after = connection, after
                yield
        finally:
            self._joined.connection = None
        for call in after:
            call()

    def when_written(self, call: Callable[[], None]) -> None:
        """Calls it at once, or `together` with other things once all of them are written: nobody else sees them before."""
        if self._joined.connection is not None:
            self._joined.after.append(call)
        else:
            call()

    @contextmanager
    def write(self, *, waits: bool = True) -> Iterator[Connection]:
        """Raises Busy while somebody else writes: after the seconds of this database, or at once where it `waits` for nobody."""
        if (joined := self._joined.connection) is not None:
            with joined.begin_nested():  # of what fails here nothing is left, also where somebody goes on
                yield joined
            return
        try:
            with self.backend.explained(), self.backend.writing.connect() as connection, self._begun(connection, waits):
                yield connection
        finally:
            self._last_write = next(self._numbers)

    def _begun(self, connection: Connection, waits: bool) -> Transaction:
        number = next(self._numbers)
        self._waiting[number] = time.monotonic()
        try:
            return connection.execution_options(waits=waits).begin()
        finally:
            del self._waiting[number]

    @property
    def waited_seconds(self) -> float:
        """How long whoever in this process waits longest to write has waited for somebody else by now; 0.0 where nobody does."""
        now = time.monotonic()
        return max((now - since for since in list(self._waiting.values())), default=0.0)

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
        with self.backend.explained(), self._watching_lock:
            last_write, until = self._last_write, time.monotonic() + LOOK_SECONDS
            number = self.backend.commit_number()
            self._looked = _Looked(last_write, until, number)
            return number

    def unchanged(self, key: Hashable, read: Callable[[], Value]) -> Value:
        """What `read` gives; as it was given last under this key where nothing was committed since. To be changed by nobody."""
        if self._joined.connection is not None:
            return read()  # what is written by then may never be committed
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
        """Raises StoreError where it is not, or where it has been taken away."""
        self.backend.check_there()
        self.data_version()  # where it was moved elsewhere, it says so
        with self.read() as connection:
            connection.exec_driver_sql("SELECT name FROM migration LIMIT 1").all()

    def size(self) -> int:
        """Bytes that it takes on its disk."""
        return self.backend.size()

    def wipe(self) -> bool:
        """Leaves nothing of what was deleted in the file, in its free pages or in its log.

        Returns whether that is done; not so while another process still reads what there was before.
        """
        return self.backend.wipe()

    def when_closed(self, close: Callable[[], None]) -> None:
        """Has something closed together with this."""
        self._closing.append(close)

    def close(self) -> None:
        for close in self._closing:
            close()
        with self._watching_lock:
            self.backend.close()


def _at(url: str, home: Path, busy_seconds: float) -> Backend:
    from tree.store.postgresql import PostgresServer  # its driver is an extra, which most do without

    return PostgresServer(url, home, busy_seconds)
