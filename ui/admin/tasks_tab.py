"""What the workers do: which tasks failed and why, which run, which wait. Only where several workers may share a database."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from ingestion.words import counted
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.admins import for_admins
from ui.shared.markup import escaped
from ui.shared.zone import viewers_zone

if TYPE_CHECKING:
    from ingestion.tasks.board import State, Task

EVERY_SECONDS = 5.0
QUEUES = {"new": "New sources", "looks": "Whole sources", "changes": "Changes", "watches": "Watches", "background": "Background"}
KINDS = {"sync": "Sync", "watch": "Watch", "remove": "Delete what was read from", "upgrade": "Summaries by the language model",
         "vectors": "Vectors for search by meaning", "tidy": "Delete what is old", "digests": "E-mails on what changed"}  # fmt: skip
UNWATCHED = (
    "{sources} cannot be watched: every worker watches as many as it can. They are looked at now and then instead (folders every 5 "
    "minutes). Start another worker: python -m ingestion.worker --stay"
)
HEADS: dict[State, str] = {"failed": "Failed", "running": "Running", "cancelled": "Cancelled", "waiting": "Waiting"}
WATCHING = "Watching"  # one for each source, for ever: what else runs would be lost among them
FOLDED = (HEADS["waiting"], WATCHING)


def tasks_tab(tools: Tools) -> None:
    st.fragment(for_admins, run_every=EVERY_SECONDS)(_tasks, tools)


def _tasks(tools: Tools) -> None:
    workers, counts, shown, unwatched = tools.admin.tasks()
    listed = {_place(task) for task in shown}
    notices.draw_at(*(at for at in notices.places() if at not in listed))  # of a task that is there no more
    if not workers:
        st.error("No worker lives: nothing is read. Start the app, or python -m ingestion.worker.", icon=":material/error:")
    elif unwatched:
        st.warning(UNWATCHED.format(sources=counted(unwatched, "source")), icon=":material/visibility_off:")
    _queues(counts)
    if workers:
        st.caption(f"{counted(workers, 'worker')} {'does' if workers == 1 else 'share'} these tasks.")
    numbers: Counter[str] = Counter()
    for (queue, state), number in counts.items():
        numbers[_head(queue, state)] += number
    names = {source.id: source.name for source in tools.sources.all()}
    for head in (*HEADS.values(), WATCHING):
        below = [task for task in shown if _head(task.queue, task.state) == head]
        if not below:
            continue
        if head in FOLDED:
            with st.expander(f"{head}: {numbers[head]:,}"):
                _list(tools, below, names, numbers[head])
        else:
            st.markdown(f"**{head}**")
            _list(tools, below, names, numbers[head])
    if not shown:
        st.markdown("There is nothing to do.")


def _head(queue: str, state: State) -> str:
    """Below which a task is listed."""
    return WATCHING if queue == "watches" and state == "running" else HEADS[state]


def _queues(of_queues: Mapping[tuple[str, State], int]) -> None:
    counts: Counter[tuple[str, State]] = Counter()
    for (queue, state), number in of_queues.items():
        counts[QUEUES.get(queue, "Background"), state] += number
    columns = {"Queue": list(QUEUES.values())} | {
        HEADS[state]: [counts[queue, state] for queue in QUEUES.values()] for state in ("failed", "running", "waiting")
    }
    st.table(columns, border="horizontal", hide_index=True, alt="The queues")


def _list(tools: Tools, tasks: Sequence[Task], names: Mapping[str, str], number: int) -> None:
    if number > len(tasks):
        st.caption(f"{len(tasks):,} of {number:,} are listed.")
    for task in sorted(tasks, key=lambda task: task.due_at or task.since):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"task_{task.id}"):
            why = f"  \n{escaped(task.reason)}" if task.state == "failed" and task.reason else ""
            st.markdown(f"**{escaped(title_of(task, names))}**  \n:gray[:small[{told(task)}]]{why}", width="stretch")
            if task.state != "running":
                again = "Begin now" if task.state == "waiting" else "Try again"
                st.button(again, key=f"again_{task.id}", type="tertiary", icon=":material/replay:", on_click=notices.on_click,
                          args=(tools.admin.try_task_again, task.id), kwargs={"at": _place(task)}, width="content")  # fmt: skip
            if task.state != "cancelled" and not task.is_to_stop:
                st.button("Cancel", key=f"cancel_{task.id}", type="tertiary", icon=":material/cancel:", on_click=notices.on_click,
                          args=(tools.admin.cancel_task, task.id), kwargs={"at": _place(task)}, width="content",
                          help="It is left alone for 15 minutes, or until somebody asks for it.")  # fmt: skip
        notices.draw_at(_place(task))


def _place(task: Task) -> str:
    """Where is said what went wrong with a click."""
    return f"task_{task.id}"


def title_of(task: Task, names: Mapping[str, str]) -> str:
    """Of files in a chat, which nobody else sees, no name is told."""
    words = KINDS.get(task.kind, task.kind)
    source_id = task.arguments.get("source_id")
    if source_id is None:
        return words
    return f"{words} {names.get(source_id, 'a source that is gone, or files of a chat')}"


def told(task: Task) -> str:
    """How it stands, since when, and how often it was tried."""
    since, zone = _seconds(max(0.0, time.time() - task.since)), viewers_zone()
    tries = f" · failed {'once' if task.tries == 1 else counted(task.tries, 'time')}" if task.reason else ""
    if task.status == "doing":
        return "is told to stop" if task.is_to_stop else f"for {since}"
    if task.status in ("cancelled", "aborted"):
        return f"{since} ago"
    if task.due_at is not None and task.due_at > time.time():
        when = datetime.fromtimestamp(task.due_at, zone)
        return f"{'again' if task.reason else 'next'} at {when:%H:%M:%S}{tries}"
    return f"waits for a worker{tries}"


def _seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return counted(round(seconds / 60), "minute") if seconds < 5_400 else counted(round(seconds / 3_600), "hour")
