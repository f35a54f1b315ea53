"""The link in each e-mail that ends them, without signing in. Whether a token is of anybody is not told."""

from __future__ import annotations

from urllib.parse import quote

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.server.http import METHODS
from ui.server.plain_pages import message, only, page
from ui.server.tools import tools


def routes() -> list[Route]:
    return [Route("/unsubscribe/{token}", unsubscribe, methods=METHODS)]


@only("GET", "POST")
async def unsubscribe(request: Request) -> Response:
    """Opening it changes nothing: programs that look through e-mails open every link. RFC 8058 sends a POST."""
    token = request.path_params["token"]
    if request.method != "POST":
        return page("unsubscribe", "No more e-mails?", action=f"/unsubscribe/{quote(token, safe='')}")
    await run_sync(tools().accounts.digests.end, token)
    return message("No more e-mails", "You get none any more. What you follow stays on the page Following.")
