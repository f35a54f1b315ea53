"""What could be asked next: up to three questions below an answer, looked for in the background (ui/server/suggesting/asked_next.py)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from prompts.stop import Stop
from tree.store.models import Turn
from ui.server.answering.jobs import FOLLOW_UP
from ui.server.suggesting.apart import tried_apart
from ui.server.suggesting.asked_next import tried_next
from ui.server.suggesting.tried import Tried, questions_of, stand
from ui.server.tools import Tools
from ui.shared.background_task import BackgroundTask
from ui.shared.dialogs import draw_again
from ui.shared.markup import escaped

MOST_KEPT = 200  # lists, by answer

_one_at_a_time = threading.Semaphore(1)  # answers come before what could be asked next
_lock = threading.Lock()


@dataclass(slots=True)
class _Looked:
    """What was found after an answer, and at which version of its sources that was last known to stand."""

    task: BackgroundTask[list[Tried]]
    version: int


_looked: dict[Hashable, _Looked] = {}


def draw(tools: Tools, turn: Turn, ask_next: Callable[[str], None]) -> None:
    """The questions below the last answer of one's own chat; nothing while they are looked for, and where none is good."""
    answer = turn.answer
    if answer is None or answer.get("hidden") or not answer["citations"] or answer["verdict"] == "none":
        return
    task = _task_for(tools, turn, answer)
    if not task.ended.is_set():
        _wait_for(task)
    elif task.result:
        st.caption("You could ask next:")
        with st.container(horizontal=True, key="follow-ups", gap="small"):
            for number, question in enumerate(questions_of(task.result)):
                st.button(escaped(question), key=f"follow-up-{turn.id}-{number}", on_click=ask_next, args=(question,), wrap=True)


@st.fragment(run_every=0.5)
def _wait_for(task: BackgroundTask[list[Tried]]) -> None:
    if task.ended.is_set():
        draw_again()


def _task_for(tools: Tools, turn: Turn, answer: Mapping[str, Any]) -> BackgroundTask[list[Tried]]:
    """Of this answer, for whoever looks with the rights they have now. Looked for again once something changed that an answer
    to one of them cites."""
    workspace, asker = tools.workspace, tools.principal.person_id
    sources = [source.id for source in tools.visible_sources()]
    key, version = (
        (str(workspace.home), turn.id, turn.shown, turn.finished_at, tuple(sources)),
        workspace.store.versions.total(sources),
    )
    arguments: dict[str, Any] = {"asker": asker, "sources": sources, "turn": turn.id, "answer": answer}

    def work(_: BackgroundTask[list[Tried]]) -> list[Tried]:
        with _one_at_a_time:
            if (processes := tools.answers.processes) is not None and processes.are_wanted(tools.answers.count_unfinished()):
                return tried_apart(processes, FOLLOW_UP, arguments, Stop())
            return list(tried_next(workspace, **arguments, stop=Stop()))

    with _lock:
        looked = _looked.pop(key, None)
    if looked is None:
        looked = _Looked(BackgroundTask(work), version)
    elif looked.version != version and looked.task.ended.is_set():
        if not stand(workspace.store.nodes, looked.task.result or ()):
            looked.task = BackgroundTask(work)
        looked.version = version
    with _lock:
        _looked[key] = looked
        while len(_looked) > MOST_KEPT:
            del _looked[next(iter(_looked))]
    return looked.task
