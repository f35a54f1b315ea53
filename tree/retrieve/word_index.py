"""The words of all live leaves, as tables of the search index: a full-text table for each source.

FTS5 ranks a row by how many rows of its table have a word, how many rows there are and how long they are. With one table for
all sources, what is found and in which order would tell of sources that whoever asks may not see; with one for each, every
number is counted over the sources that are asked, and over these alone.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain

from tree.store.places import ranges_below
from tree.store.rows import in_parts

SCHEMA = """
CREATE TABLE source (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, leaves INTEGER NOT NULL, terms INTEGER NOT NULL);
CREATE TABLE words (entry INTEGER PRIMARY KEY, heading TEXT, body TEXT)
"""
HEADING, BODY = 1.5, 1.0  # what a word counts in a heading and in the text, for the candidates
LEAST = 1e-6  # that a word weighs at least, as in FTS5
_TEXT = "content = 'words', content_rowid = 'entry', tokenize = 'unicode61 remove_diacritics 0 tokenchars ''_'' categories ''L* N* Co M*'''"


# ---------------------------------------------------------------- writing


def open_source(connection: sqlite3.Connection, source_id: str) -> int:
    """The number of a source, under which its full-text table is; that is made where there is none."""
    row = connection.execute("SELECT number FROM source WHERE id = ?", (source_id,)).fetchone()
    if row is not None:
        return int(row[0])
    number = connection.execute("INSERT INTO source (id, leaves, terms) VALUES (?, 0, 0)", (source_id,)).lastrowid
    assert number is not None
    table = _table(number)
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {table} USING fts5(heading, body, {_TEXT})")
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {_vocabulary(number)} USING fts5vocab('{table}', 'row')")
    if sqlite3.sqlite_version_info >= (3, 42):
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('secure-delete', 1)")
    return number


def add(connection: sqlite3.Connection, source_id: str, leaves: Sequence[tuple[int, Sequence[str], Sequence[str]]]) -> None:
    """Notes the terms of leaves of a source: (number of the entry, of the headings, of the text)."""
    table = _table(open_source(connection, source_id))
    rows = [(entry, "  ".join(heading), "  ".join(body)) for entry, heading, body in leaves]
    connection.executemany("INSERT INTO words (entry, heading, body) VALUES (?, ?, ?)", rows)
    connection.executemany(f"INSERT INTO {table} (rowid, heading, body) VALUES (?, ?, ?)", rows)
    _count(connection, source_id, len(leaves), sum(len(heading) + len(body) for _, heading, body in leaves))


def drop(connection: sqlite3.Connection, source_id: str, entries: Mapping[int, int]) -> None:
    """Forgets leaves of a source, given by the numbers of their entries with how many terms they have."""
    table = _table(open_source(connection, source_id))
    ids = [(entry,) for entry in entries]
    said = f"INSERT INTO {table} ({table}, rowid, heading, body) SELECT 'delete', entry, heading, body FROM words WHERE entry = ?"
    connection.executemany(said, ids)
    connection.executemany("DELETE FROM words WHERE entry = ?", ids)
    _count(connection, source_id, -len(entries), -sum(entries.values()))


def drop_source(connection: sqlite3.Connection, source_id: str) -> None:
    """Forgets a source of which there are no entries any more."""
    number = open_source(connection, source_id)
    for table in (_vocabulary(number), _table(number)):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("DELETE FROM source WHERE number = ?", (number,))


def drop_all(connection: sqlite3.Connection) -> None:
    """Drops all tables that are here."""
    for number in _numbers(connection):
        connection.execute(f"DROP TABLE IF EXISTS {_vocabulary(number)}")
        connection.execute(f"DROP TABLE IF EXISTS {_table(number)}")
    for table in ("words", "source"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")


def merge(connection: sqlite3.Connection) -> None:
    """Leaves nothing of what was forgotten in the full-text tables."""
    for number in _numbers(connection):
        connection.execute(f"INSERT INTO {_table(number)} ({_table(number)}) VALUES ('optimize')")


def _numbers(connection: sqlite3.Connection) -> list[int]:
    """Of all full-text tables, also of those that the table of sources has lost."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'vocabulary\\_%' ESCAPE '\\'"
    return [int(name.rpartition("_")[2]) for (name,) in connection.execute(query).fetchall()]


def _table(number: int) -> str:
    return f"words_{number}"


def _vocabulary(number: int) -> str:
    return f"vocabulary_{number}"


def _count(connection: sqlite3.Connection, source_id: str, leaves: int, terms: int) -> None:
    """Kept up to date step by step; counting at every publish would take longer the larger the tree is."""
    update = "UPDATE source SET leaves = leaves + ?, terms = terms + ? WHERE id = ?"
    connection.execute(update, (leaves, terms, source_id))


# ---------------------------------------------------------------- counting


def size(connection: sqlite3.Connection, sources: Sequence[str]) -> tuple[int, int]:
    """How many leaves these sources have, and how many terms those have."""
    query = f"SELECT coalesce(sum(leaves), 0), coalesce(sum(terms), 0) FROM source WHERE id IN ({_marks(sources)})"
    [leaves, terms] = connection.execute(query, tuple(sources)).fetchone()
    return leaves, terms


