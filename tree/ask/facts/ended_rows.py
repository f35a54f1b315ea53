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
    r"\b(?:sold|scrapped|stolen|lost|died|deceased|dead|cancell?ed|called off|postponed|withdrawn|revoked|retired|deaccessioned|decommissioned|written off|disposed of|given away|taken away|superseded|obsolete|lapsed|no longer (?:here|ours|used|in use|needed)|left (?:us|the (?:company|team|club|house)|(?:on |in )?\d)|verkauft|verschrottet|gestorben|abgesagt|verschoben|verloren)\b",
    re.IGNORECASE,
)
_NEVER_WAS = regex(  # alone in the state of a row: what is only ordered is not there, what was refused never was
    r"\W*(?:(?:still |only |just )?(?:ordered|on order|planned|requested|asked for|reserved|provisional|tentative|offered|proposed|refused|rejected|declined|denied|not (?:yet )?(?:signed|delivered|approved|granted|confirmed)|abgelehnt|bestellt|geplant))\b",
    re.IGNORECASE,
)
_TWICE = regex(
    r"\b(?:(?:entered|listed|recorded|counted|booked) (?:here )?twice|duplicate (?:entry|row|record|of)|doubled?(?: (?:entry|line|row|record|booking))?\W*(?:of\b|\Z)|(?:old )?double (?:entry|line|row|record)|(?<!the )same (?:\w+ )?as (?=[A-Z]{0,5}-?\d)|doppelt (?:erfasst|eingetragen))",
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


def is_of_end(asked: Iterable[str]) -> bool:
    """Whether columns (folded) say when something ends, or has to be done."""
    return any(not LIES_AHEAD.isdisjoint(one.split()) for one in asked)


def gone_among(rows: Mapping[str, Mapping[str, StoredFact]], asked: frozenset[str]) -> Iterator[StoredFact]:
    """Of some rows the cells that say that they hold no more, are there twice or never were, one of each, and of rows that are `asked`
    about by the day on which they end those that say that it was moved; none in the columns that are asked about. That most of them are
    only ordered, or refused, is what such a table is of."""
    found: list[StoredFact] = []
    never: list[StoredFact] = []
    for row in rows.values():
        besides = [cell for relation, cell in row.items() if relation not in asked]
        void = [cell for cell in besides if is_void(folded(cell.fact.relation), cell.fact.value, asked)]
        found += void[:1]
        never += [cell for cell in besides if not void and _never_was(folded(cell.fact.relation), cell.fact.value)][:1]
    yield from [*found, *(never if 2 * len(never) < len(rows) else ())]


def is_void(relation: str, value: str, asked: frozenset[str] = frozenset()) -> bool:
    """Whether a cell of a column (folded) says that its row holds no more, is there twice, or was moved from the day that is asked about."""
    saying = (_GONE, _TWICE, *((_MOVED,) if is_of_end(asked) else ()))
    return any(_is_said(relation, value, one) for one in saying)


def says_how_it_stands(relation: str) -> bool:
    """Whether a column (folded) is one of states or of remarks."""
    return not REMARKS.isdisjoint(relation.split()) or bool(columns_of_states([relation]))


def _never_was(relation: str, value: str) -> bool:
    return bool(columns_of_states([relation])) and _NEVER_WAS.match(value) is not None


def _says(cell: StoredFact, what: re.Pattern[str]) -> bool:
    return _is_said(folded(cell.fact.relation), cell.fact.value, what)


def _is_said(relation: str, value: str, what: re.Pattern[str]) -> bool:
    if not says_how_it_stands(relation):
        return False
    match = what.search(value)
    return match is not None and _NOT.search(value, 0, match.start()) is None
