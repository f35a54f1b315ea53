"""What was decided, what is to be done and what happened: counted, dated and cited, and nothing claimed that is not on record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

KICK_OFF = """# Kick-off, Thursday 5 February 2026

Present: Maren Oduya, Tomas Reyl, Ines Falk.

## What was settled
- **Name**: Lantern.
- **Retries**: the gate tries three times. Tomas writes it up.

We decided to rent the small hall.

## Actions
| Who | What | By |
|---|---|---|
| Maren | find a hall | 13 Feb |
| Tomas Reyl, Ines | price of the mast | soon |
"""
RETRIES = """# 0004: Retry five times

- Date: Friday 8 May 2026
- Status: in force
- Decided by: Tomas Reyl, Maren Oduya

## Context
The gate lost scans.

## Decision
1. The gate tries five times. A refusal is an answer.
2. After that the scan waits.
"""
OLD = """# 0002: Queue in memory

- Date: 2 March 2026
- Status: superseded by 0004
- Decided by: Ines Falk

## Decision
The queue is kept in memory, for it is short.
"""
INCIDENT = """# Power cut, 9 May 2026

## Timeline
- **Sat 9 May, 06:38** The power failed in hall two.
- **07:29** The gate was restarted.

Ines Falk to order a second battery by 20 May.
"""
GUIDE = """# Guide

