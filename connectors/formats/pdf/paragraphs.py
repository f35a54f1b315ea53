"""Turns the rows of a PDF page into paragraphs, list items, tables and code, as Markdown."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal

from connectors.formats.pdf.layout import LEADER, WIDE_SCRIPT, Cell, Row

BULLET = re.compile(r"^[•‣◦▪▫●○■□◆◇❖➢➤►▸✓✔∙·*–—\-\ue000-\uf8ff](?:\s+|$)")
NUMBER = re.compile(r"^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})\)|(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})\.)(?:\s+|$)")
STEP = re.compile(r"^(?:step|schritt|étape|paso)\s+\d+\b", re.IGNORECASE)
LABEL = re.compile(r"^[^\W\d][\w /()&.-]{1,30}:\s")  # "Payment due: ..."
SENTENCE_END = re.compile(r"[.!?:;。！？：；][\"'”’»)\]]*\d{0,3}$")
LONGEST_TABLE_ROW = 60  # cells; wider grids are figures
ROWS_APART = 1.25  # times the least step from line to line: a wider one leads to the next row
FIGURE = re.compile(r"\W?[€$£]?\d[\d.,e+-]*\s?[%A-Za-z]{0,3}\W?")
GOES_ON = re.compile(r"(?:[,;:/(–-]|\b(?:an?|the|of|in|at|on|to|by|for|and|or|with|from|is|are))$", re.IGNORECASE)
SPARSE = 0.4  # a wide grid with fewer of its cells filled is a form or a figure: its rows are kept, its columns not


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item, a table or a segment of code. `plain` is its text without any Markdown."""

    kind: Literal["text", "item", "table", "code"]
    text: str
    plain: str
    rows: tuple[Row, ...]
    size: float
    bold: bool

    @property
    def top(self) -> float:
        return self.rows[0].top

    @property
    def column(self) -> int:
        return self.rows[0].column


@dataclass(frozen=True, slots=True)
class Body:
    """How the running text of a document looks, and the words it knows (to decide about hyphens)."""

    size: float
    bold: bool
    mono: bool
    words: frozenset[str]


def body_of(pages: Iterable[Sequence[Row]]) -> Body:
    sizes: dict[float, int] = {}
    letters = bold = mono = 0
    words: set[str] = set()
    for rows in pages:
        for row in rows:
            text = row.text
            size = round(row.size * 2) / 2
            sizes[size] = sizes.get(size, 0) + len(text)
            letters += len(text)
            bold += len(text) * row.bold
            mono += len(text) * row.mono
            words.update(word.strip(".,;:()[]\"'“”’").casefold() for word in text.split())
    size = max(sizes, key=sizes.__getitem__) if sizes else 10.0
    return Body(size, bold * 2 > letters, mono * 2 > letters, frozenset(words))


def blocks_of(rows: Sequence[Row], body: Body) -> list[Block]:
    """The page's blocks in reading order; a paragraph that runs on in the next column is one block."""
    blocks: list[Block] = []
    for _, column in groupby(rows, key=lambda row: row.column):
        found = list(_column_blocks(list(column), body))
        _continue_over_columns(blocks, found, body)
        blocks += found
    return blocks


def markdown(blocks: Sequence[Block]) -> str:
    """Blocks with a blank line between them; items of one list stand together."""
    text = ""
    for before, block in pairwise([None, *blocks]):
        if block is None:
            continue
        together = before is not None and before.kind == block.kind == "item"
        text += ("" if before is None else "\n" if together else "\n\n") + block.text
    return text


def join_lines(lines: Sequence[str], words: frozenset[str]) -> str:
    """Lines of one paragraph as one line: a word divided at a line's end is put together again."""
    text = ""
    for line in lines:
        if not text:
            text = line
        elif text.endswith("-") and len(text) > 1 and text[-2].isalpha() and line[:1].isalpha():
            text = _join_divided(text, line, words)
        elif WIDE_SCRIPT.match(text[-1]) and WIDE_SCRIPT.match(line[0]):
            text += line
        else:
            text += " " + line
    return text


