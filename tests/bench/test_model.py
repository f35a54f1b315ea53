"""The model bench against the tests' provider: what it counts is what the server was asked."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from bench.__main__ import main
from bench.model import Wire
from tests.prompts.model.provider import MODEL, Provider, serving


@pytest.fixture
def provider(monkeypatch):
    with serving(Provider()) as started:
        monkeypatch.setenv("KNOWLEDGE_TREE_MODEL", f"openai-compatible:{MODEL}")
        monkeypatch.setenv("KNOWLEDGE_TREE_MODEL_URL", started.url)
        yield started


def test_questions_and_changes_are_counted_as_the_server_was_asked(provider, tmp_path, capsys) -> None:
    folder = tmp_path / "animals"
    folder.mkdir()
    for name, said in (
        ("otter", "cracks mussels with a stone"),
        ("heron", "stands still in shallow water"),
        ("lynx", "hears mice"),
    ):
        (folder / f"{name}.md").write_text(f"# The {name}\n\nThe {name} {said} in the morning.\n")
    questions = tmp_path / "questions.txt"
    questions.write_text('Which animal cracks mussels with a stone?\n{"question": "What does the heron do in shallow water?"}\n')
    arguments = ["--data", str(folder), "--questions", str(questions), "--changes", "1", "--leaves", "3", "--out", str(tmp_path)]
    assert main(["model", *arguments]) == 0
    assert "round trips" in capsys.readouterr().out
    report = json.loads((tmp_path / "model.json").read_text())
    assert [row["model_calls"] for row in report["questions"]] == [2, 2]
    assert [row["rounds"] for row in report["questions"]] == [2, 2]
    costs = {row["change"].split()[0]: Counter(row["by"]) for row in report["changes"]}
    assert costs["first"] == {"read": 3, "summarize": 1} and costs["edit"] == {"read": 1, "summarize": 1}
    assert len(provider.received) == 4 + sum(sum(cost.values()) for cost in costs.values())


def test_reading_everything_is_counted_beside_the_text(provider, tmp_path, capsys) -> None:
    folder = tmp_path / "animals"
    folder.mkdir()
    for name in ("otter", "heron"):
        (folder / f"{name}.md").write_text(f"# The {name}\n\nThe {name} stands in the water in the morning.\n")
    assert main(["model", "--data", str(folder), "--reading", "--changes", "0", "--out", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "model.json").read_text())["reading"]
    assert found["by"] == {"read": 2, "summarize": 1} and len(provider.received) == 3
    assert found["times"] == found["input_tokens"] / found["corpus_tokens"] > 1 and "times" in capsys.readouterr().out


def test_calls_at_once_are_one_round_trip() -> None:
    wire = Wire(spans=[(0.0, 1.0), (1.1, 3.0), (1.1, 2.0), (2.5, 4.0), (4.5, 5.0)])
    assert wire.rounds == 4


def test_without_a_model_it_says_what_to_set(monkeypatch) -> None:
    monkeypatch.delenv("KNOWLEDGE_TREE_MODEL", raising=False)
    with pytest.raises(SystemExit, match="KNOWLEDGE_TREE_MODEL"):
        main(["model"])
