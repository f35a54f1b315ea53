"""Rows of tables cell by cell, and the sums in their last row: how many of something there are in all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from prompts.language import terms, wholes
from tree.ask.facts.ticket_words import FILLERS
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names, tokens
from tree.store.places import document_around


def find_total(text: str, names: Names, facts: FactIndex) -> tuple[str, StoredFact] | None:
    """What a table says in its row of totals of the things that its caption names, and that caption: "how many handhelds do we
    have?". None where no one table does, or more is asked."""
    low = [token.text.casefold() for token in tokens(text)]
    said = {term for word in low if word not in FILLERS for term in wholes(word)}
    if low[:2] != ["how", "many"] or len(said) != 1:
        return None
    found = []
    for naming, caption in dict.fromkeys(names.classes):
        if said <= set(terms(caption)):
            total = _total([cells for cells in rows_of(facts, caption, naming) if is_total(cells)])
            found += [(caption, total)] if total is not None else []
    return found[0] if len(found) == 1 else None


Rows = list[dict[str, StoredFact]]  # each cell by its column (folded)


def rows_below(facts: FactIndex, caption: str) -> dict[str, Rows]:
    """The rows of all tables with a caption, by the place of their document."""
    lines: dict[str, dict[tuple[str, int], dict[str, StoredFact]]] = {}
    for fact in facts.in_category([caption]):
        if fact.fact.row:
            lines.setdefault(document_around(fact.place), {}).setdefault(fact.line, {})[folded(fact.fact.relation)] = fact
    return {document: list(rows.values()) for document, rows in lines.items()}


def rows_of(facts: FactIndex, caption: str, naming: str) -> Rows:
    """The rows of a table by its caption and the column that names them."""
    found = [[cells for cells in rows if naming in cells] for rows in rows_below(facts, caption).values()]
    found = [rows for rows in found if rows]
    return found[0] if len(found) == 1 else []  # tables of several documents are not one set


def rows_of_tables(facts: FactIndex, tables: Iterable[Table]) -> Iterator[tuple[str, Rows]]:
    """The place of each document with some of these tables, and the rows of those that are called the same there."""
    by_caption: dict[str, dict[str, None]] = {}  # with the documents they stand in
    for table in tables:
        by_caption.setdefault(caption_of(table), {})[table.place] = None
    for caption, places in by_caption.items():
        rows = rows_below(facts, caption)
        yield from ((place, rows[place]) for place in places if place in rows)


def caption_of(table: Table) -> str:
    return folded(table.headings[-1] if table.headings else table.title)


def is_total(cells: Mapping[str, StoredFact]) -> bool:
    """Whether a row holds the sums of the others."""
    return next(iter(cells.values())).fact.subject.kind == "total"


def _total(sums: list[dict[str, StoredFact]]) -> StoredFact | None:
    """The number in the row of totals: the column that says it is of now, else the last one."""
    numbers = [cell for cells in sums for cell in cells.values() if cell.fact.value.replace(",", "").replace(".", "").isdigit()]
    current = [cell for cell in numbers if folded(cell.fact.relation) in ("now", "today", "current", "currently")]
    return next(iter(current or numbers[-1:]), None)
