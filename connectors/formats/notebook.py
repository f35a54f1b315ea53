"""Jupyter notebooks: text cells as Markdown, code cells as fences with what they printed, all with cell numbers.

Read as the JSON it is: nbformat would be one more library to check a schema that nothing here depends on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from connectors.base import Locator, Problem, Section
from connectors.formats.encoding import decode
from connectors.formats.html import convert_text
from connectors.formats.markdown import find_headings
from connectors.formats.parsed import Options, Parsed, Unreadable

OUTPUT_CHARACTERS = 3_000
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def read(name: str, data: bytes, options: Options) -> Parsed:
    notebook = json.loads(decode(data))
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if cells is None and isinstance(notebook, dict):  # before version 4
        cells = [cell for sheet in notebook.get("worksheets", []) for cell in sheet.get("cells", [])]
    if not isinstance(cells, list) or ("cells" not in notebook and not cells):
        raise Unreadable("damaged", "This is not a Jupyter notebook: it has no cells.")
    language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
    shortened: list[int] = []
    sections = tuple(_sections(cells, language, shortened))
    title = notebook.get("metadata", {}).get("title") or next((s.locator.heading[0] for s in sections if s.locator.heading), "")
    return Parsed("notebook", sections, str(title), problems=tuple(_shortened(shortened)))


def _shortened(cells: list[int]) -> Iterator[Problem]:
    if cells:
        which = ", ".join(map(str, cells[:20])) + (f" and {len(cells) - 20} more" if len(cells) > 20 else "")
        noun = "cell" if len(cells) == 1 else "cells"
        yield Problem("limit", f"Only the first {OUTPUT_CHARACTERS:,} characters of the output of {noun} {which} were read.")


def _sections(cells: list[dict[str, Any]], language: str, shortened: list[int]) -> Iterator[Section]:
    """The cells; the numbers of those whose output is not read to its end are noted in `shortened`."""
    path: list[tuple[int, str]] = []
    for number, cell in enumerate(cells, 1):
        source = _joined(cell.get("source", cell.get("input", "")))
        kind = cell.get("cell_type")
        if kind == "heading":
            kind, source = "markdown", f"{'#' * int(cell.get('level', 1))} {source}"
        if kind == "markdown":
            yield from _markdown(source, number, path)
        elif source.strip() or cell.get("outputs"):
            text = f"```{language if kind == 'code' else ''}\n{source.strip()}\n```" if source.strip() else ""
            printed = "\n".join(filter(None, map(_output, cell.get("outputs", []))))
            if len(printed) > OUTPUT_CHARACTERS:
                shortened.append(number)
                printed = printed[:OUTPUT_CHARACTERS]
            if printed.strip():
                text += f"\n\nOutput:\n\n```\n{printed.strip()}\n```"
            yield Section(text.strip(), Locator(heading=_names(path), cell=number))


def _markdown(source: str, number: int, path: list[tuple[int, str]]) -> Iterator[Section]:
    lines = source.split("\n")
    start, headed = 0, False
    headings = find_headings(lines)
    for heading in [*headings, None]:
        end = heading.start if heading else len(lines)
        text = "\n".join(lines[start:end]).strip()
        if text or headed:
            yield Section(text, Locator(heading=_names(path), cell=number))
        if heading:
            while path and path[-1][0] >= heading.level:
                path.pop()
            path.append((heading.level, heading.title))
            start, headed = heading.end, True


def _names(path: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in path)


def _output(output: dict[str, Any]) -> str:
    """The text of an output; pictures and widgets have none."""
    if output.get("output_type") in ("pyerr", "error"):
        trace = output.get("traceback") or []
        told = ANSI.sub("", "\n".join(map(str, trace)) if isinstance(trace, list) else str(trace))
        return f"{output.get('ename', 'Error')}: {output.get('evalue', '')}\n{told}".strip()
    if "text" in output:
        return ANSI.sub("", _joined(output["text"]))
    content = output.get("data", {})
    if "text/html" in content and "<table" in _joined(content["text/html"]):
        return "\n\n".join(section.text for section in convert_text(_joined(content["text/html"])).sections())
    return ANSI.sub("", _joined(content.get("text/markdown") or content.get("text/plain") or content.get("text/latex", "")))


def _joined(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)
