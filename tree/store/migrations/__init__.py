"""Brings a database to the present schema: numbered steps, each run once, all inside the caller's transaction.

A step is a file `NNNN_name.sql` beside this one and is never changed after a release; a new one is added behind it.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import Connection


class NewerDatabase(Exception):
    """The database was written by a later release than this one."""


def steps() -> list[Path]:
    return sorted(Path(__file__).parent.glob("[0-9]*.sql"))


def upgrade(connection: Connection) -> None:
    """Raises NewerDatabase when there are steps in the database that this release does not have."""
    connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS migration (name VARCHAR NOT NULL PRIMARY KEY)")
    done = {name for (name,) in connection.exec_driver_sql("SELECT name FROM migration")}
    names = {step.stem for step in steps()}
    if unknown := sorted(done - names):
        raise NewerDatabase(f"This data folder was written by a newer release (it has {unknown[-1]}). Update the app.")
    for step in steps():
        if step.stem not in done:
            for statement in step.read_text(encoding="utf-8").split(";\n"):
                if statement.strip():
                    connection.exec_driver_sql(statement)
            connection.exec_driver_sql("INSERT INTO migration (name) VALUES (?)", (step.stem,))
