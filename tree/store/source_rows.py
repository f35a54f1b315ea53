"""The rows of all sources, of which every question reads those that it may be asked of: made again only where they changed."""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.models import Source, table_of

_source = table_of(Source)
_AS_TEXT = ("config", "audience")  # which would be read as JSON, and cannot be compared by their hash
_PUBLISHED = sa.select(_source.c.published).where(_source.c.id == sa.bindparam("source"), _source.c.removing.is_(False))


class SourceRows:
    """What is read is what the database holds now; an object is used again while its row is the same."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._made: dict[str, tuple[tuple[Any, ...], Source]] = {}

    def askable(self, chat_id: str | None = None) -> list[Source]:
        """Every source of the team that may be asked, in the order they were added; with the files of this chat. To be changed
        by nobody."""
        bound = {} if chat_id is None else {"chat": chat_id}
        with self._database.read() as connection:
            rows = {row.id: tuple(row) for row in connection.execute(_compared(bool(bound)), bound)}
            made = self._made
            if changed := [id_ for id_, row in rows.items() if id_ not in made or made[id_][0] != row]:
                found = connection.execute(sa.select(_source).where(_source.c.id.in_(changed)))
                made = made | {row.id: (rows[row.id], source_of(row)) for row in found}
                self._made = {id_: one for id_, one in made.items() if id_ in rows} if chat_id is None else made
        return [made[id_][1] for id_ in rows if id_ in made]


def read_published(connection: Connection, source_id: str) -> int | None:
    """The number of the version that last changed its tree, 0 before any; None where it is being removed, or is not there."""
    return connection.scalar(_PUBLISHED, {"source": source_id})


def source_of(row: sa.Row[Any]) -> Source:
    """The name of a chat's files is told without what makes it one of its own: a chat has one such source, and answers name it."""
    source = Source(**row._mapping)
    source.name = source.name.removesuffix(f" ({source.chat_id})")
    return source


@cache
def _compared(with_chat: bool) -> sa.Select[Any]:
    of_team = _source.c.chat_id.is_(None)
    shown = sa.or_(of_team, _source.c.chat_id == sa.bindparam("chat")) if with_chat else of_team
    columns = (sa.cast(one, sa.Text).label(one.name) if one.name in _AS_TEXT else one for one in _source.c)
    return sa.select(*columns).where(_source.c.removing.is_(False), shown).order_by(_source.c.created_at, _source.c.id)