def _join_divided(text: str, line: str, words: frozenset[str]) -> str:
    """The document itself tells whether a hyphen belongs to the word: does it use the one or the other elsewhere?"""
    head = re.split(r"[\s(\[“\"/]", text[:-1])[-1].casefold()
    tail = re.split(r"[\s.,;:)\]”\"/]", line)[0].casefold()
    if head + tail in words:
        return text[:-1] + line
    if line[0].isupper() or f"{head}-{tail}" in words or (head in words and len(head) > 3 and tail in words and len(tail) > 3):
        return text + line
    return text[:-1] + line


# ---------------------------------------------------------------- one column


def _column_blocks(rows: list[Row], body: Body) -> Iterator[Block]:
    for kind, group in _kinds(rows, body):
        if kind == "table":
            for rows_of_one in _apart(group):
                yield _table(rows_of_one)
        elif kind == "code":
            yield _code(group)
        else:
            yield from _paragraphs(group, body)


def _kinds(rows: list[Row], body: Body) -> Iterator[tuple[str, list[Row]]]:
    kinds = [_kind(row, body) for row in rows]
    for index in range(1, len(kinds) - 1):  # a wrapped cell inside a table
        between = kinds[index] == "text" and kinds[index - 1] == kinds[index + 1] == "table"
        if between and rows[index].left > rows[index - 1].left + 2 * rows[index].size:
            kinds[index] = "table"
    for index, kind in enumerate(kinds):
        if kind not in (*kinds[max(0, index - 1) : index], *kinds[index + 1 : index + 2]):
            kinds[index] = "text"  # one line with a wide gap is prose that was stretched to the margin
    start = 0
    for kind, group in groupby(kinds):
        size = len(list(group))
        yield kind, rows[start : start + size]
        start += size


def _kind(row: Row, body: Body) -> str:
    if len(row.cells) == 2 and (BULLET.fullmatch(row.cells[0].text) or NUMBER.fullmatch(row.cells[0].text)):
        return "text"
    if len(row.cells) > 1:
        return "table"
    return "code" if row.mono and not body.mono else "text"


def _code(rows: list[Row]) -> Block:
    left = min(row.left for row in rows)
    width = max(rows[0].size * 0.6, 1.0)
    lines = [" " * min(40, round((row.left - left) / width)) + row.text for row in rows]
    fence = "````" if any("```" in line for line in lines) else "```"
    return Block("code", "\n".join([fence, *lines, fence]), "\n".join(lines), tuple(rows), rows[0].size, False)


# ---------------------------------------------------------------- tables


def _apart(rows: list[Row]) -> Iterator[list[Row]]:
    """The tables among rows of cells: a wide gap between two rows divides them."""
    usual = statistics.median(one.bottom - two.bottom for one, two in pairwise(rows))
    held = rows[:1]
    for before, row in pairwise(rows):
        if before.bottom - row.bottom > 1.6 * usual + 0.2 * row.size:
            yield held
            held = []
        held.append(row)
    yield held


def _table(rows: list[Row]) -> Block:
    columns = _table_columns(rows)
    plain = "\n".join(row.text for row in rows)
    filled = sum(len(row.cells) for row in rows) / (len(rows) * max(1, len(columns)))
    if not 2 <= len(columns) <= LONGEST_TABLE_ROW or len(rows) < 2 or (len(columns) > 8 and filled < SPARSE):
        text = "\n".join(" | ".join(cell.text for cell in row.cells) for row in rows)
    else:
        lines = [_pipes(cells) for cells in _unwrapped(rows, columns)]
        text = "\n".join([lines[0], _pipes(["---"] * len(columns)), *lines[1:]])
    return Block("table", text, plain, tuple(rows), rows[0].size, all(row.bold for row in rows))


def _table_columns(rows: list[Row]) -> list[tuple[float, float]]:
    """The narrow cells define the columns; a cell that would bridge two of them spans both."""
    columns: list[tuple[float, float]] = []
    for cell in sorted((cell for row in rows for cell in row.cells), key=lambda cell: cell.right - cell.left):
        hit = [column for column in columns if column[0] < cell.right and cell.left < column[1]]
        if not hit:
            columns.append((cell.left, cell.right))
        elif len(hit) == 1:
            wider = min(hit[0][0], cell.left), max(hit[0][1], cell.right)
            if not any(other is not hit[0] and other[0] < wider[1] and wider[0] < other[1] for other in columns):
                columns[columns.index(hit[0])] = wider
        if len(columns) > LONGEST_TABLE_ROW:
            break
    return sorted(columns)


