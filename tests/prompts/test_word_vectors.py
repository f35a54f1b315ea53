"""Vectors of words: what says the same in other words is nearer, and nothing breaks where the package is not whole."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from prompts.word_vectors import read_vectors, word_vectors


def test_what_says_it_in_other_words_is_nearer_than_what_says_something_else() -> None:
    vectors = word_vectors()
    assert vectors is not None, "the package is one of those that are installed with the app"
    question, same, other = vectors.of(
        [
            "What do we pay people for working at night?",
            "Shifts after ten in the evening earn a bonus of 15 %.",
            "The blue van has a new mirror.",
        ]
    )
    assert question @ same > question @ other
    assert np.linalg.norm(question) == pytest.approx(1.0, abs=1e-5)


def test_a_text_without_a_word_is_like_nothing() -> None:
    vectors = word_vectors()
    assert vectors is not None
    empty, other = vectors.of(["", "The blue van"])
    assert not empty.any() and other.any()
    assert vectors.of([]).shape[0] == 0


def test_a_package_without_its_files_is_said_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "knowledge-tree"):
        assert read_vectors(tmp_path) is None
    assert "by their words alone" in caplog.text and "weights/" in caplog.text
