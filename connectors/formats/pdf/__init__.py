"""PDF: PDFium reads the text, pypdf is the second opinion and reads form values, notes and embedded files.

Measured on 46 real files (1,242 pages): PDFium took 2.8 s where pypdf took 40 s (619 dense pages: 0.9 s and 20 s), both
found text on the same pages and garbage on the same one, and only PDFium tells where each word stands, which columns,
tables and headings need. pypdf's text is asked for on pages where PDFium finds none or finds garbage, and the better of
the two is taken; where PDFium cannot open a file at all, pypdf reads all of it.
"""

from __future__ import annotations

import logging
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

import pypdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from connectors.base import Locator, Problem, Section
from connectors.formats.parsed import Options, Parsed, Unreadable
from connectors.formats.pdf import ocr
from connectors.formats.pdf.extras import Extras, open_reader, read_extras
from connectors.formats.pdf.headings import Entry, Heading, find_headings, find_title, read_outline
from connectors.formats.pdf.layout import WIDE_SCRIPT, Row, rows_of, rows_of_plain
from connectors.formats.pdf.open import PDFIUM, open_document
from connectors.formats.pdf.paragraphs import Block, blocks_of, body_of, markdown
from connectors.formats.pdf.render import Rendered, page_labels, render_page
from connectors.formats.pdf.running import without_running

__all__ = ["PdfSettings", "Rendered", "page_labels", "read", "render_page"]

logger = logging.getLogger(__name__)

UNNAMED = frozenset(
    ("", "(anonymous)", "anonymous", "(unspecified)", "unspecified", "unknown")
)  # by the programs that write PDFs
MOST_PAGES = 10_000
PAGE_CHARACTERS = 300_000  # a page of newsprint has 20,000
GARBLED = 0.2  # share of a page's text above which the second opinion is asked for
HOPELESS = 0.5  # share above which the text is worth nothing
MORE_TEXT = "there is more text than is read of one file. Split it to have all of it read."
FEW_DRAWINGS = 30  # lines and boxes on a page without text: fewer are decoration, more may be drawn letters


