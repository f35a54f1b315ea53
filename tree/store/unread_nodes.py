"""The live nodes that the chosen model has not read: how many, which of them are free to be read now, and what was given up."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.language_model import Labels
from tree.store.leases import LONGEST_LEASE
from tree.store.models import Lease, NodeRow, ReadingRow, Version, table_of
from tree.store.nodes import COLUMNS, Node
from tree.store.statements import in_parts

RECENT_SECONDS = 3_600.0  # what changed within this time comes before what is asked most

_lease = table_of(Lease)
_node = table_of(NodeRow)
_reading = table_of(ReadingRow)
_version = table_of(Version)


class Counts(NamedTuple):
    """Leaves and branches of a tree. Those given up are not among the pending."""

    upgraded: int = 0
    pending: int = 0
    given_up: int = 0


class Look(NamedTuple):
    """What a look through a tree found."""

    waiting: list[str]  # places to be read, the most urgent first
    is_all_read: bool  # nothing is, or may become, free to be read before the tree is another one


class Pending(NamedTuple):
    """Places."""

    leaves: list[str]
    branches: list[str]


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What the model could not read, and why."""

    place: str
    title: str
    reason: str
    until: float  # when it is tried again, in seconds since 1970


_LIVE = sa.and_(_node.c.source_id == sa.bindparam("source"), _node.c.live_to.is_(None))
_LABELS: sa.BindParameter[Any] = sa.bindparam("labels", expanding=True)
_UPGRADED = sa.exists().where(_reading.c.record == _node.c.record, _reading.c.reader.in_(_LABELS))
# a lease holds for a node only as long as nothing below it has changed
_LEASED = sa.and_(
    _lease.c.source_id == _node.c.source_id, _lease.c.place == _node.c.place, _lease.c.hash == _node.c.hash,
    _lease.c.record == _node.c.record, _lease.c.reader.in_(_LABELS), _lease.c.until > sa.bindparam("now"), _lease.c.until < sa.bindparam("now") + LONGEST_LEASE,
)  # fmt: skip
_COUNTS = (
    sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(sa.case((_UPGRADED, 1), else_=0)), 0))
    .select_from(_node)
    .where(_LIVE, _node.c.kind != "pass")
)
_GIVEN_UP = (
    sa.select(_node.c.place, _node.c.title, _lease.c.reason, _lease.c.until)
    .select_from(_lease.join(_node, _LEASED))
    .where(_LIVE, _node.c.kind != "pass", _lease.c.reason != "", sa.not_(_UPGRADED))
    .order_by(_node.c.place)
)
_UNREAD = (
    sa.select(_node.c.place, _node.c.parent, _node.c.kind, _node.c.target, _node.c.live_from, _lease.c.reason)
    .select_from(_node.outerjoin(_lease, _LEASED))
    .where(_LIVE, sa.not_(_UPGRADED))
)
_AT = _node.c.place.in_(sa.bindparam("places", expanding=True))
_UNREAD_AT = _UNREAD.where(_AT)
_NODES_AT = sa.select(*(_node.c[name] for name in COLUMNS)).where(_LIVE, _AT)


class UnreadNodes:
    """Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def counts(self, source_id: str, labels: Labels) -> Counts:
        with self._database.read() as connection:
            total, upgraded = connection.execute(_COUNTS, _bound(source_id, labels)).one()
            given_up = len(connection.execute(_GIVEN_UP, _bound(source_id, labels)).all())
        return Counts(upgraded, total - upgraded - given_up, given_up)

    def given_up(self, source_id: str, labels: Labels) -> list[GivenUp]:
        with self._database.read() as connection:
            return [GivenUp(*row) for row in connection.execute(_GIVEN_UP, _bound(source_id, labels))]

    def waiting(self, source_id: str, labels: Labels, limit: int, cited: Mapping[str, int]) -> list[str]:
        """Places of leaves to be read, and of branches of which everything below is settled: what changed most recently
        first, then what is `cited` most."""
        return self.look(source_id, labels, limit, cited).waiting

    def look(self, source_id: str, labels: Labels, limit: int, cited: Mapping[str, int]) -> Look:
        """What is `waiting`, and whether anything is unread at all."""
        with self._database.read() as connection:
            unread = connection.execute(_UNREAD, _bound(source_id, labels)).tuples().all()
            since = _version.c.published_at > time.time() - RECENT_SECONDS
            recent = connection.scalar(sa.select(sa.func.min(_version.c.number)).where(since))
        blocked = _blocked(unread)
        newest = recent if recent is not None else math.inf
        free = (
            (live_from >= newest, cited.get(place, 0), live_from, -number, place)
            for number, (place, _, kind, _, live_from, reason) in enumerate(unread)
            if reason is None and kind != "pass" and place not in blocked
        )
        return Look([place for *_, place in heapq.nlargest(limit, free)], not unread)

    def pending(self, source_id: str, labels: Labels) -> Pending:
        """Everything that is neither read nor given up."""
        with self._database.read() as connection:
            unread = connection.execute(_UNREAD, _bound(source_id, labels)).all()
        open_ = [row for row in unread if row.kind != "pass" and not row.reason]
        leaves = [row.place for row in open_ if row.kind == "leaf"]
        return Pending(leaves, [row.place for row in open_ if row.kind != "leaf"])


# ---------------------------------------------------------------- in a transaction of the caller's


def free_nodes(connection: Connection, source_id: str, labels: Labels, places: Collection[str]) -> list[Node]:
    """The nodes at these places that nobody has read, reads now, or has given up; in the order of the places."""
    nodes: dict[str, Node] = {}
    for some in in_parts(places):
        bound = {**_bound(source_id, labels), "places": some}
        free = [row.place for row in connection.execute(_UNREAD_AT, bound) if row.reason is None and row.kind != "pass"]
        rows = connection.execute(_NODES_AT, {"source": source_id, "places": free})
        nodes |= {row.place: Node(*row) for row in rows}
    return [nodes[place] for place in places if place in nodes]


def is_unsettled(connection: Connection, source_id: str, labels: Labels, places: Collection[str]) -> bool:
    """Whether any of these places is neither read nor given up."""
    while places:
        bound = {**_bound(source_id, labels), "places": list(places)}
        rows = connection.execute(_UNREAD_AT, bound).all()
        if any(not row.reason for row in rows if row.kind != "pass"):
            return True
        places = [row.target for row in rows if row.kind == "pass"]
    return False


def _bound(source_id: str, labels: Labels) -> dict[str, Any]:
    return {"source": source_id, "labels": list(labels), "now": time.time()}


def _blocked(unread: Sequence[tuple[Any, ...]]) -> set[str]:
    """Of a whole tree's unread rows: places above one that is neither read nor given up. A pass is what it stands for."""
    passes = {place: target for place, _, kind, target, _, _ in unread if kind == "pass"}
    open_ = {place for place, _, kind, _, _, reason in unread if kind != "pass" and not reason}
    blocked = {parent for place, parent, *_ in unread if place in open_}
    for _, parent, kind, target, *_ in unread:
        if kind == "pass":
            while target in passes:
                target = passes[target]
            if target in open_:
                blocked.add(parent)
    return blocked
