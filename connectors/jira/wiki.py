"""Jira's wiki markup, the text of Jira Data Center, as Markdown.

The markup is read into nodes of the document format that Jira Cloud uses, so that both are written by the same code.
Everything here is linear in the length of the text: jira2markdown, which loses as little, takes 206 ms for a text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from connectors.formats.html import convert_text
from connectors.jira import adf
from connectors.jira.markup.phrase import clean
from connectors.jira.markup.wiki_phrase import phrase

Node = dict[str, Any]

LONGEST = 150_000  # characters; Jira takes 32,767 unless told otherwise, the longest that was seen has 103,639
MOST_CELLS = 100  # of one row; what comes after stays in the last of them
MOST_NESTED = 30  # boxes in each other; the tags of deeper ones stay words
VERBATIM = ("code", "noformat")
HTML = "html"
BOXES = ("quote", "panel", "expand", "info", "note", "warning", "tip", "section", "column", "excerpt")
PANELS = ("info", "note", "warning", "tip")
SILENT = ("anchor", "toc", "color")
TAG = re.compile(
    r"""
      \\[{}]
    | \{\{(?:[^{}\n]|\{(?!\{)|\}(?!\})|\}(?=\}\}))+\}\}
    | \{(?P<name>[a-zA-Z][\w-]{0,40})(?::(?P<parameters>[^{}\n]{0,1000}))?\}
    | (?m:^)```(?P<language>[\w+\#.-]{0,40})[ \t]*\n
    """,
    re.X,
)
CLOSING = re.compile(r"(?i)\{([a-z][\w-]{0,40})\}|\{((?:code|noformat):)[^{}\n]{0,1000}\}|\n(```)[ \t]*(?=\n|\Z)")
_HEADING = re.compile(r"[ \t]*h([1-6])\.[ \t]*(?=\S)")
QUOTE = re.compile(r"[ \t]*bq\.[ \t]+")
RULE = re.compile(r"[ \t]*-{4,}[ \t]*\Z")
ITEM = re.compile(r"[ \t]*([*#]+-?|-[*#]*|-{2,5})[ \t]+(?=\S)")
ROW = re.compile(r"[ \t]*+\|[^|\n]*+\|")
CELL = re.compile(
    r"""
      \\.
    | \[[^\[\]|\n]*(?:\|[^\[\]|\n]*){1,3}\]
    | ![^\s!|][^!|\n]{0,250}\.\w{2,5}\|[^!|\n]{0,200}!
    | \{\{(?:[^{}\n]|\{(?!\{)|\}(?!\}))+\}\}
    | (?P<bar>\|\|?)
    """,
    re.X,
)


def to_markdown(text: str, names: Mapping[str, str] = adf.NO_NAMES) -> str:
    """A text as Markdown. `names`: what to call the people who are mentioned by their user names or account ids."""
    return adf.to_markdown(document(text), names)


def document(text: str) -> Node:
    """A text as a document in Atlassian's format."""
    text = clean(text).replace("\ue000", "\ufffd").replace("\ue001", "\ufffd")
    if len(text) > LONGEST:  # no ticket's text: kept as it is
        return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]}
    return {"type": "doc", "version": 1, "content": _Boxes(text).read()}


# ---------------------------------------------------------------- macros


@dataclass
class Box:
    """A macro that is open, with the text in it; blocks inside are held apart and their places marked."""

    name: str = ""
    parameters: str = ""
    written: list[str] = field(default_factory=list)


