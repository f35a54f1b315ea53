"""The readings: which record a reader made of which input, as a fingerprint. No input is read twice, in whatever tree it stands."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from prompts.records import LogicUnit, SummaryRecord
from tree.store.forms import record_hash, record_json, units_json
from tree.store.models import ReadingRow, RecordRow, table_of
from tree.store.statements import LISTED, in_parts, insert_rows

_reading = table_of(ReadingRow)
_record = table_of(RecordRow)
_IS_THERE = sa.exists().where(_record.c.hash == _reading.c.record)
_BY_OTHERS = (
    sa.select(_reading.c.key)
    .where(
        _reading.c.key == sa.bindparam("key"),
        _reading.c.record == sa.bindparam("record"),
        _reading.c.reader != sa.bindparam("own"),
        _IS_THERE,
    )
    .limit(1)
)
_BY_MODELS_OR_OWN = sa.select(
    _reading.c.key, _reading.c.reader, _reading.c.record, _reading.c.by_model, _reading.c.made_at
).where(_reading.c.key.in_(LISTED), sa.or_(_reading.c.by_model, _reading.c.reader == sa.bindparam("own")), _IS_THERE)
_BY = sa.select(_reading.c.record).where(_reading.c.key == sa.bindparam("key"), _reading.c.reader == sa.bindparam("reader"))


class StoredReading(NamedTuple):
    """A reading of which the record is there."""

    key: str  # of the input
    reader: str
    record: str  # its hash
    by_model: bool
    made_at: float  # seconds since 1970


def read_readings(connection: Connection, keys: Iterable[str], own: str) -> list[StoredReading]:
    """Of these inputs, by any model and by our `own` reader."""
    return [
        StoredReading(*row)
        for some in in_parts(keys)
        for row in connection.execute(_BY_MODELS_OR_OWN, {"listed": some, "own": own})
    ]


def is_read_by(connection: Connection, key: str, reader: str) -> bool:
    return connection.scalar(_BY, {"key": key, "reader": reader}) is not None


def is_read_by_others(connection: Connection, key: str, record: str, own: str) -> bool:
    """Whether a reader other than our `own`, a model or ours of an earlier release, made this record of this input."""
    return connection.scalar(_BY_OTHERS, {"key": key, "record": record, "own": own}) is not None


def insert_reading(
    connection: Connection, key: str, model: str, decision: str, record: SummaryRecord, units: Sequence[LogicUnit] | None
) -> None:
    """What a model made of an input; `units` where it made others than a leaf's own."""
    hash_ = record_hash(record, units)
    row = {"hash": hash_, "data": record_json(record), "units": None if units is None else units_json(units)}
    made = {"key": key, "reader": model, "by_model": True, "record": hash_, "decision": decision, "made_at": time.time()}
    insert_rows(connection, _record, [row], ignore=True)
    insert_rows(connection, _reading, [made], ignore=True)
