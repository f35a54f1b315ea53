"""What a node of Atlassian's document format holds, whatever its shape: sites send what the schema forbids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from connectors.jira.markup.phrase import clean

Node = Mapping[str, Any]

WORDS_OF = ("text", "title", "alt", "shortName", "url")  # the attributes that people see, of a node of any type
NO_MARKS: tuple[frozenset[str], str] = (frozenset(), "")


def kind_of(node: Node) -> str:
    kind = node.get("type")
    return kind if isinstance(kind, str) else ""


def nodes_of(value: object) -> list[Node]:
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
    return [{"content": value}] if isinstance(value, list | tuple) else nodes_of(value)


def children_of(node: Node) -> list[Node]:
    own = nodes_of(node.get("text")) if kind_of(node) != "text" else []
    return [*own, *nodes_of(node.get("content"))]


def attributes_of(node: Node) -> Mapping[str, Any]:
    value = node.get("attrs")
    if isinstance(value, list | tuple):
        return {key: one[key] for one in reversed(value) if isinstance(one, Mapping) for key in one}
    return value if isinstance(value, Mapping) else {"text": value}


def word_of(value: object) -> str:
    """A text that should be a string."""
    if isinstance(value, str):
        return clean(value)
    return "" if value is None or isinstance(value, bool) else plain(nodes_of(value))


def words_of(attributes: Mapping[str, Any]) -> str:
    """Everything that attributes say to people, each thing once."""
    return " ".join(dict.fromkeys(words for key in WORDS_OF if (words := word_of(attributes.get(key)).strip())))


def whole_of(value: object, otherwise: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return otherwise
    try:
        return int(value)
    except (ValueError, OverflowError):
        return otherwise


def marks_of(node: Node) -> tuple[frozenset[str], str]:
    """The names of a node's marks, and where its link leads."""
    if not node.get("marks"):
        return NO_MARKS
    names: set[str] = set()
    address = ""
    for mark in nodes_of(node.get("marks")):
        kind = kind_of(mark)
        names.add(kind)
        if kind == "link":
            address = word_of(attributes_of(mark).get("href"))
        elif kind == "subsup":
            names.add(word_of(attributes_of(mark).get("type")))
    return frozenset(names), address


def plain(nodes: Sequence[Node], between: str = " ") -> str:
    """All words below the nodes, in order, without a call for each level: also of what is nested without end."""
    found: list[str] = []
    waiting: list[Node] = [*reversed(nodes)]
    while waiting:
        node = waiting.pop()
        kind = kind_of(node)
        if kind == "text" and isinstance(node.get("text"), str):
            found.append(node["text"])
        elif kind == "hardBreak":
            found.append("\n")
        else:
            attributes = attributes_of(node)
            found += [f"{between}{words}" for key in WORDS_OF if isinstance(words := attributes.get(key), str) and words]
            found.append(between)
            if kind == "text":
                waiting.extend(reversed(nodes_of(node.get("text"))))
        waiting.extend(reversed(children_of(node)))
    text = clean("".join(found))
    return re.sub(r" {2,}", " ", text).strip() if between else text
