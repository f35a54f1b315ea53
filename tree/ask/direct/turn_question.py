"""When it is somebody's turn: what a question for the turns of somebody in a rota asks for, "in which weeks is Ada the primary?"."""

from __future__ import annotations

import re
from calendar import day_name
from dataclasses import dataclass, replace
from datetime import date, timedelta

from prompts.language import terms
from prompts.months import IN_ENGLISH, MONTH, number_of, weekday_of
from prompts.regex import regex
from prompts.timespans import MONTHS_OF_QUARTER, QUARTER, days_of_quarter, quarter_of
from prompts.written_days import DAY, day_written, monday_near, monday_of
from tree.ask.direct.rota import RotaRow, last_day
from tree.ask.direct.rota_question import DAYS_OF_WEEK, WEEK, duty_words
from tree.ask.facts.told_facts import readable

WEEKDAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days"
UNITS = "weeks?|days?|dates?|nights?|week-?ends?|evenings?|mornings?|afternoons?|shifts?|turns?|times"
_ASKS = regex(
    rf"\A\W*(?:and |so )?(?:(?:in |on |for |over |at )?(?:which|what) (?P<sort>(?:[\w-]+ ){{0,2}}?)(?:(?P<asked>{UNITS})|(?P<weekday>{WEEKDAYS}))(?! (?:shifts?|turns?|duty|duties)\b)|when(?:['’]s)?(?: is| are| was| were| does| do| did| has| have| had| will)?|how (?:many (?P<counted>(?:[\w-]+ ){{0,2}}?)(?P<unit>{UNITS})(?! (?:shifts?|turns?|duty|duties)\b)|often))\b",
    re.IGNORECASE,
)
_TURNED = regex(  # what makes another question of it
    r"\b(?:not|no|never|neither|nor|without|except|besides|only|both|and|or|with|until|till|since|before|after|between|from|if|why|who|every|each|most|least|first time|second time|third time)\b|n['’]t\b",
    re.IGNORECASE,
)
_NEXT = regex(r"\bnext(?! (?:week|month|quarter|year|night|weekend)\b)", re.IGNORECASE)
_LAST = regex(r"\blast(?! (?:week|month|quarter|year|night|weekend)\b)", re.IGNORECASE)
_PERIOD = regex(
    r"\b(?:in |of |for |during |over )?(?P<which>this|next|last|the) (?P<unit>week|month|quarter|year)\b"
    rf"|\b(?:in|of|for|during) (?P<month>{MONTH})(?: (?P<year>20\d\d))?\b",
    re.IGNORECASE,
)
_NEAR = regex(r"\b(?P<which>today|tonight|tomorrow)\b", re.IGNORECASE)
_YEAR = regex(r"\b(?:in|of|during) (?P<year>20\d\d)\b", re.IGNORECASE)
_OTHER_TIME = regex(rf"\d|\b(?:{MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|christmas|easter)\b", re.IGNORECASE)
_PAST = regex(r"\b(?:was|were|did|had|last|so far|until now)\b", re.IGNORECASE)
_STILL = regex(r"\b(?:still|left|more|remaining|will|from now on)\b", re.IGNORECASE)  # of what is to come
_ON_ROTA = regex(r"\b(?:on|in) (?:the|our|this) (?:[\w-]+ ){0,2}(?:rota|roster|schedule|plan|list)\b", re.IGNORECASE)
_NAME = regex(r"[^\W\d_][\w'’-]+")
_SMALL = frozenset(  # words that say nothing of what is asked for
    "a an the i my me we our you your he she his her it its they their is are was were be been being am do does did has have had will would shall should in on at of for to again then so got down".split()
)
_COMMON = frozenset(
    "day days week weeks may will night turn time shift call long early late".split()
)  # names only with a capital
_ANY_DUTY = frozenset("shift shifts turn turns".split())
_FILLERS = frozenset(
    terms(
        "got get rota roster printed time turn again her his their row slot scheduled planned supposed meant down put assigned so far"
    )
)


@dataclass(frozen=True, slots=True)
class Period:
    """The days that are asked about, both included; of a month without a year that of any year. `weekday`: only rows that begin on such a
    day, 0 for Monday."""

    first: date
    last: date
    month: int = 0
    weekday: int | None = None

    @property
    def in_words(self) -> str:
        on = f" on a {day_name[self.weekday]}" if self.weekday is not None else ""
        if self.month:
            return f"{on} in {IN_ENGLISH[self.month - 1]}"
        if (self.first, self.last) == (date.min, date.max):
            return on
        if self.last == date.max:
            return f"{on} from today on"
        if self.first == date.min:
            return f"{on} until today"
        if self.first == self.last:
            return f" on {readable(self.first.isoformat())}"
        return f"{on} from {readable(self.first.isoformat())} to {readable(self.last.isoformat())}"

    def has(self, row: RotaRow) -> bool:
        ends = last_day(row, row.days)
        if self.weekday not in (None, row.day.weekday()):
            return False
        if self.month:
            return self.month in (row.day.month, ends.month)
        return row.day <= self.last and self.first <= ends


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    """Whose turns, of what, and when."""

    period: Period
    words: frozenset[str]  # terms of what the duty is called, and of whoever is named
    names: frozenset[str]  # words that may be of a name, in small letters
    is_next: bool = False  # only the next one
    is_last: bool = False  # only the last one that there was
    is_count: bool = False  # it is asked how often
    unit: str = ""  # in which turns are counted: "days"


