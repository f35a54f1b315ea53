"""A model file becomes the team's model: looked at, run, tried with five decisions, and kept where it is fit."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from prompts.engine.gguf import Header, read_header
from prompts.engine.process import EngineProcess, Started, started
from prompts.engine.spec import CONTEXT_TOKENS, EngineSpec, check_installed, free_port
from prompts.model import ModelSettings
from prompts.model.embedding_trial import try_embedding
from prompts.model.probe import Probe, probe
from prompts.stop import Stop
from tree.store.embedding_model import EmbeddingChoice
from tree.store.language_model import ModelChoice

LOAD_SECONDS = 300.0
REPLY_TOKENS = 1_200  # it does not think aloud, so no room is left for that
TRIAL_TOKENS = 500  # its decisions are small; a model that writes on and on is found out sooner
LEAST_TOKENS = 2_048  # of context; a part of a leaf takes a few hundred
DECISION_SECONDS = 240.0  # a leaf that is read on one processor


def models_folder(home: Path) -> Path:
    """Where downloads go, and files that the app lists."""
    return home / "models"


@dataclass(frozen=True, slots=True)
class TriedFile:
    """A file that was run and asked. `memory` is what its process held then, in bytes."""

    spec: EngineSpec
    settings: ModelSettings
    found: Probe
    memory: int | None

    def used_in(self, choice: ModelChoice) -> ModelChoice:
        """The choice with this model answering; what it would take to read everything is shown before somebody begins that."""
        changed = {
            "settings": self.settings,
            "answers": True,
            "held_back": False,
            "paused": True,
            "last_trial": self.found.trial,
            "last_engine": self.spec,
        }
        return choice.model_copy(update=changed)


def spec_of(path: str | Path, embeddings: bool = False) -> tuple[EngineSpec, Header]:
    """How a file would be run, on a port that is free now: to write, or to make `embeddings`. Raises EngineError."""
    file = Path(path).expanduser().resolve()
    header = read_header(file, embeddings)
    context = min(LEAST_TOKENS if embeddings else CONTEXT_TOKENS, header.context_tokens or CONTEXT_TOKENS)
    spec = EngineSpec(
        file=str(file), port=free_port(embeddings), context_tokens=max(LEAST_TOKENS, context), embeddings=embeddings
    )
    return spec, header


def settings_of(spec: EngineSpec, key: str) -> ModelSettings:
    """By which the product asks the model: as any server on this machine."""
    return ModelSettings(
        provider="openai-compatible", model=spec.name, base_url=spec.address, api_key=SecretStr(key), timeout=DECISION_SECONDS,
        max_tokens=REPLY_TOKENS, context_tokens=spec.context_tokens, concurrency=1,
    )  # fmt: skip


def try_file(
    path: str | Path,
    folder: Path,
    stop: Stop | None = None,
    opened: Callable[[EngineProcess], object] = lambda process: None,
    start: Started = started,
) -> TriedFile:
    """Runs a file for as long as it is tried. `opened` gets the process, to end it early.

    Raises EngineError in words for a person, and ModelCallCancelled when stopped.
    """
    check_installed()
    spec, _ = spec_of(path)
    key = secrets.token_urlsafe(24)
    process = start(spec, key, folder)
    try:
        opened(process)
        process.wait_ready(LOAD_SECONDS)
        settings = settings_of(spec, key)
        found = probe(settings.model_copy(update={"max_tokens": TRIAL_TOKENS}), stop)
        return TriedFile(spec, settings, found, process.state.memory)
    finally:
        process.stop()


# ---------------------------------------------------------------- a model of embeddings


def try_embedding_file(
    path: str | Path,
    folder: Path,
    opened: Callable[[EngineProcess], object] = lambda process: None,
    start: Started = started,
) -> EmbeddingChoice:
    """Runs a file for as long as it is tried; what it returns is to be saved where its trial tells meaning apart.

    Raises EngineError in words for a person, and ModelError.
    """
    check_installed()
    spec, _ = spec_of(path, embeddings=True)
    key = secrets.token_urlsafe(24)
    process = start(spec, key, folder)
    try:
        opened(process)
        process.wait_ready(LOAD_SECONDS)
        settings = settings_of(spec, key).model_copy(update={"max_tokens": None})
        return EmbeddingChoice(settings=settings, engine=spec, last_trial=try_embedding(settings), paused=True)
    finally:
        process.stop()
