"""XML as indented text, element by element; feeds (RSS, Atom) as their entries.

lxml without entities, DTDs or network, rather than defusedxml: that one refuses a whole file for a harmless
declaration, this leaves an entity unexpanded and reads the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from connectors.base import Locator, Problem, Section
from connectors.formats.encoding import decode
from connectors.formats.html import convert_text
from connectors.formats.package import all_text
from connectors.formats.parsed import Options, Parsed, Unreadable
from connectors.formats.xml_parser import xml_parser

PIECE_CHARACTERS = 4_000
DEEPEST = 100  # elements around one that is still written by itself; what lies deeper stands on one line
ENTITIES = Problem("partial", "This XML file defines entities; for safety they are not expanded and not loaded.")
CLAIM = re.compile(rb"""^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]+)""")
NAMES = ("title", "name", "id", "key", "summary", "label")


def read(name: str, data: bytes, options: Options) -> Parsed:
    text = _text(data)
    try:
        root = etree.fromstring(text.encode("utf-8"), xml_parser(encoding="utf-8", remove_comments=True))
    except etree.XMLSyntaxError as error:
        root = etree.fromstring(text.encode("utf-8"), xml_parser(encoding="utf-8", recover=True))
        if root is None:
            raise Unreadable("damaged", f"This is not valid XML: {error.msg}.") from error
        problems: tuple[Problem, ...] = (
            Problem("partial", f"This is not valid XML ({error.msg}); what could be read of it was."),
        )
    else:
        problems = (ENTITIES,) if "<!ENTITY" in text else ()
    tag = _local(root)
    if tag in ("rss", "feed", "RDF"):
        return _feed(root, problems)
    if tag == "html":
        flow = convert_text(text)
        return Parsed("html", flow.sections(), _words(root.find(".//{*}title")), problems=(*problems, *flow.problems))
    flow_title = next((_words(root.find(f"./{{*}}{word}")) for word in NAMES if root.find(f"./{{*}}{word}") is not None), "")
    return Parsed("xml", tuple(_sections(root, ())), flow_title, problems=problems)


def _text(data: bytes) -> str:
    claim = CLAIM.match(data[:200])
    text = decode(data, claim[1].decode() if claim else "")
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text)


# ---------------------------------------------------------------- feeds


def _feed(root: etree._Element, problems: tuple[Problem, ...]) -> Parsed:
    channel = root.find("{*}channel")
    head = channel if channel is not None else root
    sections: list[Section] = []
    description = _words(head.find("{*}description")) or _words(head.find("{*}subtitle"))
    if description:
        sections.append(Section(description))
    for entry in root.iter("{*}item", "{*}entry"):
        sections.extend(_entry(entry))
    return Parsed("feed", tuple(sections), _words(head.find("{*}title")), problems=problems)


def _entry(entry: etree._Element) -> Iterator[Section]:
    link = entry.find("{*}link")
    url = (link.get("href") or link.text or "").strip() if link is not None else ""
    url = url if url.startswith(("http://", "https://")) else ""
    locator = Locator(heading=(_words(entry.find("{*}title")) or "Untitled",), url=url)
    facts = [
        f"{label}: {words}"
        for label, tags in (("Date", ("pubDate", "published", "updated", "date")), ("Author", ("creator", "author")))
        if (words := next((_words(entry.find(f"{{*}}{tag}")) for tag in tags if entry.find(f"{{*}}{tag}") is not None), ""))
    ]
    if topics := ", ".join(_words(node) for node in entry.findall("{*}category") if _words(node)):
        facts.append(f"Topics: {topics}")
    markup = max((entry.findtext(f"{{*}}{tag}") or "" for tag in ("encoded", "content", "description", "summary")), key=len)
    body = convert_text(markup, locator).sections() if markup.strip() else ()
    first = "\n\n".join(filter(None, ("\n".join(facts), body[0].text if body and body[0].locator == locator else "")))
    yield Section(first, locator)
    yield from body[1:] if body and body[0].locator == locator else body


# ---------------------------------------------------------------- any other XML


def _sections(node: etree._Element, path: tuple[str, ...], depth: int = 0) -> Iterator[Section]:
    """An element in one piece, or child by child if it is long."""
    text = "\n".join(_outline(node, 0))
    if len(text) <= PIECE_CHARACTERS or depth > 20 or not len(node):
        if text:
            yield Section(text, Locator(heading=path), "code")
        return
    pending: list[str] = []
    if own := _own(node):
        pending.append(own)
    for child in node:
        if not isinstance(child.tag, str):
            continue
        piece = "\n".join(_outline(child, 0))
        if len(piece) > PIECE_CHARACTERS // 2 or sum(map(len, pending)) + len(piece) > PIECE_CHARACTERS:
            if pending:
                yield Section("\n".join(pending), Locator(heading=path), "code")
            pending = []
        if len(piece) > PIECE_CHARACTERS // 2:
            yield from _sections(child, (*path, _name(child)), depth + 1)
        else:
            pending.append(piece)
    if pending:
        yield Section("\n".join(pending), Locator(heading=path), "code")


def _outline(node: etree._Element, depth: int) -> Iterator[str]:
    """The element as indented `tag: text` lines."""
    if not isinstance(node.tag, str):
        return
    if depth > DEEPEST:
        words = (
            word for inner in node.iter() if isinstance(inner.tag, str) for word in (_own(inner), (inner.tail or "").strip())
        )
        yield f"{'  ' * DEEPEST}{' '.join(filter(None, words))}"
        return
    children = [child for child in node if isinstance(child.tag, str)]
    own = _own(node)
    if own or children:
        yield f"{'  ' * depth}{_local(node)}: {own}".rstrip()
    for child in children:
        yield from _outline(child, depth + 1)


def _own(node: etree._Element) -> str:
    """Attributes and text of an element itself; text between children is kept with it."""
    attributes = ", ".join(f"{etree.QName(key).localname}={value!s}" for key, value in node.attrib.items())
    text = " ".join(" ".join([node.text or "", *(child.tail or "" for child in node)]).split())
    return " ".join(filter(None, (f"({attributes})" if attributes else "", text)))


def _name(node: etree._Element) -> str:
    for word in NAMES:
        name = node.get(word) or _words(node.find(f"{{*}}{word}"))
        if name:
            return f"{_local(node)} {name}"[:120]
    return _local(node)


def _local(node: etree._Element) -> str:
    name: str = etree.QName(node).localname
    return name


def _words(node: etree._Element | None) -> str:
    return " ".join(all_text(node).split()) if node is not None else ""
