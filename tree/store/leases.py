"""Leases: who has which input read by a model, and what was given up. Each is kept at every place where its input stands."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.models import Lease, table_of
from tree.store.nodes import Node
from tree.store.readings import is_read_by
from tree.store.source_rows import read_published

LONGEST_LEASE = 2 * 86_400.0  # seconds; one that ends later was made before the clock was put back, and holds no more

_lease = table_of(Lease)


class Input(Protocol):
    """What is given to a model to read, where it stands."""

    @property
    def node(self) -> Node: ...

    @property
    def key(self) -> str:
        """Its fingerprint."""

    @property
    def label(self) -> str:
        """Of the reader that is to read it."""


AnInput = TypeVar("AnInput", bound=Input)


class Leases:
    """Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(
        self,
        source_id: str,
        inputs: Iterable[AnInput],
        owner: str,
        seconds: float,
        lives: Callable[[str], bool] = lambda owner: False,
    ) -> tuple[list[AnInput], list[AnInput]]:
        """Those of a source's inputs that `owner` now has to have read, and those that were read before and are now the
        owner's to publish. What others are at, or was given up, is in neither: also not where it stands in other places.

        `lives` tells of another owner, whose time is over, whether it is there all the same, and only slow.
        """
        now = time.time()
        asked: list[AnInput] = []
        known: list[AnInput] = []
        with self._database.write() as connection:
            if read_published(connection, source_id) is None:
                return [], []
            for one in inputs:
                rows = connection.execute(sa.select(_lease).where(_of(one))).all()
                held = next((row for row in rows if _is_held(row, now, lives)), None)
                if held is None:
                    (known if is_read_by(connection, one.key, one.label) else asked).append(one)
                    tries = max((row.tries for row in rows), default=0)
                    stand = {"owner": owner, "until": now + seconds, "reason": "", "tries": tries}
                else:
                    until = held.until if now < held.until < now + LONGEST_LEASE else now + seconds
                    stand = {"owner": held.owner, "until": until, "reason": held.reason, "tries": held.tries}
                _note(connection, one, stand)
        return asked, known

    def renew(self, inputs: Iterable[Input], seconds: float) -> None:
        """These are still at work, or wait to be published."""
        until = time.time() + seconds
        with self._database.write() as connection:
            for one in inputs:
                connection.execute(sa.update(_lease).where(_of(one)).values(until=until))

    def owners(self) -> set[str]:
        """Who is having something read, whether they live or not."""
        held = sa.and_(_lease.c.reason == "", _lease.c.owner != "")
        with self._database.read() as connection:
            return set(connection.scalars(sa.select(_lease.c.owner).where(held).distinct()))

    def release_all(self, owner: str) -> None:
        """What this owner has leased may be leased by others: it has gone, or was stopped."""
        with self._database.write() as connection:
            its = sa.and_(_lease.c.owner == owner, _lease.c.reason == "")
            connection.execute(sa.update(_lease).where(its).values(owner="", until=time.time()))

    def release(self, one: Input, is_its_fault: bool) -> int:
        """Gives a lease back. Returns how often this input may have been to blame."""
        with self._database.write() as connection:
            update = sa.update(_lease).where(_of(one))
            connection.execute(update.values(owner="", until=time.time(), tries=_lease.c.tries + (1 if is_its_fault else 0)))
            return connection.scalar(sa.select(sa.func.max(_lease.c.tries)).where(_of(one))) or 0

    def give_up(self, one: Input, reason: str, until: float) -> None:
        """It is not tried again before then (seconds since 1970)."""
        with self._database.write() as connection:
            connection.execute(sa.update(_lease).where(_of(one)).values(reason=reason, until=until))


# ---------------------------------------------------------------- in a transaction of the caller's


def drop_leases(connection: Connection, inputs: Iterable[Input]) -> None:
    for one in inputs:
        connection.execute(sa.delete(_lease).where(_of(one)))


def drop_given_up(connection: Connection) -> None:
    """What was given up is tried again."""
    connection.execute(sa.delete(_lease).where(_lease.c.reason != ""))


def leased_places(connection: Connection, source_id: str, inputs: Iterable[Input]) -> set[str]:
    """Where these inputs stand in a source, as far as somebody came by to have them read."""
    found: set[str] = set()
    for one in inputs:
        found.update(connection.scalars(sa.select(_lease.c.place).where(_of(one), _lease.c.source_id == source_id)))
    return found


def _of(one: Input) -> sa.ColumnElement[bool]:
    return sa.and_(_lease.c.key == one.key, _lease.c.reader == one.label)


def _is_held(lease: Any, now: float, lives: Callable[[str], bool]) -> bool:
    return now < lease.until < now + LONGEST_LEASE or bool(lease.owner and not lease.reason and lives(lease.owner))


def _note(connection: Connection, one: Input, stand: Mapping[str, Any]) -> None:
    """Notes how this input stands, at its place and wherever else it has a lease."""
    node = one.node
    at_place = sa.and_(_lease.c.source_id == node.source_id, _lease.c.place == node.place, _lease.c.reader == one.label)
    connection.execute(sa.delete(_lease).where(at_place))  # also of what stood there before
    connection.execute(sa.update(_lease).where(_of(one)).values(**stand))
    row = {"key": one.key, "reader": one.label, "source_id": node.source_id, "place": node.place}
    connection.execute(sa.insert(_lease).values(**row, hash=node.hash, record=node.record, **stand))
