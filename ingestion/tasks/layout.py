"""The engine's own tables, in a schema of their own beside ours. Nothing is lost with them: what is wanted stands in our tables."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from tree.store.database import StoreError
from tree.store.errors import Unreachable
from tree.store.reach import Server, reason

try:
    import procrastinate
    import psycopg
except ModuleNotFoundError as error:
    raise StoreError("PostgreSQL needs its task engine: run pip install 'procrastinate>=3.10,<4', or make postgres.") from error

SCHEMA = "knowledge_tree_tasks"
OURS = """
CREATE TABLE failure_reason (
    job_id bigint PRIMARY KEY REFERENCES procrastinate_jobs ON DELETE CASCADE,
    sentence text NOT NULL,
    first_at timestamptz NOT NULL DEFAULT now()
);
"""
NUMBER = 2  # of what is ours in it, and of which task belongs in which queue
NAME = "tasks of Knowledge Tree"
LAYOUT_LOCK = 7_163_340_127_411_093_002  # any number that no other program takes


def in_schema(server: Server) -> Server:
    """The same connection, which sees the engine's tables alone."""
    return server._replace(settings={**server.settings, "search_path": SCHEMA})


def lay_out(server: Server) -> None:
    """Makes the tables where they are not there, or are of an earlier release. Raises StoreError where a later one made them, or
    where they must not be made."""
    wanted = _present()
    try:
        with server.connect(psycopg.Connection) as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LAYOUT_LOCK,))
            there = _found(connection)
            if there == wanted:
                return
            if there is not None and there > wanted:
                raise StoreError("A newer release serves this database already. Update this one too.")
            schema = psycopg.sql.Identifier(SCHEMA)
            connection.execute(psycopg.sql.SQL("DROP SCHEMA IF EXISTS {0} CASCADE; CREATE SCHEMA {0}").format(schema))
            connection.execute(psycopg.sql.SQL("SET LOCAL search_path TO {0}").format(schema))
            connection.execute(procrastinate.schema.SchemaManager.get_schema())
            connection.execute(OURS)
            words = f"{NAME} {'.'.join(map(str, wanted))}"
            connection.execute(psycopg.sql.SQL("COMMENT ON SCHEMA {0} IS {1}").format(schema, words))
    except psycopg.OperationalError as error:
        raise Unreachable(cannot_be_reached(error)) from error
    except psycopg.Error as error:
        said = str(error).strip().partition("\n")[0].rstrip(".")
        raise StoreError(
            f"The tables of tasks cannot be made: {said}. Give the database role the right to create schemas."
        ) from error


def cannot_be_reached(error: BaseException) -> str:
    return f"The tasks in the database cannot be reached: {reason(error)}. It is tried again."


def _present() -> tuple[int, ...]:
    return (*(int(part) for part in version("procrastinate").split(".")[:3]), NUMBER)


def _found(connection: psycopg.Connection[Any]) -> tuple[int, ...] | None:
    """The layout that is there. Raises StoreError where the schema is somebody else's."""
    row = connection.execute(
        "SELECT coalesce(obj_description(oid, 'pg_namespace'), '') FROM pg_namespace WHERE nspname = %s", (SCHEMA,)
    ).fetchone()
    if row is None:
        return None
    name, _, numbers = row[0].rpartition(" ")
    if name != NAME:
        raise StoreError(f"The database has a schema “{SCHEMA}” that is not of this app. Rename it.")
    return tuple(int(part) for part in numbers.split("."))
