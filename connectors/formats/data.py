"""JSON, YAML and settings files.

YAML and settings files are kept word for word and cut at their top-level keys, so no alias is ever expanded. JSON is
written anew in indented lines (`key: value`): as it comes it is often one line of a megabyte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from connectors.base import Locator, Problem, Section
from connectors.formats.encoding import decode
from connectors.formats.lines import Heading, split_at
from connectors.formats.parsed import Options, Parsed, Unreadable

PIECE_CHARACTERS = 4_000
DEEPEST_INDENT = 200  # what lies deeper stands on one line
NAME_KEYS = ("title", "name", "key", "id", "summary", "label", "subject")
YAML_KEY = re.compile(r"""(?P<indent> *)(?P<key>"[^"]+"|'[^']+'|[^\s#&*!|>%@`'"\-][^:#]*+|-[^\s:][^:#]*+)\s*:(?:\s|$)""")
SETTING = re.compile(r"\s*\[+([^\[\]]+)\]+\s*(?:[#;].*)?$")


def read(name: str, data: bytes, options: Options) -> Parsed:
    text = decode(data)
    extension = name.lower().rpartition(".")[2]
    if extension in ("yaml", "yml"):
        lines = text.split("\n")
        return Parsed("yaml", tuple(_yaml(lines)))
    if extension in ("toml", "ini", "cfg", "conf", "properties", "env"):
        lines = text.split("\n")
        return Parsed("settings", tuple(split_at(lines, list(_settings(lines)), "code", limit=PIECE_CHARACTERS)))
    if extension in ("jsonl", "ndjson") and len(text) > options.max_characters:
        text = text[: text.rfind("\n", 0, options.max_characters) + 1]
        words = f"Only the first {options.max_characters:,} characters of this file were read, the limit set for this source."
        parsed = _json(text)
        return replace(parsed, problems=(*parsed.problems, Problem("limit", words)))
    return _json(text)


# ---------------------------------------------------------------- YAML and settings


def _yaml(lines: list[str]) -> Iterator[Section]:
    headings = list(_keys(lines, 0, len(lines), 0))
    whole = [Heading(heading.level, heading.title, heading.start, heading.start) for heading in headings]
    yield from (section for section in split_at(lines, whole, "code", limit=PIECE_CHARACTERS) if section.text)


def _keys(lines: list[str], start: int, end: int, depth: int) -> Iterator[Heading]:
    """The keys of the outermost indentation between two lines; of a long one its keys too."""
    found = [(number, match) for number in range(start, end) if (match := YAML_KEY.match(lines[number]))]
    if not found or depth > 3:
        return
    indent = min(len(match["indent"]) for _, match in found)
    heads = [(number, match["key"].strip().strip("\"'")) for number, match in found if len(match["indent"]) == indent]
    for (number, key), (following, _) in zip(heads, [*heads[1:], (end, "")], strict=True):
        yield Heading(depth + 1, key, number, number)
        if sum(map(len, lines[number:following])) > PIECE_CHARACTERS:
            yield from _keys(lines, number + 1, following, depth + 1)


def _settings(lines: list[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines):
        if match := SETTING.match(line):
            yield Heading(1, match[1].strip(), number, number + 1)


# ---------------------------------------------------------------- JSON


def _json(text: str) -> Parsed:
    try:
        content = json.loads(text)
    except RecursionError as error:
        raise Unreadable("limit", "This JSON file is nested too deeply to be read.") from error
    except ValueError as error:
        records = list(_json_lines(text))
        if len(records) > 1 and len(records) > 0.5 * text.count("\n"):
            return _records(records, text)
        return _as_text(text, error)
    if isinstance(content, list):
        return _records(list(enumerate(content, 1)), "", "item")
    found = content if isinstance(content, dict) else {}
    title = next((found[key] for key in ("title", "name") if isinstance(found.get(key), str)), "")
    return Parsed("json", tuple(_sections(content, Locator())), title[:200])


def _as_text(text: str, error: ValueError) -> Parsed:
    """JSON with comments, or cut off: better as it is than not at all."""
    problem = Problem("partial", f"This is not valid JSON ({error}); it is shown as it is.")
    return Parsed("json", tuple(split_at(text.split("\n"), [], "code", limit=PIECE_CHARACTERS)), problems=(problem,))


def _json_lines(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                continue


def _records(records: list[tuple[int, Any]], text: str, word: str = "line") -> Parsed:
    problems: list[Problem] = []
    if text and (missing := sum(bool(line.strip()) for line in text.split("\n")) - len(records)):
        problems.append(Problem("partial", f"{missing} of its lines are not valid JSON and were left out."))
    metadata = {"records": str(len(records))}
    return Parsed("json", tuple(_record_sections(records, word)), "", metadata, tuple(problems))


def _record_sections(records: list[tuple[int, Any]], word: str) -> Iterator[Section]:
    """Long records stand alone under their name, short ones together."""
    pending: list[tuple[int, str]] = []
    for number, record in records:
        text = "\n".join(outline(record))
        name = _name(record)
        if len(text) > 400 and name:
            yield from _together(pending, word)
            pending = []
            yield from _sections(record, Locator(heading=(name,), part=f"{word} {number}"))
            continue
        if pending and sum(len(line) for _, line in pending) + len(text) > PIECE_CHARACTERS:
            yield from _together(pending, word)
            pending = []
        pending.append((number, text))
    yield from _together(pending, word)


def _together(pending: list[tuple[int, str]], word: str) -> Iterator[Section]:
    if pending:
        first, last = pending[0][0], pending[-1][0]
        part = f"{word} {first}" if first == last else f"{word}s {first}-{last}"
        yield Section("\n\n".join(text for _, text in pending), Locator(part=part), "code")


def _name(record: Any) -> str:
    if not isinstance(record, dict):
        return ""
    names = (str(record[key]) for key in NAME_KEYS if isinstance(record.get(key), str | int) and record[key])
    return " ".join(next(names, "").split())[:120]


def _sections(value: Any, locator: Locator, depth: int = 0) -> Iterator[Section]:
    """The value in one piece, or key by key if it is long."""
    text = "\n".join(outline(value))
    if len(text) <= PIECE_CHARACTERS or depth > 5 or not isinstance(value, dict | list):
        if text:
            for start in range(0, len(text), 4 * PIECE_CHARACTERS):
                yield Section(text[start : start + 4 * PIECE_CHARACTERS], locator, "code")
        return
    if isinstance(value, list):
        small: list[Any] = []
        for number, item in enumerate(value, 1):
            small.append(item)
            if len(json.dumps(small, default=str)) > PIECE_CHARACTERS or number == len(value):
                yield from _sections(small if len(small) > 1 else small[0], locator, depth + 1 + (len(small) > 1) * 9)
                small = []
        return
    simple = {key: item for key, item in value.items() if not isinstance(item, dict | list) and len(str(item)) < PIECE_CHARACTERS}
    if simple:
        yield Section("\n".join(outline(simple)), locator, "code")
    for key, item in value.items():
        if key not in simple:
            heading = (*locator.heading, str(key)[:120])
            yield from _sections(item, Locator(heading=heading, part=locator.part), depth + 1)


def outline(value: Any, indent: str = "") -> Iterator[str]:
    """The value as indented lines."""
    if len(indent) > DEEPEST_INDENT and isinstance(value, dict | list):
        yield f"{indent}{json.dumps(value, ensure_ascii=False)}"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _entry(f"{indent}{key}:", item, indent)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list) and item:
                lines = list(outline(item, indent + "  "))
                yield f"{indent}- {lines[0].lstrip()}"
                yield from lines[1:]
            else:
                yield from _entry(f"{indent}-", item, indent)
    else:
        yield f"{indent}{_scalar(value)}"


def _entry(head: str, item: Any, indent: str) -> Iterator[str]:
    if isinstance(item, dict | list) and item:
        yield head
        yield from outline(item, indent + "  ")
    elif isinstance(item, str) and "\n" in item:
        yield head
        yield from (f"{indent}  {line}" for line in item.split("\n"))
    else:
        yield f"{head} {_scalar(item)}"


def _scalar(value: Any) -> str:
    if value is None or value == [] or value == {}:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
