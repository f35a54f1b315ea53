"""Finds the headings of a PDF: from its outline where that is sane, else from larger and bolder lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import pypdfium2 as pdfium

from connectors.formats.pdf.layout import LEADER, WIDE_SCRIPT, clean
from connectors.formats.pdf.paragraphs import Block, Body

MOST_ENTRIES = 5_000
DEEPEST = 6
MOST_UNPLACED = 3  # entries of one page whose titles are not on it: more is a broken outline, not a structure
LONGEST = 200  # characters of a heading
NUMBERING = re.compile(r"^(\d{1,3}(?:\.\d{1,3})*)\.?\s+\S")
CONTENTS = re.compile(r"^(table of )?contents$|^inhalt(sverzeichnis)?$|^table des matières$|^índice$", re.IGNORECASE)
USUAL = re.compile(r"^(abstract|summary|zusammenfassung|introduction|einleitung|overview|contents)\b", re.IGNORECASE)
ABSTRACT = re.compile(r"^(abstract|zusammenfassung|résumé|resumen)\b", re.IGNORECASE)
JUNK_TITLE = re.compile(
    r"^(untitled|\(?anonymous\)?|unspecified|microsoft \w+ - .*|document\d*|slide \d+|powerpoint presentation|adobe \w+ pdf|.*\.\w{2,4})$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the outline. `page` counts from 0; `top` is where on the page it points, if it says so."""

    title: str
    level: int
    page: int
    top: float | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """Stands before block `block` of its page; `covers` blocks from there on are the heading itself."""

    title: str
    level: int
    block: int
    covers: int = 0


Pages = Sequence[Sequence[Block]]


def find_headings(pages: Pages, outline: Sequence[Entry], body: Body) -> list[list[Heading]]:
    """The headings of each page, in reading order."""
    placed = _place(pages, outline)
    if _sane(pages, outline, placed):
        return placed
    return _by_font(pages, body) or (placed if _ordered(outline) else [[] for _ in pages])


def find_title(pages: Pages, written: str, body: Body) -> str:
    """The document's title: as its producer wrote it, unless that is junk; else the largest line of the first page."""
    written = clean(" ".join(written.split()))
    if 3 < len(written) <= LONGEST and not JUNK_TITLE.match(written) and not CONTENTS.match(written):
        return written
    blocks = [block for page in pages[:1] for block in page[:12] if block.kind == "text" and _wordy(block.plain)]
    largest = max((block.size for block in blocks), default=0.0)
    if largest < 1.1 * body.size:
        return ""
    start = next(index for index, block in enumerate(blocks) if block.size > 0.97 * largest)
    lines = [blocks[start].plain]
    for block in blocks[start + 1 : start + 3]:
        if block.size < 0.97 * largest:
            break
        lines.append(block.plain)
    title = " ".join(lines)
    return "" if len(title) > LONGEST or CONTENTS.match(title) else title


# ---------------------------------------------------------------- the outline


def read_outline(document: pdfium.PdfDocument) -> tuple[list[Entry], int]:
    """The entries that point into the document, and how many do not. Cycles are left out by PDFium's own guard."""
    entries: list[Entry] = []
    outside = 0
    for bookmark in islice(document.get_toc(max_depth=15), MOST_ENTRIES):
        title = clean(" ".join(bookmark.get_title().split()))[:LONGEST]
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        if page is None or not 0 <= page < len(document):
            outside += 1
        elif title:
            entries.append(Entry(title, min(bookmark.level, DEEPEST - 1), page, _top(target)))
    return entries, outside


def _top(target: pdfium.PdfDest) -> float | None:
    mode, values = target.get_view()
    index = {pdfium.raw.PDFDEST_VIEW_XYZ: 1, pdfium.raw.PDFDEST_VIEW_FITH: 0, pdfium.raw.PDFDEST_VIEW_FITBH: 0}.get(mode)
    return values[index] if index is not None and len(values) > index else None


def _ordered(outline: Sequence[Entry]) -> bool:
    steps = [one.page <= two.page for one, two in pairwise(outline)]
    return bool(outline) and sum(steps) >= 0.9 * len(steps)


