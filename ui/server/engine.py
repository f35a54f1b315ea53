"""Of the models that the app runs by itself: how they stand, which files are here, and files that are downloaded one at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from prompts.engine.download import DownloadCancelled, DownloadError, Progress, Remote, download
from prompts.engine.gguf import model_files
from prompts.engine.process import EngineState
from prompts.engine.state import WRITING_ENGINE, read_state
from tree.local_model import models_folder
from tree.store.database import StoreError
from tree.workspace import Workspace

log = logging.getLogger("knowledge-tree")


def engine_state(workspace: Workspace, name: str = WRITING_ENGINE) -> EngineState:
    """How the model of this machine stands, whichever process runs it."""
    return read_state(workspace.home, name)


def files_here(workspace: Workspace, embeddings: bool = False) -> dict[str, str]:
    """By their names the paths of model files that were downloaded, or put into the folder by hand: of models of embeddings, or of
    others."""
    return {path.name: str(path) for path in model_files(models_folder(workspace.home), embeddings)}


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
