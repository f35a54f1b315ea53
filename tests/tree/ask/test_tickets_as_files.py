"""Tickets that are kept as files, in whatever form each states its fields, are asked for as tickets are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingestion.workspaces import Following

FORMS = {
    "PIER-1.md": "---\nid: PIER-1\ntitle: The lamp should turn itself off\npriority: P1\nstatus: in review\nassignee: Nora Lind\ndue: 2026-11-30\n---\n\nIt burns all day.\n",
    "PIER-2.md": "# PIER-2: The gate must close\n\n**Priority:** P1\n**Status:** open\n**Assignee:** Bram Kuip\n\nThe gate sticks.\n",
    "PIER-3.md": "PIER-3  Crane: a second hook\n\nStatus:      blocked\nAssignee:    Jon Alb\nPriority:    P2\nResolution:  none\nBlocked by:  PIER-1\n\nThe crane has one hook.\n",
    "PIER-4.md": "PIER-4 | Paint for the hut\n\nassignee: Aylin Dem\npriority: P1\nstatus: closed\n\nThe hut is grey.\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def pier(tmp_path_factory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("pier"))
    for name, text in FORMS.items():
        following.write(f"tickets/{name}", text)
    following.write(
        "chat.txt",
        "Pier chat 2026\n\n05/10/2026 10:20 Nora: PIER-1 is mine, and PIER-3 waits for it\n05/10/2026 10:31 Jon: fine\n",
    )
    following.write(
        "minutes.md", "# Round of 10 November 2026\n\nApologies: Nora\nThere: Bram, Jon, Kit\n\nThe crane was looked at.\n"
    )
    following.write("minutes-2.md", "# Round of 17 November 2026\n\nApologies: Kit\nThere: Nora, Bram\n\nNothing new.\n")
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is the status of PIER-1", "**in review**, status of PIER-1 The lamp should turn itself off"),
        ("is PIER-1 done?", "**in review**, status of PIER-1"),
        ("is PIER-3 closed", "**blocked**, status of PIER-3"),
        ("what's going on with PIER-1?", "**in review**, status of PIER-1"),
        ("what's up with PIER-1", "**in review**, status of PIER-1"),
        ("who has PIER-2", "**Bram Kuip**, assignee of PIER-2"),
        ("when is pier-1 due", "**30 November 2026**"),
        ("PIER-1", "**PIER-1 The lamp should turn itself off**"),
        ("tell me about PIER-2", "**PIER-2: The gate must close**"),
        ("which tickets does Nora have", "**1 of 4 tickets** (assignee Nora)"),
        ("which P1 tickets are not closed?", "**2 of 4 tickets** (priority P1, not status closed)"),
    ],
)
def test_a_ticket_that_is_a_file_is_asked_for_by_its_key(pier: Following, question: str, told: str) -> None:
    answer = pier.ask(question)
    assert answer.verdict == "complete" and answer.text.replace("\\", "").startswith(told), answer.text


def test_who_was_at_a_meeting_has_no_tickets_for_that(pier: Following) -> None:
    assert pier.ask("which tickets does Kit have").verdict != "complete"


@pytest.mark.parametrize("question", ["PIER-9", "tell me about PIER-9", "is PIER-9 done?"])
def test_one_that_there_is_not_is_not_told(pier: Following, question: str) -> None:
    answer = pier.ask(question)
    assert answer.verdict == "none" and "PIER-9" in answer.text.replace("\\", "")


def test_what_is_wrong_with_a_ticket_is_not_how_it_stands(pier: Following) -> None:
    assert pier.ask("what is wrong with PIER-1").verdict != "complete"


def test_a_ticket_of_a_project_with_a_long_key_is_known_by_it(docs: Following) -> None:
    docs.write("tickets/HARBOURPIER-7.md", FORMS["PIER-2.md"].replace("# PIER-2: ", "# "))
    docs.sync()
    assert docs.ask("HARBOURPIER-7").verdict == "complete"
