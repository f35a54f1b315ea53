"""Rows of cells as text: pipe tables where they are narrow; where they are wide a table of what is short, and each as a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from connectors.base import Locator, Section

Row = Sequence[str]
TABLE_CHARACTERS = 4_000  # of one piece of a table; the header row is repeated in each
WIDE_ROW = 500  # characters from which a row is easier to read as a record
MANY_COLUMNS = 24
NAME_CHARACTERS = 100
SHORT_CELL = 100  # characters of the longest cell of a column, for it to stand in the table ahead of wide rows
_NUMBER = re.compile(r"[-+]?\d[\d.,' ]*[%€$£]?|\d{4}-\d\d-\d\d")
MOST_NAME_WORDS = 4  # in the first cell of a row of which nothing else is filled
NOTED_COLUMNS = 3  # from which a line of prose below the last row is told from a row
_COMMENT = re.compile(
    r"(?:#+|//+) +(?:[^\W\d]|\S+(?: +\S+){3})|(?:notes?|nb|n\.b\.|remarks?|legend|hinweise?|anmerkungen?|remarques?)\b *: *\S",
    re.IGNORECASE,
)
_VALUE = re.compile(  # a day, a time or a number, which no header is: "Thu 14 Jan", "8 - 12 Feb", "2026-03-01", "16.30"
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,? )?\d{1,2}(?:st|nd|rd|th|\.)?(?: ?[-–] ?\d{1,2}\.?)? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]{0,6}\.?(?: \d{4})?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[.:]\d\d(?: ?[-–] ?\d{1,2}[.:]\d\d)?(?: ?[ap]m)?|\d+(?:[.,]\d+)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def pipe_tables(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as pipe tables of a bounded size, the first row as the header of each."""
    tidy = without_empty_columns([row for row in rows if any(cell.strip() for cell in row)])
    if not tidy:
        return
    if len(tidy[0]) == 1:
        yield "\n\n".join(row[0].strip() for row in tidy)
        return
    header, body = tidy[0], tidy[1:]
    head = f"{_line(header)}\n|{' --- |' * len(header)}"
    lines = [_line(row) for row in body]
    for start, end in _cuts(lines, TABLE_CHARACTERS - len(head)):
        yield "\n".join((head, *lines[start:end]))


def is_without_header(rows: Sequence[Row]) -> bool:
    """Whether the first row is one like the others: it has a day, a time or a number where at least half of the others have one too."""
    first, *others = rows or [[]]
    columns = [at for at, cell in enumerate(first) if _VALUE.fullmatch(cell.strip()) and not _YEAR.fullmatch(cell.strip())]
    alike = (sum(at < len(row) and _VALUE.fullmatch(row[at].strip()) is not None for row in others) for at in columns)
    return any(2 * some >= len(others) > 0 for some in alike)


def table_sections(rows: Sequence[tuple[int, Row]], locator: Locator, word: str = "row") -> Iterator[Section]:
    """Numbered rows, the first of them the header, as sections with the numbers in the locator's part."""
    if not rows:
        return
    captions, rows = _captions(rows)
    notes, rows = _notes(rows)
    if captions:
        yield Section("\n".join(captions), locator)
    yield from _table(rows, locator, word)
    if notes:
        first, last = notes[0][0], notes[-1][0]
        yield Section("\n\n".join(text for _, text in notes), replace(locator, part=_part(word, first, last)))


def _table(rows: Sequence[tuple[int, Row]], locator: Locator, word: str) -> Iterator[Section]:
    header = [cell.strip() for cell in rows[0][1]]
    body = rows[1:]
    if not body:
        yield Section("\n".join(cell for cell in header if cell), locator)
        return
    average = sum(sum(map(len, row)) for _, row in body) / len(body)
    if average > WIDE_ROW or len(header) > MANY_COLUMNS:
        yield from _short_columns(header, body, locator, word)
        for number, row in body:
            name = next((cell.strip() for cell in row if cell.strip()), "")[:NAME_CHARACTERS]
            heading = (*locator.heading, " ".join(name.split())) if name else locator.heading
            yield Section(record(header, row), replace(locator, heading=heading, part=f"{word} {number}"), "plain")
        return
    yield from _pieces(header, body, locator, word)


def _short_columns(header: Row, body: Sequence[tuple[int, Row]], locator: Locator, word: str) -> Iterator[Section]:
    """A table of what is short in wide rows, ahead of the rows themselves: by it they are counted and told apart."""
    widths = [max((len(row[at].strip()) for _, row in body if at < len(row)), default=0) for at in range(len(header))]
    short = [at for at, width in enumerate(widths) if 0 < width <= SHORT_CELL and header[at]][:MANY_COLUMNS]
    if len(short) < 2 or len(body) < 2:
        return
    rows = [(number, [row[at] if at < len(row) else "" for at in short]) for number, row in body]
    yield from _pieces([header[at] for at in short], rows, locator, word)


def fill_merged(rows: list[tuple[int, list[str]]], merged: Mapping[int, Mapping[int, int]]) -> None:
    """Repeats what stands in a cell of several rows in each of them, so that every row says what it is about.

    `merged` has by the number of a row, and there by the column from 0, the number of the last row that a cell spans.
    """
    held: dict[int, tuple[int, str]] = {}  # by column: until which row, and what it says
    for number, row in rows:
        for column, (last, text) in list(held.items()):
            if number > last:
                del held[column]
                continue
            row.extend([""] * (column + 1 - len(row)))
            row[column] = row[column] or text
        for column, last in merged.get(number, {}).items():
            if column < len(row):
                held[column] = (last, row[column])


