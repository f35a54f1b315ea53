"""Chats and their turns: a question asked once is kept with its trail and its answer, whatever happens to the page."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from tree.store.database import Database, StoreError
from tree.store.models import Chat, Turn, table_of

TITLE = 60  # characters

_chat = table_of(Chat)
_turn = table_of(Turn)


class ChatDeleted(StoreError):
    """Somebody else has deleted the chat in which something was to be asked."""


class Chats:
    def __init__(self, database: Database) -> None:
        self.database = database

    def begin(self, question: str, scope: str = "", chat_id: str | None = None, *, owner: str) -> Turn:
        """A new running turn of this person, in a new chat unless one of theirs is given. Raises ChatDeleted."""
        now = time.time()
        with self.database.write() as connection:
            if chat_id is None:
                chat_id = uuid.uuid4().hex
                title = question if len(question) <= TITLE else f"{question[:TITLE].rsplit(' ', 1)[0]} …"
                connection.execute(sa.insert(_chat).values(id=chat_id, title=title, created_at=now, asked_at=now, owner=owner))
            else:
                if not connection.execute(sa.update(_chat).where(_is(chat_id, owner)).values(asked_at=now)).rowcount:
                    raise ChatDeleted("This chat was deleted. Ask in a new one.")
            last = connection.scalar(sa.select(sa.func.max(_turn.c.number)).where(_turn.c.chat_id == chat_id)) or 0
            row: dict[str, Any] = {
                "id": uuid.uuid4().hex,
                "chat_id": chat_id,
                "number": last + 1,
                "question": question,
                "scope": scope,
                "state": "running",
                "message": "",
                "version": 0,
                "steps": [],
                "asked_at": now,
            }
            connection.execute(sa.insert(_turn).values(row))
        return Turn(**row)

    def finish(
        self,
        turn_id: str,
        state: str,
        answer: dict[str, Any] | None = None,
        steps: Sequence[Mapping[str, Any]] = (),
        message: str = "",
    ) -> None:
        """`state`: done, stopped or failed. Steps are kept beside the answer only when there is no whole answer."""
        values = {"state": state, "answer": answer, "steps": list(steps), "message": message, "finished_at": time.time()}
        values["version"] = (answer or {}).get("version", 0)
        with self.database.write() as connection:
            connection.execute(sa.update(_turn).where(_turn.c.id == turn_id).values(values))

    def interrupt_running(self) -> int:
        """At the start of the app: whatever was still running then will never end. Returns how many that were."""
        message = "The app was stopped while this was being answered. Ask again."
        values = {"state": "interrupted", "message": message, "finished_at": time.time()}
        with self.database.write() as connection:
            return connection.execute(sa.update(_turn).where(_turn.c.state == "running").values(values)).rowcount

    def turn(self, turn_id: str) -> Turn | None:
        with self.database.read() as connection:
            row = connection.execute(sa.select(_turn).where(_turn.c.id == turn_id)).first()
        return Turn(**row._mapping) if row else None

    def turns(self, chat_id: str, limit: int = 30) -> list[Turn]:
        """The last turns of a chat, the oldest first."""
        query = sa.select(_turn).where(_turn.c.chat_id == chat_id).order_by(_turn.c.number.desc()).limit(limit)
        with self.database.read() as connection:
            return [Turn(**row._mapping) for row in connection.execute(query)][::-1]

    def chat(self, chat_id: str, viewer: str) -> Chat | None:
        """A chat of the viewer (a person's id), or one that a colleague has shared."""
        seen = sa.and_(_chat.c.id == chat_id, sa.or_(_chat.c.owner == viewer, _chat.c.shared))
        with self.database.read() as connection:
            row = connection.execute(sa.select(_chat).where(seen)).first()
        return Chat(**row._mapping) if row else None

    def recent(self, owner: str, limit: int = 30) -> list[Chat]:
        """The chats of this person, the one asked in last first."""
        query = sa.select(_chat).where(_chat.c.owner == owner).order_by(_chat.c.asked_at.desc()).limit(limit)
        with self.database.read() as connection:
            return [Chat(**row._mapping) for row in connection.execute(query)]

    def rename(self, chat_id: str, title: str, owner: str) -> None:
        self._change(chat_id, owner, title=title.strip()[:200] or "Untitled")

    def share(self, chat_id: str, shared: bool, owner: str) -> None:
        """Lets colleagues who have the link read it, or no longer. They see what they may see, and ask nothing in it."""
        self._change(chat_id, owner, shared=shared)

    def delete(self, chat_id: str, owner: str) -> None:
        with self.database.write() as connection:
            theirs = sa.select(_chat.c.id).where(_is(chat_id, owner))
            connection.execute(sa.delete(_turn).where(_turn.c.chat_id.in_(theirs)))
            connection.execute(sa.delete(_chat).where(_is(chat_id, owner)))

    def _change(self, chat_id: str, owner: str, **values: Any) -> None:
        with self.database.write() as connection:
            connection.execute(sa.update(_chat).where(_is(chat_id, owner)).values(values))


def _is(chat_id: str, owner: str) -> sa.ColumnElement[bool]:
    return sa.and_(_chat.c.id == chat_id, _chat.c.owner == owner)
