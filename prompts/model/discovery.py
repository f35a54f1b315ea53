"""Looks for language models that could be used without typing anything: servers on this machine, keys in the environment.

Only loopback addresses are asked, only for the list of their models, and nothing is used before somebody says so.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx2

from prompts.model.settings import CLOUD_HOST, KEY_VARIABLES, ModelSettings, Provider, host_in, is_cloud_model, is_loopback
from prompts.regex import regex

SECONDS = 0.5  # for one server; a port that nobody listens on refuses at once
MOST_BYTES = 1_000_000  # of a list of models
PLACES_VARIABLE = "KNOWLEDGE_TREE_MODEL_SERVERS"  # "ollama=http://localhost:11434/v1, ..."; empty: nowhere is looked
# Where these servers listen unless they are told otherwise.
USUAL_PLACES = (
    "ollama=http://127.0.0.1:11434/v1, openai-compatible=http://127.0.0.1:1234/v1, "  # LM Studio
    "openai-compatible=http://127.0.0.1:8080/v1, openai-compatible=http://127.0.0.1:8000/v1"  # llama.cpp, vLLM
)
# In names of models that do not write: they make vectors, rank, listen or speak.
SILENT = ("embed", "minilm", "bge-", "e5-", "gte-", "rerank", "whisper", "tts", "clip")
_SIZE = regex(r"(?<![\w.])(\d{1,4}(?:\.\d{1,3})?)([bBmM])(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A model server on this machine, and the models it has that write: those that run here before those it only passes on."""

    provider: Provider
    address: str
    models: tuple[str, ...]
    sizes: tuple[tuple[str, float], ...] = ()  # billions of parameters of a model, where the server or the name tells
    hosts: tuple[tuple[str, str], ...] = ()  # where a model runs that does not run on this machine (cloud models of Ollama)

    def remote_host(self, model: str) -> str:
        """The host that is sent whatever this model is asked; empty where nothing leaves this machine."""
        return dict(self.hosts).get(model, "")

    def billions(self, model: str) -> float | None:
        return dict(self.sizes).get(model)

    @property
    def settings(self) -> ModelSettings:
        """Of its first model, which most servers name for being the one in use or the newest of those that run here."""
        return ModelSettings(provider=self.provider, model=self.models[0], base_url=self.address)


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key of a provider in the environment. Which model it is for, somebody has to say."""

    provider: Provider
    variable: str


def find_servers(environment: Mapping[str, str] = os.environ) -> tuple[FoundServer, ...]:
    """The servers that answer with a list of models within half a second, in the order of the places; those whose models all
    run elsewhere come last. Never raises."""
    places = list(_places(environment.get(PLACES_VARIABLE, USUAL_PLACES)))
    if not places:
        return ()
    with ThreadPoolExecutor(len(places), "model discovery") as threads:
        found = threads.map(lambda place: _asked(*place), places)
        servers = [server for server in found if server is not None]
    return tuple(sorted(servers, key=lambda server: server.remote_host(server.models[0]) != ""))


def find_keys(environment: Mapping[str, str] = os.environ) -> tuple[FoundKey, ...]:
    """Azure is not among them: its key says nothing without an address."""
    return tuple(
        FoundKey(provider, next(name for name in names if environment.get(name)))
        for provider, names in KEY_VARIABLES.items()
        if provider != "azure" and any(environment.get(name) for name in names)
    )


def _places(text: str) -> Iterator[tuple[Provider, str]]:
    """Of "provider=address, …" those on this machine; what is anything else is passed over."""
    for part in text.split(","):
        name, _, address = part.strip().partition("=")
        kinds: dict[str, Provider] = {"ollama": "ollama", "openai-compatible": "openai-compatible"}
        if name in kinds and is_loopback(address):
            yield kinds[name], address.rstrip("/")


def _asked(provider: Provider, address: str) -> FoundServer | None:
    """The server at an address, if it is one. No proxy of the environment is asked, and no redirect followed."""
    entries = {str(entry["id"]): entry for entry in _entries(f"{address}/models", "data") if isinstance(entry.get("id"), str)}
    models = tuple(name for name in entries if 0 < len(name) <= 200 and _writes(name))
    if not models:
        return None
    if provider == "ollama":  # its list in OpenAI's format leaves the sizes out
        entries |= {str(entry.get("name")): entry for entry in _entries(f"{address.removesuffix('/v1')}/api/tags", "models")}
    hosts = {name: host for name in models if provider == "ollama" and (host := _remote_host(name, entries[name]))}
    sizes = ((name, _billions(entries[name])) for name in models)
    return FoundServer(
        provider, address, tuple(sorted(models, key=lambda name: name in hosts)),
        tuple((name, size) for name, size in sizes if size is not None), tuple(hosts.items()),
    )  # fmt: skip


def _remote_host(name: str, entry: Mapping[str, Any]) -> str:
    """As Ollama's list tells it of a model that it passes on, or as the name does."""
    told = entry.get("remote_host")
    host = host_in(told) if isinstance(told, str) else ""
    return host or (CLOUD_HOST if is_cloud_model(name) or entry.get("remote_model") else "")


def _entries(address: str, field: str) -> list[dict[str, Any]]:
    """What a list of models holds; nothing where nobody, or something else, listens there."""
    try:
        with httpx2.Client(timeout=SECONDS, trust_env=False) as client, client.stream("GET", address) as response:
            listing = json.loads(_bounded(response)) if response.status_code == 200 else None
    except (httpx2.HTTPError, ValueError, RecursionError):
        return []
    found = listing.get(field) if isinstance(listing, dict) else None
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _billions(entry: Mapping[str, Any]) -> float | None:
    """Of parameters: as llama.cpp counts them, as Ollama says ("8.0B"), or as the name says ("qwen2.5-7b")."""
    meta, details = entry.get("meta"), entry.get("details")
    counted = meta.get("n_params") if isinstance(meta, dict) else None
    if isinstance(counted, int) and counted > 0:
        return counted / 1e9
    told = details.get("parameter_size") if isinstance(details, dict) else None
    for text in (told, entry.get("id") or entry.get("name")):
        if isinstance(text, str) and (match := _SIZE.search(text)):
            return float(match[1]) / (1 if match[2] in "bB" else 1_000)
    return None


def _bounded(response: httpx2.Response) -> bytes:
    """The body. Raises ValueError for one that is too long, or trickles."""
    body, ends = b"", time.monotonic() + 2 * SECONDS
    for piece in response.iter_bytes():
        body += piece
        if len(body) > MOST_BYTES or time.monotonic() > ends:
            raise ValueError("no list of models")
    return body


def _writes(name: str) -> bool:
    return not any(word in name.casefold() for word in SILENT)
