"""Two apps on one PostgreSQL: what is changed by way of one holds for the other, of what is drawn on each page within a tenth of a second."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ingestion.sources import Sources
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.reading import read
from tests.ui.opened import add_folder, open_tools
from tests.ui.people import MEMBER, sign_in, tools_of
from tree.accounts.accounts import Accounts, open_accounts
from tree.store.database import LOOK_SECONDS
from tree.store.models import Source
from tree.workspace import DATABASE_VARIABLE, Workspace, open_workspace
from ui.api import routes as routes_api
from ui.server import routes
from ui.server import tools as opened
from ui.server.middleware import middleware

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)

SEEN_SECONDS = 2 * LOOK_SECONDS  # until a process sees what another one wrote
QUESTION = "What does the quartermaster earn?"


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """The other app has a data folder of its own."""
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        tools = open_tools(monkeypatch, tmp_path / "home")
        add_folder(tools, tmp_path / "pay", {"pay.md": "# Pay\n\nThe quartermaster earns 61,000 crowns.\n"}, "Payroll")
        with closing(open_workspace(tmp_path / "other")) as there:
            yield there
        opened.close()


@pytest.fixture
def accounts(other: Workspace) -> Accounts:
    return open_accounts(other.database)


@pytest.fixture
def source(other: Workspace) -> Source:
    [source] = Sources(other.database).all()
    return source


@pytest.fixture
def client(other: Workspace) -> TestClient:
    """Of this app, with the session of a member."""
    made = Starlette(routes=[*routes_api.routes(), *routes.routes()], middleware=middleware())
    return sign_in(TestClient(made, base_url="http://127.0.0.1", follow_redirects=False), MEMBER)


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def told(client: TestClient, source: Source, token: str) -> list[bool]:
    """Where anything of the source is told: in an answer, a search, a list of changes, the line of its state, its original."""
    asked: list[Any] = [
        client.post("/api/ask", json={"question": QUESTION}, headers=bearing(token)),
        client.get("/api/search?q=quartermaster", headers=bearing(token)),
        client.get("/api/changes", headers=bearing(token)),
        client.get("/api/status"),
        client.get(f"/files/{source.id}/pay.md"),
    ]
    return [any(word in answer.text for word in ("61,000", "Payroll")) for answer in asked]


def test_who_may_see_a_source_is_so_in_the_other_app_within_a_tenth_of_a_second(
    client: TestClient, other: Workspace, accounts: Accounts, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = accounts.tokens.add(tools_of(MEMBER).principal.person_id, "A program")
    monkeypatch.setattr("ui.server.routes._board", routes.StatusBoard())
    group = accounts.people.add_group("Office")
    for _ in range(2):
        assert told(client, source, token) == [True] * 5
        Sources(other.database).set_audience(source.id, [group])
        time.sleep(SEEN_SECONDS)
        assert told(client, source, token) == [False] * 5
        Sources(other.database).set_audience(source.id, None)
        time.sleep(SEEN_SECONDS)


def test_an_account_that_is_deactivated_in_one_app_is_none_in_the_other(client: TestClient, accounts: Accounts) -> None:
    person = tools_of(MEMBER).principal.person_id
    token = accounts.tokens.add(person, "A program")
    ask = {"question": QUESTION}
    assert client.get("/api/status").status_code == 200
    assert client.post("/api/ask", json=ask, headers=bearing(token)).status_code == 200
    accounts.people.set_active(person, False)
    assert client.get("/api/status").status_code == 401
    assert client.post("/api/ask", json=ask, headers=bearing(token)).status_code == 401
    accounts.people.set_active(person, True)
    assert client.get("/api/status").status_code == 401, "its sessions have ended"


def test_what_the_worker_of_the_other_app_has_read_is_what_is_answered(
    client: TestClient, other: Workspace, accounts: Accounts, source: Source, tmp_path: Path
) -> None:
    token = accounts.tokens.add(tools_of(MEMBER).principal.person_id, "A program")
    sources = Sources(other.database)
    for crowns in ("62,000", "63,000"):
        (tmp_path / "pay" / "pay.md").write_text(f"# Pay\n\nThe quartermaster earns {crowns} crowns.\n", "utf-8")
        read(other, sources, source)
        answer = client.post("/api/ask", json={"question": QUESTION}, headers=bearing(token)).text
        assert crowns in answer and "61,000" not in answer
    sources.mark_removing(source.id)
    gone = client.post("/api/ask", json={"question": QUESTION}, headers=bearing(token)).text
    assert "63,000" not in gone and "Payroll" not in gone
