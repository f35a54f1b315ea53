"""While the network to PostgreSQL is cut, a page that is open says so and goes on afterwards; nobody has to sign in or load it again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from bench.network import Network
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ui.people import MEMBER, sign_in, signed_in
from tests.ui.server.test_guard import HERE, echo
from tree.store.errors import UNREACHABLE_FOR_MEMBERS
from tree.workspace import DATABASE_VARIABLE
from ui.server import guard
from ui.server import routes as routes_of_the_app
from ui.server.middleware import middleware
from ui.server.tools import Tools

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
APP = Path(__file__).parents[2] / "app.py"
WORDS = "cannot be reached"
PAGE = {"Accept": "text/html"}


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    server = sa.make_url(SERVER)
    made = Network(str(server.host), server.port or 5432)
    with new_database() as url:
        through = sa.make_url(url).set(host="127.0.0.1", port=made.port)
        monkeypatch.setenv(DATABASE_VARIABLE, through.render_as_string(hide_password=False))
        yield made
    made.close()


def test_an_open_page_is_told_and_goes_on_afterwards(network: Network, home: Path, tools: Tools) -> None:
    page = signed_in(AppTest.from_file(APP, default_timeout=30), MEMBER).run()
    assert not page.exception and not page.error
    with network.cut("reset"):
        page.run()
        assert not page.exception and [WORDS in error.value for error in page.error] == [True]
    page.run()
    assert not page.exception and not page.error


def test_its_websocket_stays_open_and_other_programs_are_told(network: Network, home: Path, tools: Tools) -> None:
    made = Starlette(routes=[WebSocketRoute("/_stcore/stream", echo), *routes_of_the_app.routes()], middleware=middleware())
    client = sign_in(TestClient(made, base_url=HERE), MEMBER)
    with client.websocket_connect("ws://127.0.0.1/_stcore/stream") as socket:
        time.sleep(2 * guard.CHECKED_SECONDS)
        with network.cut("reset"):
            socket.send_text("draw")
            assert socket.receive_text() == "draw"
            refused = client.get("/api/status")
            assert refused.status_code == 503 and WORDS in refused.json()["error"]
        time.sleep(2 * guard.CHECKED_SECONDS)
        socket.send_text("again")
        assert socket.receive_text() == "again"


def test_who_opens_a_page_is_told_in_words_and_comes_to_it_afterwards(network: Network, home: Path, tools: Tools) -> None:
    made = Starlette(routes=routes_of_the_app.routes(), middleware=middleware())
    client = sign_in(TestClient(made, base_url=HERE, follow_redirects=False), MEMBER)
    with network.cut("reset"):
        told = client.get(f"{HERE}//example.org/admin?admin_tab=Tasks", headers=PAGE)
        assert told.status_code == 503 and told.headers["content-type"].startswith("text/html")
        assert UNREACHABLE_FOR_MEMBERS in told.text and f":{network.port}" not in told.text
        assert f'content="{guard.AGAIN_SECONDS}"' in told.text and 'href="/example.org/admin?admin_tab=Tasks"' in told.text
    client.cookies.clear()
    assert client.get("/admin", headers=PAGE).headers["location"].startswith("/sign-in")
