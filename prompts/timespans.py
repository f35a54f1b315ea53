"""Times as questions put them: "in May", "since Monday", "between 3 and 10 June 2026", as spans of days."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from prompts.months import IN_ENGLISH, number_of
from prompts.regex import regex

MONTHS = tuple(name.casefold() for name in IN_ENGLISH)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
AHEAD = 60  # days up to which a day without a year is still to come
YEARS_BACK = 9  # in which each day of the calendar has been
FIRST, LAST = date(1970, 1, 1), date(9999, 12, 31)

_MONTH = "(?P<{0}month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DATE = (
    r"(?:(?P<{0}iso>\d{{4}}-\d\d-\d\d)|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?(?P<{0}day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? "
    + _MONTH
    + r"(?:,? (?P<{0}year>\d{{4}}))?)"
)
_MONTH_FIRST = (  # "November 3rd", "Nov 3, 2026"; "in November 12 tickets" is no day
    _MONTH.replace("{0}month", "{0}mmonth")
    + r"\.? (?P<{0}mday>\d{{1,2}})(?:(?:st|nd|rd|th)(?:,? (?P<{0}myear>\d{{4}}))?|,? (?P<{0}nyear>\d{{4}})|(?=\W*\Z|[?!.,;]| (?:and|to|until|till|about|on|for|by|in|at|with|the)\b))"
)
_POINT = (
    r"(?:"
    + _DATE
    + r"|"
    + _MONTH_FIRST
    + r"|(?P<{0}named>today|tonight|this (?:morning|afternoon|evening)|yesterday|(?:last |this )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))"
    r"|" + _MONTH.replace("{0}month", "{0}alone") + r"(?: (?P<{0}ayear>\d{{4}}))?|(?P<{0}only>(?:19|20)\d\d))\b"
)


_ORDINALS = ("first", "second", "third", "fourth")
MONTHS_OF_QUARTER = 3
QUARTER = regex(
    rf"\b(?:(?:in|from|of|for|during) )?(?:the )?(?:(?P<name>{'|'.join(_ORDINALS)}|last(?= quarter,? (?:of )?20\d\d)) quarter|[qQ](?P<number>[1-4])\b)(?:,? (?:of )?(?P<year>20\d\d))?(?: ?/ ?(?P<after>20\d\d))?",
    re.IGNORECASE,
)
NOW_WORDS = "right now|just now|at the moment|at this moment|at present|these days|as of now|currently"  # said of what holds, behind a question
_PARTS = ("iso", "day", "month", "year", "mday", "mmonth", "myear", "nyear", "named", "alone", "ayear", "only")


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `first` to `last`, both included, and where in the text that is said: [start, end)."""

    first: date
    last: date
    start: int
    end: int
    words: str

    def has(self, moment: str) -> bool:
        """Whether an ISO 8601 time or date lies in it."""
        return self.first.isoformat() <= moment[:10] <= self.last.isoformat()


def find_span(text: str, today: date) -> Span | None:
    """The first time that a question names; None where it names none. Days without a year are the last such before `today`."""
    low = text.casefold()
    for pattern, read in _RULES:
        if (match := pattern.search(low)) is not None and (found := read(match, today)) is not None:
            if text[match.start() : match.end()] in ("may", "march"):  # a word of another kind
                continue
            first, last = found
            return Span(first, last, match.start(), match.end(), text[match.start() : match.end()].strip())
    return None


def _point(match: re.Match[str], prefix: str, today: date) -> tuple[date, date] | None:
    """First and last day of a point in time: a day, a month, a year."""
    part = {name: match.group(f"{prefix}{name}") for name in _PARTS}
    try:
        if part["iso"]:
            day = date.fromisoformat(part["iso"])
            return day, day
        if part["day"] and part["month"]:
            day = _dated(int(part["day"]), number_of(part["month"]), int(part["year"]) if part["year"] else None, today)
            return day, day
        if part["mday"] and part["mmonth"]:
            if short := _short_year(match, prefix, today):
                return _whole_month(number_of(part["mmonth"]), short, today)
            year = part["myear"] or part["nyear"]
            day = _dated(int(part["mday"]), number_of(part["mmonth"]), int(year) if year else None, today)
            return day, day
        if part["named"]:
            return _named(part["named"], today)
        if part["alone"]:
            return _whole_month(number_of(part["alone"]), int(part["ayear"]) if part["ayear"] else None, today)
        if part["only"]:
            return date(int(part["only"]), 1, 1), date(int(part["only"]), 12, 31)
    except ValueError:  # 31 June
        return None
    return None


def _short_year(match: re.Match[str], prefix: str, today: date) -> int:
    """The year of "in December 26", where that is no day: a year of these, and nothing behind it."""
    number = int(match[f"{prefix}mday"])
    before = match.string[: match.start(f"{prefix}mmonth")].split()[-1:]
    is_bare = not (match[f"{prefix}myear"] or match[f"{prefix}nyear"]) and match.string[match.end(f"{prefix}mday") :][:2] not in (
        "st",
        "nd",
        "rd",
        "th",
    )
    return 2000 + number if before == ["in"] and is_bare and abs(2000 + number - today.year) <= 3 else 0


