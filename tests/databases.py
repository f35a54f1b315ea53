"""Tests that run on each database system: on SQLite always, on PostgreSQL where a server is named.

`.ci/postgresql start FOLDER` starts one and prints its URL. Each test has a database of its own, copied from one that is laid out already.
"""

from __future__ import annotations

import atexit
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, NamedTuple

import psycopg
import pytest
import sqlalchemy as sa

from tree.store.database import Database

SERVER_VARIABLE = "KNOWLEDGE_TREE_TEST_DATABASE"  # such as postgresql+psycopg://tree@127.0.0.1:54329
SERVER = os.environ.get(SERVER_VARIABLE, "").rstrip("/")
PLAIN = SERVER.replace("+psycopg", "")
MOST_USES = 60  # of one database: what the server keeps of tables grows with each time they are emptied
SYSTEMS = ("sqlite", "postgresql") if SERVER else ("sqlite",)
LEFT_OUT = f"Nothing was tried on PostgreSQL: name a server in {SERVER_VARIABLE} (.ci/postgresql starts one)."

_OURS = "pg_namespace.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
_NAMES = f"""
SELECT pg_class.oid::regclass::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relkind = %s AND {_OURS}
"""
_FORM = f"""
SELECT md5(string_agg(line, ',' ORDER BY line)) FROM (
    SELECT concat_ws(' ', nspname, relname, relkind, attname, atttypid, attnotnull) FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 WHERE {_OURS}
    UNION ALL SELECT concat_ws(' ', nspname, obj_description(oid, 'pg_namespace')) FROM pg_namespace WHERE {_OURS} AND nspname !~ '^pg_'
    UNION ALL SELECT concat_ws(' ', nspname, proname) FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE {_OURS}
    UNION ALL SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname) FROM pg_constraint
) AS each (line)
"""
_EMPTY = f"""
DO $$ DECLARE used text; BEGIN
    SELECT string_agg(name, ', ') INTO used FROM ({_NAMES.replace("%s", "'r'")}) AS each (name) WHERE pg_relation_size(name::regclass) > 0;
    IF used IS NOT NULL THEN EXECUTE 'TRUNCATE ' || used || ' CASCADE'; END IF;
END $$
"""  # rows that were only deleted would leave room, in which those of the next test lie in another order
_idle: list[_LaidOut] = []  # of this process of the tests


def with_seeds(number: int) -> pytest.MarkDecorator:
    """A random history for each seed: all of them on SQLite, the first on every other system."""
    cases = [(system, seed) for system in SYSTEMS for seed in range(number if system == "sqlite" else 1)]
    return pytest.mark.parametrize(("each_database", "seed"), cases, indirect=["each_database"])


@contextmanager
def new_database(is_laid_out: bool = True) -> Iterator[str]:
    """The URL of a PostgreSQL database that is gone afterwards."""
    if not is_laid_out:
        name = _new_name()
        _administer(f"CREATE DATABASE {name}")
        try:
            yield f"{SERVER}/{name}"
        finally:
            _drop(name)
        return
    used = _laid_out()
    try:
        yield f"{SERVER}/{used.name}"
    finally:
        used.uses += 1
        if used.uses < MOST_USES and used.is_emptied():
            _idle.append(used)
        else:
            _drop(used.name)


class _LaidOut:
    """A database as the template is. To empty one takes a tenth of what it takes to make one: the next test has it again, by
    another name."""

    def __init__(self, name: str) -> None:
        self.name, self.uses = name, 0

    def is_emptied(self) -> bool:
        """Whether it is as it was when it was made; False where a test has changed more than rows."""
        _administer(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.name}'")
        made = _as_made()
        with psycopg.connect(f"{PLAIN}/{self.name}") as connection:
            connection.execute("DROP FUNCTION IF EXISTS refuse_row CASCADE")  # with its triggers
            if _form(connection) != made.form:
                return False
            connection.execute("SET session_replication_role = replica")  # in whatever order rows come, none asks after another
            connection.execute(_EMPTY)
            for table, rows in made.rows.items():
                with connection.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                    copy.write(rows)
            for sequence, (value, is_called) in made.sequences.items():
                connection.execute("SELECT setval(%s, %s, %s)", (sequence, value, is_called))
        return True


