"""What questions may name, counted for each source: so that a publish changes a few rows, and a question looks up a few.

Read from the facts themselves, the names of a million leaves would be gathered anew after each change of any of them. Here
each leaf adds to the counts what its facts name and takes it away again, so what has no count left is named no more.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

SCHEMA = """
CREATE TABLE named_subject (variant TEXT, name TEXT, kind TEXT, is_key INTEGER, source TEXT, times INTEGER,
    PRIMARY KEY (variant, name, kind, is_key, source)) WITHOUT ROWID;
CREATE TABLE named_value (variant TEXT, name TEXT, relation TEXT, collection TEXT, object TEXT, source TEXT, times INTEGER,
    PRIMARY KEY (variant, name, relation, collection, object, source)) WITHOUT ROWID;
CREATE TABLE named_word (half TEXT, word TEXT, source TEXT, times INTEGER, PRIMARY KEY (half, word, source)) WITHOUT ROWID;
CREATE TABLE named_relation (relation TEXT, collection TEXT, object TEXT, source TEXT, times INTEGER, now INTEGER, valued INTEGER,
    PRIMARY KEY (relation, collection, object, source)) WITHOUT ROWID;
CREATE TABLE named_class (relation TEXT, category TEXT, source TEXT, times INTEGER, PRIMARY KEY (relation, category, source)) WITHOUT ROWID;
CREATE INDEX named_value_relation ON named_value (relation, collection, source, name) WHERE variant = name;
CREATE INDEX named_question ON named_subject (name, source) WHERE kind = 'question'
"""
TABLES = ("named_subject", "named_value", "named_word", "named_relation", "named_class")
LEAST_NEAR = 4  # letters of a word that may be one edit away from one of a question
_STATES = frozenset(("status", "priority", "type", "resolution"))
_UNNAMED = frozenset(("key", "former key", "created", "updated", "resolved", "due", "summary", "active sprint"))  # of tickets
TICKET = "ticket"
SHORTEST, LONGEST = 2, 60  # characters of a value that can be named whatever it is


class Subject(NamedTuple):
    name: str  # folded
    kind: str


class Stated(NamedTuple):
    """What of a fact can be named."""

    relation: str
    collection: str
    match: str  # its value, folded
    object: str  # the kind of what the value leads to
    until: str

    @property
    def is_named(self) -> bool:
        """Whether a question may name the value: not times, nor the tickets that a ticket is linked to, which are named by their
        keys."""
        if self.collection == TICKET and self.relation in _UNNAMED:
            return False
        if self.object == TICKET and self.relation not in ("epic", "parent"):
            return False
        return not self.until and SHORTEST <= len(self.match) <= LONGEST or bool(self.object) or self.relation in _STATES


def are_named(relation: str, values: Iterable[str], objects: Iterable[str]) -> bool:
    """Whether these values are counted wherever they hold now for a relation that leads to these kinds of things."""
    is_counted = relation not in _UNNAMED and TICKET not in objects
    return is_counted and all(SHORTEST <= len(value) <= LONGEST for value in values)


class Class(NamedTuple):
    """The column that names the rows of a table, and its caption."""

    relation: str
    category: str


Counts = Mapping[tuple[Any, ...], int]  # how often, by the columns of one of the tables above


class Named(NamedTuple):
    """What a leaf names."""

    subjects: Counts
    values: Counts
    words: Counts
    classes: Counts
    relations: Counts
    current: Counts  # of these how many hold now, and how many have a value that can be named
    valued: Counts


NOTHING_NAMED = Named({}, {}, {}, {}, {}, {}, {})


def named_by(subjects: Iterable[Subject], stated: Iterable[Stated], classes: Iterable[Class]) -> Named:
    """Counts what a leaf names."""
    relations: Counter[tuple[str, str, str]] = Counter()
    current: Counter[tuple[str, str, str]] = Counter()
    valued: Counter[tuple[str, str, str]] = Counter()
    values: Counter[tuple[str, str, str, str, str]] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    for one in stated:
        key = (one.relation, one.collection, one.object)
        relations[key] += 1
        current[key] += not one.until
        if one.is_named:
            valued[key] += 1
            for variant in value_variants(one.match, one.object):
                values[variant, one.match, *key] += 1
                words.update(_halves(variant))
    named: Counter[tuple[str, str, str, int]] = Counter()
    for subject in subjects:
        if subject.name and subject.kind != TICKET:
            for variant, is_key in subject_variants(subject.name, subject.kind):
                named[variant, *subject, is_key] += 1
                words.update(_halves(variant))
    counted: tuple[Counts, ...] = (named, values, words, Counter(map(tuple, classes)), relations, current, valued)
    return Named(*(dict(one) for one in counted))  # plain values, which are taken from a child


def add(connection: sqlite3.Connection, source: str, leaves: Iterable[Named], sign: int = 1) -> None:
    """Counts what leaves name; with a `sign` of -1 no more."""
    sums = [Counter[Any]() for _ in Named._fields]
    for leaf in leaves:
        for total, counted in zip(sums, leaf, strict=True):
            total.update(counted)
    subjects, values, words, classes, relations, current, valued = sums
    _count(connection, "named_subject (variant, name, kind, is_key", source, subjects, sign)
    _count(connection, "named_value (variant, name, relation, collection, object", source, values, sign)
    _count(connection, "named_word (half, word", source, words, sign)
    _count(connection, "named_class (relation, category", source, classes, sign)
    rows = [(*key, source, sign * number, sign * current[key], sign * valued[key]) for key, number in relations.items()]
    connection.executemany(
        """INSERT INTO named_relation VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
            SET times = times + excluded.times, now = now + excluded.now, valued = valued + excluded.valued""",
        rows,
    )
    if sign < 0:
        gone = "DELETE FROM named_relation WHERE relation = ? AND collection = ? AND object = ? AND source = ? AND times <= 0"
        connection.executemany(gone, [row[:4] for row in rows])


def _count(connection: sqlite3.Connection, table: str, source: str, counted: Counter[Any], sign: int) -> None:
    name, _, columns = table.partition(" (")
    number = columns.count(",") + 1
    marks = ",".join("?" * (number + 2))
    rows = [(*key, source, sign * times) for key, times in counted.items()]
    connection.executemany(
        f"INSERT INTO {table}, source, times) VALUES ({marks}) ON CONFLICT DO UPDATE SET times = times + excluded.times", rows
    )
    if sign < 0:
        same = " AND ".join(f"{column} = ?" for column in (*columns.split(", "), "source"))
        connection.executemany(f"DELETE FROM {name} WHERE {same} AND times <= 0", [row[:-1] for row in rows])


# ---------------------------------------------------------------- how a name may be put


def subject_variants(name: str, kind: str) -> Iterator[tuple[str, int]]:
    """A name and the shorter forms people use: without a class of ship, an article, a number before it; and with 1 the key that a
    document's title begins with."""
    words = name.split()
    shorter = []
    if kind in ("row", "term", "section") and len(words) > 1 and len(words[0]) <= 3 and not words[0].isdigit():
        shorter.append(" ".join(words[1:]))
    if kind in ("document", "part") and len(words) > 1 and len(words[0]) > 2 and words[0].isdigit():
        shorter.append(words[0])  # "0009: Booking store"
    if len(words) > 1 and words[-1] in ("md", "csv", "txt", "html", "pdf", "docx"):
        shorter.append(" ".join(words[:-1]))
    yield from ((variant, 0) for variant in dict.fromkeys((name, *shorter)))
    if kind == "document" and (key := _key(name)):
        yield key, 1


