"""Finds the words a model gives as a quote in the text it took them from, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from prompts.extractive.passages import quote
from prompts.records import Quote

LONGEST = 1_200  # characters of one quote
_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
_IGNORED = frozenset(
    "*`\u200b\u200c\u200d\u2060\ufeff\u00ad"
)  # emphasis and marks of code, which models leave out, and what cannot be seen
_ENDS = " \t\n.,;:…'\"-[]()"
_LINE_NUMBER = re.compile(r"(?m)^\d{1,4}\| ?")


class Text:
    """A text made ready to look quotes up in: white space, quotation marks and dashes count as equal, case does not."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._plain, self._places = _plain(text)

    def find(self, said: str) -> Quote | None:
        """The quote as it really stands in the text; None where it does not."""
        wanted = _plain(_LINE_NUMBER.sub("", said))[0].strip()
        for candidate, tail in ((wanted, ""), (wanted.strip(_ENDS), wanted[len(wanted.rstrip(_ENDS)) :])):
            if not any(map(str.isalnum, candidate)):
                return None
            at = self._plain.find(candidate)
            if at >= 0:
                start, last = self._places[at], self._places[self._with_marks(at + len(candidate), tail) - 1]
                return quote(self.text, start, min(last + 1, start + LONGEST))
        return None

    def _with_marks(self, end: int, marks: str) -> int:
        """The end of words that were found without the marks behind them: those of the marks that do stand there go along."""
        while end < len(self._plain) and self._plain[end] in marks and not self._plain[end].isspace():
            end += 1
        return end

    def find_all(self, said: Iterable[str]) -> Iterator[Quote | None]:
        return map(self.find, said)

    def has(self, said: str) -> bool:
        return self.find(said) is not None

    def has_words(self, said: str) -> bool:
        """Whether each word of a phrase stands in the text: enough for a subject, not for a quote."""
        return self.has(said) or all(map(self.has, said.split()))


def _plain(text: str) -> tuple[str, list[int]]:
    """A text with its white space collapsed and its signs made alike, and where each character of it came from."""
    made: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text.translate(_SAME)):
        if char in _IGNORED:
            continue
        if char.isspace():
            if made and made[-1] == " ":
                continue
            char = " "
        made.append(char)
        places.append(at)
    return "".join(made), places
