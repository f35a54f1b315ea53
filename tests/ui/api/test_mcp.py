"""Assistants use the tree over HTTP with a token: a real client against a real server, with the guard in front of it."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from starlette.applications import Starlette

from tests import loops
from tests.ui.opened import add_folder
from tests.ui.people import MEMBER, tools_of
from tree.store.models import Source
from ui.api import limits
from ui.api import mcp as routes_mcp
from ui.server import routes
from ui.server.guard import NOT_SIGNED_IN
from ui.server.middleware import middleware
from ui.server.program_answers import AT_ONCE
from ui.server.tools import Tools

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()


@pytest.fixture
def address(tools: Tools, source: Source) -> Iterator[str]:
    app = Starlette(routes=[*routes_mcp.routes(), *routes.routes(), *routes.others()], middleware=middleware())
    listening = socket.create_server(("127.0.0.1", 0))
    server = _Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    assert server.listens.wait(60)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/api/mcp"
    server.should_exit = True
    thread.join()


@pytest.fixture
def secret(tools: Tools, source: Source, tmp_path: Path) -> Source:
    """A source for nobody, beside one for everybody."""
    added = add_folder(tools, tmp_path / "secret", {"pay.md": "# Pay\n\nThe quartermaster earns 61,000 crowns.\n"}, "Payroll")
    tools.admin.set_audience(added.id, [])
    return added


def token_of_member(sources: list[str] | None = None) -> str:
    member = tools_of(MEMBER)
    return member.accounts.tokens.add(member.principal.person_id, "assistant", sources)


def talk(address: str, token: str, talked: Callable[[Client], Awaitable[Any]], mode: str = "auto") -> Any:
    async def run() -> Any:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http), mode=mode) as client,
        ):
            return await talked(client)

    return loops.run(run)


def told(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    return result.structured_content


def refused(result: CallToolResult) -> str:
    assert result.is_error
    return result.content[0].text


@pytest.mark.parametrize("mode", ["auto", "legacy"])  # with the protocol of 2026 and with the handshake before it
def test_an_assistant_asks_searches_opens_and_follows_changes(address: str, mode: str) -> None:
    async def talked(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == {"ask", "search", "open", "changes"}
        steps: list[str] = []

        async def progress(_done: float, _of: float | None, words: str | None) -> None:
            steps.append(words or "")

        question = {"question": "Where do the spare keys hang?"}
        answer = told(await client.call_tool("ask", question, progress_callback=progress))
        assert "cellar" in answer["answer"] and any("Team" in step for step in steps)
        opened = told(await client.call_tool("open", {"place": answer["citations"][0]["place"]}))
        assert "cellar" in opened["text"]
        assert told(await client.call_tool("search", {"query": "drift"}))["passages"]
        assert told(await client.call_tool("changes", {}))["changes"][0]["source"] == "Team"
        assert "8000" in refused(await client.call_tool("ask", {"question": "keys " * 2_000}))
        assert refused(await client.call_tool("open", {"place": "nothing/"})) == "There is no such place."

    talk(address, token_of_member(), talked, mode)


def test_a_source_that_the_owner_may_not_see_does_not_exist(address: str, secret: Source) -> None:
    async def talked(client: Client) -> None:
        results = [
            await client.call_tool("ask", {"question": "What does the quartermaster earn?"}),
            await client.call_tool("search", {"query": "quartermaster"}),
            await client.call_tool("open", {}),
            await client.call_tool("changes", {}),
        ]
        for result in results:
            told(result)
            assert "61,000" not in str(result) and "Payroll" not in str(result) and secret.id not in str(result)
        for tool in ("open", "changes"):
            hidden, unknown = [refused(await client.call_tool(tool, {"place": p})) for p in (f"{secret.id}/", "nothing/")]
            assert hidden == unknown
        for named in ({"sources": ["Payroll"]}, {"places": [f"{secret.id}/"]}):
            refused(await client.call_tool("ask", {"question": "What does the quartermaster earn?", **named}))

    talk(address, token_of_member(), talked)


def test_a_token_narrowed_to_a_source_shows_only_that(address: str, tools: Tools, source: Source, tmp_path: Path) -> None:
    other = add_folder(tools, tmp_path / "other", {"tide.md": "# Tide\n\nThe tide turns at noon.\n"}, "Harbour")

    async def titles(client: Client) -> set[str]:
        return {child["title"] for child in told(await client.call_tool("open", {}))["children"]}

    assert talk(address, token_of_member(), titles) == {"Team", "Harbour"}
    assert talk(address, token_of_member([other.id]), titles) == {"Harbour"}


def test_too_many_questions_have_to_wait(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.questions, "tries", 1)

    async def talked(client: Client) -> tuple[CallToolResult, CallToolResult]:
        question = {"question": "What is drift?"}
        return await client.call_tool("ask", question), await client.call_tool("ask", question)

    first, second = talk(address, token_of_member(), talked)
    told(first)
    assert "Too many questions" in refused(second)


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer kt_nothing", "Basic YTpi"])
def test_without_a_token_that_holds_there_is_nothing(address: str, token: str) -> None:
    answer = httpx2.post(address, json=PING, headers={**ACCEPT, "Authorization": token})
    assert answer.status_code == 401 and answer.json() == {"error": NOT_SIGNED_IN}
    assert answer.headers["www-authenticate"] == "Bearer"


def test_only_messages_are_taken_and_none_of_another_sites_page(address: str) -> None:
    headers = {**ACCEPT, "Authorization": f"Bearer {token_of_member()}"}
    assert httpx2.post(address, json=PING, headers=headers).status_code == 200
    assert httpx2.post(address, json=PING, headers={**headers, "Origin": "https://elsewhere.example"}).status_code == 403
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        assert httpx2.request(method, address, headers=headers).status_code == 405
    assert httpx2.post(address, content=json.dumps({**PING, "params": {"x": "x" * 200_000}}), headers=headers).status_code == 413
    assert httpx2.post(address, content=b"{", headers=headers).status_code == 400


def test_whoever_hangs_up_holds_no_place_of_another_question(address: str) -> None:
    async def talked(client: Client) -> None:
        for _ in range(2 * AT_ONCE):
            with contextlib.suppress(TimeoutError), anyio.fail_after(0.01):
                await client.call_tool("ask", {"question": "How is the orders database restored?"})
        assert (
            "snap restore" in told(await client.call_tool("ask", {"question": "How is the orders database restored?"}))["answer"]
        )

    talk(address, token_of_member(), talked)
