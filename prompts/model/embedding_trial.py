"""A model of embeddings tried on fixed texts: whether it makes vectors, whether they tell meaning apart, and how fast."""

from __future__ import annotations

import time

from pydantic import BaseModel, ConfigDict

from prompts.model.settings import ModelSettings, Provider

PROVIDERS: tuple[Provider, ...] = ("openai", "ollama", "openai-compatible")  # that make vectors
QUESTION = "How do I send back something that is broken?"
NEAR = "Defective goods can be returned to the warehouse within thirty days; a label is enclosed with each parcel."
FAR = "The evening train to the coast departs from platform four and calls at every village on the way."
LONG = "Defective goods can be returned to the warehouse within thirty days. " * 14  # as long as a part of a leaf
PASSAGES = (NEAR, FAR, *(f"{number}. {LONG}"[:1_000] for number in range(6)))


class EmbeddingTrial(BaseModel):
    """What came of it."""

    model_config = ConfigDict(frozen=True)

    label: str  # of the model, as provider:model
    size: int  # numbers of a vector
    tells_apart: bool  # a text that means what the question asks is nearer to it than one that does not
    seconds_of_a_part: float


def try_embedding(settings: ModelSettings) -> EmbeddingTrial:
    """Two requests; the first, in which a server may load the model, is not timed. Raises ModelError."""
    from prompts.model.embedding import embed  # it brings numpy and an HTTP library, which most commands can do without

    [question] = embed(settings, [QUESTION], "question", None)
    began = time.monotonic()
    passages = embed(settings, PASSAGES, "passage", None)
    seconds = (time.monotonic() - began) / len(PASSAGES)
    nearness = passages @ question
    return EmbeddingTrial(
        label=settings.label, size=len(question), tells_apart=bool(nearness[0] > nearness[1]), seconds_of_a_part=seconds
    )
