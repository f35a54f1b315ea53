"""The stop button of a question, or of a run of upgrades."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock
from typing import Any


class Stop:
    """A stop button. Set from any thread, it gives up what is under way, and what would come after."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._futures: set[Future[Any]] = set()
        self._is_set = False

    @property
    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        with self._lock:
            self._is_set = True
            futures = list(self._futures)
        for future in futures:
            future.cancel()

    @contextmanager
    def over(self, future: Future[Any]) -> Iterator[None]:
        """While inside, setting the button cancels the future."""
        with self._lock:
            self._futures.add(future)
            is_set = self._is_set
        if is_set:
            future.cancel()
        try:
            yield
        finally:
            with self._lock:
                self._futures.discard(future)
