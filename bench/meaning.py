"""Vectors for a bench: of whatever model a server has that speaks OpenAI's form."""

from __future__ import annotations

import sys

from ingestion.embedder import Embedder
from prompts.model import ModelSettings
from tree.store.embedding_model import EmbeddingChoice
from tree.workspace import Workspace


def make_vectors(workspace: Workspace, named: str) -> None:
    """Uses a model, named as MODEL@URL, and makes what vectors are missing. Raises SystemExit where that fails."""
    model, _, url = named.partition("@")
    settings = ModelSettings(provider="openai-compatible", model=model, base_url=url, timeout=300)
    workspace.meaning.model.save(EmbeddingChoice(settings=settings))
    make_missing_vectors(workspace)
    print(f"{len(workspace.index.leaves_by_source())} sources have vectors of {settings.label}", file=sys.stderr)


def make_missing_vectors(workspace: Workspace) -> None:
    """As a worker would: by the model that is chosen, or of words. Raises SystemExit where that fails."""
    if why := Embedder(workspace).run_out():
        raise SystemExit(f"The vectors could not be made. {why}")
