"""Runs the models of this machine that are set, one process for each kind, as long as a program that keeps them lives."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from prompts.engine.process import EngineProcess, EngineState, Started, started
from prompts.engine.spec import EngineSpec
from prompts.engine.state import WRITING_ENGINE, read_state, write_state
from tree.local_model import LOAD_SECONDS
from tree.store.database import StoreError
from tree.workspace import Workspace

LOOK_SECONDS = 1.0  # between two looks at what is set
WAIT_SECONDS = 0.1  # between two looks at whether it is ready

log = logging.getLogger("knowledge-tree")

Wanted = Callable[[Workspace], tuple[EngineSpec | None, str]]


def model_that_writes(workspace: Workspace) -> tuple[EngineSpec | None, str]:
    """What the app is to run for answers and summaries, and the key to it. Raises StoreError, and ValueError."""
    choice = workspace.model.choice()
    if choice.engine is None or choice.settings is None:
        return None, ""
    return choice.engine, choice.settings.api_key.get_secret_value()


def model_of_embeddings(workspace: Workspace) -> tuple[EngineSpec | None, str]:
    """What the app is to run for search by meaning, and the key to it. Raises StoreError."""
    choice = workspace.meaning.model.choice()
    if choice.engine is None or choice.settings is None:
        return None, ""
    return choice.engine, choice.settings.api_key.get_secret_value()


class EngineKeeper:
    """Runs the model that is set, where the app is to run it: one process at a time, from `start` to `stop`. `name` is of the
    file that says how it stands."""

    def __init__(
        self, workspace: Workspace, start: Started = started, wanted: Wanted = model_that_writes, name: str = WRITING_ENGINE
    ) -> None:
        self.workspace = workspace
        self._start_process = start
        self._wanted_of, self._name = wanted, name
        self._lock = FileLock(workspace.home / name.replace(".json", ".lock"), timeout=0, thread_local=False)
        self._process: EngineProcess | None = None
        self._key = ""
        self._written: EngineState | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="engine-keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        self._end()

    def _keep(self) -> None:
        told = ""
        while not self._stopping.is_set():
            try:
                self._follow()
                told = ""
            except OSError as error:  # of the file that says how it stands
                if str(error) != told:
                    told = str(error)
                    log.error("the model of this machine: %s", error)
            self._stopping.wait(LOOK_SECONDS)

    def _follow(self) -> None:
        spec, key = self.wanted()
        if self._process is not None and (self._process.spec, self._key) != (spec, key):
            self._end()
        if spec is not None and self._process is None:
            try:
                self._lock.acquire()
            except Timeout:
                return  # whoever holds it says how it stands
            self._process, self._key = self._start_process(spec, key, self.workspace.home), key
        if self._process is not None and self._process.state != self._written:
            state = self._process.state
            write_state(self.workspace.home, state, self._name)
            self._written = state

    def wanted(self) -> tuple[EngineSpec | None, str]:
        """What is set, and its key."""
        try:
            return self._wanted_of(self.workspace)
        except (StoreError, ValueError):  # Settings says what is wrong
            return None, ""

    def state(self) -> EngineState:
        """How it stands, whichever program runs it."""
        return read_state(self.workspace.home, self._name)

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.stop()
        self._process, self._written = None, None
        try:
            write_state(self.workspace.home, EngineState("stopped"), self._name)
        except OSError as error:  # whoever reads the old state finds that its writer is gone
            log.error("the model of this machine: %s", error)
        finally:
            self._lock.release()


@contextmanager
def kept_running(keeper: EngineKeeper) -> Iterator[None]:
    """Inside, the model that is set is loaded, or has failed to be; whichever program runs it. Nothing is run where none is set."""
    if keeper.wanted()[0] is None:
        yield
        return
    keeper.start()
    try:
        ends = time.monotonic() + LOAD_SECONDS
        while keeper.state().name in ("stopped", "starting") and time.monotonic() < ends:
            time.sleep(WAIT_SECONDS)
        yield
    finally:
        keeper.stop()
