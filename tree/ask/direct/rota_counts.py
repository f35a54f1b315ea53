"""Who has most turns of a rota, or fewest: the rows of a time counted by who stands in them, with what is said of changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from prompts.extractive import as_text
from prompts.language import terms
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.direct.rota import RotaRow, called_by_table, duty_terms, is_said, last_day, read_rota, rota_tables
from tree.ask.direct.rota_changes import remarks_on, swaps_at
from tree.ask.direct.rota_question import RotaQuestion, duty_words
from tree.ask.direct.rota_turns import MOST_LOOKED_AT, MOST_TABLES, are_counted_in, names_in_cell
from tree.ask.direct.turn_question import UNITS, Period, read_period
from tree.ask.facts.described_row import PLACES, REMARKS
from tree.ask.facts.table_rows import rows_of_tables
from tree.ask.facts.told_facts import FactCitations, line, listed
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.standing_documents import standing_only
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.store.leaves import Leaf
from tree.store.nodes import Node

FEWEST_PEOPLE = 2
_ASKS = regex(
    r"\A\W*(?:and |so )?who(?:['’]s| is| has| have| does| do| gets| got| had| did| works| worked| stands)?(?: got| on| doing| down for)? "
    rf"(?:the )?(?P<how>most|fewest|least)(?P<rest> [^?.!,]{{0,60}}?\b(?P<unit>{UNITS}|duties|duty)\b[^?.!,]{{0,60}}?)(?:,? and how (?:many|often)(?: is (?:it|that)| are they)?)?\W*\Z",
    re.IGNORECASE,
)
_TURNED = regex(
    r"\b(?:not|no|never|without|except|besides|only|both|and|or|with|until|since|before|after|between|if|each|every)\b",
    re.IGNORECASE,
)
_SAME_AS_UNIT = frozenset(terms("weeks days dates shifts turns times duties duty slots most fewest least scheduled planned"))


@dataclass(frozen=True, slots=True)
class _Counted:
    """The rows of a rota in the time that is asked about, and how often each name stands there in one column."""

    node: Node
    leaf: Leaf
    rows: Sequence[RotaRow]
    column: str
    times: Mapping[str, int]
    is_sure: bool  # every cell says names alone


def answer_most_turns(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "who has the most night shifts in May?"; None where no one rota has such turns."""
    asked = _ASKS.match(understanding.text)
    if asked is None or _TURNED.search(asked["rest"]):
        return None
    period, rest = read_period(asked["rest"], today(snapshot), is_past=False)
    if rest == asked["rest"]:
        period = Period(date.min, date.max)  # of all of the rota
    words = duty_words(rest) - _SAME_AS_UNIT
    if not words or any(map(str.isdigit, rest)):
        return None
    counted = [one for one in _rotas(snapshot, words, period) if len(one.times) >= FEWEST_PEOPLE]
    found, _ = standing_only(snapshot, counted, lambda one: one.node.place)
    if len(found) != 1:
        return None
    is_most = asked["how"].casefold() == "most"
    return _told(found[0], _changes(snapshot, found[0]), period, asked["unit"].casefold(), is_most)


def _rotas(snapshot: Snapshot, words: frozenset[str], period: Period) -> Iterator[_Counted]:
    now = today(snapshot)
    named, _ = rota_tables(snapshot, RotaQuestion(now, 0, words))
    tables = [one for one in named if all(is_said(word, called_by_table(one)) for word in words)]
    for _, lines in rows_of_tables(snapshot.index.facts(snapshot.scope), tables[:MOST_TABLES]):
        columns = tuple(dict.fromkeys(name for cells in lines for name in cells))
        rows, _ = read_rota(lines, now, columns)
        rows = [row for row in rows if period.has(row)]
        cited = FactCitations(snapshot.store, snapshot.version).cite(row.first for row in rows)
        if not rows or any(row.first.place not in cited for row in rows):
            continue
        duties = [one for one in columns if one not in rows[0].times and PLACES.isdisjoint(one.split()) and one not in REMARKS]
        shares = {name: len(words & duty_terms(name)) for name in duties}
        chosen = [name for name in duties if shares[name] == max(shares.values()) > 0]
        if len(chosen) == 1:
            yield _count(*cited[rows[0].first.place], rows, chosen[0])


def _count(node: Node, leaf: Leaf, rows: Sequence[RotaRow], column: str) -> _Counted:
    times: Counter[str] = Counter()
    is_sure = True
    for row in rows:
        value = row.cells[column].fact.value if column in row.cells else ""
        names = names_in_cell(value, leaf.text)
        is_sure = is_sure and (names is not None or not any(map(str.isalnum, value)))
        times.update(set(names or ()))
    return _Counted(node, leaf, rows, column, times, is_sure)


def _is_inside(row: RotaRow, period: Period) -> bool:
    """Whether all days of a row are in the time that is asked about."""
    ends = last_day(row, row.days)
    return row.day.month == ends.month if period.month else period.first <= row.day and ends <= period.last


def _changes(snapshot: Snapshot, found: _Counted) -> list[tuple[Node, Leaf, Quote]]:
    rows = found.rows[:MOST_LOOKED_AT]
    people = frozenset(word.casefold() for name in found.times for word in name.split())
    on_page = {
        said.start: said for row in rows for said in remarks_on(found.leaf, row) if people & set(said.text.casefold().split())
    }
    return [
        *((found.node, found.leaf, said) for _, said in sorted(on_page.items())),
        *swaps_at(snapshot, [(row, people) for row in rows]),
    ]


def _told(found: _Counted, changes: Sequence[tuple[Node, Leaf, Quote]], period: Period, unit: str, is_most: bool) -> DirectAnswer:
    best = (max if is_most else min)(found.times.values())
    winners = [name for name, times in found.times.items() if times == best]
    each = " each" if len(winners) > 1 else ""
    label = found.rows[0].cells[found.column].fact.relation if found.column in found.rows[0].cells else found.column
    first = found.rows[0].first
    cited = {first.place: (found.node, found.leaf)}
    head = (
        f"**{as_text(listed(winners))}** with **{best}**{each} of {len(found.rows)} rows{period.in_words} ({as_text(label)}) [1]:"
    )
    every = sorted(found.times.items(), key=lambda one: (-one[1], one[0]))
    table = "".join(f"\n| {as_text(name)} | {times} |" for name, times in every)
    lines = [line(head, 1, first, cited), Line(f"\n\n| {as_text(label)} | |\n| --- | --- |{table}")]
    if changes:
        lines.append(Line("\n\nSaid of changes at these times, which may change these numbers:\n"))
        numbers = {place: at for at, place in enumerate(dict.fromkeys((first.place, *(node.place for node, _, _ in changes))), 1)}
        lines += [
            Line(f"\n- {as_text(said.text)} [{numbers[node.place]}]", numbers[node.place], node, leaf, said)
            for node, leaf, said in changes
        ]
    reason = "The rows of this rota were counted by who stands in them, and it was looked for what is said of changes."
    is_looked_at = len(found.rows) <= MOST_LOOKED_AT  # all of them, for changes
    is_sure = found.is_sure and is_most and is_looked_at and not changes  # of the fewest: who has none does not stand there
    is_sure = is_sure and are_counted_in(unit, [row.days for row in found.rows])
    is_sure = is_sure and all(_is_inside(row, period) for row in found.rows)
    step = Step("register", found.node.place, found.node.hash, found.node.title, reason=reason)
    return DirectAnswer(step, tuple(lines), "complete" if is_sure else "partial")
