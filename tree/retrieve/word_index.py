"""The words of all live leaves, as tables of the search index: a full-text table for each source.

FTS5 ranks a row by how many rows of its table have a word, how many rows there are and how long they are. With one table for
all sources, what is found and in which order would tell of sources that whoever asks may not see; with one for each, every
number is counted over the sources that are asked, and over these alone.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain, combinations

from tree.retrieve.leaf_entry import LeafEntry
from tree.store.places import ranges_below
from tree.store.statements import in_parts, marks

SCHEMA = """
CREATE TABLE source (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, leaves INTEGER NOT NULL, terms INTEGER NOT NULL);
CREATE TABLE words (entry INTEGER PRIMARY KEY, heading TEXT, body TEXT);
CREATE TABLE term (term TEXT, source INTEGER, leaves INTEGER, PRIMARY KEY (term, source)) WITHOUT ROWID
"""
HEADING, BODY = 1.5, 1.0  # what a word counts in a heading and in the text, for the candidates
LEAST = 1e-6  # that a word weighs at least, as in FTS5
K1, B = 1.2, 0.75  # of BM25, as in FTS5
FEW = 2_000  # leaves whose words are counted one by one rather than all leaves with a common word listed
ENOUGH = 24  # leaves with rarer words, beside which none is looked for that has only words that most leaves have
MOST_SETS = 60  # of common words, of which one is enough
ROUNDED = 1e-9
MOST_LOOKED_THROUGH = 4_000  # leaves with the rarest word of a phrase, for it to be looked for
_TEXT = "content = 'words', content_rowid = 'entry', tokenize = 'unicode61 remove_diacritics 0 tokenchars ''_'' categories ''L* N* Co M*'''"

BySource = dict[int, dict[int, float]]  # by the number of a source, how far its entries are


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


def add(connection: sqlite3.Connection, source_id: str, leaves: Sequence[tuple[int, LeafEntry]]) -> None:
    """Notes the terms of leaves of a source, under the numbers of their entries."""
    table = _table(open_source(connection, source_id))
    rows = [(entry, leaf.heading, leaf.body) for entry, leaf in leaves]
    connection.executemany("INSERT INTO words (entry, heading, body) VALUES (?, ?, ?)", rows)
    connection.executemany(f"INSERT INTO {table} (rowid, heading, body) VALUES (?, ?, ?)", rows)
    _count(connection, source_id, len(leaves), sum(leaf.length for _, leaf in leaves))
    _count_terms(
        connection, source_id, Counter(chain.from_iterable({*leaf.heading.split(), *leaf.body.split()} for _, leaf in leaves))
    )


def drop(connection: sqlite3.Connection, source_id: str, entries: Mapping[int, int]) -> None:
    """Forgets leaves of a source, given by the numbers of their entries with how many terms they have."""
    table = _table(open_source(connection, source_id))
    ids = [(entry,) for entry in entries]
    words = "SELECT heading, body FROM words WHERE entry = ?"
    rows = [row for id_ in ids for row in connection.execute(words, id_)]
    gone = Counter(term for heading, body in rows for term in {*heading.split(), *body.split()})
    _count_terms(connection, source_id, gone, -1)
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
    for table in ("words", "source", "term"):
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


def _count_terms(connection: sqlite3.Connection, source_id: str, counted: Mapping[str, int], sign: int = 1) -> None:
    """Kept up to date too: to count the leaves with a word, FTS5 reads the list of all of them."""
    number = open_source(connection, source_id)
    rows = [(term, number, sign * leaves) for term, leaves in counted.items()]
    change = "INSERT INTO term VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET leaves = leaves + excluded.leaves"
    connection.executemany(change, rows)
    if sign < 0:
        connection.executemany("DELETE FROM term WHERE term = ? AND source = ? AND leaves <= 0", [row[:2] for row in rows])


# ---------------------------------------------------------------- counting


def size(connection: sqlite3.Connection, sources: Sequence[str]) -> tuple[int, int]:
    """How many leaves these sources have, and how many terms those have."""
    query = f"SELECT coalesce(sum(leaves), 0), coalesce(sum(terms), 0) FROM source WHERE id IN ({marks(sources)})"
    [leaves, terms] = connection.execute(query, tuple(sources)).fetchone()
    return leaves, terms


def count_leaves(connection: sqlite3.Connection, words: Iterable[str], sources: Sequence[str]) -> dict[str, int]:
    """How many leaves of these sources have each of these terms."""
    return {word: sum(leaves.values()) for word, leaves in _leaves_with(connection, words, _known(connection, sources)).items()}


def _leaves_with(connection: sqlite3.Connection, words: Iterable[str], numbers: Sequence[int]) -> dict[str, dict[int, int]]:
    """How many leaves have each of these terms, by the number of their source."""
    counts: dict[str, dict[int, int]] = {word: {} for word in words}
    for some in in_parts(counts):
        query = f"SELECT term, source, leaves FROM term WHERE term IN ({marks(some)}) AND +source IN ({marks(numbers)})"
        for term, number, leaves in connection.execute(query, (*some, *numbers)):
            counts[term][number] = leaves
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


def entries_with(connection: sqlite3.Connection, words: Sequence[str], sources: Sequence[str], most: int) -> list[int] | None:
    """The entries that have one of these terms; None where that may be more than so many."""
    numbers = _known(connection, sources)
    counts = _leaves_with(connection, words, numbers)
    if sum(sum(leaves.values()) for leaves in counts.values()) > most:
        return None
    found: list[int] = []
    for number in numbers:
        if match := " OR ".join(f'"{word}"' for word in counts if number in counts[word]):
            table = _table(number)
            found += [entry for (entry,) in connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (match,))]
    return found


def places_with_all(
    connection: sqlite3.Connection, words: Sequence[Sequence[str]], sources: Sequence[str], places: Sequence[str], most: int
) -> list[str] | None:
    """The places of the leaves that have one of the terms of each of these words; None where that may be more than so many."""
    numbers = _known(connection, sources)
    counts = _leaves_with(connection, list(dict.fromkeys(term for forms in words for term in forms)), numbers)
    bounds = {number: min(sum(counts[term].get(number, 0) for term in forms) for forms in words) for number in numbers}
    if sum(bounds.values()) > most:
        return None
    inside, values = within(places)
    match = " AND ".join("(" + " OR ".join(f'"{term}"' for term in forms) + ")" for forms in words)
    found: list[str] = []
    for table in (_table(number) for number, leaves in bounds.items() if leaves):
        query = f"SELECT e.place FROM {table} w JOIN entry e ON e.id = w.rowid WHERE {table} MATCH ? AND {inside}"
        found += [place for (place,) in connection.execute(query, (match, *values))]
    return sorted(found)


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
        distances = _over_several(connection, numbers, words, places, limit)
    return _cut(connection, distances, limit)


def best_with_phrases(
    connection: sqlite3.Connection, phrases: Sequence[Sequence[str]], sources: Sequence[str], places: Sequence[str], limit: int
) -> dict[int, float]:
    """The entries that are best for terms that stand one after the other, so many at most, and how far each is from them.

    How rare a phrase is counts within each source. A phrase is left out whose rarest term very many leaves have: to look
    through all of these takes long.
    """
    numbers = _known(connection, sources)
    counts = _leaves_with(connection, {word for phrase in phrases for word in phrase}, numbers)
    rarest = {tuple(phrase): {one: min(counts[word].get(one, 0) for word in phrase) for one in numbers} for phrase in phrases}
    few = {phrase: leaves for phrase, leaves in rarest.items() if sum(leaves.values()) <= MOST_LOOKED_THROUGH}
    distances: dict[int, float] = {}
    for number in numbers:
        match = " OR ".join(f'"{" ".join(phrase)}"' for phrase, leaves in few.items() if leaves[number])
        if match:
            distances.update(_distances(connection, number, match, places, limit))
    return _cut(connection, distances, limit)


def _distances(
    connection: sqlite3.Connection,
    number: int,
    match: str,
    places: Sequence[str],
    limit: int = -1,
    among: Collection[int] | None = None,
) -> list[tuple[int, float]]:
    """(entry, how far it is from what is looked for) in one source, or among these entries; the nearest first, where there is a
    limit."""
    if among is not None and not among:
        return []
    table = _table(number)
    inside, values = within(places)
    entry = f" JOIN entry e ON e.id = {table}.rowid" if places else ""
    order = " ORDER BY 2 LIMIT ?" if limit >= 0 else ""
    # + : the list of the word is run through once; otherwise it is begun anew for each entry
    listed = f" AND +{table}.rowid IN (SELECT value FROM json_each(?))" if among is not None else ""
    query = f"""SELECT {table}.rowid, bm25({table}, {HEADING}, {BODY}) FROM {table}{entry}
        WHERE {table} MATCH ? AND {inside}{listed}{order}"""
    chosen = [json.dumps(list(among))] if among is not None else []
    return connection.execute(query, (match, *values, *chosen, *([limit] if limit >= 0 else []))).fetchall()


def _over_several(
    connection: sqlite3.Connection, numbers: Sequence[int], words: Sequence[str], places: Sequence[str], limit: int
) -> dict[int, float]:
    """A word weighs what it does over all of these sources: what FTS5 takes it to weigh in one is taken out again. How long a
    leaf is, is held against the leaves of its own source.

    The rarest words come first. Once the best leaves are so far ahead that what is left of the words cannot lift every other
    leaf, only those are looked at that it can lift: of what was found the nearest, and what has enough of the words that are left
    (MaxScore, Turtle and Flood 1995; sets of words as in "Faster Top-k Document Retrieval", Ding and Suel 2011). What is found
    is the same, but a list of all leaves with a common word is only run through by FTS5, and not reckoned with.
    Nor is any looked for by a word that most of many leaves have, which weighs next to nothing, once some have a rarer one: only
    such leaves would be filled up with that tell of nothing that is asked.
    """
    query = f"SELECT number, leaves, terms FROM source WHERE number IN ({marks(numbers)})"
    sizes = {number: (leaves, terms) for number, leaves, terms in connection.execute(query, tuple(numbers))}
    total = sum(leaves for leaves, _ in sizes.values())
    counts = _leaves_with(connection, words, numbers)
    weights = {word: _weight(total, sum(counts[word].values())) for word in words}
    ordered = sorted((word for word in words if counts[word]), key=lambda word: (-weights[word], word))
    found: BySource = {number: {} for number in numbers}
    is_whole = False  # whether everything that may be among the best has been found
    for at, word in enumerate(ordered):
        rest = {one: weights[one] for one in ordered[at:]}
        number_found = sum(map(len, found.values()))
        if not places and number_found >= limit and sum(counts[word].values()) > FEW:
            least = _least(connection, _flat(found), rest, sizes, limit)
            enough = [] if is_whole else _enough(rest, least)
            if enough is not None:
                beyond = {
                    number: _with_all(connection, number, enough, counts) - found[number].keys() for number in numbers if enough
                }
                found = {number: _near(distances, rest, least) for number, distances in found.items()}
                for number, entries in beyond.items():
                    found[number].update(dict.fromkeys(entries, 0.0))
                is_whole = True
            if is_whole and sum(map(len, found.values())) <= FEW:
                return _with_rest(connection, _flat(found), rest, sizes)
        is_weightless = weights[word] <= LEAST and not is_whole
        if not places and is_weightless and ENOUGH <= number_found <= FEW < sum(counts[word].values()):
            return _with_rest(connection, _flat(found), rest, sizes)
        for number, leaves in counts[word].items():
            share, distances = weights[word] / _weight(sizes[number][0], leaves), found[number]
            for entry, distance in _distances(connection, number, f'"{word}"', (), among=distances if is_whole else None):
                distances[entry] = distances.get(entry, 0.0) + share * distance
    if places:
        inside, values = within(places)
        there = {entry for (entry,) in connection.execute(f"SELECT e.id FROM entry e WHERE {inside}", values)}
        return {entry: distance for entry, distance in _flat(found).items() if entry in there}
    return _flat(found)


def _least(
    connection: sqlite3.Connection,
    distances: Mapping[int, float],
    rest: Mapping[str, float],
    sizes: Mapping[int, tuple[int, int]],
    limit: int,
) -> float:
    """What so many leaves reach at least: those that are nearest so far, with what the rest of the words counts in them."""
    nearest = dict(nsmallest(limit, distances.items(), key=lambda pair: pair[1]))
    return -max(_with_rest(connection, nearest, rest, sizes).values())


def _most(weights: Iterable[float]) -> float:
    """What words count at most in a leaf, however often they stand in it; not less for the way sums are rounded."""
    return (K1 + 1) * sum(weights) + ROUNDED


def _near(distances: Mapping[int, float], rest: Mapping[str, float], least: float) -> dict[int, float]:
    """The leaves that still may reach it."""
    most = _most(rest.values())
    return {entry: distance for entry, distance in distances.items() if most - distance >= least}


def _enough(rest: Mapping[str, float], least: float) -> list[tuple[str, ...]] | None:
    """The smallest sets of these words (the heaviest first) with which a leaf that has nothing else may reach it; None where one
    word is enough, or there are very many sets."""
    if _most(rest.values()) < least:
        return []
    words = list(rest)
    sets: list[tuple[str, ...]] = []
    for size in range(1, len(words) + 1):
        for some in combinations(words, size):
            if _most(rest[word] for word in some) >= least and not any(set(one) <= set(some) for one in sets):
                sets.append(some)
        if len(sets) > MOST_SETS or (size == 1 and sets):
            return None
    return sets


def _with_all(
    connection: sqlite3.Connection, number: int, sets: Sequence[Sequence[str]], counts: Mapping[str, Mapping[int, int]]
) -> set[int]:
    """The leaves of a source that have all words of one of these sets."""
    there = [some for some in sets if all(number in counts[word] for word in some)]
    if not there:
        return set()
    match = " OR ".join("(" + " AND ".join(f'"{word}"' for word in some) + ")" for some in there)
    table = _table(number)
    return {entry for (entry,) in connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (match,))}


def _flat(found: BySource) -> dict[int, float]:
    return {entry: distance for distances in found.values() for entry, distance in distances.items()}


def _with_rest(
    connection: sqlite3.Connection,
    distances: Mapping[int, float],
    weights: Mapping[str, float],
    sizes: Mapping[int, tuple[int, int]],
) -> dict[int, float]:
    """These leaves with what the rest of the words counts in each of them, reckoned as FTS5 does."""
    done: dict[int, float] = {}
    for some in in_parts(distances):
        query = f"""SELECT w.entry, w.heading, w.body, e.length, s.number FROM words w JOIN entry e ON e.id = w.entry
            JOIN source s ON s.id = e.source_id WHERE w.entry IN ({marks(some)})"""
        for entry, heading, body, length, number in connection.execute(query, some):
            leaves, terms = sizes[number]
            held = K1 * (1 - B + B * length / (terms / leaves))
            heading, body = f" {heading} ", f" {body} "  # terms are two spaces apart
            done[entry] = distances[entry]
            for word, weight in weights.items():
                if times := HEADING * heading.count(f" {word} ") + BODY * body.count(f" {word} "):
                    done[entry] -= weight * (times * (K1 + 1) / (times + held))
    return done


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
    query = f"SELECT number FROM source WHERE leaves > 0 AND id IN ({marks(sources)}) ORDER BY id"
    return [number for (number,) in connection.execute(query, tuple(sources)).fetchall()]
