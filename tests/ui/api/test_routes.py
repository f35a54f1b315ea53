"""Other programs ask and search with a token, as its owner would, and change nothing."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from prompts.stop import Stop
from tests import loops
from tests.ui.opened import add_folder
from tests.ui.people import MEMBER, tools_of
from tree.ask.ask import Event, TextPiece
from tree.store.errors import FOR_MEMBERS, FolderTrouble
from tree.store.models import Source
from ui.api import limits
from ui.api import routes as routes_api
from ui.api.description import OPENAPI
from ui.server import routes
from ui.server.guard import NOT_SIGNED_IN
from ui.server.service import middleware
from ui.server.tools import Tools

HERE = "http://127.0.0.1"


@pytest.fixture
def secret(tools: Tools, source: Source, tmp_path: Path) -> Source:
    """A source for nobody, beside one for everybody."""
    added = add_folder(tools, tmp_path / "secret", {"pay.md": "# Pay\n\nThe quartermaster earns 61,000 crowns.\n"}, "Payroll")
    tools.admin.set_audience(added.id, [])
    return added


@pytest.fixture
def member(secret: Source) -> Tools:
    return tools_of(MEMBER)


@pytest.fixture
def client(member: Tools) -> Iterator[TestClient]:
    """With a token of the member."""
    token = member.accounts.tokens.add(member.principal.person_id, "script")
    made = Starlette(routes=[*routes_api.routes(), *routes.routes(), *routes.others()], middleware=middleware())
    yield TestClient(made, base_url=HERE, headers={"Authorization": f"Bearer {token}"})


def test_a_question_is_answered_as_on_the_command_line(client: TestClient) -> None:
    said = client.post("/api/ask", json={"question": "What is drift?"})
    assert said.status_code == 200 and said.headers["cache-control"] == "no-store"
    answer = said.json()
    assert (
        answer["verdict"] == "complete" and "between a change" in answer["answer"] and answer["citations"][0]["source"] == "Team"
    )


def test_an_answer_is_streamed_step_by_step(client: TestClient) -> None:
    with client.stream(
        "POST", "/api/ask", json={"question": "Where are the spare keys?"}, headers={"Accept": "text/event-stream"}
    ) as said:
        assert said.headers["content-type"].startswith("text/event-stream")
        events = [block.split("\n") for block in "".join(said.iter_text()).strip().split("\n\n")]
    names = [name.removeprefix("event: ") for name, _ in events]
    assert names[0] == "step" and names[-1] == "answer" and "text" in names
    said_in_pieces = "".join(json.loads(data.removeprefix("data: "))["text"] for name, data in events if name == "event: text")
    assert json.loads(events[-1][1].removeprefix("data: "))["answer"] == said_in_pieces.strip()


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 422, "openapi"),
        (b"[]", 422, "openapi"),
        (b"{", 422, "openapi"),
        (b'{"question": ""}', 422, "question"),
        (b'{"question": "?"}', 400, "no word"),
        (b'{"question": "What is drift?", "sources": ["Nowhere"]}', 404, "Team"),
        (b'{"question": "What is drift?", "sources": ["Payroll"]}', 404, "no source called"),
        (b'{"question": "What is drift?", "as_of": "soon"}', 422, "as_of"),
        (b'{"question": "What is drift?", "remove": true}', 422, "remove"),
        (b'{"question": "' + b"x" * 200_000 + b'"}', 413, "100,000"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(client: TestClient, body: bytes, status: int, said: str) -> None:
    answer = client.post("/api/ask", content=body)
    assert (
        answer.status_code == status
        and said in answer.json()["error"]
        and "Payroll" not in answer.json()["error"].replace("“Payroll”", "")
    )


def test_a_token_shows_what_its_owner_may_see(client: TestClient, secret: Source) -> None:
    asked = client.post("/api/ask", json={"question": "What does the quartermaster earn?"})
    answers = [
        asked,
        client.get("/api/search?q=quartermaster"),
        client.get("/api/changes"),
        client.get(f"/api/open?place={secret.id}/"),
        client.get("/api/status"),
    ]
    for answer in answers:
        assert "61,000" not in answer.text and "Payroll" not in answer.text and secret.id not in answer.text
    assert client.get(f"/api/open?place={secret.id}/").text == client.get("/api/open?place=nothing/").text


def test_places_are_found_and_opened(client: TestClient, source: Source) -> None:
    found = client.get("/api/search?q=spare keys").json()["passages"][0]
    opened = client.get("/api/open", params={"place": found["place"]}).json()
    assert "cellar" in opened["text"] and opened["path"][0]["title"] == "Team"
    root = client.get("/api/open", params={"place": f"{source.id}/"}).json()
    assert root["text"] is None and {child["title"] for child in root["children"]} >= {"Glossary"}
    assert client.get("/api/search").status_code == 422


def test_changes_are_told_by_day(client: TestClient, source: Source) -> None:
    [change] = client.get("/api/changes").json()["changes"]
    assert (change["how"], change["source"], change["place"]) == ("first", "Team", f"{source.id}/")
    assert client.get("/api/changes?since=2020-01-01").status_code == 422
    assert client.get("/api/changes?since=yesterday").status_code == 422


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer nothing", "Bearer kt_", "Basic YTpi"])
def test_without_a_token_that_holds_nothing_is_told(client: TestClient, token: str) -> None:
    for answer in (
        client.post("/api/ask", json={"question": "What is drift?"}, headers={"Authorization": token}),
        client.get("/api/openapi.json", headers={"Authorization": token}),
    ):
        assert answer.status_code == 401 and answer.json() == {"error": NOT_SIGNED_IN}


def test_a_token_that_was_deleted_is_refused_at_once(client: TestClient, member: Tools) -> None:
    assert client.get("/api/openapi.json").status_code == 200
    [token] = member.accounts.tokens.of(member.principal.person_id)
    member.accounts.tokens.end(member.principal.person_id, token.id)
    assert client.get("/api/openapi.json").status_code == 401


def test_nothing_can_be_changed(client: TestClient) -> None:
    for path in OPENAPI["paths"]:
        for method in ("PUT", "PATCH", "DELETE"):
            assert client.request(method, path).status_code == 405
    assert client.post("/api/search").status_code == 405 and client.get("/api/ask").status_code == 405


def test_the_description_names_every_route(client: TestClient) -> None:
    said = client.get("/api/openapi.json").json()
    assert set(said["paths"]) | {"/api/openapi.json"} == {route.path for route in routes_api.routes()}


def test_too_many_questions_have_to_wait(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.questions, "tries", 2)
    statuses = [client.post("/api/ask", json={"question": "What is drift?"}).status_code for _ in range(4)]
    assert statuses.count(429) >= 2


def test_of_streams_no_more_are_answered_at_once_than_of_other_questions() -> None:
    lock, open_ones, most = threading.Lock(), [0], [0]

    def events() -> Iterator[Event]:
        with lock:
            open_ones[0] += 1
            most[0] = max(most[0], open_ones[0])
        yield TextPiece("Spare ")
        yield TextPiece("keys")
        with lock:
            open_ones[0] -= 1

    async def told() -> None:
        assert len([one async for one in routes_api._streamed(events, Stop())]) == 2

    async def all_of_them() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(3 * limits.AT_ONCE):
                group.start_soon(told)

    loops.run(all_of_them)
    assert 0 < most[0] <= limits.AT_ONCE and open_ones == [0]


def test_streams_that_nobody_reads_on_keep_no_question_waiting() -> None:
    def events() -> Iterator[Event]:
        yield from map(TextPiece, ("Spare ", "keys"))

    async def read() -> list[str]:
        left = [routes_api._streamed(events, Stop()) for _ in range(2 * limits.AT_ONCE)]
        begun = [await anext(one) for one in left]
        said = [one async for one in routes_api._streamed(events, Stop())]
        for one in left:
            await one.aclose()
        return begun + said

    assert len(loops.run(read)) == 2 * limits.AT_ONCE + 2


def test_a_stream_ends_with_what_went_wrong_and_stops_with_its_reader() -> None:
    def fails() -> Iterator[Event]:
        yield TextPiece("Spare ")
        raise FolderTrouble("The disk that holds /srv/tree is full.")

    def goes_on() -> Iterator[Event]:
        try:
            while True:
                yield TextPiece("and ")
                time.sleep(0.001)
        finally:
            ended.set()

    stop, ended = Stop(), threading.Event()

    async def read() -> list[str]:
        said = [one async for one in routes_api._streamed(fails, Stop())]
        hung_up = routes_api._streamed(goes_on, stop)
        await anext(hung_up)
        await hung_up.aclose()
        return said

    said = loops.run(read)
    assert said[-1].startswith("event: error") and FOR_MEMBERS in said[-1] and "/srv" not in said[-1]
    assert ended.wait(20)
