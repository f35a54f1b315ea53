"""The chat page, run by Streamlit without a browser."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from connectors.base import AccessLost
from tests.ui.chat.test_turns import answered
from tests.ui.conftest import read_again
from tests.ui.opened import add_folder
from tests.ui.people import signed_in
from tree.store.chats import Chats
from tree.store.models import Source, Turn, Version, table_of
from ui.server.background_answers import BackgroundAnswer
from ui.server.scope import QuestionScope
from ui.server.tools import SAMPLE_NAME, Tools

APP = str(Path(__file__).parents[3] / "app.py")


def opened(**parameters: str) -> AppTest:
    page = signed_in(AppTest.from_file(APP, default_timeout=30))
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def test_the_first_visit_offers_the_sample_and_a_folder(home: Path) -> None:
    page = opened()
    assert [button.label for button in page.main.button][:2] == ["Try the sample workspace", "Add a folder"]
    assert page.chat_input[0].disabled


def test_the_sample_is_added_by_one_click(tools: Tools) -> None:
    page = opened()
    page.button(key="sample").click().run()
    assert [source.name for source in tools.sources.all()] == [SAMPLE_NAME]
    assert page.title[0].value == "First sync"


def test_a_suggestion_is_asked_by_one_click(tools: Tools, source: Source) -> None:
    page = opened()
    for _ in range(60):  # they are found in the background
        if "suggestion-0" in [button.key for button in page.button]:
            break
        page.run()
    question = page.button(key="suggestion-0").label.replace("\\", "")
    page.button(key="suggestion-0").click().run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    assert chat.title == question and page.query_params["c"] in (chat.id, [chat.id])
    assert [message.name for message in page.chat_message] == ["user", "assistant"]


def test_a_typed_question_is_asked_and_found_again_after_a_reload(tools: Tools, source: Source) -> None:
    page = opened()
    page.chat_input[0].set_value("What is drift?").run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    again = opened(c=chat.id)
    assert again.chat_message[0].markdown[0].value == "What is drift?"
    assert again.button(key=f"chat-{chat.id}")


def test_a_question_sent_before_its_box_is_drawn_anew_goes_into_the_chat_that_is_open(tools: Tools, source: Source) -> None:
    page = opened()
    page.chat_input[0].set_value("What is drift?").run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    other = opened()  # its box was drawn with no chat, which is what it still is while the first answer is drawn above it
    other.query_params["c"] = chat.id
    other.chat_input[0].set_value("Who discovered drift?").run()
    assert [one.id for one in tools.chats.rows.recent(tools.principal.person_id)] == [chat.id]
    assert [turn.question for turn in tools.chats.turns.of_chat(chat.id)] == ["What is drift?", "Who discovered drift?"]


def test_a_name_spelt_wrong_is_offered_and_asked_by_one_click(tools: Tools, source: Source) -> None:
    page = opened()
    page.chat_input[0].set_value("Who discovered drifft?").run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    run = tools.answers.of(tools.chats.turns.of_chat(chat.id)[-1].id)
    assert run is not None and run.ended.wait(30)
    page.run()  # where it took long, the page has shown only that it is looked for
    [offer] = [button for button in page.main.button if button.label == "Drift?"]
    offer.click().run()
    assert [message.markdown[0].value for message in page.chat_message if message.name == "user"][-1] == "Who discovered Drift?"
    assert not [button for button in page.main.button if button.label == "Drift?"]


@pytest.mark.parametrize(("question", "words"), [("?", "no word"), ("word " * 2_000, "9,999 characters")])
def test_a_question_that_cannot_be_asked_is_refused_in_words(tools: Tools, source: Source, question: str, words: str) -> None:
    page = opened()
    page.chat_input[0].set_value(question).run()
    assert words in page.error[0].value
    assert tools.chats.rows.recent(tools.principal.person_id) == []


def test_a_question_can_be_asked_in_one_branch(tools: Tools, source: Source) -> None:
    page = opened(at=f"{source.id}/decisions/")
    assert page.button(key="scope-branch").label == "Team › decisions"
    page.chat_input[0].set_value("What was decided about the message queue?").run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    [turn] = tools.chats.turns.of_chat(chat.id)
    assert turn.scope == f"at:{source.id}/decisions/"
    page.button(key="scope-branch").click().run()
    assert "at" not in page.query_params


def test_a_turn_that_nobody_answers_any_more_offers_to_ask_again(tools: Tools, source: Source) -> None:
    turn = tools.chats.running.begin("What is drift?", owner=tools.principal.person_id)
    page = opened(c=turn.chat_id)
    assert "not finished because the app was stopped" in page.warning[0].value
    page.button(key=f"again-{turn.id}").click().run()
    [kept] = tools.chats.turns.of_chat(turn.chat_id)
    assert tools.answers.of(kept.id).ended.wait(20) and tools.chats.turns.get(kept.id).state == "done"


def test_what_was_not_found_is_asked_again_once_something_has_changed(tools: Tools, source: Source, folder: Path) -> None:
    """Before that the same question gets the same answer."""
    page = opened()
    page.chat_input[0].set_value("Who feeds the heron?").run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    [turn] = tools.chats.turns.of_chat(chat.id)
    assert tools.answers.of(turn.id).ended.wait(20) and tools.chats.turns.get(turn.id).answer["verdict"] == "none"
    assert "Ask again" not in [button.label for button in opened(c=chat.id).button]
    (folder / "heron.md").write_text("# Heron\n\nMira feeds the heron.\n")
    read_again(tools, source)
    again = opened(c=chat.id)
    again.button(key=f"again-{turn.id}").click().run()
    assert tools.answers.of(tools.chats.turns.of_chat(chat.id)[0].id).ended.wait(20)
    assert "Mira" in tools.chats.turns.of_chat(chat.id)[0].answer["answer"]


def test_what_was_not_found_in_one_source_is_not_asked_again_for_changes_of_others(
    tools: Tools, source: Source, folder: Path, tmp_path: Path
) -> None:
    turn = answered(tools, "Who feeds the heron?", QuestionScope(source=source.id))
    assert turn.answer["verdict"] == "none"
    other = add_folder(tools, tmp_path / "other", {"crane.md": "# Crane\n\nThe crane is grey.\n"}, "Other")
    (tmp_path / "other/crane.md").write_text("# Crane\n\nThe crane is white.\n")
    read_again(tools, other)
    assert not _offers_to_ask_again(turn)
    (folder / "heron.md").write_text("# Heron\n\nMira feeds the heron.\n")
    read_again(tools, source)
    assert _offers_to_ask_again(turn)


def test_what_was_not_found_is_not_asked_again_for_better_records_alone(tools: Tools, source: Source) -> None:
    turn = answered(tools, "Who feeds the heron?")
    with tools.workspace.database.write() as connection:
        version = Version(source_id=source.id, published_at=time.time(), upgrade=True, titles=[], ordinal=2)
        connection.execute(sa.insert(table_of(Version)).values(version.model_dump(exclude={"number"})))
    assert not _offers_to_ask_again(turn)


def test_what_was_not_found_is_asked_again_once_a_source_can_be_reached(
    tools: Tools, source: Source, folder: Path, tmp_path: Path
) -> None:
    folder.rename(tmp_path / "away")
    with pytest.raises(AccessLost):
        read_again(tools, source)
    turn = answered(tools, "Who feeds the heron?")
    assert not _offers_to_ask_again(turn)
    (tmp_path / "away").rename(folder)
    read_again(tools, source)
    assert _offers_to_ask_again(turn)


def _offers_to_ask_again(turn: Turn) -> bool:
    return "Ask again" in [button.label for button in opened(c=turn.chat_id).button]


def test_a_failed_and_a_stopped_turn_say_so(tools: Tools, source: Source) -> None:
    failed = tools.chats.running.begin("What is drift?", owner=tools.principal.person_id)
    tools.chats.running.finish(failed.id, "failed", message="The disk is full.")
    stopped = tools.chats.running.begin("And what is it not?", chat_id=failed.chat_id, owner=tools.principal.person_id)
    tools.chats.running.finish(stopped.id, "stopped")
    page = opened(c=failed.chat_id)
    assert page.error[0].value == "The disk is full."
    assert "Stopped." in [caption.value for caption in page.caption]


def test_a_long_chat_shows_its_end_and_the_rest_on_request(tools: Tools, source: Source) -> None:
    first = tools.chats.running.begin("Question 0 about drift?", owner=tools.principal.person_id)
    for number in range(1, 20):
        turn = tools.chats.running.begin(
            f"Question {number} about drift?", chat_id=first.chat_id, owner=tools.principal.person_id
        )
        tools.chats.running.finish(turn.id, "stopped")
    tools.chats.running.finish(first.id, "stopped")
    page = opened(c=first.chat_id)
    assert len(page.chat_message) == 30
    page.button(key="earlier").click().run()
    assert len(page.chat_message) == 40


def test_a_chat_that_is_gone_says_so(tools: Tools, source: Source) -> None:
    assert "no such chat" in opened(c="nothing").info[0].value


def test_text_of_documents_and_questions_is_never_markup(tools: Tools, source: Source) -> None:
    turn = tools.chats.running.begin("<img src=x> **bold** :red[x] about drift", owner=tools.principal.person_id)
    tools.chats.running.finish(turn.id, "stopped")
    page = opened(c=turn.chat_id)
    assert page.chat_message[0].markdown[0].value.startswith("\\<img src=x\\> \\*\\*bold")


def test_a_question_is_asked_as_of_a_day(tools: Tools, source: Source, folder: Path) -> None:
    long_ago = time.time() - 10 * 86_400
    with tools.workspace.database.write() as connection:
        connection.execute(sa.update(table_of(Version)).values(published_at=long_ago))
    (folder / "glossary.md").write_text("# Glossary\n\n**Drift**: a word that is not used any more.\n")
    read_again(tools, source)
    day = datetime.fromtimestamp(time.time() - 86_400, UTC).date()
    page = opened(on=day.isoformat())
    page.chat_input[0].set_value("What is drift?").run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    [turn] = tools.chats.turns.of_chat(chat.id)
    assert tools.answers.of(turn.id).ended.wait(20)
    assert "between a change in a source" in tools.chats.turns.get(turn.id).answer["answer"]
    again = opened(c=chat.id)
    assert any(f"as of {day.strftime('%-d %B %Y')}" in caption.value for caption in again.caption)
    assert not [button for button in again.button if button.label == "Ask again"], "it is right for that day"
    today = opened()
    today.chat_input[0].set_value("What is drift now?").run()
    newest = tools.chats.turns.of_chat(tools.chats.rows.recent(tools.principal.person_id)[0].id)[0]
    assert tools.answers.of(newest.id).ended.wait(20) and "not used any more" in tools.chats.turns.get(newest.id).answer["answer"]


class EndsMeanwhile:
    """A run that is found to go on at the first look at it, and ended from then on."""

    def __init__(self, run: BackgroundAnswer) -> None:
        self.run, self.looks, self.ended = run, 0, self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def is_set(self) -> bool:
        self.looks += 1
        return self.looks > 1


class ReadBefore:
    """Turns and answers as they were read just before the answer to a turn was there."""

    def __init__(self, tools: Tools, turn: Turn) -> None:
        self.tools, self.run = tools, EndsMeanwhile(tools.answers.of(turn.id))
        self.as_read = turn.model_copy(update={"state": "running", "answer": None})

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tools.chats.turns, name)

    def of_chat(self, chat_id: str, limit: int) -> list[Turn]:
        return [self.as_read]

    def of(self, turn_id: str) -> EndsMeanwhile:
        return self.run

    run_of = of


def test_an_answer_that_ends_while_its_page_is_drawn_is_drawn(tools: Tools, source: Source) -> None:
    turn = tools.answers.start("What is drift?", QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(20)
    before = ReadBefore(tools, turn)

    def script(tools, chat):
        from ui.chat import page

        page._conversation(tools, chat, None, is_own=True)

    chats = Chats(tools.workspace.database)
    chats.turns = before
    chat = chats.rows.get(turn.chat_id, tools.principal.person_id)
    meanwhile = replace(tools, chats=chats, answers=before)
    page = AppTest.from_function(script, default_timeout=20, args=(meanwhile, chat)).run()
    assert before.run.looks > 1 and not page.exception


def test_a_page_that_stays_open_holds_nothing_of_the_chats_that_it_has_shown(tools: Tools, source: Source) -> None:
    """Streamlit by itself keeps the callbacks of every widget that there ever was, each with what it is called with."""

    def held_by(page: AppTest) -> list[tuple[str, ...]]:
        state, keys = page._session_state._state, page._session_state._state._key_id_mapper
        values = state._old_state | state._new_session_state
        held = (keys._key_id_mapping, keys._id_key_mapping, state._new_widget_state.widget_metadata, values)
        return [tuple(sorted(one)) for one in held]

    def shows(chat_id: str) -> list[tuple[str, ...]]:
        page.query_params["c"] = chat_id
        page.run().run()  # what the page before had is forgotten as the next one begins
        assert not page.exception
        return held_by(page)

    asked = [
        tools.answers.start(f"What is drift in {number}?", QuestionScope(), tools.principal.person_id) for number in range(5)
    ]
    assert all(tools.answers.of(turn.id).ended.wait(20) for turn in asked)
    page = opened(c=asked[0].chat_id)
    first = shows(asked[0].chat_id)
    assert any(key.startswith(f"turn-{asked[0].id}") for key in first[0])
    for turn in asked[1:]:
        assert not any(asked[0].id in id_ for held in shows(turn.chat_id) for id_ in held)
    assert shows(asked[0].chat_id) == first


def test_no_button_of_a_page_holds_an_answer(tools: Tools, source: Source, folder: Path) -> None:
    """Each page of dozens that are open would hold what it shows, with its trails."""
    chat_id = None
    for question in ("How do I restore the orders database?", "Who discovered drifft?"):
        turn = tools.answers.start(question, QuestionScope(), tools.principal.person_id, chat_id)
        assert tools.answers.of(turn.id).ended.wait(20)
        chat_id = turn.chat_id
    (folder / "heron.md").write_text("# Heron\n\nMira feeds the heron.\n")
    read_again(tools, source)
    page = opened(c=chat_id)
    assert {"walk", "again", "meant"} <= {str(button.key).partition("-")[0] for button in page.button}
    known = page._session_state._state._new_widget_state.widget_metadata.values()
    assert not any(_reaches_turn(one.callback) or _reaches_turn(one.callback_args) for one in known)


def _reaches_turn(value: object) -> bool:
    """Whether a callback or its arguments hold a turn, also in a `partial`."""
    if isinstance(value, partial):
        value = (value.func, value.args, tuple((value.keywords or {}).values()))
    return isinstance(value, Turn) or (isinstance(value, tuple) and any(map(_reaches_turn, value)))


def test_a_new_chat_goes_on_with_the_chosen_source(tools: Tools, source: Source) -> None:
    page = opened(**{"in": source.id, "at": f"{source.id}/runbooks"})
    page.button(key="new-chat").click().run()
    assert page.query_params["in"] in (source.id, [source.id]) and "at" not in page.query_params
    page = opened(**{"in": "no such source"})
    page.button(key="new-chat").click().run()
    assert "in" not in page.query_params


@pytest.mark.parametrize("on", ["2999-01-01", "today", "2026-02-30"])
def test_a_day_that_is_not_over_is_now(tools: Tools, source: Source, on: str) -> None:
    page = opened(on=on)
    page.chat_input[0].set_value("What is drift?").run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    assert [turn.scope for turn in tools.chats.turns.of_chat(chat.id)] == [""]
