"""The nodes of the trees: by their places, below and above others, of a document or a source. At a pinned version, or now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from tree.store.database import Database
from tree.store.models import LeafRow, NodeRow, RecordRow, Source, table_of
from tree.store.nodes import COLUMNS, Node, joined
from tree.store.places import root_place
from tree.store.statements import LISTED, bound_to, in_parts, live_at

BRANCHES_KEPT = 50_000  # in memory

_node = table_of(NodeRow)
_leaf = table_of(LeafRow)
_record = table_of(RecordRow)
_source = table_of(Source)
_NODES = sa.select(*(_node.c[name] for name in COLUMNS))


@cache
def _nodes_by(column: str, pinned: bool) -> sa.Select[Any]:
    """Nodes by values of a column. Made once: putting a statement together takes three times as long as running it."""
    return _NODES.where(_node.c[column].in_(LISTED), live_at(_node, sa.bindparam("version") if pinned else None))


@cache
def _above(pinned: bool) -> sa.Select[Any]:
    """The nodes at the listed places and all above them."""
    live = live_at(_node, sa.bindparam("version") if pinned else None)
    step = sa.select(_node.c.id, _node.c.parent)
    climb = step.where(_node.c.place.in_(LISTED), live).cte("climb", recursive=True)
    climb = climb.union(step.where(_node.c.place == climb.c.parent, live))
    return _NODES.where(_node.c.id.in_(sa.select(climb.c.id)))


class NodeRows:
    """Reads nodes. Each statement is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._branches: tuple[int, dict[str, Node]] = (0, {})  # of one version

    def get(self, place: str, version: int | None = None) -> Node | None:
        return self.at([place], version).get(place)

    def at(self, places: Iterable[str], version: int | None = None) -> dict[str, Node]:
        """The nodes at these places, in the order of the places: a database gives its rows in any order."""
        found: dict[str, Node] = {}
        parts = list(in_parts(places))
        if not parts:
            return found
        with self._database.read() as connection:
            for some in parts:
                rows = connection.execute(_nodes_by("place", version is not None), bound_to(some, version)).all()
                nodes = {row.place: Node(*row) for row in rows}
                found.update((place, nodes[place]) for place in some if place in nodes)
        return found

    def children(self, place: str, version: int | None = None) -> list[Node]:
        """A node's children in order, a pass replaced by what it stands for and titled "Folder / Child"."""
        return self.families([place], version)[place]

    def families(self, places: Iterable[str], version: int | None = None) -> dict[str, list[Node]]:
        """The children of each of these places, as `children` gives them."""
        families: dict[str, list[Node]] = {place: [] for place in places}
        if not families:
            return families
        with self._database.read() as connection:
            for some in in_parts(families):
                for row in connection.execute(_nodes_by("parent", version is not None), bound_to(some, version)).all():
                    families[row.parent].append(Node(*row))
        for place, family in families.items():
            families[place] = self._seen_through(sorted(family, key=lambda node: node.position), version)
        return families

    def _seen_through(self, rows: list[Node], version: int | None) -> list[Node]:
        while passes := {row.target: row for row in rows if row.kind == "pass" and row.target}:
            targets = self.at(passes, version)
            rows = [joined(row, targets[row.target]) if row.target in targets and row.kind == "pass" else row for row in rows]
        return rows

    def path(self, place: str, version: int | None = None) -> list[Node]:
        """From the source's root down to the node, passes left out. Empty when there is no such node."""
        above = self.with_ancestors([place], version)
        path: list[Node] = []
        step: str | None = place
        while step is not None and (node := above.get(step)) is not None:
            if node.kind != "pass":
                path.append(node)
            step = node.parent
        return path[::-1]

    def with_ancestors(self, places: Iterable[str], version: int | None = None) -> dict[str, Node]:
        """The nodes at these places and every node above them, by place, passes included."""
        branches = self._branches_at(version)
        wanted = list(places)
        found = self.at((place for place in wanted if place not in branches), version)
        found |= {place: branches[place] for place in wanted if place in branches}
        if missing := self._climb(found, branches):
            with self._database.read() as connection:
                for some in in_parts(missing):
                    rows = connection.execute(_above(version is not None), bound_to(some, version)).all()
                    branches.update((row.place, Node(*row)) for row in rows)
            self._climb(found, branches)
        return found

    @staticmethod
    def _climb(found: dict[str, Node], branches: Mapping[str, Node]) -> set[str]:
        """Adds to the found nodes those above them that are known; returns the places that are not."""
        missing: set[str] = set()
        waiting = list(found.values())
        while waiting:
            place = waiting.pop().parent
            if place is None or place in found:
                continue
            if (node := branches.get(place)) is None:
                missing.add(place)
            else:
                found[place] = node
                waiting.append(node)
        return missing

    def _branches_at(self, version: int | None) -> dict[str, Node]:
        """The branches of one pinned version that were looked up already: every question climbs to the same ones."""
        if version is None:
            return {}
        known, branches = self._branches
        if known != version or len(branches) > BRANCHES_KEPT:
            branches = {}
            self._branches = version, branches
        return branches

    def of_document(self, source_id: str, document_id: str, version: int | None = None) -> list[Node]:
        """The nodes of one document, in the order of their places."""
        where = (_node.c.source_id == source_id, _node.c.document_id == document_id, live_at(_node, version))
        with self._database.read() as connection:
            return [Node(*row) for row in connection.execute(_NODES.where(*where).order_by(_node.c.place))]

    def first_leaves(self, node: Node, version: int | None = None, limit: int = 3) -> list[Node]:
        """The first leaves below a node, in order."""
        if node.kind == "leaf":
            return [node]
        found: list[Node] = []
        for child in self.children(node.place, version):
            found += self.first_leaves(child, version, limit - len(found))
            if len(found) >= limit:
                break
        return found

    def named_below(self, places: Iterable[str], version: int | None = None) -> list[str]:
        """These places with runs replaced by what they group: every place whose name tells what is below it."""
        found: list[str] = []
        for node in self.at(places, version).values():
            if node.kind == "run":
                found += self.named_below([child.place for child in self.children(node.place, version)], version)
            else:
                found.append(node.place)
        return found

    def of_source(self, source_id: str, version: int | None = None) -> list[Node]:
        query = _NODES.where(_node.c.source_id == source_id, live_at(_node, version))
        with self._database.read() as connection:
            return [Node(*row) for row in connection.execute(query)]

    def roots(self, version: int | None = None) -> dict[str, Node]:
        """Each source's root by source id; a source without readable documents has none."""
        with self._database.read() as connection:
            ids = list(connection.scalars(sa.select(_source.c.id)))
        roots = self.at(map(root_place, ids), version)
        return {root.source_id: root for root in roots.values()}

    def count(self, source_id: str, version: int | None = None) -> int:
        query = sa.select(sa.func.count()).where(_node.c.source_id == source_id, _node.c.kind != "pass", live_at(_node, version))
        with self._database.read() as connection:
            return connection.scalar(query) or 0

    def folder_places(self, source_ids: Sequence[str], version: int) -> list[str]:
        """The places of all folders of these sources. What they are called is in them."""
        here = sa.and_(_node.c.source_id.in_(source_ids), _node.c.kind.in_(("folder", "pass")), _node.c.live_from <= version)
        live, since_ended = (
            sa.select(_node.c.place).where(here, when) for when in (_node.c.live_to.is_(None), _node.c.live_to > version)
        )
        with self._database.read() as connection:
            return sorted({*connection.scalars(live), *connection.scalars(since_ended)})

    def dangling(self, source_id: str) -> list[str]:
        """Places of live nodes whose record or text is not there."""
        query = sa.select(_node.c.place).where(
            _node.c.source_id == source_id,
            _node.c.live_to.is_(None),
            sa.or_(
                ~sa.exists().where(_record.c.hash == _node.c.record),
                sa.and_(_node.c.leaf.is_not(None), ~sa.exists().where(_leaf.c.key == _node.c.leaf)),
            ),
        )
        with self._database.read() as connection:
            return list(connection.scalars(query.order_by(_node.c.place)))


# ---------------------------------------------------------------- in a transaction of the caller's


def live_children(connection: Connection, place: str) -> list[Node]:
    """A node's live children in order, as they are stored: what its record is made of."""
    rows = connection.execute(_nodes_by("parent", False), bound_to([place], None)).all()
    return sorted((Node(*row) for row in rows), key=lambda node: node.position)


def live_with_ancestors(connection: Connection, places: Iterable[str]) -> dict[str, Node]:
    """The live nodes at these places and all above them, by place."""
    found: dict[str, Node] = {}
    for some in in_parts(places):
        found.update((row.place, Node(*row)) for row in connection.execute(_above(False), bound_to(some, None)))
    return found
