"""A leaf that is to be read, and what is noted of a fault of ours in doing so. It needs nothing of a database: children import it."""

from __future__ import annotations

from typing import NamedTuple

from tree.store.leaves import Leaf


class Unread(NamedTuple):
    """A leaf that nobody has read."""

    leaf: Leaf
    kind: str  # of its document
    place: str  # as `tree.store.places.standing` tells it


class Fault(NamedTuple):
    """Why something of ours has no result: an error by its name, and where it happened."""

    name: str
    trace: str
