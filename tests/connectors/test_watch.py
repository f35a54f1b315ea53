"""The watcher, with real files and real threads; every wait is for a condition, with a deadline."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from connectors.watch import MOST_PENDING, Hints, Watch, _on_network

PATIENCE = 15.0  # for a busy machine; a test that works never waits that long


def hinted(watch: Watch, *wanted: str) -> set[str]:
    """Everything hinted at until all of `wanted` have been."""
    seen: set[str] = set()
    until = time.monotonic() + PATIENCE
    while not seen.issuperset(wanted):
        assert time.monotonic() < until, f"hinted at {seen}, not at {set(wanted) - seen}"
        if hints := watch.poll(0.2):
            seen |= hints.paths
    return seen


def wait_for(watch: Watch, condition: Callable[[Hints], bool]) -> Hints:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        hints = watch.poll(0.2)
        if hints and condition(hints):
            return hints
    raise AssertionError("what was waited for did not come")


@pytest.fixture(params=["events", "polling"])
def watch(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watch]:
    (tmp_path / "root").mkdir()
    polling = request.param == "polling"
    with Watch(tmp_path / "root", polling=polling, settle_seconds=0.2, poll_seconds=0.1) as watch:
        yield watch


@pytest.fixture
def root(watch: Watch) -> Path:
    return Path(watch.root)


def test_a_file_that_is_created_edited_and_deleted_is_hinted_at_each_time(watch: Watch, root: Path) -> None:
    (root / "a.txt").write_text("one")
    assert hinted(watch, "a.txt") == {"a.txt"}
    (root / "a.txt").write_text("one and two")
    assert hinted(watch, "a.txt") == {"a.txt"}
    (root / "a.txt").unlink()
    assert hinted(watch, "a.txt") == {"a.txt"}


def test_a_rename_hands_over_both_names_at_once(watch: Watch, root: Path) -> None:
    (root / "old.txt").write_text("x")
    hinted(watch, "old.txt")
    (root / "old.txt").rename(root / "new.txt")
    hints = wait_for(watch, lambda hints: bool(hints.paths))
    assert hints.paths == {"old.txt", "new.txt"}


def test_an_editor_that_writes_aside_and_replaces_is_seen(watch: Watch, root: Path) -> None:
    (root / "note.md").write_text("before")
    hinted(watch, "note.md")
    (root / ".note.md.swp").write_text("after!")
    os.replace(root / ".note.md.swp", root / "note.md")
    hinted(watch, "note.md")


def test_a_folder_moved_in_and_out_is_hinted_at(watch: Watch, root: Path, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    (aside / "deep").mkdir(parents=True)
    (aside / "deep" / "x.txt").write_text("x")
    aside.rename(root / "team")
    assert covered(watch, "team/deep/x.txt")
    (root / "team" / "deep" / "x.txt").write_text("more")  # what came in is watched as well
    assert covered(watch, "team/deep/x.txt")
    (root / "team").rename(root / "group")
    assert covered(watch, "team/deep/x.txt", "group/deep/x.txt")
    (root / "group").rename(aside)
    assert covered(watch, "group/deep/x.txt")


def covered(watch: Watch, *files: str) -> bool:
    """Waits until each file, or a folder that it lies in, has been hinted at."""
    seen: set[str] = set()
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if hints := watch.poll(0.2):
            seen |= hints.paths
        if all(any(file == hint or file.startswith(hint + "/") for hint in seen) for file in files):
            return True
    return False


def test_a_file_in_a_new_folder_in_a_new_folder_is_seen(watch: Watch, root: Path) -> None:
    (root / "a" / "b" / "c").mkdir(parents=True)
    (root / "a" / "b" / "c" / "x.txt").write_text("x")
    assert covered(watch, "a/b/c/x.txt")


def test_many_changes_of_one_file_are_one_hint(watch: Watch, root: Path) -> None:
    for number in range(20):
        (root / "a.txt").write_text("x" * number)
    assert wait_for(watch, lambda hints: bool(hints.paths)).paths == {"a.txt"}
    assert watch.poll(0.5) is None


def test_nothing_happens_when_files_are_only_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with Watch(tmp_path, polling=False, settle_seconds=0.1) as watch:
        (tmp_path / "a.txt").read_text()
        assert watch.poll(0.4) is None


def test_a_file_is_handed_over_only_after_it_has_stopped_changing(tmp_path: Path) -> None:
    with Watch(tmp_path, polling=False, settle_seconds=0.6) as watch, Writer(tmp_path / "slow.txt") as writer:
        assert watch.poll(1.5) is None
        writer.stop()
        assert hinted(watch, "slow.txt") == {"slow.txt"}
        assert time.monotonic() - writer.stopped_at > 0.4


def test_a_file_that_never_stops_changing_is_handed_over_now_and_then(tmp_path: Path) -> None:
    with Watch(tmp_path, polling=False, settle_seconds=0.6, cap_seconds=1.0) as watch, Writer(tmp_path / "log.txt"):
        assert hinted(watch, "log.txt") == {"log.txt"}
        assert hinted(watch, "log.txt") == {"log.txt"}


class Writer:
    """Appends to a file all the time, in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ended = threading.Event()
        self.stopped_at = 0.0
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        with self.path.open("a") as file:
            while not self.ended.wait(0.02):
                file.write("line\n")
                file.flush()

    def stop(self) -> None:
        self.ended.set()
        self.thread.join()
        self.stopped_at = time.monotonic()

    def __enter__(self) -> Writer:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()


