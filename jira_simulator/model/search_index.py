"""The search index: what a search believes, which is not always what is true.

A write is seen by searches only after a lag; one id may vanish for a while and come back. GET of one ticket never
goes through here, and a search that names ids to reconcile reads those fresh.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping

from jira_simulator.model.clock import Clock
from jira_simulator.model.records import Ticket


class SearchIndex:
    """`lag` is how many seconds of the site's clock pass before a search sees a write."""

    def __init__(self, clock: Clock, lag: float = 0) -> None:
        self.clock = clock
        self.lag = lag
        self._before: dict[str, list[tuple[dt.datetime, Ticket | None]]] = {}  # until then, searches see this
        self._vanished: dict[str, tuple[dt.datetime, dt.datetime]] = {}

    def note(self, ticket_id: str, before: Ticket | None) -> None:
        """A ticket is about to change; `before` is how it was, or None where it is new."""
        if self.lag > 0:
            until = self.clock.true() + dt.timedelta(seconds=self.lag)
            self._before.setdefault(ticket_id, []).append((until, before))

    def vanish(self, ticket_id: str, seconds: float, after: float = 0) -> None:
        """Searches do not find the ticket for that long, though it has not changed."""
        start = self.clock.true() + dt.timedelta(seconds=after)
        self._vanished[ticket_id] = (start, start + dt.timedelta(seconds=seconds))

    def seen(self, tickets: Mapping[str, Ticket], fresh: Collection[str] = ()) -> Iterator[Ticket]:
        """The tickets as a search sees them now; those in `fresh` as they are."""
        now = self.clock.true()
        for ticket_id in [*tickets, *(each for each in self._before if each not in tickets)]:
            current = tickets.get(ticket_id)
            if ticket_id not in fresh:
                if self._is_vanished(ticket_id, now):
                    continue
                current = self._as_indexed(ticket_id, now, current)
            if current is not None:
                yield current

    def _as_indexed(self, ticket_id: str, now: dt.datetime, current: Ticket | None) -> Ticket | None:
        waiting = [each for each in self._before.get(ticket_id, ()) if each[0] > now]
        if waiting:
            self._before[ticket_id] = waiting
            return waiting[0][1]
        self._before.pop(ticket_id, None)
        return current

    def _is_vanished(self, ticket_id: str, now: dt.datetime) -> bool:
        start, end = self._vanished.get(ticket_id, (now, now))
        return start <= now < end
