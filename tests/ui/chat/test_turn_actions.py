"""What people do with answers and chats: rate, ask again in place, ask otherwise, find, pin, export."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.ui.conftest import read_again
from tests.ui.people import ADMIN, MEMBER, sign_in, tools_of
from tree.ask.snapshot.zones import read_zone
from tree.store.models import Source, Turn
from ui.chat import routes as routes_chats
from ui.chat.export import as_markdown, file_name
from ui.server.middleware import middleware
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

QUESTION = "What is drift?"


def asked(tools: Tools, question: str = QUESTION, chat_id: str | None = None) -> Turn:
    turn = tools.answers.start(question, QuestionScope(), tools.principal.person_id, chat_id)
    assert tools.answers.of(turn.id).ended.wait(20)
    return tools.chats.turns.get(turn.id)


def served(email: str) -> TestClient:
    return sign_in(
        TestClient(Starlette(routes=routes_chats.routes(), middleware=middleware()), base_url="http://127.0.0.1"), email
    )


# ---- asking again, and otherwise


def test_an_answer_asked_again_takes_the_place_of_the_old_one(tools: Tools, source: Source) -> None:
    turn = asked(tools)
    tools.chats.turns.rate(turn.id, 0, "It is wrong", tools.principal.person_id)
    again = tools.answers.start_again(turn.id, tools.principal.person_id)
    assert again.id == turn.id and tools.answers.of(turn.id).ended.wait(20)
    [kept] = tools.chats.turns.of_chat(turn.chat_id)
    assert kept.state == "done" and kept.answer["answer"] == turn.answer["answer"] and kept.previous is None
    assert (kept.rating, kept.reason) == (0, "It is wrong"), "it is answered in the words that were rated"


@pytest.mark.parametrize("end", ["stopped", "failed", "killed"])
def test_the_old_answer_is_kept_until_there_is_a_new_one(tools: Tools, source: Source, end: str) -> None:
    turn = asked(tools)
    tools.chats.turns.rate(turn.id, 0, "It is wrong", tools.principal.person_id)
    tools.chats.running.ask_again(turn.id, tools.principal.person_id)
    assert tools.chats.turns.get(turn.id).answer is None
    tools.chats.running.interrupt_running() if end == "killed" else tools.chats.running.finish(turn.id, end, message="No.")
    kept = tools.chats.turns.get(turn.id)
    assert kept.state == "done" and kept.answer == turn.answer and kept.previous is None
    assert (kept.rating, kept.reason) == (0, "It is wrong"), "the answer that is rated is the one that is kept"


def test_nobody_asks_again_in_somebody_elses_chat(tools: Tools, source: Source) -> None:
    turn, other = asked(tools), tools_of(MEMBER).principal.person_id
    assert tools.answers.start_again(turn.id, other) is None and tools.chats.rows.branch(turn.id, other) is None
    tools.chats.turns.rate(turn.id, 0, "Stolen", other)
    assert tools.chats.turns.get(turn.id) == turn


def test_a_changed_question_begins_a_chat_with_what_came_before(tools: Tools, source: Source) -> None:
    first = asked(tools)
    second = asked(tools, "Where are the spare keys?", first.chat_id)
    asked(tools, "Which message queue do we use?", first.chat_id)
    branch = tools.chats.rows.branch(second.id, tools.principal.person_id)
    changed = asked(tools, "Who has the key?", branch)
    assert [turn.question for turn in tools.chats.turns.of_chat(branch)] == [QUESTION, "Who has the key?"]
    assert tools.chats.turns.of_chat(branch)[0].answer == first.answer and changed.number == 2
    assert len(tools.chats.turns.of_chat(first.chat_id)) == 3


# ---- finding and keeping


def test_chats_are_found_by_name_question_and_answer(tools: Tools, source: Source) -> None:
    me = tools.principal.person_id
    drift, keys = asked(tools), asked(tools, "Where are the spare keys?")
    tools.chats.rows.rename(drift.chat_id, "For Monday", me)

    def found(words: str) -> list[str]:
        return [chat.id for chat in tools.chats.rows.recent(me, 10, words)]

    assert found("monday") == [drift.chat_id] and found("DRIFT") == [drift.chat_id]
    assert found("cellar") == [keys.chat_id], "said in the answer alone"
    assert found("") == [keys.chat_id, drift.chat_id] and found("zyzzyva") == [] and found("%") == []
    assert tools.chats.rows.recent(tools_of(MEMBER).principal.person_id, 10, "drift") == []
    tools.chats.rows.pin(drift.chat_id, True, me)
    assert found("") == [drift.chat_id, keys.chat_id]


# ---- exporting


def test_a_chat_is_exported_with_its_sources(tools: Tools, source: Source) -> None:
    turn = asked(tools)
    said = served("ada@example.org").get(f"/chats/{turn.chat_id}.md")
    assert said.headers["content-type"].startswith("text/markdown") and "attachment" in said.headers["content-disposition"]
    assert (
        said.text.startswith("# What is drift?\n\n## What is drift?\n\n*Answered, as of ") and "1. Team › Glossary" in said.text
    )
    page = served("ada@example.org").get(f"/chats/{turn.chat_id}/print")
    assert "<script" not in page.text and "default-src 'none'" in page.headers["content-security-policy"]
    assert "the time between a change" in page.text and page.headers["cache-control"] == "no-store"


def test_an_answer_that_is_out_of_date_is_exported_as_such(tools: Tools, source: Source, folder: Path) -> None:
    turn = asked(tools)
    (folder / "glossary.md").unlink()
    read_again(tools, source)
    for suffix in (".md", "/print"):
        said = served("ada@example.org").get(f"/chats/{turn.chat_id}{suffix}").text
        assert "Out of date, as of" in said and "The cited passage was removed since this answer." in said
        assert "Answered" not in said


def test_exported_times_are_those_of_whoever_exports_with_the_zone_named(tools: Tools, source: Source) -> None:
    turn = asked(tools)
    told = datetime.fromisoformat(turn.answer["as_of"])
    address = f"/chats/{turn.chat_id}"
    with served(ADMIN) as client:
        for suffix in (".md", "/print"):
            for zone, name in (
                ("Asia/Tokyo", "Asia/Tokyo"),
                ("America/New_York", "America/New York"),
                ("", "UTC"),
                ("../etc", "UTC"),
            ):
                local = told.astimezone(read_zone(zone))
                shown = client.get(f"{address}{suffix}", params={"zone": zone}).text
                assert f"as of {local:%-d %B %Y, %H:%M} {name}" in shown


def test_what_is_exported_cannot_run(tools: Tools, source: Source) -> None:
    turn = asked(tools, "What is <script>alert(1)</script> drift?")
    page = served("ada@example.org").get(f"/chats/{turn.chat_id}/print").text
    assert "<script" not in page and "&lt;script&gt;" in page
    said = served("ada@example.org").get(f"/chats/{turn.chat_id}.md").text
    assert said.startswith("# What is \\<script\\>alert(1)\\</script\\> drift?\n"), "a viewer of Markdown would draw it as HTML"


@pytest.mark.parametrize("path", ["{}.md", "{}/print"])
def test_a_chat_is_exported_by_those_who_may_read_it(tools: Tools, source: Source, path: str) -> None:
    turn, theirs = asked(tools), served(MEMBER)
    address = "/chats/" + path.format(turn.chat_id)
    assert theirs.get(address).status_code == 404 and theirs.get(address).text == theirs.get("/chats/" + path.format("no")).text
    tools.chats.rows.share(turn.chat_id, True, tools.principal.person_id)
    assert "the time between a change" in theirs.get(address).text
    tools.admin.set_audience(source.id, [])
    hidden = theirs.get(address)
    assert hidden.status_code == 200 and "the time between a change" not in hidden.text and "may not see" in hidden.text
    assert ">as of " in hidden.text or "\n*as of " in hidden.text
    assert theirs.post(address).status_code == 405


@pytest.mark.parametrize(("title", "name"), [("What is drift?", "what-is-drift"), ("../../etc", "etc"), ("???", "chat")])
def test_a_file_is_named_by_its_chat(tools: Tools, source: Source, title: str, name: str) -> None:
    turn = asked(tools)
    tools.chats.rows.rename(turn.chat_id, title, tools.principal.person_id)
    assert file_name(tools.chats.rows.get(turn.chat_id, tools.principal.person_id)) == name


def test_the_file_of_a_chat_keeps_letters_of_every_script(tools: Tools, source: Source) -> None:
    turn = asked(tools)
    tools.chats.rows.rename(turn.chat_id, "ما هو الحل?", tools.principal.person_id)
    said = served("ada@example.org").get(f"/chats/{turn.chat_id}.md").headers["content-disposition"]
    assert said == f"attachment; filename=\"chat.md\"; filename*=UTF-8''{quote('ما-هو-الحل')}.md"


def test_a_question_without_an_answer_is_exported_as_one(tools: Tools, source: Source) -> None:
    turn = tools.chats.running.begin("Is anybody there?", owner=tools.principal.person_id)
    tools.chats.running.finish(turn.id, "stopped")
    chat = tools.chats.rows.get(turn.chat_id, tools.principal.person_id)
    assert "This was not answered." in as_markdown(chat, tools.chats.turns.of_chat(chat.id))
