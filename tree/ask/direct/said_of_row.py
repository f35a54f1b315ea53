"""What is said later of a row of a register, by the number that it goes by: "TB-06 is back" in a chat, of which the register says that it
is away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from prompts.extractive import as_text
from prompts.extractive.later_entries import says_change
from prompts.extractive.passages import quote
from prompts.extractive.rivals import dated, is_said_then
from prompts.extractive.section_days import chat_day
from prompts.language import terms
from prompts.regex import regex
from prompts.sentences import sentences
from prompts.text_lines import line_end, line_start
from tree.ask.direct.said_later import LONGEST_LINE, SaidLater, newest_first
from tree.ask.direct.said_of_action import Action, said_of_actions
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.store.nodes import Node

LOOKED_AT = 12  # leaves, the most promising
MOST_TOLD = 3
MOST_HELD = 12  # rows of a list that are held against what is said of them
SAID_OF_THEM = "Said later of some of them:"
_CHANGES = regex(
    r"\b(?:decision|decided|agreed|extended|prolonged|renewed|replaced|returned|brought back|is back|repaired|fixed|sold|closed|settled|paid|swapped|raised|lowered|entschieden|beschlossen|verlängert)\b",
    re.IGNORECASE,
)
_CELL = regex(r"(?<!\\)\|")
_KEY = regex(r"[*_`]{0,2}(?P<key>[A-Z]{1,5}(?:-\d{2,4})?-[A-Z]{0,2}\d{1,5}|[A-Z]{1,3}\d{3,5})[*_`]{0,2}")
_MARKER = regex(r"[ \t]*(?:[-*+•][ \t]+)?")  # of an item of a list
_EXAMPLE = regex(r"\b(?:e\.g\.|for example|such as|like)\s*\Z", re.IGNORECASE)
_RULE = regex(r"^[ \t:|-]++$", re.MULTILINE)  # of a table, where it has three dashes
_OF_ACTION = regex(r"\W*(?:what|actions?|action items?|tasks?|to.?dos?|was|aufgaben?|maßnahmen?)\W*\Z", re.IGNORECASE)
_OF_REGISTER = regex(
    r"\b(?:status|state|stand|due|deadline|by when|until|done|open|fällig|frist|bis wann|erledigt)\b", re.IGNORECASE
)
CHANGING = regex(  # columns that say how things stand, and not what something is
    r"\b(?:status|state|due|deadline|owner|who|next|location|place|room|kept|held|holder|assigned|stand|day|date|time|price|fee|cost|fällig|verantwortlich|progress)\b",
    re.IGNORECASE,
)


def with_said_of_row(snapshot: Snapshot, direct: DirectAnswer, asked: str) -> DirectAnswer:
    """A row below what other texts say later of it; as it is where none does, or its table says nothing that changes. Of what goes by a
    plain number, "L104", only what has a word of the question that the row itself has not: much is said of a course that is not `asked`."""
    row = next((one for one in direct.lines if one.leaf is not None and one.node is not None and one.quote is not None), None)
    if row is None or row.leaf is None or row.node is None or row.quote is None:
        return direct
    key, action = key_of_row(row.leaf.text, row.quote.start), action_of_row(row.leaf.text, row.quote.start)
    if not key and not action:
        return direct
    since = dated(row.leaf.as_read(), row.quote, "when")
    now = today(snapshot)
    since = since if since is None or since <= (now.year, now.month, now.day) else None  # a day that the text only speaks of
    said = said_of_rows(snapshot, {key: row.node})[key] if key else []
    if action:
        besides = frozenset(terms(f"{key} {row.quote.text.replace(action, ' ')}"))
        said = newest_first([*said, *said_of_actions(snapshot, [Action.of(action, besides, document_of(row.node))])[0]])
    found = [one for one in said if one.is_since(since)]
    if "-" not in key and not action:
        besides = frozenset(terms(asked)) - set(terms(row.quote.text))
        found = [one for one in found if not besides.isdisjoint(terms(one.quote.text))]
    return told_below(direct, found, f" of {as_text(key or action)}") if found else direct


def told_below(direct: DirectAnswer, said: Sequence[SaidLater], of: str = "") -> DirectAnswer:
    """A row below the first lines of what was said later, " of" what."""
    lines = [Line(f"Said later{of}:\n"), *_cited_after(direct, said[:MOST_TOLD])]
    return replace(direct, lines=(*lines, Line("\n\nThe row itself: "), *direct.lines), verdict="partial")


def with_said_of_set(snapshot: Snapshot, direct: DirectAnswer) -> DirectAnswer:
    """A few rows above what other texts say later of them that changes something: "H-26-160 is extended to 5 December"; as it is where
    none does."""
    rows = [
        (one.leaf, one.node, one.quote)
        for one in direct.lines
        if one.leaf is not None and one.node is not None and one.quote is not None
    ]
    if len(rows) > MOST_HELD:
        return direct
    keyed = {key: row for row in rows if (key := key_of_row(row[0].text, row[2].start))}
    nodes = {key: node for key, (_, node, _) in keyed.items()}
    since = {key: dated(leaf.as_read(), said, "when") for key, (leaf, _, said) in keyed.items()}
    now = today(snapshot)
    later = [
        one
        for key, said in said_of_rows(snapshot, nodes).items()
        for one in said
        if _changes(key, one.quote.text)
        and ((day := since[key]) is None or day > (now.year, now.month, now.day) or one.is_since(day))
    ]
    found = newest_first(later)[:MOST_TOLD]
    if not found:
        return direct
    lines = (*direct.lines, Line(f"\n\n{SAID_OF_THEM}\n"), *_cited_after(direct, found))
    return replace(direct, lines=lines, verdict="partial")


def _cited_after(direct: DirectAnswer, found: Sequence[SaidLater]) -> list[Line]:
    """One line for each of what was `found`, its sources numbered on from those of `direct`."""
    last = max((line.number or 0 for line in direct.lines), default=0)
    places = dict.fromkeys(one.opened.node.place for one in found)
    numbers = {place: number for number, place in enumerate(places, last + 1)}
    return [one.as_line("\n- ", numbers[one.opened.node.place]) for one in found]


def _changes(key: str, said: str) -> bool:
    """Whether a sentence that names a row tells of a change."""
    parts = (said[start:end] for start, end in sentences(said))
    named = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
    return any(named.search(part) and (_CHANGES.search(part) is not None or says_change(part)) for part in parts)


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
    begins = line_start(text, at)
    key = _key_of(text[begins : line_end(text, at)])
    return key if key and CHANGING.search(_header_of(text, begins).replace("_", " ")) else ""


def action_of_row(text: str, at: int) -> str:
    """What has to be done by the row at a place of a text, in a table that has such a column and one that says by when, or whether it is
    done; empty for any other."""
    cells = cells_of_row(text, at)
    is_register = any(_OF_REGISTER.search(label.replace("_", " ")) for label, _ in cells)
    return next((cell for label, cell in cells if is_register and _OF_ACTION.match(label)), "")


def cells_of_row(text: str, at: int) -> list[tuple[str, str]]:
    """The cells of the row at a place of a text, each with the header of its column; none where it is no row of a table with a header."""
    begins = line_start(text, at)
    row = text[begins : line_end(text, at)].strip()
    labels, cells = (
        [cell.strip() for cell in _CELL.split(one.strip().strip("|"))] if "|" in one else []
        for one in (_header_of(text, begins), row)
    )
    return list(zip(labels, cells, strict=True)) if len(labels) == len(cells) else []


def _key_of(row: str) -> str:
    """The number by which a row goes; empty for one without."""
    cells = (_KEY.fullmatch(cell.strip()) for cell in _CELL.split(row)) if row.lstrip().startswith("|") else ()
    return next((cell["key"] for cell in cells if cell is not None), "")


def _header_of(text: str, at: int) -> str:
    """The header of the table that a row stands in; empty where there is none."""
    rule = next(reversed([one for one in _RULE.finditer(text, 0, at) if "---" in one.group()]), None)
    return text[line_start(text, max(0, rule.start() - 1)) : rule.start()] if rule is not None else ""


def _said_of(key: str, opened: OpenedLeaf) -> Iterator[SaidLater]:
    """The lines of a text that name a row, each with the day on which it was said; of a chat with the next one, where it is a question."""
    text, told = opened.leaf.text, set[int]()
    for match in re.finditer(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text):
        begins, ends = line_start(text, match.start()), line_end(text, match.end())
        if begins in told or text[begins:ends].lstrip().startswith(("|", "#")) or ends - begins > LONGEST_LINE:
            continue
        told.add(begins)
        if "?" in text[begins:ends] and chat_day(text, begins) is not None and chat_day(text, ends + 1) is not None:
            ends = line_end(text, ends + 1)
        said = quote(text, _MARKER.match(text, begins).end(), ends)  # type: ignore[union-attr]  # it matches nothing too
        is_example = _EXAMPLE.search(text, begins, match.start()) is not None
        if not is_example and is_said_then(opened.text, begins) and (day := dated(opened.text, said, "when")) is not None:
            yield SaidLater(day, opened, said)
