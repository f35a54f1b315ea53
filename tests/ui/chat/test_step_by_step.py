"""A procedure is gone through step by step; how far one got is kept with the answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.chat.test_page import opened
from tests.ui.opened import add_folder
from tests.ui.people import MEMBER, tools_of
from tree.store.models import Source, Turn
from ui.chat.visible import HIDDEN, visible_answer
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

PUMP = """# Start the pump

**You need:** the key.

1. Open the sea cock. If it is stuck, use the long lever.
2. Press the green button.
"""


@pytest.fixture
def turn(tools: Tools, tmp_path: Path) -> Turn:
    others = {f"{number}.md": f"# Note {number}\n\nThe hall was swept on day {number}.\n" for number in range(6)}
    add_folder(tools, tmp_path / "pumps", {"pump.md": PUMP, **others}, "Pumps")
    turn = tools.answers.start("How do I start the pump?", QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(20)
    return tools.chats.turns.get(turn.id)


def click(page: AppTest, key: str, turn: Turn) -> AppTest:
    name = next(one.key for one in page.button if one.key and one.key.startswith(f"{key}-{turn.id}"))
    return page.button(key=name).click().run()


def said(page: AppTest) -> str:
    return " ".join(one.value for one in (*page.markdown, *page.info, *page.success))


def test_done_goes_on_and_a_reload_finds_the_same_step(tools: Tools, turn: Turn) -> None:
    page = click(opened(c=turn.chat_id), "walk", turn)
    steps = len(turn.answer["steps"])
    while "Step 2 of 2" not in said(page):
        page = click(page, "done", turn)
    assert "Step 2 of 2" in said(opened(c=turn.chat_id)), "kept with the answer"
    page = click(opened(c=turn.chat_id), "done", turn)
    assert "All steps are done." in said(page)
    assert tools.chats.turns.get(turn.id).answer["progress"] == {"at": steps, "failed": False}
    page = click(click(page, "back", turn), "close", turn)
    assert tools.chats.turns.get(turn.id).answer["progress"] is None and not page.exception


def test_a_step_names_the_document_that_it_is_of(tools: Tools, turn: Turn) -> None:
    """A part of a document is often called "Steps" and no more."""
    steps = [{**step, "title": "Steps"} for step in turn.answer["steps"]]
    tools.chats.running.finish(turn.id, "done", answer={**turn.answer, "steps": steps, "progress": {"at": 0, "failed": False}})
    assert "Start the pump › Steps" in said(opened(c=turn.chat_id))
    tools.chats.running.finish(turn.id, "done", answer={**turn.answer, "progress": {"at": 0, "failed": False}})
    assert said(opened(c=turn.chat_id)).count("Start the pump") == 1


def test_a_failure_shows_what_the_documents_say_or_that_nothing_is_known(tools: Tools, turn: Turn) -> None:
    first = next(at for at, step in enumerate(turn.answer["steps"]) if step["number"] == 1)
    tools.chats.turns.keep_progress(turn.id, {"at": first, "failed": False}, tools.principal.person_id)
    page = click(opened(c=turn.chat_id), "failed", turn)
    assert "If it failed" in said(page) and "Nothing in this document" not in said(page)
    page = click(click(page, "done", turn), "failed", turn)
    assert "Nothing in this document says what to do when this step fails." in said(page)
    page.text_input[-1].set_value("the lamp is red")
    next(one for one in page.button if one.label == "Look for it").click().run()
    assert tools.chats.turns.of_chat(turn.chat_id)[-1].question == "the lamp is red: what should I do?"


def test_nobody_goes_through_the_steps_of_somebody_else(tools: Tools, turn: Turn) -> None:
    other = tools_of(MEMBER).principal.person_id
    tools.chats.turns.keep_progress(turn.id, {"at": 1, "failed": False}, other)
    assert tools.chats.turns.get(turn.id) == turn


def test_a_hidden_answer_has_no_steps(turn: Turn) -> None:
    shown = visible_answer(turn.answer, (), turn.answer["sources"])
    assert shown["answer"] == HIDDEN and shown["steps"] == []


def test_a_source_that_is_read_has_no_buttons_without_a_procedure(tools: Tools, source: Source) -> None:
    turn = tools.answers.start("What is drift?", QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(20)
    assert not [one for one in opened(c=turn.chat_id).button if (one.key or "").startswith("walk-")]
