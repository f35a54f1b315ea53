"""Things that are called by a word and a number, and versions: another number is another thing."""

from __future__ import annotations

import pytest

from prompts.extractive.numbered import is_of_others

DEPOT = "Tram 21 was built in 1986. Trams 23 and 24 came from Ghent."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what year is tram 22 from", DEPOT),
        ("who drives tram 7?", DEPOT),
        ("when did 4.0.3 come out", "Changes of 4.0.2\n\nMore connections. Before: 4.0.1."),
        ("who made release v2.11.0", "Release 2.10.1: made by Ada."),
    ],
)
def test_a_text_on_others_of_the_kind_says_nothing_of_the_one(question: str, text: str) -> None:
    assert is_of_others(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what year is tram 21 from", DEPOT),
        ("what year is tram 24 from", DEPOT),
        ("how wide is gate 3", "Gates 1 to 5 are 2 m wide."),
        ("how wide is gate 3", "Gate 1 is new. All gates are 2 m wide."),
        ("how wide is gate 3", "Gate | Width\n1 | 2 m\n3 | 4 m\nSee gate 1."),
        ("how wide is gate 3", "The hall has a wide door."),
        ("does it run on 4.0.3", "It runs on 4.0.1 or newer."),
        ("does it run on 4.0.3", "Needs >= 3.9.2"),
        ("what is new in 4.0.3", "4.0.3\n\nMore connections."),
        ("how long do we keep 30 days of logs", "Logs of 20 days are kept."),
    ],
)
def test_a_text_that_may_be_of_it_does(question: str, text: str) -> None:
    assert not is_of_others(question, text)
