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
from connectors.jira.markup.phrase import Run, clean, phrase

Node = Mapping[str, Any]

DEEPEST = 40  # nodes in each other; what lies deeper is kept as plain words
MOST_SPAN = 100  # columns or rows of one cell
NO_MARKS: tuple[frozenset[str], str] = (frozenset(), "")
NO_NAMES: Mapping[str, str] = MappingProxyType({})
PANELS = {"note": "Note", "warning": "Warning", "error": "Error", "success": "Success", "tip": "Tip"}  # info is any box
PICTURE = re.compile(r"\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|heic)\Z", re.I)
FILE_NAME = re.compile(r"[^/\\]+\.\w{1,5}\Z")
WORDS_OF = ("text", "title", "alt", "shortName", "url")  # the attributes that people see, of a node of any type
INLINE = frozenset(
    "text hardBreak mention emoji date status inlineCard inlineExtension mediaInline placeholder image".split()
)  # fmt: skip


def to_markdown(document: Mapping[str, Any] | None, names: Mapping[str, str] = NO_NAMES) -> str:
    """A document as Markdown. `names`: who the account ids of mentions are now; else the name in the text stands."""
    return joined(_Walker(names).blocks(_nodes(document), 0))


class _Walker:
    """Goes through a document and holds what all of it needs."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    # ------------------------------------------------------------ blocks

    def blocks(self, nodes: Sequence[Node], depth: int) -> list[Block]:
        """The blocks of nodes beside each other; running text between them becomes paragraphs."""
        if depth > DEEPEST:
            return _some(paragraph(_plain(nodes)))
        among_text = any(_type(node) in INLINE for node in nodes)
        found: list[Block] = []
        for is_inline, group in groupby(nodes, key=lambda node: _is_inline(node, among_text)):
            if is_inline:
                found += _some(paragraph(self.phrase(list(group), depth)))
            else:
                for node in group:
                    found += self.block(node, depth)
        return found

    def block(self, node: Node, depth: int) -> list[Block]:
        write = _BLOCKS.get(_type(node), _Walker.container)
        return write(self, node, depth + 1)

    def inside(self, node: Node, depth: int) -> list[Block]:
        return self.blocks(_children(node), depth)

    def container(self, node: Node, depth: int) -> list[Block]:
        """A node without a look of its own, or of a type that is not known here: its title, then what is in it."""
        attributes = _attributes(node)
        words = [_word(attributes.get(key)) for key in WORDS_OF]
        title = next(filter(None, words), "")
        inside = self.inside(node, depth)
        if not title:
            return inside
        return [*_some(paragraph(f"**{title.strip()}**" if inside else title)), *inside]

    def heading(self, node: Node, depth: int) -> list[Block]:
        level = max(1, min(_whole(_attributes(node).get("level"), 2), 6))
        children = _children(node)
        if not all(_is_inline(child, True) for child in children):
            return self.inside(node, depth)
        runs = [run._replace(marks=run.marks - {"strong"}) for run in self.runs(children, depth)]
        return _some(heading(level, phrase(runs)))

    def bullets(self, node: Node, depth: int) -> list[Block]:
        return self.items(node, depth, lambda child, number: "-")

    def numbers(self, node: Node, depth: int) -> list[Block]:
        first = max(0, min(_whole(_attributes(node).get("order"), 1), 999_999))
        return self.items(node, depth, lambda child, number: f"{first + number}.")

    def tasks(self, node: Node, depth: int) -> list[Block]:
        return self.items(node, depth, lambda child, number: f"- [{'x' if _attributes(child).get('state') == 'DONE' else ' '}]")

    def decisions(self, node: Node, depth: int) -> list[Block]:
        return self.items(node, depth, lambda child, number: "- Decision:")

    def items(self, node: Node, depth: int, marker: Callable[[Node, int], str]) -> list[Block]:
        """The items of a list. A list that stands between them, as in task lists, belongs to the item before it."""
        gathered: list[tuple[str, list[Block]]] = []
        number = 0
        for child in _children(node):
            kind = _type(child)
            inside = self.inside(child, depth) if kind in ITEMS else self.blocks([child], depth)
            if kind in LISTS and gathered:
                gathered[-1][1].extend(inside)
                continue
            gathered.append((marker(child, number) if kind not in LISTS else "-", inside))
            number += 1
        return _some(items([item(sign, blocks) for sign, blocks in gathered if blocks]))

    def code(self, node: Node, depth: int) -> list[Block]:
        language = re.match(r"[\w+#.-]{0,40}", clean(_word(_attributes(node).get("language"))).strip())
        return _some(fenced(_plain(_children(node), ""), language[0] if language else ""))

    def quote(self, node: Node, depth: int) -> list[Block]:
        return quoted(self.inside(node, depth))

    def panel(self, node: Node, depth: int) -> list[Block]:
        attributes = _attributes(node)
        inside = self.inside(node, depth)
        lead = PANELS.get(_word(attributes.get("panelType")), "") or _word(attributes.get("panelIconText")).strip()
        return led(lead, inside) if lead and inside else inside

    def rule(self, node: Node, depth: int) -> list[Block]:
        return [Block("---", "rule")]

    def table(self, node: Node, depth: int) -> list[Block]:
        rows = [[self.cell(cell, depth + 1) for cell in _cells(row)] for row in _children(node)]
        return table(rows)

    def cell(self, node: Node, depth: int) -> Cell:
        attributes = _attributes(node)
        across, down = (max(1, min(_whole(attributes.get(key), 1), MOST_SPAN)) for key in ("colspan", "rowspan"))
        blocks = self.inside(node, depth) if _type(node) in CELLS else self.blocks([node], depth)
        return Cell(tuple(blocks), _type(node) == "tableHeader", across, down)

    def card(self, node: Node, depth: int) -> list[Block]:
        return _some(paragraph(phrase(_card(node))))

    def media(self, node: Node, depth: int) -> list[Block]:
        """Pictures and files, each on its line, with the caption below."""
        lines = []
        for child in _children(node) or [node]:
            runs = self.runs([child], depth) if _type(child) != "caption" else self.runs(_children(child), depth)
            lines.append(phrase(runs))
        return _some(paragraph("\n".join(lines)))

    def extension(self, node: Node, depth: int) -> list[Block]:
        inside = self.inside(node, depth)
        title = _extension_title(node)
        if inside:
            return [*_some(paragraph(f"**{title}**" if title else "")), *inside]
        return _some(paragraph(title or _bracketed(_word(_attributes(node).get("extensionKey")))))

    # ------------------------------------------------------------ running text

    def phrase(self, nodes: Sequence[Node], depth: int) -> str:
        return phrase(self.runs(nodes, depth))

    def runs(self, nodes: Iterable[Node], depth: int) -> list[Run]:
        found: list[Run] = []
        mentioned = False
        for node in nodes:
            for run in self.run(node, depth + 1):
                if mentioned and run.text[:1].isalnum():
                    found.append(Run(" "))  # the page shows a name in a box of its own, without a blank beside it
                if run.text:
                    found.append(run)
                    mentioned = _type(node) == "mention"
        return found

    def run(self, node: Node, depth: int) -> Iterator[Run]:
        attributes = _attributes(node)
        marks, address = _marks(node)
        match _type(node):
            case "text":
                yield Run(clean(_word(node.get("text"))), marks, address)
                if node.get("content"):
                    yield from self.runs(_children(node), depth)
            case "hardBreak":
                yield Run("\n", marks, address)
            case "mention":
                yield Run(self.mention(attributes), marks, address)
            case "emoji":
                yield Run(clean(_word(attributes.get("text")) or _word(attributes.get("shortName"))), marks - {"code"}, address)
            case "date":
                yield Run(_date(attributes.get("timestamp")), marks, address)
            case "status":
                yield Run(_bracketed(clean(_word(attributes.get("text")))), marks, address)
            case "inlineCard" | "blockCard" | "embedCard":
                yield from _card(node)
            case "media" | "mediaInline" | "image":
                yield Run(_media(node), address=address)
            case "inlineExtension":
                yield Run(_extension_title(node) or _bracketed(_word(attributes.get("extensionKey"))))
            case "placeholder":
                yield Run(clean(_word(attributes.get("text"))))
            case _ if depth > DEEPEST or _type(node) in _BLOCKS:
                yield Run(f" {_plain([node])} ")
            case _:
                words = next(filter(None, (_word(attributes.get(key)) for key in WORDS_OF)), "")
                yield Run(f" {clean(words)} " if words else "", marks, address)
                yield from self.runs(_children(node), depth)

    def mention(self, attributes: Mapping[str, Any]) -> str:
        person = _word(attributes.get("id"))
        name = self.names.get(person) or clean(_word(attributes.get("text"))).strip() or person
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


# ---------------------------------------------------------------- what a node holds, whatever its shape


def _type(node: Node) -> str:
    kind = node.get("type")
    return kind if isinstance(kind, str) else ""


def _is_inline(node: Node, among_text: bool) -> bool:
    """Whether a node is part of running text. One of a type that is not known is, if it stands among such."""
    kind = _type(node)
    return kind in INLINE or among_text and kind not in _BLOCKS


def _nodes(value: object) -> list[Node]:
    """Nodes from whatever stands where a list of nodes should."""
    match value:
        case dict() | Mapping():
            return [value]
        case None | bool():
            return []
        case list() | tuple():
            return [node for one in value for node in _node(one)]
        case _:
            return [{"type": "text", "text": str(value)}]


def _node(value: object) -> list[Node]:
    return [{"content": value}] if isinstance(value, list | tuple) else _nodes(value)


def _children(node: Node) -> list[Node]:
    own = _nodes(node.get("text")) if _type(node) != "text" else []
    return [*own, *_nodes(node.get("content"))]


def _cells(row: Node) -> list[Node]:
    return _children(row) if _type(row) == "tableRow" else [row]


def _attributes(node: Node) -> Mapping[str, Any]:
    value = node.get("attrs")
    if isinstance(value, list | tuple):
        return {key: one[key] for one in reversed(value) if isinstance(one, Mapping) for key in one}
    return value if isinstance(value, Mapping) else {"text": value}


def _word(value: object) -> str:
    """A text that should be a string."""
    if isinstance(value, str):
        return value
    return "" if value is None or isinstance(value, bool) else _plain(_nodes(value))


def _whole(value: object, otherwise: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return otherwise
    try:
        return int(value)
    except (ValueError, OverflowError):
        return otherwise


def _marks(node: Node) -> tuple[frozenset[str], str]:
    """The names of a node's marks, and where its link leads."""
    if not node.get("marks"):
        return NO_MARKS
    names: set[str] = set()
    address = ""
    for mark in _nodes(node.get("marks")):
        kind = _type(mark)
        names.add(kind)
        if kind == "link":
            address = clean(_word(_attributes(mark).get("href")))
    return frozenset(names), address


