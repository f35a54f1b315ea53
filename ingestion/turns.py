"""Sources that are read for the first time take turns: a few are read at once, and one of which nothing can be asked yet goes first.

With many workers the turns stand in the queue of the task engine (ingestion/tasks), in the order that is kept here for one process.
"""

from __future__ import annotations

import itertools
import threading
import time
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from connectors.base import Cancelled

AT_ONCE = 4  # first reads of one process, which share its processors
SHORT_SECONDS = 5.0  # of a turn, while a source waits of which nothing has been published,
LONG_SECONDS = 60.0  # and while others wait: each turn begins with a list of everything in the source
LOOK_SECONDS = 0.2


class Waiting(NamedTuple):
    """How many sources wait for their turn."""

    unpublished: int
    begun: int


def is_over(seconds: float, waiting: Callable[[], Waiting], short: float = SHORT_SECONDS, long: float = LONG_SECONDS) -> bool:
    """Whether a turn that has taken so long is another's now; who waits is only asked where it matters."""
    if seconds < short:
        return False
    unpublished, begun = waiting()
    return unpublished > 0 or (begun > 0 and seconds >= long)


class _Place(NamedTuple):
    is_begun: bool  # something of it was published
    number: int


class Turns:
    """The turns of one process."""

    def __init__(self, at_once: int = AT_ONCE, short: float = SHORT_SECONDS, long: float = LONG_SECONDS) -> None:
        self._free, self._short, self._long = at_once, short, long
        self._queue: list[_Place] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()

    @contextmanager
    def turn(
        self, is_begun: bool, is_cancelled: Callable[[], bool], note_waiting: Callable[[], None] = lambda: None
    ) -> Iterator[Callable[[], bool]]:
        """Waits for a turn, and yields what says whether it is over. `note_waiting` is called where there is none at once.

        Raises Cancelled while it waits.
        """
        place = _Place(is_begun, next(self._numbers))
        with self._changed:
            insort(self._queue, place)
        try:
            if not self._take(place, 0.0):
                note_waiting()
                while not self._take(place, LOOK_SECONDS):
                    if is_cancelled():
                        raise Cancelled
        except BaseException:
            with self._changed:
                self._queue.remove(place)
            raise
        try:
            if is_cancelled():  # while it waited
                raise Cancelled
            began = time.monotonic()
            yield lambda: is_over(time.monotonic() - began, self.waiting, self._short, self._long)
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()

    def waiting(self) -> Waiting:
        with self._changed:
            begun = sum(place.is_begun for place in self._queue)
            return Waiting(len(self._queue) - begun, begun)

    def _take(self, place: _Place, seconds: float) -> bool:
        with self._changed:
            if not self._changed.wait_for(lambda: self._free > 0 and self._queue[0] == place, seconds):
                return False
            self._queue.remove(place)
            self._free -= 1
            self._changed.notify_all()  # there may be another free one for the next
            return True
