"""What left a source lately, and what the next full look at it would take away."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

import streamlit as st

from ingestion.preview import preview
from ingestion.sources import Missing
from tree.store.models import Source
from ui.shared import source_status as source_view
from ui.shared.background_work import Errand
from ui.shared.markup import escaped
from ui.shared.tools import Tools

ROWS = 25  # of a table at once
LOOKS = "sources_previews"  # in the session: errands by source


def gone(tools: Tools, source: Source) -> None:
    tombstones = [tombstone for tombstone in tools.sources.tombstones(source.id) if not tombstone.undecided]
    left = source_view.counted(len(tombstones), "document left", "documents left")
    label = f"{left} in the last 30 days" if tombstones else "What left, and what would leave"
    with st.expander(label, icon=":material/history:", key=f"gone_{source.id}", on_change="rerun") as box:
        if box.open or is_looking(source):
            if tombstones:
                st.html(source_view.tombstones_table(rows_of(tombstones, f"gone_page_{source.id}"), time.time()))
            else:
                st.caption("Nothing has left this source in the last 30 days.")
            _preview(tools, source)


def is_looking(source: Source) -> bool:
    return (errand := _errands().get(source.id)) is not None and not errand.ended.is_set()


def _errands() -> dict[str, Errand[list[Missing]]]:
    return st.session_state.setdefault(LOOKS, {})


def _preview(tools: Tools, source: Source) -> None:
    errand = _errands().get(source.id)
    if errand is not None and not errand.ended.is_set():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f":shimmer[Looking what is still there …] {time.monotonic() - errand.began:.0f} s", width="content")
            st.button("Give up", icon=":material/close:", key=f"preview_give_up_{source.id}", on_click=errand.give_up)
        return
    st.button(
        "What would be removed now?", icon=":material/preview:", key=f"preview_{source.id}", on_click=_look, args=(tools, source),
        help="Compares the tree with everything that is there, as the regular full look does, and changes nothing.",
    )  # fmt: skip
    if errand is None or errand.state == "given up":
        return
    if errand.state == "failed":
        st.error(escaped(errand.message), icon=":material/error:")
        return
    _show(errand.result or [], source)


def _look(tools: Tools, source: Source) -> None:
    _errands()[source.id] = Errand(lambda _: preview(tools.workspace, tools.sources, source))


def _show(missing: Sequence[Missing], source: Source) -> None:
    if not missing:
        st.success("A full look would remove nothing: all that the tree has is still there.", icon=":material/check_circle:")
        return
    st.markdown(f"A full look would remove {source_view.counted(len(missing), 'document', 'documents')}:")
    st.html(source_view.missing_table(rows_of(missing, f"preview_page_{source.id}")))


def rows_of(rows: Sequence[Any], key: str) -> Sequence[Any]:
    """The rows to show, with a control for the others where there are many."""
    if len(rows) <= ROWS:
        return rows
    number = st.pagination(-(-len(rows) // ROWS), key=key)
    return rows[(number - 1) * ROWS : number * ROWS]


def natural(text: str) -> list[tuple[int, str]]:
    """Sorts page-2 before page-10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,18})", text)]
