"""What is logged: what happened and where in the code, never a word of a question, an answer or a document."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from ingestion.pool import Pool
from prompts.extractive import ExtractiveReader
from prompts.records import LeafText
from tests.ingestion.test_pool import StoppingSandbox
from tree import logs

SECRET = "the harbour pilots earn 58,000 crowns"
log = logging.getLogger("knowledge-tree")


def fail() -> None:
    try:
        int(SECRET)
    except ValueError as error:
        raise RuntimeError(f"no number: {SECRET}") from error


@pytest.fixture(params=["json", ""])
def is_json(request, monkeypatch):
    monkeypatch.setenv(logs.LOG_VARIABLE, request.param)
    before = logging.getLogger().handlers, logging.getLogRecordFactory()
    logs.set_up()
    yield bool(request.param)
    logging.getLogger().handlers = before[0]
    logging.setLogRecordFactory(before[1])


def test_an_exception_is_told_without_what_it_quotes(is_json, capsys) -> None:
    try:
        fail()
    except RuntimeError:
        log.exception("answering turn %s failed", "t1")
    said = capsys.readouterr().err
    assert "answering turn t1 failed" in said and SECRET not in said
    assert "builtins.ValueError" in said and "builtins.RuntimeError" in said and "test_logs.py" in said
    if is_json:
        [line] = said.splitlines()
        event = json.loads(line)
        assert event["level"] == "error" and event["message"] == "answering turn t1 failed" and "which led to" in event["trace"]


def test_what_a_library_logs_with_a_handler_of_its_own_is_told_in_the_same_way(monkeypatch) -> None:
    """A page that fails: Streamlit would write the exception in full."""
    script = (
        "import streamlit.error_util as failing\nfrom streamlit import config\nconfig.get_config_options()\nfrom tree import logs\nlogs.set_up()\n"
        f"try:\n    raise ValueError({SECRET!r})\nexcept ValueError as error:\n    failing.handle_uncaught_app_exception(error)\n"
    )
    monkeypatch.setenv(logs.LOG_VARIABLE, "json")
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120
    )
    assert SECRET not in ran.stderr + ran.stdout
    assert "builtins.ValueError" in json.loads(ran.stderr.splitlines()[0])["trace"]


def test_no_request_is_logged_for_an_address_may_hold_a_question_or_a_link(is_json, capsys) -> None:
    requests = logging.getLogger("uvicorn.access")
    requests.setLevel(logging.INFO)
    logs.set_up()
    for level in (logging.INFO, logging.ERROR):
        requests.log(level, "GET /link/token?q=%s", SECRET)
    assert capsys.readouterr().err == ""


def test_a_leaf_that_cannot_be_read_is_not_quoted(is_json, capsys) -> None:
    with Pool(ExtractiveReader(), StoppingSandbox(), few=0) as pool:
        [record] = pool.read([LeafText(f"{SECRET}.", (SECRET,))])
    said = capsys.readouterr().err
    assert record.summary and "was not summarized" in said and SECRET not in said
