"""A regular expression that is tried only on lines that have one of its words: to look for words is many times faster."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache

from prompts.regex import regex
from prompts.text_lines import line_start

FOLDED_OTHERWISE = regex("[\u0130\u0131\u017f\u212a]")  # `re.IGNORECASE` takes them for i, s and k; `lower` does not


class LinePattern:
    """Finds what `re.compile(pattern, flags)` finds, where every match lies within one line and has one of the words in it.

    The words stand between bars, or each for itself, as the pattern has them: in small letters where that does not tell capitals
    apart, or where they are `folded`. Whoever adds an alternative to the pattern adds its word: without one it is never found.
    """

    def __init__(self, pattern: str, words: str | Sequence[str], flags: int = 0, folded: bool = False) -> None:
        self.whole = regex(pattern, flags)
        self.words = tuple(words.split("|") if isinstance(words, str) else words)
        self.folded = folded or bool(flags & re.IGNORECASE)

    def match(self, text: str) -> re.Match[str] | None:
        return self.whole.match(text)

    def search(self, text: str, first: int = 0, last: int = sys.maxsize) -> re.Match[str] | None:
        return next(self.finditer(text, first, last), None)

    def finditer(self, text: str, first: int = 0, last: int = sys.maxsize) -> Iterator[re.Match[str]]:
        looked_at = _small(text) if self.folded else text
        if looked_at:
            for start, end in self._lines(looked_at, first, min(last, len(text))):
                yield from self.whole.finditer(text, start, end)
        else:
            yield from self.whole.finditer(text, first, last)

    def _lines(self, text: str, first: int, last: int) -> list[tuple[int, int]]:
        """Where those with a word begin and end, each with its line break for what looks ahead; in order."""
        found: dict[int, int] = {}
        for word in self.words:
            at = text.find(word, first, last)
            while at >= 0:
                end = text.find("\n", at, last) + 1 or last
                found[line_start(text, at, first)] = end
                at = text.find(word, end, last)
        return sorted(found.items())


@lru_cache(8)
def _small(text: str) -> str:
    """The text in small letters, each where it stands; empty where that cannot be."""
    small = text.lower()
    return "" if len(small) != len(text) or (not text.isascii() and FOLDED_OTHERWISE.search(text)) else small
