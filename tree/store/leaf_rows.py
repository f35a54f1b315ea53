"""The leaves of the trees: their texts with all that is stored with these, by the keys that nodes name."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.errors import Vanished
from tree.store.forms import LeafContents, as_leaf, contents
from tree.store.leaves import Leaf
from tree.store.models import LeafRow, table_of
from tree.store.statements import LISTED, bound_to, in_parts

_leaf = table_of(LeafRow)
_LEAVES_BY_KEY = sa.select(_leaf.c.key, _leaf.c.text, _leaf.c.data).where(_leaf.c.key.in_(LISTED))


class LeafRows:
    """Reads leaves. Each method is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def by_key(self, keys: Iterable[str]) -> dict[str, Leaf]:
        wanted = list(keys)
        if not wanted:
            return {}
        with self._database.read() as connection:
            return read_leaves(connection, wanted)

    def get(self, key: str) -> Leaf | None:
        return self.by_key([key]).get(key)

    def require(self, key: str) -> Leaf:
        """Raises Vanished where it is not there any more."""
        found = self.get(key)
        if found is None:
            raise Vanished("What this was to be answered from has just been deleted. Ask again.")
        return found

    def texts(self, keys: Iterable[str]) -> dict[str, tuple[str, list[str]]]:
        """Text and heading path (the leaf's own title last) by key."""
        return {key: (found.text, found.headings) for key, found in self.contents(keys).items()}

    def contents(self, keys: Iterable[str]) -> dict[str, LeafContents]:
        """What the search index needs of leaves, by key, in the order of the keys."""
        found: dict[str, LeafContents] = {}
        with self._database.read() as connection:
            for some in in_parts(keys):
                rows = connection.execute(_LEAVES_BY_KEY, bound_to(some, None)).all()
                read = {key: contents(text, data) for key, text, data in rows}
                found.update((key, read[key]) for key in some if key in read)
        return found


def read_leaves(connection: Connection, keys: Iterable[str]) -> dict[str, Leaf]:
    found: dict[str, Leaf] = {}
    for some in in_parts(keys):
        rows = connection.execute(_LEAVES_BY_KEY, bound_to(some, None)).all()
        found.update((key, as_leaf(text, data)) for key, text, data in rows)
    return found
