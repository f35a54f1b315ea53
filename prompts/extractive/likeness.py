"""How like a question each passage of a leaf is in meaning, by the vectors of its words: no model is needed for that."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from prompts.extractive.passages import Passage
from prompts.extractive.rendering import place_of
from prompts.records import LeafText

if TYPE_CHECKING:  # it brings numpy, which most commands can do without
    from prompts.word_vectors import Floats, WordVectors

LONGEST_PLACE = 160  # characters of the headings before a passage


def likeness_to(question: str, leaf: LeafText, found: Sequence[Passage]) -> Sequence[float]:
    """The cosine of a question and each passage with the headings above it; all 0 where there are no vectors."""
    from prompts.word_vectors import word_vectors

    vectors = word_vectors()
    if vectors is None or not found:
        return [0.0] * len(found)
    of_passages = _of_passages(vectors, place_of(leaf)[:LONGEST_PLACE], tuple(passage.text for passage in found))
    return [float(one) for one in of_passages @ _of_question(vectors, question)]


@lru_cache(500)  # leaves, by what they say: about 30 KB each
def _of_passages(vectors: WordVectors, place: str, texts: tuple[str, ...]) -> Floats:
    found: Floats = vectors.of([f"{place}\n{text}" for text in texts])
    return found


@lru_cache(16)  # it is asked anew for every leaf
def _of_question(vectors: WordVectors, question: str) -> Floats:
    found: Floats = vectors.of([question])[0]
    return found
