"""The forest bench on a handful of notes; what is made from a seed is the same each time."""

from __future__ import annotations

import json

from bench.__main__ import main
from bench.forest_files import is_long, note, questions, write_source


def test_a_small_forest_is_built_changed_and_asked(tmp_path) -> None:
    small = ["--leaves", "100", "--sources", "2", "--jobs", "1", "--repeat", "2", "--no-app"]
    assert main(["forest", *small, "--out", str(tmp_path)]) == 0
    [row] = json.loads((tmp_path / "forest.json").read_text())["rows"]
    assert row["sources"] == 2 and row["documents"] == 100 and row["leaves"] > 100
    timed = ("publish_p50", "walk_p95", "walk_of_few_p50", "asked_after_publish_p50", "first_answer", "status")
    assert all(row[name] > 0 for name in (*timed, "database", "index", "memory"))
    assert row["found_name"] == row["found_fact"] == 1.0


def test_notes_and_questions_are_the_same_for_a_seed(tmp_path) -> None:
    assert note(3, 7, 1) == note(3, 7, 1) != note(3, 7, 2) and questions(1, 5, 6) == questions(1, 5, 6)
    edited = note(3, 7, 1, edit=1)
    assert edited.title == note(3, 7, 1).title and edited.text != note(3, 7, 1).text
    assert write_source(tmp_path, 0, 60, 1) == sum(file.stat().st_size for file in tmp_path.rglob("*.md"))
    assert [number for number in range(100) if is_long(number)] == [49, 99]
