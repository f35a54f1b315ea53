"""The facts of a leaf as rows of the search index, but for the numbers these get there. It needs nothing of a database: children import it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from prompts.regex import regex
from tree.retrieve.folding import folded, head_of
from tree.retrieve.name_counts import NOTHING_NAMED, Class, Named, Stated, Subject, named_by
from tree.store.leaves import FILE, Fact
from tree.store.places import document_around

TICKET = "ticket"  # the collection of tickets; that of files is called as the group of what they say of themselves
LONGEST_LIST, MOST_LISTED_WORDS = 300, 5  # characters of a cell that lists names, words of each
LONGEST_MATCH = 120  # characters of a value that can be asked for; a longer one is a text
_APART_IN_CELL = regex(r"[,;\n] ?")

FactRow = tuple[int, int, str, str | None, str, str, str, str, str, str, str, str, str, int, int, bool]


class FactRows(NamedTuple):
    """The facts of a leaf. What is the same for all facts of a subject is kept once."""

    subjects: list[tuple[str, str, str, str, str]]  # kind, subject, title, category, name
    facts: list[FactRow]  # number of the subject from 1, row, collection, thing (None for a row of a table), name, ...
    tables: list[tuple[str, str]]  # collection, key
    named: Named


def fact_rows(facts: Iterable[Fact], place: str) -> FactRows:
    """Of a leaf at a place; of that only the document counts."""
    subjects: dict[tuple[str, str, str, str], int] = {}
    tables: dict[str, str] = {}
    rows: list[FactRow] = []
    classes: list[Class] = []
    for fact in facts:
        subject = subjects.setdefault((*fact.subject, folded(fact.group)), len(subjects) + 1)
        relation, value, name = folded(fact.relation), folded(fact.value), folded(head_of(fact.subject.id))
        whole = folded(head_of(fact.value))[:LONGEST_MATCH]
        collection, thing = _member(fact, place, name, tables)
        for match in dict.fromkeys((whole, *(_listed(fact) if fact.row else ()))):
            if fact.subject.kind == "row" and match == name:
                classes.append(Class(relation, folded(fact.group)))
            rows.append(
                (
                    subject, fact.row, collection, thing, name, relation,
                    "" if fact.relation == relation else fact.relation, fact.value, match,
                    fact.object.kind if fact.object else "", fact.object.id if fact.object else "", fact.since, fact.until, fact.start, fact.end,
                    match != value,
                )
            )  # fmt: skip
    if not subjects:
        return FactRows([], [], [], NOTHING_NAMED)
    known = [(*one, folded(head_of(one[1]))) for one in subjects]
    stated = (Stated(row[5], row[2], row[8], row[9], row[12]) for row in rows)
    named = named_by((Subject(one[4], one[0]) for one in known), stated, classes)
    return FactRows(known, rows, [(collection, key) for key, collection in tables.items()], named)


def _listed(fact: Fact) -> tuple[str, ...]:
    """The names (folded) in a cell that is a list of them, because it holds people or its column is in the plural."""
    label = folded(head_of(fact.relation))
    is_list = label.endswith("s") and not label.endswith(("ss", "us", "is")) or (fact.object and fact.object.kind == "person")
    parts = _APART_IN_CELL.split(fact.value) if is_list and len(fact.value) <= LONGEST_LIST else []
    if len(parts) < 2 or any(len(part.split()) > MOST_LISTED_WORDS for part in parts):
        return ()
    return tuple(filter(None, (folded(head_of(part.strip())) for part in parts)))


def _member(fact: Fact, place: str, name: str, tables: dict[str, str]) -> tuple[str, str | None]:
    """The collection that the subject of a fact is counted in, and which of its things it is: None for a row of a table, which is
    called by the number of its entry; notes the tables it finds."""
    if fact.table and fact.subject.kind == "row":
        if fact.table not in tables:
            parts = fact.table.split("\n")
            del parts[-2:-1]  # whatever column names the rows of this leaf, it is one table
            whole = "\n".join((document_around(place), *parts))
            tables[fact.table] = blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        return tables[fact.table], None
    if fact.group == FILE:
        return FILE, document_around(place)
    return fact.subject.kind, name if fact.subject.kind == TICKET else ""
