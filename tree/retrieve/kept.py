"""The few things made last, for whoever asks for one of them again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Kept(Generic[K, T]):
    """Things by what they are made of. One is made at a time: who asks meanwhile waits, and may find what was asked for made.

    What is not kept any more is gone as soon as nobody uses it.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: dict[K, T] = {}  # the one used last comes last
        self._lock, self._making = threading.Lock(), threading.Lock()

    def get(self, key: K, make: Callable[[], T], holds: Callable[[K], bool] = lambda _: True) -> T:
        """The one made of this. Before another is made, those go that do not hold any more."""
        if (found := self._find(key)) is not None:
            return found
        with self._making:
            if (found := self._find(key)) is not None:
                return found
            holding = [kept for kept in list(self._kept) if holds(kept)]
            self._leave(holding[max(0, len(holding) - self.most + 1) :])
            made = make()
            with self._lock:
                self._kept[key] = made
            return made

    def clear(self) -> None:
        """Waits for what is being made."""
        with self._making:
            self._leave([])

    def _find(self, key: K) -> T | None:
        with self._lock:
            if (found := self._kept.pop(key, None)) is not None:
                self._kept[key] = found
            return found

    def _leave(self, keys: list[K]) -> None:
        with self._lock:
            self._kept = {key: self._kept[key] for key in keys}