@dataclass(frozen=True, slots=True)
class PdfSettings:
    """What a source may set for its PDFs; in `Options.settings` under the same names."""

    passwords: tuple[str, ...] = ()
    ocr: bool = False
    ocr_language: str = ""  # as tesseract names them: "eng", "deu+fra"; empty: tesseract's own default
    seconds: float = 45.0  # after these, what has been read is handed over; a sandbox's limit must be higher

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> PdfSettings:
        known = {name: settings[name] for name in cls.__slots__ if name in settings}
        return cls(**known)  # type: ignore[arg-type]  # settings by name, of mixed types


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read. `plain` is text that came without geometry; `look` is what is on a page without text."""

    rows: list[Row] = field(default_factory=list)
    plain: str = ""
    look: Literal["text", "picture", "garbled", "blank", "damaged"] = "text"
    label: str = ""
    recognized: bool = False  # by tesseract


@dataclass(frozen=True, slots=True)
class Content:
    """All that was read of a file, before it is put into sections."""

    pages: list[Page]
    total: int
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    outline: Sequence[Entry] = ()
    extras: Extras = field(default_factory=Extras)
    problems: tuple[Problem, ...] = ()


def read(name: str, data: bytes, options: Options) -> Parsed:
    """The sections of a PDF, one for each heading on each page. Raises Unreadable."""
    settings = PdfSettings.of(options.settings)
    with PDFIUM:
        content = _read(data, options, settings)
    sections, title = _sections(content)
    if sum(len(section.text) for section in sections) > options.max_characters:  # cut and said so by whoever asked
        content = replace(content, problems=tuple(one for one in content.problems if MORE_TEXT not in one.reason))
    problems = (*content.problems, *_missing_text(content.pages, settings), *_embedded(content.extras))
    if not sections:
        raise _nothing(content, problems)
    return Parsed("pdf", tuple(sections), title, content.metadata, problems)


# ---------------------------------------------------------------- reading


def _read(data: bytes, options: Options, settings: PdfSettings) -> Content:
    problems: list[Problem] = []
    try:
        document, password = open_document(data, settings.passwords)
    except Unreadable as unreadable:
        if unreadable.problem.kind == "damaged" and (pages := list(_pages_by_pypdf(data, options, problems))):
            return Content(pages, len(pages), problems=tuple(problems))
        raise
    try:
        return _Reading(data, document, password, options, settings).content()
    finally:
        document.close()


class _Reading:
    """One pass over an open document, within its bounds of time and size."""

    def __init__(self, data: bytes, document: pdfium.PdfDocument, password: str, options: Options, settings: PdfSettings):
        self.data, self.document, self.password = data, document, password
        self.settings = settings
        self.until = time.monotonic() + settings.seconds
        self.characters = options.max_characters
        self.problems: list[Problem] = []
        self.reader: pypdf.PdfReader | None = None
        self.extras = self._extras()

    def content(self) -> Content:
        pages = list(self._pages())
        outline, _ = read_outline(self.document)
        metadata = self.document.get_metadata_dict(skip_empty=True)
        return Content(
            pages,
            len(self.document),
            metadata.get("Title", ""),
            dict(_metadata(metadata, len(self.document), self.extras)),
            [entry for entry in outline if entry.page < len(pages)],
            self.extras,
            tuple(self.problems),
        )

    def _extras(self) -> Extras:
        try:
            self.reader = open_reader(self.data, self.password)
            return read_extras(self.reader, min(len(self.document), MOST_PAGES))
        except Exception as error:  # noqa: BLE001  the boundary to pypdf, which refuses many a file that PDFium reads
            logger.info("no form values, notes or embedded files: %s", type(error).__name__)
            return Extras()

    def _pages(self) -> Iterator[Page]:
        total = len(self.document)
        for number in range(total):
            if reason := self._bound(number):
                self.problems.append(Problem("limit", f"Only the first {number:,} of {total:,} pages were read: {reason}"))
                return
            page = self._page(number)
            self.characters -= sum(len(row.text) for row in page.rows) + len(page.plain)
            yield page

    def _bound(self, number: int) -> str:
        if number >= MOST_PAGES:
            return f"no more than {MOST_PAGES:,} pages of one file are read. Split it to have all of it read."
        if self.characters <= 0:
            return MORE_TEXT
        if time.monotonic() > self.until and number:
            return f"reading took longer than {self.settings.seconds:g} seconds."
        return ""

    def _page(self, number: int) -> Page:
        label = self.document.get_page_label(number)
        try:
            page = self.document[number]
        except pdfium.PdfiumError:
            plain = self._second_opinion(number)
            return Page(plain=plain, label=label) if plain else Page(look="damaged", label=label)
        try:
            return replace(self._text(page, number), label=label)
        finally:
            page.close()

    def _text(self, page: pdfium.PdfPage, number: int) -> Page:
        textpage = page.get_textpage()
        try:
            rows = rows_of(textpage, PAGE_CHARACTERS, self.extras.filled.get(number, ()))
            if textpage.count_chars() > PAGE_CHARACTERS:
                words = f"Only the first {PAGE_CHARACTERS:,} characters of page {number + 1} were read."
                self.problems.append(Problem("limit", words))
        finally:
            textpage.close()
        text = "\n".join(row.text for row in rows)
        ours = garbled(text)
        if text and ours <= GARBLED:
            return Page(rows)
        look = _look(page) if not text else "garbled"
        if look == "blank":
            return Page(look="blank")
        other = self._second_opinion(number)
        if other and garbled(other) < (ours if text else HOPELESS):
            return Page(plain=other)
        if text and ours <= HOPELESS:
            return Page(rows)
        if self.settings.ocr and (recognized := ocr.recognize(page, self.settings.ocr_language, self._left())):
            return Page(plain=recognized, recognized=True)
        return Page(look=look)

    def _left(self) -> float:
        return max(1.0, self.until - time.monotonic())

    def _second_opinion(self, number: int) -> str:
        if self.reader is None:
            return ""
        return _text_by_pypdf(self.reader, number, self.problems)


def _text_by_pypdf(reader: pypdf.PdfReader, number: int, problems: list[Problem]) -> str:
    try:
        text = reader.pages[number].extract_text().strip()
    except Exception:  # noqa: BLE001  the boundary to pypdf: whatever it raises, it has no text of this page to offer
        return ""
    words = f"Only the first {PAGE_CHARACTERS:,} characters of page {number + 1} were read."
    if len(text) > PAGE_CHARACTERS and not any(problem.reason == words for problem in problems):
        problems.append(Problem("limit", words))
    return text[:PAGE_CHARACTERS]


def _pages_by_pypdf(data: bytes, options: Options, problems: list[Problem]) -> Iterator[Page]:
    """All pages by pypdf alone, for the rare file that PDFium cannot open."""
    try:
        reader = open_reader(data, "")
        total = min(len(reader.pages), MOST_PAGES)
    except Exception:  # noqa: BLE001  the boundary to pypdf: it cannot open the file either
        return
    characters = options.max_characters
    pages = []
    for number in range(total):
        text = _text_by_pypdf(reader, number, problems) if characters > 0 else ""
        characters -= len(text)
        pages.append(Page(plain=text) if text and garbled(text) <= HOPELESS else Page(look="damaged"))
    if any(page.plain for page in pages):
        yield from pages


def garbled(text: str) -> float:
    """How much of a text is not one: the largest of the shares of several signs of a broken character map."""
    letters = [letter for letter in text if not letter.isspace() and letter not in "._-–—…·"]
    if not letters:
        return 0.0
    size = len(letters)
    cryptic = sum(unicodedata.category(letter) in ("Cc", "Co", "Cn", "Cs") or letter == "\ufffd" for letter in letters)
    cids = 8 * text.count("(cid:")
    sense = sum(letter.isalnum() or unicodedata.category(letter)[0] == "M" for letter in letters)
    doubled = sum(one == two and one.isalpha() for one, two in pairwise(letters))
    words = text.split()
    endless = sum(len(word) for word in words if len(word) > 60 and word.isalpha() and not WIDE_SCRIPT.search(word))
    single = sum(len(word) == 1 and word.isalpha() and not WIDE_SCRIPT.match(word) for word in words)
    return max(
        (cryptic + cids) / size,
        1.0 - sense / size if sense < 0.4 * size else 0.0,
        doubled / size if doubled > 0.35 * size else 0.0,
        endless / size,
        single / len(words) if single > 0.7 * len(words) and len(words) > 20 else 0.0,
    )


def _look(page: pdfium.PdfPage) -> Literal["picture", "blank"]:
    drawings = 0
    for index in range(min(raw.FPDFPage_CountObjects(page), 2_000)):
        kind = raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, index))
        if kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM):
            return "picture"
        drawings += kind == raw.FPDF_PAGEOBJ_PATH
    return "picture" if drawings > FEW_DRAWINGS else "blank"


def _metadata(written: Mapping[str, str], pages: int, extras: Extras) -> Iterator[tuple[str, str]]:
    yield "pages", str(pages)
    for key in ("Author", "Subject", "Keywords"):
        if (value := " ".join(written.get(key, "").split())).casefold() not in UNNAMED:
            yield key.lower(), value[:500]
    for key, name in (("CreationDate", "created"), ("ModDate", "modified")):
        if date := re.match(r"D:(\d{4})(\d\d)(\d\d)", written.get(key, "")):
            yield name, "-".join(date.groups())
    if extras.attachments:
        yield "attachments", ", ".join(extras.attachments)


# ---------------------------------------------------------------- sections


def _sections(content: Content) -> tuple[list[Section], str]:
    """The sections in reading order, and the title."""
    rows = without_running([page.rows for page in content.pages])
    body = body_of(rows)
    pages = [
        blocks_of(rows_of_plain(page.plain, body.size) if page.plain else kept, body)
        for page, kept in zip(content.pages, rows, strict=True)
    ]
    headings = find_headings(pages, content.outline, body)
    sections: list[Section] = []
    path: list[Heading] = []
    for number, (page, blocks) in enumerate(zip(content.pages, pages, strict=True)):
        label = page.label if page.label != str(number + 1) else ""
        notes = content.extras.notes.get(number, ())
        for names, text in _pieces(blocks, headings[number], path, notes):
            sections.append(Section(text, Locator(heading=names, page=number + 1, page_label=label)))
    return sections, find_title(pages, content.title, body)


def _pieces(
    blocks: Sequence[Block], headings: Sequence[Heading], path: list[Heading], notes: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The text before, between and after the headings of a page; `path` is carried from page to page.

    A heading without text stands alone, with an empty text, unless one inside it follows.
    """
    pieces: list[tuple[tuple[str, ...], str]] = []
    bounds = [*(heading.block for heading in headings), len(blocks)]
    if text := markdown(blocks[: bounds[0]]):
        pieces.append((_names(path), text))
    for number, heading in enumerate(headings):
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        text = markdown(blocks[heading.block + heading.covers : bounds[number + 1]])
        is_parent = number + 1 < len(headings) and headings[number + 1].level > heading.level
        if text or (heading.covers and not is_parent):
            pieces.append((_names(path), text))
    if not any(text for _, text in pieces) and any(heading.covers for heading in headings):  # titles and nothing else
        pieces[-1:] = [(_names(path), path[-1].title)]
    if notes:
        said = "\n".join(f"- Note: {' '.join(note.split())}" for note in notes)
        names, text = pieces.pop() if pieces else (_names(path), "")
        pieces.append((names, f"{text}\n\n{said}".strip()))
    yield from pieces


