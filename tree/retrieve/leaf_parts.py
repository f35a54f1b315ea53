"""A leaf cut into parts that a model of embeddings takes whole: one vector would blur five thousand characters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from prompts.sentences import sentences

LONGEST = 1_000  # characters of a part's own text: about 250 tokens, and small models take no more than 256 or 512
LONGEST_HEADING = 160  # characters of the titles before it
SHORTEST_LAST = 250  # characters; a shorter rest goes with the part before it


class Part(NamedTuple):
    """A segment [start, end) of a leaf's text, and what the model is shown of it."""

    start: int
    end: int
    text: str


def parts_of(text: str, headings: Sequence[str]) -> list[Part]:
    """The parts of a leaf in order, each with its titles before it, cut between sentences; none of an empty leaf."""
    heading = " › ".join(dict.fromkeys(title for title in headings if title))[:LONGEST_HEADING]
    return [Part(start, end, f"{heading}\n{text[start:end]}".strip()) for start, end in _spans(text)]


def _spans(text: str) -> list[tuple[int, int]]:
    starts = [start for start, _ in sentences(text)]
    if not starts:
        return []
    cuts = [starts[0]]
    for start, after in pairwise([*starts, len(text)]):
        if after - cuts[-1] > LONGEST and start > cuts[-1]:
            cuts.append(start)
        while after - cuts[-1] > LONGEST:  # a sentence, or a piece of code, that is longer than a part
            cuts.append(cuts[-1] + LONGEST)
    if len(cuts) > 1 and len(text) - cuts[-1] < SHORTEST_LAST:
        cuts.pop()
    return list(pairwise([*cuts, len(text)]))