def count_leaves(connection: sqlite3.Connection, words: Iterable[str], sources: Sequence[str]) -> dict[str, int]:
    """How many leaves of these sources have each of these terms."""
    counts = dict.fromkeys(words, 0)
    numbers = _known(connection, sources)
    for some in in_parts(counts):
        for number in numbers:
            query = f"SELECT term, doc FROM {_vocabulary(number)} WHERE term IN ({_marks(some)})"
            for term, leaves in connection.execute(query, some):
                counts[term] += leaves
    return counts


# ---------------------------------------------------------------- finding


def with_phrase(
    connection: sqlite3.Connection, words: Sequence[str], sources: Sequence[str], places: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(place, leaf key) of every leaf that has these terms one after the other."""
    inside, values = within(places)
    phrase = '"' + " ".join(words) + '"'
    for table in map(_table, _known(connection, sources)):
        query = f"SELECT e.place, e.leaf FROM {table} w JOIN entry e ON e.id = w.rowid WHERE {table} MATCH ? AND {inside}"
        yield from connection.execute(query, (phrase, *values))


def best(
    connection: sqlite3.Connection, words: Sequence[str], sources: Sequence[str], places: Sequence[str], limit: int
) -> dict[int, float]:
    """The entries that are best for these terms by BM25, so many at most, and how far each is from them. Of equals those that
    come first by place: in which order they were noted may hang on other sources."""
    numbers = _known(connection, sources)
    words = list(dict.fromkeys(words))
    if len(numbers) == 1:
        match = " OR ".join(f'"{word}"' for word in words)
        found = _distances(connection, numbers[0], match, places, limit + 1)
        if len(found) <= limit or found[limit - 1][1] < found[limit][1]:
            return dict(found[:limit])
        distances = dict(_distances(connection, numbers[0], match, places))
    else:
        distances = _over_several(connection, numbers, words, places)
    return _cut(connection, distances, limit)


def _distances(
    connection: sqlite3.Connection, number: int, match: str, places: Sequence[str], limit: int = -1
) -> list[tuple[int, float]]:
    """(entry, how far it is from what is looked for) in one source; the nearest first, where there is a limit."""
    table = _table(number)
    inside, values = within(places)
    entry = f" JOIN entry e ON e.id = {table}.rowid" if places else ""
    order = " ORDER BY 2 LIMIT ?" if limit >= 0 else ""
    query = (
        f"SELECT {table}.rowid, bm25({table}, {HEADING}, {BODY}) FROM {table}{entry} WHERE {table} MATCH ? AND {inside}{order}"
    )
    return connection.execute(query, (match, *values, *([limit] if limit >= 0 else []))).fetchall()


def _over_several(
    connection: sqlite3.Connection, numbers: Sequence[int], words: Sequence[str], places: Sequence[str]
) -> dict[int, float]:
    """A word weighs what it does over all of these sources: what FTS5 takes it to weigh in one is taken out again. How long a
    leaf is, is held against the leaves of its own source."""
    query = f"SELECT number, leaves FROM source WHERE number IN ({_marks(numbers)})"
    leaves: dict[int, int] = dict(connection.execute(query, tuple(numbers)).fetchall())
    distances: defaultdict[int, float] = defaultdict(float)
    for word in words:
        match = f'"{word}"'
        found = {number: _distances(connection, number, match, ()) for number in numbers}
        weight = _weight(sum(leaves.values()), sum(map(len, found.values())))
        for number, rows in found.items():
            share = weight / _weight(leaves[number], len(rows))
            for entry, distance in rows:
                distances[entry] += share * distance
    if places:
        inside, values = within(places)
        there = {entry for (entry,) in connection.execute(f"SELECT e.id FROM entry e WHERE {inside}", values)}
        return {entry: distance for entry, distance in distances.items() if entry in there}
    return distances


def _weight(total: int, count: int) -> float:
    """Inverse document frequency as FTS5 reckons it."""
    share = (total - count + 0.5) / (count + 0.5)
    return max(math.log(share), LEAST) if share > 1 else LEAST


def _cut(connection: sqlite3.Connection, distances: dict[int, float], limit: int) -> dict[int, float]:
    if len(distances) <= limit:
        return distances
    farthest = nsmallest(limit, distances.values())[-1]
    nearer = {entry: distance for entry, distance in distances.items() if distance < farthest}
    equal = [entry for entry, distance in distances.items() if distance == farthest]
    place = "SELECT place FROM entry WHERE id = ?"
    placed = sorted((connection.execute(place, (entry,)).fetchone()[0], entry) for entry in equal)
    return nearer | {entry: farthest for _, entry in placed[: limit - len(nearer)]}


def within(places: Sequence[str]) -> tuple[str, list[str]]:
    """A test of an entry `e` for lying in one of these branches, if there are any, and its values."""
    tests: list[str] = []
    values: list[str] = []
    for place in places:
        ranges = ranges_below(place)
        tests.append(f"(e.place = ?{' OR (e.place >= ? AND e.place < ?)' * len(ranges)})")
        values += [place, *chain.from_iterable(ranges)]
    return f"({' OR '.join(tests)})" if tests else "1", values


def _known(connection: sqlite3.Connection, sources: Sequence[str]) -> list[int]:
    """The numbers of those of these sources that have leaves here, always in the same order."""
    query = f"SELECT number FROM source WHERE leaves > 0 AND id IN ({_marks(sources)}) ORDER BY id"
    return [number for (number,) in connection.execute(query, tuple(sources)).fetchall()]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
