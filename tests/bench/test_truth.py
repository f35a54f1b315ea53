"""The truth bench: a few histories hold, the same seed makes the same folder, and a lie is noticed."""

from __future__ import annotations

import json
from random import Random

import pytest

from bench import truth
from bench.__main__ import main
from bench.truth import Folder, History, Wrong, canary


def test_a_history_holds(tmp_path, capsys) -> None:
    assert main(["truth", "--runs", "1", "--steps", "2", "--seed", "5", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "truth.json").read_text())
    assert report["failures"] == [] and report["histories"] == 1
    assert "0 failures" in capsys.readouterr().out


def test_the_same_seed_makes_the_same_folder(tmp_path) -> None:
    words = []
    for name in ("one", "other"):
        folder = Folder(tmp_path / name, Random(9))
        for _ in range(40):
            folder.change()
        words.append((folder.words, folder.gone))
        present = {path.relative_to(folder.root).as_posix() for path in folder.root.rglob("*") if path.is_file()}
        assert {path for path in present if "/." not in path and path[0] != "."} == folder.words.keys()
    assert words[0] == words[1]


def test_a_word_that_stayed_behind_is_noticed(tmp_path) -> None:
    folder = Folder(tmp_path / "folder", Random(3))
    history = History(tmp_path / "home", folder, Random(3), None)
    try:
        history._plainly()
        history.check()
        path = sorted(folder.words)[0]
        (folder.root / path).unlink()
        folder.words.pop(path)
        with pytest.raises(Wrong, match="too many"):
            history.check()
    finally:
        history.close()


def test_a_failure_prints_the_seed_that_replays_it(capsys, monkeypatch) -> None:
    def fails(seed, steps, sandbox):
        raise Wrong("a lie")

    monkeypatch.setattr(truth, "replay", fails)
    assert main(["truth", "--runs", "1", "--seed", "77"]) == 1
    assert "--seed 77" in capsys.readouterr().err


def test_no_two_canaries_are_alike() -> None:
    assert len({canary(number) for number in range(2_000)}) == 2_000