Do not open the gate by hand. The keys are in the safe. Check the battery every week.
"""


@pytest.fixture(scope="module")
def docs(tmp_path_factory) -> Iterator[Following]:
    following = Following(Path(tmp_path_factory.mktemp("items")))
    following.write("meetings/kick-off.md", KICK_OFF)
    following.write("decisions/0004.md", RETRIES)
    following.write("decisions/0002.md", OLD)
    following.write("incidents/power.md", INCIDENT)
    following.write("guide.md", GUIDE)
    following.write(
        "people.md",
        "# People\n\n| Name | Owner |\n|---|---|\n| Gate | Maren Oduya |\n| Mast | Tomas Reyl |\n| Hall | Ines Falk |\n",
    )
    following.sync()
    yield following
    following.workspace.close()


def _lines(text: str) -> list[str]:
    return [line for line in text.replace("\\", "").split("\n") if line.startswith("- ")]


def test_decisions_about_a_topic_are_counted_dated_and_cited_the_newest_first(docs: Following) -> None:
    told = docs.ask("What was decided about retries?")
    first, second = _lines(told.text)
    assert told.verdict == "complete" and told.text.startswith("**2 decisions** about retries:")
    assert first.startswith("- **8 May 2026**: 0004: Retry five times") and "Tomas Reyl, Maren Oduya" in first
    assert second.startswith("- **5 February 2026**: Retries: the gate tries three times")
    assert {citation.title for citation in told.citations} == {"0004: Retry five times", "Kick-off, Thursday 5 February 2026"}
    assert "The gate tries five times" in told.citations[0].passages[0].text


def test_a_time_narrows_them(docs: Following) -> None:
    assert len(_lines(docs.ask("Which decisions were made in May 2026?").text)) == 1
    assert len(_lines(docs.ask("Which decisions were made in February 2026?").text)) == 3


def test_what_was_decided_at_another_time_is_shown_as_that(docs: Following) -> None:
    told = docs.ask("What was decided in March 2026 about retries?")
    assert told.verdict == "partial" and told.text.startswith("No decision is on record about retries, from 1 March 2026")
    assert "**2 decisions found** about retries at other times" in told.text


def test_a_person_decides_what_says_so(docs: Following) -> None:
    told = docs.ask("What did Ines Falk decide?")
    [line] = _lines(told.text)
    assert "0002" in line and "superseded" in line and told.verdict == "complete"


def test_decisions_are_asked_for_by_whether_they_hold(docs: Following) -> None:
    [line] = _lines(docs.ask("Which decisions were superseded?").text)
    assert "0002" in line
    told = docs.ask("Which decisions are in force?")
    assert told.text.startswith("**1 decision in force**") and "0004" in told.text


def test_a_branch_narrows_them(docs: Following) -> None:
    assert len(_lines(docs.ask("decisions in the decisions folder").text)) == 2
    told = docs.ask("Which decisions are in the incidents folder?")
    assert told.verdict == "none" and told.text == "No decision is on record in incidents."


def test_actions_have_who_and_until_when(docs: Following) -> None:
    [line] = _lines(docs.ask("Which action items does Maren have?").text)
    assert "find a hall. (Maren, by 13 February 2026; Kick-off, Thursday 5 February 2026)" in line
    lines = _lines(docs.ask("action items of Ines Falk").text)
    assert any("second battery" in line for line in lines) and any("price of the mast" in line for line in lines)
    assert len(lines) == 2


def test_what_has_to_be_done_before_a_day_is_what_is_due_by_then(docs: Following) -> None:
    [line] = _lines(docs.ask("What has to be done before 1 March 2026?").text)
    assert "find a hall" in line
    assert any("second battery" in line for line in _lines(docs.ask("Which actions were there in May 2026?").text))


def test_what_is_open_is_not_claimed_where_nothing_says_so(docs: Following) -> None:
    told = docs.ask("open action items of Maren Oduya")
    assert told.verdict == "partial" and "not recorded" in told.text


def test_instructions_are_no_action_items(docs: Following) -> None:
    assert not any("safe" in line or "by hand" in line for line in _lines(docs.ask("Which actions are there?").text))


def test_events_are_told_as_they_happened(docs: Following) -> None:
    told = docs.ask("What happened in the incidents folder on 9 May 2026?")
    first, second = _lines(told.text)[:2]
    assert "06:38" in first and "07:29" in second and second.startswith("- **9 May 2026**")


def test_the_latest_decision_is_one(docs: Following) -> None:
    [line] = _lines(docs.ask("What is the latest decision about retries?").text)
    assert "0004" in line


@pytest.mark.parametrize(
    "question",
    (
        "What was decided about the canteen?",
        "Which decisions were made in December 2024?",
        "What did Wilma Hidden decide?",
        "decisions in the folder holidays",
        "Which actions are there about the Christmas party?",
        "What has not been decided about retries?",
    ),
)
def test_nothing_is_claimed_of_what_is_not_on_record(docs: Following, question: str) -> None:
    assert docs.ask(question).verdict != "complete"


@pytest.mark.parametrize(
    "question",
    (
        "Why did we decide to retry five times?",
        "Who decided to keep the queue in memory?",
        "When was 0004 decided?",
        "What must be done when the power fails?",
        "What happened to the gate?",
    ),
)
def test_other_questions_are_left_to_the_walk(docs: Following, question: str) -> None:
    assert "on record" not in docs.ask(question).text and not docs.ask(question).text.startswith("**1 decision")


def test_a_first_name_alone_may_mean_somebody_else(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write("may.md", "# Round, 4 May 2026\n\n- Maren to ask the port.\n- Maren Oduya will write the report.\n")
    following.write("people.md", "# People\n\n| Name | Owner |\n|---|---|\n| Gate | Maren Oduya |\n| Mast | Maren Quist |\n")
    following.sync()
    told = following.ask("Which action items does Maren Oduya have?")
    assert told.verdict == "partial" and "one name alone" in told.text and len(_lines(told.text)) == 2
    assert following.ask("Which action items does Maren Vogel have?").verdict != "complete"
    following.workspace.close()


def test_what_is_not_agreed_is_no_decision(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "may.md",
        "# Round, 4 May 2026\n\n- There is no consensus on the ferry.\n- If approved, the ferry is painted.\n- Tomas: Agreed.\n"
        "- Try to reach consensus on the ferry in June.\n- We agreed to sell the ferry.\n",
    )
    following.sync()
    [line] = _lines(following.ask("What was decided about the ferry?").text)
    assert "We agreed to sell the ferry" in line
    following.workspace.close()


BOARD = """# Board, 7 April 2026

## Retro

We agreed to freeze the branch before a crossing. Nobody set a limit for lamps. The idea of a weekly demo was dropped.

## Table

| # | Decision | Owner | Status |
| --- | --- | --- | --- |
| 1 | Anchors are painted red | Rosa Lindt | accepted |
| 2 | Coupons are printed at the quay | Jon Abe | proposed |

## Next steps

- Rosa Lindt: collect two offers for the anchor (by 6 May)
- Jon: ask the port about coupons

## Lanterns

Action points:

