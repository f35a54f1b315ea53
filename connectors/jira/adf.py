"""Atlassian Document Format, the text of Jira Cloud, as Markdown in which no word is lost.

A walker of our own: the libraries that were measured drop what they do not know (layouts, decisions, block cells, new
node types), and Atlassian adds node types. Here an unknown node gives its content, its text and its title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from types import MappingProxyType
from typing import Any

from connectors.jira.markup.block import Block, Cell, fenced, heading, item, items, joined, led, paragraph, quoted, table
from connectors.jira.markup.node import (
    Node,
    attributes_of,
    children_of,
    kind_of,
    marks_of,
    nodes_of,
    plain,
    whole_of,
    word_of,
    words_of,
)
from connectors.jira.markup.phrase import MarkedText, clean, phrase

DEEPEST = 40  # nodes in each other; what lies deeper is kept as plain words
MOST_SPAN = 100  # columns or rows of one cell
NO_NAMES: Mapping[str, str] = MappingProxyType({})
PANELS = {"note": "Note", "warning": "Warning", "error": "Error", "success": "Success", "tip": "Tip"}  # info is any box
PICTURE = re.compile(r"\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|heic)\Z", re.I)
FILE_NAME = re.compile(r"(?<![^/\\])[^/\\]+\.\w{1,5}\Z")
INLINE = frozenset(
    "text hardBreak mention emoji date status inlineCard inlineExtension mediaInline placeholder image".split()
)  # fmt: skip


def to_markdown(document: Mapping[str, Any] | None, names: Mapping[str, str] = NO_NAMES) -> str:
    """A document as Markdown. `names`: who the account ids of mentions are now; else the name in the text stands."""
    return joined(_Walker(names).blocks(nodes_of(document), 0))


class _Walker:
    """Goes through a document and holds what all of it needs."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    # ------------------------------------------------------------ blocks

    def blocks(self, nodes: Sequence[Node], depth: int) -> list[Block]:
        """The blocks of nodes beside each other; running text between them becomes paragraphs."""
        if depth > DEEPEST:
            return _some(paragraph(plain(nodes)))
        among_text = any(kind_of(node) in INLINE for node in nodes)
        found: list[Block] = []
        for is_inline, group in groupby(nodes, key=lambda node: _is_inline(node, among_text)):
            if is_inline:
                found += _some(paragraph(self.phrase(list(group), depth)))
            else:
                for node in group:
                    found += self.block(node, depth)
        return found

    def block(self, node: Node, depth: int) -> list[Block]:
        write = _BLOCKS.get(kind_of(node), _Walker.container)
        return write(self, node, depth + 1)

    def inside(self, node: Node, depth: int) -> list[Block]:
        return self.blocks(children_of(node), depth)

    def container(self, node: Node, depth: int) -> list[Block]:
        """A node without a look of its own, or of a type that is not known here: its title, then what is in it."""
        title = words_of(attributes_of(node))
        inside = self.inside(node, depth)
        return [*_titled(title), *inside] if inside else _some(paragraph(title))

    def heading(self, node: Node, depth: int) -> list[Block]:
        level = max(1, min(whole_of(attributes_of(node).get("level"), 2), 6))
        children = children_of(node)
        if not all(_is_inline(child, True) for child in children):
            return self.inside(node, depth)
        runs = [run._replace(marks=run.marks - {"strong"}) for run in self.runs(children, depth)]
        return _some(heading(level, phrase(runs)))

    def bullets(self, node: Node, depth: int) -> list[Block]:
        return self.items(node, depth, lambda child, number: "-")

    def numbers(self, node: Node, depth: int) -> list[Block]:
        first = max(0, min(whole_of(attributes_of(node).get("order"), 1), 999_999))
        return self.items(node, depth, lambda child, number: f"{first + number}.")

    def tasks(self, node: Node, depth: int) -> list[Block]:
        return self.items(node, depth, lambda child, number: f"- [{'x' if attributes_of(child).get('state') == 'DONE' else ' '}]")

    def decisions(self, node: Node, depth: int) -> list[Block]:
        return self.items(node, depth, lambda child, number: "- Decision:")

    def items(self, node: Node, depth: int, marker: Callable[[Node, int], str]) -> list[Block]:
        """The items of a list. A list that stands between them, as in task lists, belongs to the item before it."""
        gathered: list[tuple[str, list[Block]]] = []
        number = 0
        for child in children_of(node):
            kind = kind_of(child)
            inside = self.inside(child, depth) if kind in ITEMS else self.blocks([child], depth)
            if kind in LISTS and gathered:
                gathered[-1][1].extend(inside)
                continue
            gathered.append((marker(child, number) if kind not in LISTS else "-", inside))
            number += 1
        return _some(items([item(sign, blocks) for sign, blocks in gathered if blocks]))

    def code(self, node: Node, depth: int) -> list[Block]:
        language = re.match(r"[\w+#.-]{0,40}", word_of(attributes_of(node).get("language")).strip())
        return _some(fenced(plain(children_of(node), ""), language[0] if language else ""))

    def quote(self, node: Node, depth: int) -> list[Block]:
        return quoted(self.inside(node, depth))

    def panel(self, node: Node, depth: int) -> list[Block]:
        attributes = attributes_of(node)
        inside = self.inside(node, depth)
        lead = PANELS.get(word_of(attributes.get("panelType")), "") or word_of(attributes.get("panelIconText")).strip()
        return led(lead, inside) if lead and inside else inside

    def rule(self, node: Node, depth: int) -> list[Block]:
        return [Block("---", "rule"), *self.inside(node, depth)]

    def table(self, node: Node, depth: int) -> list[Block]:
        rows = [[self.cell(cell, depth + 1) for cell in _cells(row)] for row in children_of(node)]
        return table(rows)

    def cell(self, node: Node, depth: int) -> Cell:
        attributes = attributes_of(node)
        across, down = (max(1, min(whole_of(attributes.get(key), 1), MOST_SPAN)) for key in ("colspan", "rowspan"))
        blocks = self.inside(node, depth) if kind_of(node) in CELLS else self.blocks([node], depth)
        return Cell(tuple(blocks), kind_of(node) == "tableHeader", across, down)

    def card(self, node: Node, depth: int) -> list[Block]:
        return [*_some(paragraph(phrase(list(_card(node))))), *self.inside(node, depth)]

    def media(self, node: Node, depth: int) -> list[Block]:
        """Pictures and files, each on its line, with the caption below."""
        lines = []
        for child in [node] if kind_of(node) == "media" else children_of(node):
            runs = self.runs([child], depth) if kind_of(child) != "caption" else self.runs(children_of(child), depth)
            lines.append(phrase(runs))
        return _some(paragraph("\n".join(lines)))

    def extension(self, node: Node, depth: int) -> list[Block]:
        inside = self.inside(node, depth)
        title = _extension_title(node)
        if inside:
            return [*_titled(title), *inside]
        return _some(paragraph(title or _bracketed(word_of(attributes_of(node).get("extensionKey")))))

    # ------------------------------------------------------------ running text

    def phrase(self, nodes: Sequence[Node], depth: int) -> str:
        return phrase(self.runs(nodes, depth))

    def runs(self, nodes: Iterable[Node], depth: int) -> list[MarkedText]:
        found: list[MarkedText] = []
        mentioned = False
        for node in nodes:
            for run in self.run(node, depth + 1):
                if mentioned and run.text[:1].isalnum():
                    found.append(MarkedText(" "))  # the page shows a name in a box of its own, without a blank beside it
                if run.text:
                    found.append(run)
                    mentioned = kind_of(node) == "mention"
        return found

    def run(self, node: Node, depth: int) -> Iterator[MarkedText]:
        attributes = attributes_of(node)
        marks, address = marks_of(node)
        match kind_of(node):
            case "text":
                words = word_of(node.get("text"))
                # 10 to the power of 5 is not 105; but 1st is 1st
                yield MarkedText(f"^{words}" if "sup" in marks and words[:1] in "0123456789+-−" else words, marks, address)
            case "hardBreak":
                yield MarkedText("\n")
            case "mention":
                yield MarkedText(self.mention(attributes), marks, address)
            case "emoji":
                yield MarkedText(
                    word_of(attributes.get("text")) or word_of(attributes.get("shortName")), marks - {"code"}, address
                )
            case "date":
                yield MarkedText(_date(attributes.get("timestamp")), marks, address)
            case "status":
                yield MarkedText(_bracketed(word_of(attributes.get("text"))), marks, address)
            case "inlineCard" | "blockCard" | "embedCard":
                yield from _card(node)
            case "media" | "mediaInline" | "image":
                yield MarkedText(_media(node), address=address)
            case "inlineExtension":
                yield MarkedText(_extension_title(node) or _bracketed(word_of(attributes.get("extensionKey"))))
            case _ if depth > DEEPEST or kind_of(node) in _BLOCKS:
                yield MarkedText(f" {plain([node])} ")
                return
            case _:
                words = words_of(attributes)
                yield MarkedText(f" {words} " if words else "", marks, address)
                yield from self.runs(children_of(node), depth)
                return
        if children := children_of(node):  # which none of these should have
            yield MarkedText(f" {plain(children)} ")

    def mention(self, attributes: Mapping[str, Any]) -> str:
        person = word_of(attributes.get("id"))
        name = self.names.get(person) or word_of(attributes.get("text")).strip() or person
        return f"@{name.removeprefix('@')}" if name else ""


