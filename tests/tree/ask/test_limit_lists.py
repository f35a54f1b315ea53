"""The line of a list of limits that an amount falls into is told above the passages."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.ask import Earlier

HIRE = """# Hire of rafts

Deposit 40 EUR.

Discount for groups (rafts only, no vests):
 5 to 9 rafts ... 6 %
10 to 24 ........ 9 %
from 25 ......... 13 %

## Waiving a fee

Whoever is asked:
- up to 30 EUR: the hut decides
- up to 200 EUR: Ida Holm
- above: the board

Always in writing.
"""


@pytest.fixture
def hire(docs: Following) -> Following:
    docs.write("hire.md", HIRE)
    docs.write("rafts.csv", "guest,rafts,discount\nScouts of Hove,12,4\nRowing school,30,5\n")
    return docs


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("group discount for 12 rafts", "**9 %** · 10 to 24 [1]"),
        ("what is the discount for a group of 40 rafts?", "**13 %** · from 25 [1]"),
        ("who decides about waiving a fee of 90 euros", "**Ida Holm** · up to 200 EUR [1]"),
        ("who may waive a fee of 900 EUR", "**the board** · above [1]"),
    ],
)
def test_the_line_that_holds_the_amount_leads(hire: Following, question: str, told: str) -> None:
    answer = answered(hire, question)
    assert answer.verdict == "partial" and answer.text.split("\n")[0] == told, answer.text
    assert answer.citations[0].title == "Hire of rafts"


@pytest.mark.parametrize(
    "question", ["group discount for 3 rafts", "who decides about waiving 5 kg", "discount for 12 rafts or 40 rafts"]
)
def test_what_is_in_no_line_is_told_from_none(hire: Following, question: str) -> None:
    assert "Its limits hold" not in answered(hire, question).text
    assert answered(hire, question).verdict != "complete"


def test_a_row_found_by_an_amount_is_not_the_answer(docs: Following) -> None:
    """Whatever else has 12 rafts, the discount for 12 rafts is not just its."""
    docs.write("rafts.csv", "guest,rafts,discount\nScouts of Hove,12,4\nRowing school,30,5\n")
    assert answered(docs, "group discount for 12 rafts").verdict != "complete"
    assert answered(docs, "what is the discount of the Rowing school?").verdict == "complete"


def test_lists_that_are_no_limits_are_none(docs: Following) -> None:
    docs.write("hours.md", "# Opening hours of the hut\n\n- 10 to 12: tea\n- Tuesday: closed\n- lunch at 1: soup\n")
    assert "Its limits hold" not in answered(docs, "what is open at the hut at 11 o'clock").text


def test_of_another_amount_the_question_before_is_asked(hire: Following) -> None:
    before = answered(hire, "group discount for 12 rafts")
    for question, told in (("and for 40?", "**13 %**"), ("what about 7", "**6 %**")):
        assert answered(hire, question, [Earlier(before.question, answer=before.text)]).text.startswith(told)
