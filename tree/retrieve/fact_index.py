"""The facts of all live leaves, as a table of the search index: what is known of a name, and which names have a value."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tree.store.leaves import Entity, Fact

SCHEMA = """
CREATE TABLE fact (entry INTEGER, row INTEGER, kind TEXT, subject TEXT, title TEXT, name TEXT, category TEXT, relation TEXT,
    label TEXT, value TEXT, match TEXT, object TEXT, object_id TEXT, since TEXT, until TEXT, start INTEGER, stop INTEGER);
CREATE INDEX fact_entry ON fact (entry);
CREATE INDEX fact_name ON fact (name, kind, entry);
CREATE INDEX fact_match ON fact (match);
CREATE INDEX fact_relation ON fact (relation, kind, match, object, until, name, entry)
"""  # the last one answers for sets of tickets, and for what can be named, without the rows themselves
LONGEST_MATCH = 120  # characters of a value that can be asked for; a longer one is a text

_SAID_OF_IT = re.compile(r"[;(\[]|,\s")
_APART = re.compile(r"[^\w]+")
Rows = Callable[[str, Sequence[object]], list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact with the place of the leaf that states it, and the leaf's key."""

    fact: Fact
    place: str
    source_id: str
    leaf: str
    heading: frozenset[str] = frozenset()  # the terms of the headings above the leaf, the document's title among them

    @property
    def key(self) -> tuple[str, str]:
        """Its subject over all documents: a ticket by its key, anything else by its name."""
        return self.fact.subject.kind, folded(self.fact.subject.id)

    @property
    def line(self) -> tuple[str, int]:
        """The row of a table that it stands in."""
        return self.place, self.fact.row


def folded(text: str) -> str:
    """A name as names are compared: small letters without accents, words and numbers apart by one space."""
    text = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(_APART.sub(" ", "".join(char for char in text if not unicodedata.combining(char))).replace("_", " ").split())


def head_of(text: str) -> str:
    """A name or value without what is said of it after a comma, a semicolon or a bracket: "Team Quay (since June)"."""
    head = _SAID_OF_IT.split(text, maxsplit=1)[0].strip()
    return head if head and any(map(str.isalpha, head)) else text


def add(connection: sqlite3.Connection, entry: int, facts: Iterable[Fact]) -> None:
    """Notes the facts of a leaf, under the number of its entry."""
    rows = [
        (
            entry, fact.row, fact.subject.kind, fact.subject.id, fact.subject.name, folded(head_of(fact.subject.id)), folded(fact.group),
            folded(fact.relation), fact.relation, fact.value, folded(head_of(fact.value))[:LONGEST_MATCH],
            fact.object.kind if fact.object else "", fact.object.id if fact.object else "", fact.since, fact.until, fact.start, fact.end,
        )
        for fact in facts
    ]  # fmt: skip
    connection.executemany(f"INSERT INTO fact VALUES ({','.join('?' * 17)})", rows)


def drop(connection: sqlite3.Connection, entries: Iterable[int]) -> None:
    connection.executemany("DELETE FROM fact WHERE entry = ?", [(entry,) for entry in entries])


# values that a question may name: not times, nor the tickets that a ticket is linked to, which are named by their keys
_NAMED_VALUES = """(until = '' AND length(match) BETWEEN 2 AND 60 OR object != '' OR relation IN ('status', 'priority', 'type', 'resolution'))
    AND NOT (kind = 'ticket' AND relation IN ('key', 'former key', 'created', 'updated', 'resolved', 'due', 'summary'))
    AND NOT (object = 'ticket' AND relation NOT IN ('epic', 'parent'))"""


_STATED = """f.row, f.kind, f.subject, f.title, f.name, f.category, f.relation, f.label, f.value, f.match, f.object, f.object_id,
    f.since, f.until, f.start, f.stop"""
_COLUMNS = """e.place, e.source_id, e.leaf, f.row, f.kind, f.subject, f.title, f.category, f.label, f.value, f.object, f.object_id,
    f.since, f.until, f.start, f.stop, w.heading"""


