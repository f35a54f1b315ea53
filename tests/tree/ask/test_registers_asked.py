"""Registers asked in words that columns do not have, each with a question like it that the register does not answer."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

PAPERS = """name,rope work (valid until),first aid (valid until),lamp (signed off)
Ines Falk,2099-05-01,2020-01-31,2019-04-02
Tomas Reyl,2021-03-01,2098-12-31,
Maren Oduya,,2099-02-28,2022-01-01
"""
POSTS = """# Hiring log 2026

| # | role | team | opened | state |
|---|---|---|---|---|
| H-1 | lamp keeper | quay | 12 Jan | filled |
| H-2 | rope maker | shore | 1 Sept | open |
| H-3 | clerk | quay | 3 Nov | on hold |
"""
TOOLS = """tool,used_for,seats,price_per_seat_month_eur,month_total_eur,renewal_date,owner
Chartly,charts,100,3.00,300.00,2099-01-15,Ines Falk
Tidebook,tides,4,10.50,42.00,2099-02-01,Tomas Reyl
Radiolog,radio,2,25.00,50.00,2099-03-01,
"""
STORE = """item,location,qty,unit,status
battery 6 V,shelf A1,40,box of 10,in use
battery 12 V,shelf A2,12,box of 2,no new batteries
flare,shelf B1,7,piece,in use
"""
AUDITS = "# Visit to Falk & Sons\n\nDate of audit: 2026-05-19\nStatus: closed\n\nAll well.\n"
WHARFS = """wharf,keeper,next_survey,last_survey,report
North,Ines Falk,2027-01-31,2026-01-10,yes
South,Tomas Reyl,2027-08-01,2026-08-02,no
East,Tomas Reyl,2027-09-01,2026-09-02,pending
"""


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("office"))
    following.write("training/papers.csv", PAPERS)
    following.write("people/hiring-log.md", POSTS)
    following.write("infra/tools.csv", TOOLS)
    following.write("depot/store.csv", STORE)
    following.write("vendors/visit.md", AUDITS)
    following.write("vendors/rules.md", "# Rules for deliveries\n\nOwner: Ines Falk\n\nCount all.\n")
    following.write("vendors/prices.md", "# Prices\n\nOwner: Ines Falk\n\nThey rose.\n")
    following.write("wharfs.csv", WHARFS)
    following.sync()
    yield following
    following.workspace.close()


TOLD = (
    ("Who has a valid first aid certificate?", {"Tomas Reyl", "Maren Oduya"}),
    ("who currently has a valid rope work training?", {"Ines Falk"}),
    ("Who has an expired first aid certificate?", {"Ines Falk"}),
    ("What vacancies are open at the moment?", {"H-2"}),
    ("Which roles are on hold?", {"H-3"}),
    ("which tools cost more than 45 euros a month?", {"Chartly", "Radiolog"}),
    ("Which tools have no owner?", {"Radiolog"}),
    ("Which wharfs are due for survey by the end of January 2027?", {"North"}),
)


@pytest.mark.parametrize(("question", "rows"), TOLD)
def test_rows_are_told(office, question, rows) -> None:
    answer = office.ask(question)
    told = [line.split("|")[1].strip().replace("\\", "") for line in answer.text.splitlines() if line.startswith("| ")]
    assert set(told[2:]) == rows
    assert answer.verdict == "complete"


UNTOLD = (
    "Who has a valid lamp certificate?",  # when it was signed off says not until when it holds
    "Who has a valid aid certificate?",
    "Who has a valid pilot licence?",
    "Which vacancies are urgent?",
    "Which tools are down?",
    "Which tools does nobody use?",
    "Which tool is the most expensive?",  # each, or in all?
    "which tools cost more than 45 euros a year?",
    "How many batteries do we have?",  # pieces, and not rows
    "how many boxes of flares are there?",
    "Which batteries are we out of?",
    "Which wharfs have no report?",  # it may be pending
    "Which vendors were not audited in 2026?",  # of two files it is not known
    "Which vendors were audited in 2026?",
)


@pytest.mark.parametrize("question", UNTOLD)
def test_what_a_register_does_not_tell_is_not_called_the_answer(office, question) -> None:
    assert office.ask(question).verdict != "complete"


def test_where_something_lies_is_told_by_the_column_of_places(office) -> None:
    answer = office.ask("where in the depot are the flares")
    assert answer.verdict == "partial" and answer.text.startswith("location: **shelf B1**")


def test_what_there_is_of_something_is_as_of_a_day(office) -> None:
    answer = office.ask("How many pieces of flare do we have?")
    assert answer.verdict == "partial" and answer.text.startswith("**7** in all, qty of 1 of 3 rows")
    assert not office.ask("How many crates of flare do we have?").text.startswith("**7**")


def test_a_count_of_something_else_is_no_stock_of_what_is_counted(docs: Following) -> None:
    docs.write("survey.csv", "about,count\nvessels,12\npiers,4\n")
    docs.write("vessels.csv", "vessel,berth\nHeron,North\nOtter,South\n")
    answer = answered(docs, "How many vessels do we have?")
    assert answer.verdict == "complete" and answer.text.startswith("**2 vessels")


LOANS = """tag,kind,size,value_gbp,status,remarks
LB-1,lantern,small,40,out,
LB-2,lantern,large,60,in,
LB-3,winch,hand,200,out,
LB-4,winch,hand,150,in,spare
"""
CRATES = "crate_no,type,place\nC-1,steel,quay\nC-2,steel,loft\nC-3,wood,loft\n"
DUTIES = "# Loft duties\n\n| day | who | note |\n|---|---|---|\n| Mon 9 Nov 2026 | Ines | crate wash |\n| Tue 10 Nov 2026 | Maren | |\n"


@pytest.mark.parametrize(
    ("question", "verdict", "begins"),
    [
        ("How many lanterns are in the loan register altogether?", "complete", "**2 of 4 rows of gear\\_register.csv**"),
        (
            "how many items are marked as out in the loan register?",
            "complete",
            "**2 of 4 rows of gear\\_register.csv** (status out)",
        ),
        ("What are all our winches worth together?", "complete", "**350** in all"),
        ("What are the winches worth in total according to the register?", "complete", "**350** in all"),
        ("how many sea crates do we have?", "complete", "**3 seacrates of seacrate\\_register.csv**"),
        ("Which sea-crates are in the loft?", "complete", "**2 of 3 seacrates of seacrate\\_register.csv**"),
    ],
)
def test_a_register_is_asked_for_by_its_folder_its_kinds_and_its_noun_in_two_words(
    docs: Following, question: str, verdict: str, begins: str
) -> None:
    docs.write("loan/gear_register.csv", LOANS)
    docs.write("office/seacrate_register.csv", CRATES)
    docs.write("office/duties.md", DUTIES)
    answer = answered(docs, question)
    assert (answer.verdict, answer.text.startswith(begins)) == (verdict, True), answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many lanterns are in the boat register altogether?",  # there is none
        "What are all our anchors worth together?",
        "How many tin crates do we have?",
    ],
)
def test_a_register_of_another_name_or_kind_is_not_counted_for_sure(docs: Following, question: str) -> None:
    docs.write("loan/gear_register.csv", LOANS)
    docs.write("office/seacrate_register.csv", CRATES)
    assert answered(docs, question).verdict != "complete"


def test_pieces_are_added_up_and_their_rows_not_counted(docs: Following) -> None:
    docs.write(
        "rescue/cabinets.csv", "id,item,hut,qty\nRC-1,wool blanket,Larkfell,6\nRC-2,wool blanket,Tarnel,4\nRC-3,splint,Tarnel,2\n"
    )
    answer = answered(docs, "How many wool blankets do we have in all the cabinets together?")
    assert answer.text.startswith("**10** in all, qty of 2 of 3 rows"), answer.text
