"""What the search index notes of a leaf: the terms it is found by, its facts and the names in them, its items.

A pure function of the leaf, its record and where it stands: whoever reads a leaf works it out in the same go, and whoever
indexes one that nobody has just read does so then. It needs nothing of a database: children import it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from prompts.language import terms
from prompts.records import Property, SummaryRecord
from prompts.sentences import terms_of_sentences
from prompts.text_lines import line_start
from tree.retrieve.fact_rows import FactRows, fact_rows
from tree.retrieve.folding import as_name
from tree.retrieve.record_items import record_items
from tree.retrieve.text_facts import text_facts
from tree.store.forms import LeafContents
from tree.store.leaves import FILE, Fact
from tree.store.places import is_inside_document, standing

APART = "  "  # two spaces between terms, so that each has one on both sides
BETWEEN_PEOPLE = "|"  # which none of their names has

ItemRow = tuple[str, int, int, str, str, str, str, str, str, bool, bool, bool, int, bool]


class LeafEntry(NamedTuple):
    """As it is written into the tables of the index, but for the number of its entry there."""

    heading: str  # the terms of what stands above the text
    body: str
    length: int  # in terms
    titles: list[str]  # of the headings that a part of a document is, as names are compared
    facts: FactRows
    items: list[ItemRow]
    content_types: tuple[str, ...]


class Given(NamedTuple):
    """All that an entry is made of, by name."""

    place: str  # `standing`
    leaf: str  # its key
    record: str  # its hash


Ahead = Mapping[Given, LeafEntry]  # entries that were made before they are asked for


def leaf_entry(leaf: LeafContents, record: SummaryRecord, place: str, *, just_read: bool = False) -> LeafEntry:
    """Of a leaf at a place, of which no more counts than `standing` tells. `just_read`: the terms of its sentences are remembered."""
    text, headings, facts, properties = leaf
    place = standing(place)
    whole = _with_properties(text, properties)
    known = terms_of_sentences(text) if just_read and len(whole) == len(text) else None
    heading, body = terms("\n".join(headings)), terms(whole) if known is None else known
    stated = _all_facts(text, headings, facts)
    titles: list[str] = []
    if is_inside_document(place) and headings:  # of several headings the first and the last
        titles = sorted({as_name(title) for title in headings[-1].split(" … ")})
    return LeafEntry(
        APART.join(heading),
        APART.join(body),
        len(heading) + len(body),
        titles,
        fact_rows(stated, place),
        _item_rows(leaf, record, stated, place, frozenset(chain(heading, body))),
        record.content_types,
    )


def _item_rows(
    leaf: LeafContents, record: SummaryRecord, stated: Sequence[Fact], place: str, found_by: frozenset[str]
) -> list[ItemRow]:
    """Its items, and of each whether the leaf is found by every term that it is about."""
    return [
        (one.sort, one.start, one.end, one.said, one.topic, one.day, one.due, BETWEEN_PEOPLE.join(one.people), one.state,
         one.is_history, one.is_assigned, one.is_listed, one.titled, found_by.issuperset(one.topic.split()))
        for one in record_items(leaf.text, leaf.headings, record, stated, place)
    ]  # fmt: skip


def _with_properties(text: str, properties: Iterable[Property]) -> str:
    """A leaf's text below what its document says of itself, where that does not stand in it anyway."""
    said = [f"{name}: {value}" for name, value in properties if value not in text]
    return "\n".join((*said, text))


def _all_facts(text: str, headings: Sequence[str], facts: Sequence[Fact]) -> list[Fact]:
    """Those its source stated, and those its text states. What a document says of itself was read from its head as a whole."""
    is_ticket = any(fact.subject.kind == "ticket" for fact in facts)
    own = {(fact.relation, fact.start) for fact in facts if fact.group == FILE}
    stated = text_facts(text, headings[:-1], "ticket" if is_ticket else "file")
    if own:
        lines = {(relation, line_start(text, start)) for relation, start in own}
        stated = [fact for fact in stated if fact.row or (fact.relation, line_start(text, fact.start)) not in lines]
    return [*facts, *stated]
