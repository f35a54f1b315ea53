"""The time zones in which days begin and times are told."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def read_zone(name: str) -> tzinfo:
    """As the IANA database names it: "Europe/Berlin"; UTC where there is none of this name."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def name_of(zone: tzinfo) -> str:
    """For people: "America/New York"."""
    return str(zone).replace("_", " ")


def beginning(day: date, zone: tzinfo) -> float:
    """When a day begins there, in seconds since 1970."""
    return datetime.combine(day, time(), zone).timestamp()


def end(day: date, zone: tzinfo) -> float:
    """The last moment of a day there, in seconds since 1970."""
    return datetime.combine(day, time.max, zone).timestamp()


def as_iso(seconds: float | None) -> str | None:
    """A moment in seconds since 1970 as ISO 8601 in UTC, for other programs."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def moment_told(line: str, zone: tzinfo) -> datetime | None:
    """When a line of a ticket's history says it happened: it begins with "2026-05-04 09:12", in UTC."""
    try:
        return datetime.fromisoformat(line.removeprefix("- ")[:16] + "+00:00").astimezone(zone)
    except ValueError:
        return None
