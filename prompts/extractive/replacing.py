"""What was read that says of a value told first that another has taken its place: "Decided: 96 hours instead of 72"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prompts.extractive.dates import Day
from prompts.extractive.later_entries import entries, topic_at
from prompts.extractive.passages import passages, quote
from prompts.extractive.procedures import share_of
from prompts.extractive.rendering import Point, place_above
from prompts.extractive.replaced_values import is_replaced
from prompts.extractive.rivals import dated
from prompts.language import terms
from prompts.question import Word
from prompts.records import Evidence

HALF = 0.5  # of the words of a question, by their weight


def replacing_sentence(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Point | None:
    """Of what was read, the newest sentence that says what has taken the place of the number or day that is told: "Decided: 96 hours
    instead of 72" under "Lifetime of the pickup code"; None where none does, or what is told is newer."""
    found = [
        _point(e, passage.start, passage.end, told)
        for e in evidence
        for passage in passages(e.leaf)
        if passage.kind in ("text", "item")
        and not (e.number == told.number and passage.start < told.quote.end and told.quote.start < passage.end)
        and _is_of_same(carrying, set(terms(f"{passage.heading} {passage.text}")))
        and is_replaced(told.quote.text, passage.text)
    ]
    newest = _newest(found)
    if newest is None or (told.day is not None and newest.day is not None and newest.day < told.day):
        return None
    return newest


def replacing_entry(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Point | None:
    """The newest sentence, or entry of minutes, of another text that says what has taken the place of the first number or day of the
    best sentence of a passage; None where none does, or the passage is newer."""
    newest = _newest([*_under_its_topic(told, evidence), *_of_the_question(told, evidence, carrying)])
    own = dated(told.leaf, told.quote, "when")
    return None if newest is None or (own is not None and newest.day is not None and newest.day < own) else newest


def says_all(replacing: Point, told: Point, carrying: Sequence[Word]) -> bool:
    """Whether it has every word of the question that what is told has: "staff" is said of others than "visitors"."""
    own = set(terms(told.quote.text))
    there = set(terms(f"{place_above(replacing.leaf, replacing.quote.start)} {replacing.quote.text}"))
    return all(word.is_in(there) for word in carrying if word.is_in(own)) and any(word.is_in(own) for word in carrying)


def _under_its_topic(told: Point, evidence: Sequence[Evidence]) -> Iterator[Point]:
    """ "Soft hold lengthened from 5 to 8 minutes" beside "**Soft hold**: lasts 5 minutes"."""
    topic = topic_at(told.leaf, told.quote.start)
    for e in evidence if topic else ():
        for passage in passages(e.leaf) if e.number != told.number else ():
            is_of_it = passage.kind in ("text", "item") and topic <= set(terms(f"{passage.heading} {passage.text}"))
            if is_of_it and is_replaced(told.quote.text, passage.text):
                yield _point(e, passage.start, passage.end, told)


def _of_the_question(told: Point, evidence: Sequence[Evidence], carrying: Sequence[Word]) -> Iterator[Point]:
    """ "Volunteer expenses. Mileage has been 25p since 2019. Decided: 30p", for what is asked of mileage."""
    best = told.leaf.text[slice(*told.best)]
    value = best if any(map(str.isdigit, best)) else told.quote.text
    for e in evidence:
        for start, end in entries(e.leaf.text) if e.number != told.number else ():
            said = e.leaf.text[start:end]
            if is_replaced(value, said) and _is_of_same(carrying, set(terms(f"{place_above(e.leaf, start)} {said}"))):
                yield _point(e, start, end, told)


def _point(e: Evidence, start: int, end: int, told: Point) -> Point:
    said = quote(e.leaf.text, start, end)
    return Point(e.number, e.leaf, said, told.worth, dated(e.leaf, said, "when"), best=(start, end))


def _newest(found: Sequence[Point]) -> Point | None:
    return max(found, key=lambda point: point.day or Day(0, 0), default=None)


def _is_of_same(carrying: Sequence[Word], there: set[str]) -> bool:
    """Whether half of a question, and two of its words, are among these terms."""
    return share_of(carrying, there) >= HALF and sum(word.is_in(there) for word in carrying) >= min(2, len(carrying))
