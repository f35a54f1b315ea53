"""Tests that run on each database system: on SQLite always, on PostgreSQL where a server is named.

`.ci/postgresql start FOLDER` starts one and prints its URL. Each test has a database of its own, copied from one that is laid out already.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
import sqlalchemy as sa

from tree.store.database import Database

SERVER_VARIABLE = "KNOWLEDGE_TREE_TEST_DATABASE"  # such as postgresql+psycopg://tree@127.0.0.1:54329
SERVER = os.environ.get(SERVER_VARIABLE, "").rstrip("/")
SYSTEMS = ("sqlite", "postgresql") if SERVER else ("sqlite",)
LEFT_OUT = f"Nothing was tried on PostgreSQL: name a server in {SERVER_VARIABLE} (.ci/postgresql starts one)."


def with_seeds(number: int) -> pytest.MarkDecorator:
    """A random history for each seed: all of them on SQLite, the first on every other system."""
    cases = [(system, seed) for system in SYSTEMS for seed in range(number if system == "sqlite" else 1)]
    return pytest.mark.parametrize(("each_database", "seed"), cases, indirect=["each_database"])


@contextmanager
def new_database(is_laid_out: bool = True) -> Iterator[str]:
    """The URL of a PostgreSQL database that is gone afterwards."""
    name = f"t{uuid.uuid4().hex}"
    template = f"TEMPLATE {_template()}" if is_laid_out else ""
    _administer(f"CREATE DATABASE {name} {template}")
    try:
        yield f"{SERVER}/{name}"
    finally:
        _administer(f"DROP DATABASE {name} WITH (FORCE)")


def break_audit_log(database: Database) -> None:
    """From now on no line can be written to it (SQLite)."""
    with database.write() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER no_audit BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is broken'); END"
        )


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


@cache
def _server() -> sa.Engine:
    return sa.create_engine(f"{SERVER}/postgres", isolation_level="AUTOCOMMIT")
