"""Sums, averages, what comes first, what is over, late or not done: worked out of rows in whatever words it is asked for, and told as a
guess."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.facts.amounts import Bounds
from tree.ask.facts.row_operations import read_operation

TODAY = date.today()


def _day(ahead: int) -> str:
    return (TODAY + timedelta(days=ahead)).isoformat()


LOANS = f"""no,borrower,object,lent_on,due_back,returned_on,fee_gbp,insured
L-01,Harrow Museum,bronze bell,{_day(-270)},{_day(-180)},{_day(-184)},120,yes
L-02,Tarn College,oak settle,{_day(-230)},{_day(-60)},{_day(-54)},80,no
L-03,Harrow Museum,tide chart,{_day(-190)},{_day(-45)},,45,yes
L-04,Quarry Arts,glass float,{_day(-150)},{_day(-8)},,60,no
L-05,Tarn College,ship model,{_day(-360)},{_day(65)},,210,yes
L-06,Harrow Museum,brass sextant,{_day(-110)},{_day(14)},,35.50,yes
"""
STORE = """# Stores

## Materials

| Article | Cond. | Qty | Reorder level | Repl. value (EUR) | Rack |
| --- | --- | --- | --- | --- | --- |
| Felt roll | A | 4 | 6 | 90 | B1 |
| Acid-free box | A | 40 | 25 | 12 | B1 |
| Foam sheet | C | 9 | 10 | 30 | C2 |
| Linen tape | B | 12 | 5 | 8 | C2 |
"""
GADGETS = "gadget,weight_kg,remark\nLathe,900,\nPress,1200,sold at the auction in May\nDrill,300,\n"
CLIMATE = """zone,RH set (%),temp_c
Gallery,50,19
Cold store,35,8
Reading room,45,20
"""


@pytest.fixture(scope="module")
def museum(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("museum"))
    following.write("registers/loans.csv", LOANS)
    following.write("stores.md", STORE)
    following.write("climate.csv", CLIMATE)
    following.write("gadgets.csv", GADGETS)
    following.write("notes.md", "# Notes\n\nThe hoist is greased by hand. Visitors leave their bags in the cloakroom.\n")
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("sum of the loan fees of Harrow Museum", ["**200.50**"]),
        ("The curator of Harrow Museum rang me. Could you add up the fees of all their loans for me please?", ["**200.50**"]),
        ("which borrower have we had something lent out to for the longest time", ["L-05", "Tarn College"]),
        ("which loans came back later than they were due?", ["L-02"]),
        ("loans that have still not come back and are past their date", ["L-03", "L-04"]),
        ("who has been hanging on to one of our loans the longest past its date", ["**L-03, Harrow Museum"]),
        ("which loan is the very next one to come due?", ["L-06"]),
        ("loans more than a month overdue", ["1 of 6", "L-03"]),
        ("average fee of the loans to tarn college, two decimals", ["**145**"]),
        ("which of the loans are insured", ["4 of 6"]),
        ("which of the gadgets has the highest weight, leaving out the one we sold", ["**Lathe**", "900"]),
        ("total repl value rack B1", ["**102**"]),
        ("what are we running short of on the shelves of the stores materials", ["Felt roll", "Foam sheet"]),
        ("loans with a fee between 40 and 100 pounds", ["3 of 6", "L-02", "L-03", "L-04"]),
        ("how many loans have a fee of more than 70", ["3 of 6"]),
        ("Quarry Arts come on Monday. What is the sum of their loan fees?", ["**60**"]),
        ("how many of the trinkets are insured", ["4 of 6"]),
        ("which loans should the borrowers have given back by now and haven't", ["L-03", "L-04"]),
        ("where is the relative humidity lowest, and what is the value", ["Cold store", "35"]),
    ],
)
def test_it_is_worked_out_and_told_first(museum, question, told) -> None:
    answer = museum.ask(question)
    text = answer.text.replace("\\", "")
    assert all(one in text.split("Passages that may help")[0] for one in told), text


@pytest.mark.parametrize(
    "question",
    [
        "sum of the loan fees of Kestrel Museum",  # nobody of that name
        "how many years does a loan take to be forgiven",
        "what is the total of the donations",
        "which guard is the oldest",
        "The board meets on Monday. What is the sum of their loan fees?",  # whose
    ],
)
def test_what_no_column_tells_is_not_worked_out(museum, question) -> None:
    answer = museum.ask(question)
    assert answer.verdict != "complete" and "in all" not in answer.text and "oldest" not in answer.text.split("\n")[0]


@pytest.mark.parametrize(
    ("text", "aggregate", "rank", "states"),
    [
        ("add up the rents of Mill Lane", "sum", "", ()),
        ("what did we spend on paint altogether", "sum", "", ()),
        ("the mean of all readings", "average", "", ()),
        ("what does net mean", "", "", ()),
        ("which permit is the next to expire", "", "earliest", ("coming",)),
        ("what is planned for next week", "", "", ()),
        ("permits that have run out", "", "", ("past",)),
        ("permits that run out in May", "", "", ()),
        ("orders that were delivered late", "", "", ("late",)),
        ("keys that have not been handed back yet", "", "", ("open",)),
        ("fees of all orders, returned and still out", "", "", ()),
        ("items below their minimum", "", "", ("below",)),
        ("the cheapest of the pumps", "", "least", ()),
        ("the most recent inspection", "", "latest", ()),
        ("which jobs should Hobbs have finished by now", "", "", ("past",)),
        ("the next event on the rota with a bar lead", "", "earliest", ("coming",)),
        ("which check comes first", "", "earliest", ()),
        ("what was the first call in November", "", "earliest", ()),
        ("the last crane hire of this season", "", "latest", ()),
        ("the last call of Ida", "", "", ()),
        ("up to what sum can Ida sign", "", "", ()),
        ("vials of ink alltogether", "sum", "", ()),
    ],
)
def test_an_operation_is_read(text, aggregate, rank, states) -> None:
    read = read_operation(text)
    assert (read.aggregate, read.rank, read.states) == (aggregate, rank, states)
    assert len(read.rest) == len(text)


@pytest.mark.parametrize(
    ("text", "low", "high", "left"),
    [
        ("rents between 500 and 700", 500, 700, "rents"),
        ("pages in weeks 38 to 47", 38, 47, "pages in"),
        ("weeks with more than 8 pages", 8, None, "weeks with pages"),
        ("from 30 September to 31 October", None, None, "from 30 September to 31 October"),
        ("orders under a thousand pounds", None, 1000, "orders"),
    ],
)
def test_bounds_are_read(text, low, high, left) -> None:
    read = read_operation(text)
    bounds = read.bounds or Bounds()
    assert (bounds.low, bounds.high) == (float("-inf") if low is None else low, float("inf") if high is None else high)
    assert " ".join(read.rest.split()) == left


def test_passages_are_folded_below_what_was_understood_whole(museum) -> None:
    answer = museum.ask("loans more than a month overdue")
    assert answer.verdict == "partial" and "Passages that may help" not in answer.text and "L\\-03" in answer.text


def test_what_asks_for_something_else_as_well_is_not_worked_out(museum) -> None:
    answer = museum.ask("loans of the old pavilion more than a month overdue")
    assert answer.verdict == "none"


CALLS = """call,date,kind,hours,remark
26-01,2026-01-03,Transfer,3.0,chest pain
26-02,2026-02-11,Search,11.5,two walkers
26-03,2026-03-05,Search,0.5,swimmer taken ill at the shop
"""


@pytest.mark.parametrize("question", ("Which call in 2026 took the longest in hours?", "which call took the longest by hours"))
def test_a_word_of_one_remark_does_not_choose_what_is_put_in_order(docs: Following, question: str) -> None:
    docs.write("calls.csv", CALLS)
    answer = answered(docs, question)
    assert answer.text.startswith("**26\\-02**") and "11.5" in answer.text and "Not understood" not in answer.text


def test_the_time_alone_chooses_no_rows_of_something_else(docs: Following) -> None:
    docs.write(
        "commercial/price_list_2026.csv",
        "Code,Item,Unit,Price GBP (from 1 Jan 2026),Price GBP (2025),VAT %,Note\nA,Set-up over 15 chairs,once,1400,1250,20,\n"
        "B,Visit,day,480,450,20,\nC,Extra hour,hour,75,70,20,\n",
    )
    docs.write("rota.csv", "week,Primary,Secondary\n2026-10-07,Ana Sol,Ben Marsh\n2026-10-14,Ben Marsh,Ana Sol\n")
    assert "Set" not in answered(docs, "What has the most helpers in Q4 2026?").text
