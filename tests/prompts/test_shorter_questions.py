"""A question at its core: what leads up to it, and what is asked besides, are left out."""

from __future__ import annotations

import time

import pytest

from prompts.language import terms
from prompts.shorter_questions import core_of, without_circumstance, words_beside, words_of_time


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("I paint the mast tomorrow, how much tar do I need for it?", None),  # "it" is what comes before
        ("I paint the big mast tomorrow, how much tar does a mast take?", "how much tar does a mast take?"),
        ("When can Maren fetch the new boat and by when do we have to sign?", "When can Maren fetch the new boat"),
        ("Who painted the long mole, when and for how much?", "Who painted the long mole"),
        ("Wer streicht den langen Steg, und wann?", "Wer streicht den langen Steg"),
        ("If a boat sinks, who has to be told?", None),  # the condition is what is asked about
        ("The lamp is dark and a boat waits, what do I do?", None),  # nothing would be left
        ("Who keeps the lamp?", None),
        ("The new list is long, could you show me the old list", None),
    ],
)
def test_what_is_left_is_a_question_of_its_own(question, core) -> None:
    assert core_of(question) == core


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("where can I moor when I come late?", "where can I moor"),
        ("who stands in for Maren when she's away", "who stands in for Maren"),
        ("May I take the boat home when nobody needs it?", "May I take the boat home"),
        ("may I use the crane if I am under 18?", None),  # the case decides
        ("who do I call when I smell gas?", None),
        ("how long may it run if the fan is broken", None),  # "it" is said nowhere
        ("What do I do if the boat sinks?", None),  # the case is what is asked about
        ("when is it open if it rains", None),
        ("who gave Maren a boat when she was young", None),  # of that time
        ("where is the lamp", None),
    ],
)
def test_the_case_in_which_it_is_asked_is_left_out(question, core) -> None:
    assert without_circumstance(question) == core


@pytest.mark.parametrize(
    ("question", "beside"),
    [
        ("My oar broke, where do we keep the spare ropes?", "oar broke"),
        ("The oar is broken and wet. Who repairs the oar and the mast?", "broken wet"),
        ("Why did we buy the old barge, it was dearer wasn't it?", "dearer"),
        ("I stand at the lamp and cannot find the switch, where is it?", ""),  # what is looked for stands in front
        ("If a boat sinks, who tells the harbour office?", ""),  # the case is what is asked about
        ("Who repairs the oar?", ""),
    ],
)
def test_what_stands_beside_a_question(question: str, beside: str) -> None:
    assert words_beside(question) == frozenset(terms(beside))


def test_words_that_only_say_when() -> None:
    assert words_of_time("How long was the drill this spring, and who comes next week?") == frozenset(terms("spring next week"))
    assert not words_of_time("How long is the spring of the lock in weeks?")


def test_no_question_takes_long() -> None:
    start = time.process_time()
    for text in ("." * 50_000, ", " * 25_000, "a. " * 20_000, "?" * 50_000, ", it " * 10_000):
        words_beside(text)
        words_of_time(text)
    assert time.process_time() - start < 1.0