class _Boxes:
    """Takes the macros out of a text, from the inside out, and leaves a mark in the place of each."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.held: list[Node] = []
        self.open = [Box()]
        self.colored = False  # whether a {color} without a colour can be the end of one
        self.closing: dict[str, list[int]] = {}  # where each macro could end
        self.ends: dict[int, int] = {}
        for match in CLOSING.finditer(text):
            name = match[match.lastindex or 0].casefold()
            self.closing.setdefault(name, []).append(match.start())
            self.ends[match.start()] = match.end()

    def read(self) -> list[Node]:
        at = 0
        while match := TAG.search(self.text, at):
            self.write(self.text[at : match.start()])
            at = self.tag(match)
        self.write(self.text[at:])
        while len(self.open) > 1:
            self.close()
        return self.blocks("".join(self.open[0].written))

    def write(self, text: str) -> None:
        self.open[-1].written.append(text)

    def tag(self, match: re.Match[str]) -> int:
        """Deals with one tag and says where to go on."""
        at = match.end()
        name, parameters = (match["name"] or "").casefold(), match["parameters"]
        if name == HTML:
            end = self.next(HTML, at)
            if end is not None:
                self.html(self.text[at:end])
                return self.ends[end]
        elif name in VERBATIM or match["language"] is not None:
            end = self.next(name or "```", at if name else at - 1)
            if end is None:  # some people end it with the tag that it began with
                end = self.next(f"{name}:", at)
            if end is not None:
                self.verbatim(self.text[at:end], match["language"] or "", parameters or "")
                return self.ends[end]
        elif name in SILENT:
            self.colored |= name == "color" and parameters is not None
            if parameters is not None or name == "toc" or self.colored:
                return at
        elif name and self.is_box(name, parameters, at):
            return at
        self.write(match[0])
        return at

    def next(self, name: str, at: int) -> int | None:
        """Where the next closing tag of a macro stands."""
        places = self.closing.get(name, [])
        number = bisect_left(places, at)
        return places[number] if number < len(places) else None

    def is_box(self, name: str, parameters: str | None, at: int) -> bool:
        """Opens or closes the box of a tag, if it is one: a word in braces may as well be part of somebody's code."""
        is_open = any(box.name == name for box in self.open)
        if is_open and parameters is None:
            while self.open[-1].name != name:
                self.close()
            self.close()
            return True
        known = name in BOXES or "=" in (parameters or "")
        if not known or self.next(name, at) is None or len(self.open) > MOST_NESTED:
            return False
        self.open.append(Box(name, parameters or ""))
        return True

    def close(self) -> None:
        box = self.open.pop()
        title = _title(box.parameters)
        inside = self.blocks("".join(box.written))
        if box.name == "quote":
            node: Node = {"type": "blockquote", "content": inside}
        elif box.name in PANELS and not title:
            node = {"type": "panel", "attrs": {"panelType": box.name}, "content": inside}
        else:
            node = {"type": "expand", "attrs": {"title": title}, "content": inside}
        self.hold(node)

    def verbatim(self, code: str, language: str, parameters: str) -> None:
        first = parameters.split("|")[0]
        language = language or (first if "=" not in first else _parameter(parameters, "language"))
        language = "" if language.casefold() in ("none", "plain", "text") else language
        block: Node = {"type": "codeBlock", "attrs": {"language": language}, "content": [{"type": "text", "text": code}]}
        title = _title(parameters, "")
        self.hold({"type": "expand", "attrs": {"title": title}, "content": [block]} if title else block)

    def html(self, markup: str) -> None:
        """What somebody wrote as HTML, as the text that it shows."""
        for section in convert_text(markup).sections():
            texts = [*section.locator.heading, section.text]
            for text in "\n\n".join(filter(None, texts)).split("\n\n"):
                lines = [[{"type": "text", "text": line}, {"type": "hardBreak"}] for line in text.split("\n") if line.strip()]
                self.hold({"type": "paragraph", "content": [node for line in lines for node in line][:-1]})
                self.write("\n\n")

    def hold(self, node: Node) -> None:
        self.write(f"\ue000{len(self.held)}\ue001")
        self.held.append(node)

    def blocks(self, text: str) -> list[Node]:
        return list(_Lines(self.held).read(text))


def _title(parameters: str, first: str = "=") -> str:
    """The title among a macro's parameters; a macro may also have nothing but its title there."""
    title = _parameter(parameters, "title")
    return title or (parameters.strip() if first and parameters and "=" not in parameters else "")


