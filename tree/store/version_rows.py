"""The versions of the trees: which is the newest, in which documents changed, which are kept, and how often each source changed.

The numbers of versions rise over all sources, so they tell how often any of them changed. What a person is shown is how often
those have changed that they see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.models import Source, Version, table_of
from tree.store.statements import LISTED

_version = table_of(Version)
_source = table_of(Source)
_NEWEST = (
    sa.select(_version.c.number, _version.c.published_at).order_by(_version.c.number.desc()).limit(1)
)  # made once: every question asks it


@cache
def _counts(pinned: bool) -> sa.Select[Any]:
    """Made once: putting a statement together takes longer than running it."""
    own = sa.select(_version.c.ordinal).where(_version.c.source_id == _source.c.id)
    if pinned:
        own = own.where(_version.c.number <= sa.bindparam("version"))
    last = own.order_by(_version.c.number.desc()).limit(1).correlate(_source).scalar_subquery()
    return sa.select(_source.c.id, last).where(_source.c.id.in_(LISTED)).order_by(_source.c.id)


def read_newest(connection: Connection) -> tuple[int, float]:
    """The number of the newest version and when it was published (seconds since 1970); zeros before the first."""
    row = connection.execute(_NEWEST).first()
    return (0, 0.0) if row is None else (row.number, row.published_at)


class VersionRows:
    """Reads the versions. Each method is one short transaction, but for those that say what was kept at a moment or a number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(self) -> int:
        """The number a question pins: everything published up to now."""
        with self._database.read() as connection:
            return connection.scalar(sa.select(sa.func.max(_version.c.number))) or 0

    def newest_published(self) -> tuple[int, float]:
        """As `read_newest`."""
        with self._database.read() as connection:
            return read_newest(connection)

    def newest_change(self, source_ids: Iterable[str]) -> int:
        """The number of the version in which documents of these sources changed last; upgrades of records since then do not count."""
        changes = sa.and_(_version.c.upgrade.is_(False), _version.c.source_id.in_(list(source_ids)))
        query = sa.select(_version.c.number).where(changes).order_by(_version.c.number.desc()).limit(1)
        with self._database.read() as connection:
            return connection.scalar(query) or 0

    def changed_since(self, counts: Mapping[str, int]) -> bool:
        """Whether documents of any of these sources changed after it had had so many versions; upgrades of records do not count."""
        newer = [sa.and_(_version.c.source_id == id_, _version.c.ordinal > number) for id_, number in counts.items()]
        query = sa.select(_version.c.number).where(_version.c.upgrade.is_(False), sa.or_(sa.false(), *newer)).limit(1)
        with self._database.read() as connection:
            return connection.scalar(query) is not None

    def oldest_kept(self, source_ids: Iterable[str] | None = None) -> int:
        """The version from which on everything is kept, of these sources or of all: what was before it has been forgotten."""
        own = sa.true() if source_ids is None else _version.c.source_id.in_(list(source_ids))
        firsts = sa.select(sa.func.min(_version.c.number)).where(own).group_by(_version.c.source_id)
        cut = sa.select(sa.func.max(_version.c.number)).where(_version.c.number.in_(firsts), _version.c.ordinal > 1)
        with self._database.read() as connection:
            return connection.scalar(cut) or connection.scalar(sa.select(sa.func.min(_version.c.number)).where(own)) or 0

    def with_changes(self, since: int = 0, limit: int = 50, source_id: str | None = None) -> list[Version]:
        """Changes of documents, the newest first; upgrades of records are left out."""
        changes = sa.and_(_version.c.number > since, _version.c.upgrade.is_(False))
        query = sa.select(_version).where(changes).order_by(_version.c.number.desc()).limit(limit)
        if source_id is not None:
            query = query.where(_version.c.source_id == source_id)
        with self._database.read() as connection:
            return [Version(**row._mapping) for row in connection.execute(query)]

    def touched_between(self, first: int, last: int) -> set[str]:
        """Ids of the sources that were changed or removed after the first of two versions, up to the last."""
        query = sa.select(_version.c.source_id).where(_version.c.number > first, _version.c.number <= last)
        with self._database.read() as connection:
            return set(connection.scalars(query.distinct()))

    def kept(self, source_ids: Iterable[str], until: int) -> list[tuple[str, int, int]]:
        """(source, its oldest version, how many it has up to this one): differs once any of them has been forgotten."""
        query = sa.select(_version.c.source_id, sa.func.min(_version.c.number), sa.func.count())
        query = query.where(_version.c.source_id.in_(list(source_ids)), _version.c.number <= until)
        with self._database.read() as connection:
            rows = connection.execute(query.group_by(_version.c.source_id).order_by(_version.c.source_id))
            return [(source_id, first, number) for source_id, first, number in rows]

    def count(self, source_ids: Collection[str], version: int | None = None) -> dict[str, int]:
        """How many versions each of these sources has had, up to a version or up to now; without those that have had none."""
        pinned = {} if version is None else {"version": version}
        with self._database.read() as connection:
            rows = connection.execute(_counts(bool(pinned)), {"listed": list(source_ids), **pinned}).tuples()
            return {id_: ordinal for id_, ordinal in rows if ordinal}

    def total(self, source_ids: Collection[str]) -> int:
        """The number of the newest state of these sources, as people are shown it."""
        return self._database.unchanged(("total", *source_ids), lambda: sum(self.count(source_ids).values()))

    def newest_by(self, moment: float, source_ids: Collection[str]) -> int:
        """The last version of these sources that was published by `moment` (seconds since 1970); 0 before the first, and where
        what was known then is not kept any more."""
        own = sa.and_(_version.c.published_at <= moment, _version.c.source_id.in_(list(source_ids)))
        with self._database.read() as connection:
            number = connection.scalar(sa.select(sa.func.max(_version.c.number)).where(own)) or 0
        return number if number >= self.oldest_kept(source_ids) else 0

    def known_since(self, source_ids: Collection[str]) -> float | None:
        """The moment from which on all that changed in these sources is known, in seconds since 1970; None before the first."""
        return self._database.unchanged(("known since", *source_ids), lambda: self._known_since(source_ids))

    def _known_since(self, source_ids: Collection[str]) -> float | None:
        oldest = sa.select(_version.c.published_at).where(_version.c.number == self.oldest_kept(source_ids))
        with self._database.read() as connection:
            return connection.scalar(oldest)

    def number_of(self, source_ids: Collection[str], total: int) -> int | None:
        """The version at which these sources had had so many; None for one to come, and for one that is not kept any more."""
        query = sa.select(_version.c.number, _version.c.source_id, _version.c.ordinal)
        with self._database.read() as connection:
            rows = connection.execute(query.where(_version.c.source_id.in_(list(source_ids))).order_by(_version.c.number)).all()
        counts = {row.source_id: row.ordinal - 1 for row in reversed(rows)}
        number, had = None, sum(counts.values())
        for row in rows:
            had += row.ordinal - counts[row.source_id]
            counts[row.source_id] = row.ordinal
            if had > total:  # of upgrades one after the other only the last may be kept: no document changed in between
                break
            number = row.number
        return number if number is not None and number >= self.oldest_kept(source_ids) and had >= total else None
