"""Puts the words of a PDF page back into reading order: columns, rows, table cells.

PDFium hands over characters in the order they were drawn. Most producers draw in reading order, many draw
tables cell by cell and some draw two columns line by line, so the order is rebuilt from the geometry:
words -> runs (words without a wide gap) -> columns (a gutter that prose stands on both sides of) -> rows.
"""

from __future__ import annotations

import ctypes
import math
import re
import statistics
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

CELL_GAP = 1.2  # in widths of an em: wider than the word gaps of justified text, narrower than a column gutter
LINE_END = (0x02, 0xFFFE)  # PDFium's marks for a hyphen that ends a line
HYPHENS = "\x02\ufffe\u00ad"  # what PDFium and producers put for a hyphen at a line's end
BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi(?!tal)|[-,]medi$", re.IGNORECASE)
MONO_NAME = re.compile(r"mono|courier|consol|cmtt|typewriter|menlo|lettergothic|fixed", re.IGNORECASE)
LIGATURE = re.compile(r"[\ufb00-\ufb06]")
LEADER = " … "
LEADERS = re.compile(r"(?:\s?[.…·_]){4,}\s*")  # dots between a title and its page number
ONLY_LEADERS = re.compile(r"[.…·_\s]+")
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\x7f"
RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
WIDE_SCRIPT = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


class Word(NamedTuple):
    """A word and its box, turned so that its text runs from left to right; y grows upwards."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool
    mono: bool
    turned: bool  # drawn at another angle than most of the page


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Row:
    """What stands on one line of one column. More than one cell: it looks like a line of a table."""

    cells: tuple[Cell, ...]
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool
    mono: bool
    column: int = 0

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True)
class TextRun:
    """Words that follow each other closely on one line, in the order they were drawn."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool
    mono: bool
    turned: bool


def rows_of(textpage: pdfium.PdfTextPage, characters: int, filled: Iterable[TextRun] = ()) -> list[Row]:
    """The page's rows in reading order, with what was `filled` in where it stands; `characters` bounds what is looked at.

    The page's own rotation does not matter: only the direction that its text runs in does.
    """
    runs = [*join_runs(read_words(textpage.raw, characters)), *filled]
    level = [run for run in runs if not run.turned]
    rows: list[Row] = []
    for number, column in enumerate(columns_of(level)):
        rows += rows_in(column, number)
    turned = [run for run in runs if run.turned]  # margin stamps, turned heads of tables: after the rest
    for number, run in enumerate(turned, start=len(rows)):
        rows += rows_in([run], number)
    return rows


def rows_of_plain(text: str, size: float) -> list[Row]:
    """Rows for text that came without geometry: one under the other, indented as its spaces say."""
    lines = text.splitlines()
    letter, step = 0.5 * size, 1.2 * size
    rows = []
    for number, line in enumerate(lines):
        if stripped := clean(line.strip()):
            left = (len(line) - len(line.lstrip())) * letter
            top = (len(lines) - number) * step
            cell = Cell(stripped, left, left + len(stripped) * letter)
            rows.append(Row((cell,), left, top - size, cell.right, top, size, False, False))
    return rows


# ---------------------------------------------------------------- characters to words


def read_words(textpage: raw.FPDF_TEXTPAGE, characters: int) -> Iterator[Word]:
    """Only a word's first and last character are asked for their boxes: the calls into PDFium are what it costs."""
    count = min(raw.FPDFText_CountChars(textpage), characters)
    codes = [raw.FPDFText_GetUnicode(textpage, index) for index in range(count)]
    spans = list(_word_spans(codes))
    matrices = [_matrix(textpage, start) for start, _ in spans]
    quarters = [_quarter(matrix) for matrix in matrices]
    main = statistics.mode(quarters) if quarters else 0
    box = raw.FS_RECTF()
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    for (start, end), matrix, quarter in zip(spans, matrices, quarters, strict=True):
        text = clean(_decode(codes[start:end]))
        if not text:
            continue
        raw.FPDFText_GetLooseCharBox(textpage, start, box)
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        if end - start > 1:
            raw.FPDFText_GetLooseCharBox(textpage, end - 1, box)
            left, bottom = min(left, box.left), min(bottom, box.bottom)
            right, top = max(right, box.right), max(top, box.top)
        left, bottom, right, top = _level(left, bottom, right, top, quarter)
        size = raw.FPDFText_GetFontSize(textpage, start) * math.hypot(*matrix[2:])
        if not 0.4 * (top - bottom) < size < 2.5 * (top - bottom):  # fonts that lie about their size: ask the box
            size = top - bottom
        raw.FPDFText_GetFontInfo(textpage, start, name, 128, flags)
        bold, mono = _style(name.value)
        bold = bold or raw.FPDFText_GetFontWeight(textpage, start) >= 600
        yield Word(text, left, bottom, right, top, size, bold, mono, quarter != main)