def _dated(day: int, month: int, year: int | None, today: date) -> date:
    if year is not None:
        return date(year, month, day)
    years = range(today.year, today.year - YEARS_BACK, -1)
    found = (this for year in years if (this := day_of(year, month, day)) is not None and this <= today + timedelta(days=AHEAD))
    if (latest := next(found, None)) is None:
        raise ValueError(f"no year has a day {day} in month {month}")
    return latest


def day_of(year: int, month: int, day: int) -> date | None:
    """None where that year has no such day: 29 February."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _whole_month(month: int, year: int | None, today: date) -> tuple[date, date]:
    if year is None:
        year = today.year if month <= today.month else today.year - 1
    after = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), after - timedelta(days=1)


def _named(word: str, today: date) -> tuple[date, date]:
    if word in ("today", "tonight") or word.startswith("this ") and word.split()[-1] not in DAYS:
        return today, today
    if word == "yesterday":
        return today - timedelta(days=1), today - timedelta(days=1)
    back = (today.weekday() - DAYS.index(word.split()[-1])) % 7
    day = today - timedelta(days=back or (7 if word.startswith("last") else 0))
    return day, day


def _period(match: re.Match[str], today: date) -> tuple[date, date] | None:
    which, unit = match.group("which"), match.group("unit")
    number = int(match.group("number") or 1)
    monday = today - timedelta(days=today.weekday())
    if match.group("number"):
        days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit] * number
        return today - timedelta(days=days), today
    if unit == "week":
        return (monday, today) if which == "this" else (monday - timedelta(days=7), monday - timedelta(days=1))
    if unit == "month":
        first = today.replace(day=1)
        before = first - timedelta(days=1)
        return (first, today) if which == "this" else (before.replace(day=1), before)
    if unit == "year":
        return (
            (today.replace(month=1, day=1), today)
            if which == "this"
            else (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31))
        )
    return today - timedelta(days=1), today


def _between(match: re.Match[str], today: date) -> tuple[date, date] | None:
    one, other = _point(match, "a", today), _point(match, "b", today)
    return (one[0], other[1]) if one and other and one[0] <= other[1] else None


def _within_month(match: re.Match[str], today: date) -> tuple[date, date] | None:
    """ "between 3 and 10 June": the month and the year are told of the last day alone."""
    point, first = _point(match, "b", today), int(match.group("first") or match.group("first_dash"))
    if point is None or not match.group("bday") or not 1 <= first <= point[1].day:
        return None
    return point[1].replace(day=first), point[1]


def quarter_of(match: re.Match[str]) -> int:
    """The number of what `QUARTER` found, from 1 to 4."""
    if match["number"]:
        return int(match["number"])
    name = match["name"].casefold()
    return _ORDINALS.index(name) + 1 if name in _ORDINALS else len(_ORDINALS)


def days_of_quarter(number: int, year: int) -> tuple[date, date]:
    """The first and the last day of a quarter, from 1 to 4."""
    last = number * MONTHS_OF_QUARTER
    return date(year, last - MONTHS_OF_QUARTER + 1, 1), date(year, last, monthrange(year, last)[1])


def _quarter(match: re.Match[str], today: date) -> tuple[date, date] | None:
    """Of a year that is named: without one, "Q4" is as often what a thing is called."""
    return days_of_quarter(quarter_of(match), int(match["year"])) if match["year"] else None


def _since(match: re.Match[str], today: date) -> tuple[date, date] | None:
    point = _point(match, "a", today)
    return (point[0], LAST) if point else None


def _after(match: re.Match[str], today: date) -> tuple[date, date] | None:
    point = _point(match, "a", today)
    return (point[1] + timedelta(days=1), LAST) if point and point[1] < LAST else None


def _before(match: re.Match[str], today: date) -> tuple[date, date] | None:
    point = _point(match, "a", today)
    return (FIRST, point[0] - timedelta(days=1)) if point and point[0] > FIRST else None


def _to_end(match: re.Match[str], today: date) -> tuple[date, date] | None:
    point = _point(match, "a", today)
    return (FIRST, point[1]) if point else None


def _in(match: re.Match[str], today: date) -> tuple[date, date] | None:
    return _point(match, "a", today)


_Read = Callable[[re.Match[str], date], "tuple[date, date] | None"]
_NTH = "(?:st|nd|rd|th)?"
_A, _B = _POINT.format("a"), _POINT.format("b")
_RULES: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (regex(rf"\b(?:between|from) {_A} (?:and|to|until) {_B}"), _between),
    (regex(rf"\b(?:(?:between|from) (?:the )?(?P<first>\d{{1,2}}){_NTH} (?:and|to|until) |(?P<first_dash>\d{{1,2}}){_NTH} ?[-–] ?){_B}"), _within_month),
    (regex(rf"\bsince {_A}"), _since),
    (regex(rf"\bafter {_A}"), _after),
    (regex(rf"\b(?:before|until|till|by|up to|at) (?:the )?end of {_A}"), _to_end),
    (regex(rf"\b(?:before|until|by|up to) {_A}"), _before),
    (regex(r"\b(?:in the |within the )?(?P<which>this|last|past|previous) (?:(?P<number>\d{1,3}) )?(?P<unit>day|week|month|year)s?\b"), _period),
    (QUARTER, _quarter),
    (regex(rf"\b(?:in|on|during|of|as of|at)(?: the)? {_A}"), _in),
    (regex(rf"\b{_A.replace('(?P<aonly>(?:19|20)', '(?P<aonly>(?!)')}"), _in),
)  # fmt: skip
