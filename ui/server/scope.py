"""Where a question is asked (everywhere, in one source, in one branch), as of when, and in which zone its days begin. Kept with the turn and in the address."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date

from tree.ask.snapshot.zones import end, read_zone


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """`sources`, `places` and `moment` are as `ask` takes them."""

    source: str = ""  # id; empty is all sources
    place: str = ""  # of a branch; empty is the whole source
    as_of: str = ""  # a day, ISO 8601, of which the end counts; empty is now
    zone: str = ""  # in which the days of whoever asks begin: "Europe/Berlin"; empty is UTC

    @property
    def is_everything(self) -> bool:
        """Whether it is asked of everything as it is now."""
        return not (self.source or self.place or self.as_of)

    @property
    def sources(self) -> list[str] | None:
        return [self.source] if self.source else None

    @property
    def places(self) -> list[str]:
        return [self.place] if self.place else []

    @property
    def moment(self) -> float | None:
        """Seconds since 1970; None for now."""
        day = read_day(self.as_of)
        return None if day is None else min(time.time(), end(day, read_zone(self.zone)))

    def as_text(self) -> str:
        """As it is kept with a turn; `parse_scope` reads it."""
        where = f"at:{self.place}" if self.place else f"in:{self.source}" if self.source else ""
        where = f"on:{self.as_of};{where}" if self.as_of else where
        return f"tz:{self.zone};{where}" if self.zone else where


def parse_scope(written: str) -> QuestionScope:
    """What `as_text` wrote; all sources as they are now for anything else."""
    as_of = zone = ""
    if written.startswith("tz:"):
        zone, _, written = written[3:].partition(";")
    if written.startswith("on:"):
        as_of, _, written = written[3:].partition(";")
        as_of = as_of if read_day(as_of) is not None else ""
    kind, _, rest = written.partition(":")
    return QuestionScope(rest if kind == "in" else "", rest if kind == "at" else "", as_of, zone)


def read_day(written: str) -> date | None:
    """A day as ISO 8601 writes it; None for anything else."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None
