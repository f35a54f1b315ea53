"""Answers from tables with a column for each time: what holds now and from when on other, what goes up or down, who has most."""

from __future__ import annotations

from collections.abc import Iterator

from prompts.extractive import as_text
from tree.ask.direct.newer_statements import with_newer
from tree.ask.facts.timed_columns import Timed, find_timed, step_between
from tree.ask.facts.told_facts import FactCitations, line, small
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, StatedValue
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import StoredFact
from tree.store.leaves import Leaf
from tree.store.nodes import Node

_Cited = dict[str, tuple[Node, Leaf]]


def answer_from_timed_columns(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "what is the hourly rate now?", "did the budget of IT go up?", "which team gets less in 2027?"."""
    text = understanding.text
    found = find_timed(text, snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot))
    if found is None or not found.rows:
        return None
    first = found.rows[0].cells[-1]
    cited = FactCitations(snapshot.store, snapshot.version).cite(cell for row in found.rows for cell in row.cells)
    if any(cell.place not in cited for row in found.rows for cell in row.cells):
        return None
    node = cited[first.place][0]
    step = Step("register", node.place, node.hash, node.title, reason="This table has a column for each time.")
    stated = StatedValue(found.rows[0].label, first.fact.value) if found.wanted == "value" else None
    lines = tuple(_told(found, cited))
    told = DirectAnswer(step, lines, may_be_outdated=True, stated=stated, is_list=found.wanted == "changed")
    return with_newer(snapshot, understanding, told)


def _told(found: Timed, cited: _Cited) -> Iterator[Line]:
    numbers = {place: number for number, place in enumerate(dict.fromkeys(row.cells[-1].place for row in found.rows), 1)}
    if found.wanted == "changed":
        way = {True: "more", False: "less", None: "something else"}[found.is_more]
        yield Line(f"**{len(found.rows)}** with {way} in {_column(found.rows[0].cells[-1])}:\n")
    for at, row in enumerate(found.rows):
        last, number = row.cells[-1], numbers[row.cells[-1].place]
        label, value = as_text(row.label), as_text(last.fact.value)
        said = {
            "value": f"**{value}**, {label} ({_column(last)})",
            "most": f"**{label}**: {value} ({_column(last)})",
            "changed": f"- **{label}**: {_step(row.cells)}",
            "change": f"{_change(row.cells)}{label}: {_step(row.cells)}",
        }[found.wanted]
        begun = "\n" if found.wanted == "changed" else "\n\n" if at else ""
        yield line(f"{begun}{said} [{number}]", number, last, cited)
    for cell in found.also:
        yield line(f"\n\n{_column(cell, is_first=True)}: {as_text(cell.fact.value)} [1]", 1, cell, cited)


def _step(row: tuple[StoredFact, ...]) -> str:
    return " → ".join(f"{as_text(cell.fact.value)} ({_column(cell)})" for cell in row)


def _change(row: tuple[StoredFact, ...]) -> str:
    """ "**2,500 more**, " where there are two cells, and both are amounts."""
    step = step_between(*row) if len(row) == 2 else None
    if step is None:
        return ""
    if step == 0:
        return "**The same**, "
    return f"**{abs(step):,.10g} {'more' if step > 0 else 'less'}**, "


def _column(cell: StoredFact, *, is_first: bool = False) -> str:
    label = cell.fact.relation
    return as_text(label[:1].upper() + label[1:] if is_first else small(label))
