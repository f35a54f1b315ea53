"""What the files that own tables share: what is live, lists in parts that fit a statement, text whatever its case, and a new version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.models import Version, table_of

MANY = 500  # values in one IN list

LISTED: sa.BindParameter[Any] = sa.bindparam("listed", expanding=True)

T = TypeVar("T")

_version = table_of(Version)


def live_at(table: sa.Table, version: int | sa.BindParameter[int] | None) -> sa.ColumnElement[bool]:
    """Rows live at `version`; None is now."""
    if version is None:
        return table.c.live_to.is_(None)
    return sa.and_(table.c.live_from <= version, sa.or_(table.c.live_to.is_(None), table.c.live_to > version))


def bound_to(listed: list[str], version: int | None) -> dict[str, Any]:
    """What a statement with LISTED is run with, and one that is pinned."""
    return {"listed": listed} if version is None else {"listed": listed, "version": version}


def in_parts(values: Iterable[T]) -> Iterator[list[T]]:
    """Without repetitions, in parts that fit one IN list."""
    unique = list(dict.fromkeys(values))
    for start in range(0, len(unique), MANY):
        yield unique[start : start + MANY]


def as_pattern(text: str) -> str:
    """A text as a part of a LIKE pattern."""
    return re.sub(r"([\\%_])", r"\\\1", text)


def is_like(column: sa.ColumnElement[str], pattern: str) -> sa.ColumnElement[bool]:
    """LIKE whatever the case of the letters, in any alphabet: `lower` of SQLite, and of PostgreSQL in our columns, knows ASCII
    alone. Each database is given the function `casefolded`."""
    return sa.func.casefolded(column).like(sa.func.casefolded(pattern), escape="\\")


def has_words(column: sa.ColumnElement[str], words: str) -> sa.ColumnElement[bool]:
    """Whether they stand in it just so, but for the case of the letters."""
    return is_like(column, f"%{as_pattern(words)}%")


def marks(values: Sequence[object]) -> str:
    """One for each value, in a statement that is put together as text."""
    return ",".join("?" * len(values))


def insert_version(connection: Connection, values: Mapping[str, Any]) -> int:
    """A new row of the versions; its number."""
    last = sa.select(_version.c.ordinal).where(_version.c.source_id == values["source_id"]).order_by(_version.c.number.desc())
    values = {**values, "ordinal": (connection.scalar(last.limit(1)) or 0) + 1}
    key = connection.execute(sa.insert(_version).values(values)).inserted_primary_key
    assert key is not None  # a table with one number as its key
    number: int = key[0]
    return number


def insert_rows(connection: Connection, table: sa.Table, rows: Iterable[dict[str, Any]], ignore: bool = False) -> None:
    """With `ignore`, a row whose key is there already is left as it is."""
    statement = sa.insert(table)
    if ignore:
        statement = _dialect_insert(connection)(table).on_conflict_do_nothing()
    if batch := list(rows):
        connection.execute(statement, batch)


def _dialect_insert(connection: Connection) -> Any:
    from sqlalchemy.dialects import postgresql, sqlite

    return postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
