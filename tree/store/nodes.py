"""What the rows of a tree hold: nodes, documents, and the change that the next version is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

from prompts.records import SummaryRecord
from tree.store.leaves import Container, Leaf


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


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document's row: all of it but the leaves' text."""

    source_id: str
    id: str
    title: str
    kind: str
    url: str
    path: tuple[Container, ...]
    order: str
    place: str
    fingerprint: str
    metadata: Mapping[str, str]
    aliases: tuple[str, ...]
    problems: tuple[Mapping[str, str], ...]
    outline: tuple[tuple[str, str, tuple[Container, ...], str], ...]
    heads: bool = False


class DocumentHead(NamedTuple):
    """What a document's row tells of it on the outside, without the outline of its leaves, which may be long."""

    source_id: str
    id: str
    place: str
    title: str
    kind: str
    url: str
    path: tuple[Container, ...]
    heads: bool  # it is the last container of its path, which bears its title
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """What a source says of one of its documents."""

    place: str
    title: str
    facts: Mapping[str, str]


@dataclass(slots=True)
class Change:
    """Everything one publish writes. `put` and `drop` are by place, `documents` and `gone` by document id."""

    source_id: str
    base: int
    put: dict[str, Node] = field(default_factory=dict)
    drop: set[str] = field(default_factory=set)
    documents: dict[str, StoredDocument] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    leaves: dict[str, Leaf] = field(default_factory=dict)
    records: dict[str, SummaryRecord] = field(default_factory=dict)
    readings: dict[str, tuple[str, str, str]] = field(default_factory=dict)  # key: record, decision, reader
    added: int = 0
    titles: tuple[str, ...] = ()
    is_upgrade: bool = False  # nothing but records is new

    def __bool__(self) -> bool:
        return bool(self.put or self.drop or self.documents or self.gone)


def joined(row: Node, target: Node) -> Node:
    """What a pass stands for, in its place and titled "Folder / Child"."""
    title = target.title if row.title == target.title else f"{row.title} / {target.title}"
    return replace(target, title=title, parent=row.parent, position=row.position)
