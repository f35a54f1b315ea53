"""Cells of tables that hold a value, an amount or a date, and not the name of something."""

from __future__ import annotations

from prompts.extractive.dates import days
from prompts.regex import regex

_AMOUNT = regex(r"[€$£]? ?\d[\d.,:]*\d?(?: ?(?P<unit>[A-Za-z]+|[%€$£]))?\Z")
DATE, NUMBER = "date", ""


def kind_of_value(cell: str) -> str | None:
    """Its unit, nothing for a plain number, a date; None of what is no value."""
    cell = cell.strip("*~ ")
    if (match := _AMOUNT.match(cell)) is not None and not days(cell):
        return (match["unit"] or NUMBER).casefold()
    return DATE if cell[:1].isdigit() and days(cell) else None
