"""Texts as vectors of what they are about: the mean of the vectors of their pieces of words.

That is no language model: a table of 32,000 pieces of words is read from a file of an installed package. Of WordLlama (Miller 2024,
https://github.com/dleemiller/WordLlama; MIT, trained from the tables of larger models) only that file is used, and what cuts words into
its pieces: it is the only such table that comes in a package. Model2Vec and fastText fetch theirs when they are used first.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "wordllama"
TABLE, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
LONGEST = 1_000  # characters of a text that count
LEAST_LENGTH = 1e-6  # of a vector, so that none is divided by 0

Floats = npt.NDArray[np.float32]
log = logging.getLogger("knowledge-tree")


class WordVectors:
    """The table, and what cuts words into its pieces. Any number of threads may use it."""

    def __init__(self, table: npt.NDArray[np.float16], tokenizer: Tokenizer) -> None:
        self._table = table
        self._tokenizer = tokenizer

    def of(self, texts: Sequence[str]) -> Floats:
        """A vector for each text, as rows of length 1; one of zeros for a text without a word."""
        return self._sums(self._pieces(texts), np.ones(len(self._table), np.float32))

    def likeness(self, question: str, texts: Sequence[str]) -> Floats:
        """The cosine of a question and each text, in which a piece of a word counts the more the fewer of these texts have it."""
        asked, *said = self._pieces([question, *texts])
        counts = np.zeros(len(self._table), np.float32)
        for pieces in said:
            counts[list(set(pieces))] += 1
        weights = np.log1p(len(said) / (1 + counts))
        found: Floats = self._sums(said, weights) @ self._sums([asked], weights)[0]
        return found

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        cut = self._tokenizer.encode_batch_fast([text[:LONGEST] for text in texts], add_special_tokens=False)
        return [one.ids for one in cut]

    def _sums(self, texts: Sequence[Sequence[int]], weights: Floats) -> Floats:
        """The weighted sum of the vectors of each text's pieces, of length 1."""
        every = np.array([piece for pieces in texts for piece in pieces], np.int64)
        rows = np.repeat(np.arange(len(texts)), [len(pieces) for pieces in texts])
        known, numbers = np.unique(every, return_inverse=True)
        counts = np.zeros((len(texts), len(known)), np.float32)
        np.add.at(counts, (rows, numbers), weights[every])
        found: Floats = counts @ self._table[known].astype(np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        found /= np.maximum(lengths, LEAST_LENGTH)
        return found


@lru_cache(1)
def word_vectors() -> WordVectors | None:
    """The vectors, read once: 16 MB. None, with a line in the log, where the package is not installed or not whole."""
    spec = find_spec(PACKAGE)
    return read_vectors(Path(spec.origin).parent if spec is not None and spec.origin is not None else Path(PACKAGE))


def read_vectors(folder: Path) -> WordVectors | None:
    """The vectors in a folder; None, with a line in the log, where it has not both files."""
    if missing := [name for name in (TABLE, TOKENIZER) if not (folder / name).is_file()]:
        log.warning(
            "passages are held against questions by their words alone: the package %s lacks %s", PACKAGE, ", ".join(missing)
        )
        return None
    from safetensors.numpy import load_file
    from threadpoolctl import threadpool_limits
    from tokenizers import Tokenizer

    threadpool_limits(
        limits=1, user_api="blas"
    )  # of the process, from now on: its products are small, and several people ask at once
    [table] = load_file(folder / TABLE).values()
    return WordVectors(table, Tokenizer.from_file(str(folder / TOKENIZER)))
