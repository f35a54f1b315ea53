"""The routes and what lives beside them, without a browser."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from tests.ui.people import sign_in
from tree.store.models import Source
from ui.server import routes
from ui.server.middleware import SameOrigin, look_at_hosts, middleware
from ui.server.service import lifespan
from ui.server.tools import Tools

HERE = "http://127.0.0.1"


@pytest.fixture
def client(home: Path) -> TestClient:
    """Routes alone: outside a `with`, nothing is started beside them."""
    return sign_in(TestClient(server(), base_url=HERE))


@pytest.fixture
def running(home: Path) -> Iterator[TestClient]:
    with TestClient(server(), base_url=HERE) as client:
        yield sign_in(client)


def server() -> Starlette:
    """The app as app.py puts it together, without Streamlit in it, of which there can be only one in a process."""
    return Starlette(
        routes=[*routes.routes(), Route("/", lambda _: HTMLResponse("page"))],
        middleware=middleware(),
        lifespan=lifespan(lambda: None),
    )


def test_status_tells_how_the_sources_stand(tools: Tools, source: Source, client: TestClient) -> None:
    [status] = client.get("/api/status").json()["sources"]
    assert status["name"] == "Team" and status["documents"] == 4


def test_the_server_starts_a_worker_that_reads_what_is_added(tools: Tools, running: TestClient, folder: Path) -> None:
    tools.sources.add("folder", "Team", {"path": str(folder)})
    until = time.monotonic() + 40
    while time.monotonic() < until:
        [status] = running.get("/api/status").json()["sources"]
        if status["state"] == "ready":
            break
        time.sleep(0.2)
    assert status["documents"] == 4 and status["words"].startswith("Up to date")


def test_turns_that_were_running_are_interrupted_at_the_next_start(tools: Tools, home: Path) -> None:
    turn = tools.chats.running.begin("Will this end?", owner=tools.principal.person_id)
    with TestClient(server(), base_url=HERE):
        assert tools.chats.turns.get(turn.id).state == "interrupted"


def test_an_original_is_handed_out_as_it_is(source: Source, client: TestClient, folder: Path) -> None:
    answer = client.get(f"/files/{source.id}/runbooks/restore.md")
    assert answer.status_code == 200 and answer.content == (folder / "runbooks/restore.md").read_bytes()
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"].startswith("inline")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_page_of_html_is_handed_over_as_a_file_and_cannot_run(source: Source, client: TestClient) -> None:
    answer = client.get(f"/files/{source.id}/notes/page.html")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "document",
    ["../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "runbooks/../../secret.txt", "/etc/passwd", "%2fetc%2fpasswd",
     "runbooks", "", "nope.md", "runbooks/restore.md%00.txt", "unread.bin", "....//secret.txt", "%E2%90%80"],
)  # fmt: skip
def test_anything_else_is_not_found(source: Source, client: TestClient, folder: Path, document: str) -> None:
    (folder.parent / "secret.txt").write_text("secret")
    (folder / "unread.bin").write_bytes(b"\0\1")
    answer = client.get(f"/files/{source.id}/{document}")
    assert answer.status_code == 404 and b"secret" not in answer.content


def test_a_file_replaced_by_a_link_out_of_the_folder_is_not_found(source: Source, client: TestClient, folder: Path) -> None:
    (folder.parent / "secret.txt").write_text("secret")
    (folder / "glossary.md").unlink()
    os.symlink(folder.parent / "secret.txt", folder / "glossary.md")
    assert client.get(f"/files/{source.id}/glossary.md").status_code == 404


def test_a_document_of_a_removed_source_is_not_found(tools: Tools, source: Source, client: TestClient) -> None:
    tools.sources.mark_removing(source.id)
    assert client.get(f"/files/{source.id}/runbooks/restore.md").status_code == 404
    assert client.get("/files/nosource/glossary.md").status_code == 404


@pytest.mark.parametrize("path", ["/api/status", "/files/x/y"])
def test_only_get_is_answered(client: TestClient, path: str) -> None:
    assert client.post(path).status_code == 405


def test_another_host_name_is_refused_and_once_told_where_to_allow_it(
    client: TestClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        refused = client.get("/api/status", headers={"host": "rebound.example"})
        assert refused.status_code == 400 and "STREAMLIT_SERVER_ALLOWED_HOSTS" in refused.text
    assert caplog.text.count("Refused 'rebound.example'") == 1
    monkeypatch.setattr("ui.server.middleware.MOST_NAMES", 2)
    for number in range(5):
        assert client.get("/api/status", headers={"host": f"n{number}.example"}).status_code == 400
    assert caplog.text.count("Refused") == 2


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["tree.example.org", "*.example.org", "::1"], []),
        (["https://tree.example.org"], ["https://tree.example.org"]),
        (["a:8501"], ["a:8501"]),
    ],
)
def test_what_is_no_host_name_is_told(names, told, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.server.middleware.st.get_option", lambda _: names)
    look_at_hosts()
    assert [record.args[1] for record in caplog.records] == told


def test_pages_may_not_reach_other_hosts(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy and "http" not in policy


# ---------------------------------------------------------------- the websocket


async def _accept(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("open")
    await socket.close()


def _opens(origin: str | None, host: str, others: tuple[str, ...] = ()) -> bool:
    app = Starlette(routes=[WebSocketRoute("/_stcore/stream", _accept)], middleware=[Middleware(SameOrigin, others=others)])
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    try:
        with TestClient(app).websocket_connect("/_stcore/stream", headers=headers) as socket:
            return socket.receive_text() == "open"
    except WebSocketDisconnect:
        return False


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8501", "127.0.0.1:8501"),
        ("http://localhost:8501", "localhost:8501"),
        ("https://tree.example.com", "tree.example.com"),
        ("https://tree.example.com", "tree.example.com:443"),
        ("http://[::1]:8501", "[::1]:8501"),
        (None, "127.0.0.1:8501"),
    ],
)
def test_a_page_of_our_own_opens_the_websocket(origin: str | None, host: str) -> None:
    assert _opens(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:3000", "localhost:8501"),
        ("http://127.0.0.1:3000", "127.0.0.1:8501"),
        ("http://localhost:8501", "127.0.0.1:8501"),
        ("https://elsewhere.example.com", "tree.example.com"),
        ("http://localhost:x", "localhost:8501"),
        ("null", "localhost:8501"),
        ("", "localhost:8501"),
    ],
)
def test_a_page_of_another_origin_does_not(origin: str, host: str) -> None:
    assert not _opens(origin, host)


def test_an_origin_that_is_named_in_the_settings_opens_the_websocket() -> None:
    assert _opens("https://portal.example.com", "tree.example.com", ("https://portal.example.com",))
    assert not _opens("http://portal.example.com", "tree.example.com", ("https://portal.example.com",))


def test_the_app_has_the_check_of_origins(home: Path) -> None:
    assert SameOrigin in [one.cls for one in middleware()]
