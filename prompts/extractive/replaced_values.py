"""Sentences that say of a value that another has taken its place: "moves from 4 May to 9 June", "12 euro instead of 10"."""

from __future__ import annotations

import re

from prompts.months import MONTH, number_of
from prompts.number_words import NUMBER_WORDS
from prompts.regex import regex

_DAY_FIRST = regex(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? ({MONTH})", re.IGNORECASE)
_MONTH_FIRST = regex(rf"\b({MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)", re.IGNORECASE)
_ISO = regex(r"(?<!\d)\d{4}-(\d\d)-(\d\d)(?!\d)")
_NUMBER = regex(r"(?<![\w.,-])\d[\d.,]{0,20}\d|(?<![\w.,-])\d")
_IN_WORDS = regex(  # "seven years instead of five", and not "one-minute records"
    rf"(?<![\w-])(?:{'|'.join(word for word, number in NUMBER_WORDS.items() if number > 1)})(?![\w-])", re.IGNORECASE
)
_YEAR = regex(r"(?:19|20)\d\d\Z")
_OVER_BEFORE = regex(  # right before a value that no longer holds
    r"\b(?:instead of|rather than|in place of|and not|not|no longer|up from|down from|was|were|had been|formerly|previously|before|until now|so far|old)\W{0,3}"
    r"(?:(?:on|at|the|in|by|to|of|it|only|EUR|USD|GBP|CHF) ?){0,2}\W{0,4}\Z",
    re.IGNORECASE,
)
_BEEN = regex(r"\b(?:has|have) been\W{0,3}\Z", re.IGNORECASE)  # "it has been 25p since 2019. Decided: 30p"
_UNTIL_DECIDED = regex(
    r"[^\n]{0,40}?\bsince \w+[^\n]{0,40}?\b(?:decided|agreed|resolved|beschlossen|from now on|now)\b", re.IGNORECASE
)
_FROM = regex(r"\bfrom (?:(?:on|the|EUR|USD|GBP|CHF) ?){0,2}\W{0,4}\Z", re.IGNORECASE)
_OVER_AFTER = regex(
    r"[^\w\n]{0,4}(?:euros?|EUR|\d{4})?[^\w\n]{0,4}(?:->|\u2192|=>|becomes?\b|became\b|is now\b|are now\b)", re.IGNORECASE
)
_CHANGES = regex(
    r"\b(?:mov(?:e[sd]?|ing)|chang\w*|rais\w*|ris(?:es?|en|ing)|rose|lower\w*|increas\w*|reduc\w*|decreas\w*|cut|goes|go|went|falls?|fell|drops?|dropped|postpon\w*|shift\w*|"
    r"brought|bring|delay\w*|reschedul\w*|extend\w*|shorten\w*|lengthen\w*|widen\w*|grow\w*|grew|doubl\w*|halv\w*|set|put|updat\w*|adjust\w*|correct\w*)\b",
    re.IGNORECASE,
)  # fmt: skip

_FROM_DAY = regex(rf"\b(?:from|as of|starting|since) (?:\d{{1,2}}(?:st|nd|rd|th)? )?{MONTH}\b", re.IGNORECASE)
_AT_ONCE = regex(
    r"\bwith immediate effect\b|\bwith effect from\b|\b(?:effective|valid) (?:at once|immediately|from)\b|\bfrom now on\b",
    re.IGNORECASE,
)
_STRUCK = "~~"  # on both sides of what is struck through
Value = tuple[str, ...]


def is_replaced(value: str, said: str) -> bool:
    """Whether a sentence says that another day, or another number, has taken the place of this one."""
    told = _values(value)
    if not told:
        return False
    _, _, old = told[0]
    found = [one for one in _values(said) if len(one[2]) == len(old)]
    others = {one for _, _, one in found} - {old}
    return bool(others) and any(one == old and _is_over(said, start, end) for start, end, one in found)


def may_be_changed(number: str, said: str) -> bool:
    """Whether a sentence speaks of a change and has another number than this one, but not this one itself: "goes up to 168 euros"."""
    numbers = {one for _, _, one in _values(said) if len(one) == 1}
    told = [one for _, _, one in _values(number)]
    same = {one for one in numbers if told and _amount(one) == _amount(told[0])}
    is_change = any(pattern.search(said) for pattern in (_CHANGES, _FROM_DAY, _AT_ONCE))
    return len(told) == 1 and len(told[0]) == 1 and bool(numbers) and not same and is_change


def _amount(number: Value) -> str:
    return number[0].removesuffix(".00")


def _is_over(said: str, start: int, end: int) -> bool:
    before = said[max(0, start - 60) : start]
    if said.count(_STRUCK, 0, start) % 2 and _STRUCK in said[end:]:
        return True
    if _OVER_BEFORE.search(before) or _OVER_AFTER.match(said, end):
        return True
    if _BEEN.search(before) is not None and _UNTIL_DECIDED.match(said, end) is not None:
        return True
    return _FROM.search(before) is not None and _CHANGES.search(said) is not None


def _values(text: str) -> list[tuple[int, int, Value]]:
    """The days without their years, and the numbers that are no part of one, each with where it stands; days first."""
    text = text[:2_000]
    found = [(*one.span(), (str(int(one[1])), str(number_of(one[2])))) for one in _DAY_FIRST.finditer(text)]
    found += [(*one.span(), (str(int(one[2])), str(number_of(one[1])))) for one in _MONTH_FIRST.finditer(text)]
    found += [(*one.span(), (str(int(one[2])), str(int(one[1])))) for one in _ISO.finditer(text) if 1 <= int(one[1]) <= 12]
    numbers: list[tuple[int, int, Value]] = [
        (*one.span(), (one.group().replace(",", "").rstrip("."),))
        for one in _NUMBER.finditer(text)
        if not any(first < one.end() and one.start() < last for first, last, _ in found) and not _YEAR.match(one.group())
    ]
    numbers += [(*one.span(), (str(NUMBER_WORDS[one.group().casefold()]),)) for one in _IN_WORDS.finditer(text)]
    return [*sorted(found), *sorted(numbers)]
