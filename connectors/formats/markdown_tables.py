"""Tables that are written as HTML inside Markdown, as pipe tables: nobody wants to read or find `<td>`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from connectors.base import Section
from connectors.formats.html import convert_text
from connectors.formats.lines import SECTION_CHARACTERS, pieces
from connectors.formats.parsed import Unreadable

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
BEGINS = re.compile(r" {0,3}<table\b", re.I)
EDGE = re.compile(r"<(/?)table\b", re.I)


def with_tables(sections: Iterable[Section]) -> Iterator[Section]:
    """Whole sections, however long, a table apart from what stands around it, and the rest in pieces.

    The text of a table is not the file's, so it has no lines.
    """
    for section in sections:
        if not section.text:
            yield section
            continue
        lines = section.text.split("\n")
        at = 0
        for start, end in _tables(lines):
            if told := _told(section, lines[start:end]):
                yield from _verbatim(section, lines, at, start)
                yield from told
                at = end
        yield from _verbatim(section, lines, at, len(lines))


def _tables(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The lines that a table takes, from where it begins a line to where it is closed; none in a fence."""
    fence, start, depth = "", None, 0
    for number, line in enumerate(lines):
        if start is None and (mark := FENCE.match(line)):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        if fence:
            continue
        if start is None and BEGINS.match(line):
            start, depth = number, 0
        if start is not None:
            depth += sum(-1 if edge[1] else 1 for edge in EDGE.finditer(line))
            if depth <= 0:
                yield start, number + 1
                start = None


def _told(section: Section, lines: list[str]) -> list[Section]:
    """The table as text; empty where nothing can be made of it, and it stays as it is."""
    try:
        return [one for one in convert_text("\n".join(lines), replace(section.locator, lines=None)).sections() if one.text]
    except Unreadable:
        return []


def _verbatim(section: Section, lines: list[str], start: int, end: int) -> Iterator[Section]:
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    for low, high in pieces(lines, start, end, SECTION_CHARACTERS):
        first = section.locator.lines
        locator = replace(section.locator, lines=(first[0] + low, first[0] + high - 1) if first else None)
        yield replace(section, text="\n".join(lines[low:high]), locator=locator)
