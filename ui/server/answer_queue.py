"""Which question is answered next: a few of each person at a time, so that nobody's keep those of others waiting.

A question that waits for something else, as for files that the worker reads, takes no thread meanwhile.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Literal, Protocol, TypeVar

from tree.store.models import TurnState

LOOK_SECONDS = 0.1  # between two looks whether what is waited for is there

log = logging.getLogger("knowledge-tree")


AnswerState = Literal["waiting", "reading"] | TurnState  # reading: the files of its chat are being read


class Waiting(Protocol):
    @property
    def asker(self) -> str: ...

    state: AnswerState


Run = TypeVar("Run", bound=Waiting)


class AnswerQueue(Generic[Run]):
    """Has each run answered in a thread, `at_once` of all and `of_one` of each person. Safe to use from many threads."""

    def __init__(self, answer: Callable[[Run], None], at_once: int, of_one: int) -> None:
        self._answer = answer
        self._at_once = at_once
        self._of_one = of_one
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="ask")
        self._lock = threading.Lock()
        self._next: list[Run] = []  # whose turn comes when one has ended
        self._parked: list[tuple[Run, Callable[[], bool]]] = []
        self._begun: Counter[str] = Counter()  # by person
        self._looking = False
        self._closing = False

    def add(self, run: Run) -> None:
        with self._lock:
            self._next.append(run)
            self._begin_some()

    def park(self, run: Run, until: Callable[[], bool]) -> None:
        """Called while the run is answered, whose thread then ends: it is answered anew once `until` holds, or fails."""
        with self._lock:
            self._parked.append((run, until))
            if not self._looking:
                self._looking = True
                threading.Thread(target=self._keep_looking, name="parked-questions", daemon=True).start()

    def withdraw(self, run: Run) -> bool:
        """Takes one out again; False where it is being answered."""
        with self._lock:
            count = len(self._next) + len(self._parked)
            self._next = [one for one in self._next if one is not run]
            self._parked = [one for one in self._parked if one[0] is not run]
            return len(self._next) + len(self._parked) < count

    def close(self) -> None:
        """Begins nothing more; waits for nothing."""
        with self._lock:
            self._closing = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin_some(self) -> None:
        for run in list(self._next):
            is_free = self._begun.total() < self._at_once and self._begun[run.asker] < self._of_one
            if is_free and not self._closing:
                self._next.remove(run)
                self._begun[run.asker] += 1
                self._pool.submit(self._work, run)

    def _work(self, run: Run) -> None:
        try:
            self._answer(run)
        finally:
            with self._lock:
                self._begun[run.asker] -= 1
                if not self._begun[run.asker]:
                    del self._begun[run.asker]
                self._begin_some()

    def _keep_looking(self) -> None:
        """While any is parked."""
        while True:
            with self._lock:
                parked = [] if self._closing else list(self._parked)
                if not parked:
                    self._looking = False
                    return
            there = [run for run, until in parked if _holds(until)]
            with self._lock:
                for run in [run for run, _ in self._parked if any(run is one for one in there)]:
                    run.state = "waiting"
                    self._next.append(run)
                self._parked = [one for one in self._parked if not any(one[0] is run for run in there)]
                self._begin_some()
            time.sleep(LOOK_SECONDS)


def _holds(until: Callable[[], bool]) -> bool:
    try:
        return until()
    except Exception:  # noqa: BLE001  (who answers it meets the same, and tells whoever asked)
        log.exception("what a question waits for cannot be looked up")
        return True
