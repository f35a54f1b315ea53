"""Locks between processes: whoever holds one is alone with what it stands for, until it gives it back or dies."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

try:
    import fcntl
except ImportError:  # Windows, where who looks has to take it
    fcntl = None  # type: ignore[assignment]

LOOK_SECONDS = 0.05
SHARED_SECONDS, SHARED_TICK_SECONDS = 1.0, 0.001  # to wait for those who only look, and to try again


class Taken(Exception):
    """Another process, or another thread of this one, holds the lock."""


class Lock(Protocol):
    @property
    def is_held(self) -> bool:
        """Whether it is still ours: one that is kept by a server goes with the connection to it."""

    def acquire(self) -> None:
        """At once, or raises Taken."""

    def release(self) -> None:
        """Nothing happens where it is not held."""


class Locks(Protocol):
    """The locks of everybody who works on the same database, by name: letters, digits and hyphens."""

    def lock(self, name: str) -> Lock: ...

    def is_taken(self, name: str) -> bool:
        """Whether anybody holds it now; one that was killed does not."""

    def forget(self, name: str) -> None:
        """A lock that nobody will ask for again. Where somebody still holds it, nothing happens."""

    def names(self) -> list[str]:
        """Those of which something is left until they are forgotten."""


@contextmanager
def held(lock: Lock, patience: float = 0.0) -> Iterator[None]:
    """Waits so many seconds for others to give it back, then raises Taken."""
    take(lock, patience)
    try:
        yield
    finally:
        lock.release()


def take(lock: Lock, patience: float, meanwhile: Callable[[], None] = lambda: None, look_seconds: float = LOOK_SECONDS) -> None:
    """As `held` waits for it. `meanwhile` is called before each further try."""
    until = time.monotonic() + patience
    while True:
        try:
            lock.acquire()
            return
        except Taken:
            if time.monotonic() >= until:
                raise
        meanwhile()
        time.sleep(look_seconds)


class FileLocks:
    """A file for each, in one folder: for the processes of one machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lock(self, name: str) -> Lock:
        self.folder.mkdir(exist_ok=True)
        return _FileLock(self._path(name))

    def is_taken(self, name: str) -> bool:
        return _has_owner(self._path(name))

    def forget(self, name: str) -> None:
        """The file goes while we hold it: whoever opened it meanwhile finds that it has no name any more, and makes a new one."""
        path = self._path(name)
        if not path.exists():
            return
        lock = _FileLock(path)
        try:
            lock.acquire()
        except Taken:
            return
        try:
            with suppress(PermissionError):  # Windows, where an open file stays
                path.unlink(missing_ok=True)
        finally:
            lock.release()

    def names(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.lock"))

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.lock"


class _FileLock:
    def __init__(self, path: Path) -> None:
        self._lock = FileLock(path, timeout=0, thread_local=False)  # one thread may take it and another give it back

    @property
    def is_held(self) -> bool:
        return self._lock.is_locked

    def acquire(self) -> None:
        until = time.monotonic() + SHARED_SECONDS
        while True:
            try:
                self._lock.acquire()
                return
            except Timeout as error:
                if _has_owner(Path(self._lock.lock_file)) or time.monotonic() >= until:
                    raise Taken(self._lock.lock_file) from error
            time.sleep(SHARED_TICK_SECONDS)

    def release(self) -> None:
        self._lock.release()


def _has_owner(path: Path) -> bool:
    """Whether somebody holds the lock of this file. Those who look share it for a moment, so that none of them takes another for
    its owner; whoever wants it meanwhile waits for them."""
    if fcntl is None:
        return _cannot_be_taken(path)
    try:
        file = os.open(path, os.O_RDWR)  # where a network keeps the files, one opened for reading alone cannot be asked about
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    finally:
        os.close(file)
    return False


def _cannot_be_taken(path: Path) -> bool:
    if not path.exists():
        return False
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return True
    lock.release()
    return False
