"""The terms of a text are those of its sentences, where nothing stands between these."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.language import terms
from prompts.sentences import terms_of_sentences

PIECES = st.sampled_from(
    [
        "# Refunds",
        "\n",
        "\n\n",
        " ",
        "  ",
        "\x1c",
        "- item",
        "1. first",
        "| a | b |",
        "```",
        "PAY-231",
        "Two people sign.",
        "e.g. this",
        "?",
        "é",
        "a" * 800,
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(st.characters(max_codepoint=127), max_size=80))
def test_they_are_the_same_where_they_are_told(text: str) -> None:
    assert terms_of_sentences(text) in (None, terms(text))


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Two people sign. Then it is paid.\n\nRefunds take a day.\n", True), ("", True), ("1. Sign it.\n2. Pay it.", False),
        ("Café is open.", False), ("| a | b |\n|---|---|\n| 1 | 2 |", False), (f"{'a' * 701} b.", False),
    ],
)  # fmt: skip
def test_of_plain_sentences_they_are_told(text: str, is_told: bool) -> None:
    assert (terms_of_sentences(text) is not None) == is_told
