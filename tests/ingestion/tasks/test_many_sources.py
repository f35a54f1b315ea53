"""One worker and more sources than it watches, or very many: all are read, and none keeps another from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from connectors.folder import FolderConnector
from ingestion.tasks.board import TaskBoard
from ingestion.tasks.waking import board_of
from ingestion.tasks.worker import TaskWorker
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tree.workspace import DATABASE_VARIABLE

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
PATIENCE = 60  # seconds
FOLDERS, WATCHED = 40, 10
READS = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"


class Many:
    """Folders of one file each."""

    def __init__(self, root: Path) -> None:
        self.first = Following(root, folder="docs0")
        self.workspace, self.sources = self.first.workspace, self.first.sources
        self.folders = {self.first.source.id: self.first.folder}
        for number in range(1, FOLDERS):
            folder = root / f"docs{number}"
            folder.mkdir()
            self.folders[self.sources.add("folder", f"Docs{number}", {"path": str(folder)}).id] = folder
        for id_ in self.folders:
            self.write(id_, "The first text.")

    @property
    def board(self) -> TaskBoard:
        found = board_of(self.workspace.database)
        assert found is not None
        return found

    def write(self, source_id: str, text: str) -> None:
        (self.folders[source_id] / "a.md").write_text(f"# A\n\n{text}\n", encoding="utf-8")

    def until_all_say(self, ids: Collection[str], text: str) -> None:
        """One after the other: to ask after all of them each time would take more of the processor than reading them does."""
        for id_ in ids:
            until(lambda id_=id_: self.says(id_, text))
        assert all(self.says(id_, text) for id_ in ids)

    def says(self, source_id: str, text: str) -> bool:
        leaves = {node.leaf for node in self.workspace.store.nodes.of_source(source_id) if node.leaf}
        return any(text in leaf.text for leaf in self.workspace.store.leaves.by_key(leaves).values())

    def watched(self) -> set[str]:
        tasks = self.board.standing().items()
        return {key.partition(" ")[2] for key, task in tasks if key.startswith("watch") and task.status == "doing"}

    def is_idle(self) -> bool:
        syncs = [task for key, task in self.board.standing().items() if key.startswith("sync")]
        has_read = all(source.synced_at is not None and source.requested_at is None for source in self.sources.all())
        return has_read and all(task.status == "todo" and task.due_at is not None for task in syncs)

    @contextmanager
    def worker(self, watched_at_once: int) -> Iterator[None]:
        worker = TaskWorker(self.workspace, self.sources, self.board, _connecting, watched_at_once=watched_at_once)
        thread = threading.Thread(target=worker.run)
        thread.start()
        try:
            yield
        finally:
            worker.stopping.set()
            thread.join()


def _connecting(home: Path, kind: str, config: Mapping[str, Any], secrets: Mapping[str, Any]) -> FolderConnector:
    """With one child process for all folders, rather than one for each."""
    return open_folder(**config)


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Many]:
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        made = Many(tmp_path)
        yield made
        made.workspace.close()


def until(condition: Callable[[], bool]) -> None:
    late = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < late
        time.sleep(0.1)


def asked_in_a_second(connection: psycopg.Connection, window: float = 10.0) -> float:
    """Transactions of this database in a second, over a `window` of seconds."""
    [before] = connection.execute(READS).fetchone() or (0,)
    time.sleep(window)
    [after] = connection.execute(READS).fetchone() or (0,)
    return float(after - before) / window


def test_more_sources_than_a_worker_watches_are_all_read_and_no_watch_keeps_a_sync_from_its_thread(many: Many) -> None:
    with many.worker(WATCHED):
        many.until_all_say(many.folders, "first")
        until(lambda: len(many.watched()) == WATCHED)
        for id_ in (watched := many.watched()):
            many.write(id_, "The second text.")
        many.until_all_say(watched, "second")
        [other, *_] = many.folders.keys() - many.watched()
        many.write(other, "The second text.")
        many.sources.request_sync(other)
        until(lambda: many.says(other, "second"))
        assert many.board.count_workers() == 1 and len(many.watched()) == WATCHED


def test_an_idle_worker_asks_the_database_as_often_for_many_sources_as_for_few(many: Many) -> None:
    with many.worker(FOLDERS):
        until(lambda: len(many.watched()) == FOLDERS and many.is_idle())
        time.sleep(3)
        until(many.is_idle)
        with many.workspace.database.backend.server.connect(psycopg.Connection) as connection:
            connection.autocommit = True
            # what is left of the start on a busy machine is over at some time; a watch that asks every second asks always
            until(lambda: asked_in_a_second(connection) < FOLDERS)
