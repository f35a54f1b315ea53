"""Of several rows that a question for the latest may mean, the one with the latest day: "the latest version of Gangway"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from prompts.extractive.dates import days
from prompts.regex import regex
from prompts.timespans import day_of
from tree.ask.facts.attribute import Attribute
from tree.retrieve.fact_index import FactIndex, StoredFact, folded

_LATEST = regex(r"\b(?:latest|newest|most recent)\b", re.IGNORECASE)


def newest_of_rows(text: str, answer: Attribute, facts: FactIndex, today: date) -> tuple[Attribute, bool]:
    """What is told of the latest row until today, and whether it is known which one that is; as it is where no latest one is asked for, or
    one row is told."""
    told = answer.facts
    lines = list(dict.fromkeys(fact.line for fact in told if fact.fact.row))
    if _LATEST.search(text) is None or len(told) < 2:
        return answer, True
    if len(lines) < len({fact.line for fact in told}):  # something that is no row says it too
        return answer, False
    rows: dict[tuple[str, int], list[StoredFact]] = {line: [] for line in lines}
    for cell in facts.lines(lines):
        rows[cell.line].append(cell)
    dated = {line: day for line, row in rows.items() if (day := _only_day(row)) is not None and day <= today}
    if len(dated) < len(rows) - 1 or not dated:  # one may still be to come
        return answer, False
    latest = max(dated.values())
    newest = tuple(fact for fact in told if dated.get(fact.line) == latest)
    return replace(answer, facts=newest), True


def _only_day(row: Sequence[StoredFact]) -> date | None:
    """The day in the one column of a row that holds one; None where several do, or none does."""
    found = {folded(cell.fact.relation): parsed for cell in row if (parsed := _day(cell.fact.value)) is not None}
    return next(iter(found.values())) if len(found) == 1 else None


def _day(value: str) -> date | None:
    parsed = next((one for one in days(value) if one.day), None)
    return day_of(*parsed) if parsed is not None else None
