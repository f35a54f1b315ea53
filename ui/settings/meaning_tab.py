"""The tab Meaning: a model of embeddings is chosen and tried, its vectors are made, and what that takes is told before."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from ingestion.embedding_progress import EmbeddingProgress, embedding_estimate, embedding_progress
from ingestion.words import counted, duration
from prompts.engine.catalogue import EMBEDDINGS, Model
from prompts.engine.memory import sized
from prompts.engine.spec import INSTALL, EngineSpec, is_installed
from prompts.engine.state import EMBEDDING_ENGINE
from prompts.errors import ModelError
from prompts.model import ModelSettings
from prompts.model.embedding_trial import PROVIDERS, EmbeddingTrial, try_embedding
from tree.local_model import try_embedding_file
from tree.store.database import StoreError
from tree.store.embedding_model import EmbeddingChoice
from ui.server.engine import engine_state, files_here
from ui.server.tools import Tools
from ui.server.upgrades import REFRESH_SECONDS
from ui.settings import model_download, model_fields
from ui.settings.local_model import WORDS
from ui.settings.upgrade_card import rounded
from ui.shared import found_models, notices
from ui.shared.admins import for_admins
from ui.shared.background_task import result_of, start, started
from ui.shared.markup import escaped
from ui.shared.usage import money

KEY = "meaning_own"  # of the widgets by which a model is fetched
TRIED, TRIED_FILE = "meaning_tried", "meaning_file_tried"  # in the session: the last test
ROUND = "meaning_round"  # in the session; another round is an empty form, in the browser too
EXAMPLES = {"openai": "text-embedding-3-small", "ollama": "nomic-embed-text", "openai-compatible": "bge-m3"}
Color = Literal["gray", "green", "blue", "orange", "red"]
NOT_STARTED: tuple[str, str, Color] = ("Not started", ":material/play_circle:", "gray")
BADGES: dict[str, tuple[str, str, Color]] = {
    "done": ("Up to date", ":material/check_circle:", "green"),
    "running": ("Running", ":material/sync:", "blue"),
    "paused": ("Paused", ":material/pause_circle:", "gray"),
    "waiting": ("Waiting", ":material/hourglass_top:", "orange"),
    "stopped": ("Stopped", ":material/error:", "red"),
}


def meaning_tab(tools: Tools) -> None:
    """Draws what is set and how far its vectors are, or how to set it."""
    model = tools.workspace.meaning.model
    try:
        choice = model.choice()
    except StoreError as error:
        st.error(escaped(f"{error} Enter the model's key again below."), icon=":material/error:")
        choice = model.described()
    if choice.settings is None:
        st.markdown(
            "**Passages are found by their words.** With a model of embeddings those are found too that say the same in other words: of "
            "192 questions on documentation that nobody had tuned on, the right passage came first in 110, by words alone in 100."
        )
        _forms(tools, choice)
        return
    st.fragment(for_admins, run_every=REFRESH_SECONDS)(_card, tools)
    with st.container(horizontal=True, gap="small"):
        _button("Make anew", ":material/restart_alt:", "meaning_anew", tools, "All vectors are made anew.", anew=choice.anew + 1)
        st.button("Turn off", icon=":material/power_settings_new:", key="meaning_forget", on_click=_forget, args=(tools,))
    notices.draw_at("meaning_anew")
    with st.expander("Change the model", icon=":material/edit:", key="meaning_change"):
        _forms(tools, choice)


# ---------------------------------------------------------------- the model that is set


def _card(tools: Tools) -> None:
    choice = tools.workspace.meaning.model.described()
    if choice.settings is None:
        return
    found = embedding_progress(tools.workspace)
    is_new = choice.paused and not found.made
    label, icon, tone = NOT_STARTED if is_new else BADGES[found.state]
    with st.container(border=True, key="meaning_card"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
            st.markdown(f"#### :material/hub: {escaped(choice.settings.model)}", width="content")
            st.badge(label, icon=icon, color=tone)
        st.caption(f"{escaped(choice.title)} · {escaped(choice.place)}")
        st.toggle(
            "Search by meaning too", choice.is_on, key=f"meaning_on_{choice.is_on}", on_change=_change, args=(tools, "meaning_go"),
            kwargs={"is_on": not choice.is_on}, help="Off: passages are found by their words alone. Vectors stay, and are kept up to date.",
        )  # fmt: skip
        if not is_new:
            st.progress(found.share, text=_progress_words(found))
        if choice.paused and found.pending:
            st.markdown(_takes(tools, choice))
        if choice.paused:
            _button("Start" if is_new else "Resume", ":material/play_arrow:", "meaning_go", tools, "", paused=False)
        elif found.pending:
            _button("Pause", ":material/pause:", "meaning_pause", tools, "", paused=True)
        notices.draw_at("meaning_go", "meaning_pause")
        if found.state in ("waiting", "stopped"):  # it comes and goes by itself: below what is clicked
            again = f" It goes on at {time.strftime('%H:%M', time.localtime(found.until))}." if found.until else ""
            st.warning(escaped(found.sentence + again), icon=":material/hourglass_top:")
        if choice.engine is not None:
            state = engine_state(tools.workspace, EMBEDDING_ENGINE)
            why = escaped(state.sentence) if state.name == "waiting" else ""  # one that was just chosen is about to be loaded
            memory = f", holding {sized(state.memory)} of memory" if state.memory is not None else ""
            st.caption(f":material/memory: The app runs this model; it {WORDS[state.name]}{memory}. {why}")
        if found.given_up:
            passages = counted(len(found.given_up), "passage")
            st.caption(
                f":material/report: {passages} without a vector: {escaped(found.given_up[0])} Found by words; tried again in a day."
            )


def _progress_words(found: EmbeddingProgress) -> str:
    total = found.made + found.pending + len(found.given_up)
    left = f", {duration(found.seconds_left)} left" if found.seconds_left else ""
    return f"{found.made:,} of {counted(total, 'passage')} have vectors{left}"


def _takes(tools: Tools, choice: EmbeddingChoice) -> str:
    found = embedding_estimate(tools.workspace, choice)
    seconds = "" if found.seconds is None else f", {duration(found.seconds)}"
    cost = "" if not found.cost else f", {money(found.cost)}"
    return f"**{counted(found.leaves, 'passage')}** are left: about {rounded(found.tokens)} tokens{seconds}{cost}."


def _button(words: str, icon: str, key: str, tools: Tools, said: str, **fields: Any) -> None:
    st.button(words, icon=icon, key=key, on_click=_change, args=(tools, key, said), kwargs=fields)


def _change(tools: Tools, at: str, said: str = "", **fields: Any) -> None:
    if notices.attempt(lambda: tools.admin.change_meaning(**fields), at=at) and said:
        notices.say(said)


def _forget(tools: Tools) -> None:
    if notices.attempt(tools.admin.save_meaning, EmbeddingChoice(), at="meaning_anew"):
        notices.say("Search by meaning is turned off; the model's key and all vectors are deleted.")


# ---------------------------------------------------------------- choosing one


def _forms(tools: Tools, choice: EmbeddingChoice) -> None:
    st.markdown("**A model that the app runs.** It works on this machine, and nothing leaves it.")
    if is_installed():
        _own_model(tools, choice)
    else:
        st.markdown(f"It needs one more package. Run `{INSTALL}`, then start the app again.")
    st.divider()
    st.markdown("**A server or a provider.** All passages, and each question, are sent to its address.")
    _form(tools, choice)


def _form(tools: Tools, choice: EmbeddingChoice) -> None:
    key = f"meaning{st.session_state.setdefault(ROUND, 0)}"
    saved = choice.settings
    now = saved.provider if saved is not None else "openai"
    provider = st.selectbox(
        "Provider", PROVIDERS, next((at for at, one in enumerate(PROVIDERS) if one == now), 0), key=f"{key}_provider",
        format_func=found_models.PROVIDERS.__getitem__,
    )  # fmt: skip
    here = saved if saved is not None and saved.provider == provider else None
    with st.form(f"{key}_form", border=False):
        fields = model_fields.place_fields(f"{key}_{provider}", provider, here, is_fallback=True)
        st.caption(f"A model of embeddings, such as {EXAMPLES[provider]}; one that writes answers makes poor vectors, or none.")
        is_asked = st.form_submit_button("Test and use", icon=":material/save:", type="primary", key=f"{key}_use")
    if is_asked:
        try:
            settings = model_fields.as_settings(fields, saved)
        except model_fields.NotUsable as error:
            st.error(escaped(str(error)), icon=":material/error:")
            return
        start(TRIED, settings, _trying(settings))
    notices.draw_at(TRIED)
    begun = started(TRIED)
    if begun is not None and isinstance(begun.about, ModelSettings):
        tried: EmbeddingTrial | None = result_of(TRIED, begun.about, f"Asking {begun.about.host} …", "meaning_trying")
        if tried is not None:
            _use(tools, choice, begun.about, tried)


def _own_model(tools: Tools, choice: EmbeddingChoice) -> None:
    """A model file that the app runs: fetched, or here already."""
    arrived = model_download.fetch(tools, KEY, EMBEDDINGS, EMBEDDINGS[0], _told, then=" and use it")
    if arrived is not None:
        start(TRIED_FILE, arrived.name, _trying_file(tools, str(arrived)))
    _file_form(tools)
    notices.draw_at(TRIED_FILE)
    begun = started(TRIED_FILE)
    if begun is None:
        return
    tried: EmbeddingChoice | None = result_of(
        TRIED_FILE, begun.about, f"Loading and testing {begun.about} …", "meaning_file_trying"
    )
    if tried is not None and tried.settings is not None and tried.last_trial is not None:
        st.session_state.pop(TRIED_FILE, None)
        _use(tools, choice, tried.settings, tried.last_trial, tried.engine)


def _told(model: Model) -> str:
    return f"{model.languages}: {model.title} (about {model.gigabytes * 1_000:.0f} MB, {model.licence})"


def _file_form(tools: Tools) -> None:
    here = files_here(tools.workspace, embeddings=True)
    with st.expander("Use a file that is here", icon=":material/folder_open:", key="meaning_file", expanded=bool(here)):
        listed = st.selectbox("Model file", list(here), key="meaning_file_here") if here else None
        typed = st.text_input(
            "Or the path of another file" if here else "Path of a model file on this machine", key="meaning_path", autocomplete="off",
            placeholder="/models/nomic-embed-text-v1.5.Q8_0.gguf", help="A GGUF file of a model of embeddings.",
        ).strip()  # fmt: skip
        chosen = typed or listed
        if st.button("Try and use it", icon=":material/play_arrow:", key="meaning_file_use") and chosen:
            start(TRIED_FILE, chosen, _trying_file(tools, typed or here[chosen]))


def _trying_file(tools: Tools, path: str) -> Callable[[Any], EmbeddingChoice]:
    def work(task: Any) -> EmbeddingChoice:
        try:
            return try_embedding_file(path, tools.workspace.home, task.closes_on_cancel)
        except ModelError as error:
            raise StoreError(str(error)) from error

    return work


def _trying(settings: ModelSettings) -> Callable[[Any], EmbeddingTrial]:
    def work(task: Any) -> EmbeddingTrial:
        try:
            return try_embedding(settings)
        except ModelError as error:
            raise StoreError(str(error)) from error

    return work


def _use(
    tools: Tools, choice: EmbeddingChoice, settings: ModelSettings, tried: EmbeddingTrial, engine: EngineSpec | None = None
) -> None:
    """Saves a model whose test has just ended well; vectors are made once somebody has seen what that takes."""
    if not tried.tells_apart:
        st.error(
            f"**{escaped(settings.label)} was not saved.** Its vectors do not tell meaning apart: a passage on something else was nearer to a "
            "question than the one that answers it. Choose a model of embeddings.",
            icon=":material/error:",
        )
        return
    is_another = choice.settings is None or choice.settings.label != settings.label
    changed = {"settings": settings, "last_trial": tried, "paused": choice.paused or is_another, "engine": engine}
    st.session_state.pop(TRIED, None)
    st.session_state[ROUND] += 1
    made = choice.model_copy(update=changed)
    if notices.attempt(tools.admin.save_meaning, made, at=TRIED_FILE if engine is not None else TRIED):
        notices.say(f"{made.title} works: vectors of {tried.size} numbers. See what it takes, then start it.")
    st.rerun()
