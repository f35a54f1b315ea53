"""Ends this process at its n-th commit point, as a power cut would: no handler runs, no file is closed.

A commit point is where something becomes lasting: a COMMIT on any SQLite file or in PostgreSQL, a rename or a removal of a file.
Statements are seen by SQLite's own trace, renames and removals by Python's audit events, so none of the app's code is in between;
for PostgreSQL the commit of its driver is wrapped.
For processes that exist to be killed: there is no way back.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from sqlite3 import dbapi2
from typing import Any

from tree.workspace import database_url

FILES = ("os.rename", "os.remove")


@dataclass(frozen=True, slots=True)
class Kill:
    """Which commit point, from 1 on, and whether it has happened when the process ends."""

    at: int
    is_after: bool = False


class Countdown:
    """Counts commit points. `end` is called at the one that was chosen."""

    def __init__(self, kill: Kill, end: Callable[[], None]) -> None:
        self.kill = kill
        self.end = end
        self.seen = 0
        self._due = False

    def statement(self, text: str) -> None:
        if self._due:  # the commit was the last thing that SQLite did
            self.end()
        if text.strip().rstrip(";").upper() in ("COMMIT", "END"):
            self._point()

    def settled(self) -> None:
        """The last commit has been done."""
        if self._due:
            self.end()

    def audited(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in FILES:
            return
        if self._due:
            self.end()
        self._point()

    def _point(self) -> None:
        self.seen += 1
        if self.seen == self.kill.at:
            if self.kill.is_after:
                self._due = True
            else:
                self.end()


def die_at(kill: Kill) -> None:
    """From now on this process has so many commit points to live."""
    traced(Countdown(kill, _end))


def traced(countdown: Countdown) -> None:
    """Has the countdown told of every statement on connections that are opened from now on, and of files."""
    connect = dbapi2.connect

    def opened(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **named)
        connection.set_trace_callback(countdown.statement)
        return connection

    sqlite3.connect = dbapi2.connect = opened  # type: ignore[assignment]  # put in its place on purpose: its statements are counted
    sys.addaudithook(countdown.audited)
    if database_url() is not None:
        traced_in_postgresql(countdown)


def traced_in_postgresql(countdown: Countdown) -> None:
    import psycopg  # an extra, which most do without

    commit = psycopg.Connection.commit

    def committed(connection: psycopg.Connection[Any]) -> None:
        countdown.statement("COMMIT")
        commit(connection)
        countdown.settled()

    psycopg.Connection.commit = committed  # type: ignore[assignment]  # as above


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
