"""A model that runs inside the app: fetched from a host or named by its file, tried, then used; and how the one in use stands."""

from __future__ import annotations

import os
from typing import Any

import streamlit as st

from ingestion.words import counted
from prompts.engine.catalogue import GIGABYTE, RECOMMENDED, Model, recommended_for
from prompts.engine.memory import sized, total_memory
from prompts.engine.spec import INSTALL, EngineSpec, is_installed
from tree.local_model import TriedFile, try_file
from tree.store.language_model import ModelChoice
from ui.server.engine import downloads, engine_state, files_here
from ui.server.tools import Tools
from ui.settings import model_check, model_download
from ui.shared import found_models, notices
from ui.shared.admins import for_admins
from ui.shared.background_task import BackgroundTask, StopOnClose, result_of, start, started
from ui.shared.markup import escaped

KEY = "local"  # of the widgets
TRIED = "local_tried"  # in the session: a file that is tried
REFRESH_SECONDS = 2.0
WORDS = {"starting": "is being loaded", "ready": "is running", "waiting": "is not running", "stopped": "is not running"}


def section(tools: Tools, choice: ModelChoice) -> None:
    """Draws how to get a model that needs no server."""
    is_begun = downloads.current is not None or started(TRIED) is not None or started(model_download.looked_up(KEY)) is not None
    is_open = is_begun or found_models.OWN in st.session_state
    with st.expander("Run a model inside the app", icon=":material/memory:", key="local_model", expanded=is_open):
        st.markdown(
            "For this no server is needed: the app runs a model file (GGUF) in a process of its own. Nothing leaves this machine. "
            + _machine_words()
        )
        if not is_installed():
            st.markdown(f"It needs one more package. Run `{INSTALL}`, then start the app again.")
            return
        st.markdown("**Fetch a model**")
        _fetch(tools)
        st.markdown("**Use a file**")
        _file(tools, choice)


def _machine_words() -> str:
    memory = total_memory()
    told = f"{memory / GIGABYTE:.0f} GB of memory and " if memory is not None else ""
    return f"This machine has {told}{counted(os.cpu_count() or 1, 'processor')}."


# ---------------------------------------------------------------- fetching


def _fetch(tools: Tools) -> None:
    model_download.fetch(tools, KEY, RECOMMENDED, recommended_for(total_memory()), _told)


def _told(model: Model) -> str:
    return f"{model.title} (about {model.gigabytes:.1f} GB, {model.licence})"


# ---------------------------------------------------------------- a file


def _file(tools: Tools, choice: ModelChoice) -> None:
    here = files_here(tools.workspace)
    listed = st.selectbox("Model file", list(here), key="local_file") if here else None
    words = "Or the path of another file" if here else "Path of a model file on this machine"
    typed = st.text_input(
        words, key="local_path", placeholder="/models/qwen2.5-7b-instruct-q4_k_m.gguf", autocomplete="off"
    ).strip()
    chosen = typed or listed
    if st.button("Try and use it", icon=":material/play_arrow:", key="local_try") and chosen:
        start(TRIED, chosen, _trying(tools, typed or here[chosen]))
    notices.draw_at(TRIED)
    begun = started(TRIED)
    if begun is not None:
        tried: TriedFile | None = result_of(TRIED, begun.about, f"Loading and testing {begun.about} …", "local_trying")
        if tried is not None:
            _use(tools, choice, tried)


def _trying(tools: Tools, path: str) -> Any:
    home = tools.workspace.home

    def work(task: BackgroundTask[TriedFile]) -> TriedFile:
        stop = task.closes_on_cancel(StopOnClose()).stop
        return try_file(path, home, stop, task.closes_on_cancel)

    return work


def _use(tools: Tools, choice: ModelChoice, tried: TriedFile) -> None:
    limits = choice.limits_of(tried.settings)
    if tried.found.fits(limits):
        if _save(tools, choice, tried):
            takes = found_models.reading_time(tools.workspace, tried.settings, None)
            notices.say(f"{tried.spec.name} works. Questions are answered with it from now on. {takes}")
        st.rerun()
    with st.container(border=True, key="local_findings"):
        model_check.findings(tried.settings, tried.found, limits)
    if tried.found.can_be_used and st.button("Use it anyway", icon=":material/warning:", key="local_anyway"):
        if _save(tools, choice, tried):
            notices.say(model_check.used_anyway(tried.spec.name, tried.found.trial, limits), "bad")
        st.rerun()


def _save(tools: Tools, choice: ModelChoice, tried: TriedFile) -> bool:
    """Uses the file; the results of its test stay on the page, on the card of what is set."""
    st.session_state.pop(TRIED, None)
    st.session_state.pop(found_models.OWN, None)
    model_check.keep(model_check.SAVED, tried.settings, tried.found)
    downloads.forget()
    return notices.attempt(tools.admin.save_model, tried.used_in(choice), at=TRIED)


# ---------------------------------------------------------------- the one in use


def running(tools: Tools, spec: EngineSpec) -> None:
    """How the process of the model stands, drawn anew while the page is open."""
    st.fragment(for_admins, run_every=REFRESH_SECONDS)(_state, tools, spec)


def _state(tools: Tools, spec: EngineSpec) -> None:
    state = engine_state(tools.workspace)
    memory = f", holding {sized(state.memory)} of memory" if state.memory is not None else ""
    again = f" It was started again {counted(state.restarts, 'time')}." if state.restarts else ""
    words = f"The app runs this model; it {WORDS[state.name]}{memory}.{again}"
    if state.name in ("waiting", "stopped"):
        st.warning(escaped(f"{words} {state.sentence}".rstrip()), icon=":material/memory_alt:")
    else:
        st.caption(
            f":material/memory: {escaped(words)} {spec.context_tokens:,} tokens of context, {counted(spec.used_threads, 'thread')}."
        )
