"""Who is on duty, and when: what a question for the row of a rota asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from prompts.language import terms
from prompts.months import IN_ENGLISH, MONTH, number_of, weekday_of
from prompts.regex import regex
from prompts.timespans import NOW_WORDS, Span, day_of, find_span
from prompts.written_days import DAY, WEEK_WORD, day_written, monday_of, nearest

DAYS_OF_WEEK, HALF_A_WEEK = 7, 3
MOST_AHEAD = 92  # days within which "sunday the 6th" is looked for
LONG_DAYS = 13  # from the first day of a time to the last, for it to be longer than what one row is of
_ORDINALS = ("first", "second", "third", "fourth")
_NTH_WEEK = regex(rf"\b(?:in )?(?:the )?(?P<at>{'|'.join(_ORDINALS)}) week (?:of|in) (?P<month>{MONTH})", re.IGNORECASE)
FEWEST_DAYS_OF_MONTH = 27  # from its first day to its last
_WHO = regex(r"\A\W*(?:and |so |then )?(?:who|whose)\b", re.IGNORECASE)
_WEEK_TO = regex(  # "in the week from 30 November to 6 December"
    rf"(?P<week>\bweek (?:from|of|starting|beginning|commencing)(?: on)?(?: [a-z]+day)? {DAY.pattern})(?: (?:to|until|till|through)| ?[-–])(?: [a-z]+day)? \d{{1,2}}(?:st|nd|rd|th)?(?: [a-z]+)?(?: \d{{4}})?",
    re.IGNORECASE,
)
_WHO_LAST = regex(r"(?<=\w)[\s,;:–-]{1,4}who(?:['’]?s it| is it)?\W*\Z", re.IGNORECASE)
_WEEKEND = regex(r"\b(?P<at>(?:(?:on|at|over|for) )?(?:the |this |(?P<next>next ))?)week-?end\b", re.IGNORECASE)
_NAMED_WEEKEND = regex(  # "the weekend of 5/6 December"
    rf"(?:\b(?:of|on) )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: ?(?:/|-|–|and|&|\+) ?\d{{1,2}}(?:st|nd|rd|th|\.)?)?(?: of)? (?P<month>{MONTH})",
    re.IGNORECASE,
)
_NEXT = regex(r"\bnext week\b", re.IGNORECASE)
_TOMORROW = regex(r"\btomorrow\b", re.IGNORECASE)
_PART = regex(  # of a day
    r"\b(?:in the|on the|at|this|(?:for|at|in) (?:the )?(?=\w+ (?:show|shift|performance|session)\b)) ?(?P<called>morning|afternoon|evening|night)(?: (?:show|shift|performance|session))?\b|\btonight\b",
    re.IGNORECASE,
)
WEEK = regex(
    rf"\b(?:in |of |for )?(?:calendar )?(?:{WEEK_WORD} (?:no\.? ?)?|w)(?P<number>\d{{1,2}})\b(?!:)(?: (?:of |in )?(?P<year>20\d\d))?",
    re.IGNORECASE,
)
_PUT = frozenset(
    terms(
        "who whose has have is are was will be the in on at of from for this next last week today tomorrow now current currently it does do beginning starting work works working tonight cover covers covering crew crews crewing man manning staff staffing operate operates operating"
    )
)
_AT_WORK = regex(r"\bwho(?:['’]?s| is| are)? (?:working|works|at work|on shift|on|in)\b", re.IGNORECASE)
_DUTY = frozenset(terms("duty"))  # by which a rota is called
_MONTHS = frozenset(terms(" ".join(IN_ENGLISH))) - frozenset(terms("may march"))
_ON_DUTY = regex(  # "it on call week 52"
    r"\A\W*(?:and )?(?!(?:what|when|where|how|why|which|is|are|was|were|does|do|did|has|have|had|will|can|may|must|should|list|show)\b)[\w'’ -]{0,40}\b(?:on[- ]?call|stand-?by|duty|duties|patrol|watch|shift|rota|roster)\b",
    re.IGNORECASE,
)
_ELSE = regex(  # not who is on duty at one time
    r"\b(?:not|else|except|besides|since|until|till|before|after|this (?:month|year|quarter)|in 20\d\d|last week-?end|every|each)\b|n['’]t\b|\bfrom\b.{1,40}\bto\b",
    re.IGNORECASE,
)
_RANKS = regex(  # not who is on duty
    r"\b(?:(?:took|wrote|kept) (?:the |our )?(?:minutes|notes)|chaired|most|fewest|least|tickets?|money|pa(?:id|y)|allowances?|extra|costs?|fees?|rates?|bonus|overtime|compensation)\b",
    re.IGNORECASE,
)
_FEAST = regex(
    r"\b(?:(?:over|at|on|in|during|for|an|über|à) )?(?:(?:the )?(?:christmas|xmas|x-mas|weihnachten|noël)(?: (?:week|day|(?P<eve>eve)))?|(?P<second>boxing day|st\.? stephen['’]?s day|zweiter weihnachtsfeiertag)|(?P<year>new year(?:['’]?s)?(?: (?:week|(?P<first>day)|eve))?|silvester))\b(?! party)",
    re.IGNORECASE,
)
FEASTS = {
    (12, 24): "christmas eve", (12, 25): "christmas day", (12, 26): "boxing day", (12, 31): "new year's eve", (1, 1): "new year's day",
}  # fmt: skip
_WEEKDAY = r"(?P<weekday>(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)"
_PART_BEFORE_DATE = regex(  # "on wednesday morning, 9 December"
    rf"\b(?:on )?(?:the )?{_WEEKDAY},? (?P<part>morning|afternoon|evening|night),? (?:of )?(?=(?:the )?\d)", re.IGNORECASE
)
_NUMBERED_DAY = regex(  # "sunday the 6th"
    rf"\b(?:on )?{_WEEKDAY}(?P<part> (?:morning|afternoon|evening|night))?,? (?:the )?(?P<number>\d{{1,2}})(?:st|nd|rd|th)\b(?!\.?(?: of)? {MONTH})",
    re.IGNORECASE,
)
_DAY_BEFORE = regex(rf"\b(?:on )?{_WEEKDAY}[,.]? ?\Z", re.IGNORECASE)
_WEEKDAY_ALONE = regex(
    r"(?:(?:on|at|this) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:morning|evening|night|afternoon))?", re.IGNORECASE
)
_WEEKDAYS = regex(r"\bon (?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s\b", re.IGNORECASE)
_CARING = regex(r"\b(?:look(?:s|ing)? after|tak(?:es?|ing) care of|car(?:es?|ing) for|look(?:s|ing)? out for)\b", re.IGNORECASE)
_PAST = regex(r"\b(?:was|were|had|did|last|ago|war|hatte|était)\b", re.IGNORECASE)
_NOW = regex(rf"\b(?:{NOW_WORDS}|now)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RotaQuestion:
    """Who is on duty then."""

    day: date
    week: int  # by its number, 0 where it is asked for by a day
    words: frozenset[str]  # terms of what the duty is called
    is_day: bool = False  # just that day is asked about, no longer time around it
    is_part: bool = False  # a part of that time: the evening
    part: str = ""  # what that part is called, as in the cells of a rota with a row for each
    last: date | None = None  # of a longer time that is asked about, "in December"
    is_usual: bool = False  # it is asked of every such day of the week
    is_at_work: bool = False  # it is only asked who works, of no duty by its name

    @property
    def called(self) -> frozenset[str]:
        """The terms by which a column may be meant, the part of the day among them: "night gate"."""
        return self.words | frozenset(terms(self.part))


def read_rota_question(text: str, now: date) -> RotaQuestion | None:
    """None where it does not ask who, or not of a time. A day without a year is that which is nearest: at the end of December "the
    week of 4 January" is next week."""
    if (usual := _WEEKDAYS.search(text)) is not None:
        found = read_rota_question(f"{text[: usual.start()]}on {usual['day']}{text[usual.end() :]}", now)
        return replace(found, is_usual=True) if found is not None else None
    text = _with_date_first(_WEEK_TO.sub(r"\g<week>", _CARING.sub(" ", text)), now)
    if (asked := _WHO_LAST.search(text)) is not None:
        text = f"who {text[: asked.start()]}"
    if not (_WHO.match(text) or _ON_DUTY.match(text)) or _RANKS.search(text) or _ELSE.search(text):
        return None
    if (nth := _NTH_WEEK.search(text)) is not None:
        first = nearest(number_of(nth["month"]), 1, now)
        rest = f"{text[: nth.start()]} {text[nth.end() :]}"
        at = _ORDINALS.index(nth["at"].casefold())
        if first is None or not _words(rest):
            return None
        return RotaQuestion(first + timedelta(days=DAYS_OF_WEEK * at + HALF_A_WEEK), 0, _words(rest), is_part=True)
    if (part := _PART.search(text)) is not None:
        rest = text[: part.start()] + " " + text[part.end() :]
        whole = rest if _dated(rest, now) or _WEEKEND.search(rest) else f"{rest} today"
        found = read_rota_question(whole, now)
        return replace(found, is_part=True, part=(part["called"] or "").casefold()) if found is not None else None
    if (feast := _FEAST.search(text)) is not None:
        own = _words(text[: feast.start()] + text[feast.end() :])
        words = own or _words_at_work(text)
        day = nearest(*_feast_day(feast), now)
        return RotaQuestion(day, 0, words, is_at_work=not own) if words and day is not None else None
    if (weekend := _WEEKEND.search(text)) is not None and (weekend["at"] or not _dated(_WEEKEND.sub("", text), now)):
        rest = text[: weekend.start()] + text[weekend.end() :]
        if (named := _NAMED_WEEKEND.search(rest)) is not None:
            day = nearest(number_of(named["month"]), int(named["day"]), now)
            words = _words(rest[: named.start()] + rest[named.end() :])
            return RotaQuestion(day, 0, words) if words and day is not None else None
        words = _words(rest)
        saturday = now + timedelta(days=max(0, 5 - now.weekday()) + 7 * bool(weekend["next"]))
        return RotaQuestion(saturday, 0, words) if words else None
    span, week, is_day = find_span(text, now), WEEK.search(text), False
    if week is not None:
        rest = text[: week.start()] + text[week.end() :]
        day = monday_of(int(week["year"]), int(week["number"])) if week["year"] else now
        return RotaQuestion(day, int(week["number"]), _words(rest)) if _words(rest) and day is not None else None
    if span is not None and _WEEKDAY_ALONE.fullmatch(span.words) and DAY.search(text) is not None:
        span = None  # the date beside it says which: "saturday 5/12"
    if span is not None and _WEEKDAY_ALONE.fullmatch(span.words) and span.first < now and not _PAST.search(text):
        span = replace(span, first=span.first + timedelta(days=7), last=span.last + timedelta(days=7))  # the one to come
    if span is not None and span.last < now and not re.search(r"\d{4}", span.words) and not _PAST.search(text):
        span = _next_year(span)
    if span is not None and span.last >= span.first:
        match = DAY.search(span.words) if span.first == span.last else None
        day = (day_written(match, now) if match is not None else None) or min(max(now, span.first), span.last)
        rest = text[: span.start] + text[span.end :]
        is_day = span.first == span.last and not span.words.endswith("week")  # on a Monday "this week" has one day so far
    elif (written := DAY.search(text)) is not None and (day := day_written(written, now)) is not None:
        rest, is_day = _DAY_BEFORE.sub(" ", text[: written.start()]) + text[written.end() :], True
    elif (said := _TOMORROW.search(text)) is not None:
        day, is_day = now + timedelta(days=1), True
        rest = text[: said.start()] + text[said.end() :]
    elif (said := _NEXT.search(text) or _NOW.search(text)) is not None:
        day = now + timedelta(days=7 * bool(_NEXT.search(text)))
        rest = text[: said.start()] + text[said.end() :]
    else:
        return None
    is_long = span is not None and (span.last - span.first).days >= LONG_DAYS
    words = _words(rest) or _words_at_work(text)
    if not words:
        return None
    is_at_work = not _words(rest)
    if span is not None and is_long:
        return RotaQuestion(span.first, 0, words, last=span.last, is_at_work=is_at_work)
    return RotaQuestion(day, 0, words, is_day, is_at_work=is_at_work)


