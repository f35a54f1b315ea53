"""Emacs Org, kept word for word and cut at its starred headings."""

from __future__ import annotations

import re

from connectors.formats.encoding import lines_of
from connectors.formats.lines import Heading, split_at
from connectors.formats.parsed import Options, Parsed

STARS = re.compile(r"(\*+)\s+(?=\S)")
TAGS = re.compile(r":[\w@:]+:\Z")
TITLE = re.compile(r"#\+title:\s*(.+)", re.I)
BLOCK = re.compile(r"\s*#\+(begin|end)_", re.I)


def read(name: str, data: bytes, options: Options) -> Parsed:
    lines = lines_of(data, options)
    headings, title, inside = [], "", False
    for number, line in enumerate(lines):
        if block := BLOCK.match(line):
            inside = block[1].lower() == "begin"
        elif not inside and (match := STARS.match(line)):
            headings.append(Heading(len(match[1]), _title(line[match.end() :].rstrip()), number, number + 1))
        elif not title and (match := TITLE.match(line)):
            title = match[1].strip()
    title = title or next((heading.title for heading in headings if heading.level == 1), "")
    return Parsed("org", tuple(split_at(lines, headings, "markdown")), title)


def _title(words: str) -> str:
    """The words of a heading without the tags behind them."""
    before, _, last = words.rpartition(" ")
    return before.rstrip() if before and TAGS.match(last) else words
