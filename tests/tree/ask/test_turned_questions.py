"""Questions that ask the other way round than a column is stated, or for more of a row than one of its cells says."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

PEOPLE = """# Harbour office

| Name | Post | Deputy | Manager |
|---|---|---|---|
| Ida Holm | Quay | Per Lund | Cy Orr |
| Fay Hill | Pier | Ida Holm | Ida Holm |
| Cy Orr | Head | Fay Hill | Gil Innes |
"""


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Whose deputy is Ida?", "Fay Hill"),
        ("Who has Ida as deputy?", "Fay Hill"),
        ("Ida is whose deputy?", "Fay Hill"),
        ("Who is Ida the deputy of?", "Fay Hill"),
        ("Who does Cy manage?", "Ida Holm"),
        ("Who has Cy as his manager?", "Ida Holm"),
        ("Who is Ida's deputy?", "Per Lund"),
        ("Who is the deputy of Ida?", "Per Lund"),
        ("Who manages Ida?", "Cy Orr"),
        ("Who is the manager of Cy?", "Gil Innes"),
    ],
)
def test_whose_deputy_somebody_is(docs: Following, question: str, who: str) -> None:
    docs.write("people.md", PEOPLE)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(f"**{who}**")


@pytest.mark.parametrize("question", ["Whose deputy is Gil?", "Who does Per manage?", "Who has Per as manager?"])
def test_nobody_has_the_one_named_as_that(docs: Following, question: str) -> None:
    docs.write("people.md", PEOPLE)
    assert answered(docs, question).verdict != "complete"


@pytest.mark.parametrize("question", ["Is Ida Fay's mentor?", "Is Ida the mentor of Fay?"])
def test_the_mentor_of_the_one_who_is_the_mentor_is_not_asked_for(docs: Following, question: str) -> None:
    docs.write("mentors.md", "# Mentors\n\n| Name | Mentor |\n|---|---|\n| Fay Hill | Ida Holm |\n| Ida Holm | Cy Orr |\n")
    answer = answered(docs, question)
    assert "**Cy Orr**" not in answer.text or answer.verdict != "complete"


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What is Gus responsible for?", "Winches"),
        ("Which area is Gus responsible for?", "Winches"),
        ("What did Fay report?", "R-10"),
        ("Which fault did Fay report?", "R-10"),
        ("Who is responsible for the winches?", "Gus Lund"),
    ],
)
def test_what_somebody_does_is_not_who_does_it(docs: Following, question: str, thing: str) -> None:
    docs.write("areas.csv", "Area,Responsible,Deputy\nLamps,Ida Holm,Gus Lund\nWinches,Gus Lund,Cy Orr\n")
    docs.write("faults.csv", "Fault,Reporter,Assignee\nR-10,Fay,Gil\nR-11,Gil,Fay\n")
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(f"**{thing.replace('-', chr(92) + '-')}**")


DUE = "# Boats\n\n| Boat | Inspection due | Skipper |\n|---|---|---|\n| Petrel 1 | 30 November 2026 | Ida |\n| Petrel 2 | 15 October 2026 | Per |\n"


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("When was Petrel 1 inspected?", False),
        ("Has Petrel 2 been inspected?", False),
        ("When did Petrel 1 have to be inspected?", True),
        ("When is the inspection of Petrel 1 due?", True),
        ("When is Petrel 2 inspected?", True),
    ],
)
def test_what_is_due_has_not_been_done(docs: Following, question: str, is_told: bool) -> None:
    docs.write("boats.md", DUE)
    assert (answered(docs, question).verdict == "complete") is is_told


def test_what_is_due_back_need_not_be_back(docs: Following) -> None:
    docs.write("loans.md", "# Loans\n\n| Item | Borrower | Due back |\n|---|---|---|\n| Sextant | Per | 20 November 2026 |\n")
    docs.write("tasks.csv", "Task,Who,Due,Status\nFix gate,Ida,2026-11-23,open\nPaint wall,Per,2026-12-01,done\n")
    assert answered(docs, "Is the sextant back?").verdict != "complete"
    assert answered(docs, "When is the sextant due back?").verdict == "complete"
    assert answered(docs, "When was the gate fixed?").verdict != "complete"


ORDERS = "Order,Date,Customer,Item,Status\nB-1,2026-11-02,Selmer,Rope,delivered\nB-2,2026-11-05,Vardal,Lamp,shipped\nB-3,2026-11-06,Norby,Gate,paid\n"
DECISIONS = (
    "# Decisions\n\n| No | Date | Decision | By |\n|---|---|---|---|\n| D3 | 2026-09-07 | Hire a trainee | Ida |\n"
    "| D4 | 2026-09-08 | Rent a van | Per |\n"
)


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("When was B-1 delivered?", False),
        ("When was B-2 shipped?", False),
        ("When was B-3 paid?", False),
        ("When was B-1 ordered?", True),
        ("What is the date of B-1?", True),
        ("When did we hire a trainee?", False),
    ],
)
def test_the_day_of_an_order_is_not_that_of_what_came_of_it(docs: Following, question: str, is_told: bool) -> None:
    docs.write("orders.csv", ORDERS)
    docs.write("decisions.md", DECISIONS)
    assert (answered(docs, question).verdict == "complete") is is_told


JOBS = """# Jobs

| Job | Customer | Boat | Work | Fitter | Status |
|---|---|---|---|---|---|
| 1041 | Mrs Selmer | Heron | Sails | Per | done |
| 1042 | Mr Vardal | Tern | Engine | Cy | waiting for parts |
| 1043 | Mrs Selmer | Gull | Rudder | Fay | in progress |
"""


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("Is Mrs Selmer's boat done?", False),
        ("What is Mr Vardal's boat waiting for?", False),
        ("Where is Mr Vardal's boat?", False),
        ("What is Mr Vardal's boat?", True),
        ("Which boat does Mr Vardal have?", True),
        ("What is the status of Mr Vardal's boat?", True),
    ],
)
def test_the_name_of_a_thing_says_no_more_of_it(docs: Following, question: str, is_told: bool) -> None:
    docs.write("jobs.md", JOBS)
    assert (answered(docs, question).verdict == "complete") is is_told


@pytest.mark.parametrize("question", ["Who does Gil stand in for?", "whom does Gil stand in for"])
def test_whom_somebody_stands_in_for_is_not_who_stands_in_for_them(docs: Following, question: str) -> None:
    docs.write("staff.csv", "name,role,stands in\nIda Holm,lead,Gil Orr\nGil Orr,backend,Per Lund\n")
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith("**Ida Holm**"), answer.text
    assert answered(docs, "Who stands in for Gil?").text.startswith("**Per Lund**")
    docs.write("staff.csv", "name,role,stands in for\nIda Holm,lead,Gil Orr\nGil Orr,backend,Per Lund\n")
    assert answered(docs, question).text.startswith("**Per Lund**")
