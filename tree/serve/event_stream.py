"""The events of an answer, on their way from the thread that answers to the coroutine that passes them on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.ask.ask import Event

Begin = Callable[[], Iterator[Event]]
Answering = Callable[[Principal, Begin, Stop], AsyncGenerator[Event]]  # has a question of somebody answered in a thread


@dataclass(frozen=True, slots=True)
class _End:
    error: Exception | None


class EventStream:
    """Made by the coroutine that listens. Whoever listens no more stops the answering; whoever listens slowly keeps it not waiting."""

    def __init__(self, begin: Begin, stop: Stop) -> None:
        self.stop = stop
        self._begin = begin
        self._loop = asyncio.get_running_loop()
        self._told: asyncio.Queue[Event | _End] = asyncio.Queue()

    def work(self) -> None:
        """In a thread: answers, and tells of each event and of the end."""
        error: Exception | None = None
        try:
            for event in () if self.stop.is_set else self._begin():
                if self.stop.is_set:
                    break
                self._tell(event)
        except Exception as raised:  # noqa: BLE001  (whatever it is, it is raised again where somebody listens)
            error = raised
        self.end(error)

    def end(self, error: Exception | None = None) -> None:
        """From any thread: nothing more comes."""
        self._tell(_End(error))

    async def told(self) -> AsyncGenerator[Event]:
        """Raises what the answering raised."""
        try:
            while not isinstance(event := await self._told.get(), _End):
                yield event
            if event.error is not None:
                raise event.error
        finally:
            self.stop.set()

    def _tell(self, event: Event | _End) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self._told.put_nowait, event)


async def answer_in_thread(_principal: Principal, begin: Begin, stop: Stop) -> AsyncGenerator[Event]:
    """Each question in a thread of its own, at once."""
    stream = EventStream(begin, stop)
    threading.Thread(target=stream.work, name="ask", daemon=True).start()
    async for event in stream.told():
        yield event
