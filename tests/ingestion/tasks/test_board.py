"""The board of tasks: what is wanted becomes tasks once, dead workers lose theirs, and people cancel and try again."""

from __future__ import annotations

import time
from contextlib import closing

import psycopg
import pytest

from connectors.base import Limited
from ingestion.tasks.board import SHOWN, TaskBoard
from ingestion.tasks.layout import SCHEMA, in_schema, lay_out
from ingestion.tasks.plan import CHANGES, LOOKS, NEW, plan
from ingestion.tasks.waking import board_of
from ingestion.turns import Waiting
from tests.databases import LEFT_OUT, SERVER
from tests.ingestion.workspaces import Following
from tree.store.database import StoreError
from tree.store.locks import held
from tree.workspace import DATABASE_VARIABLE

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)


@pytest.fixture
def board(docs: Following) -> TaskBoard:
    found = board_of(docs.workspace.database)
    assert found is not None
    return found


def planned(docs: Following, board: TaskBoard) -> int:
    return plan(docs.workspace, docs.sources, board, lambda source: True)


def execute(docs: Following, statement: str, *values: object) -> None:
    with in_schema(docs.workspace.database.backend.server).connect(psycopg.Connection) as connection:
        connection.execute(statement, values)


def begin(docs: Following, key: str) -> None:
    """As a worker of the engine does that is then killed."""
    execute(docs, "UPDATE procrastinate_jobs SET status = 'doing', worker_id = NULL WHERE queueing_lock = %s", key)


def test_with_a_data_folder_alone_there_is_no_board(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)
    following = Following(tmp_path)
    assert board_of(following.workspace.database) is None
    following.workspace.close()


def test_what_is_wanted_is_deferred_once(docs, board) -> None:
    key, watch = f"sync {docs.source.id}", f"watch {docs.source.id}"
    assert "plan" in board.standing()  # adding a source has woken somebody
    assert planned(docs, board) == 2 and planned(docs, board) == 0
    assert board.standing()[key].queue == NEW and board.standing()[watch].status == "todo"
    docs.sources.pause(docs.source.id, True)
    execute(docs, "DELETE FROM procrastinate_jobs")
    assert planned(docs, board) == 0
    docs.sources.mark_removing(docs.source.id)
    assert planned(docs, board) == 1 and f"remove {docs.source.id}" in board.standing()


def test_a_new_source_does_not_wait_behind_looks_at_those_that_were_read(docs, board) -> None:
    docs.sync()
    fresh = docs.sources.add("folder", "Fresh", {"path": str(docs.folder)})
    planned(docs, board)
    queues = {key: task.queue for key, task in board.standing().items()}
    assert queues[f"sync {docs.source.id}"] == LOOKS and queues[f"sync {fresh.id}"] == NEW


def test_a_source_of_which_nothing_can_be_asked_goes_before_those_that_were_read_in_part(docs, board) -> None:
    for number in range(100):
        docs.write(f"{number}.md", "Text.")
    assert not docs.sync(gives_way=lambda: True).is_whole
    fresh = docs.sources.add("folder", "Fresh", {"path": str(docs.folder)})
    planned(docs, board)
    assert board.waiting(NEW) == Waiting(unpublished=1, begun=1) and board.waiting(LOOKS) == Waiting(0, 0)
    docs.sources.ended(docs.source.id, "syncing")  # by a worker that was killed
    planned(docs, board)
    assert {docs.source.state, docs.sources.get(fresh.id).state} == {"waiting"}
    with held(docs.workspace.database.locks.lock(fresh.id)):
        docs.sources.started(fresh.id)
        planned(docs, board)
        assert docs.sources.get(fresh.id).state == "syncing"


def test_a_hint_and_a_request_bring_forward_what_waits_for_its_time(docs, board) -> None:
    docs.sync()
    key, later = f"sync {docs.source.id}", time.time() + 300
    board.defer("sync", key, LOOKS, at=later, source_id=docs.source.id, look_at=later, asked=None)
    planned(docs, board)
    assert board.standing()[key].due_at == pytest.approx(later, abs=2)
    docs.sources.hint(docs.source.id, ["a.md"])
    planned(docs, board)
    task = board.standing()[key]
    assert task.due_at is None and task.queue == CHANGES and task.arguments["look_at"] == later
    execute(
        docs, "UPDATE procrastinate_jobs SET attempts = 3, scheduled_at = now() + interval '60 s' WHERE queueing_lock = %s", key
    )
    assert planned(docs, board) == 0  # it has just failed: a hint changes nothing
    docs.sources.request_sync(docs.source.id)
    planned(docs, board)
    task = board.standing()[key]
    assert task.due_at is None and task.queue == LOOKS and task.tries == 0


