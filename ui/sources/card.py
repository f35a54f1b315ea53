"""One source on the page of sources: how it stands, what could not be read, what went missing, what can be done."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from tree.store.models import Source, Tombstone
from ui.shared import pages, upgrades
from ui.shared import source_status as source_view
from ui.shared.markup import escaped
from ui.shared.notices import attempt
from ui.shared.tools import SAMPLE, Tools
from ui.sources import jira_view, uploads
from ui.sources import removed as source_gone
from ui.sources.removed import natural, rows_of

FAULTS = {
    "folder": "a drive that is not connected, a folder that was renamed, a pattern in the settings",
    "jira": "a right that was taken from the account, a project that was renamed, another filter in the settings",
}  # what makes many documents go missing at once
DIALOG, LOOKED = "sources_dialog", "sources_looked"  # in the session


def card(tools: Tools, source: Source) -> None:
    now = time.time()
    withheld = tools.sources.withheld(source.id)
    state = source_view.told(source, now, _time_left(source, now), len(withheld))
    with st.container(border=True, key=f"source_{source.id}"):
        kind, icon = _kind(tools, source)
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
            st.markdown(f"#### {icon} {escaped(source.name)}", width="content")
            st.badge(state.label, icon=state.icon, color=state.tone)
        st.caption(f"{kind} · {place_in_words(tools, source)}")
        st.markdown(escaped(state.sentence))
        if state.share is not None:
            st.progress(state.share)
        if state.to_do:
            _advise(state)
        found = source_view.counts(tools.workspace.store, source)
        changed = f" · last change {source_view.ago(now - source.changed_at)}" if source.changed_at else ""
        heard = f" · last webhook {source_view.ago(now - source.heard_at)}" if source.heard_at else ""
        st.caption(source_view.counts_in_words(found) + changed + heard)
        if upgraded := upgrades.in_words(upgrades.look.of_source(tools.workspace, source.id)):
            st.caption(f":material/auto_stories: {upgraded}")
        _withheld(tools, source, withheld)
        _unreadable(tools, source, found["partly"])
        if source.kind == "jira":
            source_gone.gone(tools, source)
        _actions(tools, source)


def _kind(tools: Tools, source: Source) -> tuple[str, str]:
    if uploads.is_upload(tools.workspace.home, source):
        return "Uploaded files", ":material/upload_file:"
    return source_view.KINDS.get(source.kind, (source.kind, ":material/database:"))


def place_in_words(tools: Tools, source: Source) -> str:
    if uploads.is_upload(tools.workspace.home, source):
        return "kept by this app"
    if source.kind == "jira":
        return escaped(jira_view.scope_in_words(source.config))
    if source.config.get("path") == str(SAMPLE):
        return "comes with this app"
    return escaped(str(source.config.get("path", "")))


def _advise(state: source_view.Told) -> None:
    if state.tone == "red":
        st.error(escaped(state.to_do))
    elif state.tone == "orange":
        st.warning(escaped(state.to_do))
    else:
        st.caption(escaped(state.to_do))


def _time_left(source: Source, now: float) -> float | None:
    """Going by the progress that this page has seen."""
    looked: dict[str, tuple[float, int]] = st.session_state.setdefault(LOOKED, {})
    if source.state != "syncing":
        looked.pop(source.id, None)
        return None
    if source.id not in looked or looked[source.id][1] > source.done:
        looked[source.id] = (now, source.done)
    return source_view.time_left(source, looked[source.id], now)


def _actions(tools: Tools, source: Source) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        waits = source.requested_at is not None or source.state == "syncing"
        st.button(
            "Sync now", icon=":material/sync:", key=f"sync_{source.id}", disabled=source.paused or waits,
            help="Looks at everything in it now. Changes are noticed by themselves as well.", on_click=attempt, args=(tools.sources.request_sync, source.id),
        )  # fmt: skip
        words, icon = ("Resume", ":material/play_arrow:") if source.paused else ("Pause", ":material/pause:")
        st.button(
            words, icon=icon, key=f"pause_{source.id}", on_click=attempt, args=(tools.sources.pause, source.id, not source.paused)
        )
        if st.button("Settings", icon=":material/tune:", key=f"settings_{source.id}"):
            _ask_for("settings", source)
        if st.button("Remove", icon=":material/delete:", key=f"remove_{source.id}"):
            _ask_for("remove", source)
        if source_view.counts(tools.workspace.store, source)["documents"]:
            st.page_link(pages.tree(), label="See its tree", icon=":material/account_tree:", query_params={"at": f"{source.id}/"})


def _ask_for(what: str, source: Source) -> None:
    st.session_state[DIALOG] = (what, source.id)
    st.rerun()


def _unreadable(tools: Tools, source: Source, partly: int) -> None:
    number = tools.workspace.store.count_failures([source.id])
    if number:
        with st.expander(
            source_view.counted(number, "document could not be read", "documents could not be read"),
            icon=":material/report:", key=f"failures_{source.id}", on_change="rerun",
        ) as box:  # fmt: skip
            if box.open:
                failures = tools.sources.failures(source.id)
                st.caption("They are not in the tree and no answer uses them. Each is read again by itself when it changes.")
                st.html(source_view.failures_table(rows_of(failures, f"failures_page_{source.id}")))
                _again(tools, source, [failure.document_id for failure in failures], f"again_{source.id}")
    if partly:
        with st.expander(
            source_view.counted(partly, "document was read only in part", "documents were read only in part"),
            icon=":material/rule:", key=f"partly_{source.id}", on_change="rerun",
        ) as box:  # fmt: skip
            if box.open:
                documents = tools.workspace.store.documents_with_problems(source.id)
                st.caption("What could be read of them is in the tree. This is what is missing.")
                st.html(source_view.problems_table(rows_of(documents, f"partly_page_{source.id}")))
                _again(tools, source, [document["id"] for document in documents], f"again_partly_{source.id}")


def _again(tools: Tools, source: Source, ids: list[str], key: str) -> None:
    st.button(
        "Try again",
        icon=":material/refresh:",
        key=key,
        disabled=source.paused,
        on_click=attempt,
        args=(tools.sources.read_again, source.id, ids),
    )


def _withheld(tools: Tools, source: Source, missing: Sequence[Tombstone]) -> None:
    if not missing:
        return
    with st.container(border=True, key=f"withheld_{source.id}"):
        number = source_view.counted(len(missing), "document", "documents")
        st.markdown(f":material/help: **{number} went missing at once.**")
        st.markdown(
            f"So many at once look like a fault: {FAULTS.get(source.kind, FAULTS['folder'])}. "
            "Nothing is answered from them. If they come back, they count again by themselves."
        )
        with st.expander("Which ones", key=f"which_{source.id}", on_change="rerun") as box:
            if box.open:
                names = sorted(((gone.document_id, gone.title) for gone in missing), key=lambda name: natural(name[0]))
                st.html(source_view.names_table(rows_of(names, f"which_page_{source.id}")))
        with st.container(horizontal=True, gap="small"):
            st.button(
                "They are really gone", icon=":material/delete_sweep:", key=f"approve_{source.id}",
                on_click=attempt, args=(tools.sources.decide, source.id),
            )  # fmt: skip
            st.button(
                "Look again", icon=":material/refresh:", key=f"look_{source.id}",
                on_click=attempt, args=(tools.sources.request_sync, source.id),
            )  # fmt: skip
