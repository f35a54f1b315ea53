"""The one clock of a simulated site: it stands still unless it is advanced or runs at a speed."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from zoneinfo import ZoneInfo


class Clock:
    """`speed` 0 stands still, 1 is real time, 60 makes a minute of every second. Safe to use from any thread.

    `skew` is how far the server's own idea of the time is off; everything the server writes or says has it.
    """

    def __init__(
        self, start: dt.datetime | str | None = None, speed: float = 0, zone: str = "Etc/UTC", skew: dt.timedelta = dt.timedelta()
    ) -> None:
        moment = dt.datetime.fromisoformat(start) if isinstance(start, str) else start or dt.datetime.now(dt.UTC)
        self._base = (moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))).astimezone(dt.UTC)
        self._since = time.monotonic()
        self._speed = speed
        self._changed = threading.Condition()
        self._listeners: list[Callable[[], None]] = []
        self.zone = zone
        self.skew = skew

    def true(self) -> dt.datetime:
        """The time as it is, in UTC: what lags, faults and retries go by."""
        with self._changed:
            return self._base + dt.timedelta(seconds=(time.monotonic() - self._since) * self._speed)

    def now(self) -> dt.datetime:
        """The time as the server believes it, in UTC, cut to milliseconds as Jira keeps it."""
        moment = self.true() + self.skew
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)

    def advance(self, seconds: float) -> dt.datetime:
        return self.set(self.true() + dt.timedelta(seconds=seconds))

    def set(self, moment: dt.datetime) -> dt.datetime:
        with self._changed:
            self._base, self._since = moment.astimezone(dt.UTC), time.monotonic()
            self._changed.notify_all()
        for listener in self._listeners:
            listener()
        return self.now()

    @property
    def speed(self) -> float:
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        now = self.true()
        self._speed = speed
        self.set(now)

    def on_change(self, listener: Callable[[], None]) -> None:
        """Calls `listener` whenever the clock is set or advanced or its speed changes."""
        self._listeners.append(listener)

    def real_seconds_until(self, moment: dt.datetime) -> float | None:
        """How long that is in real seconds; 0 if it is past, None while the clock stands still before it."""
        missing = (moment - self.true()).total_seconds()
        if missing <= 0:
            return 0.0
        return missing / self._speed if self._speed else None


def wire(moment: dt.datetime, zone: str = "Etc/UTC") -> str:
    """As Jira writes it: milliseconds, and an offset without a colon."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:%Y-%m-%dT%H:%M:%S}.{local.microsecond // 1000:03d}{local:%z}"


def milliseconds(moment: dt.datetime) -> int:
    return round(moment.timestamp() * 1000)
