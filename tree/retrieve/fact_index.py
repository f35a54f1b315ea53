"""The facts of all live leaves, as a table of the search index: what is known of a name, and which names have a value."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, starmap
from typing import Any, TypeVar

from tree.retrieve import name_counts
from tree.retrieve.fact_rows import TICKET as TICKET
from tree.retrieve.fact_rows import FactRows
from tree.retrieve.folding import folded as folded
from tree.retrieve.folding import head_of as head_of
from tree.retrieve.name_counts import Class, Named, Stated, Subject, named_by
from tree.store.leaves import FILE, Entity, Fact
from tree.store.places import document_around, is_container, ranges_below, root_place, unescape
from tree.store.statements import in_parts, marks

SCHEMA = """
CREATE TABLE subject (id INTEGER PRIMARY KEY, entry INTEGER, kind TEXT, subject TEXT, title TEXT, category TEXT, name TEXT);
CREATE TABLE fact (entry INTEGER, subject INTEGER, row INTEGER, collection TEXT, thing TEXT, name TEXT, relation TEXT, label TEXT, value TEXT,
    match TEXT, object TEXT, object_id TEXT, since TEXT, until TEXT, start INTEGER, stop INTEGER, is_cut INTEGER);
CREATE TABLE part_of_table (entry INTEGER, collection TEXT, key TEXT);
CREATE INDEX part_of_table_entry ON part_of_table (entry);
CREATE INDEX subject_kind ON subject (kind, name, entry);
CREATE INDEX subject_entry ON subject (entry);
CREATE INDEX subject_category ON subject (category);
CREATE INDEX fact_entry ON fact (entry);
CREATE INDEX fact_name ON fact (name, collection, entry);
CREATE INDEX fact_value ON fact (match, relation, label, row);
CREATE INDEX fact_thing ON fact (thing) WHERE thing != '' AND collection != 'ticket';
CREATE INDEX fact_cut ON fact (relation, collection) WHERE is_cut;
CREATE INDEX fact_relation ON fact (relation, collection, match, object, until, thing, entry)
"""  # the last one answers for sets of tickets, and for what can be named, without the rows themselves
MANY = 5_000  # facts that tell what the files of a folder state
FEW = 1_000  # subjects or files that are looked up one by one
MOST_LABELS = 4_000  # of facts with a value, for these to be chosen by them

T = TypeVar("T")
Rows = Callable[[str, Sequence[object]], list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact with the place of the leaf that states it, and the leaf's key."""

    fact: Fact
    place: str
    source_id: str
    leaf: str
    heading: frozenset[str] = frozenset()  # the terms of the headings above the leaf, the document's title among them
    thing: str = ""  # that it is stated of, in its collection

    @property
    def key(self) -> tuple[str, str]:
        """Its subject over all documents: a ticket by its key, anything else by its name."""
        return self.fact.subject.kind, folded(self.fact.subject.id)

    @property
    def line(self) -> tuple[str, int]:
        """The row of a table that it stands in."""
        return self.place, self.fact.row


FILE_ITSELF = "file"  # kind of the subject of what is known of a file and stated nowhere in it


def add(connection: sqlite3.Connection, leaves: Sequence[tuple[int, str, FactRows]]) -> None:
    """Notes the facts of leaves: (number of the entry, source, facts)."""
    [last] = connection.execute("SELECT coalesce(max(id), 0) FROM subject").fetchone()
    subjects: list[tuple[object, ...]] = []
    facts: list[tuple[object, ...]] = []
    parts: list[tuple[object, ...]] = []
    named: defaultdict[str, list[Named]] = defaultdict(list)
    for entry, source, rows in leaves:
        before = last + len(subjects)
        subjects += [(before + number, entry, *one) for number, one in enumerate(rows.subjects, 1)]
        facts += [
            (entry, before + subject, row, collection, f"{entry:09}:{row:05}" if thing is None else thing, *rest)
            for subject, row, collection, thing, *rest in rows.facts
        ]
        parts += [(entry, *one) for one in rows.tables]
        named[source].append(rows.named)
    connection.executemany("INSERT INTO subject VALUES (?, ?, ?, ?, ?, ?, ?)", subjects)
    connection.executemany(f"INSERT INTO fact VALUES ({','.join('?' * 17)})", facts)
    connection.executemany("INSERT INTO part_of_table VALUES (?, ?, ?)", parts)
    for source, some in named.items():
        name_counts.add(connection, source, some)


