"""Tables of plain text whose columns are held apart by spaces alone, as in mails and notes, as pipe tables.

Such a block is read by its blank strips: the places that are empty in every one of its lines hold its columns apart, so that numbers
may stand at the right end of a column and a header above their middle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from connectors.formats.grid import is_without_header

FEWEST_ROWS = 3  # below the header, where no rule stands below it
FEWEST_RULED = 2  # the same, where one does
FEWEST_COLUMNS = 3  # the same; two columns are a table where they are headed and the second holds numbers
GAP = 2  # spaces, at least, between two columns
LONGEST_HEADER, LONGEST_LINE = 40, 200  # characters
MOST_LINES = 500  # of one table
_GAPPED = re.compile(r"\S {2,}\S")
_RULE = re.compile(r" *(?:[-=_]{2,}(?: +|$)){1,24}")
_CODE = re.compile(r"[{}<>;\\`|]|==|:=|->|=>|\$\(|^\s*(?:\$|#!|//|/\*)")
_LISTED = re.compile(r" *(?:[-*+•–] |\(?\d{1,2}[.)] )")
_DIGIT, _NUMBER = re.compile(r"\d"), re.compile(r"[€$£+-]? ?\d")
_LEADER = re.compile(r"\.{3,}")  # of a table of contents


def with_aligned_columns(lines: Sequence[str]) -> list[str]:
    """The same lines, with each such block as the rows of a pipe table: all of it in the place of its first line, the others empty, so
    that every line keeps its number."""
    found = list(lines)
    first = 0
    while first < len(lines):
        last = first
        while last < len(lines) and last - first < MOST_LINES and _may_be_row(lines[last], last > first):
            last += 1
        if last - first > FEWEST_RULED and (table := _table(lines[first:last])):
            is_below_text = first > 0 and lines[first - 1].strip() != ""
            found[first:last] = ["\n" * is_below_text + "\n".join(table), *[""] * (last - first - 1)]
        first = max(last, first + 1)
    return found


def _may_be_row(line: str, is_below: bool) -> bool:
    if not line.strip() or len(line) > LONGEST_LINE or "\t" in line or _CODE.search(line) or _LEADER.search(line):
        return False
    return _GAPPED.search(line) is not None or (is_below and _RULE.fullmatch(line.rstrip()) is not None)


def _table(lines: Sequence[str]) -> list[str]:
    """The lines of a pipe table; empty for lines that are none."""
    rules = [number for number, line in enumerate(lines) if _RULE.fullmatch(line.rstrip())]
    texts = [line.rstrip() for number, line in enumerate(lines) if number not in rules]
    is_ruled = 1 in rules
    columns = _columns(texts)
    rows = [[line[start:end].strip() for start, end in columns] for line in texts]
    if len(rows) - 1 < (FEWEST_RULED if is_ruled else FEWEST_ROWS) or len(columns) < 2 or any(map(_LISTED.match, texts[1:])):
        return []
    header, *body = rows
    if not is_ruled and (not _is_header(header, body) or is_without_header(rows)):
        return []
    if len(columns) < FEWEST_COLUMNS and not (is_ruled or all(_DIGIT.search(row[1]) for row in body)):
        return []  # a list of terms
    if 2 * sum(any("  " in cell for cell in row) for row in body) > len(body):
        return []  # the strips do not hold all columns apart
    if not all(header) or not all(row[0] for row in body) or any(2 * sum(map(bool, row)) < len(row) for row in body):
        return []
    return [_piped(header), f"|{' --- |' * len(header)}", *map(_piped, body)]


def _columns(lines: Sequence[str]) -> list[tuple[int, int]]:
    """[start, end) of the columns: what stands between the strips that are blank in all lines."""
    width = max(map(len, lines), default=0)
    filled = [any(at < len(line) and line[at] != " " for line in lines) for at in range(width)]
    found: list[tuple[int, int]] = []
    start, blank = -1, 0
    for at, is_filled in enumerate(filled):
        if is_filled:
            if start < 0 or blank >= GAP:
                found += [(start, at - blank)] if start >= 0 else []
                start = at
            blank = 0
        else:
            blank += 1
    return [*found, (start, width)] if start >= 0 else []


def _is_header(cells: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether each is short and begins with a letter, as what columns are called does, and one of them stands over numbers."""
    numbers = (sum(bool(_NUMBER.match(row[at])) for row in body) for at in range(len(cells)))
    return all(cell[:1].isalpha() and len(cell) <= LONGEST_HEADER for cell in cells) and any(
        2 * some > len(body) for some in numbers
    )


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
