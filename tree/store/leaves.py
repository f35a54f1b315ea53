"""What the tree is made of: documents cut into leaves. Only `ingestion` makes them, from what connectors yield."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from prompts.records import LeafText, LogicUnit, Property

FILE = "file"  # the group of what a document says of itself: it is a file among others


class Container(NamedTuple):
    """A step of a path: `id` is unique among its siblings and stable, `title` is what people read."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Where a segment [start, end) of a leaf's text stands in its document: what a citation points at."""

    start: int
    end: int
    label: str = ""  # in words: "p. 12 · Recovery", "Recovery › Steps", "sheet Costs"
    page: int | None = None  # from 1
    first_line: int | None = None  # line of the file at which the segment begins, where text and file agree line by line
    url: str = ""


class Entity(NamedTuple):
    """A thing with a name that facts are about, or lead to."""

    kind: str  # ticket, person, component, row (of a table), section, document, term ...
    id: str  # unique in its kind and source
    name: str  # as people write it


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a leaf states of an entity. [start, end) of the leaf's text is where it says so.

    `group` is the name of the set that the subject belongs to: the caption of its table, "ticket". Facts of one row of a
    table have one `row`. `since` and `until` say when it held (ISO 8601 in UTC, empty where that is not known).
    """

    subject: Entity
    relation: str  # as written: the header of a column, "status", "blocks"
    value: str
    start: int
    end: int
    object: Entity | None = None  # what the value names, where that is typed
    since: str = ""
    until: str = ""
    group: str = ""
    row: int = 0  # number in its leaf, from 1; 0 for what is no table
    table: str = ""  # the same for all rows of one table of a document, in whatever leaves they stand


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
    facts: tuple[Fact, ...] = ()  # those its source stated, typed; what the text states is derived from it
    properties: tuple[Property, ...] = ()  # what its document says of itself: read, indexed and shown with the leaf

    @property
    def begins(self) -> tuple[int, int]:
        """The page and the line of its document at which it begins, as far as they are known."""
        known = (piece for piece in self.pieces if piece.page or piece.first_line)
        first = next(known, Piece(0, 0))
        return first.page or 0, first.first_line or 0

    def as_read(self, kind: str = "file", units: tuple[LogicUnit, ...] | None = None) -> LeafText:
        """As a reader sees it: with its titles, and with these units in place of its own, if any are given."""
        return LeafText(
            self.text, (*self.heading, self.title), self.units if units is None else units, kind, properties=self.properties
        )


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
