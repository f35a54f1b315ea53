"""The load bench with a team of three: everything that was asked is kept with its answer."""

from __future__ import annotations

import json

from bench.__main__ import main


def test_a_small_team_clicks_asks_and_loses_nothing(tmp_path) -> None:
    small = [
        "--sessions",
        "3",
        "--askers",
        "2",
        "--minutes",
        "0.1",
        "--leaves",
        "9",
        "--step-seconds",
        "0.05",
        "--click-seconds",
        "0.5",
    ]
    assert main(["load", *small, "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "load.json").read_text())
    assert report["answered"] >= 2 and report["lost"] == 0 and report["edits"] >= 1 and report["clicks"] >= 1
    assert report["memory_last"] > 0
