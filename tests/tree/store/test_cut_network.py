"""The network between a program and its PostgreSQL is cut: who waits is told so soon, and afterwards all goes on by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bench.network import Cut, Network
from ingestion.tasks.waking import board_of
from tests.databases import LEFT_OUT, SERVER, new_database
from tree.store.chats import Chats
from tree.store.database import Database, StoreError

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)

PATIENCE = 2  # seconds that a connection may take, and a result before the server is asked whether it is there
SOON = 3 * PATIENCE + 2  # a connection of before is found dead, then a new one is tried; and a busy machine
WORDS = r"cannot be reached: .*\. Nothing was half-written\. Try again in a minute"


@pytest.fixture
def network() -> Iterator[Network]:
    server = sa.make_url(SERVER)
    made = Network(str(server.host), server.port or 5432)
    yield made
    made.close()


@pytest.fixture
def database(tmp_path: Path, network: Network) -> Iterator[Database]:
    with new_database() as url:
        through = sa.make_url(url).set(host="127.0.0.1", port=network.port, query={"connect_timeout": str(PATIENCE)})
        opened = Database(tmp_path, url=through.render_as_string(hide_password=False))
        yield opened
        opened.close()


def seconds_until_told(work: Callable[[], object]) -> float:
    began = time.monotonic()
    with pytest.raises(StoreError, match=WORDS):
        work()
    return time.monotonic() - began


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    late = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < late
        time.sleep(0.1)


def works(work: Callable[[], object]) -> bool:
    try:
        work()
    except StoreError:
        return False
    return True


@pytest.mark.parametrize("how", ["silent", "reset"])
def test_while_the_network_is_cut_everybody_is_told_and_afterwards_goes_on(
    database: Database, network: Network, how: Cut
) -> None:
    chats = Chats(database)
    chats.running.begin("Before?", owner="ada")
    told: list[float] = []
    works_on: list[Callable[[], object]] = [
        lambda: chats.rows.recent("ada"),
        database.data_version,
        lambda: chats.running.begin("?", owner="ada"),
    ]
    waiting = [threading.Thread(target=lambda work=work: told.append(seconds_until_told(work))) for work in works_on * 8]
    with network.cut(how):
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join()
        assert len(told) == len(waiting) and max(told) < SOON
        if how == "silent":  # somebody has just tried in vain
            assert min(seconds_until_told(lambda: chats.rows.recent("ada")) for _ in range(3)) < PATIENCE / 2
    until(lambda: works(database.data_version))
    chats.running.begin("After?", owner="ada")
    assert [chat.title for chat in chats.rows.recent("ada")] == ["After?", "Before?"]


def test_a_result_that_takes_long_is_waited_for_while_the_server_is_there(database: Database) -> None:
    with database.read() as connection:
        assert connection.exec_driver_sql(f"SELECT 'slow' FROM pg_sleep({2 * PATIENCE + 1})").scalar_one() == "slow"


def test_a_write_under_way_when_the_network_goes_silent_is_not_half_there(database: Database, network: Network) -> None:
    chats = Chats(database)
    chats.running.begin("Before?", owner="ada")

    def write() -> None:
        with database.write() as connection:
            connection.exec_driver_sql("DELETE FROM turn")
            cut.__enter__()
            connection.exec_driver_sql("DELETE FROM chat")

    cut = network.cut("silent")
    assert seconds_until_told(write) < SOON
    cut.__exit__(None, None, None)
    until(lambda: works(lambda: chats.running.begin("After?", owner="ada")))
    assert {chat.title for chat in chats.rows.recent("ada")} == {"Before?", "After?"}


@pytest.mark.parametrize("how", ["silent", "reset"])
def test_whoever_holds_a_lock_learns_that_it_is_gone_and_another_takes_it_afterwards(
    database: Database, network: Network, how: Cut
) -> None:
    lock, other = database.locks.lock("source"), database.locks.lock("source")
    lock.acquire()
    with network.cut(how):
        until(lambda: not lock.is_held)

    def taken() -> bool:
        return works(other.acquire)

    until(taken)
    assert other.is_held and not lock.is_held


def test_the_tasks_say_that_they_cannot_be_reached_and_are_there_again(database: Database, network: Network) -> None:
    board = board_of(database)
    assert board is not None
    board.wake()
    with network.cut("reset"):
        for _ in range(2):
            with pytest.raises(StoreError, match="The tasks in the database cannot be reached"):
                board.standing()
    assert set(board.standing()) == {"plan"}
