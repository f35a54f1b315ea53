"""People and groups: who there is, what they may do, and who is in which group."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.regex import regex
from tree.accounts import passwords
from tree.accounts.addresses import folded
from tree.accounts.models import ApiToken, Group, Membership, Person, SignInSession
from tree.accounts.principal import Principal
from tree.store.chat_rows import give_unowned_chats
from tree.store.database import Database, StoreError
from tree.store.models import table_of
from tree.store.statements import in_parts

LONGEST_NAME = 100  # characters
EMAIL = regex(r"[^\s@<>\"'()\\,;:]{1,64}@[^\s@<>\"'()\\,;:]{1,190}")

_person = table_of(Person)
_group = table_of(Group)
_membership = table_of(Membership)
_session = table_of(SignInSession)
_token = table_of(ApiToken)


class AccountError(StoreError):
    """An account cannot be made or changed like this; the message says how it can."""


Kind = Literal["everybody", "admins", "deactivated"]


class FoundPeople(NamedTuple):
    """Some of those that a search has found, and how many it found in all."""

    people: list[Person]
    total: int


class People:
    def __init__(self, database: Database) -> None:
        self.database = database

    # ---- people

    def has_admin(self) -> bool:
        with self.database.read() as connection:
            return _count_admins(connection) > 0

    def all(self) -> list[Person]:
        with self.database.read() as connection:
            rows = connection.execute(sa.select(_person).order_by(_person.c.name, _person.c.email))
            return [Person(**row._mapping) for row in rows]

    def search(self, words: str = "", kind: Kind = "everybody", offset: int = 0, limit: int = 25) -> FoundPeople:
        """In the order of names: those in whose name, address or groups all the words are."""
        wanted = words.casefold().split()
        with self.database.read() as connection:
            groups = dict(connection.execute(sa.select(_group.c.id, _group.c.name)).tuples().all())
            theirs: dict[str, list[str]] = {}
            for person_id, group_id in connection.execute(sa.select(_membership.c.person_id, _membership.c.group_id)):
                theirs.setdefault(person_id, []).append(groups.get(group_id, ""))
            rows = connection.execute(sa.select(_person.c.id, _person.c.name, _person.c.email).where(_of_kind(kind))).all()
        # not in SQL: SQLite knows small letters and capitals of ASCII alone
        lines = sorted((row.name.casefold(), row.email, row.id) for row in rows)
        found = [id_ for name, email, id_ in lines if _has_all(wanted, " ".join((name, email, *theirs.get(id_, ()))).casefold())]
        return FoundPeople(self.several(found[offset : offset + limit]), len(found))

    def several(self, person_ids: Iterable[str]) -> list[Person]:
        """In the order of the ids; those that there are."""
        ids = list(person_ids)
        found: dict[str, Person] = {}
        with self.database.read() as connection:
            for part in in_parts(ids):
                rows = connection.execute(sa.select(_person).where(_person.c.id.in_(part)))
                found |= {row.id: Person(**row._mapping) for row in rows}
        return [found[id_] for id_ in ids if id_ in found]

    def labels(self) -> dict[str, str]:
        """Name and address of everybody who is active, by id, in the order of names."""
        with self.database.read() as connection:
            rows = connection.execute(sa.select(_person.c.id, _person.c.name, _person.c.email).where(_person.c.is_active)).all()
        return {row.id: f"{row.name} · {row.email}" for row in sorted(rows, key=lambda row: (row.name.casefold(), row.email))}

    def check_address(self, email: str) -> None:
        """Raises AccountError where nobody can be invited by this address."""
        with self.database.read() as connection:
            _check_address(connection, folded(email), "Somebody with this e-mail address is already here.")

    def get(self, person_id: str) -> Person | None:
        with self.database.read() as connection:
            return one_person(connection, _person.c.id == person_id)

    def with_email(self, email: str) -> Person | None:
        with self.database.read() as connection:
            return one_person(connection, _person.c.email == folded(email))

    def signed_in_with(self, email: str, password: str) -> Person | None:
        """The active person with this e-mail address and password. Takes as long whether there is one or not."""
        person = self.with_email(email)
        is_right = passwords.matches(person.password if person else None, password)
        if person is None or not is_right or not person.is_active:
            return None
        if passwords.is_dated(person.password or ""):
            hash_, unchanged = passwords.hashed(password), _person.c.password == person.password
            with self.database.write() as connection:
                connection.execute(sa.update(_person).where(_person.c.id == person.id, unchanged).values(password=hash_))
        return person

    def add(self, email: str, name: str, password: str | None = None, *, is_admin: bool = False, groups: Iterable[str] = (),
            subject: str | None = None) -> Person:  # fmt: skip
        """Raises AccountError where something is missing or the address is taken."""
        with self.database.read() as connection:
            check_new(connection, email, name)
        hash_ = hash_of(password, email, name) if password is not None else None
        with self.database.write() as connection:
            return insert_person(connection, email, name, hash_, is_admin=is_admin, groups=groups, subject=subject)

    def rename(self, person_id: str, name: str) -> None:
        with self.database.write() as connection:
            connection.execute(sa.update(_person).where(_person.c.id == person_id).values(name=_named(name)))

    def set_password(
        self, person_id: str, password: str, keep_session: str = "", within: AbstractContextManager[None] | None = None
    ) -> None:
        """Ends all their sessions but the one of this id, and their tokens; `within` what else belongs to that transaction. Raises
        AccountError for a password that is no good."""
        with self.database.read() as connection:
            person = find_person(connection, person_id)
        hash_ = hash_of(password, person.email, person.name)
        with within or nullcontext(), self.database.write() as connection:
            write_password(connection, person_id, hash_, keep_session)

    def set_admin(self, person_id: str, is_admin: bool) -> None:
        """Raises AccountError where nobody would be left who administers."""
        with self.database.write() as connection:
            connection.execute(sa.update(_person).where(_person.c.id == person_id).values(is_admin=is_admin))
            _check_admin_left(connection)

    def set_active(self, person_id: str, is_active: bool) -> None:
        """Somebody who is deactivated loses all sessions and tokens at once. Raises AccountError for the last admin."""
        with self.database.write() as connection:
            connection.execute(sa.update(_person).where(_person.c.id == person_id).values(is_active=is_active))
            if not is_active:
                _check_admin_left(connection)
                end_access(connection, person_id)

    # ---- groups

    def groups(self) -> dict[str, str]:
        """Names by id, in the order of names."""
        with self.database.read() as connection:
            return dict(connection.execute(sa.select(_group.c.id, _group.c.name).order_by(_group.c.name)).tuples().all())

    def groups_named(self, names: Iterable[str]) -> list[str]:
        """The ids of the groups of these names, in upper or lower case where that leaves one. Raises AccountError for a name that
        no group has, or that may be of several."""
        ids = {name: id_ for id_, name in self.groups().items()}
        return [ids[_meant(name, ids)] for name in names]

    def add_group(self, name: str) -> str:
        """Returns its id. Raises AccountError when the name is empty or taken."""
        id_, name = uuid.uuid4().hex[:12], _named(name)
        with self.database.write() as connection:
            if name.casefold() in map(str.casefold, connection.scalars(sa.select(_group.c.name))):
                raise AccountError(f"There is already a group called “{name}”.")
            connection.execute(sa.insert(_group).values(id=id_, name=name))
        return id_

    def rename_group(self, group_id: str, name: str) -> None:
        """Who is in it and what it may see stay. Raises AccountError when the name is empty or taken."""
        name = _named(name)
        with self.database.write() as connection:
            others = connection.scalars(sa.select(_group.c.name).where(_group.c.id != group_id))
            if name.casefold() in map(str.casefold, others):
                raise AccountError(f"There is already a group called “{name}”.")
            connection.execute(sa.update(_group).where(_group.c.id == group_id).values(name=name))

    def delete_group(self, group_id: str) -> None:
        """Sources that were for this group alone are then for nobody, until an admin says for whom."""
        with self.database.write() as connection:
            connection.execute(sa.delete(_membership).where(_membership.c.group_id == group_id))
            connection.execute(sa.delete(_group).where(_group.c.id == group_id))

    def groups_of(self, person_id: str) -> frozenset[str]:
        with self.database.read() as connection:
            return _groups_of(connection, person_id)

    def memberships(self) -> Mapping[str, frozenset[str]]:
        """The ids of everybody's groups, by person."""
        found: dict[str, set[str]] = {}
        with self.database.read() as connection:
            for person_id, group_id in connection.execute(sa.select(_membership.c.person_id, _membership.c.group_id)):
                found.setdefault(person_id, set()).add(group_id)
        return {person_id: frozenset(ids) for person_id, ids in found.items()}

    def claimed_groups_of(self, person_id: str) -> frozenset[str]:
        """Those that the identity provider says somebody is in: they cannot be changed here."""
        with self.database.read() as connection:
            return _claimed_groups_of(connection, person_id)

    def set_groups(self, person_id: str, group_ids: Iterable[str]) -> None:
        """The groups that somebody is in by hand; those that the identity provider says stay as they are."""
        wanted = set(group_ids)
        with self.database.write() as connection:
            before = _groups_of(connection, person_id)
            _delete_memberships(connection, [(person_id, group_id) for group_id in before - wanted])
            insert_memberships(connection, person_id, wanted - before)

    def members(self, group_id: str) -> frozenset[str]:
        """Ids of those who are in a group."""
        with self.database.read() as connection:
            return _members(connection, group_id)

    def claimed_members(self, group_id: str) -> frozenset[str]:
        """Those whom the identity provider says to be in it."""
        claimed = sa.and_(_membership.c.group_id == group_id, _membership.c.from_claims)
        with self.database.read() as connection:
            return frozenset(connection.scalars(sa.select(_membership.c.person_id).where(claimed)))

    def change_members(self, group_id: str, added: Collection[str] = (), removed: Collection[str] = ()) -> None:
        """Only what is named changes, so that two admins at once do not undo each other's work."""
        with self.database.write() as connection:
            known = set(connection.scalars(sa.select(_person.c.id)))
            before = _members(connection, group_id)
            _delete_memberships(connection, [(person_id, group_id) for person_id in removed])
            for person_id in sorted((set(added) - before) & known):
                insert_memberships(connection, person_id, [group_id])

    # ---- rights

    def principal(self, person_id: str) -> Principal | None:
        """With the rights they have now; None for nobody, and for somebody who was deactivated."""
        with self.database.read() as connection:
            person = one_person(connection, _person.c.id == person_id)
            if person is None or not person.is_active:
                return None
            return Principal(person.id, person.name, person.is_admin, _groups_of(connection, person_id))