def _key(name: str) -> str:
    """The key or number that a document's title begins with, where more follows: "gwy 12" of "gwy 12 the gate"; else nothing."""
    words = name.split(maxsplit=2)
    return " ".join(words[:2]) if len(words) == 3 and words[0].isalnum() and words[0][0].isalpha() and words[1].isdigit() else ""


def value_variants(value: str, object_: str) -> Iterator[str]:
    yield from dict.fromkeys((value, *(_parts_of_a_person(value) if object_ == "person" else _of_version(value, object_))))


def _of_version(name: str, kind: str) -> Iterator[str]:
    """ "1.4" for 1.4.0, and "4.3.0" for the release 4.3.0 of a product."""
    words = name.split()
    number = list(takewhile(str.isdigit, reversed(words)))[::-1] if kind == "version" else []
    if 1 < len(number) < len(words) and not any(map(str.isdigit, words[: -len(number)])):
        yield " ".join(number)
    if kind == "version" and len(words) > 2 and words[-1] == "0" and all(word.isdigit() for word in words):
        yield " ".join(words[:-1])


def _parts_of_a_person(name: str) -> Iterator[str]:
    words = name.split()
    if 1 < len(words) <= 4:
        yield words[0]
        yield words[-1]
        if len(words) > 2:
            yield " ".join(words[1:])
            yield " ".join(words[:-1])  # a first name of two: Jun-ho


def _halves(variant: str) -> Iterator[tuple[str, str]]:
    """A word by how it begins and by how it ends: of two words one edit apart, one of these is the same."""
    if " " not in variant and len(variant) >= LEAST_NEAR:
        yield f"{variant[:BEGIN]}-", variant
        yield f"-{variant[-END:]}", variant


BEGIN, END = 2, 2  # of a word of five letters or more, one edit leaves its first two letters or its last two as they were


def halves_of(word: str) -> Sequence[str]:
    return f"{word[:BEGIN]}-", f"-{word[-END:]}"
