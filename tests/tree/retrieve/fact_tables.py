"""An index of facts in memory, made of facts alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from tree.retrieve import fact_index, name_counts
from tree.retrieve.fact_index import FactIndex
from tree.retrieve.fact_rows import fact_rows
from tree.store.leaves import Entity, Fact
from tree.store.places import source_of


def indexed(
    facts: Mapping[str, Iterable[Fact]],
    where: str = "1",
    values: Iterable[object] = (),
    headings: Mapping[str, str] | None = None,
    sources: Sequence[str] | None = None,
    kind: type[FactIndex] = FactIndex,
) -> FactIndex:
    """The facts of each place; what stands before the first slash of it is its source. With `sources`, of these alone."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, place TEXT, source_id TEXT, leaf TEXT)")
    connection.execute("CREATE TABLE words (heading TEXT, body TEXT)")
    connection.execute("CREATE TABLE name (name TEXT, place TEXT, source_id TEXT)")
    connection.execute("CREATE TABLE source (id TEXT, leaves INTEGER)")
    connection.execute("CREATE TABLE folder (noun TEXT, place TEXT, source TEXT)")
    for statement in f"{fact_index.SCHEMA.strip()};\n{name_counts.SCHEMA.strip()}".split(";\n"):
        connection.execute(statement)
    for entry, (place, stated) in enumerate(facts.items(), 1):
        connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", (entry, place, place.split("/")[0], f"leaf of {place}"))
        connection.execute("INSERT INTO words (rowid, heading, body) VALUES (?, ?, '')", (entry, (headings or {}).get(place, "")))
        fact_index.add(connection, [(entry, source_of(place), fact_rows(stated, place))])
    everywhere = "0"
    if sources is not None:
        marks = ",".join("?" * len(sources))
        connection.executemany(
            "INSERT INTO source VALUES (?, 1)", [(source,) for source in {place.split("/")[0] for place in facts}]
        )
        everywhere = f"NOT EXISTS (SELECT 1 FROM source WHERE id NOT IN ({marks}))"
        where, values = f"e.source_id IN ({marks})", sources
    return kind(
        lambda query, given: connection.execute(query, tuple(given)).fetchall(), where, tuple(values), everywhere, sources
    )


def ticket(key: str, *said: tuple[str, ...], title: str = "") -> list[Fact]:
    """Facts of a ticket: relation, value, and where wanted the kind of what it leads to, since and until."""
    subject = Entity("ticket", key, f"{key} {title}".strip())
    found = [Fact(subject, "key", key, 0, 0, group="ticket")]
    for relation, value, *more in said:
        kind, since, until = (*more, "", "", "")[:3]
        id_ = value.split(" ")[0] if kind == "ticket" else value
        found.append(Fact(subject, relation, value, 0, 0, Entity(kind, id_, value) if kind else None, since, until, "ticket"))
    return found
