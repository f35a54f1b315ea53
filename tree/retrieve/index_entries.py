"""What the search index holds of each live leaf, and how it follows the published versions: entries, names, addresses, headings."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence

from prompts.language import terms
from prompts.records import Property, SummaryRecord
from prompts.regex import regex
from prompts.text_lines import line_start
from prompts.ticket_keys import TICKET_KEY
from tree.retrieve import fact_index, item_index, word_index
from tree.retrieve.collections import folder_nouns
from tree.retrieve.index_file import meta, set_meta
from tree.retrieve.item_index import Described
from tree.retrieve.text_facts import text_facts
from tree.store.database import Database
from tree.store.deltas import Delta, LeafAt, earlier_state, names_at
from tree.store.leaves import FILE, Fact
from tree.store.places import is_inside_document
from tree.store.statements import MANY
from tree.store.store import Store

_KEY = regex(rf"{TICKET_KEY}(?![\w-])", re.IGNORECASE)
BATCH = 2_000  # leaves indexed in one step


class Contradiction(Exception):
    """The index holds other leaves than the trees it follows."""


class Outrun(Exception):
    """What was to be indexed has been published over and forgotten since it was listed."""


def add(connection: sqlite3.Connection, store: Store, leaves: Sequence[LeafAt], strict: bool = False) -> None:
    for start in range(0, len(leaves), BATCH):
        texts = store.leaves.contents(leaf.leaf for leaf in leaves[start : start + BATCH])
        some = [leaf for leaf in leaves[start : start + BATCH] if leaf.leaf in texts]
        if strict and len(some) < len(leaves[start : start + BATCH]):
            raise Outrun
        records = store.records.by_hash(leaf.record for leaf in some)
        [last] = connection.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
        entries, described = [], []
        words: defaultdict[str, list[tuple[int, list[str], list[str]]]] = defaultdict(list)
        for rowid, leaf in enumerate(some, last + 1):
            text, headings, facts, properties = texts[leaf.leaf]
            heading_terms, body_terms = found_by = _terms(text, headings, properties)
            entries.append((rowid, *leaf, len(heading_terms) + len(body_terms)))
            words[leaf.source_id].append((rowid, heading_terms, body_terms))
            stated = _all_facts(text, headings, facts)
            fact_index.add(connection, rowid, leaf.place, stated)
            if is_inside_document(leaf.place) and headings:
                titles = {as_name(title) for title in headings[-1].split(" … ")}  # of several headings the first and the last
                connection.executemany("INSERT INTO heading VALUES (?, ?)", [(title, rowid) for title in sorted(titles)])
            described.append(
                Described(rowid, leaf.place, text, headings, records.get(leaf.record, SummaryRecord()), stated, found_by)
            )
        item_index.add(connection, described)
        connection.executemany(
            "INSERT INTO entry (id, place, source_id, leaf, record, length) VALUES (?, ?, ?, ?, ?, ?)", entries
        )
        for source_id, rows in words.items():
            word_index.add(connection, source_id, rows)


def restate(connection: sqlite3.Connection, store: Store, leaves: Mapping[int, tuple[LeafAt, LeafAt]]) -> None:
    """Leaves of which only the record changed, as they were and are, by the number of their entry: what it lists is listed
    anew. No text is read for a record that lists the same."""
    changed = {id_: (before.record, leaf) for id_, (before, leaf) in leaves.items() if before.record != leaf.record}
    records = store.records.by_hash([hash_ for before, leaf in changed.values() for hash_ in (before, leaf.record)])
    nothing = SummaryRecord()
    other = {
        id_: leaf for id_, (before, leaf) in changed.items()
        if before not in records or item_index.listed(records[before]) != item_index.listed(records.get(leaf.record, nothing))
    }  # fmt: skip
    item_index.drop(connection, other)
    texts = store.leaves.contents(leaf.leaf for leaf in other.values())
    described = [
        Described(id_, leaf.place, text, headings, records.get(leaf.record, nothing), _all_facts(text, headings, facts),
                  _terms(text, headings, properties))
        for id_, leaf in other.items() if leaf.leaf in texts for text, headings, facts, properties in [texts[leaf.leaf]]
    ]  # fmt: skip
    item_index.add(connection, described)
    connection.executemany("UPDATE entry SET record = ? WHERE id = ?", [(leaf.record, id_) for id_, (_, leaf) in changed.items()])


def name(
    connection: sqlite3.Connection, database: Database, places: Iterable[str], sources: Container[str], version: int | None = None
) -> None:
    """Notes anew what the documents and folders at these places are called; those of other sources have no name."""
    named = [place for place in places if not is_inside_document(place)]
    for start in range(0, len(named), MANY):
        some = named[start : start + MANY]
        for table in ("name", "address", "folder"):
            connection.execute(f"DELETE FROM {table} WHERE place IN ({','.join('?' * len(some))})", some)
        for place, source_id, titles, url in names_at(database, some, version):
            if source_id not in sources:  # it is being removed
                continue
            word_index.open_source(connection, source_id)  # of which it holds something
            keys = [match[0] for title in titles if (match := _KEY.match(title)) is not None]  # a ticket may be kept as a file
            rows = {(as_name(title), place, source_id) for title in (*titles, *keys) if title.strip()}
            connection.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(rows))
            nouns = [(noun, place, source_id) for noun in sorted(folder_nouns(place))]
            connection.executemany("INSERT INTO folder VALUES (?, ?, ?)", nouns)
            if address := as_address(url):
                connection.execute("INSERT INTO address VALUES (?, ?, ?)", (address, place, source_id))


def turn_back(connection: sqlite3.Connection, store: Store, source_ids: Sequence[str], version: int) -> None:
    """Makes an index of a later version one of this version, for these sources: only what has changed since is read."""
    earlier = earlier_state(store.database, source_ids, version)
    found = entries_at(connection, earlier.changed)
    drop(connection, [(id_, length, held.source_id) for id_, length, held in found.values()])
    add(connection, store, earlier.leaves)
    name(connection, store.database, earlier.changed, source_ids, version)


def hold_against(connection: sqlite3.Connection, delta: Delta) -> None:
    """Raises Contradiction where the index has more or fewer leaves of a source than its tree has."""
    held = dict(connection.execute("SELECT id, leaves FROM source").fetchall())
    differing = sorted(id_ for id_, number in delta.totals.items() if held.get(id_, 0) != number)
    if delta.is_whole:  # the tree itself is not right there: building the index again would not mend it
        set_meta(connection, "differing", json.dumps(differing))
        return
    known = json.loads(meta(connection, "differing") or "[]")
    if new := [id_ for id_ in differing if id_ not in known]:
        raise Contradiction(f"{new[0]} has {delta.totals[new[0]]} leaves, the index {held.get(new[0], 0)}")


def entries_at(connection: sqlite3.Connection, places: Iterable[str]) -> dict[str, tuple[int, int, LeafAt]]:
    """The entries at these places: their ids, their lengths, and what they hold."""
    query = "SELECT id, length, place, source_id, leaf, record FROM entry WHERE place = ?"
    found = (connection.execute(query, (place,)).fetchone() for place in places)
    return {entry[2]: (entry[0], entry[1], LeafAt(*entry[2:])) for entry in found if entry is not None}


def drop_sources(connection: sqlite3.Connection, kept: Iterable[str]) -> bool:
    """Drops all entries and names of sources that are not among those kept. Returns whether there were any."""
    gone = [id_ for (id_,) in connection.execute("SELECT id FROM source").fetchall() if id_ not in kept]
    for source_id in gone:
        entries = connection.execute("SELECT id, length, source_id FROM entry WHERE source_id = ?", (source_id,)).fetchall()
        drop(connection, entries)
        for table in ("name", "address"):
            connection.execute(f"DELETE FROM {table} WHERE source_id = ?", (source_id,))
        connection.execute("DELETE FROM folder WHERE source = ?", (source_id,))
        word_index.drop_source(connection, source_id)
    return bool(gone)


def drop(connection: sqlite3.Connection, entries: Sequence[tuple[int, int, str]]) -> None:
    """Drops entries, given with their lengths and sources."""
    lengths: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for id_, length, source_id in entries:
        lengths[source_id][id_] = length
    for source_id, own in lengths.items():
        word_index.drop(connection, source_id, own)
        connection.executemany("DELETE FROM entry WHERE id = ?", [(id_,) for id_ in own])
        connection.executemany("DELETE FROM heading WHERE entry = ?", [(id_,) for id_ in own])
        fact_index.drop(connection, source_id, own)
        item_index.drop(connection, own)


def _terms(text: str, headings: Sequence[str], properties: Iterable[Property]) -> tuple[list[str], list[str]]:
    """What a leaf is found by: the terms of its headings, and of its text."""
    return terms("\n".join(headings)), terms(_with_properties(text, properties))


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


def as_name(text: str) -> str:
    """A title or an alias as names are compared: small letters, single spaces."""
    return " ".join(re.sub(r"[\s_]+", " ", text.casefold()).split())


def as_address(url: str) -> str:
    """A web address as addresses are compared: without scheme, "www.", query, fragment and a last slash; empty for none."""
    found = re.match(r"(?:https?:)?//(?:www\.)?([^?#]+)", url.strip(), re.IGNORECASE)
    return found[1].rstrip("/").casefold() if found else ""