def test_a_saved_file_is_handed_over_in_little_more_than_a_second(tmp_path: Path) -> None:
    with Watch(tmp_path) as watch:
        best = 99.0
        for number in range(3):  # the best of three: a busy machine says nothing about the watcher
            began = time.monotonic()
            (tmp_path / f"{number}.txt").write_text("x")
            hinted(watch, f"{number}.txt")
            best = min(best, time.monotonic() - began)
    assert best < 1.2


def test_a_rescan_is_due_every_so_often(tmp_path: Path) -> None:
    with Watch(tmp_path, rescan_seconds=0.3) as watch:
        assert watch.poll(PATIENCE) == Hints(rescan=True)
        assert watch.poll(PATIENCE) == Hints(rescan=True)


def test_a_flood_of_changes_becomes_a_rescan(tmp_path: Path) -> None:
    with Watch(tmp_path, settle_seconds=60) as watch:
        for number in range(MOST_PENDING + 50):
            (tmp_path / f"{number}.txt").touch()
        assert wait_for(watch, lambda hints: hints.rescan).paths == frozenset()


def test_a_folder_that_disappears_is_lost_and_watched_again_when_it_is_back(watch: Watch, root: Path, tmp_path: Path) -> None:
    (root / "a.txt").write_text("x")
    hinted(watch, "a.txt")
    root.rename(tmp_path / "elsewhere")
    assert wait_for(watch, lambda hints: True) == Hints(lost=True)  # and no hint that everything in it is gone
    assert "not there" in watch.note
    (tmp_path / "elsewhere").rename(root)
    wait_for(watch, lambda hints: hints.rescan)
    assert not watch.note
    (root / "b.txt").write_text("x")
    hinted(watch, "b.txt")


def test_a_folder_that_is_not_there_at_first_is_watched_once_it_is(tmp_path: Path) -> None:
    with Watch(tmp_path / "later", settle_seconds=0.1) as watch:
        assert watch.poll(PATIENCE) == Hints(lost=True)
        (tmp_path / "later").mkdir()
        wait_for(watch, lambda hints: hints.rescan)
        (tmp_path / "later" / "a.txt").write_text("x")
        hinted(watch, "a.txt")


def test_another_folder_in_its_place_is_looked_through(watch: Watch, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.txt").write_text("x")
    root.rename(tmp_path / "away")
    other.rename(root)
    wait_for(watch, lambda hints: hints.rescan)
    (root / "b.txt").write_text("more")
    hinted(watch, "b.txt")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
def test_a_system_limit_makes_it_look_through_the_folder_and_says_so(tmp_path: Path, number: int) -> None:
    def full() -> object:
        raise OSError(number, os.strerror(number))

    with Watch(tmp_path, settle_seconds=0.1, poll_seconds=0.1, observer=full) as watch:
        assert "inotify limit" in watch.note and "0.1 seconds" in watch.note
        (tmp_path / "a.txt").write_text("x")
        hinted(watch, "a.txt")


class FullAfter:
    """Stands for watchdog's observer where the system allows so many more watched folders."""

    def __init__(self, allowed: int) -> None:
        self.allowed = allowed
        self.scheduled = 0

    def schedule(self, *_: object, **__: object) -> int:
        self.scheduled += 1
        if self.scheduled > self.allowed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.scheduled

    def unschedule(self, watch: int) -> None: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def is_alive(self) -> bool:
        return False


@pytest.mark.parametrize("allowed", [1, 2])  # too few for the subfolders at once, or only later
def test_a_limit_that_subfolders_reach_is_noticed(tmp_path: Path, allowed: int) -> None:
    with Watch(
        tmp_path, polling=False, settle_seconds=0.1, poll_seconds=0.1, rescan_seconds=0.5, observer=lambda: FullAfter(allowed)
    ) as watch:
        wait_for(watch, lambda hints: hints.rescan)
        assert "inotify limit" in watch.note
        (tmp_path / "a.txt").write_text("x")
        hinted(watch, "a.txt")


def test_closing_wakes_whoever_waits(tmp_path: Path) -> None:
    watch = Watch(tmp_path).start()
    waiting = threading.Thread(target=watch.poll)
    waiting.start()
    watch.close()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()


def test_a_local_folder_is_not_taken_for_a_network_drive(tmp_path: Path) -> None:
    assert not _on_network("/proc")


def test_a_name_that_is_not_unicode_is_hinted_at_by_a_valid_one(tmp_path: Path) -> None:
    with Watch(tmp_path, settle_seconds=0.1) as watch:
        name = os.fsdecode(b"caf\xe9.txt")
        try:
            (tmp_path / name).write_text("x")
        except OSError:
            pytest.skip("this file system takes Unicode names only")
        [hint] = wait_for(watch, lambda hints: bool(hints.paths)).paths
        assert hint.encode("utf-8")
