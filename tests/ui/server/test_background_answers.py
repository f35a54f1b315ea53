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
from tests.ui.conftest import read_again
from tests.ui.people import MEMBER, tools_of
from tree.accounts.accounts import open_accounts
from tree.ask.ask import AskError, Event, ask
from tree.ask.snapshot.trail import Step
from tree.ask.walk.stopped_walk import has_read
from tree.store.chats import Chats
from tree.store.database import StoreError
from tree.store.language_model import ModelChoice
from tree.store.models import Source, Turn
from tree.workspace import DATABASE_VARIABLE, open_workspace
from ui.server.answering.question import earlier_in
from ui.server.background_answers import AT_ONCE, MOST_OF_ONE, OF_ONE, BackgroundAnswer, BackgroundAnswers
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

QUESTION = "How do I restore the orders database?"
PUMPS = "Which colour do the pumps have?"


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
    assert tools.chats.turns.get(turn.id).state == "stopped"
    assert provider.left.wait(20), "the request is cancelled at the server"
    [spent] = tools.workspace.model.spent()
    assert (spent.purpose, spent.calls) == ("question", 1)


def test_a_follow_up_is_sent_with_what_was_asked_and_answered_before(tools: Tools, provider: Provider) -> None:
    first = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(first.id).ended.wait(30)
    second = tools.answers.start("And why is it done?", QuestionScope(), tools.principal.person_id, first.chat_id)
    assert tools.answers.of(second.id).ended.wait(30)
    [asked] = [one.prompt for one in provider.received if one.body["messages"][0]["content"] == rewrite.SYSTEM]
    answer = tools.chats.turns.get(first.id).answer
    assert f"asked: {QUESTION}" in asked and f"answered: {' '.join(answer['answer'].split())[:80]}" in asked
    assert tools.chats.turns.get(second.id).answer["usage"]["model_calls"] > 0


def test_of_answers_nothing_is_held_that_is_kept_with_their_chats(tools: Tools, source: Source) -> None:
    turn = tools.answers.start(QUESTION, QuestionScope(), tools.principal.person_id)
    run = tools.answers.of(turn.id)
    assert run.ended.wait(30)
    until(lambda: run.answer is None)
    assert (run.state, run.steps, run.text) == ("done", [], "")
    assert tools.chats.turns.get(turn.id).answer["trail"]


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


# ---------------------------------------------------------------- going on after a stop


def held_at_a_leaf(*arguments, stop, **options) -> Iterator[Event]:
    """Waits to be stopped after the first leaf that it reads itself."""
    known = [step["place"] for step in options["stopped"].steps] if options.get("stopped") else []
    for event in ask(*arguments, stop=stop, **options):
        yield event
        while isinstance(event, Step) and event.kind == "read" and event.place not in known and not stop.is_set:
            time.sleep(0.01)


def held_at_once(*arguments, stop, **options) -> Iterator[Event]:
    while not stop.is_set:
        time.sleep(0.01)
    yield from ask(*arguments, stop=stop, **options)


def stopped(answers: BackgroundAnswers, turn: Turn, read: int) -> Turn:
    run = answers.of(turn.id)
    until(lambda: sum(step["kind"] == "read" for step in run.steps) >= read)
    answers.stop(turn.id)
    assert run.ended.wait(20)
    return answers.chats.turns.get(turn.id)


def test_a_stopped_answer_goes_on_in_its_place_also_after_a_restart_and_twice(tools: Tools, source: Source, folder: Path) -> None:
    for number in range(6):
        (folder / f"hall {number}.md").write_text(
            f"# Hall {number}\n\nThe pump of hall {number} has a colour: {number}.\n", "utf-8"
        )
    read_again(tools, source)
    me = tools.principal.person_id
    with closing(BackgroundAnswers(tools.workspace, tools.chats, held_at_a_leaf)) as answers:
        first = stopped(answers, answers.start(PUMPS, QuestionScope(), me), 1)
        assert first.state == "stopped" and has_read(first.steps)
        assert answers.go_on(first.id, "somebody else") is None
        again = answers.go_on(first.id, me)
        assert (again.id, again.state, again.steps) == (first.id, "running", first.steps)
        second = stopped(answers, again, 2)
        assert second.steps[: len(first.steps)] == first.steps and len(second.steps) > len(first.steps)
    with closing(BackgroundAnswers(tools.workspace, Chats(tools.workspace.database), held_at_once)) as answers:
        answers.go_on(first.id, me)
        kept = stopped(answers, first, 0)
        assert (kept.state, kept.steps) == ("stopped", second.steps), "what was read is not lost where nothing was told yet"
    with closing(BackgroundAnswers(tools.workspace, Chats(tools.workspace.database))) as answers:
        answers.go_on(first.id, me)
        assert answers.of(first.id).ended.wait(20)
    done = tools.chats.turns.get(first.id)
    assert (done.state, done.steps, done.number) == ("done", [], first.number)
    places = [step["place"] for step in done.answer["trail"] if step["kind"] == "read"]
    assert places[:2] == [step["place"] for step in second.steps if step["kind"] == "read"] and len(set(places)) == len(places)
    assert tools.answers.go_on(first.id, me) is None, "it is answered"