class FactIndex:
    """Asks for facts within the sources and branches of a scope. `rows` runs a query in the index.

    `where` is a test of an entry `e`; `everywhere` one, evaluated once a query, of whether all entries pass it anyway.
    """

    def __init__(
        self, rows: Rows, where: str, values: Sequence[object], everywhere: str = "0", all_values: Sequence[object] = ()
    ) -> None:
        self._rows = rows
        self._where = where
        self._values = list(values)
        self._in_scope = f"(({everywhere}) OR EXISTS (SELECT 1 FROM entry e WHERE e.id = f.entry AND {where}))"
        self._scope_values = [*all_values, *values]

    def about(self, names: Iterable[str]) -> list[StoredFact]:
        """Everything stated of subjects with these names (folded)."""
        return self._facts("f.name IN", names)

    def with_value(self, values: Iterable[str], but_of: str = "") -> list[StoredFact]:
        """Every fact that has one of these values (folded), of subjects of another kind than this."""
        return self._facts("f.match IN", values, " AND f.kind != ?", [but_of])

    def used_as(self, value: str) -> list[tuple[str, str, str, str]]:
        """(relation, kind of the subject, kind of the object, as it is written) of what has this value (folded) now."""
        query = f"""SELECT f.relation, f.kind, f.object, min(f.value) FROM fact f WHERE f.match = ? AND f.until = '' AND {self._in_scope}
            GROUP BY f.relation, f.kind, f.object ORDER BY count(*) DESC, f.relation"""
        return self._rows(query, (value, *self._scope_values))

    def with_relation(self, relations: Iterable[str], kinds: Iterable[str] = ()) -> list[StoredFact]:
        """Every fact of these relations (folded), of subjects of these kinds or of all."""
        kinds = list(kinds)
        also = f" AND f.kind IN ({_marks(kinds)})" if kinds else ""
        return self._facts("f.relation IN", relations, also, kinds)

    def of_kind(self, kind: str) -> list[StoredFact]:
        """Every fact of subjects of this kind."""
        return self._facts("f.kind IN", [kind])

    def in_category(self, categories: Iterable[str]) -> list[StoredFact]:
        """Every fact in the tables with these captions (folded)."""
        return self._facts("f.category IN", categories)

    def lines(self, lines: Iterable[tuple[str, int]]) -> list[StoredFact]:
        """All cells of these rows, given by place and number of the row."""
        found: list[StoredFact] = []
        for place, row in dict.fromkeys(lines):
            found += self._facts("f.row IN", [row], " AND e.place = ?", [place])
        return found

    def everything(self) -> list[tuple[Any, ...]]:
        """Every fact of the scope with its place and leaf, in an order that does not depend on how the index came to be."""
        query = f"""SELECT e.place, e.source_id, e.leaf, {_STATED} FROM fact f JOIN entry e ON e.id = f.entry
            WHERE {self._where} ORDER BY e.place, f.rowid"""
        return self._rows(query, self._values)

    def current(self, names: Iterable[str], kind: str, relations: Sequence[str]) -> list[StoredFact]:
        """What holds now of the subjects of a kind with these names (folded), for these relations (folded)."""
        also = f" AND f.kind = ? AND f.until = '' AND f.relation IN ({_marks(relations)})"
        return self._facts("f.name IN", names, also, [kind, *relations])

    # ---- sets of subjects: their names (folded) alone, for thousands of them

    def holding(self, kind: str, relations: Iterable[str], test: str = "", values: Sequence[object] = ()) -> set[str]:
        """The subjects of a kind of which one of these relations holds now. `test` is about `f.match`, the value (folded)."""
        return {name for (name,) in self._now("f.name", kind, relations, test, values)}

    def holds_any(self, kind: str, relations: Iterable[str]) -> bool:
        """Whether one of these relations holds now of any subject of a kind."""
        return bool(self._now("1", kind, relations, order=" LIMIT 1"))

    def holding_value(self, kind: str, relations: Iterable[str], wanted: Iterable[str]) -> list[tuple[str, str, str]]:
        """(subject, value, object's id) of what holds now and has one of these values (folded)."""
        return [row for some in _parts(wanted)
                for row in self._now("f.name, f.value, f.object_id", kind, relations, f" AND f.match IN ({_marks(some)})", some)]  # fmt: skip

    def leading(self, kind: str, relations: Iterable[str], to: str) -> list[tuple[str, str, str]]:
        """(subject, value, object's id) of what leads to things of the kind `to` now."""
        return self._now("f.name, f.value, f.object_id", kind, relations, " AND f.object = ?", [to])

    def stated(self, kind: str, relations: Iterable[str]) -> list[tuple[str, str]]:
        """(subject, value as written) of what holds now."""
        return self._now("f.name, f.value", kind, relations)

    def last(self, kind: str, relation: str, among: Container[str], number: int) -> list[str]:
        """The first of these subjects by a value that holds now, the greatest first."""
        order = " ORDER BY f.match DESC, f.object DESC, f.name DESC LIMIT ? OFFSET ?"
        found: list[str] = []
        at, size = 0, 10 * number
        while len(found) < number:
            rows = self._now("f.name", kind, [relation], order=order, limits=[size, at])
            found += [name for (name,) in rows if name in among]
            if len(rows) < size:
                break
            at, size = at + size, 4 * size
        return found[:number]

    def ever(self, kind: str, relations: Sequence[str], wanted: Sequence[str]) -> bool:
        """Whether one of these values (folded) holds or has ever held."""
        return any(
            self._rows(
                f"""SELECT 1 FROM fact f JOIN entry e ON e.id = f.entry WHERE f.kind = ? AND f.relation IN ({_marks(relations)})
                    AND f.match IN ({_marks(some)}) AND {self._where} LIMIT 1""",
                (kind, *relations, *some, *self._values),
            )
            for some in _parts(wanted)
        )

    def _now(
        self, columns: str, kind: str, relations: Iterable[str], test: str = "", values: Sequence[object] = (), order: str = "",
        limits: Sequence[object] = (),
    ) -> list[tuple[Any, ...]]:  # fmt: skip
        relations = list(relations)
        query = f"""SELECT {columns} FROM fact f WHERE f.relation IN ({_marks(relations)})
            AND f.kind = ? AND f.until = ''{test} AND {self._in_scope}{order}"""
        return self._rows(query, (*relations, kind, *values, *self._scope_values, *limits))

    def vocabulary(self) -> Mapping[str, list[tuple[str, ...]]]:
        """What questions may name: `subjects` (name, kind), `relations` (relation, kind), `values` (value, relation, kind of the
        subject, kind of the object), `classes` (header of the column that names the rows, caption of the table), all folded."""
        return {
            "subjects": self._distinct(("name", "kind"), "name != ''"),
            "relations": self._distinct(("relation", "kind"), "relation != '' AND kind != 'part'"),
            "values": self._distinct(("match", "relation", "kind", "object"), _NAMED_VALUES),
            "classes": self._distinct(("relation", "category"), "kind = 'row' AND match = name"),
        }

    def _distinct(self, columns: Sequence[str], test: str) -> list[tuple[str, ...]]:
        """Combinations of these that occur in the scope: found in an index alone, and each then held against the scope."""
        same = " AND ".join(f"f.{column} = d.{column}" for column in columns)
        query = f"""SELECT * FROM (SELECT DISTINCT {", ".join(columns)} FROM fact WHERE {test}) d
            WHERE EXISTS (SELECT 1 FROM fact f WHERE {same} AND {_of("f", test)} AND {self._in_scope})"""
        return self._rows(query, self._scope_values)

    def _facts(self, test: str, wanted: Iterable[object], also: str = "", values: Sequence[object] = ()) -> list[StoredFact]:
        found: list[StoredFact] = []
        for some in _parts(wanted):
            query = f"""SELECT {_COLUMNS} FROM fact f JOIN entry e ON e.id = f.entry JOIN words w ON w.rowid = f.entry
                WHERE {test} ({_marks(some)}){also} AND {self._where} ORDER BY e.place, f.start, f.rowid"""
            found += map(_stored, self._rows(query, (*some, *values, *self._values)))
        return found


def _stored(row: tuple[Any, ...]) -> StoredFact:
    (
        place,
        source,
        leaf,
        number,
        kind,
        subject,
        title,
        group,
        label,
        value,
        object_,
        object_id,
        since,
        until,
        start,
        end,
        heading,
    ) = row
    named = Entity(object_, object_id, value) if object_ else None
    return StoredFact(
        Fact(Entity(kind, subject, title), label, value, start, end, named, since, until, group, number),
        place,
        source,
        leaf,
        frozenset(heading.split()),
    )


_COLUMN = re.compile(r"\b(?=(?:name|kind|match|relation|object|until|category)\b)(?<!')")


def _of(table: str, test: str) -> str:
    return "(" + _COLUMN.sub(f"{table}.", test) + ")"


def _parts(values: Iterable[object], size: int = 400) -> Iterator[list[object]]:
    unique = list(dict.fromkeys(values))
    for start in range(0, len(unique), size):
        yield unique[start : start + size]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