def _words_at_work(text: str) -> frozenset[str]:
    """What a duty is called where it is only asked who works."""
    return _DUTY if _AT_WORK.search(text) else frozenset()


def _with_date_first(text: str, now: date) -> str:
    """A question with the part of a day behind its date, "on 9 December in the morning", and "sunday the 6th" as the next one there is."""
    if (numbered := _NUMBERED_DAY.search(text)) is not None:
        at, number = weekday_of(f"{numbered['weekday']}"), int(numbered["number"])
        ahead = (now + timedelta(days=more) for more in range(MOST_AHEAD))
        day = next((one for one in ahead if one.day == number and one.weekday() == at), None)
        if day is not None:
            within = f" in the{numbered['part']}" if numbered["part"] else ""
            text = f"{text[: numbered.start()]}on {day.isoformat()}{within}{text[numbered.end() :]}"
    if (part := _PART_BEFORE_DATE.search(text)) is not None:
        rest = text[part.end() :].rstrip(" ?.!")
        text = f"{text[: part.start()]}on {rest.removeprefix('the ')} in the {part['part']}"
    return text


def _feast_day(feast: re.Match[str]) -> tuple[int, int]:
    """Month and day."""
    if feast["year"]:
        return (1, 1) if feast["first"] else (12, 31)
    return (12, 24) if feast["eve"] else (12, 26) if feast["second"] else (12, 25)


