"""What never leads an answer."""

from __future__ import annotations

import pytest

from prompts.extractive.no_answers import cannot_lead

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
