"""What says by what something is done, whether something is so, and why: called an answer only where it says just what was asked."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.language import terms
from prompts.records import LeafAnswer, LeafText, Question


def asked(question: str, text: str, unknown: tuple[str, ...] = ()) -> LeafAnswer:
    words = frozenset(word for name in unknown for word in terms(name))
    weights = {word: 6.0 if word in words else 3.0 for word in terms(question)}
    return ExtractiveReader().answer(Question(question, weights, words), LeafText(text, ("Handbook",)))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How do I retry a job on any error?", "If you want to retry a job on any error, use `retry_for`."),
        ("How do I weigh a van?", "To weigh a van, run `plate read`."),
        ("How do I weigh a van?", "To weigh a van, read the plate:\n\n```\nplate read --lane 2\n```"),
        (
            "How can I switch off checking of arguments?",
            "You can disable the checking of arguments by setting `typing` to false.",
        ),
        ("Which option should I use to weigh a van?", "Use the option `--plate` to weigh a van."),
        ("Are queues persistent?", "Queues made by the broker are persistent by default."),
        ("On which port does the scale of the quay listen?", "By default, the scale of the quay listens on port 8081."),
        ("Why must the proxy buffer slow clients?", "The proxy must buffer slow clients; otherwise the crane waits."),
        ("Does the crane lift coaches from barges?", "The crane does not lift coaches from barges (as some others do)."),
    ],
)
def test_what_says_just_what_was_asked_is_called_an_answer(question: str, text: str) -> None:
    assert asked(question, text).verdict == "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How do I retry a job on any error?", "If you want to retry a job, use `retry_for`."),
        ("How do I retry a job on any error?", "If you do not want to retry a job on any error, use `once`."),
        ("How do I weigh a van?", "To weigh a van with fragile goods, use `tide`."),
        ("How do I weigh a van?", "To weigh a van, patience is needed."),  # nothing that is done
        ("Can a package trigger itself?", "Packages in triggers-awaited are not ready."),
        ("Is a trigger run at once when it is activated?", "They may also be activated by running a trigger."),
        ("Are queues persistent?", "Queues of persistent tasks are closed at night."),
    ],
)
def test_what_says_something_near_it_is_not(question: str, text: str) -> None:
    assert asked(question, text).verdict != "complete"


def test_a_way_is_told_with_the_code_that_it_leads_up_to() -> None:
    said = asked("How do I weigh a van?", "To weigh a van, read the plate:\n\n```\nplate read --lane 2\n```").quotes[0]
    assert "plate read --lane 2" in said.text


def test_what_is_asked_of_a_name_that_occurs_nowhere_is_not_found() -> None:
    text = "The crew tests the cooling of the turbine every week."
    assert asked("Does the crew test the turbine with Kafka?", text, ("Kafka",)).verdict == "none"
    assert asked("Does the crew test the turbine with care?", text, ("care",)).verdict == "partial"
