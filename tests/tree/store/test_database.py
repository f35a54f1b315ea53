"""The database opens, migrates, and says in words what is wrong with its folder."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

import tree.accounts.models
import tree.store.models  # noqa: F401  (the tables of both are compared with the migrations)
from tree.store.chats import Chats
from tree.store.database import Database, StoreError, explained
from tree.store.running_turns import ChatDeleted
from tree.store.secrets import Vault
from tree.store.settings import save_setting
from tree.store.sqlite import CONNECTIONS, make_file
from tree.workspace import open_workspace

ROOT = Path(__file__).parents[3]


def _schema(connection) -> set[str]:
    rows = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'migration%'")
    return {re.sub(r"\s+([,)])", r"\1", " ".join(sql.split())) for (sql,) in rows}


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
    before = _layout(tmp_path)
    assert before.migrations
    Database(tmp_path).close()
    assert _layout(tmp_path) == before


class _Layout(NamedTuple):
    changes: int  # another number after each change of a table, also to the same
    tables: list[tuple[str, str | None]]
    migrations: list[tuple[object, ...]]


def _layout(home: Path) -> _Layout:
    with closing(sqlite3.connect(home / "knowledge.db")) as connection:
        [changes] = connection.execute("PRAGMA schema_version").fetchone()
        tables = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        return _Layout(changes, tables, connection.execute("SELECT rowid, * FROM migration ORDER BY rowid").fetchall())


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


def test_the_first_start_does_not_have_to_be_alone_with_the_new_file(tmp_path) -> None:
    make_file(tmp_path / "knowledge.db")
    with closing(sqlite3.connect(tmp_path / "knowledge.db", isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM sqlite_master").fetchone()  # as another start that looks what is there
        Database(tmp_path, busy_seconds=0.1).close()


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


def _names(database: Database) -> list[str]:
    with database.read() as connection:
        return list(connection.exec_driver_sql("SELECT name FROM setting ORDER BY name").scalars())


def _save(database: Database, name: str) -> None:
    with database.write() as connection:
        save_setting(connection, name, {})


def test_what_is_written_together_is_seen_together_or_not_at_all(tmp_path) -> None:
    database, other = Database(tmp_path), Database(tmp_path)
    told: list[str] = []
    with database.together():
        _save(database, "a")
        with database.together():
            _save(database, "b")
        database.when_written(lambda: told.extend(_names(other)))
        assert _names(database) == ["a", "b"] and _names(other) == [] and told == []
    assert told == ["a", "b"]
    with pytest.raises(LookupError), database.together():
        _save(database, "c")
        database.when_written(lambda: told.append("never"))
        raise LookupError
    assert _names(database) == ["a", "b"] == told
    database.when_written(lambda: told.append("at once"))
    assert told[-1] == "at once"


def test_of_what_fails_inside_nothing_is_left_where_somebody_goes_on(tmp_path) -> None:
    database = Database(tmp_path)
    with database.together():
        _save(database, "a")
        with pytest.raises(LookupError), database.write() as connection:
            save_setting(connection, "b", {})
            raise LookupError
        _save(database, "c")
    assert _names(database) == ["a", "c"]


def test_what_was_looked_up_in_a_transaction_that_failed_is_not_kept(tmp_path) -> None:
    database = Database(tmp_path)
    with pytest.raises(LookupError), database.together():
        _save(database, "a")
        assert database.unchanged("names", lambda: _names(database)) == ["a"]
        raise LookupError
    assert database.unchanged("names", lambda: _names(database)) == []


def test_other_threads_take_no_part_in_what_one_does_together(tmp_path) -> None:
    database = Database(tmp_path)
    with database.together(), ThreadPoolExecutor(1) as pool:
        _save(database, "a")
        assert pool.submit(_names, database).result() == []


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


# ---------------------------------------------------------------- the data folder


def test_an_empty_database_file_is_not_taken_for_a_new_one(tmp_path) -> None:
    (tmp_path / "knowledge.db").touch()
    with pytest.raises(StoreError, match="empty"):
        Database(tmp_path)


def test_a_log_without_its_database_is_not_taken_for_a_new_one(tmp_path) -> None:
    (tmp_path / "knowledge.db-wal").write_bytes(b"x" * 100)
    with pytest.raises(StoreError, match="missing"):
        Database(tmp_path)


def test_a_start_that_was_killed_leaves_nothing_that_stops_the_next(tmp_path) -> None:
    (tmp_path / "knowledge.db.new").write_bytes(b"half a database")
    Database(tmp_path).close()
    assert not (tmp_path / "knowledge.db.new").exists()


def test_a_data_folder_is_its_owners_alone(tmp_path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    Database(home).close()
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "knowledge.db").stat().st_mode & 0o777 == 0o600
    home.chmod(0o755)
    (home / "knowledge.db").chmod(0o644)
    Database(home).close()
    assert home.stat().st_mode & 0o777 == 0o700 and (home / "knowledge.db").stat().st_mode & 0o777 == 0o600


def test_a_folder_of_somebody_else_is_told_with_who_we_are(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tree.store.home.os.access", lambda *_: False)
    monkeypatch.setattr("tree.store.errors.os.geteuid", lambda: 10001, raising=False)
    with pytest.raises(StoreError, match=f"{tmp_path} cannot be written to by user 10001. Mend its permissions"):
        Database(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_other_things_keeps_its_permissions_and_that_is_told(tmp_path, caplog) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    (home / "thesis.txt").write_text("not ours")
    Database(home).close()
    assert home.stat().st_mode & 0o777 == 0o755 and "others may look into it" in caplog.text


@pytest.mark.parametrize(
    "place", ["/proc/knowledge-tree", "/dev/null", "/dev/null/x", "~nobody-of-this-name/x", "a\0b", "x" * 300]
)
def test_a_place_that_cannot_be_a_data_folder_is_one_clear_line(place, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="--home"):
        open_workspace(place)


def test_a_limit_on_the_size_of_files_is_told_apart_from_damage(tmp_path) -> None:
    program = f"""
