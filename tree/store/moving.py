"""What a database on a server says of moves: that everything has gone elsewhere, or that it is still being filled.

A row that every writer changes holds it, so nobody writes any more once it is there. The file of a data folder has a file beside it for
the same (`tree.store.home.MOVED`).
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.errors import MovedAway, StoreError

MOVE_LOCK = "move"  # of the database that is being filled
STATE = "moved_to, moved_at, filled_from"  # columns of the row
Row = tuple[str, float, str]
UNDER_WAY = "Another move to this database is under way. Wait until it has ended, and look what it says."
TAKE_BACK = "python -m ingestion move --undo"


class Standing:
    """What is known of one database in this process. Whoever reads is told as soon as anybody here has seen it."""

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._gone = ""  # what is said of it

    def see(self, moved_to: str, moved_at: float, filled_from: str = "") -> None:
        """Raises StoreError where the database is not to be used."""
        self._gone = self._moved(moved_to, moved_at) if moved_to else ""
        if filled_from and not moved_to:
            raise Unfinished(
                f"The database {self._identity} is not complete: {filled_from} is being moved to it. Wait until that is done; if "
                "it was stopped, give the same command (python -m ingestion move) again, which begins anew."
            )
        self.check()

    def check(self) -> None:
        if gone := self._gone:
            raise MovedAway(gone)

    def _moved(self, to: str, at: float) -> str:
        return (
            f"The database {self._identity} was moved to {to} on {told(at)}: go on there. To go on with this one as it was then: "
            f"{TAKE_BACK}"
        )


class Unfinished(StoreError):
    """What was being moved here is not complete, or not known to be."""


def told(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"


def stay_alone(connection: Connection) -> None:
    """Nobody else writes until the end of this transaction, however long it does nothing itself."""
    if connection.dialect.name == "postgresql":  # where it would end after two minutes
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")


def note_moved(connection: Connection, to: str) -> None:
    """From the end of this transaction on, whoever opens the database or writes to it is told."""
    _note(connection, moved_to=to, moved_at=time.time())


def note_filled_from(connection: Connection, identity: str) -> None:
    """With an empty one, the database is complete. A file is filled where nobody looks for it, and needs no note."""
    if connection.dialect.name == "postgresql":
        _note(connection, filled_from=identity)


def _note(connection: Connection, **values: object) -> None:
    table = sa.table("write_count", *map(sa.column, ("moved_to", "moved_at", "filled_from")))
    connection.execute(sa.update(table).values(**values))
