"""Dates as they are written in titles and sentences, to tell the newer statement from the older."""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from prompts.language import terms
from prompts.months import IN_ENGLISH, MONTH, number_of
from prompts.question import Word
from prompts.regex import regex

_NAME = rf"({MONTH})\.?"
_NUMBERS = regex(r"(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?((?:19|20)\d\d)(?!\d)")  # 18.5.2026, as in German
_ISO = regex(r"(?<!\d)((?:19|20)\d\d)[-/_.]?(0[1-9]|1[0-2])(?:[-/_.]?(0[1-9]|[12]\d|3[01]))?(?!\d)")
_DAY_FIRST = regex(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|\.)?(?: of)? {_NAME},? ((?:19|20)\d\d)\b", re.IGNORECASE)
_MONTH_FIRST = regex(rf"\b{_NAME} (\d{{1,2}})(?:st|nd|rd|th)?,? ((?:19|20)\d\d)\b", re.IGNORECASE)
_MONTH_YEAR = regex(rf"\b{_NAME},? ((?:19|20)\d\d)\b", re.IGNORECASE)

SHORT_TEXT = 30  # characters of a cell that begins with a day of which the year has two digits
_SHORT_YEAR = regex(
    rf"\W*(?:(?P<day>\d{{1,2}})(?P<mark>[./])(?P<month>\d{{1,2}})(?P=mark)(?P<year>\d\d)|(?P<first>\d{{1,2}})\.? (?P<name>{MONTH})\.? (?P<of>\d\d))(?![\d./:-])"
)


class Day(NamedTuple):
    """A day, or a month where the day is 0."""

    year: int
    month: int
    day: int = 0

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")

    @property
    def in_words(self) -> str:
        return " ".join(filter(None, (str(self.day) if self.day else "", IN_ENGLISH[self.month - 1], str(self.year))))


def days(text: str) -> list[Day]:
    """Every date with at least a year and a month, in no particular order. A year has four digits, but where a short text, as the cell of
    a table, begins with the date: "9.12.26", "10 Dec 26"."""
    if len(text) <= SHORT_TEXT and (short := _short_year(text)) is not None:
        return [short]
    text = text[:20_000]
    if "19" not in text and "20" not in text:  # no year
        return []
    found = [Day(int(y), int(m), int(d or 0)) for y, m, d in _ISO.findall(text)]
    found += [Day(int(y), number_of(m), int(d)) for d, m, y in _DAY_FIRST.findall(text)]
    found += [Day(int(y), int(m), int(d)) for d, m, y in _NUMBERS.findall(text) if 1 <= int(m) <= 12]
    found += [Day(int(y), number_of(m), int(d)) for m, d, y in _MONTH_FIRST.findall(text)]
    exact = {day[:2] for day in found}
    months = [Day(int(y), number_of(m)) for m, y in _MONTH_YEAR.findall(text)]
    return [day for day in found if day.day <= 31] + [month for month in months if month[:2] not in exact]


def _short_year(text: str) -> Day | None:
    """The day that a text begins with; in digits the day stands before the month, where both may be."""
    if (match := _SHORT_YEAR.match(text)) is None:
        return None
    day, month = (int(match["day"]), int(match["month"])) if match["day"] else (int(match["first"]), number_of(match["name"]))
    day, month = (month, day) if month > len(IN_ENGLISH) else (day, month)
    if not (1 <= month <= len(IN_ENGLISH) and 1 <= day <= 31):
        return None
    return Day(2000 + int(match["year"] or match["of"]), month, day)


