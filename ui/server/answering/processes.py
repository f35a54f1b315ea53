"""The answering processes of the app: begun when many ask at once, begun again where one died, ended with the app."""

from __future__ import annotations

import json
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from prompts.stop import Stop
from tree.store.database import StoreError
from ui.server.answering.jobs import ASK
from ui.server.answering.refusals import refusal

CODE = Path(__file__).resolve().parents[3]
COMMAND = (sys.executable, "-m", "ui.server.answering")
VARIABLE = "KNOWLEDGE_TREE_ANSWERING_PROCESSES"  # in the environment: how many at most; 0 is none
MOST = 4
FEW = 2  # questions at a time, that the app answers by itself: a process of its own takes memory
CROWDED = 6  # jobs of each process, from which on another one is begun
START_SECONDS = 60.0  # that a process may take to begin
AGAIN_SECONDS = 60.0  # after one could not be begun
END_SECONDS = 5.0  # for the processes to end when the app does
TRIES = 2  # of a question whose process died

log = logging.getLogger("knowledge-tree")


class ProcessEnded(Exception):
    """The process that worked on it died."""


class JobFailed(Exception):
    """A fault of ours, which the log of that process tells."""


class _Process:
    """One of them. `under_way` is how many jobs it has."""

    def __init__(self, command: Sequence[str]) -> None:
        self._child = subprocess.Popen(command, cwd=CODE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ready = threading.Event()  # also once it has ended
        self.is_alive = True
        self._lock = threading.Lock()
        self._jobs: dict[int, queue.SimpleQueue[dict[str, Any] | None]] = {}
        self._reading = threading.Thread(target=self._read, name="answering", daemon=True)
        self._reading.start()

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def under_way(self) -> int:
        return len(self._jobs)

    def work(self, id_: int, job: str, arguments: Mapping[str, Any], stop: Stop) -> Iterator[Any]:
        """What the job yields. Raises AskError and StoreError as the job does, JobFailed and ProcessEnded."""
        told: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        with self._lock:
            if not self.is_alive:
                raise ProcessEnded
            self._jobs[id_] = told
        pressed: Future[None] = Future()
        pressed.add_done_callback(lambda _: self._write({"stop": id_}))
        has_ended = False
        try:
            self._write({"id": id_, "job": job, "arguments": arguments})
            with stop.over(pressed):
                while (message := told.get()) is not None:
                    has_ended = "ended" in message
                    if "told" in message:
                        yield message["told"]
                    elif message["ended"] == "refused":
                        raise refusal(message["kind"], message["message"])
                    elif message["ended"] == "failed":
                        raise JobFailed(job)
                    else:
                        return
            raise ProcessEnded
        finally:
            with self._lock:
                self._jobs.pop(id_, None)
            if not has_ended:
                pressed.cancel()  # whoever does not listen to the end does not want it

    def end(self, seconds: float) -> None:
        """It ends when its standard input does, else it is killed after so long."""
        with self._lock:
            if self._child.stdin is not None and not self._child.stdin.closed:
                with suppress(OSError):  # where it has died
                    self._child.stdin.close()
        try:
            self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._reading.join(END_SECONDS)

    def _write(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            if not self.is_alive or self._child.stdin is None or self._child.stdin.closed:
                return  # whoever waits for a job hears of that by `_read`
            try:
                self._child.stdin.write(line)
                self._child.stdin.flush()
            except OSError:
                self._child.kill()

    def _read(self) -> None:
        """To its end, however that comes: whoever waits for a job hears of it. A process that was killed leaves half a line."""
        try:
            self._pass_on()
        except (ValueError, LookupError, TypeError) as error:  # what is no message of ours
            log.error("an answering process said what cannot be read, and is ended: %s", error)
        finally:
            self._child.kill()  # one that has closed its output while it lives would never be heard again
            self._has_ended()

    def _pass_on(self) -> None:
        assert self._child.stdout is not None
        with self._child.stdout as lines:
            for line in lines:
                message = json.loads(line)
                if "ready" in message:
                    self.ready.set()
                elif (told := self._jobs.get(message["id"])) is not None:
                    told.put(message)

    def _has_ended(self) -> None:
        self._child.wait()
        with self._lock:
            self.is_alive = False
            left = list(self._jobs.values())
        self.ready.set()
        for told in left:
            told.put(None)


class AnsweringProcesses:
    """Safe to use from many threads. `ask` names a function ("module:function") that is called in place of `ask`; `command` begins
    another program in place of ours."""

    def __init__(
        self, home: Path, ask: str = "", most: int | None = None, few: int = FEW, command: Sequence[str] = COMMAND
    ) -> None:
        self._command = [*command, "--home", str(home), *(["--ask", ask] if ask else [])]
        self._most = most_wanted() if most is None else most
        self._few = few
        self._ids = count(1)
        self._lock = threading.Lock()
        self._processes: list[_Process] = []
        self._not_before = 0.0
        self._closing = False

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._processes if process.is_alive]

    def are_wanted(self, questions: int) -> bool:
        """Whether a process is ready for a job, while so many questions are under way. Where they are many, but none is ready,
        one is begun, and whoever asks works on their own until then."""
        if self._most == 0 or self._closing:
            return False
        with self._lock:
            self._forget_dead()
            ready = [process for process in self._processes if process.ready.is_set()]
            starting = len(self._processes) > len(ready)
            is_crowded = all(process.under_way >= CROWDED for process in ready)
            if is_crowded and not starting and len(ready) < self._most and (ready or questions > self._few):
                self._begin()
            return bool(ready)

    def told(self, job: str, arguments: Mapping[str, Any], stop: Stop) -> Iterator[Any]:
        """What a job yields (ui/server/answering/jobs.py). A question whose process dies is asked once more: a "restart" is told then.

        Raises AskError and StoreError as the job does, JobFailed, and ProcessEnded where the process died.
        """
        for attempt in range(1, TRIES + 1):
            is_answered = False
            try:
                for told in self._free().work(next(self._ids), job, arguments, stop):
                    yield told
                    is_answered = is_answered or told[0] == "answer"
                return
            except ProcessEnded:
                if self._closing or stop.is_set or is_answered:
                    return
                log.error("an answering process ended by itself")
                if job != ASK or attempt == TRIES:
                    raise
                yield "restart", None

    def close(self) -> None:
        with self._lock:
            self._closing = True
            processes = list(self._processes)
        for process in processes:
            process.end(END_SECONDS)

    def _free(self) -> _Process:
        """The one with the fewest jobs; begun, and waited for, where there is none. Raises ProcessEnded where it cannot be had."""
        with self._lock:
            self._forget_dead()
            if self._closing:
                raise ProcessEnded
            if not self._processes:
                self._begin()
            if not self._processes:
                raise ProcessEnded
            process = min(self._processes, key=lambda one: (not one.ready.is_set(), one.under_way))
        process.ready.wait(START_SECONDS)
        return process

    def _forget_dead(self) -> None:
        self._processes = [process for process in self._processes if process.is_alive]

    def _begin(self) -> None:
        if time.monotonic() < self._not_before:
            return
        try:
            self._processes.append(_Process(self._command))
        except OSError as error:
            log.error("an answering process could not be started: %s", error)
            self._not_before = time.monotonic() + AGAIN_SECONDS


def most_wanted() -> int:
    """How many there may be: as the environment says, else one for each processor beside that of the pages. Raises StoreError."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return max(1, min(MOST, (os.cpu_count() or 1) - 1))
    if not given.isdecimal():
        raise StoreError(f"{VARIABLE} is {given!r}; give the number of processes that answer, or 0 for none.")
    return int(given)
