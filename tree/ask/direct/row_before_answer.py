"""The row that the question before was answered from, for a question that leans on it in words that name no column: "how long are we
bound?". Its cells are told as they stand; which of them is meant is left to the reader."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.extractive import as_text
from prompts.regex import regex
from tree.ask.facts.attribute import find_attribute
from tree.ask.facts.collection_question import read_collections
from tree.ask.facts.leading_roles import HAS_IT, holder_among
from tree.ask.facts.thing_sets import find_set
from tree.ask.facts.told_facts import FactCitations, line, readable
from tree.ask.facts.unfit_forms import PERSON_LABELS
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.usual_words import in_usual_words
from tree.retrieve.fact_index import StoredFact, folded

_ASKS_WHO = regex(r"\W*(?:and )?who(?:['’]?s|se)?\b", re.IGNORECASE)
FEWEST_CELLS = 3  # of a row that says more than what was asked before


def answer_from_row_before(snapshot: Snapshot, question: str, before: str) -> DirectAnswer | None:
    """`before` is the question before. None where it was not answered from one row of a table, or that is of a person and somebody is
    asked for: "who is the director?"."""
    cells = _row(snapshot, in_usual_words(before, snapshot) or before)
    cited = FactCitations(snapshot.store, snapshot.version).cite(cells)
    if cells and _ASKS_WHO.match(question) and folded(cells[0].fact.relation) in PERSON_LABELS:
        return None
    if len(cells) < FEWEST_CELLS or any(cell.place not in cited for cell in cells):
        return None
    if HAS_IT.search(question) and (holder := holder_among(folded(cell.fact.relation) for cell in cells)):
        cells = sorted(cells, key=lambda cell: folded(cell.fact.relation) != holder)
    node, _ = cited[cells[0].place]
    step = Step("register", node.place, node.hash, node.title, reason="It leans on the question before, which this row answers.")
    lines = [
        line(f"{' · ' if at else ''}{as_text(cell.fact.relation)}: {as_text(readable(cell.fact.value))}", 1, cell, cited)
        for at, cell in enumerate(cells)
    ]
    return DirectAnswer(
        step, (*lines, line(" [1]", 1, cells[0], cited), Line("\n\n*The row that answers the question before.*")), "partial"
    )


def _row(snapshot: Snapshot, question: str) -> Sequence[StoredFact]:
    """The cells of the one row that answers a question, each column once."""
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    found = find_attribute(question, names, facts)
    if found is not None:
        lines = {one.line for one in found.facts}
        return _once(facts.lines(lines)) if len(lines) == 1 and all(one.fact.row for one in found.facts) else ()
    every = read_collections(question, names, facts, day) or read_collections(question, names, facts, day, is_plural=False)
    sets = [(asked, one) for asked in every if (one := find_set(asked, facts, day)) is not None]
    if len(sets) != 1 or len(sets[0][1].keys) != 1:
        return ()
    asked, only = sets[0]
    cells = facts.of_things(only.keys, asked.collection)
    return _once(cells) if all(cell.fact.row for cell in cells) else ()


def _once(cells: Sequence[StoredFact]) -> Sequence[StoredFact]:
    return list({folded(cell.fact.relation): cell for cell in reversed(cells)}.values())[::-1]
