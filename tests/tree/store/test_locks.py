"""The locks of one machine: whoever only looks takes nothing from anybody."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tree.store.locks import FileLocks, Taken, held

ROOT = Path(__file__).parents[3]


@pytest.fixture
def locks(tmp_path: Path) -> FileLocks:
    return FileLocks(tmp_path / "locks")


@contextmanager
def people_who_look(locks: FileLocks, count: int) -> Iterator[list[bool]]:
    """So many threads that look all the while; gives what they saw."""
    is_over, seen = threading.Event(), list[bool]()

    def look() -> None:
        while not is_over.is_set():
            seen.append(locks.is_taken("worker"))

    threads = [threading.Thread(target=look) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def test_a_lock_is_had_at_once_though_others_look_at_it(locks: FileLocks) -> None:
    with held(locks.lock("worker")):
        pass
    with people_who_look(locks, 1):
        for _ in range(500):
            with held(locks.lock("worker")):
                pass


def test_those_who_look_do_not_take_each_other_for_its_owner(locks: FileLocks) -> None:
    with held(locks.lock("worker")):
        assert locks.is_taken("worker")
    with people_who_look(locks, 3) as seen:
        while len(seen) < 2_000:
            assert not locks.is_taken("worker")
    assert not any(seen)


def test_a_lock_that_is_held_is_refused_though_others_look_at_it(locks: FileLocks) -> None:
    with held(locks.lock("worker")), people_who_look(locks, 2):
        for _ in range(50):
            with pytest.raises(Taken):
                locks.lock("worker").acquire()


def test_a_lock_of_a_process_that_was_killed_is_free(locks: FileLocks) -> None:
    script = (
        "import sys; from pathlib import Path; from tree.store.locks import FileLocks\n"
        "lock = FileLocks(Path(sys.argv[1])).lock('worker'); lock.acquire(); print('held', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(locks.folder)], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        assert locks.is_taken("worker")
        other.kill()
    assert not locks.is_taken("worker")
    with held(locks.lock("worker")):
        pass


def test_a_lock_that_was_forgotten_or_never_made_is_free(locks: FileLocks) -> None:
    assert not locks.is_taken("worker")
    with held(locks.lock("worker")):
        pass
    locks.forget("worker")
    assert not locks.is_taken("worker")
    assert locks.names() == []


def test_a_lock_that_is_held_is_not_forgotten(locks: FileLocks) -> None:
    with held(locks.lock("worker")):
        locks.forget("worker")
        assert locks.names() == ["worker"] and locks.is_taken("worker")
        with pytest.raises(Taken):
            locks.lock("worker").acquire()


def test_a_lock_that_is_forgotten_all_the_while_has_one_owner_at_a_time(locks: FileLocks) -> None:
    owners, seen, is_over = 0, list[int](), threading.Event()

    def forget() -> None:
        while not is_over.is_set():
            locks.forget("worker")

    def own() -> None:
        nonlocal owners
        for _ in range(100):
            with held(locks.lock("worker"), patience=30):
                owners += 1
                time.sleep(0.001)
                seen.append(owners)
                owners -= 1

    forgetting, own_it = threading.Thread(target=forget), [threading.Thread(target=own) for _ in range(3)]
    for thread in (forgetting, *own_it):
        thread.start()
    for thread in own_it:
        thread.join()
    is_over.set()
    forgetting.join()
    assert seen == [1] * 300
