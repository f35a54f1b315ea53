"""What stands first: a row of a register, or a passage that has much more of the question; and what is worked out of registers."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following

JOBS = """# Open jobs

| Job | Grade | Opened | Due | Assigned to | State | Pitch | Title |
| --- | --- | --- | --- | --- | --- | --- | --- |
| JB-11 | G1 | 2026-03-02 | 2026-04-30 | Orla | open | Beech Row | Tap drips |
| JB-12 | G2 | 2026-03-11 | 2026-05-06 | Milan | in progress | Fern Bank | Lamp is dark |
| JB-13 | G1 | 2026-03-12 | 2026-05-20 | Milan | in progress | Beech Row | Hedge is too high |
| JB-14 | G1 | 2026-03-18 | 2026-06-11 | Orla | waiting | all | Move the till to Cashbox k4 |
"""
PITCHES = """pitch,tents,live since,rent until,rent_eur_per_year,boiler build,keeper
Beech Row,40,2019-04-01,2027-05-31,900,7.1,Orla Lindqvist
Fern Bank,25,2021-06-15,2029-02-28,650,7.2,Milan Havel
Moss End,30,planned,2031-01-31,700,,Orla Lindqvist
"""
DIARY = """date,pitch,written_by,what happened,done,state
2026-03-04,Beech Row,Orla,gate would not close after the heavy storm at night,hinge oiled,closed
2026-03-19,Fern Bank,Orla,lamp dark,ordered,open
2026-03-20,Beech Row,Milan,three pegs of the big tent were found broken in the morning,new pegs set,closed
"""
PRICES = """# Prices 2026

| Tent | Locals | Visiting club |
| --- | --- | --- |
| Small tent | 11 | 17 |
| Bell tent | 23 | 38 |
| Yurt | 31 | 52 |
"""
HOUSE = """# House notes

The reception opens on Saturday from 8 to 13 hours, on other days from 9 to 12.

Everyone who works here has 26 days of leave; ask Orla before you take more than ten in a row.

Until a month ahead you can reserve Fern Bank: it is 31 days for groups.

Cashbox switches off version k3 of its service on 30 September 2026, so k3 is dead from then on.

Moss End: the first guests come on Monday 14 June 2027, that is the start of use.
"""
CHAT = """# Chat 2026-04

[20.04.2026 10:02] Orla: the spare key of Fern Bank, the one we missed, was in the pocket of my rain jacket
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("site"))
    for name, text in {
        "lists/open-jobs.md": JOBS,
        "lists/pitches.csv": PITCHES,
        "lists/pitch-diary.csv": DIARY,
        "prices.md": PRICES,
        "house.md": HOUSE,
        "chat.md": CHAT,
    }.items():
        following.write(name, text)
    following.sync()
    yield following
    following.workspace.close()


def _head(site, question: str) -> str:
    answer = site.ask(question)
    assert answer.verdict != "complete", answer.text
    return "\n\n".join(answer.text.replace("\\", "").split("\n\n")[:2])


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many days of leave do we have?", "26 days"),
        ("how many days ahead can I reserve Fern Bank", "31 days"),
        ("When does Cashbox switch off k3?", "30 September 2026"),
        ("What are the reception opening hours on Saturday?", "8 to 13"),
    ],
)
def test_a_passage_with_much_more_of_the_question_stands_before_rows(site, question, told) -> None:
    text = site.ask(question).text.replace("\\", "")
    assert told in "\n\n".join(text.split("\n\n")[:2]), text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which pitch has the longest running rent?", "**Moss End** (latest rent until)"),
        ("Sum of the yearly rent of all pitches?", "**2,250** in all"),
        ("How many tents do all our live pitches have together?", "**65** in all"),
        ("which pitches have been written down by Orla", "2 of 3 rows of pitch-diary.csv"),
        ("most expensive tent for locals?", "**Yurt** (highest Locals): 31"),
        ("What does a visiting club pay for the bell tent?", "Visiting club: **38**"),
        ("What was the last entry for Beech Row in the diary?", "three pegs of the big tent"),
        ("Who has JB-12?", "Assigned to: **Milan**"),
    ],
)
def test_rows_are_worked_out(site, question, told) -> None:
    head = _head(site, question)
    assert told in head, head


