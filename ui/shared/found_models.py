"""Models that could be used at once: what is said of them, and the click that tries one and then uses it."""

from __future__ import annotations

import os

import streamlit as st

from prompts.model import ModelSettings
from prompts.model.discovery import PLACES_VARIABLE, USUAL_PLACES, FoundServer, find_servers
from prompts.model.probe import probe
from tree.store.database import StoreError
from tree.store.language_model import LanguageModel
from ui.shared.background_task import QUICK_SECONDS, start, started
from ui.shared.markup import escaped

FOUND = "model_found"  # in the session: the test of a model that was found
SERVERS = {"11434": "Ollama", "1234": "LM Studio", "8080": "llama.cpp", "8000": "vLLM"}  # by their usual ports


def servers() -> tuple[FoundServer, ...]:
    """The model servers on this machine; they are asked at most once a minute, whoever looks."""
    return _servers(os.environ.get(PLACES_VARIABLE, USUAL_PLACES))


@st.cache_data(ttl=60, show_spinner=False)
def _servers(places: str) -> tuple[FoundServer, ...]:
    return find_servers({PLACES_VARIABLE: places})


def usable(model: LanguageModel) -> tuple[FoundServer, ...]:
    """Those to offer: none where a model is set already, or the setting cannot be read."""
    try:
        return () if model.choice().settings is not None else servers()
    except (StoreError, ValueError):  # Settings says what is wrong
        return ()


def sentence(server: FoundServer) -> str:
    """What is there, and what using it means, as Markdown."""
    more = f" and {len(server.models) - 1} more" if len(server.models) > 1 else ""
    return (
        f"**{escaped(server.models[0])}**{more} on this machine ({name(server)}) can write answers. Nothing leaves the machine."
    )


def name(server: FoundServer) -> str:
    """What program it most likely is."""
    port = server.address.removesuffix("/v1").rpartition(":")[2]
    return "Ollama" if server.provider == "ollama" else SERVERS.get(port, "a model server")


def begin(settings: ModelSettings) -> None:
    """Tries the model; Settings shows how that goes, and uses it if it can be used."""
    start(FOUND, settings, lambda task: [(settings, probe(settings))])
    if (begun := started(FOUND)) is not None:
        begun.task.ended.wait(QUICK_SECONDS)
