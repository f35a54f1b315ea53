"""Questions of programs being answered: a few at a time, of each person's programs fewer, so that nobody's keep those of others waiting."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing

from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.ask.ask import AskError, Event
from tree.serve.event_stream import Begin, EventStream
from ui.server.answer_queue import AnswerQueue, AnswerState

AT_ONCE = 4  # questions of programs answered at the same time; those of people have threads of their own
OF_ONE = 2  # of them of one person's programs: the next ones wait for these, and keep nobody else waiting
MOST_OF_ONE = 20  # of one person's programs that are not answered yet
STOPPED = "The app was stopped while this was being answered. Ask again."


class _Run(EventStream):
    """One of them, with what the queue looks at."""

    def __init__(self, asker: str, begin: Begin, stop: Stop) -> None:
        super().__init__(begin, stop)
        self.asker = asker
        self.state: AnswerState = "waiting"


class ProgramAnswers:
    """Safe to use from many threads. A place is free again when the thread that answers has ended, not when its listener has left."""

    def __init__(self) -> None:
        self._queue: AnswerQueue[_Run] = AnswerQueue(self._answer, AT_ONCE, OF_ONE)
        self._lock = threading.Lock()
        self._runs: set[_Run] = set()  # that have not ended
        self._is_closed = False

    def count(self, person_id: str) -> int:
        """How many of this person's programs' questions are not answered yet."""
        with self._lock:
            return sum(run.asker == person_id for run in self._runs)

    async def answer(self, principal: Principal, begin: Begin, stop: Stop) -> AsyncGenerator[Event]:
        """What `begin` yields, called when it is this person's turn. Whoever listens no more sets `stop`, and waits for no turn any
        more. Raises what `begin` raises, and AskError where the app ends."""
        run = _Run(principal.person_id, begin, stop)
        with self._lock:
            if self._is_closed:
                raise AskError(STOPPED)
            if sum(one.asker == run.asker for one in self._runs) >= MOST_OF_ONE:
                raise AskError(f"Too many questions: {MOST_OF_ONE} of yours are not answered yet. Wait for some of them.")
            self._runs.add(run)
        self._queue.add(run)
        try:
            async with aclosing(run.told()) as told:
                async for event in told:
                    yield event
        finally:
            if self._queue.withdraw(run):
                self._forget(run)

    def close(self) -> None:
        """Stops what is being answered; waits for nothing."""
        self._queue.close()
        with self._lock:
            left, self._runs, self._is_closed = self._runs, set(), True
        for run in left:
            run.stop.set()
            run.end(AskError(STOPPED))

    def _answer(self, run: _Run) -> None:
        try:
            run.work()
        finally:
            self._forget(run)

    def _forget(self, run: _Run) -> None:
        with self._lock:
            self._runs.discard(run)
