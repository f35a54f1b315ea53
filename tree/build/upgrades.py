"""Upgrades in the database: which nodes the chosen model has not read, who asks it for which, and what came of it."""

from __future__ import annotations

import heapq
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.records import Child, LeafText, Reader, Reading
from tree.build.builder import Records, as_children, branch_input, leaf_input
from tree.store.errors import SourceRemoved, StaleBase
from tree.store.forms import record_hash, record_json, units_json
from tree.store.language_model import Labels
from tree.store.leaf_rows import read_leaves
from tree.store.models import DocumentRow, Lease, NodeRow, ReadingRow, RecordRow, Setting, Source, Turn, Version, table_of
from tree.store.node_rows import live_children, live_with_ancestors
from tree.store.nodes import COLUMNS, Node
from tree.store.publishing import Change, insert_rows, publish
from tree.store.record_rows import read_records
from tree.store.statements import in_parts
from tree.store.store import Store

CITED_TURNS = 300  # of the questions asked last: what they cite is upgraded first
RECENT_SECONDS = 3_600.0  # what changed within this time comes before what is asked most
TRIES = 5  # to publish against other writers
LONGEST_LEASE = 2 * 86_400.0  # seconds; one that ends later was made before the clock was put back, and holds no more
STATE = "upgrades"  # of the row that holds how they go

_lease = table_of(Lease)
_document = table_of(DocumentRow)
_node = table_of(NodeRow)
_reading = table_of(ReadingRow)
_record = table_of(RecordRow)
_setting = table_of(Setting)
_source = table_of(Source)
_turn = table_of(Turn)
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


@dataclass(frozen=True, slots=True)
class Job:
    """One input for the model: a leaf's text, or the records of a branch's children."""

    node: Node
    key: str
    label: str  # of the reader that is to read it
    leaf: LeafText | None
    children: tuple[Child, ...] = ()


# ---------------------------------------------------------------- statements

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
_PUBLISHED = sa.select(_source.c.published).where(_source.c.id == sa.bindparam("source"), _source.c.removing.is_(False))


