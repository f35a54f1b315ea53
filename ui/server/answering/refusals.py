"""What is refused in an answering process is refused in the app by an error of the same kind: its name goes with the message."""

from __future__ import annotations

from tree.ask.ask import AskError
from tree.store.errors import Busy, DamagedTree, FolderTrouble, SourceRemoved, StoreError, Unreachable, Vanished

Refusal = AskError | StoreError
_KINDS: dict[str, type[Refusal]] = {
    kind.__name__: kind for kind in (AskError, StoreError, Busy, DamagedTree, FolderTrouble, SourceRemoved, Unreachable, Vanished)
}


def kind_of(error: Refusal) -> str:
    """The name of the closest kind that `refusal` knows."""
    return next(kind.__name__ for kind in type(error).mro() if kind.__name__ in _KINDS)


def refusal(kind: str, message: str) -> Refusal:
    return _KINDS[kind](message)