def _matrix(textpage: raw.FPDF_TEXTPAGE, index: int) -> tuple[float, float, float, float]:
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(textpage, index, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d


def _quarter(matrix: tuple[float, float, float, float]) -> int:
    """Which way text runs, in quarter turns: 0 to the right, 1 down, 2 to the left, 3 up."""
    a, _, c, _ = matrix
    return 0 if c == 0 <= a else round(math.atan2(c, a) / math.tau * 4) % 4


def clean(text: str) -> str:
    """Ligatures spelt out, hyphens of line ends as hyphens, control characters gone."""
    if text.isascii() and text.isprintable():
        return text
    for mark in HYPHENS:
        text = text.replace(mark, "-")
    text = unicodedata.normalize("NFKC", text) if LIGATURE.search(text) else text
    return "".join(letter for letter in text if letter >= " " and letter not in INVISIBLE)


def _word_spans(codes: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = -1
    for index, code in enumerate(codes):
        if code in (32, 13, 10, 9, 160, 0x3000):
            if start >= 0:
                yield start, index
            start = -1
        elif start < 0:
            start = index
        elif code in LINE_END and start >= 0:  # what follows stands on the next line
            yield start, index + 1
            start = -1
    if start >= 0:
        yield start, len(codes)


def _decode(codes: Sequence[int]) -> str:
    """PDFium counts in UTF-16 units on some platforms: pairs are put together again."""
    return (
        b"".join(code.to_bytes(2, "little") for code in codes if code < 0x10000).decode("utf-16-le", "replace")
        if any(0xD800 <= code < 0xE000 for code in codes)
        else "".join(map(chr, codes))
    )


def _level(left: float, bottom: float, right: float, top: float, quarter: int) -> tuple[float, float, float, float]:
    """The box after turning text that runs down (1), upside down (2) or up (3) to run from left to right."""
    if quarter == 1:
        return -top, left, -bottom, right
    if quarter == 2:
        return -right, -top, -left, -bottom
    if quarter == 3:
        return bottom, -right, top, -left
    return left, bottom, right, top


@cache
def _style(font: bytes) -> tuple[bool, bool]:
    name = font.decode("utf-8", "replace")
    return bool(BOLD_NAME.search(name)), bool(MONO_NAME.search(name))


# ---------------------------------------------------------------- words to runs


def join_runs(words: Iterable[Word]) -> Iterator[TextRun]:
    """Words in drawing order that stand closely side by side become one run."""
    held: list[Word] = []
    for word in words:
        if held and not (_follows(held[-1], word) or _stands_below(held, word)):
            yield _run(held)
            held = []
        held.append(word)
    if held:
        yield _run(held)


def _follows(before: Word, word: Word) -> bool:
    if before.turned != word.turned or not _same_line(before, word):
        return False
    gap = word.left - before.right
    if RIGHT_TO_LEFT.search(word.text) and RIGHT_TO_LEFT.search(before.text):
        gap = before.left - word.right
    em = min(before.size, word.size)
    return -0.5 * em <= gap <= CELL_GAP * em


def _stands_below(held: Sequence[Word], word: Word) -> bool:
    """Vertical Chinese or Japanese: single characters under each other."""
    before = held[-1]
    return (
        len(word.text) == 1 == len(before.text)
        and bool(WIDE_SCRIPT.match(word.text) and WIDE_SCRIPT.match(before.text))
        and abs(word.left - before.left) < 0.3 * word.size
        and 0 <= before.bottom - word.top + 0.5 * word.size <= 1.5 * word.size
    )


def _same_line(one: Word | TextRun | Row, other: Word | TextRun) -> bool:
    overlap = min(one.top, other.top) - max(one.bottom, other.bottom)
    return overlap >= 0.5 * min(one.top - one.bottom, other.top - other.bottom)


def _run(words: Sequence[Word]) -> TextRun:
    text = words[0].text
    for before, word in pairwise(words):
        gap = max(word.left - before.right, before.left - word.right)
        wide = WIDE_SCRIPT.match(word.text) and WIDE_SCRIPT.match(before.text[-1])
        text += word.text if wide and gap < 0.5 * word.size else " " + word.text
    largest = max(words, key=lambda word: len(word.text))
    weight = sum(len(word.text) for word in words)
    return TextRun(
        text,
        min(word.left for word in words),
        min(word.bottom for word in words),
        max(word.right for word in words),
        max(word.top for word in words),
        largest.size,
        sum(len(word.text) for word in words if word.bold) * 2 > weight,
        sum(len(word.text) for word in words if word.mono) * 2 > weight,
        words[0].turned,
    )


# ---------------------------------------------------------------- runs to columns


def columns_of(runs: list[TextRun], depth: int = 0) -> list[list[TextRun]]:
    """The runs of each column, columns in reading order; what crosses a gutter (a title, a wide figure) divides
    the columns into what stands above it and what stands below it."""
    gutter = _gutter(runs) if depth < 3 and len(runs) >= 8 else None
    if gutter is None:
        return [runs] if runs else []
    columns: list[list[TextRun]] = []
    for crossing, band in _bands(runs, gutter):
        if crossing:
            columns.append(band)
            continue
        columns += columns_of([run for run in band if run.right <= gutter], depth + 1)
        columns += columns_of([run for run in band if run.right > gutter], depth + 1)
    return columns


def _bands(runs: list[TextRun], gutter: float) -> list[tuple[bool, list[TextRun]]]:
    bands: list[tuple[bool, list[TextRun]]] = []
    for run in sorted(runs, key=lambda run: (-run.top, run.left)):
        crossing = run.left < gutter < run.right
        if not bands or bands[-1][0] != crossing:
            bands.append((crossing, []))
        bands[-1][1].append(run)
    return bands


def _gutter(runs: list[TextRun]) -> float | None:
    """The x with the least text across it, if prose stands on both sides of it."""
    left, right = min(run.left for run in runs), max(run.right for run in runs)
    if right - left < 100:
        return None
    step = max((right - left) / 200, 1.0)
    crossings = _crossings(runs, left, step, int((right - left) / step) + 1)
    low, high = int(len(crossings) * 0.2), int(len(crossings) * 0.8)
    fewest = min(crossings[low:high], default=0)
    letters = sum(len(run.text) for run in runs)
    if fewest > 0.25 * letters:
        return None
    for start, end in sorted(_segments(crossings, low, high, fewest + 0.01 * letters), key=lambda at: at[0] - at[1])[:5]:
        gutter = left + (start + end + 1) / 2 * step
        if _prose_on_both_sides(runs, gutter, left, right):
            return gutter
    return None


def _crossings(runs: list[TextRun], left: float, step: float, size: int) -> list[int]:
    changes = [0] * (size + 1)
    for run in runs:
        changes[max(0, int((run.left - left) / step))] += len(run.text)
        changes[min(size, int((run.right - left) / step) + 1)] -= len(run.text)
    return list(accumulate(changes[:size]))


def _segments(crossings: list[int], low: int, high: int, most: float) -> Iterator[tuple[int, int]]:
    """Neighbouring positions that hardly any text crosses."""
    start = None
    for index in range(low, high + 1):
        free = index < high and crossings[index] <= most
        if free and start is None:
            start = index
        elif not free and start is not None:
            yield start, index - 1
            start = None


def _prose_on_both_sides(runs: list[TextRun], gutter: float, left: float, right: float) -> bool:
    sides = [run for run in runs if run.right <= gutter], [run for run in runs if run.left >= gutter]
    widths = gutter - left, right - gutter
    if all(_is_prose(side, width) for side, width in zip(sides, widths, strict=True)):
        return True
    lengths = [sorted(_length(run.text) for run in side) for side in sides]
    if min(map(len, lengths)) < 4 or min(statistics.median(side) for side in lengths) < 12:
        return False
    return _drawn_by_column(runs, gutter)


def _is_prose(side: list[TextRun], width: float) -> bool:
    """Most of the text is in long runs that fill the column, or, in one that is itself columns, a third of it."""
    prose = [run for run in side if _length(run.text) >= 20]
    if len(prose) < 4 or sum(len(run.text) for run in prose) * 2 < sum(len(run.text) for run in side):
        return False
    widths = sorted(run.right - run.left for run in prose)
    return widths[len(widths) // 2] >= 0.28 * width and widths[-max(1, len(widths) // 4)] >= 0.4 * width


def _length(text: str) -> int:
    return len(text) + len(WIDE_SCRIPT.findall(text))


def _drawn_by_column(runs: list[TextRun], gutter: float) -> bool:
    """Whether the producer drew one side after the other: tables are drawn row by row."""
    sides = [run.left >= gutter for run in runs if not run.left < gutter < run.right]
    changes = sum(one != other for one, other in pairwise(sides))
    return changes <= max(2, 0.1 * len(sides))


# ---------------------------------------------------------------- runs to rows


def rows_in(runs: Sequence[TextRun], column: int) -> list[Row]:
    """The lines of one column from top to bottom, each with its cells from left to right."""
    lines: list[list[TextRun]] = []
    for run in sorted(runs, key=lambda run: -(run.top + run.bottom)):
        for line in lines[-3:]:
            if any(_same_line(other, run) for other in line[:1]):
                line.append(run)
                break
        else:
            lines.append([run])
    return [_row(line, column) for line in lines]


def _row(line: list[TextRun], column: int) -> Row:
    line = sorted((run for run in line if not ONLY_LEADERS.fullmatch(run.text)), key=lambda run: run.left) or line
    if sum(bool(RIGHT_TO_LEFT.search(run.text)) for run in line) * 2 > len(line):
        line.reverse()
    cells: list[Cell] = []
    for run in line:
        gap = max(run.left - cells[-1].right, cells[-1].left - run.right) if cells else math.inf
        if gap > CELL_GAP * run.size:
            cells.append(Cell(run.text, run.left, run.right))
        else:
            last = cells[-1]
            space = "" if gap < 0.08 * run.size else " "
            cells[-1] = Cell(last.text + space + run.text, min(last.left, run.left), max(last.right, run.right))
    main = max(line, key=lambda run: len(run.text))
    return Row(
        tuple(replace(cell, text=LEADERS.sub(LEADER, cell.text)) for cell in cells),
        min(run.left for run in line),
        min(run.bottom for run in line),
        max(run.right for run in line),
        max(run.top for run in line),
        main.size,
        all(run.bold for run in line),
        all(run.mono for run in line),
        column,
    )