def test_a_limited_source_is_left_alone_until_somebody_asks(docs, board) -> None:
    docs.sync()
    key, later = f"sync {docs.source.id}", time.time() + 300
    docs.sources.failed(docs.source.id, Limited("Wait.", until=later))
    board.defer("sync", key, LOOKS, at=later, source_id=docs.source.id)
    docs.sources.hint(docs.source.id, ["a.md"])
    planned(docs, board)
    assert board.standing()[key].due_at == pytest.approx(later, abs=2)


def test_what_is_deferred_on_a_machine_whose_clock_is_wrong_is_due_when_it_was_meant_to_be(docs) -> None:
    def clock() -> float:
        return time.time() + 3_600

    with closing(TaskBoard(docs.workspace.database.backend.server, clock)) as board:
        board.defer("sync", "sync s", LOOKS, at=clock() + 300, source_id="s")
        assert board.standing()["sync s"].due_at == pytest.approx(clock() + 300, abs=2)
        assert board.moment(clock()).timestamp() == pytest.approx(time.time(), abs=2)
    right = board_of(docs.workspace.database).standing()["sync s"]
    assert right.due_at == pytest.approx(time.time() + 300, abs=2)


def test_what_a_dead_worker_had_begun_waits_again(docs, board) -> None:
    planned(docs, board)
    key = f"sync {docs.source.id}"
    begin(docs, key)
    assert board.standing()[key].status == "doing"
    assert board.take_back() == 1
    task = board.standing()[key]
    assert task.status == "todo" and task.tries == 1
    begin(docs, key)
    board.defer("sync", key, LOOKS, source_id=docs.source.id)  # it had deferred what comes next already
    assert board.take_back() == 1 and board.standing()[key].tries == 0 and board.take_back() == 0


def test_a_cancelled_task_is_left_for_a_while_and_begun_anew_when_somebody_says_so(docs, board) -> None:
    planned(docs, board)
    key = f"sync {docs.source.id}"
    task = board.standing()[key]
    assert board.cancel(task.id) and key not in board.standing()
    planned(docs, board)
    put_off = board.standing()[key]
    assert put_off.due_at is not None and put_off.due_at > time.time() + 600
    assert board.begin_anew(put_off) and board.standing()[key].due_at is None


def test_why_a_task_failed_is_told_until_it_is_done(docs, board) -> None:
    planned(docs, board)
    task = board.standing()[f"sync {docs.source.id}"]
    board.note_failure(task.id, "The folder is not there.")
    assert board.task(task.id).reason == "The folder is not there."
    execute(docs, "DELETE FROM procrastinate_jobs WHERE id = %s", task.id)
    assert board.task(task.id) is None
    board.note_failure(task.id, "Too late.")


def test_the_tables_are_made_again_when_somebody_has_deleted_them(docs, board) -> None:
    planned(docs, board)
    execute(docs, f"DROP SCHEMA {SCHEMA} CASCADE")
    assert board.standing() == {} and planned(docs, board) == 2


def test_all_that_is_not_done_is_counted_and_what_failed_is_listed_first_however_much_came_later(docs, board) -> None:
    board.defer("sync", "sync 0", CHANGES, source_id="0")
    board.note_failure(board.standing()["sync 0"].id, "The folder is not there.")
    for number in range(1, 2 * SHOWN):
        board.defer("sync", f"sync {number}", CHANGES, source_id=str(number))
    assert board.counts() == {(CHANGES, "failed"): 1, (CHANGES, "waiting"): 2 * SHOWN - 1}
    failed, *waiting = board.shown()
    assert failed.reason and failed.state == "failed" and failed.key == "sync 0"
    assert len(waiting) == SHOWN and {task.state for task in waiting} == {"waiting"}
    begin(docs, "sync 7")
    board.cancel(board.standing()["sync 8"].id)
    assert [task.key for task in board.shown()[:3]] == ["sync 0", "sync 7", "sync 8"]
    assert board.counts()[CHANGES, "running"] == board.counts()[CHANGES, "cancelled"] == 1


def test_a_watch_that_no_worker_has_room_for_is_counted_after_a_minute(docs, board) -> None:
    planned(docs, board)
    assert board.count_unwatched() == 0
    execute(docs, "UPDATE procrastinate_events SET at = now() - interval '2 minutes'")
    assert board.count_unwatched() == 1
    begin(docs, f"watch {docs.source.id}")
    assert board.count_unwatched() == 0


def test_a_schema_of_somebody_else_is_left_alone(docs) -> None:
    execute(docs, f"DROP SCHEMA {SCHEMA} CASCADE")
    execute(docs, f"CREATE SCHEMA {SCHEMA}")
    with pytest.raises(StoreError, match="not of this app"):
        lay_out(docs.workspace.database.backend.server)


def test_tables_of_a_later_release_are_left_alone(docs) -> None:
    execute(docs, f"COMMENT ON SCHEMA {SCHEMA} IS 'tasks of Knowledge Tree 99.0.0.1'")
    with pytest.raises(StoreError, match="newer release"):
        lay_out(docs.workspace.database.backend.server)
