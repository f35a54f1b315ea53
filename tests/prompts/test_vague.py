"""Questions that leave open what they are about are answered with passages, and never outright."""

from __future__ import annotations

from datetime import date

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.vague import is_to_come
from prompts.records import LeafText, LogicUnit, Question

NOTES = (
    "The crane costs EUR 400 a day. The keys lie in the blue box at the Boathouse.\n\nMeetings take place twice a month. "
    "The next harbour meeting is on 4 May 2026. At night the crane Petrel stands in the Boathouse."
)
STEPS = "## Restart the crane\n\n1. Stop the crane.\n2. Wait a minute.\n3. Press start.\n"


def verdict(question: str, text: str = NOTES, day: date | None = None) -> str:
    return ExtractiveReader().answer(Question(question, {}, day=day), LeafText(text, ("Harbour manual",))).verdict


@pytest.mark.parametrize("question", ["what does it cost", "where are the keys", "how often do we meet", "how much is it a day"])
def test_a_question_of_one_common_word_is_not_answered_outright(question: str) -> None:
    assert verdict(question) != "complete"


def test_a_question_of_it_has_no_steps_without_a_chat_before_it() -> None:
    places = [(STEPS.index(f"{step}. "), step) for step in (1, 2, 3)]
    units = tuple(
        LogicUnit(kind="step", header="Restart the crane", start=start, end=STEPS.index("\n", start), step=step)
        for start, step in places
    )
    leaf = LeafText(STEPS, ("Harbour manual",), units)
    assert ExtractiveReader().answer(Question("How do I restart it?", {}), leaf).verdict != "complete"
    assert ExtractiveReader().answer(Question("How do I restart the crane?", {}), leaf).verdict == "complete"
    assert ExtractiveReader().answer(Question("How do I get a crane?", {}), leaf).verdict != "complete"


def test_a_name_alone_says_what_is_meant() -> None:
    assert verdict("Where is Petrel?", "Petrel stands in the Boathouse. Nobody moves the Petrel at night.") == "complete"
    assert verdict("Where is the petrel?", "Petrels nest in the Boathouse. Nobody moves a petrel at night.") != "complete"


def test_what_is_next_is_not_over() -> None:
    question = "When is the next harbour meeting?"
    assert verdict(question, day=date(2026, 4, 30)) == "complete"
    assert verdict(question, day=date(2026, 5, 5)) != "complete"
    assert verdict("What is next?", "Next: 4 May 2026\n", day=date(2026, 5, 5)) != "complete"
    assert is_to_come("The meeting is on 4 May 2026.", date(2026, 5, 4)) and not is_to_come("It is on Holm.", date(2026, 5, 4))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What are the quiet hours?", "Quiet hours are from 22:00 to 6:30."),
        ("what is our berth number with Selmer", "- Our berth number with Selmer is **SW-2081**."),
        ("Who are the first aiders?", "First-aiders are Ida Holm and Bo Lund."),
        ("What is the harbour code?", "Harbour code: `PETREL-4`"),
    ],
)
def test_a_sentence_that_begins_with_the_thing_says_what_it_is(question: str, text: str) -> None:
    assert verdict(question, text) == "complete"
    assert verdict(question, text.replace(" are ", " are not ").replace(" is ", " is not ").replace(":", " unlike")) != "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the crane plan?", "The crane plan is out of date."),
        ("What are the quiet hours?", "Quiet hours are a matter of taste."),
        ("What are the quiet hours?", "The quiet hours of the guests are from 22:00 to 6:30."),
        ("What is the harbour code?", "The harbour code book is No. 4."),
    ],
)
def test_what_is_said_of_a_thing_need_not_be_what_it_is(question: str, text: str) -> None:
    assert verdict(question, text) != "complete"


@pytest.mark.parametrize("question", ["What is missing?", "what's not decided yet", "what is not allowed"])
def test_what_is_so_is_no_meaning_of_a_word(question: str) -> None:
    assert (
        verdict(question, "Missing: Ida Holm, who is ill.\n\nDecided: the gate stays shut.\n\nAllowed: dogs on a lead.")
        != "complete"
    )


def test_the_status_of_a_ticket_is_no_meaning_of_status() -> None:
    ticket = "- Type: Bug\n- Status: Done (since 2026-05-04)\n- Priority: High\n- Reporter: Ida Holm\n\nThe gate is shut.\n"
    assert verdict("What is the status?", ticket) != "complete"


def test_a_document_that_holds_no_more_answers_nothing_of_now() -> None:
    old = "# D-14 Berths\n\nStatus: superseded by D-19\n\nA berth is given back after 5 days without a boat.\n"
    question = "After how many days is a berth given back?"
    assert verdict(question, old.replace("superseded by D-19", "accepted")) == "complete"
    assert verdict(question, old) != "complete"


def test_who_won_is_answered_only_by_what_says_so() -> None:
    ahead = "Works council: Ida Holm and Tomas Reyl until the election in March 2027."
    assert verdict("who won the works council election", ahead) != "complete"
