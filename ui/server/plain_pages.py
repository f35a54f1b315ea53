"""The pages before somebody is signed in, or while the database cannot be reached: plain HTML that needs no script and fetches nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader  # escapes every value; it is Streamlit's own dependency
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tree.store.database import StoreError
from tree.store.errors import words_for

Handler = Callable[[Request], Awaitable[Response]]
HERE = Path(__file__).parent
LOGO = Markup((HERE.parent / "assets" / "logo.svg").read_text("utf-8"))
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",  # addresses of links are secrets; with no-referrer a form would be sent without its origin
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True)


def page(template: str, title: str, status: int = 200, **values: object) -> HTMLResponse:
    html = _environment.get_template(f"{template}.html").render(title=title, logo=LOGO, **values)
    return HTMLResponse(html, status, HEADERS)


def message(
    title: str, words: str, status: int = 200, *, button: str = "Go to the app", to: str = "/", again: int = 0
) -> HTMLResponse:
    """`again`: after how many seconds the browser asks for the same address once more; 0 for never."""
    return page("message", title, status, words=words, button=button, to=to, again=again)


async def nothing(_request: Request) -> Response:
    return message("There is nothing here", "The address may have been cut off when it was copied.", 404)


def only(*methods: str) -> Callable[[Handler], Handler]:
    """A page that answers these methods, and says in words when the data folder cannot be used."""

    def of(handler: Handler) -> Handler:
        async def answer(request: Request) -> Response:
            if request.method not in methods and request.method != "HEAD":
                return message("Not possible", "This page takes no such request.", 405)
            try:
                return await handler(request)
            except StoreError as error:
                return message("Not possible now", words_for(error), 503, button="Try again", to=request.url.path)

        return answer

    return of
