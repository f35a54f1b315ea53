"""Webhooks: deliveries are accepted, checked in a thread, and answered in a few milliseconds.

Anybody who reaches the app can call here. So a body is read only where a source waits for one that is signed, and only a few at once.
"""

from __future__ import annotations

import anyio
import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from connectors.base import LARGEST_DELIVERY
from ingestion.webhooks import Reply
from ui.server.http import METHODS, TooLarge, read_body
from ui.server.tools import tools

AT_ONCE = 4  # deliveries read, and checked, at the same time: a burst must not take memory and threads that the pages need
BODY_SECONDS = 20  # that a body may take to arrive; Jira itself gives up after that
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
ABOUT = (
    "Jira's webhooks are accepted here by POST, signed with the secret from the settings of the source. Enter this address in "
    "Jira under System › WebHooks."
)

TOO_LARGE = (
    f"More than {LARGEST_DELIVERY // 1_000_000} megabytes are not taken. The change is found by asking Jira now and then; for it to "
    "come at once, exclude the body in Jira's webhook."
)

_reading, _checking = anyio.CapacityLimiter(AT_ONCE), anyio.CapacityLimiter(AT_ONCE)


def routes() -> list[Route]:
    return [Route("/hooks/jira/{source_id}", jira, methods=METHODS)]


async def jira(request: Request) -> Response:
    if request.method in ("GET", "HEAD"):
        return _reply(200, ABOUT)
    if request.method != "POST":
        return _reply(405, "Webhooks come by POST.", {"Allow": "GET, HEAD, POST"})
    source_id, headers = request.path_params["source_id"], {name.lower(): value for name, value in request.headers.items()}
    if refused := await anyio.to_thread.run_sync(_refusal, source_id, headers, limiter=_checking):
        return _reply(refused.status, refused.words)
    async with _reading:
        return await _taken(request, source_id, headers)


async def _taken(request: Request, source_id: str, headers: dict[str, str]) -> Response:
    try:
        with anyio.fail_after(BODY_SECONDS):
            body = await read_body(request, LARGEST_DELIVERY)
    except TimeoutError:
        return _reply(408, "The body took too long to arrive. Send it again.")
    except ClientDisconnect:
        return _reply(400, "The body broke off.")
    except TooLarge:
        return _reply(413, TOO_LARGE)
    reply = await anyio.to_thread.run_sync(_receive, source_id, headers, body, limiter=_checking)
    return _reply(reply.status, reply.words)


def _refusal(source_id: str, headers: dict[str, str]) -> Reply | None:
    return tools().webhooks.refusal(source_id, headers)


def _receive(source_id: str, headers: dict[str, str], body: bytes) -> Reply:
    return tools().webhooks.receive(source_id, headers, body)


def _reply(status: int, words: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"message": words}, status, HEADERS | (headers or {}))
