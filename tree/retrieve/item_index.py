"""Decisions, actions and events of all live leaves, and their content types, as tables of the search index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from prompts.records import SummaryRecord
from tree.retrieve import word_index
from tree.retrieve.leaf_entry import BETWEEN_PEOPLE, LeafEntry
from tree.retrieve.record_item import Kept, RecordItem, Sort

SCHEMA = """
CREATE TABLE item (entry INTEGER, sort TEXT, start INTEGER, stop INTEGER, said TEXT, topic TEXT, day TEXT, due TEXT, people TEXT,
    state TEXT, history INTEGER, assigned INTEGER, listed INTEGER, titled INTEGER, is_own INTEGER NOT NULL DEFAULT 0);
CREATE INDEX item_entry ON item (entry);
CREATE INDEX item_day ON item (sort, day);
CREATE INDEX item_other ON item (sort) WHERE NOT is_own;
CREATE TABLE content (entry INTEGER, type TEXT);
CREATE INDEX content_entry ON content (entry);
CREATE INDEX content_type ON content (type, entry)
"""
MOST_WITH_WORDS = 20_000  # leaves with the words of a topic, of which the items are looked at rather than all items
_COLUMNS = "i.sort, i.start, i.stop, i.said, i.topic, i.day, i.due, i.people, i.state, i.history, i.assigned, i.listed, i.titled"


T = TypeVar("T")


class Run(Protocol):
    def __call__(self, work: Callable[[sqlite3.Connection], T], /) -> T: ...


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item with the place of the leaf it stands in, and that leaf's key. `heading` are the terms of what stands above it."""

    item: RecordItem
    place: str
    source_id: str
    leaf: str
    heading: str = ""

    @property
    def document(self) -> str:
        """The place of its document."""
        return self.place.partition("#")[0]

    def has(self, term: str, is_common: bool = False) -> bool:
        """Whether it is said of it; or of what it stands in, if it is a word that tells one thing from another."""
        return f" {term} " in self.item.topic or (not is_common and f" {term} " in self.heading)


def add(connection: sqlite3.Connection, leaves: Sequence[tuple[int, LeafEntry]]) -> None:
    """Notes the items and content types of leaves, under the numbers of their entries."""
    items = [(entry, *item) for entry, leaf in leaves for item in leaf.items]
    types = [(entry, type_) for entry, leaf in leaves for type_ in leaf.content_types]
    connection.executemany(f"INSERT INTO item VALUES ({','.join('?' * 15)})", items)
    connection.executemany("INSERT INTO content VALUES (?, ?)", types)


def listed(record: SummaryRecord) -> tuple[object, ...]:
    """What of a record is noted here."""
    return record.decisions, record.critical_actions, record.events, record.content_types


def drop(connection: sqlite3.Connection, entries: Iterable[int]) -> None:
    ids = [(entry,) for entry in entries]
    connection.executemany("DELETE FROM item WHERE entry = ?", ids)
    connection.executemany("DELETE FROM content WHERE entry = ?", ids)


