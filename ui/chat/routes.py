"""A chat as a file: `/chats/ID.md`, and as a page to print: `/chats/ID/print`, both with `?zone=Europe/Berlin`; and what its open pages ask for again and again."""

from __future__ import annotations

import time
from datetime import tzinfo
from typing import NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tree.ask.snapshot.zones import read_zone
from tree.store.database import StoreError
from tree.store.errors import words_for
from tree.store.models import Chat, Turn
from ui.chat import turns
from ui.chat.changes import look
from ui.chat.drawn import statuses_of
from ui.chat.export import as_markdown, as_page, file_name
from ui.chat.visible import visible_turns
from ui.server.background_answers import BackgroundAnswer
from ui.server.guard import visitor_of
from ui.server.http import METHODS
from ui.server.tools import Tools, tools

MOST_TURNS = 500
LATE_SECONDS = 4.0  # after which the first step of an answer is late
WAITS = "Waiting for the language model, which has not answered yet"
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
}


def routes() -> list[Route]:
    return [
        Route("/chats/{chat_id}.md", markdown, methods=METHODS),
        Route("/chats/{chat_id}/print", printed, methods=METHODS),
        Route("/chats/{chat_id}/changes", changes, methods=METHODS),
        Route("/chats/turns/{turn_id}", under_way, methods=METHODS),
    ]


def changes(request: Request) -> Response:
    """`/chats/ID/changes?shown=15&seen=TEXT`: {"seen": TEXT as it is now}, empty where the page is to be drawn again."""
    if request.method not in ("GET", "HEAD"):
        return PlainTextResponse("This address can only be read.", 405, HEADERS)
    seen, chat_id, shown = (
        tools().seen_by(visitor_of(request)),
        request.path_params["chat_id"],
        request.query_params.get("shown", ""),
    )
    if not shown.isdecimal() or len(shown) > 4:
        return PlainTextResponse("Say how many turns are shown.", 400, HEADERS)
    try:
        chat = seen.chats.rows.get(chat_id, seen.principal.person_id)
        if chat is None:
            return JSONResponse({"seen": ""}, headers=HEADERS)
        return JSONResponse(
            {"seen": look(seen.in_chat(chat), chat_id, int(shown), request.query_params.get("seen", ""))}, headers=HEADERS
        )
    except StoreError as error:
        return PlainTextResponse(words_for(error), 503, HEADERS)


def under_way(request: Request) -> Response:
    """`/chats/turns/ID?seen=TEXT`, for whoever asked it: {"ended": true}, or {"seen"} with what was "added" since then."""
    if request.method not in ("GET", "HEAD"):
        return PlainTextResponse("This address can only be read.", 405, HEADERS)
    opened, person = tools(), visitor_of(request).principal.person_id
    try:
        run = opened.answers.run_of(request.path_params["turn_id"])
    except StoreError as error:
        return PlainTextResponse(words_for(error), 503, HEADERS)
    if run is None or not person or run.asker != person or run.ended.is_set():
        return JSONResponse({"ended": True}, headers=HEADERS)
    waits = waits_for_model(opened, run)
    now = f"{run.state}-{len(run.steps)}-{len(run.text)}{'-waits' if waits else ''}"
    if now == request.query_params.get("seen"):
        return JSONResponse({"seen": now}, headers=HEADERS)
    added = turns.under_way(run) | ({"doing": WAITS} if waits else {})
    return JSONResponse({"seen": now, "added": added}, headers=HEADERS)


def waits_for_model(opened: Tools, run: BackgroundAnswer) -> bool:
    """Whether the first step is late, which takes a moment where no model is asked for it."""
    if run.steps or run.state != "running" or time.monotonic() - run.asked_at < LATE_SECONDS:
        return False
    try:
        return opened.workspace.model.choice().answers_questions
    except (StoreError, ValueError):  # a model that cannot be used is not asked
        return False


def markdown(request: Request) -> Response:
    found = _found(request)
    if isinstance(found, Response):
        return found
    name = file_name(found.chat)
    plain = name.encode("ascii", "ignore").decode().strip("-") or "chat"  # for a browser that does not know the other (RFC 6266)
    disposition = f"attachment; filename=\"{plain}.md\"; filename*=UTF-8''{quote(name)}.md"
    return Response(
        as_markdown(found.chat, found.turns, _zone(request), found.aged),
        headers={**HEADERS, "Content-Disposition": disposition},
        media_type="text/markdown; charset=utf-8",
    )


def printed(request: Request) -> Response:
    found = _found(request)
    return (
        found
        if isinstance(found, Response)
        else HTMLResponse(as_page(found.chat, found.turns, _zone(request), found.aged), headers=HEADERS)
    )


def _zone(request: Request) -> tzinfo:
    """Of whoever looks, as the page that leads here says it."""
    return read_zone(request.query_params.get("zone", ""))


class _Found(NamedTuple):
    """A chat as whoever asks may see it; `aged` says by the ids of its turns what changed since of what they cite."""

    chat: Chat
    turns: list[Turn]
    aged: dict[str, str]


def _found(request: Request) -> _Found | Response:
    """The chat with what whoever asks may see of it; the same answer whether there is none or it is not theirs."""
    if request.method not in ("GET", "HEAD"):
        return PlainTextResponse("This address can only be read.", 405, HEADERS)
    seen = tools().seen_by(visitor_of(request))
    try:
        chat = seen.chats.rows.get(request.path_params["chat_id"], seen.principal.person_id)
        if chat is None:
            return PlainTextResponse("There is no such chat.", 404, HEADERS)
        seen = seen.in_chat(chat)
        found = visible_turns(seen, seen.chats.turns.of_chat(chat.id, limit=MOST_TURNS))
        states = zip(found, statuses_of(seen, found), strict=True)
        return _Found(chat, found, {turn.id: turns.aged_since(turn, statuses) for turn, statuses in states})
    except StoreError as error:
        return PlainTextResponse(words_for(error), 503, HEADERS)
