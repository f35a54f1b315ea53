"""Registers with an id, an item and a state, and tables of roles, as offices keep them: lists of what is in a state or due, who is what."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingestion.workspaces import Following

REGISTER = """asset,item,model,kept_at,next_due,status,notes
EQ-1,Siren,Merlin 2,H1,2026-12-09,in use,
EQ-2,Siren,Merlin 2,H2,9.12.26,in use,
EQ-3,Pump,Limpet 3,H5,10 Dec 26,in use,battery new
EQ-4,Pump,Limpet 3,Shed,2026-11-20,OVERDUE,do not take out
EQ-5,Ladder,Stork,Yard,14.8.27 (new),QUARANTINED,
EQ-6,Ladder,Stork,H5,2027-03-01,in use,
# 2026-27 list = as of 31 Oct 2026. Anything over 500 needs a signature; over 5000 the committee
"""
CONTACTS = """# Who to ask

## Office

| Role | Name | Ext. | Deputy |
|---|---|---|---|
| Office manager | Lorna Steed | 411 | Kit Abel |
| Deputy head (also safety) | Tobin Rask | 402 | Wenna Dray |
| Exams officer | Aldo Pym | 420 | vacant - Rhea Sand starts 4 Jan 2027 |

## Site

| Role | Name | Phone | Deputy |
|---|---|---|---|
| Site manager | Gus Mall | ext. 430 | Dot Ferrib |
| Caretaker | Dot Ferrib | ext. 431 | Idris Quill |

- IT manager: Ravi Lant, ext. 440.
"""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("office"))
    following.write("equipment_register.csv", REGISTER)
    following.write("contacts.md", CONTACTS)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which items are overdue?", {"EQ-4"}),
        ("which items have the status overdue", {"EQ-4"}),
        ("Which items in the equipment register are marked as overdue?", {"EQ-4"}),
        ("what is overdue", {"EQ-4"}),
        ("which items are quarantined", {"EQ-5"}),
        ("which items are due in December 2026", {"EQ-1", "EQ-2", "EQ-3"}),
        ("which items are due between 9 December 2026 and 13 December 2026", {"EQ-1", "EQ-2", "EQ-3"}),
    ],
)
def test_what_is_in_a_state_or_due_is_listed(office: Following, question: str, told: set[str]) -> None:
    answer = office.ask(question)
    text = answer.text.replace("\\", "")
    assert answer.verdict == "complete" and {f"EQ-{at}" for at in range(1, 7) if f"EQ-{at} " in text} == told, text


def test_a_remark_below_the_rows_is_no_row(office: Following) -> None:
    assert "of 6 " in office.ask("Which items are overdue?").text


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who is the office manager?", "Lorna Steed"),
        ("who's deputy head", "Tobin Rask"),
        ("who is the site manager", "Gus Mall"),
        ("who is the exams officer", "Aldo Pym"),
        ("who is the deputy of the office manager", "Kit Abel"),
        ("who covers for Lorna Steed", "Kit Abel"),
        ("who do I ask when lorna is off?", "Kit Abel"),
        ("who stands in if Gus Mall is on leave", "Dot Ferrib"),
    ],
)
def test_who_has_a_role(office: Following, question: str, lead: str) -> None:
    answer = office.ask(question)
    assert answer.verdict == "complete" and answer.text.startswith(f"**{lead}**"), answer.text


def test_of_whom_somebody_is_the_deputy_is_not_who_is_meant(office: Following) -> None:
    assert office.ask("who do I ask when Kit Abel is off?").verdict != "complete"
