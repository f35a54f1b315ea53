"""The speed bench on a handful of leaves, and the README section made of all figures."""

from __future__ import annotations

import json

import pytest

from bench import speed
from bench.__main__ import main
from bench.report import BEGIN, END, section
from bench.synthetic import Texts


def test_the_command_times_a_small_tree(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(speed, "_in_a_process", lambda function, *arguments: function(*arguments))
    assert main(["speed", "--leaves", "30", "--saves", "0", "--out", str(tmp_path)]) == 0
    [row] = json.loads((tmp_path / "speed.json").read_text())["rows"]
    assert row["documents"] == 30 and row["found"] >= 0.9
    assert row["walk_p50"] > 0 and row["database"] > 0
    assert "<svg" in (tmp_path / "speed.html").read_text()
    assert "30" in capsys.readouterr().out


def test_made_up_text_is_the_same_for_a_seed_and_of_the_size_asked_for() -> None:
    assert Texts(1).text(5, 900) == Texts(1).text(5, 900) != Texts(2).text(5, 900)
    assert 800 <= len(Texts(1).text(5, 900)) <= 900


FIGURES = {
    "truth": {"histories": 3, "steps": 2, "seed": 1, "failures": [], "events": {"edit": 4, "killed in the middle": 1}, "seconds": 1.0},
    "speed": {
        "rows": [
            {
                "leaves": 30, "megabytes": 0.1, "build_seconds": 1, "publish_p50": 0.1, "publish_p95": 0.2, "walk_p50": 0.01,
                "walk_p95": 0.02, "flat_p50": 0.001, "flat_p95": 0.002, "memory": 1e8, "database": 1e6,
            }
        ],
        "saved": None, "processors": 2,
    },
}  # fmt: skip


def test_the_readme_is_written_between_its_markers_and_nowhere_else(tmp_path) -> None:
    readme, figures = tmp_path / "README.md", tmp_path / "figures.json"
    readme.write_text(f"# Title\n\n{BEGIN}\nold words\n{END}\n\nThe end.\n")
    figures.write_text(json.dumps(FIGURES))
    for _ in range(2):
        assert main(["report", "--readme", str(readme), "--figures", str(figures)]) == 0
    text = readme.read_text()
    assert text.startswith("# Title\n") and text.endswith("The end.\n")
    assert "old words" not in text and text.count("0 failures") == 1
    assert "10 / 20 ms" in text


def test_without_markers_it_says_what_to_do(tmp_path) -> None:
    (tmp_path / "README.md").write_text("nothing")
    (tmp_path / "figures.json").write_text("{}")
    with pytest.raises(SystemExit, match="Put these two lines"):
        main(["report", "--readme", str(tmp_path / "README.md"), "--figures", str(tmp_path / "figures.json")])


def test_only_what_was_run_is_told() -> None:
    assert section({}) == ""
    assert "histories" in section({"truth": FIGURES["truth"]})
