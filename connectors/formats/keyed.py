"""Tickets that are kept as files, "PL-451.md": the title says the key, as that of a ticket in Jira does, and so does whoever asks for it."""

from __future__ import annotations

import re
from dataclasses import replace

from connectors.formats.parsed import Parsed

KEY = re.compile(r"(?P<key>[A-Z][A-Z0-9]{0,14}-\d{1,8})(?![\w-])")
LONGEST_TITLE = 120
OPENING, FIRST_SECTIONS = 1_500, 3  # characters of sections in which a ticket has its fields
FIELD = re.compile(
    r"^[^\w\n]*+(?:assignee|assigned to|priority|prio|reporter|reported by|component)s?\b", re.IGNORECASE | re.MULTILINE
)
APART = re.compile(r"[\W_]+")


def with_key(name: str, parsed: Parsed) -> Parsed:
    """The content of a file of that name, with the key that the name begins with in its title; where there is no title, and the first line
    begins with the key, that line is it as well."""
    match = KEY.match(name)
    opening = "\n".join((*parsed.metadata, *(section.text[:OPENING] for section in parsed.sections[:FIRST_SECTIONS])))
    if match is None or FIELD.search(opening) is None:
        return parsed  # a record of something else, such as "ADR-7.md"
    key, first = match["key"], next((section.text.split("\n", 1)[0] for section in parsed.sections if section.text), "")
    title = parsed.title or (first if first.startswith(key) and len(first) <= LONGEST_TITLE else "")
    if not title or _plain(key) in _plain(title):
        return replace(parsed, title=" ".join(title.split()))
    return replace(parsed, title=f"{key} {title}")


def _plain(text: str) -> str:
    return f" {APART.sub(' ', text).casefold().strip()} "
