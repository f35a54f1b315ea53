"""Whether a text looks by its form as if it had an answer: names stand in many texts, and few say what they mean."""

from __future__ import annotations

import pytest

from prompts.extractive.looks import asks_form, looks_answered

WEIGHTS = {"weigh": 2.0, "van": 1.0}


def looks(question: str, text: str) -> float:
    return looks_answered(question, {}, text)


@pytest.mark.parametrize(
    "text",
    [
        "# Holding\n\nSome words.\n\n## The hold\n\nA seat is kept.",
        "Seats are many. A hold is a seat that is kept.",
        "* **hold** (noun) - a seat that is kept",
        "The hold is:\n\n* short",
        "It has a state called hold until then.",
    ],
)
def test_a_text_that_says_what_something_is_looks_so(text):
    assert looks("What is a hold?", text) > 0


@pytest.mark.parametrize(
    "text", ["A hold was not kept.", "The hold on deck 2 is red.", "## Holds of 2024\n\nNone.", "Household: it is a group.", ""]
)
def test_a_text_that_only_names_it_does_not(text):
    assert looks("What is a hold?", text) == 0


def test_a_heading_that_is_the_name_tells_more_than_a_list_of_names():
    of_heading, of_list = (
        looks("What does hold_time do?", "## hold_time\n\nText."),
        looks("What does hold_time do?", "hold_time: 12"),
    )
    assert 1.0 == of_heading > of_list > 0


def test_a_way_is_told_by_a_heading_or_a_purpose_and_less_by_one_with_more_words():
    heading, purpose = "# Weighing a van\n\nText.", "First drive up. To weigh a van, stop on the plate."
    longer = "To weigh a van with a trailer on a wet day at night, stop."
    question = "How do I weigh a van?"
    found = [looks_answered(question, WEIGHTS, text) for text in (heading, purpose, longer, "A van is weighed at the gate.")]
    assert found[0] == found[1] == 1.0
    assert found[0] > found[2] and found[3] == 0.0


def test_a_heading_may_leave_out_what_is_done_to_the_thing():
    weights = {"set": 3.0, "berth": 1.0, "prioriti": 1.0}
    assert looks_answered("How do I set the berth priority?", weights, "## Berth priority\n\nText.") > 0.5
    assert looks_answered("How do I set the berth priority?", weights, "## Priority\n\nText.") == 0


def test_of_a_question_for_a_person_it_tells_nothing():
    assert not asks_form("Who maintains the gate?")
    assert looks("Who maintains the gate?", "## Gate\n\nA gate is a gate. To weigh a van, stop.") == 0


def test_a_heading_that_puts_the_question_is_told_from_one_that_puts_another():
    weights = {"mani": 0.5, "berth": 1.0, "book": 1.0}
    question = "How many berths should I book?"
    near, far = (looks_answered(question, weights, f"## {title}\n\nText.\n") for title in ("How many berths?", "How deep is it?"))
    assert near >= 0.5 and far == 0
    assert looks_answered(question, weights, "## Berths to book\n\nWhy? Because.\n") == 0
