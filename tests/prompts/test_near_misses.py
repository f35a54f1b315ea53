"""Sentences with every word of a question that do not answer it are shown as passages, and never as the answer."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.near_misses import only_compares, says_whether
from prompts.records import LeafText, Question


def verdict(question: str, text: str, heading: str = "Harbour manual") -> str:
    return ExtractiveReader().answer(Question(question, {}), LeafText(text, (heading,))).verdict


@pytest.mark.parametrize(
    ("question", "said", "right"),
    [
        ("can i mark my own ticket as done?", "Daisy looks at it and marks the ticket as done.", False),
        ("can i mark my own ticket as done?", "Nobody may mark their own ticket as done.", True),
        ("may boats moor at night?", "Boats moor at night for a fee.", False),
        ("does the crane lift boats?", "The crane lifts boats.", True),
    ],
)
def test_whether_something_may_be_done_is_said_by_a_word_for_that(question: str, said: str, right: bool) -> None:
    assert says_whether(question, said) is right


def test_a_comparison_says_no_more_than_that() -> None:
    assert only_compares("how often is the quay swept?", "Sweeping more often than weekly brings little.")
    assert not only_compares("how often is the quay swept?", "The quay is swept more than twice a week.")


def test_a_step_of_an_example_is_not_told_as_a_rule() -> None:
    rule = "A berth is given back after 5 days without a boat."
    assert verdict("After how many days is a berth given back?", rule) == "complete"
    made_up = "Here is an example of a season:\n\n- Ida takes a berth.\n- After 5 days the berth is given back.\n"
    assert verdict("After how many days is a berth given back?", made_up) != "complete"
    imagined = "- Imagine that Ida has a boat.\n- After 5 days the berth is given back.\n"
    assert verdict("After how many days is a berth given back?", imagined) != "complete"
