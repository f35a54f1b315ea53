"""Cells of tables that hold a value, an amount or a date, and not the name of something."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from prompts.extractive.dates import days
from prompts.regex import regex

_AMOUNT = regex(r"[€$£]? ?\d[\d.,:]*\d?(?: ?(?P<unit>[A-Za-z]+|[%€$£]))?\Z")
_STROKES = regex(r"(\d{1,2})/(\d{1,2})/((?:19|20)?\d\d)")
DATE, NUMBER = "date", ""
MONTHS, FIRST_OF_LAST_CENTURY = 12, 50  # "17/11/56" is a day of birth


def in_iso(column: Sequence[str]) -> list[str]:
    """The cells of a column, dates with strokes as ISO 8601 where the column shows whether the day or the month comes first: "17/11/2026"."""
    parts = [match for cell in column if (match := _STROKES.fullmatch(cell)) is not None]
    firsts, seconds = (max((int(match[at]) for match in parts), default=0) for at in (1, 2))
    filled = sum(any(map(str.isalnum, cell)) for cell in column)
    if len(parts) < max(1, filled) or (firsts > MONTHS) == (seconds > MONTHS):
        return list(column)
    is_day_first = firsts > MONTHS
    return [_iso(match, is_day_first) if (match := _STROKES.fullmatch(cell)) else cell for cell in column]


def _iso(match: re.Match[str], is_day_first: bool) -> str:
    day, month = (match[1], match[2]) if is_day_first else (match[2], match[1])
    try:
        year = int(match[3])
        year += 0 if len(match[3]) > 2 else 2000 if year < FIRST_OF_LAST_CENTURY else 1900
        return date(year, int(month), int(day)).isoformat()
    except ValueError:  # 31/02/2026
        return match.group()


def kind_of_value(cell: str) -> str | None:
    """Its unit, nothing for a plain number, a date; None of what is no value."""
    cell = cell.strip("*~ ")
    if (match := _AMOUNT.match(cell)) is not None and not days(cell):
        return (match["unit"] or NUMBER).casefold()
    return DATE if cell[:1].isdigit() and days(cell) else None
