"""Of passages that may help, those that were said later before those that they may have replaced: comments of a ticket, minutes under
the same topic, states that have come to be, editions of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from prompts.extractive.asked_values import DATE, NUMBER_OF_WHAT
from prompts.extractive.dates import Day
from prompts.extractive.editions import Edition, edition_of
from prompts.extractive.later_entries import newest_entry
from prompts.extractive.passages import written_by
from prompts.extractive.rendering import Point
from prompts.extractive.rivals import dated
from prompts.extractive.standing import asks_of_then
from prompts.extractive.tickets import TYPE
from prompts.language import terms
from prompts.question import Word
from prompts.regex import regex

SAME_TOPIC = 3.0  # of worth that the best of a leaf may be behind, in which the same topic is looked for
OLDER = 1.2  # what a passage is worth less of a document of which there is a newer edition
_SAYS_WHICH = regex(r"(?<!\d)20\d\d(?!\d)|\b(?:version|edition|v) ?\d", re.IGNORECASE)


def newest_state(ranked: list[Point], asked: tuple[Word, Sequence[Word]]) -> list[Point]:
    """What says of the thing that it is so, and is newer than the best passage, before that; the newest first."""
    state, others = asked
    lead = dated(ranked[0].leaf, ranked[0].quote, "yes_no")
    newer: list[tuple[Day, Point]] = []
    for point in ranked[1:] if lead is not None else []:
        there = set(terms(point.quote.text))
        day = dated(point.leaf, point.quote, "yes_no")
        if (
            day is not None
            and lead is not None
            and day > lead
            and state.is_in(there)
            and any(word.is_in(there) for word in others)
        ):
            newer.append((day, point))
    if not newer:
        return ranked
    first = max(newer, key=lambda one: one[0])[1]
    return _put_first(first, ranked)


def newest_of_ticket(ranked: list[Point]) -> list[Point]:
    """What the newest comment says before the best passage, where that gives a day, or an amount, that an older comment of the same
    ticket says or its description, and the newest gives another."""
    lead, *others = ranked
    mine, form = next(
        ((values, form) for form in (DATE, NUMBER_OF_WHAT) if (values := set(form.findall(_best_of(lead))))), (set[str](), None)
    )
    if form is None or not lead.leaf.stated(TYPE):
        return ranked
    written = _written(lead)
    newer = [
        point
        for point in others
        if point.leaf is lead.leaf and _written(point) > written and not mine.issuperset(form.findall(point.quote.text))
    ]
    if not newer:
        return ranked
    first = max(newer, key=_written)
    return _put_first(first, ranked)


def newest_of_topic(ranked: list[Point], question: str) -> list[Point]:
    """What later minutes say under the topic of the best passage before that, "Christmas party": there it may have changed."""
    first = newest_entry(ranked[0], _leaves_near(ranked), question)
    if first is None:
        return ranked
    begins, ends = first.best
    same = next((one for one in ranked if one.leaf is first.leaf and begins <= one.best[0] < ends), first)
    return _put_first(same, ranked)


def _leaves_near(ranked: Sequence[Point]) -> list[Point]:
    """The best point of each leaf that has one hardly worse than the best of all."""
    best: dict[int, Point] = {}
    for point in ranked:
        if point.worth >= ranked[0].worth - SAME_TOPIC:
            best.setdefault(id(point.leaf), point)
    return [*best.values()]


def of_older_editions(points: Sequence[Point], question: str) -> dict[int, Edition]:
    """The leaves (by `id`) of these points that are of an older edition of a document than another of them, "Price list 2025" beside that
    of 2026, with the edition; none where the question says which, or asks how it was."""
    if _SAYS_WHICH.search(question) or asks_of_then(question):
        return {}
    editions = {id(point.leaf): edition_of(point.leaf.heading[0] if point.leaf.heading else "") for point in points}
    known = list({one for one in editions.values() if one is not None})
    return {id_: own for id_, own in editions.items() if own is not None and any(own.is_before(other) for other in known)}


def _put_first(first: Point, ranked: Sequence[Point]) -> list[Point]:
    return [replace(first, worth=ranked[0].worth), *(point for point in ranked if point is not first)]


def _best_of(point: Point) -> str:
    return point.leaf.text[slice(*point.best)]


def _written(point: Point) -> str:
    """When the comment was written that a point is of; empty for a description."""
    author = written_by(point.leaf, point.best[0])
    return author[1] if author is not None else ""
