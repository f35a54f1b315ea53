"""What the row of a table says of when its values hold: "only if registered in time"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from prompts.language import terms
from tree.retrieve.fact_index import FactIndex, StoredFact

MOST_CONDITIONS = 2  # of a row that are told with a value
MOST_ROWS = 6  # of which the values are told with them
# Headers of columns that say when the others hold; below those that say anything, only what is put as a condition.
_CONDITIONS = frozenset(
    terms(
        "condition conditions if unless exception exceptions restriction restrictions requirement requirements requires provided valid validity"
    )
)
_REMARKS = frozenset(terms("note notes remark remarks comment comments footnote hint details terms"))
_IS_CONDITION = re.compile(
    r"\b(?:if|only|unless|otherwise|except|provided|as long as|subject to|within|whichever|when|not (?:for|in|on)|but|until|valid|at least|at most|from)\b",
    re.IGNORECASE,
)  # fmt: skip

Line = tuple[str, int]
Conditions = Mapping[Line, Sequence[StoredFact]]
NO_CONDITIONS: Conditions = {}


def conditions_of(told: Sequence[StoredFact], facts: FactIndex) -> Conditions:
    """The cells that say when the values hold which are told of a few rows, by row."""
    rows = {fact.line for fact in told if fact.fact.row}
    if not 0 < len(rows) <= MOST_ROWS:
        return {}
    own = {(fact.line, fact.fact.relation) for fact in told}
    found: dict[Line, list[StoredFact]] = {}
    for cell in facts.lines(sorted(rows)):
        if (cell.line, cell.fact.relation) not in own and _is_condition(cell):
            found.setdefault(cell.line, []).append(cell)
    return {line: some[:MOST_CONDITIONS] for line, some in found.items()}


def _is_condition(cell: StoredFact) -> bool:
    label = frozenset(terms(cell.fact.relation)) or frozenset(cell.fact.relation.casefold().split())
    if not any(map(str.isalnum, cell.fact.value)) or cell.fact.value == cell.fact.subject.name:
        return False
    return bool(label & _CONDITIONS) or (bool(label & _REMARKS) and _IS_CONDITION.search(cell.fact.value) is not None)