_SHORT_WEEKDAY = regex(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b(?=[ ,.]{0,2}(?:\d|-|–))")
_WEEKDAYS = {terms(name)[0]: name[:3] for name in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")}
_TERMS = {terms(name)[0]: at for at, name in enumerate(IN_ENGLISH, 1) if terms(name)}


_CHRISTMAS = frozenset(terms("christmas xmas weihnachten weihnacht noël"))
_CHRISTMAS_DAY = regex(
    r"(?<![\d.,])(?P<day>2[4-6])(?:st|nd|rd|th|\.)?(?: of)? (?:Dec(?:ember)?|Dez(?:ember)?)\b"
    r"|\b(?:Dec(?:ember)?|Dez(?:ember)?)\.? (?P<behind>2[4-6])(?:st|nd|rd|th)?\b|-12-(?P<iso>2[4-6])\b|(?<![\d.])(?P<german>2[4-6])\.12\."
)


def with_months(words: Sequence[Word], text: str) -> list[Word]:
    """The words of a question, its months as a text has them in its dates, "2026-07-17" is in July, its weekdays as "Sat", Christmas as
    "24 December"."""
    asked = {word.whole for word in words if word.whole in _TERMS}
    there = {day.month for day in days(text)} if asked else set()
    as_there = {term: f"{number:02d}" for term, number in _TERMS.items() if number in there}
    if any(word.whole in _WEEKDAYS for word in words):
        short = set(_SHORT_WEEKDAY.findall(text))
        as_there |= {term: name.casefold() for term, name in _WEEKDAYS.items() if name in short}
    if any(word.whole in _CHRISTMAS for word in words) and (written := _CHRISTMAS_DAY.search(text)) is not None:
        day = next(filter(None, written.groups()))
        as_there |= {term: terms(written.group())[0] if written["german"] else day for term in _CHRISTMAS}
    return [replace(word, others=(*word.others, as_there[word.whole])) if word.whole in as_there else word for word in words]


_YEAR = regex(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d%€$£]|[.,]\d)")
_ANY_YEAR = regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_OVER_YEARS = regex(  # what is said of more than one year, or of another than the one that stands there
    r"\b(?:since|until|till|through|seit|bis)(?: [\w.,]+){0,4}? (?:19|20)\d\d\b|\b(?:onwards?|last year|next year|previous year|(?:years?|seasons?) (?:before|ago|after|later)|every year|each year|yearly|annual(?:ly)?)\b"
    r"|\b(?:19|20)\d\d ?(?:[-–—/]|to|and|or) ?(?:(?:19|20)?\d\d)\b",
    re.IGNORECASE,
)


@lru_cache(16)  # asked for each leaf that is read
def years_asked(question: str) -> frozenset[str]:
    return frozenset(_YEAR.findall(question))


def is_of_another_year(asked: Set[str], said: str, above: Sequence[str]) -> bool:
    """Whether what is said is of other years than those asked for: by those that stand in it, or in the nearest of the titles above it
    that has any. Not what is said of longer times: fares of 2026 are none of 2024, but who came in 2019 was there."""
    if not asked or _OVER_YEARS.search(said):
        return False
    there = next((found for text in (said, *above) if (found := set(_ANY_YEAR.findall(text)))), set())
    return bool(there) and asked.isdisjoint(there)


_OF_MEETING = regex(  # "what did the board meeting of 17 June decide"
    rf"\b(?:meeting|minutes|session|assembly|retrospective|retro|protocol|sitzung|protokoll)\b(?: [\w-]+){{0,2}}?,? (?:of|on|from|in|vom|am|im) (?:the )?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? )?(?P<month>{MONTH})\b(?: (?P<behind>\d{{1,2}})(?:st|nd|rd|th)?\b(?! ?\d))?",
    re.IGNORECASE,
)
_DAY_OF_MONTH = regex(
    rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{MONTH})\b|\b(?P<first>{MONTH}) (?P<behind>\d{{1,2}})\b",
    re.IGNORECASE,
)

_NEXT_MEETING = regex(
    r"\b(?:next|following|nächste)(?: (?:meeting|one|time|session|date|sitzung|treffen)\b|:)[^\n]*", re.IGNORECASE
)


def is_of_another_meeting(question: str, titles: Sequence[str], text: str) -> bool:
    """Whether a question is of a meeting by its day or its month, and what these titles stand above is dated otherwise; not where the
    text says that day itself: "as agreed on 17 June"."""
    asked = _OF_MEETING.search(question)
    told = [day for title in titles for day in days(title)] if asked is not None else []
    if asked is None or not told:
        return False
    month, number = number_of(asked["month"]), int(asked["day"] or asked["behind"] or 0)
    if any(day.month == month and (not number or day.day in (0, number)) for day in told):
        return False
    said = (
        (number_of(one["month"] or one["first"]), int(one["day"] or one["behind"]))
        for one in _DAY_OF_MONTH.finditer(_NEXT_MEETING.sub("", text))
    )
    return not any(there == month and number in (0, day) for there, day in said)


_BACK = {"today": 0, "this morning": 0, "tonight": 0, "yesterday": 1, "last night": 1}  # days before somebody says so
_SAID_DAY = regex(rf"\b(?:{'|'.join(_BACK)})\b", re.IGNORECASE)


def day_meant(said: str, written: str) -> tuple[Day, str] | None:
    """The day that "yesterday" or "today" means in words written on a day (2026-04-28), and that word; None where it is
    neither, or both."""
    found = {match.group().casefold() for match in _SAID_DAY.finditer(said)}
    if len({_BACK[word] for word in found}) != 1:
        return None
    word = sorted(found)[0]
    meant = date.fromisoformat(written[:10]) - timedelta(days=_BACK[word])
    return Day(meant.year, meant.month, meant.day), word


def stated_on(said: str, headings: tuple[str, ...]) -> Day | None:
    """When something was said: by the title it stands under, the nearest first, else by the sentence itself."""
    for heading in reversed(headings):
        if found := days(heading):
            return max(found)
    return max(days(said), default=None)