def _names(path: Sequence[Heading]) -> tuple[str, ...]:
    return tuple(heading.title for heading in path)


# ---------------------------------------------------------------- what is missing, in words


def _missing_text(pages: Sequence[Page], settings: PdfSettings) -> Iterator[Problem]:
    looks = Counter(page.look for page in pages)
    if looks["picture"] or looks["garbled"]:
        numbers = [number for number, page in enumerate(pages, 1) if page.look in ("picture", "garbled")]
        yield Problem("needs OCR", f"{_which(numbers, len(pages), looks['picture'] == 0)} {_ocr_advice(settings)}")
    if looks["damaged"]:
        numbers = [number for number, page in enumerate(pages, 1) if page.look == "damaged"]
        yield Problem("damaged", f"Page {_ranges(numbers)} could not be read: the file is damaged there. Get a fresh copy.")


def _which(numbers: Sequence[int], total: int, unmapped: bool) -> str:
    one = len(numbers) == 1
    what = ("is" if one else "are") + (" a picture without text." if one else " pictures without text.")
    if unmapped:  # the file draws letters without saying which they are
        what = ("has" if one else "have") + " text in a font that cannot be turned into letters."
    if len(numbers) == total:
        return f"This PDF {what}" if one else f"All {total:,} pages {what}"
    return f"Page{'' if one else 's'} {_ranges(numbers)} {what}"


