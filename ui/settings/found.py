"""What could be used without typing anything: models on this machine, keys in the environment."""

from __future__ import annotations

import streamlit as st

from prompts.model import ModelSettings
from prompts.model.discovery import FoundServer, find_keys
from prompts.model.probe import Probe
from tree.store.language_model import ModelChoice
from ui.server.tools import Tools
from ui.settings import model_check
from ui.settings.model_form import ROUND
from ui.shared import found_models, notices
from ui.shared.background_task import started
from ui.shared.found_models import FOUND, PROVIDERS
from ui.shared.markup import escaped


def offers(tools: Tools, choice: ModelChoice) -> None:
    """Draws what was found, and tries and saves what somebody has clicked."""
    if wanted := st.session_state.pop(found_models.WANTED, ""):
        _choose(wanted)
    found, keys = found_models.servers(), find_keys()
    if found or keys:
        with st.container(border=True, key="model_found_here"):
            for number, server in enumerate(found):
                _server(tools, server, number)
            for key in keys:
                with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                    st.markdown(f":material/key: `{key.variable}` is set in the environment.", width="content")
                    st.button(
                        f"Set up {PROVIDERS[key.provider]}", key=f"model_found_{key.provider}", on_click=_choose, args=(key.provider,)
                    )  # fmt: skip
    notices.draw_at(FOUND)
    tried = model_check.about(FOUND)
    if tried is not None:
        model_check.results(FOUND, tried, "model_found_tested", choice.question_seconds)
        _use(tools, choice, tried)


def _server(tools: Tools, server: FoundServer, number: int) -> None:
    key = f"model_found_choice_{number}"
    chosen = st.session_state.get(key, server.models[0])
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":material/neurology: {found_models.sentence(server, tools, chosen)}", width="content")
        if len(server.models) > 1:
            chosen = st.selectbox(
                f"Model of {found_models.name(server)}", server.models, key=key, label_visibility="collapsed", width=230
            )  # fmt: skip
        settings = server.settings.model_copy(update={"model": chosen})
        # not by a callback: that would be handed what was chosen one run before
        if st.button(f"Use {escaped(chosen)}", type="primary", key=f"model_found_use_{number}"):
            found_models.begin(settings)


def _choose(provider: str) -> None:
    st.session_state[f"model{st.session_state.get(ROUND, 0)}_provider"] = provider


def _use(tools: Tools, choice: ModelChoice, tried: ModelSettings) -> None:
    """Saves a model whose test has just ended well; the background work waits until somebody has seen what it takes."""
    begun = started(FOUND)
    tested: list[tuple[ModelSettings, Probe]] = (begun.task.result if begun is not None else None) or []
    if not tested:
        return
    [(settings, found)] = tested
    limits = choice.limits_of(settings)
    if found.fits(limits):
        if _save(tools, choice, settings, found):
            takes = found_models.reading_time(tools.workspace, settings, None)
            notices.say(f"{tried.label} works. Questions are answered with it from now on. {takes}")
        st.rerun()
    st.caption("It is not used. Choose another, or set it up below.")
    if found.can_be_used and st.button("Use it anyway", icon=":material/warning:", key="model_found_anyway"):
        if _save(tools, choice, settings, found):
            notices.say(model_check.used_anyway(tried.label, found.trial, limits), "bad")
        st.rerun()


def _save(tools: Tools, choice: ModelChoice, settings: ModelSettings, found: Probe) -> bool:
    """Uses the model; the results of its test stay on the page, on the card of what is set."""
    st.session_state.pop(FOUND, None)
    model_check.keep(model_check.SAVED, settings, found)
    changed = {"settings": settings, "answers": True, "held_back": False, "paused": True, "last_trial": found.trial}
    return notices.attempt(tools.admin.save_model, choice.model_copy(update=changed), at=FOUND)
