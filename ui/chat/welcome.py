"""The chat page before the first question: how to start, the first sync, and questions to ask."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ingestion.words import counted
from prompts.engine.spec import is_installed
from prompts.model.discovery import FoundKey, FoundServer, find_keys
from tree.store.database import StoreError
from ui.chat.suggestion_cache import SuggestionCache
from ui.server.scope import QuestionScope
from ui.server.status_board import StatusBoard
from ui.server.tools import SAMPLE, SAMPLE_NAME, Tools
from ui.shared import found_models, pages
from ui.shared.background_task import BackgroundTask
from ui.shared.markup import escaped

QUICK_SECONDS = 0.3  # most suggestions are known or found by then, and the page need not be drawn twice
_board = StatusBoard()
_suggested = SuggestionCache()


def welcome(tools: Tools, scope: QuestionScope, ask: Callable[[str], None]) -> None:
    sources = tools.visible_sources()
    if not sources and not tools.principal.is_admin:
        _nothing_for_members()
    elif not sources:
        _begin(tools)
    elif not any(source.synced_at for source in sources):
        _first_sync(tools)
    else:
        _questions(tools, scope, ask)


def _nothing_for_members() -> None:
    st.title("Ask your team's documents", anchor=False)
    st.markdown("There is no source yet that you may see. An admin adds sources, and says who may see them.")


def _begin(tools: Tools) -> None:
    st.title("Ask your team's documents", anchor=False)
    st.markdown(
        "Knowledge Tree reads your folders, PDFs and Jira tickets, keeps a tree of summaries up to date with them, and answers questions "
        f"by walking that tree. Every answer shows the path it took and cites the exact passages. {_where_it_goes(tools)}"
    )
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        st.subheader(":material/sailing: See how it works", anchor=False)
        st.markdown("A made-up ferry operator's project: decisions, minutes, runbooks and incidents of half a year.")
        st.button("Try the sample workspace", type="primary", width="stretch", key="sample", on_click=_add_sample, args=(tools,))
        if message := st.session_state.pop("sample_refused", ""):
            st.error(message, icon=":material/error:")
    with right, st.container(border=True, height="stretch"):
        st.subheader(":material/folder_open: Use your own", anchor=False)
        st.markdown(
            "A folder of documents, PDFs, or a Jira site. Nothing in it is changed; what changes there is read within seconds."
        )
        if st.button("Add a folder", width="stretch", key="add-folder"):
            st.switch_page(pages.sources())
    _found_model(tools, is_first_page=True)
    _search_by_meaning(tools)


def _found_model(tools: Tools, *, is_first_page: bool = False) -> None:
    """A model that could be used at once, else a key that is there already, else on the first page one that the app could run by
    itself. Nothing is sent, or fetched, before somebody clicks."""
    if not tools.principal.is_admin or not found_models.is_none_set(tools.workspace.model):
        return
    servers, keys = found_models.servers(), find_keys()
    if servers:
        _found_server(tools, servers[0], len(servers) - 1)
    elif keys:
        _found_key(keys[0])
    elif is_first_page and is_installed():
        _own_model()


def _found_server(tools: Tools, server: FoundServer, others: int) -> None:
    more = f" Settings offers {counted(others, 'more model server', 'more model servers')}." if others else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="found-model"):
        st.caption(f":material/neurology: {found_models.sentence(server, tools)}{more}", width="content")
        if st.button(f"Use {escaped(server.models[0])}", key="use-found-model"):
            found_models.begin(server.settings)
            st.switch_page(pages.settings())


def _found_key(key: FoundKey) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="found-key"):
        name = found_models.PROVIDERS[key.provider]
        st.caption(
            f":material/key: **`{key.variable}` is set in the environment.** A model of {name} could answer and summarize; questions, and "
            "the passages read for them, would go there.",
            width="content",
        )
        if st.button(f"Set up {name}", key="use-found-key"):
            st.session_state[found_models.WANTED] = key.provider
            st.switch_page(pages.settings())


def _own_model() -> None:
    """What could be had without a server, for the package that runs a model is installed."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="own-model"):
        st.caption(
            ":material/memory: **A language model** answers and summarizes in its own words. The app can fetch one that fits this machine, "
            "and run it; nothing leaves this machine.",
            width="content",
        )
        if st.button("Choose a model", key="choose-own-model"):
            st.session_state[found_models.OWN] = True
            st.switch_page(pages.settings())


def _search_by_meaning(tools: Tools) -> None:
    """What it brings, to an admin who could begin it with a click."""
    if not tools.principal.is_admin or not is_installed() or tools.workspace.meaning.model.described().settings is not None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="search-by-meaning"):
        st.caption(
            ":material/hub: **Search by meaning** finds passages that answer in other words, with a small model that runs on this machine.",
            width="content",
        )
        if st.button("Set it up", key="set-up-meaning"):
            st.switch_page(pages.settings(), query_params={"settings_tab": "Meaning"})


def _where_it_goes(tools: Tools) -> str:
    try:
        settings = tools.workspace.model.choice().settings
    except (StoreError, ValueError):
        settings = None  # a model that cannot be used is not asked; Settings says why
    if settings is None:
        return "Everything stays on this machine."
    passed_on = f", which passes them on to {settings.passed_on_to}" if settings.passed_on_to else ""
    return f"Questions and the passages read for them go to {escaped(settings.label)} at {escaped(settings.host)}{passed_on}."


def _add_sample(tools: Tools) -> None:
    try:
        tools.admin.add_source("folder", SAMPLE_NAME, {"path": str(SAMPLE)})
    except StoreError as error:
        st.session_state["sample_refused"] = str(error)


@st.fragment(run_every=1.0)
def _first_sync(tools: Tools) -> None:
    if any(source.synced_at for source in tools.visible_sources()):
        st.rerun()
    st.title("First sync", anchor=False)
    st.markdown("You can already ask about what has been read. This page updates by itself.")
    for source in _board.sources(tools):
        if source["tone"] in ("warning", "error"):
            st.error(f"**{escaped(source['name'])}**: {escaped(source['words'])}", icon=":material/error:")
        elif source["progress"] is not None:
            st.progress(source["progress"], text=f"{escaped(source['name'])}: {escaped(source['words'])}")
        else:
            st.markdown(f":shimmer[{escaped(source['name'])}: {escaped(source['words'])}]")
    if tools.principal.is_admin and st.button("Open Sources", icon=":material/folder_open:"):
        st.switch_page(pages.sources())


def _questions(tools: Tools, scope: QuestionScope, ask: Callable[[str], None]) -> None:
    st.title("What would you like to know?", anchor=False)
    read = tuple(source.id for source in tools.visible_sources() if source.synced_at)
    processes = tools.answers.processes
    apart = processes if processes is not None and processes.are_wanted(tools.answers.count_unfinished()) else None
    task = _suggested.find(tools.workspace, tools.principal, scope, read, apart)
    if not task.ended.wait(QUICK_SECONDS):
        _wait_for(task)
        return
    if not task.result:
        st.markdown("Ask about anything in the documents. The answer cites its passages.")
        return
    st.caption("Some questions these documents answer:")
    with st.container(horizontal=True, key="suggestions", gap="small"):
        for number, question in enumerate(task.result):
            st.button(escaped(question), key=f"suggestion-{number}", on_click=ask, args=(question,), wrap=True)
    _found_model(tools)


@st.fragment(run_every=0.5)
def _wait_for(task: BackgroundTask[list[str]]) -> None:
    """The page is usable meanwhile, and drawn again when they are there."""
    if task.ended.is_set():
        st.rerun()
    st.caption("Finding questions to start with …")
