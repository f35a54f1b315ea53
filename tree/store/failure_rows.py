"""The documents that cannot be read, as whoever asks or looks is told of them."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from tree.store.database import Database
from tree.store.models import FailureRow, table_of
from tree.store.statements import in_parts

_failure = table_of(FailureRow)


class FailureRows:
    """Reads them. Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count(self, source_ids: Iterable[str]) -> int:
        query = sa.select(sa.func.count()).where(_failure.c.source_id.in_(list(source_ids)))
        with self._database.read() as connection:
            return connection.scalar(query) or 0

    def state(self, source_ids: Iterable[str]) -> tuple[int, float]:
        """Another one when a document cannot be read any more, or can be again: how many there are, and since when the last of them."""
        query = sa.select(sa.func.count(), sa.func.max(_failure.c.since)).where(_failure.c.source_id.in_(list(source_ids)))
        with self._database.read() as connection:
            number, since = connection.execute(query).one()
        return number, since or 0.0

    def newest(self, source_id: str, by: float | None = None, limit: int = 500) -> list[FailureRow]:
        """The documents that cannot be read, or could not `by` that moment; the newest failures first, and at most so many."""
        query = sa.select(_failure).where(
            _failure.c.source_id == source_id, _failure.c.since <= by if by is not None else sa.true()
        )
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(_failure.c.since.desc(), _failure.c.document_id).limit(limit))
            return [FailureRow(**row._mapping) for row in rows]

    def stale(self, source_id: str, document_ids: Iterable[str]) -> dict[str, tuple[float, float]]:
        """Which of these documents are kept as they were last read because they cannot be read now: since when that is so,
        and when they were last known to say this (seconds since 1970)."""
        found: dict[str, tuple[float, float]] = {}
        own = sa.and_(_failure.c.source_id == source_id, _failure.c.read_at.is_not(None))
        columns = (_failure.c.document_id, _failure.c.since, _failure.c.read_at)
        with self._database.read() as connection:
            for some in in_parts(document_ids):
                rows = connection.execute(sa.select(*columns).where(own, _failure.c.document_id.in_(some)))
                found.update((row.document_id, (row.since, row.read_at)) for row in rows)
        return found
