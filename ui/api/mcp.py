"""The MCP server of the app, at /api/mcp: Streamable HTTP without sessions, for whoever sends a token.

The `mcp` package takes a second to import, so that is done when the first assistant comes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tree.serve.requests import Refused
from tree.store.errors import words_for
from ui.api.limits import MOST_BYTES, TooMany, count_question
from ui.server.guard import address_of, visitor_of
from ui.server.tools import tools

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from mcp.server.lowlevel import Server

    from prompts.stop import Stop
    from tree.accounts.principal import Principal
    from tree.ask.ask import Event
    from tree.serve.event_stream import Begin
    from tree.serve.mcp_server import Caller, Context


def routes() -> list[Route]:
    return [Route("/api/mcp", AssistantEndpoint())]


class AssistantEndpoint:
    """One message for each request. Nothing is sent unasked, so there is no stream to GET and no session to DELETE."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await JSONResponse({"error": "Use POST."}, 405, {"Allow": "POST"})(scope, receive, send)
            return
        server = await anyio.to_thread.run_sync(_server)
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        manager = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=MOST_BYTES)
        async with manager.run():  # a manager of its own: what a request began ends with it
            await manager.handle_request(scope, receive, send)


@cache
def _server() -> Server[Any]:
    from tree.serve.mcp_server import make_server

    return make_server(_find_caller, _answered)


def _answered(principal: Principal, begin: Begin, stop: Stop) -> AsyncGenerator[Event]:
    return tools().programs.answer(principal, begin, stop)


async def _find_caller(context: Context, tool: str) -> Caller:
    """Whom the guard let in with this request."""
    from tree.serve.mcp_server import Caller

    request = context.request
    assert isinstance(request, Request)
    principal = visitor_of(request).principal
    if tool == "ask":
        try:
            count_question(principal, address_of(request))
        except TooMany as error:
            raise Refused(words_for(error)) from error
    return Caller(tools().workspace, principal)
