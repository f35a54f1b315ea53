"""Tables that have a column for each time: what holds now, what goes up or down, and which row has most."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.facts.timed_columns import periods_of

THIS = datetime.now(UTC).year

BUDGET = f"""# Budget by department

Agreed by the board.

| Department | {THIS - 1} | {THIS} | {THIS + 1} plan |
|---|---|---|---|
| IT | 82,000 | 91,000 | 88,000 |
| Workshop | 140,000 | 150,000 | 171,000 |
| Training | 12,000 | 15,000 | 9,000 |
| Total | 234,000 | 256,000 | 268,000 |
"""


def rates(today: date) -> str:
    before, after = today - timedelta(days=40), today + timedelta(days=40)
    return (
        "# Hourly rates\n\n"
        f"| Service | until {before - timedelta(days=1):%d %b %Y} | from {before:%d %b %Y} | from {after:%d %b %Y} |\n"
        "|---|---|---|---|\n| Fitter | 78 € | 82 € | 85 € |\n| Travel hour | 52 € | 55 € | 57 € |\n"
    )


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("budget of IT", "**91,000**"),
        (f"what is the budget of the workshop in {THIS}?", "**150,000**"),
        ("workshop budget next year", "**171,000**"),
        (f"which department gets less in {THIS + 1}?", "**2** with less"),
        ("which department gets more this year", "**3** with more"),
        (f"which department has the biggest budget in {THIS}?", "**Workshop**: 150,000"),
        (f"Which department had the smallest budget in {THIS - 1}", "**Training**: 12,000"),
        ("does training get less next year?", "**6,000 less**"),
        ("did the training budget go down", f"Training: 12,000 ({THIS - 1}) → 15,000 ({THIS}) → 9,000"),
    ],
)
def test_a_column_for_each_year(docs: Following, question: str, begins: str) -> None:
    docs.write("budget.md", BUDGET)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(begins), answer.text


@pytest.mark.parametrize(
    ("question", "begins", "also"),
    [
        ("hourly rate fitter", "**82 €**", ("78 €", "85 €")),
        ("what is the travel hour now?", "**55 €**", ("52 €", "57 €")),
        ("how much does a fitter cost", "**82 €**", ("85 €",)),
    ],
)
def test_a_column_from_each_day_on(docs: Following, question: str, begins: str, also: tuple[str, ...]) -> None:
    docs.write("rates.md", rates(datetime.now(UTC).date()))
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(begins), answer.text
    assert all(one in answer.text for one in also)


@pytest.mark.parametrize(
    "question",
    [
        f"budget of marketing in {THIS}",  # no row
        f"how much did IT get before {THIS}?",
        f"how much did IT spend in March {THIS}?",
        f"what is the budget of IT in {THIS - 1} and {THIS + 1}?",
        "budget of IT compared to last year",
        "which departments do not get more next year?",
        "which department gets less than IT next year?",
        "which department has the smallest budget increase next year?",
        "why did the IT budget go down?",
        "can IT get more budget?",
        "how much does IT get in total over all years?",
        f"budget of IT in {THIS + 4}",  # no column
        "who agreed on the budget of the workshop",
        "budget of the workshop for paint",
    ],
)
def test_what_the_table_does_not_say_is_not_answered_from_it(docs: Following, question: str) -> None:
    docs.write("budget.md", BUDGET)
    answer = answered(docs, question)
    assert answer.verdict != "complete" or "board" in answer.text, answer.text


def test_two_tables_of_the_same_row_are_not_taken_for_one(docs: Following) -> None:
    docs.write("a/budget.md", BUDGET)
    docs.write("b/budget.md", BUDGET.replace("150,000", "99,000"))
    answer = answered(docs, "workshop budget this year")
    assert answer.verdict != "complete"


def test_columns_that_are_times() -> None:
    assert [one.column for one in periods_of(("Team", "2026", "2027 plan"))] == ["2026", "2027 plan"]
    found = periods_of(("What", "until 30 Sept 2026", "from 1 Oct 2026", "from 1 Jan 2027"))
    assert [(one.first, one.last) for one in found] == [
        (date.min, date(2026, 9, 30)), (date(2026, 10, 1), date(2026, 12, 31)), (date(2027, 1, 1), date.max)
    ]  # fmt: skip
    assert periods_of(("Boat", "built 2019", "sold 2024")) == [], "two things, and no series"
    assert periods_of(("Boat", "2019 price", "2024 price")) != []
    assert periods_of(("Boat", "Length", "Crew")) == []
    assert periods_of(("Boat", "until 30 Feb 2026", "from 1 Mar 2026")) == [], "a day that is none"
    assert periods_of(("Boat", "actual 2026", "plan 2026", "plan 2027")) == [], "which of the two is not said"


def test_rows_that_stand_in_several_passages_are_each_cited(docs: Following) -> None:
    rows = "".join(
        f"| {name} of the {at}th floor, with all that belongs to it | 1,{at:03d} | 2,{at:03d} |\n"
        for name in ("Lamps", "Doors")
        for at in range(200)
    )
    docs.write("stock.md", f"# Stock by year\n\n| Item | {THIS - 1} | {THIS} |\n|---|---|---|\n{rows}")
    answer = answered(docs, f"which item has the biggest stock in {THIS}?")
    first, second = answer.text.split("\n\n")[:2]
    assert first.startswith("**Doors of the 199th floor") and first.endswith("[1]"), answer.text
    assert second.startswith("**Lamps of the 199th floor") and second.endswith("[2]"), answer.text
    assert ["Doors of the 199th" in one.passages[0].text for one in answer.citations] == [True, False]
    more = answered(docs, f"which item gets more in {THIS}?")
    numbers = range(1, len(more.citations) + 1)
    assert len(numbers) > 1 and all(f"[{number}]" in more.text for number in numbers), more.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the commission of Cala Mirto?", "**7**"),
        ("how much commission do we get from Elbufer", "**8**"),
        (f"How many guests did Elbufer have in {THIS}?", "**40**"),
    ],
)
def test_a_column_of_its_own_beside_those_of_the_years_is_the_one_that_is_asked_for(
    docs: Following, question: str, value: str
) -> None:
    docs.write(
        "commissions.csv",
        f"Partner,Country,Commission %,Guests {THIS - 1},Guests {THIS}\nCala Mirto,Italy,7,52,58\nElbufer,Germany,8,31,40\n",
    )
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(value), answer.text


PRICES = f"""Code,Item,Unit,Price GBP (from 1 Jan {THIS}),Price GBP ({THIS - 1}),VAT %,Note
B-P,Berth Plus,boat and month,54,49,20,
T-D,Training day at the quay,day,480,450,20,plus travel
K-M,Kiosk subscription,kiosk,26,24,20,up to 3
"""


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What is the price of Berth Plus?", "**54**"),
        ("What does a training day at the quay cost?", "**480**"),
        ("how much is a kiosk subscription", "**26**"),
        (f"what was the price of Berth Plus in {THIS - 1}?", "**49**"),
    ],
)
def test_a_price_of_a_year_beside_one_from_a_day_on(docs: Following, question: str, begins: str) -> None:
    docs.write("price_list.csv", PRICES)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(begins), answer.text


def test_a_year_ends_where_what_holds_from_a_day_begins() -> None:
    found = periods_of(("Item", "Price (from 1 July 2026)", "Price (2026)", "Price (2025)"))
    assert [(one.column, str(one.last)) for one in found[:2]] == [("price 2025", "2025-12-31"), ("price 2026", "2026-06-30")]
    assert periods_of(("Item", "Price (from 1 July 2026)", "Weight (2025)")) == [], "two things, and no series"
