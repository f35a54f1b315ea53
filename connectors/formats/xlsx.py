"""Excel files: every sheet as tables with the saved results of formulas, the rows numbered as in Excel.

openpyxl (MIT) in its read-only mode, which streams rows with their numbers; pandas would sit on top of it.
"""

from __future__ import annotations

import datetime
import io
import warnings
from collections.abc import Iterator
from typing import Any

from openpyxl import load_workbook

from connectors.base import Locator, Problem, Section
from connectors.formats.grid import table_sections
from connectors.formats.package import open_package
from connectors.formats.parsed import Options, Parsed

MAX_COLUMNS = 500
EMPTY_ROWS = 10_000  # so many in a row, and what follows is formatting


def read(name: str, data: bytes, options: Options) -> Parsed:
    with open_package(data, options), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about extensions that openpyxl leaves out
        workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sections: list[Section] = []
        problems: list[Problem] = []
        left = options.max_cells
        for sheet in workbook.worksheets:
            rows, seen = _rows(sheet, left)
            left -= seen
            sections.extend(_sections(rows, Locator(sheet=sheet.title)))
            if left <= 0:
                words = f"Reading stopped in sheet “{sheet.title}”: the limit is {options.max_cells:,} cells."
                problems.append(Problem("limit", words))
                break
        properties = workbook.properties
        workbook.close()
    metadata = {"author": properties.creator} if properties.creator and properties.creator != "openpyxl" else {}
    return Parsed("xlsx", tuple(sections), (properties.title or "").strip(), metadata, tuple(problems))


def _rows(sheet: Any, cells: int) -> tuple[list[tuple[int, list[str]]], int]:
    """The rows that hold something, with their numbers, and how many cells were looked at."""
    if hasattr(sheet, "reset_dimensions"):
        sheet.reset_dimensions()  # what a file says about its size is often wrong
    rows: list[tuple[int, list[str]]] = []
    seen = empty = 0
    for number, values in enumerate(sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS), 1):
        row = [_text(value) for value in values]
        while row and not row[-1]:
            row.pop()
        seen += max(len(row), 1)
        empty = 0 if row else empty + 1
        if row:
            rows.append((number, row))
        if seen >= cells or empty > EMPTY_ROWS:
            break
    return rows, seen


def _sections(rows: list[tuple[int, list[str]]], locator: Locator) -> Iterator[Section]:
    """A sheet is cut into tables at its empty rows, where the parts are more than a line."""
    table: list[tuple[int, list[str]]] = []
    for number, row in rows:
        if table and number > table[-1][0] + 1 and (len(table) > 2 or number > table[-1][0] + 2):
            yield from table_sections(table, locator)
            table = []
        table.append((number, row))
    yield from table_sections(table, locator)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "minutes")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value).replace("_x000D_", "").strip()