def read_turn_question(text: str, now: date) -> TurnQuestion | None:
    """None where it does not ask when, or something of it is not understood: a negation, a second time, "with Zoe"."""
    asked = _ASKS.match(text)
    if asked is None:
        return None
    rest = f"{asked['sort'] or asked['counted'] or ''}{text[asked.end() :]}"
    if _TURNED.search(rest) is not None:
        return None
    period, left = read_period(rest, now, is_past=_PAST.search(text) is not None)
    is_count = re.match(r"\W*(?:and |so )?how", text, re.IGNORECASE) is not None
    is_of_all = _ON_ROTA.search(rest) is not None or (is_count and not any(one.search(text) for one in (_PAST, _NEXT, _STILL)))
    if left == rest and is_of_all:
        period = Period(date.min, date.max)  # "how often is he down on the rota": all of it
    rest = left
    is_next, is_last = _NEXT.search(rest) is not None, _LAST.search(rest) is not None
    rest = _LAST.sub(" ", _NEXT.sub(" ", rest))
    if _OTHER_TIME.search(rest) is not None or any(
        not terms(word) and word.casefold() not in _SMALL for word in _NAME.findall(rest)
    ):
        return None
    spelt = [word.removesuffix("'s").removesuffix("’s") for word in _NAME.findall(rest)]
    names = frozenset(word.casefold() for word in spelt if word[:1].isupper() or word.casefold() not in _COMMON)
    words = duty_words(rest) - _FILLERS
    if (asked["asked"] or "").casefold() in _ANY_DUTY:
        words |= frozenset(terms("duty"))  # of whatever the rota is of: "which shifts does Gil have?"
    period = replace(period, weekday=weekday_of(asked["weekday"])) if asked["weekday"] else period
    return TurnQuestion(period, words, names, is_next, is_last, is_count, (asked["unit"] or "").casefold()) if words else None


def read_period(text: str, now: date, is_past: bool) -> tuple[Period, str]:
    """What is asked about, and the question without it; without a time all that is to come, or of the past all before."""
    found: Period | None
    if (said := QUARTER.search(text)) is not None and said["year"]:
        found = Period(*days_of_quarter(quarter_of(said), int(said["year"])))
    elif (said := _PERIOD.search(text)) is not None:
        found = _of_unit(said, now)
    elif (said := WEEK.search(text)) is not None:
        number = int(said["number"])
        monday = monday_of(int(said["year"]), number) if said["year"] else monday_near(number, now)
        found = Period(monday, monday + timedelta(days=DAYS_OF_WEEK - 1)) if monday is not None else None
    elif (said := DAY.search(text)) is not None:
        day = day_written(said, now)
        found = Period(day, day) if day is not None else None
    elif (said := _YEAR.search(text)) is not None:
        found = Period(date(int(said["year"]), 1, 1), date(int(said["year"]), 12, 31))
    elif (said := _NEAR.search(text)) is not None:
        day = now + timedelta(days=said["which"].casefold() == "tomorrow")
        found = Period(day, day)
    else:
        found = Period(date.min, now) if is_past else Period(now, date.max)
    if found is None or said is None:
        return found or Period(now, date.max), text
    return found, f"{text[: said.start()]} {text[said.end() :]}"


def _of_unit(said: re.Match[str], now: date) -> Period:
    if said["month"]:
        month, year = number_of(said["month"]), int(said["year"] or 0)
        return Period(*months_from(year, month, 1)) if year else Period(date.min, date.max, month)
    ahead = {"next": 1, "last": -1}.get(said["which"].casefold(), 0)
    match said["unit"].casefold():
        case "week":
            monday = now + timedelta(days=DAYS_OF_WEEK * ahead - now.weekday())
            return Period(monday, monday + timedelta(days=DAYS_OF_WEEK - 1))
        case "year":
            return Period(date(now.year + ahead, 1, 1), date(now.year + ahead, 12, 31))
        case unit:
            many = MONTHS_OF_QUARTER if unit == "quarter" else 1
            return Period(*months_from(now.year, (now.month - 1) // many * many + 1 + many * ahead, many))


def months_from(year: int, month: int, many: int) -> tuple[date, date]:
    """The first and the last day of so many months; `month` may be of the year before or after."""
    first = date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    after = date(year + (month + many - 1) // 12, (month + many - 1) % 12 + 1, 1)
    return first, after - timedelta(days=1)