class ItemIndex:
    """Asks for items within the sources and branches of a scope. `run` does something in one transaction of the index, `where` tests
    an entry `e` of these sources."""

    def __init__(self, run: Run, where: str, values: Sequence[object], sources: Sequence[str]) -> None:
        self._run = run
        self._where = where
        self._values = list(values)
        self._sources = sources

    def _rows(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return self._run(lambda connection: connection.execute(query, values).fetchall())

    def find(self, sort: Kept, words: Sequence[str] = (), first: str = "", last: str = "", limit: int = -1) -> list[StoredItem]:
        """Items that have one of these terms in what they say or in the headings above, and a day from `first` to `last`.

        Without words or days it takes all. A month lies in a span that holds all of it. In the order of places.

        Where few leaves have one of these terms, only their items are looked at, and those that say more than their leaves.
        """
        tests: list[str] = ["i.sort = ?"]
        values: list[object] = [sort]
        if first or last:
            tests.append("i.day BETWEEN ? AND ?")  # a month comes before all of its days
            values += [first[:7], last]
        if words:
            either = " OR ".join("instr(i.topic, ?) > 0 OR instr(' ' || w.heading || ' ', ?) > 0" for _ in words)
            tests.append(f"({either})")
            values += [f" {word} " for word in words for _ in range(2)]

        def rows(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
            entries = word_index.entries_with(connection, words, self._sources, MOST_WITH_WORDS) if words else None
            among, chosen = "", list[object]()
            if entries is not None:
                among = """ AND i.rowid IN (SELECT rowid FROM item WHERE entry IN (SELECT value FROM json_each(?))
                    UNION SELECT rowid FROM item WHERE sort = ? AND NOT is_own)"""
                chosen = [json.dumps(entries), sort]
            query = f"""SELECT e.place, e.source_id, e.leaf, w.heading, {_COLUMNS} FROM item i JOIN entry e ON e.id = i.entry
                JOIN words w ON w.rowid = i.entry WHERE {" AND ".join(tests)} AND {self._where}{among}
                ORDER BY e.place, i.start, i.rowid LIMIT ?"""
            return connection.execute(query, (*values, *self._values, *chosen, limit)).fetchall()

        found = _stored(self._run(rows))
        return [one for one in found if not (first or last) or is_within(one.item.day, first, last)]

    def passages(self, type_: str, sorts: Sequence[Sort], words: Sequence[str]) -> dict[str, str]:
        """The leaves that are of a content type, if any is given, and have an item of one of these sorts with all of these
        terms: place -> what the first of these items says, without the title of its document. Lines of histories do not count, every ticket has some."""
        test, values = self._items_test(sorts, words)
        of_type = " AND EXISTS (SELECT 1 FROM content c WHERE c.entry = e.id AND c.type = ?)" if type_ else ""
        query = f"""SELECT e.place, coalesce((SELECT substr(i.said, i.titled + 1) FROM item i WHERE i.entry = e.id AND {test}
                ORDER BY i.start, i.rowid LIMIT 1), '') AS said FROM entry e WHERE {self._where}{of_type}
                AND ({"EXISTS (SELECT 1 FROM item i WHERE i.entry = e.id AND " + test + ")" if sorts else "1"}) ORDER BY e.place"""
        limits = values if sorts else []
        return dict(self._rows(query, (*values, *self._values, *([type_] if type_ else []), *limits)))

    def count_sorts(self, type_: str = "") -> dict[str, int]:
        """How many leaves, of one content type or all, have an item of each sort."""
        of_type = " AND EXISTS (SELECT 1 FROM content c WHERE c.entry = e.id AND c.type = ?)" if type_ else ""
        query = f"""SELECT i.sort, count(DISTINCT i.entry) FROM item i JOIN entry e ON e.id = i.entry
            WHERE NOT i.history AND i.sort IN ('decision', 'action', 'event') AND {self._where}{of_type} GROUP BY i.sort"""
        return dict(self._rows(query, (*self._values, *([type_] if type_ else []))))

    def count_types(self, sorts: Sequence[Sort] = (), words: Sequence[str] = ()) -> dict[str, int]:
        """How many leaves are of each content type, among those that have such items."""
        test, values = self._items_test(sorts, words)
        having = f" AND EXISTS (SELECT 1 FROM item i WHERE i.entry = e.id AND {test})" if sorts else ""
        query = f"""SELECT c.type, count(DISTINCT c.entry) FROM content c JOIN entry e ON e.id = c.entry
            WHERE {self._where}{having} GROUP BY c.type"""
        return dict(self._rows(query, (*self._values, *(values if sorts else []))))

    @staticmethod
    def _items_test(sorts: Sequence[Sort], words: Sequence[str]) -> tuple[str, list[object]]:
        tests = [f"i.sort IN ({','.join('?' * len(sorts))})", "NOT i.history", *("instr(i.topic, ?) > 0" for _ in words)]
        return " AND ".join(tests), [*sorts, *(f" {word} " for word in words)]

    def everything(self) -> list[tuple[Any, ...]]:
        """Every item and content type of the scope, in an order that does not depend on how the index came to be."""
        items = f"""SELECT e.place, e.leaf, {_COLUMNS} FROM item i JOIN entry e ON e.id = i.entry
            WHERE {self._where} ORDER BY e.place, i.rowid"""
        types = (
            f"SELECT e.place, c.type FROM content c JOIN entry e ON e.id = c.entry WHERE {self._where} ORDER BY e.place, c.rowid"
        )
        return self._rows(items, self._values) + self._rows(types, self._values)


def is_within(day: str, first: str, last: str) -> bool:
    """Whether a day, or all of a month, lies in a span of days; all as ISO 8601."""
    return first <= (day if len(day) > 7 else f"{day}-01") and (day if len(day) > 7 else f"{day}-28") <= last


def _stored(rows: Iterable[tuple[Any, ...]]) -> Iterator[StoredItem]:
    for (
        place,
        source,
        leaf,
        heading,
        sort,
        start,
        stop,
        said,
        topic,
        day,
        due,
        people,
        state,
        history,
        assigned,
        listed,
        titled,
    ) in rows:
        names = tuple(people.split(BETWEEN_PEOPLE)) if people else ()
        item = RecordItem(
            sort, start, stop, said, topic, day, due, names, state, bool(history), bool(assigned), bool(listed), titled
        )
        yield StoredItem(item, place, source, leaf, f" {heading} ")