def _plain(nodes: Sequence[Node], between: str = " ") -> str:
    """All words below the nodes, in order, without a call for each level: also of what is nested without end."""
    found: list[str] = []
    waiting: list[Node] = [*reversed(nodes)]
    while waiting:
        node = waiting.pop()
        kind = _type(node)
        if kind == "text" and isinstance(node.get("text"), str):
            found.append(node["text"])
        elif kind == "hardBreak":
            found.append("\n")
        else:
            attributes = _attributes(node)
            found += [f"{between}{words}" for key in WORDS_OF if isinstance(words := attributes.get(key), str) and words]
            found.append(between)
            if kind == "text":
                waiting.extend(reversed(_nodes(node.get("text"))))
        waiting.extend(reversed(_children(node)))
    text = clean("".join(found))
    return re.sub(r" {2,}", " ", text).strip() if between else text


# ---------------------------------------------------------------- single nodes


def _card(node: Node) -> Iterator[Run]:
    """A link that Jira shows as a card: its title, where the card holds one, and its address."""
    attributes = _attributes(node)
    data = attributes.get("data")
    data = data if isinstance(data, Mapping) else {}
    address = clean(_word(attributes.get("url")) or _word(data.get("url")) or _word(data.get("@id"))).strip()
    title = clean(_word(data.get("name")) or _word(attributes.get("title")) or _word(attributes.get("text"))).strip()
    yield Run(title or address, frozenset(), address)
    source = attributes.get("datasource")
    parameters = source.get("parameters") if isinstance(source, Mapping) else None
    if isinstance(parameters, Mapping) and parameters.get("jql") and not address:
        yield Run(f"[tickets: {clean(_word(parameters['jql']))}]")


