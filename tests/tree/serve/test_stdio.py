"""An assistant starts `python -m tree serve` and uses the tree as a tool, over standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from ingestion.sources import Sources
from tests import loops
from tests.reading import read
from tree.accounts.accounts import open_accounts
from tree.workspace import workspace

ROOT = Path(__file__).parents[3]
OPEN, SECRET = "# Keys\n\nThe spare keys hang in the cellar.\n", "# Pay\n\nThe quartermaster earns 61,000 crowns.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with a source for everybody and one for nobody."""
    with workspace(tmp_path / "home") as opened:
        sources = Sources(opened.database)
        for name, text in (("Handbook", OPEN), ("Payroll", SECRET)):
            folder = tmp_path / name
            folder.mkdir()
            (folder / f"{name.lower()}.md").write_text(text, "utf-8")
            read(opened, sources, sources.add("folder", name, {"path": str(folder)}))
        sources.set_audience(next(source.id for source in sources.all() if source.name == "Payroll"), [])
    return tmp_path / "home"


@pytest.fixture
def token(home: Path) -> str:
    with workspace(home) as opened:
        accounts = open_accounts(opened.database)
        return accounts.tokens.add(accounts.people.add("ben@example.org", "Ben", None).id, "assistant")


def talk(home: Path, talked: Callable[[Client], Any], *options: str, mode: str = "auto") -> Any:
    """What an assistant hears that starts the server."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "tree", "serve", "--home", str(home), *options], cwd=ROOT)

    async def run() -> Any:
        async with Client(stdio_client(command), mode=mode) as client:
            return await talked(client)

    return loops.run(run)


def told(result: CallToolResult) -> dict[str, Any]:
    """What a tool returned: the same as text and as data."""
    assert not result.is_error, result.content
    [content] = result.content
    assert json.loads(content.text) == result.structured_content
    return result.structured_content


def refused(result: CallToolResult) -> str:
    assert result.is_error
    [content] = result.content
    return content.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])  # with the protocol of 2026 and with the handshake before it
def test_an_assistant_asks_searches_opens_and_follows_changes(home: Path, mode: str) -> None:
    async def talked(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"ask", "search", "open", "changes"}
        assert all(tool.annotations.read_only_hint and not tool.annotations.destructive_hint for tool in tools.values())
        assert "`ask`" in client.instructions

        steps: list[str] = []

        async def progress(_done: float, _of: float | None, words: str | None) -> None:
            steps.append(words or "")

        question = {"question": "Where do the spare keys hang?"}
        answer = told(await client.call_tool("ask", question, progress_callback=progress))
        [citation] = answer["citations"]
        assert answer["verdict"] == "complete" and "cellar" in answer["answer"] and "trail" not in answer
        assert citation["source"] == "Handbook" and "cellar" in citation["passages"][0]["text"]
        assert any("Handbook" in step for step in steps)

        opened = told(await client.call_tool("open", {"place": citation["place"]}))
        assert "cellar" in opened["text"] and opened["path"][0]["title"] == "Handbook"
        found = told(await client.call_tool("search", {"query": "cellar"}))
        assert found["passages"][0]["place"] == citation["place"]
        sources = told(await client.call_tool("open", {}))["children"]
        assert {source["title"] for source in sources} == {"Handbook", "Payroll"}
        changes = told(await client.call_tool("changes", {"most": 1}))
        assert changes["changes"][0]["how"] == "first" and changes["left_out"] == 1

    talk(home, talked, mode=mode)


def test_what_cannot_be_answered_is_told_in_words(home: Path) -> None:
    async def talked(client: Client) -> None:
        async def said(tool: str, **arguments: object) -> str:
            return refused(await client.call_tool(tool, arguments))

        assert "8000" in await said("ask", question="keys " * 2_000)
        assert "no word" in await said("ask", question="?")
        assert "question" in await said("ask")
        assert "remove" in await said("ask", question="Where are the keys?", remove=True)
        assert "Handbook" in await said("ask", question="Where are the keys?", sources=["Nowhere"])
        assert await said("ask", question="Where are the keys?", places=["nothing/"]) == "There is no such place."
        assert await said("open", place="nothing/") == "There is no such place."
        assert await said("changes", place="nothing/") == "There is no such place."
        assert "366" in await said("changes", since="2020-01-01")
        assert "since" in await said("changes", since="0001-01-01", until="0001-01-02")
        assert "until" in await said("changes", until="9999-12-31")
        assert "query" in await said("search", query=" ")
        assert "search" in await said("remove", place="nothing/")

    talk(home, talked)


def test_with_a_token_it_sees_what_its_owner_sees(home: Path, token: str) -> None:
    async def talked(client: Client) -> None:
        calls = [
            ("ask", {"question": "What does the quartermaster earn?"}),
            ("search", {"query": "quartermaster"}),
            ("open", {}),
            ("changes", {}),
        ]
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error and "61,000" not in str(result) and "Payroll" not in str(result)
        hidden = {"question": "What does the quartermaster earn?", "sources": ["Payroll"]}
        assert "There is: Handbook." in refused(await client.call_tool("ask", hidden))

        with workspace(home) as opened:  # it is taken away while it is used
            accounts = open_accounts(opened.database)
            [person] = accounts.people.all()
            [kept] = accounts.tokens.of(person.id)
            accounts.tokens.end(person.id, kept.id)
        assert "Account" in refused(await client.call_tool("open", {}))

    talk(home, talked, "--token", token)


def serve(home: Path, *options: str, said: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tree", "serve", "--home", str(home), *options]
    return subprocess.run(command, cwd=ROOT, input=said, capture_output=True, text=True, timeout=120)


def test_a_token_that_does_not_hold_is_said_in_one_line(home: Path) -> None:
    ended = serve(home, "--token", "kt_nothing")
    assert ended.returncode == 1 and ended.stdout == ""
    assert "page Account" in ended.stderr and len(ended.stderr.strip().splitlines()) == 1


def test_only_the_protocol_is_on_standard_output_and_the_end_of_input_ends_it(home: Path) -> None:
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    ended = serve(home, said=f"nonsense\n{ping}\n")
    assert ended.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in ended.stdout.splitlines())
