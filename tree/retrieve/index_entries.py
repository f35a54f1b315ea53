"""What the search index holds of each live leaf, and how it follows the published versions: entries, names, addresses, headings."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence

from prompts.records import SummaryRecord
from prompts.regex import regex
from prompts.ticket_keys import TICKET_KEY
from tree.retrieve import fact_index, item_index, word_index
from tree.retrieve.collections import folder_nouns
from tree.retrieve.folding import as_name as as_name
from tree.retrieve.index_file import meta, set_meta
from tree.retrieve.leaf_entry import Ahead, Given, LeafEntry, leaf_entry
from tree.store.database import Database
from tree.store.deltas import Delta, LeafAt, earlier_state, names_at
from tree.store.places import is_inside_document, standing
from tree.store.statements import MANY
from tree.store.store import Store

_KEY = regex(rf"{TICKET_KEY}(?![\w-])", re.IGNORECASE)
BATCH = 2_000  # leaves indexed in one step
NOTHING_AHEAD: Ahead = {}


class Contradiction(Exception):
    """The index holds other leaves than the trees it follows."""


class Outrun(Exception):
    """What was to be indexed has been published over and forgotten since it was listed."""


def add(
    connection: sqlite3.Connection, store: Store, leaves: Sequence[LeafAt], strict: bool = False, ahead: Ahead = NOTHING_AHEAD
) -> None:
    """Notes leaves, of those that were made ahead what was made. Where it is `strict`, raises Outrun if one of them is not there
    any more."""
    for start in range(0, len(leaves), BATCH):
        some = leaves[start : start + BATCH]
        made = _made(store, some, ahead)
        if strict and len(made) < len(some):
            raise Outrun
        [last] = connection.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
        numbered = [
            (entry, leaf, made[leaf.place]) for entry, leaf in enumerate((one for one in some if one.place in made), last + 1)
        ]
        words: defaultdict[str, list[tuple[int, LeafEntry]]] = defaultdict(list)
        for entry, leaf, noted in numbered:
            words[leaf.source_id].append((entry, noted))
        connection.executemany(
            "INSERT INTO entry (id, place, source_id, leaf, record, length) VALUES (?, ?, ?, ?, ?, ?)",
            [(entry, *leaf, noted.length) for entry, leaf, noted in numbered],
        )
        titles = [(title, entry) for entry, _, noted in numbered for title in noted.titles]
        connection.executemany("INSERT INTO heading VALUES (?, ?)", titles)
        fact_index.add(connection, [(entry, leaf.source_id, noted.facts) for entry, leaf, noted in numbered])
        item_index.add(connection, [(entry, noted) for entry, _, noted in numbered])
        for source_id, rows in words.items():
            word_index.add(connection, source_id, rows)


def _made(store: Store, leaves: Iterable[LeafAt], ahead: Ahead = NOTHING_AHEAD) -> dict[str, LeafEntry]:
    """What is noted of these leaves, by place: as it was made ahead of exactly this leaf and record, else made now. One of which
    the text is gone is left out."""
    given = {leaf: Given(standing(leaf.place), leaf.leaf, leaf.record) for leaf in leaves}
    found = {leaf.place: entry for leaf, one in given.items() if (entry := ahead.get(one)) is not None}
    others = [leaf for leaf in given if leaf.place not in found]
    texts = store.leaves.contents(leaf.leaf for leaf in others)
    records = store.records.by_hash(leaf.record for leaf in others)
    for leaf in others:
        if leaf.leaf in texts:
            found[leaf.place] = leaf_entry(texts[leaf.leaf], records.get(leaf.record, SummaryRecord()), leaf.place)
    return found


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
    made = _made(store, other.values())
    item_index.add(connection, [(id_, made[leaf.place]) for id_, leaf in other.items() if leaf.place in made])
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
        rows: list[tuple[str, str, str]] = []
        nouns: list[tuple[str, str, str]] = []
        addresses: list[tuple[str, str, str]] = []
        named_in: dict[str, None] = {}
        for place, source_id, titles, url in names_at(database, some, version):
            if source_id not in sources:  # it is being removed
                continue
            named_in[source_id] = None
            keys = [match[0] for title in titles if (match := _KEY.match(title)) is not None]  # a ticket may be kept as a file
            rows += sorted({(as_name(title), place, source_id) for title in (*titles, *keys) if title.strip()})
            nouns += [(noun, place, source_id) for noun in sorted(folder_nouns(place))]
            if address := as_address(url):
                addresses.append((address, place, source_id))
        for source_id in named_in:
            word_index.open_source(connection, source_id)  # of which it holds something
        connection.executemany("INSERT INTO name VALUES (?, ?, ?)", rows)
        connection.executemany("INSERT INTO folder VALUES (?, ?, ?)", nouns)
        connection.executemany("INSERT INTO address VALUES (?, ?, ?)", addresses)


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


def as_address(url: str) -> str:
    """A web address as addresses are compared: without scheme, "www.", query, fragment and a last slash; empty for none."""
    found = re.match(r"(?:https?:)?//(?:www\.)?([^?#]+)", url.strip(), re.IGNORECASE)
    return found[1].rstrip("/").casefold() if found else ""