def drop(connection: sqlite3.Connection, source_id: str, entries: Iterable[int]) -> None:
    """Forgets the facts of leaves of a source, given by the numbers of their entries."""
    for entry in entries:
        subjects = connection.execute("SELECT name, kind FROM subject WHERE entry = ?", (entry,)).fetchall()
        stated = connection.execute(
            "SELECT relation, collection, match, object, until FROM fact WHERE entry = ?", (entry,)
        ).fetchall()
        classes = connection.execute(
            """SELECT f.relation, s.category FROM fact f JOIN subject s ON s.id = f.subject AND s.entry = f.entry
                WHERE f.entry = ? AND s.kind = 'row' AND f.match = f.name""",
            (entry,),
        ).fetchall()
        named = named_by(starmap(Subject, subjects), starmap(Stated, stated), starmap(Class, classes))
        name_counts.add(connection, source_id, [named], -1)
        for table in ("fact", "subject", "part_of_table"):
            connection.execute(f"DELETE FROM {table} WHERE entry = ?", (entry,))


# values that a question may name: not times, nor the tickets that a ticket is linked to, which are named by their keys
_NAMED_VALUES = """(f.until = '' AND length(f.match) BETWEEN 2 AND 60 OR f.object != ''
        OR f.relation IN ('status', 'priority', 'type', 'resolution'))
    AND NOT (f.object = 'ticket' AND f.relation NOT IN ('epic', 'parent'))"""
_UNNAMED = "p.collection = 'ticket' AND p.relation IN ('key', 'former key', 'created', 'updated', 'resolved', 'due', 'summary', 'active sprint')"
# every pair of them, one step in the index for each: "loose index scan", which SQLite does not do by itself
_PAIRS = """WITH RECURSIVE named (relation) AS (
        SELECT min(relation) FROM fact UNION ALL
        SELECT (SELECT min(f.relation) FROM fact f WHERE f.relation > n.relation) FROM named n WHERE n.relation IS NOT NULL),
    pair (relation, collection) AS (
        SELECT n.relation, (SELECT min(f.collection) FROM fact f WHERE f.relation = n.relation) FROM named n WHERE n.relation IS NOT NULL UNION ALL
        SELECT p.relation, (SELECT min(f.collection) FROM fact f WHERE f.relation = p.relation AND f.collection > p.collection)
            FROM pair p WHERE p.collection IS NOT NULL)"""


_STATED = """f.row, s.kind, s.subject, s.title, f.name, s.category, f.relation, f.label, f.value, f.match, f.object, f.object_id,
    f.since, f.until, f.start, f.stop"""
# the labels of the facts with some values: a step in the index for each, however many facts have it
_LABELS = """WITH RECURSIVE wanted (match) AS (SELECT value FROM json_each(?)), step (id) AS (
        SELECT (SELECT f.rowid FROM fact f WHERE f.match = w.match ORDER BY f.relation, f.label LIMIT 1) FROM wanted w UNION ALL
        SELECT (SELECT f.rowid FROM fact f WHERE f.match = s.match AND (f.relation, f.label) > (s.relation, s.label)
            ORDER BY f.relation, f.label LIMIT 1) FROM step JOIN fact s ON s.rowid = step.id)
    SELECT d.relation, d.label, max((SELECT max(f.row) FROM fact f
        WHERE f.match = d.match AND f.relation = d.relation AND f.label = d.label)) > 0
    FROM step JOIN fact d ON d.rowid = step.id GROUP BY d.relation, d.label"""
_COLUMNS = """e.place, e.source_id, e.leaf, f.row, s.kind, s.subject, s.title, s.category,
    iif(f.label = '', f.relation, f.label), f.value, f.object, f.object_id,
    f.since, f.until, f.start, f.stop, w.heading, f.thing"""


class Files(Set[str]):
    """The places of documents. Of very many each is read only where each is asked for: how many there are is counted, and which of
    a few things are among them is looked up."""

    def __init__(
        self, read: Callable[[], set[str]], read_among: Callable[[Iterable[str]], set[str]], count: Callable[[], int]
    ) -> None:
        self._read, self._read_among, self._count = read, read_among, count

    @classmethod
    def _from_iterable(cls, places: Iterable[str]) -> set[str]:  # type: ignore[override]  # what is left of them is a plain set
        return set(places)

    @cached_property
    def _all(self) -> set[str]:
        return self._read()

    def __contains__(self, place: object) -> bool:
        return place in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    @cached_property
    def _number(self) -> int:
        return self._count()

    def __len__(self) -> int:
        return self._number

    def __and__(self, things: Set[str]) -> set[str]:
        return self._read_among(things) if len(things) <= FEW else self._all & things

    def __sub__(self, things: Set[str]) -> set[str]:
        return self._all - things


