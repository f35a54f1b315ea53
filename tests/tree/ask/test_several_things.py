"""What is asked of two things at once, and rows that name a page or a state beside a thing."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

SERVICES = (
    "# Services\n\n| Service | Owner | Language | Runbook |\n|---|---|---|---|\n| ledger | Team Quay | Go | runbooks/ledger.md |\n"
    "| courier | Team Pier | Python | – |\n| beacon | Team Quay | Python | runbooks/beacon.md |\n"
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who owns beacon and courier?", ["**Team Quay**, owner of beacon", "**Team Pier**, owner of courier"]),
        ("what language are the ledger and the beacon in?", ["**Go**, language of ledger", "**Python**, language of beacon"]),
    ],
)
def test_each_of_two_things_is_told(docs: Following, question: str, told: list[str]) -> None:
    docs.write("services.md", SERVICES)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and all(one in answer.text for one in told), answer.text
    assert [citation.number for citation in answer.citations] == [1]


def test_of_two_things_one_of_which_is_unknown_not_just_the_other_is_told(docs: Following) -> None:
    docs.write("services.md", SERVICES)
    assert answered(docs, "Who owns beacon and nothing else?").verdict != "complete"
    assert answered(docs, "What is the runbook of ledger and courier?").verdict != "complete"


@pytest.mark.parametrize("question", ["Who is the owner of runbooks/ledger.md?", "who owns the runbook of the ledger?"])
def test_who_owns_a_service_need_not_own_its_page(docs: Following, question: str) -> None:
    docs.write("services.md", SERVICES)
    docs.write("runbooks/ledger.md", "# Ledger is slow\n\nOwner: Ida Brink\n\n1. Open the dashboard.\n2. Scale the workers.\n")
    assert answered(docs, question).verdict != "complete"
    assert answered(docs, "what is the runbook of the ledger?").text.startswith("**runbooks/ledger.md**")


def test_the_state_of_one_thing_is_not_that_of_what_is_done_with_it(docs: Following) -> None:
    docs.write("adr/0007.md", "# 0007: Use NATS for events\n\nDate: 12 May 2025\nStatus: accepted\n\nWe use NATS for events.\n")
    assert answered(docs, "Is replacing NATS done?").verdict != "complete"
    assert "accepted" in answered(docs, "What is the status of 0007: Use NATS for events?").text


def test_where_is_answered_by_no_day_and_by_nobody(docs: Following) -> None:
    docs.write(
        "lost.csv",
        "item_no,found_on,where_found,description,found_by,notes\nLP-1,2026-11-20,Foyer,Grey wool scarf,Ida,\n"
        "LP-2,2026-11-21,Rear stairs,Brown wallet,Per,in the office safe\n",
    )
    where = answered(docs, "Where is the brown wallet that was found on the stairs?")
    assert where.verdict != "complete" and "office safe" in where.text
    assert answered(docs, "When was LP-2 found?").text.startswith("**21 November 2026**")


def test_which_ones_is_answered_by_no_number(docs: Following) -> None:
    docs.write("house.md", "# House\n\n| Area | Seats |\n|---|---|\n| Hall | 270 |\n| Circle | 142 |\n")
    assert answered(docs, "Which seats are the hall holds?").verdict != "complete"
    assert answered(docs, "How many seats has the hall?").text.startswith("**270**")
