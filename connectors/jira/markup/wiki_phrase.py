"""Running text in Jira's wiki markup as nodes of the document format: marks, links, mentions, pictures.

People paste code, logs and paths without saying so. A sign is markup only where Jira would take it as such and a person
would not type it by chance: at the boundary of a word, with its partner on the same line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

Node = dict[str, Any]

MARKS: dict[str, Node] = {
    "*": {"type": "strong"},
    "_": {"type": "em"},
    "-": {"type": "strike"},
    "+": {"type": "underline"},
    "^": {"type": "subsup", "attrs": {"type": "sup"}},
    "~": {"type": "subsup", "attrs": {"type": "sub"}},
    "??": {"type": "em"},
}
# What stands inside one of these is never looked into again. Each expression is linear: it stops at the next opening sign.
ATOM = re.compile(
    r"""
      (?P<held>\ue000\d+\ue001)  # where a block that has been read already belongs
    | (?P<escaped>\\[{}()\[\]*_+^~|!?\#-])
    | (?P<broken>\\\\(?=\s|\Z)[ \t]*\n?)
    | \{\{(?P<code>(?:[^{}\n]|\{(?!\{)|\}(?!\})|\}(?=\}\}))+)\}\}
    | (?P<url>(?:https?|ftp|file)://[^\s<>\[\]{}|"\ue000\\]+)
    | \[(?P<link>[^\[\]\n]{1,2000})\]
    | !(?P<picture>https?://[^\s!|]{1,1000}|[^\s!|][^!|\n]{0,250}\.\w{2,5})(?:\|[^!|\n]{0,200})?!
    | \{(?P<forced>[*_\-+^~])\}
    | (?P<row>(?P<one>[*_\-+^~])(?P=one)+|\?{3,})  # a line, an operator, or Markdown
    | (?P<sign>\?\?|[*_\-+^~])
    | (?P<line>\n)
    """,
    re.X,
)
ESCAPED = re.compile(r"\\([{}\[\]|])")
ADDRESS = re.compile(r"(?:[a-zA-Z][\w+.-]{1,20}:|[#/^~]|www\.|[A-Z][A-Z0-9_]+-\d+\Z|[\w.-]+\.[a-z]{2,}/)")
SMART = re.compile(r"smart-(?:link|card|embed)|block")
BEFORE = frozenset(" \t\n([{<>'\"“‘|*_-+,;:!?")  # what may stand before the sign that opens
AFTER = frozenset(" \t\n)]}<>'\"”’|*_-+,;:.!?=")


class Piece(NamedTuple):
    """A node, or a sign that may turn out to be a mark."""

    node: Node
    sign: str = ""
    opens: bool = False
    closes: bool = False


def phrase(text: str, blocks: Sequence[Node] = (), with_links: bool = True) -> list[Node]:
    """The nodes of a text. `blocks` are those that it holds the places of."""
    pieces = list(_pieces(text, blocks, with_links))
    return list(_joined(_marked(pieces, _pairs(pieces))))


def _pieces(text: str, blocks: Sequence[Node], with_links: bool) -> Iterator[Piece]:
    at = 0
    for match in ATOM.finditer(text):
        if match.start() > at:
            yield Piece(_text(text[at : match.start()]))
        at = match.end()
        kind = match.lastgroup or ""  # one of them: the pattern is made of named groups
        words = match[kind]
        if kind == "row":
            yield Piece(_text(match[0]))
        elif kind == "sign":
            yield _sign(text, match.start(), at, words)
        elif kind == "forced":
            yield Piece(_text(match[0]), words, True, True)
        elif kind == "link" and not with_links:
            yield Piece(_text(match[0]))
        else:
            yield from (Piece(node) for node in _atom(kind, words, match[0], blocks))
    if at < len(text):
        yield Piece(_text(text[at:]))


def _sign(text: str, start: int, end: int, sign: str) -> Piece:
    before, after = text[start - 1 : start] or "\n", text[end : end + 1] or "\n"
    opens = before in BEFORE and not after.isspace()
    closes = after in AFTER and not before.isspace()
    if sign == "-":  # quotes and brackets beside it are more often code than something struck out
        opens, closes = opens and before in " \t\n([*_+", closes and after in " \t\n)].,;:!?*_+"
    elif sign == "*":  # comments in code, paths and times of cron
        opens, closes = opens and after != "/", closes and before != "/"
    return Piece(_text(sign), sign, opens, closes)


def _pairs(pieces: Sequence[Piece]) -> dict[int, int]:
    """The signs that belong together, by their positions: partners stand on one line, one pair inside the other."""
    pairs: dict[int, int] = {}
    waiting: list[int] = []
    count = dict.fromkeys(MARKS, 0)
    for number, piece in enumerate(pieces):
        if piece.node["type"] == "hardBreak":
            waiting, count = [], dict.fromkeys(MARKS, 0)
        elif piece.closes and count[piece.sign] and waiting[-1] != number - 1:
            while True:
                start = waiting.pop()
                count[pieces[start].sign] -= 1
                if pieces[start].sign == piece.sign:
                    break
            pairs[start] = number
        elif piece.opens:
            waiting.append(number)
            count[piece.sign] += 1
    return pairs


def _marked(pieces: Sequence[Piece], pairs: dict[int, int]) -> Iterator[Node]:
    """The nodes with the marks they stand under; the paired signs themselves are gone."""
    ends = set(pairs.values())
    under: list[Node] = []
    for number, piece in enumerate(pieces):
        if number in pairs:
            under.append(MARKS[piece.sign])
        elif number in ends:
            under.pop()
        elif under and piece.node["type"] in ("text", "mention"):
            yield piece.node | {"marks": [*piece.node.get("marks", ()), *under]}
        else:
            yield piece.node


def _joined(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes with text of the same marks in one."""
    for _, group in groupby(nodes, key=lambda node: node["marks"] if node["type"] == "text" else id(node)):
        first, *rest = group
        yield first | {"text": "".join(node["text"] for node in (first, *rest))} if rest else first


def _text(words: str, *marks: Node) -> Node:
    return {"type": "text", "text": words.replace("&nbsp;", " "), "marks": list(marks)}


def _atom(kind: str, words: str, whole: str, blocks: Sequence[Node]) -> list[Node]:
    match kind:
        case "held":
            return [blocks[int(words[1:-1])]]
        case "escaped":
            return [_text(words[1])]
        case "broken" | "line":
            return [{"type": "hardBreak"}]
        case "code":
            return [_text(ESCAPED.sub(r"\1", words), {"type": "code"})]
        case "url":
            return [_text(words, _link(words))]
        case "picture":
            return [_picture(words)]
        case _:
            return _bracketed(words) or [_text("["), *phrase(whole[1:-1], blocks), _text("]")]


def _picture(words: str) -> Node:
    key = "url" if "://" in words else "alt"
    return {"type": "image", "attrs": {"type": "image", key: words}}


def _bracketed(words: str) -> list[Node]:
    """A link, a mention or an attachment; nothing, if it is only something in brackets."""
    parts = words.split("|")
    if parts[0].startswith("~") and len(parts) == 1 and re.fullmatch(r"~\S[^|]{0,200}", words):
        person = words[1:].removeprefix("accountid:")
        return [{"type": "mention", "attrs": {"id": person}}]
    if parts[0].startswith("^") and len(parts) == 1 and len(words) > 2 and "." in words:
        return [{"type": "mediaInline", "attrs": {"type": "file", "alt": words[1:]}}]
    address = (parts[1] if len(parts) > 1 else parts[0]).strip()
    if not ADDRESS.match(address) or " " in address and not address.startswith("#"):
        return []
    if len(parts) == 1:
        if "://" not in address and not address.startswith("mailto:"):
            return []
        return [_text(address.removeprefix("mailto:"), _link(address))]
    words = "|".join(part for part in (parts[0], *parts[2:]) if part.strip() and not SMART.fullmatch(part.strip()))
    return [_linked(node, address) for node in phrase(words or address, (), with_links=False)]


def _linked(node: Node, address: str) -> Node:
    marks = [mark for mark in node.get("marks", ()) if mark["type"] != "link"]
    return node | {"marks": [*marks, _link(address)]}


def _link(address: str) -> Node:
    return {"type": "link", "attrs": {"href": address}}
