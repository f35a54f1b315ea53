"""What could be used without typing anything: models on this machine, keys in the environment."""

from __future__ import annotations

import streamlit as st

from prompts.model import ModelSettings
from prompts.model.discovery import FoundServer, find_keys
from prompts.model.probe import Probe
from prompts.model.settings import LARGE_CONTEXT
from tree.store.language_model import ModelChoice
from ui.server.administration import Administration
from ui.settings import model_test
from ui.settings.model_fields import PROVIDERS
from ui.settings.model_form import ROUND
from ui.shared import found_models, notices
from ui.shared.background_task import started
from ui.shared.found_models import FOUND
from ui.shared.markup import escaped


def offers(admin: Administration, choice: ModelChoice) -> None:
    """Draws what was found, and tries and saves what somebody has clicked."""
    found, keys = found_models.servers(), find_keys()
    if found or keys:
        with st.container(border=True, key="model_found_here"):
            for number, server in enumerate(found):
                _server(server, number)
            for key in keys:
                with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                    st.markdown(f":material/key: `{key.variable}` is set in the environment.", width="content")
                    st.button(
                        f"Set up {PROVIDERS[key.provider]}", key=f"model_found_{key.provider}", on_click=_choose, args=(key.provider,)
                    )  # fmt: skip
    tried = model_test.about(FOUND)
    if tried is not None:
        model_test.results(FOUND, tried, "model_found_tested")
        _use(admin, choice, tried)


def _server(server: FoundServer, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":material/neurology: {found_models.sentence(server)}", width="content")
        chosen = server.models[0]
        if len(server.models) > 1:
            chosen = st.selectbox(
                f"Model of {found_models.name(server)}", server.models, key=f"model_found_choice_{number}", label_visibility="collapsed", width=230
            )  # fmt: skip
        settings = server.settings.model_copy(update={"model": chosen})
        st.button(
            f"Use {escaped(chosen)}", type="primary", key=f"model_found_use_{number}", on_click=found_models.begin, args=(settings,)
        )  # fmt: skip


def _choose(provider: str) -> None:
    st.session_state[f"model{st.session_state.get(ROUND, 0)}_provider"] = provider


def _use(admin: Administration, choice: ModelChoice, tried: ModelSettings) -> None:
    """Saves a model whose test has just ended well; the background work waits until somebody has seen what it takes."""
    begun = started(FOUND)
    tested: list[tuple[ModelSettings, Probe]] = (begun.task.result if begun is not None else None) or []
    if not tested:
        return
    [(settings, found)] = tested
    if not found.is_good:
        st.caption("It is not used. Choose another, or set it up below.")
        return
    if found.context_tokens:
        settings = settings.model_copy(update={"context_tokens": min(found.context_tokens, LARGE_CONTEXT)})
    st.session_state.pop(FOUND, None)
    if notices.attempt(admin.save_model, choice.model_copy(update={"settings": settings, "answers": True, "paused": True})):
        notices.say(f"{tried.label} works. Questions are answered with it from now on.")
    st.rerun()
