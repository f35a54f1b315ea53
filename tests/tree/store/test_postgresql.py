"""What PostgreSQL has to be told: text with NUL, one writer at a time, locks that a killed process gives back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from tests.databases import LEFT_OUT, SERVER, new_database
from tree.store import migrations
from tree.store.chats import Chats
from tree.store.database import Database, StoreError
from tree.store.locks import Lock, Taken, held
from tree.store.models import CheckpointRow, Source, Version, table_of
from tree.store.running_turns import ChatDeleted

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
ROOT = Path(__file__).parents[3]
_checkpoint, _version = table_of(CheckpointRow), table_of(Version)


@pytest.fixture
def url() -> Iterator[str]:
    with new_database() as made:
        yield made


@pytest.fixture
def database(tmp_path: Path, url: str) -> Iterator[Database]:
    opened = Database(tmp_path, url=url)
    yield opened
    opened.close()


# ---- text


def test_every_text_comes_back_and_keeps_its_order_its_beginning_and_its_parts() -> None:
    from tree.store.postgresql import given, kept

    texts = ["".join(some) for length in range(5) for some in product("\0\1\2a", repeat=length)]
    assert all(given(kept(text)) == text and "\0" not in kept(text) for text in texts)
    assert sorted(texts, key=kept) == sorted(texts)
    assert all(kept(one) + kept(other) == kept(one + other) for one in texts[:90] for other in texts[:90])


def test_texts_are_compared_by_their_bytes_whatever_the_server_speaks(database) -> None:
    keys = ["a\0b", "a", "a\x01", "A", "Z", "ä", "z", "a b", "a-b", "%", "_", "\U0001f600", "'", "\\"]
    with database.write() as connection:
        connection.execute(sa.insert(_checkpoint), [{"source_id": "s", "key": key, "value": key} for key in keys])
    with database.read() as connection:
        rows = connection.execute(sa.select(_checkpoint.c.key, _checkpoint.c.value).order_by(_checkpoint.c.key)).all()
        assert [row.key for row in rows] == sorted(keys) == [row.value for row in rows]
        since = (
            sa.select(_checkpoint.c.key).where(_checkpoint.c.key >= "a\0", _checkpoint.c.key < "b").order_by(_checkpoint.c.key)
        )
        assert list(connection.scalars(since)) == sorted(key for key in keys if "a\0" <= key < "b")
        assert connection.scalar(sa.select(_checkpoint.c.value).where(_checkpoint.c.key == "a\0b")) == "a\0b"


def test_json_may_hold_every_character(database) -> None:
    config = {"a\0": ["\0", "\x01", {"b": "\\u0000 and \0\x01\x01"}], "plain": "ü", "none": None, "n": 1.5}
    with database.write() as connection:
        connection.execute(sa.insert(table_of(Source)).values(id="s", name="S", kind="folder", config=config, created_at=0))
    with database.read() as connection:
        assert connection.scalar(sa.select(table_of(Source).c.config)) == config
    chats = Chats(database)
    chats.running.finish(
        chats.running.begin("What?", owner="ada").id, "done", {"answer": "It says \0 here", "verdict": "complete"}
    )
    assert [chat.title for chat in chats.rows.recent("ada", containing="SAYS")] == ["What?"]  # is looked for on the server


# ---- tables


def test_the_first_step_makes_what_the_models_say(database, tmp_path) -> None:
    import tree.accounts.models  # noqa: F401  (its tables are compared too)

    with database.read() as connection:
        found, embedded = sa.inspect(connection), Database(tmp_path / "embedded")
        for table in SQLModel.metadata.sorted_tables:
            columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
            assert columns == {column.name: bool(column.nullable) for column in table.columns}, table.name
            indexes = {index["name"] for index in found.get_indexes(table.name) if "duplicates_constraint" not in index}
            assert indexes == {index.name for index in table.indexes}
            assert found.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key.columns]
        texts = connection.exec_driver_sql(
            "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' "
            "AND data_type IN ('text', 'character varying') AND collation_name IS DISTINCT FROM 'C' AND table_name != 'migration'"
        )
        assert list(texts.scalars()) == []  # each is ordered by its bytes
        assert {row.name for row in connection.execute(sa.text("SELECT name FROM migration"))} == {
            step.stem for step in migrations.steps("postgresql")
        }
        embedded.close()


def test_a_database_of_something_else_is_refused_in_words(tmp_path) -> None:
    with new_database(is_laid_out=False) as url:
        engine = sa.create_engine(url)
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE invoice (number INTEGER)")
        engine.dispose()
        with pytest.raises(StoreError, match="invoice.*KNOWLEDGE_TREE_DATABASE"):
            Database(tmp_path, url=url)


def test_many_starts_at_once_all_succeed(tmp_path) -> None:
    with new_database(is_laid_out=False) as url, ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda number: Database(tmp_path / str(number), url=url).close(), range(6))) == [None] * 6


# ---- transactions


def test_writers_lose_no_update_and_numbers_rise_in_the_order_of_commits(database, url, tmp_path) -> None:
    seen: list[int] = []

    def publish(opened: Database) -> None:
        for _ in range(15):
            with opened.write() as connection:
                last = connection.scalar(sa.select(sa.func.max(_version.c.ordinal))) or 0
                row = {"source_id": "s", "published_at": 0, "titles": [], "ordinal": last + 1}
                connection.execute(sa.insert(_version).values(row))

    def follow() -> None:
        while len(seen) < 60:
            with database.read() as connection:  # as an index does: what came behind the last number that it has
                behind = sa.select(_version.c.number).where(_version.c.number > max(seen, default=0))
                seen.extend(connection.scalars(behind.order_by(_version.c.number)))

    others = [Database(tmp_path / str(number), url=url) for number in range(4)]
    threads = [threading.Thread(target=publish, args=(other,)) for other in others]
    threads.append(threading.Thread(target=follow, daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with database.read() as connection:
        rows = connection.execute(sa.select(_version.c.number, _version.c.ordinal).order_by(_version.c.number)).all()
    assert [row.ordinal for row in rows] == list(range(1, 61)) and seen == [row.number for row in rows]
    for other in others:
        other.close()


def test_a_reader_sees_one_state_and_writes_nothing(database) -> None:
    chats = Chats(database)
    with database.read() as connection:
        count = sa.text("SELECT count(*) FROM chat")
        assert connection.scalar(count) == 0
        chats.running.begin("Who writes?", owner="ada")
        assert connection.scalar(count) == 0
    with pytest.raises(StoreError, match="read-only"), database.read() as connection:
        connection.exec_driver_sql("DELETE FROM chat")


def test_what_is_written_together_is_one_transaction(database, url, tmp_path) -> None:
    other, told = Database(tmp_path / "other", url=url), []
    chats = Chats(database)
    with database.together():
        turn = chats.running.begin("Who writes?", owner="ada")
        database.when_written(lambda: told.append(Chats(other).turns.get(turn.id).question))
        assert Chats(other).turns.get(turn.id) is None and chats.turns.get(turn.id) is not None
    assert told == ["Who writes?"]
    with pytest.raises(LookupError), database.together():
        chats.rows.delete(turn.chat_id, "ada")
        raise LookupError
    assert chats.turns.get(turn.id) is not None
    other.close()


def test_what_is_unchanged_is_read_once_until_this_process_or_another_writes(database, url, tmp_path) -> None:
    other, reads = Database(tmp_path / "other", url=url), iter(range(1, 100))
    assert [database.unchanged("what", lambda: next(reads)) for _ in range(3)] == [1, 1, 1]
    Chats(database).running.begin("Who writes?", owner="")
    assert database.unchanged("what", lambda: next(reads)) == 2
    Chats(other).running.begin("Who else?", owner="")
    late = time.monotonic() + 20
    while database.unchanged("what", lambda: next(reads)) == 2 and time.monotonic() < late:
        time.sleep(0.01)
    assert database.unchanged("what", lambda: next(reads)) == 3
    other.close()


def test_nothing_can_be_asked_in_a_chat_that_somebody_else_has_deleted(database) -> None:
    chats = Chats(database)
    turn = chats.running.begin("What is green?", owner="ada")
    chats.rows.delete(turn.chat_id, "ada")
    with pytest.raises(ChatDeleted):
        chats.running.begin("And blue?", "", turn.chat_id, owner="ada")


def test_a_writer_that_others_keep_waiting_says_so(tmp_path, url, database) -> None:
    hasty = Database(tmp_path / "hasty", 0.2, url)
    with database.write(), pytest.raises(StoreError, match="Another program"):
        Chats(hasty).running.begin("Who?", owner="ada")
    hasty.close()


def test_connections_that_the_server_has_ended_are_made_again(database) -> None:
    chats = Chats(database)
    chats.running.begin("Before?", owner="ada")
    lock = database.locks.lock("held")
    lock.acquire()
    engine = sa.create_engine(f"{SERVER}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = :name"
        assert connection.scalar(sa.text(ended), {"name": database.identity.rpartition("/")[2]})
    engine.dispose()
    with pytest.raises(StoreError, match="cannot be reached"):
        chats.rows.recent("ada")
    assert len(chats.rows.recent("ada")) == 1 and database.data_version()
    chats.running.begin("After?", owner="ada")
    late = time.monotonic() + 10
    while lock.is_held and time.monotonic() < late:  # whoever holds a lock learns that it is gone
        time.sleep(0.1)
    assert not lock.is_held


# ---- locks


@pytest.fixture(params=["files", "server"])
def locks(request, tmp_path):
    opened = Database(tmp_path, url=request.getfixturevalue("url") if request.param == "server" else None)
    yield opened.locks
    opened.close()


def test_a_lock_is_held_by_one(locks) -> None:
    first, second = locks.lock("a-1"), locks.lock("a-1")
    assert not locks.is_taken("a-1")
    with held(first):
        assert first.is_held and not second.is_held and locks.is_taken("a-1") and not locks.is_taken("b-2")
        with pytest.raises(Taken):
            second.acquire()
        second.release()  # gives back nothing that is not its own
        with held(locks.lock("b-2")):
            assert locks.is_taken("a-1")
    with held(second):
        assert not first.is_held
    locks.forget("a-1")
    assert not locks.is_taken("a-1")


def test_a_lock_of_a_killed_process_is_free(tmp_path, url, database) -> None:
    program = (
        "import sys, time; from pathlib import Path; from tree.store.database import Database\n"
        "opened = Database(Path(sys.argv[1]), url=sys.argv[2]); opened.locks.lock('source').acquire()\n"
        "with opened.write():\n    print('held', flush=True); time.sleep(60)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "other"), url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        assert database.locks.is_taken("source")
        os.kill(other.pid, signal.SIGKILL)
    own: Lock = database.locks.lock("source")
    with held(own, patience=10):
        Chats(database).running.begin("Who writes now?", owner="ada")
