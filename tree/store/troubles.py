"""What is wrong with the documents of each source, in numbers: every answer tells of it, and mostly there is nothing to tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from tree.store.database import Database
from tree.store.models import HAS_PROBLEMS, LIVE, DocumentRow, FailureRow, Tombstone, table_of

_document = table_of(DocumentRow)
_failure = table_of(FailureRow)
_tombstone = table_of(Tombstone)


class Troubles(NamedTuple):
    """How many documents of a source cannot be read, how many went missing at once and wait for an admin to say whether they are
    really gone, and how many were read only in part."""

    unreadable: int = 0
    missing: int = 0
    partly: int = 0


NONE = Troubles()


def count_troubles(database: Database) -> Mapping[str, Troubles]:
    """By source id; without sources of which there are none."""
    return database.unchanged("troubles", lambda: _count(database))


def _count(database: Database) -> dict[str, Troubles]:
    found: dict[str, Troubles] = {}
    with database.read() as connection:
        for name, query in _COUNTS.items():
            for row in connection.execute(query):
                found[row.source_id] = found.get(row.source_id, NONE)._replace(**{name: row.number})
    return found


def _by_source(table: sa.Table, *where: sa.ColumnElement[bool] | sa.TextClause) -> sa.Select[Any]:
    return sa.select(table.c.source_id, sa.func.count().label("number")).where(*where).group_by(table.c.source_id)


_COUNTS = {
    "unreadable": _by_source(_failure),
    "missing": _by_source(_tombstone, _tombstone.c.awaiting_approval),
    "partly": _by_source(_document, LIVE, HAS_PROBLEMS),
}
