"""What failed is tried again, unless another of its key waits already: that one does the same."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from ingestion.tasks import worker as tasks_worker
from ingestion.tasks.board import PLAN, PLAN_QUEUE, TaskBoard
from ingestion.tasks.waking import board_of
from ingestion.tasks.worker import TaskWorker
from tests.databases import LEFT_OUT, SERVER
from tree.store.errors import Unreachable

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
SOON = 8  # seconds: what is left over is taken back after twice as long, which is what this is not about


def test_a_plan_that_failed_while_another_one_waits_is_over_and_leaves_no_error(docs, monkeypatch, caplog) -> None:
    board = board_of(docs.workspace.database)
    assert board is not None
    failed = threading.Event()

    def plan(*_: object) -> int:
        """Somebody wants a plan while this one fails."""
        board.defer(PLAN, PLAN, PLAN_QUEUE, at=time.time() + 3_600, alone=False)
        failed.set()
        raise Unreachable("The database cannot be reached.")

    monkeypatch.setattr(tasks_worker, "plan", plan)
    worker = TaskWorker(docs.workspace, docs.sources, board)
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        assert failed.wait(20)
        until = time.monotonic() + SOON
        while (left := _plan(board)).status == "doing" or left.tries:  # the clock begins one too, which fails as well
            assert time.monotonic() < until, f"the plan that failed stands as {left.status} after {left.tries} tries"
            time.sleep(0.1)
        assert left.status == "todo"
    finally:
        worker.stopping.set()
        thread.join()
    gc.collect()  # an error that nobody took is told then
    assert "UniqueViolation" not in caplog.text


def _plan(board: TaskBoard):
    return board.standing()[PLAN]
