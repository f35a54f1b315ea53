"""What left a source lately, and what the next full rescan would remove."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from ingestion.sources import Missing
from ingestion.words import counted
from tree.store.models import Source
from ui.server.tools import Tools
from ui.shared.background_task import BackgroundTask
from ui.shared.markup import escaped
from ui.sources import tables

PREVIEWS = "sources_previews"  # in the session: background tasks by source


def removed_documents(tools: Tools, source: Source) -> None:
    """An expander with what left the source in the last 30 days, and a preview of the next full rescan."""
    tombstones = [tombstone for tombstone in tools.sources.tombstones(source.id) if not tombstone.awaiting_approval]
    label = f"{counted(len(tombstones), 'document')} removed in the last 30 days" if tombstones else "Removed documents"
    with st.expander(label, icon=":material/history:", key=f"gone_{source.id}", on_change="rerun") as box:
        if box.open or is_previewing(source):
            if tombstones:
                tables.tombstones_table(tombstones, time.time(), key=f"gone_table_{source.id}")
            else:
                st.caption("No document was removed in the last 30 days.")
            _preview(tools, source)


def is_previewing(source: Source) -> bool:
    """Whether a preview of this source is running."""
    return (task := _tasks().get(source.id)) is not None and not task.ended.is_set()


def _tasks() -> dict[str, BackgroundTask[list[Missing]]]:
    tasks: dict[str, BackgroundTask[list[Missing]]] = st.session_state.setdefault(PREVIEWS, {})
    return tasks


def _preview(tools: Tools, source: Source) -> None:
    task = _tasks().get(source.id)
    if task is not None and not task.ended.is_set():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f":shimmer[Comparing with the source …] {time.monotonic() - task.began:.0f} s", width="content")
            st.button("Cancel", icon=":material/close:", key=f"preview_cancel_{source.id}", on_click=task.cancel)
        return
    st.button(
        "Preview the next rescan", icon=":material/preview:", key=f"preview_{source.id}", on_click=_start, args=(tools, source),
        help="Compares the tree with everything in the source, as a full rescan does, and changes nothing.",
    )  # fmt: skip
    if task is None or task.state == "cancelled":
        return
    if task.state == "failed":
        st.error(escaped(task.message), icon=":material/error:")
        return
    _show(task.result or [], source)


def _start(tools: Tools, source: Source) -> None:
    _tasks()[source.id] = BackgroundTask(lambda _: tools.admin.missing(source))


def _show(missing: Sequence[Missing], source: Source) -> None:
    if not missing:
        st.success("A full rescan would remove nothing.", icon=":material/check_circle:")
        return
    st.markdown(f"A full rescan would remove {counted(len(missing), 'document')}:")
    tables.missing_table(missing, key=f"preview_table_{source.id}")
