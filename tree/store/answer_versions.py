"""The versions of an answer: the same question asked in other branches. The one that is shown is also its turn's answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.models import AnswerVersion, Turn, table_of

MOST = 12  # versions of one answer; the oldest but the first goes

_version = table_of(AnswerVersion)
_turn = table_of(Turn)


class VersionOf(NamedTuple):
    number: int  # from 1
    scope: str  # where it was asked


def add(connection: Connection, turn: Turn, scope: str, answer: Mapping[str, Any]) -> int:
    """Keeps one more answer to a turn's question, asked in `scope`; the answer it had (`turn.previous`) becomes the first.

    Returns its number.
    """
    there = [one.number for one in of(connection, [turn.id]).get(turn.id, [])]
    if not there and turn.previous is not None:
        connection.execute(sa.insert(_version).values(turn_id=turn.id, number=1, scope=turn.scope, answer=turn.previous))
        there = [1]
    if len(there) >= MOST:
        connection.execute(sa.delete(_version).where(_version.c.turn_id == turn.id, _version.c.number == there[1]))
    number = max(there, default=0) + 1
    connection.execute(sa.insert(_version).values(turn_id=turn.id, number=number, scope=scope, answer=dict(answer)))
    return number


def replace(connection: Connection, turn: Turn, answer: Mapping[str, Any]) -> None:
    """The version that is shown was asked again."""
    of_it = sa.and_(_version.c.turn_id == turn.id, _version.c.number == turn.shown)
    connection.execute(sa.update(_version).where(of_it).values(answer=dict(answer)))


def answer_of(connection: Connection, turn_id: str, number: int) -> dict[str, Any] | None:
    query = sa.select(_version.c.answer).where(_version.c.turn_id == turn_id, _version.c.number == number)
    return connection.scalar(query)


def of(connection: Connection, turn_ids: Collection[str]) -> dict[str, list[VersionOf]]:
    """The versions of each of these turns that has any, in order."""
    query = sa.select(_version.c.turn_id, _version.c.number, _version.c.scope).where(_version.c.turn_id.in_(turn_ids))
    found: dict[str, list[VersionOf]] = {}
    for turn_id, number, scope in connection.execute(query.order_by(_version.c.turn_id, _version.c.number)).tuples():
        found.setdefault(turn_id, []).append(VersionOf(number, scope))
    return found
