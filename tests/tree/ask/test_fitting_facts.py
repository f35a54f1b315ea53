"""Facts of the time that is asked for: what is to come and not what was, and nothing found by a remark alone is called sure."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

INSTRUMENTS = """id,instrument,last calibration,next due,keeper,remark
I1,Tide gauge,2025-11-03,2026-11-03,Ida Holm,OVERDUE
I2,Sounding lead,2026-01-10,2027-01-10,Per Lund,
I3,Log line,2026-02-01,2026-08-01,Ida Holm,
"""
FAQ = "# Questions\n\n**How many ropes does a berth get?** 2 a year. <- (Ida: this changed, check the handbook)\n"


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("when is the tide gauge calibrated?", "3 November 2026"),
        ("when was the tide gauge calibrated?", "3 November 2025"),
        ("when was the last calibration of the tide gauge?", "3 November 2025"),
    ],
)
def test_what_is_to_come_is_told_of_the_present(docs: Following, question: str, day: str) -> None:
    docs.write("instruments.csv", INSTRUMENTS)
    assert answered(docs, question).text.startswith(f"**{day}**")


def test_a_row_that_is_known_by_a_remark_may_not_be_the_only_one(docs: Following) -> None:
    docs.write("instruments.csv", INSTRUMENTS)
    assert answered(docs, "whose instrument is overdue?").verdict != "complete"


def test_what_a_remark_in_the_line_doubts_answers_nothing_of_now(docs: Following) -> None:
    docs.write("faq.md", FAQ)
    assert answered(docs, "how many ropes does a berth get?").verdict != "complete"
    docs.write("handbook.md", "# Berths\n\nEvery berth gets 3 ropes a year.\n")
    answer = answered(docs, "how many ropes does a berth get?")
    assert answer.text.startswith("Every berth gets 3 ropes") and answer.verdict == "complete"


def test_the_number_of_a_gate_counts_no_cards(docs: Following) -> None:
    docs.write("gifts.md", "# Gifts\n\nEvery keeper gets 3 ropes a year (Christmas gift).\n")
    assert answered(docs, "how many ropes does every keeper get?").verdict == "complete"
    docs.write("notes.md", "# Notes\n\n* accident almost at gate 3 (yellow card), mirror ordered\n")
    assert answered(docs, "how many yellow cards were there?").verdict != "complete"


def test_which_team_owns_a_thing_is_told_by_its_team_and_not_by_its_owner(docs: Following) -> None:
    docs.write(
        "services.csv",
        "service,team,doc owner,language\nslotter,Quay,Ida Holm,Go\nlamp,Pier,Per Lund,Rust\nwinch,Pier,Ida Holm,Go\n",
    )
    assert answered(docs, "which team owns the slotter?").text.startswith("**Quay**")
    assert answered(docs, "which services are written in Go?").text.startswith("**2 of 3 services")


def test_a_state_is_known_without_what_is_said_of_it(docs: Following) -> None:
    for number, status in enumerate(("accepted", "proposed \u2013 no decision", "accepted, 3 May 2026"), 1):
        docs.write(
            f"adr/{number}.md",
            f"# ADR {number}: Gate {number}\n\n- Status: {status}\n- Proposed by: Ida Holm\n\nThe gate is closed.\n",
        )
    answer = answered(docs, "which ADRs are proposed?")
    assert answer.text.startswith("**1 of 3 ") and "ADR 2" in answer.text


def test_a_contact_at_another_party_is_not_the_one_asked_for(docs: Following) -> None:
    docs.write(
        "suppliers.csv",
        "supplier,goods,contact at Harbour,until\nSelmer,ropes,Ida Holm,2027-01-31\nVardal,lamps,Per Lund,2027-03-31\n",
    )
    assert answered(docs, "who is the contact at Selmer?").verdict != "complete"
    assert answered(docs, "who is our contact for Selmer?").text.startswith("**Ida Holm**")


@pytest.mark.parametrize(
    "question", ["which complaints are still open?", "which complaints are not closed yet", "what complaints are unresolved"]
)
def test_what_is_open_has_no_day_on_which_it_was_closed(docs: Following, question: str) -> None:
    docs.write(
        "complaints.csv", "no,guest,subject,closed\nC1,Selmer,rope,2026-03-01\nC2,Vardal,lamp,\nC3,Norby,gate,2026-04-01\n"
    )
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith("**1 of 3 complaints") and "Vardal" in answer.text


def test_a_column_for_the_state_says_what_is_open(docs: Following) -> None:
    docs.write("complaints.csv", "no,guest,status,closed\nC1,Selmer,open,\nC2,Vardal,waiting,\nC3,Norby,done,2026-04-01\n")
    text = answered(docs, "which complaints are open?").text
    assert "Selmer" in text and not text.startswith("**2 of 3")


def test_a_list_of_functions_says_nothing_of_what_a_thing_is(docs: Following) -> None:
    docs.write("api.md", "# Functions\n\nMooring: moor() ties a boat unmoor() lets it go moored() tells whether it is tied\n")
    assert answered(docs, "what is mooring?").verdict != "complete"


def test_since_a_week_is_not_in_that_week(docs: Following) -> None:
    docs.write("orders.csv", "order,guest,week\nO1,Selmer,40\nO2,Vardal,41\nO3,Norby,42\n")
    assert answered(docs, "which orders are in week 41?").text.startswith("**1 of 3 orders")
    assert answered(docs, "which orders came since week 41?").verdict != "complete"


def test_a_word_of_a_remark_tells_no_row_from_another(docs: Following) -> None:
    docs.write(
        "training.csv",
        "person,course,valid until,remark\nIda Holm,First aid,2026-10-01,\nPer Lund,First aid,2027-10-01,expired badge\n",
    )
    assert answered(docs, "whose first aid has expired?").verdict != "complete"


def test_a_height_counts_no_vehicles_and_a_number_names_no_row(docs: Following) -> None:
    docs.write(
        "fleet.md",
        "# Fleet\n\n| Ship | Guests | Cars | Highest vehicle |\n|---|---|---|---|\n| Petrel | 54 | 8 | 3.1 m |\n| Corvina | 420 | 84 | 4.4 m |\n",
    )
    assert "4.4 m" not in answered(docs, "how many vehicles does the Corvina take?").text.split("\n")[0]
    assert answered(docs, "ships with 54 vehicles").verdict != "complete"
    assert answered(docs, "what is the highest vehicle of the Corvina?").text.startswith("**4.4 m**")


def test_who_else_stands_in_a_row_is_no_time(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "teams.md",
        "# Teams\n\n| Crew | Primary | Stand-in | Since |\n|---|---|---|---|\n| North | Ada Holm | Per Lund | 4 May 2026 |\n| South | Ida Brink | Cy Orr | |\n",
    )
    following.sync()
    assert following.ask("In which weeks is Per primary?").verdict != "complete"
    assert following.ask("When is Per on call?").verdict != "complete"
    assert following.ask("Who is the primary of North?").text.startswith("**Ada Holm**, primary of North")
    following.workspace.close()


def test_our_price_is_not_that_of_another(docs: Following) -> None:
    docs.write(
        "bids.csv", "Client,Study,Our price EUR,Lost to\nHarbour Office,Quay lights,34500,Fennick\nTown Hall,Roof,12000,Sorrel\n"
    )
    assert answered(docs, "What was our price for the quay lights?").verdict == "complete"
    assert answered(docs, "What was Fennick's price for the quay lights?").verdict != "complete"
