"""One-time links: the first admin, an invitation, a new password, or one click into the demo."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.accounts.models import OneTimeLink, Person
from tree.accounts.people import AccountError, check_new, find_person, has_admin, hash_of, insert_person, write_password
from tree.accounts.tokens import id_of, new_token
from tree.store.database import Database
from tree.store.models import table_of

SETUP_SECONDS = 7 * 86_400
INVITATION_SECONDS = 7 * 86_400
RESET_SECONDS = 86_400
SIGN_IN_SECONDS = 3_600
GONE = "This link was used or is too old. Ask an admin for a new one."

_link = table_of(OneTimeLink)
_person = table_of(Person)


class OneTimeLinks:
    def __init__(self, database: Database) -> None:
        self.database = database

    def for_setup(self, beside: bool = False) -> str:
        """Makes the first admin. Those made before are void, unless this one is made `beside` them."""
        return self._made("setup", SETUP_SECONDS, None if beside else _link.c.purpose == "setup")

    def for_invitation(self, email: str = "", name: str = "", *, is_admin: bool = False, groups: Iterable[str] = ()) -> str:
        return self._made("invitation", INVITATION_SECONDS, email=email.strip(), name=name.strip(), is_admin=is_admin, groups=list(groups))  # fmt: skip

    def for_reset(self, person_id: str) -> str:
        """Lets somebody choose a new password, which ends their sessions and tokens."""
        void = sa.and_(_link.c.purpose == "reset", _link.c.person_id == person_id)
        return self._made("reset", RESET_SECONDS, void, person_id=person_id)

    def for_sign_in(self, person_id: str) -> str:
        """Signs somebody in with one click."""
        return self._made("sign_in", SIGN_IN_SECONDS, person_id=person_id)

    def look(self, token: str) -> OneTimeLink | None:
        """What a link is for, without using it."""
        with self.database.read() as connection:
            return _find(connection, token)

    def invitations(self) -> list[OneTimeLink]:
        """Those that nobody has used yet and that still hold, the newest first."""
        held = sa.and_(_link.c.purpose == "invitation", _link.c.expires_at > time.time())
        with self.database.read() as connection:
            rows = connection.execute(sa.select(_link).where(held).order_by(_link.c.created_at.desc()))
            return [OneTimeLink(**row._mapping) for row in rows]

    def invited(self, link_id: str) -> str:
        """The address that an invitation is for. Raises AccountError where it was used or is too old."""
        for link in self.invitations():
            if link.id == link_id:
                return link.email
        raise AccountError("This invitation was used or is too old.")

    def end(self, link_id: str) -> None:
        """Whoever opens it finds that it does not work any more."""
        with self.database.write() as connection:
            connection.execute(sa.delete(_link).where(_link.c.id == link_id))

    def end_all(self) -> None:
        with self.database.write() as connection:
            connection.execute(sa.delete(_link))

    def use(
        self, token: str, email: str = "", name: str = "", password: str = "", also: Callable[[Person], None] | None = None
    ) -> Person:
        """Does what the link is for, once: makes the person, sets the password, or only says who it is; and calls `also`, what that
        writes is in the same transaction.

        Raises AccountError where the link is void, or what was given is no good; then it can be used again.
        """
        hash_ = self._hash(token, email, name, password)
        with self.database.together(), self.database.write() as connection:
            person = _used(connection, token, email, name, hash_)
            if also is not None:
                also(person)
            return person

    def _hash(self, token: str, email: str, name: str, password: str) -> str:
        """Of the password that is chosen with a link; of one that is void, or for somebody who cannot be made, none is made."""
        with self.database.read() as connection:
            link = _found(connection, token)
            if link.purpose == "sign_in":
                return ""
            if link.purpose == "reset":
                person = find_person(connection, link.person_id or "")
                email, name = person.email, person.name
            else:
                email = link.email or email
                check_new(connection, email, name)
        return hash_of(password, email, name)

    def _made(self, purpose: str, seconds: float, void: sa.ColumnElement[bool] | None = None, **values: object) -> str:
        token, now = new_token(), time.time()
        row = {"id": id_of(token), "purpose": purpose, "email": "", "name": "", "is_admin": False, "groups": [],
               "created_at": now, "expires_at": now + seconds} | values  # fmt: skip
        with self.database.write() as connection:
            connection.execute(sa.delete(_link).where(_link.c.expires_at < now))
            if void is not None:
                connection.execute(sa.delete(_link).where(void))
            connection.execute(sa.insert(_link).values(row))
        return token


def _used(connection: Connection, token: str, email: str, name: str, hash_: str) -> Person:
    link = _found(connection, token)
    connection.execute(sa.delete(_link).where(_link.c.id == link.id))
    if link.purpose == "setup":
        if has_admin(connection):
            raise AccountError("There is an admin already. Sign in, or ask them for an invitation.")
        connection.execute(sa.delete(_link).where(_link.c.purpose == "setup"))
        return insert_person(connection, email, name, hash_, is_admin=True, groups=())
    if link.purpose == "invitation":
        return insert_person(connection, link.email or email, name, hash_, is_admin=link.is_admin, groups=link.groups)
    if link.purpose == "reset":
        write_password(connection, link.person_id or "", hash_)
    row = connection.execute(sa.select(_person).where(_person.c.id == link.person_id, _person.c.is_active)).first()
    if row is None:
        raise AccountError(GONE)
    return Person(**row._mapping)


def _found(connection: Connection, token: str) -> OneTimeLink:
    link = _find(connection, token)
    if link is None:
        raise AccountError(GONE)
    return link


def _find(connection: Connection, token: str) -> OneTimeLink | None:
    row = connection.execute(sa.select(_link).where(_link.c.id == id_of(token), _link.c.expires_at > time.time())).first()
    return OneTimeLink(**row._mapping) if row else None