Writer = Callable[[_Walker, Node, int], list[Block]]
_BLOCKS: Mapping[str, Writer] = {
    "doc": _Walker.inside,
    "paragraph": _Walker.inside,
    "heading": _Walker.heading,
    "bulletList": _Walker.bullets,
    "orderedList": _Walker.numbers,
    "taskList": _Walker.tasks,
    "decisionList": _Walker.decisions,
    "listItem": _Walker.inside,
    "codeBlock": _Walker.code,
    "blockquote": _Walker.quote,
    "panel": _Walker.panel,
    "rule": _Walker.rule,
    "table": _Walker.table,
    "blockCard": _Walker.card,
    "embedCard": _Walker.card,
    "media": _Walker.media,
    "mediaSingle": _Walker.media,
    "mediaGroup": _Walker.media,
    "extension": _Walker.extension,
    "bodiedExtension": _Walker.extension,
    "multiBodiedExtension": _Walker.extension,
    **dict.fromkeys(
        """expand nestedExpand layoutSection layoutColumn caption taskItem blockTaskItem decisionItem tableRow tableCell
        tableHeader syncBlock bodiedSyncBlock extensionFrame""".split(),
        _Walker.container,
    ),
}
LISTS = frozenset(("bulletList", "orderedList", "taskList", "decisionList"))
ITEMS = frozenset(("listItem", "taskItem", "blockTaskItem", "decisionItem"))
CELLS = frozenset(("tableCell", "tableHeader"))


