"""Questions that a model answers behind a page: stopped within a call, and read with the chat before them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from prompts.model import ModelSettings, rewrite
from tests.prompts.model.provider import KEY, MODEL, Provider, serving
from tree.store.language_model import ModelChoice
from tree.store.models import Source
from ui.server.background_answers import BackgroundAnswers
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

QUESTION = "How do I restore the orders database?"


@pytest.fixture
def provider(tools: Tools, source: Source) -> Iterator[Provider]:
    with serving(Provider()) as started:
        settings = ModelSettings(provider="openai-compatible", model=MODEL, base_url=started.url, api_key=KEY)
        tools.workspace.model.save(ModelChoice(settings=settings))
        yield started


def test_stop_gives_up_the_call_that_is_under_way(tools: Tools, provider: Provider) -> None:
    provider.behave("is slow")
    turn = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert provider.arrived.wait(20)
    tools.answers.stop(turn.id)
    assert tools.answers.of(turn.id).ended.wait(20)
    assert tools.chats.turn(turn.id).state == "stopped"
    assert provider.left.wait(20), "the request is cancelled at the server"
    [spent] = tools.workspace.model.spent()
    assert (spent.purpose, spent.calls) == ("question", 1)


def test_a_follow_up_is_sent_with_what_was_asked_and_answered_before(tools: Tools, provider: Provider) -> None:
    first = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(first.id).ended.wait(30)
    second = tools.answers.start("And why is it done?", QuestionScope(), tools.principal.person_id, first.chat_id)
    assert tools.answers.of(second.id).ended.wait(30)
    [asked] = [one.prompt for one in provider.received if one.body["messages"][0]["content"] == rewrite.SYSTEM]
    answer = tools.chats.turn(first.id).answer
    assert f"asked: {QUESTION}" in asked and f"answered: {' '.join(answer['answer'].split())[:80]}" in asked
    assert tools.chats.turn(second.id).answer["usage"]["model_calls"] > 0


def test_of_earlier_answers_nothing_is_held_that_is_kept_with_their_chats(tools: Tools, source: Source) -> None:
    answers = BackgroundAnswers(tools.workspace, tools.chats, kept_whole=1)
    turns = []
    for _ in range(3):
        turns.append(answers.start(QUESTION, QuestionScope(), tools.principal.person_id))
        assert answers.of(turns[-1].id).ended.wait(30)
    first, second, last = (answers.of(turn.id) for turn in turns)
    assert (first.state, first.answer, first.steps) == ("done", None, []) and second.answer and last.answer
    assert tools.chats.turn(turns[0].id).answer["trail"]
    answers.close()
