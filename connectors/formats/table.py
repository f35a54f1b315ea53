"""CSV and its relatives: the delimiter is found, rows become pipe tables or records with their line numbers.

The csv module reads; its Sniffer does not choose the delimiter, because it fails on one column and on long texts.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from connectors.base import Locator, Problem, Section
from connectors.formats.encoding import lines_of
from connectors.formats.grid import table_sections
from connectors.formats.parsed import Options, Parsed

DELIMITERS = ",;\t|"
FIELD_CHARACTERS = 10_000_000
SAMPLE_ROWS = 50
MOST_LEAD = 5  # lines above the header
TOLD = re.compile(r"sep=(.)\s*", re.I)  # a first line for Excel


def read(name: str, data: bytes, options: Options) -> Parsed:
    csv.field_size_limit(FIELD_CHARACTERS)
    lines = lines_of(data, options)
    rows: list[tuple[int, list[str]]] = []
    problems: list[Problem] = []
    cells = 0
    for number, row in _rows(lines, delimiter(lines)):
        cells += len(row)
        if cells > options.max_cells:
            words = f"Only the first {len(rows):,} rows were read: the limit is {options.max_cells:,} cells."
            problems.append(Problem("limit", words))
            break
        rows.append((number, row))
    first = _header_at(rows)
    above = "\n".join(" · ".join(filter(None, map(str.strip, row))) for _, row in rows[:first])
    lead = (Section(above, Locator(lines=(rows[0][0], rows[first - 1][0])), "plain"),) if first else ()
    rows = rows[first:]
    sections = (*lead, *table_sections(rows, Locator(), "line"))
    return Parsed("table", sections, metadata={"rows": str(max(len(rows) - 1, 0))}, problems=tuple(problems))


def _header_at(rows: Sequence[tuple[int, list[str]]]) -> int:
    """Where the row is that names the columns, where lines of fewer cells stand above it: "Budget 2027;version 3;as of May"."""
    filled = [sum(bool(cell.strip()) for cell in row) for _, row in rows[:SAMPLE_ROWS]]
    usual = Counter(filled).most_common(1)[0][0] if filled else 0
    for at, (_, row) in enumerate(rows[:MOST_LEAD]):
        if filled[at] >= usual:
            is_header = not any(char.isdigit() for cell in row for char in cell) and len(rows) > at + 1
            are_apart = all(
                len(above) < len(row) or 2 * some <= usual for (_, above), some in zip(rows[:at], filled, strict=False)
            )
            return at if is_header and are_apart else 0  # a header may have an empty cell
    return 0


def delimiter(lines: list[str]) -> str:
    """The character that cuts the first rows into the most columns of the same number."""
    if lines and (told := TOLD.fullmatch(lines[0])):
        return told[1]
    return max(DELIMITERS, key=lambda mark: _regularity(lines, mark))


def _regularity(lines: list[str], mark: str) -> tuple[float, int]:
    counts = [len(row) for _, row in zip(range(SAMPLE_ROWS), (row for _, row in _rows(lines[:500], mark)), strict=False)]
    if not counts or counts[0] < 2:
        return (0.0, 0)
    return (sum(count == counts[0] for count in counts) / len(counts), counts[0])


def _rows(lines: list[str], mark: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold something, with the line on which each begins."""
    reader = csv.reader((line + "\n" for line in lines), delimiter=mark)
    first = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row) and not (first == 1 and TOLD.fullmatch(lines[0])):
                yield first, row
            first = reader.line_num + 1
    except csv.Error:
        for number, line in enumerate(lines[first - 1 :], first):
            if line.strip():
                yield number, line.split(mark)
