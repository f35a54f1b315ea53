"""The tables of reStructuredText as pipe tables: between rules, in a grid, as a list and as comma-separated values."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

RULE = re.compile(r"=+(?: +=+)+[ \t]*\Z")
GRID = re.compile(r"\+[-=+]{3,}\+[ \t]*\Z")
_ENTRY = re.compile(r"(?P<indent>[ \t]*)(?P<row>\*|-)(?P<first>[ \t]+-(?=[ \t]|\Z))?(?:[ \t]+|\Z)(?P<said>.*)")
MOST_ROWS = 5_000


def between_rules(lines: Sequence[str]) -> list[str]:
    """A table whose columns are the runs of "=" in its first line. A row without a first cell goes on with the one before."""
    columns = [match.span() for match in re.finditer("=+", lines[0])]
    spans = [(start, columns[at + 1][0] if at + 1 < len(columns) else 10_000) for at, (start, _) in enumerate(columns)]
    rows: list[list[str]] = []
    header = 0
    for line in lines[1:-1]:
        if RULE.match(line):
            header = header or len(rows)
        elif line.strip() and not re.match(r"-+(?: +-+)*\s*\Z", line):
            cells = [line[start:end].strip() for start, end in spans]
            if rows and not cells[0] and len(rows) != header:
                rows[-1] = [f"{above} {cell}".strip() for above, cell in zip(rows[-1], cells, strict=True)]
            else:
                rows.append(cells)
    return _piped(rows, header)


def in_grid(lines: Sequence[str]) -> list[str]:
    """A table drawn with "+", "-" and "|"; as it is where its cells span columns or rows."""
    edges = [at for at, mark in enumerate(lines[0].rstrip()) if mark == "+"]
    rows: list[list[str]] = []
    header, is_new = 0, True
    for line in lines[1:]:
        bare = line.rstrip()
        if len(bare) <= edges[-1] or any(bare[at] not in "+|" for at in edges):
            return list(lines)
        if GRID.match(bare):
            header = len(rows) if "=" in bare and not header else header
            is_new = True
            continue
        if "+" in (bare[edges[0]], bare[edges[-1]]):
            return list(lines)
        cells = [bare[start + 1 : end].strip() for start, end in zip(edges, edges[1:], strict=False)]
        if is_new:
            rows.append(cells)
        else:
            rows[-1] = [f"{above} {cell}".strip() for above, cell in zip(rows[-1], cells, strict=True)]
        is_new = False
    return _piped(rows, header)


def as_list(lines: Sequence[str], header: int) -> list[str]:
    """The rows of a "list-table"."""
    rows: list[list[str]] = []
    margin = next((len(line) - len(line.lstrip()) for line in lines if line.strip()), 0)
    for line in lines:
        entry = _ENTRY.match(line)
        depth = len(entry["indent"]) - margin if entry else -1
        if entry and depth == 0 and entry["first"]:
            rows.append([entry["said"].strip()])
        elif entry and rows and 0 < depth <= 3 and entry["row"] == "-":
            rows[-1].append(entry["said"].strip())
        elif rows and line.strip():
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}".strip()
    return _piped(rows, header)


def separated(lines: Sequence[str], names: str, header: int) -> list[str]:
    """The rows of a "csv-table"; `names`: of its columns, as a line of their own."""
    try:
        rows = list(
            csv.reader([*([names] if names else []), *(line.strip() for line in lines if line.strip())], skipinitialspace=True)
        )
    except csv.Error:
        return list(lines)
    return _piped(rows, 1 if names else header)


def _piped(rows: list[list[str]], header: int) -> list[str]:
    wide = max(map(len, rows), default=0)
    made = []
    for number, row in enumerate(rows[:MOST_ROWS], 1):
        cells = [re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in [*row, *[""] * (wide - len(row))]]
        made.append(f"| {' | '.join(cells)} |")
        if number == header:
            made.append("|" + " --- |" * wide)
    return made