def _is_inline(node: Node, among_text: bool) -> bool:
    """Whether a node is part of running text. One of a type that is not known is, if it stands among such."""
    kind = kind_of(node)
    return kind in INLINE or among_text and kind not in _BLOCKS


def _cells(row: Node) -> list[Node]:
    return children_of(row) if kind_of(row) == "tableRow" else [row]


# ---------------------------------------------------------------- single nodes


def _card(node: Node) -> Iterator[MarkedText]:
    """A link that Jira shows as a card: its title, where the card holds one, and its address."""
    attributes = attributes_of(node)
    data = attributes.get("data")
    data = data if isinstance(data, Mapping) else {}
    address = clean(word_of(attributes.get("url")) or word_of(data.get("url")) or word_of(data.get("@id"))).strip()
    title = clean(word_of(data.get("name")) or word_of(attributes.get("title")) or word_of(attributes.get("text"))).strip()
    yield MarkedText(title or address, frozenset(), address)
    source = attributes.get("datasource")
    parameters = source.get("parameters") if isinstance(source, Mapping) else None
    if isinstance(parameters, Mapping) and parameters.get("jql") and not address:
        yield MarkedText(f"[tickets: {word_of(parameters['jql'])}]")


def _media(node: Node) -> str:
    attributes = attributes_of(node)
    names = (attributes.get(key) for key in ("alt", "__fileName", "title", "text"))
    identity = word_of(attributes.get("id"))
    name = next((word for name in names if (word := word_of(name).strip())), "")
    name = name or (identity if FILE_NAME.search(identity) else "")
    address = word_of(attributes.get("url")).strip()
    is_picture = attributes.get("type") in ("image", "external") or attributes.get("width") or PICTURE.search(name or address)
    words = ": ".join(filter(None, ("image" if is_picture else "file", name or address)))
    return f"[{words}]({address})" if name and address else f"[{words}]"


def _extension_title(node: Node) -> str:
    """What an app's block says about itself."""
    attributes = attributes_of(node)
    parameters = attributes.get("parameters")
    parameters = parameters if isinstance(parameters, Mapping) else {}
    titled = (parameters, parameters.get("macroMetadata"), parameters.get("macroParams"))
    titles = [_value(one.get("title")) for one in titled if isinstance(one, Mapping)]
    words = [word_of(attributes.get("text")), *titles, word_of(attributes.get("title")), word_of(attributes.get("url"))]
    return clean(" ".join(dict.fromkeys(word.strip() for word in words if word.strip())))


def _value(parameter: object) -> str:
    return word_of(parameter.get("value")) if isinstance(parameter, Mapping) else word_of(parameter)


def _titled(words: str) -> list[Block]:
    """A line in bold above what it is the title of."""
    return _some(paragraph(f"**{' '.join(words.split())}**" if words.strip() else ""))


def _bracketed(words: str) -> str:
    return f"[{words.strip()}]" if words.strip() else ""


def _date(timestamp: object) -> str:
    """Milliseconds since 1970, mostly in a string, as the day they mean."""
    try:
        return datetime.fromtimestamp(int(word_of(timestamp)) / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return word_of(timestamp)


def _some(block: Block | None) -> list[Block]:
    return [block] if block else []
