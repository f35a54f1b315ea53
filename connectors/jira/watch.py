"""Asks Jira now and then what was updated, and hands over the ids; and whether there are fewer tickets, of which no update tells."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from connectors.base import Cancelled
from connectors.jira.exchange import Refused

FEW_PAGES = 2  # of a poll; more are not asked for every time


@dataclass(frozen=True, slots=True)
class Changes:
    """Tickets that may have changed; none: Jira was asked, and nothing has."""

    paths: frozenset[str] = frozenset()
    rescan: bool = False
    lost: bool = False


@dataclass(slots=True)
class Window:
    """How far back a poll looks: searches may show an update as late as `overlap` seconds after it was made.

    Once nothing newer has come for that long, all older updates have been seen, and only newer ones are asked for.
    Where very many tickets were updated together, the whole of them is not gone through again in every poll.
    """

    newest: int = 0  # milliseconds
    since: float = 0  # when that was noticed
    walked_at: float = 0  # when the overlap was last gone through,
    pages: int = 0  # and how much that was
    settled: bool = False

    def bound(self, newest: int, now: float, overlap: float) -> str:
        """The end of `updated ...` in JQL. Milliseconds since 1970 mean the same in every time zone."""
        if newest != self.newest:
            self.newest, self.since, self.settled = newest, now, False
        is_much = self.pages > FEW_PAGES and now - self.walked_at < overlap / 5
        if self.settled or is_much:
            return f"> {self.newest}"
        self.pages = 0
        return f">= {max(0, newest - int(overlap * 1_000))}"

    def walked(self, pages: int, now: float, overlap: float) -> None:
        """Notes that all that was asked for has been seen."""
        if not self.pages:
            self.pages, self.walked_at = pages, now
            self.settled = now - self.since > overlap


class JiraWatch:
    """`poll` is for one thread; `close` may be called from any."""

    def __init__(self, changed: Callable[[], set[str] | None], fewer: Callable[[], bool], seconds: float) -> None:
        self.changed = changed
        self.fewer = fewer
        self.seconds = seconds
        self._next = 0.0
        self._ended = threading.Event()

    def poll(self, timeout: float | None = None) -> Changes | None:
        """What was updated since the last time; None when it is not time to ask yet. Raises ConnectorError."""
        patience = max(0.0, self._next - time.monotonic())
        self._ended.wait(patience if timeout is None else min(patience, timeout))
        if self._ended.is_set() or time.monotonic() < self._next:
            return None
        self._next = time.monotonic() + self.seconds  # also when it fails, or a limited site would be asked at once again
        try:
            found = self.changed()
            rescan = found is not None and self.fewer()
        except Cancelled:
            return None
        except Refused:  # most likely a project went out of sight: a look at everything finds out
            return Changes(rescan=True)
        return None if found is None else Changes(frozenset(found), rescan)

    def close(self) -> None:
        self._ended.set()
