"""Texts become vectors: one request to the server of a team's choice, in OpenAI's form or in Ollama's own."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import httpx2
import numpy as np
import numpy.typing as npt

from prompts.errors import ErrorKind, ModelError
from prompts.model.failures import explained
from prompts.model.material import tokens_in
from prompts.model.settings import ModelSettings

Purpose = Literal["question", "passage"]
MOST_BYTES = 64_000_000  # of a reply
Vectors = npt.NDArray[np.float32]

# What models were trained to see before a text; without it they find less. By what a model's name contains, the first that fits.
_BEFORE: tuple[tuple[str, str, str], ...] = (
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("nomic-embed", "search_query: ", "search_document: "),
    ("arctic-embed", "query: ", ""),
    ("mxbai-embed", "Represent this sentence for searching relevant passages: ", ""),
    ("bge-m3", "", ""),
    ("bge-", "Represent this sentence for searching relevant passages: ", ""),
    ("qwen3-embedding", "Instruct: Given a question, retrieve passages that answer it\nQuery: ", ""),
    ("e5-", "query: ", "passage: "),
)
_TOO_LONG = ("too large", "too long", "context length", "context size", "maximum", "exceed")
_KINDS: dict[int, ErrorKind] = {401: "auth", 403: "auth", 404: "config", 405: "config", 413: "context", 429: "rate"}


@dataclass(slots=True)
class EmbeddingMeter:
    """What vectors took of a model so far. `tokens` are estimated where a server does not count."""

    calls: int = 0
    texts: int = 0
    tokens: int = 0
    seconds: float = 0.0


def embed(
    settings: ModelSettings,
    texts: Sequence[str],
    purpose: Purpose,
    seconds: float | None = None,
    meter: EmbeddingMeter | None = None,
) -> Vectors:
    """One vector of length 1 for each text, as rows, in their order. `seconds` is for the whole reply, `meter` counts it.

    Raises ModelError: of kind "context" where a text is longer than the model takes.
    """
    before = text_before(settings.model, purpose)
    body = {"model": settings.model, "input": [f"{before}{text}" for text in texts]}
    patience = settings.timeout if seconds is None else seconds
    began = time.monotonic()
    if settings.provider == "ollama":
        reply = _post(settings, f"{settings.address.removesuffix('/v1')}/api/embed", {**body, "truncate": True}, patience)
        found = reply.get("embeddings")
    else:
        reply = _post(settings, f"{settings.address}/embeddings", body, patience)
        found = _in_order(reply.get("data"))
    if meter is not None:
        meter.calls += 1
        meter.texts += len(texts)
        meter.tokens += _counted(reply) or sum(tokens_in(before) + tokens_in(text) for text in texts)
        meter.seconds += time.monotonic() - began
    return _checked(settings, found, len(texts))


def _counted(reply: Mapping[str, Any]) -> int:
    """The tokens that a server says it has read, in OpenAI's form or Ollama's; 0 where it says nothing."""
    usage = reply.get("usage")
    told = reply.get("prompt_eval_count") or (usage.get("prompt_tokens") if isinstance(usage, dict) else None)
    return told if isinstance(told, int) and told > 0 else 0


def text_before(model: str, purpose: Purpose) -> str:
    """What a model was trained to see before a text of this purpose, by the model's name or that of its file."""
    name = model.casefold()
    for part, question, passage in _BEFORE:
        if part in name:
            return question if purpose == "question" else passage
    return ""


def _in_order(entries: object) -> list[object] | None:
    """Servers number what they send, and most send it in order."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return None
    with suppress(TypeError):
        entries = sorted(entries, key=lambda entry: entry.get("index", 0))
    return [entry.get("embedding") for entry in entries]


def _checked(settings: ModelSettings, found: object, wanted: int) -> Vectors:
    try:
        vectors = np.asarray(found, dtype=np.float32)
    except (TypeError, ValueError):
        vectors = np.zeros((0, 0), np.float32)
    if vectors.ndim != 2 or len(vectors) != wanted or not vectors.shape[1] or not np.isfinite(vectors).all():
        raise _failed(
            "invalid_output",
            settings,
            sentence="{label} at {host} did not send one vector for each text; choose a model that makes embeddings.",
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not lengths.all():
        raise _failed(
            "invalid_output", settings, sentence="{label} at {host} sent a vector of zeros; choose a model that makes embeddings."
        )
    made: Vectors = vectors / lengths
    return made


# ---------------------------------------------------------------- the request


def _post(settings: ModelSettings, address: str, body: Mapping[str, object], seconds: float) -> Mapping[str, Any]:
    key = settings.key()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        # what is on this machine is asked without a proxy of the environment; no redirect is followed with a key
        with (
            httpx2.Client(timeout=seconds, trust_env=not settings.is_on_this_machine) as client,
            client.stream("POST", address, json=body, headers=headers) as response,
        ):
            said = _read(response, time.monotonic() + seconds)
    except (httpx2.TimeoutException, TimeoutError) as error:
        raise _failed("timeout", settings.model_copy(update={"timeout": seconds})) from error
    except httpx2.HTTPError as error:
        raise _failed("network", settings, type(error).__name__) from error
    except (httpx2.InvalidURL, ValueError) as error:
        raise _failed("config", settings, str(error)) from error
    if response.status_code != 200:
        raise _refused(settings, response, said)
    try:
        reply = json.loads(said)
    except (ValueError, RecursionError) as error:
        raise _failed("config", settings, "what answers there is no server of embeddings") from error
    if not isinstance(reply, dict):
        raise _failed("config", settings, "what answers there is no server of embeddings")
    return reply


def _read(response: httpx2.Response, ends: float) -> bytes:
    """Raises TimeoutError where it trickles, ValueError where it is too long."""
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if time.monotonic() > ends:
            raise TimeoutError
        if len(body) > MOST_BYTES:
            raise ValueError("the reply is too long")
    return bytes(body)


def _refused(settings: ModelSettings, response: httpx2.Response, said: bytes) -> ModelError:
    words = _words(said)
    status = response.status_code
    if status in (400, 413, 422, 500) and any(sign in words.casefold() for sign in _TOO_LONG):
        return _failed("context", settings, words)
    if status == 429 and "insufficient_quota" in words:
        return _failed("quota", settings, words)
    kind = _KINDS.get(status, "network" if status >= 500 else "rejected")
    wait = response.headers.get("Retry-After", "")
    return _failed(kind, settings, words or f"HTTP {status}", retry_after=float(wait) if wait.isdigit() else None)


def _words(said: bytes) -> str:
    """What a server says is wrong, in whichever form."""
    text = said[:4_000].decode("utf-8", "replace")
    with suppress(ValueError, RecursionError):
        found = json.loads(text)
        error = found.get("error", found) if isinstance(found, dict) else found
        if isinstance(error, dict):
            return " ".join(str(error[name]) for name in ("code", "message") if error.get(name))
        return str(error)
    return "" if "<" in text else text  # a page of some gateway says nothing


def _failed(kind: ErrorKind, settings: ModelSettings, detail: str = "", **more: Any) -> ModelError:
    return explained(kind, settings, detail=detail, **more)
