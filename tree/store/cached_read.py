"""What is looked at many times a second and seldom changes is read from the database only after something was written to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from tree.store.database import Database

T = TypeVar("T")


class CachedRead(Generic[T]):
    """The outcome of `read`, which is called again after any commit, of this process or of another. Several threads may ask."""

    def __init__(self, database: Database, read: Callable[[], T]) -> None:
        self._database = database
        self._read = read
        self._last: tuple[int, T] | None = None

    def __call__(self) -> T:
        """Raises what `read` raises; then it is read the next time too."""
        now = self._database.data_version()  # before reading: a commit in between is read once more
        last = self._last
        if last is None or last[0] != now:
            last = self._last = now, self._read()
        return last[1]
