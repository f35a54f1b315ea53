"""The pool of database connections."""

from __future__ import annotations

from collections import deque

import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util.queue import Empty, Full, QueueCommon


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


class Pool(sa.pool.QueuePool):
    _queue_class = _Idle
