"""The model that the app runs by itself: its process follows what is set, and files for it are downloaded one at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from prompts.engine.download import DownloadCancelled, DownloadError, Progress, Remote, download
from prompts.engine.process import EngineProcess, EngineState, Started, started
from prompts.engine.spec import EngineSpec
from prompts.engine.state import WRITING, read_state, write_state
from tree.store.database import StoreError
from tree.workspace import Workspace

LOOK_SECONDS = 1.0  # between two looks at what is set
FOLDER = "models"  # of the data folder, where downloads go
ELSEWHERE = EngineState(
    "waiting", "Another program runs the model of this data folder already; this one takes over when that ends."
)

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
        self, workspace: Workspace, start: Started = started, wanted: Wanted = model_that_writes, name: str = WRITING
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
        while not self._stopping.is_set():
            try:
                self._follow()
            except OSError as error:  # of the file that says how it stands
                log.error("the model of this machine: %s", error)
            self._stopping.wait(LOOK_SECONDS)

    def _follow(self) -> None:
        spec, key = self._wanted()
        if self._process is not None and (self._process.spec, self._key) != (spec, key):
            self._end()
        if spec is not None and self._process is None:
            try:
                self._lock.acquire()
            except Timeout:
                return  # whoever holds it says how it stands
            self._process, self._key = self._start_process(spec, key, self.workspace.home), key
        if self._process is not None and self._process.state != self._written:
            self._written = self._process.state
            write_state(self.workspace.home, self._written, self._name)

    def _wanted(self) -> tuple[EngineSpec | None, str]:
        try:
            return self._wanted_of(self.workspace)
        except (StoreError, ValueError):  # Settings says what is wrong
            return None, ""

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.stop()
        self._process, self._written = None, None
        write_state(self.workspace.home, EngineState("stopped"), self._name)
        self._lock.release()


def engine_state(workspace: Workspace, name: str = WRITING) -> EngineState:
    """How the model of this machine stands, whichever process runs it."""
    return read_state(workspace.home, name)


def models_folder(workspace: Workspace) -> Path:
    return workspace.home / FOLDER


def files_here(workspace: Workspace) -> list[Path]:
    """Model files that were downloaded, or put into the folder by hand; of a file in parts only the first."""
    found = sorted(models_folder(workspace).glob("*.gguf"))
    return [path for path in found if "-of-" not in path.name or "-00001-of-" in path.name]


# ---------------------------------------------------------------- downloads


@dataclass(frozen=True, slots=True)
class Download:
    """One that runs or has ended."""

    remote: Remote
    state: Literal["running", "done", "failed", "cancelled"] = "running"
    here: int = 0  # bytes
    message: str = ""
    path: Path | None = None

    @property
    def share(self) -> float:
        return min(1.0, self.here / self.remote.size) if self.remote.size else 0.0


Fetch = Callable[[Remote, Path, Progress, Callable[[], bool]], Path]


class Downloads:
    """One at a time for the whole app: it goes on when the page that began it is left."""

    def __init__(self, fetch: Fetch = download) -> None:
        self._fetch = fetch
        self._lock = threading.Lock()
        self._cancelled = threading.Event()
        self._current: Download | None = None

    @property
    def current(self) -> Download | None:
        return self._current

    def begin(self, remote: Remote, folder: Path) -> None:
        """Raises StoreError while another one runs."""
        with self._lock:
            if self._current is not None and self._current.state == "running":
                raise StoreError(f"{self._current.remote.file_name} is being downloaded; wait for it, or cancel it first.")
            self._cancelled = threading.Event()
            self._current = Download(remote)
        thread = threading.Thread(target=self._run, args=(remote, folder, self._cancelled), name="model-download", daemon=True)
        thread.start()

    def cancel(self) -> None:
        self._cancelled.set()

    def forget(self) -> None:
        """Of one that has ended nothing more is said."""
        with self._lock:
            if self._current is not None and self._current.state != "running":
                self._current = None

    def _run(self, remote: Remote, folder: Path, cancelled: threading.Event) -> None:
        def progress(here: int, of: int) -> None:
            self._current = Download(remote, here=here)

        try:
            path = self._fetch(remote, folder, progress, cancelled.is_set)
        except DownloadCancelled:
            self._current = Download(remote, "cancelled", message="Cancelled. What is here is kept, to go on from there.")
        except DownloadError as error:
            self._current = Download(remote, "failed", message=str(error))
        except Exception:  # noqa: BLE001
            # a fault of ours: the page says so, the log has the details
            log.exception("a download failed")
            self._current = Download(
                remote, "failed", message="Something went wrong inside the app; the log has the details. Try again."
            )
        else:
            self._current = Download(remote, "done", here=remote.size, path=path)


downloads = Downloads()
