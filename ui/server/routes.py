"""What the server answers besides pages: the state of the sources, and the original of a cited document."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tree.store.database import StoreError
from tree.store.errors import words_for
from ui.server.guard import visitor_of
from ui.server.http import METHODS, not_allowed
from ui.server.originals import NotFound, is_pdf, original
from ui.server.status_board import StatusBoard
from ui.server.tools import tools

TEXT = frozenset(".md .markdown .txt .text .rst .csv .tsv .json .yaml .yml .toml .ini .log .py .sh .sql .org .adoc .cfg".split())  # noqa: SIM905
BUSY_SECONDS = 3  # that somebody waits for the database before pages say so
SAMPLED = 65_536  # bytes, to tell the encoding
_board = StatusBoard()


def routes() -> list[Route]:
    return [
        Route("/api/status", status, methods=METHODS),
        Route("/files/{source_id}/{document_id:path}", file, methods=METHODS),
    ]


def others() -> list[Route]:
    """What nobody asked for: else the page itself would be the answer. These come after all other routes."""
    return [Route("/api/{rest:path}", _nothing, methods=METHODS)]


def _nothing(_request: Request) -> Response:
    return JSONResponse({"error": "There is nothing at this address."}, 404)


def status(request: Request) -> Response:
    if request.method not in ("GET", "HEAD"):
        return not_allowed()
    try:
        opened = tools().seen_by(visitor_of(request))
        told = {"sources": _board.sources(opened), "busy": opened.workspace.database.waited_seconds > BUSY_SECONDS}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})
    except StoreError as error:
        return JSONResponse({"sources": [], "message": words_for(error)}, headers={"Cache-Control": "no-store"})


def file(request: Request) -> Response:
    """The original of a live document. Nothing in it can run on our origin: no script, no frame, no guessing of types."""
    if request.method not in ("GET", "HEAD"):
        return not_allowed()
    document_id = request.path_params["document_id"]
    try:
        path = original(tools().seen_by(visitor_of(request)), request.path_params["source_id"], document_id)
        kind, disposition = _shown_as(path, document_id)
    except (NotFound, StoreError, OSError):
        return PlainTextResponse("There is no such document.", 404, {"X-Content-Type-Options": "nosniff"})
    return FileResponse(
        path,
        media_type=kind,
        filename=path.name.encode("utf-8", "replace").decode(),
        content_disposition_type=disposition,
        headers={
            "X-Content-Type-Options": "nosniff",
            # Chromium's PDF viewer does not open in a sandbox; a PDF is no page, so it needs none
            "Content-Security-Policy": "default-src 'none'" if is_pdf(document_id) else "default-src 'none'; sandbox",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "private, no-cache",
        },
    )


def _shown_as(path: Path, document_id: str) -> tuple[str, str]:
    """Media type and disposition: only PDFs and plain text are shown by the browser, all else is handed over as a file."""
    if is_pdf(document_id):
        return "application/pdf", "inline"
    if path.suffix.lower() in TEXT:
        with path.open("rb") as opened:
            start = opened.read(SAMPLED)
        return ("text/plain; charset=utf-8" if _is_utf8(start) else "text/plain; charset=windows-1252"), "inline"
    return "application/octet-stream", "attachment"


def _is_utf8(start: bytes) -> bool:
    try:
        start[: len(start) - 4 if len(start) == SAMPLED else None].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > SAMPLED - 8
    return True
