"""The whole app as it runs, tried from outside: nothing is shown, changed or connected without a session."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.browser.conftest import App, start_app, start_own_app  # noqa: F401 - fixtures
from tests.ui.people import MEMBER
from tree.accounts.accounts import Accounts, open_accounts
from tree.accounts.tokens import id_of
from tree.workspace import workspace
from ui.server.guard import NOT_SIGNED_IN

PUBLIC = ("/sign-in", "/_stcore/health", "/hooks/jira/nothing")
# of Streamlit and of ours, with ways to write them that could mean another
ROUTES = """
/ /index.html /tree /sources /settings /admin /activity /account /favicon.png /manifest.json
/_stcore/stream /_stcore/metrics /_stcore/host-config /_stcore/allowed-message-origins /_stcore/script-health-check
/_stcore/upload_file/a/b /_stcore/bidi-components/x /_stcore/agent/openapi.json /_stcore/agent/mcp /_stcore/agent/interact
/_stcore/health/../metrics /_stcore/health/ /_stcore/health%2f /_stcore/healthz
/media/abc.png /component/x/y.js /app/static/x /oauth2callback /auth/login
/api/status /api/tree /api/tree/search /api/tree/filter /api/tree/version /api/nothing //api/status /API/status /./api/status
/files/a/b.md /chats/a.md /chats/a/print /%2fapi/status /sign-inx /sign-in?/../api /hooks /hooks/ /hooks/other /linked /static
""".split()  # noqa: SIM905
TRICKS = """
/sign-in/../api/status /sign-in/..%2fapi/status /sign-in%2f..%2fapi/status /link/../api/status /link/%2e%2e/api/status
/static/../api/status /static/..%2f..%2fapp.py /static/%2e%2e/%2e%2e/app.py /hooks/jira/../../api/status /hooks/jira/..%2f..%2fapi/status
""".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def app(start_app) -> App:  # noqa: F811
    return start_app()


@pytest.fixture
def accounts(app: App) -> Iterator[Accounts]:
    with workspace(app.home) as opened:
        yield open_accounts(opened.database)


@pytest.fixture
def session(app: App, accounts: Accounts) -> str:
    """A new session of a member."""
    person = accounts.people.with_email(MEMBER) or accounts.people.add(MEMBER, "Ben")
    return accounts.sessions.start(person.id)


def cookie(app: App, token: str) -> str:
    return f"{app.cookie(token)['name']}={token}"


def raw(app: App, target: str, method: str = "GET", *headers: str) -> bytes:
    """The reply to exactly this, which an HTTP library would tidy up first."""
    parts = urlsplit(app.url)
    with socket.create_connection((parts.hostname, parts.port), 20) as line:
        lines = [f"{method} {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close", *headers]
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        received = b""
        while piece := line.recv(65_536):
            received += piece
        return received


def status(reply: bytes) -> int:
    return int(reply.split(b" ", 2)[1])


# ---- HTTP


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"])
def test_no_route_answers_a_stranger(app: App, method: str) -> None:
    for path in ROUTES:
        found = status(raw(app, path, method, "Content-Length: 0"))
        assert found in (400, 401, 404) or (path.startswith("/sign-in?") and found in (200, 405)), (path, found)


def test_no_way_of_writing_an_address_leads_past_the_guard(app: App, session: str) -> None:
    for path in (*TRICKS, *(route for route in ROUTES if ".." in route)):
        for headers in ((), (f"Cookie: {cookie(app, session)}",)):
            reply = raw(app, path, "GET", *headers)
            assert b'"sources"' not in reply and b"st.App" not in reply and b"TYPE session" not in reply, (path, reply[:300])


def test_a_person_is_led_to_the_sign_in_page_and_a_program_is_told(app: App) -> None:
    page = httpx.get(f"{app.url}/tree?at=a%2Fb&x=1", headers={"accept": "text/html,*/*"})
    assert (page.status_code, page.headers["location"]) == (303, "/sign-in?next=%2Ftree%3Fat%3Da%252Fb%26x%3D1")
    told = httpx.get(f"{app.url}/api/status", headers={"accept": "text/html"})
    assert told.status_code == 401 and told.json() == {"error": NOT_SIGNED_IN} and told.headers["www-authenticate"] == "Bearer"


def test_what_needs_no_session_says_nothing_of_anybody(app: App) -> None:
    for path in PUBLIC:
        reply = httpx.get(app.url + path)
        assert reply.status_code == 200
        for word in ("Team", "restore", str(app.home), "ada@"):
            assert word not in reply.text, (path, word)


@pytest.mark.parametrize(
    "header", ["X-Knowledge-Tree-Session", "x-knowledge-tree-session", "X_Knowledge_Tree_Session", "X-KNOWLEDGE-TREE-SESSION "]
)
def test_a_header_that_only_the_guard_may_set_does_nothing(app: App, session: str, header: str) -> None:
    line = f"{header}: {id_of(session)}"
    assert status(raw(app, "/api/status", "GET", line, line)) in (400, 401)
    assert status(raw(app, "/", "GET", line, "X-Auth-User: ada@example.org", "Remote-User: ada@example.org")) in (400, 401)


@pytest.mark.parametrize("given", ["", "x", "../x", "a" * 5_000, "é".encode().decode("latin-1"), "null", '"', "1 OR 1=1"])
def test_a_made_up_session_opens_nothing(app: App, given: str) -> None:
    name = app.cookie("")["name"]
    assert status(raw(app, "/api/status", "GET", f"Cookie: {name}={given}")) == 401


def test_what_is_kept_of_a_session_opens_nothing(app: App, session: str) -> None:
    assert status(raw(app, "/api/status", "GET", f"Cookie: {cookie(app, session)}")) == 200
    assert status(raw(app, "/api/status", "GET", f"Cookie: {app.cookie('')['name']}={id_of(session)}")) == 401


def test_a_revoked_session_is_refused_at_once(app: App, accounts: Accounts, session: str) -> None:
    with httpx.Client(base_url=app.url, headers={"cookie": cookie(app, session)}) as client:
        assert client.get("/api/status").status_code == 200
        accounts.sessions.end(id_of(session))
        assert client.get("/api/status").status_code == 401


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost", "http://[", ""])
@pytest.mark.parametrize("path", ["/sign-in", "/link/x", "/_stcore/upload_file/a/b", "/api/status"])
def test_a_form_of_another_site_is_refused(app: App, session: str, path: str, origin: str) -> None:
    reply = raw(app, path, "POST", f"Origin: {origin}", "Content-Length: 0", f"Cookie: {cookie(app, session)}")
    assert status(reply) == 403 and b"set-cookie" not in reply.lower()


def test_another_name_of_the_host_is_refused(app: App, session: str) -> None:
    with httpx.Client(base_url=app.url, headers={"cookie": cookie(app, session)}) as client:
        for host in ("rebound.example", "127.0.0.1.evil.example", "evil.example:8501", "[", "127.0.0.1@evil.example", ""):
            assert client.get("/sign-in", headers={"host": host}).status_code == 400, host


def test_every_page_has_a_policy_and_nothing_private_is_kept(app: App, session: str) -> None:
    with httpx.Client(base_url=app.url, headers={"cookie": cookie(app, session)}) as client:
        for path in (
            "/",
            "/tree",
            "/sources",
            "/api/status",
            "/api/tree",
            "/media/x.png",
            "/_stcore/host-config",
            "/nothing/here",
        ):
            reply = client.get(path)
            kept = reply.headers["cache-control"]
            assert "no-store" in kept or kept == "no-cache", (path, kept)  # no-cache: Streamlit's page, the same for everybody
            assert reply.headers["x-content-type-options"] == "nosniff" and reply.headers["referrer-policy"] == "same-origin"
            assert reply.headers["cross-origin-opener-policy"] == "same-origin"
            if reply.headers.get("content-type", "").startswith("text/html"):
                assert "frame-ancestors 'self'" in reply.headers["content-security-policy"], path
    policy = httpx.get(f"{app.url}/sign-in").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "script-src" not in policy


def test_a_body_that_never_ends_is_not_waited_for(app: App) -> None:
    parts = urlsplit(app.url)
    for path in ("/_stcore/upload_file/a/b", "/api/status", "/sign-in"):
        with socket.create_connection((parts.hostname, parts.port), 20) as line:
            head = f"POST {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nTransfer-Encoding: chunked\r\n\r\n"
            line.sendall(head.encode())
            chunk = b"400\r\n" + b"a" * 1_024 + b"\r\n"
            began = time.monotonic()
            line.settimeout(0.02)
            reply = b""
            while not reply and time.monotonic() - began < 15:
                try:
                    line.sendall(chunk)
                    reply = line.recv(65_536)
                except TimeoutError:
                    continue
                except (BrokenPipeError, ConnectionResetError):
                    break
            assert time.monotonic() - began < 15, path
            assert reply == b"" or status(reply) in (200, 401, 429), reply[:200]


# ---- the websocket


def open_socket(
    app: App, *, cookies: str = "", origin: str | None = "same", session_id: str = "", **headers: str
) -> ClientConnection:
    given = [(name.replace("__", "-"), value) for name, value in headers.items()]
    if cookies:
        given.append(("Cookie", cookies))
    return connect(
        app.url.replace("http", "ws") + "/_stcore/stream", origin=app.url if origin == "same" else origin, additional_headers=given,
        subprotocols=["streamlit", "x", *([session_id] if session_id else [])], open_timeout=20, max_size=None,
    )  # fmt: skip


def run(socket_: ClientConnection) -> list[ForwardMsg]:
    """Has the page drawn; what the browser is sent until the script has ended."""
    asked = BackMsg()
    asked.rerun_script.query_string = ""
    socket_.send(asked.SerializeToString())
    received: list[ForwardMsg] = []
    while not received or received[-1].WhichOneof("type") != "script_finished":
        message = ForwardMsg()
        message.ParseFromString(socket_.recv(timeout=30))
        received.append(message)
    return received


def test_a_websocket_without_a_session_is_not_opened(app: App, session: str) -> None:
    spoofed = {"X__Knowledge__Tree__Session": id_of(session), "X__Knowledge__Tree__Address": "127.0.0.1"}
    for headers in ({}, spoofed, {"Authorization": "Bearer kt_x"}):
        with pytest.raises(InvalidStatus) as refused:
            open_socket(app, **headers)
        assert refused.value.response.status_code == 403


def test_a_token_of_a_program_opens_no_websocket(app: App, accounts: Accounts) -> None:
    token = accounts.tokens.add(accounts.people.with_email("ada@example.org").id, "script")
    with pytest.raises(InvalidStatus):
        open_socket(app, Authorization=f"Bearer {token}")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://["])
def test_a_page_of_another_site_opens_no_websocket(app: App, session: str, origin: str) -> None:
    with pytest.raises(InvalidStatus):
        open_socket(app, cookies=cookie(app, session), origin=origin)


def test_a_page_draws_for_the_one_whose_session_it_is_whatever_headers_say(app: App, session: str) -> None:
    admin = {"X__Knowledge__Tree__Session": id_of(app.token), "x__knowledge__tree__session": id_of(app.token)}
    with open_socket(app, cookies=cookie(app, session), **admin) as opened:
        drawn = b"".join(message.SerializeToString() for message in run(opened))
    assert b"Ben" in drawn and b"Ada" not in drawn


def test_a_websocket_whose_session_was_revoked_is_closed_at_the_next_message(app: App, accounts: Accounts, session: str) -> None:
    with open_socket(app, cookies=cookie(app, session)) as opened:
        run(opened)
        accounts.sessions.end(id_of(session))
        time.sleep(0.6)  # it is looked up again after half a second
        with pytest.raises(ConnectionClosed) as closed:
            run(opened)
        assert closed.value.rcvd.code == 1008


def test_a_page_of_somebody_else_is_not_taken_up(app: App, session: str) -> None:
    """Streamlit lets a browser go on with a page by its id; never with one of another session."""
    with open_socket(app, cookies=cookie(app, app.token)) as theirs:
        first = run(theirs)
        page_id = next(m.new_session.initialize.session_id for m in first if m.WhichOneof("type") == "new_session")
    assert page_id
    with open_socket(app, cookies=cookie(app, session), session_id=page_id) as taken:
        drawn = run(taken)
        new_id = next(m.new_session.initialize.session_id for m in drawn if m.WhichOneof("type") == "new_session")
    assert new_id != page_id and b"Ada" not in b"".join(message.SerializeToString() for message in drawn)


# ---- programs


def test_a_token_reads_what_its_person_may_and_is_gone_at_once(app: App, accounts: Accounts) -> None:
    person = accounts.people.with_email("ada@example.org")
    token, narrow = accounts.tokens.add(person.id, "script"), accounts.tokens.add(person.id, "bot", [])
    with httpx.Client(base_url=app.url) as client:
        said = client.get("/api/status", headers={"authorization": f"Bearer {token}"})
        assert [source["name"] for source in said.json()["sources"]] == ["Team"]
        assert client.get("/api/status", headers={"authorization": f"Bearer {narrow}"}).json()["sources"] == []
        for path in ("/", "/tree", "/files/x/y", "/_stcore/host-config", "/_stcore/metrics", "//api/status", "/API/status"):
            assert client.get(path, headers={"authorization": f"Bearer {token}"}).status_code == 401, path
        for written in (f"Basic {token}", token, f"Bearer  {token}x", "Bearer", "Bearer kt_", f"Bearer {id_of(token)}"):
            assert client.get("/api/status", headers={"authorization": written}).status_code == 401, written
        accounts.tokens.end(person.id, id_of(token))
        assert client.get("/api/status", headers={"authorization": f"Bearer {token}"}).status_code == 401


# ---- behind a proxy


@pytest.mark.parametrize(("trusted", "is_https"), [("127.0.0.1", True), ("10.1.2.3", False)])
def test_a_proxy_is_believed_where_it_is_trusted(start_own_app, trusted: str, is_https: bool) -> None:  # noqa: F811
    app = start_own_app(empty=True, FORWARDED_ALLOW_IPS=trusted)
    with workspace(app.home) as opened:
        accounts = open_accounts(opened.database)
        link = accounts.links.for_sign_in(accounts.people.with_email("ada@example.org").id)
        told = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7", "origin": app.url.replace("http:", "https:")}
        reply = httpx.post(f"{app.url}/link/{link}", headers=told)
        flags = reply.headers["set-cookie"]
        assert reply.status_code == 303 and "HttpOnly" in flags and "SameSite=lax" in flags and "Path=/" in flags
        assert flags.startswith("__Host-") == is_https and ("Secure" in flags) == is_https and "Domain" not in flags
        newest = accounts.sessions.of(accounts.people.with_email("ada@example.org").id)[0]
        assert newest.address == ("192.0.2.7" if is_https else "127.0.0.1")
        if is_https:  # whoever is between us and a browser can write a page at http://
            assert httpx.post(f"{app.url}/link/x", headers=told | {"origin": app.url}).status_code == 403


def test_the_settings_of_the_provider_are_checked_at_the_start(tmp_path) -> None:
    from tests.browser.conftest import ROOT, _start

    with pytest.raises(RuntimeError, match="KNOWLEDGE_TREE_OIDC_CLIENT_ID: this is missing"):
        _start(tmp_path / "home", tmp_path, ROOT / "app.py", {"KNOWLEDGE_TREE_OIDC_ISSUER": "https://id.example.org"}, "")
    assert os.path.exists(tmp_path / "app.log") and json.dumps("Traceback") not in (tmp_path / "app.log").read_text()
