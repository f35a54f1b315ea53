"""What was asked and how it was answered, counted by week, source and topic: so that gaps in the knowledge become visible.

A topic is the set of a question's terms: "How long is parental leave?" and "parental leave, how long" are one. All is counted
from two small tables (`asked`, `asked_of`); the answers themselves are not read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.language import words
from tree.store.database import Database
from tree.store.models import Asked, AskedOf, Chat, Turn, table_of

Kind = Literal["none", "partial", "unhelpful", "all"]

LONGEST_TOPIC = 300  # characters
AT_ONCE = 500  # topics that are made in one transaction

_asked = table_of(Asked)
_of = table_of(AskedOf)
_turn = table_of(Turn)
_chat = table_of(Chat)


@dataclass(frozen=True, slots=True)
class Count:
    """How many questions were asked in a week, or of a source, and what became of them."""

    asked: int = 0
    not_found: int = 0
    passages: int = 0
    unhelpful: int = 0


@dataclass(frozen=True, slots=True)
class Topic:
    """Questions of the same terms. `turn_id`, `question` and `verdict` are of the one that was asked last."""

    turn_id: str
    question: str
    verdict: str
    times: int
    people: int
    asked_at: float


@dataclass(frozen=True, slots=True)
class Unhelpful:
    """An answer that whoever asked said was not helpful; `owner` is their id."""

    turn_id: str
    question: str
    verdict: str
    reason: str
    owner: str
    asked_at: float


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """The next question of a chat, once it was answered."""

    turn_id: str
    question: str
    verdict: str
    rating: int | None
    asked_at: float


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that found nothing, or whose answer whoever asked marked as not helpful; `owner` is their id."""

    turn_id: str
    question: str
    verdict: str
    rating: int | None
    owner: str
    asked_at: float
    again: AskedAgain | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question with the answer that was given (`Answer.as_json`), and what whoever asked said of it. `of` are the ids of the
    sources that it rests on, or was asked of."""

    question: str
    answer: Mapping[str, Any]
    rating: int | None
    reason: str
    of: frozenset[str]


def exchanges(database: Database) -> Iterator[Exchange]:
    """All that was answered, the oldest first; some at a time, so that it may be much."""
    after = ("", -1.0)
    query = sa.select(_turn.c.id, _turn.c.asked_at, _turn.c.question, _turn.c.answer, _turn.c.rating, _turn.c.reason)
    query = query.join(_asked, _asked.c.turn_id == _turn.c.id).order_by(_asked.c.asked_at, _asked.c.turn_id).limit(AT_ONCE)
    while True:
        later = sa.tuple_(_asked.c.asked_at, _asked.c.turn_id) > sa.tuple_(after[1], after[0])
        with database.read() as connection:
            rows = connection.execute(query.where(later)).all()
        if not rows:
            return
        for row in rows:
            if row.answer is not None:  # it is being asked again
                of = row.answer.get("rests_on") or row.answer.get("sources") or ()
                yield Exchange(row.question, row.answer, row.rating, row.reason, frozenset(of))
        after = rows[-1].id, rows[-1].asked_at


def topic_of(question: str) -> str:
    return " ".join(sorted({known[0] for known in words(question)}))[:LONGEST_TOPIC]


def keep(connection: Connection, turn_id: str, answer: Mapping[str, Any]) -> None:
    """Notes an answer that was given; in the place of the one that this turn had before."""
    query = sa.select(_turn.c.asked_at, _turn.c.question, _chat.c.owner).join(_chat, _chat.c.id == _turn.c.chat_id)
    turn = connection.execute(query.where(_turn.c.id == turn_id)).first()
    connection.execute(sa.delete(_asked).where(_asked.c.turn_id == turn_id))
    if turn is None:
        return
    shared = {"turn_id": turn_id, "asked_at": turn.asked_at, "verdict": answer["verdict"]}
    connection.execute(sa.insert(_asked).values(**shared, owner=turn.owner, topic=topic_of(turn.question)))
    if of := dict.fromkeys(answer.get("rests_on") or answer.get("sources") or ()):
        connection.execute(sa.insert(_of), [{**shared, "source_id": source_id} for source_id in of])


class AskedQuestions:
    """Everything is counted from `since` on (seconds since 1970), of one source or of all."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def by_period(self, starts: Sequence[float], source_id: str = "") -> list[Count]:
        """Of each period: from one of these moments, which are sorted, to the next, or to now."""
        with self.database.read() as connection:
            counts = [Count() for _ in starts]
            for kind, of in ((None, _of if source_id else _asked), ("unhelpful", _turn)):
                at = of.c.asked_at
                before = ((at < end, number) for number, end in enumerate(starts[1:]))
                period = sa.case((at >= starts[-1], len(starts) - 1), *before)
                verdict = of.c.verdict if kind is None else sa.literal("unhelpful")
                query = sa.select(period, verdict, sa.func.count()).where(of.c.asked_at >= starts[0]).group_by(period, verdict)
                query = query.where(_of.c.source_id == source_id) if source_id and kind is None else query
                query = query.where(_is_unhelpful(source_id)) if kind else query
                for number, told, times in connection.execute(query).tuples():
                    counts[number] = _added(counts[number], told, times)
        return counts

    def by_source(self, since: float) -> dict[str, Count]:
        counts: dict[str, Count] = {}
        query = sa.select(_of.c.source_id, _of.c.verdict, sa.func.count()).where(_of.c.asked_at >= since)
        unhelpful = sa.select(_of.c.source_id, sa.literal("unhelpful"), sa.func.count()).join(_turn, _turn.c.id == _of.c.turn_id)
        unhelpful = unhelpful.where(_turn.c.rating == 0, _turn.c.asked_at >= since).group_by(_of.c.source_id)
        with self.database.read() as connection:
            for statement in (query.group_by(_of.c.source_id, _of.c.verdict), unhelpful):
                for source_id, told, times in connection.execute(statement).tuples():
                    counts[source_id] = _added(counts.get(source_id, Count()), told, times)
        return counts

    def topics(self, since: float, kind: Kind = "all", source_id: str = "", limit: int = 50) -> list[Topic]:
        """The topics of the questions with this verdict, of those whose answer was not helpful, or of all, the most asked first."""
        self._make_topics()
        times, last = sa.func.count(), sa.func.max(_asked.c.asked_at)
        query = (
            sa.select(_asked.c.topic, times, sa.func.count(_asked.c.owner.distinct()), last)
            .where(_asked.c.topic > "", *_chosen(since, kind, source_id))
            .group_by(_asked.c.topic)
            .order_by(times.desc(), last.desc())
            .limit(limit)
        )
        with self.database.read() as connection:
            found = connection.execute(query).tuples().all()
            shown = self._last(connection, {topic: asked_at for topic, _, _, asked_at in found})
        return [
            Topic(*shown[topic], times=times, people=people, asked_at=asked_at)
            for topic, times, people, asked_at in found
            if topic in shown
        ]

    @staticmethod
    def _last(connection: Connection, topics: Mapping[str, float]) -> dict[str, tuple[str, str, str]]:
        """Of each topic the turn that was asked at this moment: id, question, verdict."""
        at = sa.or_(*(sa.and_(_asked.c.topic == topic, _asked.c.asked_at == moment) for topic, moment in topics.items()))
        query = sa.select(_asked.c.topic, _turn.c.id, _turn.c.question, _asked.c.verdict)
        query = query.join(_turn, _turn.c.id == _asked.c.turn_id).where(at)
        rows = connection.execute(query).tuples() if topics else ()
        return {topic: (turn_id, question, verdict) for topic, turn_id, question, verdict in rows}

    def unhelpful(self, since: float, source_id: str = "", limit: int = 50) -> list[Unhelpful]:
        """The newest first."""
        query = (
            sa.select(_turn.c.id, _turn.c.question, _asked.c.verdict, _turn.c.reason, _asked.c.owner, _turn.c.asked_at)
            .join(_asked, _asked.c.turn_id == _turn.c.id)
            .where(_turn.c.asked_at >= since, _is_unhelpful(source_id))
            .order_by(_turn.c.asked_at.desc())
            .limit(limit)
        )
        with self.database.read() as connection:
            return [Unhelpful(*row) for row in connection.execute(query).tuples()]

    def unanswered(self, since: float, visible: Collection[str], limit: int = 500) -> list[Unanswered]:
        """The newest first, each with the next question of its chat. Both only where every source that an answer rests on, or was
        asked of, is among these ids: what was asked of another source is told to nobody who may not see it."""
        next_, next_asked = _turn.alias("next"), _asked.alias("next_asked")
        follows = sa.and_(next_.c.chat_id == _turn.c.chat_id, next_.c.number == _turn.c.number + 1)
        is_answered = sa.and_(next_asked.c.turn_id == next_.c.id, *_is_of(next_asked.c.turn_id, visible))
        query = (
            sa.select(
                *(_turn.c.id, _turn.c.question, _asked.c.verdict, _turn.c.rating, _asked.c.owner, _asked.c.asked_at),
                *(next_asked.c.turn_id, next_.c.question, next_asked.c.verdict, next_.c.rating, next_asked.c.asked_at),
            )
            .select_from(
                _asked.join(_turn, _turn.c.id == _asked.c.turn_id).outerjoin(next_, follows).outerjoin(next_asked, is_answered)
            )
            .where(_asked.c.asked_at >= since, *_is_of(_asked.c.turn_id, visible))
            .where(sa.or_(_asked.c.verdict == "none", _turn.c.rating == 0))
            .order_by(_asked.c.asked_at.desc())
            .limit(limit)
        )
        with self.database.read() as connection:
            rows = connection.execute(query).tuples().all()
        return [Unanswered(*row[:6], AskedAgain(*row[6:]) if row[6] is not None else None) for row in rows]

    def _make_topics(self) -> None:
        """Of questions that were asked before topics were kept."""
        missing = sa.select(_turn.c.id, _turn.c.question).join(_asked, _asked.c.turn_id == _turn.c.id)
        missing = missing.where(_asked.c.topic.is_(None)).limit(AT_ONCE)
        made = sa.update(_asked).where(_asked.c.turn_id == sa.bindparam("of")).values(topic=sa.bindparam("made"))
        while True:
            with self.database.read() as connection:
                found = connection.execute(missing).tuples().all()
            if not found:
                return
            with self.database.write() as connection:
                connection.execute(made, [{"of": id_, "made": topic_of(question)} for id_, question in found])


