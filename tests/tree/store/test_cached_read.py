"""What is read again only after a commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tree.store.cached_read import CachedRead
from tree.store.database import Database, StoreError


def notes(database: Database) -> list[str]:
    with database.read() as connection:
        return list(connection.exec_driver_sql("SELECT words FROM note ORDER BY words").scalars())


def note(database: Database, words: str) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS note (words VARCHAR NOT NULL)")
        connection.exec_driver_sql("INSERT INTO note VALUES (?)", (words,))


@pytest.fixture
def database(tmp_path: Path):
    opened = Database(tmp_path)
    note(opened, "a")
    yield opened
    opened.close()


def test_it_is_read_once_until_something_is_written(database: Database) -> None:
    reads = 0

    def read() -> list[str]:
        nonlocal reads
        reads += 1
        return notes(database)

    seen = CachedRead(database, read)
    assert [seen(), seen(), seen()] == [["a"]] * 3 and reads == 1
    note(database, "b")
    assert [seen(), seen()] == [["a", "b"]] * 2 and reads == 2


def test_what_another_process_writes_is_seen(database: Database) -> None:
    seen = CachedRead(database, lambda: notes(database))
    assert seen() == ["a"]
    other = Database(database.home)
    note(other, "b")
    other.close()
    assert seen() == ["a", "b"]


def test_what_is_written_while_it_is_read_is_seen_the_next_time(database: Database) -> None:
    def read() -> list[str]:
        found = notes(database)
        if "b" not in found:
            note(database, "b")
        return found

    seen = CachedRead(database, read)
    assert [seen(), seen()] == [["a"], ["a", "b"]]


def test_a_failure_is_not_kept(database: Database) -> None:
    failing = [True]

    def read() -> str:
        if failing:
            failing.clear()
            raise StoreError("The disk is busy.")
        return "read"

    seen = CachedRead(database, read)
    with pytest.raises(StoreError):
        seen()
    assert seen() == "read"