class FactIndex:
    """Asks for facts within the sources and branches of a scope. `rows` runs a query in the index.

    `where` is a test of an entry `e`; `everywhere` one, evaluated once a query, of whether all entries pass it anyway.
    """

    def __init__(
        self, rows: Rows, where: str, values: Sequence[object], everywhere: str = "0", sources: Sequence[str] | None = None
    ) -> None:
        self.rows = self._rows = rows
        self.sources = sources  # whole ones, of which names are counted; None for branches
        self._where = where
        self._values = list(values)
        self._in_scope = f"(({everywhere}) OR EXISTS (SELECT 1 FROM entry e WHERE e.id = f.entry AND {where}))"
        self._scope_values = [*(sources or ()), *values]
        self._tickets: set[str] | None = None

    def about(self, names: Iterable[str]) -> list[StoredFact]:
        """Everything stated of subjects with these names (folded)."""
        return self._facts("f.name IN", names)

    def with_value(self, values: Iterable[str], but_of: str = "") -> list[StoredFact]:
        """Every fact that has one of these values (folded), but for those of a collection."""
        return self._facts("f.match IN", values, " AND f.collection != ?", [but_of])

    def telling(
        self,
        values: Iterable[str],
        is_asked: Callable[[str], bool],
        most_rows: int,
        most_alike: int = -1,
        has_kinds: Callable[[str], bool] = lambda _: True,
    ) -> list[StoredFact]:
        """Of the facts that have one of these values (folded), in the order of `with_value`: the cells of tables, but for columns
        in which more than `most_rows` rows have one; and what holds now beside tables where the relation, as it is written, is
        asked for. Of facts of one relation, group and kind of subject at least the first `most_alike`, if that is no less than 0;
        where it makes no difference by what kind of document a relation is stated (`has_kinds`), of all kinds together.

        A name may have a hundred thousand facts of a few relations. Which these are is seen without reading them.
        """
        wanted = list(dict.fromkeys(values))
        labels = self._rows(_LABELS, (json.dumps(wanted),))
        if len(labels) > MOST_LABELS:
            return self.with_value(wanted)
        asked = [(relation, label) for relation, label, _ in labels if is_asked(label or relation)]
        columns = self._telling_columns(wanted, [(relation, label) for relation, label, is_cell in labels if is_cell], most_rows)
        query = f"""SELECT {_COLUMNS} FROM fact f JOIN entry e ON e.id = f.entry
            JOIN subject s ON s.id = f.subject AND s.entry = f.entry JOIN words w ON w.rowid = f.entry
            WHERE f.rowid IN (SELECT value FROM json_each(?)) ORDER BY e.place, f.start, f.rowid"""
        found: list[StoredFact] = []
        for some in in_parts(wanted):
            ids = [*self._held(some, asked, most_alike, has_kinds), *self._cells(some, columns)]
            found += map(_stored, self._rows(query, (json.dumps(ids),)) if ids else ())
        return found

    def _held(
        self, values: Sequence[str], labels: Sequence[tuple[str, str]], most_alike: int, has_kinds: Callable[[str], bool]
    ) -> list[int]:
        """The numbers of facts beside tables that have one of these values and labels now; the first of those that are alike."""
        if most_alike >= 0 and self.sources is not None:
            first = {one: self._first_of_files(values, *one, most_alike) for one in labels if not has_kinds(one[1] or one[0])}
            labels = [one for one in labels if first.get(one) is None]
            return [*chain(*filter(None, first.values())), *self._held_or_first(values, labels, most_alike)]
        return self._held_or_first(values, labels, most_alike)

    def _first_of_files(self, values: Sequence[str], relation: str, label: str, most: int) -> list[int] | None:
        """The numbers of facts that documents state of themselves, among them the first: source by source, in the order of places,
        until there are enough. None where the counts of names do not tell that nothing else has these values."""
        objects = [kind for (kind,) in self._rows("SELECT DISTINCT object FROM named_relation WHERE relation = ?", [relation])]
        if not name_counts.are_named(relation, values, objects):
            return None
        query = f"SELECT name, collection, source FROM named_value WHERE variant IN ({marks(values)}) AND name = variant AND relation = ?"
        names: dict[str, list[str]] = {}
        for name, collection, source in self._rows(query, (*values, relation)):
            if source in (self.sources or ()):
                if collection != FILE:
                    return None
                names.setdefault(source, []).append(name)
        found: list[int] = []
        for source in sorted(names, key=root_place):
            [(first, last)] = ranges_below(root_place(source))
            query = f"""SELECT f.rowid FROM fact f INDEXED BY fact_relation WHERE f.relation = ? AND f.collection = ?
                AND f.match IN ({marks(names[source])}) AND f.object IN ({marks(objects)}) AND f.until = ''
                AND f.thing >= ? AND f.thing < ? AND f.label = ? AND f.row = 0"""
            bound = (relation, FILE, *names[source], *objects, first, last, label)
            found += [id_ for (id_,) in self._rows(query, bound)]
            if len(found) >= most:
                break
        return found

    def _held_or_first(self, values: Sequence[str], labels: Sequence[tuple[str, str]], most_alike: int) -> list[int]:
        if not labels:
            return []
        test, bound = _of_labels(values, labels)
        query = (
            f"SELECT f.rowid FROM fact f INDEXED BY fact_value WHERE {test} AND f.row = 0 AND f.until = '' AND {self._in_scope}"
        )
        bound += self._scope_values
        if most_alike >= 0:
            query = f"""SELECT id FROM (SELECT f.rowid AS id, row_number() OVER (
                    PARTITION BY f.relation, f.label, s.category, s.kind ORDER BY e.place, f.start, f.rowid) AS number
                FROM fact f INDEXED BY fact_value JOIN entry e ON e.id = f.entry JOIN subject s ON s.id = f.subject AND s.entry = f.entry
                WHERE {test} AND f.row = 0 AND f.until = '' AND {self._in_scope}) WHERE number <= ?"""
            bound = [*bound, most_alike]
        return [id_ for (id_,) in self._rows(query, bound)]

    def _telling_columns(
        self, values: Sequence[object], labels: Sequence[tuple[str, str]], most_rows: int
    ) -> list[tuple[str, str, str]]:
        """(relation, label, caption) of the columns of tables in which no more rows have one of these values."""
        rows: Counter[tuple[str, str, str]] = Counter()
        for some in in_parts(values) if labels else ():
            test, bound = _of_labels(some, labels)
            query = f"""SELECT f.relation, f.label, s.category, count(*) FROM fact f INDEXED BY fact_value
                JOIN subject s ON s.id = f.subject AND s.entry = f.entry
                WHERE {test} AND f.row > 0 AND {self._in_scope} GROUP BY f.relation, f.label, s.category"""
            for relation, label, caption, number in self._rows(query, (*bound, *self._scope_values)):
                rows[relation, label, caption] += number
        return [column for column, number in rows.items() if number <= most_rows]

    def _cells(self, values: Sequence[object], columns: Sequence[tuple[str, str, str]]) -> list[int]:
        """The numbers of the facts in these columns that have one of these values."""
        if not columns:
            return []
        test, bound = _of_labels(values, list(dict.fromkeys((relation, label) for relation, label, _ in columns)))
        query = f"""SELECT f.rowid FROM fact f INDEXED BY fact_value JOIN subject s ON s.id = f.subject AND s.entry = f.entry
            WHERE {test} AND f.row > 0 AND (f.relation, f.label, s.category) IN (VALUES {_tuples(columns)}) AND {self._in_scope}"""
        return [id_ for (id_,) in self._rows(query, (*bound, *chain(*columns), *self._scope_values))]

    def used_as(self, value: str) -> list[tuple[str, str, str, str]]:
        """(relation, "ticket" or "row" or another collection, kind of the object, as it is written) of what has this value now."""
        kind = "iif(f.row > 0, 'row', f.collection)"
        query = f"""SELECT f.relation, {kind}, f.object, min(f.value) FROM fact f WHERE f.match = ? AND f.until = '' AND {self._in_scope}
            GROUP BY f.relation, {kind}, f.object ORDER BY count(*) DESC, f.relation"""
        return self._rows(query, (value, *self._scope_values))

    def with_relation(self, relations: Iterable[str], but_of: str = "", most: int = -1) -> list[StoredFact]:
        """Every fact of these relations (folded), but for those of a collection; nothing where there are more than `most`."""
        wanted = list(dict.fromkeys(relations))
        if self._are_few_leaves(wanted):
            return self._with_relation_leaf_by_leaf(wanted, but_of, most)
        if most >= 0:
            query = (
                f"SELECT 1 FROM fact f WHERE f.relation IN ({marks(wanted)}) AND f.collection != ? AND {self._in_scope} LIMIT ?"
            )
            if len(self._rows(query, (*wanted, but_of, *self._scope_values, most + 1))) > most:
                return []
        return self._facts("f.relation IN", wanted, " AND f.collection != ?", [but_of])

    def _are_few_leaves(self, relations: Sequence[str]) -> bool:
        """Whether the sources asked have fewer leaves than all sources together have facts of these relations."""
        if self.sources is None or not relations:
            return False
        query = f"""SELECT (SELECT coalesce(sum(leaves), 0) FROM source WHERE id IN ({marks(self.sources)}))
            < (SELECT coalesce(sum(times), 0) FROM named_relation WHERE relation IN ({marks(relations)}))"""
        [(is_so,)] = self._rows(query, (*self.sources, *relations))
        return bool(is_so)

    def _with_relation_leaf_by_leaf(self, relations: Sequence[str], but_of: str, most: int) -> list[StoredFact]:
        """As `with_relation`, from the leaves of the scope to their facts: what other sources state takes no time."""
        # + : not by the relation's index
        query = f"""SELECT {_COLUMNS} FROM entry e CROSS JOIN fact f ON f.entry = e.id
            JOIN subject s ON s.id = f.subject AND s.entry = f.entry JOIN words w ON w.rowid = f.entry
            WHERE e.place >= ? AND e.place < ? AND {self._where} AND +f.relation IN ({marks(relations)}) AND f.collection != ?
            ORDER BY e.place, f.start, f.rowid LIMIT ?"""
        found: list[StoredFact] = []
        for root in sorted(map(root_place, self.sources or ())):
            [(first, last)] = ranges_below(root)
            values = (first, last, *self._values, *relations, but_of)
            found += map(_stored, self._rows(query, (*values, most + 1 - len(found) if most >= 0 else -1)))
            if 0 <= most < len(found):
                return []
        return found

    def beginning(self, relation: str, begins: str, but_of: str = "") -> list[StoredFact]:
        """Every fact of a relation whose value begins with these words (all folded), but for those of a collection."""
        test = " AND f.match >= ? AND f.match < ? AND f.collection != ?"
        return self._facts("f.relation IN", [relation], test, [begins, f"{begins}\U0010ffff", but_of])

    def of_terms(self, relation: str, begins: str, most: int) -> list[StoredFact]:
        """At most so many facts of a relation of terms whose value begins with this word (both folded)."""
        query = f"""SELECT {_COLUMNS} FROM fact f JOIN entry e ON e.id = f.entry
            JOIN subject s ON s.id = f.subject AND s.entry = f.entry JOIN words w ON w.rowid = f.entry
            WHERE f.relation = ? AND f.collection = 'term' AND f.match >= ? AND f.match < ? AND {self._where} LIMIT ?"""
        values = (relation, f"{begins} ", f"{begins}!", *self._values, most)
        return [*map(_stored, self._rows(query, values))]

    def of_kind(self, kind: str) -> list[StoredFact]:
        """Every fact of subjects of this kind."""
        return self._facts("s.kind IN", [kind])

    def in_category(self, categories: Iterable[str]) -> list[StoredFact]:
        """Every fact in the tables with these captions (folded)."""
        return self._facts("s.category IN", categories)

    def lines(self, lines: Iterable[tuple[str, int]]) -> list[StoredFact]:
        """All cells of these rows, given by place and number of the row, in this order."""
        order = {line: at for at, line in enumerate(dict.fromkeys(lines))}
        rows: dict[str, list[int]] = {}
        for place, row in order:
            rows.setdefault(place, []).append(row)
        found = [cell for place, some in rows.items() for cell in self._facts("f.row IN", some, " AND e.place = ?", [place])]
        return sorted(found, key=lambda cell: order[cell.line])

    def everything(self) -> list[tuple[Any, ...]]:
        """Every fact of the scope with its place and leaf, in an order that does not depend on how the index came to be."""
        query = f"""SELECT e.place, e.source_id, e.leaf, {_STATED} FROM fact f JOIN entry e ON e.id = f.entry JOIN subject s ON s.id = f.subject AND s.entry = f.entry
            WHERE {self._where} ORDER BY e.place, f.rowid"""
        return self._rows(query, self._values)

    def current(self, things: Iterable[str], collection: str, relations: Sequence[str]) -> list[StoredFact]:
        """What holds now of these things of a collection, for these relations (folded)."""
        # + : not by the relation's index
        also = f" AND f.collection = ? AND f.until = '' AND +f.relation IN ({marks(relations)})"
        return self._facts(f"{self._by(collection)} IN", things, also, [collection, *relations])

    def of_things(self, things: Iterable[str], collection: str) -> list[StoredFact]:
        """Everything that is stated of these things of a collection."""
        return self._facts(f"{self._by(collection)} IN", things, " AND f.collection = ?", [collection])

    def tables_in(self, places: Sequence[str]) -> list[str]:
        """The tables (collections) of which rows stand in these leaves, in the order of the leaves."""
        order = {place: at for at, place in enumerate(places)}
        query = f"SELECT DISTINCT e.place, p.collection FROM part_of_table p JOIN entry e ON e.id = p.entry WHERE e.place IN ({marks(places)})"
        found = sorted(self._rows(query, list(places)), key=lambda one: order[one[0]])
        return list(dict.fromkeys(collection for _, collection in found))

    def cells(self, collection: str, relations: Iterable[str]) -> list[tuple[str, str, str]]:
        """(row, column, value as written) of these columns of a table."""
        return self._now("f.thing, f.relation, f.value", collection, relations)

    # ---- sets of things: what tells each apart in its collection alone, for thousands of them

    def holding(self, collection: str, relations: Iterable[str], test: str = "", values: Sequence[object] = ()) -> set[str]:
        """The things of which one of these relations holds now. `test` is about `f.match`, the value (folded)."""
        return {thing for (thing,) in self._now("f.thing", collection, relations, test, values)}

    def tickets(self) -> set[str]:
        """The keys (folded) of all tickets, looked up once. Not to be changed."""
        if self._tickets is None:
            self._tickets = self.holding(TICKET, ["key"])
        return self._tickets

    def holds_any(self, collection: str, relations: Iterable[str]) -> bool:
        """Whether one of these relations holds now of anything."""
        return bool(self._now("1", collection, relations, order=" LIMIT 1"))

    def holding_value(self, collection: str, relations: Iterable[str], wanted: Iterable[str]) -> list[tuple[str, str, str]]:
        """(thing, value, object's id) of what holds now and has one of these values (folded)."""
        return [row for some in in_parts(wanted)
                for row in self._now("f.thing, f.value, f.object_id", collection, relations, f" AND f.match IN ({marks(some)})", some)]  # fmt: skip

    def values(self, collection: str, relations: Iterable[str]) -> list[tuple[str, str]]:
        """(thing, value as written) of what holds now."""
        return [(thing, value) for thing, value in self._now("f.thing, f.value", collection, relations)]

    def count(self, collection: str, relation: str) -> int:
        """How many facts of a relation hold now."""
        [(number,)] = self._now("count(*)", collection, [relation])
        return int(number)

    def is_whole(self, collection: str, relations: Sequence[str]) -> bool:
        """Whether no value of these relations was cut to its head, so that what is compared is all of it."""
        query = f"SELECT 1 FROM fact f WHERE f.is_cut AND f.relation IN ({marks(relations)}) AND f.collection = ? AND {self._in_scope} LIMIT 1"
        return not self._rows(query, (*relations, collection, *self._scope_values))

    def values_of(self, collection: str, relation: str, things: Iterable[str]) -> list[tuple[str, str]]:
        """(value (folded), thing) of what holds now of these things."""
        test = f" AND {self._by(collection)} IN"
        return [row for some in in_parts(things)
                for row in self._now("f.match, f.thing", collection, [relation], f"{test} ({marks(some)})", some, by_thing=True)]  # fmt: skip

    def leading(self, collection: str, relations: Iterable[str], to: str) -> list[tuple[str, str, str]]:
        """(thing, value, object's id) of what leads to things of the kind `to` now."""
        return self._now("f.thing, f.value, f.object_id", collection, relations, " AND f.object = ?", [to])

    def stated(self, collection: str, relations: Sequence[str]) -> list[tuple[str, str]]:
        """(thing, value as written) of what holds now; where several ways to write a value are one name, one of them."""
        if not self.is_whole(collection, relations):
            return self._now("f.thing, f.value", collection, relations)
        rows = self._now("f.thing, f.match", collection, relations)
        one = f"""SELECT f.value FROM fact f WHERE f.relation IN ({marks(relations)}) AND f.collection = ? AND f.match = ? AND f.until = ''
            AND {self._in_scope} LIMIT 1"""
        values = (*relations, collection)
        written = {match: self._rows(one, (*values, match, *self._scope_values))[0][0] for match in {match for _, match in rows}}
        return [(thing, written[match]) for thing, match in rows]

    def last(self, collection: str, relation: str, among: Collection[str], number: int) -> list[str]:
        """The first of these things by a value that holds now, the greatest first."""
        if len(among) <= FEW:
            dated = sorted(self.values_of(collection, relation, among), reverse=True)
            return list(dict.fromkeys(thing for _, thing in dated))[:number]
        order = " ORDER BY f.match DESC, f.object DESC, f.thing DESC LIMIT ? OFFSET ?"
        found: list[str] = []
        at, size = 0, 10 * number
        while len(found) < number:
            rows = self._now("f.thing", collection, [relation], order=order, limits=[size, at])
            found += [thing for (thing,) in rows if thing in among]
            if len(rows) < size:
                break
            at, size = at + size, 4 * size
        return found[:number]

    def ever(self, collection: str, relations: Sequence[str], wanted: Sequence[str]) -> bool:
        """Whether one of these values (folded) holds or has ever held."""
        return any(
            self._rows(
                f"""SELECT 1 FROM fact f JOIN entry e ON e.id = f.entry WHERE f.collection = ? AND f.relation IN ({marks(relations)})
                    AND f.match IN ({marks(some)}) AND {self._where} LIMIT 1""",
                (collection, *relations, *some, *self._values),
            )
            for some in in_parts(wanted)
        )

    @staticmethod
    def _by(collection: str) -> str:
        """What facts of a few things are looked up by: tickets have an index of their names, which are what tells them apart."""
        return "f.name" if collection == TICKET else f"f.thing != '' AND f.collection != '{TICKET}' AND f.thing"

    def _now(
        self, columns: str, collection: str, relations: Iterable[str], test: str = "", values: Sequence[object] = (), order: str = "",
        limits: Sequence[object] = (), by_thing: bool = False,
    ) -> list[tuple[Any, ...]]:  # fmt: skip
        """`by_thing`: few things are asked for, so that they are looked up, and not the relation."""
        relations = list(relations)
        query = f"""SELECT {columns} FROM fact f WHERE {"+" * by_thing}f.relation IN ({marks(relations)})
            AND f.collection = ? AND f.until = ''{test} AND {self._in_scope}{order}"""
        return self._rows(query, (*relations, collection, *values, *self._scope_values, *limits))

    # ---- files and folders

    def files_below(self, folders: Iterable[str]) -> set[str]:
        """The places of the documents in these folders (places of containers), and below them."""
        found: set[str] = set()
        for folder in folders:
            [(first, last)] = ranges_below(folder)
            query = f"SELECT DISTINCT e.place FROM name e WHERE e.place >= ? AND e.place < ? AND {self._where}"
            found |= {place for (place,) in self._rows(query, (first, last, *self._values)) if not is_container(place)}
        return found

    def all_files(self) -> Files:
        """The places of all documents that are no tickets."""
        return Files(self._files, self._files_among, self._count_files)

    def _files(self) -> set[str]:
        return {place for (place,) in self._of_names("DISTINCT e.place")} - self._documents_of_tickets()

    def _count_files(self) -> int:
        if self._documents_of_tickets():
            return len(self._files())
        return sum(number for (number,) in self._of_names("count(DISTINCT e.place)"))

    def _files_among(self, places: Iterable[str]) -> set[str]:
        found: set[str] = set()
        for some in in_parts(places):
            query = f"SELECT DISTINCT e.place FROM name e WHERE e.place IN ({marks(some)}) AND e.place NOT LIKE '%/' AND {self._where}"
            found |= {place for (place,) in self._rows(query, (*some, *self._values))}
        return found - self._documents_of_tickets()

    def _of_names(self, columns: str) -> list[tuple[Any, ...]]:
        """What is asked for of the names `e` of documents. Of whole sources it is read from the index of places, source by source:
        to look at each name for its source takes longer, and all the longer where other sources hold much."""
        query = f"SELECT {columns} FROM name e WHERE e.place NOT LIKE '%/'"
        if self.sources is None:
            return self._rows(f"{query} AND {self._where}", self._values)
        ranges = [own for source in self.sources for own in ranges_below(root_place(source))]
        return [row for own in ranges for row in self._rows(f"{query} AND e.place >= ? AND e.place < ?", own)]

    def _documents_of_tickets(self) -> set[str]:
        query = f"""SELECT DISTINCT e.place FROM fact f JOIN entry e ON e.id = f.entry
            WHERE f.relation = 'key' AND f.collection = '{TICKET}' AND {self._where}"""
        return {document_around(place) for (place,) in self._rows(query, self._values)}

    def stated_below(self, folder: str) -> dict[str, int]:
        """How many facts of each relation the files below a folder (its place) state of themselves, of the first MANY facts."""
        [(first, last)] = ranges_below(folder)
        query = f"""SELECT relation, count(*) FROM (SELECT f.relation FROM fact f WHERE f.thing != '' AND f.collection != '{TICKET}'
            AND f.collection = ? AND f.thing >= ? AND f.thing < ? AND {self._in_scope} LIMIT {MANY}) GROUP BY relation"""
        return dict(self._rows(query, (FILE, first, last, *self._scope_values)))

    def first_leaves(self, files: Iterable[str]) -> dict[str, StoredFact]:
        """By the place of a document, a fact that says nothing but where it begins."""
        query = f"""SELECT e.place, e.source_id, e.leaf FROM entry e
            WHERE (e.place = ? OR e.place >= ? AND e.place < ?) AND {self._where} ORDER BY e.id LIMIT 1"""
        found: dict[str, StoredFact] = {}
        for file in files:
            for place, source, leaf in self._rows(query, (file, f"{file}#", f"{file}$", *self._values)):
                itself = Entity(FILE_ITSELF, file, unescape(file.rpartition("/")[2]))
                found[file] = StoredFact(Fact(itself, FILE_ITSELF, itself.name, 0, 0), place, source, leaf)
        return found

    def vocabulary(self) -> Mapping[str, list[tuple[str, ...]]]:
        """What questions may name: `subjects` (name, kind) but tickets, `relations` (relation, collection), `values` (value, relation,
        collection, kind of the object), `classes` (header of the column that names the rows, caption of the table), all
        folded; `tables` (collection, key, place of the leaf), `folders` (place). What occurs is found in an index alone, and
        each is then held against the scope."""
        subjects = f"""SELECT * FROM (SELECT DISTINCT name, kind FROM subject WHERE kind < 'ticket' AND name != ''
                UNION ALL SELECT DISTINCT name, kind FROM subject WHERE kind > 'ticket' AND name != '') d
            WHERE EXISTS (SELECT 1 FROM subject f WHERE f.kind = d.kind AND f.name = d.name AND {self._in_scope})"""
        relations = f"""{_PAIRS} SELECT * FROM pair p WHERE p.collection IS NOT NULL AND p.relation != '' AND p.collection != 'part'
            AND EXISTS (SELECT 1 FROM fact f WHERE f.relation = p.relation AND f.collection = p.collection AND {self._in_scope})"""
        same = "f.match = d.match AND f.relation = d.relation AND f.collection = d.collection AND f.object = d.object"
        values = f"""{_PAIRS} SELECT * FROM (SELECT DISTINCT f.match, f.relation, f.collection, f.object FROM pair p
                CROSS JOIN fact f ON f.relation = p.relation AND f.collection = p.collection WHERE NOT ({_UNNAMED}) AND {_NAMED_VALUES}) d
            WHERE EXISTS (SELECT 1 FROM fact f WHERE {same} AND {_NAMED_VALUES} AND {self._in_scope})"""
        classes = f"""SELECT DISTINCT f.relation, s.category FROM subject s CROSS JOIN fact f ON f.entry = s.entry AND f.subject = s.id
            WHERE s.kind = 'row' AND f.match = f.name AND {self._in_scope}"""
        wanted = {"subjects": subjects, "relations": relations, "values": values, "classes": classes}
        found = {name: self._rows(query, self._scope_values) for name, query in wanted.items()}
        folders = f"SELECT DISTINCT e.place FROM name e WHERE e.place LIKE '%/' AND {self._where}"
        return found | {"tables": self.parts_of_tables(), "folders": self._rows(folders, self._values)}

    def parts_of_tables(self) -> list[tuple[str, ...]]:
        """(collection, key, place of the leaf) of every leaf that holds rows of a table."""
        query = f"SELECT t.collection, t.key, e.place FROM part_of_table t JOIN entry e ON e.id = t.entry WHERE {self._where}"
        return self._rows(f"{query} ORDER BY e.place, t.rowid", self._values)

    def tickets_called(self, names: Iterable[str]) -> set[str]:
        """Those of these names (folded) that are tickets."""
        found: set[str] = set()
        for some in in_parts(names):
            query = f"SELECT DISTINCT f.name FROM subject f WHERE f.kind = 'ticket' AND f.name IN ({marks(some)}) AND {self._in_scope}"
            found |= {name for (name,) in self._rows(query, (*some, *self._scope_values))}
        return found

    def tickets_titled(self, beginnings: Iterable[str], most: int) -> dict[str, str]:
        """The keys (as written) and titles of the tickets with a word in their title that may begin like one of these: so many at
        most, those with the most of them first."""
        wanted = [f"%{one}%" for one in dict.fromkeys(beginnings)]
        if not wanted:
            return {}
        query = f"""SELECT s.subject, s.title, {" + ".join("(s.title LIKE ?)" for _ in wanted)} AS number
            FROM fact f JOIN subject s ON s.id = f.subject AND s.entry = f.entry
            WHERE f.relation = 'key' AND f.collection = '{TICKET}' AND f.until = '' AND number > 0 AND {self._in_scope}
            ORDER BY number DESC, s.subject LIMIT ?"""
        return {key: title for key, title, _ in self._rows(query, (*wanted, *self._scope_values, most))}

    def _facts(self, test: str, wanted: Iterable[object], also: str = "", values: Sequence[object] = ()) -> list[StoredFact]:
        found: list[StoredFact] = []
        for some in in_parts(wanted):
            query = f"""SELECT {_COLUMNS} FROM fact f JOIN entry e ON e.id = f.entry
                JOIN subject s ON s.id = f.subject AND s.entry = f.entry JOIN words w ON w.rowid = f.entry
                WHERE {test} ({marks(some)}){also} AND {self._where} ORDER BY e.place, f.start, f.rowid"""
            found += map(_stored, self._rows(query, (*some, *values, *self._values)))
        return found


def _stored(row: tuple[Any, ...]) -> StoredFact:
    place, source, leaf, number, kind, subject, title, group, label, value, object_, object_id, *rest = row
    since, until, start, end, heading, thing = rest
    named = Entity(object_, object_id, value) if object_ else None
    return StoredFact(
        Fact(Entity(kind, subject, title), label, value, start, end, named, since, until, group, number),
        place,
        source,
        leaf,
        frozenset(heading.split()),
        thing,
    )


def _of_labels(values: Sequence[object], labels: Sequence[tuple[str, str]]) -> tuple[str, list[object]]:
    """A test of a fact `f` for one of these values, and one of these pairs of a relation and how it is written; and its values."""
    relations = list(dict.fromkeys(relation for relation, _ in labels))
    test = f"f.match IN ({marks(values)}) AND f.relation IN ({marks(relations)}) AND (f.relation, f.label) IN (VALUES {_tuples(labels)})"
    return test, [*values, *relations, *chain(*labels)]


def _tuples(rows: Sequence[tuple[str, ...]]) -> str:
    return ",".join(f"({marks(row)})" for row in rows)
