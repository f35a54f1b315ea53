"""What every request passes before the routes: host names, origins, headers, the guard, and the address of the page's server."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from urllib.parse import SplitResult, urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.guard import Guard
from ui.server.page_base import PageBase

log = logging.getLogger("knowledge-tree")

# Whatever a document or a library may try: nothing is fetched from, sent to or framed by another host.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; connect-src 'self' data: blob:; "
    "worker-src 'self' blob:; frame-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)


# Of every reply. The opener: Streamlit takes messages from pages of its makers' hosts, on which anybody can put one.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def middleware() -> list[Middleware]:
    """Streamlit checks the host of the websocket only, which the routes need as much, and takes every port of this machine
    for its own origin, which the websocket must not."""
    allowed = st.get_option("server.allowedHosts")
    origins = st.get_option("server.corsAllowedOrigins")
    hosts = [Middleware(Hosts, allowed=tuple(allowed))] if allowed else []
    return [*hosts, Middleware(SameOrigin, others=tuple(origins)), Middleware(Policy), Middleware(Guard), Middleware(PageBase)]


ALLOWED_HOSTS = "STREAMLIT_SERVER_ALLOWED_HOSTS"
MOST_NAMES = 20  # that are told; whoever makes up more of them fills no log


def look_at_hosts() -> None:
    for name in st.get_option("server.allowedHosts"):
        if "/" in name or re.search(r"[^:]:\d+$", name):
            log.warning("%s: %r is no host name, so nobody gets in by it. Write tree.example.org, without https:// and port.",
                        ALLOWED_HOSTS, name)  # fmt: skip


class Hosts:
    """Answers to the host names that it is told and to no other, and says for each of the others once where it can be allowed."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self.app = app
        self.allowed = ", ".join(allowed)
        self._gate = TrustedHostMiddleware(_nothing, allowed_hosts=list(allowed), www_redirect=False)
        self._told: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal: list[Message] = []

        async def refuse(message: Message) -> None:
            refusal.append(message)

        await self._gate(scope, receive, refuse)
        if not refusal:
            await self.app(scope, receive, send)
            return
        name = Headers(scope=scope).get("host", "")[:100]
        if name not in self._told and len(self._told) < MOST_NAMES:
            self._told.add(name)
            log.warning("Refused %r: it is none of the host names that the app answers to (%s). To allow it, add it to %s.",
                        name, self.allowed, ALLOWED_HOSTS)  # fmt: skip
        words = f"The app does not answer to this host name. Whoever runs it can add the name to {ALLOWED_HOSTS}."
        await PlainTextResponse(words, 400, {"X-Content-Type-Options": "nosniff"})(scope, receive, send)


async def _nothing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """Stands where the app would: whoever comes here is let in."""


SAFE = frozenset(("GET", "HEAD", "OPTIONS"))  # methods that change nothing
SIGNED = "/hooks/"  # what comes here shows by a signature where it is from


class SameOrigin:
    """Refuses a websocket that a page of another origin opens, and a form that it sends.

    `others` are origins that are trusted (scheme://host:port).
    """

    def __init__(self, app: ASGIApp, others: Sequence[str] = ()) -> None:
        self.app = app
        self.others = {_address(urlsplit(origin)) for origin in others}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self._is_ours(scope):
            await send({"type": "websocket.close", "code": 1008})
            return
        changes = scope["type"] == "http" and scope["method"] not in SAFE and not scope["path"].startswith(SIGNED)
        if changes and not self._is_ours(scope):
            await PlainTextResponse("This was sent by a page of another site.", 403)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is None:  # a browser always says it
            return True
        try:
            given = urlsplit(origin)
            if given.scheme == "http" and scope["scheme"] in ("https", "wss"):
                return False  # whoever is between us and a browser can put a page there
            return _address(given) in self.others or _address(given)[1:] == _address(given, headers.get("host", ""))[1:]
        except ValueError:  # brackets that hold no address
            return False


_PORTS = {"http": 80, "https": 443}


def _address(origin: SplitResult, host: str = "") -> tuple[str, str, int | None]:
    """Scheme, host and port of an origin; with `host` ("name:port") of that under the origin's scheme."""
    named = urlsplit(f"//{host}") if host else origin
    try:
        port = named.port
    except ValueError:  # no number
        port = -1
    return origin.scheme, (named.hostname or "").lower(), _PORTS.get(origin.scheme) if port is None else port


class Policy:
    """Gives every reply the headers above, and every page of HTML the content security policy."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Security-Policy", POLICY)
            await send(message)

        await self.app(scope, receive, with_policy if scope["type"] == "http" else send)
