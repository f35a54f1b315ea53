"""Questions over registers that their columns answer: stock and minimum, sums, what is overdue, kinds of thing, most turns of a rota."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following

STOCK = """code;description;shelf;qty;min stock;unit cost eur;expiry (end of month)
L-1;lamp oil 5 l;S-01;12;20;31.00;2027-01
L-2;wick flat;S-02;40;25;2.10;2028-05
L-3;lamp glass;S-03;3;6;18.50;2029-01
L-4;grease tin;S-04;7;7;6.40;2027-02
"""
ASSETS = """asset_id,item,model,room,bought,price_gbp,next_inspection,status
A-01,Winch 1,Tarn 9,1.04 Boat hall,2019-02-11,900,2027-03-01,in use
A-02,Winch 2,Tarn 9,1.04 Boat hall,2020-05-02,1100,2020-05-01,scrapped 2024-01-05
A-03,Hand winch,Falk H,0.2 Slipway,2015-06-30,240,2021-09-30,in use
A-04,Dry cabinet,Ice 3,1.04 Boat hall,2021-10-04,3000,2021-12-31,in use - fault
A-05,Chart cabinet,Ice 7,1.06 Chart room,2022-01-20,1500,2027-12-31,in use
"""
TOOLS = """tool,used_for,seats,price_per_seat_month_eur,month_total_eur,owner
Chartly,charts,10,3.00,30.00,Ines Falk
Tidebook,tides,4,10.50,42.00,Tomas Reyl
Radiolog,radio,2,25.00,50.00,Ines Falk
"""
PRICES = """Parts,prices from 1 March;;;
part no;description;dealer net EUR;retail incl VAT EUR
M-1;mast 6 m;210.00;350.00
M-2;mast 8 m;320.00;480.00
R-1;rope 20 m;20.00;38.00
"""
BILLS = """month;berths;power;total
2026-01;500;210;710
2026-02;520;300;820
2026-03;510;190;700
"""
CASES = """no;date;boat;category;severity;status;cost_eur
K-1;2025-07-04;Heron;winch;1;open;40
K-2;2025-08-11;Otter;rope;2;closed;15
K-3;2025-09-02;Heron;winch;1;closed;90
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("harbour"))
    following.write("store/stocktake.csv", STOCK)
    following.write("assets/equipment_register.csv", ASSETS)
    following.write("office/tools-and-licences.csv", TOOLS)
    following.write("shop/parts_prices.csv", PRICES)
    following.write("plant/costs-2026.csv", BILLS)
    following.write("cases/cases_Q3_2025.csv", CASES)
    following.sync()
    yield following
    following.workspace.close()


TOLD = (
    ("Which articles are below their minimum right now?", "2 of 4", ["L-1", "L-3"]),
    ("which articles in the store are not below minimum?", "2 of 4", ["L-2", "L-4"]),
    ("which articles are below their minimum stock?", "2 of 4", ["L-1", "L-3"]),
    ("which articles are below minimum AND going out of date by the end of January 2027?", "1 of 4", ["L-1"]),
    ("Which equipment is overdue for its inspection according to the register?", "2 of 5", ["A-03", "A-04"]),
    ("How many winches do we have in use, and which ones are they?", "2 of 5", ["A-01", "A-03"]),
    ("How many winches and cabinets do we have in use?", "4 of 5", ["A-01", "A-03", "A-04", "A-05"]),
    ("which parts cost the customer more than 300 euros?", "2 of 3", ["M-1", "M-2"]),
    ("which parts cost the dealer more than 300 euros?", "1 of 3", ["M-2"]),
    ("Which severity 1 cases from the third quarter of 2025 are still open?", "1 of 3", ["K-1"]),
    ("how many cases were there in Q3 2025, and which (pls)?", "3 cases", ["K-1", "K-2", "K-3"]),
)


@pytest.mark.parametrize(("question", "lead", "rows"), TOLD)
def test_rows_are_told_exactly(harbour, question, lead, rows) -> None:
    answer = harbour.ask(question)
    assert answer.text.startswith(f"**{lead}")
    told = [line.split("|")[1].strip().replace("\\", "") for line in answer.text.splitlines() if line.startswith("| ")]
    assert told[2:] == rows
    assert answer.verdict == "complete"


SUMS = (
    ("What do all our tools and licences cost together per month?", "122"),
    ("total cost of the Heron cases?", "130"),
)


@pytest.mark.parametrize(("question", "amount"), SUMS)
def test_a_column_is_added_up(harbour, question, amount) -> None:
    answer = harbour.ask(question)
    assert (answer.verdict, answer.text[: len(amount) + 4]) == ("complete", f"**{amount}**")


def test_a_sum_over_something_that_is_gone_is_told_with_it_and_not_called_answered(harbour) -> None:
    answer = harbour.ask(
        "Ines wants to know what all the equipment standing in the Boat hall cost when we bought it, can you add that up?"
    )
    assert (answer.verdict, answer.text[:9]) == ("partial", "**5,000**") and "*Of these" in answer.text


def test_the_highest_bill_is_the_total_of_its_month(harbour) -> None:
    answer = harbour.ask("which month had the highest plant bill in 2026?")
    assert answer.text.startswith("**2026\\-02**") and "820" in answer.text
    assert harbour.ask("which month had the highest power bill in 2026?").text.startswith("**2026\\-02**")


UNTOLD = (
    "Which codes of stocktake.csv have expired?",  # that they have a day is not that it is over
    "Which sensors are below their minimum?",  # nothing says that the stock has sensors
    "Which articles are below the average?",
    "Which articles are below their minimum price?",
    "What do all our tools and licences cost together per year?",
    "What is the total price per seat of all tools?",
    "What do the articles in the store cost altogether?",  # the cost of one of each
    "which sails cost the customer more than 300 euros?",
    "which parts cost more than 300 euros?",  # for whom?
    "How many winches and ladders do we have in use?",
    "which winches cost less than 50 euros",  # a case of a winch is none
    "which month had the highest fuel bill in 2026?",
    "Which severity 1 cases from the second quarter of 2025 are still open?",
)


@pytest.mark.parametrize("question", UNTOLD)
def test_what_the_columns_do_not_tell_is_not_called_the_answer(harbour, question) -> None:
    assert harbour.ask(question).verdict != "complete"
