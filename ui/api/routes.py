"""The same answers for other programs: a small interface over HTTP that only reads, with a token in place of a sign-in.

`/api/openapi.json` describes it. Everything is answered as the person sees it whose token it is.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from prompts.model import Stop
from tree.accounts.principal import Principal
from tree.ask.ask import LONGEST_QUESTION, Answer, AskError, Event, Restart, TextPiece, ask, check_question, step_json
from tree.ask.snapshot.trail import Step
from tree.store.database import StoreError
from ui.activity.activity import find_activity
from ui.api.description import OPENAPI
from ui.explorer import view as tree_view
from ui.server.guard import address_of, visitor_of
from ui.server.rate_limit import RateLimit
from ui.server.scope import QuestionScope
from ui.server.tools import tools

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]  # what is not listed would get Streamlit's page
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
AT_ONCE = 4  # questions of programs answered at the same time; those of people have threads of their own
MOST_BYTES = 100_000  # of a request
MOST_DAYS = 366  # of changes

_asking = anyio.CapacityLimiter(AT_ONCE)
_asked = RateLimit(120, 60)  # questions of one person's programs in a minute


class Asked(BaseModel):
    """The body of POST /api/ask."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    sources: list[str] | None = None  # names or ids; all that one may see by default
    places: list[str] = Field(default_factory=list, max_length=20)
    as_of: date | None = None


