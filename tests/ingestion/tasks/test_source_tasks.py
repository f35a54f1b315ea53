"""A sync as a task of the engine: what was asked for and came to no end is done when the task is tried again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors.base import AccessLost, Cancelled, Connector
from ingestion.connection import open_connector
from ingestion.tasks.connectors import OpenConnectors
from ingestion.tasks.guarded import Guard
from ingestion.tasks.plan import LOOKS, sync_key
from ingestion.tasks.source_tasks import SourceTasks
from ingestion.tasks.waking import board_of
from ingestion.tidying import remove
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tree.workspace import DATABASE_VARIABLE

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Following]:
    """A folder that was read, and of which a look at everything is due in a while."""
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        docs = Following(tmp_path)
        docs.write("a.md", "# A\n\nThe gate is green.\n")
        docs.sync()
        yield docs
        docs.workspace.close()


@pytest.fixture
def tasks(docs: Following) -> Iterator[SourceTasks]:
    board = board_of(docs.workspace.database)
    assert board is not None
    made = SourceTasks(docs.workspace, docs.sources, board, OpenConnectors(docs.sources, open_connector), Guard())
    yield made
    made.opened.close_idle(0)
    made.close()


def run(tasks: SourceTasks, docs: Following, is_told_to_stop: bool = False) -> None:
    """The task that waits for its time, as it is begun earlier, or once more."""
    tasks.sync(docs.source.id, LOOKS, lambda: is_told_to_stop, time.time() + 250)


def test_a_sync_that_was_asked_for_and_failed_looks_at_everything_when_it_is_tried_again(
    docs: Following, tasks: SourceTasks
) -> None:
    docs.sources.request_sync(docs.source.id)
    away = docs.folder.rename(docs.folder.with_name("away"))
    with pytest.raises(AccessLost):
        run(tasks, docs)
    with pytest.raises(AccessLost):
        run(tasks, docs)
    away.rename(docs.folder)
    docs.write("b.md", "# B\n\nThe crane is blue.\n")
    run(tasks, docs)
    assert docs.source.state == "ready" and docs.titles() == {"a.md", "b.md"}
    assert tasks.board.standing()[sync_key(docs.source.id)].queue == LOOKS


def test_a_sync_that_was_asked_for_and_ended_with_its_worker_is_done_by_the_next_one(docs: Following, tasks: SourceTasks) -> None:
    docs.write("b.md", "# B\n\nThe crane is blue.\n")
    docs.sources.request_sync(docs.source.id)
    with pytest.raises(Cancelled):
        run(tasks, docs, is_told_to_stop=True)
    run(tasks, docs)
    assert docs.source.state == "ready" and docs.titles() == {"a.md", "b.md"}


def test_so_is_one_whose_worker_was_killed(docs: Following, tasks: SourceTasks) -> None:
    docs.write("b.md", "# B\n\nThe crane is blue.\n")
    docs.sources.started(docs.source.id)
    run(tasks, docs)
    assert docs.source.state == "ready" and docs.titles() == {"a.md", "b.md"}


def test_a_source_that_is_removed_while_it_is_read_is_no_failure(docs: Following, tasks: SourceTasks) -> None:
    docs.write("b.md", "# B\n\nThe crane is blue.\n")
    source_id = docs.source.id
    docs.sources.request_sync(source_id)

    def connecting(*given: Any) -> Connector:
        """Another worker removes the source just before anything is read."""
        remove(docs.workspace, docs.sources, source_id)
        return open_connector(*given)

    tasks.opened.connecting = connecting
    tasks.sync(source_id, LOOKS, lambda: False, None)
    assert docs.sources.find(source_id) is None and sync_key(source_id) not in tasks.board.standing()


def test_what_is_read_and_not_due_is_left_alone(docs: Following, tasks: SourceTasks) -> None:
    docs.write("b.md", "# B\n\nThe crane is blue.\n")
    run(tasks, docs)
    assert docs.titles() == {"a.md"}