def _chosen(since: float, kind: Kind, source_id: str) -> list[sa.ColumnElement[bool]]:
    chosen = [_asked.c.asked_at >= since]
    if kind in ("none", "partial"):
        chosen.append(_asked.c.verdict == kind)
    if kind == "unhelpful":
        chosen.append(_asked.c.turn_id.in_(sa.select(_turn.c.id).where(_turn.c.rating == 0, _turn.c.asked_at >= since)))
    if source_id:
        chosen.append(_asked.c.turn_id.in_(sa.select(_of.c.turn_id).where(_of.c.source_id == source_id, _of.c.asked_at >= since)))
    return chosen


def _is_of(turn_id: sa.ColumnElement[str], visible: Collection[str]) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    """Of these sources, and of no other."""
    of = sa.select(_of.c.turn_id).where(_of.c.turn_id == turn_id)
    return of.exists(), ~of.where(_of.c.source_id.not_in(visible)).exists()


def _is_unhelpful(source_id: str) -> sa.ColumnElement[bool]:
    of = sa.select(_of.c.turn_id).where(_of.c.turn_id == _turn.c.id, _of.c.source_id == source_id).exists()
    return sa.and_(_turn.c.rating == 0, of if source_id else sa.true())


def _added(count: Count, told: str, times: int) -> Count:
    """`told` is a verdict, or "unhelpful", which is told of a question beside its verdict."""
    if told == "unhelpful":
        return Count(count.asked, count.not_found, count.passages, count.unhelpful + times)
    return Count(
        count.asked + times,
        count.not_found + times * (told == "none"),
        count.passages + times * (told == "partial"),
        count.unhelpful,
    )
