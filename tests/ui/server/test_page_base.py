"""Streamlit's page is told where its server is; every other reply passes as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.server.page_base import PageBase

INDEX = Path(streamlit.__file__).parent / "static" / "index.html"
OURS = "<html><head></head><body>Sign in</body></html>"


@pytest.fixture
def browser() -> TestClient:
    async def page(_: Request) -> Response:
        return FileResponse(INDEX, media_type="text/html")

    async def ours(_: Request) -> Response:
        return HTMLResponse(OURS)

    async def text(_: Request) -> Response:
        return PlainTextResponse("<head>window.prerenderReady")

    app = Starlette(
        routes=[Route("/tree{below:path}", page), Route("/sign-in", ours), Route("/text", text)],
        middleware=[Middleware(PageBase), Middleware(GZipMiddleware)],
    )
    return TestClient(app, headers={"Accept": "text/html"})


def test_streamlits_page_knows_its_server_before_its_own_scripts_run(browser: TestClient) -> None:
    page = browser.get("/tree")
    told = page.text.index('BACKEND_BASE_URL: new URL("/", window.location.origin)')
    assert told < page.text.index("<script type=") and int(page.headers["content-length"]) == len(page.content)
    assert len(page.content) > INDEX.stat().st_size


def test_the_page_a_browser_already_has_is_not_taken_for_it(browser: TestClient) -> None:
    kept = browser.get("/tree").headers["etag"]
    assert browser.get("/tree", headers={"If-None-Match": kept}).status_code == 200


def test_other_replies_pass_as_they_are(browser: TestClient) -> None:
    assert browser.get("/sign-in").text == OURS
    assert browser.get("/text").text == "<head>window.prerenderReady"
    assert "BACKEND_BASE_URL" not in browser.get("/tree", headers={"Accept": "*/*"}).text


@pytest.mark.parametrize("below", ["/", "/a", "/a/b/", "//evil.example/"])
def test_an_address_below_a_page_leads_to_the_page(browser: TestClient, below: str) -> None:
    sent_on = browser.get(f"/tree{below}", follow_redirects=False)
    assert (sent_on.status_code, sent_on.headers["location"]) == (307, "/tree")
    assert "BACKEND_BASE_URL" in browser.get(f"/tree{below}?at=a%2Fb").text
    assert browser.get(f"/tree{below}?at=a%2Fb", follow_redirects=False).headers["location"] == "/tree?at=a%2Fb"
