"""Keeps the process of a model alive: started, watched, started again should it die, ended with us."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO, Any, Literal

from prompts.engine.memory import memory_of
from prompts.engine.spec import EngineError, EngineSpec

CODE = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "prompts.engine.serve")
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0  # seconds before a process that died is started again
STEADY_SECONDS = 60  # after one that answered for so long, the next wait is short again
LOG_BYTES = 1_000_000
LOG_NAME, EMBEDDING_LOG_NAME = "engine.log", "embedding-engine.log"

Name = Literal["starting", "ready", "waiting", "stopped"]


@dataclass(frozen=True, slots=True)
class EngineState:
    """How it stands. `sentence` says why it waits, and what to do."""

    name: Name
    sentence: str = ""
    restarts: int = 0
    pid: int | None = None

    @property
    def memory(self) -> int | None:
        """Bytes that the process holds; None where there is none."""
        return memory_of(self.pid) if self.pid is not None else None


class _EngineLog(RotatingFileHandler):
    """What the process prints. A disk that is full loses lines of it, and does the model no harm."""

    def handleError(self, record: logging.LogRecord) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


class EngineProcess:
    """One model. Its process never outlives the thread that started it, nor this process."""

    def __init__(self, spec: EngineSpec, key: str, folder: Path, command: Sequence[str] = COMMAND) -> None:
        self.spec = spec
        self._key = key
        self._command = command
        self._state = EngineState("starting")
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._log = _EngineLog(
            folder / (EMBEDDING_LOG_NAME if spec.embeddings else LOG_NAME),
            maxBytes=LOG_BYTES,
            backupCount=1,
            encoding="utf-8",
            errors="replace",
            delay=True,
        )
        self._thread = threading.Thread(target=self._keep, name="engine", daemon=True)

    def start(self) -> EngineProcess:
        self._thread.start()
        return self

    @property
    def state(self) -> EngineState:
        return self._state

    def wait_ready(self, seconds: float) -> None:
        """Until it answers. Raises EngineError where it cannot be started, or is not ready by then."""
        with self._changed:
            self._changed.wait_for(lambda: self._state.name != "starting", seconds)
        if self._state.name != "ready":
            raise EngineError(self._state.sentence or f"{self.spec.name} was not loaded within {seconds:g} seconds.")

    def stop(self) -> None:
        """Ends it at once, in the middle of a reply too."""
        self._stopping.set()
        if (child := self._child) is not None:
            child.kill()  # it has nothing to put away
        if self._thread.is_alive():
            self._thread.join()
        self._set("stopped")
        self._log.close()

    close = stop  # for whoever closes what a cancelled task has opened

    def _keep(self) -> None:
        wait = FIRST_WAIT
        while not self._stopping.is_set():
            answered_for = self._run_once()
            if self._stopping.is_set():
                return
            wait = FIRST_WAIT if answered_for > STEADY_SECONDS else min(LONGEST_WAIT, wait * 2)
            self._stopping.wait(wait)

    def _run_once(self) -> float:
        """Runs it until it ends. Returns for how many seconds it was ready."""
        restarts = self._state.restarts
        self._set("starting", restarts=restarts)
        try:
            child = subprocess.Popen(
                self._command, cwd=CODE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._set("waiting", f"The process of the model could not be started: {error}.", restarts + 1)
            return 0.0
        self._child = child
        if self._stopping.is_set():
            child.kill()
        errors = threading.Thread(target=self._copy, args=(child.stderr,), name="engine-log", daemon=True)
        errors.start()
        ready_at, told = self._listen(child, restarts)
        status = child.wait()
        errors.join()
        for pipe in (child.stdin, child.stdout, child.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what it did not read before it ended
                    pipe.close()
        if not self._stopping.is_set():
            self._set("waiting", told or ended_words(self.spec, status, was_ready=ready_at is not None), restarts + 1)
        return time.monotonic() - ready_at if ready_at is not None else 0.0

    def _listen(self, child: subprocess.Popen[bytes], restarts: int) -> tuple[float | None, str]:
        """Hears the process to its end: when it was ready, and what it said of a failure."""
        ready_at, told = None, ""
        assert child.stdin is not None and child.stdout is not None
        try:
            given = {"spec": self.spec.model_dump(), "key": self._key}
            child.stdin.write(json.dumps(given).encode() + b"\n")
            child.stdin.flush()
        except OSError:  # it has ended already; its status says how
            return None, ""
        for line in child.stdout:
            if (said := _parsed(line)) is None:
                child.kill()
                break
            if said["state"] == "ready":
                ready_at = time.monotonic()
                self._set("ready", restarts=restarts, pid=child.pid)
            else:
                told = str(said.get("sentence", ""))
        return ready_at, told

    def _set(self, name: Name, sentence: str = "", restarts: int | None = None, pid: int | None = None) -> None:
        with self._changed:
            self._state = EngineState(name, sentence, self._state.restarts if restarts is None else restarts, pid)
            self._changed.notify_all()

    def _copy(self, lines: IO[bytes] | None) -> None:
        for line in lines or ():
            self._log.emit(
                logging.LogRecord("engine", logging.INFO, "", 0, line.decode("utf-8", "replace").rstrip()[:2_000], None, None)
            )


def _parsed(line: bytes) -> dict[str, Any] | None:
    """What the process says in a line; None for what is no message: one that was killed leaves half a line."""
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) and "state" in said else None


def ended_words(spec: EngineSpec, status: int, *, was_ready: bool) -> str:
    """What is said of a process that ended by itself, by its exit status."""
    while_doing = "while it answered" if was_ready else "while it was loaded"
    if status == -9:
        return (
            f"{spec.name} was ended by the system {while_doing}, most likely for want of memory; it is started again. Should it "
            "happen again, choose a smaller model or a smaller context."
        )
    return f"{spec.name} ended by itself {while_doing} (status {status}) and is started again; engine.log in the data folder says more."


Started = Callable[[EngineSpec, str, Path], EngineProcess]


def started(spec: EngineSpec, key: str, folder: Path) -> EngineProcess:
    """A process of this model, being loaded."""
    return EngineProcess(spec, key, folder).start()
