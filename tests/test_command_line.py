"""The command line as a user meets it: exit status, one line on stderr that says what to do.

One path through everything, and an error of each program, are real processes; the rest is called, which is sooner.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ingestion.__main__ import main as ingestion
from ingestion.sources import Sources
from tree.__main__ import main as tree
from tree.accounts.accounts import open_accounts
from tree.workspace import workspace

ROOT = Path(__file__).parents[1]
PROGRAMS = {"ingestion": ingestion, "tree": tree}


@pytest.fixture
def run(tmp_path):
    def command(*arguments: str, home: Path = tmp_path / "home") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "KNOWLEDGE_TREE_HOME": str(home)}
        return subprocess.run(
            [sys.executable, "-m", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
        )

    return command


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Runs a program in this process."""

    def command(program: str, *arguments: str, home: Path = tmp_path / "home") -> subprocess.CompletedProcess[str]:
        monkeypatch.setenv("KNOWLEDGE_TREE_HOME", str(home))
        try:
            status = PROGRAMS[program](arguments)
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, said.out, said.err)

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


def test_a_source_is_for_a_group_from_its_first_moment_on(call, docs, tmp_path) -> None:
    unknown = call("ingestion", "add", "folder", str(docs), "--group", "Payroll")
    assert unknown.returncode == 1 and "There is no group called “Payroll”. There is: none yet." in unknown.stderr
    with workspace(tmp_path / "home") as opened:
        assert Sources(opened.database).all() == []
        accounts = open_accounts(opened.database)
        payroll = accounts.people.add_group("Payroll")
        assert call("ingestion", "add", "folder", str(docs), "--name", "Docs", "--group", "payroll").returncode == 0
        source = Sources(opened.database).named("Docs")
        assert source.audience == [payroll]
        everybody = call("ingestion", "audience", "Docs", "--everybody")
        assert "Docs: from the next question on for everybody who is signed in." in everybody.stdout
        assert Sources(opened.database).get(source.id).audience is None
        assert [(entry.who, entry.action, entry.target) for entry in accounts.audit.entries()] == [
            ("the command line", "source audience changed", "Docs: everybody"), ("the command line", "source added", "Docs: payroll"),
        ]  # fmt: skip
    assert "--group --everybody is required" in call("ingestion", "audience", "Docs").stderr


def test_a_plain_answer_has_its_sources_below(call, docs) -> None:
    call("ingestion", "add", "folder", str(docs))
    call("ingestion", "sync")
    asked = call("tree", "ask", "Who owns the gateway?")
    assert asked.returncode == 0 and "[1] docs › Team (line 3)" in asked.stdout and "chose" in asked.stderr
    assert "\nAnswered. As of " in asked.stdout and "read (looks like the answer)" in asked.stderr


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
def test_an_error_is_one_line_that_says_what_to_do(call, arguments, words) -> None:
    failed = call(*arguments)
    assert failed.returncode != 0
    assert failed.stdout == "" and words in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("ingestion", "sync", "nobody"), "no source called"), (("tree", "show", "../../etc/passwd"), "There is no node")],
)
def test_a_process_that_fails_says_so_in_one_line_and_its_status(run, arguments, words) -> None:
    failed = run(*arguments)
    assert failed.returncode == 1
    assert failed.stdout == "" and words in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1


def test_a_data_folder_that_cannot_be_used_is_one_line(call, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    failed = call("ingestion", "status", home=tmp_path / "file")
    assert failed.returncode == 1 and "--home" in failed.stderr and len(failed.stderr.strip().splitlines()) == 1


def test_home_may_be_given_before_or_after_the_command(call, docs, tmp_path) -> None:
    other = str(tmp_path / "other")
    assert call("ingestion", "add", "folder", str(docs), "--home", other).returncode == 0
    assert "docs" in call("ingestion", "--home", other, "status").stdout
    assert "docs" not in call("ingestion", "status").stdout


def test_a_file_name_steers_no_terminal(call, tmp_path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "red\x1b[31m\u202egpj.md").write_bytes(b"")
    (folder / "note\x1b]0;title\x07.md").write_text("# A no\x00te\u202e\n\nText of a note.\n", encoding="utf-8")
    call("ingestion", "add", "folder", str(folder), "--name", "Odd\x1b[1m")
    assert call("ingestion", "sync").returncode == 0
    for arguments in (
        ("ingestion", "status"),
        ("ingestion", "status", "--json"),
        ("tree", "show"),
        ("tree", "ask", "Where is the text of a note?"),
    ):
        said = call(*arguments)
        shown = said.stdout + said.stderr
        assert not set(shown) & {"\x1b", "\x07", "\u202e", "\x00"}, arguments
    assert "red\\u001b[31m\\u202egpj.md" in call("ingestion", "status").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "folder", ""], "Give the path"),
        (["add", "pdf", " "], "Give the path"),
        (["add", "folder", "/proc"], "parts of the system"),
        (["add", "folder", "~nobody-of-this-name/x"], "cannot be followed"),
    ],
)
def test_a_path_that_is_none_or_no_folder_of_documents_is_refused(tmp_path, capsys, arguments, words) -> None:
    assert ingestion(["--home", str(tmp_path / "home"), *arguments]) == 1
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1


def test_a_folder_of_the_system_is_added_with_a_warning(tmp_path, capsys) -> None:
    assert ingestion(["--home", str(tmp_path / "home"), "add", "folder", "/etc", "--include", "nothing-like-this"]) == 0
    assert "Passwords and keys may lie in it" in capsys.readouterr().err


def test_what_the_page_can_set_of_a_source_the_command_line_can(tmp_path) -> None:
    home, docs = tmp_path / "home", tmp_path / "docs"
    docs.mkdir()
    (docs / ".hidden.md").write_text("# Hidden\n\nText.\n")
    options = "--hidden --max-file-megabytes 5 --polling always --ocr --ocr-language deu --exclude *.log".split()  # noqa: SIM905
    assert ingestion(["--home", str(home), "add", "folder", str(docs), *options]) == 0
    with workspace(home) as opened:
        [source] = Sources(opened.database).all()
    assert source.config == {
        "path": str(docs), "exclude": ["*.log"], "hidden": True, "max_file_megabytes": 5.0, "ocr": True,
        "ocr_language": "deu", "polling": True,
    }  # fmt: skip


def test_a_token_that_nobody_can_type_is_one_line(tmp_path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "KNOWLEDGE_TREE_JIRA_TOKEN"}
    command = [
        sys.executable,
        "-m",
        "ingestion",
        "--home",
        str(tmp_path),
        "add",
        "jira",
        "https://jira.example",
        "--project",
        "A",
    ]
    for shell in ('exec 0<&-; exec "$@"', 'exec "$@" </dev/null'):
        ran = subprocess.run(
            ["setsid", "sh", "-c", shell, "sh", *command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
        )
        assert ran.returncode == 1 and "KNOWLEDGE_TREE_JIRA_TOKEN" in ran.stderr and "Traceback" not in ran.stderr
