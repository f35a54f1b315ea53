"""The rows of turns: what was asked in a chat, with its answer, the versions of that, and what its reader thinks of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store import answer_versions, asked
from tree.store.answer_versions import VersionOf
from tree.store.database import Database
from tree.store.models import Chat, Turn, table_of

LONGEST_REASON = 500  # characters

_chat = table_of(Chat)
_turn = table_of(Turn)


class TurnRows:
    def __init__(self, database: Database) -> None:
        self.database = database

    def get(self, turn_id: str) -> Turn | None:
        with self.database.read() as connection:
            row = connection.execute(sa.select(_turn).where(_turn.c.id == turn_id)).first()
        return Turn(**row._mapping) if row else None

    def of_chat(self, chat_id: str, limit: int = 30, before: int | None = None) -> list[Turn]:
        """The last turns of a chat, or the last of those before a number; the oldest first."""
        earlier = _turn.c.number < before if before is not None else sa.true()
        query = sa.select(_turn).where(_turn.c.chat_id == chat_id, earlier).order_by(_turn.c.number.desc()).limit(limit)
        with self.database.read() as connection:
            return [Turn(**row._mapping) for row in connection.execute(query)][::-1]

    def newest(self, chat_id: str) -> tuple[int, float]:
        """The number of the last turn of a chat, and when an answer in it was last finished."""
        of_chat = sa.select(sa.func.max(_turn.c.number), sa.func.max(_turn.c.finished_at)).where(_turn.c.chat_id == chat_id)
        with self.database.read() as connection:
            number, finished_at = connection.execute(of_chat).one()
        return number or 0, finished_at or 0.0

    def count_from(self, chat_id: str, turn_id: str) -> int:
        """How many turns the chat has from this one on; 0 where it is none of its."""
        first = sa.select(_turn.c.number).where(_turn.c.chat_id == chat_id, _turn.c.id == turn_id).scalar_subquery()
        query = sa.select(sa.func.count()).where(_turn.c.chat_id == chat_id, _turn.c.number >= first)
        with self.database.read() as connection:
            return connection.scalar(query) or 0

    def versions(self, turn_ids: Collection[str]) -> dict[str, list[VersionOf]]:
        """Of those of these turns that were asked in several branches, in the order in which they were."""
        with self.database.read() as connection:
            return answer_versions.of(connection, turn_ids) if turn_ids else {}

    def show_version(self, turn_id: str, number: int, owner: str) -> None:
        """Shows another version of the answer to a turn of this person; nothing happens where it has no such version."""
        theirs = sa.select(_chat.c.id).where(_chat.c.owner == owner)
        of_it = sa.and_(_turn.c.id == turn_id, _turn.c.chat_id.in_(theirs), _turn.c.state != "running")
        with self.database.write() as connection:
            answer = answer_versions.answer_of(connection, turn_id, number)
            if answer is None:
                return
            values = {
                "answer": answer,
                "version": answer.get("version", 0),
                "shown": number,
                "state": "done",
                "rating": None,
                "reason": "",
            }
            if connection.execute(sa.update(_turn).where(of_it).values(values)).rowcount:
                asked.keep(connection, turn_id, answer)

    def rate(self, turn_id: str, rating: int | None, reason: str, owner: str) -> None:
        """Whether the answer helped (1 or 0, or no opinion any more), and why not."""
        theirs = sa.select(_chat.c.id).where(_chat.c.owner == owner)
        of_it = sa.and_(_turn.c.id == turn_id, _turn.c.chat_id.in_(theirs))
        with self.database.write() as connection:
            connection.execute(sa.update(_turn).where(of_it).values(rating=rating, reason=reason.strip()[:LONGEST_REASON]))

    def keep_progress(self, turn_id: str, progress: Mapping[str, Any] | None, owner: str) -> None:
        """How far this person has got with the steps of an answer of theirs; kept with the answer, until it is asked again."""
        theirs = sa.select(_chat.c.id).where(_chat.c.owner == owner)
        of_it = sa.and_(_turn.c.id == turn_id, _turn.c.chat_id.in_(theirs))
        with self.database.write() as connection:
            row = connection.execute(sa.select(_turn).where(of_it)).first()
            if row is not None and row.answer:
                answer = {**row.answer, "progress": progress}
                connection.execute(sa.update(_turn).where(of_it).values(answer=answer))
                if row.shown:
                    answer_versions.replace(connection, Turn(**row._mapping), answer)


def read_cited_places(connection: Connection, turns: int) -> Counter[str]:
    """How often each place was cited in the answers to so many questions, those asked last."""
    query = sa.select(_turn.c.answer["citations"]).where(_turn.c.answer.is_not(None))
    answers = connection.scalars(query.order_by(_turn.c.asked_at.desc()).limit(turns)).all()
    return Counter(citation["place"] for citations in answers for citation in citations or ())
