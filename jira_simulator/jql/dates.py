"""What a date in a query means: epoch milliseconds, a written date in the account's zone, a step from now, a function."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from zoneinfo import ZoneInfo

from jira_simulator.jql.parse import JqlError, Value

STEP = re.compile(r"([+-]?\d+)([wdhm])")
UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}
FUNCTION_STEP = re.compile(r"([+-]?\d+)([yMwdhm]?)")
FORMS = ("%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M", "%Y-%m-%d", "%Y/%m/%d")
FUNCTIONS = (
    "now", "currentLogin", "lastLogin", "startOfDay", "endOfDay", "startOfWeek", "endOfWeek", "startOfMonth", "endOfMonth",
    "startOfYear", "endOfYear",
)  # fmt: skip


def moment_of(value: Value, field: str, now: dt.datetime, zone: ZoneInfo, truncates_milliseconds: bool) -> dt.datetime:
    """The moment that an operand of `field` names, in UTC. Raises JqlError for what is no date."""
    minute = now.replace(second=0, microsecond=0)
    if value.function:
        return _function(value, minute.astimezone(zone)).astimezone(dt.UTC)
    if not value.quoted and re.fullmatch(r"-?\d+", value.text):
        moment = dt.datetime.fromtimestamp(int(value.text) / 1000, dt.UTC)
        return moment.replace(second=0, microsecond=0) if truncates_milliseconds else moment
    step = _step(value.text)
    if step is not None:
        return minute + step
    for form in FORMS:
        try:
            return dt.datetime.strptime(value.text, form).replace(tzinfo=zone).astimezone(dt.UTC)
        except ValueError:
            continue
    raise JqlError("date", value.text, field)


def is_date_function(name: str) -> bool:
    return name.lower() in {each.lower() for each in FUNCTIONS}


def _step(text: str) -> dt.timedelta | None:
    """A period such as -5d or "4w 2d"; the sign of the first part is that of all."""
    matches = [STEP.fullmatch(each) for each in text.split()]
    found = [each for each in matches if each]
    if not found or len(found) != len(matches):
        return None
    sign = -1 if text.strip().startswith("-") else 1
    return sign * sum((dt.timedelta(**{UNITS[each[2]]: abs(int(each[1]))}) for each in found), dt.timedelta())


def _function(value: Value, local: dt.datetime) -> dt.datetime:
    name = value.text.lower()
    if not is_date_function(name):
        raise JqlError("function", value.text)
    if name in ("now", "currentlogin", "lastlogin"):
        return local
    unit = name.removeprefix("startof").removeprefix("endof")
    start = _start(unit, local)
    count, step = 0, {"day": "d", "week": "w", "month": "M", "year": "y"}[unit]
    if value.arguments:
        match = FUNCTION_STEP.fullmatch(value.arguments[0])
        if match is None:
            raise JqlError("period", value.text, value.arguments[0])
        count, step = int(match[1]), match[2] or step
    if name.startswith("endof"):
        start = _moved(start, 1, {"day": "d", "week": "w", "month": "M", "year": "y"}[unit])
    return _moved(start, count, step)


def _start(unit: str, local: dt.datetime) -> dt.datetime:
    midnight = local.replace(hour=0, minute=0)
    match unit:
        case "week":  # from Monday on
            return midnight - dt.timedelta(days=local.weekday())
        case "month":
            return midnight.replace(day=1)
        case "year":
            return midnight.replace(month=1, day=1)
    return midnight


def _moved(moment: dt.datetime, count: int, unit: str) -> dt.datetime:
    """Months and years are those of the calendar; the day is cut to the last one of its month."""
    if unit in UNITS:
        return moment + dt.timedelta(**{UNITS[unit]: count})
    months = moment.year * 12 + moment.month - 1 + count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))
