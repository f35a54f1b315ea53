"""The command line as a user meets it: real processes, exit status, one line on stderr that says what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def run(tmp_path):
    def command(*arguments: str, home: Path = tmp_path / "home") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "KNOWLEDGE_TREE_HOME": str(home)}
        return subprocess.run(
            [sys.executable, "-m", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
        )

    return command


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    (folder / "ops").mkdir(parents=True)
    (folder / "ops" / "restart.md").write_text("# Restart\n\n1. Drain the queue.\n2. Restart the gateway.\n", encoding="utf-8")
    (folder / "team.md").write_text("# Team\n\nMaren Oduya owns the gateway.\n", encoding="utf-8")
    return folder


def test_add_sync_ask_show_verify_status(run, docs) -> None:
    assert run("ingestion", "add", "folder", str(docs), "--name", "Docs").returncode == 0
    synced = run("ingestion", "sync", "Docs")
    assert synced.returncode == 0 and "2 documents read" in synced.stdout
    asked = run("tree", "ask", "Who owns the gateway?", "--json", "--source", "docs")
    answer = json.loads(asked.stdout)
    assert set(answer) >= {"question", "answer", "verdict", "citations", "trail", "version", "as_of", "coverage", "usage"}
    assert "Maren Oduya" in answer["answer"]
    citation = answer["citations"][0]
    assert set(citation) >= {"number", "source", "document_id", "title", "url", "locator", "quote", "place"}
    assert citation["document_id"] == "team.md" and "Maren" in citation["quote"]
    assert all(
        set(step) >= {"place", "hash", "kind", "title", "options", "chosen", "reason", "verdict"} for step in answer["trail"]
    )
    shown = json.loads(run("tree", "show", citation["place"], "--json").stdout)
    assert shown["kind"] == "leaf" and shown["path"][-1]["place"] == citation["place"]
    root = json.loads(run("tree", "show", "--json", "--source", "Docs").stdout)
    assert {child["title"] for child in root["children"]} and root["record"]["summary"]
    assert run("ingestion", "verify").returncode == 0
    status = json.loads(run("ingestion", "status", "--json").stdout)["sources"][0]
    assert (status["documents"], status["state"], status["failures"]) == (2, "ready", {})


def test_a_plain_answer_has_its_sources_below(run, docs) -> None:
    run("ingestion", "add", "folder", str(docs))
    run("ingestion", "sync")
    asked = run("tree", "ask", "Who owns the gateway?")
    assert asked.returncode == 0 and "[1] docs › Team (line 3)" in asked.stdout and "chose" in asked.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ingestion", "add", "folder", "/no/such/folder"), "/no/such/folder"),
        (("ingestion", "sync", "nobody"), "no source called"),
        (("tree", "ask", "anything", "--source", "nobody"), "no source called"),
        (("tree", "ask", ""), "Type a question"),
        (("tree", "show", "no/such/place"), "There is no node"),
        (("tree", "show", "../../etc/passwd"), "There is no node"),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(run, arguments, words) -> None:
    failed = run(*arguments)
    assert failed.returncode != 0
    assert failed.stdout == "" and words in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1


def test_a_data_folder_that_cannot_be_used_is_one_line(run, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    failed = run("ingestion", "status", home=tmp_path / "file")
    assert failed.returncode == 1 and "--home" in failed.stderr and len(failed.stderr.strip().splitlines()) == 1


def test_home_may_be_given_before_or_after_the_command(run, docs, tmp_path) -> None:
    other = str(tmp_path / "other")
    assert run("ingestion", "add", "folder", str(docs), "--home", other).returncode == 0
    assert "docs" in run("ingestion", "--home", other, "status").stdout
    assert "docs" not in run("ingestion", "status").stdout
