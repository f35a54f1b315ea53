"""Where the tasks of a database are kept: with PostgreSQL on the engine's board, with a data folder alone nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from tree.store.database import Database

if TYPE_CHECKING:
    from ingestion.tasks.board import TaskBoard

_boards: WeakKeyDictionary[Database, TaskBoard] = WeakKeyDictionary()


def board_of(database: Database) -> TaskBoard | None:
    """One for each database that is opened; None where the database is a file, whose only worker looks for itself."""
    if database.backend.server is None:
        return None
    if (board := _boards.get(database)) is None:
        from ingestion.tasks.board import TaskBoard  # its library is an extra, which most do without

        board = _boards.setdefault(database, TaskBoard(database.backend.server))
        database.when_closed(board.close)
    return board


def waking(database: Database) -> Callable[[], None]:
    """To be called where something is wanted of the workers and was written down: one of them looks at once."""

    def wake() -> None:
        if (board := board_of(database)) is not None:
            database.when_written(board.wake)

    return wake
