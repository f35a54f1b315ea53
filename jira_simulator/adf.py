"""Turns wiki markup into ADF and ADF into wiki markup, as Jira does between version 2 and 3 of its interface.

Simple on purpose: what it makes is valid, and no word is lost. https://developer.atlassian.com/cloud/jira/platform/apis/document/
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jira_simulator.model.records import Body

Node = dict[str, Any]
Person = Callable[[str], tuple[str, str]]  # what a mention names -> account id, display name
PANELS = {"panel": "info", "info": "info", "note": "note", "tip": "success", "warning": "warning"}
FENCE = re.compile(r"^\s*\{(code|noformat|quote|panel|info|note|tip|warning)(?::([^}]*))?\}(.*)$", re.DOTALL)
HEADING = re.compile(r"^\s*h([1-6])\.\s+(.*)$")
ITEM = re.compile(r"^\s*([*#]+|-)\s+(.*)$")
INLINE = re.compile(
    r"\{\{(?P<mono>.+?)\}\}|\[~(?P<mention>[^\]\s]+)\]|\[(?P<label>[^\]|\n]+)\|(?P<url>(?:https?://|mailto:)[^\]|\s]+)(?:\|smart-link)?\]"
    r"|\[(?P<bare>https?://[^\]|\s]+)\]|(?<![\w*])\*(?P<strong>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])"
    r"|(?<![\w_])_(?P<em>[^\s_](?:[^_\n]*[^\s_])?)_(?![\w_])"
)


def adf_of(body: Body, person: Person | None = None) -> Mapping[str, Any]:
    """The text as an ADF document."""
    if body.adf is not None:
        return body.adf
    text = body.wiki or ""
    if person and "[~" in text:
        return {"type": "doc", "version": 1, "content": _blocks(_lines(text), person)}
    return _converted(text)


def wiki_of(body: Body) -> str:
    """The text as wiki markup."""
    if body.wiki is not None:
        return body.wiki
    return "\n\n".join(_wiki_blocks((body.adf or {}).get("content", ())))


@lru_cache(maxsize=4096)
def _converted(text: str) -> Node:
    return {"type": "doc", "version": 1, "content": _blocks(_lines(text), lambda name: (name, name))}


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


# ---------------------------------------------------------------- wiki markup -> ADF


def _blocks(lines: Sequence[str], person: Person) -> list[Node]:
    found: list[Node] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif fence := FENCE.match(line):
            node, at = _fenced(lines, at, fence, person)
            found += node
        elif heading := HEADING.match(line):
            found.append({"type": "heading", "attrs": {"level": int(heading[1])}, "content": _inline(heading[2], person)})
            at += 1
        elif line.strip() == "----":
            found.append({"type": "rule"})
            at += 1
        elif ITEM.match(line):
            end = _while(lines, at, lambda each: bool(ITEM.match(each)))
            found += _lists([(match[1], match[2]) for each in lines[at:end] if (match := ITEM.match(each))], 1, person)
            at = end
        elif line.lstrip().startswith("|"):
            end = _while(lines, at, lambda each: each.lstrip().startswith("|"))
            found.append(_table(lines[at:end], person))
            at = end
        else:
            end = _while(lines, at, _is_prose) if _is_prose(line) else at + 1
            found.append(_paragraph("\n".join(lines[at:end]), person))
            at = end
    return found


def _is_prose(line: str) -> bool:
    words = line.strip()
    return bool(words) and words != "----" and words[0] != "|" and not any(each.match(line) for each in (FENCE, HEADING, ITEM))


def _while(lines: Sequence[str], at: int, holds: Callable[[str], bool]) -> int:
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at


def _fenced(lines: Sequence[str], at: int, fence: re.Match[str], person: Person) -> tuple[list[Node], int]:
    """A block between two equal marks; one that is never closed runs to the end, as in Jira."""
    kind, options, rest = fence[1], fence[2] or "", fence[3]
    closing = "{" + kind + "}"
    inside: list[str] = []
    text: str | None = rest
    while text is not None and closing not in text:
        inside.append(text)
        at += 1
        text = lines[at] if at < len(lines) else None
    after: list[str] = []
    if text is not None:
        before, _, tail = text.partition(closing)
        inside.append(before)
        after = [tail] if tail.strip() else []
        at += 1
    while inside and not inside[0].strip():
        inside.pop(0)
    while inside and not inside[-1].strip():
        inside.pop()
    node = _fenced_node(kind, options, inside, person)
    return [*node, *_blocks(after, person)], at


def _fenced_node(kind: str, options: str, inside: list[str], person: Person) -> list[Node]:
    title = next((part[6:].strip() for part in options.split("|") if part.startswith("title=")), "")
    heading = [{"type": "paragraph", "content": _text(title, {"type": "strong"})}] if title else []
    if kind in ("code", "noformat"):
        first = options.partition("|")[0].strip()
        language = {"attrs": {"language": first}} if kind == "code" and first and "=" not in first else {}
        return [*heading, {"type": "codeBlock", **language, "content": _text("\n".join(inside))}]
    content = heading + (_blocks(inside, person) or [_paragraph("", person)])
    if kind == "quote":
        return _wrapped({"type": "blockquote"}, content, {"paragraph", "bulletList", "orderedList", "codeBlock"})
    allowed = {"paragraph", "heading", "bulletList", "orderedList", "codeBlock", "rule"}
    return _wrapped({"type": "panel", "attrs": {"panelType": PANELS[kind]}}, content, allowed)


def _wrapped(outer: Node, content: list[Node], allowed: set[str]) -> list[Node]:
    """What may not stand inside (a table in a quote) stands after it."""
    inner = [each for each in content if each["type"] in allowed]
    outside = [each for each in content if each["type"] not in allowed]
    return ([{**outer, "content": inner}] if inner else []) + outside


def _lists(items: Sequence[tuple[str, str]], depth: int, person: Person) -> list[Node]:
    found: list[Node] = []
    at = 0
    while at < len(items):
        marker = items[at][0][min(depth, len(items[at][0])) - 1]
        kind = "orderedList" if marker == "#" else "bulletList"
        content: list[Node] = []
        while at < len(items) and items[at][0][min(depth, len(items[at][0])) - 1] == marker:
            entry: Node = {"type": "listItem", "content": [_paragraph(items[at][1], person)]}
            end = at + 1
            while end < len(items) and len(items[end][0]) > depth:
                end += 1
            if end > at + 1:
                entry["content"] += _lists(items[at + 1 : end], depth + 1, person)
            content.append(entry)
            at = end
        found.append({"type": kind, "content": content})
    return found


def _table(lines: Sequence[str], person: Person) -> Node:
    rows = []
    for line in lines:
        cells = re.findall(r"(\|\|?)((?:\[[^\]\n]*\]|\{\{.*?\}\}|[^|])*)", line.strip())
        if cells and not cells[-1][1].strip():
            cells.pop()
        content: list[Node] = [
            {"type": "tableHeader" if mark == "||" else "tableCell", "attrs": {}, "content": [_paragraph(text.strip(), person)]}
            for mark, text in cells
        ]
        if content:
            rows.append({"type": "tableRow", "content": content})
    return (
        {"type": "table", "attrs": {"isNumberColumnEnabled": False, "layout": "default"}, "content": rows}
        if rows
        else _paragraph("|", person)
    )


def _paragraph(text: str, person: Person) -> Node:
    content: list[Node] = []
    for number, line in enumerate(text.split("\n")):
        if number:
            content.append({"type": "hardBreak"})
        content += _inline(line, person)
    return {"type": "paragraph", "content": content}


def _inline(text: str, person: Person) -> list[Node]:
    found: list[Node] = []
    at = 0
    for match in INLINE.finditer(text):
        found += _text(text[at : match.start()])
        found += _marked(match, person)
        at = match.end()
    return found + _text(text[at:])


def _marked(match: re.Match[str], person: Person) -> list[Node]:
    if match["mono"]:
        return _text(match["mono"], {"type": "code"})
    if match["mention"]:
        account, name = person(match["mention"].removeprefix("accountid:"))
        return [{"type": "mention", "attrs": {"id": account, "text": f"@{name}", "accessLevel": ""}}]
    if match["label"]:
        return _text(match["label"], {"type": "link", "attrs": {"href": match["url"]}})
    if match["bare"]:
        return [{"type": "inlineCard", "attrs": {"url": match["bare"]}}]
    return _text(match["strong"], {"type": "strong"}) if match["strong"] else _text(match["em"], {"type": "em"})


def _text(text: str, mark: Node | None = None) -> list[Node]:
    if not text:
        return []
    return [{"type": "text", "text": text, **({"marks": [mark]} if mark else {})}]


# ---------------------------------------------------------------- ADF -> wiki markup


def _wiki_blocks(nodes: Sequence[Mapping[str, Any]]) -> list[str]:
    return [text for node in nodes if (text := _wiki_block(node))]


def _wiki_block(node: Mapping[str, Any]) -> str:
    content, attrs = node.get("content", ()), node.get("attrs", {})
    match node.get("type"):
        case "heading":
            return f"h{attrs.get('level', 1)}. {_wiki_inline(content)}"
        case "bulletList" | "orderedList" | "taskList" | "decisionList":
            return "\n".join(_wiki_items(node, ""))
        case "codeBlock":
            language = f":{attrs['language']}" if attrs.get("language") else ""
            return f"{{code{language}}}\n{_wiki_inline(content)}\n{{code}}"
        case "blockquote":
            return "{quote}\n" + "\n\n".join(_wiki_blocks(content)) + "\n{quote}"
        case "panel":
            return "{panel}\n" + "\n\n".join(_wiki_blocks(content)) + "\n{panel}"
        case "rule":
            return "----"
        case "table":
            return "\n".join(_wiki_row(row) for row in content)
        case "expand" | "nestedExpand":
            return "\n\n".join([f"*{attrs['title']}*"] * bool(attrs.get("title")) + _wiki_blocks(content))
        case "blockCard" | "embedCard":
            return f"[{attrs.get('url', '')}]"
        case "paragraph" | "caption":
            return _wiki_inline(content)
        case "text":
            return _wiki_inline([node])
    if content:
        return "\n\n".join(_wiki_blocks(content))
    return _wiki_inline([node])


def _wiki_items(node: Mapping[str, Any], prefix: str) -> Iterator[str]:
    marker = prefix + ("#" if node["type"] == "orderedList" else "*")
    for item in node.get("content", ()):
        if item.get("type") in ("bulletList", "orderedList", "taskList", "decisionList"):
            yield from _wiki_items(item, marker)
            continue
        box = (
            {"TODO": "[ ] ", "DONE": "[x] "}.get(item.get("attrs", {}).get("state", ""), "")
            if item.get("type") == "taskItem"
            else ""
        )
        lists = [each for each in item.get("content", ()) if str(each.get("type")).endswith("List")]
        rest = [each for each in item.get("content", ()) if each not in lists]
        is_inline = item.get("type") in ("taskItem", "decisionItem")
        text = _wiki_inline(rest) if is_inline else "\n".join(_wiki_blocks(rest))
        yield f"{marker} {box}{text}"
        for each in lists:
            yield from _wiki_items(each, marker)


def _wiki_row(row: Mapping[str, Any]) -> str:
    cells = row.get("content", ())
    marks = ["||" if cell.get("type") == "tableHeader" else "|" for cell in cells]
    texts = [" \\\\ ".join(_wiki_blocks(cell.get("content", ()))).replace("\n", " \\\\ ") or " " for cell in cells]
    return "".join(mark + text for mark, text in zip(marks, texts, strict=True)) + (marks[-1] if marks else "")


def _wiki_inline(nodes: Sequence[Mapping[str, Any]]) -> str:
    return "".join(_wiki_word(node) for node in nodes)


def _wiki_word(node: Mapping[str, Any]) -> str:
    attrs = node.get("attrs", {})
    match node.get("type"):
        case "text":
            text = str(node.get("text", ""))
            for mark in node.get("marks", ()):
                text = _wiki_mark(text, mark)
            return text
        case "hardBreak":
            return "\n"
        case "mention":
            return f"[~accountid:{attrs.get('id', '')}]"
        case "inlineCard":
            return f"[{attrs.get('url', '')}]"
        case "date":
            return dt.datetime.fromtimestamp(int(attrs.get("timestamp", 0)) / 1000, dt.UTC).date().isoformat()
        case "emoji" | "status" | "placeholder":
            return str(attrs.get("text") or attrs.get("shortName") or "")
        case "media" | "mediaInline":
            return f"!{attrs.get('alt') or attrs.get('url') or attrs.get('id', '')}!"
    if "content" in node:
        return "\n".join(_wiki_blocks(node["content"]))
    return str(node.get("text") or attrs.get("text") or attrs.get("url") or attrs.get("title") or "")


def _wiki_mark(text: str, mark: Mapping[str, Any]) -> str:
    match mark.get("type"):
        case "strong":
            return f"*{text}*"
        case "em":
            return f"_{text}_"
        case "code":
            return "{{" + text + "}}"
        case "strike":
            return f"-{text}-"
        case "link":
            return f"[{text}|{mark.get('attrs', {}).get('href', '')}]"
    return text
