"""What is said later of a row of a register, by the number that it goes by: "TB-06 is back" in a chat, of which the register says that it
is away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from prompts.extractive import as_text
from prompts.extractive.dates import Day, days
from prompts.extractive.passages import quote, written_by
from prompts.extractive.rivals import dated
from prompts.extractive.section_days import chat_day, section_day
from prompts.records import LeafText, Quote
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of

LOOKED_AT = 12  # leaves, the most promising
MOST_TOLD = 3
LONGEST_LINE = 400  # characters
_CELL = regex(r"(?<!\\)\|")
_KEY = regex(r"[*_`]{0,2}(?P<key>[A-Z]{1,5}-[A-Z]{0,2}\d{1,5})[*_`]{0,2}")
_EXAMPLE = regex(r"\b(?:e\.g\.|for example|such as|like)\s*\Z", re.IGNORECASE)
_RULE = regex(r"^[ \t:|-]++$", re.MULTILINE)  # of a table, where it has three dashes
_CHANGING = regex(  # columns that say how things stand, and not what something is
    r"\b(?:status|state|due|deadline|owner|who|next|location|place|kept|held|holder|assigned|stand|fällig|verantwortlich|progress)\b",
    re.IGNORECASE,
)


def with_said_of_row(snapshot: Snapshot, direct: DirectAnswer) -> DirectAnswer:
    """A row below what other texts say later of it; as it is where none does, or its table says nothing that changes."""
    row = next((one for one in direct.lines if one.leaf is not None and one.node is not None and one.quote is not None), None)
    if row is None or row.leaf is None or row.node is None or row.quote is None:
        return direct
    key = _key_of(row.quote.text)
    if not key or not _CHANGING.search(_header_of(row.leaf.text, row.quote.start).replace("_", " ")):
        return direct
    since = dated(row.leaf.as_read(), row.quote, "when")
    view = SnapshotView.of(snapshot, key)
    own = document_of(row.node)
    opened = view.open_leaves([node for node in view.best_nodes(LOOKED_AT) if document_of(node) != own])
    found = [
        (day, one, said)
        for one in opened
        for day, said in _said_of(key, one)
        if since is None or (day.year, day.month, day.day) >= since
    ]
    if not found:
        return direct
    found.sort(key=lambda one: one[0], reverse=True)
    last = max((line.number or 0 for line in direct.lines), default=0)
    places = dict.fromkeys(one.node.place for _, one, _ in found[:MOST_TOLD])
    numbers = {place: number for number, place in enumerate(places, last + 1)}
    lines = [Line(f"Said later of {as_text(key)}:\n")]
    for _, one, said in found[:MOST_TOLD]:
        number = numbers[one.node.place]
        lines.append(Line(f"\n- {as_text(said)} [{number}]", number, one.node, one.leaf, said))
    return replace(direct, lines=(*lines, Line("\n\nThe row itself: "), *direct.lines), verdict="partial")


def _key_of(row: str) -> str:
    """The number by which a row goes; empty for one without."""
    cells = (_KEY.fullmatch(cell.strip()) for cell in _CELL.split(row)) if row.lstrip().startswith("|") else ()
    return next((cell["key"] for cell in cells if cell is not None), "")


def _header_of(text: str, at: int) -> str:
    """The header of the table that a row stands in; empty where there is none."""
    rule = next(reversed([one for one in _RULE.finditer(text, 0, at) if "---" in one.group()]), None)
    return text[text.rfind("\n", 0, max(0, rule.start() - 1)) + 1 : rule.start()] if rule is not None else ""


def _said_of(key: str, opened: OpenedLeaf) -> Iterator[tuple[Day, Quote]]:
    """The lines of a text that name a row, each with the day on which it was said; of a chat with the next one, where it is a question."""
    text, told = opened.leaf.text, set[int]()
    for match in re.finditer(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text):
        begins, ends = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        ends = ends if ends >= 0 else len(text)
        if begins in told or text[begins:ends].lstrip().startswith("|") or ends - begins > LONGEST_LINE:
            continue
        told.add(begins)
        if "?" in text[begins:ends] and chat_day(text, begins) is not None and chat_day(text, ends + 1) is not None:
            after = text.find("\n", ends + 1)
            ends = after if after >= 0 else len(text)
        said = quote(text, begins, ends)
        is_example = _EXAMPLE.search(text, begins, match.start()) is not None
        if not is_example and _is_said_then(opened.text, begins) and (day := dated(opened.text, said, "when")) is not None:
            yield day, said


def _is_said_then(leaf: LeafText, at: int) -> bool:
    """Whether a line was said on a day: in a chat, in a comment, below a heading or a title with a date; and not in a manual."""
    has_day = chat_day(leaf.text, at) or section_day(leaf.text, at) or written_by(leaf, at)
    return has_day is not None or any(map(days, leaf.heading))
