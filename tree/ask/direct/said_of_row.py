"""What is said later of a row of a register, by the number that it goes by or by its name: "TB-06 is back" in a chat, of which the register
says that it is away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from prompts.extractive import as_text
from prompts.extractive.asked_values import DATE, LIGHT, people_in
from prompts.extractive.dates import days
from prompts.extractive.later_entries import says_change
from prompts.extractive.passages import quote
from prompts.extractive.rivals import dated, is_said_then
from prompts.extractive.section_days import chat_day, without_chat_head
from prompts.language import terms
from prompts.question import analyse
from prompts.records import Quote
from prompts.regex import regex
from prompts.sentences import sentences
from prompts.text_lines import line_end, line_start
from tree.ask.direct.said_later import LONGEST_LINE, SaidLater, newest_first
from tree.ask.direct.said_of_action import Action, said_of_actions
from tree.ask.facts.ended_rows import speaks_of_gone
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.store.leaves import Leaf
from tree.store.nodes import Node

LOOKED_AT = 24  # leaves, the most promising
MOST_TOLD = 3
MOST_HELD = 90  # names of rows that are held against what is said of them
LONGEST_NAME = 6  # words
SAID_OF_THEM = "Said later of some of them:"
_CHANGES = regex(
    r"\b(?:decision|decided|agreed|extended|prolonged|renewed|replaced|returned|brought back|is back|(?:came|come|comes) back|repaired|fixed|mended|sold|closed|settled|paid|swapped|raised|lowered"
    r"|confirmed|cancelled|reserved|booked|picked up|handed (?:over|back|in)|signed|done|finished|delivered|arrived|came in|has come|went out|sent|serviced|tested|inspected|isolated|out of (?:use|service|order)|broken|lost|found|stolen|taken over|takes over|postponed|brought forward"
    r"|entschieden|beschlossen|verlängert|erledigt|bezahlt)\b",
    re.IGNORECASE,
)
_CELL = regex(r"(?<!\\)\|")
_KEY = regex(r"[*_`]{0,2}(?P<key>[A-Z]{1,5}(?:-\d{2,4})?-[A-Z]{0,2}\d{1,5}|[A-Z]{1,3}\d{3,5})[*_`]{0,2}")
_SHORT_KEY = regex(r"[*_`]{0,2}(?P<key>[A-Z]{1,3}\d{1,2})[*_`]{0,2}")
_CALLED = regex(r"\b(?:name|title|item|object|thing|article|device|machine|tool|vehicle|course|event|topic)\b", re.IGNORECASE)
_CALLED_BY = regex(
    r"\b(?:product|service|site|customer|client)\b", re.IGNORECASE
)  # of a ticket that has a title, where it belongs
_NO_WORD = regex(r"(?=[^ ]*[a-z])(?=[^ ]*[.\d_-])[\w-]+(?:\.[\w-]+)*")  # one name: "archive.int", "crane-2"
_MARKER = regex(r"[ \t]*(?:[-*+•][ \t]+)?")  # of an item of a list
_EXAMPLE = regex(r"\b(?:e\.g\.|for example|such as|like)\s*\Z", re.IGNORECASE)
_RULE = regex(r"^[ \t:|-]++$", re.MULTILINE)  # of a table, where it has three dashes
_OF_ACTION = regex(r"\W*(?:what|actions?|action items?|tasks?|to.?dos?|was|aufgaben?|maßnahmen?)\W*\Z", re.IGNORECASE)
_OF_REGISTER = regex(
    r"\b(?:status|state|stand|due|deadline|by when|until|done|open|fällig|frist|bis wann|erledigt)\b", re.IGNORECASE
)
CHANGING = regex(  # columns that say how things stand, and not what something is
    r"\b(?:status|state|due|deadline|owner|who|next|location|place|room|kept|held|holder|assigned|responsible|stand|day|date|time|price|fee|cost|amount|budget|expir\w*|valid|until|renew\w*|stock|on hand|order|ordered|level|returned|paid|signed|approved|confirmed|service|tested|test|inspection|issued|fällig|verantwortlich|progress)\b",
    re.IGNORECASE,
)


def with_said_of_row(snapshot: Snapshot, direct: DirectAnswer, asked: str) -> DirectAnswer:
    """A row below what other texts say later of it; as it is where none does, or its table says nothing that changes. Of what goes by a
    plain number, "L104", only what has a word of the question that the row itself has not: much is said of a course that is not `asked`.
    Of what goes by its name only what tells of a change."""
    row = next((one for one in direct.lines if one.leaf is not None and one.node is not None and one.quote is not None), None)
    if row is None or row.leaf is None or row.node is None or row.quote is None:
        return direct
    key, action = key_of_row(row.leaf.text, row.quote.start), action_of_row(row.leaf.text, row.quote.start)
    called = names_of_row(row.leaf.text, row.quote.start)
    since = _since(snapshot, row.leaf, row.quote)
    said = said_of_rows(snapshot, {key: row.node})[key] if key else []
    if action:
        besides = frozenset(terms(f"{key} {row.quote.text.replace(action, ' ')}"))
        said = newest_first([*said, *said_of_actions(snapshot, [Action.of(action, besides, document_of(row.node))])[0]])
    found = [one for one in said if one.is_since(since)]
    if "-" not in key and not action:
        besides = frozenset(terms(asked)) - set(terms(row.quote.text))
        is_of_state = _OF_REGISTER.search(asked) is not None
        found = [
            one
            for one in found
            if (is_of_state and (_CHANGES.search(one.quote.text) or says_change(one.quote.text)))
            or not besides.isdisjoint(terms(one.quote.text))
        ]
    if not found and called:
        by_name = said_of_rows(snapshot, dict.fromkeys(called, row.node))
        found = newest_first(
            one for name in called for one in by_name[name] if one.is_since(since) and _changes(name, one.quote.text)
        )
    if not found:
        return direct
    of = f" of {as_text(key or action or called[0])}"
    is_asked = any(_bears_on(asked, row.quote.text, one.quote.text) for one in found)
    return told_below(direct, found, of) if is_asked else told_above(direct, found, of)


def _bears_on(asked: str, row: str, said: str) -> bool:
    """Whether what is said later of a row may change what is asked of it: it has a word of the question that is not the row's, or a day, an
    amount or a name where such is asked for, or it is asked how things stand, or of the row as a whole."""
    besides = set(terms(asked)) - set(terms(row)) - LIGHT
    kind, text = analyse(asked).kind, without_chat_head(said)
    is_of_all = not besides and kind not in ("who", "when", "count")
    if is_of_all or not besides.isdisjoint(terms(said)) or _OF_REGISTER.search(asked) is not None:
        return True
    match kind:
        case "when":
            return DATE.search(text) is not None
        case "who":
            return bool(people_in(text))
        case "count":
            return any(map(str.isdigit, text))
        case "where" | "yes_no":
            return True
        case _:
            return False


def _since(snapshot: Snapshot, leaf: Leaf, said: Quote) -> tuple[int, int, int] | None:
    """When the text of a row was last known to hold; None where nothing tells, or it only speaks of a day to come."""
    day, now = dated(leaf.as_read(), said, "when"), today(snapshot)
    return day if day is None or day <= (now.year, now.month, now.day) else None


def told_below(direct: DirectAnswer, said: Sequence[SaidLater], of: str = "") -> DirectAnswer:
    """A row below the first lines of what was said later, " of" what."""
    lines = [Line(f"Said later{of}:\n"), *_cited_after(direct, said[:MOST_TOLD])]
    return replace(direct, lines=(*lines, Line("\n\nThe row itself: "), *direct.lines), verdict="partial")


def told_above(direct: DirectAnswer, said: Sequence[SaidLater], of: str = "") -> DirectAnswer:
    """A row above the first lines of what was said later of something else in it, " of" what."""
    lines = [Line(f"\n\nSaid later{of}:\n"), *_cited_after(direct, said[:MOST_TOLD])]
    return replace(direct, lines=(*direct.lines, *lines), verdict="partial")


def with_said_of_set(snapshot: Snapshot, direct: DirectAnswer, asked: str) -> DirectAnswer:
    """Rows above what other texts say later of them that changes something: "H-26-160 is extended to 5 December"; or of another row of
    the same table, in the word that is `asked`: "B-233 is confirmed". Where it is not asked how things stand, only that they are gone
    changes it. As they are where none does."""
    told = [
        (one.leaf, one.node, one.quote)
        for one in direct.lines
        if one.leaf is not None and one.node is not None and one.quote is not None
    ]
    named = {name: _Named(leaf, node, said, True) for leaf, node, said in told for name in _all_names(leaf.text, said.start)}
    others = _others(told) if direct.may_be_outdated else {}
    if len(named) + len(others) <= MOST_HELD:
        named = others | named
    if not 0 < len(named) <= MOST_HELD:
        return direct
    words = frozenset(terms(asked))
    later: list[SaidLater] = []
    for name, some in said_of_rows(snapshot, {name: row.node for name, row in named.items()}).items():
        since = _since(snapshot, named[name].leaf, named[name].row) if some else None
        for one in (one for one in some if one.is_since(since)):
            changed = set(terms(" ".join(_said_of_change(name, one.quote.text))))
            is_meant = direct.may_be_outdated or speaks_of_gone(one.quote.text)
            is_of_it = is_meant if named[name].is_told else not words.isdisjoint(changed)
            later += [one] if changed and is_of_it else []
    found = newest_first(later)[:MOST_TOLD]
    if not found:
        return direct
    lines = (*direct.lines, Line(f"\n\n{SAID_OF_THEM}\n"), *_cited_after(direct, found))
    return replace(direct, lines=lines, verdict="partial")


class _Named(NamedTuple):
    """A row that may be spoken of."""

    leaf: Leaf
    node: Node
    row: Quote
    is_told: bool


def _others(told: Sequence[tuple[Leaf, Node, Quote]]) -> dict[str, _Named]:
    """The rows of the tables that some rows are of, by their numbers, or else by their names."""
    found: dict[str, _Named] = {}
    for leaf, node in {node.place: (leaf, node) for leaf, node, _ in told}.values():
        for at in _rows_of(leaf.text):
            for name in _all_names(leaf.text, at)[:1]:
                found[name] = _Named(leaf, node, quote(leaf.text, at, line_end(leaf.text, at)), False)
    return found


def _all_names(text: str, at: int) -> list[str]:
    """The number by which a row goes, and its names."""
    return [*filter(None, [key_of_row(text, at)]), *names_of_row(text, at)]


def _rows_of(text: str) -> Iterator[int]:
    """Where the rows of the tables of a text begin."""
    for rule in _RULE.finditer(text):
        at = rule.end() + 1 if "---" in rule.group() else len(text)
        while text.startswith("|", at):
            yield at
            at = line_end(text, at) + 1


def names_of_row(text: str, at: int) -> list[str]:
    """By what the row at a place of a text may be spoken of beside its number: its first cell and what says what it is, where that is a
    name of several words, "Engraved tumbler", or one that is no word, "archive.int"; none in a table that says nothing that changes."""
    cells = cells_of_row(text, at)
    if not any(CHANGING.search(label.replace("_", " ")) for label, _ in cells):
        return []
    labels = [label.replace("_", " ") for label, _ in cells]
    calls = _CALLED if any(map(_CALLED.search, labels)) else _CALLED_BY
    called = [
        cell for number, (label, (_, cell)) in enumerate(zip(labels, cells, strict=True)) if not number or calls.search(label)
    ]
    found: list[str] = []
    for cell in called:
        parts = [cell, *cell.split(" ", 1)[1:]] if _KEY.match(cell) else [cell]
        found += [one for one in parts if _KEY.fullmatch(one) is None and _is_name(one)]
    return [one for one in dict.fromkeys(found) if text.count(f" {one} |") < 2]  # of several rows it names none


def _is_name(said: str) -> bool:
    words = [word for word in terms(said) if not word.isdigit()]
    is_several = 1 < len(set(words)) <= LONGEST_NAME
    return (is_several and not days(said)) or (_NO_WORD.fullmatch(said) is not None)


def _cited_after(direct: DirectAnswer, found: Sequence[SaidLater]) -> list[Line]:
    """One line for each of what was `found`, its sources numbered on from those of `direct`."""
    last = max((line.number or 0 for line in direct.lines), default=0)
    places = dict.fromkeys(one.opened.node.place for one in found)
    numbers = {place: number for number, place in enumerate(places, last + 1)}
    return [one.as_line("\n- ", numbers[one.opened.node.place]) for one in found]


def _changes(key: str, said: str) -> bool:
    """Whether a sentence that names a row tells of a change."""
    return any(True for _ in _said_of_change(key, said))


def _said_of_change(key: str, said: str) -> Iterator[str]:
    """The words by which a sentence that names a row tells of a change."""
    for part in (said[start:end] for start, end in sentences(said)):
        if _names(part, key):
            yield from (match.group() for match in _CHANGES.finditer(part))
            yield from ["changed"] if says_change(part) else []


def _names(said: str, key: str) -> bool:
    """Whether a row is named there: letter by letter by its number, in all its words by its name."""
    if " " in key:
        return set(terms(key)) <= set(terms(said))
    return re.search(rf"(?<![\w.-]){re.escape(key)}(?![\w-])", said) is not None


def said_of_rows(snapshot: Snapshot, rows: Mapping[str, Node]) -> dict[str, list[SaidLater]]:
    """What other documents say of rows on a day, the newest first, by the number or the name that each goes by."""
    found: dict[str, list[SaidLater]] = {key: [] for key in rows}
    if not rows:
        return found
    view = SnapshotView.of(snapshot, " ".join(rows))
    for opened in view.open_leaves(view.best_nodes(LOOKED_AT)):
        for key, row in rows.items():
            if document_of(opened.node) != document_of(row) and _may_name(opened.leaf.text, key):
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
    cells = [cell.strip() for cell in _CELL.split(row.strip().strip("|"))] if row.lstrip().startswith("|") else []
    if cells and (short := _SHORT_KEY.fullmatch(cells[0])) is not None:
        return short["key"]  # "M5"; in another cell "B1" is a rack, and "A4" paper
    return next((match["key"] for cell in cells if (match := _KEY.fullmatch(cell)) is not None), "")


def _header_of(text: str, at: int) -> str:
    """The header of the table that a row stands in; empty where there is none."""
    rule = next(reversed([one for one in _RULE.finditer(text, 0, at) if "---" in one.group()]), None)
    return text[line_start(text, max(0, rule.start() - 1)) : rule.start()] if rule is not None else ""


def _sentences_from(text: str, begins: int, ends: int, at: int) -> tuple[int, int]:
    """Of a long line the sentence in which `at` stands, and as many of the next ones as one may have: "Kessin (G12). The new date is ..."."""
    spans = [(begins + start, begins + end) for start, end in sentences(text[begins:ends]) if begins + end > at]
    first = spans[0][0] if spans else begins
    return first, max((end for _, end in spans if end - first <= LONGEST_LINE), default=spans[0][1] if spans else ends)


def _may_name(text: str, key: str) -> bool:
    low = text.casefold()
    return all(word in low for word in key.casefold().split()[-1:])


def _said_of(key: str, opened: OpenedLeaf) -> Iterator[SaidLater]:
    """The lines of a text that name a row, of long ones the sentences, each with the day on which it was said; of a chat with the next
    one, where it is a question."""
    text, told = opened.leaf.text, set[int]()
    last = re.escape(key.split(" ")[-1])
    for match in re.finditer(rf"(?<![\w-]){last}(?![\w-])", text, re.IGNORECASE if " " in key else 0):
        begins, ends = line_start(text, match.start()), line_end(text, match.end())
        if text[begins:ends].lstrip().startswith(("|", "#")):
            continue
        if ends - begins > LONGEST_LINE:
            begins, ends = _sentences_from(text, begins, ends, match.start())
        if begins in told or ends - begins > LONGEST_LINE or not _names(text[begins:ends], key):
            continue
        told.add(begins)
        if "?" in text[begins:ends] and chat_day(text, begins) is not None and chat_day(text, ends + 1) is not None:
            ends = line_end(text, ends + 1)
        said = quote(text, _MARKER.match(text, begins).end(), ends)  # type: ignore[union-attr]  # it matches nothing too
        is_example = _EXAMPLE.search(text, begins, match.start()) is not None
        if not is_example and is_said_then(opened.text, begins) and (day := dated(opened.text, said, "when")) is not None:
            yield SaidLater(day, opened, said)
