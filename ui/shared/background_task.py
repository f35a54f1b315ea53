"""Work that a person waits for (a server is asked, a disk is counted) without the page being blocked by it.

A task runs in a thread of its own. A page draws its progress, and whoever does not want to wait cancels it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

import streamlit as st

from connectors.base import Cancelled, ConnectorError
from prompts.engine.spec import EngineError
from prompts.errors import ModelCallCancelled
from prompts.stop import Stop
from tree.store.database import StoreError
from ui.shared.dialogs import draw_again
from ui.shared.markup import escaped

Result = TypeVar("Result")
REFRESH_SECONDS = 0.5  # between two looks at a running task
QUICK_SECONDS = 0.3  # many are done by then, and the page need not be drawn twice
FAULT = "Something went wrong inside the app; the log of the app has the details. Try again."

log = logging.getLogger("knowledge-tree")


class Closes(Protocol):
    """Something opened, such as a connection."""

    def close(self) -> None: ...


class StopOnClose:
    """A stop button for the model that a task asks, pressed when the task is cancelled."""

    def __init__(self) -> None:
        self.stop = Stop()

    def close(self) -> None:
        self.stop.set()


Opened = TypeVar("Opened", bound=Closes)


class BackgroundTask(Generic[Result]):
    """Runs from the moment it is made. `work` hands what it opens to `closes_on_cancel`, so that `cancel` can close it."""

    def __init__(self, work: Callable[[BackgroundTask[Result]], Result]) -> None:
        self.state: Literal["running", "done", "failed", "cancelled"] = "running"
        self.result: Result | None = None
        self.message = ""  # why it failed, in words that say what to do
        self.began = time.monotonic()
        self.ended = threading.Event()
        self._opened: list[Closes] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._run, args=(work,), name="background-task", daemon=True).start()

    def closes_on_cancel(self, opened: Opened) -> Opened:
        """Remembers what the work opened, and returns it."""
        with self._lock:
            self._opened.append(opened)
            if self.state == "cancelled":
                opened.close()
        return opened

    def cancel(self) -> None:
        """Its result is not wanted any more. What it has opened is closed; a thread that hangs nevertheless is left behind."""
        if self._end("cancelled"):
            with self._lock:
                opened = list(self._opened)
            for one in opened:
                one.close()

    def _run(self, work: Callable[[BackgroundTask[Result]], Result]) -> None:
        try:
            result = work(self)
        except (Cancelled, ModelCallCancelled):
            self._end("cancelled")
        except ConnectorError as error:
            self._end("failed", message=error.asked_once)
        except (StoreError, EngineError, OSError) as error:
            self._end("failed", message=str(error))
        except Exception:  # noqa: BLE001
            # a fault of ours: the page says so, the log has the details
            log.exception("a background task failed")
            self._end("failed", message=FAULT)
        else:
            self._end("done", result)

    def _end(self, state: Literal["done", "failed", "cancelled"], result: Result | None = None, message: str = "") -> bool:
        with self._lock:
            if self.ended.is_set():
                return False
            self.state, self.result, self.message = state, result, message
            self.ended.set()
            return True


def draw_progress(task: BackgroundTask[Any], doing: str, key: str) -> bool:
    """Draws a running task with a button that cancels it; the page is drawn again when it ends. False when it has ended."""
    if task.ended.wait(QUICK_SECONDS):
        return False
    _progress(task, doing, key)
    return True


@st.fragment(run_every=REFRESH_SECONDS)
def _progress(task: BackgroundTask[Any], doing: str, key: str) -> None:
    if task.ended.is_set():
        draw_again()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":shimmer[{escaped(doing)}] {time.monotonic() - task.began:.0f} s", width="content")
        if st.button("Cancel", icon=":material/close:", key=f"{key}_cancel"):
            task.cancel()
            st.rerun()


# ---------------------------------------------------------------- one task under a name in the session


@dataclass(frozen=True, slots=True)
class Started:
    """A task and what it was started for: its result counts as long as that is what the form says."""

    about: object
    task: BackgroundTask[Any]


def start(name: str, about: object, work: Callable[[BackgroundTask[Any]], Any]) -> None:
    """Starts a task under a name in the session; an earlier one of that name is cancelled."""
    if (before := started(name)) is not None:
        before.task.cancel()
    st.session_state[name] = Started(about, BackgroundTask(work))


def started(name: str) -> Started | None:
    """What was started last under this name."""
    found = st.session_state.get(name)
    return found if isinstance(found, Started) else None


def result_of(name: str, about: object, doing: str, key: str) -> Any:
    """The result of what was started under this name for `about`; None while it runs or where it failed, which is drawn."""
    found = started(name)
    if found is None or found.about != about or draw_progress(found.task, doing, key):
        return None
    if found.task.state == "failed":
        st.error(escaped(found.task.message), icon=":material/error:")
    elif found.task.state == "cancelled":
        st.caption("Cancelled. Nothing was changed.")
    return found.task.result
