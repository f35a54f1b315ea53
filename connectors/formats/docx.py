"""Word files: headings, paragraphs, lists, tables, comments, notes, headers and footers.

python-docx (MIT, maintained) opens the file and knows its styles and parts; the text of a paragraph is gathered here,
because its own leaves out inserted text, content controls, equations and text boxes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from lxml import etree

from connectors.base import Locator
from connectors.formats.flow import Flow, struck
from connectors.formats.grid import pipe_tables
from connectors.formats.package import PARSER, PICTURES, drawn_text, open_package
from connectors.formats.parsed import Options, Parsed

P, TBL, SDT, TR, TC = qn("w:p"), qn("w:tbl"), qn("w:sdt"), qn("w:tr"), qn("w:tc")
TEXT, MATH, HYPHEN = qn("w:t"), qn("m:t"), qn("w:noBreakHyphen")
TABS, BREAK = (qn("w:tab"), qn("w:ptab")), (qn("w:br"), qn("w:cr"))
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
TEXT_BOX = qn("w:txbxContent")
PICTURE = qn("wp:docPr")
RUN, STRUCK = qn("w:r"), (qn("w:strike"), qn("w:dstrike"))
STRIKE = "\ue002"  # a private character around what is crossed out, until its runs are put together
DELETED = (qn("w:del"), qn("w:moveFrom"), qn("w:delText"))
SKIPPED = frozenset((*DELETED, qn("w:instrText"), FALLBACK, qn("w:pPr"), qn("w:rPr"), TEXT_BOX))
WRAPPERS = frozenset((SDT, qn("w:sdtContent"), qn("w:ins"), qn("w:moveTo"), qn("w:customXml"), qn("w:smartTag")))
NOTES = (("footnotes", "Footnotes", qn("w:footnote")), ("endnotes", "Endnotes", qn("w:endnote")))


def read(name: str, data: bytes, options: Options) -> Parsed:
    with open_package(data, options):
        document = Document(io.BytesIO(data))
    flow = Flow()
    reader = _Reader(document, flow)
    reader.body(document.element.body)
    reader.flush()
    sections = list(flow.sections())
    for part, title, blocks in _edges(document, reader):
        extra = Flow(Locator(heading=(title,), part=part))
        for block in blocks:
            extra.block(block)
        sections.extend(extra.sections())
    properties = document.core_properties
    metadata = {"author": properties.author or "", "subject": properties.subject or ""}
    title = (properties.title or "").strip() or reader.title
    return Parsed("docx", tuple(sections), title, {key: value for key, value in metadata.items() if value})


class _Reader:
    """Walks the body and hands headings and blocks to the flow; list items are gathered into one list."""

    def __init__(self, document: WordDocument, flow: Flow) -> None:
        self.flow = flow
        self.title = ""
        self.items: list[str] = []
        self.levels = _heading_levels(document)
        self.numbered = _numbered_lists(document)
        self.list_styles = _list_styles(document)
        self.contents_styles = {  # a table of contents repeats the headings, with page numbers
            style.get(qn("w:styleId"), "")
            for style in document.styles.element.iter(qn("w:style"))
            if re.match(r"toc \d", (_value(style, "w:name") or "").lower())
        }

    def body(self, parent: etree._Element) -> None:
        for child in parent:
            if child.tag == P:
                self.paragraph(child)
            elif child.tag == TBL:
                self.flush()
                for table in pipe_tables(_grid(child)):
                    self.flow.block(table)
            elif child.tag in WRAPPERS:
                self.body(child)

    def paragraph(self, node: etree._Element) -> None:
        text = text_of(node).strip()
        style = _style_id(node)
        level = _outline_level(node, self.levels.get(style))
        for box in node.iter(TEXT_BOX):
            if not any(ancestor.tag == FALLBACK for ancestor in box.iterancestors()):
                self.body(box)
        for picture in node.iter(PICTURE):
            self.picture(picture)
        if not text or style in self.contents_styles:
            return
        if level is not None and len(text) < 300:
            self.flush()
            if level == 0 and not self.title:
                self.title = " ".join(text.split())
            self.flow.heading(level, text)
        elif (item := self._list_mark(node, style)) is not None:
            self.items.append(f"{item}{text.replace(chr(10), chr(10) + ' ' * len(item))}")
        else:
            self.flush()
            self.flow.block(text)

    def picture(self, node: etree._Element) -> None:
        """What is written of a picture."""
        words = " ".join((node.get("descr") or node.get("title") or "").split())
        if words and not words.lower().endswith(PICTURES):
            self.flush()
            self.flow.block(words)

    def flush(self) -> None:
        self.flow.block("\n".join(self.items))
        self.items = []

    def _list_mark(self, node: etree._Element, style: str) -> str | None:
        number = node.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        identity = level = None
        if number is not None:
            identity, level = _value(number, "w:numId"), _value(number, "w:ilvl")
        elif style in self.list_styles:
            identity, level = self.list_styles[style]
        if identity is None or identity == "0":
            return None
        depth = int(level) if level and level.isdigit() else 0
        return "   " * depth + ("1. " if self.numbered.get((identity, str(depth))) else "- ")


def text_of(node: etree._Element) -> str:
    """The visible text of a paragraph: what was inserted too, what was deleted not."""
    parts: list[str] = []
    waiting: list[etree._Element | str] = list(reversed(node))
    while waiting:
        child = waiting.pop()
        if isinstance(child, str):
            parts.append(child)
            continue
        if child.tag in SKIPPED:
            continue
        if child.tag == RUN and _is_struck(child):
            waiting.append(STRIKE)
            parts.append(STRIKE)
        if child.tag in (TEXT, MATH):
            parts.append(child.text or "")
        elif child.tag in TABS:
            parts.append("\t")
        elif child.tag in BREAK:
            parts.append("\n")
        elif child.tag == HYPHEN:
            parts.append("-")
        else:
            waiting.extend(reversed(child))
    return re.sub(f"{STRIKE}([^{STRIKE}]*){STRIKE}", lambda match: struck(match[1]), "".join(parts).replace(2 * STRIKE, ""))


def _is_struck(run: etree._Element) -> bool:
    """Whether a run of text is crossed out."""
    properties = run.find(qn("w:rPr"))
    marks = (properties.find(name) for name in STRUCK) if properties is not None else ()
    return any(mark is not None and mark.get(qn("w:val")) not in ("0", "false", "off") for mark in marks)


def _grid(table: etree._Element) -> Iterator[list[str]]:
    above: dict[int, str] = {}  # what cells say that go on in the row below, by column
    for row in _inside(table, TR):
        cells: list[str] = []
        for cell in _inside(row, TC):
            properties = cell.find(qn("w:tcPr"))
            span = _value(properties, "w:gridSpan") if properties is not None else None
            merged = properties.find(qn("w:vMerge")) if properties is not None else None
            text, column = _cell(cell), len(cells)
            if merged is None:
                above.pop(column, None)
            elif merged.get(qn("w:val")) == "restart":
                above[column] = text
            cells.append(text or above.get(column, ""))
            cells.extend([""] * (min(int(span), 100) - 1 if span and span.isdigit() else 0))
        yield cells


def _inside(node: etree._Element, tag: str) -> Iterator[etree._Element]:
    for child in node:
        if child.tag == tag:
            yield child
        elif child.tag in WRAPPERS:
            yield from _inside(child, tag)


def _cell(cell: etree._Element) -> str:
    """The text of a cell; a table within it as its cells, row by row."""
    texts: list[str] = []
    for node in cell:
        if node.tag == TBL:
            texts.extend("; ".join(filter(None, row)) for row in _grid(node))
        elif node.tag in WRAPPERS:
            texts.append(_cell(node))
        elif node.tag == P:
            texts.append(text_of(node).strip())
    return " ".join(filter(None, texts))


def _heading_levels(document: WordDocument) -> dict[str, int]:
    """Style id to heading level, by name, by outline level or by the style it is based on; a title is level 0."""
    styles = {style.get(qn("w:styleId")): style for style in document.styles.element.iter(qn("w:style"))}
    return {id: level for id, style in styles.items() if (level := _level_of(style, styles, 0)) is not None}


def _level_of(style: etree._Element, styles: dict[str, etree._Element], depth: int) -> int | None:
    name = (_value(style, "w:name") or "").lower()
    if match := re.match(r"heading (\d)$", name):
        return int(match[1])
    if name == "title":
        return 0
    outline = style.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
    if outline is not None and (value := outline.get(qn("w:val"), "9")).isdigit() and int(value) < 9:
        return int(value) + 1
    base = styles.get(_value(style, "w:basedOn") or "")
    return _level_of(base, styles, depth + 1) if base is not None and depth < 10 else None


def _outline_level(node: etree._Element, by_style: int | None) -> int | None:
    outline = node.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
    if outline is None:
        return by_style
    value = outline.get(qn("w:val"), "9")
    return int(value) + 1 if value.isdigit() and int(value) < 9 else None


def _list_styles(document: WordDocument) -> dict[str, tuple[str | None, str | None]]:
    found = {}
    for style in document.styles.element.iter(qn("w:style")):
        number = style.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        if number is not None:
            found[style.get(qn("w:styleId"))] = (_value(number, "w:numId"), _value(number, "w:ilvl"))
    return found


def _numbered_lists(document: WordDocument) -> dict[tuple[str, str], bool]:
    """(list, level) to whether its items are numbered rather than bulleted."""
    try:
        numbering = document.part.numbering_part.element
    except (KeyError, NotImplementedError):
        return {}
    formats: dict[str, dict[str, bool]] = {}
    for abstract in numbering.iter(qn("w:abstractNum")):
        formats[abstract.get(qn("w:abstractNumId"))] = {
            level.get(qn("w:ilvl")): _value(level, "w:numFmt") not in ("bullet", "none", None)
            for level in abstract.iter(qn("w:lvl"))
        }
    found = {}
    for number in numbering.iter(qn("w:num")):
        for level, is_numbered in formats.get(_value(number, "w:abstractNumId") or "", {}).items():
            found[(number.get(qn("w:numId")), level)] = is_numbered
    return found


def _edges(document: WordDocument, reader: _Reader) -> Iterator[tuple[str, str, list[str]]]:
    """What stands beside the text: headers and footers once each, notes, comments."""
    seen: dict[str, None] = {}
    for section in document.sections:
        headers = (section.first_page_header, section.header, section.even_page_header)
        for edge in (*headers, section.first_page_footer, section.footer, section.even_page_footer):
            if not edge.is_linked_to_previous:
                text = "\n".join(filter(None, (text_of(node).strip() for node in edge._element.iter(P))))
                seen.setdefault(text)
    if texts := [text for text in seen if text and not text.isdigit()]:
        yield "header and footer", "Header and footer", texts
    for kind, title, tag in NOTES:
        if texts := list(_notes(document, kind, tag)):
            yield kind, title, texts
    drawn = [line for kind in ("diagramData", "chart") for part in _related(document, kind) for line in drawn_text(part)]
    if drawn:
        yield "diagrams", "Diagrams and charts", drawn
    if texts := [f"{comment.author or 'Someone'}: {comment.text}" for comment in document.comments if comment.text.strip()]:
        yield "comments", "Comments", texts


def _notes(document: WordDocument, kind: str, tag: str) -> Iterator[str]:
    for part in _related(document, kind):
        tree = etree.fromstring(part, PARSER)
        for note in tree.iter(tag):
            text = " ".join(text_of(node).strip() for node in note.iter(P)).strip()
            if text:
                yield f"- {text}"


def _related(document: WordDocument, kind: str) -> Iterator[bytes]:
    """The parts of one kind that the document refers to."""
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
            yield relation.target_part.blob


def _value(node: etree._Element, tag: str) -> str | None:
    child = node.find(qn(tag))
    return child.get(qn("w:val")) if child is not None else None


def _style_id(node: etree._Element) -> str:
    style = node.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
    return style.get(qn("w:val"), "") if style is not None else ""
