"""In front of every route and of the websocket: nobody gets any farther without having signed in.

Pure ASGI, because Starlette's BaseHTTPMiddleware does not see websockets. What needs no sign-in is listed here and nowhere else.
"""

from __future__ import annotations

import hmac
import logging
import os
import time
from urllib.parse import quote

import anyio.to_thread
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tree.accounts.principal import MONITORING, Principal
from tree.accounts.sessions import SignedIn, cookie_name
from tree.store.database import StoreError
from tree.store.errors import words_for
from ui.server.plain_pages import message
from ui.server.tools import tools
from ui.server.visitor import Browser, Known, Visitor

OPEN = (
    "/health",
    "/sign-in",
    "/sign-in/",
    "/link/",
    "/unsubscribe/",
    "/hooks/jira/",
    "/static/",
    "/_stcore/health",
)  # exact, or a folder
# set here alone; Streamlit hands them to the page (server.trustedUserHeaders)
SESSION_HEADER, ADDRESS_HEADER = b"x-knowledge-tree-session", b"x-knowledge-tree-address"
OURS = frozenset((SESSION_HEADER, ADDRESS_HEADER))
NOT_SIGNED_IN = "Sign in first. A program sends a token, which the page Account makes, as “Authorization: Bearer kt_…”."
CHECKED_SECONDS = 0.5  # between two looks whether the session of an open websocket still holds
BY_TOKEN = "/api/"  # addresses that a program may use with a token in place of a session
METRICS = "/metrics"  # and one that has a token of its own, from the environment
METRICS_TOKEN_VARIABLE = "KNOWLEDGE_TREE_METRICS_TOKEN"
SHORTEST_TOKEN = 16  # characters; a shorter one could be guessed, and opens nothing
VISITOR = "visitor"  # in the scope's state
BESIDE = "/\\"  # two of them would lead to another host
AGAIN_SECONDS = 5  # after which a browser that was told of a fault of the database asks again

log = logging.getLogger("knowledge-tree")


def is_secure(connection: HTTPConnection) -> bool:
    return connection.url.scheme in ("https", "wss")


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who it is that the guard has let in."""
    visitor: Visitor = connection.scope["state"][VISITOR]
    return visitor


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


class Guard:
    """Lets signed-in people pass, and programs with a token to what is below /api/; shows everybody else the sign-in page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._told = ""  # to the log, of the database: each page that is open asks every two seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = {**scope, "headers": [(name, value) for name, value in scope["headers"] if name.lower() not in OURS]}
        connection = HTTPConnection(scope)
        if scope["type"] == "http" and _is_open(scope["path"]):
            await self.app(scope, receive, send)
            return
        try:
            token = connection.cookies.get(cookie_name(tools().workspace.database.identity, is_secure(connection)), "")
            found = await anyio.to_thread.run_sync(tools().accounts.sessions.find, token)
            program = await anyio.to_thread.run_sync(_program, connection) if found is None else None
        except StoreError as error:
            if self._told != str(error):
                self._told = str(error)
                log.warning("%s", error)
            await _refuse(scope, receive, send, _cannot_look(connection, words_for(error)))
            return
        self._told = ""
        if found is None and program is None:
            await _refuse(scope, receive, send, _to_sign_in(connection))
            return
        address = address_of(connection)
        visitor: Visitor
        if found is not None:
            visitor = Browser(tools().accounts.sessions, found.session.id, address, found.principal)
            scope["headers"] += [(SESSION_HEADER, found.session.id.encode()), (ADDRESS_HEADER, address.encode())]
        else:
            visitor = Known(program, address)  # type: ignore[arg-type]  # one of the two is there
        scope["state"] = {**scope.get("state", {}), VISITOR: visitor}
        if scope["type"] == "http":
            await self.app(scope, receive, _private(send))
        elif found is not None:
            await self.app(scope, _Watched(found, receive, send), send)
        else:
            await _refuse(scope, receive, send, Response(status_code=401))


class _Watched:
    """What comes in through a websocket, for as long as its session holds: no message of a revoked one is passed on."""

    def __init__(self, found: SignedIn, receive: Receive, send: Send) -> None:
        self.session_id = found.session.id
        self.receive, self.send = receive, send
        self.checked_at = time.monotonic()

    async def __call__(self) -> Message:
        message = await self.receive()
        if message["type"] == "websocket.receive" and time.monotonic() - self.checked_at > CHECKED_SECONDS:
            try:
                found = await anyio.to_thread.run_sync(tools().accounts.sessions.with_id, self.session_id)
            except StoreError:  # the page looks too, and without the database draws nothing but that sentence
                return message
            if found is None:
                await self.send({"type": "websocket.close", "code": 1008, "reason": "signed out"})
                return {"type": "websocket.disconnect", "code": 1008}
            self.checked_at = time.monotonic()
        return message


def _is_open(path: str) -> bool:
    return any(path == open_ or (open_.endswith("/") and path.startswith(open_)) for open_ in OPEN)


def _program(connection: HTTPConnection) -> Principal | None:
    """Whose token it is that a program shows, where it may use one."""
    path = connection.scope["path"]
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if connection.scope["type"] != "http" or kind.lower() != "bearer":
        return None
    if path == METRICS:
        return MONITORING if _is_for_metrics(token.strip()) else None
    if not path.startswith(BY_TOKEN):
        return None
    opened = tools().accounts
    return opened.tokens.principal(token.strip(), opened.people)


def _is_for_metrics(token: str) -> bool:
    expected = os.environ.get(METRICS_TOKEN_VARIABLE, "").strip()
    return len(expected) >= SHORTEST_TOKEN and hmac.compare_digest(token.encode(), expected.encode())


def _cannot_look(connection: HTTPConnection, words: str) -> Response:
    """A program is told in the form of all that is answered to programs, a person by a page that comes back by itself."""
    if connection.url.path.startswith(BY_TOKEN):
        return JSONResponse({"error": words}, 503)
    if not _wants_page(connection):
        return PlainTextResponse(words, 503)
    return message(
        "Not possible now", words, 503, button="Try again", to=f"/{_asked_for(connection).lstrip(BESIDE)}", again=AGAIN_SECONDS
    )


def _to_sign_in(connection: HTTPConnection) -> Response:
    """A person is led to the sign-in page and then back to where they wanted to go; a program is told."""
    if not _wants_page(connection):
        return JSONResponse({"error": NOT_SIGNED_IN}, 401, {"WWW-Authenticate": "Bearer", "Cache-Control": "no-store"})
    wanted = _asked_for(connection)
    to = "/sign-in" + ("" if wanted == "/" else f"?next={quote(wanted, safe='')}")
    return RedirectResponse(to, 303, {"Cache-Control": "no-store"})


def _wants_page(connection: HTTPConnection) -> bool:
    reads = connection.scope["type"] == "http" and connection.scope["method"] in ("GET", "HEAD")
    return reads and "text/html" in connection.headers.get("accept", "") and not connection.url.path.startswith(BY_TOKEN)


def _asked_for(connection: HTTPConnection) -> str:
    """A path with what was asked of it."""
    return connection.url.path + (f"?{connection.url.query}" if connection.url.query else "")


async def _refuse(scope: Scope, receive: Receive, send: Send, response: Response) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await response(scope, receive, send)


def _private(send: Send) -> Send:
    """What was sent to somebody who is signed in is kept by no proxy, and by no browser for whoever comes after."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).setdefault("Cache-Control", "no-store")
        await send(message)

    return sent
