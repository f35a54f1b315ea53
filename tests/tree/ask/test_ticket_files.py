"""Tickets that lie there as files, each in another form: a set of them takes in all, or is not called complete."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

FORMS = {
    "MAST-1": "---\nid: MAST-1\ntitle: Lamp flickers\nassignee: Ines Falk\npriority: P1\nstatus: in review\ncomponent: lamp\n---\n\nIt flickers.\n",
    "MAST-2": "# MAST-2 Horn is silent\n\n| field | value |\n|---|---|\n| Status | Done |\n| Assignee | Ines Falk |\n| Priority | P1 |\n\nNo sound.\n",
    "MAST-3": "MAST-3 Stair creaks\n-------------------\nprio: P1\nassignee: Tomas Reyl\nstate: closed / fixed 2026-03-02\n\nThird step.\n",
    "MAST-4": "# MAST-4: Door sticks\n\n- **Priority:** P1\n- **Status:** open\n- **Assignee:** Tomas Reyl\n\nIt sticks.\n",
    "MAST-5": "# MAST-5 Glass is dim\n\nStatus: open · Priority: P2 · Assignee: Ines Falk\n\nClean it.\n",
}


@pytest.fixture
def tickets(docs: Following) -> Following:
    for key, text in FORMS.items():
        docs.write(f"board/{key}.md", text)
    return docs


@pytest.mark.parametrize(
    ("question", "lead", "keys"),
    (
        ("Which P1 tickets are not closed yet?", "2 of 5 tickets", {"MAST-1", "MAST-4"}),
        ("Which tickets are still open?", "3 of 5 tickets", {"MAST-1", "MAST-4", "MAST-5"}),
        ("Which tickets are closed?", "2 of 5 tickets", {"MAST-2", "MAST-3"}),
        ("Which tickets have the status open?", "2 of 5 tickets", {"MAST-4", "MAST-5"}),
        ("Which tickets are assigned to Ines Falk?", "3 of 5 tickets", {"MAST-1", "MAST-2", "MAST-5"}),
    ),
)
def test_a_set_takes_in_all_forms(tickets, question, lead, keys) -> None:
    answer = answered(tickets, question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(f"**{lead}**")
    assert {key for key in FORMS if key in answer.text.replace("\\", "")} == keys


def test_a_set_is_not_complete_beside_a_ticket_in_a_form_that_is_not_read(tickets) -> None:
    unread = tickets.write(
        "board/MAST-6.md", "The gallery rail is loose. Tomas looks at it, most urgent of all, nothing is done yet.\n"
    )
    answer = answered(tickets, "Which P1 tickets are not closed yet?")
    assert answer.verdict == "partial"
    assert "Of 1 more file it is not known" in answer.text
    unread.unlink()
    tickets.write("board/readme.md", "How tickets are written here.\n")
    assert answered(tickets, "Which P1 tickets are not closed yet?").verdict == "complete"


def test_a_file_that_says_nothing_of_its_state_keeps_a_set_from_being_complete(docs) -> None:
    docs.write("outages/a.md", "# Horn\n\nStatus: open\nOwner: Ines Falk\n\nSilent.\n")
    docs.write("outages/b.md", "# Lamp\n\nStatus: closed\nOwner: Ines Falk\n\nDark.\n")
    assert answered(docs, "Which outages are open?").verdict == "complete"
    docs.write("outages/c.md", "# Door\n\nOwner: Tomas Reyl\n\nStuck, and still so.\n")
    assert answered(docs, "Which outages are open?").verdict == "partial"


def test_a_record_of_something_else_is_no_ticket_by_the_name_of_its_file(docs) -> None:
    docs.write("papers/ADR-7.md", "# Use a bell\n\nStatus: accepted\n\nA bell is heard.\n")
    docs.write("board/MAST-4.md", FORMS["MAST-4"])
    assert answered(docs, "How many tickets are open?").text.startswith("**1 of 1 ticket**")


def test_what_a_ticket_states_is_asked_of_tickets_alone(tickets) -> None:
    tickets.write("notes.md", "# Round of May\n\nThere: Ines Falk, Tomas Reyl\nPlace: loft\n\nWe met.\n")
    tickets.write(
        "tools.csv", "tool,used_for,owner\nBoardly,tickets,Tomas Reyl\nTidebook,tides,Ines Falk\nRadiolog,radio,Ines Falk\n"
    )
    assert answered(tickets, "How many tickets are there?").text.startswith("**5 tickets**")
    assert answered(tickets, "Which tickets are not assigned to Ines Falk?").text.startswith("**2 of 5 tickets**")
    for question in (
        "Which tickets did Ines close?",
        "Which tickets has Tomas closed?",
    ):  # whose they are, and not who closed them
        assert answered(tickets, question).verdict != "complete"


def test_a_result_begins_with_the_word_for_it_and_what_blocks_is_no_state(docs) -> None:
    docs.write("board/MAST-1.md", "# MAST-1 Lamp\n\nStatus: closed\nPriority: P1\nResolution: fixed in 2.1\n\nIt shines.\n")
    docs.write("board/MAST-2.md", "# MAST-2 Horn\n\nStatus: closed\nPriority: P1\nResolution: fixed\n\nIt sounds.\n")
    docs.write("board/MAST-3.md", "# MAST-3 Bell\n\nStatus: open\nPriority: P1\nBlocked by: MAST-4\n\nSilent.\n")
    docs.write("board/MAST-4.md", "# MAST-4 Rope\n\nStatus: blocked\nPriority: P2\n\nTorn.\n")
    assert answered(docs, "How many P1 tickets were fixed?").text.startswith("**2 of 4 tickets**")
    blocked = answered(docs, "Which tickets are blocked by MAST-4?")
    assert blocked.text.startswith("**1 of 4 tickets**") and "MAST\\-3" in blocked.text
    assert answered(docs, "Which tickets were not fixed?").verdict != "complete"  # two of them say no resolution