def _next_year(span: Span) -> Span:
    """ "In February", asked in November without a year: the one to come, where the days of the last one are over."""
    if (span.last - span.first).days < FEWEST_DAYS_OF_MONTH:
        return span  # one day, or a week: the one that is nearest
    first = day_of(span.first.year + 1, span.first.month, span.first.day)
    last = first + (span.last - span.first) if first is not None else None
    return replace(span, first=first, last=last) if first is not None and last is not None else span


def _dated(text: str, now: date) -> bool:
    return find_span(text, now) is not None or any(one.search(text) for one in (WEEK, DAY, _TOMORROW, _NEXT, _NOW, _FEAST))


def duty_words(text: str) -> frozenset[str]:
    """The terms of what a duty is called, and of whoever is named, without those with which it is asked for."""
    return _words(text)


def feasts_in(first: date, days: int) -> list[str]:
    """What the feasts are called that lie in so many days from this one on."""
    ahead = (first + timedelta(days=at) for at in range(days))
    return [FEASTS[day.month, day.day] for day in ahead if (day.month, day.day) in FEASTS]


def is_of_duty(word: str, asked: RotaQuestion) -> bool:
    """Whether a word of the question may name a duty: none of those that say when, "day" of "Christmas day"."""
    return not (asked.called | _PUT).isdisjoint(terms(word))


def _words(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if not term.isdigit()) - _PUT - _MONTHS
