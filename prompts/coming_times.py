"""Times as deadlines put them: "by Friday", "next week", "in the next ten days", which lie ahead where other dates lie behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from prompts.regex import regex
from prompts.timespans import DAYS, FIRST, MONTHS, Span, find_span

SOON = 14  # days
AHEAD = timedelta(days=120)  # a month or a day without a year is the coming one where it is no further than about this
_NUMBERS = {"few": 3, "couple": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_DAY = "|".join(DAYS)
_BEHIND = regex(r"\b(?:last|past|previous|since|ago|yesterday|so far|was|were|did|had|ended|expired|lapsed|ran)\b")
_UNTIL_DAY = regex(r"(?:by|until|up to)\b[^\d\n]{0,20}\d", re.IGNORECASE)
_FROM_NOW = regex(r"\b(?:between|from) (?:now|today)(?: on)? (?:and|to|until|till) ", re.IGNORECASE)
MOST_BEFORE = 12  # characters before a time, "the end of "
_END_OF = " end of "  # which is a day already
_UNTIL = r"(?P<until>by|until|till|before|up to|not later than)?"

_Read = Callable[[re.Match[str], date], "tuple[date, date]"]


@lru_cache(maxsize=64)  # a question is read for each table that it may mean
def find_coming(text: str, today: date) -> Span | None:
    """The first time that a question for deadlines names, as days; None where it names none.

    A day of the week is the next one, today included; a month or a day without a year is the nearest, rather the coming one.
    """
    if (from_now := _FROM_NOW.search(text)) is not None:
        until = _named(text[from_now.end() :], today)
        if until is None or until.start > MOST_BEFORE or until.last < today:
            return None
        start, end = from_now.start(), from_now.end() + until.end
        return Span(today, until.last, start, end, text[start:end].strip())
    return _named(text, today)


def find_times(text: str, today: date) -> tuple[Span | None, Span | None]:
    """The time that a question names, where it is over, and where it lies ahead; of "between now and the end of March" the month is only
    the end."""
    behind, ahead = find_span(text, today), find_coming(text, today)
    if behind is not None and ahead is not None and ahead.start < behind.start and behind.end <= ahead.end:
        behind = None
    return behind, ahead


def _named(text: str, today: date) -> Span | None:
    low = text.casefold()
    for pattern, read in _RULES:
        if (match := pattern.search(low)) is not None:
            first, last = read(match, today)
            return Span(first, last, match.start(), match.end(), text[match.start() : match.end()].strip())
    span = find_span(text, today if _BEHIND.search(low) else today + AHEAD)
    if span is not None and _UNTIL_DAY.match(span.words) and _END_OF not in span.words.casefold():
        return replace(span, last=span.last + timedelta(days=1))  # what has to be done by a day may be done on it
    return span


def _day(match: re.Match[str], today: date) -> tuple[date, date]:
    word = match["day"]
    ahead = {"today": 0, "tonight": 0, "tomorrow": 1}.get(word)
    if ahead is None:
        ahead = (DAYS.index(word) - today.weekday()) % 7
        ahead += 7 if match["next"] and not ahead else 0
    return _until(match, today + timedelta(days=ahead), today + timedelta(days=ahead))


def _end(match: re.Match[str], today: date) -> tuple[date, date]:
    _, last = _whole(match["unit"], today, is_next=(match["next"] or "").startswith("next"))
    return FIRST, last


def _unit(match: re.Match[str], today: date) -> tuple[date, date]:
    return _until(match, *_whole(match["unit"], today, is_next=match["next"] != "this"))


def _month(match: re.Match[str], today: date) -> tuple[date, date]:
    """The next such month that has not begun."""
    number = MONTHS.index(match["month"]) + 1
    first = date(today.year + (number <= today.month), number, 1)
    after = date(first.year + number // 12, number % 12 + 1, 1)
    return _until(match, first, after - timedelta(days=1))


def _some(match: re.Match[str], today: date) -> tuple[date, date]:
    said = match["number"] or "1"
    number = int(said) if said.isdigit() else _NUMBERS[said]
    return today, today + timedelta(days=number * {"day": 1, "week": 7, "month": 30}[match["unit"]])


def _soon(match: re.Match[str], today: date) -> tuple[date, date]:
    return today, today + timedelta(days=SOON)


def _feast(match: re.Match[str], today: date) -> tuple[date, date]:
    """The next Christmas Day or New Year's Day."""
    month, day = (12, 25) if match["feast"].startswith(("christmas", "xmas")) else (1, 1)
    coming = date(today.year, month, day)
    coming = coming if coming >= today else date(today.year + 1, month, day)
    return _until(match, coming, coming)


def _until(match: re.Match[str], first: date, last: date) -> tuple[date, date]:
    if not match["until"]:
        return first, last
    return FIRST, first - timedelta(days=1) if match["until"] == "before" else last


def _whole(unit: str, today: date, *, is_next: bool) -> tuple[date, date]:
    """The week, month, quarter or year of today, or the one after it."""
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * is_next)
        return monday, monday + timedelta(days=6)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    begun = today.year * 12 + (today.month - 1) // months * months + months * is_next
    first = date(begun // 12, begun % 12 + 1, 1)
    after = begun + months
    return first, date(after // 12, after % 12 + 1, 1) - timedelta(days=1)


_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})(?: of)?"
_RULES: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (regex(r"\b(?:by |until |till |before |at )?(?:the )?end of (?:the )?(?P<next>this |next )?(?P<unit>week|month|quarter|year)\b"), _end),
    (regex(rf"\b(?:in |within |over |during )?(?:the )?(?:next|coming) {_NUMBER} (?P<unit>day|week|month)s?\b"), _some),
    (regex(rf"\bwithin (?:the )?(?:{_NUMBER} |an? )(?P<unit>day|week|month)s?\b"), _some),
    (regex(rf"\b(?:{_UNTIL} )?(?:in |within |during )?(?:the )?(?P<next>this|next|coming) (?P<unit>week|month|quarter|year)\b"), _unit),
    (regex(rf"\b(?:{_UNTIL} )?(?:in |during )?(?:next|coming) (?P<month>{'|'.join(MONTHS)})\b"), _month),
    (regex(rf"\b(?:{_UNTIL} )?(?:on |for )?(?:(?P<next>next )|this |coming )?(?P<day>today|tonight|tomorrow|{_DAY})\b"), _day),
    (regex(r"\b(?:soon|shortly|coming up|upcoming)\b"), _soon),
    (regex(rf"\b(?:{_UNTIL} )?(?:over |at |on |for )?(?P<feast>christmas(?: day)?|xmas|new year(?:['’]?s(?: day)?)?)\b(?! [a-z])"), _feast),
)  # fmt: skip
