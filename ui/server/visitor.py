"""Who looks at a page or calls a route: looked up again and again, so that rights that were taken away are gone at once."""

from __future__ import annotations

import threading
import time
from typing import Protocol

from tree.accounts.principal import NOBODY, Principal
from tree.accounts.sessions import Sessions

FRESH_SECONDS = 0.5  # one drawing of a page asks many times


class Visitor(Protocol):
    @property
    def session_id(self) -> str:
        """Of the browser; empty for a program."""

    @property
    def address(self) -> str:
        """Where they come from, for the audit log."""

    @property
    def principal(self) -> Principal:
        """With the rights they have now; NOBODY once they are signed out."""

    def look_again(self) -> Principal:
        """The same, not even half a second old: for whoever is about to change something."""


class Known:
    """Somebody who is known already: a program with its token, or nobody."""

    def __init__(self, principal: Principal, address: str = "", session_id: str = "") -> None:
        self.principal = principal
        self.address = address
        self.session_id = session_id

    def look_again(self) -> Principal:
        return self.principal


class Browser:
    """Whoever is signed in with this session."""

    def __init__(self, sessions: Sessions, session_id: str, address: str = "", found: Principal | None = None) -> None:
        """`found` is who that is, where somebody has looked just now."""
        self.session_id = session_id
        self.address = address
        self._sessions = sessions
        self._lock = threading.Lock()
        self._found = found or NOBODY
        self._looked_at = time.monotonic() if found is not None else float("-inf")

    @property
    def principal(self) -> Principal:
        with self._lock:
            return self._look() if time.monotonic() - self._looked_at > FRESH_SECONDS else self._found

    def look_again(self) -> Principal:
        with self._lock:
            return self._look()

    def _look(self) -> Principal:
        found = self._sessions.with_id(self.session_id) if self.session_id else None
        self._found = found.principal if found is not None else NOBODY
        self._looked_at = time.monotonic()
        return self._found


VISITOR_OF_NOBODY = Known(NOBODY)
