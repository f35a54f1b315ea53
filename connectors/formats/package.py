"""Opens the ZIP container of an office file only if what is in it stays within bounds."""

from __future__ import annotations

import io
import zipfile

from lxml import etree

from connectors.formats.parsed import Options, Unreadable
from connectors.formats.xml_parser import xml_parser

MAX_RATIO = 200  # text and XML pack to a tenth or twentieth; a bomb to a thousandth
HARMLESS_BYTES = 20_000_000  # below this a high ratio is only a very monotonous file
MAX_MEMBERS = 20_000

PARSER = xml_parser(remove_comments=True)


def all_text(node: etree._Element) -> str:
    """The text of an element and of all within it."""
    return "".join(map(str, node.itertext()))


def open_package(data: bytes, options: Options) -> zipfile.ZipFile:
    """The container. Raises Unreadable for one that unpacks to more than the bounds or needs a password."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = archive.infolist()
    size = sum(member.file_size for member in members)
    if len(members) > MAX_MEMBERS:
        raise Unreadable("limit", f"This file contains {len(members):,} parts; the limit is {MAX_MEMBERS:,}.")
    if size > options.max_unpacked_bytes:
        raise Unreadable(
            "limit", f"This file unpacks to {size / 1e6:,.0f} MB; the limit is {options.max_unpacked_bytes / 1e6:,.0f} MB."
        )
    if size > HARMLESS_BYTES and size > MAX_RATIO * len(data):
        raise Unreadable("limit", f"This file unpacks to {size // len(data):,} times its size, as only a “zip bomb” does.")
    if any(member.flag_bits & 1 for member in members):
        raise Unreadable("encrypted", "This file is protected with a password. Save a copy without a password to have it read.")
    return archive


DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHARTED = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


def drawn_text(part: bytes) -> list[str]:
    """The paragraphs of a drawing, a diagram (SmartArt) or a chart of an Office file, and the names in a chart; each once."""
    tree = etree.fromstring(part, PARSER)
    lines = ["".join(run.text or "" for run in paragraph.iter(f"{DRAWN}t")) for paragraph in tree.iter(f"{DRAWN}p")]
    names = (value.text or "" for cache in tree.iter(f"{CHARTED}strCache") for value in cache.iter(f"{CHARTED}v"))
    shown = (node.get("descr") or "" for node in tree.iter("{*}cNvPr"))
    said = (" ".join(line.split()) for line in (*lines, *names, *shown))
    return [line for line in dict.fromkeys(said) if line and not line.lower().endswith(PICTURES)]


PICTURES = (".png", ".jpg", ".jpeg", ".gif")  # what programs give as the description of a picture nobody described


def xml_part(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """A part as a tree, without entities or anything from outside; None if there is no such part."""
    try:
        return etree.fromstring(archive.read(name), PARSER)
    except KeyError:
        return None
