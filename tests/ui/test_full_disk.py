"""A database that cannot grow: members are told in words, admins also where."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from tests.ui.chat.test_page import APP
from tests.ui.people import ADMIN, MEMBER, signed_in, tools_of
from tests.ui.server.cut_off_ask import cut_off
from tests.ui.server.test_answering import SECONDS, until
from tree.store.errors import FOR_MEMBERS
from tree.store.models import Source
from ui.server.answering.processes import AnsweringProcesses
from ui.server.background_answers import BackgroundAnswers
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

CUT_OFF = "tests.ui.server.cut_off_ask:cut_off"
LONG = "What is drift? " * 500  # has to be kept on pages of its own


@pytest.fixture
def full(tools: Tools, source: Source) -> Iterator[None]:
    """SQLite's own limit: what is written finds no room, as on a full disk."""
    writing = tools.workspace.database.backend.writing

    def limit(connection: sa.Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    tools_of(MEMBER)  # their account is there before
    sa.event.listen(writing, "begin", limit)
    yield
    sa.event.remove(writing, "begin", limit)


@pytest.mark.parametrize(("email", "is_told_where"), [(MEMBER, False), (ADMIN, True)])
def test_who_asks_is_told_in_words_and_an_admin_where(tools: Tools, full: None, email: str, is_told_where: bool) -> None:
    page = signed_in(AppTest.from_file(APP, default_timeout=30), email).run()
    page.chat_input[0].set_value(LONG).run()
    [error] = page.error
    home = str(tools.workspace.home)
    assert (home in error.value) == is_told_where and "full" in error.value and not page.exception
    assert is_told_where or error.value == FOR_MEMBERS


@pytest.fixture(params=["here", "in a process of its own"])
def answers(request: pytest.FixtureRequest, tools: Tools, source: Source) -> Iterator[BackgroundAnswers]:
    """That find no room for what they read."""
    if request.param == "here":
        yield BackgroundAnswers(tools.workspace, tools.chats, cut_off)
        return
    opened = AnsweringProcesses(tools.workspace.home, CUT_OFF, most=1, few=0)
    until(lambda: opened.are_wanted(1))
    yield BackgroundAnswers(tools.workspace, tools.chats, processes=opened)
    opened.close()


def test_an_answer_that_cannot_be_kept_says_so_without_a_path(tools: Tools, answers: BackgroundAnswers) -> None:
    turn = answers.start("What is drift?", QuestionScope(), tools_of(MEMBER).principal.person_id)
    assert answers.of(turn.id).ended.wait(SECONDS)
    kept = tools.chats.turns.get(turn.id)
    assert (kept.state, kept.message) == ("failed", FOR_MEMBERS)
