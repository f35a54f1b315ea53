"""Cuts a document into leaves: pieces of about 3,000 characters along its headings, each with its logic units.

A heading whose subtree fits one leaf stays whole; small ones beside each other share a leaf; a larger one becomes a
container. Text without headings is cut where its content says so, so that an edit changes only the leaves around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from zlib import crc32

from connectors.base import Document
from ingestion.chunking.blocks import Enclosure, scan
from ingestion.chunking.boundaries import Boundary, Rank, cut_segment, cut_text
from ingestion.chunking.fact_spans import located
from ingestion.chunking.leaf_text import HEADER_MOST, LeafContent, LeafWriter, joined
from ingestion.chunking.logic_units import logic_units
from ingestion.chunking.naming import Names, clipped, opening
from ingestion.chunking.outline import Flat, Heading, outline
from ingestion.chunking.own_facts import own_facts
from ingestion.chunking.properties import properties_of, says_nothing_else
from prompts.language import named
from prompts.sentences import BEGINNING, RANGE
from tree.store.leaves import Container, Leaf, LeafDocument

MOST = 5_000  # characters of a leaf
FLAT_MOST = MOST - HEADER_MOST - 1  # of a segment of running text: the header of its table may come on top
SHORT_TITLE = 40


def cut(document: Document) -> LeafDocument:
    """A document as the tree holds it. The same document always gives the same leaves."""
    return LeafDocument(
        id=document.id,
        title=named(document.title),
        path=tuple(Container(step.id, named(step.title)) for step in document.path),
        leaves=leaves(document),
        fingerprint=document.fingerprint,
        kind=document.kind,
        url=document.url,
        order=document.order,
        metadata=document.metadata,
        aliases=tuple(dict.fromkeys(map(named, document.aliases))),
        problems=tuple(asdict(problem) for problem in document.problems),
        heads=document.heads,
    )


def leaves(document: Document) -> tuple[Leaf, ...]:
    """The leaves of a document in order; none, if it has no text."""
    drafts = list(_drafts(outline(document)))
    contents = [draft.content() for draft in drafts]
    drafts, contents = _without_statements(drafts, contents)
    units = logic_units(contents, [draft.title for draft in drafts])
    facts = located((*document.facts, *own_facts(document)), [leaf.text for leaf in contents])
    properties = properties_of(document)
    return tuple(
        Leaf(draft.slot, draft.title, leaf.text, draft.path, leaf.heading, leaf.pieces, found, stated, properties)
        for draft, leaf, found, stated in zip(drafts, contents, units, facts, strict=True)
    )


@dataclass(frozen=True, slots=True)
class LeafDraft:
    """A leaf before it is written: whole headings beside each other, or a segment of one heading's own text."""

    slot: str
    title: str
    path: tuple[Container, ...]
    above: tuple[str, ...]  # the document's title and those of the containers
    parts: tuple[Heading, ...] = ()
    flat: Flat | None = None
    start: int = 0
    end: int = 0
    inside: Enclosure | None = None  # the table or code that the segment begins within

    def content(self) -> LeafContent:
        writer = LeafWriter(self.above[0])
        if self.flat is not None:
            return self._segment(writer, self.flat)
        if len(self.parts) > 1:
            for part in self.parts:
                writer.subtree(part, with_line=True)
            return writer.content(self.above)
        [part] = self.parts
        writer.subtree(part, with_line=part.is_bare)
        return writer.content((*self.above, part.title) if part.depth and part.title else self.above)

    def _segment(self, writer: LeafWriter, flat: Flat) -> LeafContent:
        joint, fence = "\n\n", ""
        if self.inside:
            joint, fence = "\n", self.inside.fence
            if self.inside.header and len(self.inside.header) <= HEADER_MOST:
                writer.header(self.inside.header, flat.at(self.start).section.locator)
        writer.segment(flat, self.start, self.end, fence, joint)
        return writer.content(self.above)


def _without_statements(
    drafts: Sequence[LeafDraft], contents: Sequence[LeafContent]
) -> tuple[list[LeafDraft], list[LeafContent]]:
    """The leaves, where one that holds only what the document says of itself (an owner, a byline) goes with its neighbour."""
    kept, made = list(drafts), list(contents)
    for at in reversed(range(len(made))):
        if len(made[at].text) > HEADER_MOST or not says_nothing_else(made[at].text):
            continue
        for first in (at, at - 1):
            if 0 <= first < len(made) - 1 and len(made[first].text) + len(made[first + 1].text) + 2 <= MOST:
                made[first : first + 2] = [joined(made[first], made[first + 1])]
                del kept[at]
                break
    return kept, made


def _drafts(root: Heading) -> Iterator[LeafDraft]:
    if root.is_empty:
        return
    if root.size <= MOST:
        yield LeafDraft(Names().give(root.title), clipped(root.title), (), (root.title,), (root,))
    else:
        yield from _inside(root, (), (root.title,))


def _inside(heading: Heading, path: tuple[Container, ...], above: tuple[str, ...]) -> Iterator[LeafDraft]:
    """The leaves of a heading that does not fit one: its own text, then what is in it, small ones together."""
    names = Names()
    together: list[Heading] = []
    for part in heading.parts():
        if part.size <= MOST:
            together.append(part)
            continue
        yield from _groups(together, heading, path, above, names)
        together = []
        if part.title:
            step = Container(names.give(part.title), clipped(part.title))
            yield from _inside(part, (*path, step), (*above, part.title))
        else:
            yield from _segments(part.flat, path, above, names)
    yield from _groups(together, heading, path, above, names)


def _groups(
    parts: Sequence[Heading], container: Heading, path: tuple[Container, ...], above: tuple[str, ...], names: Names
) -> Iterator[LeafDraft]:
    """Leaves of one or more whole headings, as their sizes and names decide."""
    boundaries: list[Boundary] = []
    size = 0
    for number, part in enumerate(parts):
        if number:
            around = f"{parts[number - 1].name}\0{part.name}"
            boundaries.append(Boundary(Rank.HEADING, crc32(around.encode("utf-8", "surrogatepass")), size))
        size += part.size
    first, at = 0, 0
    for _, end in cut_segment((0, size), boundaries, MOST) if parts else ():
        last = first
        while at < end:
            at += parts[last].size
            last += 1
        group, first = tuple(parts[first:last]), last
        yield LeafDraft(names.give(group[0].title or container.title), _title(group, container), path, above, group)


def _title(group: Sequence[Heading], container: Heading) -> str:
    one, other = group[0], group[-1]
    if len(group) == 1:
        return clipped(one.title) if one.title else opening(one.flat.text)
    first = one.title if one.title and one.title != container.title else BEGINNING
    return f"{clipped(first, SHORT_TITLE)}{RANGE}{clipped(other.title or other.name, SHORT_TITLE)}"


def _segments(flat: Flat, path: tuple[Container, ...], above: tuple[str, ...], names: Names) -> Iterator[LeafDraft]:
    """Leaves of running text."""
    boundaries, enclosures = scan(flat)
    inside = iter(enclosures)
    around = next(inside, None)
    for start, end in cut_text(flat.text, boundaries, FLAT_MOST):
        while around and around.end <= start:
            around = next(inside, None)
        within = around if around and around.start < start else None
        words = flat.text[start : min(end, start + 1_000)]
        if words.isspace() and flat.text[start:end].isspace():
            continue
        title = opening(words)
        yield LeafDraft(names.give(title, words[:200]), title, path, above, (), flat, start, end, within)
