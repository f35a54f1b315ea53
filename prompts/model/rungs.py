"""Which way of asking for JSON works with which model: a ladder, and the rung it was last found standing on.

Servers differ in what they refuse (schemas, tools, JSON mode) and models in what they can keep to. Each rung asks
for less of the server; the prompt itself says the form of the reply on all of them.
"""

from __future__ import annotations

from threading import Lock
from typing import Literal, get_args

Rung = Literal["schema", "tool", "json", "plain"]
LADDER: tuple[Rung, ...] = get_args(Rung)
MISSES = 2  # replies of the wrong form, one after the other, before a rung is given up; a refusal counts at once


class Rungs:
    """Remembers by address and model. One bad reply steps down for that decision only."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._standing: dict[tuple[str, str], int] = {}
        self._missed: dict[tuple[str, str], int] = {}

    def ladder(self, address: str, model: str) -> tuple[Rung, ...]:
        """What to try, from the rung that worked downwards."""
        with self._lock:
            return LADDER[self._standing.get((address, model), 0) :]

    def refused(self, address: str, model: str, rung: Rung) -> None:
        """The server does not take this way of asking."""
        with self._lock:
            self._step_below(address, model, rung)

    def missed(self, address: str, model: str, rung: Rung) -> None:
        """The model did not keep to the form."""
        with self._lock:
            place = (address, model)
            if LADDER.index(rung) == self._standing.get(place, 0):
                self._missed[place] = self._missed.get(place, 0) + 1
                if self._missed[place] >= MISSES:
                    self._step_below(address, model, rung)

    def worked(self, address: str, model: str, rung: Rung) -> None:
        with self._lock:
            if LADDER.index(rung) == self._standing.get((address, model), 0):
                self._missed.pop((address, model), None)

    def forget(self, address: str, model: str) -> None:
        """Begin at the top again: an admin presses Test, or the server has been changed."""
        with self._lock:
            self._standing.pop((address, model), None)
            self._missed.pop((address, model), None)

    def _step_below(self, address: str, model: str, rung: Rung) -> None:
        below = min(LADDER.index(rung) + 1, len(LADDER) - 1)
        self._standing[address, model] = max(self._standing.get((address, model), 0), below)
        self._missed.pop((address, model), None)
