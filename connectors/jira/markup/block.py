"""Blocks of Markdown and how they stand below, beside and inside each other: paragraphs, items, quotes, code, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

MOST_IN_A_CELL = 400  # characters; longer ones are easier to read as a list of records
CELL_BREAK = " / "  # between the lines of a cell
MOST_COLUMNS = 40
MOST_SPANNED = 20_000  # cells of one table that others may reach over

FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
# what begins a line of running text and would be taken for a heading or a rule
STRUCTURE = re.compile(r"(?m)^([ \t]{0,3})(?=#{1,6}(?:[ \t]|$)|(?:=+|-{2,}|(?:- ?){3,}|(?:\* ?){3,}|(?:_ ?){3,})[ \t]*$)")

BOLD = re.compile(r"\A\*\*([^*]*)\*\*\Z")


class Block(NamedTuple):
    """A block of Markdown without blank lines around it."""

    text: str
    kind: Literal["text", "list", "quote", "code", "table", "heading", "rule"] = "text"


class Cell(NamedTuple):
    blocks: tuple[Block, ...]
    is_header: bool = False
    across: int = 1
    down: int = 1

    @property
    def line(self) -> str:
        """What is in it, on one line."""
        lines = (" ".join(line.split()) for block in self.blocks for line in block.text.split("\n"))
        return CELL_BREAK.join(line for line in lines if line)

    @property
    def is_line(self) -> bool:
        return all(block.kind == "text" for block in self.blocks) and len(self.line) <= MOST_IN_A_CELL


def joined(blocks: Iterable[Block]) -> str:
    return "\n\n".join(block.text for block in blocks)


def paragraph(text: str) -> Block | None:
    """Running text as a paragraph, unless it is blank. A list or a fence that was typed by hand is left as it is."""
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    lines[0] = lines[0].lstrip()  # blanks before it would make it code
    text = "\n".join(lines).strip("\n")
    if not text.strip():
        return None
    fences = [match[1][:3] for line in lines if (match := FENCE.match(line))]
    if not fences:
        return Block(STRUCTURE.sub(r"\1\\", text))
    if len(fences) % 2 == 0 and len(set(fences)) == 1:
        return Block(text)
    return Block(re.sub(r"(?m)^([ \t]*)(?=`{3}|~{3})", r"\1\\", STRUCTURE.sub(r"\1\\", text)))


def heading(level: int, text: str) -> Block | None:
    words = " ".join(text.split())
    return Block(f"{'#' * level} {words}", "heading") if words else None


def fenced(code: str, language: str = "") -> Block | None:
    """Code as it is, in a fence longer than any inside it."""
    code = re.sub(r"\A(?:[ \t]*\n)+", "", code).rstrip()
    if not code:
        return None
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", code)), 0)
    return Block(f"{marks}{language}\n{code}\n{marks}", "code")


def item(marker: str, blocks: Sequence[Block]) -> str:
    """One item of a list with everything that belongs to it indented below its marker."""
    first, *rest = _led(blocks)
    text = first.text
    for block in rest:
        text += ("\n" if block.kind == "list" else "\n\n") + block.text
    return f"{marker} {indented(text, ' ' * (len(marker) + 1))}"


def _led(blocks: Sequence[Block]) -> Sequence[Block]:
    """An item must begin with words: code or a table on the line of its marker would not be read as such."""
    if blocks[0].kind == "code":
        lines = blocks[0].text.split("\n")
        if len(lines) == 3 and "`" not in lines[1]:
            return [Block(f"`{lines[1].strip()}`"), *blocks[1:]]
        return [Block("Code:"), *blocks]
    if blocks[0].kind == "table":
        return [Block("Table:"), *blocks]
    return blocks


def items(written: Sequence[str]) -> Block | None:
    """The items as one list, with air between them where one has several blocks."""
    if not written:
        return None
    return Block(("\n\n" if any("\n\n" in one for one in written) else "\n").join(written), "list")


def indented(text: str, indent: str) -> str:
    """Every line but the first moved to the right."""
    return re.sub(r"\n(?=[^\n])", "\n" + indent, text)


def quoted(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a quotation. Code and tables stand beside it unchanged, so that they stay what they are."""
    found: list[Block] = []
    for block in blocks:
        if block.kind in ("code", "table"):
            found.append(block)
            continue
        text = re.sub(r"(?m)^(?=.)", "> ", block.text).replace("\n\n", "\n>\n")
        if found and found[-1].kind == "quote":
            found[-1] = Block(f"{found[-1].text}\n>\n{text}", "quote")
        else:
            found.append(Block(text, "quote"))
    return found


