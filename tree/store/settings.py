"""Settings that the database keeps by name: a value, what of it is secret, and when it was saved."""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.models import Setting, table_of

_setting = table_of(Setting)


def save_setting(connection: Connection, name: str, value: Any, secret: bytes | None = None) -> None:
    """`secret` is encrypted."""
    connection.execute(sa.delete(_setting).where(_setting.c.name == name))
    connection.execute(sa.insert(_setting).values(name=name, value=value, secret=secret, changed_at=time.time()))


def read_setting(connection: Connection, name: str) -> sa.Row[Any] | None:
    return connection.execute(sa.select(_setting).where(_setting.c.name == name)).first()
