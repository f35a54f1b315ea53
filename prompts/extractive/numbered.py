"""Things that are called by a word and a number, "KR 4", "gate 3": another number is another thing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from prompts.extractive.asked_values import LIGHT
from prompts.language import STOPWORDS, terms

_THING = re.compile(
    r"\b(?P<word>[A-Za-zÀ-ÿ]{2,20})[ -](?P<number>\d{1,4})(?![\w.,:/%°-]| (?:litres?|liters?|hours?|days?|minutes?|seconds?|weeks?|months?|years?|times|people|persons|euros?|degrees?|metres?|meters?|percent|pieces|boxes|(?:k?m|cm|mm|kg|g|l|ml|h|s|EUR|CHF|USD)\b))"
)
_STEM = 5  # letters by which a word and its plural are one
_NO_THINGS = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    week wk kw year than over under least most about around below above""".split()
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
