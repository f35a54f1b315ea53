"""The tree: an explorer of everything that was read, and the summary record of each place in it."""

from __future__ import annotations

import re
import time

import streamlit as st

from ingestion.source_status import describe_status
from tree.browse.nodes import LONGEST_PLACE, find_node, nearest_above, newest_shown, state_shown
from tree.store.models import FailureRow
from tree.store.nodes import Node
from ui.explorer import view as tree_view
from ui.explorer.component import explorer, record_panel
from ui.server.tools import Tools
from ui.shared import following, pages
from ui.shared.markup import escaped

TREE, RECORD = "explorer", "record"  # keys of the two components
AT, MARK = "at", "mark"  # parameters of the address: a place, and a span "12-80" of its text


def page(tools: Tools) -> None:
    """Draws the page."""
    st.title("Tree")
    workspace = tools.workspace
    state = newest_shown(workspace, tools.principal), state_shown(workspace, tools.principal)
    roots = tree_view.root_rows(workspace, tools.principal)
    if not roots:
        _nothing_yet(tools)
        return
    asked = st.query_params.get(AT, "")
    node = find_node(workspace, tools.principal, asked) if asked else None
    if asked and node is None:
        node = _lost(tools, asked)
    chosen = node or find_node(workspace, tools.principal, roots[0]["place"])
    left, right = st.columns([9, 11], gap="medium")
    with left:
        _explore(tools, node, roots, state)
    with right:
        if chosen is not None:
            _record(tools, chosen)


def _explore(tools: Tools, node: Node | None, roots: list[tree_view.Row], state: tuple[int, str]) -> None:
    path = [step.place for step in tools.workspace.store.nodes.path(node.place)] if node else []
    above = path[:-1] if node and node.kind == "leaf" else path
    levels = {"": roots} | tree_view.levels(tools.workspace, tools.principal, above)
    explorer(levels, path[-1] if path else "", above, state, _chosen, _changed, TREE)


def _record(tools: Tools, node: Node) -> None:
    view = tree_view.record_view(tools.workspace, node, read_mark(st.query_params.get(MARK, "")), _stale(tools, node))
    with st.container(horizontal=True, vertical_alignment="center", gap=None, key="place-actions"):  # words for one row of them
        # a link, so that the browser's Back leads here again
        st.page_link(
            pages.chat(), label="Ask about it", icon=":material/forum:", query_params={AT: node.place}, help=_ask_words(node)
        )
        if node.kind != "leaf":
            st.page_link(
                pages.activity(),
                label="Changes",
                icon=":material/history:",
                query_params={AT: node.place},
                help="What changed here",
            )
        following.button(tools, node.place, node.title, "follow-place")
        if view["document"]:
            page_of = (view["text"] or {}).get("page")
            address = view["document"]["original"] + (f"#page={page_of}" if page_of else "")
            st.link_button(
                "Original", address, icon=":material/open_in_new:", type="tertiary", help="Open the document at its source"
            )
    record_panel(view, _gone_to, RECORD)


def _stale(tools: Tools, node: Node) -> FailureRow | None:
    """Why the node's document cannot be read now, where the tree keeps it as it was last read."""
    if not node.document_id:
        return None
    return next((row for row in tools.sources.stale(node.source_id) if row.document_id == node.document_id), None)


def _ask_words(node: Node) -> str:
    return "Ask about this passage alone" if node.kind == "leaf" else "Ask about this branch alone"


def read_mark(text: str) -> tuple[int, int] | None:
    """The start and end of a span of text as written in the address; None for anything else."""
    match = re.fullmatch(r"(\d{1,7})-(\d{1,7})", text, re.ASCII)
    start, end = (int(match[1]), int(match[2])) if match else (0, 0)
    return (start, end) if start < end else None


# ---------------------------------------------------------------- what the person does


def _chosen() -> None:
    _go(st.session_state[TREE].select)


def _gone_to() -> None:
    target = st.session_state[RECORD].go or {}
    _go(target.get("place"), target.get("start"), target.get("end"))


def _changed() -> None:
    """Somebody published a newer tree: the page is drawn from it."""


def _go(place: object, start: object = None, end: object = None) -> None:
    """Leads the address to a place; what came from the browser is only believed to be text."""
    if not isinstance(place, str) or not 0 < len(place) <= LONGEST_PLACE:
        return
    parameters = {AT: place}
    if isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
        parameters[MARK] = f"{start}-{end}"
    st.query_params.from_dict(parameters)


# ---------------------------------------------------------------- nothing to show


def _nothing_yet(tools: Tools) -> None:
    sources = tools.visible_sources()
    with st.container(border=True):
        if any(source.state in ("new", "waiting", "syncing") and not source.paused for source in sources):
            st.markdown("**The first documents are being read.** The tree appears here as soon as there is something in it.")
            _wait_for_the_first(tools)
        elif sources:
            st.markdown("**Nothing could be read yet.** The Sources page shows why, and what to do.")
        else:
            st.markdown(
                "**There is no tree yet.** Add a folder or some PDFs, and everything in them appears here, ordered and summarized."
            )
        if tools.principal.is_admin and st.button("Open Sources", icon=":material/folder_open:", type="primary"):
            st.switch_page(pages.sources())


@st.fragment(run_every=1)
def _wait_for_the_first(tools: Tools) -> None:
    if tools.workspace.store.nodes.roots():
        st.rerun()
    for source in tools.visible_sources():
        if source.state in ("waiting", "syncing"):
            status = describe_status(source, time.time())
            st.progress(status.share or 0.0, escaped(f"{source.name}: {status.sentence}"))


def _lost(tools: Tools, asked: str) -> Node | None:
    """Says that a place is gone, and leads to the nearest one that is still there."""
    near = nearest_above(tools.workspace, tools.principal, asked)
    if near is None:
        st.warning(
            "This link leads to no place in the tree: it is mistyped, or its source was removed.", icon=":material/link_off:"
        )
        return None
    st.warning(
        "This place is no longer in the tree: it was deleted, moved or renamed at its source. Below is the nearest place above it.",
        icon=":material/history:",
    )
    return near
