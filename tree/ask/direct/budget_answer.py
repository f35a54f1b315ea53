"""Which rows of a table have spent more, or less, than their budget: two columns of amounts held against each other, row by row."""

from __future__ import annotations

import re
from collections.abc import Mapping

from prompts.extractive import as_text
from prompts.regex import regex
from tree.ask.facts.amounts import amount_of
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.likely_rows import cells_of
from tree.ask.facts.row_table import table_of
from tree.ask.facts.told_facts import FactCitations
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import StoredFact, folded

MOST_ROWS = 40
_ABOUT = r"(?:(?:their|its|the|our) )?(?:budgets?|planned|plan)"
_OVER = regex(
    rf"\b(?:over ?spent|over[- ]budget|over {_ABOUT}|(?:spent|cost|used|needed) more than (?:{_ABOUT}|planned|budgeted|allowed)|exceed(?:ed|s|ing)? {_ABOUT}|above {_ABOUT})\b",
    re.IGNORECASE,
)
_UNDER = regex(
    rf"\b(?:under ?spent|under[- ]budget|below {_ABOUT}|(?:spent|cost|used|needed) less than (?:{_ABOUT}|planned|budgeted|allowed))\b",
    re.IGNORECASE,
)
_SEVERAL = regex(r"\A\W*(?:and )?(?:which|what|who|how many|list|show)\b", re.IGNORECASE)
_YEAR = regex(r"\b(?P<year>20\d\d)(?:[-/]\d{2,4})?\b")
_SPENT = frozenset("spent actual spend expenditure used ausgegeben ist dépensé".split())
_PLANNED = frozenset("budget budgeted planned plan soll".split())
_ASIDE = frozenset("draft proposed forecast remaining left".split())


def answer_budgets(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "which departments spent more than their budget in 2025?"; None where no table, or more than one, says it."""
    text = understanding.text
    is_over = _OVER.search(text) is not None
    if not _SEVERAL.match(text) or not (is_over or _UNDER.search(text)):
        return None
    asked = _YEAR.search(text)
    facts, names = snapshot.index.facts(snapshot.scope), snapshot.index.names(snapshot.scope)
    found = []
    for table in names.tables.values():
        columns = _columns(table, asked["year"] if asked is not None else "")
        if columns is not None:
            found.append((table, *columns))
    if len(found) != 1:
        return None
    [(table, spent, planned)] = found
    cells = cells_of(table, facts)
    if asked is not None and not _YEAR.search(f"{spent} {planned}"):
        cells = {thing: row for thing, row in cells.items() if any(_is_of_year(value, asked.group()) for value in row.values())}
    elif asked is None and any(_is_of_year(value, "") for row in cells.values() for value in row.values()):
        return None  # of which year is not said
    compared = {thing: _difference(row, spent, planned) for thing, row in cells.items()}
    chosen = [thing for thing, gap in compared.items() if gap is not None and (gap > 0 if is_over else gap < 0)]
    known = sum(gap is not None for gap in compared.values())
    if not known or len(chosen) > MOST_ROWS:
        return None
    rows: dict[str, dict[str, StoredFact]] = {thing: {} for thing in chosen or list(cells)[:1]}
    for fact in facts.of_things(rows, table.collection):
        rows[fact.thing].setdefault(folded(fact.fact.relation), fact)
    cited = FactCitations(snapshot.store, snapshot.version).cite([fact for row in rows.values() for fact in row.values()])
    first = next((fact for row in rows.values() for fact in row.values()), None)
    if first is None or any(fact.place not in cited for row in rows.values() for fact in row.values()):
        return None
    node = cited[first.place][0]
    label = {folded(one): one for one in table.columns}
    how = f"{as_text(label[spent])} {'above' if is_over else 'below'} {as_text(label[planned])}"
    of_year = f" of {asked.group()}" if asked is not None else ""
    step = Step(
        "register", node.place, node.hash, node.title, reason=f"In each row {label[spent]} was held against {label[planned]}."
    )
    lead = f"**{len(chosen) or 'None'} of {known} rows{of_year} of {as_text(table.called)}** ({how})"
    if not chosen:
        return DirectAnswer(step, (Line(f"{lead}."),), is_list=True)
    named = [
        one
        for one in label
        if one not in REMARKS and any(amount_of(row[one].fact.value) is None for row in rows.values() if one in row)
    ]
    told = table_of(list(rows.values()), (*named[1:], planned, spent), cited, named[0] if named else folded(table.naming))
    return DirectAnswer(step, (Line(f"{lead}:\n\n"), *told), "complete" if known == len(compared) else "partial", is_list=True)


def _columns(table: Table, year: str) -> tuple[str, str] | None:
    """The columns (folded) of what was spent and what was planned, of that year where they say one; None where they are not clear."""
    columns = [one for one in map(folded, table.columns) if _ASIDE.isdisjoint(one.split())]
    spent = [one for one in columns if _SPENT & set(one.split())]
    planned = [one for one in columns if _PLANNED & set(one.split())]
    pairs = [
        (one, other)
        for one in spent
        for other in planned
        if _year_of(one) == _year_of(other) and (not year or _year_of(one) in ("", year))
    ]
    return pairs[0] if len(pairs) == 1 else None


def _year_of(column: str) -> str:
    found = _YEAR.search(column)
    return found["year"] if found is not None else ""


def _is_of_year(value: str, year: str) -> bool:
    """Whether a cell is just that year, or with an empty one any year: "2025-26"."""
    said = _YEAR.fullmatch(value.strip())
    return said is not None and (not year or said.group() == year or (year == said["year"] and said.group() != year))


def _difference(row: Mapping[str, str], spent: str, planned: str) -> float | None:
    """What was spent beyond what was planned; None where a cell is no amount."""
    amounts = [amount_of(row.get(column, "")) for column in (spent, planned)]
    mine, other = amounts
    return mine.number - other.number if mine is not None and other is not None and mine.unit == other.unit else None
