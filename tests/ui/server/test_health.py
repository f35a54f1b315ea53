"""Health and metrics: open or closed as they should be, right, and without a word of what is in the app."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.ui.people import ADMIN, MEMBER, sign_in, token_of
from tree.store.models import Source
from ui.server import health
from ui.server import tools as opened
from ui.server.guard import METRICS_TOKEN_VARIABLE
from ui.server.middleware import middleware
from ui.server.prometheus import Histogram, as_text, gauge
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

TOKEN = "a long token for metrics"
QUESTION = "How do I restore the orders database?"
LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (\d+(\.\d+)?)')


class Worker:
    restarts = 2

    def __init__(self, is_alive: bool = True) -> None:
        self.is_alive = is_alive


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    health.watch(Worker())
    yield TestClient(Starlette(routes=health.routes(), middleware=middleware()), base_url="http://127.0.0.1")
    health.watch(None)


def test_health_is_open_and_says_one_word(client: TestClient) -> None:
    answer = client.get("/health")
    assert (answer.status_code, answer.text) == (200, "ok") and answer.headers["cache-control"] == "no-store"
    assert client.head("/health").status_code == 200 and client.post("/health").status_code == 405


def test_health_tells_of_a_worker_that_died_and_of_a_database_that_is_gone(client: TestClient, home: Path) -> None:
    for worker in (Worker(is_alive=False), None):
        health.watch(worker)
        answer = client.get("/health")
        assert (answer.status_code, answer.text) == (503, "worker")
    health.watch(Worker())
    opened.tools()
    (home / "knowledge.db").rename(home / "elsewhere.db")
    answer = client.get("/health")
    assert (answer.status_code, answer.text) == (503, "database")


def test_health_tells_of_a_disk_with_no_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "ROOM_SECONDS", 0)
    assert client.get("/health").text == "ok"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (health.ROOM_BYTES // 2, before[1]))  # no file may grow beyond, as on a full disk
    try:
        answer = client.get("/health")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (answer.status_code, answer.text) == (503, "disk")
    assert client.get("/health").text == "ok"


def test_a_database_that_cannot_be_opened_is_told(client: TestClient, home: Path) -> None:
    home.mkdir()
    (home / "knowledge.db").write_bytes(b"not a database" * 100)
    assert client.get("/health").text == "database"


def test_metrics_are_for_admins_and_for_the_token(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_token(token: str, path: str = "/metrics") -> int:
        return client.get(path, headers={"Authorization": f"Bearer {token}".encode()}).status_code

    assert client.get("/metrics").status_code == 401 and with_token("") == with_token(TOKEN) == 401
    for short in ("", "short"):
        monkeypatch.setenv(METRICS_TOKEN_VARIABLE, short)
        assert with_token(short) == 401, "what could be guessed opens nothing"
    monkeypatch.setenv(METRICS_TOKEN_VARIABLE, TOKEN)
    assert with_token(TOKEN) == 200 and with_token(TOKEN + "x") == with_token("ä") == 401
    assert with_token(TOKEN, "/api/status") == 401, "it opens nothing else"
    assert client.get("/metrics", headers={"Authorization": f"Basic {TOKEN}"}).status_code == 401
    token_of(ADMIN), token_of(MEMBER)
    people = opened.tools().accounts.people
    of_admin = opened.tools().accounts.tokens.add(people.with_email(ADMIN).id, "a program")
    assert with_token(of_admin) == 401, "a program never has the rights of an admin"
    assert sign_in(client, MEMBER).get("/metrics").status_code == 403
    assert sign_in(client, ADMIN).get("/metrics").status_code == 200


def test_metrics_count_without_naming(tools: Tools, source: Source, client: TestClient) -> None:
    turn = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(30)
    verdict = tools.chats.turns.get(turn.id).answer["verdict"]
    answer = sign_in(client).get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    assert all(LINE.fullmatch(line) for line in lines)
    for expected in (f'knowledge_tree_documents{{source="{source.id}"}} 4', f'knowledge_tree_failures{{source="{source.id}"}} 0',
                     'knowledge_tree_sources{state="ready"} 1', f'knowledge_tree_question_seconds_count{{verdict="{verdict}"}} 1',
                     f'knowledge_tree_question_seconds_bucket{{verdict="{verdict}",le="+Inf"}} 1', "knowledge_tree_questions_unfinished 0",
                     "knowledge_tree_worker_up 1", "knowledge_tree_worker_restarts_total 2", 'knowledge_tree_model_tokens_today{kind="input"} 0',
                     f"knowledge_tree_sessions {tools.accounts.sessions.count()}"):  # fmt: skip
        assert expected in lines
    size = next(line for line in lines if 'file="knowledge"' in line)
    assert float(size.split()[1]) >= (tools.workspace.home / "knowledge.db").stat().st_size
    assert not any(word in answer.text for word in ("restore", "Team", "orders", "glossary", "Yusuf", "Ada", "example.org"))


def test_a_histogram_counts_what_is_below_each_limit() -> None:
    histogram = Histogram((0.5, 2.0))
    for seconds in (0.5, 0.6, 99.0):
        histogram.add("none", seconds)
    text = as_text([histogram.as_metric("x", "X.", "verdict"), gauge("y", "Y.", ({"a": 'q"\\\n'}, 1))])
    found = re.findall(r'le="(.+)"} (\d+)', text)
    assert found == [("0.5", "1"), ("2", "2"), ("+Inf", "3")] and 'x_sum{verdict="none"} 100.1' in text
    assert 'y{a="q\\"\\\\\\n"} 1\n' in text and text.startswith("# HELP x X.\n# TYPE x histogram\n")
