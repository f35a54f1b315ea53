"""Gets at what a model meant: its JSON out of thoughts, prose and fences, and its text without its thoughts.

Compared with the library json-repair 0.64: of seven replies with all of their JSON it gets six right (not the one with
braces in its thoughts), and of a reply that breaks off it makes an object, which here has to be requested again.
"""

from __future__ import annotations

import json
import re
from typing import Any

from prompts.regex import regex

_THOUGHT_TAG = regex(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_END = regex(r"^.*?</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)  # where only the end is sent
_TRAILING_COMMA = regex(r",(\s*[}\]])")
_OPEN, _CLOSE = "<think>", "</think>"


def _without_thoughts(text: str) -> str:
    """A text without what a model has thought aloud, from each tag to the next that closes it."""
    tags = list(_THOUGHT_TAG.finditer(text))
    last = {tag[2].lower(): tag.start() for tag in tags if tag[1]}
    kept, end, opened = [], 0, None
    for tag in tags:
        name = tag[2].lower()
        if opened is None and not tag[1] and tag.start() < last.get(name, 0):
            opened = name
            kept.append(text[end : tag.start()])
        elif opened == name and tag[1]:
            opened, end = None, tag.end()
    return "".join([*kept, text[end:]])


def parse_json_reply(text: str) -> Any:
    """The largest JSON object in a reply. Raises ValueError where there is none. What is an object as it stands holds no thoughts,
    though a string in it may quote the tag of some."""
    try:
        whole = json.loads(text, strict=False) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict):
        return whole
    bare = _THOUGHT_END.sub("", _without_thoughts(text), count=1).strip()
    for candidate in (bare, *_objects(bare)):
        for attempt in (candidate, _without_trailing_commas(candidate)):
            try:
                found = json.loads(attempt, strict=False)
            except (ValueError, RecursionError):  # a small model may open braces until its limit
                continue
            if isinstance(found, dict):
                return found
    raise ValueError("There is no JSON object in the reply." if "{" not in bare else "The JSON of the reply is broken.")


def _objects(text: str) -> list[str]:
    """Every segment from an opening brace to the brace that closes it, outermost only, longest first."""
    found: list[str] = []
    depth, start, quoted, escaped = 0, -1, False, False
    for at, char in enumerate(text):
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"' and depth:
            quoted = True
        elif char == "{":
            start = at if not depth else start
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if not depth:
                found.append(text[start : at + 1])
    return sorted(found, key=len, reverse=True)


def _without_trailing_commas(text: str) -> str:
    """Outside strings only."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    joined = "".join("\0" if at % 2 else part for at, part in enumerate(parts))
    strings = iter(parts[1::2])
    return "".join(next(strings) if char == "\0" else char for char in _TRAILING_COMMA.sub(r"\1", joined))


class ThinkFilter:
    """Takes a model's thoughts out of a stream of text, however the tags are cut into chunks."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = False

    def feed(self, chunk: str) -> str:
        """What of the text so far can be shown."""
        self._held += chunk
        shown = []
        while True:
            tag = _CLOSE if self._inside else _OPEN
            before, found, after = self._held.partition(tag)
            if not found:
                break
            if not self._inside:
                shown.append(before)
            self._held, self._inside = after, not self._inside
        keep = _beginning(self._held, tag)
        if not self._inside:
            shown.append(self._held[: len(self._held) - keep])
        self._held = self._held[len(self._held) - keep :]
        return "".join(shown)

    def rest(self) -> str:
        """What was held back, when the stream has ended."""
        held, self._held = self._held, ""
        return "" if self._inside else held


def _beginning(text: str, tag: str) -> int:
    """How many characters at the end of the text may be the beginning of the tag."""
    return next((size for size in range(min(len(tag) - 1, len(text)), 0, -1) if tag.startswith(text[-size:])), 0)