class Refused(Exception):
    """A request that cannot be answered: status, and words that say what to do."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


def routes() -> list[Route]:
    return [
        Route("/api/ask", _answering("POST", _ask), methods=METHODS),
        Route("/api/search", _answering("GET", _search), methods=METHODS),
        Route("/api/open", _answering("GET", _open), methods=METHODS),
        Route("/api/changes", _answering("GET", _changes), methods=METHODS),
        Route("/api/openapi.json", _answering("GET", _description), methods=METHODS),
    ]


def _answering(method: str, handler: Callable[[Request, Principal], Any]) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        if request.method != method and not (method == "GET" and request.method == "HEAD"):
            return _error(405, f"Use {method}.")
        try:
            found: Response = await handler(request, visitor_of(request).principal)
            return found
        except Refused as refused:
            return _error(refused.status, str(refused))
        except AskError as error:
            return _error(400, str(error))
        except StoreError as error:
            return _error(503, str(error))

    return answer


def _error(status: int, words: str) -> JSONResponse:
    return JSONResponse({"error": words}, status, HEADERS)


async def _description(_request: Request, _principal: Principal) -> Response:
    return JSONResponse(OPENAPI, headers=HEADERS)


# ---------------------------------------------------------------- asking


async def _ask(request: Request, principal: Principal) -> Response:
    if wait := _asked.wait(principal.person_id or address_of(request)):
        raise Refused(429, f"Too many questions. Wait {math.ceil(wait)} seconds.")
    asked = await _read(request)
    check_question(asked.question.strip())
    moment = QuestionScope(as_of=asked.as_of.isoformat()).moment if asked.as_of else None
    stop = Stop()
    events = partial(
        ask, tools().workspace, asked.question, principal=principal, sources=_sources(asked.sources, principal), places=asked.places,
        as_of=moment, stop=stop,
    )  # fmt: skip
    if "text/event-stream" in request.headers.get("accept", ""):
        return StreamingResponse(_streamed(events, stop), headers=HEADERS, media_type="text/event-stream")
    return JSONResponse(await anyio.to_thread.run_sync(_last, events, limiter=_asking), headers=HEADERS)


def _last(events: Callable[[], Iterator[Event]]) -> dict[str, Any]:
    found = [event for event in events() if isinstance(event, Answer)]
    return found[-1].as_json()


async def _streamed(events: Callable[[], Iterator[Event]], stop: Stop) -> AsyncIterator[str]:
    """Server-sent events: step, text, restart, then answer; error instead of it. Whoever hangs up stops the answering."""
    asking = events()
    try:
        while (event := await anyio.to_thread.run_sync(next, asking, None, limiter=_asking, abandon_on_cancel=True)) is not None:
            yield _written(event)
    except (StoreError, AskError) as error:
        yield _sse("error", {"error": str(error)})
    finally:
        stop.set()


def _written(event: Event) -> str:
    if isinstance(event, Step):
        return _sse("step", step_json(event))
    if isinstance(event, TextPiece):
        return _sse("text", {"text": event.text})
    if isinstance(event, Restart):
        return _sse("restart", {"why": event.why})
    return _sse("answer", event.as_json())


def _sse(name: str, data: object) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def _read(request: Request) -> Asked:
    size, pieces = 0, []
    try:
        async for piece in request.stream():
            size += len(piece)
            if size > MOST_BYTES:
                raise Refused(413, f"Send at most {MOST_BYTES:,} bytes.")
            pieces.append(piece)
        return Asked.model_validate_json(b"".join(pieces))
    except ClientDisconnect as error:
        raise Refused(400, "The request broke off.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the body"
        raise Refused(422, f"{where}: {first['msg']}. See /api/openapi.json.") from error


def _sources(named: list[str] | None, principal: Principal) -> list[str] | None:
    if named is None:
        return None
    known = {source.id: source.name for source in principal.visible(tools().sources.all())}
    ids = []
    for name in named:
        found = [id_ for id_, known_name in known.items() if name == id_ or name.casefold() == known_name.casefold()]
        if not found:
            raise Refused(404, f"There is no source called “{name}”. There is: {', '.join(known.values()) or 'none yet'}.")
        ids += found
    return ids


# ---------------------------------------------------------------- looking


async def _search(request: Request, principal: Principal) -> Response:
    words = request.query_params.get("q", "").strip()
    if not words or len(words) > tree_view.LONGEST_SEARCH:
        raise Refused(422, f"q: give 1 to {tree_view.LONGEST_SEARCH} characters.")
    found = await anyio.to_thread.run_sync(tree_view.search, tools().workspace, principal, words)
    passages = [{**row, "snippet": "".join(text for text, _ in row["snippet"])} for row in found["passages"]]
    return JSONResponse({"names": found["names"], "passages": passages}, headers=HEADERS)


async def _open(request: Request, principal: Principal) -> Response:
    place = request.query_params.get("place", "")

    def look() -> dict[str, Any] | None:
        workspace = tools().workspace
        node = tree_view.find(workspace, principal, place)
        if node is None:
            return None
        leaf = workspace.store.leaves([node.leaf]).get(node.leaf) if node.leaf else None
        view = tree_view.record_view(workspace, node)
        kept = {name: view[name] for name in ("place", "title", "kind", "path", "leaves", "types", "about", "document", "as_of")}
        summary = " ".join(part["text"] for part in view["summary"])
        children = [
            {"place": child.place, "title": child.title, "kind": child.kind} for child in workspace.store.children(node.place)
        ]
        return {**kept, "summary": summary, "children": children, "text": leaf.text if leaf is not None else None}

    found = await anyio.to_thread.run_sync(look)
    if found is None:
        raise Refused(404, "There is no such place.")
    return JSONResponse(found, headers=HEADERS)


async def _changes(request: Request, principal: Principal) -> Response:
    today = datetime.now(UTC).date()
    first, last = (_day(request, name, default) for name, default in (("since", today - timedelta(days=7)), ("until", today)))
    if not timedelta() <= last - first <= timedelta(days=MOST_DAYS):
        raise Refused(422, f"since, until: give a span of at most {MOST_DAYS} days.")
    place = request.query_params.get("place", "")
    found = await anyio.to_thread.run_sync(partial(find_activity, tools().workspace, principal, first, last, UTC, place=place))
    changes = [
        {"at": entry.at.isoformat(timespec="seconds"), "how": entry.how, "title": entry.words, "source": entry.source, "place": entry.place,
         "people": list(entry.people)}
        for entry in found.entries
    ]  # fmt: skip
    since = found.known_since.isoformat(timespec="seconds") if found.known_since else None
    return JSONResponse({"changes": changes, "known_since": since}, headers=HEADERS)


def _day(request: Request, name: str, default: date) -> date:
    written = request.query_params.get(name, "")
    try:
        return date.fromisoformat(written) if written else default
    except ValueError as error:
        raise Refused(422, f"{name}: write a day like 2026-03-01.") from error
