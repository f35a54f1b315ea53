"""While another program writes to the database, what is looked at is drawn, and who waits to write is told so."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.ui.people import ADMIN, MEMBER, sign_in, signed_in
from tests.ui.server.test_answering import until
from tests.ui.server.test_routes import HERE, server
from tree.store.errors import BUSY_FOR_MEMBERS
from tree.store.home import MOVED
from tree.store.models import Source
from ui.server import routes
from ui.server.tools import Tools

APP = Path(__file__).parents[2] / "app.py"


@contextmanager
def held(home: Path) -> Iterator[None]:
    with closing(sqlite3.connect(home / "knowledge.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def hurried(tools: Tools, source: Source) -> Iterator[None]:
    """Nobody waits for long."""
    writing = tools.workspace.database.backend.writing

    def hurry(connection: sa.Connection) -> None:
        connection.connection.cursor().execute("PRAGMA busy_timeout = 100")

    sa.event.listen(writing, "begin", hurry, insert=True)
    yield
    sa.event.remove(writing, "begin", hurry)


def test_pages_are_told_that_somebody_waits_and_that_it_is_over(tools: Tools, source: Source, home: Path) -> None:
    client = sign_in(TestClient(server(), base_url=HERE), MEMBER)

    def is_busy() -> bool:
        return bool(client.get("/api/status").json()["busy"])

    assert not is_busy()
    asking = Thread(target=lambda: tools.chats.running.begin("What is drift?", owner=tools.principal.person_id))
    with held(home):
        asking.start()
        until(is_busy)
        assert tools.workspace.database.waited_seconds > routes.BUSY_SECONDS
    asking.join()
    assert not is_busy() and tools.workspace.database.waited_seconds == 0


@pytest.mark.parametrize(("email", "words"), [(MEMBER, BUSY_FOR_MEMBERS), (ADMIN, "knowledge.db")])
def test_who_asks_is_given_the_question_back(tools: Tools, hurried: None, home: Path, email: str, words: str) -> None:
    page = signed_in(AppTest.from_file(APP, default_timeout=30), email).run()
    with held(home):
        page.chat_input[0].set_value("What is drift?").run()
        [error] = page.error
        assert words in error.value and not page.exception
    page.chat_input[0].set_value("What is drift?").run()
    assert not page.error and not page.exception


def test_a_page_that_could_not_be_drawn_is_tried_again(tools: Tools, source: Source, home: Path) -> None:
    page = signed_in(AppTest.from_file(APP, default_timeout=30), MEMBER)
    (home / MOVED).write_text("elsewhere", "utf-8")
    page.run()
    assert "was moved to elsewhere" in page.error[0].value and not page.exception
    (home / MOVED).unlink()
    page.button(key="try-again").click().run()
    assert not page.error and page.chat_input
