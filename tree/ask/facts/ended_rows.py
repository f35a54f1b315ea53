"""Rows of a register that say of themselves that they hold no more, or that they are there twice: what was sold, who died, an appointment
that was cancelled, what was "entered twice"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from prompts.regex import regex
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.set_reading import LIES_AHEAD
from tree.ask.facts.state_words import columns_of_states
from tree.retrieve.fact_index import StoredFact, folded

_GONE = regex(
    r"\b(?:sold|scrapped|stolen|died|deceased|dead|cancell?ed|called off|postponed|withdrawn|retired|decommissioned|written off|disposed of|given away|no longer (?:here|ours|used|in use|needed)|left (?:us|the (?:company|team|club|house)|(?:on |in )?\d)|verkauft|verschrottet|gestorben|abgesagt|verschoben)\b",
    re.IGNORECASE,
)
_TWICE = regex(
    r"\b(?:(?:entered|listed|recorded|counted|booked) (?:here )?twice|duplicate (?:entry|row|record|of)|(?<!the )same (?:\w+ )?as (?=[A-Z]{0,5}-?\d)|doppelt (?:erfasst|eingetragen))\b",
    re.IGNORECASE,
)
_MOVED = regex(r"\b(?:extended|prolonged|renewed|postponed|put off|verlängert|prolongé)\b", re.IGNORECASE)
_NOT = regex(r"\b(?:not|never|nicht)(?: yet| to be| been)*\W*\Z|\bto be \Z", re.IGNORECASE)


def says_gone(cell: StoredFact) -> bool:
    """Whether a remark, or the state of a row, says that it holds no more."""
    return _says(cell, _GONE)


def is_gone(relation: str, value: str) -> bool:
    """The same of a cell by its column (folded)."""
    return _is_said(relation, value, _GONE)


def speaks_of_gone(text: str) -> bool:
    """Whether words of a question are for what holds no more: "the one we sold"."""
    return _GONE.search(text) is not None


def says_twice(cell: StoredFact) -> bool:
    """Whether a remark says that the row is there twice."""
    return _says(cell, _TWICE)


def is_of_end(asked: Iterable[str]) -> bool:
    """Whether columns (folded) say when something ends, or has to be done."""
    return any(not LIES_AHEAD.isdisjoint(one.split()) for one in asked)


def gone_among(rows: Mapping[str, Mapping[str, StoredFact]], asked: frozenset[str]) -> Iterator[StoredFact]:
    """Of some rows the cells that say that they hold no more or are there twice, one of each, and of rows that are `asked` about by the
    day on which they end those that say that it was moved; none in the columns that are asked about."""
    saying = (_GONE, _TWICE, *((_MOVED,) if is_of_end(asked) else ()))
    for row in rows.values():
        besides = [cell for relation, cell in row.items() if relation not in asked]
        yield from [cell for cell in besides if any(_says(cell, one) for one in saying)][:1]


def _says(cell: StoredFact, what: re.Pattern[str]) -> bool:
    return _is_said(folded(cell.fact.relation), cell.fact.value, what)


def _is_said(relation: str, value: str, what: re.Pattern[str]) -> bool:
    if REMARKS.isdisjoint(relation.split()) and not columns_of_states([relation]):
        return False
    match = what.search(value)
    return match is not None and _NOT.search(value, 0, match.start()) is None