def _sane(pages: Pages, outline: Sequence[Entry], placed: Sequence[Sequence[Heading]]) -> bool:
    """Targets in order, and most titles stand on the pages they point to (of the pages that have text)."""
    if not _ordered(outline):
        return False
    readable = sum(bool(pages[entry.page]) for entry in outline if entry.page < len(pages))
    found = sum(heading.covers > 0 for page in placed for heading in page)
    return found >= 0.5 * readable


def _place(pages: Pages, outline: Sequence[Entry]) -> list[list[Heading]]:
    placed: list[list[Heading]] = [[] for _ in pages]
    by_page: dict[int, list[Entry]] = {}
    for entry in outline:
        by_page.setdefault(entry.page, []).append(entry)
    for page, entries in by_page.items():
        if page < len(pages):
            placed[page] = _place_on(pages[page], entries)
    return placed


def _place_on(blocks: Sequence[Block], entries: Sequence[Entry]) -> list[Heading]:
    """Each entry before the block it names. One that names none stands where it points, or at the top of the page."""
    texts = [_letters(block.plain[: 2 * LONGEST]) for block in blocks]
    headings: list[Heading] = []
    start = unplaced = 0
    for entry in entries:
        if found := _find_title(texts, entry, start, blocks):
            block, covers = found
            headings.append(Heading(entry.title, entry.level, block, covers))
            start = block + covers
        elif unplaced < MOST_UNPLACED:
            unplaced += 1
            block = max(start, _block_at(blocks, entry.top))
            headings.append(Heading(entry.title, entry.level, block))
            start = block
    return headings


def _find_title(texts: Sequence[str], entry: Entry, start: int, blocks: Sequence[Block]) -> tuple[int, int] | None:
    wanted = _letters(entry.title)
    if not wanted:
        return None
    hits = [found for index in range(start, len(texts)) if (found := _matches(texts, index, wanted))]
    top = entry.top
    if top is None or len(hits) < 2:
        return hits[0] if hits else None
    return min(hits, key=lambda hit: abs(blocks[hit[0]].top - top))


def _matches(texts: Sequence[str], index: int, wanted: str) -> tuple[int, int] | None:
    """The title may be set on several lines (blocks), and the page may number it where the outline does not."""
    joined = ""
    for covers in range(1, 4):
        if index + covers > len(texts):
            return None
        joined += texts[index + covers - 1]
        if joined == wanted or (joined.endswith(wanted) and len(joined) - len(wanted) <= 12 and len(wanted) > 3):
            return index, covers
        if wanted.endswith(joined) and len(wanted) - len(joined) <= 3 and len(joined) > 6:
            return index, covers
        if not wanted.startswith(joined) and not wanted.startswith(joined.lstrip("0123456789")):
            return None
    return None


def _block_at(blocks: Sequence[Block], top: float | None) -> int:
    if top is None:
        return 0
    return next((index for index, block in enumerate(blocks) if block.rows[0].bottom < top), len(blocks))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


# ---------------------------------------------------------------- larger and bolder lines


def _by_font(pages: Pages, body: Body) -> list[list[Heading]] | None:
    """Headings by style; None if nothing, or far too much, looks like one."""
    found = [list(_candidates(blocks, body)) for blocks in pages]
    styles = Counter(_style(pages[page][index]) for page, indexes in enumerate(found) for index in indexes)
    if not styles:
        return None
    letters = sum(len(block.plain) for page in pages for block in page)
    taken = sum(len(pages[page][index].plain) for page, indexes in enumerate(found) for index in indexes)
    if taken > 0.3 * letters:  # slides, forms: only what stands at the top of a page is a heading
        found = [indexes[:1] if indexes and indexes[0] <= 1 else [] for indexes in found]
        styles = Counter(_style(pages[page][index]) for page, indexes in enumerate(found) for index in indexes)
    title = _title_block(pages, found, styles)
    if len(pages) > 2:
        found = _without_front_matter(pages, found, title)
    ranks = {style: rank for rank, style in enumerate(sorted((s for s in styles if s != title), reverse=True))}
    if title and title not in ranks:
        ranks[title] = 0
    headings = [list(_merged(pages[page], indexes, ranks)) for page, indexes in enumerate(found)]
    if title and headings and headings[0] and len(pages) > 1:
        first = headings[0][0]
        if _style(pages[0][first.block]) == title:
            headings[0] = headings[0][1:]
    return headings


