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