# ---------------------------------------------------------------- inside a transaction


def check_new(connection: Connection, email: str, name: str) -> None:
    """Raises AccountError where nobody can be made of this address and name."""
    _named(name)
    taken = "Somebody with this e-mail address is already here. Sign in, or ask an admin for a new password."
    _check_address(connection, folded(email), taken)


def hash_of(password: str, email: str, name: str) -> str:
    """Of a password for somebody of this address and name. It takes a tenth of a second, so it is made before a transaction that
    writes: everybody else who writes waits for that. Raises AccountError for a password that is no good."""
    email = folded(email)
    if said := passwords.fault(password, email, email.partition("@")[0], *name.split()):
        raise AccountError(said)
    return passwords.hashed(password)


def insert_person(connection: Connection, email: str, name: str, hash_: str | None, *, is_admin: bool, groups: Iterable[str],
                  subject: str | None = None) -> Person:  # fmt: skip
    """`hash_` is the password's. The first admin gets the chats of the time before anybody could sign in."""
    check_new(connection, email, name)
    email, name = folded(email), _named(name)
    is_first = is_admin and not has_admin(connection)
    row: dict[str, Any] = {
        "id": uuid.uuid4().hex, "email": email, "name": name, "password": hash_, "subject": subject,
        "is_admin": is_admin, "is_active": True, "created_at": time.time(),
    }  # fmt: skip
    connection.execute(sa.insert(_person).values(row))
    insert_memberships(connection, row["id"], groups)
    if is_first:
        give_unowned_chats(connection, row["id"])
    return Person(**row)


