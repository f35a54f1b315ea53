"""One event loop in the background for all that is asked of models in this process.

The clients of providers belong to the loop they were first used in: called from the threads of a page, each with a
loop of its own, they fail or deadlock. So every call of every thread goes to this one loop, and is cancelled there.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Coroutine, Iterator
from concurrent.futures import CancelledError
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from typing import Any, TypeVar

from prompts.errors import ModelCallCancelled
from prompts.stop import Stop

T = TypeVar("T")


class Loop:
    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="models", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], timeout: float | None = None, stop: Stop | None = None) -> T:
        """The result of a coroutine. Raises TimeoutError after `timeout` seconds, ModelCallCancelled when stopped."""
        self._check_thread()
        future = asyncio.run_coroutine_threadsafe(_within(work, timeout), self._loop)
        with (stop or Stop()).over(future):
            try:
                return future.result()
            except CancelledError:
                raise ModelCallCancelled from None
            finally:
                future.cancel()  # does nothing where it is done; after a Ctrl-C it ends the request

    def stream(self, source: AsyncGenerator[T, None], stop: Stop | None = None) -> Iterator[T]:
        """The pieces of an asynchronous generator as they come. Leaving the iterator cancels it."""
        self._check_thread()
        arrived: SimpleQueue[tuple[T] | None] = SimpleQueue()
        future = asyncio.run_coroutine_threadsafe(_pump(source, arrived), self._loop)
        with (stop or Stop()).over(future):
            try:
                while (piece := arrived.get()) is not None:
                    yield piece[0]
                future.result()
            except CancelledError:
                raise ModelCallCancelled from None
            finally:
                future.cancel()

    def _check_thread(self) -> None:
        if current_thread() is self._thread:
            raise RuntimeError("A model is asked from inside the loop that would have to answer; use another thread.")


class _OfThisProcess:
    """The loop is made when it is first needed, once however many threads ask at once."""

    def __init__(self) -> None:
        self.reset()
        os.register_at_fork(after_in_child=self.reset)  # threads do not survive a fork

    def reset(self) -> None:
        self._lock = Lock()
        self._loop: Loop | None = None

    def loop(self) -> Loop:
        with self._lock:
            if self._loop is None:
                self._loop = Loop()
            return self._loop


background = _OfThisProcess().loop


async def _within(work: Coroutine[Any, Any, T], timeout: float | None) -> T:
    async with asyncio.timeout(timeout):
        return await work


async def _pump(source: AsyncGenerator[T, None], arrived: SimpleQueue[tuple[T] | None]) -> None:
    try:
        async for piece in source:
            arrived.put((piece,))
    finally:
        arrived.put(None)
        await source.aclose()