# ---------------------------------------------------------------- several processes of the app


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_what_one_app_was_stopped_at_another_goes_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        docs = Following(tmp_path)
        for number in range(4):
            docs.write(f"{number}.md", f"# Hall {number}\n\nThe pump of hall {number} has a colour: {number}.\n")
        docs.sync()
        ada = open_accounts(docs.workspace.database).people.add("ada@example.org", "Ada").id
        with closing(docs.workspace), closing(open_workspace(tmp_path / "other")) as other:
            chats = [Chats(docs.workspace.database), Chats(other.database)]
            for one in chats:
                one.running.sign_on()
            here = BackgroundAnswers(docs.workspace, chats[0], held_at_a_leaf)
            there = BackgroundAnswers(other, chats[1], held_at_a_leaf)
            with closing(here), closing(there):
                first = stopped(here, here.start(PUMPS, QuestionScope(), ada), 1)
                assert there.go_on(first.id, ada) is not None and here.go_on(first.id, ada) is None, "it is being answered there"
                until(lambda: len((run := here.run_of(first.id)).steps) > len(first.steps) and not run.ended.is_set())
                here.stop(first.id)  # its own run ended before
                until(lambda: chats[0].turns.get(first.id).state == "stopped")
                second = chats[0].turns.get(first.id)
                assert second.steps[: len(first.steps)] == first.steps and len(second.steps) > len(first.steps)
            for one in chats:
                one.running.sign_off()


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
                chats.running.sign_on()
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
                kept = apps[1][0].turns.get(turn.id)
                assert (kept.state, kept.message) == ("stopped", "Stopped.")
                abandoned = here.start("When does it leave again?", QuestionScope(), ada)
                until(lambda: there.run_of(abandoned.id) is not None)
                apps[0][0].running.sign_off()  # as when the process dies: its lock is free
                assert there.run_of(abandoned.id) is None
            finally:
                gate.set()
                here.close()
                there.close()
                for chats, _ in apps:
                    chats.running.sign_off()


# ---------------------------------------------------------------- many questions at once


class Unread:
    """Files of chats that nobody has read yet."""

    def __init__(self) -> None:
        self.chats: set[str] = set()

    def are_unread(self, files_chat: str) -> bool:
        return files_chat in self.chats


def begun_in_chats(answers: BackgroundAnswers, files: Unread, asker: str, number: int) -> list[BackgroundAnswer]:
    """So many questions, each in a chat of its own with files that are still to be read."""
    runs = []
    for _ in range(number):
        first = answers.chats.running.begin(QUESTION, owner=asker)
        answers.chats.running.finish(first.id, "stopped")
        files.chats.add(answers.chats.rows.get(first.chat_id, asker).files_chat)
        runs.append(answers.of(answers.start(QUESTION, QuestionScope(), asker, first.chat_id).id))
    return runs


def test_questions_that_wait_for_files_keep_nobody_waiting(tools: Tools, source: Source) -> None:
    files, me, other = Unread(), tools.principal.person_id, tools_of(MEMBER).principal.person_id
    with closing(BackgroundAnswers(tools.workspace, tools.chats, files=files)) as answers:
        waiting = begun_in_chats(answers, files, me, AT_ONCE + 2)
        until(lambda: all(run.state == "reading" for run in waiting))
        assert answers.of(answers.start(QUESTION, QuestionScope(), other).id).ended.wait(20)
        assert answers.of(answers.start(QUESTION, QuestionScope(), me).id).ended.wait(20)
        assert not any(run.ended.is_set() for run in waiting)
        answers.stop(waiting[0].turn_id)
        assert waiting[0].ended.is_set() and tools.chats.turns.get(waiting[0].turn_id).state == "stopped"
        files.chats.clear()
        assert all(run.ended.wait(20) for run in waiting)
        assert {tools.chats.turns.get(run.turn_id).state for run in waiting[1:]} == {"done"}


def test_closing_interrupts_questions_that_wait_for_files(tools: Tools, source: Source) -> None:
    files = Unread()
    answers = BackgroundAnswers(tools.workspace, tools.chats, files=files)
    [run] = begun_in_chats(answers, files, tools.principal.person_id, 1)
    until(lambda: run.state == "reading")
    answers.close()
    assert tools.chats.turns.get(run.turn_id).state == "interrupted"


