"""Days as they are written, and weeks by their number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from prompts.months import IN_ENGLISH, MONTH, number_of
from prompts.regex import regex
from prompts.timespans import day_of

DAY = regex(
    r"(?<![\d.,/])(?:(?P<year>\d{4})-(?P<number>\d\d)-(?P<iso>\d\d)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{MONTH})\.?(?:,? (?P<of>\d{{4}}))?"
    r"|(?P<d>\d{1,2})(?:/(?P<m>\d{1,2})|\.(?P<dotted>\d{1,2})\.)(?:(?<=\.)(?P<y>(?:20)?\d\d)|/(?P<slashed>(?:20)?\d\d))?)(?![\d/])",
    re.IGNORECASE,
)
WEEK_WORD = "(?:week|wk|kw|cw|kalenderwoche|semaine)"  # before its number


def nearest(month: int, day: int, near: date) -> date | None:
    """The day of that name nearest to another; None where no year around it has one."""
    return _nearest((day_of(year, month, day) for year in _years_around(near)), near)


def monday_near(week: int, near: date) -> date | None:
    """The Monday of an ISO week, of the year in which it is nearest."""
    return _nearest((monday_of(year, week) for year in _years_around(near)), near)


def _years_around(near: date) -> range:
    return range(near.year - 1, near.year + 2)


def _nearest(days: Iterable[date | None], near: date) -> date | None:
    return min((one for one in days if one is not None), key=lambda one: abs((one - near).days), default=None)


def monday_of(year: int, week: int) -> date | None:
    """None where that year has no such week: not every year has a week 53."""
    try:
        return date.fromisocalendar(year, week, 1)
    except ValueError:
        return None


def days_named(text: str, near: date) -> Iterator[date]:
    """The days that a text names; one without a year is that which is nearest."""
    return (day for match in DAY.finditer(text) if (day := day_written(match, near)) is not None)


def day_written(match: re.Match[str], near: date) -> date | None:
    """A day as it is written; one without a year that which is nearest. In digits the day stands before the month, where both may be."""
    if match["year"]:
        return day_of(int(match["year"]), int(match["number"]), int(match["iso"]))
    if match["month"]:
        month, day, year = number_of(match["month"]), int(match["day"]), match["of"]
    else:
        day, month = int(match["d"]), int(match["m"] or match["dotted"])
        year = match["y"] or match["slashed"]
        if month > len(IN_ENGLISH):
            day, month = month, day
    if year:
        return day_of(int(year) + 2000 * (len(year) == 2), month, day)
    return nearest(month, day, near)
