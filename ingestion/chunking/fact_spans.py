"""Finds where in the leaves of a document each fact that its source stated is written."""

from __future__ import annotations

from collections.abc import Sequence

from connectors.base import Fact as Stated
from connectors.base import Reference
from ingestion.chunking.own_facts import group_of
from tree.store.leaves import Entity, Fact


def located(facts: Sequence[Stated], texts: Sequence[str]) -> list[tuple[Fact, ...]]:
    """The facts of each leaf, given the leaves' texts in order.

    A fact belongs to the leaf that has the line it names. One whose line is in no leaf belongs to the first, at its
    beginning.
    """
    found: list[list[Fact]] = [[] for _ in texts]
    if not texts or not facts:
        return [()] * len(texts)
    lines = _lines(texts)
    for fact in facts:
        leaf, start, end = lines.get(fact.quote.strip(), (0, 0, 0)) if fact.quote else (0, 0, 0)
        found[leaf].append(_placed(fact, start, end))
    return [tuple(one) for one in found]


def _lines(texts: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """Number of the leaf, start and end of each line; of equal lines the first."""
    lines: dict[str, tuple[int, int, int]] = {}
    for number, text in enumerate(texts):
        at = 0
        for line in text.split("\n"):
            bare = line.strip()
            if bare and bare not in lines:
                start = at + len(line) - len(line.lstrip())
                lines[bare] = (number, start, start + len(bare))
            at += len(line) + 1
    return lines


def _placed(fact: Stated, start: int, end: int) -> Fact:
    return Fact(
        _entity(fact.subject),
        fact.relation,
        fact.value,
        start,
        end,
        _entity(fact.reference) if fact.reference else None,
        fact.since,
        fact.until,
        group=group_of(fact),
    )


def _entity(reference: Reference) -> Entity:
    return Entity(reference.kind, reference.id, reference.name)
