"""What is said later of a row of a register, by the number that it goes by: "TB-06 is back" in a chat, of which the register says that it
is away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from prompts.extractive import as_text
from prompts.extractive.dates import Day, days
from prompts.extractive.passages import quote, written_by
from prompts.extractive.rivals import dated
from prompts.extractive.section_days import chat_day, told_on
from prompts.language import terms
from prompts.records import LeafText, Quote
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.store.nodes import Node

LOOKED_AT = 12  # leaves, the most promising
MOST_TOLD = 3
LONGEST_LINE = 400  # characters
_CELL = regex(r"(?<!\\)\|")
_KEY = regex(r"[*_`]{0,2}(?P<key>[A-Z]{1,5}-[A-Z]{0,2}\d{1,5}|[A-Z]{1,3}\d{3,5})[*_`]{0,2}")
_MARKER = regex(r"[ \t]*(?:[-*+•][ \t]+)?")  # of an item of a list
_EXAMPLE = regex(r"\b(?:e\.g\.|for example|such as|like)\s*\Z", re.IGNORECASE)
_RULE = regex(r"^[ \t:|-]++$", re.MULTILINE)  # of a table, where it has three dashes
_CHANGING = regex(  # columns that say how things stand, and not what something is
    r"\b(?:status|state|due|deadline|owner|who|next|location|place|room|kept|held|holder|assigned|stand|day|date|time|price|fee|cost|fällig|verantwortlich|progress)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SaidLater:
    """A line that names a row, and the day on which it was said."""

    day: Day
    opened: OpenedLeaf
    quote: Quote

    def is_since(self, day: tuple[int, int, int] | None) -> bool:
        return day is None or (self.day.year, self.day.month, self.day.day) >= day

    def as_line(self, text: str, number: int) -> Line:
        return Line(f"{text}{as_text(self.quote)} [{number}]", number, self.opened.node, self.opened.leaf, self.quote)


def with_said_of_row(snapshot: Snapshot, direct: DirectAnswer, asked: str) -> DirectAnswer:
    """A row below what other texts say later of it; as it is where none does, or its table says nothing that changes. Of what goes by a
    plain number, "L104", only what has a word of the question that the row itself has not: much is said of a course that is not `asked`."""
    row = next((one for one in direct.lines if one.leaf is not None and one.node is not None and one.quote is not None), None)
    if row is None or row.leaf is None or row.node is None or row.quote is None:
        return direct
    key = key_of_row(row.leaf.text, row.quote.start)
    if not key:
        return direct
    since = dated(row.leaf.as_read(), row.quote, "when")
    now = today(snapshot)
    since = since if since is None or since <= (now.year, now.month, now.day) else None  # a day that the text only speaks of
    found = [one for one in said_of_rows(snapshot, {key: row.node})[key] if one.is_since(since)]
    if "-" not in key:
        besides = frozenset(terms(asked)) - set(terms(row.quote.text))
        found = [one for one in found if not besides.isdisjoint(terms(one.quote.text))]
    found = found[:MOST_TOLD]
    if not found:
        return direct
    last = max((line.number or 0 for line in direct.lines), default=0)
    places = dict.fromkeys(one.opened.node.place for one in found)
    numbers = {place: number for number, place in enumerate(places, last + 1)}
    lines = [Line(f"Said later of {as_text(key)}:\n")]
    lines += [one.as_line("\n- ", numbers[one.opened.node.place]) for one in found]
    return replace(direct, lines=(*lines, Line("\n\nThe row itself: "), *direct.lines), verdict="partial")


def said_of_rows(snapshot: Snapshot, rows: Mapping[str, Node]) -> dict[str, list[SaidLater]]:
    """What other documents say of rows on a day, the newest first, by the number that each goes by."""
    found: dict[str, list[SaidLater]] = {key: [] for key in rows}
    if not rows:
        return found
    view = SnapshotView.of(snapshot, " ".join(rows))
    for opened in view.open_leaves(view.best_nodes(LOOKED_AT)):
        for key, row in rows.items():
            if key in opened.leaf.text and document_of(opened.node) != document_of(row):
                found[key] += _said_of(key, opened)
    for said in found.values():
        said.sort(key=lambda one: one.day, reverse=True)
    return found


def key_of_row(text: str, at: int) -> str:
    """The number by which the row at a place of a text goes; empty for one without, and of a table that says nothing that changes."""
    begins, ends = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    key = _key_of(text[begins : ends if ends >= 0 else len(text)])
    return key if key and _CHANGING.search(_header_of(text, begins).replace("_", " ")) else ""


def _key_of(row: str) -> str:
    """The number by which a row goes; empty for one without."""
    cells = (_KEY.fullmatch(cell.strip()) for cell in _CELL.split(row)) if row.lstrip().startswith("|") else ()
    return next((cell["key"] for cell in cells if cell is not None), "")


def _header_of(text: str, at: int) -> str:
    """The header of the table that a row stands in; empty where there is none."""
    rule = next(reversed([one for one in _RULE.finditer(text, 0, at) if "---" in one.group()]), None)
    return text[text.rfind("\n", 0, max(0, rule.start() - 1)) + 1 : rule.start()] if rule is not None else ""


def _said_of(key: str, opened: OpenedLeaf) -> Iterator[SaidLater]:
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
        said = quote(text, _MARKER.match(text, begins).end(), ends)  # type: ignore[union-attr]  # it matches nothing too
        is_example = _EXAMPLE.search(text, begins, match.start()) is not None
        if not is_example and _is_said_then(opened.text, begins) and (day := dated(opened.text, said, "when")) is not None:
            yield SaidLater(day, opened, said)


def _is_said_then(leaf: LeafText, at: int) -> bool:
    """Whether a line was said on a day: in a chat, in a mail, in a comment, below a heading or a title with a date; and not in a manual."""
    has_day = told_on(leaf.text, at) or written_by(leaf, at)
    return has_day is not None or any(map(days, leaf.heading))
