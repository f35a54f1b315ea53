"""PowerPoint files: every slide with its title, text, tables, charts and speaker notes.

python-pptx (MIT), which knows placeholders, tables, charts and notes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from connectors.base import Locator, Problem, Section
from connectors.formats.flow import Flow
from connectors.formats.grid import fill_merged, pipe_tables
from connectors.formats.package import PARSER, PICTURES, drawn_text, open_package
from connectors.formats.parsed import Options, Parsed


def read(name: str, data: bytes, options: Options) -> Parsed:
    with open_package(data, options):
        presentation = Presentation(io.BytesIO(data))
    sections: list[Section] = []
    problems = []
    for number, slide in enumerate(presentation.slides, 1):
        try:
            sections.extend(_slide(number, slide))
        except (AttributeError, KeyError, ValueError, TypeError, IndexError) as error:  # one slide, not the whole talk
            problems.append(Problem("partial", f"Slide {number} is damaged and was left out ({type(error).__name__})."))
    properties = presentation.core_properties
    title = (properties.title or "").strip()
    if title.lower() in ("powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint", ""):
        title = next((section.locator.heading[0] for section in sections if section.locator.heading), "")
    metadata = {"author": properties.author} if properties.author else {}
    return Parsed("pptx", tuple(sections), title, metadata, tuple(problems))


def _slide(number: int, slide: Any) -> Iterator[Section]:
    head = slide.shapes.title
    title = " ".join(head.text_frame.text.split()) if head is not None and head.has_text_frame else ""
    locator = Locator(heading=(title,) if title else (), slide=number)
    flow = Flow(locator)
    for shape in _in_reading_order(slide.shapes):
        if head is None or shape.shape_id != head.shape_id:
            for block in _blocks(shape):
                flow.block(block)
    for part in _related(slide, "diagramData"):
        flow.block("\n".join(f"- {line}" for line in drawn_text(part)))
    sections = flow.sections()
    yield from sections or ((Section("", locator),) if title else ())
    if slide.has_notes_slide and (frame := slide.notes_slide.notes_text_frame) is not None and frame.text.strip():
        yield Section(_clean(frame.text), Locator(heading=(*locator.heading, "Notes"), slide=number, part="notes"))
    if comments := list(_comments(slide)):
        said = "\n".join(f"- {comment}" for comment in comments)
        yield Section(said, Locator(heading=(*locator.heading, "Comments"), slide=number, part="comments"))


def _related(slide: Any, kind: str) -> Iterator[bytes]:
    """The parts of one kind that a slide refers to."""
    for relation in slide.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
            yield relation.target_part.blob


def _comments(slide: Any) -> Iterator[str]:
    """The review comments on a slide, in the form of PowerPoint 2007 or of today."""
    for part in _related(slide, "comments"):
        for comment in etree.fromstring(part, PARSER).iter("{*}cm", "{*}reply"):
            own = [node.text for node in comment.iterchildren("{*}text")]
            said = own or [node.text for body in comment.iterchildren("{*}txBody") for node in body.iter("{*}t")]
            if text := " ".join(filter(None, said)).strip():
                yield text


def _in_reading_order(shapes: Iterable[Any]) -> list[Any]:
    """From top to bottom, then from left to right; what has no place keeps its order."""
    return sorted(shapes, key=lambda shape: ((shape.top or 0) // 200_000, shape.left or 0))


def _blocks(shape: Any) -> Iterator[str]:
    if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
        for child in _in_reading_order(shape.shapes):
            yield from _blocks(child)
    elif getattr(shape, "has_table", False) and shape.has_table:
        yield from pipe_tables(row for _, row in _grid(shape.table))
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        yield from _chart(shape.chart)
    elif shape.has_text_frame and shape.text_frame.text.strip():
        yield _paragraphs(shape.text_frame)
    else:
        yield _description(shape)


def _grid(table: Any) -> list[tuple[int, list[str]]]:
    rows = [(number, [cell.text for cell in row.cells]) for number, row in enumerate(table.rows)]
    merged = {
        number: {column: number + cell.span_height - 1 for column, cell in enumerate(row.cells) if cell.is_merge_origin}
        for number, row in enumerate(table.rows)
    }
    fill_merged(rows, merged)
    return rows


def _paragraphs(frame: Any) -> str:
    """A placeholder's paragraphs are its bullets; one alone is a sentence."""
    paragraphs = [(paragraph.level, _clean(paragraph.text)) for paragraph in frame.paragraphs if paragraph.text.strip()]
    if len(paragraphs) == 1:
        return paragraphs[0][1]
    return "\n".join(f"{'  ' * level}- {text}" for level, text in paragraphs)


def _chart(chart: Any) -> Iterator[str]:
    if chart.has_title and chart.chart_title.has_text_frame:
        yield chart.chart_title.text_frame.text
    for plot in chart.plots:
        categories = [str(category) for category in plot.categories]
        rows = [
            [series.name or "", *("" if value is None else f"{value:g}" for value in series.values)] for series in plot.series
        ]
        yield from pipe_tables([["", *categories], *rows])


def _description(shape: Any) -> str:
    """What is written of a picture or another shape without text."""
    named = shape._element.find(".//{*}cNvPr")
    text = named.get("descr", "") if named is not None else ""
    return "" if text.lower().endswith(PICTURES) else " ".join(text.split())


def _clean(text: str) -> str:
    return text.replace("\x0b", "\n").replace("_x000D_", "").strip()
