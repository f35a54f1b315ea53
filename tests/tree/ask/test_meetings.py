"""Who was at a meeting, who led it, and when the next one is, is told from the heads of minutes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.several import as_earlier
from tree.retrieve.attendance import attendance

MARCH = """# Lamp council, 3 March 2026

Present: Ada Byron (chair), Ben Marsh (minutes), Cy Noll. Guest: Dora Quill (item 2). Apologies: Eli Oak.

## 1. Oil
The oil lasts until May.
"""
MAY = """# Lamp council, 5 May 2026

Present: Cy Noll (chair), Ben Marsh, Eli Oak. Minutes: Ben Marsh.

## 1. Oil
We buy rape oil.

Next meeting: {next}
"""
TEST = "# Lamp test review, 20 June 2026\n\nPresent: Ada Byron, Cy Noll.\n\nThe lamps were tested on 11 June.\n"


@pytest.fixture
def council(docs: Following) -> Following:
    docs.write("minutes/march.md", MARCH)
    docs.write("minutes/may.md", MAY.format(next="Tuesday 2 June, 18:00."))
    docs.write("minutes/test.md", TEST)
    return docs


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("Who was at the lamp council on 3 March?", "Ada Byron, Ben Marsh, Cy Noll, Dora Quill", ""),
        ("who attended the last lamp council", "Cy Noll, Ben Marsh, Eli Oak", "Ada"),
        ("who was missing from the lamp council in march", "Eli Oak", "Ada"),
        ("who chairs the lamp council", "Cy Noll", "Ada"),
        ("who chaired the lamp council in March?", "Ada Byron", "Cy"),
        ("who runs the lamp council meeting", "Cy Noll", "Ada"),
        ("who took the minutes of the lamp council on 3 march", "Ben Marsh", "Ada"),
        ("was Eli Oak at the lamp council in May?", "Yes", "No"),
        ("was Eli at the lamp council on 3 March", "No", "Yes"),
        ("did Dora attend the lamp council in may", "No", "Yes"),
        ("when did the lamp council meet in 2026", "2 meetings", "June"),
        ("when was the last lamp council", "5 May 2026", "March"),
        ("how many people were at the lamp council on 3 march", "4 people", ""),
        ("qui était au dernier lamp council ?", "Cy Noll, Ben Marsh, Eli Oak", "Ada"),
        ("wer war beim letzten lamp council dabei", "Cy Noll, Ben Marsh, Eli Oak", "Ada"),
    ],
)
def test_it_is_told_from_the_head_of_the_minutes_that_are_meant(
    council: Following, question: str, said: str, unsaid: str
) -> None:
    answer = answered(council, question)
    assert answer.verdict == "complete" and said in answer.text, answer.text
    assert not unsaid or unsaid not in answer.text, answer.text


def test_minutes_that_name_nobody_as_absent_do_not_say_that_nobody_was(council: Following) -> None:
    answer = answered(council, "who was missing from the lamp council in may?")
    assert answer.verdict == "partial" and "names nobody who was absent" in answer.text


def test_the_next_meeting_is_answered_while_it_is_to_come(council: Following) -> None:
    past = answered(council, "when is the next lamp council?")
    assert past.verdict == "partial" and "2 June" in past.text and "past" in past.text
    now = datetime.now(UTC).date()
    coming: date = now + timedelta(days=20)
    day = f"{now.day} {now:%B} {now.year}"
    council.write(
        "minutes/now.md", f"# Lamp council, {day}\n\nPresent: Cy Noll.\n\nNext meeting: {coming.day} {coming:%B} {coming.year}.\n"
    )
    answer = answered(council, "when is the next lamp council?")
    assert answer.verdict == "complete" and f"{coming.day} {coming:%B}" in answer.text, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "who leads the lamp council",
        "who was on the lamp council boat",
        "who was not at the sea",
        "who was in the lamp council",
        "is Eli Oak in the lamp council?",
    ],
)
def test_what_is_no_meeting_is_not_told_from_minutes(council: Following, question: str) -> None:
    answer = answered(council, question)
    assert answer.verdict != "complete", answer.text


def test_when_the_review_of_a_test_was_is_not_when_the_test_was(council: Following) -> None:
    assert "11 June" in answered(council, "when was the last lamp test").text


def test_who_was_there_goes_with_the_minutes(council: Following) -> None:
    (council.folder / "minutes/may.md").unlink()
    assert "Ada Byron" in answered(council, "who chairs the lamp council").text


@pytest.mark.parametrize(
    ("before", "question", "said"),
    [
        ("who chairs the lamp council?", "and who takes the minutes?", "Ben Marsh"),
        ("who was at the lamp council on 3 March?", "was Eli Oak there?", "No"),
        ("who was at the lamp council on 3 March?", "who was missing?", "Eli Oak"),
        ("who chaired the lamp council in march", "when did they meet last?", "5 May 2026"),
        ("what about the oil in the lamp council on 5 May 2026", "who was there?", "Cy Noll, Ben Marsh, Eli Oak"),
    ],
)
def test_a_follow_up_is_of_the_meeting_before_it(council: Following, before: str, question: str, said: str) -> None:
    first = answered(council, before)
    answer = council.ask(question, earlier=[as_earlier(first)])
    assert answer.verdict == "complete" and said in answer.text, answer.text


def test_a_follow_up_after_no_meeting_is_of_none(council: Following) -> None:
    council.write("oil.md", "# Oil\n\nThe oil of the lamps is bought in May.\n")
    first = answered(council, "when is the oil bought?")
    assert council.ask("who was there?", earlier=[as_earlier(first)]).verdict != "complete"


SHORT = "# Quay 24 Nov 2026\n\nMinutes: Ada Byron (first time). Chair: Cy. Missing: Eli Oak.\n\n**Oil.** The rape oil comes on 2 December.\n"


@pytest.mark.parametrize(
    "question",
    [
        "summarise the quay meeting of 24 november",
        "what was discussed at the quay meeting on 24 november",
        "what happened at the last quay meeting",
    ],
)
def test_a_meeting_is_told_by_its_own_minutes(council: Following, question: str) -> None:
    council.write("minutes/2026-11-24.md", SHORT)
    council.write("minutes/2026-11-17.md", "# Quay meeting, 17 November 2026\n\nThe crane of the quay was painted on Monday.\n")
    answer = answered(council, question)
    assert answer.verdict == "complete" and "rape oil comes on 2 December" in answer.text and "crane" not in answer.text


def test_minutes_are_known_by_who_led_it_and_who_wrote(council: Following) -> None:
    council.write("minutes/2026-11-24.md", SHORT)
    assert "Eli Oak" in answered(council, "who was missing at the quay meeting on 24 november").text
    assert answered(council, "when was the last quay meeting").text.startswith("**24 November 2026**")


def test_names_alone_that_open_the_minutes_were_there(council: Following) -> None:
    council.write(
        "minutes/board.md",
        "# Rope board \u2013 19 June 2026\nAda (chair), Per, Cy. Guests: Dora. Minutes by Per.\n\n## 1. Ropes\nThey hold.\n",
    )
    assert "Ada, Per, Cy, Dora" in answered(council, "who was at the last rope board").text
    assert "Ada" in answered(council, "who chaired the last rope board").text


def test_other_names_that_open_a_page_are_no_people(council: Following) -> None:
    assert [*attendance("# Fleet\n\nPlover, Dunlin, Knot. They sail on Monday.\n")] == []


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who was missing in October?", "**Jonas Reed**: not there, Committee 14 October 2026"),
        ("Who was missing in November?", "**Milo Grant**: not there, Committee 18 November 2026"),
        ("who was at the committee on 14 October 2026", "**Tessa Vale, Milo Grant, Petra Loom**. Not there: Jonas Reed"),
        ("who was at the last committee", "Committee 18 November 2026: **Tessa Vale, Jonas Reed**. Not there: Milo Grant"),
    ],
)
def test_two_meetings_of_one_text_are_told_apart(docs: Following, question: str, told: str) -> None:
    docs.write(
        "minutes.md",
        "# Committee 14 October 2026\n\nPresent: Tessa Vale, Milo Grant, Petra Loom. Excused: Jonas Reed.\n\n- The boiler stays off.\n\n"
        "# Committee 18 November 2026\n\nPresent: Tessa Vale, Jonas Reed. Excused: Milo Grant.\n\n- The boiler is on.\n",
    )
    assert told in answered(docs, question).text


@pytest.mark.parametrize(
    ("question", "verdict", "begins"),
    [
        ("Was Bernard at the yard meeting on 12 October 2026?", "complete", "**No**: Bernard was not there"),
        ("was wilk at the yard meeting on 12 october 2026?", "complete", "**No**: Wilk was not there"),  # in small letters
        (
            "Did Geraldine Poole turn up at the yard meeting on 12 October 2026?",
            "complete",
            "**No**: Geraldine Poole was not there",
        ),
        ("Was Shona at the yard meeting on 12 October 2026?", "complete", "**Yes**: Shona was there"),
        ("Was Zelda at the yard meeting on 12 October 2026?", "", ""),  # nobody knows her
        ("Was Bo at the yard meeting on 12 October 2026?", "complete", "**Yes**: Bo"),  # though somebody spoke for him once
    ],
)
def test_whoever_is_spoken_for_was_not_there(docs: Following, question: str, verdict: str, begins: str) -> None:
    docs.write(
        "minutes.md",
        "# Yard meeting, 12 October 2026\n\nPresent: Ingrid (chair), Shona B. (for Bernard A. who is on leave till the 16th), J. Verkerk (for T. Wilk), Bo,\n"
        "Hattie Poole (for Geraldine Poole), Cy Dee (also for Bo on item 3)\n\n1 Ropes. All old.\n",
    )
    answer = answered(docs, question)
    if begins:
        assert (answer.verdict, answer.text.startswith(begins)) == (verdict, True), answer.text
    else:
        assert answer.verdict != "complete" and "**No**" not in answer.text


def test_the_next_meeting_is_not_told_from_older_minutes_than_there_are(council: Following) -> None:
    day = date.today() + timedelta(days=9)
    council.write(
        "minutes/june.md",
        f"# Lamp council, 2 June 2026\n\nPresent: Ada Byron, Cy Noll.\n\n## Slot\n\nWe meet less often from now on. The last one of this year is on {day:%d %B %Y}.\n\n## Oil\n\nThe oil comes on {day:%d %B %Y}.\n",
    )
    answer = answered(council, "when is the next lamp council?")
    assert answer.verdict == "partial" and answer.text.startswith("We meet less often") and "oil comes" not in answer.text


def test_minutes_that_are_called_by_their_file_are_known_by_the_line_that_names_the_meeting(docs: Following) -> None:
    docs.write("board/2026-05-04.md", "# Board meeting, 4 May 2026\n\nPresent: Ada Byron, Ben Marsh.\n\nNext meeting: 1 June.\n")
    docs.write(
        "board/Minutes 1 June 2026.txt",
        "LAMPLIGHTERS OF THE BAY\nMinutes of the board meeting of 1 June 2026\n\nThere: Ada Byron, Cy Noll.\n\nNext: 6 July 2026, 18:30.\n",
    )
    assert "6 July 2026" in answered(docs, "when is the next board meeting").text.split("\n")[0]


def test_people_behind_a_word_without_a_colon() -> None:
    found = attendance(
        "# Lamps, 4 May\n\nChair Ada. Also Ben, Cy Noll and Dora. Eli excused.\n\n## Oil\nAlso Ben, Cy and Dora get lamps.\n"
    )
    assert [(one.role, one.people) for one in found] == [("chair", ("Ada",)), ("present", ("Ben", "Cy Noll", "Dora"))]
    found = attendance("# Lamps, 4 May\n\nPresent Ada Byron, Ben Marsh and Cy. Apologies Dora.\n")
    assert [(one.role, one.people) for one in found] == [("present", ("Ada Byron", "Ben Marsh", "Cy")), ("absent", ("Dora",))]


SOON = datetime.now(UTC).date() + timedelta(days=20)
MINUTES_OF_TODAY = f"# Lamp council, {datetime.now(UTC).date().isoformat()}\n\nPresent: Cy Noll.\n\nNext meeting: {SOON.day} {SOON:%B %Y}, 18:00.\n"


@pytest.mark.parametrize(
    ("said", "is_moved"),
    [
        (f"The lamp council planned for {SOON.day} {SOON:%B} is moved by a week, same room.", True),
        ("the next lamp council is cancelled, sorry", True),
        (f"the meeting on {SOON.day} {SOON:%B} is postponed", True),
        ("the oil delivery is postponed", False),
        ("the boat committee is cancelled", False),
        (f"Bring cake to the lamp council on {SOON.day} {SOON:%B}", False),
    ],
)
def test_a_coming_meeting_is_held_against_what_is_said_since(docs: Following, said: str, is_moved: bool) -> None:
    docs.write("minutes.md", MINUTES_OF_TODAY)
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    docs.write("chat.txt", f"[{tomorrow.isoformat()} 11:31] Ada: {said}\n")
    answer = answered(docs, "When is the next lamp council?")
    assert f"{SOON.day} {SOON:%B}" in answer.text
    assert answer.verdict == ("partial" if is_moved else "complete"), answer.text
    assert (said[:20] in answer.text) == is_moved


def test_a_rule_that_shares_the_name_of_a_meeting_moves_nothing(docs: Following) -> None:
    docs.write("minutes.md", MINUTES_OF_TODAY.replace("Lamp council", "Leads' meeting"))
    docs.write("rules.md", "# Rules\n\nLonger than four hours: the site lead decides whether routine work is cancelled.\n")
    assert answered(docs, "When is the next leads' meeting?").verdict == "complete"


def test_whoever_writes_the_minutes_was_there_and_a_name_may_end_like_a_verb(docs: Following) -> None:
    docs.write(
        "minutes.md",
        "# Lamp council, 11 November 2026\n\nMinutes: M. Oluban. Present: Fleming, Skeffing, Long, Kells (items 1-3).\n\n## 1\nOil.\n",
    )
    assert answered(docs, "How many people were at the lamp council in November 2026?").text.startswith("**5 people**")
    for name in ("Skeffing", "Oluban", "Long"):
        assert answered(docs, f"Was {name} at the lamp council on 11 November?").text.startswith("**Yes**"), name
