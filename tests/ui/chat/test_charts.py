"""Numbers of an answer as a chart: the answer has them as data, the page draws them above the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.chat.test_page import opened
from tests.ui.chat.test_turns import answered, drawn
from tests.ui.conftest import read_again
from tree.store.models import Source
from ui.chat.turns import above_chart, below_chart
from ui.server.tools import Tools

BUDGET = (
    "line,approved (EUR),spent (EUR),remark\nStaff,1020000,961300,two more\nHosting,186000,118600,\nTraining,90000,77600,late\n"
    "Total,1296000,1157500,\n"
)


@pytest.fixture
def budget(tools: Tools, source: Source, folder: Path) -> Source:
    (folder / "reports").mkdir()
    (folder / "reports/budget.csv").write_text(BUDGET, "utf-8")
    read_again(tools, source)
    return source


def test_a_table_is_drawn_by_its_columns_of_numbers_without_its_sums(tools: Tools, budget: Source) -> None:
    turn = answered(tools, "Plot the budget")
    assert turn.answer is not None and turn.answer["verdict"] == "complete"
    assert turn.answer["chart"] == {
        "label": "line",
        "names": ["Staff", "Hosting", "Training"],
        "series": [
            {"label": "approved (EUR)", "values": [1020000, 186000, 90000]},
            {"label": "spent (EUR)", "values": [961300, 118600, 77600]},
        ],
    }
    assert "| Staff | 1020000 | 961300 | [1] |" in turn.answer["answer"] and "| Total |" in turn.answer["answer"]


@pytest.mark.parametrize(
    ("question", "label", "names", "values"),
    [
        ("Show me a chart of spent by line", "line", ["Staff", "Hosting", "Training"], [961300, 118600, 77600]),
        ("can you draw a bar chart of the hosting budget?", "Hosting", ["approved (EUR)", "spent (EUR)"], [186000, 118600]),
        ("approved budget as a graph", "line", ["Staff", "Hosting", "Training"], [1020000, 186000, 90000]),
    ],
)
def test_one_column_or_one_row_is_drawn_by_itself(
    tools: Tools, budget: Source, question: str, label: str, names: list[str], values: list[float]
) -> None:
    turn = answered(tools, question)
    assert turn.answer is not None
    chart = turn.answer["chart"]
    assert chart is not None and (chart["label"], chart["names"], chart["series"][0]["values"]) == (label, names, values)


@pytest.mark.parametrize(
    "question", ["Plot the budget of 2025", "plot the budget without hosting", "Plot the cellar", "plot", "the budget"]
)
def test_what_no_table_tells_exactly_is_not_drawn(tools: Tools, budget: Source, question: str) -> None:
    turn = answered(tools, question)
    assert turn.answer is not None and turn.answer["chart"] is None


def test_the_page_draws_the_chart_between_the_verdict_and_the_text(tools: Tools, budget: Source) -> None:
    turn = answered(tools, "Plot the budget")
    data = drawn(tools, turn)
    above, below = above_chart(data), below_chart(data)
    assert above["verdict_words"] == "Answered" and above["html"] == "" and above["citations"] == []
    assert below["verdict"] == "" and below["steps"] == [] and "<table" in below["html"] and below["citations"]
    assert len(opened(c=turn.chat_id).get("vega_lite_chart")) == 1


def test_a_chart_is_not_drawn_once_its_table_has_changed(tools: Tools, budget: Source, folder: Path) -> None:
    turn = answered(tools, "Plot the budget")
    (folder / "reports/budget.csv").write_text(BUDGET.replace("961300", "1"), "utf-8")
    read_again(tools, budget)
    assert drawn(tools, turn)["chart"] is None
