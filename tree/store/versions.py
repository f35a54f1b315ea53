"""Versions by source: how many each has had, which was the last at a moment, and from when on all changes are known.

The numbers of versions rise over all sources, so they tell how often any of them changed. What a person is shown is how often
those have changed that they see.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

import sqlalchemy as sa

from tree.store.models import Source, Version, table_of
from tree.store.rows import Store

_version = table_of(Version)
_source = table_of(Source)


_LISTED: sa.BindParameter[str] = sa.bindparam("listed", expanding=True)


@cache
def _counts(pinned: bool) -> sa.Select[Any]:
    """Made once: putting a statement together takes longer than running it."""
    own = sa.select(_version.c.ordinal).where(_version.c.source_id == _source.c.id)
    if pinned:
        own = own.where(_version.c.number <= sa.bindparam("version"))
    last = own.order_by(_version.c.number.desc()).limit(1).correlate(_source).scalar_subquery()
    return sa.select(_source.c.id, last).where(_source.c.id.in_(_LISTED)).order_by(_source.c.id)


def count_versions(store: Store, source_ids: Collection[str], version: int | None = None) -> dict[str, int]:
    """How many versions each of these sources has had, up to a version or up to now; without those that have had none."""
    pinned = {} if version is None else {"version": version}
    with store.database.read() as connection:
        rows = connection.execute(_counts(bool(pinned)), {"listed": list(source_ids), **pinned}).tuples()
        return {id_: ordinal for id_, ordinal in rows if ordinal}


def total_versions(store: Store, source_ids: Collection[str]) -> int:
    """The number of the newest state of these sources, as people are shown it."""
    return store.database.unchanged(("total", *source_ids), lambda: sum(count_versions(store, source_ids).values()))


def newest_by(store: Store, moment: float, source_ids: Collection[str]) -> int:
    """The last version of these sources that was published by `moment` (seconds since 1970); 0 before the first, and where
    what was known then is not kept any more."""
    own = sa.and_(_version.c.published_at <= moment, _version.c.source_id.in_(list(source_ids)))
    with store.database.read() as connection:
        number = connection.scalar(sa.select(sa.func.max(_version.c.number)).where(own)) or 0
    return number if number >= store.oldest_kept(source_ids) else 0


def known_since(store: Store, source_ids: Collection[str]) -> float | None:
    """The moment from which on all that changed in these sources is known, in seconds since 1970; None before the first."""
    return store.database.unchanged(("known since", *source_ids), lambda: _known_since(store, source_ids))


def _known_since(store: Store, source_ids: Collection[str]) -> float | None:
    oldest = sa.select(_version.c.published_at).where(_version.c.number == store.oldest_kept(source_ids))
    with store.database.read() as connection:
        return connection.scalar(oldest)


def number_of(store: Store, source_ids: Collection[str], total: int) -> int | None:
    """The version at which these sources had had so many; None for one to come, and for one that is not kept any more."""
    query = sa.select(_version.c.number, _version.c.source_id, _version.c.ordinal)
    with store.database.read() as connection:
        rows = connection.execute(query.where(_version.c.source_id.in_(list(source_ids))).order_by(_version.c.number)).all()
    counts = {row.source_id: row.ordinal - 1 for row in reversed(rows)}
    number, had = None, sum(counts.values())
    for row in rows:
        had += row.ordinal - counts[row.source_id]
        counts[row.source_id] = row.ordinal
        if had > total:  # of upgrades one after the other only the last may be kept: no document changed in between
            break
        number = row.number
    return number if number is not None and number >= store.oldest_kept(source_ids) and had >= total else None
