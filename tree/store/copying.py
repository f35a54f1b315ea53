"""Everything of one database into another, empty one, of whatever systems they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlmodel import SQLModel

from tree.store.database import Database, StoreError

AT_ONCE = 500  # rows
OF_SYSTEM = frozenset(("migration", "write_count"))  # tables that each database fills by itself


def copy_all(source: Database, target: Database) -> dict[str, int]:
    """As everything is at this moment, in one transaction of each; others go on with the source meanwhile. Returns the rows of
    each table. Raises StoreError where the target is not empty."""
    with source.read() as reading, target.write() as writing:
        tables = _tables(writing)
        if held := [table.name for table in tables if writing.execute(sa.select(sa.literal(1)).select_from(table)).first()]:
            raise StoreError(
                f"{target.identity} is not empty: there is something in “{held[0]}”. Nothing was copied. "
                "Name an empty database; or, where nobody needs what is in this one, delete it and make it anew (dropdb, createdb)."
            )
        copied = {table.name: _copy(reading, writing, table) for table in tables}
        for table in tables:
            _go_on_numbering(writing, table)
        return copied


def _tables(connection: Connection) -> list[sa.Table]:
    """All that there are, each behind those that it refers to."""
    tables = SQLModel.metadata.sorted_tables
    there = set(sa.inspect(connection).get_table_names()) - OF_SYSTEM
    if missing := there ^ {table.name for table in tables}:
        raise LookupError(f"not both in the database and among the models: {sorted(missing)}")
    return tables


def _copy(reading: Connection, writing: Connection, table: sa.Table) -> int:
    insert, number = sa.insert(_plain(table)), 0
    for rows in _parts(reading, table):
        writing.execute(insert, rows)
        number += len(rows)
    return number


def _parts(reading: Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    streamed = reading.execution_options(yield_per=AT_ONCE).execute(sa.select(table))
    for rows in streamed.partitions():
        yield [dict(row._mapping) for row in rows]


def _plain(table: sa.Table) -> sa.TableClause:
    """The table as it is written to here: without defaults, and with NULL for what is not there."""
    columns = ((c.name, sa.JSON(none_as_null=True) if isinstance(c.type, sa.JSON) else c.type) for c in table.columns)
    return sa.table(table.name, *(sa.column(name, type_) for name, type_ in columns))


def _go_on_numbering(connection: Connection, table: sa.Table) -> None:
    """PostgreSQL numbers new rows from where it has got itself, not from what was written with a number."""
    key = table.autoincrement_column
    if connection.dialect.name == "postgresql" and key is not None:
        sequence = sa.func.pg_get_serial_sequence(table.name, key.name)
        last = sa.select(sa.func.coalesce(sa.func.max(key), 0) + 1).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(sequence, last, False)))
