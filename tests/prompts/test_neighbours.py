"""What has the words of a question and a value of the right kind, but says it of something else, answers nothing."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered, docs  # noqa: F401 - a fixture

BESIDE = (
    ("When does the ferry office close?", "Until 3 May the ferry office closed at 17:00."),
    ("When does the ferry office close?", "Before 3 May 2026 the ferry office was closed at 17:00 on most days."),
    ("When does the north slip open?", "The north slip was put off and does not open now, see the minutes of 4 May 2026."),
    ("When does the north slip open?", "For when the north slip will open see the mail from 12 June."),
    ("How many days may a survey be late?", "7 surveys are late, 3 of them by more than 21 days."),
    ("How many hours must a skipper rest?", "Last week a skipper took a rest of 6 hours."),
    ("How many hulls of series K-77 are painted?", "Paint all 18 hulls of series K-77 that are in the yard."),
    ("How many sail lockers per loft?", "Cost of the sail lockers for the loft: 12 lockers, EUR 900."),
    ("How many sail lockers per loft?", "We put three mix-ups of sail bags down to one loft."),
    ("Where do I find the tide tables?", "Tide tables, boat is in Dock 4."),
    ("Where is the blue flag?", "Blue flag, the mast is at Pier 3."),
    ("Who works in gang Heron?", "Gang Heron, works from Ostwick, foreman Ulla Brandt."),
    ("Who works in gang Heron?", "Pia Lund (trainee) - gang Heron, mentor Ole Vik."),
    ("Who decided on QF-10?", "QF-12: decided by Ana Solberg and Carla Wu, who had 10 days for it."),
)  # fmt: skip
ANSWERS = (
    ("When does the ferry office close?", "The ferry office closes at 19:00."),
    ("When did the ferry office close?", "Until 3 May the ferry office closed at 17:00."),
    ("When does the north slip open?", "The north slip opens on 9 June 2026, see the minutes of 4 May 2026."),
    ("How many days may a survey be late?", "A survey may be 14 days late."),
    ("How many hours must a skipper rest?", "A skipper has to rest for 11 hours."),
    ("How many hulls of the old series are painted?", "11 hulls of the old series are painted."),
    ("How many sail lockers per loft?", "Each loft has 4 sail lockers."),
    ("Where are the tide tables?", "The tide tables are in Dock 4."),
    ("Who works in gang Heron?", "Pia Lund works in gang Heron."),
    ("Who decided on QF-10?", "QF-10 was decided by Ana Solberg."),
)  # fmt: skip


@pytest.mark.parametrize(("question", "text"), BESIDE)
def test_a_neighbouring_statement_is_no_answer(docs: Following, question: str, text: str) -> None:  # noqa: F811
    docs.write("note.md", f"# Harbour notes\n\nRead with care.\n\n{text}\n")
    assert answered(docs, question).verdict != "complete"


@pytest.mark.parametrize(("question", "text"), ANSWERS)
def test_what_says_it_of_the_thing_is(docs: Following, question: str, text: str) -> None:  # noqa: F811
    docs.write("note.md", f"# Harbour notes\n\nRead with care.\n\n{text}\n")
    assert answered(docs, question).verdict == "complete"
