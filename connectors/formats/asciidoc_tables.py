"""Tables of AsciiDoc as pipe tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_COLUMNS = 200

_CELL = re.compile(r"(?:(?<=\s)|\A)(?:\d{1,3}(?:\.\d{1,3})?[+*]|\.\d{1,3}\+)?[<^>.]{0,3}[aehlmsdv]?(?<!\\)\|")
_COLUMNS = re.compile(r"cols\s{0,3}=\s{0,3}[\"']?([^\"'\]]{1,300})")
_REPEATED = re.compile(r"(\d{1,3})\*")
_HEADED = re.compile(r"%[\w%]{0,40}header|options\s{0,3}=\s{0,3}[\"'][^\"']{0,60}header|\bheader\b")


def table(lines: Sequence[str], style: str) -> list[str]:
    """The rows between two lines of `|===`, `style` is what stands in brackets above: never more lines than there were."""
    first = next((line for line in lines if line.strip()), "")
    columns = _columns(style) or len(_cells(first))
    if columns == 1 and not _columns(style):
        columns = _in_group(lines)
    if not columns:  # of commas, or of something else
        return [line.strip() for line in lines if line.strip()]
    cells: list[str] = []
    for line in lines:
        before, *found = _CELL.split(line)
        if cells and before.strip():
            cells[-1] = f"{cells[-1]} {before.strip()}".strip()  # a cell goes on
        elif before.strip():
            cells.append(before.strip())
        cells += map(_in_cell, found)
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    shown = [f"| {' | '.join(row)} |" for row in rows if any(row)]
    if shown and (_HEADED.search(style) or _has_header(lines, columns)):
        shown.insert(1, f"|{' --- |' * columns}")
    return shown


def _cells(line: str) -> list[str]:
    if "|" not in line:
        return []
    return [_in_cell(cell) for cell in _CELL.split(line)[1:]]


def _in_cell(cell: str) -> str:
    return cell.strip().replace("\\|", "/")


def _columns(style: str) -> int:
    match = _COLUMNS.search(style)
    if match is None:
        return 0
    repeated = _REPEATED.match(match[1].strip())
    return min(int(repeated[1]) if repeated else match[1].count(",") + 1, MOST_COLUMNS)


def _in_group(lines: Sequence[str]) -> int:
    """How many lines stand together at the beginning: one cell on each."""
    count = 0
    for line in lines:
        if line.strip():
            count += 1
        elif count:
            break
    return min(count, MOST_COLUMNS)


def _has_header(lines: Sequence[str], columns: int) -> bool:
    """Whether a blank line stands below a first line that has a whole row."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if not filled or filled[0] + 1 >= len(lines):
        return False
    return len(_cells(lines[filled[0]])) == columns and not lines[filled[0] + 1].strip()
