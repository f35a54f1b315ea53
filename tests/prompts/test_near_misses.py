"""Sentences with every word of a question that do not answer it are shown as passages, and never as the answer."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.near_misses import only_compares, says_whether, tells_first_of_all
from prompts.records import LeafText, LogicUnit, Question


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


@pytest.mark.parametrize(
    ("question", "said", "right"),
    [
        ("who wrote the most reports", "Ida Holm wrote the reports of March.", False),
        ("who wrote the most reports", "Ida Holm wrote most of the reports.", True),
        ("who wrote the most reports", "Ida Holm wrote at most two reports.", False),
        ("which crane lifts the fewest boats", "The crane Petrel lifts fewer boats than any other.", True),
        ("where is the oldest berth", "The berth is at the Boathouse.", False),
        ("who wrote at least one report", "Ida Holm wrote the reports of March.", True),
    ],
)
def test_who_is_first_of_all_is_said_only_by_a_word_for_that(question: str, said: str, right: bool) -> None:
    assert tells_first_of_all(question, said) is right
    assert verdict("Who wrote the most reports?", "Ida Holm wrote the reports of March.") != "complete"


def test_a_word_within_an_error_code_says_nothing_of_it() -> None:
    assert verdict("Who closed the gate?", "Ida Holm saw the gate with `TS-409 GATE_CLOSED 12` on it.") != "complete"
    assert verdict("Who closed the gate?", "Ida Holm closed the gate.") == "complete"


def test_a_step_of_an_example_is_not_told_as_a_rule() -> None:
    rule = "A berth is given back after 5 days without a boat."
    assert verdict("After how many days is a berth given back?", rule) == "complete"
    made_up = "Here is an example of a season:\n\n- Ida takes a berth.\n- After 5 days the berth is given back.\n"
    assert verdict("After how many days is a berth given back?", made_up) != "complete"
    imagined = "- Imagine that Ida has a boat.\n- After 5 days the berth is given back.\n"
    assert verdict("After how many days is a berth given back?", imagined) != "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How often is a new harbour map printed?", "New harbour maps are printed at a rate of 40 sheets per day."),
        ("How many old logs does the crane keep?", "## 6. Old logs of the crane\n\nThe crane keeps some."),
        ("Which crane lifts the old boats?", "The old boats are lifted by the crane called Petrel."),
        (
            "Where does the crane keep the old keys?",
            "The blue steel box from Holm, with old keys of the crane, is kept in the Boathouse.",
        ),
    ],
)
def test_a_sentence_about_something_else_is_not_called_the_answer(question: str, text: str) -> None:
    assert verdict(question, text) != "complete"


def test_what_says_only_as_quickly_as_possible_says_not_how_quickly() -> None:
    heading = "## How quickly must a leak be mended?\n\n"
    asked = "How quickly must a leak be mended?"
    assert verdict(asked, f"{heading}A leak must be mended within two days.") == "complete"
    assert verdict(asked, f"{heading}A leak must be mended as quickly as possible.") != "complete"


def launching(below: str) -> LeafText:
    text = f"1. Open the gate.\n2. Lower the boat.\n\n{below}"
    places = [(0, 17), (18, 35)]
    units = tuple(
        LogicUnit(kind="step", header="Launching a boat", start=start, end=end, step=at)
        for at, (start, end) in enumerate(places, 1)
    )
    return LeafText(text, ("Harbour manual", "Launching a boat"), units)


@pytest.mark.parametrize(
    ("below", "is_all"),
    [("", True), ("**Expected:** the boat floats.", True), ("Then close the gate, or the quay is under water.", False)],
)
def test_steps_below_which_the_section_goes_on_are_not_called_the_whole_answer(below: str, is_all: bool) -> None:
    answer = ExtractiveReader().answer(Question("How do I launch a boat?", {}), launching(below))
    assert (answer.verdict == "complete") is is_all


def test_what_is_let_off_says_no_amount() -> None:
    assert only_compares("how much is the deposit?", "No deposit below 500 euros.")
    assert not only_compares("how much is the deposit?", "The deposit is 500 euros.")
