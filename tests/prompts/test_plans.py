"""What is planned, refused, doubted, allowed or so on a condition does not say what was done or what is so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following

WORK = """# Yard notes

Ida proposed to buy a new winch.

Bo will order 20 ropes by Friday.

Fay promised to repair the mast by 3 December.

Gil refused to pay 900 EUR for the repair.

Di almost signed the lease on 4 November.

Cy considered buying a new buoy.

The siren should have run on 9 November.

The loft might move on 1 March.

If the test is passed, Bo launches the ferry on 14 December.

Mooring must not cost more than 400 EUR per month.

Per Lund was thanked; his successor as pilot is Ida Holm from 1 January 2027.

Ed ordered 12 lamps because the quay will be dark.

Kay planned the pier for years and painted the fence on 6 May.
"""
CHAT = """[2026-11-23 09:00] Fay: migration of the members starts today
[2026-11-24 14:05] Bo: the bank asked whether the Dunlin sails this week
[2026-11-24 14:09] Ida: no, the Dunlin sails on 2 December
[2026-11-25 09:05] Bo: I think the Heron lease is signed, not sure
[2026-11-25 09:12] Di: not yet, the bank wants changes
"""


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    folder: Path = tmp_path_factory.mktemp("plans")
    following = Following(folder)
    following.write("notes.md", WORK)
    following.write("chat.txt", CHAT)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    "question",
    [
        "Did we buy a new winch?",
        "How many ropes did Bo order?",
        "Has Fay repaired the mast?",
        "When did Fay repair the mast?",
        "When was the mast repaired?",
        "How much did Gil pay for the repair?",
        "When did Di sign the lease?",
        "Did Cy buy a new buoy?",
        "When did the siren run?",
        "When did the loft move?",
        "When does the loft move?",
        "When was the ferry launched?",
        "When will the ferry be launched?",
        "How much does mooring cost?",
        "Who was pilot before Per Lund?",
        "How many members have been migrated?",
        "When did the Dunlin sail?",
        "When was the Heron lease signed?",
    ],
)
def test_what_is_not_said_to_be_done_or_so_is_not_called_the_answer(docs: Following, question: str) -> None:
    assert docs.ask(question).verdict != "complete"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many ropes will Bo order?", "20 ropes"),
        ("When will Fay repair the mast?", "3 December"),
        ("Did Ida propose to buy a new winch?", "proposed"),
        ("How many lamps did Ed order?", "12 lamps"),
        ("When did Kay paint the fence?", "6 May"),
        ("How much may mooring cost?", "400 EUR"),
    ],
)
def test_what_is_said_as_it_is_asked_is_answered(docs: Following, question: str, said: str) -> None:
    answer = docs.ask(question)
    assert answer.verdict == "complete" and said in answer.text, answer.text
