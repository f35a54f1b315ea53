"""The worker process: files change, and the tree follows by itself, whatever happens to the process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following

ROOT = Path(__file__).parents[2]
PATIENCE = 40  # seconds; a busy machine starts a process slowly


class Running(Following):
    """A folder followed by a real worker process."""

    def start(self) -> None:
        command = [sys.executable, "-m", "ingestion.worker", "--home", str(self.workspace.home)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"waited {PATIENCE} s in vain until {what}"
            time.sleep(0.05)

    def until_titles(self, *titles: str) -> None:
        self.until(lambda: self.titles() == set(titles), f"the tree held {titles}")


@pytest.fixture
def docs(tmp_path):
    running = Running(tmp_path)
    running.write("a.md", "# A\n\nThe first text.\n")
    running.start()
    running.until_titles("a.md")
    yield running
    running.process.kill()
    running.process.wait()
    running.workspace.close()


def test_what_happens_to_files_happens_to_the_tree(docs) -> None:
    docs.write("a.md", "# A\n\nThe zebra text.\n")
    docs.until(lambda: "zebra" in docs.everything_live(), "the edit arrived")
    docs.folder.joinpath("a.md").rename(docs.folder / "b.md")
    docs.until_titles("b.md")
    docs.write("x/c.md", "# C\n\nIn a folder.\n")
    docs.until_titles("b.md", "x/c.md")
    docs.folder.joinpath("x").rename(docs.folder / "y")
    docs.until_titles("b.md", "y/c.md")
    shutil.rmtree(docs.folder / "y")
    docs.until_titles("b.md")
    replacement = docs.folder.parent / "written-beside.md"
    replacement.write_text("# B\n\nSaved by an editor that replaces the giraffe file.\n", encoding="utf-8")
    os.replace(replacement, docs.folder / "b.md")
    docs.until(lambda: "giraffe" in docs.everything_live(), "the replaced file arrived")
    docs.until(docs.holds, "the tree is the one its documents make")


def test_a_folder_that_goes_away_is_lost_and_comes_back(docs) -> None:
    docs.folder.rename(docs.folder.parent / "away")
    docs.until(lambda: docs.source.state == "lost", "the source was lost")
    assert docs.titles() == {"a.md"} and docs.source.message
    docs.folder.parent.joinpath("away").rename(docs.folder)
    docs.until(lambda: docs.source.state == "ready", "the source was back")
    assert docs.titles() == {"a.md"}


def test_a_killed_worker_leaves_a_whole_tree_and_the_next_one_goes_on(docs) -> None:
    for round_ in range(3):
        for number in range(40):
            docs.write(f"{round_}/{number}.md", f"# Note {number}\n\nRound {round_}.\n")
        time.sleep(0.9)  # somewhere in the middle of the sync
        docs.kill()
        assert docs.holds()
        docs.start()
    docs.until(lambda: len(docs.titles()) == 121, "everything was read")
    docs.until(docs.holds, "the tree is whole")


def test_a_paused_source_waits_and_a_removed_one_leaves_nothing(docs) -> None:
    docs.sources.pause(docs.source.id, True)
    time.sleep(0.6)
    docs.write("b.md", "# B\n\nWritten while paused.\n")
    time.sleep(1.5)
    assert docs.titles() == {"a.md"}
    docs.sources.pause(docs.source.id, False)
    docs.until_titles("a.md", "b.md")
    source_id = docs.source.id
    docs.sources.mark_removing(source_id)
    docs.until(lambda: not docs.sources.removing(), "the source was removed")
    with docs.workspace.database.read() as connection:
        for table in ("node", "document", "leaf", "record", "reading", "checkpoint"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0, table
    assert "first text" not in docs.indexed()


def test_a_worker_ends_with_whoever_started_it(docs) -> None:
    docs.process.stdin.close()
    assert docs.process.wait(PATIENCE) == 0


def test_a_second_worker_waits_for_the_first(docs) -> None:
    first = docs.process
    docs.start()
    time.sleep(1)
    docs.write("b.md", "# B\n\nText.\n")
    docs.until_titles("a.md", "b.md")
    first.kill()
    first.wait()
    docs.write("c.md", "# C\n\nText.\n")
    docs.until_titles("a.md", "b.md", "c.md")


def test_what_the_app_writes_itself_wakes_nobody(tmp_path) -> None:
    running = Running(tmp_path)
    running.write("a.md", "# A\n\nText.\n")
    outer = running.sources.add("folder", "Outer", {"path": str(tmp_path)})
    running.start()
    try:
        running.until(lambda: running.workspace.store.documents.ids(outer.id) == {"docs/a.md"}, "the folder around was read")
        running.until(lambda: running.sources.get(outer.id).state == "ready", "it was in step")
        time.sleep(2.5)  # what the first reading wrote has been reported by now
        synced = running.sources.get(outer.id).synced_at
        running.sources.progressed(outer.id, 1, 1)
        time.sleep(2.5)
        assert running.sources.get(outer.id).synced_at == synced
    finally:
        running.kill()
        running.workspace.close()
