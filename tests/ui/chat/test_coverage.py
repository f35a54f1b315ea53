"""What an answer says of how fresh it is, how much was looked at, and what could not be read beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.base import AccessLost
from tests.ui.chat.test_turns import answered, drawn
from tests.ui.conftest import read_again
from tests.ui.opened import add_folder
from tests.ui.people import MEMBER, tools_of
from tree.store.models import Source
from ui.chat.visible import visible_answer
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

DAMAGED = b"\0\1\2\xff" * 500


@pytest.fixture
def damaged(tools: Tools, source: Source, folder: Path) -> Source:
    for name in ("runbooks/failover.docx", "decisions/0008-cache.pdf", "runbooks/deep/none.docx"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(DAMAGED)
    read_again(tools, source)
    return source


def test_what_cannot_be_read_beside_what_was_read_is_told_with_the_steps_and_nothing_else(tools: Tools, damaged: Source) -> None:
    turn = answered(tools, scope=QuestionScope(place=f"{damaged.id}/runbooks/"))
    assert [one["title"] for one in turn.answer["unread"]] == ["failover.docx"]
    data = drawn(tools, turn)
    [told] = data["unread"]
    assert told["title"] == "failover.docx" and told["reason"] == turn.answer["unread"][0]["reason"] != ""
    assert data["verdict_words"] == "Answered" and data["unreadable"] == ""  # it is no part of what was asked
    assert turn.answer["coverage"]["unreadable"] == 3


def test_a_file_whose_name_is_asked_for_is_told_below_the_answer(tools: Tools, damaged: Source, folder: Path) -> None:
    (folder / "runbooks/databases.xlsx").write_bytes(DAMAGED)
    read_again(tools, damaged)
    data = drawn(tools, answered(tools))
    assert data["verdict_words"] == "Answered" and data["unreadable"] == "could not read nearby: databases.xlsx"
    assert {"databases.xlsx", "failover.docx"} <= {one["title"] for one in data["unread"]}


def test_a_document_that_was_readable_before_is_told_too(tools: Tools, source: Source, folder: Path) -> None:
    (folder / "runbooks/restart.md").write_text("# Restart\n\nPress the green button.\n")
    read_again(tools, source)
    assert answered(tools).answer["unread"] == []
    (folder / "runbooks/restart.md").write_bytes(DAMAGED)
    read_again(tools, source)
    assert [one["title"] for one in answered(tools).answer["unread"]] == ["Restart"]


def test_many_are_counted(tools: Tools, source: Source, folder: Path) -> None:
    for number in range(5):
        (folder / f"runbooks/orders-{number}.docx").write_bytes(DAMAGED)
    read_again(tools, source)
    data = drawn(tools, answered(tools, "Who wrote how to restore the orders database, and in which year?"))
    assert data["verdict"] != "complete"
    assert data["unreadable"] == "could not read nearby: orders-0.docx, orders-1.docx and 3 more" and len(data["unread"]) == 5


@pytest.mark.parametrize(
    ("question", "verdict", "told"),
    [
        ("Who wrote how to restore the orders database, and in which year?", "partial", ""),
        ("Who feeds the walrus of the orders database?", "none", "could not read nearby: failover.docx"),
    ],
    ids=["passages that may help", "nothing found"],
)
def test_what_lies_beside_passages_is_told_only_where_nothing_was_found(
    tools: Tools, damaged: Source, question: str, verdict: str, told: str
) -> None:
    turn = answered(tools, question)
    assert "failover.docx" in {one["title"] for one in turn.answer["unread"]}
    data = drawn(tools, turn)
    assert (data["verdict"], data["unreadable"]) == (verdict, told)


def test_an_answer_without_a_walk_says_what_it_was_looked_up_in(tools: Tools, source: Source) -> None:
    data = drawn(tools, answered(tools, "What is in decisions?"))
    assert "passages" in data["coverage"]


def test_what_cannot_be_read_in_a_source_of_others_is_not_told(tools: Tools, damaged: Source, tmp_path: Path) -> None:
    add_folder(tools, tmp_path / "open", {"runbooks/open.md": "# Open\n\nHow to restore the orders database: ask.\n"}, "Open")
    seen = answered(tools).answer
    assert seen["unread"]
    tools.admin.set_audience(damaged.id, [])
    member = tools_of(MEMBER)
    assert answered(member).answer["unread"] == []
    assert "Every document" in answered(member, "Which files could not be read?").answer["answer"]
    assert "could not be read" not in answered(member, "What is in failover.docx?").answer["answer"]
    visible = {source.id for source in member.visible_sources()}
    assert visible_answer(seen, visible, {damaged.id, *visible})["unread"] == []


@pytest.fixture
def away(tools: Tools, source: Source, tmp_path: Path) -> Source:
    """A second source, which cannot be reached any more."""
    away = add_folder(
        tools,
        tmp_path / "away",
        {"sheds.md": "# Open the shed\n\n1. Take the key beside the crane.\n2. Turn it twice.\n"},
        "Away",
    )
    (tmp_path / "away").rename(tmp_path / "gone")
    with pytest.raises(AccessLost):
        read_again(tools, away)
    return away


def test_that_a_source_cannot_be_reached_which_the_answer_does_not_need_stands_in_the_line_below_it(
    tools: Tools, away: Source
) -> None:
    turn = answered(tools)
    data = drawn(tools, turn)
    assert (data["verdict_words"], data["notes"], data["unreachable"]) == ("Answered", [], "could not reach Away")
    assert turn.answer["unreachable"] == [{"source_id": away.id, "name": "Away", "is_noted": False}]


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How do I open the shed?", "complete"),
        ("Which documents mention the orders database?", "complete"),
        ("Who wrote how to restore the orders database, and in which year?", "partial"),
        ("Who feeds the walrus?", "none"),
    ],
    ids=["cited from it", "a list", "not answered as a whole", "not found"],
)
def test_that_a_source_cannot_be_reached_which_might_change_the_answer_is_a_note(
    tools: Tools, away: Source, question: str, verdict: str
) -> None:
    data = drawn(tools, answered(tools, question))
    [note] = data["notes"]
    assert data["verdict"] == verdict
    assert note.startswith("Away cannot be reached now") and data["unreachable"] == ""


def test_a_greeting_says_nothing_of_a_source_that_cannot_be_reached(tools: Tools, away: Source) -> None:
    data = drawn(tools, answered(tools, "hello"))
    assert (data["notes"], data["unreachable"]) == ([], "")


def test_that_a_source_of_others_cannot_be_reached_is_not_told(tools: Tools, source: Source, away: Source) -> None:
    seen = answered(tools).answer
    assert visible_answer(seen, {source.id}, {source.id, away.id})["unreachable"] == []
