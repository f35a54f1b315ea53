"""The door for webhooks, rung through the server's own routes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Message

from connectors.base import LARGEST_DELIVERY
from ingestion.webhooks import SECRET
from tests import loops
from tests.ingestion.test_webhooks import MINE, sign, updated
from tests.ui.people import sign_in
from tree.store.models import Source
from ui.server import routes
from ui.server import webhook_routes as routes_hooks
from ui.server.middleware import middleware
from ui.server.tools import Tools

HERE = "http://127.0.0.1"


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    """The routes in one server, which requests reach from several threads at once."""
    made = Starlette(routes=[*routes.routes(), *routes_hooks.routes(), *routes.others()], middleware=middleware())
    with TestClient(made, base_url=HERE) as client:
        yield client


@pytest.fixture
def jira(tools: Tools) -> Source:
    config = {"url": "https://team.example", "auth": "pat", "projects": ["GANG"]}
    return tools.sources.add("jira", "Tickets", config, {"token": "t", SECRET: MINE})


def ring(client: TestClient, source_id: str, body: bytes, identifier: str = "", signature: str = "") -> tuple[int, str]:
    headers = {"X-Hub-Signature": signature or sign(body), "X-Atlassian-Webhook-Identifier": identifier}
    answer = client.post(f"/hooks/jira/{source_id}", content=body, headers=headers)
    return answer.status_code, answer.json()["message"]


def test_a_delivery_of_jira_is_taken_and_one_that_comes_again_is_known(client: TestClient, tools: Tools, jira: Source) -> None:
    assert ring(client, jira.id, updated(10001), "one") == (200, "Thank you.")
    assert ring(client, jira.id, updated(10001), "one") == (200, "Known already.")
    assert set(tools.sources.hints(jira.id)) == {"10001"}


def test_bad_signatures_altered_bodies_and_unknown_sources_are_refused(client: TestClient, tools: Tools, jira: Source) -> None:
    assert ring(client, jira.id, updated(10001), signature="sha256=" + "0" * 64)[0] == 401
    assert ring(client, jira.id, updated(10002), signature=sign(updated(10001)))[0] == 401
    assert client.post(f"/hooks/jira/{jira.id}", content=updated(10001)).status_code == 401
    assert ring(client, "nothing", updated(10001))[0] == 404
    assert tools.sources.hints(jira.id) == {}


def test_the_signature_is_over_the_bytes_and_not_over_what_they_mean(client: TestClient, jira: Source) -> None:
    body = b'{ "webhookEvent":"jira:issue_updated",\r\n "issue":{"id":"10001"} , "note":"\xc3\xbc"}'
    assert ring(client, jira.id, body)[0] == 200


def test_a_huge_body_is_refused_whether_it_is_announced_or_not(client: TestClient, jira: Source) -> None:
    assert ring(client, jira.id, b"x" * (LARGEST_DELIVERY + 1))[0] == 413
    pieces = (b"x" * 1_000_000 for _ in range(LARGEST_DELIVERY // 1_000_000 + 1))
    answer = client.post(f"/hooks/jira/{jira.id}", content=pieces, headers={"X-Hub-Signature": "sha256=0"})
    assert answer.status_code == 413 and "megabytes" in answer.json()["message"]


class Delivery:
    """One POST whose body comes as it is let through; called as a server calls the app."""

    def __init__(self, address: str, headers: dict[str, str], body: bytes, gate: anyio.Event) -> None:
        self.names = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self.address, self.body, self.gate = address, body, gate
        self.is_read, self.status = False, 0

    async def go_through(self, app: Starlette) -> None:
        scope = {
            "type": "http",
            "method": "POST",
            "path": self.address,
            "headers": self.names,
            "query_string": b"",
            "root_path": "",
        }
        await app(scope, self._receive, self._send)

    async def _receive(self) -> Message:
        self.is_read = True
        await self.gate.wait()
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)


@pytest.mark.parametrize("missing", ["source", "secret", "signature"])
def test_a_body_that_nobody_waits_for_is_not_read(tools: Tools, jira: Source, source: Source, missing: str) -> None:
    source_id = {"source": "nothing", "secret": source.id, "signature": jira.id}[missing]
    headers = {} if missing == "signature" else {"X-Hub-Signature": sign(updated(10001))}

    async def deliver() -> Delivery:
        delivery = Delivery(f"/hooks/jira/{source_id}", headers, updated(10001), anyio.Event())
        await delivery.go_through(Starlette(routes=routes_hooks.routes()))
        return delivery

    delivery = loops.run(deliver)
    assert not delivery.is_read and delivery.status == (401 if missing == "signature" else 404)


def test_only_a_few_bodies_are_read_at_once(tools: Tools, jira: Source) -> None:
    async def deliver() -> list[Delivery]:
        app, gate = Starlette(routes=routes_hooks.routes()), anyio.Event()
        bodies = [updated(10_000 + number) for number in range(12)]
        all_of_them = [Delivery(f"/hooks/jira/{jira.id}", {"X-Hub-Signature": sign(body)}, body, gate) for body in bodies]
        async with anyio.create_task_group() as group:
            for delivery in all_of_them:
                group.start_soon(delivery.go_through, app)
            while routes_hooks._reading.statistics().tasks_waiting < len(all_of_them) - routes_hooks.AT_ONCE:
                await anyio.sleep(0.01)
            assert sum(delivery.is_read for delivery in all_of_them) <= routes_hooks.AT_ONCE
            gate.set()
        return all_of_them

    assert [delivery.status for delivery in loops.run(deliver)] == [200] * 12
    assert len(tools.sources.hints(jira.id)) == 12


def test_the_address_says_what_it_is_and_takes_nothing_but_post(client: TestClient, jira: Source) -> None:
    told = client.get(f"/hooks/jira/{jira.id}")
    assert told.status_code == 200 and "System › WebHooks" in told.json()["message"]
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS"):
        refused = client.request(method, f"/hooks/jira/{jira.id}")
        assert refused.status_code == 405 and "POST" in refused.headers["allow"]


def test_a_burst_loses_nothing_and_the_pages_are_answered_meanwhile(client: TestClient, tools: Tools, jira: Source) -> None:
    slowest, done = [0.0], threading.Event()
    sign_in(client)

    def look() -> None:
        while not done.is_set():
            began = time.monotonic()
            assert client.get("/api/status").status_code == 200
            slowest[0] = max(slowest[0], time.monotonic() - began)

    with ThreadPoolExecutor(17) as pool:
        looking = pool.submit(look)
        answers = list(pool.map(lambda n: ring(client, jira.id, updated(30_000 + n), f"burst-{n}")[0], range(60)))
        done.set()
        looking.result()
    assert answers == [200] * 60
    assert len(tools.sources.hints(jira.id)) == 60
    assert slowest[0] < 5
