"""What leads holds now, or says in which other time it does; of a ticket the newest comment that says otherwise leads."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.compose import compose
from prompts.extractive.tenses import time_not_now
from prompts.language import terms
from prompts.records import Evidence, LeafText, Property, Question
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

TODAY = date(2026, 11, 27)


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("who leads the quay", "Lead: Fay Hill (until 30 September 2026)", "until 30 September 2026"),
        ("who insures the vans", "Tarn Mutual insures the vans until 31 August.", "until 31 August"),
        ("who insures the vans", "Tarn Mutual insures the vans until 31 March.", ""),
        ("who leads the quay", "Fay Hill until 31 August, Di Foss until 30 September", ""),
        ("deputy of the quay", "Gil Innes, from 1 January 2027", "from 1 January 2027"),
        ("who leads the quay", "Fay Hill until 30 September 2027", ""),
        ("who leads the quay", "Fay Hill (until 2026-09-30)", "until 2026-09-30"),
        ("who leads the quay", "Fay Hill, acting from 15 June to 30 November 2026", ""),
        ("what is the loft", "The loft: for sails. Called attic until 11 May 2026.", ""),
        ("when is the gate open", "The gate is open from 6 to 22, valid until 30 June 2026.", "valid until 30 June 2026"),
        ("when does the lease end", "The lease runs until 30 June 2025.", ""),
        ("who leads the quay", "Fay Hill from 1 October, Di Foss until 30 September 2026", "until 30 September 2026"),
        ("until when does Fay lead the quay", "Fay Hill until 30 September 2026", ""),
        ("who was lead of the quay", "Fay Hill until 30 September 2026", ""),
        ("previous lead of the quay", "Fay Hill until 30 September 2026", ""),
        ("who leads the quay in May 2026", "Fay Hill until 30 September 2026", ""),
        ("who leads the quay", "Fay Hill until 3 March 2025, Di Foss from 4 March 2025", ""),
    ],
)
def test_a_time_that_is_over_or_to_come(question: str, text: str, said: str) -> None:
    assert time_not_now(question, text, TODAY).casefold() == said.casefold()


def test_a_deputy_whose_time_is_over_is_not_called_the_answer(docs: Following) -> None:
    over = datetime.now(UTC).date() - timedelta(days=40)
    docs.write(
        "teams.md", f"# Teams\n\n## Team Harbour\n\nLead: Ann Vale. Deputy: Bo Kern until {over.day} {over:%B} {over.year}.\n"
    )
    answer = answered(docs, "who is the deputy of team harbour?")
    assert answer.verdict == "partial" and "Bo Kern until" in answer.text
    assert any("not now" in note for note in answer.notes)


def test_rows_whose_time_is_over_are_left_out(docs: Following) -> None:
    today = datetime.now(UTC).date()
    rows = (
        f"Lead,Cy Dunn,{today - timedelta(days=500)},{today - timedelta(days=100)}\nLead,Di Foss,{today - timedelta(days=99)},\n"
    )
    docs.write(
        "pier.csv", f"role,who,from,until\n{rows}Clerk,Ed Gray,{today - timedelta(days=900)},{today - timedelta(days=10)}\n"
    )
    assert "Cy Dunn" not in answered(docs, "who is lead?").text.split("\n")[0]
    assert answered(docs, "who is clerk?").verdict != "complete"


def ticket(*comments: tuple[str, str]) -> LeafText:
    head = "- Key: GWY-9\n- Status: To Do\n- Created: 2026-05-01\n\n## Description\n\nThe rope of the winch is changed on 12 May 2026.\n\n## Comments\n\n"
    said = "".join(f"### Ida Marsh, {day} 09:00 UTC\n\n{text}\n\n" for day, text in comments)
    return LeafText(head + said, ("GWY-9 Rope of the winch",), kind="ticket", properties=(Property("Type", "Task"),))


def told(leaf: LeafText, text: str) -> str:
    asked = Question(text, dict.fromkeys(terms(text), 3.0))
    answer = ExtractiveReader().answer(asked, leaf)
    return "".join(piece.text for piece in compose(asked, [Evidence(1, leaf, answer, 1.0)]))


def test_the_newest_comment_with_another_day_leads_the_passages() -> None:
    leaf = ticket(("2026-05-06", "The winch is lent out until June, so 9 June 2026."), ("2026-05-08", "Bought new grease."))
    text = told(leaf, "on which day is the rope of the winch changed")
    assert text.index("9 June 2026") < text.index("12 May 2026")


def test_a_comment_without_another_day_leads_nothing() -> None:
    text = told(ticket(("2026-05-06", "The rope is long enough.")), "on which day is the rope of the winch changed")
    assert text.index("12 May 2026") < text.find("long enough") or "long enough" not in text


def first_of(text: str, *said: str) -> str:
    return min((one for one in said if one in text), key=text.index)


def test_later_minutes_under_the_same_topic_lead(docs: Following) -> None:
    docs.write("a.md", "# Yard round 21 October 2026\n\n**Summer feast.** On 4 June, place open.\n**Paint.** Blue, 20 litres.\n")
    docs.write(
        "b.md", "# Yard round 18 November 2026\n\n**Summer feast.** On 11 June, at the rowing club.\n**Rope.** 40 metres.\n"
    )
    text = answered(docs, "when is the summer feast of the yard").text
    assert first_of(text, "4 June", "11 June") == "11 June", text
    assert first_of(answered(docs, "how many litres of paint").text, "20 litres", "40 metres") == "20 litres"


def test_the_newer_edition_leads_but_for_who_asks_for_the_older(docs: Following) -> None:
    for year, price in ((2025, "18.90"), (2026, "19.90")):
        docs.write(
            f"prices-{year}.md",
            f"# Price list {year} (net)\n\nRent of a boat with sail for a day is {price} EUR, with oars less.\n",
        )
    assert first_of(answered(docs, "rent of a boat with sail").text, "18.90", "19.90") == "19.90"
    assert first_of(answered(docs, "rent of a boat with sail in 2025").text, "18.90", "19.90") == "18.90"


def test_what_is_crossed_out_is_no_answer(docs: Following) -> None:
    docs.write(
        "calendar.html",
        "<h1>Calendar</h1><ul><li><del>The lamp is painted on 4 May 2026.</del></li><li>The mast is tarred on "
        "<s>5 May 2026</s> 12 May 2026.</li></ul><table><tr><th>Boat</th><th>Seats</th></tr><tr><td>Plover</td><td><s>40</s> 48</td></tr>"
        "<tr><td>Dunlin</td><td>60</td></tr></table>",
    )
    lamp = answered(docs, "When is the lamp painted?")
    assert lamp.verdict != "complete" and "4 May" not in lamp.text
    assert "~~5 May 2026~~ 12 May 2026" in answered(docs, "When is the mast tarred?").text
    assert answered(docs, "How many seats does the Plover have?").text.startswith("**48**")


def test_what_was_announced_once_is_not_how_it_is_now(docs: Following) -> None:
    docs.write(
        "minutes.md",
        "# Board, 28 October 2026\n\nPresent: Ana Sol, Ben Marsh\n\nLamp survey\n"
        "Was announced for 20 January 2027. The surveyor has asked for a later date - now 24 February 2027.\n",
    )
    assert answered(docs, "When is the lamp survey now?").verdict == "partial"


def test_who_was_at_a_meeting_leads_no_answer_about_something_else(docs: Following) -> None:
    docs.write(
        "minutes.md",
        "# Staff meeting, 19 October 2026\n\nThere: Ana Sol, Ben Marsh; apologies: Zoe Tarn (lamp parade in Ebbel)\n\n"
        "1 Parade. After some back and forth: Saturday 5 December, 4 pm, along the mole. Nobody found another way.\n",
    )
    text = answered(docs, "When is the lamp parade?").text
    assert text.find("5 December") > 0 and "There: Ana Sol" not in text[: text.find("5 December")]
    assert "Zoe Tarn" in answered(docs, "Was Zoe Tarn at the staff meeting?").text


def test_who_swaps_a_night_changes_nothing_of_what_a_night_is_paid(docs: Following) -> None:
    docs.write("handbook.md", "# Handbook\n\n## Nights\n\nFor each night on call you get £35, on Saturdays and Sundays £50.\n")
    docs.write(
        "swap.eml",
        "From: Ana Sol <ana@example.org>\nTo: Ben Marsh <ben@example.org>\nDate: Tue, 24 Nov 2026 10:00:00 +0000\nSubject: swap on call\n\n"
        "As agreed, Ben does my night on call on Saturday 28 November, and I do his on Tuesday 1 December from now on.\n",
    )
    text = answered(docs, "What do I get for being on call on a Saturday night?").text
    assert text.find("£50") > 0 and "Ben does my night" not in text[: text.find("£50")]
