"""The pages before somebody is signed in: plain HTML forms that need no script and fetch nothing."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader  # escapes every value; it is Streamlit's own dependency
from markupsafe import Markup
from starlette.responses import HTMLResponse

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


def message(title: str, words: str, status: int = 200, *, button: str = "Go to the app", to: str = "/") -> HTMLResponse:
    return page("message", title, status, words=words, button=button, to=to)