def _ocr_advice(settings: PdfSettings) -> str:
    if not settings.ocr:
        return "Switch on text recognition (OCR) for this source, or save the file with recognized text."
    if not ocr.installed():
        return "Text recognition is on, but tesseract is not installed on this machine: install it, then sync again."
    return "Text recognition found nothing on them within its time."


def _ranges(numbers: Sequence[int]) -> str:
    """As people write them: 1, 3–5, 9."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    said = [str(first) if first == last else f"{first}–{last}" for first, last in parts]
    return ", ".join(said[:40]) + (f" and {len(said) - 40} more" if len(said) > 40 else "")


def _embedded(extras: Extras) -> Iterator[Problem]:
    if extras.attachments:
        names = ", ".join(extras.attachments[:10])
        yield Problem("partial", f"Files embedded in this PDF are not read: {names}. Save them beside it to have them read.")


def _nothing(content: Content, problems: Iterable[Problem]) -> Unreadable:
    for problem in problems:
        if problem.kind in ("needs OCR", "damaged", "limit"):
            return Unreadable(problem.kind, problem.reason)
    if not content.total:
        return Unreadable("empty", "This PDF has no pages.")
    return Unreadable("empty", "This PDF has no text: its only page is blank." if content.total == 1 else "All pages are blank.")
