"""Limits of amounts, "up to EUR 20,000", "10 to 24", "above": into which of several an amount falls that a question names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from prompts.question import Word
from prompts.regex import regex
from tree.ask.facts.amounts import Amount, amount_of
from tree.ask.facts.attribute import LIGHT

FEWEST_LIMITS = 2  # of which one holds an amount
MOST_BESIDE = 1  # entries without a limit among them: "special cases"
_NUMBER = r"(?:EUR|USD|GBP|CHF|[€$£])? ?\d[\d.,' ]{0,12}?(?: ?(?:[kK]\b|EUR|USD|GBP|CHF|[€$£%]|[a-zäöü]{1,12}\b))?"
_ASKED = regex(
    r"(?<![\w.,:/-])(?P<money>(?:EUR|USD|GBP|CHF|[€$£]) ?)?(?P<number>\d{1,3}(?:[,'.]\d{3})+|\d+(?:[.,]\d{1,2})?)(?P<thousands>k)?(?![\d:/-]|[.,]\d|st\b|nd\b|rd\b|th\b| ?(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)(?: ?(?P<unit>[a-zäöü€$£%]{1,12}))?",
    re.IGNORECASE,
)
_UP_TO = regex(
    rf"(?:up to|until|under|below|less than|at most|max(?:imum|\.)?|<=?|≤|bis(?: zu)?|unter|jusqu['’]à) ?(?P<to>{_NUMBER})(?: inclusive)?",
    re.IGNORECASE,
)
_FROM = regex(
    rf"(?:from|over|above|more than|at least|beyond|>=?|≥|ab|über|mehr als|à partir de|plus de) ?(?P<of>{_NUMBER})(?: (?:on|upwards|and more|or more))?|(?P<plus>{_NUMBER}) ?(?:\+|and (?:more|above|up)|or more)",
    re.IGNORECASE,
)
_BETWEEN = regex(rf"(?:from |between )?(?P<of>{_NUMBER}) ?(?:-|–|to|and|bis) ?(?P<to>{_NUMBER})", re.IGNORECASE)
_REST = regex(
    r"(?:anything |everything |all |any )?(?:more|above|beyond|higher|over|larger|mehr|darüber|au-delà|the rest)(?: than that)?",
    re.IGNORECASE,
)
_YEAR = regex(r"(?:19|20)\d\d")
_FIGURE = regex(r"\d")


def amount_asked(text: str) -> Amount | None:
    """The one amount in a question; None where it names none, or several."""
    found = [match for match in _ASKED.finditer(text) if not _YEAR.fullmatch(match.group().strip())]
    return _amount(found[0]) if len(found) == 1 else None


def beside_amount(carrying: Sequence[Word]) -> list[Word]:
    """The words of a question that say what the limits are of."""
    return [word for word in carrying if word.whole not in LIGHT and not _FIGURE.search(word.whole)]


def _amount(match: re.Match[str]) -> Amount | None:
    unit = match["money"] or (match["unit"] or "")
    found = amount_of(f"{match['number'].replace(chr(39), ',')} {unit.strip()}".strip()) or amount_of(match["number"])
    if found is None and re.fullmatch(r"\d{1,3}(?:\.\d{3})+", match["number"]):
        found = amount_of(match["number"].replace(".", ""))
    return Amount(found.number * 1000, found.unit) if found is not None and match["thousands"] else found


def holding(cells: Mapping[str, str], amount: Amount) -> str | None:
    """The one row into whose limits an amount falls; None where the cells are no limits, or are of another unit."""
    limits = {thing: limit for thing, said in cells.items() if (limit := limit_of(said)) is not None}
    units = {one.unit for limit in limits.values() for one in limit if one is not None and one.unit}
    if (
        len(limits) < FEWEST_LIMITS
        or len(cells) - len(limits) > MOST_BESIDE
        or len(units) > 1
        or (amount.unit and units - {amount.unit})
    ):
        return None
    number = amount.number
    both = [
        thing
        for thing, (low, high) in limits.items()
        if low is not None and high is not None and low.number <= number <= high.number
    ]
    up_to = sorted((high.number, thing) for thing, (low, high) in limits.items() if low is None and high is not None)
    on = sorted((low.number, thing) for thing, (low, high) in limits.items() if low is not None and high is None)
    rest = [thing for thing, limit in limits.items() if limit == (None, None)]
    below = [thing for high, thing in up_to if number <= high]
    above = [thing for low, thing in on if number >= low]
    found = both or below[:1] or above[-1:] or (rest if up_to else [])
    return found[0] if len(found) == 1 else None


_Limit = tuple[Amount | None, Amount | None]


def limit_of(said: str) -> _Limit | None:
    """From what amount on and up to which; (None, None) for all that is more than the others, None for a cell that is no limit."""
    said = " ".join(said.split()).strip("*_ .")
    if _REST.fullmatch(said):
        return None, None
    for pattern in (_BETWEEN, _UP_TO, _FROM):
        match = pattern.fullmatch(said)
        if match is None:
            continue
        parts = match.groupdict()
        low, high = parts.get("of") or parts.get("plus"), parts.get("to")
        read = [_read(one) if one else None for one in (low, high)]
        if any(one is None for one, part in zip(read, (low, high), strict=True) if part):
            return None
        return read[0], read[1]
    return None


def _read(said: str) -> Amount | None:
    """An amount as a cell has it; of things that are no unit, "50 pieces", the number."""
    found = amount_of(said)
    if found is None and (match := re.fullmatch(r"(?P<number>\d[\d.,']*)(?P<k>k)?(?: [a-zäöü]+)?", said.strip(), re.IGNORECASE)):
        found = amount_of(match["number"])
        return Amount(found.number * 1000, found.unit) if found is not None and match["k"] else found
    return found
