"""Amounts as cells and questions write them: numbers, durations, prices, dates. They are compared only where all can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prompts.extractive.dates import days
from prompts.regex import regex
from tree.ask.facts.told_facts import ISO

DATE, TIME = "date", "min"  # units of what is no plain number
_FACTORS = {  # words for spans of time, in minutes
    word: factor
    for words, factor in (
        ("ms millisecond milliseconds", 1 / 60_000), ("s sec secs second seconds", 1 / 60), ("min mins minute minutes", 1.0),
        ("h hr hrs hour hours", 60.0), ("d day days", 1_440.0), ("week weeks", 10_080.0),
    )
    for word in words.split()
}  # fmt: skip
_UNITS = {
    word: words.split()[0]
    for words in (
        "eur euro euros €", "usd dollar dollars buck bucks $", "gbp pound pounds quid £", "chf franc francs franken sfr",
        "dkk", "sek", "nok", "pln zloty", "% percent percentage", "m metre metres meter meters",
        "km kilometre kilometres kilometer kilometers", "cm", "mm", "kg", "t ton tons tonne tonnes", "kb", "mb", "gb", "tb",
    )
    for word in words.split()
}  # fmt: skip
MONEY = frozenset(("eur", "usd", "gbp", "chf", "dkk", "sek", "nok", "pln"))
_MARKS = regex(r"[€$£%]")
_NUMBER = r"\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_PLAIN = regex(rf"(?P<before>[A-Za-z]{{3}}|[€$£])? ?(?P<number>-?(?:{_NUMBER})) ?(?P<after>[A-Za-z]+|[€$£%])?\Z")
_SPAN = regex(r"(?:\d+(?:\.\d+)? ?[a-z]+)(?: \d+ ?[a-z]+)*(?: \d+)?\Z", re.IGNORECASE)
_PART = regex(r"(\d+(?:\.\d+)?) ?([a-z]*)", re.IGNORECASE)
_THOUSANDS_OR_NOT = regex(r"-?[1-9]\d{0,2}\.\d{3}\Z")  # 1.500 is one and a half, or fifteen hundred
_IS_NOT = regex(r"\W*(?:not|never) [^\d]{1,60}\Z", re.IGNORECASE)  # "not for sale": it has no price
_DAY = regex(
    r"(?:[A-Z][a-z]+day,? )?(?:\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2},?) \d{4}\Z|[\d.]+\Z|\d{4}-\d\d-\d\d\Z"
)
_MONTH = regex(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])\Z")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of a unit: minutes for spans of time, days for dates; without a unit what the column or the question counts."""

    number: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Numbers above `low` and below `high`, of a unit; those themselves where `is_closed`."""

    low: float = float("-inf")
    high: float = float("inf")
    is_closed: bool = False
    unit: str = ""

    def has(self, number: float) -> bool:
        if self.is_closed:
            return self.low <= number <= self.high
        return self.low < number < self.high


_SOME_MONEY = regex(
    r"[€$£] ?(?=[\d.,]{0,20}[1-9])\d|(?<![\d.,])(?=[\d.,]{0,20}[1-9])\d[\d.,]{0,20} ?(?:[€$£]|(?:EUR|GBP|USD|CHF|euros?|pounds?|dollars?)\b)"
)


def says_money(text: str) -> bool:
    """Whether an amount of money, and not of none, stands somewhere in a text."""
    return _SOME_MONEY.search(text) is not None


def amount_of(text: str) -> Amount | None:
    """What a whole cell says; None for anything else, a range among them, and for a number that can be read in two ways."""
    text = " ".join(text.split()).strip("*~ ")
    if ISO.match(text) or _DAY.match(text) or _MONTH.match(text):
        found = days(text)
        is_time = len(found) == 1 and (found[0].day or _MONTH.match(text))
        return Amount(_ordinal(found[0]), DATE) if is_time else _plain(text)
    return _plain(text) or _span(text)


def _ordinal(day: tuple[int, int, int]) -> float:
    return day[0] * 372.0 + day[1] * 31 + day[2]


def _plain(text: str) -> Amount | None:
    match = _PLAIN.match(text)
    number = number_of(match["number"]) if match is not None else None
    if match is None or number is None or (match["before"] and match["after"]):
        return None
    said = (match["before"] or match["after"] or "").casefold()
    if said in _FACTORS:
        return Amount(number * _FACTORS[said], TIME)
    if said and said not in _UNITS:
        return None
    return Amount(number, _UNITS.get(said, ""))


def number_of(text: str) -> float | None:
    """A number as it is written: three figures behind a comma are thousands, fewer are decimals. None for 1.5.0, and for what
    can be read in two ways."""
    if not re.fullmatch(f"-?(?:{_NUMBER})", text) or _THOUSANDS_OR_NOT.match(text):
        return None
    text = text.replace("'", "").replace(" ", "")
    if re.search(r",\d{1,2}\Z|\A-?0,", text):
        text = text.replace(",", ".")
    return float(text.replace(",", ""))


def _span(text: str) -> Amount | None:
    """ "1 h 50", "2 days 3 hours": each part of a smaller unit than the one before it."""
    if not _SPAN.match(text):
        return None
    total, last = 0.0, float("inf")
    for number, word in _PART.findall(text):
        factor = _FACTORS.get(word.casefold()) if word else last / 60 if last == _FACTORS["h"] else None
        if factor is None or factor >= last:
            return None
        total, last = total + float(number) * factor, factor
    return Amount(total, TIME)


def amounts_of(
    values: Iterable[tuple[str, str]], blank: Iterable[str], *, without_words: bool = False
) -> dict[str, Amount] | None:
    """By thing, what a column says of it; nothing for those of which it says nothing. None where one cell cannot be read, or is
    of another unit than the others. `without_words` leaves out cells without a figure, "own property", where they are few: none
    of them says the most."""
    empty, found = frozenset(blank), dict[str, Amount]()
    values = list(values)
    worded = {thing for thing, value in values if without_words and not any(map(str.isdigit, value))}
    if 2 * len(worded) > len(values):
        return None
    for thing, value in ((thing, value) for thing, value in values if thing not in worded):
        if " ".join(value.casefold().split()).strip("-–—./ ") in empty or _IS_NOT.match(value):
            continue
        amount = amount_of(value)
        if amount is None or found.setdefault(thing, amount) != amount:
            return None
    return found if len({amount.unit for amount in found.values()}) == 1 else None


def unit_of(word: str) -> tuple[str, float] | None:
    """The unit that a word of a question names, and how many of it the word is; None for a word that is none."""
    low = word.casefold()
    if low in _FACTORS:
        return TIME, _FACTORS[low]
    return (_UNITS[low], 1.0) if low in _UNITS else None


def units_in(label: str) -> frozenset[str]:
    """The units that the name of a column gives: "spent (EUR)"."""
    words = [*re.findall(r"[A-Za-z]+", label), *_MARKS.findall(label)]
    return frozenset(unit[0] for word in words if len(word) > 1 or word in "€$£%" if (unit := unit_of(word)) is not None)


def within(amounts: Mapping[str, Amount], bounds: Bounds, label: str) -> set[str] | None:
    """The things whose amount lies within the bounds; None where these are of another unit than the column."""
    unit = next(iter(amounts.values())).unit
    if unit == DATE or (bounds.unit != unit and not (unit == "" and bounds.unit in units_in(label))):
        return None
    factor = _factor_in(label, bounds.unit) if unit == "" and bounds.unit else 1.0
    return {thing for thing, amount in amounts.items() if bounds.has(amount.number * factor)}


def _factor_in(label: str, unit: str) -> float:
    """How many of a unit a number is in a column that gives its unit: a day, in "trial days"."""
    named = (unit_of(word) for word in re.findall(r"[A-Za-z]+", label))
    return next((found[1] for found in named if found is not None and found[0] == unit), 1.0)


def ranked(values: Mapping[str, float] | Mapping[str, str], is_most: bool, number: int) -> set[str]:
    """The things with the greatest values, or the smallest: so many, and those that are equal to the last of them."""
    best = sorted(values.values(), reverse=is_most)[:number]
    return {thing for thing, value in values.items() if value in best}
