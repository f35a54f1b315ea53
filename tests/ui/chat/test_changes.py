"""What open pages ask for again and again: whether the chat is still as it was drawn, and what was added to an answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from prompts.model import ModelSettings
from tests.ui.conftest import read_again
from tests.ui.people import MEMBER, sign_in, tools_of
from tree.ask.ask import ask
from tree.store.language_model import ModelChoice
from tree.store.models import Source, Turn
from ui.chat.changes import chat_now, cited_by, cited_now, look
from ui.chat.routes import routes, waits_for_model
from ui.chat.visible import visible_turns
from ui.server import tools as opened
from ui.server.background_answers import BackgroundAnswer
from ui.server.guard import Guard
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

QUESTION = "How do I restore the orders database?"


@pytest.fixture
def turn(tools: Tools, source: Source) -> Turn:
    turn = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(30)
    return turn


@pytest.fixture
def client(tools: Tools) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=routes(), middleware=[Middleware(Guard)])) as client:
        yield sign_in(client)


def seen(tools: Tools, turn: Turn) -> str:
    turns = visible_turns(tools, tools.chats.turns.of_chat(turn.chat_id))
    return f"{chat_now(tools, turn.chat_id)}.{cited_now(cited_by(tools, turns))}"


def test_a_page_is_drawn_again_when_what_it_shows_changed(tools: Tools, source: Source, folder: Path, turn: Turn) -> None:
    drawn = seen(tools, turn)
    assert look(tools, turn.chat_id, 15, drawn) == drawn
    (folder / "glossary.md").write_text("# Glossary\n\nOther words.\n")
    read_again(tools, source)
    now = look(tools, turn.chat_id, 15, drawn)
    assert now not in ("", drawn), "what it does not cite is none of its business, and need not be looked at again"
    cited = folder / "runbooks/restore.md"
    cited.write_text(cited.read_text().replace("newest", "oldest"))
    read_again(tools, source)
    assert look(tools, turn.chat_id, 15, now) == ""

    drawn = seen(tools, turn)
    tools.admin.set_audience(source.id, [])
    assert look(tools_of(MEMBER), turn.chat_id, 15, drawn) == ""
    drawn = seen(tools, turn)
    assert tools.answers.of(
        tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id, turn.chat_id).id
    ).ended.wait(30)
    assert look(tools, turn.chat_id, 15, drawn) == ""


def test_a_chat_that_is_not_shared_tells_others_nothing(tools: Tools, turn: Turn, client: TestClient) -> None:
    address = f"/chats/{turn.chat_id}/changes?shown=15&seen={seen(tools, turn)}"
    assert client.get(address).json() == {"seen": seen(tools, turn)}
    assert client.post(address).status_code == 405 and client.get(f"/chats/{turn.chat_id}/changes?shown=all").status_code == 400
    sign_in(client, MEMBER)
    assert client.get(address).json() == client.get("/chats/none/changes?shown=15").json() == {"seen": ""}


def held(go_on: threading.Event) -> Callable[..., Iterator[Any]]:
    def asking(*arguments: Any, **options: Any) -> Iterator[Any]:
        for event in ask(*arguments, **options):
            yield event
            go_on.wait(30)

    return asking


@pytest.fixture
def gate(tools: Tools, source: Source) -> Iterator[threading.Event]:
    """The first event of each answer is told, and those after it once this is set."""
    go_on = threading.Event()
    opened.close()
    opened.answer_with(held(go_on))
    yield go_on
    go_on.set()
    opened.close()
    opened.answer_with(ask)


def test_what_is_added_to_an_answer_is_for_whoever_asked(gate: threading.Event, client: TestClient) -> None:
    tools = tools_of()
    turn = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    address = f"/chats/turns/{turn.id}"
    while not tools.answers.of(turn.id).steps:
        time.sleep(0.01)
    told = client.get(address).json()
    assert len(told["added"]["steps"]) == 1 and told["added"]["doing"]
    assert client.get(f"{address}?seen={told['seen']}").json() == {"seen": told["seen"]}
    sign_in(client, MEMBER)
    assert client.get(address).json() == client.get("/chats/turns/none").json() == {"ended": True}
    sign_in(client)
    gate.set()
    assert tools.answers.of(turn.id).ended.wait(30) and client.get(address).json() == {"ended": True}


def test_a_first_step_that_is_late_is_waited_for_from_the_model(tools: Tools) -> None:
    late = BackgroundAnswer("turn", QUESTION, QuestionScope(), "ada", state="running", asked_at=time.monotonic() - 10)
    assert not waits_for_model(tools, late), "there is none"
    tools.admin.save_model(ModelChoice(settings=ModelSettings(provider="openai", model="gpt-test")))
    assert waits_for_model(tools, late)
    late.steps.append({})
    assert not waits_for_model(tools, late)
    assert not waits_for_model(tools, BackgroundAnswer("turn", QUESTION, QuestionScope(), "ada", state="running"))