def _by_column(cells: Sequence[Cell], columns: Sequence[tuple[float, float]]) -> list[list[Cell]]:
    placed: list[list[Cell]] = [[] for _ in columns]
    for cell in cells:
        overlaps = [min(cell.right, right) - max(cell.left, left) for left, right in columns]
        hits = [index for index, overlap in enumerate(overlaps) if overlap > 0]
        index = hits[0] if hits else max(range(len(columns)), key=overlaps.__getitem__)
        placed[index].append(cell)
    return placed


def _unwrapped(rows: Sequence[Row], columns: Sequence[tuple[float, float]]) -> Iterator[list[str]]:
    """The rows of a table, each with the lines onto which its cells were broken, where rows stand farther apart than lines."""
    steps = [one.bottom - two.bottom for one, two in pairwise(rows)]
    apart = ROWS_APART * min(steps)
    held = _by_column(rows[0].cells, columns)
    for step, row in zip(steps, rows[1:], strict=True):
        cells = _by_column(row.cells, columns)
        is_broken = step < apart < max(steps) and not all(cells) and (not cells[0] or _is_unfinished(held[0]))
        if is_broken and all(_goes_on(held[at], cells[at], _room(columns, at, row.size)) for at in range(len(columns))):
            held = [[*before, *after] for before, after in zip(held, cells, strict=True)]
        else:
            yield _texts(held)
            held = cells
    yield _texts(held)


def _room(columns: Sequence[tuple[float, float]], at: int, size: float) -> float:
    """How far a column reaches to the right, the space before the next one aside."""
    return columns[at + 1][0] - 2 * size if at + 1 < len(columns) else columns[at][1]


def _goes_on(before: Sequence[Cell], after: Sequence[Cell], room: float) -> bool:
    """Whether a cell, if there is any, is the next line of the one above: its first word had no room there, and the words fit."""
    if not after:
        return True
    if not before or (FIGURE.fullmatch(before[-1].text) and FIGURE.fullmatch(after[0].text)):
        return False
    last, first = before[-1], after[0]
    letter = (first.right - first.left) / len(first.text)
    has_room = last.right + letter * (1 + len(first.text.partition(" ")[0])) < room
    return not has_room and (not first.text[0].isupper() or _is_unfinished(before))


def _is_unfinished(cells: Sequence[Cell]) -> bool:
    return bool(cells and GOES_ON.search(cells[-1].text.rstrip()))


def _texts(cells: Sequence[Sequence[Cell]]) -> list[str]:
    return [" ".join(cell.text for cell in some).strip() for some in cells]


