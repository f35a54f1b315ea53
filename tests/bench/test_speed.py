"""The speed bench on a handful of leaves with a real server, and the README section made of all figures."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bench import speed
from bench.__main__ import _parser, main
from bench.apart import in_a_process
from bench.report import BEGIN, END, PARTS, TITLES, section
from bench.speed_table import cell, growth
from bench.synthetic import Texts
from tests.databases import LEFT_OUT, SERVER
from tree.workspace import workspace

ROW = {
    "name": "", "leaves": 30, "documents": 30, "depth": 2, "megabytes": 0.1, "text_bytes": 100_000, "build_seconds": 1.0,
    "build_megabytes_per_second": 0.1, "build_memory": 1e8, "flat_build_seconds": 0.1, "flat_size": 2e5, "warm_start": 1.0, "found": 1.0,
    "walk_p50": 0.01, "walk_p95": 0.02, "flat_p50": 0.001, "flat_p95": 0.002, "database": 1e6, "index": 1e5, "load": 0.5,
}  # fmt: skip
FIGURES = {
    "truth": {
        "histories": 3,
        "steps": 2,
        "seed": 1,
        "failures": [],
        "events": {"edit": 4, "killed in the middle": 1},
        "seconds": 1.0,
    },
    "speed": {"rows": [ROW], "growth": [], "processors": 2},
}


def test_made_up_files_are_built_changed_walked_and_shown(tmp_path) -> None:
    small = ["--leaves", "12", "--sessions", "2", "--saves", "1", "--repeat", "2"]
    assert main(["speed", *small, "--out", str(tmp_path)]) == 0
    [row] = json.loads((tmp_path / "speed.json").read_text())["rows"]
    assert row["documents"] == row["leaves"] == 12 and row["found"] >= 0.5
    timed = (
        "build_seconds",
        "publish_p50",
        "warm_start",
        "walk_p95",
        "saved_p50",
        "chat_page_p50",
        "tree_page_p50",
        "session_p95",
    )
    assert all(row[name] > 0 for name in (*timed, "database", "index", "app_memory"))
    assert "<svg" in (tmp_path / "speed.html").read_text()


def test_a_given_folder_is_measured_and_left_as_it_is(tmp_path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "pump.md").write_text("# Pump\n\nThe harbour pump stopped on Monday because its bearing was worn.\n")
    small = ["--leaves", "--data", str(folder), "--sessions", "0", "--repeat", "2"]
    assert main(["speed", *small, "--out", str(tmp_path / "out")]) == 0
    [row] = json.loads((tmp_path / "out" / "speed.json").read_text())["rows"]
    assert row["documents"] == 1 and row["walk_p50"] > 0
    assert "publish_p50" not in row and "saved_p50" not in row
    assert {path.name for path in folder.iterdir()} == {"pump.md"}


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_the_same_is_measured_on_postgresql_beside_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []

    def measured(_: object, home: Path, folder: Path, *others: object) -> dict[str, object]:
        with workspace(home) as opened:
            seen.append((opened.database.identity, sorted(path.name for path in folder.rglob("*.md"))))
            return ROW | {"database": opened.database.size()}

    monkeypatch.setattr(speed, "in_a_process", measured)
    assert main(["speed", "--leaves", "6", "--server", SERVER, "--out", str(tmp_path)]) == 0
    ours, theirs = json.loads((tmp_path / "speed.json").read_text())["rows"]
    assert ours["name"] == "" and theirs["name"] == "30, PostgreSQL" and theirs["database"] > ours["database"]
    (ours_is_at, files), (theirs_is_at, same_files) = seen
    assert (
        ours_is_at.endswith("home") and theirs_is_at.startswith(SERVER.rpartition("@")[2]) and len(files) == 6 == len(same_files)
    )


def test_growth_is_told_between_sizes_of_made_up_text_alone() -> None:
    larger = ROW | {"leaves": 300, "walk_p50": 0.1, "database": 1e6}
    [step] = growth([ROW, larger, ROW | {"name": "given"}])
    assert step["powers"]["walk"] == pytest.approx(1.0) and step["powers"]["database"] == 0.0


def test_what_was_not_measured_is_shown_as_that() -> None:
    assert cell(lambda row: f"{row['publish_p50']}", ROW) == "–"


def test_made_up_text_is_the_same_for_a_seed_and_of_the_size_asked_for() -> None:
    assert Texts(1).text(5, 900) == Texts(1).text(5, 900) != Texts(2).text(5, 900)
    assert 800 <= len(Texts(1).text(5, 900)) <= 900


def test_the_page_of_figures_is_written_between_its_markers_and_nowhere_else(tmp_path) -> None:
    page, figures = tmp_path / "figures.md", tmp_path / "figures.json"
    page.write_text(f"# Title\n\n{BEGIN}\nold words\n{END}\n\nThe end.\n")
    figures.write_text(json.dumps(FIGURES))
    for _ in range(2):
        assert main(["report", "--into", str(page), "--figures", str(figures)]) == 0
    text = page.read_text()
    assert text.startswith("# Title\n") and text.endswith("The end.\n")
    assert "old words" not in text and text.count("0 failures") == 1
    assert "10 / 20 ms" in text


def test_in_the_page_of_measurements_only_what_was_run_is_written_anew(tmp_path) -> None:
    known = (Path(__file__).parents[2] / _parser().parse_args(["report"]).into).read_text("utf-8")
    page, figures = tmp_path / "measurements.md", tmp_path / "figures.json"
    page.write_text(known, "utf-8")
    figures.write_text(json.dumps({"truth": FIGURES["truth"]}))
    assert main(["report", "--into", str(page), "--figures", str(figures)]) == 0
    text = page.read_text("utf-8")
    truth, jira = "<!-- figures of truth -->", "<!-- figures of jira -->"
    assert text != known and text.count(f"### {TITLES['truth']}\n\n**Truth under change.** 3 random histories") == 1
    assert text.partition(truth)[0] == known.partition(truth)[0] and text.partition(jira)[2] == known.partition(jira)[2]


def test_every_part_has_a_heading() -> None:
    assert TITLES.keys() == PARTS.keys()


def test_without_markers_it_says_what_to_do(tmp_path) -> None:
    (tmp_path / "README.md").write_text("nothing")
    (tmp_path / "figures.json").write_text("{}")
    with pytest.raises(SystemExit, match="Put these two lines"):
        main(["report", "--into", str(tmp_path / "figures.md"), "--figures", str(tmp_path / "figures.json")])


def test_only_what_was_run_is_told() -> None:
    assert section({}) == ""
    assert "histories" in section({"truth": FIGURES["truth"]})


def test_a_measurement_has_the_environment_of_whoever_asks(monkeypatch) -> None:
    in_a_process(os.getenv, "ASKED_IN")  # the server that forks has been started by now
    monkeypatch.setenv("ASKED_IN", "this test")
    assert in_a_process(os.getenv, "ASKED_IN") == "this test"


def test_a_measurement_that_fails_says_why() -> None:
    with pytest.raises(SystemExit, match="ValueError: .*ten"):
        in_a_process(int, "ten")
