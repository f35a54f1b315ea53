"""What was asked is counted by week, source and topic, without reading the answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from tree.store.asked import AskedQuestions, Count, topic_of
from tree.store.chats import Chats
from tree.store.database import Database
from tree.store.models import Asked, AskedOf, Turn, table_of
from tree.workspace import open_database

WEEK = 7 * 86_400
NOW = time.time()


@pytest.fixture
def database(tmp_path, each_database) -> Iterator[Database]:
    opened = open_database(tmp_path)
    yield opened
    opened.close()


def asked(
    database: Database, question: str, verdict: str = "complete", owner: str = "ben", ago: float = 0, **answer: Any
) -> Turn:
    chats = Chats(database)
    turn = chats.running.begin(question, owner=owner)
    with database.write() as connection:
        connection.execute(sa.update(table_of(Turn)).where(table_of(Turn).c.id == turn.id).values(asked_at=NOW - ago))
    chats.running.finish(turn.id, "done", {"answer": "", "verdict": verdict, "sources": ["s", "t"], "rests_on": [], **answer})
    return turn


def test_questions_of_the_same_terms_are_one_topic(database) -> None:
    asked(database, "How long is parental leave?", "none", "ben", ago=50)
    asked(database, "parental leave, how long?", "none", "cy", ago=20)
    newest = asked(database, "Long parental leave", "none", "cy", ago=10)
    asked(database, "Who owns the gate?", owner="ben")
    asked(database, "and it?", "none")
    leave, gate = AskedQuestions(database).topics(NOW - WEEK)
    assert (leave.turn_id, leave.question, leave.times, leave.people) == (newest.id, "Long parental leave", 3, 2)
    assert gate.question == "Who owns the gate?" and gate.verdict == "complete"
    assert [topic.times for topic in AskedQuestions(database).topics(NOW - WEEK, "none")] == [3]
    assert AskedQuestions(database).topics(NOW - WEEK, "partial") == []
    assert [topic.times for topic in AskedQuestions(database).topics(NOW - 30)] == [2, 1]


def test_counts_are_by_period_and_by_the_sources_an_answer_rests_on(database) -> None:
    asked(database, "What is drift?", rests_on=["s"], ago=WEEK)
    asked(database, "What is a gate?", "partial", rests_on=["t"])
    lost = asked(database, "What is a heron?", "none")
    Chats(database).turns.rate(lost.id, 0, "It is wrong", "ben")
    questions = AskedQuestions(database)
    starts = [NOW - WEEK - 60, NOW - 3600]
    assert questions.by_period(starts) == [Count(1), Count(2, 1, 1, 1)]
    assert questions.by_period(starts, "s") == [Count(1), Count(1, 1, 0, 1)]
    assert questions.by_source(starts[0]) == {"s": Count(2, 1, 0, 1), "t": Count(2, 1, 1, 1)}
    assert [one.reason for one in questions.unhelpful(starts[0], "s")] == ["It is wrong"]
    assert questions.unhelpful(starts[0], "u") == [] and questions.topics(starts[0], source_id="u") == []


def test_questions_without_help_come_with_the_next_of_the_chat_where_both_are_of_visible_sources(database) -> None:
    lost = asked(database, "Where is the holiday tracker?", "none", ago=30)
    chats = Chats(database)
    again = chats.running.begin("Where is the leave planner?", chat_id=lost.chat_id, owner="ben")
    chats.running.finish(again.id, "done", {"answer": "", "verdict": "complete", "sources": ["s", "t"], "rests_on": ["s"]})
    wrong = asked(database, "What is drift?", owner="cy", ago=20, rests_on=["t"])
    chats.turns.rate(wrong.id, 0, "", "cy")
    asked(database, "What is a gate?", owner="cy", ago=10, rests_on=["t"])
    asked(database, "Who is there?", "none", ago=5, sources=[])
    questions = AskedQuestions(database)
    found = questions.unanswered(NOW - WEEK, ["s", "t", "u"])
    assert [(one.turn_id, one.verdict, one.rating, one.owner) for one in found] == [
        (wrong.id, "complete", 0, "cy"),
        (lost.id, "none", None, "ben"),
    ]
    [following] = [one.again for one in found if one.again is not None]
    assert (following.turn_id, following.question, following.verdict) == (again.id, "Where is the leave planner?", "complete")
    assert [one.turn_id for one in questions.unanswered(NOW - WEEK, ["t"])] == [wrong.id], "the other was asked of both"
    assert questions.unanswered(NOW - WEEK, ["s"]) == questions.unanswered(NOW - WEEK, []) == []
    assert len(questions.unanswered(NOW - WEEK, ["s", "t"], limit=1)) == 1


def test_the_next_question_is_left_out_where_its_answer_rests_on_another_source(database) -> None:
    lost = asked(database, "Where is the holiday tracker?", "none", sources=["s"])
    chats = Chats(database)
    again = chats.running.begin("Where is the leave planner?", chat_id=lost.chat_id, owner="ben")
    chats.running.finish(again.id, "done", {"answer": "", "verdict": "complete", "sources": ["s", "t"], "rests_on": ["t"]})
    questions = AskedQuestions(database)
    assert [one.again for one in questions.unanswered(0.0, ["s"])] == [None]
    assert [one.again is None for one in questions.unanswered(0.0, ["s", "t"])] == [False]


@pytest.mark.parametrize(("answer", "rating"), (("It drifts.", 0), ("It is a gate.", None)))
def test_what_was_thought_of_an_answer_stays_with_its_words(database, answer: str, rating: int | None) -> None:
    chats = Chats(database)
    turn = chats.running.begin("What is drift?", chat_id=None, owner="ben")
    chats.running.finish(turn.id, "done", {"answer": "It drifts.", "verdict": "complete", "sources": ["s"], "rests_on": ["s"]})
    chats.turns.rate(turn.id, 0, "It is wrong", "ben")
    chats.running.ask_again(turn.id, "ben")
    chats.running.finish(turn.id, "done", {"answer": answer, "verdict": "complete", "sources": ["s"], "rests_on": ["s"]})
    kept = chats.turns.get(turn.id)
    assert kept is not None and (kept.rating, kept.reason) == (rating, "It is wrong" if rating == 0 else "")


def test_a_question_asked_again_or_deleted_is_counted_once_or_not_at_all(database) -> None:
    chats, questions = Chats(database), AskedQuestions(database)
    turn = asked(database, "What is drift?", "none")
    chats.running.ask_again(turn.id, "ben")
    chats.running.finish(turn.id, "done", {"answer": "", "verdict": "complete", "sources": ["s"], "rests_on": ["s"]})
    assert questions.by_source(NOW - WEEK) == {"s": Count(1)}
    chats.running.ask_again(turn.id, "ben")
    chats.running.finish(turn.id, "failed", message="No.")
    assert questions.by_period([NOW - WEEK]) == [Count(1)], "the answer it had is kept"
    chats.rows.delete(turn.chat_id, "ben")
    with database.read() as connection:
        assert [connection.scalar(sa.select(sa.func.count()).select_from(table_of(model))) for model in (Asked, AskedOf)] == [
            0,
            0,
        ]


def test_topics_of_earlier_questions_are_made_when_they_are_looked_at(database) -> None:
    asked(database, "What is drift?")
    with database.write() as connection:
        connection.execute(sa.update(table_of(Asked)).values(topic=None))
    assert [topic.question for topic in AskedQuestions(database).topics(NOW - WEEK)] == ["What is drift?"]


@pytest.mark.parametrize("other", ["Which days are the parental leave?", "the PARENTAL leave; day"])
def test_small_words_case_and_order_make_no_other_topic(other) -> None:
    assert topic_of(other) == topic_of("parental leave days")
    assert topic_of("parental leave days") != topic_of("leave days")
