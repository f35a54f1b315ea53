"""The guard: no route and no websocket for whoever has no session, and none any more for whoever has lost it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from tests.ui.people import MEMBER, sign_in
from tree.accounts.models import Person
from ui.server import guard
from ui.server.middleware import middleware
from ui.server.tools import Tools

HERE = "http://127.0.0.1"


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


@pytest.fixture
def client(home: Path) -> TestClient:
    routes = [
        Route("/api/x", lambda request: PlainTextResponse(guard.visitor_of(request).principal.name)),
        WebSocketRoute("/_stcore/stream", echo),
    ]
    return TestClient(Starlette(routes=routes, middleware=middleware()), base_url=HERE)


def person(tools: Tools) -> Person:
    return tools.accounts.people.with_email(MEMBER)


def test_a_websocket_without_a_session_is_closed(tools: Tools, client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("ws://127.0.0.1/_stcore/stream"):
        pass


@pytest.mark.parametrize("how", ["ended", "deactivated", "new password"])
def test_no_message_of_an_open_websocket_is_passed_on_once_its_session_is_over(
    tools: Tools, client: TestClient, how: str
) -> None:
    sign_in(client, MEMBER)
    with client.websocket_connect("ws://127.0.0.1/_stcore/stream") as socket:
        socket.send_text("hello")
        assert socket.receive_text() == "hello"
        id_ = person(tools).id
        if how == "ended":
            tools.accounts.sessions.end_all(id_)
        elif how == "deactivated":
            tools.accounts.people.set_active(id_, False)
        else:
            tools.accounts.links.use(tools.accounts.links.for_reset(id_), password="nine barrels of tar")
        until = time.monotonic() + 2
        with pytest.raises(WebSocketDisconnect):
            while time.monotonic() < until:
                socket.send_text("what do the pilots earn?")
                socket.receive_text()
    assert client.get("/api/x").status_code == 401


def test_nobody_says_who_they_are_by_a_header(tools: Tools, client: TestClient) -> None:
    session = tools.visitor.session_id
    for name in (guard.SESSION_HEADER.decode(), guard.SESSION_HEADER.decode().title()):
        assert client.get("/api/x", headers={name: session}).status_code == 401
    sign_in(client, MEMBER)
    assert client.get("/api/x", headers={guard.SESSION_HEADER.decode(): session}).text == "Ben"


def test_a_program_is_told_in_json_that_the_data_folder_cannot_be_used(client: TestClient, home: Path) -> None:
    home.write_text("no folder", "utf-8")
    said = client.get("/api/x", headers={"Authorization": "Bearer kt_x"})
    page = client.get("/page")
    assert said.status_code == page.status_code == 503
    assert "cannot be the data folder" in page.text and said.json() == {"error": page.text}
