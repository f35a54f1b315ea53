"""Makes Markdown text readable by itself: entities are the characters they stand for, a link by reference has its address.

Lines stay lines, so that places in the file still hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape

from connectors.base import Section

MOST_ADDRESSES = 2_000

_ENTITY = re.compile(
    r"&(?:lt|gt|amp|quot|apos|nbsp|mdash|ndash|hellip|[lr][sd]quo|copy|reg|times|deg|#\d{2,5}|#x[0-9a-fA-F]{2,4});"
)
_ADDRESS = re.compile(r" {0,3}\[(?!\^)([^\[\]\n]{1,100})\]:[ \t]+<?([^\s<>]{1,500})>?(?:[ \t]+[\"'(][^\n]{0,200})?[ \t]*\Z")
_LINK = re.compile(r"(?<!\\)\[(?P<label>[^\[\]\n]{1,200})\](?:\[(?P<key>[^\[\]\n]{0,100})\])?(?![(:\[])")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)")
_CODE = re.compile(r"(`{1,2}[^`\n]{1,300}`{1,2})")
_MARKUP_LANGUAGES = frozenset(("html", "xml", "svg", "jsx", "tsx", "vue", "php", "xhtml", "handlebars", "hbs"))


def addresses(lines: Sequence[str]) -> dict[str, str]:
    """What the lines "[key]: address" say, by key in small letters."""
    found: dict[str, str] = {}
    for line in lines:
        if "]:" in line and line.lstrip()[:1] == "[" and (match := _ADDRESS.match(line)) and len(found) < MOST_ADDRESSES:
            found.setdefault(_folded(match[1]), match[2])
    return found


def readable(sections: Sequence[Section], known: Mapping[str, str]) -> Iterator[Section]:
    """The sections with entities and references resolved; `known` are the addresses of the whole file."""
    for section in sections:
        if section.markup != "markdown" or not ("&" in section.text or (known and "[" in section.text)):
            yield section
            continue
        text = "\n".join(_lines(section.text.split("\n"), known))
        yield replace(section, text=text) if text != section.text else section


def _lines(lines: Sequence[str], known: Mapping[str, str]) -> Iterator[str]:
    fence, language = "", ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence:
            fence, language = mark[1], mark[2].casefold()
        elif mark and mark[1].startswith(fence) and not line.strip(" \t`~"):
            fence = ""
        elif fence:
            line = line if language in _MARKUP_LANGUAGES else _characters(line)
        else:
            line = _characters(_linked(line, known) if known and "[" in line and not _ADDRESS.match(line) else line)
        yield line


def _characters(line: str) -> str:
    return _ENTITY.sub(lambda match: unescape(match.group()).replace("\u00a0", " "), line) if "&" in line else line


def _linked(line: str, known: Mapping[str, str]) -> str:
    """The links by reference outside code as links with an address."""

    def resolved(match: re.Match[str]) -> str:
        address = known.get(_folded(match["key"] or match["label"]))
        return match.group() if address is None else f"[{match['label']}]({address})"

    parts = _CODE.split(line)
    parts[::2] = [_LINK.sub(resolved, part) for part in parts[::2]]
    return "".join(parts)


def _folded(key: str) -> str:
    return " ".join(key.split()).casefold()
