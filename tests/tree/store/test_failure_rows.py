"""What cannot be read, as those who look again and again are told of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from tree.store.database import Database
from tree.store.failure_rows import FailureRows
from tree.store.models import FailureRow, table_of
from tree.workspace import open_database

_failure = table_of(FailureRow)


@pytest.fixture
def database(tmp_path, each_database) -> Iterator[Database]:
    opened = open_database(tmp_path)
    yield opened
    opened.close()


def _fails(database: Database, document_id: str, since: float) -> None:
    row = {"source_id": "s", "document_id": document_id, "title": document_id, "kind": "file", "reason": "?", "since": since}
    with database.write() as connection:
        connection.execute(sa.insert(_failure).values(row | {"tried_at": since, "tries": 1, "again": False, "approved": False}))


def test_one_that_breaks_while_another_is_mended_is_another_state(database: Database) -> None:
    failures = FailureRows(database)
    assert failures.state(["s"]) == (0, 0.0)
    _fails(database, "rope", 10.0)
    before = failures.state(["s"])
    with database.write() as connection:
        connection.execute(sa.delete(_failure))
    _fails(database, "lamp", 20.0)
    assert failures.state(["s"]) != before and failures.count(["s"]) == 1
    assert failures.state(["t"]) == failures.state([]) == (0, 0.0)
