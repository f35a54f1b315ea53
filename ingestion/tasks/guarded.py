"""Ends what is under way in a worker when it is not wanted any more: a connector that waits for an answer is closed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from tree.store.database import StoreError

LOOK_SECONDS = 0.5

log = logging.getLogger("knowledge-tree")


class Closable(Protocol):
    def close(self) -> None: ...


class Guard:
    """One thread looks after all that is under way, from `start` to `stop`."""

    def __init__(self, beside: Callable[[], None] = lambda: None) -> None:
        """`beside` is called at each look."""
        self._beside = beside
        self._watched: dict[int, tuple[Callable[[], bool], Callable[[], None]]] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="guard", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def wait(self, seconds: float) -> None:
        """Shorter where the worker is to end."""
        self._stopping.wait(seconds)

    @contextmanager
    def closing(self, connector: Closable, is_unwanted: Callable[[], bool]) -> Iterator[None]:
        """While inside, the connector is closed as soon as nobody wants what it does."""
        with self.ending(is_unwanted, connector.close):
            yield

    @contextmanager
    def ending(self, is_unwanted: Callable[[], bool], end: Callable[[], None]) -> Iterator[None]:
        """While inside, `end` is called once as soon as nobody wants what is done."""
        key = id(marker := object())
        with self._lock:
            self._watched[key] = is_unwanted, end
        try:
            yield
        finally:
            with self._lock:
                self._watched.pop(key, None)
            del marker

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            with self._lock:
                watched = list(self._watched.items())
            for key, (is_unwanted, end) in watched:
                if self._is(is_unwanted):
                    with self._lock:
                        is_there = self._watched.pop(key, None) is not None
                    if is_there:
                        end()
            self._beside()

    @staticmethod
    def _is(is_unwanted: Callable[[], bool]) -> bool:
        try:
            return is_unwanted()
        except StoreError as error:
            log.warning("tasks: %s", error)
            return False
