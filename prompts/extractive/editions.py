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
_KINDS = frozenset(  # words by which the title of one edition says what sort of document it is, and that of another does not
    terms(
        "the our of policy policies guide guideline guidelines page document handbook rules manual howto sop runbook list plan new current"
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
    return Edition(_words_of(rest), by, number)


def is_newer_title(title: str, other: str) -> bool:
    """Whether a title is that of a newer edition of a document: a later number, or one at all, "Expenses policy 2026" beside "Expenses"."""
    mine, older = edition_of(title), edition_of(other)
    if mine is None:
        return False
    return older.is_before(mine) if older is not None else mine.words - _KINDS == _words_of(other) - _KINDS != frozenset()


def _words_of(title: str) -> frozenset[str]:
    return frozenset(one for one in terms(title) if one not in _OF_EDITIONS and not one.isdigit())
