"""What never leads an answer."""

from __future__ import annotations

import pytest

from prompts.extractive.no_answers import cannot_lead, is_of_document, says_no_change

OBJECT = "Crane(name='boom', load=5, parts=[Part(name='jib', size=1), Part(name='hook', size=2)], at={'x': 1, 'y': 2}, tags=['a', 'b', 'c'], owner='Quay', spare=None)"


@pytest.mark.parametrize(
    "text",
    [
        "[Setup](setup.md) | [Use](use.md) · [Limits](limits.md)",
        "[setup](setup)",
        "Next: [Limits of the crane](limits.md)",
        "Edit this page on GitHub",
        "Table of contents",
        ">>> crane.load\n5",
        'Licensed under the Apache License, Version 2.0 (the "License")',
        "Copyright (c) 2026 the crane's makers",
        OBJECT,
        "Dear Ada,",
        "Best regards,",
    ],
)
def test_navigation_licences_and_printed_objects_lead_no_answer(text: str) -> None:
    assert cannot_lead("What does the crane lift?", text, "code" if text.startswith(">>>") else "text")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does the crane lift?", "The crane lifts 5 t, see [Limits](limits.md)."),
        ("What does the crane lift?", "Next, the crane lifts the load by its `hook` and turns."),
        ("Which licence has it?", "Licensed under the Apache License, Version 2.0."),
        ("Where is the link to the setup?", "[setup](setup)"),
        ("What does the crane lift?", "crane lift --load 5"),
        ("The crane stands still: what should I do?", "See [Fuses](fuses.md)."),
    ],
)
def test_what_says_something_may_lead(question: str, text: str) -> None:
    assert not cannot_lead(question, text, "code" if text.startswith("crane") else "text")


@pytest.mark.parametrize(
    "text",
    ["For: crew of the ferry, harbour office", "Version 5, 19 October 2026, Ida.", "Prepared by Ida Holm", "Subject: the crane"],
)
def test_a_line_at_the_beginning_says_of_its_document_for_whom_it_is(text: str) -> None:
    assert is_of_document("What does the crane lift?", text, 40)
    assert not is_of_document("What does the crane lift?", text, 4_000)
    assert not is_of_document("Which version is it, for whom, and on what subject was it written?", text, 40)


@pytest.mark.parametrize(
    "text", ["For crews there is tea.", "Version 5 is needed for the crane.", "Status: blocked", "28 t (crane)"]
)
def test_a_line_that_says_something_of_a_thing_is_none_of_its_document(text: str) -> None:
    assert not is_of_document("What does the crane lift?", text, 40)


def test_that_a_thing_stays_the_same_is_said_of_nothing_new() -> None:
    assert says_no_change("The ropes stay the same for guests.") and says_no_change("Fees remain unchanged.")
    assert not says_no_change("The ropes stay in the shed.")
