"""What is told of a row with one of its values: when it holds ("only if registered in time"), which of several rows of one name it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from prompts.language import terms
from prompts.regex import regex
from tree.ask.facts.ended_rows import says_gone
from tree.ask.facts.request_states import says_denied
from tree.retrieve.fact_index import FactIndex, StoredFact
from tree.store.places import document_around

MOST_CONDITIONS = 2  # of a row that are told with a value
MOST_ROWS = 6  # of which the values are told with them
# Headers of columns that say when the others hold; below those that say anything, only what is put as a condition.
_CONDITIONS = frozenset(
    terms(
        "condition conditions if unless exception exceptions restriction restrictions requirement requirements requires provided valid validity"
    )
)
_REMARKS = frozenset(terms("note notes remark remarks comment comments footnote hint details terms"))
_IS_CONDITION = regex(
    r"\b(?:if|only|unless|otherwise|except|provided|as long as|subject to|within|whichever|when|not (?:for|in|on)|but|until|valid|at least|at most|from)\b",
    re.IGNORECASE,
)  # fmt: skip

Line = tuple[str, int]
Conditions = Mapping[Line, Sequence[StoredFact]]
NO_CONDITIONS: Conditions = {}


_PUT = regex(  # "where do gels go?": into what, beside where that is
    r"\bwhere (?:do|does|did|should|must|can|shall|will)\b[^?]*\b(?:go|goes|belongs?|put|throw|dispose|bring|leave|store|kept|keep|return)\b",
    re.IGNORECASE,
)


def conditions_of(told: Sequence[StoredFact], facts: FactIndex, question: str = "") -> Conditions:
    """The cells that say when the values hold which are told of a few rows, or which of several rows of one name each is, by row; of what
    is to be put somewhere the others of its row."""
    rows = {fact.line for fact in told if fact.fact.row}
    if not 0 < len(rows) <= MOST_ROWS:
        return {}
    own = {(fact.line, fact.fact.relation) for fact in told}
    found: dict[Line, list[StoredFact]] = {}
    others = [cell for cell in facts.lines(sorted(rows)) if (cell.line, cell.fact.relation) not in own]
    differing = len({fact.fact.value for fact in told}) > 1
    around = [cell for cell in others if cell.fact.value != cell.fact.subject.name] if _PUT.search(question) else []
    for cell in (
        *filter(says_gone_or_denied, others),
        *around,
        *(_telling_apart(others) if differing else ()),
        *filter(_is_condition, others),
    ):
        if cell not in found.setdefault(cell.line, []):
            found[cell.line].append(cell)
    return {line: some[:MOST_CONDITIONS] for line, some in found.items()}


def says_gone_or_denied(cell: StoredFact) -> bool:
    """Whether a cell says that its row holds no more, or was never granted."""
    return says_gone(cell) or says_denied(cell)


def _telling_apart(cells: Sequence[StoredFact]) -> Iterator[StoredFact]:
    """Of the rows of one table that have one name the cells of the first column in which they differ."""
    by_name: dict[tuple[str, str, str], dict[str, list[StoredFact]]] = {}
    for cell in cells:
        rows = (document_around(cell.place), cell.fact.group, cell.fact.subject.id)
        by_name.setdefault(rows, {}).setdefault(cell.fact.relation, []).append(cell)
    for columns in by_name.values():
        apart = (column for column in columns.values() if len({cell.fact.value for cell in column}) == len(column) > 1)
        yield from next(apart, ())


def _is_condition(cell: StoredFact) -> bool:
    label = frozenset(terms(cell.fact.relation)) or frozenset(cell.fact.relation.casefold().split())
    if not any(map(str.isalnum, cell.fact.value)) or cell.fact.value == cell.fact.subject.name:
        return False
    return bool(label & _CONDITIONS) or (bool(label & _REMARKS) and _IS_CONDITION.search(cell.fact.value) is not None)
