"""What the row of a node holds."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Node:
    """A row of the tree. `kind`: root, folder, document, heading, run, leaf, or pass (a container with one child).

    `container` and `level` say whose ordered items it belongs to: level 0 are the container's own children, level n
    are runs over level n - 1. `target` is the node that a pass stands for. `height` is 0 for a leaf.
    """

    source_id: str
    place: str
    parent: str | None
    container: str | None
    level: int
    slot: str
    position: str
    kind: str
    title: str
    hash: str
    record: str
    leaves: int
    height: int
    document_id: str | None = None
    leaf: str | None = None
    target: str | None = None


COLUMNS = tuple(f.name for f in fields(Node))


def joined(row: Node, target: Node) -> Node:
    """What a pass stands for, in its place and titled "Folder / Child"."""
    title = target.title if row.title == target.title else f"{row.title} / {target.title}"
    return replace(target, title=title, parent=row.parent, position=row.position)
