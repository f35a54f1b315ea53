"""`ask` that finds no room for what it has to keep; also called so by answering processes."""

from collections.abc import Iterator

from tree.ask.ask import Event
from tree.workspace import Workspace


def cut_off(workspace: Workspace, *_: object, **__: object) -> Iterator[Event]:
    with workspace.database.write() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        connection.exec_driver_sql("CREATE TABLE much AS SELECT zeroblob(1000000) AS data")
    yield from ()
