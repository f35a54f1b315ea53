"""What minutes and chats say of a thing where nothing says that it was decided: told as what it is, with its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tree.ask.ask import Answer
from tree.retrieve.index import SearchScope

WEEKLY = """YARD WEEKLY 4 Feb 2027
here: Ida, Per, Wren

- winch: failed twice. going to oil it at 03:00, Per
- paint -> Wren orders it, before the 14th
- lamps
  - too bright, dim them 90 -> 60
- rope: not before March, we wait for the mill
"""
BOARD = """# Board, 12 March 2027

Present: Helen Vane, Otto Lind.

On the mooring fee opinions were divided. Otto Lind wanted to leave it. It was put to the vote and carried by three to one that the fee goes up to 95 euros.

The question of a new flag was adjourned to the May meeting.
"""
RAT = """# Protokoll vom 22.01.2027

Anwesend: Frau Kess, Herr Dorn

TOP 1 Umzug des Lagers
Es wurde einstimmig beschlossen, die Firma Brand zu beauftragen. Frau Kess klärt bis zum 5. Februar, ob die Türen passen.
"""
LOG = """# Yard guild: decision log

| No. | Date | Topic | Outcome | Who follows up |
|---|---|---|---|---|
| 41 | 2027-01-09 | Tide tables | Bought from the port | Noor Abel |
| 42 | 2027-02-20 | Radio masts | Deferred until the survey is in | Femi Ode |
"""
CHAT = """#yard, 27 Feb 2027

[10:02] dana: does the crane go out today or not
[10:03] kofi: the brake still slips
[10:05] mats: then monday
[10:09] mats: and the blue buoy?
[10:10] dana: leave it off
[10:12] mats: i'll write the notice tonight
[10:14] kofi: can you look at the chain, dana?
[10:15] dana: sure
"""
TEAM = """# Deck group

## Date: 2027-04-24

### Attendees

* @nornel
* @coda

### Agenda

- remove `deck.getPlanks()`?
    - who uses it?
    - no dissent for removing it

### Action Items

- @coda and @nornel to write down how to replace it
- **DONE** @coda to ask the mill
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(Path(tmp_path_factory.mktemp("yard")))
    texts = {"weekly.txt": WEEKLY, "board.md": BOARD, "rat.md": RAT, "log.md": LOG, "chat.txt": CHAT, "team.md": TEAM}
    for name, text in texts.items():
        following.write(name, text)
    following.sync()
    yield following
    following.workspace.close()


def lines_of(answer: Answer) -> list[str]:
    return [line[2:].replace("\\", "") for line in answer.text.split("\n") if line.startswith("- ")]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was decided about the winch?", "going to oil it at 03:00"),
        ("What was decided about the lamps?", "dim them 90 -> 60"),
        ("What was decided about rope?", "not before March"),
        ("What was decided about the mooring fee?", "goes up to 95 euros"),
        ("What was decided about radio masts?", "20 February 2027**: 42 · 2027-02-20 · Radio masts · Deferred"),
        ("What was decided about the blue buoy?", "dana: leave it off"),
        ("What was decided about deck.getPlanks?", "no dissent for removing it"),
    ],
)
def test_what_minutes_say_of_it_is_told_and_not_called_a_decision(yard: Following, question: str, said: str) -> None:
    answer = yard.ask(question)
    assert answer.verdict == "partial" and "without calling it a decision" in answer.text
    assert any(said in line for line in lines_of(answer)), answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was decided about the flag?", "adjourned to the May meeting"),
        ("Was wurde zum Lager beschlossen?", "die Firma Brand zu beauftragen"),
        ("What was decided about tide tables?", "9 January 2027**: Tide tables: Bought from the port"),
        ("What must Frau Kess do?", "klärt bis zum 5. Februar, ob die Türen passen. (by 5 February 2027"),
        ("What does nornel have to do?", "write down how to replace it"),
        ("What does mats have to do?", "i'll write the notice tonight"),
        ("What does dana have to do?", "can you look at the chain, dana? – dana: sure"),
    ],
)
def test_a_table_a_heading_without_a_mark_and_a_chat_say_who_decided_and_who_acts(
    yard: Following, question: str, said: str
) -> None:
    answer = yard.ask(question)
    assert [said in line for line in lines_of(answer)] == [True], answer.text


def test_what_is_done_is_no_longer_to_be_done(yard: Following) -> None:
    to_do = lines_of(yard.ask("What does coda have to do?"))
    assert to_do and not any("the mill" in line for line in to_do)
    done = [line for line in lines_of(yard.ask("Which actions of coda are done?")) if "the mill" in line]
    assert len(done) == 1 and "(done" in done[0]


@pytest.mark.parametrize("question", ["What was decided about the harbour wall?", "What was decided about wages?"])
def test_what_nobody_spoke_of_is_not_told(yard: Following, question: str) -> None:
    assert yard.ask(question).verdict == "none"


def test_points_are_no_items_of_the_tree_page(yard: Following) -> None:
    workspace = yard.workspace
    counted = workspace.index.items(SearchScope((yard.source.id,))).count_sorts()
    assert set(counted) <= {"decision", "action", "event"}
