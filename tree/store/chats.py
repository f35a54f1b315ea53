"""Chats and their turns: a question asked once is kept with its trail and its answer, whatever happens to the page."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store import answer_versions, asked
from tree.store.answer_versions import VersionOf
from tree.store.database import Database, StoreError
from tree.store.locks import Lock, Taken
from tree.store.models import Chat, Turn, table_of
from tree.store.statements import has_words

TITLE = 60  # characters
STOP_ASKED = "stop"  # in place of a message, while the turn is running: for the process that answers it
UNFINISHED = ("stopped", "interrupted")  # states of a turn that can go on
LONGEST_REASON = 500  # characters

_chat = table_of(Chat)
_turn = table_of(Turn)


class ChatDeleted(StoreError):
    """Somebody else has deleted the chat in which something was to be asked."""


class Chats:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._app = ""  # the name of this process, once it is one that answers
        self._presence: Lock | None = None

    def sign_on(self) -> None:
        """This process answers questions from now on: while it lives, no other one says that those were left."""
        self._app = uuid.uuid4().hex[:8]
        self._presence = self.database.locks.lock(_presence_of(self._app))
        self._presence.acquire()

    def sign_off(self) -> None:
        if self._presence is not None:
            self._presence.release()
            self.database.locks.forget(_presence_of(self._app))
            self._presence = None

    def _stay(self) -> None:
        """Where the server that keeps our lock was started again, it is ours no more."""
        if self._presence is not None and not self._presence.is_held:
            with suppress(Taken):
                self._presence.acquire()

    def begin(self, question: str, scope: str = "", chat_id: str | None = None, *, owner: str, opens: bool = False) -> Turn:
        """A new running turn of this person, in a new chat unless one of theirs is given; with `opens` that one is a `new_chat`.
        Raises ChatDeleted."""
        now = time.time()
        self._stay()
        with self.database.write() as connection:
            if chat_id is None or opens:
                chat = new_chat(question, owner, chat_id)
                chat_id = chat.id
                connection.execute(
                    sa.insert(_chat).values(id=chat.id, title=chat.title, created_at=now, asked_at=now, owner=owner)
                )
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
                "answered_by": self._app,
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
        *,
        version_in: str | None = None,
    ) -> None:
        """`state`: done, stopped or failed. Steps are kept beside the answer only when there is no whole answer.

        A question that was asked again and not answered keeps the answer that it had. With `version_in` it was asked in another
        scope: the answer is one more version beside those before.
        """
        values = {"state": state, "answer": answer, "steps": list(steps), "message": message, "finished_at": time.time()}
        values["version"] = (answer or {}).get("version", 0)
        of_it = _turn.c.id == turn_id
        with self.database.write() as connection:
            if answer is None and connection.execute(_given_back().where(of_it)).rowcount:
                return
            if answer is not None:
                values |= _kept_version(connection, turn_id, answer, version_in)
            connection.execute(sa.update(_turn).where(of_it).values(values | {"previous": sa.null()}))
            if answer is not None:
                asked.keep(connection, turn_id, answer)

    def ask_again(self, turn_id: str, owner: str) -> Turn | None:
        """The turn of this person, running again in its place; None where it is not theirs."""
        theirs = sa.select(_chat.c.id).where(_chat.c.owner == owner)
        has_answer = _turn.c.answer["answer"].as_string().is_not(None)
        values: dict[str, Any] = {
            "state": "running", "message": "", "steps": [], "answer": sa.null(), "rating": None, "reason": "", "asked_at": time.time(),
            "previous": sa.case((has_answer, _turn.c.answer), else_=_turn.c.previous), "finished_at": None, "answered_by": self._app,
        }  # fmt: skip
        self._stay()
        with self.database.write() as connection:
            again = sa.update(_turn).where(_turn.c.id == turn_id, _turn.c.chat_id.in_(theirs)).values(values)
            if not connection.execute(again).rowcount:
                return None
        return self.turn(turn_id)

    def go_on(self, turn_id: str, owner: str) -> Turn | None:
        """The turn of this person, which was stopped, running again with the steps it has; None where it is not theirs."""
        theirs = sa.select(_chat.c.id).where(_chat.c.owner == owner)
        stopped = sa.and_(_turn.c.id == turn_id, _turn.c.chat_id.in_(theirs), _turn.c.state.in_(UNFINISHED))
        values = {"state": "running", "message": "", "finished_at": None, "answered_by": self._app}
        self._stay()
        with self.database.write() as connection:
            if not connection.execute(sa.update(_turn).where(stopped).values(values)).rowcount:
                return None
        return self.turn(turn_id)

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

    def branch(self, turn_id: str, owner: str) -> str | None:
        """A new chat of this person with what came before a turn of theirs, for asking otherwise; returns its id."""
        turn = self.turn(turn_id)
        chat = self.chat(turn.chat_id, owner) if turn is not None else None
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

    # ---- what another process of the app answers

    def keep_steps(self, turn_id: str, steps: Sequence[Mapping[str, Any]]) -> None:
        """What has been found so far, for pages of other processes."""
        of_it = sa.and_(_turn.c.id == turn_id, _turn.c.state == "running")
        with self.database.write() as connection:
            connection.execute(sa.update(_turn).where(of_it).values(steps=list(steps)))

    def ask_to_stop(self, turn_id: str) -> None:
        """Whichever process answers this stops; nothing happens where it has ended."""
        of_it = sa.and_(_turn.c.id == turn_id, _turn.c.state == "running")
        with self.database.write() as connection:
            connection.execute(sa.update(_turn).where(of_it).values(message=STOP_ASKED))

    def to_be_stopped(self, turn_ids: Collection[str]) -> list[str]:
        """Those of these turns of which somebody has asked it elsewhere."""
        asked_so = sa.and_(_turn.c.id.in_(turn_ids), _turn.c.state == "running", _turn.c.message == STOP_ASKED)
        with self.database.read() as connection:
            return list(connection.scalars(sa.select(_turn.c.id).where(asked_so)))

    def answered_elsewhere(self, turn_id: str) -> Turn | None:
        """A turn that another process answers now, with the steps it has told of."""
        running = sa.and_(_turn.c.id == turn_id, _turn.c.state == "running", _turn.c.answered_by.not_in(("", self._app)))

        def look_up() -> Turn | None:
            with self.database.read() as connection:
                row = connection.execute(sa.select(_turn).where(running)).first()
            return Turn(**row._mapping) if row else None

        turn = self.database.unchanged(("elsewhere", turn_id), look_up)
        return turn if turn is not None and self.database.locks.is_taken(_presence_of(turn.answered_by)) else None

    def owner(self, chat_id: str) -> str:
        """Whose chat it is; empty where there is none."""
        with self.database.read() as connection:
            return connection.scalar(sa.select(_chat.c.owner).where(_chat.c.id == chat_id)) or ""

    def interrupt_running(self) -> int:
        """At the start of the app: what was being answered by a process that is there no more will never end. Returns how many
        that were."""
        message = "The app was stopped while this was being answered. Ask again."
        values = {"state": "interrupted", "message": message, "finished_at": time.time()}
        is_running = _turn.c.state == "running"
        with self.database.read() as connection:
            apps = set(connection.scalars(sa.select(_turn.c.answered_by).where(is_running).distinct()))
        gone = {app for app in apps if not app or not self.database.locks.is_taken(_presence_of(app))}
        left = sa.and_(is_running, _turn.c.answered_by.in_(gone))
        with self.database.write() as connection:
            given_back = connection.execute(_given_back().where(left)).rowcount
            number = given_back + connection.execute(sa.update(_turn).where(left).values(values)).rowcount
        for app in gone - {""}:
            self.database.locks.forget(_presence_of(app))
        return number

    def turn(self, turn_id: str) -> Turn | None:
        with self.database.read() as connection:
            row = connection.execute(sa.select(_turn).where(_turn.c.id == turn_id)).first()
        return Turn(**row._mapping) if row else None

    def turns(self, chat_id: str, limit: int = 30) -> list[Turn]:
        """The last turns of a chat, the oldest first."""
        query = sa.select(_turn).where(_turn.c.chat_id == chat_id).order_by(_turn.c.number.desc()).limit(limit)
        with self.database.read() as connection:
            return [Turn(**row._mapping) for row in connection.execute(query)][::-1]

    def newest(self, chat_id: str) -> tuple[int, float]:
        """The number of the last turn of a chat, and when an answer in it was last finished."""
        of_chat = sa.select(sa.func.max(_turn.c.number), sa.func.max(_turn.c.finished_at)).where(_turn.c.chat_id == chat_id)
        with self.database.read() as connection:
            number, finished_at = connection.execute(of_chat).one()
        return number or 0, finished_at or 0.0

    def turns_since(self, chat_id: str, turn_id: str) -> int:
        """How many turns the chat has from this one on; 0 where it is none of its."""
        first = sa.select(_turn.c.number).where(_turn.c.chat_id == chat_id, _turn.c.id == turn_id).scalar_subquery()
        query = sa.select(sa.func.count()).where(_turn.c.chat_id == chat_id, _turn.c.number >= first)
        with self.database.read() as connection:
            return connection.scalar(query) or 0

    def chat(self, chat_id: str, viewer: str) -> Chat | None:
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

    def rename(self, chat_id: str, title: str, owner: str) -> None:
        self._change(chat_id, owner, title=title.strip()[:200] or "Untitled")

    def share(self, chat_id: str, shared: bool, owner: str) -> None:
        """Lets colleagues who have the link read it, or no longer. They see what they may see, and ask nothing in it."""
        self._change(chat_id, owner, shared=shared)

    def pin(self, chat_id: str, pinned: bool, owner: str) -> None:
        self._change(chat_id, owner, pinned=pinned)

    def delete(self, chat_id: str, owner: str) -> None:
        with self.database.write() as connection:
            theirs = sa.select(_chat.c.id).where(_is(chat_id, owner))
            connection.execute(sa.delete(_turn).where(_turn.c.chat_id.in_(theirs)))
            connection.execute(sa.delete(_chat).where(_is(chat_id, owner)))

    def has_files_of(self, files_chat: str, owner: str | None = None) -> bool:
        """Whether a chat (of this person) is left that has the files known by this chat."""
        has_them = sa.or_(_chat.c.id == files_chat, _chat.c.files_of == files_chat)
        with self.database.read() as connection:  # without the owner in it: SQLite would go through all chats of this person
            owners = set(connection.scalars(sa.select(_chat.c.owner).where(has_them)))
        return bool(owners) if owner is None else owner in owners

    def _change(self, chat_id: str, owner: str, **values: Any) -> None:
        with self.database.write() as connection:
            connection.execute(sa.update(_chat).where(_is(chat_id, owner)).values(values))


def new_chat(question: str, owner: str, chat_id: str | None = None) -> Chat:
    """A chat of this person as it will be once its first question is kept: files that come with that belong to it already."""
    now = time.time()
    return Chat(id=chat_id or uuid.uuid4().hex, title=_shortened(question), created_at=now, asked_at=now, owner=owner)


def _presence_of(app: str) -> str:
    """The name of the lock that a process of the app holds as long as it lives."""
    return f"app-{app}"


def _shortened(title: str) -> str:
    return title if len(title) <= TITLE else f"{title[:TITLE].rsplit(' ', 1)[0]} …"


def _kept_version(connection: Connection, turn_id: str, answer: Mapping[str, Any], version_in: str | None) -> dict[str, Any]:
    """Keeps an answer among the versions of its turn, where it has any or gets one; returns what its row says of that."""
    row = connection.execute(sa.select(_turn).where(_turn.c.id == turn_id)).first()
    if row is None:
        return {}
    turn = Turn(**row._mapping)
    if version_in is not None:
        return {"shown": answer_versions.add(connection, turn, version_in, answer)}
    if turn.shown:
        answer_versions.replace(connection, turn, answer)
    return {}


def _given_back() -> sa.Update:
    """The answer that a turn had before it was asked again."""
    values = {"state": "done", "answer": _turn.c.previous, "previous": sa.null(), "finished_at": time.time()}
    return sa.update(_turn).where(_turn.c.previous["answer"].as_string().is_not(None)).values(values)


def _is(chat_id: str, owner: str) -> sa.ColumnElement[bool]:
    return sa.and_(_chat.c.id == chat_id, _chat.c.owner == owner)


def give_unowned_chats(connection: Connection, owner: str) -> None:
    """Chats from before there were accounts."""
    connection.execute(sa.update(_chat).where(_chat.c.owner == "").values(owner=owner))


def read_cited_places(connection: Connection, turns: int) -> Counter[str]:
    """How often each place was cited in the answers to so many questions, those asked last."""
    query = sa.select(_turn.c.answer["citations"]).where(_turn.c.answer.is_not(None))
    answers = connection.scalars(query.order_by(_turn.c.asked_at.desc()).limit(turns)).all()
    return Counter(citation["place"] for citations in answers for citation in citations or ())
