"""A line that somebody said on a day, of something that a list or a register states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prompts.extractive import as_text
from prompts.extractive.dates import Day
from prompts.records import Quote
from tree.ask.snapshot.direct_answer import Line
from tree.ask.snapshot.snapshot_view import OpenedLeaf, document_of

LONGEST_LINE = 400  # characters


@dataclass(frozen=True, slots=True)
class SaidLater:
    """A line that names a row or an action, and the day on which it was said."""

    day: Day
    opened: OpenedLeaf
    quote: Quote

    @property
    def document(self) -> tuple[str, str | None]:
        return document_of(self.opened.node)

    def is_since(self, day: tuple[int, int, int] | None) -> bool:
        return day is None or (self.day.year, self.day.month, self.day.day) >= day

    def as_line(self, text: str, number: int) -> Line:
        return Line(f"{text}{as_text(self.quote)} [{number}]", number, self.opened.node, self.opened.leaf, self.quote)


def newest_first(found: Iterable[SaidLater]) -> list[SaidLater]:
    """Each line once."""
    once = {(one.opened.node.place, one.quote.start): one for one in found}
    return sorted(once.values(), key=lambda one: one.day, reverse=True)
