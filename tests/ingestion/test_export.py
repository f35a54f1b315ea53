"""Questions and answers as JSON lines: always in the same part, with what was said of them."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from ingestion.__main__ import main
from tree.store.asked import exchanges
from tree.store.chats import Chats
from tree.store.database import Database


def _ask(database: Database, question: str, sources: list[str]) -> str:
    turn = Chats(database).running.begin(question, owner="ben")
    cited = {"number": 1, "title": "Gate", "place": "s/gate.md", "passages": [{"text": "The gate is green."}]}
    answer = {"answer": "Green [1]", "verdict": "complete", "citations": [cited], "sources": sources, "rests_on": sources}
    Chats(database).running.finish(turn.id, "done", answer)
    return turn.id


def _lines(home: Path, file: Path, *options: str) -> list[dict[str, object]]:
    assert main(["--home", str(home), "export", "qa", str(file), *options]) == 0
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_questions_are_written_with_passages_rating_and_part(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "qa.jsonl"
    database = Database(home)
    bad = _ask(database, "Which colour has the gate?", [])
    Chats(database).turns.rate(bad, 0, "It is *blue*", "ben")
    for number in range(200):
        _ask(database, f"Which colour has gate number {number}?", [])
    _ask(database, "the gate which colour", [])
    _ask(database, "Of a source that was removed?", ["gone"])
    database.close()
    lines = _lines(home, file)
    assert len(lines) == 202 and stat.S_IMODE(file.stat().st_mode) == 0o600
    first, last = lines[0], lines[-1]
    assert first["rating"] == "not helpful" and first["reason"] == "It is *blue*" and lines[1]["rating"] is None
    assert first["passages"] == [{"number": 1, "title": "Gate", "place": "s/gate.md", "text": "The gate is green."}]
    assert first["part"] == last["part"], "the same question, put otherwise"
    tests = {line["question"] for line in lines if line["part"] == "test"}
    assert 20 <= len(tests) <= 60
    assert tests < {line["question"] for line in _lines(home, file, "--test-share", "0.5") if line["part"] == "test"}
    assert {line["part"] for line in _lines(home, file, "--test-share", "0")} == {"train"}


def test_many_are_read_some_at_a_time(tmp_path: Path, monkeypatch) -> None:
    database = Database(tmp_path)
    asked = [f"Question {number} of the gate" for number in range(7)]
    for question in asked:
        _ask(database, question, [])
    monkeypatch.setattr("tree.store.asked.AT_ONCE", 3)
    assert [one.question for one in exchanges(database)] == asked
    database.close()


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path, capsys) -> None:
    assert main(["--home", str(tmp_path / "home"), "export", "qa", str(tmp_path / "none" / "qa.jsonl")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_share_that_is_no_number_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["export", "qa", str(tmp_path / "qa.jsonl"), "--test-share", "half", "--home", str(tmp_path / "home")])
    assert "give a share from 0 to 1" in capsys.readouterr().err
