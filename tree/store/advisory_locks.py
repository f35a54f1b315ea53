"""Locks that a PostgreSQL server keeps: for the processes of all machines that share its database."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from hashlib import sha256
from threading import Lock as Mutex
from typing import Any

import psycopg

from tree.store.locks import Lock, Taken

ALIVE_SECONDS = 2.0  # between two looks whether the connection stands

_TAKEN = """SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND (classid::bigint << 32 | objid::bigint) = %s)"""


class AdvisoryLocks:
    """All that this process holds hang on one connection: where that ends, because the process was killed or the server was
    started again, all of them are free."""

    def __init__(self, connect: Callable[[], Any], explained: Callable[[], AbstractContextManager[None]]) -> None:
        self._connect, self._explained = connect, explained
        self._connection: psycopg.Connection[Any] | None = None
        self._mutex = Mutex()
        self._held: dict[str, object] = {}  # by whom of this process: to the server all its threads are one
        self._seen_alive = 0.0

    def lock(self, name: str) -> Lock:
        return _AdvisoryLock(self, name)

    def is_taken(self, name: str) -> bool:
        with self._explained(), self._mutex:
            return name in self._still_held() or bool(self._ask(_TAKEN, name))

    def forget(self, name: str) -> None:
        """Nothing is left of one that nobody holds."""

    def names(self) -> list[str]:
        return []

    def close(self) -> None:
        with self._mutex:
            self._end()

    def take(self, name: str, holder: object) -> bool:
        with self._explained(), self._mutex:
            if name in self._still_held() or not self._ask("SELECT pg_try_advisory_lock(%s)", name):
                return False
            self._held[name] = holder
            return True

    def give_back(self, name: str, holder: object) -> None:
        with self._explained(), self._mutex:
            if self._still_held().get(name) is holder:
                del self._held[name]
                self._ask("SELECT pg_advisory_unlock(%s)", name)

    def holder(self, name: str) -> object:
        with self._explained(), self._mutex:
            return self._still_held().get(name)

    def _still_held(self) -> dict[str, object]:
        """What is held; nothing where the connection has ended."""
        if self._held and time.monotonic() - self._seen_alive > ALIVE_SECONDS:
            try:
                self._ask("SELECT %s", "")
            except psycopg.OperationalError:
                self._end()
        return self._held

    def _ask(self, statement: str, name: str) -> Any:
        try:
            if self._connection is None:
                self._connection = self._connect()
                self._connection.autocommit = True
            [answer] = self._connection.execute(statement, (key_of(name),)).fetchone() or (None,)
        except psycopg.OperationalError:
            self._end()
            raise
        self._seen_alive = time.monotonic()
        return answer

    def _end(self) -> None:
        self._held.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _AdvisoryLock:
    def __init__(self, locks: AdvisoryLocks, name: str) -> None:
        self._locks, self._name = locks, name

    @property
    def is_held(self) -> bool:
        return self._locks.holder(self._name) is self

    def acquire(self) -> None:
        if not self._locks.take(self._name, self):
            raise Taken(self._name)

    def release(self) -> None:
        self._locks.give_back(self._name, self)


def key_of(name: str) -> int:
    """The number of a lock: 63 bits, so that two names have one as good as never."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big") >> 1