def _pipes(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# ---------------------------------------------------------------- paragraphs and lists


def _paragraphs(rows: list[Row], body: Body) -> Iterator[Block]:
    leading = _leading(rows)
    held: list[Row] = []
    item_lefts: list[float] = []
    for index, row in enumerate(rows):
        if held and _starts_anew(held, row, leading, _right_edge(rows, index)):
            yield _paragraph(held, item_lefts, body)
            held = []
        held.append(row)
    if held:
        yield _paragraph(held, item_lefts, body)


def _leading(rows: Sequence[Row]) -> float:
    """The usual distance from one line to the next."""
    steps = [one.bottom - two.bottom for one, two in pairwise(rows) if abs(one.size - two.size) < 0.08 * one.size]
    steps = [step for step in steps if step > 0]
    typical = 1.3 * statistics.median(row.size for row in rows)
    return min(statistics.median(steps), 2.2 * typical) if len(steps) > 3 else typical


def _right_edge(rows: Sequence[Row], index: int) -> float:
    return max(row.right for row in rows[max(0, index - 4) : index + 4])


def _starts_anew(held: list[Row], row: Row, leading: float, right_edge: float) -> bool:
    before, em = held[-1], row.size
    step = before.bottom - row.bottom
    text = row.text
    if step > 1.35 * max(leading, 1.05 * min(before.size, row.size)) or step < -0.5 * em:
        return True
    if abs(before.size - em) > 0.1 * max(before.size, em) and min(len(text), len(before.text)) > 3:
        return True
    if before.bold != row.bold and (before.bold and len(held) == sum(one.bold for one in held) or row.bold and len(text) > 3):
        return _broke_early(before, row, right_edge) or row.size > before.size
    if _marker(text) and not _divided(before):
        return True
    if LABEL.match(text) and LABEL.match(held[0].text) or LEADER in before.text:
        return True
    finished = bool(SENTENCE_END.search(before.text))
    if _broke_early(before, row, right_edge):
        short = right_edge - before.right > 0.2 * (right_edge - before.left)  # ragged text breaks a little early, too
        return finished or (short and not text[:1].islower())
    if _marker(held[0].text):
        return row.left < held[0].left - 0.5 * em
    indented = row.left - min(one.left for one in held) > 0.8 * em
    outdented = len(held) > 1 and before.left - row.left > 0.8 * em and not _centred(before, row)
    return (indented and finished) or (outdented and held[0].left < before.left - 0.8 * em)


def _centred(one: Row, two: Row) -> bool:
    return abs((one.left + one.right) - (two.left + two.right)) < two.size


def _divided(row: Row) -> bool:
    return row.text.endswith("-") and row.text[-2:-1].isalpha()


def _marker(text: str) -> bool:
    return bool(BULLET.match(text) or NUMBER.match(text) or STEP.match(text))


def _broke_early(before: Row, row: Row, right_edge: float) -> bool:
    """Whether the next line's first word would have fitted: then the line was ended on purpose."""
    text = row.text
    letters = 1 if WIDE_SCRIPT.match(text) else len(text.split(None, 1)[0])
    word = (row.right - row.left) * letters / max(len(text), 1)
    return before.right + word + 0.4 * row.size < right_edge - 0.3 * row.size


def _paragraph(rows: list[Row], item_lefts: list[float], body: Body) -> Block:
    text = plain = join_lines([row.text for row in rows], body.words)
    kind: Literal["text", "item"] = "text"
    if BULLET.match(plain) or NUMBER.match(plain):
        kind = "item"
        text = _depth(rows[0].left, rows[0].size, item_lefts) * "  " + _item(plain)
    else:
        item_lefts.clear()
    letters = max(1, sum(len(row.text) for row in rows))
    size = sum(row.size * len(row.text) for row in rows) / letters
    return Block(kind, text, plain, tuple(rows), size, all(row.bold for row in rows))


def _depth(left: float, size: float, lefts: list[float]) -> int:
    """How deep an item lies in its list, by how far the items before it stood in."""
    while lefts and left < lefts[-1] - 0.5 * size:
        lefts.pop()
    if not lefts or left > lefts[-1] + 0.5 * size:
        lefts.append(left)
    return min(len(lefts), 5) - 1


def _item(plain: str) -> str:
    if bullet := BULLET.match(plain):
        return f"- {plain[bullet.end() :]}".rstrip()
    marker = NUMBER.match(plain)
    if marker and marker[0][0].isdigit():
        return plain
    return f"- {plain}"


def _continue_over_columns(before: list[Block], found: list[Block], body: Body) -> None:
    """Joins the paragraph that the last column broke off with the beginning of this one."""
    if not before or not found or found[0].kind != "text" or not found[0].plain[:1].islower():
        return
    for index in range(len(before) - 1, max(-1, len(before) - 4), -1):
        block = before[index]
        if block.kind in ("text", "item") and abs(block.size - found[0].size) < 0.06 * block.size and block.bold == found[0].bold:
            if not SENTENCE_END.search(block.plain) and len(block.plain) > 40:
                before[index] = replace(
                    block,
                    text=join_lines([block.text, found[0].plain], body.words),
                    plain=join_lines([block.plain, found[0].plain], body.words),
                )
                del found[0]
            return
