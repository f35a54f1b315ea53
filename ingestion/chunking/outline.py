"""A document's sections as an outline: headings in each other, each with its own text laid out as one flat text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from connectors.base import Document, Locator, Section
from ingestion.chunking.naming import opening

DEEPEST = 60  # headings below this depth stand at it
LONGEST_HEADING = 200
LARGEST_GAP = 6  # more blank lines than this between two sections are not worth keeping


class SectionSpan(NamedTuple):
    """The part of a flat text that came from one section."""

    start: int
    end: int
    section: Section
    seam: bool  # whether something else begins here: a slide, a cell, a comment


@dataclass
class Flat:
    """The texts of consecutive sections joined, so that boundaries between sections made by size alone vanish."""

    text: str
    section_spans: list[SectionSpan]

    @cached_property
    def _newlines(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.section_spans]

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, SectionSpan]]:
        """The parts of [start, end) by the span they lie in; the white space between two goes with the first."""
        at = max(bisect_right(self._starts, start) - 1, 0)
        while at < len(self.section_spans) and (at == 0 or self._starts[at] < end):
            stop = self._starts[at + 1] if at + 1 < len(self.section_spans) else len(self.text)
            low, high = max(start, self._starts[at] if at else 0), min(end, stop)
            if low < high:
                yield low, high, self.section_spans[at]
            at += 1

    def at(self, position: int) -> SectionSpan:
        return self.section_spans[max(bisect_right(self._starts, position) - 1, 0)]

    def line(self, position: int, span: SectionSpan) -> int | None:
        """The line of the file at which a position stands, where the text is the file's own."""
        lines = span.section.locator.lines
        if lines is None:
            return None
        before = bisect_right(self._newlines, position - 1) - bisect_right(self._newlines, span.start - 1)
        return lines[0] + before


@dataclass
class Heading:
    """A heading with the text directly below it and the headings inside it. The root has the document's title."""

    title: str
    depth: int
    sections: list[Section] = field(default_factory=list)
    children: list[Heading] = field(default_factory=list)
    size: int = 0  # characters of everything in it, as a leaf would show it

    @cached_property
    def flat(self) -> Flat:
        return _flat(self.sections)

    @property
    def name(self) -> str:
        """The title; for text without one its opening words."""
        return self.title or opening(self.flat.text)

    @property
    def is_bare(self) -> bool:
        """Whether it is a heading and nothing else."""
        return not self.children and not any(section.text.strip() for section in self.sections)

    @property
    def is_empty(self) -> bool:
        return self.is_bare and not self.depth and not self.sections

    def parts(self) -> list[Heading]:
        """Its own text as a part without a title, then the headings in it."""
        if self.is_bare or not self.flat.text:
            return self.children
        own = Heading("", self.depth, self.sections, size=len(self.flat.text) + 2)
        own.flat = self.flat
        return [own, *self.children]

    @property
    def line(self) -> str:
        """The heading as a line of Markdown."""
        return f"{'#' * min(self.depth + 1, 6)} {self.title}"


def outline(document: Document) -> Heading:
    root = Heading(_one_line(document.title), 0)
    path = [root]
    only: Section | None = None  # a heading that is the title and has nothing below it
    if whole := _whole((document.title,), root.title):
        root.sections.append(Section(whole, Locator(), "plain"))
    for section in document.sections:
        steps = steps_of(section.locator, root.title)
        if not steps and not section.text.strip():
            only = only or (section if section.locator.heading else None)
            continue
        shared = 0
        while shared < min(len(steps), len(path) - 1) and path[shared + 1].title == steps[shared]:
            shared += 1
        del path[shared + 1 :]
        for step in steps[shared:]:
            path.append(_child(path[-1], step))
            if whole := _whole(section.locator.heading, step):
                path[-1].sections.append(Section(whole, section.locator, "plain"))
        if path[-1].children:  # more text of a heading after the ones inside it
            path.append(_child(path[-1], ""))
        path[-1].sections.append(section)
    if only and root.is_empty:
        root.sections.append(only)
    _measure(root)
    return root


def steps_of(locator: Locator, title: str) -> tuple[str, ...]:
    """The headings above a passage, from below the document's title."""
    return _steps(locator.heading, locator.sheet, title)


@lru_cache(maxsize=4_096)
def _steps(heading: tuple[str, ...], sheet: str, title: str) -> tuple[str, ...]:
    steps = tuple(step for one in heading if (step := _one_line(one)))
    if sheet and sheet not in steps[:1]:
        steps = (_one_line(sheet), *steps)
    if steps and (steps[0] == title or _folded(steps[0]) == _folded(title) != ""):
        steps = steps[1:]
    return steps if len(steps) <= DEEPEST else (*steps[: DEEPEST - 1], steps[-1])


def _whole(headings: Sequence[str], shown: str) -> str:
    """All words of the heading that is shown shortened, which then stand in its text; empty for one shown whole."""
    if not shown.endswith("…"):
        return ""
    lines = (" ".join(heading.split()) for heading in headings)
    return next((line for line in lines if len(line) > LONGEST_HEADING and _one_line(line) == shown), "")


def _folded(title: str) -> str:
    return "".join(char for char in title.casefold() if char.isalnum())


def _child(parent: Heading, title: str) -> Heading:
    child = Heading(title, parent.depth + 1)
    parent.children.append(child)
    return child


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_HEADING else line[: LONGEST_HEADING - 1].rstrip() + "…"


def _measure(heading: Heading) -> int:
    own = sum(len(section.text) + LARGEST_GAP for section in heading.sections)
    heading.size = len(heading.line) + 2 + own + sum(map(_measure, heading.children))
    return heading.size


# ---------------------------------------------------------------- laying out


def _flat(sections: Sequence[Section]) -> Flat:
    texts: list[str] = []
    section_spans: list[SectionSpan] = []
    size = 0
    before: Section | None = None
    for section in _with_text(sections):
        gap, seam = _gap(before, section) if before else ("", False)
        size += len(gap)
        texts += (gap, section.text)
        section_spans.append(SectionSpan(size, size + len(section.text), section, seam))
        size += len(section.text)
        before = section
    return Flat("".join(texts), section_spans)


def _with_text(sections: Iterable[Section]) -> Iterator[Section]:
    return (section for section in sections if section.text.strip())


def _gap(before: Section, after: Section) -> tuple[str, bool]:
    """What stands between two sections of one heading, and whether the second is something else."""
    one, other = before.locator, after.locator
    if (one.part, one.slide, one.cell, one.sheet) != (other.part, other.slide, other.cell, other.sheet):
        return "\n\n", True
    if before.markup != after.markup:
        return "\n\n", False
    if one.lines and other.lines and 1 <= (apart := other.lines[0] - one.lines[1]) <= LARGEST_GAP:
        return "\n" * apart, False
    if one.page and other.page and runs_on(before.text, 0, len(before.text), after.text[:80]):
        return "\n", False
    return "\n\n", False


def runs_on(text: str, start: int, end: int, after: str) -> bool:
    """Whether the sentence at the end of text[start:end] goes on in what comes after it: over a page, say."""
    last, first = text[max(end - 8, start) : end].rstrip()[-1:], after.lstrip()[:1]
    return first.islower() and (last.isalnum() or last in ",;-")
