"""Cells that a question names by their row and their column: "what does a Brannock BR-5 cost?", where each column is a product."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prompts.language import terms
from tree.ask.facts.described_row import COST_CENTRES
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names

MOST_COLUMNS = 40  # whose labels share a word with a question
MOST_CELLS = 2_000  # in them: a table of more has things for rows, and is no comparison

Terms = frozenset[str]


def find_crossed(
    said: Terms, names: Names, facts: FactIndex, light: Terms, same: Sequence[Terms], is_wanted: Callable[[StoredFact], bool]
) -> tuple[StoredFact, ...]:
    """The one cell that all words of a question (as terms) lead to; empty where there is none, or more than one.

    `light` are words with which things are asked for, `same` groups of words that say the same of a row.
    """
    columns = [
        relation
        for relation, collections in names.relations.items()
        if not collections.isdisjoint(names.tables)
        and said & frozenset(terms(relation)) - light
        and (relation not in COST_CENTRES or frozenset(terms(relation)) <= said)
    ]
    if not 0 < len(columns) <= MOST_COLUMNS:
        return ()
    cells = [fact for fact in facts.with_relation(columns, "ticket", MOST_CELLS) if fact.fact.row and is_wanted(fact)]
    scored = [(len(told), fact) for fact in cells for told in _told(fact, said, light, same)]
    best = max((score for score, _ in scored), default=0)
    found = [fact for score, fact in scored if score == best]
    return tuple(found) if len({(fact.line, folded(fact.fact.relation)) for fact in found}) == 1 else ()


def _told(fact: StoredFact, said: Terms, light: Terms, same: Sequence[Terms]) -> Iterator[Terms]:
    """The words by which row and column are named, where together they account for the whole question."""
    row, column = frozenset(terms(fact.fact.subject.name)), frozenset(terms(fact.fact.relation))
    alike = row.union(*(group for group in same if group & row))
    by_column, by_row = said & column - light, said & alike - column
    left = said - column - alike - light - fact.heading - frozenset(terms(fact.fact.group))
    known = said & row | row & frozenset().union(*(group for group in same if group & said))
    is_named = 2 * len(known) >= len(row - light) and 2 * len(said & column) >= len(column - light)
    if by_column and by_row and is_named and not left:
        yield by_column | by_row
