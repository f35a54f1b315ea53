"""The first line of an entry that is written as a title, in notes without markup: "3) Crane", and below it what is said of the crane."""

from __future__ import annotations

from collections.abc import Sequence

from prompts.extractive.passages import Passage
from prompts.records import LeafText
from prompts.regex import regex

LONGEST = 60  # characters of such a title
MOST_WORDS = 8
_STAMPED = regex(r"[\[*(]{0,3}\d{1,4}[-./:]\d{1,2}(?!\d)")  # what somebody wrote at a time is an entry of its own


def entry_titles(leaf: LeafText, found: Sequence[Passage]) -> list[str]:
    """For each passage the title of the entry that it stands in; empty where it has none. An entry ends with a blank line, or where the
    next one is marked."""
    titles: list[str] = []
    title = ""
    for at, passage in enumerate(found):
        between = leaf.text[found[at - 1].end : passage.start] if at else "\n\n"
        is_marked = bool(between.strip()) or ("\n" in between and _STAMPED.match(passage.text) is not None)
        if is_marked or "\n\n" in between or passage.kind not in ("item", "text"):
            title = _title(leaf, found, at)
        titles.append(title)
    return titles


def _title(leaf: LeafText, found: Sequence[Passage], at: int) -> str:
    """The first line of an entry that begins with a passage, if it is a title and another line follows."""
    if found[at].kind not in ("item", "text"):
        return ""
    line, more, rest = found[at].text.partition("\n")
    if not more and at + 1 < len(found) and found[at + 1].kind in ("item", "text"):
        between = leaf.text[found[at].end : found[at + 1].start]
        more, rest = between, found[at + 1].text if "\n" in between and not between.strip() else ""
    below = rest.lstrip()
    is_followed = (below[:1].isupper() or below[:1].isdigit()) and "\n\n" not in more and _STAMPED.match(below) is None
    is_title = (
        len(line) <= LONGEST and len(line.split()) <= MOST_WORDS and line[-1:].isalpha() and ":" not in line and "  " not in line
    )
    return line if is_title and is_followed else ""