def test_where_files_cannot_be_looked_up_the_question_fails_in_words(tools: Tools, source: Source) -> None:
    class Broken(Unread):
        def are_unread(self, files_chat: str) -> bool:
            if not self.chats:
                raise StoreError("The data folder is gone.")
            return super().are_unread(files_chat)

    files = Broken()
    with closing(BackgroundAnswers(tools.workspace, tools.chats, files=files)) as answers:
        [run] = begun_in_chats(answers, files, tools.principal.person_id, 1)
        until(lambda: run.state == "reading")
        files.chats.clear()
        assert run.ended.wait(20) and (run.state, run.message) == ("failed", "The data folder is gone.")


def test_many_questions_of_one_person_keep_nobody_else_waiting_and_there_is_a_limit(tools: Tools, source: Source) -> None:
    gate, me, other = threading.Event(), tools.principal.person_id, tools_of(MEMBER).principal.person_id

    def held(*arguments, stop, **options) -> Iterator[Event]:
        if options["principal"].person_id == me:
            gate.wait(20)
        yield from ask(*arguments, stop=stop, **options)

    with closing(BackgroundAnswers(tools.workspace, tools.chats, held)) as answers:
        runs = [answers.of(answers.start(QUESTION, QuestionScope(), me).id) for _ in range(MOST_OF_ONE)]
        for begin in (lambda: answers.start(QUESTION, QuestionScope(), me), lambda: answers.start_again(runs[0].turn_id, me)):
            with pytest.raises(AskError, match="20 of your questions are not answered yet. Wait for some of them, or stop them"):
                begin()
        assert answers.of(answers.start(QUESTION, QuestionScope(), other).id).ended.wait(20)
        until(lambda: sum(run.state == "running" for run in runs) == OF_ONE)
        answers.stop(runs[-1].turn_id)
        assert runs[-1].ended.is_set() and runs[-1].state == "stopped", "it need not wait for its turn to be stopped"
        again = answers.of(answers.start(QUESTION, QuestionScope(), me).id)
        gate.set()
        assert all(run.ended.wait(20) for run in [*runs, again])
        assert {run.state for run in [*runs[:-1], again]} == {"done"}


def test_a_question_that_waits_for_a_thread_is_stopped_at_once(tools: Tools, source: Source) -> None:
    gate = threading.Event()

    def held(*arguments, stop, **options) -> Iterator[Event]:
        gate.wait(20)
        yield from ask(*arguments, stop=stop, **options)

    people = [tools_of(f"p{number}@example.org").principal.person_id for number in range(AT_ONCE + 1)]
    with closing(BackgroundAnswers(tools.workspace, tools.chats, held)) as answers:
        runs = [answers.of(answers.start(QUESTION, QuestionScope(), person).id) for person in people]
        until(lambda: sum(run.state == "running" for run in runs) == AT_ONCE)
        answers.stop(runs[-1].turn_id)
        assert runs[-1].ended.is_set() and runs[-1].state == "stopped"
        gate.set()
        assert all(run.ended.wait(20) for run in runs)


def test_what_cannot_be_asked_fails_in_its_own_words(tools: Tools, source: Source) -> None:
    def refused(*_: object, **__: object) -> Iterator[Event]:
        raise AskError("Name the thing you want to know about.")
        yield

    with closing(BackgroundAnswers(tools.workspace, tools.chats, refused)) as answers:
        run = answers.of(answers.start(QUESTION, QuestionScope(), tools.principal.person_id).id)
        assert run.ended.wait(20) and (run.state, run.message) == ("failed", "Name the thing you want to know about.")


def test_an_early_question_asked_again_is_seen_after_what_was_asked_before_it(tools: Tools, source: Source) -> None:
    """Also in a chat that has become longer than what a question looks back on."""
    person = tools.principal.person_id
    first = tools.chats.running.begin("What is drift?", owner=person)
    tools.chats.running.finish(first.id, "done", {"answer": "A lamp.", "verdict": "complete", "rests_on": [source.id]})
    for number in range(40):
        turn = tools.chats.running.begin(f"Question {number}?", chat_id=first.chat_id, owner=person)
        tools.chats.running.finish(turn.id, "done", {"answer": str(number), "verdict": "complete", "rests_on": [source.id]})
    before = earlier_in(tools.chats.turns, first.chat_id, 3, [source.id], [source.id])
    assert [(one.question, one.answer) for one in before] == [("What is drift?", "A lamp."), ("Question 0?", "0")]


def test_an_old_answer_that_does_not_say_what_it_rests_on_is_of_all_sources(tools: Tools, source: Source) -> None:
    turn = tools.chats.running.begin("How many are there?", owner=tools.principal.person_id)
    tools.chats.running.finish(turn.id, "done", {"answer": "Seven.", "verdict": "complete", "citations": []})

    def seen(visible: list[str], everything: list[str]) -> list[str]:
        return [one.answer for one in earlier_in(tools.chats.turns, turn.chat_id, 2, visible, everything)]

    assert seen([source.id], [source.id]) == ["Seven."]
    assert seen([source.id], [source.id, "another"]) == [""]