* Rosa Lindt – order wicks
"""


@pytest.fixture(scope="module")
def board(tmp_path_factory) -> Iterator[Following]:
    following = Following(Path(tmp_path_factory.mktemp("board")))
    following.write("board.md", BOARD)
    following.write("guide.md", GUIDE)
    following.sync()
    yield following
    following.workspace.close()


def test_a_decision_that_names_its_subject_is_told_without_the_sentences_before_it(board: Following) -> None:
    [line] = _lines(board.ask("What was decided about the weekly demo?").text)
    assert "The idea of a weekly demo was dropped." in line and "lamps" not in line and "branch" not in line
    assert board.ask("What was decided about lamps?").verdict != "complete"


def test_a_row_that_is_only_proposed_is_no_decision(board: Following) -> None:
    assert board.ask("What was decided about anchors?").verdict == "complete"
    assert board.ask("What was decided about coupons?").verdict != "complete"


def test_a_list_below_next_steps_says_who_is_to_do_what(board: Following) -> None:
    told = board.ask("action items about the anchor")
    [line] = _lines(told.text)
    assert told.verdict == "complete" and "Rosa Lindt: collect two offers" in line
    assert "order wicks" in board.ask("action items about wicks").text
    assert "ask the port" in board.ask("Which action items are there about coupons?").text


@pytest.mark.parametrize(
    "question", ["Was wurde zu den Segeln beschlossen?", "Was wurde zum Segel beschlossen?", "Was wurde über Segel entschieden?"]
)
def test_a_german_topic_may_be_inflected(docs: Following, question: str) -> None:
    docs.write("sitzung.md", "# Protokoll der Sitzung vom 4. Mai 2026\n\nEs wurde beschlossen, das Segel der Jolle zu flicken.\n")
    docs.sync()
    assert "das Segel der Jolle" in docs.ask(question).text
    assert docs.ask("Was wurde zu den Seglern beschlossen?").verdict == "none"


def test_a_list_of_all_decisions_is_counted_as_found(docs: Following) -> None:
    told = docs.ask("List all decisions")
    assert told.verdict == "partial" and re.match(r"\*\*\d+ decisions found\*\*", told.text)
    assert docs.ask("What was decided in March?").verdict == "partial"


@pytest.mark.parametrize(
    "said",
    [
        "The crew lead will mail everybody to make sure there are no objections.",
        "We will likely need a vote on the mooring.",
        "The author agreed that the mooring is old.",
        "The mooring would stay as it is, we could paint it.",
        "Mooring: any objections? no objections? Nobody spoke.",
        "How the mooring is paid will be figured out in the next call on Monday.",
    ],
)
def test_what_is_not_settled_is_no_decision(docs: Following, said: str) -> None:
    docs.write("minutes.md", f"# Crew meeting of 4 May 2026\n\nPresent: Ana Sol, Ben Marsh\n\n{said}\n")
    docs.sync()
    assert "crew" not in docs.ask("List all decisions").text.casefold()


def test_a_list_that_a_decision_leads_up_to_is_told_with_it(docs: Following) -> None:
    docs.write(
        "minutes.md",
        "# Crew meeting of 4 May 2026\n\nPresent: Ana Sol, Ben Marsh\n\nWe agreed to:\n\n- paint the mooring\n- buy a lamp\n",
    )
    docs.sync()
    assert "paint the mooring" in docs.ask("What was decided about the mooring?").text


TERSE = """# Yard weekly, 9 June 2026

Present: Ana Sol, Ben Marsh, Cleo Ruiz. Excused: Dov Katz (at sea).

- The crane is stuck. -> Ana: call the maker, by 12 June
- Ropes are short → Dov: order forty metres
- Paint the fence -> Ben (19 June)
- Cleo -> measure the pontoon
- AI Ben: empty the oil tank
- TODO(cleo): photograph the slipway
- @ben sweep the loft
- [ ] Ana Sol: renew the mooring permit
- Lamps: status red -> Green
- Wind measured yesterday. -> Result: too strong

**Tasks**
- Dov Katz: book the diver
- Ben: send the invoice

