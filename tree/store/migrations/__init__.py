"""Brings a database to the present schema: numbered steps, each run once, all inside the caller's transaction.

A step is a file `NNNN_name.sql` beside this one. Once it has been in a release, or on the main branch, it is never changed:
a new one is added behind it. A test holds a fingerprint of each. PostgreSQL begins with the first step in `postgresql/`, which
makes all that the steps up to its number make; of a later step that it must be told otherwise there is a file of the same
name in that folder.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

# Rows that can be made again: where their table has another key than it should have, they are left behind.
DERIVED = ("claim", "reading", "spending", "hint")
# Of columns that came later and may not be empty; of others by their type.
DEFAULTS = {("spending", "errands"): "1"}
BY_TYPE = {"VARCHAR": "''", "INTEGER": "0", "FLOAT": "0", "BOOLEAN": "0", "JSON": "'[]'"}


WHAT = {"sqlite": "knowledge.db in this folder", "postgresql": "The database at this URL"}
INSTEAD = {"sqlite": "Choose another --home.", "postgresql": "Name an empty one in KNOWLEDGE_TREE_DATABASE."}


class NewerDatabase(Exception):
    """The database was written by a later release than this one."""


class UnknownLayout(Exception):
    """The database has tables of which no release is known, and none can be made of them."""


class Column(NamedTuple):
    name: str
    type: str
    is_required: bool
    key: int  # its number in the primary key, 0 outside


class Layout(NamedTuple):
    """The tables of a database with their columns, and its indexes with their statements, by name."""

    tables: dict[str, tuple[Column, ...]]
    indexes: dict[str, tuple[str, str]]  # table, statement
    statements: dict[str, str]  # that make the tables
    written: frozenset[str]  # all statements, to the letter


def steps(dialect: str = "sqlite") -> list[Path]:
    """Of the database system that SQLAlchemy calls so, in order."""
    here = Path(__file__).parent
    common = {step.name: step for step in here.glob("[0-9]*.sql")}
    if dialect == "sqlite":
        return sorted(common.values())
    own = {step.name: step for step in (here / dialect).glob("[0-9]*.sql")}
    later = {name: step for name, step in common.items() if name[:4] > min(own)[:4]}
    return [step for _, step in sorted((later | own).items())]


def upgrade(connection: Connection) -> None:
    """Raises NewerDatabase when there are steps in the database that this release does not have, UnknownLayout when its
    tables are not ours."""
    dialect = connection.dialect.name
    others = set(sa.inspect(connection).get_table_names()) - {"migration"}
    connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS migration (name VARCHAR NOT NULL PRIMARY KEY)")
    done = {name for (name,) in connection.exec_driver_sql("SELECT name FROM migration")}
    names = {step.stem for step in steps(dialect)}
    if unknown := sorted(done - names):
        raise NewerDatabase(f"This data folder was written by a newer release (it has {unknown[-1]}). Update the app.")
    if others and not done:
        raise UnknownLayout(f"{WHAT[dialect]} is not a database of this app (it has a table “{min(others)}”). {INSTEAD[dialect]}")
    if done and dialect == "sqlite":
        _bring_forward(connection, layout_after(frozenset(done)))
    for step in steps(dialect):
        if step.stem not in done:
            _run(connection, step)
            connection.execute(sa.text("INSERT INTO migration (name) VALUES (:name)"), {"name": step.stem})


@cache
def layout_after(names: frozenset[str]) -> Layout:
    """The layout that these steps make."""
    engine = sa.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            for step in steps():
                if step.stem in names:
                    _run(connection, step)
            return layout(connection)
    finally:
        engine.dispose()


def layout(connection: Connection) -> Layout:
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL").all()
    made = {name: sql for kind, name, _, sql in rows if kind == "table" and not name.startswith("sqlite_")}
    tables = {name: _columns(connection, name) for name in made}
    indexes = {name: (table, " ".join(sql.split())) for kind, name, table, sql in rows if kind == "index"}
    return Layout(tables, indexes, made, _written(connection))


def _written(connection: Connection) -> frozenset[str]:
    """The statements that made what is there, but for the table of the steps themselves."""
    return frozenset(
        connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'migration'").scalars()
    )


def _columns(connection: Connection, table: str) -> tuple[Column, ...]:
    rows = connection.exec_driver_sql(f'PRAGMA table_info("{table}")')
    return tuple(Column(name, type_, bool(required), key) for _, name, type_, required, _, key in rows)


def _run(connection: Connection, step: Path) -> None:
    for statement in step.read_text(encoding="utf-8").split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement)


# ---------------------------------------------------------------- folders from before steps were frozen


def _bring_forward(connection: Connection, wanted: Layout) -> None:
    """Until this release the first step was edited in place: what such a folder has otherwise than its steps make is mended."""
    if _written(connection) == wanted.written:  # as most are
        return
    found = layout(connection)
    if "source" not in found.tables or "document" not in found.tables:
        raise UnknownLayout(
            "knowledge.db in this folder has no table of sources or of documents. Put a backup in its place, or move it away "
            "to start again and sync every source."
        )
    for table, columns in wanted.tables.items():
        if table not in found.tables:
            connection.exec_driver_sql(wanted.statements[table])
        elif set(found.tables[table]) != set(columns):
            _make_anew(connection, table, found.tables[table], wanted)
    there = layout(connection).indexes
    for name, (table, statement) in wanted.indexes.items():
        if there.get(name) != (table, statement):
            connection.exec_driver_sql(f'DROP INDEX IF EXISTS "{name}"')
            connection.exec_driver_sql(statement)


def _make_anew(connection: Connection, table: str, before: tuple[Column, ...], wanted: Layout) -> None:
    """The table as it should be, with the rows it has."""
    for index, (owner, _) in layout(connection).indexes.items():
        if owner == table:
            connection.exec_driver_sql(f'DROP INDEX "{index}"')
    connection.exec_driver_sql(f'ALTER TABLE "{table}" RENAME TO "{table}_before"')
    connection.exec_driver_sql(wanted.statements[table])
    columns = wanted.tables[table]
    known = {column.name for column in before}
    has_key = {column.name for column in columns if column.key} == {column.name for column in before if column.key}
    if has_key:
        names = ", ".join(f'"{column.name}"' for column in columns)
        values = ", ".join(f'"{column.name}"' if column.name in known else _default(table, column) for column in columns)
        connection.exec_driver_sql(f'INSERT INTO "{table}" ({names}) SELECT {values} FROM "{table}_before"')
    elif table not in DERIVED:
        raise UnknownLayout(
            f"The table “{table}” of this data folder is of a layout that is not known. Move the folder away to start again "
            "and sync every source."
        )
    connection.exec_driver_sql(f'DROP TABLE "{table}_before"')


def _default(table: str, column: Column) -> str:
    if (table, column.name) in DEFAULTS:
        return DEFAULTS[table, column.name]
    return BY_TYPE.get(column.type, "''") if column.is_required else "NULL"
