"""Who says what in conversations, and that small talk decides nothing."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.records import LeafText, SummaryRecord

CHAT = """Iris Vale: Hi! Did you get the key of the pump?
Tom Ash: Yes, it is on the desk. I moved the pump to Holm on 3 May 2026. Always looking forward to it!
Iris Vale: Agreed!
Tom Ash: Your bread has been delivered. We decided to keep the second pump at Linnet.
Iris Vale: Wow!
"""


def read(text: str) -> SummaryRecord:
    return ExtractiveReader().read(LeafText(text, ("Talk",))).record


def test_what_is_said_comes_with_who_says_it():
    record = read(CHAT)
    assert [quote.text for quote in record.events] == ["Tom Ash: I moved the pump to Holm on 3 May 2026."]
    assert [quote.text for quote in record.decisions] == ["Tom Ash: We decided to keep the second pump at Linnet."]
    assert record.critical_actions == ()
    assert "Wow" not in record.summary and "Iris Vale: Did you get the key of the pump?" in record.summary


@pytest.mark.parametrize(
    "text",
    [
        "[2026-05-03 09:10] Iris Vale: Is it there?\n[2026-05-03 09:11] Tom Ash: Yes. We decided to keep it at Holm.\n",
        "**Iris Vale** (09:10)\nIs it there?\n\n**Tom Ash** (09:12)\nYes. We decided to keep it at Holm.\n",
        "09:10 Iris Vale: Is it there?\n09:12 Tom Ash: We decided to keep it at Holm.\n",
        "Iris Vale 09:10\nIs it there?\n\nTom Ash 09:12\nWe decided to keep it at Holm.\n",
    ],
)
def test_turns_are_known_in_the_forms_that_programs_write(text: str):
    assert [quote.text for quote in read(text).decisions] == ["Tom Ash: We decided to keep it at Holm."]


def test_labels_are_no_speakers():
    record = read("Owner: Team Keel\n\nWe decided to keep it at Holm.\n\nNote: The gate was opened on 3 May 2026.\n")
    assert [quote.text for quote in record.decisions] == ["We decided to keep it at Holm."]
    assert [quote.text for quote in record.events] == ["Note: The gate was opened on 3 May 2026."]


def test_a_comment_on_a_ticket_in_the_first_person_says_whose_it_is():
    text = "## Comments\n\n### Tom Ash, 2026-05-03 09:10 UTC\n\nWe decided to keep it at Holm. The pump must stay dry.\n"
    record = ExtractiveReader().read(LeafText(text, ("P-1 Pump",), kind="ticket")).record
    assert [quote.text for quote in record.decisions] == ["Tom Ash: We decided to keep it at Holm."]
    assert [quote.text for quote in record.critical_actions] == ["The pump must stay dry."]