Old ideas
- Ana: a bigger slipway
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory) -> Iterator[Following]:
    following = Following(Path(tmp_path_factory.mktemp("yard")))
    following.write("yard.md", TERSE)
    following.write(
        "people.md",
        "# People\n\n| Name | Owner |\n|---|---|\n| A | Ana Sol |\n| B | Ben Marsh |\n| C | Cleo Ruiz |\n| D | Dov Katz |\n",
    )
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("Ana Sol", ["The crane is stuck", "renew the mooring permit"]),
        ("Ben Marsh", ["Paint the fence", "empty the oil tank", "sweep the loft", "send the invoice"]),
        ("Cleo Ruiz", ["measure the pontoon", "photograph the slipway"]),
        ("Dov Katz", ["order forty metres", "book the diver"]),
    ],
)
def test_what_terse_minutes_hand_to_somebody_is_an_action_of_theirs(yard: Following, who: str, told: list[str]) -> None:
    lines = _lines(yard.ask(f"Which actions does {who} have?").text)
    assert len(lines) == len(told) and all(any(words in line for line in lines) for words in told)


def test_an_arrow_that_leads_to_nobody_hands_nothing_on(yard: Following) -> None:
    told = yard.ask("Which actions are there?").text
    assert "Green" not in told and "Result" not in told and "bigger" not in told


@pytest.mark.parametrize(
    "lead", ["**Decided**", "Decisions:", "We agreed:", "AGREED", "## What we decided", "The board decided:"]
)
def test_every_item_of_a_list_below_a_word_for_decisions_is_one(tmp_path: Path, lead: str) -> None:
    following = Following(tmp_path)
    following.write(
        "board.md",
        f"# Harbour board, 2 June 2026\n\nPresent: Ana Sol, Ben Marsh\n\nA long talk.\n\n{lead}\n- Fees rise to 12 euro.\n- A second boat\n"
        "- The shed is looked at again in July\n\n**Actions**\n- Ana: print the list\n",
    )
    following.sync()
    told = following.ask("What did the harbour board decide in June 2026?")
    assert told.verdict == "complete" and told.text.startswith("**3 decisions**") and len(_lines(told.text)) == 3
    following.workspace.close()


def test_decisions_in_sentences_are_counted_as_found_and_dated_by_their_meeting(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "board.md",
        "# Harbour board, 2 June 2026\n\nAna Sol opened; Ben Marsh, Cleo Ruiz and Dov Katz were there.\n\nIt was decided to open the dock on 12 July 2026.\n\n"
        "We agreed that Cleo writes to the port, and that Dov counts the buoys by 9 June.\n\nThe board settled on red buoys. Ben does both by 20 June. Ana was asked to ring.\n",
    )
    following.sync()
    told = following.ask("Which decisions did the harbour board make in June 2026?")
    assert told.verdict == "partial" and told.text.startswith("**3 decisions found**") and "open the dock" in told.text
    [line] = _lines(following.ask("actions of Dov Katz").text)
    assert "Dov counts the buoys by 9 June" in line
    assert "Cleo writes to the port." in following.ask("actions of Cleo Ruiz").text
    assert "Ben does both" in following.ask("actions of Ben Marsh").text
    following.workspace.close()


def test_actions_of_somebody_are_counted_as_found_where_minutes_say_more_of_them(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "board.md",
        "# Harbour board, 2 June 2026\n\nPresent: Ana Sol, Ben Marsh\n\nThe net is torn, said Ana Sol, and she was asked to mend it.\n\n"
        "## Actions\n- Ana Sol: print the list\n- Ben Marsh: buy ink\n",
    )
    following.sync()
    told = following.ask("actions of Ana Sol")
    assert told.verdict == "partial" and told.text.startswith("**1 action found** of Ana Sol (minutes speak of Ana Sol")
    told = following.ask("actions of Ben Marsh")
    assert told.verdict == "complete" and told.text.startswith("**1 action** of Ben Marsh")
    following.workspace.close()


def test_actions_are_asked_for_by_the_meeting_after_which_they_are_due(yard: Following) -> None:
    assert "order forty metres" in yard.ask("What does Dov Katz have to do after the yard weekly?").text
    assert "book the diver" in yard.ask("Which todos did Dov Katz take home from the weekly on June 9th?").text


