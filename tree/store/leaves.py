"""What the tree is made of: documents cut into leaves. Only `ingestion` makes them, from what connectors yield."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from prompts.records import LogicUnit


class Container(NamedTuple):
    """A step of a path: `id` is unique among its siblings and stable, `title` is what people read."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Where a stretch [start, end) of a leaf's text stands in its document: what a citation points at."""

    start: int
    end: int
    label: str = ""  # in words: "p. 12 · Recovery", "Recovery › Steps", "sheet Costs"
    page: int | None = None  # from 1
    first_line: int | None = None  # line of the file at which the stretch begins, where text and file agree line by line
    url: str = ""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One chunk of one document, at most about 5,000 characters.

    `slot` is unique among the leaves below its innermost container and stays the same while the passage does: it is
    made of the heading or the opening words, not of a number. `path` holds the containers between the document and
    the leaf (headings, outline entries, sheets) from the outside in.
    """

    slot: str
    title: str
    text: str
    path: tuple[Container, ...] = ()
    heading: tuple[str, ...] = ()  # document title, then headings: read and indexed with the leaf
    pieces: tuple[Piece, ...] = ()  # in order, covering the text
    units: tuple[LogicUnit, ...] = ()


@dataclass(frozen=True, slots=True)
class LeafDocument:
    """A document as the tree holds it."""

    id: str
    title: str
    path: tuple[Container, ...]
    leaves: tuple[Leaf, ...]
    fingerprint: str
    kind: str = "file"
    url: str = ""
    order: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    problems: tuple[Mapping[str, str], ...] = ()  # {"kind", "reason"}: parts of it that could not be read
    heads: bool = False  # it is the last container of its path, which bears its title
