"""Rows of a register that say of themselves that they hold no more: what was sold, who died, an appointment that was cancelled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from prompts.regex import regex
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.state_words import columns_of_states
from tree.retrieve.fact_index import StoredFact, folded

_GONE = regex(
    r"\b(?:sold|scrapped|stolen|died|deceased|dead|cancell?ed|called off|postponed|withdrawn|retired|decommissioned|written off|disposed of|given away|no longer (?:here|ours|used|in use|needed)|left (?:us|the (?:company|team|club|house)|(?:on |in )?\d)|verkauft|verschrottet|gestorben|abgesagt|verschoben)\b",
    re.IGNORECASE,
)
_NOT = regex(r"\b(?:not|never|nicht)(?: yet| to be| been)*\W*\Z|\bto be \Z", re.IGNORECASE)


def says_gone(cell: StoredFact) -> bool:
    """Whether a remark, or the state of a row, says that it holds no more."""
    relation, value = folded(cell.fact.relation), cell.fact.value
    if REMARKS.isdisjoint(relation.split()) and not columns_of_states([relation]):
        return False
    match = _GONE.search(value)
    return match is not None and _NOT.search(value, 0, match.start()) is None


def gone_among(rows: Mapping[str, Mapping[str, StoredFact]], asked: frozenset[str]) -> Iterator[StoredFact]:
    """Of some rows the cells that say so, one of each; none in the columns that are `asked` about."""
    for row in rows.values():
        yield from [cell for relation, cell in row.items() if relation not in asked and says_gone(cell)][:1]
