"""What stands in a field of a ticket, as words: people, dates, sprints, options and whatever plugins put there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Json = Mapping[str, Any]
Text = Callable[[Any], str]  # the text of a field, in whatever markup it is, as Markdown

FORMER_USER = "Former user"
NAMES = (
    "displayName",
    "name",
    "value",
    "title",
    "label",
    "summary",
    "key",
    "text",
    "id",
)  # the first of these is what people see
DEEPEST = 4  # values in each other
LONG_TEXT = 160  # characters; longer text is a section of its own
SECONDS_IN = {"w": 144_000, "d": 28_800, "h": 3_600, "m": 60}  # a week of work has five days of eight hours

_SPRINT = re.compile(r"com\.atlassian\.greenhopper\.service\.sprint\.Sprint@\w*\[(.*)\]\Z", re.DOTALL)
_PART = re.compile(r"(?<!\w)(\w++)=(.*?)(?=,\w+=|\Z)", re.DOTALL)
_DATE_AND_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)\Z")
_TICKET_KEY = re.compile(r"[A-Z][A-Z0-9_]*-[0-9]+\Z")
_EPOCH_SECONDS_BELOW = 100_000_000_000  # Jira gives times as seconds or as milliseconds


@dataclass(frozen=True, slots=True)
class Sprint:
    name: str
    state: str = ""
    id: int = 0

    @property
    def words(self) -> str:
        return f"{self.name} ({self.state})" if self.state else self.name


def mapping(value: Any) -> Json:
    return value if isinstance(value, Mapping) else {}


def mappings(value: Any) -> list[Json]:
    return (
        [one for one in value if isinstance(one, Mapping)] if isinstance(value, Sequence) and not isinstance(value, str) else []
    )


def one_line(value: Any) -> str:
    """Plain text on one line; nothing for what is no text."""
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def name_of(value: Any) -> str:
    """What people call a thing: a status, a component, a version."""
    if isinstance(value, Mapping):
        return next((words for name in NAMES if (words := one_line(value.get(name)))), "")
    return one_line(value)


def person(value: Any) -> str:
    """Somebody's name; of an account that is gone what is left of it."""
    if not isinstance(value, Mapping):
        return ""
    return one_line(value.get("displayName")) or one_line(value.get("name")) or FORMER_USER


def author(entry: Json) -> str:
    return person(entry.get("author")) or FORMER_USER


def moment(value: Any) -> datetime | None:
    """A time as Jira writes it (2026-08-24T11:11:52.944+0000), or a number of seconds or milliseconds since 1970."""
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value if value < _EPOCH_SECONDS_BELOW else value / 1_000, UTC)
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    return None if found is None else (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def milliseconds(value: Any) -> int:
    found = moment(value)
    return round(found.timestamp() * 1_000) if found else 0


def day(value: Any) -> str:
    """A date, in UTC; what is none stays as it is."""
    found = moment(value)
    return found.strftime("%Y-%m-%d") if found else one_line(value)


def minute(value: Any) -> str:
    """A date and time, in UTC, which is said."""
    found = moment(value)
    return found.strftime("%Y-%m-%d %H:%M UTC") if found else one_line(value)


def iso(value: Any) -> str:
    found = moment(value)
    return found.isoformat(timespec="seconds") if found else ""


def duration(seconds: Any) -> str:
    """A time of work, as Jira counts it: 1d 4h."""
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or seconds <= 0:
        return ""
    rest, words = int(seconds), []
    for unit, size in SECONDS_IN.items():
        number, rest = divmod(rest, size)
        words += [f"{number}{unit}"] if number else []
    return " ".join(words) or "less than 1m"


def sprints(value: Any) -> list[Sprint]:
    """The sprints in a field: objects on Cloud, on Data Center strings such as `...Sprint@1a[id=3,name=Sprint 3,...]`."""
    found = []
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(one, str) and (match := _SPRINT.match(one)):
            one = dict(_PART.findall(match[1]))
        if isinstance(one, Mapping) and (name := one_line(one.get("name"))):
            number = one_line(one.get("id"))
            found.append(Sprint(name, one_line(one.get("state")).lower(), int(number) if number.isdigit() else 0))
    return found


def is_text(value: Any) -> bool:
    """Whether it is a document in Atlassian's format."""
    return isinstance(value, Mapping) and value.get("type") == "doc"


def words(value: Any, text: Text, depth: int = 0) -> str:
    """Any value of any kind of field, readable; empty for an empty one."""
    if value is None or value == "" or depth > DEEPEST:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e15 else str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return minute(value) if _DATE_AND_TIME.match(value) else value.strip()
    if isinstance(value, Mapping):
        return _object(value, text, depth)
    if isinstance(value, Iterable):
        if found := sprints(value):
            return ", ".join(sprint.words for sprint in found)
        return ", ".join(filter(None, (words(one, text, depth + 1) for one in value)))
    return ""


def _object(value: Json, text: Text, depth: int) -> str:
    if is_text(value):
        return text(value).strip()
    if "requestType" in value:  # what a customer asked for in a service desk
        return name_of(value.get("requestType"))
    if "ongoingCycle" in value or "completedCycles" in value:
        return _agreement(value)
    if "child" in value and "value" in value:  # an option that depends on another
        return " / ".join(filter(None, (name_of(value), name_of(value.get("child")))))
    if "progress" in value and "total" in value:
        return ""
    if "displayName" in value or "accountId" in value:
        return person(value)
    if ("summary" in value or "fields" in value) and _TICKET_KEY.match(key := one_line(value.get("key"))):
        return key  # of another ticket, which not all may see who see this one
    if one_line(value.get("key")) and one_line(value.get("name")) and "id" in value:
        return f"{one_line(value['name'])} ({one_line(value['key'])})"
    if found := name_of({name: value.get(name) for name in NAMES if name != "id"}):
        return found
    pairs = (
        (one_line(name), words(one, text, depth + 1)) for name, one in value.items() if name not in ("self", "id", "iconUrl")
    )
    return ", ".join(f"{name}: {one}" for name, one in pairs if one)


def _agreement(value: Json) -> str:
    """How a service level agreement stands."""
    ongoing = mapping(value.get("ongoingCycle"))
    if ongoing:
        left = one_line(mapping(ongoing.get("remainingTime")).get("friendly"))
        state = "breached" if ongoing.get("breached") else "running"
        return f"{state}, {left} left" if left else state
    past = mappings(value.get("completedCycles"))
    return "" if not past else "breached" if any(cycle.get("breached") for cycle in past) else "met"
