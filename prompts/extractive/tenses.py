"""Of which time a sentence tells: of now, of a time that is over, of what has changed since, of a month as a whole."""

from __future__ import annotations

import re
from datetime import date

from prompts.extractive.dates import Day, days
from prompts.months import MONTH, number_of
from prompts.regex import regex
from prompts.timespans import Span, find_span
from prompts.written_days import DAY, day_written

_MONTH = regex(rf"(?<!\w)(?<!\d )(?<!\d\. )(?<!\dth )({MONTH})(?! \d{{1,2}}\b)", re.IGNORECASE)  # as a whole, no day of it
TASK = regex(  # what somebody has to do by a day: "Petra: tell customers by 27 November"
    r"\W*(?:\[[ xX]\] ?)?(?P<who>(?!(?:decision|decided|agreed|note|update)\b)(?-i:[A-ZÀ-Þ])[\w.'’-]+(?: (?-i:[A-ZÀ-Þ])[\w'’-]+)?): (?P<does>(?!(?:we|i|it|the|a|this|that|there)\b)(?-i:[a-z])\w+)\b.*"
    rf"\b(?:by|until|till|bis|before)\b[^.;:]{{0,20}}(?:\d|{MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
    re.IGNORECASE,
)
_MOVED = regex(  # what held before is over
    r"\b(?:mov(?:ed?|ing) (?:it |this |that )?(?:on |back )?(?:to|until|by)|postponed|put (?:off|back)|brought forward|rescheduled|"
    r"new (?:date|day|time|appointment|slot|deadline|price|owner|limit|budget|number|lead)|chang(?:ed?|es|ing) (?:it )?(?:to|from)|instead of|rather than|no longer|takes? over|took over|handed over|"
    r"(?:raised|lowered|increased|reduced|cut|set) (?:from|to))\b",
    re.IGNORECASE,
)
_AT_THAT_TIME = regex(
    r"\b(?:during|in) the (?:pilot|trial|rehearsal|beta|prototype|first (?:phase|version|release))\b|\b(?:used to|at (?:the|that) time|back then|in those days"
    r"|until (?:then|now|recently)|formerly|previously|originally|initially)\b"
    r"|\b(?:was|were) (?:first |only )?(?:announced|planned|meant|supposed|foreseen) (?:for|to be)\b"
    r"|\b(?:is|are|was|were|been|gets?|got) (?:dropped|waived|abolished|scrapped|cancelled|canceled|withdrawn|discontinued|lifted|void)\b",
    re.IGNORECASE,
)
_OF_OLD = regex(
    r"\b(?:called|named|known as|was|were|had|formerly|previously)\b[^.;()\n]{0,60}\Z", re.IGNORECASE
)  # another name, an earlier state
_TO = regex(r" (?:to|until|till|bis|au|[-–—]) ")
_VALID_UNTIL = regex(r"\bvalid (?:only )?(?:until|till|through)\b(?P<day>[^.;\n]{3,30}(?:\.\d{1,2}\.\d{4})?)", re.IGNORECASE)
_ENDED = regex(
    r"\b(?:until|till|through|(?:ends?|expires?|expired) on|up to and including|bis|jusqu['’]au)\b(?P<day>[^.;\n]{3,30})",
    re.IGNORECASE,
)
_BEGINS = regex(r"\b(?:from|as of|starting|effective|beginning|ab|à partir du)\b(?P<day>[^.;\n]{3,30})", re.IGNORECASE)
_ASKS_TIME = regex(r"\b(?:when|until|till|since|from|as of|how long|wann|bis|seit|quand|jusqu|depuis)\b", re.IGNORECASE)
_ASKS_SPAN = regex(r"\b(?:until|till|since|from|as of|how long|expire|bis|seit|depuis|jusqu)\b", re.IGNORECASE)
_PAST_TENSE = regex(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
_OF_BEFORE = regex(r"\b(?:previous|former|prior)\b(?! to\b)", re.IGNORECASE)  # "previous status of BUOY-3?"
_PRESENT_TENSE = regex(r"\b(?:is|are|am|do|does|has|have|can|may|must|will|(?:what|who|where|when|how)['’]?s)\b", re.IGNORECASE)


def is_asked_of_now(question: str) -> bool:
    return bool(_PRESENT_TENSE.search(question)) and not _PAST_TENSE.search(question)


def is_over(text: str) -> bool:
    """Whether a sentence tells of what is over: "during the pilot", "the fee is dropped"."""
    return _AT_THAT_TIME.search(text) is not None


def asks_how_things_are(question: str) -> bool:
    """Whether a question asks of now, with or without a verb, and neither for a time nor of before: "deputy of Quay", "who leads Pier?"."""
    return not (_ASKS_TIME.search(question) or _PAST_TENSE.search(question) or _OF_BEFORE.search(question) or days(question))


def time_not_now(question: str, text: str, today: date) -> str:
    """What a text says of the time in which it holds, "until 31 July 2026", where that is over or still to come and the question asks
    how things are; empty where it does not, or names several times."""
    if not asks_how_things_are(question):
        is_valid = not _PAST_TENSE.search(question) and not _ASKS_SPAN.search(question) and not days(question)
        ended = [(one, day) for one in _VALID_UNTIL.finditer(text) for day in _first_day(one["day"])] if is_valid else []
        over = [one for one, day in ended if (day.year, day.month, day.day or 31) < (today.year, today.month, today.day)]
        return " ".join(over[0].group().split()).strip(" *_,()") if over else ""
    ended, begins = (
        [(one, day) for one in form.finditer(text) if not _OF_OLD.search(text, 0, one.start()) for day in _first_day(one["day"])]
        for form in (_ENDED, _BEGINS)
    )
    if not ended and not begins:
        return _ended_without_year(text, today)
    if len(ended) + len(begins) != 1:
        return ""
    now = (today.year, today.month, today.day)
    over = [one for one, day in ended if (day.year, day.month, day.day or 31) < now]
    coming = [one for one, day in begins if (day.year, day.month, day.day or 1) > now]
    return next((" ".join(one.group().split()).strip(" *_,()") for one in (*over, *coming)), "")


def _ended_without_year(text: str, today: date) -> str:
    """What a text says of when it ends, "until 31 August", where that day, the nearest so called, is past; empty where it says several."""
    ended = _ENDED.search(text)
    named = DAY.search(text, ended.start("day"), ended.end("day")) if ended is not None else None
    if ended is None or named is None or _OF_OLD.search(text, 0, ended.start()) or _ENDED.search(text, named.end()):
        return ""
    day = day_written(named, today)
    return " ".join(text[ended.start() : named.end()].split()) if day is not None and day < today else ""


def _first_day(text: str) -> list[Day]:
    """The date that a text begins with, or none: "from 15 June to 30 November 2026" begins on a day without a year."""
    found = days(_TO.split(text, maxsplit=1)[0])
    return found[:1] if len(found) == 1 else []


def says_what_moved(text: str, before: int) -> bool:
    """Whether a sentence says, up to there, that something is no longer as it was: "we move to"."""
    return _MOVED.search(text, 0, before) is not None


def is_of_months(question: str, text: str) -> bool:
    """Whether the months that a question asks about are spoken of as wholes: "from 22 June to 12 July" is not July."""
    asked = {number_of(month): month.casefold() for month in _MONTH.findall(question)}
    spoken = {number_of(month) for month in _MONTH.findall(text)}
    return all(month not in text.casefold() for number, month in asked.items() if number not in spoken)


_WAS = regex(
    r"\A\W*(?:(?:and|so|ok)\b[\s,]*)*(?:who|what|which [\w -]{2,40}|how (?:much|high|old|large)) (?:was|were)\b", re.IGNORECASE
)
_ANY_DAY = regex(r"\b(?:19|20)\d\d\b")


def past_time_asked(question: str, today: date | None) -> Span | None:
    """The time that is over by now, of which a question asks how something was: "who was the warden in May 2026?"."""
    span = find_span(question, today) if today is not None and _WAS.match(question) else None
    return span if span is not None and today is not None and span.last < today else None


def tells_of(span: Span, told: str) -> bool:
    """Whether what is told says itself that it is of a time, or of the year in which that lies: "edition of April 2025"."""
    return any(str(year) in _ANY_DAY.findall(told) for year in range(span.first.year, span.last.year + 1))


def is_after(day: Day, span: Span) -> bool:
    """Whether a day, or the beginning of a month, is after a time."""
    return (day.year, day.month, day.day or 1) > (span.last.year, span.last.month, span.last.day)


def is_of_later(span: Span, told: str) -> bool:
    """Whether all days in what is told come after a time: "since 1 September 2026" says nothing of May."""
    found = days(told)
    return bool(found) and all(is_after(day, span) for day in found)
