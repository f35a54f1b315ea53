"""The same answers for other programs: a small interface over HTTP that only reads, with a token in place of a sign-in.

`/api/openapi.json` describes it. Everything is answered as the person sees it whose token it is.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from functools import partial
from typing import Any, TypeVar

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.ask.ask import Answer, AskError, Event, Restart, TextPiece, step_json
from tree.ask.snapshot.trail import Step
from tree.serve import requests
from tree.serve.requests import FAULT, AskRequest, ChangesRequest, NotThere, OpenRequest, Refused, SearchRequest
from tree.store.database import StoreError
from tree.store.errors import words_for
from ui.api.description import describe
from ui.api.limits import MOST_BYTES, TooMany, count_question
from ui.server.guard import address_of, visitor_of
from ui.server.http import METHODS, TooLarge, read_body
from ui.server.tools import tools

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
BROKE_OFF = "The request broke off."

log = logging.getLogger("knowledge-tree")
T = TypeVar("T")


class NotRead(Exception):
    """The body of a request that was not read: status, and words that say why."""

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
        except TooMany as error:
            return _error(429, str(error))
        except NotRead as error:
            return _error(error.status, str(error))
        except NotThere as error:
            return _error(404, str(error))
        except Refused as error:
            return _error(422, f"{error} See /api/openapi.json.")
        except AskError as error:
            return _error(400, str(error))
        except StoreError as error:
            return _error(503, words_for(error))
        except Exception:  # a fault of ours: the program is told so, the log has the details
            log.exception("a request of a program failed")
            return _error(500, FAULT)

    return answer


def _error(status: int, words: str) -> JSONResponse:
    return JSONResponse({"error": words}, status, HEADERS)


async def _description(_request: Request, _principal: Principal) -> Response:
    return JSONResponse(describe(), headers=HEADERS)


# ---------------------------------------------------------------- asking


async def _ask(request: Request, principal: Principal) -> Response:
    count_question(principal, address_of(request))
    asked = requests.parse(AskRequest, await _body(request))
    stop = Stop()
    begin = await anyio.to_thread.run_sync(requests.ask_events, tools().workspace, principal, asked, stop)
    told = tools().programs.answer(principal, begin, stop)
    if "text/event-stream" in request.headers.get("accept", ""):
        return StreamingResponse(_streamed(told), headers=HEADERS, media_type="text/event-stream")
    answer = await _unless_gone(request, _last_answer(told))
    return _error(400, BROKE_OFF) if answer is None else JSONResponse(answer.as_json(), headers=HEADERS)


async def _last_answer(told: AsyncGenerator[Event]) -> Answer:
    async with aclosing(told):
        return requests.last_answer([event async for event in told if isinstance(event, Answer)])


async def _unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """What the work gives; None for a client that has hung up meanwhile, for whom it is given up. Raises what the work raises."""
    working, gone = asyncio.create_task(work), asyncio.create_task(_hung_up(request))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        gone.cancel()
        working.cancel()


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _streamed(told: AsyncGenerator[Event]) -> AsyncIterator[str]:
    """Server-sent events: step, text, restart, then answer; error instead of it. Whoever hangs up stops the answering; whoever
    reads slowly does not slow it down, and so keeps no other question waiting."""
    async with aclosing(told):
        try:
            async for event in told:
                yield _written(event)
        except (StoreError, AskError) as error:
            yield _sse("error", {"error": words_for(error)})
        except Exception:  # a fault of ours: the program is told so, the log has the details
            log.exception("the answering of a program's question failed")
            yield _sse("error", {"error": FAULT})


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


async def _body(request: Request) -> bytes:
    try:
        return await read_body(request, MOST_BYTES)
    except TooLarge as error:
        raise NotRead(413, f"Send at most {MOST_BYTES:,} bytes.") from error
    except ClientDisconnect as error:
        raise NotRead(400, BROKE_OFF) from error


# ---------------------------------------------------------------- looking


async def _search(request: Request, principal: Principal) -> Response:
    asked = requests.parse(SearchRequest, {"query": request.query_params.get("q", "").strip()})
    return await _found(partial(requests.search, tools().workspace, principal, asked))


async def _open(request: Request, principal: Principal) -> Response:
    asked = requests.parse(OpenRequest, {"place": request.query_params.get("place", "")})
    return await _found(partial(requests.open_place, tools().workspace, principal, asked))


async def _changes(request: Request, principal: Principal) -> Response:
    given = {name: value for name in ChangesRequest.model_fields if (value := request.query_params.get(name, ""))}
    return await _found(partial(requests.changes, tools().workspace, principal, requests.parse(ChangesRequest, given)))


async def _found(look: Callable[[], dict[str, Any]]) -> Response:
    return JSONResponse(await anyio.to_thread.run_sync(look), headers=HEADERS)