def _media(node: Node) -> str:
    attributes = _attributes(node)
    names = (attributes.get(key) for key in ("alt", "__fileName", "title", "text"))
    identity = clean(_word(attributes.get("id")))
    name = next((word for name in names if (word := clean(_word(name)).strip())), "")
    name = name or (identity if FILE_NAME.search(identity) else "")
    address = clean(_word(attributes.get("url"))).strip()
    is_picture = attributes.get("type") in ("image", "external") or attributes.get("width") or PICTURE.search(name or address)
    words = ": ".join(filter(None, ("image" if is_picture else "file", name or address)))
    return f"[{words}]({address})" if name and address else f"[{words}]"


def _extension_title(node: Node) -> str:
    """What an app's block says about itself."""
    attributes = _attributes(node)
    parameters = attributes.get("parameters")
    parameters = parameters if isinstance(parameters, Mapping) else {}
    titled = (parameters, parameters.get("macroMetadata"), parameters.get("macroParams"))
    titles = [_value(one.get("title")) for one in titled if isinstance(one, Mapping)]
    words = [_word(attributes.get("text")), *titles, _word(attributes.get("title")), _word(attributes.get("url"))]
    return clean(" ".join(dict.fromkeys(word.strip() for word in words if word.strip())))


def _value(parameter: object) -> str:
    return _word(parameter.get("value")) if isinstance(parameter, Mapping) else _word(parameter)


def _bracketed(words: str) -> str:
    return f"[{words.strip()}]" if words.strip() else ""


def _date(timestamp: object) -> str:
    """Milliseconds since 1970, mostly in a string, as the day they mean."""
    try:
        return datetime.fromtimestamp(int(_word(timestamp)) / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return clean(_word(timestamp))


def _some(block: Block | None) -> list[Block]:
    return [block] if block else []
