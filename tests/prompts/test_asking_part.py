"""Of what somebody writes in a chat the part that asks."""

from __future__ import annotations

import pytest

from prompts.asking_part import asking_part, without_its_value


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Who owns the crane?", "Who owns the crane?"),
        (
            "I have to tell the board on Monday. Could you add up the rents of Mill Lane?",
            "Could you add up the rents of Mill Lane?",
        ),
        ("which lamp is the oldest? the number is enough", "which lamp is the oldest?"),
        (
            "The auditor comes on Monday. Please name everybody whose pass has expired.",
            "Please name everybody whose pass has expired.",
        ),
        ("Read 3.5.1 first. The valve is shut.", "Read 3.5.1 first. The valve is shut."),
        ("Mr. Reyl left. What now?", "What now?"),
    ],
)
def test_it_is_told_from_what_is_said_around_it(text, asked) -> None:
    found = asking_part(text)
    assert found.asked == asked
    assert bool(found.around) == (asked != text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("which zone is the driest, and what is the value?", "which zone is the driest?"),
        ("the mean of all readings, rounded to two decimal places", "the mean of all readings"),
        ("which permits expire next, counting from today?", "which permits expire next?"),
        ("who leads the yard, and what is her phone?", "who leads the yard, and what is her phone?"),
        ("what is the value of the stock?", "what is the value of the stock?"),
    ],
)
def test_how_much_it_is_goes_without_saying(text, left) -> None:
    assert without_its_value(text) == left
