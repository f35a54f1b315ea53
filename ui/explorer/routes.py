"""What the explorer asks for while somebody moves in it: the children of places, search results, the newest version."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tree.browse.nodes import LONGEST_PLACE, newest_shown, sources_shown, state_shown
from tree.browse.search import LONGEST_SEARCH, search_tree
from tree.store.database import StoreError
from tree.store.errors import words_for
from ui.explorer import filters
from ui.explorer import view as tree_view
from ui.server.guard import visitor_of
from ui.server.http import METHODS
from ui.server.tools import tools

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def children(request: Request) -> Response:
    """`/api/tree?place=A&place=B&version=N`: their children at that version; without a place, the sources. A filter as below
    leaves the rows that lead to what matches."""
    places = request.query_params.getlist("place") or [""]
    if len(places) > tree_view.MOST_LEVELS or any(len(place) > LONGEST_PLACE for place in places):
        return _refused(400, "That asks for too much at once.")
    workspace, principal = tools().workspace, visitor_of(request).principal
    shown = sources_shown(workspace, principal)
    newest = workspace.store.versions.total(shown)
    version = _number(request.query_params.get("version"), newest)
    if version is None or version > newest:
        return _refused(400, "There is no such version of the tree.")
    number = workspace.store.versions.number_of(shown, version) if shown else 0
    if number is None:
        return _refused(404, "That version of the tree is not kept any more.")
    found = tree_view.levels(workspace, principal, places, number)
    if filter_ := _filter(request):
        matches = filters.find_matches(workspace, principal, filter_)
        found = {place: matches.rows(rows) for place, rows in found.items()}
    if not found:
        return _refused(404, "This place is not in the tree.")
    return JSONResponse({"version": version, "levels": found, "gone": [p for p in places if p not in found]}, headers=HEADERS)


def found(request: Request) -> Response:
    """`/api/tree/search?q=words`: places by name, passages by their words."""
    text = request.query_params.get("q", "")
    if len(text) > LONGEST_SEARCH:
        return _refused(400, f"Search for at most {LONGEST_SEARCH} characters.")
    return JSONResponse(search_tree(tools().workspace, visitor_of(request).principal, text), headers=HEADERS)


def narrowed(request: Request) -> Response:
    """`/api/tree/filter?type=runbook&has=decision&text=words`: what the tree is narrowed to, and how much there is of each choice."""
    if len(request.query_params.get("text", "")) > LONGEST_SEARCH:
        return _refused(400, f"Filter by at most {LONGEST_SEARCH} characters.")
    return JSONResponse(filters.narrowed(tools().workspace, visitor_of(request).principal, _filter(request)), headers=HEADERS)


def _filter(request: Request) -> filters.Filter:
    asked = request.query_params
    return filters.read_filter(asked.get("type", ""), asked.getlist("has"), asked.get("text", ""))


def newest(request: Request) -> Response:
    """`/api/tree/version`: `state` is another text whenever anything is otherwise in the tree that whoever asks may see."""
    workspace, principal = tools().workspace, visitor_of(request).principal
    told = {"version": newest_shown(workspace, principal), "state": state_shown(workspace, principal)}
    return JSONResponse(told, headers=HEADERS)


def routes() -> list[Route]:
    pairs = (
        ("/api/tree", children), ("/api/tree/search", found), ("/api/tree/filter", narrowed), ("/api/tree/version", newest),
    )  # fmt: skip
    return [Route(path, _guarded(endpoint), methods=METHODS) for path, endpoint in pairs]


def _guarded(endpoint: Callable[[Request], Response]) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return _refused(405, "This address can only be read.")
        try:
            return endpoint(request)
        except StoreError as error:
            return _refused(503, words_for(error))

    return answer


def _number(text: str | None, default: int) -> int | None:
    """A version number as written in an address; None for what is none."""
    if text is None:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def _refused(status: int, words: str) -> JSONResponse:
    return JSONResponse({"error": words}, status, headers=HEADERS)
