"""What stands where the first answer will: the ways to begin, the first reading, and questions worth asking."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from tree.store.database import StoreError
from tree.workspace import Workspace
from ui.chat.suggestions import suggestions
from ui.shared import pages
from ui.shared.markup import escaped
from ui.shared.scope import Scope
from ui.shared.status import Board
from ui.shared.tools import SAMPLE, SAMPLE_NAME, Tools

_board = Board()


def welcome(tools: Tools, scope: Scope, ask: Callable[[str], None]) -> None:
    sources = tools.sources.all()
    if not sources:
        _begin(tools)
    elif not any(source.synced_at for source in sources):
        _first_reading(tools)
    else:
        _questions(tools, scope, ask)


def _begin(tools: Tools) -> None:
    st.title("Ask your team's documents", anchor=False)
    st.markdown(
        "Knowledge Tree reads your folders, PDFs and Jira tickets, keeps a tree of summaries in step with them, and answers questions by "
        f"walking that tree. Every answer shows the way it took and the exact passages it rests on. {_where_it_goes(tools)}"
    )
    if message := st.session_state.pop("sample_refused", ""):
        st.error(message, icon=":material/error:")
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        st.subheader(":material/sailing: See how it works", anchor=False)
        st.markdown("A made-up ferry operator's project: decisions, minutes, runbooks and incidents of half a year.")
        st.button("Try the sample workspace", type="primary", width="stretch", key="sample", on_click=_add_sample, args=(tools,))
    with right, st.container(border=True, height="stretch"):
        st.subheader(":material/folder_open: Use your own", anchor=False)
        st.markdown("A folder of documents, PDFs, or a Jira site. It is only read, never changed, and followed as it changes.")
        if st.button("Add a folder", width="stretch", key="add-folder"):
            st.switch_page(pages.sources())


def _where_it_goes(tools: Tools) -> str:
    try:
        settings = tools.workspace.model.choice().settings
    except (StoreError, ValueError):
        settings = None  # nothing is asked of a model that cannot be used; Settings says why
    if settings is None:
        return "Everything stays on this machine."
    return f"Questions and the passages read for them go to {escaped(settings.label)} at {escaped(settings.host)}."


def _add_sample(tools: Tools) -> None:
    try:
        tools.sources.add("folder", SAMPLE_NAME, {"path": str(SAMPLE)})
    except StoreError as error:
        st.session_state["sample_refused"] = str(error)


@st.fragment(run_every=1.0)
def _first_reading(tools: Tools) -> None:
    if any(source.synced_at for source in tools.sources.all()):
        st.rerun()
    st.title("Reading for the first time", anchor=False)
    st.markdown("Questions can be asked of what has been read so far. This page goes on by itself.")
    for source in _board.sources(tools):
        if source["tone"] in ("lost", "failed"):
            st.error(f"**{escaped(source['name'])}**: {escaped(source['words'])}", icon=":material/error:")
        elif source["progress"] is not None:
            st.progress(source["progress"], text=f"{escaped(source['name'])}: {escaped(source['words'])}")
        else:
            st.markdown(f":shimmer[{escaped(source['name'])}: {escaped(source['words'])}]")
    if st.button("Look at the sources", icon=":material/folder_open:"):
        st.switch_page(pages.sources())


def _questions(tools: Tools, scope: Scope, ask: Callable[[str], None]) -> None:
    st.title("What would you like to know?", anchor=False)
    read = tuple(source.id for source in tools.sources.all() if source.synced_at)
    found = _suggested(str(tools.workspace.home), scope, read, _workspace=tools.workspace)
    if not found:
        st.markdown("Ask about anything that stands in the documents. The answer names the passages it rests on.")
        return
    st.caption("Some questions these documents answer:")
    with st.container(horizontal=True, key="suggestions", gap="small"):
        for number, question in enumerate(found):
            st.button(question, key=f"suggestion-{number}", on_click=ask, args=(question,))


@st.cache_data(ttl=120, max_entries=40, refresh_mode="background", show_spinner="Looking for good first questions")
def _suggested(home: str, scope: Scope, read: tuple[str, ...], _workspace: Workspace) -> list[str]:
    return suggestions(_workspace, scope)
