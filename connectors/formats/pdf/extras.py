"""What a PDF holds beside its printed text: filled form fields, notes, embedded files. Read with pypdf."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

import pypdf

from connectors.formats.pdf.layout import TextRun, clean

MOST_ANNOTATIONS = 2_000  # of one page
MOST_ATTACHMENTS = 100
NOT_NOTES = ("/Link", "/Popup", "/Widget", "/Screen", "/PrinterMark", "/TrapNet", "/Watermark")


@dataclass(frozen=True, slots=True)
class Extras:
    """Filled values by page (from 0) where they stand on it, notes by page, names of embedded files."""

    filled: dict[int, list[TextRun]] = field(default_factory=dict)
    notes: dict[int, list[str]] = field(default_factory=dict)
    attachments: tuple[str, ...] = ()


def read_extras(reader: pypdf.PdfReader, pages: int) -> Extras:
    filled: dict[int, list[TextRun]] = {}
    notes: dict[int, list[str]] = {}
    for number, page in enumerate(islice(reader.pages, pages)):
        for annotation in _annotations(page):
            if annotation.get("/Subtype") == "/Widget":
                filled.setdefault(number, []).extend(_filled(annotation))
            elif annotation.get("/Subtype") not in NOT_NOTES and (note := _text(annotation.get("/Contents"))):
                notes.setdefault(number, []).append(note)
    attachments = tuple(clean(item.name) for item in islice(reader.attachment_list, MOST_ATTACHMENTS))
    return Extras(filled, notes, attachments)


def open_reader(data: bytes, password: str) -> pypdf.PdfReader:
    """pypdf's view of the same file. Raises whatever pypdf raises."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns about every oddity of every file
    reader = pypdf.PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        reader.decrypt(password)
    return reader


def _annotations(page: pypdf.PageObject) -> Iterator[pypdf.generic.DictionaryObject]:
    found = page.get("/Annots")
    found = found.get_object() if found is not None else None
    if isinstance(found, list):
        for reference in islice(found, MOST_ANNOTATIONS):
            annotation = reference.get_object()
            if isinstance(annotation, pypdf.generic.DictionaryObject):
                yield annotation


def _filled(widget: pypdf.generic.DictionaryObject) -> Iterator[TextRun]:
    kind = _inherited(widget, "/FT")
    value = _inherited(widget, "/V")
    if kind == "/Btn":
        state = widget.get("/AS", "/Off")
        text = "[x]" if state not in ("/Off", "") and value is not None else ""
    elif kind in ("/Tx", "/Ch"):
        text = ", ".join(map(_text, value)) if isinstance(value, list) else _text(value)
    else:
        return
    box = widget.get("/Rect")
    if not text or not isinstance(box, list) or len(box) != 4:
        return
    left, bottom, right, top = (float(number) for number in box)
    left, right = min(left, right), max(left, right)
    bottom, top = min(bottom, top), max(bottom, top)
    lines = text.splitlines()
    height = min((top - bottom) / len(lines), 14.0)
    for number, line in enumerate(lines):
        ceiling = top - number * height
        width = min(right - left, len(line) * height * 0.5)
        yield TextRun(line, left, ceiling - height, left + width, ceiling, 0.8 * height, False, False, False)


def _inherited(widget: pypdf.generic.DictionaryObject, key: str) -> object:
    """A field's entry, or that of the field it is a part of."""
    for _ in range(8):
        if key in widget:
            return widget[key]
        parent = widget.get("/Parent")
        above = parent.get_object() if parent is not None else None
        if not isinstance(above, pypdf.generic.DictionaryObject):
            return None
        widget = above
    return None


def _text(value: object) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return "\n".join(clean(line.strip()) for line in str(value).splitlines() if line.strip()) if value is not None else ""
