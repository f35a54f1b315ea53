"""Markdown, kept word for word and cut at its headings; only a table written as HTML becomes one of Markdown.

A scan of the lines finds the headings of nearly every text (`markdown_headings`); where it is not sure, markdown-it-py
(MIT, CommonMark-exact) does, so that a `#` in a fence is no heading. Only its block rules run, which is several times
faster than a full parse.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache

import yaml
from markdown_it import MarkdownIt

from connectors.formats.encoding import lines_of
from connectors.formats.lines import Heading, split_at
from connectors.formats.markdown_dialects import in_words
from connectors.formats.markdown_headings import Marked, Unsure, scan
from connectors.formats.markdown_inline import addresses, readable
from connectors.formats.markdown_tables import with_tables
from connectors.formats.parsed import Options, Parsed

MAX_FRONT_LINES = 300
MANY_LINES = 100_000  # the full rules take up to 50 microseconds for each
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
ATX = re.compile(r" {0,3}(#{1,6})[ \t]++(\S.*)")
MARKS = re.compile(r"[*_`\[\]<>&\\~!]")
ASIDE = re.compile(
    r"\[(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION|EXAMPLE|quote|sidebar|source|listing)\b[^\]\n]{0,100}\][ \t]*\Z", re.IGNORECASE
)
DELIMITER = re.compile(r"(?:-{4,}|={4,}|\*{4,}|_{4,})[ \t]*\Z")
LONGEST_ASIDE = 200  # lines
SETTING = re.compile(r"[\w-]+\s*[:=]")
FOR_THE_WEBSITE = frozenset(
    [
        "title",
        "layout",
        "weight",
        "slug",
        "draft",
        "permalink",
        "url",
        "menu",
        "toc",
        "sidebar",
        "sidebar_position",
        "id",
        "nav_order",
        "parent",
        "has_children",
        "template",
        "lang",
        "linktitle",
        "bookcollapsesection",
        "geekdoccollapsesection",
        "geekdocanchor",
        "hide_title",
        "pagination_next",
        "pagination_prev",
        "orphan",
        "hide",
        "icon",
        "search",
        "tocdepth",
        "hide-toc",
        "sidebar_label",
        "html_theme.sidebar_secondary.remove",
    ]
)


@cache
def _blocks() -> MarkdownIt:
    return MarkdownIt("commonmark").disable(["inline", "text_join"], True)


@cache
def _inlines() -> MarkdownIt:
    return MarkdownIt("commonmark")


def read(name: str, data: bytes, options: Options) -> Parsed:
    source = lines = lines_of(data, options)
    metadata, first = front_matter(lines)
    if metadata and not _tells(metadata):
        lines = [*[""] * first, *lines[first:]]
    made, labels = in_words(lines[first:], _settings(lines[:first]), name.casefold().endswith(".mdx"))
    lines = [*lines[:first], *made]
    headings = find_headings([*[""] * first, *made])
    title = metadata.pop("title", "") or next((heading.title for heading in headings if heading.level == 1), "")
    has_tables = any("<table" in line.lower() for line in lines)
    sections = (
        with_tables(split_at(lines, headings, "markdown", limit=sys.maxsize))
        if has_tables
        else split_at(lines, headings, "markdown")
    )
    return Parsed(
        "markdown", tuple(readable(list(sections), addresses(lines))), title or _html_title(source), metadata, labels=labels
    )


def front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
    """The settings between `---` or `+++` at the top, and the number of lines they take."""
    mark = lines[0].rstrip()
    if mark not in ("---", "+++"):
        return {}, 0
    end = next((number for number in range(1, min(len(lines), MAX_FRONT_LINES)) if lines[number].rstrip() in (mark, "...")), 0)
    if not end:
        return {}, 0
    source = "\n".join(lines[1:end])
    try:
        content = tomllib.loads(source) if mark == "+++" else yaml.load(source, Loader=_Loader)
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError):
        return {}, end + 1 if SETTING.match(lines[1]) else 0  # settings all the same, kept as text
    if not isinstance(content, dict):
        return {}, 0
    return {str(key): words for key, value in content.items() if (words := _words(value))}, end + 1


def _settings(lines: list[str]) -> dict[str, object]:
    """The settings at the top as they are, where they give values to names of the text."""
    if not any(line.lstrip().startswith("substitutions:") for line in lines):
        return {}
    try:
        content = yaml.load("\n".join(lines[1:-1]), Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


class _Loader(yaml.SafeLoader):
    """YAML without aliases: a few lines of them expand to gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_words, value)))
    return " ".join(str(value).split())[:1_000] if isinstance(value, str | int | float | date) else ""


def _tells(metadata: dict[str, str]) -> bool:
    """Whether the settings say something about the content, and not only about its place on a website."""
    return any(key.lower() not in FOR_THE_WEBSITE for key in metadata)


def _html_title(lines: list[str]) -> str:
    """A heading written as HTML, as many README files have for its logo."""
    top = "\n".join(lines[:60])
    if "<h1" not in top.lower():
        return ""
    top = re.split(r"^[ \t]*+(?:```|~~~)", top, maxsplit=1, flags=re.M)[0]
    match = re.search(r"<h1[^<>]*+>((?:(?!<h1).)*?)</h1>", top, re.S | re.I)
    return " ".join(re.sub(r"<[^<>]++>", " ", match[1]).split()) if match else ""


def find_headings(lines: list[str]) -> list[Heading]:
    """The headings that stand by themselves, not those inside a quotation or a list."""
    try:
        found = scan(lines)
    except Unsure:
        found = list(_hashes(lines)) if len(lines) > MANY_LINES else by_all_rules(lines)
    if asides := list(_asides(lines)):
        found = [one for one in found if not any(start <= one.start and one.end - 1 <= end for start, end in asides)]
    return [Heading(one.level, plain(one.content), one.start, one.end) for one in found]


def _asides(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last lines of blocks in the manner of AsciiDoc, "[NOTE]" between two equal rules: no rule underlines a title."""
    last = -1
    for number, line in enumerate(lines[:-1]):
        if number <= last or line[:1] != "[" or not ASIDE.match(line) or not DELIMITER.match(lines[number + 1]):
            continue
        rule = lines[number + 1].rstrip()
        ends = range(number + 2, min(number + 2 + LONGEST_ASIDE, len(lines)))
        last = next((end for end in ends if lines[end].rstrip() == rule), -1)
        if last > 0:
            yield number, last


def by_all_rules(lines: list[str]) -> list[Marked]:
    tokens = _blocks().parse("\n".join(lines))
    return [
        Marked(int(token.tag[1]), tokens[number + 1].content, *token.map)
        for number, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def _hashes(lines: list[str]) -> Iterator[Marked]:
    """The `#` headings outside fences, for files so long that the full rules would take minutes."""
    fence = ""
    for number, line in enumerate(lines):
        if mark := FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif not fence and (match := ATX.match(line)):
            words = match[2].rstrip()
            bare = words.rstrip("#")  # a row of hashes may close a heading
            yield Marked(len(match[1]), (bare if bare[-1:].isspace() else words).strip()[:1_000], number, number + 1)


def plain(inline: str) -> str:
    """The words of a heading without its marks."""
    inline = re.sub(r"(?<!\s)\s*+\{[#.:][^{}]*+\}\s*+$", "", inline)
    if not MARKS.search(inline):
        return " ".join(inline.split())
    children = _inlines().parseInline(inline)[0].children or []
    words = "".join(" " if child.type == "softbreak" else child.content for child in children if child.type != "html_inline")
    return " ".join(words.split())
