"""What all routes of ours share: the methods they answer, what is said to others, and reading a body that has a limit."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]  # what a route does not list would get Streamlit's page


def not_allowed() -> Response:
    return PlainTextResponse("Only GET is answered here.", 405, {"Allow": "GET, HEAD"})


class TooLarge(Exception):
    """A body of more bytes than are taken."""


async def read_body(request: Request, most: int) -> bytes:
    """The bytes as they came, at most `most`; TooLarge beyond that, whatever length was announced, and starlette's
    ClientDisconnect when the body breaks off."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most:
        raise TooLarge
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise TooLarge
        pieces.append(piece)
    return b"".join(pieces)
