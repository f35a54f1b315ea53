"""Models that could be used at once: what is said of them, and the click that tries one and then uses it."""

from __future__ import annotations

import os
from typing import Any

import streamlit as st

from ingestion.model_speed import seconds_by_size
from ingestion.progress import estimate, expected
from ingestion.words import counted, duration
from prompts.model import ModelSettings
from prompts.model.discovery import PLACES_VARIABLE, USUAL_PLACES, FoundServer, find_servers
from prompts.model.probe import Probe, probe, with_reported_context
from prompts.model.settings import Provider
from prompts.model.trial import USUAL_READ, USUAL_WRITTEN, about_seconds
from tree.store.database import StoreError
from tree.store.language_model import LanguageModel
from tree.workspace import Workspace
from ui.server.tools import Tools
from ui.shared.background_task import QUICK_SECONDS, BackgroundTask, StopOnClose, start, started
from ui.shared.markup import escaped

FOUND = "model_found"  # in the session: the test of a model that was found
WANTED = "model_wanted"  # in the session: the provider that Settings is to begin with
OWN = "model_own"  # in the session: Settings is to begin with a model that the app runs by itself
PROVIDERS: dict[Provider, str] = {
    "openai": "OpenAI",
    "azure": "Azure OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "ollama": "Ollama",
    "openai-compatible": "OpenAI-compatible (vLLM, LM Studio, …)",
}
SAMPLE_RECORDS, SAMPLE_TOKENS = (79, 25), 159_000  # leaves and branches of the sample, tokens of their prompts
SERVERS = {"11434": "Ollama", "1234": "LM Studio", "8080": "llama.cpp", "8000": "vLLM"}  # by their usual ports


def servers() -> tuple[FoundServer, ...]:
    """The model servers on this machine; they are asked at most once a minute, whoever looks."""
    return _servers(os.environ.get(PLACES_VARIABLE, USUAL_PLACES))


@st.cache_data(ttl=60, show_spinner=False)
def _servers(places: str) -> tuple[FoundServer, ...]:
    return find_servers({PLACES_VARIABLE: places})


def is_none_set(model: LanguageModel) -> bool:
    """Whether something is to be offered: not where a model is set already, or the setting cannot be read."""
    try:
        return model.choice().settings is None
    except (StoreError, ValueError):  # Settings says what is wrong
        return False


def sentence(server: FoundServer, tools: Tools, model: str = "") -> str:
    """What is there and what using it would take, as Markdown; `model` is one of the server's, else its first."""
    model = model or server.models[0]
    settings = server.settings.model_copy(update={"model": model})
    opened = tools.workspace
    host = server.remote_host(model)
    billions = None if host else server.billions(model)
    takes = _takes(
        str(opened.home), opened.store.versions.newest(), repr(settings), billions, _settings=settings, _workspace=opened
    )  # fmt: skip
    if host:
        where = f"It runs at {escaped(host)}: questions, and the passages read for them, are sent there."
        return f"**Use {escaped(model)}** ({name(server)}). {where} {takes}"
    return f"**Use {escaped(model)} on this machine** ({name(server)}). {takes} Nothing leaves this machine."


@st.cache_data(ttl=60, max_entries=50, show_spinner=False)
def _takes(home: str, version: int, of: str, billions: float | None, *, _settings: ModelSettings, _workspace: Workspace) -> str:
    """`home`, `version` and `of` tell one state of one data folder and one model from others."""
    return reading_time(_workspace, _settings, billions)


def reading_time(workspace: Workspace, settings: ModelSettings, billions: float | None) -> str:
    """How long this model takes to read what there is; of the sample where there is nothing yet. Says so where it is not known."""
    found = estimate(workspace, settings, billions=billions)
    what = f"the {counted(found.leaves, 'passage')}"
    if not workspace.store.sources.askable():
        found, what = expected(workspace, settings, *SAMPLE_RECORDS, SAMPLE_TOKENS, billions), "the sample"
    elif not found.leaves + found.branches:
        return "There is nothing new for it to read."
    match found.basis:
        case "":
            return f"How long it takes to read {what} is known after its test, which takes a minute or two."
        case "size":
            answer = about_seconds(seconds_by_size(billions or 0.0, USUAL_READ, USUAL_WRITTEN))
            return f"{_begun(duration(found.seconds))} to read {what}, {answer} for an answer, by its size and without a graphics card."
        case _:
            return f"{_begun(duration(found.seconds))} to read {what}."


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


def name(server: FoundServer) -> str:
    """What program it most likely is."""
    port = server.address.removesuffix("/v1").rpartition(":")[2]
    return "Ollama" if server.provider == "ollama" else SERVERS.get(port, "a model server")


def begin(settings: ModelSettings) -> None:
    """Tries the model; Settings shows how that goes, and uses it if it can be used."""

    def test(task: BackgroundTask[Any]) -> list[tuple[ModelSettings, Probe]]:
        stop = task.closes_on_cancel(StopOnClose())
        taken = with_reported_context(settings)
        return [(taken, probe(taken, stop.stop))]

    start(FOUND, settings, test)
    if (begun := started(FOUND)) is not None:
        begun.task.ended.wait(QUICK_SECONDS)
