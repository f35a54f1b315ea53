"""The row of a table of limits that an amount falls into is told above the passages."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.facts.limits import limit_of

APPROVAL = """# Buying

| Amount | Who approves |
|---|---|
| up to EUR 250 | the crew lead |
| up to EUR 2,500 | head of the yard |
| up to EUR 20,000 | Ida Holm or Per Lund |
| more | the board |
"""
POSTAGE = "weight,postage\n0 - 500 g,3 EUR\n501 - 2000 g,5 EUR\nover 2000 g,on request\n"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who may approve 15000", "**Ida Holm or Per Lund** · Amount: up to EUR 20,000"),
        ("who approves 15k", "**Ida Holm or Per Lund**"),
        ("who approves an order of 250 euros", "**the crew lead**"),
        ("who approves EUR 251", "**head of the yard**"),
        ("who has to approve 40,000 euros?", "**the board**"),
        ("postage for 600 g", "**5 EUR**"),
        ("postage for 3000 g?", "**on request**"),
    ],
)
def test_the_row_that_holds_the_amount_leads(docs: Following, question: str, told: str) -> None:
    docs.write("buying.md", APPROVAL)
    docs.write("postage.csv", POSTAGE)
    answer = answered(docs, question)
    assert answer.verdict == "partial" and told in answer.text.split("\n")[0], answer.text


@pytest.mark.parametrize("question", ["who approves 5 kg", "who may approve leave in 2026", "who approves between 100 and 9000"])
def test_other_units_years_and_several_amounts_are_in_no_row(docs: Following, question: str) -> None:
    docs.write("buying.md", APPROVAL)
    assert "Its limits hold" not in answered(docs, question).text


@pytest.mark.parametrize(
    ("question", "told"), [("who may sign 4000 euros", "head of the yard"), ("who may sign 90,000", "the board")]
)
def test_a_column_that_is_called_up_to_has_limits(docs: Following, question: str, told: str) -> None:
    docs.write(
        "sign.md",
        "# Who may sign\n\n| Up to (euros) | Who |\n|---|---|\n| 500 | crew lead |\n| 5,000 | head of the yard |\n| above | the board |\n",
    )
    answer = answered(docs, question)
    assert answer.text.startswith(f"Who: **{told}**"), answer.text


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [
        ("up to EUR 250", None, 250),
        ("≤ 500", None, 500),
        ("bis 1.000,00 EUR", None, None),
        ("from 50 pieces", 50, None),
        ("50+", 50, None),
        ("5,001 – 20,000", 5001, 20000),
        ("over 3 years", 3, None),
    ],
)
def test_cells_that_are_limits(said: str, low: float | None, high: float | None) -> None:
    limit = limit_of(said)
    if low is None and high is None:
        assert limit is None
        return
    assert limit is not None
    assert [one.number if one is not None else None for one in limit] == [low, high]
