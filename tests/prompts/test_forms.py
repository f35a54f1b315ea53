"""Forms of sentences that may answer: signs letter by letter, things of the sort asked for, what introduces a thing, defaults."""

from __future__ import annotations

import pytest

from prompts.extractive.asked_values import has_asked_value
from prompts.extractive.forms import asks_default, has_sign, introduces, signs_in, sort_asked


@pytest.mark.parametrize(
    ("question", "signs"),
    [
        ("What does -j do?", ("-j",)),
        ("What does %e stand for in the log line?", ("%e",)),
        ("May I put it below /srv/quay or in .conf files?", ("/srv/quay", ".conf")),
        ("Can I join two with && on Windows?", ("&&",)),
        ("Is the well-known and/or rule kept, e.g. at sea?", ()),
    ],
)
def test_signs_of_a_question(question: str, signs: tuple[str, ...]) -> None:
    assert signs_in(question) == signs


def test_a_sign_is_no_part_of_a_longer_one() -> None:
    assert has_sign("--gate", "Use `--gate` at night.") and not has_sign("--gate", "Use --gate-wide at night.")


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("hawser", "A hawser holds a ship at the quay."),
        ("hawsers", "The thick ropes are called “hawsers”."),
        ("night berths", "Night berths are kept for boats that arrive late."),
    ],
)
def test_what_introduces_a_thing(subject: str, said: str) -> None:
    assert introduces(subject, said)


def test_what_only_names_a_thing_introduces_nothing() -> None:
    assert not introduces("hawser", "Check the hawser before you leave.") and not introduces("", "It is a rope.")


def test_things_of_the_sort_that_is_asked_for() -> None:
    asked = sort_asked("which environment variable sets the lamp?")
    assert asked is not None and asked.search("Set LAMP_LEVEL before the start.") and not asked.search("Set the lamp level.")
    file = sort_asked("in which file are the berths kept?")
    assert file is not None and file.search("They are kept in quay/berths.csv.") and not file.search("They are kept safe.")
    assert sort_asked("who keeps the file?") is None


@pytest.mark.parametrize(
    "question",
    [
        "what is the default lamp?",
        "which lamp is lit if i do not set one?",
        "what is used when nothing is configured?",
        "which berth is taken without choosing one?",
    ],
)
def test_questions_for_a_default(question: str) -> None:
    assert asks_default(question)


def test_another_condition_asks_for_no_default() -> None:
    assert not asks_default("what happens if the rope breaks?") and not asks_default("who comes if i call?")


def test_a_default_is_named_as_one() -> None:
    question = "What is the default lamp?"
    assert has_asked_value(question, "The default is the `amber` lamp.") and has_asked_value(
        question, "Unless one is named, `amber`."
    )
    assert not has_asked_value(question, "Lamp: in a tunnel take `amber`, for LED another.")
