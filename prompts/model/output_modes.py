"""Which way of requesting JSON works with which model: the modes in order, and the first that is still worth trying.

Servers differ in what they refuse (schemas, tools, JSON mode) and models in what they can keep to. Each mode asks
less of the server than the one before; the prompt itself says the form of the reply in all of them.
"""

from __future__ import annotations

from threading import Lock
from typing import Literal, get_args

OutputMode = Literal["schema", "tool", "json", "plain"]
OUTPUT_MODES: tuple[OutputMode, ...] = get_args(OutputMode)
MISSES = 2  # replies of the wrong form, one after the other, before a mode is given up; a refusal counts at once


class OutputModes:
    """Remembers by address and model. One bad reply steps down for that decision only."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._first: dict[tuple[str, str], int] = {}
        self._missed: dict[tuple[str, str], int] = {}
        self._worked: set[tuple[str, str, OutputMode]] = set()

    def modes_to_try(self, address: str, model: str) -> tuple[OutputMode, ...]:
        """What to try, the mode that worked last first."""
        with self._lock:
            return OUTPUT_MODES[self._first.get((address, model), 0) :]

    def refused(self, address: str, model: str, mode: OutputMode) -> None:
        """The server does not take this mode."""
        with self._lock:
            self._rule_out(address, model, mode)

    def missed(self, address: str, model: str, mode: OutputMode) -> None:
        """The model did not keep to the form."""
        with self._lock:
            place = (address, model)
            if OUTPUT_MODES.index(mode) == self._first.get(place, 0):
                self._missed[place] = self._missed.get(place, 0) + 1
                if self._missed[place] >= MISSES:
                    self._rule_out(address, model, mode)

    def worked(self, address: str, model: str, mode: OutputMode) -> None:
        with self._lock:
            self._worked.add((address, model, mode))
            if OUTPUT_MODES.index(mode) == self._first.get((address, model), 0):
                self._missed.pop((address, model), None)

    def has_worked(self, address: str, model: str, mode: OutputMode) -> bool:
        """Whether it has ever brought a reply in its form: then what is wrong with another is not the mode's doing."""
        with self._lock:
            return (address, model, mode) in self._worked

    def forget(self, address: str, model: str) -> None:
        """Begin at the top again: an admin presses Test, or the server has been changed."""
        with self._lock:
            self._first.pop((address, model), None)
            self._missed.pop((address, model), None)
            self._worked = {one for one in self._worked if one[:2] != (address, model)}

    def _rule_out(self, address: str, model: str, mode: OutputMode) -> None:
        below = min(OUTPUT_MODES.index(mode) + 1, len(OUTPUT_MODES) - 1)
        self._first[address, model] = max(self._first.get((address, model), 0), below)
        self._missed.pop((address, model), None)
