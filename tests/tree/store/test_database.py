"""The database opens, migrates, and says in words what is wrong with its folder."""

from __future__ import annotations

import os
import sqlite3
import threading

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

import tree.store.models  # noqa: F401  (its tables are compared with the migrations)
from tree.store.database import Database, StoreError


def _schema(connection) -> set[str]:
    rows = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'migration%'")
    return {" ".join(sql.split()) for (sql,) in rows}


def test_the_migrations_make_what_the_models_say(tmp_path) -> None:
    database = Database(tmp_path)
    by_models = sa.create_engine("sqlite://")
    with by_models.begin() as connection:
        SQLModel.metadata.create_all(connection)
        expected = _schema(connection)
    with database.read() as connection:
        assert _schema(connection) == expected


def test_a_second_start_migrates_nothing(tmp_path) -> None:
    Database(tmp_path).close()
    Database(tmp_path).close()


def test_a_database_of_a_newer_release_is_refused(tmp_path) -> None:
    with Database(tmp_path).write() as connection:
        connection.exec_driver_sql("INSERT INTO migration (name) VALUES ('9999_later')")
    with pytest.raises(StoreError, match="newer release"):
        Database(tmp_path)


def test_many_starts_at_once_all_succeed(tmp_path) -> None:
    failures: list[Exception] = []

    def start() -> None:
        try:
            Database(tmp_path).close()
        except Exception as error:  # noqa: BLE001  (whatever it is, the test is to see it)
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_writers_lose_no_update(tmp_path) -> None:
    database = Database(tmp_path)
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE counter (n INTEGER)")
        connection.exec_driver_sql("INSERT INTO counter VALUES (0)")

    def count() -> None:
        for _ in range(50):
            with database.write() as connection:
                n = connection.exec_driver_sql("SELECT n FROM counter").scalar_one()
                connection.exec_driver_sql("UPDATE counter SET n = ?", (n + 1,))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT n FROM counter").scalar_one() == 200


def test_a_folder_that_is_a_file_is_refused_in_words(tmp_path) -> None:
    home = tmp_path / "home"
    home.write_text("not a folder")
    with pytest.raises(StoreError, match="--home"):
        Database(home)


def test_a_damaged_database_is_refused_in_words(tmp_path) -> None:
    (tmp_path / "knowledge.db").write_bytes(os.urandom(9_000))
    with pytest.raises(StoreError, match="damaged"):
        Database(tmp_path)


def test_a_full_disk_is_one_clear_line_and_nothing_is_half_written(tmp_path) -> None:
    database = Database(tmp_path)
    with database.write() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    with pytest.raises(StoreError, match="full"), database.write() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
        for number in range(200):
            connection.exec_driver_sql("INSERT INTO record (hash, data) VALUES (?, ?)", (str(number), "x" * 4_000))
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM record").scalar_one() == 0


def test_a_locked_database_is_one_clear_line(tmp_path) -> None:
    database = Database(tmp_path, busy_seconds=0.1)
    other = sqlite3.connect(tmp_path / "knowledge.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(StoreError, match="Another program"), database.write():
            pass
    finally:
        other.close()
