"""The row of a table of limits that an amount falls into: "who may approve 15,000?" where rows say "up to EUR 20,000"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prompts.language import terms
from prompts.question import Word
from prompts.regex import regex
from tree.ask.facts.amounts import Amount
from tree.ask.facts.likely_rows import cells_of, is_said
from tree.ask.facts.limits import FEWEST_LIMITS, beside_amount, holding
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import FactIndex, folded

MOST_ROWS = 60  # of a table of limits
LEAST_SHARE = 0.3  # of the weight of a question that the table has to be called by
_LABEL = regex(r"(?:up to|until|below|under|at most|from|over|above|bis|unter|ab|über|jusqu['’]à)\b", re.IGNORECASE)
_BARE = regex(r"\d[\d.,' ]*(?: ?(?:EUR|USD|GBP|CHF|[€$£]))?")


@dataclass(frozen=True, slots=True)
class LimitRow:
    """The row, known by its thing, in a table; `column` (folded) is that of the limits."""

    table: Table
    thing: str
    column: str
    total: int  # rows of the table


def find_limit_row(amount: Amount, carrying: Sequence[Word], tables: Iterable[Table], facts: FactIndex) -> LimitRow | None:
    """None where no table of limits, or several, are called by its words."""
    words = beside_amount(carrying)
    total = sum(word.weight for word in words)
    if amount is None or not total:
        return None
    rows: list[LimitRow] = []
    for table in tables:
        called = {term for said in (table.title, *table.headings, table.naming, *table.columns) for term in terms(said)}
        said = sum(word.weight for word in words if is_said(word, called))
        if said >= LEAST_SHARE * total and (row := _row_of(table, amount, facts)) is not None:
            rows.append(row)
    return rows[0] if len(rows) == 1 else None


def _row_of(table: Table, amount: Amount, facts: FactIndex) -> LimitRow | None:
    rows = cells_of(table, facts)
    if not FEWEST_LIMITS <= len(rows) <= MOST_ROWS:
        return None
    for column in dict.fromkeys(folded(one) for one in (table.naming, *table.columns) if one):
        thing = holding({thing: _with_label(column, row.get(column, "")) for thing, row in rows.items()}, amount)
        if thing is not None:
            return LimitRow(table, thing, column, len(rows))
    return None


def _with_label(column: str, said: str) -> str:
    """A bare number below "Up to (euros)" is a limit as that column says."""
    label = _LABEL.match(column)
    return f"{label.group()} {said}" if label is not None and _BARE.fullmatch(said.strip()) else said