def _captions(rows: Sequence[tuple[int, Row]]) -> tuple[list[str], Sequence[tuple[int, Row]]]:
    """Rows of a single cell above a table of several columns are its captions, where a header can stand below them."""
    captions = []
    while len(rows) > 2 and _filled(rows[0]) == 1 < max(map(_filled, rows[1:20])) and not _has_numbers(rows[1]):
        captions.append(next(cell.strip() for cell in rows[0][1] if cell.strip()))
        rows = rows[1:]
    return captions, rows


def _notes(rows: Sequence[tuple[int, Row]]) -> tuple[list[tuple[int, str]], Sequence[tuple[int, Row]]]:
    """What is no row of a table, with the numbers of its lines: comments ("# all prices are net"), and notes below the last row."""
    if len(rows[0][1]) < 2:
        return [], rows
    width, end = _filled(rows[0]), len(rows)
    has_prose = width >= NOTED_COLUMNS
    while end > 2 and (_is_comment(rows[end - 1], width) or (has_prose and _is_prose(rows[end - 1]))):
        end -= 1
    while end < len(rows) and not (_is_comment(rows[end], width) or rows[end][0] > rows[end - 1][0] + 1):
        end += 1  # prose right below the rows may be one of them
    notes = [row for at, row in enumerate(rows) if at and (at >= end or _is_comment(row, width))]
    noted = {number for number, _ in notes}
    kept = [row for row in rows if row[0] not in noted]
    return [(number, ", ".join(cell.strip() for cell in row if cell.strip()).lstrip("#/ ")) for number, row in notes], kept


def _is_comment(row: tuple[int, Row], width: int) -> bool:
    """Whether a row is a line that says that it is a remark: commas may have cut it into cells, of which the first ones are filled,
    and not as many as the table has columns."""
    return (
        0 < _filled(row) < width
        and _COMMENT.match(row[1][0].strip()) is not None
        and all(cell.strip() for cell in row[1][: _filled(row)])
    )


def _is_prose(row: tuple[int, Row]) -> bool:
    """Whether a row is a line of some words in its first cell, and nothing else."""
    return _filled(row) == 1 and len(row[1][0].split()) > MOST_NAME_WORDS


def _has_numbers(row: tuple[int, Row]) -> bool:
    """Whether a row has numbers, as a header has only where it counts (1, 2, 3) or names years: else it is one of the table."""
    numbers = [cell.strip() for cell in row[1] if _NUMBER.fullmatch(cell.strip()) and not _YEAR.fullmatch(cell.strip())]
    first = int(numbers[0]) if numbers and numbers[0].isdecimal() else 0
    is_counting = len(numbers) > 2 and numbers == [str(first + at) for at in range(len(numbers))]
    return bool(numbers) and not is_counting


def _filled(row: tuple[int, Row]) -> int:
    return sum(bool(cell.strip()) for cell in row[1])


def _pieces(header: Row, body: Sequence[tuple[int, Row]], locator: Locator, word: str) -> Iterator[Section]:
    for start, end in _cuts([_line(row) for _, row in body], TABLE_CHARACTERS):
        yield _piece(header, body[start:end], locator, word)


def _piece(header: Row, piece: Sequence[tuple[int, Row]], locator: Locator, word: str) -> Section:
    text = "\n\n".join(pipe_tables([header, *(row for _, row in piece)]))
    return Section(text, replace(locator, part=_part(word, piece[0][0], piece[-1][0])))


def _part(word: str, first: int, last: int) -> str:
    return f"{word} {first}" if first == last else f"{word}s {first}-{last}"


def record(header: Row, row: Row) -> str:
    """One row as `header: value` lines."""
    names = [*header, *[""] * (len(row) - len(header))]
    pairs = ((name, value.strip()) for name, value in zip(names, row, strict=False) if value.strip())
    return "\n".join(f"{name}: {value}" if name else value for name, value in pairs)


def without_empty_columns(rows: list[Row]) -> list[list[str]]:
    """Rows of equal length, without columns in which no row has anything or that only continue their neighbour."""
    width = max((len(row) for row in rows), default=0)
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    columns = [column for column in zip(*full, strict=True) if any(cell.strip() for cell in column)]
    joined: list[tuple[str, ...]] = []
    for column in columns:
        if joined and _complete_each_other(joined[-1], column):
            joined[-1] = tuple(left or right for left, right in zip(joined[-1], column, strict=True))
        else:
            joined.append(column)
    return [list(row) for row in zip(*joined, strict=True)]


def _complete_each_other(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """A header over two columns of which one is only there for the looks."""
    if not left[0] or right[0] or len(left) < 2:
        return False
    return not any(left[1:]) or (not any(right[1:]))


def _line(row: Row) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) + " |"


def _cuts(lines: Sequence[str], limit: int) -> Iterator[tuple[int, int]]:
    """Where to cut rows into pieces of at most `limit` characters: each piece ends before the row of the smallest hash
    in its second half. So a row put in or taken out moves the cuts near it, and soon they are where they were."""
    start = 0
    while start < len(lines) or start == 0:
        end, size, candidates = start, 0, []
        while end < len(lines) and (end == start or size + len(lines[end]) <= limit):
            size += len(lines[end])
            end += 1
            if size >= limit / 2:
                candidates.append(end)
        if end < len(lines) and candidates:
            end = min(candidates, key=lambda at: (crc32(lines[at].encode("utf-8", "surrogatepass")), at))
        yield start, end
        if end >= len(lines):
            return
        start = end