def _parameter(parameters: str, name: str) -> str:
    pairs = (one.partition("=") for one in parameters.split("|"))
    return next((value.strip() for key, _, value in pairs if key.strip().casefold() == name), "")


# ---------------------------------------------------------------- lines


class _Lines:
    """Reads the lines of one box and holds the paragraph, list or table that is open."""

    def __init__(self, held: Sequence[Node]) -> None:
        self.held = held
        self.lines: list[str] = []
        self.items: list[tuple[str, list[str]]] = []
        self.rows: list[list[str]] = []

    def read(self, text: str) -> Iterator[Node]:
        for line in text.split("\n"):
            if not line.strip():
                yield from self.close()
            elif match := _HEADING.match(line):
                yield from self.close()
                content = self.phrase(line[match.end() :])
                yield {"type": "heading", "attrs": {"level": int(match[1])}, "content": content}
            elif match := QUOTE.match(line):
                yield from self.close()
                yield {"type": "blockquote", "content": self.phrase(line[match.end() :])}
            elif RULE.match(line):
                yield from self.close()
                yield {"type": "rule"}
            elif (match := ITEM.match(line)) and (self.items or not match[1].startswith("--")):
                if not self.items:
                    yield from self.close()
                self.items.append((match[1], [line[match.end() :]]))
            elif ROW.match(line) and (not self.items or line.rstrip().endswith("|")):
                if not self.rows:
                    yield from self.close()
                self.rows.append([line])
            else:
                if self.rows and self.rows[-1][-1].rstrip().endswith("|"):
                    yield from self.close()
                self.line(line)
        yield from self.close()

    def line(self, line: str) -> None:
        """A line that goes on with whatever is open."""
        if self.items:
            self.items[-1][1].append(line)
        elif self.rows:
            self.rows[-1].append(line)
        else:
            self.lines.append(line)

    def close(self) -> Iterator[Node]:
        lines, items, rows = self.lines, self.items, self.rows
        self.lines, self.items, self.rows = [], [], []
        if lines:
            yield {"type": "paragraph", "content": self.phrase("\n".join(lines))}
        if items:
            yield from _lists([(marks, self.phrase("\n".join(item))) for marks, item in items])
        if rows:
            yield {"type": "table", "content": [self.row("\n".join(row)) for row in rows]}

    def phrase(self, text: str) -> list[Node]:
        return phrase(text, self.held)

    def row(self, text: str) -> Node:
        cells: list[Node] = []
        at, kind = -1, ""
        text = text.strip()
        for match in CELL.finditer(text):
            if not match["bar"] or len(cells) >= MOST_CELLS:
                continue
            if at >= 0:
                cells.append({"type": kind, "content": self.phrase(text[at : match.start()].strip())})
            at, kind = match.end(), "tableHeader" if match["bar"] == "||" else "tableCell"
        if text[at:].strip():
            cells.append({"type": kind, "content": self.phrase(text[at:].strip())})
        return {"type": "tableRow", "content": cells}


def _lists(items: Sequence[tuple[str, list[Node]]]) -> Iterator[Node]:
    """Items with their marks (`*`, `##`, `*#`) as lists in each other."""
    open_lists: list[Node] = []
    for marks, content in items:
        marks = marks[: adf.DEEPEST // 2]
        kinds = ["orderedList" if mark == "#" else "bulletList" for mark in marks]
        if len(open_lists) > len(kinds):
            del open_lists[len(kinds) :]
        if len(open_lists) == len(kinds) and open_lists[-1]["type"] != kinds[-1]:
            open_lists.pop()
        while len(open_lists) < len(kinds):
            new: Node = {"type": kinds[len(open_lists)], "content": []}
            if not open_lists:
                yield new
            elif open_lists[-1]["content"]:
                open_lists[-1]["content"][-1]["content"].append(new)
            else:
                open_lists[-1]["content"].append({"type": "listItem", "content": [new]})
            open_lists.append(new)
        open_lists[-1]["content"].append({"type": "listItem", "content": content})
