"""What people follow. What changed of it is not kept: it is found when somebody looks, with the rights they have then."""

from __future__ import annotations

import time
import uuid
from typing import Literal

import sqlalchemy as sa

from tree.accounts.models import Follow
from tree.store.database import Database, StoreError
from tree.store.models import table_of

MOST = 200  # things that one person follows
LONGEST_TITLE = 300  # characters
Kind = Literal["place", "answer"]

_follow = table_of(Follow)


class TooManyFollowed(StoreError):
    """Somebody follows as much as can be followed."""


class Follows:
    def __init__(self, database: Database) -> None:
        self.database = database

    def of(self, person_id: str) -> list[Follow]:
        """What this person follows, the newest first."""
        return list(self.database.unchanged(("follows", person_id), lambda: self._look_up(person_id)))

    def _look_up(self, person_id: str) -> list[Follow]:
        query = sa.select(_follow).where(_follow.c.person_id == person_id).order_by(_follow.c.created_at.desc())
        with self.database.read() as connection:
            return [Follow(**row._mapping) for row in connection.execute(query)]

    def targets(self, person_id: str, kind: Kind) -> set[str]:
        return {follow.target for follow in self.of(person_id) if follow.kind == kind}

    def add(self, person_id: str, kind: Kind, target: str, title: str) -> None:
        """Follows it from now on; nothing happens where it is followed already. Raises TooManyFollowed."""
        now = time.time()
        of_person = _follow.c.person_id == person_id
        row = {"id": uuid.uuid4().hex, "person_id": person_id, "kind": kind, "target": target, "created_at": now, "seen_at": now}
        with self.database.write() as connection:
            if connection.execute(sa.select(_follow.c.id).where(of_person, *_is(kind, target))).first() is not None:
                return
            if (connection.scalar(sa.select(sa.func.count()).where(of_person)) or 0) >= MOST:
                raise TooManyFollowed(f"You follow {MOST} things already. Stop following some of them first.")
            connection.execute(sa.insert(_follow).values(row | {"title": title[:LONGEST_TITLE]}))

    def remove(self, person_id: str, kind: Kind, target: str) -> None:
        with self.database.write() as connection:
            connection.execute(sa.delete(_follow).where(_follow.c.person_id == person_id, *_is(kind, target)))

    def mark_seen(self, person_id: str, at: float, follow_id: str | None = None) -> None:
        """What changed up to `at` (seconds since 1970) was read: of one of them, or of all."""
        of_it = sa.and_(_follow.c.person_id == person_id, _follow.c.seen_at < at)
        if follow_id is not None:
            of_it = sa.and_(of_it, _follow.c.id == follow_id)
        with self.database.write() as connection:
            connection.execute(sa.update(_follow).where(of_it).values(seen_at=at))


def _is(kind: str, target: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return _follow.c.kind == kind, _follow.c.target == target