def _check_address(connection: Connection, email: str, taken: str) -> None:
    if not EMAIL.fullmatch(email):
        raise AccountError("Give an e-mail address, such as name@example.org.")
    if one_person(connection, _person.c.email == email) is not None:
        raise AccountError(taken)


def insert_memberships(connection: Connection, person_id: str, group_ids: Iterable[str], from_claims: bool = False) -> None:
    known = set(connection.scalars(sa.select(_group.c.id)))
    for group_id in sorted(set(group_ids) & known):
        connection.execute(sa.insert(_membership).values(person_id=person_id, group_id=group_id, from_claims=from_claims))


def _delete_memberships(connection: Connection, pairs: Sequence[tuple[str, str]]) -> None:
    """But for those that the identity provider says."""
    by_hand = sa.not_(_membership.c.from_claims)
    for person_id, group_id in pairs:
        of_pair = sa.and_(_membership.c.person_id == person_id, _membership.c.group_id == group_id)
        connection.execute(sa.delete(_membership).where(of_pair, by_hand))


def find_person(connection: Connection, person_id: str) -> Person:
    """Raises AccountError where there is none."""
    person = one_person(connection, _person.c.id == person_id)
    if person is None:
        raise AccountError("There is no such person any more.")
    return person


def write_password(connection: Connection, person_id: str, hash_: str, keep_session: str = "") -> None:
    """Whoever knew the password before, or took a session or a token by it, is locked out."""
    find_person(connection, person_id)
    connection.execute(sa.update(_person).where(_person.c.id == person_id).values(password=hash_))
    end_access(connection, person_id, keep_session)


