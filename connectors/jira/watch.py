"""Asks Jira now and then what was updated, and hands over the ids."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from connectors.base import Cancelled
from connectors.jira.exchange import Refused


@dataclass(frozen=True, slots=True)
class Changes:
    """Tickets that may have changed; none: Jira was asked, and nothing has."""

    paths: frozenset[str] = frozenset()
    rescan: bool = False
    lost: bool = False


class JiraWatch:
    """`poll` is for one thread; `close` may be called from any."""

    def __init__(self, changed: Callable[[], set[str] | None], seconds: float) -> None:
        self.changed = changed
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
        except Cancelled:
            return None
        except Refused:  # most likely a project went out of sight: a look at everything finds out
            return Changes(rescan=True)
        return None if found is None else Changes(frozenset(found))

    def close(self) -> None:
        self._ended.set()
