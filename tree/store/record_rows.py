"""The records of the trees: by the hashes that nodes name, and who made them."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy.engine import Connection

from prompts.records import LogicUnit, SummaryRecord
from tree.store.database import Database
from tree.store.forms import hash_of
from tree.store.models import ReadingRow, RecordRow, table_of
from tree.store.recent_records import RECENT
from tree.store.statements import LISTED, bound_to, in_parts

_record = table_of(RecordRow)
_reading = table_of(ReadingRow)
_RECORDS_BY_HASH = sa.select(_record.c.hash, _record.c.data).where(_record.c.hash.in_(LISTED))
_UNITS = TypeAdapter(tuple[LogicUnit, ...])


class RecordRows:
    """Reads records, and drops those that are not what they were. Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def by_hash(self, hashes: Iterable[str]) -> dict[str, SummaryRecord]:
        with self._database.read() as connection:
            return read_records(connection, hashes)

    def get(self, hash_: str) -> SummaryRecord | None:
        return self.by_hash([hash_]).get(hash_)

    def altered(self, hashes: Iterable[str]) -> set[str]:
        """Those of these records that are not what they were when they were stored, or are not there."""
        wanted = set(hashes)
        sound: set[str] = set()
        with self._database.read() as connection:
            for some in in_parts(wanted):
                query = sa.select(_record.c.hash, _record.c.data, _record.c.units).where(_record.c.hash.in_(some))
                sound |= {row.hash for row in connection.execute(query) if hash_of(row.data, row.units) == row.hash}
        return wanted - sound

    def drop(self, hashes: Iterable[str]) -> None:
        """Deletes these records; whoever refers to them makes them again."""
        with self._database.write() as connection:
            for some in in_parts(hashes):
                connection.execute(sa.delete(_record).where(_record.c.hash.in_(some)))
        RECENT.clear()

    def units(self, record: str) -> tuple[LogicUnit, ...] | None:
        """The logic units a model made with a leaf's record; None where the leaf's own hold."""
        with self._database.read() as connection:
            units = connection.scalar(sa.select(_record.c.units).where(_record.c.hash == record))
        return None if units is None else _UNITS.validate_json(units)

    def made_by(self, record: str) -> str:
        """The model that made a record, as provider:model; empty where none did."""
        by_model = sa.and_(_reading.c.record == record, _reading.c.by_model)
        with self._database.read() as connection:
            label = connection.scalar(sa.select(_reading.c.reader).where(by_model).order_by(_reading.c.made_at.desc()))
        return (label or "").rpartition(" ")[0]  # without the version of the prompt


def read_records(connection: Connection, hashes: Iterable[str]) -> dict[str, SummaryRecord]:
    wanted = list(hashes)
    found = {hash_: record for hash_ in wanted if (record := RECENT.get(hash_)) is not None}
    for some in in_parts(hash_ for hash_ in wanted if hash_ not in found):
        rows = connection.execute(_RECORDS_BY_HASH, bound_to(some, None))
        found.update((hash_, RECENT.keep(hash_, SummaryRecord.model_validate_json(data))) for hash_, data in rows.all())
    return found
