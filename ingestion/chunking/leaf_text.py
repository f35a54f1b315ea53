"""Writes the text of a leaf and says of every part of it where it stands in the document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal, NamedTuple

from connectors.base import Locator, Markup
from ingestion.chunking.outline import Flat, Heading, steps_of
from prompts.regex import regex
from tree.store.leaves import Piece

HEADER_MOST = 500  # a longer header of a table is not repeated

DEEPEST_INDENT = 80  # white space beyond it says nothing
_COUNTED = regex(r"(?:row|line|item|record)s? \d")  # parts that say where, in words

SpanKind = Literal["text", "heading", "header"]


class TextSpan(NamedTuple):
    """A part of a leaf's text of one nature. Only `text` is the document's own words, word for word."""

    kind: SpanKind
    start: int
    end: int
    markup: Markup = "markdown"
    level: int = 0  # of a heading
    fence: str = ""  # the mark of the fence that is open where it begins


@dataclass(frozen=True, slots=True)
class LeafContent:
    """The text of a leaf with what is known of it."""

    text: str
    heading: tuple[str, ...]  # document title, then the headings above all of it
    pieces: tuple[Piece, ...]
    spans: tuple[TextSpan, ...]


def joined(one: LeafContent, other: LeafContent) -> LeafContent:
    """Two leaves as one, below the headings that both have; what else stands above either becomes lines of the text."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one.heading, other.heading, strict=False)))
    text, pieces, spans = "", [], []
    for part in (one, other):
        for level, title in enumerate(part.heading[shared:], shared + 1):
            text += "\n\n" if text else ""
            spans.append(TextSpan("heading", len(text), len(text) + min(level, 6) + 1 + len(title), level=level))
            text += f"{'#' * min(level, 6)} {title}"
        by = len(text) + 2 if text else 0
        text += f"\n\n{part.text}" if text else part.text
        pieces += [replace(piece, start=piece.start + by, end=piece.end + by) for piece in part.pieces]
        spans += [span._replace(start=span.start + by, end=span.end + by) for span in part.spans]
    if pieces[0].start:
        pieces.insert(0, Piece(0, pieces[0].start))
    ends = [piece.start for piece in pieces[1:]] + [len(text)]
    covering = tuple(replace(piece, end=end) for piece, end in zip(pieces, ends, strict=True))
    return LeafContent(text, one.heading[:shared], covering, tuple(spans))


class LeafWriter:
    """Puts a leaf's text together."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.texts: list[str] = []
        self.size = 0
        self.pieces: list[tuple[int, str, int | None, int | None, str]] = []  # pieces without their ends
        self.spans: list[TextSpan] = []

    def content(self, heading: tuple[str, ...]) -> LeafContent:
        ends = [start for start, *_ in self.pieces[1:]] + [self.size]
        pieces = tuple(
            Piece(start, end, label, page, line, url)
            for (start, label, page, line, url), end in zip(self.pieces, ends, strict=True)
        )
        return LeafContent("".join(self.texts), heading, pieces, tuple(self.spans))

    def subtree(self, heading: Heading, with_line: bool) -> None:
        """A heading, its text and everything in it."""
        if with_line and heading.title:
            self.heading(heading)
        if heading.sections:
            self.segment(heading.flat, 0, len(heading.flat.text))
        for child in heading.children:
            self.subtree(child, True)

    def heading(self, heading: Heading) -> None:
        locator = _locator(heading)
        start = self._begin()
        self._write(heading.line)
        line = locator.lines[0] if locator and locator.lines and not heading.sections[0].text.strip() else None
        self._piece(start, locator, line)
        self.spans.append(TextSpan("heading", start, self.size, level=heading.depth + 1))

    def header(self, text: str, locator: Locator) -> None:
        """The header of a table, repeated above rows that follow."""
        start = self._begin()
        self._write(text)
        label = label_of(locator, self.title)
        label = f"{label} · header row" if label else "header row"
        self.pieces.append((start, label, locator.page, None, locator.url))
        self.spans.append(TextSpan("header", start, self.size))

    def segment(self, flat: Flat, start: int, end: int, fence: str = "", joint: str = "\n\n") -> None:
        """A part of a flat text, without the white space around it. Indentation of the first line stays."""
        text = flat.text
        while end > start and text[end - 1].isspace():
            end -= 1
        at = start
        while at < end and text[at].isspace():
            at += 1
            if text[at - 1] in "\r\n":
                start = at
        if at - start > DEEPEST_INDENT:
            start = at
        if start >= end:
            return
        begin = self._begin(joint)
        for low, high, span in flat.within(start, end):
            own = self.size
            self._write(text[low:high])
            self._piece(own, span.section.locator, flat.line(low, span))
            markup = span.section.markup
            if (
                self.spans
                and self.spans[-1].kind == "text"
                and self.spans[-1].end == own
                and self.spans[-1].markup == markup
                and not span.seam
            ):
                self.spans[-1] = self.spans[-1]._replace(end=self.size)
            else:
                self.spans.append(TextSpan("text", own, self.size, markup, fence=fence if own == begin else ""))

    def _begin(self, joint: str = "\n\n") -> int:
        if self.size:
            self._write(joint)
        return self.size

    def _write(self, text: str) -> None:
        self.texts.append(text)
        self.size += len(text)

    def _piece(self, start: int, locator: Locator | None, line: int | None) -> None:
        if locator is None:
            locator = Locator()
        self.pieces.append((start, label_of(locator, self.title), locator.page, line, locator.url))


def _locator(heading: Heading) -> Locator | None:
    while not heading.sections and heading.children:
        heading = heading.children[0]
    return heading.sections[0].locator if heading.sections else None


def label_of(locator: Locator, title: str) -> str:
    """Where a passage stands, in words."""
    steps = steps_of(locator, title)
    place = ""
    if locator.page is not None:
        place = f"p. {locator.page}"
        if locator.page_label and locator.page_label != str(locator.page):
            place = f"p. {locator.page_label} (page {locator.page})"
    elif locator.slide is not None:
        place = f"slide {locator.slide}"
    elif locator.cell is not None:
        place = f"cell {locator.cell}"
    elif locator.sheet:
        place, steps = f"sheet {locator.sheet}", steps[1:]
    if _COUNTED.match(locator.part):
        place = f"{place}, {locator.part}" if place else locator.part
    return " · ".join(filter(None, (place, " › ".join(steps))))
