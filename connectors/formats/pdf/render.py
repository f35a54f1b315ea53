"""Draws one page of a PDF as a picture, with quoted passages marked on it."""

from __future__ import annotations

import ctypes
import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image, ImageChops, ImageDraw

from connectors.formats.pdf.open import PDFIUM, open_document
from connectors.packing import pack_by_values

MOST_PIXELS = 6_000_000
LONGEST_SIDE = 4_000
MOST_CHARACTERS = 300_000
SHORTEST_PART = 12  # letters: shorter parts of a quote stand in too many places
MARK, CURRENT = (255, 236, 120), (255, 178, 64)  # multiplied with the page, so that black text stays black
Box = tuple[float, float, float, float]
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as PNG. `found` tells whether the quote was found and marked; True when there was none to find."""

    png: bytes
    width: int
    height: int
    found: bool


pack_by_values(Rendered)


def render_page(
    path: str | PathLike[str],
    page_number: int,
    quote: str = "",
    scale: float = 2.0,
    passwords: Iterable[str] = (),
    current: str = "",
) -> Rendered:
    """The page (counted from 1) at `scale` times 72 dots per inch, or less where that would be too large. What of the quote is
    `current` is marked in another colour.

    Raises Unreadable, OSError, and ValueError for a page that the document does not have.
    """
    data = Path(path).read_bytes()
    with PDFIUM:
        document, _ = open_document(data, passwords)
        try:
            if not 1 <= page_number <= len(document):
                raise ValueError(f"This PDF has {len(document)} pages; there is no page {page_number}.")
            document.init_forms()
            return _draw(document[page_number - 1], quote, current, scale)
        finally:
            document.close()


def page_labels(path: str | PathLike[str], passwords: Iterable[str] = ()) -> list[str]:
    """What each page calls itself; its number, where it has no label of its own. Raises Unreadable and OSError."""
    data = Path(path).read_bytes()
    with PDFIUM:
        document, _ = open_document(data, passwords)
        try:
            return [document.get_page_label(index) or str(index + 1) for index in range(len(document))]
        finally:
            document.close()


def _draw(page: pdfium.PdfPage, quote: str, current: str, scale: float) -> Rendered:
    width, height = page.get_size()
    scale = max(min(scale, LONGEST_SIDE / max(width, height), (MOST_PIXELS / (width * height)) ** 0.5), 0.01)
    picture = page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB")
    boxes = [
        (box, colour) for text, colour in ((quote, MARK), (current, CURRENT)) if text.strip() for box in _boxes_of(page, text)
    ]
    if boxes:
        picture = _marked(picture, [(_on_picture(page, box, picture.size), colour) for box, colour in boxes])
    file = io.BytesIO()
    picture.save(file, "PNG")
    return Rendered(file.getvalue(), picture.width, picture.height, bool(boxes) or not quote.strip())


def _marked(picture: Image.Image, boxes: Sequence[tuple[tuple[int, int, int, int], Colour]]) -> Image.Image:
    """With these boxes coloured, a later one over an earlier one."""
    mark = Image.new("RGB", picture.size, "white")
    pen = ImageDraw.Draw(mark)
    for (left, top, right, bottom), colour in boxes:
        pen.rectangle((left - 2, top - 1, right + 2, bottom + 1), fill=colour)
    return ImageChops.multiply(picture, mark)


def _on_picture(page: pdfium.PdfPage, box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """From the page's own coordinates to pixels: PDFium knows about crop box and rotation."""
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for across, up in ((box[0], box[1]), (box[2], box[3])):
        raw.FPDF_PageToDevice(page, 0, 0, *size, 0, across, up, x, y)
        corners.append((x.value, y.value))
    (one, two), (three, four) = corners
    return min(one, three), min(two, four), max(one, three), max(two, four)


# ---------------------------------------------------------------- finding the quote on the page


def _boxes_of(page: pdfium.PdfPage, quote: str) -> Iterator[Box]:
    """One box for each line of the passage."""
    textpage = page.get_textpage()
    try:
        count = min(raw.FPDFText_CountChars(textpage), MOST_CHARACTERS)
        letters, places = _letters(chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count))
        for start, end in _passages(letters, quote):
            yield from _lines(textpage, places[start:end])
    finally:
        textpage.close()


def _letters(characters: Iterable[str]) -> tuple[str, list[int]]:
    """Letters and digits alone, ligatures spelt out, in lower case, and the character that each came from."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(characters):
        for letter in unicodedata.normalize("NFKC", character).casefold():
            if letter.isalnum():
                letters.append(letter)
                places.append(place)
    return "".join(letters), places


def _passages(letters: str, quote: str) -> Iterator[tuple[int, int]]:
    """Where the quote stands. One that the page holds in parts (over two columns, without its list marks) is
    looked for sentence by sentence."""
    wanted, _ = _letters(quote)
    if not wanted:
        return
    found = letters.find(wanted)
    if found >= 0:
        yield found, found + len(wanted)
        return
    start = 0
    for part in _parts(quote):
        found = letters.find(part, start)
        found = found if found >= 0 else letters.find(part)
        if found >= 0:
            yield found, found + len(part)
            start = found + len(part)


def _parts(quote: str) -> Iterator[str]:
    """The lines, table cells and sentences of a quote that are long enough to be looked for by themselves."""
    for line in quote.replace("|", "\n").replace(". ", ".\n").splitlines():
        line = line.strip().lstrip("-*#0123456789.) ")
        letters, _ = _letters(line)
        if len(letters) >= SHORTEST_PART:
            yield letters


def _lines(textpage: pdfium.PdfTextPage, places: Sequence[int]) -> Iterator[Box]:
    """The characters' boxes, joined as long as they stand on one line."""
    held: Box | None = None
    rectangle = raw.FS_RECTF()
    for place in dict.fromkeys(places):
        if not raw.FPDFText_GetLooseCharBox(textpage, place, rectangle):
            continue
        box = (rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        if held and _beside(held, box):
            held = (min(held[0], box[0]), min(held[1], box[1]), max(held[2], box[2]), max(held[3], box[3]))
            continue
        if held:
            yield held
        held = box
    if held:
        yield held


def _beside(one: Box, two: Box) -> bool:
    height = max(one[3] - one[1], two[3] - two[1])
    level = min(one[3], two[3]) - max(one[1], two[1]) > 0.4 * min(one[3] - one[1], two[3] - two[1])
    upright = min(one[2], two[2]) - max(one[0], two[0]) > 0.4 * min(one[2] - one[0], two[2] - two[0])
    across = two[0] - one[2] < 2 * height and one[0] - two[2] < 2 * height
    up = two[1] - one[3] < height and one[1] - two[3] < height
    return (level and across) or (upright and up and (one[3] - one[1]) > 2 * (one[2] - one[0]))
