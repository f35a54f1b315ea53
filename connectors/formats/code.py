"""Source code, kept word for word and cut at its top-level definitions: by `ast` for Python, by look for others."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from connectors.base import Section
from connectors.formats.encoding import lines_of
from connectors.formats.lines import Heading, split_at
from connectors.formats.parsed import Options, Parsed

PIECE_CHARACTERS = 4_000
MAX_DEFINITION = 300  # characters; a longer line is data or minified
LONG_CLASS_LINES = 80  # a class above this is cut at its methods too
DEFINITION = re.compile(
    r"(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|final\s+|abstract\s+|async\s+|pub(?:\([^)]*\))?\s+|"
    r"unsafe\s+|extern\s+|inline\s+|open\s+|sealed\s+|data\s+|create\s+(?:or\s+replace\s+)?)*"
    r"(?:func|function|class|interface|struct|enum|trait|impl|fn|def|defmodule|module|namespace|type|object|record|table|view|"
    r"procedure|message|service|resource|sub|package\s+body)\s+\S.*",
    re.I,
)
COMMENTS = ("#", "//", "/*", "*", "--", "@", ";;")
C_FUNCTION = re.compile(r"[A-Za-z_][\w\s*&:<>,~]*\b([\w:~]+)\s*\([^;]*$")


def read(name: str, data: bytes, options: Options) -> Parsed:
    lines = lines_of(data, options)
    headings = None
    if name.endswith((".py", ".pyi")):
        headings = _python(lines)
    if headings is None:
        headings = list(_by_look(lines))
    return Parsed("code", tuple(_sections(lines, headings)))


def _sections(lines: list[str], headings: list[Heading]) -> Iterator[Section]:
    """Definitions keep their first line in the text: it is code."""
    whole = [Heading(heading.level, heading.title, heading.start, heading.start) for heading in headings]
    for section in split_at(lines, whole, "code", limit=PIECE_CHARACTERS):
        if section.text:
            yield section


def _python(lines: list[str]) -> list[Heading] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about invalid escapes in the code that is read
            tree = ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # MemoryError is how it says "too complex"
        return None
    return list(_definitions(tree.body, 1, lines))


def _definitions(body: list[ast.stmt], level: int, lines: list[str]) -> Iterator[Heading]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        start = _with_comments(lines, start)
        word = "class" if isinstance(node, ast.ClassDef) else "def"
        yield Heading(level, f"{word} {node.name}", start, start)
        if isinstance(node, ast.ClassDef) and (node.end_lineno or 0) - node.lineno > LONG_CLASS_LINES:
            yield from _definitions(node.body, level + 1, lines)


def _by_look(lines: list[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines):
        if not line or len(line) > MAX_DEFINITION or line[0].isspace() or line[0] in "#/*})];-'\"@<":
            continue
        if DEFINITION.match(line) or (C_FUNCTION.match(line) and "=" not in line.split("(")[0] and "return" not in line):
            title = re.sub(r"(?<!\s)\s*+[{(:=].*$", "", line).strip() or line.strip()
            yield Heading(1, title[:100], _with_comments(lines, number), number)


def _with_comments(lines: list[str], start: int) -> int:
    """Comments directly above a definition belong to it."""
    while start > 0 and lines[start - 1].lstrip().startswith(COMMENTS):
        start -= 1
    return start
