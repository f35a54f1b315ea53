"""Questions that a model answers behind a page: stopped within a call, and read with the chat before them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from prompts.model import ModelSettings, rewrite
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tests.prompts.model.provider import KEY, MODEL, Provider, serving
from tree.accounts.accounts import open_accounts
from tree.ask.ask import Event, ask
from tree.store.chats import Chats
from tree.store.language_model import ModelChoice
from tree.store.models import Source
from tree.workspace import DATABASE_VARIABLE, open_workspace
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


def test_of_answers_nothing_is_held_that_is_kept_with_their_chats(tools: Tools, source: Source) -> None:
    turn = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    run = tools.answers.of(turn.id)
    assert run.ended.wait(30)
    until(lambda: run.answer is None)
    assert (run.state, run.steps, run.text) == ("done", [], "")
    assert tools.chats.turn(turn.id).answer["trail"]


# ---------------------------------------------------------------- several processes of the app


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_what_one_app_answers_is_seen_and_stopped_from_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def held(*arguments, stop, **options) -> Iterator[Event]:
        for event in ask(*arguments, stop=stop, **options):
            yield event
            while not gate.is_set() and not stop.is_set:
                time.sleep(0.01)

    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        docs = Following(tmp_path)
        docs.write("a.md", "# Ferry\n\nThe ferry leaves at nine.\n")
        docs.sync()
        ada = open_accounts(docs.workspace.database).people.add("ada@example.org", "Ada").id
        with closing(docs.workspace), closing(open_workspace(tmp_path / "other")) as other:
            apps = [(Chats(docs.workspace.database), docs.workspace), (Chats(other.database), other)]
            for chats, _ in apps:
                chats.sign_on()
            here, there = (BackgroundAnswers(opened, chats, held) for chats, opened in apps)
            try:
                turn = here.start("When does the ferry leave?", QuestionScope(), ada)
                assert there.of(turn.id) is None
                until(lambda: (run := there.run_of(turn.id)) is not None and bool(run.steps))
                seen = there.run_of(turn.id)
                assert (seen.state, seen.asker, seen.ended.is_set()) == ("running", ada, False)
                assert there.start_again(turn.id, ada) is None  # it is being answered
                there.stop(turn.id)
                assert here.of(turn.id).ended.wait(20) and here.of(turn.id).state == "stopped"
                until(lambda: there.run_of(turn.id) is None)
                kept = apps[1][0].turn(turn.id)
                assert (kept.state, kept.message) == ("stopped", "Stopped.")
                abandoned = here.start("When does it leave again?", QuestionScope(), ada)
                until(lambda: there.run_of(abandoned.id) is not None)
                apps[0][0].sign_off()  # as when the process dies: its lock is free
                assert there.run_of(abandoned.id) is None
            finally:
                gate.set()
                here.close()
                there.close()
                for chats, _ in apps:
                    chats.sign_off()
