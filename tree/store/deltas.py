"""What changed in the trees between two versions: which leaves and which names an index that follows them has to take over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.models import DocumentRow, NodeRow, Source, Version, table_of
from tree.store.places import root_place
from tree.store.statements import live_at
from tree.store.version_rows import read_newest

_node = table_of(NodeRow)
_document = table_of(DocumentRow)
_source = table_of(Source)
_version = table_of(Version)


class LeafAt(NamedTuple):
    """A leaf as an index holds it: where it stands, the key of its text, the hash of its record."""

    place: str
    source_id: str
    leaf: str
    record: str


@dataclass(frozen=True, slots=True)
class Delta:
    """What has changed in the trees between two versions, read in one snapshot of the database."""

    version: int
    published_at: float
    is_whole: bool  # nothing of what the index holds can be kept: `leaves` and `names` are all there is
    leaves: dict[str, LeafAt]  # by place
    ended: set[str]  # places that an index of the version before may hold
    names: set[str]  # places of which the names are to be noted anew
    totals: dict[str, int]  # leaves of each source that may be asked


class EarlierState(NamedTuple):
    """What was at a version and is not any more: the leaves, and every place at which anything has changed since."""

    leaves: list[LeafAt]
    changed: set[str]


class Named(NamedTuple):
    """What a folder or a document is called."""

    place: str
    source_id: str
    names: list[str]
    url: str  # empty for a folder


def changed_since(database: Database, known: tuple[int, float]) -> Delta:
    """`known`: the number of a version and when it was published. Everything is read in one snapshot: a number read at one moment
    and rows of another would never agree again."""
    with database.read() as connection:
        number, published_at = read_newest(connection)
        then = connection.scalar(sa.select(_version.c.published_at).where(_version.c.number == known[0]))
        # another database was put in place, or what ended since has been forgotten
        is_whole = not known[0] or number < known[0] or then not in (None, known[1]) or _is_forgotten(connection, known[0])
        since = 0 if is_whole else known[0]
        open_ = set(connection.scalars(sa.select(_source.c.id).where(_source.c.removing.is_(False))))
        began = sa.select(_node.c.place, _node.c.source_id, _node.c.leaf, _node.c.record, _node.c.kind)
        rows = [
            row
            for row in connection.execute(began.where(_node.c.live_to.is_(None), _node.c.live_from > since))
            if row.source_id in open_
        ]
        ended: set[str] = set()
        renamed: set[str] = set()
        if not is_whole:
            ended = set(connection.scalars(sa.select(_node.c.place).where(_node.c.live_to > since)))
            named = sa.select(_document.c.place).where(_document.c.live_to.is_(None), _document.c.live_from > since)
            renamed = set(connection.scalars(named))
        tops = sa.select(_node.c.source_id, _node.c.leaves).where(
            _node.c.live_to.is_(None), _node.c.place.in_([root_place(id_) for id_ in sorted(open_)])
        )
        totals = dict.fromkeys(open_, 0) | dict(connection.execute(tops).tuples().all())
    leaves = {row.place: LeafAt(row.place, row.source_id, row.leaf, row.record) for row in rows if row.kind == "leaf"}
    return Delta(number, published_at, is_whole, leaves, ended, ended | renamed | {row.place for row in rows}, totals)


def earlier_state(database: Database, source_ids: Sequence[str], version: int) -> EarlierState:
    """Of these sources."""
    with database.read() as connection:
        then = connection.execute(
            sa.select(_node.c.place, _node.c.source_id, _node.c.leaf, _node.c.record, _node.c.kind, _node.c.live_from).where(
                _node.c.live_to > version, _node.c.source_id.in_(source_ids)
            )
        ).all()
        changed = {row.place for row in then}
        for table in (_node, _document):
            since = (table.c.live_to.is_(None), table.c.live_from > version), (table.c.live_to > version,)
            for where in since:
                changed |= set(connection.scalars(sa.select(table.c.place).where(*where, table.c.source_id.in_(source_ids))))
    leaves = [row for row in then if row.kind == "leaf" and row.live_from <= version]
    return EarlierState([LeafAt(row.place, row.source_id, row.leaf, row.record) for row in leaves], changed)


def names_at(database: Database, places: Sequence[str], version: int | None = None) -> list[Named]:
    """Of the folders and documents at these places; runs have no name."""
    titled = sa.select(_node.c.place, _node.c.source_id, _node.c.title)
    titled = titled.where(
        _node.c.place.in_(places), _node.c.kind.in_(("folder", "pass", "document", "leaf")), live_at(_node, version)
    )
    called = sa.select(_document.c.place, _document.c.source_id, _document.c.title, _document.c.aliases, _document.c.url)
    called = called.where(_document.c.place.in_(places), live_at(_document, version))
    with database.read() as connection:
        found = [Named(place, source, [title], "") for place, source, title in connection.execute(titled)]
        rows = connection.execute(called)
        return found + [Named(place, source, [title, *aliases], url) for place, source, title, aliases, url in rows]


def _is_forgotten(connection: Connection, since: int) -> bool:
    """Whether there was a version after `since` that is not kept any more, nor is what ended with it."""
    later = sa.select(_version.c.source_id, sa.func.min(_version.c.number)).where(_version.c.number > since)
    for source_id, first in connection.execute(later.group_by(_version.c.source_id)).tuples().all():
        own = sa.select(_version.c.ordinal).where(_version.c.source_id == source_id)
        before = connection.scalar(own.where(_version.c.number <= since).order_by(_version.c.number.desc()).limit(1)) or 0
        if connection.scalar(own.where(_version.c.number == first)) != before + 1:
            return True
    return False
