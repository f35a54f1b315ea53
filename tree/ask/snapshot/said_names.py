"""Names that a text says: runs of words with capitals or numbers, each of which may be the title of a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prompts.regex import regex

LONGEST_NAME = 8  # words
SMALL = frozenset(
    "the of and in for on at to from with by a an de la le du des di da von van der den zu und y e bin ibn al &".split()
)
_WORD = regex(r"[^\W_](?:[\w'’.&+/-]*\w)?|&")
_JOINED = regex(r"[ \t]*(?:\n[ \t]*)?|, |\. |: | \(|\) ?")  # what may stand between two words of a name


class SaidName(NamedTuple):
    """A name as it is written, at [start, end) of its text."""

    written: str
    start: int
    end: int


def said_names(text: str) -> Iterator[SaidName]:
    """Every run of up to eight words that begins and ends with a capital or a number, in order; they overlap."""
    words = [match.span() for match in _WORD.finditer(text)]
    for at, (start, _) in enumerate(words):
        if not _is_marked(text[start]):
            continue
        for last in range(at, min(at + LONGEST_NAME, len(words))):
            low, high = words[last]
            if last > at and not _JOINED.fullmatch(text, words[last - 1][1], low):
                break
            if _is_marked(text[low]):
                end = high + 1 if text[high : high + 1] == ")" and "(" in text[start:high] else high
                yield SaidName(text[start:end], start, end)
            elif text[low:high].casefold() not in SMALL:
                break


def _is_marked(letter: str) -> bool:
    return letter.isupper() or letter.isdigit()
