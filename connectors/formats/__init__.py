"""Every file format the app reads: bytes in, sections out.

A format is one module with `read(name, data, options) -> Parsed`, and its lines in the tables of `sniff`.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module

from connectors.base import Problem, Section
from connectors.formats.encoding import decode
from connectors.formats.keyed import with_key
from connectors.formats.parsed import Options, Parsed, Unreadable
from connectors.formats.sniff import BY_LINE, kind_of

PARSER_VERSION = "29"  # raise it when a reader gives something else for the same bytes: everything is then read again


def parse(path: str, options: Options = Options()) -> Parsed:
    """The content of the file at `path`. Raises Unreadable, saying why in words, and OSError."""
    with open(path, "rb") as file:
        return parse_bytes(os.path.basename(path), file.read(), options)


def parse_bytes(name: str, data: bytes, options: Options = Options()) -> Parsed:
    """The content of a file of that name. Raises Unreadable, saying why in words."""
    kind = kind_of(name, data)  # a PDF or an Office file of no bytes is damaged: only text can be empty
    if not data:
        raise Unreadable("empty", "This file is empty.")
    reader = import_module(f"connectors.formats.{kind}")
    try:
        is_cut = kind in BY_LINE and len(data) > options.max_characters < len(decode(data))
        parsed = with_key(name, _within(options.max_characters, reader.read(name, data, options), is_cut))
    except (Unreadable, MemoryError):
        raise
    except Exception as error:  # the one boundary where whatever a format's library raises becomes words
        raise Unreadable("damaged", f"This file is damaged or not quite what its name says ({_words(error)}).") from error
    if not any(section.text or section.locator.heading for section in parsed.sections):
        if parsed.problems:
            raise Unreadable(parsed.problems[0].kind, parsed.problems[0].reason)
        raise Unreadable("empty", "There is no text in this file.")
    return parsed


def _within(limit: int, parsed: Parsed, is_cut: bool) -> Parsed:
    """The content up to the limit, with a problem if there is more."""
    if sum(len(section.text) for section in parsed.sections) <= limit and not is_cut:
        return parsed
    problem = Problem("limit", f"Only the first {limit:,} characters of this file were read, the limit set for this source.")
    return replace(parsed, sections=tuple(_first(limit, parsed.sections)), problems=(*parsed.problems, problem))


def _first(limit: int, sections: Iterable[Section]) -> Iterable[Section]:
    for section in sections:
        if len(section.text) > limit:
            yield _shortened(section, limit)
            return
        limit -= len(section.text)
        yield section


def _shortened(section: Section, limit: int) -> Section:
    text = section.text[:limit]
    lines = section.locator.lines and (section.locator.lines[0], section.locator.lines[0] + text.count("\n"))
    return replace(section, text=text, locator=replace(section.locator, lines=lines))


def _words(error: Exception) -> str:
    if isinstance(error, zipfile.BadZipFile):
        return "its ZIP container cannot be opened"
    return type(error).__name__
