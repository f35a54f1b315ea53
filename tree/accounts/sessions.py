"""Sessions of signed-in browsers: on the server, so that they can be listed and ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from tree.accounts.models import Membership, Person, SignInSession
from tree.accounts.principal import Principal
from tree.accounts.tokens import id_of, new_token
from tree.store.database import Busy, Database
from tree.store.models import table_of

IDLE_SECONDS = 14 * 86_400  # a browser that was not seen for so long has to sign in again
LONGEST_SECONDS = 90 * 86_400  # and every browser after this
SEEN_SECONDS = 300  # between two notes of when it was seen
LONGEST_AGENT = 200  # characters

_session = table_of(SignInSession)
_person = table_of(Person)
_membership = table_of(Membership)


def cookie_name(identity: str, is_secure: bool) -> str:
    """One for each database, by what tells it from others: a browser sends the cookies of a host to each of its ports. Over TLS no other host can set it."""
    name = f"knowledge_tree_{sha256(identity.encode()).hexdigest()[:8]}"
    return f"__Host-{name}" if is_secure else name


class SignedIn(NamedTuple):
    """A session that holds, and whose it is with the rights they have now."""

    session: SignInSession
    principal: Principal
    email: str


class Sessions:
    def __init__(self, database: Database) -> None:
        self.database = database

    def start(self, person_id: str, address: str = "", agent: str = "", *, seconds: float | None = None) -> str:
        """Returns the token that the browser keeps. `seconds` is how long it holds at most, where that is less than usual."""
        token, now = new_token(), time.time()
        row = {"id": id_of(token), "person_id": person_id, "created_at": now, "seen_at": now, "address": address,
               "agent": agent[:LONGEST_AGENT], "ends_at": None if seconds is None else now + seconds}  # fmt: skip
        with self.database.write() as connection:
            connection.execute(sa.delete(_session).where(_is_over(now)))
            connection.execute(sa.insert(_session).values(row))
            connection.execute(sa.update(_person).where(_person.c.id == person_id).values(signed_in_at=now))
        return token

    def find(self, token: str) -> SignedIn | None:
        """None for a session that ended, or whose person was deactivated."""
        return self.with_id(id_of(token)) if token else None

    def with_id(self, session_id: str) -> SignedIn | None:
        now = time.time()
        with self.database.read() as connection:
            rows = connection.execute(_who(), {"id": session_id, **_limits(now)}).all()
        if not rows:
            return None
        row = rows[0]._mapping
        groups = frozenset(one.group_id for one in rows if one.group_id is not None)
        session = SignInSession(**{name: row[name] for name in SignInSession.model_fields})
        if now - session.seen_at > SEEN_SECONDS:
            with suppress(Busy), self.database.write(waits=False) as connection:  # else it is noted with another look
                connection.execute(sa.update(_session).where(_session.c.id == session_id).values(seen_at=now))
        return SignedIn(session, Principal(session.person_id, row["name"], row["is_admin"], groups), row["email"])

    def of(self, person_id: str) -> list[SignInSession]:
        """Those that hold, the one seen last first."""
        held = sa.and_(_session.c.person_id == person_id, sa.not_(_is_over(time.time())))
        with self.database.read() as connection:
            rows = connection.execute(sa.select(_session).where(held).order_by(_session.c.seen_at.desc()))
            return [SignInSession(**row._mapping) for row in rows]

    def seen(self, person_ids: Iterable[str]) -> dict[str, float]:
        """When a browser of each of these was seen last; those without a session that holds are left out."""
        latest = sa.select(_session.c.person_id, sa.func.max(_session.c.seen_at)).group_by(_session.c.person_id)
        with self.database.read() as connection:
            held = latest.where(_session.c.person_id.in_(list(person_ids)), sa.not_(_is_over(time.time())))
            return dict(connection.execute(held).tuples().all())

    def count(self) -> int:
        """Those that hold, of people who are not deactivated."""
        held = sa.select(sa.func.count()).select_from(_session.join(_person, _person.c.id == _session.c.person_id))
        with self.database.read() as connection:
            return connection.scalar(held.where(_person.c.is_active, sa.not_(_is_over(time.time())))) or 0

    def end(self, session_id: str) -> None:
        with self.database.write() as connection:
            connection.execute(sa.delete(_session).where(_session.c.id == session_id))

    def end_all(self, person_id: str, but: str = "") -> int:
        """Returns how many were ended; `but` is the id of one that goes on."""
        theirs = sa.and_(_session.c.person_id == person_id, _session.c.id != but)
        with self.database.write() as connection:
            return connection.execute(sa.delete(_session).where(theirs)).rowcount

    def end_everyones(self) -> None:
        """Everybody has to sign in again."""
        with self.database.write() as connection:
            connection.execute(sa.delete(_session))


@cache
def _who() -> sa.Select[Any]:
    """A session that holds, a row for each group of its person. Made once: it is asked for with each look of each page, and putting
    a statement together takes longer than running it."""
    person = _session.join(_person, _person.c.id == _session.c.person_id)
    rows = person.outerjoin(_membership, _membership.c.person_id == _session.c.person_id)
    over = sa.or_(*(comparison(sa.bindparam(name)) for name, comparison in _OVER.items()))
    shown = (_session, _person.c.name, _person.c.email, _person.c.is_admin, _membership.c.group_id)
    return sa.select(*shown).select_from(rows).where(_session.c.id == sa.bindparam("id"), _person.c.is_active, sa.not_(over))


_OVER: Mapping[str, Callable[[Any], sa.ColumnElement[bool]]] = {
    "idle": lambda then: _session.c.seen_at < then,
    "longest": lambda then: _session.c.created_at < then,
    # a moment in the future is of a clock that was set back: it does not hold for ever either
    "future": lambda then: _session.c.created_at > then,
    "now": lambda then: sa.func.coalesce(_session.c.ends_at, then) < then,
}


def _limits(now: float) -> dict[str, float]:
    return {"idle": now - IDLE_SECONDS, "longest": now - LONGEST_SECONDS, "future": now + 86_400, "now": now}


def _is_over(now: float) -> sa.ColumnElement[bool]:
    return sa.or_(*(_OVER[name](then) for name, then in _limits(now).items()))
