"""What the MCP server tells whoever calls it, whichever way they reach it."""

from __future__ import annotations

from typing import Any, cast

import pytest
from mcp import Client

from tests import loops
from tree.accounts.principal import OPERATOR, Principal
from tree.serve.mcp_server import Caller, Context, make_server
from tree.serve.requests import FAULT
from tree.store.errors import FOR_MEMBERS, FolderTrouble
from tree.workspace import Workspace

SENTENCE = "/srv/tree/knowledge.db is damaged. Put a backup in its place."
MEMBER = Principal("ben", "Ben", False)


class DamagedWorkspace:
    """A data folder that cannot be read."""

    def __getattr__(self, name: str) -> Any:
        raise FolderTrouble(SENTENCE)


@pytest.mark.parametrize(("principal", "words"), [(MEMBER, FOR_MEMBERS), (OPERATOR, SENTENCE)])
@pytest.mark.parametrize(
    ("tool", "arguments"), [("open", {}), ("search", {"query": "keys"}), ("ask", {"question": "Where are the keys?"})]
)
def test_a_path_of_the_server_is_told_to_an_admin_alone(
    principal: Principal, words: str, tool: str, arguments: dict[str, str]
) -> None:
    async def find_caller(_context: Context, _tool: str) -> Caller:
        return Caller(cast(Workspace, DamagedWorkspace()), principal)

    assert _said(find_caller, tool, arguments) == words


def test_somebody_who_is_not_known_yet_is_told_no_path() -> None:
    async def find_caller(_context: Context, _tool: str) -> Caller:
        raise FolderTrouble(SENTENCE)

    assert _said(find_caller, "open", {}) == FOR_MEMBERS


def test_a_fault_of_ours_is_told_without_what_it_was(caplog: pytest.LogCaptureFixture) -> None:
    async def find_caller(_context: Context, _tool: str) -> Caller:
        raise KeyError("/srv/tree")

    assert _said(find_caller, "open", {}) == FAULT and "a call of an assistant failed: open" in caplog.text


def _said(find_caller: Any, tool: str, arguments: dict[str, str]) -> str:
    async def call() -> str:
        async with Client(make_server(find_caller)) as client:
            result = await client.call_tool(tool, arguments)
        assert result.is_error
        return cast(str, result.content[0].text)

    return loops.run(call)
