"""A row of a register with a number stands below what chats and minutes say later of that number; a manual says nothing later."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingestion.workspaces import Following

ACTIONS = """# Open actions

State: 2026-11-24

| No | What | Who | Due | State |
|---|---|---|---|---|
| A-54 | refunds for guests | Jadwiga | 2026-11-25 | open |
| A-55 | load test of the scheduler | Nadia | 2026-12-04 | open |
| A-56 | new hose for the wall | Femi | 2026-11-30 | open |
"""


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("rows"))
    following.write("open-actions.md", ACTIONS)
    following.write(
        "codes.csv", "code,meaning,component\nP-204,result unknown,till\nP-205,paper is out,till\nP-206,no link,till\n"
    )
    following.write(
        "chat.txt",
        "Export 2026-11-09 to 2026-11-27\n[2026-11-20 09:00] Per: A-56 is ordered\n[2026-11-26 09:41] Jadwiga: refunds all out, A-54 is done\n"
        "[2026-11-26 15:12] Nadia: A-55 needs another week, ok to move it to 11 Dec?\n[2026-11-26 15:20] Desmond: ok, 11th\n"
        "[2026-11-26 16:00] Per: P-204 again\n",
    )
    following.write("manual.md", "# How to keep the list\n\nLast changed 2026-11-26. Give each action a number, e.g. A-56.\n")
    following.sync()
    yield following
    following.workspace.close()


def test_what_was_said_later_stands_above_the_row(team: Following) -> None:
    told = team.ask("When is A-55 due?")
    text = told.text.replace("\\", "")
    assert (
        told.verdict == "partial"
        and text.startswith("Said later of A-55:")
        and text.index("ok, 11th") < text.index("4 December 2026")
    )
    assert {one.title for one in told.citations} >= {"Open actions"} and len(told.citations) == 2
    assert "A-54 is done" in team.ask("what is the state of A-54").text.replace("\\", "")


def test_what_is_said_later_of_something_else_in_the_row_stands_below_it(team: Following) -> None:
    told = team.ask("Who has A-54?")
    text = told.text.replace("\\", "")
    assert told.verdict == "partial" and text.index("Jadwiga") < text.index("Said later of A-54") < text.index("all out")


def test_what_was_said_before_and_what_a_manual_says_is_not(team: Following) -> None:
    told = team.ask("When is A-56 due?")
    assert told.verdict == "complete" and "ordered" not in told.text and "e.g." not in told.text


def test_a_table_in_which_nothing_changes_is_told_as_it_is(team: Following) -> None:
    assert team.ask("what does P-204 mean").verdict == "complete"


def test_how_it_was_is_told_from_the_row(team: Following) -> None:
    assert "Said later" not in team.ask("When was A-55 due before?").text


def test_what_became_of_an_action_stands_below_it_in_a_list(team: Following) -> None:
    told = team.ask("What open actions does Nadia have?")
    text = told.text.replace("\\", "")
    assert (
        told.verdict == "partial"
        and "load test" in text
        and "    - Said later: [2026-11-26 15:12] Nadia: A-55 needs another week" in text
    )


def test_of_a_course_only_what_is_asked_about_is_said_later(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "programme.md",
        "# Spring programme\n\nTerm: 1 February to 28 May 2027. Version 3, 19 November 2026.\n\n| No. | Course | Tutor | Day, time | Room | Fee |\n"
        "|---|---|---|---|---|---|\n| L104 | Knots, second part | Per Lund | Tue 18:30 | K11 | 132 |\n| L105 | Sails | Ida Brink | Mon 18:30 | K12 | 90 |\n",
    )
    following.write(
        "mails.txt",
        "From: Ida Brink\nTo: Per Lund\nDate: Mon, 23 Nov 2026 11:40\nSubject: Tuesday\n\nagreed: L104 goes to Wednesdays, the room is K23.\n",
    )
    following.write(
        "chat.txt", "[2026-11-24 15:37] Dee: a lady was angry because L104 was full last year\n[2026-11-24 15:40] Per: ok\n"
    )
    following.sync()
    moved = following.ask("Which room is Knots, second part in?")
    assert moved.text.startswith("Said later of L104:") and "K23" in moved.text.partition("The row itself")[0]
    fee = following.ask("What is the fee of Knots, second part?")
    assert fee.verdict == "complete" and "132" in fee.text and "angry" not in fee.text
    following.workspace.close()


STORE = """# Objects, 2 November 2026

| No | Object | Place | State |
|---|---|---|---|
| QH-1 | Engraved tumbler | lent out | good |
| QH-2 | Amber decanter | lent out | good |
| QH-3 | Tea caddy | Gallery 2 | good |
| QH-4 | Tide chart | Store B | reserved |
| QH-5 | Tide chart | Store B | good |
"""
CERTIFICATES = "name,expires,keeper\narchive.int,2026-11-22,Ida Holm\nvoice.int,2027-01-10,Bo Lund\n"
SAID = """[2026-11-26 11:20] Joris: Engraved tumbler is back from Karsk, came at 11.
[2026-11-26 11:40] Ida: archive.int is renewed, until 26 Nov 2027
[2026-11-27 09:00] Bo: QH-3 is reserved from today
[2026-11-27 09:10] Bo: the tide chart is sold, I think
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("store"))
    following.write("objects.md", STORE)
    following.write("certificates.csv", CERTIFICATES)
    following.write("chat.txt", SAID)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where is QH-1?", "Said later of QH-1:\n\n- [2026-11-26 11:20] Joris: Engraved tumbler is back"),
        ("Where is the engraved tumbler?", "Said later of QH-1:"),
        ("When does archive.int expire?", "archive.int is renewed, until 26 Nov 2027"),
        ("Which objects are lent out?", "Said later of some of them:\n\n- [2026-11-26 11:20] Joris"),
        (
            "How many objects are reserved?",
            "Said later of some of them:\n\n- [2026-11-27 09:00] Bo: QH-3 is reserved",
        ),  # of another row
        ("Where is QH-2?", ""),
        ("When does voice.int expire?", ""),
        ("How many objects are in Store B?", ""),  # which of two tide charts is sold nobody knows
    ],
)
def test_a_row_is_spoken_of_by_its_name_too(store: Following, question: str, said: str) -> None:
    told = store.ask(question)
    assert (said in told.text.replace("\\", "")) if said else "Said later" not in told.text, told.text
    assert told.verdict == ("partial" if said else "complete"), told.text