def test_of_a_list_of_what_is_open_all_are_told_that_are_not_finished(site) -> None:
    answer = site.ask("how many G1 jobs are open and which ones")
    text = answer.text.replace("\\", "")
    assert answer.verdict == "partial"
    assert all(one in text for one in ("3 of 4", "JB-11", "JB-13", "JB-14", "in progress", "waiting")), text
    assert "JB-12" not in text.split("Passages")[0]


def test_rows_that_end_between_now_and_a_month_are_all_until_its_end(site) -> None:
    head = site.ask("Which pitches' rents end between now and the end of March 2029?").text
    assert "2 of 3 pitches" in head
    assert "Beech Row" in head and "Fern Bank" in head


def test_where_something_turned_up_asks_for_no_files(site) -> None:
    head = _head(site, "Where did the missing spare key of Fern Bank turn up?")
    assert "rain jacket" in head, head
    assert "mention" not in head


BOXES = """serial,kind,owner,software,battery V,weight kg,state,remarks
BX-01,lamp,Farm Wold,4.3,12.9,4.1,ok,
BX-02,lamp,Farm Wold,4.3.1,12.1,4.0,ok,
BX-03,lamp,Inn Tarn,4.3.1,11.2,4.4,return,cracked
BX-04,bell,Inn Tarn,4.3,13.0,7.9,ok,
BX-05,bell,Mill Beck,4.3.1,12.7,8.3,return,
BX-06,lamp,Mill Beck,4.2,12.8,4.2,ok,
"""


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("which buoys have software 4.3", ("BX-01", "BX-04"), "BX-02"),
        ("which buoys have software 4.3.1", ("BX-02", "BX-03", "BX-05"), "BX-01"),
        ("which buoys in the box register have a return", ("BX-03", "BX-05"), "BX-01"),
        ("lowest battery voltage in the register, which buoy?", ("BX-03",), "BX-01"),
        ("How many bell boxes are in the register excerpt?", ("BX-04", "BX-05"), "BX-01"),
    ],
)
def test_rows_are_told_by_a_column_that_is_named_and_by_versions_that_are_all_of_a_cell(
    site: Following, question: str, told: tuple[str, ...], untold: str
) -> None:
    site.write("lists/box-register.csv", BOXES)
    site.write("notes.md", "# Software of buoys\n\nVersion 4.3 of the software of buoys: fixed a lamp that stayed on.\n")
    site.sync()
    first = site.ask(question).text.replace("\\", "").split("Passages that may help")[0].split("More passages")[0]
    assert all(one in first for one in told) and untold not in first


def test_a_year_that_a_column_is_called_by_chooses_no_rows(site: Following) -> None:
    site.write(
        "lists/givers.csv",
        "id,giver,since,kg_2025_26\nG1,Wold Farm,2014,44100\nG2,Tarn Stores,2013,62800\nG3,Beck Mill,2016,29150\n",
    )
    site.sync()
    text = site.ask("which giver gave the most kg in 2025/26").text.replace("\\", "")
    assert "Tarn Stores" in text.split("\n\n")[0] and "62800" in text.split("\n\n")[0]


def test_what_comes_first_in_a_column_that_is_named_is_told_whatever_the_rows_are_called(site: Following) -> None:
    site.write("lists/fleet.csv", "no,plate,mileage,seats\n21,AB 1,41230,38\n22,AB 2,53310,40\n23,AB 3,12870,71\n")
    site.sync()
    answer = site.ask("which bus has the most miles")
    assert answer.verdict == "partial" and "AB 2" in answer.text.split("\n\n")[0] and "Not understood: “bus”" in answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [("What did the swing for Fern Bank cost?", "480 euro")],
)
def test_a_column_that_is_named_is_no_answer_where_more_than_the_rows_is_not_understood(
    site: Following, question: str, told: str
) -> None:
    site.write("swing.md", "# Yard\n\nA swing was put up at Fern Bank, which cost 480 euro with the chains.\n")
    site.sync()
    assert told in "\n\n".join(site.ask(question).text.replace("\\", "").split("\n\n")[:2])
