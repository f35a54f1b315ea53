"""Whom the identity provider signs in: the person they are here, their groups, and whether they are an admin."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.accounts.addresses import folded
from tree.accounts.models import Group, Membership, OneTimeLink, Person
from tree.accounts.people import (
    LONGEST_NAME,
    AccountError,
    end_access,
    has_admin,
    insert_memberships,
    insert_person,
    one_person,
)  # fmt: skip
from tree.accounts.provider_settings import ProviderSettings
from tree.accounts.tokens import id_of
from tree.store.database import Database
from tree.store.models import table_of

MOST_GROUPS = 1_000  # of one person
LONGEST_GROUP = 300  # characters; a longer name is not taken

_person = table_of(Person)
_group = table_of(Group)
_membership = table_of(Membership)
_link = table_of(OneTimeLink)


@dataclass(frozen=True, slots=True)
class Identity:
    """What the provider says of somebody, once it is certain that it says so."""

    subject: str
    email: str = ""
    is_email_theirs: bool = False
    name: str = ""
    groups: frozenset[str] = frozenset()  # names
    hosted_domain: str = ""  # Google's `hd`


@dataclass(frozen=True, slots=True)
class Arrived:
    """A person who may sign in, and what has become otherwise with their account, in the words of the audit log."""

    person: Person
    changes: tuple[str, ...]


class ProviderPeople:
    def __init__(self, database: Database, settings: ProviderSettings) -> None:
        self.database = database
        self.settings = settings

    def arrive(self, identity: Identity, invitation: str = "") -> Arrived:
        """The person, who is linked or made if that is allowed. `invitation` is the token of a link that they came by.

        Raises AccountError, which says what to do, and then nothing has changed.
        """
        subject = self.settings.subject_of(identity.subject)
        with self.database.write() as connection:
            changes: list[str] = []
            person = one_person(connection, _person.c.subject == subject)
            person = person or self._linked(connection, identity, subject, changes)
            person = person or self._joined(connection, identity, subject, invitation, changes)
            if not person.is_active:
                raise AccountError("Your account is deactivated. Ask an admin to activate it again.")
            changes += _set_claimed_groups(connection, person.id, identity.groups)
            changes += self._set_admin(connection, person, identity.groups)
            found = one_person(connection, _person.c.id == person.id)
            assert found is not None
            return Arrived(found, tuple(changes))

    def _linked(self, connection: Connection, identity: Identity, subject: str, changes: list[str]) -> Person | None:
        """Somebody who is here with this address. Whoever set up the account until now, only the owner of the address goes on:
        the password, sessions and tokens end."""
        person = one_person(connection, _person.c.email == folded(identity.email)) if identity.email else None
        if person is None:
            return None
        if not identity.is_email_theirs:
            raise AccountError(self._unverified())
        if person.subject is not None:
            raise AccountError(
                f"{person.email} belongs to another account of {self.settings.name}. Ask an admin to deactivate the old one."
            )
        if not person.is_active:
            return person
        connection.execute(sa.update(_person).where(_person.c.id == person.id).values(subject=subject, password=None))
        end_access(connection, person.id)
        changes.append("account linked")
        return person

    def _joined(self, connection: Connection, identity: Identity, subject: str, invitation: str, changes: list[str]) -> Person:
        link = self._invitation(connection, identity, invitation)
        email = link.email if link is not None and link.email else identity.email if identity.is_email_theirs else ""
        if not email:
            raise AccountError(self._unverified())
        if link is None and not self.settings.lets_join(email, identity.hosted_domain):
            raise AccountError(f"Nobody has invited {email} yet. Ask an admin of Knowledge Tree for an invitation.")
        if link is not None:
            is_it = _link.c.purpose == "setup" if link.purpose == "setup" else _link.c.id == link.id
            connection.execute(sa.delete(_link).where(is_it))
        name = " ".join(identity.name.split())[:LONGEST_NAME] or (link.name if link else "") or email.partition("@")[0]
        is_admin = self._makes_admin(identity.groups, link)
        changes.append("first admin made" if link is not None and link.purpose == "setup" else "person joined")
        changes += ["person made an admin"] if is_admin else []
        groups = link.groups if link is not None else ()
        return insert_person(connection, email, name, None, subject=subject, is_admin=is_admin, groups=groups)

    def _makes_admin(self, groups: Iterable[str], link: OneTimeLink | None) -> bool:
        if self.settings.admin_group and self.settings.admin_group in groups:
            return True
        return link is not None and (link.is_admin or link.purpose == "setup")

    def _invitation(self, connection: Connection, identity: Identity, token: str) -> OneTimeLink | None:
        """The one they came by; else one that was made for their address."""
        holds = _link.c.expires_at > time.time()
        by_token = sa.and_(_link.c.id == id_of(token), _link.c.purpose.in_(("invitation", "setup")), holds)
        row = connection.execute(sa.select(_link).where(by_token)).first() if token else None
        if row is not None and row.purpose == "setup" and has_admin(connection):
            row = None
        if row is None and identity.is_email_theirs:
            invitations = sa.select(_link).where(_link.c.purpose == "invitation", holds).order_by(_link.c.created_at.desc())
            # as they were typed: not compared in SQL, each database has small letters of its own
            theirs = folded(identity.email)
            row = next((one for one in connection.execute(invitations) if folded(one.email) == theirs), None)
        return OneTimeLink(**row._mapping) if row is not None else None

    def _set_admin(self, connection: Connection, person: Person, groups: Iterable[str]) -> list[str]:
        """Where a group of admins is named, whoever comes from the provider is one exactly if they are in it; the last stays."""
        is_admin = self.settings.admin_group in groups
        if not self.settings.admin_group or person.is_admin == is_admin:
            return []
        others = sa.select(_person.c.id).where(_person.c.is_admin, _person.c.is_active, _person.c.id != person.id)
        if not is_admin and connection.execute(others).first() is None:
            return []
        connection.execute(sa.update(_person).where(_person.c.id == person.id).values(is_admin=is_admin))
        return ["person made an admin" if is_admin else "person is no admin any more"]

    def _unverified(self) -> str:
        return (
            f"{self.settings.name} does not say that the e-mail address is yours. Confirm the address there and try again, "
            "or ask an admin of Knowledge Tree."
        )


def _set_claimed_groups(connection: Connection, person_id: str, names: Iterable[str]) -> list[str]:
    """Exactly the groups the provider says, made where there is none of that name; those set by hand stay. Returns what has
    changed: a group whose name is that of another but for its case may be for other people, so it is made and told."""
    named = set(sorted(name for name in names if _is_plain(name))[:MOST_GROUPS])
    known = {row.name: row.id for row in connection.execute(sa.select(_group))}
    changes: list[str] = []
    for name in sorted(named - known.keys()):
        alike = [f"“{each}”" for each in sorted(known) if each.casefold() == name.casefold()]
        changes += [f"group “{name}” made, which is not {' or '.join(alike)}"] if alike else []
        known[name] = uuid.uuid4().hex[:12]
        connection.execute(sa.insert(_group).values(id=known[name], name=name))
    wanted = {known[name] for name in named}
    theirs = {row.group_id: row.from_claims for row in connection.execute(sa.select(_membership).where(_membership.c.person_id == person_id))}  # fmt: skip
    before = {group_id for group_id, from_claims in theirs.items() if from_claims}
    by_hand = theirs.keys() - before
    connection.execute(sa.delete(_membership).where(_membership.c.person_id == person_id, _membership.c.from_claims))
    insert_memberships(connection, person_id, wanted - by_hand, from_claims=True)
    return [*changes, *(["groups changed"] if before != wanted - by_hand else [])]


def _is_plain(name: str) -> bool:
    """Two names that look the same would let one group pass for another."""
    return bool(name) and name == " ".join(name.split()) and name.isprintable() and len(name) <= LONGEST_GROUP
