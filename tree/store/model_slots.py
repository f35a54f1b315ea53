"""The limit on requests to the language model over all processes of one database: a lock for each request that is under way."""

from __future__ import annotations

import logging

from prompts.model.call_slots import CallSlot
from tree.store.errors import StoreError
from tree.store.locks import Lock, Locks, Taken

log = logging.getLogger("knowledge-tree")


class ModelSlots:
    """`number` locks, of which a request holds any one; those of a process that dies are free. Where more than one is allowed,
    what is not done for a question leaves one free, so that nobody who asks waits for the background to end.

    A connection to a PostgreSQL server that ends takes the locks of its process with it: what is under way then goes on
    uncounted.
    """

    def __init__(self, locks: Locks, number: int, is_for_question: bool) -> None:
        self.number = number
        self._locks = locks
        usable = number if is_for_question else max(1, number - 1)
        # the one that only questions may take is the last, and tried first
        self._names = [f"model-request-{at}" for at in range(usable, 0, -1)]

    def take(self) -> CallSlot | None:
        """Raises StoreError where the locks cannot be asked for."""
        for name in self._names:
            lock = self._locks.lock(name)
            try:
                lock.acquire()
            except Taken:
                continue
            return _Slot(lock)
        return None


class _Slot:
    def __init__(self, lock: Lock) -> None:
        self._lock = lock

    def release(self) -> None:
        try:
            self._lock.release()
        except StoreError as error:  # the server is gone, and the lock with the connection to it
            log.warning("a slot of the model was given back by the database itself: %s", error)