def test_an_action_is_open_or_done_as_the_end_of_its_line_says(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "incident.md",
        "# Flood in hall one, 8 October 2026\n\nThe pump stood still.\n\n**Actions**\n\n- second pump for hall one – Emeka – end of November\n"
        "- raise the alarm level – Hanne – done 13 October\n- look at all floats (9 halls) – Oskar – done\n- paint the gate – Emeka – open\n",
    )
    following.sync()
    still = following.ask("Which actions from the flood are still open?").text
    assert "second pump" in still and "paint the gate" in still
    assert "alarm level" not in still and "floats" not in still
    assert following.ask("What is left to do from the flood?").text.count("\n- ") == 2
    assert "alarm level" in following.ask("Which actions of the flood are finished?").text
    following.workspace.close()


def test_a_decision_that_was_superseded_is_told_with_what_took_its_place(tmp_path) -> None:
    """Its date is the one labelled so, and not that of the status beside it on the line."""
    following = Following(tmp_path)
    decided = "Decided by: Ana Sol, Ben Marsh"
    following.write(
        "d-07.md",
        f"# D-07 Buoy paint: Reyl\n\nDate: 17 March 2025. Status: superseded by D-12 (5 October 2026).\n{decided}\n\nWe stay with Reyl.\n",
    )
    following.write(
        "d-12.md",
        f"# D-12 We move to Oster\n\nDate: 5 October 2026. Status: in force. Replaces D-07.\n{decided}\n\nFrom January on Oster paints.\n",
    )
    following.sync()
    told = following.ask("What was decided about the buoy paint?").text.replace("\\", "")
    assert "**17 March 2025**" in told and "superseded" in told and "was replaced by **D-12 We move to Oster**" in told
    assert following.ask("Which decisions are in force?").text.replace("\\", "").count("\n- ") == 1
    assert "D-12" in following.ask("What replaced D-07?").text.replace("\\", "")
    following.workspace.close()


TODO = "# To do, November 2026\n\n- [x] Lena called the flour supplier, 17 November\n- [ ] Lena: tax papers to the accountant\n- [ ] Omar: have the bell checked\n"
WEEKLY = "# Weekly, 3 November 2026\n\nPresent: Lena Brandt, Omar Haddad\n\n## Actions\n\n- Lena: call the flour supplier\n- Lena: order the new oven\n"


def test_what_was_noted_as_done_is_not_open_and_a_box_is_of_whoever_it_begins_with(docs: Following) -> None:
    docs.write("todo.md", TODO)
    docs.write("weekly.md", WEEKLY)
    told = answered(docs, "What does Lena still have to do?").text
    assert "tax papers" in told and "new oven" in told and "flour supplier" not in told, told
    assert "it is not recorded whether" in told and "open action" not in told
    assert "bell checked" in answered(docs, "what is open for Omar?").text


def test_what_is_concluded_below_a_heading_that_says_decided_is_a_decision(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "minutes.txt",
        "Ops meeting 17 September 2026, dock room\n\n1) Crane A - DECIDED\nThe yard offers a new hook for 6,480 euro. It is good for three years. So: repair it now, and buy a new one in 2027.\n\n"
        "2) Ropes - DECIDED\nThree of eight deliveries were late. The price has been frozen since. We stay with Kordel for all ropes.\n\n"
        "3) Rest\nBen is signed off for the cranes. At the earliest after three months and once signed off, Kit drives too.\n",
    )
    following.write(
        "CRANE-7.md", "# CRANE-7 New hook\n\nStatus: closed\nCreated: 2026-09-20\nResolution: Fixed\n\nThe hook is new.\n"
    )
    following.sync()
    told = following.ask("What did we decide in September 2026?").text.replace("\\", "")
    assert "2 decisions" in told and "repair it now, and buy a new one" in told and "We stay with Kordel" in told, told
    assert "signed off" not in told and "Fixed" not in told
    following.workspace.close()


def test_what_happened_on_a_day_is_looked_for_in_reports_where_no_event_is_on_record(docs: Following) -> None:
    docs.write("report.md", "# Login outage\n\nSeverity S1\n\nDate: Tuesday 24 February 2026, 07:02 to 08:26\n\nLead: Ida Holm\n")
    docs.write("menu.md", "# Menu\n\nSoup of the week is lentil.\n")
    told = answered(docs, "What happened on 24 February 2026?")
    assert told.verdict == "partial" and "07:02 to 08:26" in told.text, told.text