class Upgrades:
    """What the upgrades of all trees read and write. Each method is one short transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.database = store.database

    # ---- what is to be done

    def counts(self, source_id: str, labels: Labels) -> Counts:
        with self.database.read() as connection:
            total, upgraded = connection.execute(_COUNTS, _bound(source_id, labels)).one()
            given_up = len(connection.execute(_GIVEN_UP, _bound(source_id, labels)).all())
        return Counts(upgraded, total - upgraded - given_up, given_up)

    def given_up(self, source_id: str, labels: Labels) -> list[GivenUp]:
        with self.database.read() as connection:
            return [GivenUp(*row) for row in connection.execute(_GIVEN_UP, _bound(source_id, labels))]

    def waiting(self, source_id: str, labels: Labels, limit: int, cited: Mapping[str, int]) -> list[str]:
        """Places of leaves to be read, and of branches of which everything below is settled: what changed most recently
        first, then what is `cited` most."""
        return self.look(source_id, labels, limit, cited).waiting

    def look(self, source_id: str, labels: Labels, limit: int, cited: Mapping[str, int]) -> Look:
        """What is `waiting`, and whether anything is unread at all."""
        with self.database.read() as connection:
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
        with self.database.read() as connection:
            unread = connection.execute(_UNREAD, _bound(source_id, labels)).all()
        open_ = [row for row in unread if row.kind != "pass" and not row.reason]
        leaves = [row.place for row in open_ if row.kind == "leaf"]
        return Pending(leaves, [row.place for row in open_ if row.kind != "leaf"])

    def jobs(self, source_id: str, labels: Labels, places: Collection[str], only_ready: bool = True) -> list[Job]:
        """What the model is to be shown of these places, as far as nobody has read them or is at it; of branches only
        those that are ready: everything below them is settled."""
        found = []
        with self.database.read() as connection:
            nodes = self._free(connection, source_id, labels, places)
            texts = read_leaves(connection, (node.leaf for node in nodes if node.leaf))
            kinds = _kinds(connection, source_id, nodes)
            for node in nodes:
                if node.leaf:
                    leaf, kind = texts[node.leaf], kinds[node.document_id]
                    found.append(Job(node, leaf_input(leaf, kind), labels.read, leaf.as_read(kind)))
                    continue
                family = live_children(connection, node.place)
                if not only_ready or not _unsettled(connection, source_id, labels, [child.place for child in family]):
                    children = as_children(family, read_records(connection, [child.record for child in family]))
                    found.append(Job(node, branch_input(node.title, family), labels.summarize, None, tuple(children)))
        return found

    @staticmethod
    def _free(connection: Connection, source_id: str, labels: Labels, places: Collection[str]) -> list[Node]:
        """The nodes at these places that nobody has read, reads now, or has given up; in the order of the places."""
        nodes: dict[str, Node] = {}
        for some in in_parts(places):
            bound = {**_bound(source_id, labels), "places": some}
            free = [row.place for row in connection.execute(_UNREAD_AT, bound) if row.reason is None and row.kind != "pass"]
            rows = connection.execute(_NODES_AT, {"source": source_id, "places": free})
            nodes |= {row.place: Node(*row) for row in rows}
        return [nodes[place] for place in places if place in nodes]

    def cited(self) -> Counter[str]:
        """How often each place, or one below it, was cited in the answers given last."""
        query = sa.select(_turn.c.answer["citations"]).where(_turn.c.answer.is_not(None))
        with self.database.read() as connection:
            answers = connection.scalars(query.order_by(_turn.c.asked_at.desc()).limit(CITED_TURNS)).all()
            times = Counter(citation["place"] for citations in answers for citation in citations or ())
            above = live_with_ancestors(connection, times)
        found: Counter[str] = Counter()
        for place, number in times.items():
            node = above.get(place)
            while node is not None:
                found[node.place] += number
                node = above.get(node.parent or "")
        return found

    # ---- who is at it

    def lease(
        self, source_id: str, jobs: Iterable[Job], owner: str, seconds: float, lives: Callable[[str], bool] = lambda owner: False
    ) -> tuple[list[Job], list[Job]]:
        """Those of a source's jobs that `owner` now has to have read, and those that were read before and are now the
        owner's to publish. What others are at, or was given up, is in neither: also not where it stands in other places.

        `lives` tells of another owner, whose time is over, whether it is there all the same, and only slow.
        """
        now = time.time()
        asked: list[Job] = []
        known: list[Job] = []
        with self.database.write() as connection:
            if connection.scalar(_PUBLISHED, {"source": source_id}) is None:
                return [], []
            for job in jobs:
                rows = connection.execute(sa.select(_lease).where(_same(_lease, job))).all()
                held = next((row for row in rows if _is_held(row, now, lives)), None)
                if held is None:
                    is_known = connection.scalar(sa.select(_reading.c.record).where(_same(_reading, job))) is not None
                    (known if is_known else asked).append(job)
                    tries = max((row.tries for row in rows), default=0)
                    stand = {"owner": owner, "until": now + seconds, "reason": "", "tries": tries}
                else:
                    until = held.until if now < held.until < now + LONGEST_LEASE else now + seconds
                    stand = {"owner": held.owner, "until": until, "reason": held.reason, "tries": held.tries}
                _lease_at(connection, job, stand)
        return asked, known

    def renew(self, jobs: Iterable[Job], seconds: float) -> None:
        """These are still at work, or wait to be published."""
        until = time.time() + seconds
        with self.database.write() as connection:
            for job in jobs:
                connection.execute(sa.update(_lease).where(_same(_lease, job)).values(until=until))

    def owners(self) -> set[str]:
        """Who is having something read, whether they live or not."""
        held = sa.and_(_lease.c.reason == "", _lease.c.owner != "")
        with self.database.read() as connection:
            return set(connection.scalars(sa.select(_lease.c.owner).where(held).distinct()))

    def release_all(self, owner: str) -> None:
        """What this owner has leased may be leased by others: it has gone, or was stopped."""
        with self.database.write() as connection:
            its = sa.and_(_lease.c.owner == owner, _lease.c.reason == "")
            connection.execute(sa.update(_lease).where(its).values(owner="", until=time.time()))

    def release(self, job: Job, is_its_fault: bool) -> int:
        """Gives a lease back. Returns how often this job may have been to blame."""
        with self.database.write() as connection:
            update = sa.update(_lease).where(_same(_lease, job))
            connection.execute(update.values(owner="", until=time.time(), tries=_lease.c.tries + (1 if is_its_fault else 0)))
            return connection.scalar(sa.select(sa.func.max(_lease.c.tries)).where(_same(_lease, job))) or 0

    def mark_failed(self, job: Job, reason: str, until: float) -> None:
        with self.database.write() as connection:
            connection.execute(sa.update(_lease).where(_same(_lease, job)).values(reason=reason, until=until))

    # ---- what came of it

    def keep(self, job: Job, reading: Reading, also: Callable[[Connection], None]) -> bool:
        """Stores a reading the moment it is there. Not where the source was removed meanwhile; returns whether it was."""
        units = None if job.leaf is None or reading.units == job.leaf.units else reading.units
        hash_ = record_hash(reading.record, units)
        record = {"hash": hash_, "data": record_json(reading.record), "units": None if units is None else units_json(units)}
        made = {
            "key": job.key, "reader": job.label, "by_model": True, "record": hash_,
            "decision": "summarize" if job.leaf is None else "read", "made_at": time.time(),
        }  # fmt: skip
        with self.database.write() as connection:
            also(connection)
            if connection.scalar(_PUBLISHED, {"source": job.node.source_id}) is None:
                return False
            insert_rows(connection, _record, [record], ignore=True)
            insert_rows(connection, _reading, [made], ignore=True)
            return True

    def publish(self, source_id: str, reader: Reader, labels: Labels, jobs: Sequence[Job]) -> bool:
        """Gives the nodes of these jobs, and of the same inputs in other places, the records that were made, and all above
        them records of those.

        Returns False where other writers were always faster: nothing is lost, and it may be tried again.
        """

        def also(connection: Connection) -> None:
            for job in jobs:
                connection.execute(sa.delete(_lease).where(_same(_lease, job)))

        for _ in range(TRIES):
            with self.database.read() as connection:
                base = connection.scalar(_PUBLISHED, {"source": source_id})
                if base is None:
                    return True
                places = _places_of(connection, source_id, jobs)
                change = _better(connection, source_id, base, reader, labels, places)
            try:
                publish(self.database, change, also)
                return True
            except SourceRemoved:
                return True
            except StaleBase:
                continue
        return False

    # ---- how they go

    def note_state(self, state: Mapping[str, Any]) -> None:
        """For whoever shows it, in whatever process."""
        now = time.time()
        with self.database.write() as connection:
            connection.execute(sa.delete(_setting).where(_setting.c.name == STATE))
            connection.execute(sa.insert(_setting).values(name=STATE, value=dict(state), changed_at=now))

    def state(self) -> tuple[dict[str, Any], float]:
        """What was noted last, and when, in seconds since 1970."""
        with self.database.read() as connection:
            row = connection.execute(sa.select(_setting.c.value, _setting.c.changed_at).where(_setting.c.name == STATE)).first()
        return ({}, 0.0) if row is None else (row.value, row.changed_at)


def _bound(source_id: str, labels: Labels) -> dict[str, Any]:
    return {"source": source_id, "labels": list(labels), "now": time.time()}


def _same(table: sa.Table, job: Job) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.key == job.key, table.c.reader == job.label)


def _is_held(lease: Any, now: float, lives: Callable[[str], bool]) -> bool:
    return now < lease.until < now + LONGEST_LEASE or bool(lease.owner and not lease.reason and lives(lease.owner))


def _lease_at(connection: Connection, job: Job, stand: Mapping[str, Any]) -> None:
    """Notes how this input stands, at the place of this job and wherever else it has a lease."""
    node = job.node
    at_place = sa.and_(_lease.c.source_id == node.source_id, _lease.c.place == node.place, _lease.c.reader == job.label)
    connection.execute(sa.delete(_lease).where(at_place))  # also of what stood there before
    connection.execute(sa.update(_lease).where(_same(_lease, job)).values(**stand))
    row = {"key": job.key, "reader": job.label, "source_id": node.source_id, "place": node.place}
    connection.execute(sa.insert(_lease).values(**row, hash=node.hash, record=node.record, **stand))


def _places_of(connection: Connection, source_id: str, jobs: Sequence[Job]) -> set[str]:
    """Where the inputs of these jobs stand in a source, as far as somebody came by to have them read."""
    places = {job.node.place for job in jobs}
    for job in jobs:
        query = sa.select(_lease.c.place).where(_same(_lease, job), _lease.c.source_id == source_id)
        places.update(connection.scalars(query))
    return places


def _kinds(connection: Connection, source_id: str, nodes: Iterable[Node]) -> dict[str | None, str]:
    """The kinds of the documents that these leaves stand in, by id."""
    found: dict[str | None, str] = {}
    for some in in_parts(node.document_id for node in nodes if node.leaf and node.document_id is not None):
        query = sa.select(_document.c.document_id, _document.c.kind).where(
            _document.c.source_id == source_id, _document.c.document_id.in_(some), _document.c.live_to.is_(None)
        )
        found |= dict(connection.execute(query).tuples().all())
    return found


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


def _unsettled(connection: Connection, source_id: str, labels: Labels, places: Collection[str]) -> bool:
    """Whether any of these places is neither read nor given up."""
    while places:
        bound = {**_bound(source_id, labels), "places": list(places)}
        rows = connection.execute(_UNREAD_AT, bound).all()
        if any(not row.reason for row in rows if row.kind != "pass"):
            return True
        places = [row.target for row in rows if row.kind == "pass"]
    return False


def _better(connection: Connection, source_id: str, base: int, reader: Reader, labels: Labels, places: Collection[str]) -> Change:
    """The change that gives the nodes at these places, and all above them, the best records known now.

    Documents, shape and hashes stay as they are: nothing but records is new.
    """
    nodes = live_with_ancestors(connection, places)
    texts = read_leaves(connection, (node.leaf for node in nodes.values() if node.leaf))
    kinds = _kinds(connection, source_id, nodes.values())
    records = Records(reader, connection, models=labels)
    change = Change(source_id, base, is_upgrade=True)
    for node in sorted(nodes.values(), key=lambda node: _steps_up(node, nodes), reverse=True):
        if node.leaf:
            record = records.of_leaf(node.place, texts[node.leaf], kinds[node.document_id])
        else:
            children = [change.put.get(child.place, child) for child in live_children(connection, node.place)]
            record = children[0].record if node.kind == "pass" else records.of_branch(node.place, node.title, children)
        if record != node.record:
            change.put[node.place] = replace(node, record=record)
    change.records, change.readings = records.take()
    return change


def _steps_up(node: Node, nodes: Mapping[str, Node]) -> int:
    steps = 0
    while node.parent is not None and (above := nodes.get(node.parent)) is not None:
        node, steps = above, steps + 1
    return steps
