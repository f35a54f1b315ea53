"""EPUB books: the chapters in reading order, each converted as the page it is.

zipfile and lxml: ebooklib is AGPL.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from lxml import etree
from lxml.html import HtmlElement

from connectors.base import Locator, Problem, Section
from connectors.formats.html import convert, parse_tree
from connectors.formats.package import all_text, open_package, xml_part
from connectors.formats.parsed import Options, Parsed, Unreadable

PAGES = ("application/xhtml+xml", "text/html")


def read(name: str, data: bytes, options: Options) -> Parsed:
    with open_package(data, options) as archive:
        if "META-INF/encryption.xml" in archive.namelist() and "META-INF/rights.xml" in archive.namelist():
            raise Unreadable("encrypted", "This book is protected against copying (DRM) and cannot be read.")
        container = xml_part(archive, "META-INF/container.xml")
        rootfile = container.find(".//{*}rootfile") if container is not None else None
        place = rootfile.get("full-path", "") if rootfile is not None else ""
        package = xml_part(archive, place)
        if package is None:
            raise Unreadable("damaged", "This book has no table of its parts. Get the file again.")
        problems: list[Problem] = []
        sections = tuple(_chapters(archive, package, posixpath.dirname(place), problems))
    title = " ".join((package.findtext(".//{*}metadata/{*}title") or "").split())
    author = " ".join((package.findtext(".//{*}metadata/{*}creator") or "").split())
    return Parsed("epub", sections, title, {"author": author} if author else {}, tuple(problems))


def _chapters(archive: zipfile.ZipFile, package: etree._Element, base: str, problems: list[Problem]) -> Iterator[Section]:
    items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
    names = _contents(archive, items, base)
    spine = [items.get(reference.get("idref")) for reference in package.iterfind(".//{*}spine/{*}itemref")]
    beside = [item for item in items.values() if item not in spine]  # notes and the like, to which only links lead
    for item in (*spine, *beside):
        if item is None or item.get("media-type") not in PAGES or "nav" in (item.get("properties") or "").split():
            continue
        place = posixpath.normpath(posixpath.join(base, unquote(item.get("href", ""))))
        try:
            page = parse_tree(archive.read(place))
        except (KeyError, Unreadable, zipfile.BadZipFile):
            problems.append(Problem("partial", f"The chapter {posixpath.basename(place)} is missing or empty."))
            continue
        yield from _chapter(page, place, names.get(place, ""), problems)


def _chapter(page: HtmlElement, place: str, name: str, problems: list[Problem]) -> Iterator[Section]:
    flow = convert(page, Locator(part=posixpath.basename(place)))
    sections = flow.sections()
    problems.extend(flow.problems)
    headed = any(section.locator.heading for section in sections)
    for section in sections:
        if not headed and name:
            section = replace(section, locator=replace(section.locator, heading=(name,)))
        yield section


def _contents(archive: zipfile.ZipFile, items: dict[str | None, etree._Element], base: str) -> dict[str, str]:
    """Chapter files to their names in the table of contents, of EPUB 2 (ncx) or 3 (nav)."""
    found: dict[str, str] = {}
    for item in items.values():
        place = posixpath.normpath(posixpath.join(base, unquote(item.get("href", ""))))
        folder = posixpath.dirname(place)
        if item.get("media-type") == "application/x-dtbncx+xml" and (tree := xml_part(archive, place)) is not None:
            points = [(point.findtext("{*}navLabel/{*}text"), point.find("{*}content")) for point in tree.iter("{*}navPoint")]
            links = [(label, content.get("src", "")) for label, content in points if content is not None]
        elif "nav" in (item.get("properties") or "").split() and (tree := xml_part(archive, place)) is not None:
            links = [(all_text(link), link.get("href", "")) for link in tree.iter("{*}a")]
        else:
            continue
        for label, target in links:
            chapter = posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0])))
            found.setdefault(chapter, " ".join((label or "").split()))
    return found
