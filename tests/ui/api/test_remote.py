"""The command line asks an app on another machine, with a token of its."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette

from tests.ui.people import MEMBER, tools_of
from tree.__main__ import main
from tree.remote import TOKEN_VARIABLE, ask_server
from tree.store.database import StoreError
from tree.store.models import Source
from ui.api import routes as routes_api
from ui.server.middleware import middleware
from ui.server.tools import Tools


@pytest.fixture
def address(source: Source) -> Iterator[str]:
    """The interface of the app on a free port."""
    app = Starlette(routes=routes_api.routes(), middleware=middleware())
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until and thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


@pytest.fixture
def token(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> str:
    member = tools_of(MEMBER)
    made = member.accounts.tokens.add(member.principal.person_id, "terminal")
    monkeypatch.setenv(TOKEN_VARIABLE, made)
    return made


def test_a_question_is_asked_of_another_machine(address: str, token: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "What is drift?", "--server", address, "--source", "Team"]) == 0
    said = capsys.readouterr().out
    assert "between a change" in said and "[1] Team › Glossary" in said
    assert main(["ask", "What is drift?", "--server", f"{address}/", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "complete"
    assert main(["ask", "What is the airspeed of a zyzzyva?", "--server", address]) == 0
    assert "Not found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "given", "said"),
    [
        ([], "", "KNOWLEDGE_TREE_TOKEN"),
        ([], "kt_nothing", "does not take this token"),
        (["--source", "Nowhere"], None, "no source called"),
        (["--as-of", "1999-01-01"], None, ""),
    ],
)
def test_what_stands_in_the_way_is_said_in_one_line(
    address: str, token: str, monkeypatch, capsys, arguments, given, said
) -> None:
    if given is not None:
        monkeypatch.setenv(TOKEN_VARIABLE, given)
    status = main(["ask", "What is drift?", "--server", address, *arguments])
    told = capsys.readouterr()
    assert (status == 1) == bool(said) and said in told.err and len(told.err.strip().splitlines()) == bool(said)


def test_an_address_that_is_none_is_said(token: str, capsys) -> None:
    for address in ("http://127.0.0.1:1", "nonsense", "http://"):
        assert main(["ask", "What is drift?", "--server", address]) == 1
        assert address in capsys.readouterr().err


@pytest.mark.parametrize("address", ["http://tree.example.org", "http://10.0.0.7:8501/", "HTTP://tree.example.org"])
def test_a_token_is_not_sent_where_others_can_read_it(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    with pytest.raises(StoreError, match="could be read on its way. Name the address with https"):
        ask_server(address, "Who leads Weir?", None, None)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "http://localhost:9", "https://127.0.0.1:9"])
def test_on_this_machine_nobody_else_reads_it(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    with pytest.raises(StoreError, match="cannot be reached"):
        ask_server(address, "Who leads Weir?", None, None)
