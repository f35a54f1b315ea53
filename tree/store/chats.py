"""The store of the chats: a question asked once is kept with its trail and its answer, whatever happens to the page."""

from __future__ import annotations

from tree.store.chat_rows import ChatRows
from tree.store.database import Database
from tree.store.running_turns import RunningTurns
from tree.store.turn_rows import TurnRows


class Chats:
    """Whoever wants chats or turns is handed this, or the one kind that they use."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.turns = TurnRows(database)
        self.rows = ChatRows(database, self.turns)
        self.running = RunningTurns(database, self.turns)
