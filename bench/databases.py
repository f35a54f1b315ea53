"""Where trees are kept while something is measured: in data folders, or in databases of their own on the PostgreSQL that the
environment names."""

from __future__ import annotations

import os
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from tree.workspace import DATABASE_VARIABLE, database_url

END_SECONDS = 30.0  # within which connections to a database that was closed, or whose process was killed, have ended


@contextmanager
def own_database() -> Iterator[None]:
    """A new one, which is what the environment names until it is gone again; nothing happens where it names none."""
    with _instead("" if (url := database_url()) is None else f"{sa.make_url(url).database or 'bench'}_{uuid.uuid4().hex[:8]}"):
        yield


@contextmanager
def copied_database() -> Iterator[None]:
    """The same with what is in the one that it names, which nobody may be connected to."""
    url = database_url()
    template = "" if url is None else str(sa.make_url(url).database)
    with _instead("" if url is None else f"{template}_copy", template):
        yield


@contextmanager
def _instead(name: str, template: str = "") -> Iterator[None]:
    before = database_url()
    if before is None:
        yield
        return
    url = sa.make_url(before)
    _administer(url, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    _administer(url, f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if template else ""))
    os.environ[DATABASE_VARIABLE] = url.set(database=name).render_as_string(hide_password=False)
    try:
        yield
    finally:
        os.environ[DATABASE_VARIABLE] = before
        _administer(url, f'DROP DATABASE "{name}" WITH (FORCE)')


def _administer(url: sa.URL, statement: str) -> None:
    import psycopg  # an extra, which most do without

    server = url.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    until = time.monotonic() + END_SECONDS
    with psycopg.connect(server, autocommit=True) as connection:
        while True:
            try:
                connection.execute(statement.encode())
                return
            except psycopg.errors.ObjectInUse:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)


def in_same_database(target: Callable[..., None]) -> tuple[Callable[..., None], tuple[object, ...]]:
    """What a process that is forked from a server is to run, and its first arguments: the server has the environment of long ago."""
    return _with_database, (database_url(), target)


def _with_database(url: str | None, target: Callable[..., None], *arguments: object) -> None:
    os.environ.pop(DATABASE_VARIABLE, None)
    if url is not None:
        os.environ[DATABASE_VARIABLE] = url
    target(*arguments)


@contextmanager
def rows_of(home: Path) -> Iterator[sqlite3.Connection]:
    """One snapshot of the database of a data folder; where that is PostgreSQL, a copy of its tables, with JSON as text."""
    url = database_url()
    if url is None:
        with read_file(home / "knowledge.db") as connection:
            yield connection
        return
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _copy(url, connection)
        yield connection


@contextmanager
def read_file(path: Path) -> Iterator[sqlite3.Connection]:
    """One snapshot of a file that others write at the same time."""
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
        connection.execute("BEGIN DEFERRED")
        yield connection
        connection.execute("COMMIT")


def _copy(url: str, into: sqlite3.Connection) -> None:
    import psycopg
    from psycopg.types.json import set_json_loads

    with psycopg.connect(sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        set_json_loads(lambda text: text.decode() if isinstance(text, bytes) else text, connection)
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            rows = connection.execute(psycopg.sql.SQL("SELECT * FROM {}").format(psycopg.sql.Identifier(table)))
            names = [column.name for column in rows.description or ()]
            into.execute(f'CREATE TABLE "{table}" ({", ".join(map(_quoted, names))})')
            into.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(names))})', map(_plain, rows))


def _quoted(name: str) -> str:
    return f'"{name}"'


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(value if value is None or isinstance(value, int | float | str | bytes) else str(value) for value in row)
