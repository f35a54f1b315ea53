"""Passages that may say in other words what is asked: each sentence with those before and after it, by what it says and by its meaning.

A sentence alone says too little for a vector, and a thousand characters too much: of 100 questions in other words the first five
sentences hold the answer of 25, the first five parts of a thousand characters shown in part that of 18, and the first five windows of
three sentences that of 41.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import fsum
from typing import TYPE_CHECKING

from prompts.extractive.no_answers import cannot_lead, end_of_mail_head, is_greeting, lists_attendance
from prompts.extractive.passages import Passage, passages, quote
from prompts.extractive.rendering import Point, place_of
from prompts.extractive.surroundings import surrounded
from prompts.language import terms
from prompts.records import Excerpt, LeafText

if TYPE_CHECKING:  # it brings numpy, which most commands can do without
    from prompts.word_vectors import WordVectors

LONGEST = 600  # characters of a window; of a longer one its sentence is taken with what stands around that otherwise
LONGEST_PLACE = 160  # characters of the headings before it
# beside its cosine: how near the part of the leaf is, and the share of the question's words
OF_PART, OF_WORDS = 0.1, 0.3
LEAST_BEST, LEAST = 0.25, 0.2  # that the best is worth, for any to be shown, and each of the others

# segments of a leaf, each with how near it is to the question, from 0 to 1 for the nearest of all
Spans = Mapping[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class Window:
    """A sentence of a leaf at [best[0], best[1]) in what stands around it, [start, end)."""

    leaf: LeafText
    start: int
    end: int
    best: tuple[int, int]
    near: float  # how near the part of the leaf is that it stands in, from 0 to 1
    place: str  # the headings of its leaf
    terms: frozenset[str]  # of it and of these
    told: float | None = None  # what it is worth by its words, where a reader of the leaf has chosen it

    @property
    def said(self) -> str:
        """Its text below the headings of its leaf."""
        return f"{self.place}\n{self.leaf.text[self.start : self.end]}"


def windows(question: str, leaf: LeafText, spans: Spans, chosen: Sequence[Excerpt] = ()) -> Iterator[Window]:
    """The windows of a leaf around the sentences that begin in one of these segments, and what a reader of the leaf has chosen."""
    found = list(passages(leaf))
    head, place = end_of_mail_head(question, leaf.text), place_of(leaf)[:LONGEST_PLACE]
    above = frozenset(terms(place))
    for one in chosen:
        said = above.union(terms(one.quote.text))
        yield Window(leaf, one.quote.start, one.quote.end, one.best, _near(spans, one.best[0]) or 0.0, place, said, one.worth)
    for at, passage in enumerate(found):
        near = _near(spans, passage.start)
        if near is None or passage.start < head or _says_nothing(question, passage):
            continue
        start, end = _around(leaf, found, at)
        inside = (one.distinct for one in found[max(0, at - 1) : at + 2] if start <= one.start < end)
        yield Window(leaf, start, end, (passage.start, min(passage.end, end)), near, place, above.union(*inside))


def _near(spans: Spans, at: int) -> float | None:
    """How near the first of these segments is that a place of the text is in."""
    return next((share for (start, end), share in spans.items() if start <= at < end), None)


def _says_nothing(question: str, passage: Passage) -> bool:
    if passage.kind == "heading" or is_greeting(passage.text) or lists_attendance(question, passage.text):
        return True
    return cannot_lead(question, passage.text, passage.kind)


def _around(leaf: LeafText, found: Sequence[Passage], at: int) -> tuple[int, int]:
    """From the sentence before to the one after, where that is not too long; of a row of a table, or of code, what goes with it."""
    if found[at].kind in ("row", "code"):
        return surrounded(leaf, found, at)
    first = at - 1 if at and found[at - 1].kind in ("text", "item") else at
    last = at + 1 if at + 1 < len(found) and found[at + 1].kind in ("text", "item") else at
    start, end = found[first].start, found[last].end
    return (start, end) if end - start <= LONGEST else surrounded(leaf, found, at)


def nearest_windows(
    question: str, found: Sequence[Window], weights: Mapping[str, float], vectors: WordVectors | None, most: int
) -> list[Point]:
    """The windows as points, so many at most: those that are nearest, and in turn with them those that say most by the words of the
    question too. `weights` say what each term of the question counts. Their leaves are numbered from 1 in this order."""
    said = [window.said for window in found]
    likeness = [float(one) for one in vectors.likeness(question, said)] if vectors is not None and found else [0.0] * len(found)
    total = fsum(weights.values()) or 1.0  # `fsum` does not depend on the order of a set, which differs from process to process
    shares = [fsum(weights[term] for term in weights.keys() & window.terms) / total for window in found]
    worths = [
        like + OF_PART * window.near + OF_WORDS * share for window, like, share in zip(found, likeness, shares, strict=True)
    ]
    if max(worths, default=0.0) < LEAST_BEST:
        return []
    some = [at for at, worth in enumerate(worths) if worth >= LEAST]
    told = {at: worth for at in some if (worth := found[at].told) is not None}
    nearest = sorted((at for at in some if at not in told), key=lambda at: -worths[at])
    by_words = sorted(told, key=lambda at: -told[at])
    ordered = [at for pair in zip_longest(by_words, nearest) for at in pair if at is not None][:most]
    numbers: dict[int, int] = {}
    return [
        Point(
            numbers.setdefault(id(one.leaf), len(numbers) + 1),
            one.leaf, quote(one.leaf.text, one.start, one.end), worths[at], best=one.best,
        )
        for at, one in ((at, found[at]) for at in ordered)
    ]  # fmt: skip


def with_best(question: str, point: Point, vectors: WordVectors | None) -> Point:
    """A point with the one of its sentences as its best that is most like the question by itself."""
    inside = [one for one in passages(point.leaf) if point.quote.start <= one.start and one.end <= point.quote.end]
    if vectors is None or len(inside) < 2:
        return point
    likeness = vectors.of([one.text for one in inside]) @ vectors.of([question])[0]
    best = inside[int(likeness.argmax())]
    return replace(point, best=(best.start, best.end))


def apart(points: Sequence[Point]) -> list[Point]:
    """These points without those over which one before them stands."""
    kept: list[Point] = []
    for point in points:
        told = point.quote
        if not any(one.leaf is point.leaf and one.quote.start < told.end and told.start < one.quote.end for one in kept):
            kept.append(point)
    return kept
