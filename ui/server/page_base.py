"""Tells the page in the browser where its server is.

Streamlit's page looks for it below its own address first: each deep link would begin with two requests that fail, on the console
for everybody to see. It takes `window.__streamlit.BACKEND_BASE_URL` where that is set. Its scripts it looks for beside its address
all the same: one below a page ("/tree/") would stay blank, and is sent on to the page.
"""

from __future__ import annotations

from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEAD = b"<head>"
PLAIN = frozenset((b"accept-encoding", b"if-none-match", b"if-modified-since"))  # left out, the page comes whole and uncompressed
SCRIPT = b'<script>window.__streamlit = {BACKEND_BASE_URL: new URL("/", window.location.origin).href}</script>'


class PageBase:
    """Adds one line of script to Streamlit's page, as it is sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        scope = {**scope, "headers": [(name, value) for name, value in scope["headers"] if name.lower() not in PLAIN]}
        start: Message | None = None  # of a page, held back until its first part says whether it is Streamlit's
        is_sent_on = False

        async def sent(message: Message) -> None:
            nonlocal start, is_sent_on
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
                return
            if start is not None and _is_streamlits(message) and (page := _page_above(scope)):
                start, is_sent_on = None, True
                await RedirectResponse(page)(scope, receive, send)
            if is_sent_on:
                return
            if start is not None:
                message = _with_script(start, message)
                begun, start = start, None
                await send(begun)
            await send(message)

        await self.app(scope, receive, sent)


def _page_above(scope: Scope) -> str:
    """The address of the page that one below it belongs to, with what was asked of it; empty for a page's own."""
    page, below, _ = scope["path"].removeprefix("/").partition("/")
    asked = scope["query_string"].decode("latin-1")
    return quote(f"/{page}") + (f"?{asked}" if asked else "") if below else ""


def _with_script(start: Message, part: Message) -> Message:
    if not _is_streamlits(part):
        return part
    head, found, rest = part["body"].partition(HEAD)
    headers = MutableHeaders(scope=start)
    if "content-length" in headers:
        headers["content-length"] = str(int(headers["content-length"]) + len(SCRIPT))
    return {**part, "body": head + found + SCRIPT + rest}


def _is_streamlits(part: Message) -> bool:
    """Of the first part of a page, which else is one of ours."""
    _, found, rest = part.get("body", b"").partition(HEAD)
    return bool(found) and b"window.prerenderReady" in rest


def _is_page(start: Message) -> bool:
    return MutableHeaders(scope=start).get("content-type", "").startswith("text/html")
