"""The blocks of a text (paragraphs, list items, tables, code) and the boundaries between them, in one pass over lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from connectors.base import Markup
from ingestion.chunking.boundaries import Boundary, Rank, boundary
from ingestion.chunking.outline import Flat, runs_on
from prompts.regex import regex
from prompts.sentences import counted_item

WHOLE_CODE = 1_800  # characters of code in a text that are never cut

BlockKind = Literal["heading", "paragraph", "item", "code", "table", "rule"]


class Block(NamedTuple):
    """A segment of whole lines, without blank lines around it. An item holds its continuation lines, not the items in it."""

    kind: BlockKind
    start: int
    end: int
    indent: int = 0
    number: int | None = None  # of an item of a numbered list
    blank: bool = True  # whether a blank line stands before it
    level: int = 0  # of a heading


_ITEM = regex(r"(?:[-*+•‣▪●–][ \t]+(?=\S)|\(?(\d{1,4})[.)][ \t]+(?=\S)|#\.[ \t]+(?=\S)|\(?([a-z])[.)][ \t]+(?=\S))")
_STEP = regex(
    r"[*_]{0,2}(?:Step|STEP|Schritt|Étape)[ \t]+\d{1,3}[*_]{0,2}(?::|\.| [-–—])[*_]{0,2}[ \t]"
)  # a line of its own: "Step 2: scan it"
_HEADING = regex(r"(#{1,6})[ \t]+\S")
_RULE = regex(r"(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}|~{4,}|\^{3,})\Z")
_FENCE = regex(r"(`{3,}|~{3,})")
_TARGET = regex(r"\.\. _[^\n]{0,200}:\Z")  # the label that stands above a heading in reStructuredText
_COLUMNS = regex(r":?-{2,}:?(?:\s*\|\s*:?-{2,}:?)+\Z")
_GRID = regex(r"\+[-=+]{3,}\+?\Z")


def blocks(text: str, start: int, end: int, markup: Markup, fence: str = "") -> Iterator[Block]:
    """The blocks of text[start:end]. `fence`: the mark of the fence that is open at its start, if one is."""
    if markup == "code":
        yield from _code(text, start, end)
        return
    yield from _Reader(text, markup == "markdown").read(start, end, fence)


def _code(text: str, start: int, end: int) -> Iterator[Block]:
    """Source code: one block for each segment that begins at the margin after a blank line."""
    first, last, at, blank = -1, -1, start, True
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        if stop > at and not text[at:stop].isspace():
            if first >= 0 and blank and not text[at].isspace() and text[at] not in ")]}":
                yield Block("code", first, last)
                first = -1
            if first < 0:
                first = at
            last, blank = stop, False
        else:
            blank = True
        at = stop + 1
    if first >= 0:
        yield Block("code", first, last)


class _Reader:
    """Reads lines one by one and holds the block that is open."""

    def __init__(self, text: str, marked: bool) -> None:
        self.text, self.marked = text, marked
        self.kind: BlockKind | None = None
        self.start = self.end = 0
        self.indent = 0  # of the open block's marker
        self.hang = 0  # from which column on a line after a blank one belongs to the open item
        self.number: int | None = None
        self.counted = 0  # that of the last item of a list whose numbers have no dot
        self.before = True  # a blank line stands before the open block
        self.gap = True  # the line before was blank

    def open(self, kind: BlockKind, start: int, end: int, indent: int = 0, number: int | None = None) -> Iterator[Block]:
        yield from self.close()
        self.kind, self.start, self.end, self.indent, self.number, self.before = kind, start, end, indent, number, self.gap

    def close(self) -> Iterator[Block]:
        if self.kind:
            mark = _HEADING.match(self.text[self.start : self.end].lstrip()) if self.kind == "heading" else None
            level = len(mark[1]) if mark else 0
            yield Block(self.kind, self.start, self.end, self.indent, self.number, self.before, level)
        self.kind = None

    def read(self, at: int, last: int, fence: str) -> Iterator[Block]:
        text = self.text
        inner = False  # whether the open fence belongs to an item
        if fence:
            yield from self.open("code", at, at)
        while at < last:
            stop = text.find("\n", at, last)
            stop = last if stop < 0 else stop
            line = text[at:stop]
            bare = line.strip()
            if fence:
                if bare:
                    self.end = stop
                    if bare[0] == fence[0] and bare.startswith(fence) and not bare.strip(fence[0]):
                        fence = ""
                        if not inner:
                            yield from self.close()
                at = stop + 1
                continue
            if not bare:
                self.gap = True
                if self.kind not in (None, "item", "code"):
                    yield from self.close()
                at = stop + 1
                continue
            indent = len(line) - len(line.lstrip())
            mark = _FENCE.match(bare) if self.marked and bare[0] in "`~" else None
            if mark:
                fence, inner = mark[1], self.kind == "item" and indent >= min(self.hang, self.indent + 2) and indent > 0
                if inner:
                    self.end = stop
                else:
                    yield from self.open("code", at, stop, indent)
                if bare.count("`") > 3 and bare.endswith("```") and len(bare) > 6:
                    fence = ""
            else:
                yield from self._line(at, stop, indent, bare)
            self.gap = False
            at = stop + 1
        yield from self.close()

    def _line(self, at: int, stop: int, indent: int, bare: str) -> Iterator[Block]:
        first = bare[0]
        if self.kind == "code":  # not fenced: as long as it is indented
            if self.indent and indent >= self.indent:
                self.end = stop
                return
            yield from self.close()
        if self.marked and first == "#" and indent < 4 and _HEADING.match(bare):
            yield from self.open("heading", at, stop)
            yield from self.close()
        elif self._is_row(first, bare):
            if self.kind == "table" and not self.gap:
                self.end = stop
            else:
                yield from self.open("table", at, stop, indent)
        elif self.kind == "table" and not self.gap and "|" in bare:
            self.end = stop
        elif self.kind == "paragraph" and not self.gap and first in "-:" and self._is_under_columns(bare):
            self.kind, self.end = "table", stop
        elif first in "-*_=~^" and _RULE.match(bare):
            if self.kind == "paragraph" and not self.gap:
                self.end = stop  # the underline of a heading
            else:
                yield from self.open("rule", at, stop)
                yield from self.close()
        elif first == "." and self.gap and _TARGET.match(bare):
            yield from self.open("rule", at, stop)
            yield from self.close()
        elif first.isdigit() and (counted := counted_item(self.text, at + indent, self.counted)) is not None:
            yield from self.open("item", at, stop, indent, int(counted["number"]))
            self.counted, self.hang = int(counted["number"]), indent + counted.end() - counted.start()
        elif (item := _ITEM.match(bare)) and (self.kind != "paragraph" or self.gap or not bare[0].isalpha()):
            number = int(item[1]) if item[1] else ord(item[2]) - ord("a") + 1 if item[2] else None
            if self.kind == "paragraph" and not self.gap and number not in (None, 1):
                self.end = stop  # a wrapped line that happens to begin with a number
                return
            yield from self.open("item", at, stop, indent, number)
            self.hang = indent + item.end()
        elif self.kind == "item" and (not self.gap or indent >= min(self.hang, self.indent + 2)):
            self.end = stop
        elif (
            self.gap
            and self.marked
            and self.kind is None
            and (indent >= 4 or (indent and announces_code(self.text, self.start, self.end)))
        ):
            yield from self.open("code", at, stop, indent)
        elif self.kind == "paragraph" and not self.gap and not _STEP.match(bare):
            self.end = stop
        else:
            yield from self.open("paragraph", at, stop, indent)

    def _is_under_columns(self, bare: str) -> bool:
        """Whether a line is the rule of a table without outer bars, and the line above names its columns."""
        return (
            bool(_COLUMNS.match(bare))
            and "|" in self.text[self.start : self.end]
            and "\n" not in self.text[self.start : self.end]
        )

    def _is_row(self, first: str, bare: str) -> bool:
        if first == "|":
            return len(bare) > 1
        if first == "+":
            return bool(_GRID.match(bare))
        return False


_DIRECTIVE = regex(r"[ \t]*\.\. [\w:-]{2,40}::")


def announces_code(text: str, start: int, end: int) -> bool:
    """Whether a block ends as reStructuredText before an indented block: with "::" or as a directive."""
    return text.endswith("::", start, end) or bool(_DIRECTIVE.match(text, start, end))


# ---------------------------------------------------------------- boundaries


class Enclosure(NamedTuple):
    """A table or a segment of code that a leaf may begin within: what it needs to be read then."""

    start: int
    end: int
    header: str = ""  # the rows of a table that name its columns
    fence: str = ""  # the mark that ends fenced code


def scan(flat: Flat) -> tuple[list[Boundary], list[Enclosure]]:
    """The boundaries of a flat text down to rows and lines of code, and its tables and code; both in order."""
    text = flat.text
    found: list[Boundary] = []
    enclosures: list[Enclosure] = []
    for start, end, markup, seam in _runs(flat):
        if start:
            found.append(boundary(text, start, Rank.HEADING if seam else Rank.BLOCK))
        before: Block | None = None
        for block in blocks(text, start, end, markup):
            if before is not None:
                rank = _rank(text, before, block, markup)
                if rank is not None:
                    found.append(boundary(text, block.start, rank))
            if block.kind == "table" or (block.kind == "code" and (markup == "code" or block.end - block.start > WHOLE_CODE)):
                found.extend(_lines(text, block))
            if markup != "code" and block.kind in ("code", "table"):
                enclosures.append(_enclosure(text, block))
            before = block
    return found, enclosures


def _enclosure(text: str, block: Block) -> Enclosure:
    if block.kind == "table":
        return Enclosure(block.start, block.end, header=_header(text, block))
    mark = _FENCE.match(text[block.start : block.start + 100].lstrip())
    return Enclosure(block.start, block.end, fence=mark[1] if mark else "")


def _header(text: str, block: Block) -> str:
    """The first row with the rule below it, where there is one."""
    lines = text[block.start : min(block.end, block.start + 2_000)].split("\n")
    for number, line in enumerate(lines[1:6], 1):
        bare = line.strip()
        if bare and not bare.strip("|+-=: ") and (bare[0] in "|-:" or "=" in bare):
            return "\n".join(lines[: number + 1])
    return ""


def _runs(flat: Flat) -> Iterator[tuple[int, int, Markup, bool]]:
    """Spans of one markup without a seam."""
    section_spans = flat.section_spans
    first = 0
    for number in range(1, len(section_spans) + 1):
        if (
            number < len(section_spans)
            and not section_spans[number].seam
            and section_spans[number].section.markup == section_spans[first].section.markup
        ):
            continue
        end = section_spans[number].start if number < len(section_spans) else len(flat.text)
        yield section_spans[first].start, end, section_spans[first].section.markup, section_spans[first].seam
        first = number


def _rank(text: str, before: Block, block: Block, markup: Markup) -> Rank | None:
    """How good the boundary between two blocks is; none after a heading."""
    if before.kind == "heading":
        return None
    if block.kind in ("heading", "rule"):
        return Rank.HEADING
    if before.kind == "rule":
        return Rank.BLOCK
    if markup == "code":
        return Rank.BLOCK
    if block.kind == "item":
        if before.kind == "item":
            return Rank.ITEM if block.indent <= before.indent or block.indent == 0 else Rank.ROW
        if block.number is not None and block.number > 1:
            return Rank.GLUED
    announced = text.endswith(":", before.start, before.end) or announces_code(text, before.start, before.end)
    if before.kind == block.kind == "paragraph" and runs_on(text, before.start, before.end, text[block.start : block.start + 80]):
        return Rank.GLUED  # a converter took the end of a line for that of a paragraph
    if announced or (block.kind == "code" and before.kind in ("item", "paragraph")) or not block.blank:
        return Rank.GLUED
    return Rank.BLOCK


def _lines(text: str, block: Block) -> Iterator[Boundary]:
    """Between the lines of code and the rows of a table; a blank line is better. The first two lines stay together."""
    at = text.find("\n", block.start, block.end) + 1
    if not at:
        return
    at = text.find("\n", at, block.end) + 1
    blank = False
    while at:
        stop = text.find("\n", at, block.end)
        line = text[at : stop if stop >= 0 else block.end]
        if not line.strip():
            blank = True
        else:
            yield boundary(text, at, Rank.ITEM if blank else Rank.ROW)
            blank = False
        at = stop + 1
