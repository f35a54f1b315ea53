"""Questions for procedures made from raw text, and how an answer is held against them."""

from __future__ import annotations

from random import Random

from bench.howto import Asked, figures, judged, questions
from bench.made.raw_procedures import alerts_of, procedures_of
from tree.ask.snapshot.answer import Answer

PAGE = """# Pumps

## Prerequisites

- A key.
- Boots.

## Starting a pump

1. Open the cock.
2. Press the button, see [keys](keys.md).
3. Wait.

## What pumps are

1. Blue.
"""
ALERT = "# PumpDown\n\n## Meaning\n\nA pump is down.\n\n## Diagnosis\n\nTODO\n\n## Mitigation\n\n- Start it.\n- Wait.\n"
REST = "Pumps\n=====\n\nOiling a pump\n-------------\n\nFollow these steps:\n\n#. Wipe it.\n#. Oil it.\n#. Wipe it again.\n"
FILES = {"pumps.md": PAGE, "alerts/down.md": ALERT, "oil.rst": REST, "keys.md": "# Start the keys\n\nThey hang there.\n"}


def test_procedures_are_read_with_what_is_needed_and_where_steps_lead() -> None:
    pump, oil = procedures_of(FILES)
    assert (pump.titles, len(pump.steps), pump.needed) == (("Pumps", "Starting a pump"), 3, ("A key.", "Boots."))
    assert pump.links == (("keys.md", ""),)
    assert (oil.titles[-1], oil.steps) == ("Oiling a pump", ("Wipe it.", "Oil it.", "Wipe it again."))


def test_alerts_are_read_with_their_meaning_and_what_is_not_written_is_left_out() -> None:
    [alert] = alerts_of(FILES)
    assert (alert.name, alert.meaning, alert.steps) == ("PumpDown", "A pump is down.", ("Start it.",))


def test_a_question_is_worded_from_the_title() -> None:
    asked = questions(FILES, Random(1), 10)
    assert {one.question for one in asked if one.kind == "procedure"} == {"How do I start a pump?", "How do I oil a pump?"}
    assert any("PumpDown" in one.question for one in asked if one.kind == "alert")


def _answer(text: str, verdict: str = "complete") -> Answer:
    return Answer(question="?", text=text, verdict=verdict)  # type: ignore[arg-type]


def test_an_answer_is_right_with_all_steps_in_order_after_what_is_needed_and_no_other() -> None:
    asked = Asked("?", "procedure", "pumps.md", ("Open the cock.", "Press the button", "Wait."), ("A key.",), pages=(PAGE,))
    whole = judged(asked, _answer("- A key. [1]\n\n1. Open the cock. [1]\n2. Press the button, see keys. [1]\n3. Wait. [1]"))
    assert (whole.right, whole.steps, whole.needed, whole.invented) == (True, True, True, ())
    swapped = judged(asked, _answer("1. Press the button [1]\n2. Open the cock. [1]\n3. Wait. [1]\n4. Kick it. [1]\n\n- A key."))
    assert (swapped.right, swapped.steps, swapped.needed, swapped.invented) == (True, False, False, ("Kick it. [1]",))
    other = judged(asked, _answer("1. Wipe it. [1]\n2. Oil it. [1]"))
    assert other.right is False and other.steps is None


def test_an_alert_needs_its_meaning_and_an_absent_page_no_answer() -> None:
    asked = Asked("?", "alert", "down.md", ("Start it.",), meaning="A pump is down.", pages=(ALERT,))
    told = [judged(asked, _answer(text)) for text in ("A pump is down. [1]\n\n1. Start it. [1]", "1. Start it. [1]")]
    absent = [judged(Asked("?", "absent"), _answer("1. Start it.", verdict)) for verdict in ("complete", "partial")]
    assert [one.alert for one in told] == [True, False] and [one.absent for one in absent] == [False, True]
    assert figures([*told, *absent])["alerts"] == figures([*told, *absent])["absent"] == 0.5
