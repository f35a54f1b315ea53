"""The change bench on a small tree: its counts keep the promises they are there to check."""

from __future__ import annotations

import json

import pytest

from bench import change
from bench.__main__ import main


@pytest.fixture(scope="module")
def rows(tmp_path_factory) -> dict[str, dict]:
    made = change.measure(tmp_path_factory.mktemp("home"), 120, False, seed=1, tries=6)
    return {row["change"]: row for row in made}


def test_an_edit_costs_its_ancestors(rows) -> None:
    assert rows["edit"]["summaries"] == rows["edit"]["bound"] == rows["edit"]["depth"]
    assert rows["edit"]["reads"] == 1


def test_a_touch_costs_nothing(rows) -> None:
    assert rows["touch"]["summaries"] == rows["touch"]["reads"] == rows["touch"]["characters"] == 0


def test_an_insert_and_a_delete_cost_little_more_than_an_edit(rows) -> None:
    for kind in ("insert", "delete"):
        assert rows[kind]["bound"] <= rows[kind]["summaries"] <= rows[kind]["depth"] + 1.5


def test_a_batch_costs_less_than_its_changes_one_by_one(rows) -> None:
    assert rows["50 edits in one batch"]["summaries"] < rows["50 edits one by one"]["summaries"]


def test_a_build_is_near_the_fewest_branches_there_can_be(rows) -> None:
    assert rows["build"]["bound"] <= rows["build"]["summaries"] <= 2 * rows["build"]["bound"]


def test_the_bound_for_one_scattered_change_is_its_path() -> None:
    assert change.scattered([50, 7, 1], 1) == pytest.approx(3)
    assert change.scattered([50, 7, 1], 10_000) == pytest.approx(58)


def test_the_command_writes_figures_and_a_page(tmp_path, capsys) -> None:
    assert main(["change", "--leaves", "30", "--tries", "2", "--out", str(tmp_path)]) == 0
    assert "touch" in capsys.readouterr().out
    assert json.loads((tmp_path / "change.json").read_text())["rows"]
    assert "LightRAG" in (tmp_path / "change.html").read_text()
