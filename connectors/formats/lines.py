"""Cuts a text into sections that are verbatim slices of its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from connectors.base import Locator, Markup, Section

SECTION_CHARACTERS = 16_000  # a longer segment without any structure is cut at a paragraph or line near here


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that stands on lines `start` to `end` (from 0, end excluded); what follows it is its text."""

    level: int
    title: str
    start: int
    end: int


def split_at(
    lines: list[str], headings: Iterable[Heading], markup: Markup, first: int = 0, limit: int = SECTION_CHARACTERS
) -> Iterator[Section]:
    """The sections between the headings, with the path of headings above each."""
    path: list[Heading] = []
    start = first
    marker: int | None = None
    for heading in headings:
        yield from _sections(lines, start, heading.start, path, marker, markup, limit)
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        start, marker = heading.end, heading.start
    yield from _sections(lines, start, len(lines), path, marker, markup, limit)


def _sections(
    lines: list[str], start: int, end: int, path: list[Heading], marker: int | None, markup: Markup, limit: int
) -> Iterator[Section]:
    """The text of one heading, without blank lines around it; a heading without text stays as an empty section."""
    names = tuple(heading.title for heading in path)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if start == end:
        if marker is not None:
            yield Section("", Locator(heading=names, lines=(marker + 1, marker + 1)), markup)
        return
    for piece_start, piece_end in pieces(lines, start, end, limit):
        text = "\n".join(lines[piece_start:piece_end])
        yield Section(text, Locator(heading=names, lines=(piece_start + 1, piece_end)), markup)


def pieces(lines: list[str], start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Segments of about `limit` characters at most, cut at a blank line where there is one in the second half."""
    while start < end:
        cut, blank, size = start, start, 0
        while cut < end and (cut == start or size + len(lines[cut]) < limit):
            size += len(lines[cut]) + 1
            cut += 1
            if size > limit // 2 and cut < end and not lines[cut - 1].strip():
                blank = cut
        if cut < end and blank > start:
            cut = blank
        stop = cut
        while stop > start and not lines[stop - 1].strip():
            stop -= 1
        yield start, stop
        start = cut
        while start < end and not lines[start].strip():
            start += 1