def _title_block(pages: Pages, found: Sequence[Sequence[int]], styles: Counter[tuple[float, bool]]) -> tuple[float, bool] | None:
    """The style of the document's own title: the largest of all, used on the first page only, first of its headings."""
    if not found or not found[0]:
        return None
    style = _style(pages[0][found[0][0]])
    elsewhere = any(_style(pages[page][index]) == style for page, indexes in enumerate(found) if page for index in indexes)
    return style if style == max(styles) and not elsewhere and len(styles) > 1 else None


def _without_front_matter(pages: Pages, found: list[list[int]], title: tuple[float, bool] | None) -> list[list[int]]:
    """Authors and addresses on the first page stand above the abstract, or in styles that no heading after it has."""
    abstract = next((index for index in found[0] if ABSTRACT.match(pages[0][index].plain)), 0)
    later = {_style(pages[page][index]) for page, indexes in enumerate(found) if page for index in indexes}
    if not later:
        return found
    first = [
        index
        for index in found[0]
        if (style := _style(pages[0][index])) == title
        or (style in later and index >= abstract)
        or USUAL.match(pages[0][index].plain)
    ]
    return [first, *found[1:]]


def _style(block: Block) -> tuple[float, bool]:
    return round(block.size * 2) / 2, block.bold


def _candidates(blocks: Sequence[Block], body: Body) -> Iterator[int]:
    for index, block in enumerate(blocks):
        if block.kind not in ("text", "item") or len(block.rows) > 3 or _too_long(block.plain) or not _wordy(block.plain):
            continue
        larger = block.size >= 1.12 * body.size
        bolder = block.bold and not body.bold and block.size >= 0.95 * body.size
        if LEADER in block.plain:  # a line of a table of contents
            continue
        if block.kind == "item" and not (larger or bolder and NUMBERING.match(block.plain)):
            continue
        if (larger or bolder) and not block.plain.endswith((",", ";", ".")) | (bolder and not larger and len(block.plain) > 120):
            yield index


def _too_long(text: str) -> bool:
    return len(text) + 2 * len(WIDE_SCRIPT.findall(text)) > LONGEST


def _wordy(text: str) -> bool:
    return sum(letter.isalpha() for letter in text) >= max(2, 0.4 * len(text.replace(" ", "")))


def _merged(blocks: Sequence[Block], indexes: Sequence[int], ranks: dict[tuple[float, bool], int]) -> Iterator[Heading]:
    """A heading on several lines of the same style, one right after the other, is one heading."""
    position = 0
    while position < len(indexes):
        start = indexes[position]
        style = _style(blocks[start])
        covers, title = 1, blocks[start].plain
        while (
            position + covers < len(indexes)
            and indexes[position + covers] == start + covers
            and _style(blocks[start + covers]) == style
            and covers < 3
            and not NUMBERING.match(blocks[start + covers].plain)
            and blocks[start + covers].column == blocks[start].column
            and len(title) + len(blocks[start + covers].plain) < LONGEST
            and _close(blocks[start + covers - 1], blocks[start + covers])
        ):
            title += " " + blocks[start + covers].plain
            covers += 1
        level = DEEPEST if CONTENTS.match(title) else _level(title, ranks.get(style, 0))  # nothing lies below a contents page
        yield Heading(title, level, start, covers)
        position += covers


def _close(one: Block, two: Block) -> bool:
    return one.rows[-1].bottom - two.rows[0].top < 0.8 * two.size


def _level(title: str, rank: int) -> int:
    """Numbers such as 3.1.2 say how deep a heading is; else the rank of its style does."""
    numbered = NUMBERING.match(title)
    if numbered and "." in numbered[1]:
        return min(numbered[1].count("."), DEEPEST - 1)
    return min(rank, 3)
