"""Several workers on one PostgreSQL share the sources; what one leaves undone, or the engine forgets, another does."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from ingestion.sync import verify
from ingestion.tasks.layout import SCHEMA
from ingestion.tasks.waking import board_of
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tree.workspace import DATABASE_VARIABLE

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)

ROOT = Path(__file__).parents[3]
PATIENCE = 60  # seconds: within a minute without help


class Team:
    """Six folders, each a source, and workers on data folders of their own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.first = Following(root, folder="docs0")
        self.workspace, self.sources = self.first.workspace, self.first.sources
        self.folders = {self.first.source.id: self.first.folder}
        for number in range(1, 6):
            folder = root / f"docs{number}"
            folder.mkdir()
            self.folders[self.sources.add("folder", f"Docs{number}", {"path": str(folder)}).id] = folder
        for folder in self.folders.values():
            self.write(folder, "a.md", "The first text.")
        self.workers: list[subprocess.Popen[bytes]] = []

    def write(self, folder: Path, name: str, text: str) -> None:
        (folder / name).write_text(f"# {name}\n\n{text}\n", encoding="utf-8")

    def start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "ingestion.worker", "--home", str(self.root / f"worker{len(self.workers)}")]
        log = (self.root / f"worker{len(self.workers)}.log").open("wb")
        self.workers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, cwd=ROOT))
        return self.workers[-1]

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"waited {PATIENCE} s in vain until {what}"
            time.sleep(0.1)

    def all_have(self, name: str) -> bool:
        return all(name in self.workspace.store.documents.ids(id_) for id_ in self.folders)

    def begun(self) -> set[str]:
        return {task.key for task in board_of(self.workspace.database).standing().values() if task.status == "doing"}

    def execute(self, statement: str) -> list[tuple]:
        with self.workspace.database.backend.server.connect(psycopg.Connection) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    with new_database() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATABASE_VARIABLE, url)
        team = Team(tmp_path_factory.mktemp("team"))
        try:
            yield team
        finally:
            for process in team.workers:
                process.kill()
                process.wait()
            team.workspace.close()


def test_two_workers_share_six_sources(team: Team) -> None:
    for folder in team.folders.values():
        for number in range(60):
            team.write(folder, f"{number}.md", f"The pump {number} of {folder.name}. " * 80)
    team.start()
    team.start()
    seen: set[tuple[str, int]] = set()
    workers = f"SELECT queueing_lock, worker_id FROM {SCHEMA}.procrastinate_jobs WHERE status = 'doing' AND task_name = 'sync'"

    def all_read() -> bool:
        seen.update(team.execute(workers))
        return team.all_have("59.md") and all(source.state == "ready" for source in team.sources.all())

    team.until(all_read, "everything was read")
    assert len({worker for _, worker in seen}) >= 2, "one worker has read everything"
    assert all(verify(team.workspace, source).is_equal for source in team.sources.all())


def test_a_hundred_hints_of_one_source_make_few_runs(team: Team) -> None:
    first = next(iter(team.folders))
    team.until(lambda: f"sync {first}" not in team.begun(), "it was read")
    [[before]] = team.execute(f"SELECT last_value FROM {SCHEMA}.procrastinate_jobs_id_seq")
    syncs = f"SELECT id FROM {SCHEMA}.procrastinate_jobs WHERE id > {before} AND queueing_lock = 'sync {first}'"
    seen: set[tuple] = set()
    for number in range(100):
        team.sources.hint(first, [f"{number % 60}.md"])
        seen.update(team.execute(syncs))

    def all_done() -> bool:
        seen.update(team.execute(syncs))
        return not team.sources.hints(first)

    team.until(all_done, "all hints were followed")
    assert 0 < len(seen) < 40


def test_a_worker_killed_in_a_sync_leaves_nothing_undone(team: Team) -> None:
    for folder in team.folders.values():
        for number in range(100, 160):
            team.write(folder, f"{number}.md", f"The crane {number} of {folder.name}. " * 80)
    victim = team.workers[0]
    for source_id in team.folders:
        team.sources.request_sync(source_id)
    team.until(lambda: any(source.state == "syncing" for source in team.sources.all()), "a sync began")
    victim.kill()
    victim.wait()
    team.until(lambda: team.all_have("159.md"), "the other worker has read everything")
    for folder in team.folders.values():
        team.write(folder, "later.md", "Written after the death of a worker.")
    team.until(lambda: team.all_have("later.md"), "every folder is watched again")
    assert all(verify(team.workspace, source).is_equal for source in team.sources.all())


def test_without_the_rows_of_the_engine_everything_is_done_all_the_same(team: Team) -> None:
    team.execute(f"DROP SCHEMA {SCHEMA} CASCADE")
    for folder in team.folders.values():
        team.write(folder, "lost.md", "Written while the engine knew of nothing.")
    team.until(lambda: team.all_have("lost.md"), "everything was read")
    assert team.workers[-1].poll() is None


def test_a_worker_that_is_told_to_end_hands_its_tasks_on(team: Team) -> None:
    team.until(lambda: any(key.startswith("watch") for key in team.begun()), "the folders are watched")
    leaving = team.workers[-1]
    assert leaving.stdin is not None
    leaving.stdin.close()
    assert leaving.wait(PATIENCE) == 0
    standing = board_of(team.workspace.database).standing()
    assert {f"watch {id_}" for id_ in team.folders} <= standing.keys() and not team.begun()
