"""Which rows have spent more than their budget: two columns held against each other, of the year that is asked about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingestion.workspaces import Following

BY_YEAR = """Department,Year,Budget GBP,Spent GBP,Remark
PE,2024-25,9400,9112,
PE,2025-26,9800,10240,trampoline repair
IT,2024-25,31000,30410,
IT,2025-26,33500,34120,licences went up
Music,2024-25,4100,3950,
Music,2025-26,4100,4060,
"""
BY_COLUMN = """Building,Category,2025 actual,2026 budget,2026 spent to 31 Oct,2027 draft,Note
Mill Court,Heating,22400,23500,18910,24000,
Mill Court,Repairs,9870,12500,13140,12000,roof leak
Osier Row,Heating,13900,14600,11730,15000,
Osier Row,Repairs,7320,7500,7400,7600,
"""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("budgets"))
    following.write("budget-by-dept.csv", BY_YEAR)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which departments spent more than their budget in 2025-26?", {"PE", "IT"}),
        ("which departments were over budget in 2025-26", {"PE", "IT"}),
        ("which departments were over budget in FY 2025-26", {"PE", "IT"}),
        ("which departments were under budget in 2025-26", {"Music"}),
        ("which departments exceeded their budget in 2024-25", set()),
    ],
)
def test_rows_are_held_against_their_budget(office: Following, question: str, told: set[str]) -> None:
    answer = office.ask(question)
    assert answer.verdict == "complete" and {one for one in ("PE", "IT", "Music") if f"| {one} |" in answer.text} == told
    assert f"**{len(told) or 'None'} of 3 rows of" in answer.text


def test_without_a_year_nobody_knows_which_is_meant(office: Following) -> None:
    assert office.ask("which departments are over budget").verdict != "complete"


def test_the_year_may_be_in_the_name_of_a_column(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("budget_by_building.csv", BY_COLUMN)
    following.sync()
    for question in ("Which budget lines for 2026 were already overspent on 31 October?", "what is over budget in 2026"):
        answer = following.ask(question)
        assert (
            answer.verdict == "complete"
            and "| Mill Court | Repairs | 12500 | 13140 |" in answer.text
            and "Osier" not in answer.text
        )
    assert following.ask("which budget lines were overspent in 2025").verdict != "complete"
    assert following.ask("what is the 2026 budget of Mill Court for repairs?").text.startswith("**12500**")
    following.workspace.close()


BY_UNIT = """# Budget 2026

| Department | Budget | Spent |
|---|---|---|
| Ropes | 100,000 EUR | 120,000 EUR |
| Nets | 80,000 EUR | 70,000 EUR |
| Paint | 20,000 EUR | 19,000 EUR |
| Total | 200,000 EUR | 209,000 EUR |
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("harbour"))
    following.write("budget.md", BY_UNIT)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    "question",
    [
        "Which departments are over budget in 2026?",
        "Which of our teams have overspent in 2026?",
        "What was over budget in 2026?",
        "List the departments that are over their budget for 2026",
        "How many rows have exceeded the budget in 2026?",
    ],
)
def test_every_word_of_such_a_question_is_accounted_for(harbour: Following, question: str) -> None:
    answer = harbour.ask(question)
    assert answer.verdict == "complete" and "**1 of 3 rows" in answer.text and "Ropes" in answer.text, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Which departments are not over budget in 2026?",
        "Which departments have never been over budget?",
        "Which departments except Ropes are over budget?",
        "Which projects are over budget in 2026?",
        "Which departments are over budget by more than 50,000 EUR?",
        "Which departments are over budget in March 2026?",
        "Which departments overspent in 2025?",
        "Which departments are over budget, and why?",
        "Which departments were over budget and which under budget?",
        "Who approves spending over budget?",
        "What do we do when we are over budget?",
        "What do we do over budget?",
        "What happens if a department is over budget?",
    ],
)
def test_a_question_that_says_more_is_not_answered_by_rows_over_budget(harbour: Following, question: str) -> None:
    answer = harbour.ask(question)
    assert answer.verdict != "complete" and "of 3 rows" not in answer.text, answer.text


def test_a_table_of_another_year_is_not_taken_for_this_one(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("budget-2019.md", BY_UNIT.replace("Budget 2026", "Budget"))
    following.sync()
    assert following.ask("Which departments were over budget in 2019?").verdict == "complete"
    assert following.ask("Which departments are over budget?").verdict == "partial"
    assert "of 3 rows" not in following.ask("Which departments are over budget in 2020?").text
    following.workspace.close()


def test_a_thing_with_several_rows_is_not_over_budget_because_one_of_them_is(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("budget_by_building.csv", BY_COLUMN)
    following.sync()
    assert "of 4 rows" not in following.ask("Which buildings are over budget in 2026?").text
    assert "of 4 rows" in following.ask("Which lines are over budget in 2026?").text
    following.workspace.close()
