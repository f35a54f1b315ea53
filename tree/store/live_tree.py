"""The live tree of one source as a change of it is worked out: the ordered items of its containers, in one read of the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store import places
from tree.store.leaves import Container
from tree.store.models import DocumentRow, NodeRow, table_of
from tree.store.nodes import COLUMNS, Node
from tree.store.statements import LISTED, in_parts

FIRST_PAGE, LARGEST_PAGE = 16, 256  # items read at once: most often a run and what follows it is all

_document = table_of(DocumentRow)
_node = table_of(NodeRow)

# Statements are made once: putting one together takes three times as long as running it.
_IN_CONTAINER = sa.and_(_node.c.source_id == sa.bindparam("source"), _node.c.container == sa.bindparam("container"))
_LIVE = _node.c.live_to.is_(None)
_NODES = sa.select(*(_node.c[name] for name in COLUMNS))
_NODES_AT = _NODES.where(_node.c.source_id == sa.bindparam("source"), _node.c.place.in_(LISTED), _LIVE)
_AT: sa.BindParameter[str] = sa.bindparam("position")
_NUMBER = sa.bindparam("number", type_=sa.Integer)
_LEVEL = sa.and_(_IN_CONTAINER, _node.c.level == sa.bindparam("level"), _LIVE)
_ITEMS_FROM = _NODES.where(_LEVEL, _node.c.position >= _AT).order_by(_node.c.position).limit(_NUMBER)
_ITEMS_AFTER = _NODES.where(_LEVEL, _node.c.position > _AT).order_by(_node.c.position).limit(_NUMBER)
_ITEMS_TO_THE_END = _NODES.where(_LEVEL, _node.c.position >= _AT).order_by(_node.c.position)
_ITEMS_BETWEEN = _ITEMS_TO_THE_END.where(_node.c.position < sa.bindparam("end"))
_BEFORE = (
    sa.select(_node.c.position, _node.c.slot)
    .where(_LEVEL, _node.c.position < _AT)
    .order_by(_node.c.position.desc())
    .limit(_NUMBER)
)
_PLACE_AT = sa.select(_node.c.place).where(_LEVEL, _node.c.position == _AT)
_PLACES_ABOVE = sa.select(_node.c.place).where(_IN_CONTAINER, _node.c.level > sa.bindparam("level"), _LIVE)
_OF_DOCUMENT = sa.select(_node.c.place, _node.c.position).where(
    _node.c.source_id == sa.bindparam("source"), _LIVE,
    # an "or" alone would read the whole source; all that begins alike is found by an index
    _node.c.place >= sa.bindparam("place"), _node.c.place < sa.bindparam("end"),
    sa.or_(
        _node.c.place == sa.bindparam("place"),
        sa.and_(_node.c.place >= sa.bindparam("first"), _node.c.place < sa.bindparam("last")),
        _node.c.place >= sa.bindparam("run"),
    ),
)  # fmt: skip
_PATHS_BELOW = sa.select(_document.c.document_id, _document.c.path).where(
    _document.c.place >= sa.bindparam("first"), _document.c.place < sa.bindparam("last"),
    _document.c.source_id == sa.bindparam("source"), _document.c.live_to.is_(None),
)  # fmt: skip


class Level:
    """The stored items of one level of a container, by their positions."""

    def __init__(self, connection: Connection, source_id: str, container: str, level: int) -> None:
        self._connection = connection
        self._of = {"source": source_id, "container": container, "level": level}

    def since(self, position: str) -> Iterator[Node]:
        """From a position on, in order."""
        query, size = _ITEMS_FROM, FIRST_PAGE
        while True:
            rows = self._connection.execute(query, {**self._of, "position": position, "number": size}).all()
            yield from (Node(*row) for row in rows)
            if len(rows) < size:
                return
            query, size, position = _ITEMS_AFTER, min(2 * size, LARGEST_PAGE), rows[-1].position

    def slots_before(self, position: str) -> Iterator[tuple[str, str]]:
        """(position, slot) of those before a position, the nearest first."""
        size = FIRST_PAGE
        while True:
            rows = self._connection.execute(_BEFORE, {**self._of, "position": position, "number": size}).tuples().all()
            yield from rows
            if len(rows) < size:
                return
            size, position = min(2 * size, LARGEST_PAGE), rows[-1][0]

    def between(self, first: str, end: str | None) -> list[Node]:
        """From `first` up to, not including, `end`."""
        bound = {**self._of, "position": first}
        if end is None:
            rows = self._connection.execute(_ITEMS_TO_THE_END, bound)
        else:
            rows = self._connection.execute(_ITEMS_BETWEEN, {**bound, "end": end})
        return [Node(*row) for row in rows.all()]

    def places_at(self, position: str) -> list[str]:
        """One, or none."""
        return list(self._connection.scalars(_PLACE_AT, {**self._of, "position": position}))

    def places_above(self) -> list[str]:
        """Of the levels above this one."""
        return list(self._connection.scalars(_PLACES_ABOVE, self._of))


class LiveTree:
    """What is live of one source, in the transaction of this connection."""

    def __init__(self, connection: Connection, source_id: str) -> None:
        self._connection = connection
        self.source_id = source_id

    def level(self, container: str, level: int) -> Level:
        return Level(self._connection, self.source_id, container, level)

    def node(self, place: str) -> Node | None:
        return next(self.nodes([place]), None)

    def nodes(self, places: Iterable[str]) -> Iterator[Node]:
        for some in in_parts(places):
            for row in self._connection.execute(_NODES_AT, {"source": self.source_id, "listed": some}).all():
                yield Node(*row)

    def positions_of_document(self, place: str) -> list[tuple[str, str]]:
        """(place, position) of a document's node and of every node inside it."""
        ends = {"first": f"{place}#", "last": f"{place}$", "run": f"{place}|", "end": f"{place}}}"}
        bound = {"source": self.source_id, "place": place, **ends}
        return [tuple(row) for row in self._connection.execute(_OF_DOCUMENT, bound)]

    def paths_below(self, container: str) -> Iterator[tuple[str, list[Container]]]:
        """(id, path) of the documents in a container, or in those below it."""
        [(first, last)] = places.ranges_below(container)
        bound = {"first": first, "last": last, "source": self.source_id}
        for document_id, path in self._connection.execute(_PATHS_BELOW, bound):
            yield document_id, [Container(*step) for step in path]
