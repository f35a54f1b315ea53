"""Vectors over real HTTP: both forms, what is put before a text, and every way a server can fail."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from prompts.errors import ModelError
from prompts.model import ModelSettings
from prompts.model.embedding import embed
from prompts.model.embedding_trial import try_embedding
from tests.prompts.model.embedding_server import KEY, MODEL, EmbeddingServer, Manner, embedding


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding() as started:
        yield started


def test_vectors_come_in_the_order_of_their_texts_and_have_length_one(server: EmbeddingServer) -> None:
    made = embed(server.settings, ["a faulty item", "the manager"], "passage")
    assert made.shape == (2, 64) and np.allclose(np.linalg.norm(made, axis=1), 1)
    alone = embed(server.settings, ["the manager"], "passage")
    assert np.allclose(made[1], alone[0], atol=1e-6)


def test_ollama_is_asked_in_its_own_form(server: EmbeddingServer) -> None:
    settings = ModelSettings(provider="ollama", model="nomic-embed-text", base_url=server.url)
    openai = embed(server.settings, ["search_query: a faulty item"], "question")
    assert np.allclose(embed(settings, ["a faulty item"], "question"), openai, atol=1e-6)
    assert server.texts[-1] == "search_query: a faulty item", "what the model was trained to see before a question"
    embed(settings, ["a faulty item"], "passage")
    assert server.texts[-1] == "search_document: a faulty item"


@pytest.mark.parametrize(
    ("manner", "kind", "words"),
    [
        ("refuses the key", "auth", "refused the key"),
        ("is busy", "rate", "takes no more requests"),
        ("fails", "network", "Loading model"),
        ("hangs up", "network", "cannot be reached"),
        ("is no such server", "config", "no server of embeddings"),
        ("too many", "invalid_output", "did not send one vector for each text"),
        ("sends words", "invalid_output", "did not send one vector for each text"),
        ("is slow", "timeout", "did not answer within 0.2 seconds"),
    ],
)
def test_what_fails_says_what_to_do(server: EmbeddingServer, manner: Manner, kind: str, words: str) -> None:
    server.manner, server.wants_key = manner, True
    with pytest.raises(ModelError, match=words) as raised:
        embed(server.settings, ["one", "two"], "passage", 0.2)
    assert raised.value.kind == kind and KEY not in str(raised.value) + raised.value.detail


def test_nobody_there_and_texts_that_are_too_long_are_told_apart(server: EmbeddingServer) -> None:
    with pytest.raises(ModelError) as raised:
        embed(server.settings, ["word " * 1_000], "passage")
    assert raised.value.kind == "context"
    gone = server.settings.model_copy(update={"base_url": "http://127.0.0.1:9"})
    with pytest.raises(ModelError, match="check the address") as raised:
        embed(gone, ["word"], "passage")
    assert raised.value.kind == "network"


def test_a_trial_says_whether_meaning_is_told_apart(server: EmbeddingServer) -> None:
    found = try_embedding(server.settings)
    assert (found.label, found.size, found.tells_apart) == (f"openai-compatible:{MODEL}", 64, True)
    assert found.seconds_of_a_part > 0
