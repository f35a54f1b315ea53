"""The database of a data folder goes to PostgreSQL and comes back, whole or not at all."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest
import sqlalchemy as sa

from ingestion.backup import back_up, restore
from ingestion.move import move, take_back
from ingestion.sources import Sources
from ingestion.tasks.waking import board_of
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tree.accounts.accounts import open_accounts
from tree.store.chats import Chats
from tree.store.database import Database, StoreError
from tree.store.home import MOVED
from tree.store.models import NodeRow, Turn, Version, table_of
from tree.store.sqlite import SqliteFile
from tree.workspace import DATABASE_VARIABLE, Workspace, open_workspace, workspace

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds
pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)


@pytest.fixture
def url() -> Iterator[str]:
    with new_database(is_laid_out=False) as made:
        yield made


@pytest.fixture
def home(tmp_path: Path) -> Path:
    docs = Following(tmp_path)
    for number in range(25):
        docs.write(f"quay/{number}.md", f"# Note {number}\n\nThe pump number {number} stands by gate {number * 7}.\n")
    docs.sync()
    docs.write("quay/3.md", "# Note 3\n\nThe crane \x01 is blue.\n")
    docs.sync("quay/3.md")
    open_accounts(docs.workspace.database).people.add("ada@example.org", "Ada", "a heron on the slipway", is_admin=True)
    chats = Chats(docs.workspace.database)
    chats.running.begin("What stands by gate 49?", owner="ada")
    turn = chats.running.begin("A NUL: \0", owner="ada")
    chats.running.finish(turn.id, "done", {"answer": "a \0 and a \x01", "verdict": "complete", "sources": [docs.source.id]})
    docs.sources.set_audience(docs.source.id, ["g"])
    docs.workspace.close()
    return docs.workspace.home


def _everything(opened: Workspace) -> dict[str, list[tuple[object, ...]]]:
    with opened.database.read() as connection:
        tables = {table.name: table for model in (NodeRow, Version, Turn) for table in [table_of(model)]}
        found = {name: connection.execute(sa.select(t).order_by(*t.primary_key.columns)).all() for name, t in tables.items()}
    return {name: [tuple(row) for row in rows] for name, rows in found.items()}


def test_a_data_folder_goes_to_a_server_and_back_with_all_it_holds(home, url, monkeypatch) -> None:
    with workspace(home) as opened:
        before = _everything(opened)
    moved = move(home, url)
    assert moved.trees == 1 and moved.rows > 100 and "tree@" not in moved.identity
    with pytest.raises(StoreError, match=f"moved to .*{DATABASE_VARIABLE}"):
        Database(home)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with workspace(home) as opened:
        assert _everything(opened) == before
        turn = Chats(opened.database).running.begin("What is new?", owner="ada")  # rows are numbered on from those that came
        [source] = Sources(opened.database).all()
        assert source.audience == ["g"] and opened.store.versions.newest() == source.published
        after = _everything(opened)
    move(home, "file")
    monkeypatch.delenv(DATABASE_VARIABLE)
    with workspace(home) as opened:
        assert _everything(opened) == after and Chats(opened.database).turns.get(turn.id).question == "What is new?"


def test_whoever_has_the_folder_open_is_told_that_it_was_moved_and_loses_nothing(home, url, monkeypatch) -> None:
    with workspace(home) as opened:
        chats = Chats(opened.database)
        with _asking(chats) as asked:
            move(home, url)
        for use in (
            lambda: chats.running.begin("What is new?", owner="ada"),
            opened.database.check_readable,
            opened.store.versions.newest,
        ):
            with pytest.raises(StoreError, match=f"moved to .*{DATABASE_VARIABLE}"):
                use()
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with workspace(home) as opened:
        assert [turn for turn in asked if Chats(opened.database).turns.get(turn) is None] == []


def test_whoever_has_the_server_open_is_told_that_it_was_moved_back_and_loses_nothing(home, url, tmp_path, monkeypatch) -> None:
    move(home, url)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with workspace(tmp_path / "machine") as opened:
        chats = Chats(opened.database)
        with _asking(chats) as asked:
            worker = _started("-m", "ingestion.worker", "--home", str(tmp_path / "worker"))
            board = board_of(opened.database)
            _until(lambda: board.count_workers() > 0 and len(asked) > 20)
            move(home, "file")
        told = rf"was moved to {home / 'knowledge.db'} on .* on \d{{4}}-\d\d-\d\d \d\d:\d\d UTC.*move --undo"
        for use in (
            lambda: chats.running.begin("What is new?", owner="ada"),
            opened.database.check_readable,
            opened.store.versions.newest,
            lambda: Database(tmp_path / "third", url=url),
            lambda: move(home, "file"),
        ):
            with pytest.raises(StoreError, match=told):
                use()
        assert worker.wait(PATIENCE) == 1 and re.search(told, worker.stderr.read())
    command = _started("-m", "ingestion", "status", "--home", str(tmp_path / "machine"))
    assert command.wait(PATIENCE) == 1 and re.search(told, command.stderr.read())
    monkeypatch.delenv(DATABASE_VARIABLE)
    with workspace(home) as opened:
        assert [turn for turn in asked if Chats(opened.database).turns.get(turn) is None] == []


def test_a_move_is_taken_back_where_it_began(home, url, monkeypatch) -> None:
    with pytest.raises(StoreError, match="was not moved"):
        take_back(home)
    move(home, url)
    assert take_back(home) == str(home / "knowledge.db")
    Database(home).close()
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with pytest.raises(StoreError, match="was not moved"):
        take_back(home)
    (home / MOVED).write_text("127.0.0.1\n", "utf-8")
    move(home, "file")
    assert "@" not in take_back(home)
    with workspace(home) as opened:
        Chats(opened.database).running.begin("What is new?", owner="ada")


def test_from_one_server_to_another_the_first_is_not_used_any_more(home, url, monkeypatch) -> None:
    move(home, url)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with new_database(is_laid_out=False) as second:
        move(home, second)
        with pytest.raises(StoreError, match=f"was moved to .*{second.rpartition('/')[2]} on"):
            Database(home, url=url)
        monkeypatch.setenv(DATABASE_VARIABLE, second)
        with pytest.raises(StoreError, match="name an empty database"):
            move(home, url)


def test_where_the_server_is_not_told_that_all_has_gone_it_is_used_on_and_the_file_is_not(home, url, monkeypatch) -> None:
    move(home, url)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with closing(psycopg.connect(url.replace("+psycopg", ""), autocommit=True)) as server:
        server.execute("ALTER TABLE write_count ADD CONSTRAINT harm CHECK (moved_to = '')")
        with pytest.raises(sa.exc.IntegrityError):
            move(home, "file")
        with pytest.raises(StoreError, match=f"moved to .*{DATABASE_VARIABLE}"):
            SqliteFile(home)
        with workspace(home) as opened:
            turn = Chats(opened.database).running.begin("What is new?", owner="ada")
        server.execute("ALTER TABLE write_count DROP CONSTRAINT harm")
    move(home, "file")
    monkeypatch.delenv(DATABASE_VARIABLE)
    with workspace(home) as opened:
        assert Chats(opened.database).turns.get(turn.id).question == "What is new?"


def test_whoever_writes_to_the_server_while_it_is_copied_waits(home, url, monkeypatch) -> None:
    move(home, url)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with _held_up(home, url) as (moving, slow), workspace(home) as opened:
        slow.rollback()
        with pytest.raises(StoreError, match="was moved to"):
            Chats(opened.database).running.begin("Which waits, and is then told?", owner="ada")
    assert moving.wait(PATIENCE) == 0, moving.stderr.read()


def test_a_move_back_that_was_killed_leaves_the_server_as_it_was_and_is_begun_again(home, url, monkeypatch) -> None:
    move(home, url)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with _held_up(home, url) as (moving, slow):
        moving.send_signal(signal.SIGKILL)
        moving.wait()
        slow.rollback()
    with workspace(home) as opened:
        turn = Chats(opened.database).running.begin("What is new?", owner="ada")
    with pytest.raises(StoreError, match=f"moved to .*{DATABASE_VARIABLE}"):
        SqliteFile(home)
    move(home, "file")
    monkeypatch.delenv(DATABASE_VARIABLE)
    with workspace(home) as opened:
        assert Chats(opened.database).turns.get(turn.id).question == "What is new?"


def test_a_move_that_was_killed_while_it_checked_begins_anew(home, url) -> None:
    open_workspace(home / "other", url=url).close()
    Database(home / "third").close()
    with closing(psycopg.connect(url.replace("+psycopg", ""), autocommit=True)) as server:
        server.execute(
            "CREATE FUNCTION wait() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END'"
        )
        server.execute(
            "CREATE TRIGGER slow BEFORE UPDATE ON write_count FOR EACH ROW WHEN (OLD.filled_from <> '' AND NEW.filled_from = '') "
            "EXECUTE FUNCTION wait()"
        )
        moving = _started("-m", "ingestion", "move", "--to", url, "--home", str(home))
        _until(lambda: server.execute("SELECT filled_from <> '' FROM write_count").fetchone() == (True,))
        _until(lambda: server.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").fetchone() == (1,))
        with pytest.raises(StoreError, match="Another move .* under way"):
            move(home / "third", url)
        moving.send_signal(signal.SIGKILL)
        moving.wait()
        _end_others(server)
        server.execute("DROP TRIGGER slow ON write_count")
    with pytest.raises(StoreError, match="not complete.*again, which begins anew"):
        Database(home / "other", url=url)
    Database(home).close()  # it is still where it was
    assert move(home, url).trees == 1
    Database(home / "other", url=url).close()


@contextmanager
def _asking(chats: Chats) -> Iterator[list[str]]:
    """Somebody who asks without a pause, until there is nothing to ask any more: the ids of the turns."""
    asked: list[str] = []
    is_over = Event()

    def ask() -> None:
        with suppress(StoreError):
            while not is_over.is_set():
                asked.append(chats.running.begin("What is new?", owner="ada").id)

    asking = Thread(target=ask)
    asking.start()
    try:
        yield asked
    finally:
        is_over.set()
        asking.join()


def _started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=dict(os.environ), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@contextmanager
def _held_up(home: Path, url: str) -> Iterator[tuple[subprocess.Popen[str], psycopg.Connection]]:
    """A move back to the file that has begun, and the connection that keeps it from a table until this is given back."""
    with psycopg.connect(url.replace("+psycopg", "")) as slow:
        slow.execute("LOCK TABLE chat")
        moving = _started("-m", "ingestion", "move", "--to", "file", "--home", str(home))
        _until_held(home, url)
        yield moving, slow


def _until(condition) -> None:
    late = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < late
        time.sleep(0.02)


def _until_held(home: Path, url: str) -> None:
    """Whoever writes is refused in words."""
    with closing(Database(home, busy_seconds=0.2, url=url)) as database:

        def is_held() -> bool:
            try:
                with database.write():
                    return False
            except StoreError as error:
                assert "held the database" in str(error)
                return True

        _until(is_held)


def _end_others(server: psycopg.Connection) -> None:
    """The server has not noticed yet that the process has died."""
    others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    server.execute(f"SELECT pg_terminate_backend(pid) FROM ({others}) other")
    _until(lambda: not server.execute(others).fetchall())


def test_numbers_go_on_behind_those_that_were_copied(home, url) -> None:
    move(home, url)
    with Database(home, url=url).write() as connection:
        numbers = [
            connection.execute(
                sa.insert(table_of(Version)).values(source_id="s", published_at=0, titles=[])
            ).inserted_primary_key[0]
            for _ in range(2)
        ]
        last = connection.scalar(sa.select(sa.func.max(table_of(Version).c.number)))
        assert numbers == [last - 1, last]


def test_what_is_not_empty_is_not_written_over(home, url, tmp_path) -> None:
    opened = open_workspace(tmp_path / "other", url=url)
    Chats(opened.database).running.begin("Whose is this?", owner="ben")
    opened.close()
    with pytest.raises(StoreError, match="not empty.*Name an empty database.*dropdb, createdb"):
        move(home, url)
    Database(home).close()  # it is still where it was


def test_a_wrong_folder_or_url_is_told_in_words(home, url, tmp_path) -> None:
    with pytest.raises(StoreError, match="not a data folder"):
        move(tmp_path / "nothing", url)
    for wrong in ("mysql://tree@host/tree", "nonsense", "postgresql://tree@127.0.0.1:1/none"):
        with pytest.raises(StoreError) as told:
            move(home, wrong)
        assert DATABASE_VARIABLE in str(told.value) or "cannot be reached" in str(told.value)
    with pytest.raises(StoreError, match="already"):
        move(home, "file")


def test_a_backup_of_a_server_fills_a_folder(home, url, monkeypatch, tmp_path) -> None:
    move(home, url)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    back_up(home, tmp_path / "b.tar.gz", with_key=True)
    monkeypatch.delenv(DATABASE_VARIABLE)
    assert restore(tmp_path / "b.tar.gz", tmp_path / "new").sources == 1
    with workspace(tmp_path / "new") as opened:
        assert [chat.owner for chat in Chats(opened.database).rows.recent("ada")] == ["ada", "ada"]
