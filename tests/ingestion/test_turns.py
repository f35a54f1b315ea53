"""First reads take turns: whoever waits gets one, what nothing can be asked of first, and nothing is read twice for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from connectors.base import Cancelled
from ingestion.tasks.plan import NEW
from ingestion.tasks.waking import board_of
from ingestion.tasks.worker import TaskWorker
from ingestion.turns import AT_ONCE, Turns, Waiting, is_over
from ingestion.worker import Worker
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.endless import EndlessConnector
from tests.ingestion.workspaces import Following
from tree.workspace import DATABASE_VARIABLE

PATIENCE = 60  # seconds
REPEATED = """SELECT count(*) FROM (SELECT fingerprint, lag(fingerprint) OVER (PARTITION BY source_id, document_id ORDER BY live_from)
AS before FROM document) AS each WHERE fingerprint = before"""


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE} s in vain until {what}"
        time.sleep(0.05)


def never() -> bool:
    return False


# ---------------------------------------------------------------- whose turn it is


def test_a_turn_is_over_early_for_a_source_of_which_nothing_can_be_asked_and_late_for_others() -> None:
    assert not is_over(4, lambda: Waiting(3, 3)) and is_over(6, lambda: Waiting(1, 0))
    assert not is_over(59, lambda: Waiting(0, 3)) and is_over(61, lambda: Waiting(0, 1))
    assert not is_over(1_000, lambda: Waiting(0, 0))


def test_of_those_that_wait_one_of_which_nothing_can_be_asked_comes_first() -> None:
    turns, order = Turns(1, short=0.0, long=0.0), list[str]()

    def wait(name: str, is_begun: bool) -> None:
        with turns.turn(is_begun, never):
            order.append(name)

    with ExitStack() as held:
        is_mine_over = held.enter_context(turns.turn(False, never))
        assert not is_mine_over()
        threads = []
        for name, is_begun in (("begun", True), ("also begun", True), ("fresh", False)):
            threads.append(threading.Thread(target=wait, args=(name, is_begun)))
            threads[-1].start()
            until(lambda: sum(turns.waiting()) == len(threads), "it waited")  # noqa: B023  (done at once)
        assert turns.waiting() == Waiting(1, 2) and is_mine_over()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["fresh", "begun", "also begun"]


def test_whoever_is_cancelled_while_it_waits_is_in_nobodys_way() -> None:
    turns, noted = Turns(1), list[str]()
    with turns.turn(False, never, lambda: noted.append("first")):
        with pytest.raises(Cancelled), turns.turn(False, lambda: True, lambda: noted.append("second")):
            pass
        assert turns.waiting() == Waiting(0, 0)
    with turns.turn(True, never, lambda: noted.append("third")):
        assert noted == ["second"]
    with pytest.raises(Cancelled), turns.turn(True, lambda: True):
        raise AssertionError("it was cancelled before its turn began")
    with turns.turn(True, never, lambda: noted.append("fourth")):
        assert noted == ["second"], "its place is free again"


# ---------------------------------------------------------------- a sync that gives way


def test_a_sync_that_gives_way_is_gone_on_with_and_reads_nothing_twice(tmp_path: Path, each_database: str) -> None:
    docs = Following(tmp_path)
    for number in range(200):
        docs.write(f"{number}.md", f"# Pump {number}\n\nThe pump {number} is green.\n")
    first = docs.sync(gives_way=lambda: True)
    assert not first.is_whole and 0 < first.put < 200
    source = docs.source
    assert (source.state, source.done, source.total, source.synced_at) == ("waiting", first.put, 200, None) and docs.holds()
    docs.sources.started(source.id)
    assert (docs.source.done, docs.source.total) == (source.done, 200), "how far it was stays known"
    docs.folder.joinpath("0.md").unlink()
    docs.write("1.md", "# Pump 1\n\nThe pump 1 is blue.\n")
    syncs = [*(docs.sync(gives_way=lambda: True) for _ in range(2)), docs.sync()]
    assert [sync.is_whole for sync in syncs] == [False, False, True]
    assert docs.source.state == "ready" and len(docs.titles()) == 199 and docs.holds()
    assert "blue" in docs.ask("What colour is pump 1?").text
    assert first.put + sum(sync.put for sync in syncs) <= 201, "each once, and the one that was edited"
    with docs.workspace.database.read() as connection:
        assert connection.execute(sa.text(REPEATED)).scalar_one() == 0
    docs.workspace.close()


def test_a_connector_that_cannot_end_early_is_read_to_the_end(tmp_path: Path) -> None:
    docs = Following(tmp_path)
    docs.write("a.md", "# A\n\nText.\n")

    class Whole:
        def __init__(self) -> None:
            self.documents = EndlessConnector().fetch({})

        def fetch(self, checkpoint, hints=None):
            yield from (next(self.documents) for _ in range(3) if hints is None)

        def census(self):
            return iter("012")

    assert docs.sync(connector=Whole(), gives_way=lambda: True).is_whole and docs.source.state == "ready"
    docs.workspace.close()


# ---------------------------------------------------------------- the workers


class Endless(Following):
    """Sources that are never read to the end."""

    def __init__(self, root: Path, number: int) -> None:
        super().__init__(root)
        self.ids = [self.source.id, *(self.add(f"Endless {one}") for one in range(1, number))]

    def add(self, name: str) -> str:
        return self.sources.add("folder", name, {"path": str(self.folder)}).id

    def count(self, source_id: str) -> int:
        return self.workspace.store.documents.count(source_id)

    def states(self) -> set[str]:
        return {source.state for source in self.sources.all()}


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Endless]:
    """Followed by a worker that reads one at a time."""
    two = Endless(tmp_path, 2)
    worker = Worker(two.workspace, two.sources, connecting=lambda *_: EndlessConnector(), turns=Turns(1, short=0.0, long=0.0))
    thread = threading.Thread(target=worker.run)
    thread.start()
    yield two
    worker.stopping.set()
    thread.join(PATIENCE)
    two.workspace.close()


def test_sources_that_never_end_are_read_in_turn(two: Endless) -> None:
    until(lambda: "waiting" in two.states(), "one waited")
    until(lambda: all(two.count(id_) > 5 for id_ in two.ids), "both were read")
    before = [two.count(id_) for id_ in two.ids]
    until(lambda: all(two.count(id_) > count + 5 for id_, count in zip(two.ids, before, strict=True)), "both were read on")
    with two.workspace.database.read() as connection:
        assert connection.execute(sa.text(REPEATED)).scalar_one() == 0


def test_a_source_that_is_paused_or_removed_while_it_waits_leaves_the_turn_to_others(two: Endless) -> None:
    first, second = two.ids
    until(lambda: all(two.count(id_) > 0 for id_ in two.ids), "both were read")
    two.sources.pause(second, True)
    before = two.count(first)
    until(lambda: two.count(first) > before + 5, "the first one was read on")  # the second one may have been in the middle
    at, before = two.count(second), two.count(first)
    until(lambda: two.count(first) > before + 10, "the first one was read on alone")
    assert two.count(second) == at
    two.sources.pause(second, False)
    until(lambda: two.count(second) > at, "the second one went on")
    two.sources.mark_removing(second)
    until(lambda: not two.sources.removing(), "the second one was removed")
    before = two.count(first)
    until(lambda: two.count(first) > before + 5, "the first one was read on")


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_a_new_source_is_read_while_every_place_of_a_task_worker_is_taken(tmp_path: Path, monkeypatch) -> None:
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        many = Endless(tmp_path, AT_ONCE)
        board = board_of(many.workspace.database)
        assert board is not None
        worker = TaskWorker(many.workspace, many.sources, board, lambda *_: EndlessConnector())
        thread = threading.Thread(target=worker.run)
        thread.start()
        try:
            until(lambda: all(many.count(id_) for id_ in many.ids), "all places were taken")
            fifth = many.add("Fifth")
            until(lambda: many.count(fifth) > 0, "the fifth was read")
            until(lambda: "waiting" in many.states() and sum(board.waiting(NEW)) == 1, "another one waited")
        finally:
            worker.stopping.set()
            thread.join(PATIENCE)
            many.workspace.close()