class _AsMade(NamedTuple):
    """What is in the template."""

    form: str
    rows: dict[str, bytes]  # of the tables that have any
    sequences: dict[str, tuple[int, bool]]


def _laid_out() -> _LaidOut:
    if _idle:
        again = _idle.pop()
        name = _new_name()  # what a process remembers of one is not of the next
        _administer(f"ALTER DATABASE {again.name} RENAME TO {name}")
        again.name = name
        return again
    name = _new_name()
    _administer(f"CREATE DATABASE {name} TEMPLATE {_template()}")
    return _LaidOut(name)


def _new_name() -> str:
    return f"t{uuid.uuid4().hex}"


def _drop(name: str) -> None:
    _administer(f"DROP DATABASE {name} WITH (FORCE)")


def _form(connection: psycopg.Connection[Any]) -> str:
    [(form,)] = connection.execute(_FORM).fetchall()
    return str(form)


def _rows(connection: psycopg.Connection[Any], table: str) -> bytes:
    with connection.cursor().copy(f"COPY {table} TO STDOUT") as copy:
        return b"".join(copy)


@cache
def _as_made() -> _AsMade:
    with psycopg.connect(f"{PLAIN}/{_template()}") as connection:
        tables = [name for (name,) in connection.execute(_NAMES, ("r",)).fetchall()]
        rows = {table: _rows(connection, table) for table in tables}
        names = [name for (name,) in connection.execute(_NAMES, ("S",)).fetchall()]
        sequences = {name: connection.execute(f"SELECT last_value, is_called FROM {name}").fetchall()[0] for name in names}
        return _AsMade(_form(connection), {table: text for table, text in rows.items() if text}, sequences)


def break_audit_log(database: Database) -> None:
    """From now on no line can be written to it."""
    refuse_rows(database, "audit", "the audit log is broken")


def refuse_rows(database: Database, table: str, words: str, when: str = "TRUE") -> None:
    """From now on the database itself refuses new rows of a table, or those (NEW) that are as `when` says."""
    is_sqlite = database.backend.server is None
    refusal = f"SELECT RAISE(ABORT, '{words}')" if is_sqlite else f"RAISE '{words}' USING ERRCODE = 'check_violation'"
    with database.write() as connection:
        if not is_sqlite:
            connection.exec_driver_sql(
                f"CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {refusal}; END $$"
            )
        then = f"BEGIN {refusal}; END" if is_sqlite else f"FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION refuse_row()"
        condition = f"WHEN {when}" if is_sqlite else ""
        connection.exec_driver_sql(f"CREATE TRIGGER refuse BEFORE INSERT ON {table} {condition} {then}")


@cache
def _template() -> str:
    """One for each process of the tests: nobody may be connected to it while it is copied."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from ingestion.tasks.layout import lay_out

    name = f"template{uuid.uuid4().hex}"
    _administer(f"CREATE DATABASE {name}")
    with TemporaryDirectory() as home:
        database = Database(Path(home), url=f"{SERVER}/{name}")
        lay_out(database.backend.server)
        database.close()
    return name


def _administer(statement: str) -> None:
    engine = _server()
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)


@atexit.register
def _end() -> None:
    """Whoever keeps a server between two runs finds nothing of ours in it."""
    with suppress(sa.exc.SQLAlchemyError):  # it may have ended before
        for name in [used.name for used in _idle] + ([_template()] if _template.cache_info().currsize else []):
            _drop(name)


@cache
def _server() -> sa.Engine:
    return sa.create_engine(f"{SERVER}/postgres", isolation_level="AUTOCOMMIT")
