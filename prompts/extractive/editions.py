"""Editions of a document, told apart by the version or the year in their titles: "Price list 2025" and "Price list 2026"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prompts.language import terms
from prompts.regex import regex

ALIKE = 0.5  # of the words of two titles, for them to be editions of one document
_VERSION = regex(
    r"\b(?:version|edition|revision|rev\.?|v|ausgabe|fassung)[ .]?(?P<number>\d{1,3}(?:\.\d{1,3})?)\b", re.IGNORECASE
)
_YEAR = regex(r"(?<!\d)(?P<year>20\d\d)(?:[/–-](?:20)?\d\d)?(?![\d-])")
_OF_EDITIONS = frozenset(
    terms(
        "version edition revision rev v valid from january february march april may june july august september october november december"
    )
)


@dataclass(frozen=True, slots=True)
class Edition:
    words: frozenset[str]  # of the title, without what tells the edition
    by: str  # "version" or "year"
    number: float

    def is_before(self, other: Edition) -> bool:
        alike = len(self.words & other.words) >= ALIKE * max(1, len(self.words | other.words)) if self.words else False
        return self.by == other.by and self.number < other.number and alike


def edition_of(title: str) -> Edition | None:
    """None where a title names no version and no one year."""
    if (version := _VERSION.search(title)) is not None:
        by, number, rest = "version", float(version["number"]), title[: version.start()] + title[version.end() :]
    else:
        years = list(_YEAR.finditer(title))
        if len(years) != 1:
            return None
        by, number, rest = "year", float(years[0]["year"]), title[: years[0].start()] + title[years[0].end() :]
    words = frozenset(one for one in terms(rest) if one not in _OF_EDITIONS and not one.isdigit())
    return Edition(words, by, number)
