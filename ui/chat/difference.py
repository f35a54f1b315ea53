"""What changed in a text since it was cited, word by word."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

from prompts.regex import regex

PartKind = Literal["same", "cited", "current", "added", "removed"]
Part = tuple[str, PartKind]
WORDS = regex(r"\w+|\s+|[^\w\s]")
AROUND = 240  # characters kept on each side of a change; what lies farther away is left out
GAP = "\n…\n"


def difference(before: str, now: str) -> list[Part]:
    """The text as it is now with the words that were added, and among them those that were removed.

    Compares words as Ratcliff and Obershelp do (difflib); single words that stayed between changes go with the changes.
    """
    old, new = WORDS.findall(before), WORDS.findall(now)
    parts: list[Part] = []
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        removed, added = "".join(old[a:b]), "".join(new[c:d])
        if what == "equal":
            _add(parts, added, "same")
            continue
        _add(parts, removed, "removed")
        _add(parts, added, "added")
    return parts


def around_changes(parts: list[Part]) -> list[Part]:
    """Without what is far from any change."""
    return list(_shortened(parts))


def _shortened(parts: list[Part]) -> Iterator[Part]:
    for number, (text, kind) in enumerate(parts):
        if kind != "same" or len(text) <= 2 * AROUND:
            yield text, kind
            continue
        head = "" if number == 0 else text[:AROUND].rsplit(" ", 1)[0]
        tail = "" if number == len(parts) - 1 else text[-AROUND:].partition(" ")[2]
        yield head + GAP + tail, "same"


def _add(parts: list[Part], text: str, kind: PartKind) -> None:
    if not text:
        return
    if parts and parts[-1][1] == kind:
        parts[-1] = (parts[-1][0] + text, kind)
    else:
        parts.append((text, kind))
