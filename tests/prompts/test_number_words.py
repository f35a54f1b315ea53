"""Numbers written as words are known beyond twelve, wherever a number is looked for."""

from __future__ import annotations

import re

import pytest

from prompts.extractive.asked_values import value_in
from prompts.number_words import NUMBER_WORD, NUMBER_WORDS
from prompts.question import analyse

QUESTION = "How long are the slips kept?"


def test_words_and_their_numbers() -> None:
    assert [NUMBER_WORDS[word] for word in ("zero", "twelve", "thirteen", "nineteen", "twenty", "forty-two", "ninety-nine")] == [
        0, 12, 13, 19, 20, 42, 99,
    ]  # fmt: skip
    assert len(NUMBER_WORDS) == 100 and sorted(NUMBER_WORDS.values()) == [*range(100)]
    assert all(re.fullmatch(NUMBER_WORD, word) for word in NUMBER_WORDS if word != "zero")
    assert (
        re.fullmatch(NUMBER_WORD, "twenty five")
        and re.fullmatch(NUMBER_WORD, "two hundred")
        and re.fullmatch(NUMBER_WORD, "a thousand")
    )
    assert not re.fullmatch(NUMBER_WORD, "weighty") and not re.fullmatch(rf"\b{NUMBER_WORD}\b", "none")


@pytest.mark.parametrize(
    "said",
    [
        "fifteen years",
        "twenty-five years",
        "thirty days",
        "sixteen weeks",
        "fünfzehn Jahre",
        "vingt ans",
        "two years",
        "15 years",
    ],
)
def test_a_span_of_time_in_words_is_a_value(said: str) -> None:
    assert value_in(QUESTION, analyse(QUESTION), f"Slips are kept for {said}.") is not None
    assert value_in(QUESTION, analyse(QUESTION), "Slips are kept for long.") is None