def end_access(connection: Connection, person_id: str, keep_session: str = "") -> None:
    """Ends somebody's sessions, but the one of this id, and their tokens."""
    connection.execute(sa.delete(_session).where(_session.c.person_id == person_id, _session.c.id != keep_session))
    connection.execute(sa.delete(_token).where(_token.c.person_id == person_id))


def has_admin(connection: Connection) -> bool:
    return _count_admins(connection) > 0


def _meant(name: str, groups: Collection[str]) -> str:
    """Which of these groups is called so. Some differ in case alone: those of the identity provider have the names it gives."""
    alike = [name] if name in groups else [each for each in groups if each.casefold() == name.casefold()]
    if not alike:
        raise AccountError(f"There is no group called “{name}”. There is: {_quoted(groups) or 'none yet'}.")
    if len(alike) > 1:
        raise AccountError(f"Which group is “{name}”? There is: {_quoted(alike)}. Write its name exactly so.")
    return alike[0]


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _named(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise AccountError("Give a name.")
    if len(name) > LONGEST_NAME:
        raise AccountError(f"Use a name of at most {LONGEST_NAME} characters.")
    return name


def one_person(connection: Connection, where: sa.ColumnElement[bool]) -> Person | None:
    row = connection.execute(sa.select(_person).where(where)).first()
    return Person(**row._mapping) if row else None


def _groups_of(connection: Connection, person_id: str) -> frozenset[str]:
    return frozenset(connection.scalars(sa.select(_membership.c.group_id).where(_membership.c.person_id == person_id)))


def _members(connection: Connection, group_id: str) -> frozenset[str]:
    return frozenset(connection.scalars(sa.select(_membership.c.person_id).where(_membership.c.group_id == group_id)))


def _of_kind(kind: Kind) -> sa.ColumnElement[bool]:
    kinds: dict[Kind, sa.ColumnElement[bool]] = {"everybody": sa.true(), "admins": sa.and_(_person.c.is_admin, _person.c.is_active), "deactivated": sa.not_(_person.c.is_active)}  # fmt: skip
    return kinds[kind]


def _has_all(words: Collection[str], text: str) -> bool:
    return all(word in text for word in words)


def _claimed_groups_of(connection: Connection, person_id: str) -> frozenset[str]:
    claimed = sa.and_(_membership.c.person_id == person_id, _membership.c.from_claims)
    return frozenset(connection.scalars(sa.select(_membership.c.group_id).where(claimed)))


def _count_admins(connection: Connection) -> int:
    active = sa.and_(_person.c.is_admin, _person.c.is_active)
    return connection.scalar(sa.select(sa.func.count()).select_from(_person).where(active)) or 0


def _check_admin_left(connection: Connection) -> None:
    if not _count_admins(connection):
        raise AccountError("This is the last admin. Make somebody else an admin first.")
