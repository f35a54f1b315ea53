"""Work that a person waits for (a server is asked, a disk is counted) without the page being held up by it.

An errand runs in a thread of its own. A page draws how it stands, and whoever does not want to wait gives it up.
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
from tree.store.database import StoreError
from ui.shared.markup import escaped

Result = TypeVar("Result")
LOOK_SECONDS = 0.5  # between two looks at an errand that goes on
QUICK_SECONDS = 0.3  # many are done by then, and the page need not be drawn twice
FAULT = "Something went wrong inside the app; the log of the app has the details. Try again."

log = logging.getLogger("knowledge-tree")


class Closes(Protocol):
    def close(self) -> None: ...


Held = TypeVar("Held", bound=Closes)


class Errand(Generic[Result]):
    """Goes from the moment it is made. `work` hands what it opens to `holding`, so that giving up can close it."""

    def __init__(self, work: Callable[[Errand[Result]], Result]) -> None:
        self.state: Literal["going", "done", "failed", "given up"] = "going"
        self.result: Result | None = None
        self.message = ""  # why it failed, in words that say what to do
        self.began = time.monotonic()
        self.ended = threading.Event()
        self._held: list[Closes] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._run, args=(work,), name="errand", daemon=True).start()

    def holding(self, opened: Held) -> Held:
        with self._lock:
            self._held.append(opened)
            if self.state == "given up":
                opened.close()
        return opened

    def give_up(self) -> None:
        """Its result is not wanted any more. What it has opened is closed; what hangs nevertheless is left behind."""
        if self._end("given up"):
            with self._lock:
                held = list(self._held)
            for opened in held:
                opened.close()

    def _run(self, work: Callable[[Errand[Result]], Result]) -> None:
        try:
            result = work(self)
        except Cancelled:
            self._end("given up")
        except (ConnectorError, StoreError, OSError) as error:
            self._end("failed", message=str(error))
        except Exception:  # noqa: BLE001
            # a fault of ours: the page says so, the log has the details
            log.exception("an errand failed")
            self._end("failed", message=FAULT)
        else:
            self._end("done", result)

    def _end(self, state: Literal["done", "failed", "given up"], result: Result | None = None, message: str = "") -> bool:
        with self._lock:
            if self.ended.is_set():
                return False
            self.state, self.result, self.message = state, result, message
            self.ended.set()
            return True


def waiting(errand: Errand[Result], doing: str, key: str) -> bool:
    """Draws that it goes on, with a way to give it up; the page is drawn again when it ends. False when it has ended."""
    if errand.ended.wait(QUICK_SECONDS):
        return False
    _progress(errand, doing, key)
    return True


@st.fragment(run_every=LOOK_SECONDS)
def _progress(errand: Errand[Result], doing: str, key: str) -> None:
    if errand.ended.is_set():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":shimmer[{escaped(doing)}] {time.monotonic() - errand.began:.0f} s", width="content")
        if st.button("Give up", icon=":material/close:", key=f"{key}_give_up"):
            errand.give_up()
            st.rerun()


# ---------------------------------------------------------------- one errand under a name in the session


@dataclass(frozen=True, slots=True)
class Sent:
    """An errand and what it was sent for: its result counts as long as that is what the form says."""

    about: object
    errand: Errand[Any]


def send(name: str, about: object, work: Callable[[Errand[Any]], Any]) -> None:
    if (before := st.session_state.get(name)) is not None:
        before.errand.give_up()
    st.session_state[name] = Sent(about, Errand(work))


def answer(name: str, about: object, doing: str, key: str) -> Any:
    """What an errand brought back; while it goes on or when it failed, that is drawn instead."""
    sent = st.session_state.get(name)
    if sent is None or sent.about != about or waiting(sent.errand, doing, key):
        return None
    if sent.errand.state == "failed":
        st.error(escaped(sent.errand.message), icon=":material/error:")
    elif sent.errand.state == "given up":
        st.caption("Given up; nothing was changed.")
    return sent.errand.result
