"""Publishing: what a change holds is written as the next version of its tree."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.records import SummaryRecord
from tree.store.database import Database
from tree.store.documents import StoredDocument
from tree.store.errors import SourceRemoved, StaleBase
from tree.store.forms import document_row, leaf_data, record_json, storable
from tree.store.leaves import Leaf
from tree.store.models import DocumentRow, LeafRow, NodeRow, ReadingRow, RecordRow, Source, table_of
from tree.store.nodes import COLUMNS, Node
from tree.store.source_rows import read_published
from tree.store.statements import in_parts, insert_rows, insert_version

_node = table_of(NodeRow)
_document = table_of(DocumentRow)
_leaf = table_of(LeafRow)
_record = table_of(RecordRow)
_reading = table_of(ReadingRow)
_source = table_of(Source)
_values = attrgetter(*COLUMNS)


@dataclass(slots=True)
class Change:
    """Everything one publish writes. `put` and `drop` are by place, `documents` and `gone` by document id."""

    source_id: str
    base: int
    put: dict[str, Node] = field(default_factory=dict)
    drop: set[str] = field(default_factory=set)
    documents: dict[str, StoredDocument] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    leaves: dict[str, Leaf] = field(default_factory=dict)
    records: dict[str, SummaryRecord] = field(default_factory=dict)
    readings: dict[str, tuple[str, str, str]] = field(default_factory=dict)  # key: record, decision, reader
    added: int = 0
    titles: tuple[str, ...] = ()
    is_upgrade: bool = False  # nothing but records is new

    def __bool__(self) -> bool:
        return bool(self.put or self.drop or self.documents or self.gone)


def publish(database: Database, change: Change, also: Callable[[Connection], None] | None = None) -> int:
    """Writes a change as the next version, with whatever must be true together with it. Returns its number.

    Raises StaleBase when the tree is no longer at `change.base`, or a record or text that the change refers to is not
    there any more; SourceRemoved. A change of nothing makes no version.
    """
    with database.write() as connection:
        published = read_published(connection, change.source_id)
        if published is None:
            raise SourceRemoved("This source has been removed.")
        if published != change.base:
            raise StaleBase(change.source_id)
        if change:
            published = _write(connection, change)
        if also is not None:
            also(connection)
        return published


def _write(connection: Connection, change: Change) -> int:
    """The number of the new version."""
    now = time.time()
    version = {
        "source_id": change.source_id,
        "published_at": now,
        "upgrade": change.is_upgrade,
        "added": change.added,
        "changed": len(change.documents) - change.added,
        "removed": len(change.gone),
        "titles": list(change.titles),
    }
    number = insert_version(connection, version)
    _end(connection, _node, _node.c.place, change.source_id, change.drop | change.put.keys(), number)
    _end(connection, _document, _document.c.document_id, change.source_id, change.gone | change.documents.keys(), number)
    insert_rows(connection, _node, ({**_row(node), "live_from": number} for node in change.put.values()))
    insert_rows(connection, _document, (document_row(document, number) for document in change.documents.values()))
    leaves = ({"key": key, "text": storable(leaf.text), "data": leaf_data(leaf)} for key, leaf in change.leaves.items())
    insert_rows(connection, _leaf, leaves, ignore=True)
    records = ({"hash": hash_, "data": record_json(record)} for hash_, record in change.records.items())
    insert_rows(connection, _record, records, ignore=True)
    readings = (
        {"key": key, "record": record, "decision": decision, "reader": reader, "by_model": False, "made_at": now}
        for key, (record, decision, reader) in change.readings.items()
    )
    insert_rows(connection, _reading, readings, ignore=True)
    update = sa.update(_source).where(_source.c.id == change.source_id)
    connection.execute(update.values(published=number, **({} if change.is_upgrade else {"changed_at": now})))
    _check_references(connection, change)
    return number


def _check_references(connection: Connection, change: Change) -> None:
    """Raises StaleBase when something that the change refers to was swept since it was built."""
    keys = {node.leaf for node in change.put.values() if node.leaf is not None}
    keys |= {key for document in change.documents.values() for *_, key in document.outline}
    for column, needed in ((_record.c.hash, {node.record for node in change.put.values()}), (_leaf.c.key, keys)):
        for some in in_parts(sorted(needed)):
            there = connection.scalar(sa.select(sa.func.count()).where(column.in_(some)))
            if there != len(some):
                raise StaleBase(change.source_id)


def _end(
    connection: Connection, table: sa.Table, column: sa.Column[Any], source_id: str, values: Iterable[str], number: int
) -> None:
    for some in in_parts(sorted(values)):
        where = sa.and_(table.c.source_id == source_id, column.in_(some), table.c.live_to.is_(None))
        connection.execute(sa.update(table).where(where).values(live_to=number))


def _row(node: Node) -> dict[str, Any]:
    return dict(zip(COLUMNS, _values(node), strict=True))
