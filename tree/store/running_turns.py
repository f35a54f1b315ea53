"""Turns while they are answered: begun, told of, stopped and ended, by whichever process of the app answers them."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store import answer_versions, asked
from tree.store.chat_rows import is_theirs, new_chat
from tree.store.database import Database, StoreError
from tree.store.locks import Lock, Taken
from tree.store.models import Chat, Turn, TurnEnd, TurnState, table_of
from tree.store.turn_rows import TurnRows

STOP_ASKED = "stop"  # in place of a message, while the turn is running: for the process that answers it
UNFINISHED: tuple[TurnState, ...] = ("stopped", "interrupted")  # states of a turn that can go on

_chat = table_of(Chat)
_turn = table_of(Turn)


class ChatDeleted(StoreError):
    """Somebody else has deleted the chat in which something was to be asked."""


class RunningTurns:
    """Those of all processes. `sign_on` is called by one that answers questions itself."""

    def __init__(self, database: Database, turns: TurnRows) -> None:
        self.database = database
        self._turns = turns
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
                if not connection.execute(sa.update(_chat).where(is_theirs(chat_id, owner)).values(asked_at=now)).rowcount:
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
        state: TurnEnd,
        answer: dict[str, Any] | None = None,
        steps: Sequence[Mapping[str, Any]] = (),
        message: str = "",
        *,
        version_in: str | None = None,
    ) -> None:
        """Steps are kept beside the answer only when there is no whole answer.

        A question that was asked again and not answered keeps the answer that it had, and one that is answered in the same words what was
        thought of them. With `version_in` it was asked in another
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
                if not _is_as_before(connection, turn_id, answer):
                    values |= {"rating": None, "reason": ""}
            connection.execute(sa.update(_turn).where(of_it).values(values | {"previous": sa.null()}))
            if answer is not None:
                asked.keep(connection, turn_id, answer)

    def ask_again(self, turn_id: str, owner: str) -> Turn | None:
        """The turn of this person, running again in its place; None where it is not theirs. What they thought of its answer is
        kept until there is another."""
        theirs = sa.select(_chat.c.id).where(_chat.c.owner == owner)
        has_answer = _turn.c.answer["answer"].as_string().is_not(None)
        values: dict[str, Any] = {
            "state": "running", "message": "", "steps": [], "answer": sa.null(), "asked_at": time.time(),
            "previous": sa.case((has_answer, _turn.c.answer), else_=_turn.c.previous), "finished_at": None, "answered_by": self._app,
        }  # fmt: skip
        self._stay()
        with self.database.write() as connection:
            again = sa.update(_turn).where(_turn.c.id == turn_id, _turn.c.chat_id.in_(theirs)).values(values)
            if not connection.execute(again).rowcount:
                return None
        return self._turns.get(turn_id)

    def go_on(self, turn_id: str, owner: str) -> Turn | None:
        """The turn of this person, which was stopped, running again with the steps it has; None where it is not theirs."""
        theirs = sa.select(_chat.c.id).where(_chat.c.owner == owner)
        stopped = sa.and_(_turn.c.id == turn_id, _turn.c.chat_id.in_(theirs), _turn.c.state.in_(UNFINISHED))
        values = {"state": "running", "message": "", "finished_at": None, "answered_by": self._app}
        self._stay()
        with self.database.write() as connection:
            if not connection.execute(sa.update(_turn).where(stopped).values(values)).rowcount:
                return None
        return self._turns.get(turn_id)

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


def _presence_of(app: str) -> str:
    """The name of the lock that a process of the app holds as long as it lives."""
    return f"app-{app}"


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


def _is_as_before(connection: Connection, turn_id: str, answer: Mapping[str, Any]) -> bool:
    """Whether a question that was asked again is answered in the words of the answer that it had."""
    before = connection.scalar(sa.select(_turn.c.previous).where(_turn.c.id == turn_id))
    return before is not None and before.get("answer") == answer.get("answer")


def _given_back() -> sa.Update:
    """The answer that a turn had before it was asked again."""
    values = {"state": "done", "answer": _turn.c.previous, "previous": sa.null(), "finished_at": time.time()}
    return sa.update(_turn).where(_turn.c.previous["answer"].as_string().is_not(None)).values(values)
