"""Text made from a seed: words with the frequencies of a language, so that search and summaries have work to do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

import numpy as np

VOCABULARY = 30_000
SENTENCE = 14  # words, on average
CONSONANTS, VOWELS = "bcdfghjklmnprstvz", "aeiou"


@lru_cache(maxsize=4)
def vocabulary(seed: int = 7) -> tuple[str, ...]:
    """Invented words, the short ones first, as in a language."""
    chance = Random(seed)
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        length = 1 + min(4, len(made) // 200 + chance.randrange(2))
        made["".join(chance.choices(syllables, k=length)) + chance.choice("nrst")] = None
    return tuple(made)


class Texts:
    """Paragraphs by number: the same seed and number give the same words."""

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        weights = 1.0 / np.arange(1, VOCABULARY + 1) ** 1.05
        self._shares = np.cumsum(weights / weights.sum())
        self._words = np.array(vocabulary(), dtype=object)

    def words(self, number: int, count: int) -> list[str]:
        chance = np.random.default_rng((self.seed, number))
        return list(self._words[np.searchsorted(self._shares, chance.random(count)).clip(0, VOCABULARY - 1)])

    def text(self, number: int, characters: int) -> str:
        """About so many characters of sentences in paragraphs."""
        words = self.words(number, max(4, characters // 6))
        return "\n\n".join(_paragraphs(words))[:characters]

    def title(self, number: int) -> str:
        chance = np.random.default_rng((self.seed, number, 1))
        return " ".join(self._words[chance.integers(500, VOCABULARY, 3)]).capitalize()

    def question(self, number: int, count: int = 6) -> str:
        """Some of the rarer words of a text, as a person would ask for it."""
        chance = np.random.default_rng((self.seed, number, 2))
        words = sorted(set(self.words(number, 200)), key=lambda word: (-len(word), word))[:40]
        return "What about " + " ".join(chance.choice(words, min(count, len(words)), replace=False)) + "?"


def _paragraphs(words: list[str]) -> Iterator[str]:
    sentences = [" ".join(words[at : at + SENTENCE]).capitalize() + "." for at in range(0, len(words), SENTENCE)]
    for at in range(0, len(sentences), 5):
        yield " ".join(sentences[at : at + 5])
