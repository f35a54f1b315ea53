"""The model from the command line: it is chosen, tried, used and told of, and its key is never shown."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ingestion.__main__ import main
from tests.prompts.model.provider import KEY, MANNERS, MODEL, Provider, serving
from tree.workspace import workspace

ROOT = Path(__file__).parents[2]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


@pytest.fixture
def run(tmp_path, capsys):
    """Runs a command; returns its exit status and what it said."""

    def command(*arguments: str) -> tuple[int, str]:
        try:
            status = main(["--home", str(tmp_path / "home"), *arguments])
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        assert KEY not in said.out + said.err
        return status, said.out + said.err

    return command


def test_a_model_is_chosen_tried_used_and_forgotten(run, provider, tmp_path) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(3):
        (tmp_path / "docs" / f"{number}.md").write_text(f"# Pump {number}\n\nIt is checked daily.\n")
    (tmp_path / "key").write_text(f"{KEY}\n")
    assert run("add", "folder", str(tmp_path / "docs"), "--name", "Docs")[0] == 0
    assert run("sync")[0] == 0
    status, said = run("upgrade")
    assert status == 1 and "No model is chosen" in said

    status, said = run("model", "set", "openai-compatible", MODEL, "--url", provider.url, "--key-from", str(tmp_path / "key"))
    assert status == 0 and "key: saved" in said and "not tested yet" in said and "Questions are answered without it" in said
    status, said = run("model", "test")
    assert status == 0 and "Questions are answered with it from now on" in said
    assert re.search(r"passed: judge: .* \(\d+\.\d s, [\d,]+ tokens\)", said)
    provider.received.clear()
    status, said = run("upgrade", "--estimate", "--json")
    assert json.loads(said)["calls"] == 4 and not provider.received
    [stands] = json.loads(run("status", "--json")[1])["sources"]
    assert (stands["pending_upgrades"], stands["upgraded"], stands["given_up"]) == (4, 0, [])

    status, said = run("upgrade", "Docs")
    assert (status, said) == (0, "Docs: 4 upgraded, 0 pending, 0 given up.\n")
    assert len(provider.received) == 4
    assert all(one.headers["authorization"] == f"Bearer {KEY}" for one in provider.received)
    [spent] = json.loads(run("usage", "--json")[1])["usage"]
    assert (spent["purpose"], spent["source"], spent["calls"]) == ("upgrade", "Docs", 4)
    assert json.loads(run("status", "--json")[1])["sources"][0]["pending_upgrades"] == 0
    assert run("verify")[0] == 0

    assert "key: none" in run("model", "set", "--url", "http://127.0.0.1:9/v1")[1]  # a key stays with its address
    assert run("model", "off")[0] == 0
    assert json.loads(run("model", "--json")[1])["label"] is None


def answered_with(tmp_path: Path) -> bool:
    """Whether questions are answered with the model."""
    with workspace(tmp_path / "home") as opened:
        return opened.model.reader() is not None


def test_a_model_that_was_not_tested_answers_once_it_passes(run, provider, tmp_path) -> None:
    run("model", "set", "openai-compatible", MODEL, "--url", provider.url)
    assert not answered_with(tmp_path) and json.loads(run("model", "--json")[1])["held_back"]
    provider.behave("writes prose only")
    status, said = run("model", "test")
    assert status == 1 and "unfit for answers" in said and "--anyway" in said and not answered_with(tmp_path)
    provider.behave("ok")
    assert run("model", "test")[0] == 0 and answered_with(tmp_path)
    run("model", "set", "--timeout", "30")
    assert answered_with(tmp_path), "it is the same model"
    run("model", "set", "openai-compatible", "another", "--url", provider.url)
    assert not answered_with(tmp_path)
    run("model", "set", "openai-compatible", MODEL, "--url", provider.url)
    assert answered_with(tmp_path), "this one has passed"
    provider.behave("writes prose only")
    run("model", "set", "openai-compatible", "another", "--url", provider.url)
    provider.models = [{"id": "another"}]
    assert run("model", "test", "--anyway")[0] == 0 and answered_with(tmp_path)


def test_a_model_that_is_too_slow_is_told_so(run, provider) -> None:
    run("model", "set", "openai-compatible", MODEL, "--url", provider.url, "--question-seconds", "5")
    provider.behave(replace(MANNERS["ok"], tokens_per_second=1_100))
    status, said = run("model", "test")
    assert status == 1 and "is too slow for answers. Answers would take about" in said and "--question-seconds N" in said
    assert json.loads(run("status", "--json")[1])["model"]["is_fit"] is False
    run("model", "set", "--question-seconds", "60")
    assert json.loads(run("status", "--json")[1])["model"]["is_fit"] is True
    assert "is fit for answers: it passed 5 of 5" in run("model")[1]


def test_limits_and_pauses_change_alone(run, provider, tmp_path) -> None:
    (tmp_path / "docs").mkdir()
    run("add", "folder", str(tmp_path / "docs"), "--name", "Docs")
    run("model", "set", "ollama", "small", "--daily-tokens", "5,000", "--source-tokens", "Docs=200")
    run("model", "pause")
    assert (
        "2 at once, 6 of all processes together"
        in run("model", "set", "--at-once", "2", "--total-at-once", "6", "--no-answers")[1]
    )
    assert "of all processes" not in run("model", "set", "--total-at-once", "0")[1]
    shown = json.loads(run("model", "--json")[1])
    assert shown["label"] == "ollama:small" and shown["paused"] and not shown["answers"]
    assert (shown["daily_tokens"], shown["source_tokens"]) == (5_000, {"Docs": 200})
    run("model", "set", "--daily-tokens", "none", "--source-tokens", "Docs=none")
    run("model", "resume")
    shown = json.loads(run("model", "--json")[1])
    assert not shown["paused"] and shown["daily_tokens"] is None and shown["source_tokens"] == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("model", "set", "nonsense", "m"), "Argument PROVIDER"),
        (("model", "set", "openai"), "Name the model too"),
        (("model", "set", "--url", "http://localhost"), "No model is chosen yet"),
        (("model", "set", "azure", "m"), "Enter the address"),
        (("model", "set", "openai", "m", "--key-from", "/nowhere/key"), "could not be read"),
        (("model", "set", "openai", "m", "--daily-tokens", "-5"), "number of tokens, or none"),
        (("model", "test"), "No model is chosen"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run, arguments, words) -> None:
    status, said = run(*arguments)
    assert status in (1, 2) and words in said and len(said.strip().splitlines()) == 1


def test_a_key_may_be_piped_in(provider, tmp_path) -> None:
    choosing = ["model", "set", "openai-compatible", MODEL, "--url", provider.url, "--key-from", "-"]
    command = [sys.executable, "-m", "ingestion", "--home", str(tmp_path / "home"), *choosing]
    done = subprocess.run(command, cwd=ROOT, input=KEY, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "key: saved" in done.stdout and KEY not in done.stdout + done.stderr
