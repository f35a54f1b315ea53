"""Connections to a PostgreSQL server that the network may cut off: whoever waits for it is told so within seconds.

TCP ends a connection whose other side is silent. Where a pooler or a proxy still answers for a server that it does not reach itself,
TCP sees nothing amiss: then the server is asked, with a connection of its own, whether it is there.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import sql
from psycopg.abc import PQGen

SILENT_SECONDS = 1.0  # a connection that fails later than this was not refused: nobody has answered
AGAIN_SECONDS = 2.0  # while nobody answers, one caller tries in so much time, and all others are told at once
LOOK_SECONDS = 0.1  # as psycopg has it

_NAMED = re.compile(
    r'^connection failed: (?:connection to server (?:at|on socket) "[^"]*"(?: \([^)]*\))?(?:, port \d+)? failed: )?'
)

T = TypeVar("T")
C = TypeVar("C", bound="psycopg.Connection[Any]")


class Server(NamedTuple):
    """How a connection to a PostgreSQL server is made."""

    arguments: Mapping[str, Any]  # of psycopg.connect
    settings: Mapping[str, str]  # of each session, told when it stands: PgBouncer connects nobody who tells them before

    @property
    def telling(self) -> sql.Composed:
        """What a session is told first, outside of a transaction."""
        each = [sql.SQL("SET {} = {}").format(sql.Identifier(name), value) for name, value in self.settings.items()]
        return sql.SQL("; ").join(each)

    def connect(self, kind: type[C]) -> C:
        """Raises psycopg.Error."""
        connection = kind.connect(**self.arguments, autocommit=True)
        try:
            connection.execute(self.telling)
            connection.autocommit = False
        except BaseException:
            connection.close()
            raise
        return connection


class Reach:
    """Makes the connections of a process to one server. Safe to use from many threads."""

    def __init__(self, server: Server) -> None:
        """With a connect_timeout: after that long without a word the server, which may just have much to do, is asked whether it is
        there."""
        self.quiet_seconds = _seconds(str(server.arguments.get("connect_timeout", "")))
        self._server = server
        self._mutex = threading.Lock()
        self._looking = threading.Lock()
        self._cut = ""  # what is said while nobody answers
        self._again_at = 0.0
        self._reached_at = 0.0

    @property
    def is_cut(self) -> bool:
        """Whether nobody answered when somebody tried last."""
        return bool(self._cut)

    def connect(self) -> PatientConnection:
        """Raises psycopg.OperationalError; at once where nobody has answered another caller a moment ago."""
        began = time.monotonic()
        with self._mutex:
            if self._cut and began < self._again_at:
                raise psycopg.OperationalError(self._cut)
            self._again_at = began + AGAIN_SECONDS
        try:
            connection = self._server.connect(PatientConnection)
        except psycopg.OperationalError as error:
            now = time.monotonic()
            self._note(str(error) if now - began > SILENT_SECONDS else "", now)
            raise
        self._note("", time.monotonic())
        self._reached_at = time.monotonic()
        connection.reach = self
        return connection

    def look(self, since: float) -> None:
        """Raises psycopg.OperationalError where nobody answers for the server, unless somebody has since then (monotonic seconds)."""
        with self._looking:
            if self._reached_at > since:
                return
            try:
                self.connect().close()
            except psycopg.OperationalError:
                if self.is_cut:
                    raise

    def _note(self, cut: str, now: float) -> None:
        with self._mutex:
            self._cut, self._again_at = cut, now + AGAIN_SECONDS


class PatientConnection(psycopg.Connection[Any]):
    """Waits for a result as long as the server is there."""

    reach: Reach | None = None

    def wait(self, gen: PQGen[T], interval: float = LOOK_SECONDS, timeout: float | None = None) -> T:
        return super().wait(gen if self.reach is None else self._watched(gen, self.reach), interval, timeout)

    def _watched(self, gen: PQGen[T], reach: Reach) -> PQGen[T]:
        """What psycopg's generator does, which is told every tenth of a second that nothing has come."""
        since = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready:
                    since = now
                elif now - since > reach.quiet_seconds:
                    self._look(reach, since)
                    since = time.monotonic()
                wanted = gen.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result

    def _look(self, reach: Reach, since: float) -> None:
        try:
            reach.look(since)
        except psycopg.OperationalError:
            self.close()  # what it may still bring belongs to nothing any more
            raise


def reason(error: BaseException) -> str:
    """What psycopg says, in its first line, without the address of the server, which whoever tells it has named."""
    return _NAMED.sub("", str(error).strip().partition("\n")[0]).rstrip(".")


def _seconds(given: str) -> float:
    """As libpq takes a connect_timeout: none is for ever, and none is shorter than two seconds."""
    return max(2.0, float(given)) if given.isdecimal() and int(given) else math.inf
