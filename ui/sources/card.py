"""One source on the page of sources: its state, what could not be read, what went missing, what can be done."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Literal

import streamlit as st

from ingestion.source_status import SourceStatus, Tone, describe_status
from ingestion.words import ago, counted
from tree.store.models import FailureRow, Source, Tombstone
from ui.server import upgrades, uploads
from ui.server.tools import SAMPLE, Tools
from ui.shared import notices, pages
from ui.shared.markup import escaped
from ui.sources import jira_view, tables
from ui.sources.audience import audience_line
from ui.sources.counts import counts, counts_in_words
from ui.sources.removed import removed_documents

KINDS = {
    "folder": ("Folder", ":material/folder:"),
    "pdf": ("PDFs", ":material/picture_as_pdf:"),
    "jira": ("Jira", ":material/confirmation_number:"),
}
FAULTS = {
    "folder": "a drive that is not connected, a folder that was renamed, a pattern in the settings",
    "jira": "a permission that was taken from the account, a project that was renamed, another filter in the settings",
}  # what makes many documents go missing at once
BADGES: dict[Tone, tuple[Literal["green", "blue", "gray", "orange", "red"], str]] = {
    "ok": ("green", ":material/check_circle:"),
    "busy": ("blue", ":material/sync:"),
    "idle": ("gray", ":material/pause_circle:"),
    "warning": ("orange", ":material/warning:"),
    "error": ("red", ":material/error:"),
}
DIALOG, PROGRESS_SEEN = "sources_dialog", "sources_progress_seen"  # in the session


def card(tools: Tools, source: Source) -> None:
    """Draws the source with what can be done with it."""
    with st.container(border=True, key=f"source_{source.id}"):
        awaiting_approval = tools.sources.awaiting_approval(source.id)
        status = describe_status(
            source,
            time.time(),
            seconds_left=_seconds_left(source, time.time()),
            awaiting_approval=len(awaiting_approval),
            stale=len(tools.sources.stale(source.id)),
            unreadable=tools.workspace.store.failures.count([source.id]),
        )
        _head(tools, source, status)
        _actions(tools, source)  # above all that comes and goes while the card draws itself again: they stay where they are
        notices.draw_at(source.id)
        with st.container():  # of any number of lines: what follows keeps its place, and is not drawn twice while they change
            _state(tools, source, status, awaiting_approval)


def _head(tools: Tools, source: Source, status: SourceStatus) -> None:
    kind, icon = _kind(tools, source)
    color, badge_icon = BADGES[status.tone]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
        st.markdown(f"#### {icon} {escaped(source.name)}", width="content")
        st.badge(status.label, icon=badge_icon, color=color)
    st.caption(f"{kind} · {place_in_words(tools, source)}")
    audience_line(tools, source)


def _state(tools: Tools, source: Source, status: SourceStatus, awaiting_approval: Sequence[Tombstone]) -> None:
    now = time.time()
    st.markdown(escaped(status.sentence))
    if status.share is not None:
        st.progress(status.share)
    if status.to_do and not awaiting_approval:
        _advise(status)
    found = counts(tools.workspace.store, source)
    changed = f" · last change {ago(now - source.changed_at)}" if source.changed_at else ""
    delivered = f" · last webhook {ago(now - source.heard_at)}" if source.heard_at else ""
    st.caption(counts_in_words(found) + changed + delivered)
    if upgraded := upgrades.in_words(upgrades.upgrade_progress.of_source(tools.workspace, source.id)):
        st.caption(f":material/auto_stories: {upgraded}")
    _awaiting_approval(tools, source, awaiting_approval)
    _unreadable(tools, source, found["partly"])
    if source.kind == "jira":
        removed_documents(tools, source)


def _kind(tools: Tools, source: Source) -> tuple[str, str]:
    if uploads.is_upload(tools.workspace.home, source):
        return "Uploaded files", ":material/upload_file:"
    return KINDS.get(source.kind, (source.kind, ":material/database:"))


def place_in_words(tools: Tools, source: Source) -> str:
    """Where the documents of a source are, escaped for Markdown."""
    if uploads.is_upload(tools.workspace.home, source):
        return "kept by this app"
    if source.kind == "jira":
        return escaped(jira_view.scope_in_words(source.config))
    if source.config.get("path") == str(SAMPLE):
        return "comes with this app"
    return escaped(str(source.config.get("path", "")))


def _advise(status: SourceStatus) -> None:
    draw = {"error": st.error, "warning": st.warning}.get(status.tone, st.caption)
    draw(escaped(status.to_do))


def _seconds_left(source: Source, now: float) -> float | None:
    """How long the running sync will take, going by the progress that this page has seen."""
    seen: dict[str, tuple[float, int]] = st.session_state.setdefault(PROGRESS_SEEN, {})
    if source.state == "waiting":  # that counts too for how long it takes
        return None
    if source.state != "syncing":
        seen.pop(source.id, None)
        return None
    if source.id not in seen or seen[source.id][1] > source.done:
        seen[source.id] = (now, source.done)
    return seconds_left(source, seen[source.id], now)


def seconds_left(source: Source, before: tuple[float, int], now: float) -> float | None:
    """Going by the progress since `before`, a moment and how many documents were done then; None while that is too short."""
    if not source.total or now - before[0] < 3 or source.done <= before[1]:
        return None
    return (source.total - source.done) * (now - before[0]) / (source.done - before[1])


def _actions(tools: Tools, source: Source) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        waits = source.requested_at is not None or source.state in ("waiting", "syncing")
        st.button(
            "Sync now", icon=":material/sync:", key=f"sync_{source.id}", disabled=source.paused or waits,
            help="Checks every document now. Changes are noticed without it as well.", on_click=notices.on_click, args=(tools.admin.request_sync, source.id), kwargs={"at": source.id},
        )  # fmt: skip
        words, icon = ("Resume", ":material/play_arrow:") if source.paused else ("Pause", ":material/pause:")
        st.button(
            words,
            icon=icon,
            key=f"pause_{source.id}",
            on_click=notices.on_click,
            args=(tools.admin.pause, source.id, not source.paused),
            kwargs={"at": source.id},
        )
        if st.button("Settings", icon=":material/tune:", key=f"settings_{source.id}"):
            _request_dialog("settings", source)
        if st.button("Remove", icon=":material/delete:", key=f"remove_{source.id}"):
            _request_dialog("remove", source)
        if counts(tools.workspace.store, source)["documents"] and tools.principal.may_see(source):
            st.page_link(
                pages.tree(), label="Show in the tree", icon=":material/account_tree:", query_params={"at": f"{source.id}/"}
            )


def _request_dialog(what: str, source: Source) -> None:
    st.session_state[DIALOG] = (what, source.id)
    st.rerun()


def _unreadable(tools: Tools, source: Source, partly: int) -> None:
    number = tools.workspace.store.failures.count([source.id])
    if number:
        with st.expander(
            f"{counted(number, 'document')} could not be read",
            icon=":material/report:", key=f"failures_{source.id}", on_change="rerun",
        ) as box:  # fmt: skip
            if box.open:
                failures = tools.sources.failures(source.id)
                st.caption(_what_becomes(failures))
                tables.failures_table(failures, f"failures_table_{source.id}")
                _try_again(tools, source, [failure.document_id for failure in failures], f"again_{source.id}")
    if partly:
        with st.expander(
            counted(partly, "document was read only in part", "documents were read only in part"),
            icon=":material/rule:", key=f"partly_{source.id}", on_change="rerun",
        ) as box:  # fmt: skip
            if box.open:
                documents = tools.workspace.store.documents.with_problems(source.id)
                st.caption("What could be read of them is in the tree. This is what is missing.")
                tables.problems_table(documents, f"partly_table_{source.id}")
                _try_again(tools, source, [document["id"] for document in documents], f"again_partly_{source.id}")


def _what_becomes(failures: Sequence[FailureRow]) -> str:
    stale = sum(failure.read_at is not None for failure in failures)
    if not stale:
        return "They are not in the tree and no answer uses them. Each is read again when it changes."
    others = "" if stale == len(failures) else " The others are not in the tree."
    words = counted(stale, "document is", "documents are")
    return f"{words} still in the tree as last read, and marked in answers.{others} Each is read again when it changes."


def _try_again(tools: Tools, source: Source, ids: list[str], key: str) -> None:
    st.button(
        "Try again",
        icon=":material/refresh:",
        key=key,
        disabled=source.paused,
        on_click=notices.on_click,
        args=(tools.admin.read_again, source.id, ids),
        kwargs={"at": key},
    )
    notices.draw_at(key)


def _awaiting_approval(tools: Tools, source: Source, missing: Sequence[Tombstone]) -> None:
    if not missing:
        return
    with st.container(border=True, key=f"withheld_{source.id}"):
        st.markdown(f":material/warning: **{counted(len(missing), 'document')} went missing at once.**")
        st.markdown(f"So many at once may be a fault: {FAULTS.get(source.kind, FAULTS['folder'])}. " + _used_meanwhile(missing))
        with st.expander("Show the documents", key=f"which_{source.id}", on_change="rerun") as box:
            if box.open:
                names = sorted(((gone.title, gone.document_id) for gone in missing), key=lambda name: _natural(name[1]))
                tables.names_table(names, f"which_table_{source.id}")
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Confirm deletion", icon=":material/delete_sweep:", key=f"approve_{source.id}",
                on_click=notices.on_click, args=(tools.admin.approve, source.id), kwargs={"at": f"withheld_{source.id}"},
            )  # fmt: skip
            st.button(
                "Check again", icon=":material/refresh:", key=f"look_{source.id}",
                on_click=notices.on_click, args=(tools.admin.request_sync, source.id), kwargs={"at": f"withheld_{source.id}"},
            )  # fmt: skip
        notices.draw_at(f"withheld_{source.id}")


def _natural(text: str) -> list[tuple[int, str]]:
    """Sorts page-2 before page-10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,18})", text)]


def _used_meanwhile(missing: Sequence[Tombstone]) -> str:
    if all(gone.verdict == "emptied" for gone in missing):
        return "They became empty and are used in answers as they were last read, until you confirm that they are meant to be."
    return "They are not used in answers meanwhile. If they come back, they are used again."
