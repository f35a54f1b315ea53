"""Deletes what no version needs any more, in pieces: each is a short transaction, between which others may write.

What is not needed is looked up beside everybody who writes; each piece deletes only what is not needed then either.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.models import DocumentRow, LeafRow, Lease, NodeRow, ReadingRow, RecordRow, Source, Version, table_of
from tree.store.recent_records import RECENT
from tree.store.statements import in_parts, insert_version

PIECE = 1_000  # rows that one transaction deletes: some hundredths of a second
STEP = 4  # versions that one transaction makes part of a later one: of an upgrade each may have 500 records and what is above
LEASE_KEPT = 86_400.0  # seconds after its end: what was read and not published before a power cut is published the day after

_node = table_of(NodeRow)
_document = table_of(DocumentRow)
_leaf = table_of(LeafRow)
_record = table_of(RecordRow)
_reading = table_of(ReadingRow)
_lease = table_of(Lease)
_source = table_of(Source)
_version = table_of(Version)
_TREE = (_node, _document)

T = TypeVar("T")


def forget_before(database: Database, moment: float | None) -> int:
    """Deletes what only versions published before `moment` (seconds since 1970) could see; with None, all but what the
    newest version sees, whatever the clock said. Of each source the last version by then stays. Returns how many rows went."""
    query = sa.select(_version.c.source_id, sa.func.max(_version.c.number)).group_by(_version.c.source_id)
    with database.write() as connection:
        horizons = connection.execute(query if moment is None else query.where(_version.c.published_at <= moment)).tuples().all()
        for source_id, horizon in horizons:  # before their rows: nobody begins to read a version of which some are gone
            _forget_versions(connection, source_id, horizon)
    if not horizons:
        return 0
    gone = 0
    for source_id, horizon in horizons:
        for table in _TREE:
            gone += _delete(database, table, table.c.source_id == source_id, table.c.live_to <= horizon)
    gone += _forget_orphans(database)
    with database.write() as connection:
        gone += _forget_idle_claims(connection)
    gone += _sweep(database)
    RECENT.clear()
    return gone


def forget_source(database: Database, source_id: str) -> None:
    """Deletes everything of a source, old versions included. That is a version too: whoever follows the tree sees it."""
    with database.write() as connection:
        for table in (_version, _lease):
            connection.execute(sa.delete(table).where(table.c.source_id == source_id))
        number = insert_version(connection, {"source_id": source_id, "published_at": time.time(), "titles": []})
        # whoever has built a change of what was there meanwhile must not publish it
        connection.execute(sa.update(_source).where(_source.c.id == source_id).values(published=number))
    for table in _TREE:
        _delete(database, table, table.c.source_id == source_id)
    _sweep(database)


def compact_upgrades(database: Database, moment: float) -> int:
    """Makes one of upgrades that follow each other and were published before `moment`: a day of them is thousands of
    versions between which no document changed. Returns how many versions went."""
    query = sa.select(_version.c.source_id, _version.c.number, _version.c.upgrade).where(_version.c.published_at <= moment)
    with database.read() as connection:
        rows = connection.execute(query.order_by(_version.c.source_id, _version.c.number)).all()
    gone = 0
    for (source_id, is_upgrade), segment in groupby(rows, key=lambda row: (row.source_id, row.upgrade)):
        *earlier, last = [row.number for row in segment]
        if is_upgrade and earlier:
            # the latest first: at each step every version sees one row of each place
            steps = [earlier[max(0, end - STEP) : end] for end in range(len(earlier), 0, -STEP)]
            gone += _in_pieces(database, steps, partial(_merge, source_id=source_id, last=last))
    if gone:
        _sweep(database)
    return gone


# ---------------------------------------------------------------- in pieces


def _in_pieces(database: Database, pieces: Sequence[T], write: Callable[[Connection, T], int]) -> int:
    """Each in a transaction of its own. Returns the sum of what `write` returns."""
    total = 0
    for number, piece in enumerate(pieces, 1):
        began = time.monotonic()
        with database.write() as connection:
            total += write(connection, piece)
        if number < len(pieces):  # who waits for the lock looks for it now and then, and has to find it free
            time.sleep(time.monotonic() - began)
    return total


def _pieces(values: Sequence[T]) -> list[Sequence[T]]:
    return [values[start : start + PIECE] for start in range(0, len(values), PIECE)]


def _delete(database: Database, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
    """Of a table that has ids. Returns how many rows went."""
    with database.read() as connection:
        ids = connection.scalars(sa.select(table.c.id).where(*where)).all()

    def delete(connection: Connection, some: Sequence[int]) -> int:
        return sum(connection.execute(sa.delete(table).where(table.c.id.in_(part), *where)).rowcount for part in in_parts(some))

    return _in_pieces(database, _pieces(ids), delete)


# ---------------------------------------------------------------- what is not needed


def _forget_versions(connection: Connection, source_id: str, horizon: int) -> None:
    own = _version.c.source_id == source_id
    connection.execute(sa.delete(_version).where(own, _version.c.number < horizon))
    # the titles of what was deleted last
    connection.execute(sa.update(_version).where(own, _version.c.number == horizon).values(titles=[]))


def _forget_orphans(database: Database) -> int:
    """Deletes rows of sources that are not there any more. Like a removal that is a version, so that the index follows."""
    known = sa.select(_source.c.id)
    with database.read() as connection:
        gone = connection.scalars(sa.select(_node.c.source_id).where(_node.c.source_id.not_in(known)).distinct()).all()
    with database.write() as connection:
        for source_id in gone:
            insert_version(connection, {"source_id": source_id, "published_at": time.time(), "titles": []})
        leases = connection.execute(sa.delete(_lease).where(_lease.c.source_id.not_in(known))).rowcount
    return leases + sum(_delete(database, table, table.c.source_id.not_in(known)) for table in _TREE)


def _forget_idle_claims(connection: Connection) -> int:
    """Deletes leases of what is not live any more: nobody will publish what was made for them."""
    alike = sa.and_(
        _node.c.source_id == _lease.c.source_id, _node.c.place == _lease.c.place, _node.c.hash == _lease.c.hash,
        _node.c.live_to.is_(None),
    )  # fmt: skip
    return connection.execute(sa.delete(_lease).where(~sa.exists().where(alike))).rowcount


def _merge(connection: Connection, versions: Sequence[int], source_id: str, last: int) -> int:
    """What came with these upgrades, and with all between them and the last, is as if it had come with the last one."""
    own = _version.c.source_id == source_id
    there = connection.scalar(sa.select(sa.func.count()).where(own, _version.c.number.in_([*versions, last])))
    if there != len(versions) + 1:  # another process does the same
        return 0
    # no other source has these numbers, and to name this one would have SQLite look through all of its rows
    began, ended = _node.c.live_from.in_(versions), _node.c.live_to.in_(versions)
    connection.execute(sa.delete(_node).where(began, sa.or_(ended, _node.c.live_to == last)))
    connection.execute(sa.update(_node).where(began).values(live_from=last))
    connection.execute(sa.update(_node).where(ended).values(live_to=last))
    return connection.execute(sa.delete(_version).where(own, _version.c.number.in_(versions))).rowcount


def _sweep(database: Database) -> int:
    """Deletes leaves, records and readings that no row needs any more, and that no upgrade is about to publish."""
    with database.write() as connection:
        connection.execute(sa.delete(_lease).where(_lease.c.until < time.time() - LEASE_KEPT))
    leased = sa.and_(_lease.c.key == _reading.c.key, _lease.c.reader == _reading.c.reader)
    about_to = sa.select(_reading.c.record).join(_lease, leased)
    with database.read() as connection:
        version = connection.scalar(sa.select(sa.func.max(_version.c.number))) or 0
        used = sa.select(_node.c.leaf).where(_node.c.leaf.is_not(None))
        leaves = connection.scalars(sa.select(_leaf.c.key).where(_leaf.c.key.not_in(used))).all()
        in_use = sa.select(_node.c.record).union(about_to)
        records = connection.scalars(sa.select(_record.c.hash).where(_record.c.hash.not_in(in_use))).all()
        lost = _reading.c.record.not_in(sa.select(_record.c.hash))
        readings = connection.scalars(sa.select(_reading.c.record).where(lost).distinct()).all()
    # who refers to one of them since has published a version since, or has a lease
    since = _node.c.live_from > version
    kept = sa.select(_node.c.leaf).where(since, _node.c.leaf.is_not(None))

    def drop_leaves(connection: Connection, some: Sequence[str]) -> int:
        return _delete_keys(connection, _leaf, _leaf.c.key, some, _leaf.c.key.not_in(kept))

    def drop_records(connection: Connection, some: Sequence[str]) -> int:
        needed = sa.select(_node.c.record).where(since).union(about_to)
        gone = _delete_keys(connection, _record, _record.c.hash, some, _record.c.hash.not_in(needed))
        left = sa.select(_record.c.hash).where(_record.c.hash == _reading.c.record)
        return gone + _delete_keys(connection, _reading, _reading.c.record, some, ~sa.exists(left))

    gone = _in_pieces(database, _pieces(leaves), drop_leaves)
    return gone + _in_pieces(database, _pieces([*records, *readings]), drop_records)


def _delete_keys(
    connection: Connection, table: sa.Table, column: sa.Column[Any], keys: Iterable[str], *where: sa.ColumnElement[bool]
) -> int:
    return sum(connection.execute(sa.delete(table).where(column.in_(some), *where)).rowcount for some in in_parts(keys))
