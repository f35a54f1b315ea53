"""Names of months, as words of their own."""

from __future__ import annotations

import re

import pytest

from prompts.extractive.dates import Day, days
from prompts.months import IN_ENGLISH, MONTH, number_of


def test_each_english_name_has_its_number() -> None:
    assert [number_of(name) for name in IN_ENGLISH] == list(range(1, 13))


@pytest.mark.parametrize(("said", "number"), [("Sept", 9), ("Dez", 12), ("dezember", 12), ("FÉVRIER", 2), ("Mär", 3), ("mai", 5)])
def test_names_in_three_languages_are_known_cut_short_too(said: str, number: int) -> None:
    assert re.fullmatch(MONTH, said) and number_of(said) == number


@pytest.mark.parametrize("word", ["decks", "decisions", "mayor", "marks", "separate", "junction"])
def test_a_word_that_begins_like_one_is_none(word: str) -> None:
    assert not re.match(MONTH, word)


@pytest.mark.parametrize("text", ["5 decks 2026", "Marks 2026", "Decided 12 2026"])
def test_no_date_is_read_of_such_a_word(text: str) -> None:
    assert days(text) == []
    assert days(text.replace("decks", "Dez.").replace("Marks", "März").replace("Decided", "Dec")) in (
        [Day(2026, 12, 5)], [Day(2026, 3)], [Day(2026, 12, 12)],
    )  # fmt: skip
