"""Finds what repeats at the edges of a PDF's pages: running heads, running feet and page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from connectors.formats.pdf.layout import Row

EDGE_ROWS = 3  # how many lines from the top and from the bottom are looked at
SHORTEST_CONTENT = 12  # characters: a page whose only line is longer keeps it, however often it repeats
LONGEST_RUNNING = 100
NUMBER = re.compile(r"\d{1,6}")
BARE = re.compile(
    r"^(?:page|seite|página|p\.)?\s*+(?:[-–—(\[|]\s*+)?(?:#|[ivxlc]{1,7})(?:\s*+[-–—)\]|])?(?:\s*+(?:of|/|von|de)\s*+\d+)?\s*+$",
    re.IGNORECASE,
)


def without_running(pages: Sequence[list[Row]]) -> list[list[Row]]:
    """The pages without their running lines. The first of each kind stays if it says more than a number."""
    edges = [list(_edges(rows)) for rows in pages]
    offset = _offset(pages, edges)
    count: Counter[tuple[str, str]] = Counter()
    for page, found in enumerate(edges):
        count.update({(zone, _pattern(pages[page][index].text, page, offset)) for zone, index in found})
    with_text = sum(bool(rows) for rows in pages)
    often = max(3, 0.3 * with_text)
    numbered = _numbered(pages, edges, offset)
    seen: set[tuple[str, str]] = set()
    kept: list[list[Row]] = []
    for page, found in enumerate(edges):
        dropped: set[int] = set()
        for zone, index in found:
            pattern = _pattern(pages[page][index].text, page, offset)
            bare = bool(BARE.match(pattern))
            if bare and ("#" in pattern or count[zone, pattern] > 2) or index in numbered.get(page, ()):
                dropped.add(index)
            elif count[zone, pattern] >= (often if "#" not in pattern else 3):
                if (zone, pattern) in seen:
                    dropped.add(index)
                seen.add((zone, pattern))
        left = [row for index, row in enumerate(pages[page]) if index not in dropped]
        kept.append(left or [row for row in pages[page] if len(row.text) > SHORTEST_CONTENT])
    return kept


def _numbered(
    pages: Sequence[Sequence[Row]], edges: Sequence[Sequence[tuple[str, int]]], offset: int | None
) -> dict[int, set[int]]:
    """Running lines that name the chapter beside the page number, where most pages have one in the same place."""
    places: dict[tuple[str, int], dict[int, int]] = {}
    for page, found in enumerate(edges):
        for place, (zone, index) in enumerate(found):
            text = pages[page][index].text
            outermost = place in (0, len(found) - 1)
            if outermost and len(text) < LONGEST_RUNNING and "#" in _pattern(text, page, offset):
                places.setdefault((zone, 0), {})[page] = index
    numbered: dict[int, set[int]] = {}
    for found_on in places.values():
        if len(found_on) >= max(4, 0.6 * sum(bool(rows) for rows in pages)):
            for page, index in found_on.items():
                numbered.setdefault(page, set()).add(index)
    return numbered


def _edges(rows: Sequence[Row]) -> Iterator[tuple[str, int]]:
    """The first and last lines by height on the page, never more than half of them."""
    order = sorted(range(len(rows)), key=lambda index: -rows[index].top)
    size = min(EDGE_ROWS, (len(order) + 1) // 2)
    for index in order[:size]:
        yield "head", index
    for index in order[max(size, len(order) - size) :]:
        yield "foot", index


def _offset(pages: Sequence[Sequence[Row]], edges: Sequence[Sequence[tuple[str, int]]]) -> int | None:
    """By how much the numbers printed on the pages differ from the pages' places, if most pages agree on it."""
    votes: Counter[int] = Counter()
    for page, found in enumerate(edges):
        votes.update({int(number) - page for _, index in found for number in NUMBER.findall(pages[page][index].text)})
    by_offset = votes.most_common(1)
    numbered = sum(bool(rows) for rows in pages)
    if by_offset and by_offset[0][1] >= max(2, 0.5 * numbered):
        return by_offset[0][0]
    return 1 if numbered == 1 else None


def _pattern(text: str, page: int, offset: int | None) -> str:
    """The text with its page number replaced; other numbers are content (an invoice's number, a date)."""
    if offset is None:
        return text.casefold()
    number = str(page + offset)
    return NUMBER.sub(lambda match: "#" if match[0] == number else match[0], text.casefold())
