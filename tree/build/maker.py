"""Nodes with their hashes and records: a leaf, a branch over its children, a whole document, the runs of a container."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tree.build.records import Records
from tree.store import places, shape
from tree.store.forms import digest
from tree.store.leaves import Container, Leaf, LeafDocument
from tree.store.nodes import Node


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes finished nodes, from the leaves up: every node it returns has its hash and its record."""

    source_id: str
    records: Records

    def leaf(self, place: str, slot: str, position: str, leaf: Leaf, key: str, document: LeafDocument) -> Node:
        record = self.records.of_leaf(place, leaf, document.kind)
        hash_ = digest("leaf", leaf.title, document.title, document.url, key)
        return Node(
            self.source_id, place, None, None, 0, slot, position, "leaf", leaf.title, hash_, record, 1, 0,
            document_id=document.id, leaf=key,
        )  # fmt: skip

    def branch(
        self, place: str, slot: str, position: str, kind: str, title: str, children: Sequence[Node], level: int = 0
    ) -> Node:
        """A node over its children; a folder with one child is a pass: it stands for that child."""
        if kind == "folder" and len(children) == 1:
            return self._pass(place, slot, position, title, children[0])
        return self._over(place, slot, position, kind, title, children, level, self.records.of_branch(place, title, children))

    def _over(
        self, place: str, slot: str, position: str, kind: str, title: str, children: Sequence[Node], level: int, record: str
    ) -> Node:
        hash_ = digest("branch", title, [child.hash for child in children])
        leaves = sum(child.leaves for child in children)
        height = 1 + max(child.height for child in children)
        return Node(self.source_id, place, None, None, level, slot, position, kind, title, hash_, record, leaves, height)

    def _pass(self, place: str, slot: str, position: str, title: str, child: Node) -> Node:
        hash_ = digest("pass", title, [child.hash])
        return Node(
            self.source_id, place, None, None, 0, slot, position, "pass", title, hash_, child.record, child.leaves, child.height,
            target=child.place,
        )  # fmt: skip

    def runs(self, container: str, level: int, groups: Iterable[Sequence[Node]]) -> list[Node]:
        """The runs of one level of a container, each over a group of neighbours."""
        given = [
            (places.run_place(container, level, group[0].slot), f"{_first_title(group[0])} … {_last_title(group[-1])}", group)
            for group in groups
        ]
        return [
            self._over(place, group[0].slot, group[0].position, "run", title, group, level, record)
            for (place, title, group), record in zip(given, self.records.of_branches(given), strict=True)
        ]


def _first_title(node: Node) -> str:
    return node.title.partition(" … ")[0] if node.kind == "run" else node.title


def _last_title(node: Node) -> str:
    return node.title.rpartition(" … ")[2] if node.kind == "run" else node.title


def under(node: Node, parent: str, container: str, level: int) -> Node:
    return replace(node, parent=parent, container=container, level=level)


def weight_of(node: Node) -> bytes:
    return shape.weight(node.slot)


def arranged(maker: Maker, container: str, items: list[Node]) -> tuple[list[Node], list[Node]]:
    """The children a container gets for its ordered items, and every node made or placed below it on the way."""
    placed: list[Node] = []
    level = 0
    while len(items) > shape.FANOUT:
        groups = [[under(node, "", container, level) for node in group] for group in shape.runs(items, weight_of)]
        runs = maker.runs(container, level + 1, groups)
        placed += [replace(node, parent=run.place) for run, group in zip(runs, groups, strict=True) for node in group]
        items, level = runs, level + 1
    children = [under(node, container, container, level) for node in items]
    return children, placed + children


def document_nodes(
    maker: Maker, place: str, slot: str, position: str, document: LeafDocument, keys: Sequence[str]
) -> tuple[Node, list[Node]]:
    """A document's own node and all nodes inside it. A heading that holds all of its surroundings adds no node."""
    below: list[Node] = []

    def grow(place: str, slot: str, position: str, kind: str, title: str, entries: list[_Entry], depth: int) -> Node:
        if len(entries) == 1:
            leaf, key = entries[0]
            return replace(maker.leaf(place, slot, position, leaf, key, document), title=title)
        while len(groups := _grouped(entries, depth)) == 1:
            depth += 1
        items = [
            grow(places.below(place, own), own, f"{number:06d}", "heading", step.title, group, depth + 1)
            for number, (step, group) in enumerate(groups)
            for own in [places.escape(step.id)]
        ]
        children, placed = arranged(maker, place, items)
        below.extend(placed)
        return maker.branch(place, slot, position, kind, title, children)

    entries = list(zip(document.leaves, keys, strict=True))
    node = grow(place, slot, position, "document", document.title, entries, 0)
    return replace(node, document_id=document.id), below


_Entry = tuple[Leaf, str]  # a leaf and its key


def _grouped(entries: list[_Entry], depth: int) -> list[tuple[Container, list[_Entry]]]:
    """A document's leaves by their container at `depth`, in order; a leaf that ends there stands for itself."""
    groups: dict[tuple[bool, str], tuple[Container, list[_Entry]]] = {}
    for number, (leaf, key) in enumerate(entries):
        deeper = len(leaf.path) > depth
        step = leaf.path[depth] if deeper else Container(leaf.slot, leaf.title)
        name = (True, step.id) if deeper else (False, f"{step.id}\0{number}")
        groups.setdefault(name, (step, []))[1].append((leaf, key))
    return _told_apart(list(groups.values()))


def _told_apart(groups: list[tuple[Container, list[_Entry]]]) -> list[tuple[Container, list[_Entry]]]:
    taken: set[str] = set()
    apart = []
    for step, group in groups:
        unique, copies = step.id, 1
        while unique in taken:
            copies += 1
            unique = f"{step.id}~{copies}"
        taken.add(unique)
        apart.append((Container(unique, step.title), group))
    return apart


def folder_node(maker: Maker, container: str, step: Container, children: Sequence[Node]) -> Node:
    slot = f"{places.escape(step.id)}/"
    return maker.branch(container, slot, places.natural_order(step.id, slot), "folder", step.title, children)
