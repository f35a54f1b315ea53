"""Things that are called by a word and a number, "KR 4", "gate 3": another number is another thing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from prompts.extractive.asked_values import LIGHT
from prompts.language import STOPWORDS, terms
from prompts.regex import regex

_THING = regex(
    r"\b(?P<word>[A-Za-zÀ-ÿ]{2,20})[ -](?P<number>\d{1,4})(?![\w.,:/%°-]| (?:litres?|liters?|hours?|days?|minutes?|seconds?|weeks?|months?|years?|times|people|persons|euros?|degrees?|metres?|meters?|percent|pieces|boxes|(?:k?m|cm|mm|kg|g|l|ml|h|s|EUR|CHF|USD)\b))"
)
_VERSION = regex(r"(?<![\w.])v?(?P<version>\d{1,4}(?:\.\d{1,4}){2,3})(?![\w-]|\.\d)")
_OF_MANY = regex(  # said of more versions than are named
    r"\b(?:or|and) (?:newer|later|above|higher|older|earlier|below|up)\b|\b(?:all|every|each|any|older|earlier|newer|later) versions?\b|[<>≥≤]|\d\+(?!\d)|\d\.x\b"
    r"|\b(?:since|from|before|until|up to|at least|between) v?\d+\.\d",
    re.IGNORECASE,
)
_RANGE = regex(r"(?<![\d.])(?P<first>\d{1,4}) ?(?:-|–|to|until|bis|à|through) ?(?P<last>\d{1,4})(?![\d.])")
_STEM = 5  # letters by which a word and its plural are one
_NO_THINGS = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    week wk kw year eur usd gbp chf euro euros dollar dollars pound pounds than over under least most about around below above""".split()
)


@dataclass(frozen=True, slots=True)
class NumberedThing:
    word: str  # in small letters
    number: str

    def stands_in(self, text: str) -> bool:
        """Whether the number stands there right behind the word, or its plural."""
        return re.search(rf"\b{self._start}[\W_]{{0,3}}(?:no\.? ?)?{self.number}(?!\d)", text.casefold()) is not None

    def number_stands_in(self, text: str) -> bool:
        return re.search(rf"(?<![\w.]){self.number}(?!\w)", text) is not None

    def is_another(self, text: str) -> bool:
        """Whether a text speaks of such a thing with another number, and not of this one."""
        return re.search(rf"\b{self._start}[ -]\d", text.casefold()) is not None and not self.stands_in(text)

    def may_be_among(self, text: str) -> bool:
        """Whether a text may speak of it though its number stands nowhere: of gates 1 to 5, or of every gate."""
        number = int(self.number)
        return re.search(rf"\b(?:all|every|each|any|both) (?:\w+ )?{self._start}", text.casefold()) is not None or any(
            int(match["first"]) <= number <= int(match["last"]) for match in _RANGE.finditer(text)
        )

    @property
    def _start(self) -> str:
        return rf"{re.escape(self.word[:_STEM])}\w{{0,15}}"


@lru_cache(16)
def numbered_things(question: str) -> tuple[NumberedThing, ...]:
    """Those that a question names; what a small word stands before is a number of something: "more than 4"."""
    found = (NumberedThing(match["word"].casefold(), match["number"]) for match in _THING.finditer(question))
    return tuple(
        one for one in found if one.word not in STOPWORDS | _NO_THINGS and (said := set(terms(one.word))) and not said <= LIGHT
    )


def is_of_others(question: str, text: str) -> bool:
    """Whether a question is of one thing by its number, "train 22" or "4.1.0", and a text tells of others of the kind, but not of it."""
    if any(
        one.is_another(text) and not one.number_stands_in(text) and not one.may_be_among(text)
        for one in numbered_things(question)
    ):
        return True
    asked = {match["version"] for match in _VERSION.finditer(question)}
    told = {match["version"] for match in _VERSION.finditer(text)} if asked else set()
    return bool(told) and asked.isdisjoint(told) and _OF_MANY.search(text) is None
