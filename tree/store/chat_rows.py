"""The rows of chats: whose they are, what they are called, who may read them."""

from __future__ import annotations

import time
import uuid
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store import answer_versions
from tree.store.database import Database
from tree.store.models import Chat, Turn, table_of
from tree.store.statements import has_words
from tree.store.turn_rows import TurnRows

TITLE = 60  # characters

_chat = table_of(Chat)
_turn = table_of(Turn)


class ChatRows:
    def __init__(self, database: Database, turns: TurnRows) -> None:
        self.database = database
        self._turns = turns

    def get(self, chat_id: str, viewer: str) -> Chat | None:
        """A chat of the viewer (a person's id), or one that a colleague has shared."""
        seen = sa.and_(_chat.c.id == chat_id, sa.or_(_chat.c.owner == viewer, _chat.c.shared))
        with self.database.read() as connection:
            row = connection.execute(sa.select(_chat).where(seen)).first()
        return Chat(**row._mapping) if row else None

    def recent(self, owner: str, limit: int = 30, containing: str = "") -> list[Chat]:
        """The chats of this person, pinned ones first, then the one asked in last; with `containing` those that say it in
        their name, a question or an answer."""
        query = (
            sa.select(_chat).where(_chat.c.owner == owner).order_by(_chat.c.pinned.desc(), _chat.c.asked_at.desc()).limit(limit)
        )
        if words := containing.strip():
            said = (_turn.c.question, _turn.c.answer["answer"].as_string())
            turns = sa.select(_turn.c.chat_id).where(
                _turn.c.chat_id == _chat.c.id, sa.or_(*(has_words(column, words) for column in said))
            )
            query = query.where(sa.or_(has_words(_chat.c.title, words), turns.exists()))
        with self.database.read() as connection:
            return [Chat(**row._mapping) for row in connection.execute(query)]

    def owner(self, chat_id: str) -> str:
        """Whose chat it is; empty where there is none."""
        with self.database.read() as connection:
            return connection.scalar(sa.select(_chat.c.owner).where(_chat.c.id == chat_id)) or ""

    def branch(self, turn_id: str, owner: str) -> str | None:
        """A new chat of this person with what came before a turn of theirs, for asking otherwise; returns its id."""
        turn = self._turns.get(turn_id)
        chat = self.get(turn.chat_id, owner) if turn is not None else None
        if turn is None or chat is None or chat.owner != owner:
            return None
        new, now = uuid.uuid4().hex, time.time()
        before = sa.and_(_turn.c.chat_id == chat.id, _turn.c.number < turn.number, _turn.c.state != "running")
        with self.database.write() as connection:
            connection.execute(
                sa.insert(_chat).values(
                    id=new, title=chat.title, created_at=now, asked_at=now, owner=owner, files_of=chat.files_chat
                )
            )
            for row in connection.execute(sa.select(_turn).where(before).order_by(_turn.c.number)).all():
                scopes = {one.number: one.scope for one in answer_versions.of(connection, [row.id]).get(row.id, [])}
                kept = {**row._mapping, "id": uuid.uuid4().hex, "chat_id": new, "rating": None, "reason": "", "shown": 0}
                kept["scope"] = scopes.get(row.shown, row.scope)
                connection.execute(sa.insert(_turn).values(kept))
        return new

    def rename(self, chat_id: str, title: str, owner: str) -> None:
        self._change(chat_id, owner, title=title.strip()[:200] or "Untitled")

    def share(self, chat_id: str, shared: bool, owner: str) -> None:
        """Lets colleagues who have the link read it, or no longer. They see what they may see, and ask nothing in it."""
        self._change(chat_id, owner, shared=shared)

    def pin(self, chat_id: str, pinned: bool, owner: str) -> None:
        self._change(chat_id, owner, pinned=pinned)

    def delete(self, chat_id: str, owner: str) -> None:
        with self.database.write() as connection:
            theirs = sa.select(_chat.c.id).where(is_theirs(chat_id, owner))
            connection.execute(sa.delete(_turn).where(_turn.c.chat_id.in_(theirs)))
            connection.execute(sa.delete(_chat).where(is_theirs(chat_id, owner)))

    def has_files_of(self, files_chat: str, owner: str | None = None) -> bool:
        """Whether a chat (of this person) is left that has the files known by this chat."""
        has_them = sa.or_(_chat.c.id == files_chat, _chat.c.files_of == files_chat)
        with self.database.read() as connection:  # without the owner in it: SQLite would go through all chats of this person
            owners = set(connection.scalars(sa.select(_chat.c.owner).where(has_them)))
        return bool(owners) if owner is None else owner in owners

    def _change(self, chat_id: str, owner: str, **values: Any) -> None:
        with self.database.write() as connection:
            connection.execute(sa.update(_chat).where(is_theirs(chat_id, owner)).values(values))


def new_chat(question: str, owner: str, chat_id: str | None = None) -> Chat:
    """A chat of this person as it will be once its first question is kept: files that come with that belong to it already."""
    now = time.time()
    return Chat(id=chat_id or uuid.uuid4().hex, title=_shortened(question), created_at=now, asked_at=now, owner=owner)


def _shortened(title: str) -> str:
    return title if len(title) <= TITLE else f"{title[:TITLE].rsplit(' ', 1)[0]} …"


def is_theirs(chat_id: str, owner: str) -> sa.ColumnElement[bool]:
    return sa.and_(_chat.c.id == chat_id, _chat.c.owner == owner)


def give_unowned_chats(connection: Connection, owner: str) -> None:
    """Chats from before there were accounts."""
    connection.execute(sa.update(_chat).where(_chat.c.owner == "").values(owner=owner))
