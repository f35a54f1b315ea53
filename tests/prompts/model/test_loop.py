"""One loop for all threads: results, errors and pieces come back, and what is left is cancelled there."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import AsyncGenerator

import pytest

from prompts.errors import ModelCallCancelled
from prompts.model.loop import background
from prompts.stop import Stop


async def where() -> int:
    return threading.get_ident()


async def forever(ended: threading.Event, begun: threading.Event | None = None) -> None:
    try:
        if begun is not None:
            begun.set()
        await asyncio.Event().wait()
    finally:
        ended.set()


async def count(ended: threading.Event, begun: threading.Event | None = None, fails: bool = False) -> AsyncGenerator[int, None]:
    try:
        for number in range(3):
            yield number
        if begun is not None:
            begun.set()
        if fails:
            raise ValueError("broken")
        await asyncio.Event().wait()
    finally:
        ended.set()


def test_all_threads_share_one_loop() -> None:
    found: set[int] = set()
    start = threading.Barrier(5)
    threads = [threading.Thread(target=lambda: (start.wait(5), found.add(background().run(where())))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(found) == 1 and threading.get_ident() not in found


def test_work_ends_in_time_and_is_cancelled() -> None:
    ended = threading.Event()
    with pytest.raises(TimeoutError):
        background().run(forever(ended), timeout=0.05)
    assert ended.wait(5)


def test_stop_cancels_work_and_streams() -> None:
    def work(stop: Stop, ended: threading.Event, begun: threading.Event) -> None:
        background().run(forever(ended, begun), stop=stop)

    def pieces(stop: Stop, ended: threading.Event, begun: threading.Event) -> None:
        list(background().stream(count(ended, begun), stop))

    for start in (work, pieces):
        ended, begun, stop = threading.Event(), threading.Event(), Stop()
        presser = threading.Thread(target=lambda begun=begun, stop=stop: (begun.wait(10), stop.set()))
        presser.start()
        with pytest.raises(ModelCallCancelled):
            start(stop, ended, begun)
        presser.join(10)
        assert ended.wait(5)


def test_a_stop_that_was_pressed_before_lets_nothing_begin() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(ModelCallCancelled):
        background().run(forever(threading.Event()), stop=stop)


def test_pieces_come_one_by_one_and_leaving_cancels_the_rest() -> None:
    ended = threading.Event()
    pieces = background().stream(count(ended))
    assert [next(pieces), next(pieces)] == [0, 1]
    pieces.close()
    assert ended.wait(5)


def test_an_error_of_a_stream_rises_after_its_pieces() -> None:
    pieces = background().stream(count(threading.Event(), fails=True))
    found = []
    with pytest.raises(ValueError, match="broken"):
        for piece in pieces:
            found.append(piece)
    assert found == [0, 1, 2]


def test_asking_from_inside_the_loop_is_refused_and_not_a_deadlock() -> None:
    async def inside() -> None:
        work = where()
        try:
            background().run(work)
        finally:
            work.close()

    with pytest.raises(RuntimeError, match="another thread"):
        background().run(inside(), timeout=5)


def _in_a_child(answer: multiprocessing.queues.Queue) -> None:
    answer.put(background().run(where(), timeout=10) > 0)


def test_a_forked_process_gets_a_loop_of_its_own() -> None:
    background().run(where())
    context = multiprocessing.get_context("fork")
    answer = context.Queue()
    child = context.Process(target=_in_a_child, args=(answer,))
    child.start()
    assert answer.get(timeout=15) is True
    child.join(5)
