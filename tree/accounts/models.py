"""The tables of people, what they may see, how they signed in, and what admins did. Tokens are kept as their SHA-256 alone."""

from __future__ import annotations

import sqlalchemy as sa
from sqlmodel import Field, SQLModel


class Person(SQLModel, table=True):
    """Somebody who can sign in, with a password or through the team's identity provider."""

    id: str = Field(primary_key=True)
    email: str = Field(unique=True, index=True)  # folded (addresses.py)
    name: str
    password: str | None = None  # argon2id; None for people who only come through the identity provider
    subject: str | None = Field(default=None, unique=True, index=True)  # issuer and subject of OpenID Connect
    is_admin: bool = False
    is_active: bool = True
    created_at: float
    signed_in_at: float | None = None


class Group(SQLModel, table=True):
    __tablename__ = "person_group"
    id: str = Field(primary_key=True)
    name: str = Field(unique=True, index=True)


class Membership(SQLModel, table=True):
    person_id: str = Field(primary_key=True)
    group_id: str = Field(primary_key=True, index=True)
    from_claims: bool = False  # said by the identity provider, and taken away when it no longer says so


class SignInSession(SQLModel, table=True):
    """One browser that is signed in."""

    __tablename__ = "session"
    id: str = Field(primary_key=True)
    person_id: str = Field(index=True)
    created_at: float
    seen_at: float
    address: str
    agent: str
    ends_at: float | None = None  # where it holds for less than usual


class OneTimeLink(SQLModel, table=True):
    """A link that does one thing for whoever opens it first. `purpose`: setup, invitation, reset, sign_in."""

    __tablename__ = "one_time_link"
    id: str = Field(primary_key=True)
    purpose: str
    person_id: str | None = None  # whose password is reset, or who is signed in
    email: str = ""  # of who is invited
    name: str = ""
    is_admin: bool = False
    groups: list[str] = Field(sa_type=sa.JSON, nullable=False)
    created_at: float
    expires_at: float


class ApiToken(SQLModel, table=True):
    """What another program says in place of a person: it may read what that person may, or less."""

    __tablename__ = "api_token"
    id: str = Field(primary_key=True)
    person_id: str = Field(index=True)
    name: str
    sources: list[str] | None = Field(default=None, sa_type=sa.JSON)  # ids; None is all that the person may see
    created_at: float
    used_at: float | None = None
    expires_at: float | None = None


class AuditEntry(SQLModel, table=True):
    """What an admin did, or somebody to an account: never what is in a document or a question."""

    __tablename__ = "audit"
    id: int | None = Field(default=None, primary_key=True)
    at: float = Field(index=True)
    person_id: str
    who: str  # name and e-mail as they were
    action: str
    target: str
    address: str  # where the request came from


class Follow(SQLModel, table=True):
    """What somebody wants to be told of: a place in a tree, or an answer with what it cites."""

    __table_args__ = (sa.Index("follow_of", "person_id", "kind", "target", unique=True),)

    id: str = Field(primary_key=True)
    person_id: str
    kind: str  # place, answer
    target: str  # the place, or the id of the turn
    title: str  # when it was followed; shown to whoever may still see it
    created_at: float
    seen_at: float  # what changed up to then was read


class Digest(SQLModel, table=True):
    """That somebody wants what changed by e-mail."""

    person_id: str = Field(primary_key=True)
    every: str  # daily, weekly
    token: str = Field(unique=True, index=True)  # ends it, and nothing else
    sent_until: float
    due_at: float = Field(index=True)
    tries: int = 0  # that failed since the last one that was sent
    error: str = ""
