"""Excel files: every sheet as tables with the saved results of formulas, the rows numbered as in Excel.

openpyxl (MIT) in its read-only mode, which streams rows with their numbers; pandas would sit on top of it.
"""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.cell import column_index_from_string

from connectors.base import Locator, Problem, Section
from connectors.formats.grid import fill_merged, table_sections
from connectors.formats.package import PARSER, drawn_text, open_package, xml_part
from connectors.formats.parsed import Options, Parsed

MAX_EMPTY_ROWS = 2_000_000  # of all sheets: one has 1,048,576 rows at most


def read(name: str, data: bytes, options: Options) -> Parsed:
    with open_package(data, options) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about extensions that openpyxl leaves out
        workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sections: list[Section] = []
        problems: list[Problem] = []
        left, left_empty = options.max_cells, MAX_EMPTY_ROWS
        for sheet in workbook.worksheets:
            rows, seen, empty = _rows(sheet, left, left_empty)
            left -= seen
            left_empty -= empty
            fill_merged(rows, _merged_down(archive, sheet))
            sections.extend(_sections(rows, Locator(sheet=sheet.title)))
            sections.extend(_beside(archive, sheet))
            if left_empty <= 0:
                problems.append(
                    Problem("limit", f"Reading stopped in sheet “{sheet.title}” after {MAX_EMPTY_ROWS:,} empty rows.")
                )
                break
            if left <= 0:
                words = f"Reading stopped in sheet “{sheet.title}”: the limit is {options.max_cells:,} cells."
                problems.append(Problem("limit", words))
                break
        properties = workbook.properties
        workbook.close()
    metadata = {"author": properties.creator} if properties.creator and properties.creator != "openpyxl" else {}
    return Parsed("xlsx", tuple(sections), (properties.title or "").strip(), metadata, tuple(problems))


def _rows(sheet: Any, cells: int, most_empty: int) -> tuple[list[tuple[int, list[str]]], int, int]:
    """The rows that hold something, with their numbers; how many cells were looked at, and how many empty rows."""
    if hasattr(sheet, "reset_dimensions"):
        sheet.reset_dimensions()  # what a file says about its size is often wrong
    rows: list[tuple[int, list[str]]] = []
    seen = empty = 0
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        row = [_text(value) for value in values]
        while row and not row[-1]:
            row.pop()
        seen += len(row)
        empty += not row
        if row:
            rows.append((number, row))
        if seen >= cells or empty >= most_empty:
            break
    return rows, seen, empty


def _merged_down(archive: zipfile.ZipFile, sheet: Any) -> dict[int, dict[int, int]]:
    """Merged cells of several rows: by the number of the first row and the column (from 0), the number of the last row."""
    place = getattr(sheet, "_worksheet_path", "")
    found: dict[int, dict[int, int]] = {}
    if place not in archive.namelist():
        return found
    part = archive.read(place)
    start, end = part.rfind(b"<mergeCells"), part.rfind(b"</mergeCells>")
    ranges = re.finditer(rb'ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"', part[start:end] if 0 <= start < end else b"")
    for column, first, last in (match.groups() for match in ranges):
        if int(first) < int(last):
            found.setdefault(int(first), {})[column_index_from_string(column.decode()) - 1] = int(last)
    return found


def _beside(archive: zipfile.ZipFile, sheet: Any) -> Iterator[Section]:
    """Comments, text boxes, diagrams and charts of a sheet, and the header and footer of its printed pages."""
    place = getattr(sheet, "_worksheet_path", "")
    if place not in archive.namelist():
        return
    said: dict[str, list[str]] = {}
    for kind, target in _relations(archive, place):
        if kind in ("comments", "threadedComment"):
            said.setdefault("Comments", []).extend(_comments(archive.read(target)))
        elif kind == "drawing":
            lines = said.setdefault("Drawings and charts", [])
            lines.extend(drawn_text(archive.read(target)))
            for inner, chart in _relations(archive, target):
                if inner in ("chart", "diagramData"):
                    lines.extend(drawn_text(archive.read(chart)))
    said["Header and footer"] = _edges(archive.read(place))
    for title, lines in said.items():
        if lines:
            yield Section("\n".join(dict.fromkeys(lines)), Locator(heading=(title,), sheet=sheet.title, part=title.lower()))


def _relations(archive: zipfile.ZipFile, place: str) -> Iterator[tuple[str, str]]:
    """The kinds and places of the parts that a part refers to."""
    folder, name = posixpath.split(place)
    tree = xml_part(archive, f"{folder}/_rels/{name}.rels")
    for relation in tree if tree is not None else ():
        target = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
        if relation.get("TargetMode") != "External" and target in archive.namelist():
            yield relation.get("Type", "").rpartition("/")[2], target


def _comments(part: bytes) -> Iterator[str]:
    for comment in etree.fromstring(part, PARSER).iter("{*}comment", "{*}threadedComment"):
        nodes = comment.iter("{*}t", "{*}text")
        if words := " ".join("".join(node.text or "" for node in nodes).split()):
            yield f"{comment.get('ref', '')}: {words}"


def _edges(sheet: bytes) -> list[str]:
    """The header and footer of the printed pages, which stand near the end of a sheet's part."""
    start, end = sheet.rfind(b"<headerFooter"), sheet.rfind(b"</headerFooter>")
    if start < 0 or end < start:
        return []
    tree = etree.fromstring(sheet[start:end] + b"</headerFooter>", PARSER)
    said = (" ".join(re.sub(r'&(?:"[^"]*"|\d+|[A-Za-z])', " ", node.text or "").split()) for node in tree)
    return [words for words in dict.fromkeys(said) if words]


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
