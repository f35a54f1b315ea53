"""The bench of tickets, on the sample project and a few edits."""

from __future__ import annotations

import json

from bench.__main__ import main
from bench.report import section


def test_edits_at_the_stand_in_are_answerable_by_webhook_and_by_poll(tmp_path, capsys) -> None:
    options = ["jira", "--edits", "2", "--pause", "0.1", "--poll", "1", "--chats", "1", "--out", str(tmp_path)]
    assert main(options) == 0
    report = json.loads((tmp_path / "jira.json").read_text())
    assert report["reading"]["verified"] and report["reading"]["failures"] == 0
    assert report["reading"]["documents"] >= report["reading"]["tickets"]
    assert report["reading"]["again_requests"] < report["reading"]["first_requests"]
    for way in ("webhook", "poll"):
        assert (report[way]["edits"], report[way]["lost"]) == (2, 0)
        assert 0 < report[way]["p50"] <= report[way]["p95"] <= report[way]["worst"]
    assert "edit to answerable by webhook" in capsys.readouterr().out
    assert f"{report['reading']['tickets']} tickets of a Jira Cloud" in section({"jira": report})
