"""OpenDocument texts, sheets and presentations (.odt, .ods, .odp, and the flat .fodt).

lxml on content.xml: odfpy needs 2.6 times as long only to load a text of 900 kB as this to convert it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from connectors.base import Locator, Section
from connectors.formats.flow import Flow
from connectors.formats.grid import fill_merged, pipe_tables, table_sections
from connectors.formats.package import PARSER, all_text, open_package, xml_part
from connectors.formats.parsed import Options, Parsed, Unreadable

NS = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "presentation": "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
}
MAX_REPEAT = 200  # of an empty or equal cell; a sheet's last cell is often "repeated" 16,000 times


def _q(name: str) -> str:
    prefix, local = name.split(":")
    return f"{{{NS[prefix]}}}{local}"


HEADING, PARAGRAPH, LIST, TABLE, SLIDE, TEXT_BOX = map(
    _q, ("text:h", "text:p", "text:list", "table:table", "draw:page", "draw:text-box")
)
NOTES = _q("presentation:notes")
EDGES = tuple(_q(f"style:{name}") for name in ("header", "header-left", "header-first", "footer", "footer-left", "footer-first"))
SKIPPED = frozenset(map(_q, ("text:tracked-changes", "text:note-citation", "office:annotation-end", "text:bookmark")))
COUNT = {_q("text:s"): " ", _q("text:tab"): "\t", _q("text:line-break"): "\n"}
LEVEL = _q("text:outline-level")


def read(name: str, data: bytes, options: Options) -> Parsed:
    if data.startswith(b"PK"):
        with open_package(data, options) as archive:
            manifest = archive.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in archive.namelist() else b""
            if b"encryption-data" in manifest:
                raise Unreadable(
                    "encrypted", "This file is protected with a password. Save a copy without a password to have it read."
                )
            content, meta = xml_part(archive, "content.xml"), xml_part(archive, "meta.xml")
            styles = xml_part(archive, "styles.xml")
    else:
        content = meta = styles = etree.fromstring(data, PARSER)
    if content is None:
        raise Unreadable("damaged", "This OpenDocument file has no content part. Open it in its program and save it again.")
    body = content.find(f".//{_q('office:body')}")
    kind, sections, first = _body(body if body is not None else content, options)
    title = _meta(meta, "dc:title") or first
    author = _meta(meta, "dc:creator") or _meta(meta, "meta:initial-creator")
    return Parsed(kind, (*sections, *_edges(styles)), title, {"author": author} if author else {})


def _edges(styles: etree._Element | None) -> tuple[Section, ...]:
    """The headers and footers of the pages, each once."""
    flow = Flow(Locator(heading=("Header and footer",), part="header and footer"))
    edges = styles.iter(*EDGES) if styles is not None else ()
    lines = (text_of(node).strip() for edge in edges for node in edge.iter(PARAGRAPH, HEADING))
    for line in dict.fromkeys(lines):
        flow.block("" if line.isdigit() else line)
    return flow.sections()


def _body(body: etree._Element, options: Options) -> tuple[str, tuple[Section, ...], str]:
    if body.find(_q("office:spreadsheet")) is not None:
        return "ods", tuple(_sheets(body)), ""
    if body.find(_q("office:presentation")) is not None:
        sections = tuple(_slides(body))
        return "odp", sections, sections[0].locator.heading[0] if sections and sections[0].locator.heading else ""
    flow = Flow()
    _fill(flow, body)
    return "odt", flow.sections(), flow.first_heading


def _fill(flow: Flow, parent: etree._Element) -> None:
    for node in parent:
        if node.tag in SKIPPED:
            continue
        if node.tag == HEADING:
            level = node.get(LEVEL, "1")
            flow.heading(int(level) if level.isdigit() else 1, text_of(node))
        elif node.tag == PARAGRAPH:
            flow.block(text_of(node).strip())
            for box in node.iter(TEXT_BOX):
                _fill(flow, box)
        elif node.tag == LIST:
            flow.block("\n".join(_items(node, 0)))
        elif node.tag == TABLE:
            for table in pipe_tables(row for _, row in _rows(node)):
                flow.block(table)
        elif len(node):
            _fill(flow, node)


def _items(node: etree._Element, depth: int) -> Iterator[str]:
    for item in node:
        for child in item:
            if child.tag == LIST:
                yield from _items(child, depth + 1)
            elif child.tag in (PARAGRAPH, HEADING) and (text := text_of(child).strip()):
                yield f"{'  ' * depth}- {text}"


def text_of(node: etree._Element) -> str:
    """The text of a paragraph with its notes in brackets; text boxes are blocks of their own."""
    parts = [node.text or ""]
    for child in node:
        if child.tag in COUNT:
            count = child.get(_q("text:c"), "1")
            parts.append(COUNT[child.tag] * (min(int(count), 1000) if count.isdigit() else 1))
        elif child.tag == _q("text:note"):
            parts.append(f" [{' '.join(text_of(child).split())}]")
        elif child.tag == _q("office:annotation"):
            parts.append(f" [Comment: {' '.join(text_of(child).split())}]")
        elif child.tag not in SKIPPED and child.tag != TEXT_BOX and isinstance(child.tag, str):
            parts.append(text_of(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _rows(table: etree._Element) -> list[tuple[int, list[str]]]:
    """The rows that hold something, with their numbers."""
    rows: list[tuple[int, list[str]]] = []
    merged: dict[int, dict[int, int]] = {}
    number = 0
    for row in table.iter(_q("table:table-row")):
        cells: list[str] = []
        for cell in row.iterchildren(_q("table:table-cell"), _q("table:covered-table-cell")):
            if (down := _repeat(cell, "table:number-rows-spanned")) > 1:
                merged.setdefault(number + 1, {})[len(cells)] = number + down
            text = "\n".join(text_of(node).strip() for node in cell.iter(PARAGRAPH, HEADING))
            cells.extend([text] * _repeat(cell, "table:number-columns-repeated"))
        while cells and not cells[-1]:
            cells.pop()
        for _ in range(_repeat(row, "table:number-rows-repeated")):
            number += 1
            if cells:
                rows.append((number, list(cells)))
    fill_merged(rows, merged)
    return rows


def _repeat(node: etree._Element, name: str) -> int:
    value = node.get(_q(name), "1")
    return min(int(value), MAX_REPEAT) if value.isdigit() else 1


def _sheets(body: etree._Element) -> Iterator[Section]:
    for table in body.iter(TABLE):
        locator = Locator(sheet=table.get(_q("table:name"), ""))
        yield from table_sections(_rows(table), locator)
        for shapes in table.iterchildren(_q("table:shapes")):
            lines = (text_of(node).strip() for node in shapes.iter(PARAGRAPH))
            if text := "\n".join(filter(None, lines)):
                yield Section(text, locator)


def _slides(body: etree._Element) -> Iterator[Section]:
    for number, slide in enumerate(body.iter(SLIDE), 1):
        frames = [(frame.get(_q("presentation:class"), ""), frame) for frame in slide.iter(_q("draw:frame"))]
        title = next((" ".join(all_text(frame).split()) for word, frame in frames if word == "title"), "")
        flow = Flow(Locator(heading=(title,) if title else (), slide=number))
        for word, frame in frames:
            if word != "title" and not any(ancestor.tag == NOTES for ancestor in frame.iterancestors()):
                _fill(flow, frame)
        for node in slide.iter(PARAGRAPH):  # of shapes without a frame, and comments
            if not any(ancestor.tag in (NOTES, _q("draw:frame")) for ancestor in node.iterancestors()):
                flow.block(text_of(node).strip())
        yield from flow.sections() or ((Section("", Locator(heading=(title,), slide=number)),) if title else ())
        notes = Flow(Locator(heading=(*((title,) if title else ()), "Notes"), slide=number, part="notes"))
        for node in slide.iter(NOTES):
            _fill(notes, node)
        yield from notes.sections()


def _meta(meta: etree._Element | None, name: str) -> str:
    return " ".join((meta.findtext(f".//{_q(name)}") or "").split()) if meta is not None else ""