import resource, sys
from pathlib import Path
from tree.store.database import Database, StoreError
database = Database(Path({str(tmp_path)!r}))
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    with database.write() as connection:
        for number in range(400):
            connection.exec_driver_sql("INSERT INTO record (hash, data) VALUES (?, ?)", (str(number), "x" * 8_000))
except StoreError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "limit" in done.stdout and "damaged" not in done.stdout
    with Database(tmp_path).read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM record").scalar_one() == 0


@pytest.mark.parametrize("number", [errno.EDQUOT, errno.ENOSPC, errno.EFBIG, errno.EROFS, errno.EIO])
def test_what_a_disk_says_is_never_called_damage_of_the_database(tmp_path, number) -> None:
    with pytest.raises(StoreError) as told, explained(tmp_path / "knowledge.db"):
        raise OSError(number, os.strerror(number))
    assert "damaged" not in str(told.value)


def test_processes_that_make_the_key_at_once_agree_on_one(tmp_path) -> None:
    Database(tmp_path).close()
    start = threading.Barrier(8)

    def seal(number: int) -> bytes | None:
        start.wait()
        return Vault(tmp_path).seal({"token": str(number)})

    with ThreadPoolExecutor(8) as pool:
        sealed = list(pool.map(seal, range(8)))
    assert [Vault(tmp_path).open(one) for one in sealed] == [{"token": str(number)} for number in range(8)]
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600


def test_nothing_can_be_asked_in_a_chat_that_somebody_else_has_deleted(tmp_path) -> None:
    chats = Chats(Database(tmp_path))
    turn = chats.running.begin("What is green?", owner="ada")
    chats.rows.delete(turn.chat_id, "ada")
    with pytest.raises(ChatDeleted):
        chats.running.begin("And blue?", "", turn.chat_id, owner="ada")
    chats.running.finish(turn.id, "done", {"version": 1})
    assert chats.rows.recent("ada") == [] and chats.turns.get(turn.id) is None


def test_what_is_unchanged_is_read_once_until_this_process_or_another_writes(tmp_path) -> None:
    database, other = Database(tmp_path), Database(tmp_path)
    reads: list[int] = []

    def read() -> int:
        reads.append(0)
        return len(reads)

    assert [database.unchanged("what", read) for _ in range(3)] == [1, 1, 1]
    Chats(database).running.begin("Who writes?", owner="")
    assert database.unchanged("what", read) == 2
    Chats(other).running.begin("Who else?", owner="")
    late = time.monotonic() + 20
    while database.unchanged("what", read) == 2 and time.monotonic() < late:
        time.sleep(0.01)
    assert database.unchanged("what", read) == 3


def test_nobody_waits_for_the_connections_of_the_others(tmp_path) -> None:
    database = Database(tmp_path)
    with ExitStack() as all_at_once:
        for _ in range(CONNECTIONS + 3):
            connection = all_at_once.enter_context(database.read())
            assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    assert database.backend.writing.pool.checkedin() == CONNECTIONS
    database.close()
    assert database.backend.writing.pool.checkedin() == 0
