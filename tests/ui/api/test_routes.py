"""Other programs ask and search with a token, as its owner would, and change nothing."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import httpx
import pytest
from jsonschema import Draft202012Validator
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prompts.stop import Stop
from prompts.usage import Usage
from tests import loops
from tests.ui.conftest import read_again
from tests.ui.opened import add_folder
from tests.ui.people import MEMBER, tools_of
from tree.accounts.principal import Principal
from tree.ask.ask import Event, TextPiece
from tree.ask.snapshot.answer import Answer, AsideAt, MarkAt, StepText
from tree.ask.snapshot.corrections import Correction
from tree.ask.snapshot.snapshot import Unreachable
from tree.serve.requests import FAULT, ChangesRequest
from tree.store.errors import FOR_MEMBERS, FolderTrouble
from tree.store.models import Source
from ui.api import limits
from ui.api import routes as routes_api
from ui.api.description import EVENTS, describe
from ui.api.schemas import references
from ui.server import guard, routes
from ui.server.guard import NOT_SIGNED_IN, VISITOR
from ui.server.middleware import middleware
from ui.server.program_answers import AT_ONCE, MOST_OF_ONE, OF_ONE, STOPPED, ProgramAnswers
from ui.server.tools import Tools
from ui.server.visitor import Known

SCHEMA = Path(__file__).parent / "openapi-3.1.schema.json"  # of https://spec.openapis.org/oas/3.1/schema/2022-10-07
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


class DescribedClient(TestClient):
    """A client to which nothing is answered that the description does not list."""

    def send(self, request: httpx.Request, **how: Any) -> httpx.Response:
        said = super().send(request, **how)
        for operation in describe()["paths"].get(request.url.path, {}).values():
            assert str(said.status_code) in operation["responses"], f"{request.method} {request.url}: {said.status_code}"
        return said


@pytest.fixture
def client(member: Tools) -> Iterator[TestClient]:
    """With a token of the member."""
    token = member.accounts.tokens.add(member.principal.person_id, "script")
    made = Starlette(routes=[*routes_api.routes(), *routes.routes(), *routes.others()], middleware=middleware())
    yield DescribedClient(made, base_url=HERE, headers={"Authorization": f"Bearer {token}"})


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
    for path in describe()["paths"]:
        for method in ("PUT", "PATCH", "DELETE"):
            assert client.request(method, path).status_code == 405
    assert client.post("/api/search").status_code == 405 and client.get("/api/ask").status_code == 405


def test_the_description_names_every_route(client: TestClient) -> None:
    said = client.get("/api/openapi.json").json()
    assert set(said["paths"]) | {"/api/openapi.json"} == {route.path for route in routes_api.routes()}


def every_object_closed(schema: Any) -> Any:
    """A schema that refuses a field it does not describe."""
    if isinstance(schema, list):
        return [every_object_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: every_object_closed(value) for key, value in schema.items()}
    return {**closed, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else closed


def assert_described(told: Any, schema: dict[str, Any]) -> None:
    """Every field is one that the description has, and the other way round."""
    components = every_object_closed(describe()["components"])
    Draft202012Validator({**every_object_closed(schema), "components": components}).validate(told)


def response(path: str, method: str = "get", media: str = "application/json") -> dict[str, Any]:
    return describe()["paths"][path][method]["responses"]["200"]["content"][media]["schema"]


def test_the_description_is_openapi_3_1() -> None:
    """Against the schema that the OpenAPI initiative publishes, and each schema in it against that of JSON schemas."""
    told = json.loads(json.dumps(describe()))
    Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(told)
    schemas = told["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    assert set(references(told)) == set(schemas), "each is used, and none is missing"


QUESTIONS = (
    "What is drift?", "How do I restore the orders database?", "How long is parental leave?", "hello", "How many glosary entries?",
    "Which gates are open?", "Show me a chart of gates by state", "Where are the spare keys and what is drift?",
)  # fmt: skip
GATES = "# Gates\n\n| Gate | State |\n|---|---|\n| North | open |\n| South | shut |\n| East | open |\n"


def test_every_field_of_an_answer_is_described(client: TestClient, tools: Tools, source: Source, folder: Path) -> None:
    (folder / "gates.md").write_text(GATES, "utf-8")
    (folder / "runbooks" / "broken.pdf").write_bytes(b"no pdf at all")
    read_again(tools, source)
    filled: set[str] = set()
    for question in QUESTIONS:
        answer = client.post("/api/ask", json={"question": question}).json()
        assert_described(answer, response("/api/ask", "post"))
        filled |= {name for name, value in answer.items() if value}
    assert filled >= {"citations", "trail", "marks", "closest", "steps", "unread", "chart", "is_help"}, filled


def test_what_an_answer_rarely_has_is_described_too() -> None:
    answer = Answer(
        question="?", text="", verdict="none",
        asides=(AsideAt("cut", 0, 3),),
        did_you_mean=(Correction("Glossary", "What is the Glossary?"),), unreachable=(Unreachable("s1", "Team", True),),
        usage={**Usage().as_json(), "model": "m", "seconds": 0.1, "without_model": {"choose": 1}, "losses": {"quote": 2}, "cost": 0.1},
        steps=(StepText("Restore", 1, "Stop it [1].", ("Call Yusuf [1].",), (MarkAt(1, 8),), ((MarkAt(1, 11, (0,)),),)),),
        coverage={"leaves_read": 0, "leaves_total": 0, "unreadable": 0},
    )  # fmt: skip
    assert_described(answer.as_json(), response("/api/ask", "post"))
    assert {one.name for one in fields(Answer)} - {"text"} <= answer.as_json().keys()


def test_every_field_of_what_is_looked_up_is_described(client: TestClient) -> None:
    found = client.get("/api/search?q=drift").json()
    named = client.get("/api/search?q=glossary").json()
    assert found["passages"] and named["names"]
    for told in (found, named):
        assert_described(told, response("/api/search"))
    sources = client.get("/api/open").json()
    opened = [
        client.get("/api/open", params={"place": one["place"]}).json() for one in (*found["passages"], *sources["children"])
    ]
    assert (
        any(one["text"] for one in opened) and any(one["document"] for one in opened) and any(one["children"] for one in opened)
    )
    for told in (sources, *opened):
        assert_described(told, response("/api/open"))
    changes = client.get("/api/changes").json()
    assert changes["changes"]
    assert_described(changes, response("/api/changes"))


def test_every_event_of_a_stream_is_described(client: TestClient) -> None:
    stream = {"Accept": "text/event-stream"}
    said = client.post("/api/ask", json={"question": "Where are the spare keys?"}, headers=stream).text
    [events] = [one["items"]["oneOf"] for one in [response("/api/ask", "post", "text/event-stream")["contentSchema"]]]
    described = {one["properties"]["event"]["const"]: one["properties"]["data"]["contentSchema"] for one in events}
    names = set()
    for block in said.strip().split("\n\n"):
        name, data = (line.partition(": ")[2] for line in block.split("\n"))
        assert_described(json.loads(data), described[name])
        names.add(name)
    assert names == {"step", "text", "answer"}
    written = {one.args[0].value for one in ast.walk(ast.parse(inspect.getsource(routes_api))) if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "_sse"}  # type: ignore[attr-defined]  # fmt: skip
    assert set(described) == set(EVENTS) == written
    assert_described({"why": "It was deleted meanwhile."}, described["restart"])


def test_what_may_be_given_is_described_as_it_is_read(client: TestClient) -> None:
    [words] = describe()["paths"]["/api/search"]["get"]["parameters"]
    assert (words["name"], words["required"], words["schema"]["maxLength"]) == ("q", True, 500)
    changes = {one["name"]: one for one in describe()["paths"]["/api/changes"]["get"]["parameters"]}
    assert set(changes) == set(ChangesRequest.model_fields) and changes["since"]["schema"]["format"] == "date"
    assert client.get("/api/changes", params={"most": changes["most"]["schema"]["maximum"] + 1}).status_code == 422


def test_the_description_lists_every_status_that_the_code_answers() -> None:
    """Of the routes and of the guard before them; a status of a request is listed where it comes from (`DescribedClient`)."""
    listed = {status for one in describe()["paths"].values() for operation in one.values() for status in operation["responses"]}
    answered = {str(status) for module in (routes_api, guard) for status in statuses(module)}
    assert listed == answered | {"200"}


def statuses(module: ModuleType) -> Iterator[int]:
    """Of errors that a module answers, as they are written in it."""
    for call in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(call, ast.Call):
            numbers = [one.value for one in call.args if isinstance(one, ast.Constant) and type(one.value) is int]
            yield from (number for number in numbers if 400 <= number < 600)


def test_too_many_questions_have_to_wait(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.questions, "tries", 2)
    statuses = [client.post("/api/ask", json={"question": "What is drift?"}).status_code for _ in range(4)]
    assert statuses.count(429) >= 2


def test_a_program_that_waits_for_many_answers_has_to_wait(client: TestClient, member: Tools, held: Held) -> None:
    async def ask() -> int:
        stops = [Stop() for _ in range(MOST_OF_ONE)]
        waiting = [member.programs.answer(member.principal, held.one(stop), stop) for stop in stops]
        listening = [asyncio.create_task(anext(one)) for one in waiting]
        await until(lambda: member.programs.count(member.principal.person_id) == MOST_OF_ONE)
        status = await anyio.to_thread.run_sync(lambda: client.post("/api/ask", json={"question": "What is drift?"}).status_code)
        for one in listening:
            one.cancel()
        await until(lambda: member.programs.count(member.principal.person_id) == 0)
        return status

    assert loops.run(ask) == 429


# ---- streams

ADA = Principal("ada", "Ada", False)


class Held:
    """Questions that are answered once they are let go, or, where they `hear`, are stopped."""

    def __init__(self) -> None:
        self.begun, self.running, self.most = 0, 0, 0
        self.let_go = threading.Event()
        self._lock = threading.Lock()

    def one(self, stop: Stop, hears: bool = True) -> Callable[[], Iterator[Event]]:
        def begin() -> Iterator[Event]:
            with self._lock:
                self.begun, self.running = self.begun + 1, self.running + 1
                self.most = max(self.most, self.running)
            while not self.let_go.wait(0.01) and not (hears and stop.is_set):
                pass
            with self._lock:
                self.running -= 1
            yield TextPiece("Spare keys")

        return begin


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held()
    yield made
    made.let_go.set()


@pytest.fixture
def programs() -> Iterator[ProgramAnswers]:
    opened = ProgramAnswers()
    yield opened
    opened.close()


async def until(holds: Callable[[], bool]) -> None:
    with anyio.fail_after(20):
        while not holds():
            await anyio.sleep(0.01)


def test_no_more_are_answered_at_once_however_many_hang_up(programs: ProgramAnswers, held: Held) -> None:
    """One that hears of its stop late still takes a place until then."""

    async def hang_up(person: int) -> None:
        begin = held.one(stop := Stop(), hears=False)
        stream = routes_api._streamed(programs.answer(Principal(str(person), "", False), begin, stop))
        with anyio.move_on_after(0.05):
            await anext(stream)
        assert stop.is_set

    async def all_of_them() -> None:
        for person in range(3 * AT_ONCE):
            await hang_up(person)
        assert held.running == held.begun == AT_ONCE
        held.let_go.set()
        await until(lambda: held.running == 0)

    loops.run(all_of_them)
    assert held.most == AT_ONCE and held.begun == AT_ONCE, "whoever hung up before their turn is not answered"


def test_one_persons_programs_keep_nobody_elses_waiting(programs: ProgramAnswers, held: Held) -> None:
    async def ask() -> None:
        stops = [Stop() for _ in range(3 * AT_ONCE)]
        greedy = [programs.answer(ADA, held.one(stop), stop) for stop in stops]
        listening = [asyncio.create_task(anext(one)) for one in greedy]
        await until(lambda: held.running == OF_ONE)
        other = programs.answer(Principal("ben", "Ben", False), lambda: iter([TextPiece("Spare keys")]), Stop())
        with anyio.fail_after(20):
            assert [event async for event in other] == [TextPiece("Spare keys")]
        assert held.begun == OF_ONE and programs.count("ada") == len(stops)
        for one in listening:
            one.cancel()
        await until(lambda: programs.count("ada") == 0)

    loops.run(ask)


def test_streams_that_nobody_reads_on_keep_no_question_waiting(programs: ProgramAnswers) -> None:
    def events() -> Iterator[Event]:
        yield from map(TextPiece, ("Spare ", "keys"))

    def streamed() -> AsyncIterator[str]:
        return routes_api._streamed(programs.answer(ADA, events, Stop()))

    async def read() -> list[str]:
        left = [streamed() for _ in range(2 * AT_ONCE)]
        begun = [await anext(one) for one in left]
        said = [one async for one in streamed()]
        for one in left:
            await one.aclose()
        return begun + said

    assert len(loops.run(read)) == 2 * AT_ONCE + 2


@pytest.mark.parametrize(
    ("error", "words"),
    [(FolderTrouble("The disk that holds /srv/tree is full."), FOR_MEMBERS), (KeyError("/srv/tree"), FAULT)],
)
def test_a_stream_ends_with_what_went_wrong(
    programs: ProgramAnswers, caplog: pytest.LogCaptureFixture, error: Exception, words: str
) -> None:
    def fails() -> Iterator[Event]:
        yield TextPiece("Spare ")
        raise error

    async def read() -> list[str]:
        return [one async for one in routes_api._streamed(programs.answer(ADA, fails, Stop()))]

    said = loops.run(read)
    assert len(said) == 2 and said[-1].startswith("event: error") and words in said[-1] and "/srv" not in said[-1]
    assert ("the answering of a program's question failed" in caplog.text) == (words == FAULT)


def test_a_stream_stops_with_its_reader(programs: ProgramAnswers) -> None:
    def goes_on() -> Iterator[Event]:
        try:
            while True:
                yield TextPiece("and ")
                time.sleep(0.001)
        finally:
            ended.set()

    stop, ended = Stop(), threading.Event()

    async def read() -> None:
        hung_up = routes_api._streamed(programs.answer(ADA, goes_on, stop))
        await anext(hung_up)
        await hung_up.aclose()

    loops.run(read)
    assert ended.wait(20) and stop.is_set


def test_whoever_waits_is_told_when_the_app_ends(programs: ProgramAnswers, held: Held) -> None:
    async def ask() -> list[str]:
        stream = routes_api._streamed(programs.answer(ADA, held.one(Stop(), hears=False), Stop()))
        reading = asyncio.create_task(anext(stream))
        await until(lambda: held.running == 1)
        programs.close()
        return [await reading]

    assert STOPPED in loops.run(ask)[0]


# ---- without a stream


class Program:
    """A POST of a question, called as a server calls the app, which hangs up when it is told to."""

    def __init__(self) -> None:
        self.hangs_up, self.status = anyio.Event(), 0
        self._sent = [{"type": "http.request", "body": b'{"question": "What is drift?"}', "more_body": False}]

    async def ask(self, principal: Principal) -> None:
        scope = {"type": "http", "method": "POST", "path": "/api/ask", "headers": [], "query_string": b"", "root_path": "",
                 "client": None, "state": {VISITOR: Known(principal)}}  # fmt: skip
        await Starlette(routes=routes_api.routes())(scope, self._receive, self._send)

    async def _receive(self) -> Message:
        if self._sent:
            return self._sent.pop()
        await self.hangs_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)


def test_a_question_whose_program_has_hung_up_is_answered_no_further(member: Tools, held: Held) -> None:
    """It waits for its turn behind others of the same person, and is taken out."""

    async def ask() -> int:
        stops = [Stop() for _ in range(OF_ONE)]
        before = [member.programs.answer(member.principal, held.one(stop), stop) for stop in stops]
        listening = [asyncio.create_task(anext(one)) for one in before]
        await until(lambda: held.running == OF_ONE)
        program = Program()
        asking = asyncio.create_task(program.ask(member.principal))
        await until(lambda: member.programs.count(member.principal.person_id) == OF_ONE + 1)
        program.hangs_up.set()
        await asking
        await until(lambda: member.programs.count(member.principal.person_id) == OF_ONE)
        for one in listening:
            one.cancel()
        return program.status

    assert loops.run(ask) == 400


def test_a_fault_of_ours_is_told_without_what_it_was(caplog: pytest.LogCaptureFixture) -> None:
    async def fails(_request: Request, _principal: Principal) -> Response:
        raise KeyError("/srv/tree")

    app = Starlette(routes=[Route("/api/fails", routes_api._answering("GET", fails))])
    app.add_middleware(SignedIn)
    said = TestClient(app, base_url=HERE).get("/api/fails")
    assert said.status_code == 500 and said.json() == {"error": FAULT} and "a request of a program failed" in caplog.text


def test_a_store_that_fails_is_told_without_where_it_is() -> None:
    async def fails(_request: Request, _principal: Principal) -> Response:
        raise FolderTrouble("The disk that holds /srv/tree is full.")

    app = Starlette(routes=[Route("/api/fails", routes_api._answering("GET", fails))])
    app.add_middleware(SignedIn)
    said = TestClient(app, base_url=HERE).get("/api/fails")
    assert said.status_code == 503 and said.json() == {"error": FOR_MEMBERS}


class SignedIn:
    """Stands where the guard does, and lets everybody in as Ada."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app({**scope, "state": {VISITOR: Known(ADA)}}, receive, send)