def led(lead: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks with a bold word before the first of them."""
    if blocks and blocks[0].kind == "text":
        return [Block(f"**{lead}:** {blocks[0].text}"), *blocks[1:]]
    return [Block(f"**{lead}:**"), *blocks]


# ---------------------------------------------------------------- tables


def table(rows: Sequence[Sequence[Cell]]) -> list[Block]:
    """A pipe table; what does not fit into lines becomes a list with one item for each row."""
    grid = _grid(rows)
    width = max(map(len, grid), default=0)
    if width == 1:
        return [block for row in grid for block in row[0].blocks]
    if 1 < width <= MOST_COLUMNS and all(cell.is_line for row in grid for cell in row):
        cells = [[re.sub(r"(?<!\\)\|", r"\\|", cell.line) for cell in row] for row in grid]
        cells[0] = [BOLD.sub(r"\1", cell) for cell in cells[0]]  # a header is bold by itself
        lines = [f"| {' | '.join(row)} |" for row in cells]
        return [Block("\n".join((lines[0], f"|{' --- |' * width}", *lines[1:])), "table")]
    return _records(grid)


def _grid(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Rows, of equal length unless they are too long for a table: a cell that spans rows is repeated in each, one that
    spans columns stands in the first."""
    grid: list[list[Cell]] = []
    hanging: dict[int, Cell] = {}
    count = 0
    for row in rows:
        line: list[Cell] = []
        for cell in (*row, None):
            while len(line) in hanging:
                above = hanging.pop(len(line))
                if above.down > 1:
                    hanging[len(line)] = above._replace(down=above.down - 1)
                line.append(above)
            if cell is None or count > MOST_SPANNED:
                line += [] if cell is None else [cell]
                continue
            if cell.down > 1:
                again = cell if cell.is_line else Cell((), cell.is_header)  # long ones are not said twice
                hanging[len(line)] = again._replace(down=cell.down - 1)
            line += [cell, *[Cell((), cell.is_header)] * (cell.across - 1)]
            count += cell.across
        grid.append(line)
    full = [line for line in grid if any(cell.blocks for cell in line)]
    used = sorted({column for line in full for column, cell in enumerate(line) if cell.blocks})
    if len(used) > MOST_COLUMNS:
        return full
    return [[line[column] if column < len(line) else Cell(()) for column in used] for line in full]


def _records(grid: list[list[Cell]]) -> list[Block]:
    has_header = len(grid) > 1 and len(grid[0]) <= MOST_COLUMNS and all(cell.is_header or not cell.blocks for cell in grid[0])
    names = [cell.line for cell in grid[0]] if has_header else []
    written = []
    for row in grid[has_header:]:
        blocks: list[Block] = []
        for name, cell in zip_longest(names, row, fillvalue=None):
            found = list(cell.blocks) if cell else []
            if name:
                first = found.pop(0) if found and found[0].kind == "text" else Block("")
                found = [Block(f"{name}: {first.text}".rstrip()), *found]
            if blocks and found and blocks[-1].kind == found[0].kind == "text":
                blocks[-1] = Block(f"{blocks[-1].text}\n{found.pop(0).text}")
            blocks += found
        if blocks:
            written.append(item("-", blocks))
    block = items(written)
    return [block] if block else []
