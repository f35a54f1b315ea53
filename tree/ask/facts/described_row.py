"""A cell of the one row that a question describes by words of its cells: "how long is the delivery of a Kestrel monitor?".

Neither word need be the name of a row. Every word of the question has to stand in the row, in the label of the column or above
the table, and there must be no other such row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

from prompts.language import terms
from prompts.regex import regex
from tree.ask.facts.amounts import amount_of, says_money
from tree.ask.facts.leading_roles import OF_OTHERS, is_of_deputy, is_of_head_of_row
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names

MOST_COLUMNS = 12  # that a question may mean
MOST_CELLS = 400  # in them
LONGEST_CELL = 60  # characters of one that a row is known by
MOST_TOLD = 3  # columns of one row: "the price", where there are two
_ENDS = frozenset(terms("end ends ended ending expire expires expired"))
_UNTIL = frozenset("until end ends expires expiry till valid".split())  # in the label of a date

FILE_NAME = regex(
    r"[\w-]\.(?:md|markdown|txt|rst|adoc|html?|pdf|docx?|xlsx?|pptx?|csv|ya?ml|json|ipynb|odt|ods)\Z", re.IGNORECASE
)

_WORTH = frozenset(terms("worth value"))
COST_CENTRES = frozenset(("cost centre", "cost center", "cost code"))
_CENTRES = frozenset(terms("centre center code"))
Said = Sequence[frozenset[str]]  # of each word the terms that say the same in the language of the texts


REMARKS = frozenset("remark remarks note notes comment comments bemerkung bemerkungen remarque remarques".split())  # columns
PLACES = frozenset("room site place location where town city shelf depot venue hall".split())  # columns that say where a thing is


def find_described_row(
    said: Said, names: Names, facts: FactIndex, light: Set[str], same: Sequence[frozenset[str]], is_wanted: Callable[[StoredFact], bool]
) -> tuple[tuple[StoredFact, ...], str]:  # fmt: skip
    """The cells that all words of a question lead to, of one row, and what the row was known by; empty where there is none, or more
    than one row has them.

    `light` are words with which things are asked for, `same` groups of words that say the same of a column.
    """
    columns = [
        relation
        for relation, collections in names.relations.items()
        if not collections.isdisjoint(names.tables) and any(_names_column(word, relation, same) for word in said)
    ]
    if not 0 < len(columns) <= MOST_COLUMNS:
        return (), ""
    cells = [fact for fact in facts.with_relation(columns, "ticket", MOST_CELLS) if fact.fact.row]
    if not cells or len(cells) >= MOST_CELLS:
        return (), ""
    rows: dict[tuple[str, int], list[StoredFact]] = {}
    for cell in facts.lines({cell.line for cell in cells}):
        rows.setdefault(cell.line, []).append(cell)
    found = [cell for cell in cells if _is_meant(cell, _but_files(rows[cell.line], cell), said, light, same)]
    if leading := [cell for cell in found if _names_column(said[0], folded(cell.fact.relation), same)]:
        found = leading  # "torque drum bolts": not which bolt it is
    lines = {cell.line for cell in found}
    told = [cell for cell in found if is_wanted(cell)]
    if len(lines) != 1 or not told or len({cell.fact.relation for cell in told}) > MOST_TOLD:
        return (), ""
    every = frozenset().union(*said)
    known = [one for one in _but_files(rows[told[0].line], told[0]) if one not in told and every & set(terms(one.fact.value))]
    if known and all(not PLACES.isdisjoint(folded(one.fact.relation).split()) for one in known):
        return (), ""  # what stands in a room is not the room
    is_of_leader = any(is_of_head_of_row(one) or one.fact.value == one.fact.subject.name for one in known)
    if known and not is_of_leader and any(map(is_of_deputy, told)):
        return (), ""  # the deputy of whoever leads a team stands in for nobody else in it
    name = told[0].fact.subject.name
    short = (one.fact.value for one in rows[told[0].line] if one not in told and len(one.fact.value) <= LONGEST_CELL)
    known_by = max(short, key=lambda value: (len(every & set(terms(value))), value != name), default=name)
    if known_by.isdigit() or len(known_by) == 1:  # "gate 4"
        naming = next((one.fact.relation for one in rows[told[0].line] if one.fact.value == known_by == name), "")
        known_by = f"{folded(naming)} {known_by}".strip()
    return tuple(told), known_by


def _names_column(word: frozenset[str], relation: str, same: Sequence[frozenset[str]]) -> bool:
    own = frozenset(terms(relation))
    if word & _ENDS and _UNTIL & set(relation.split()):
        return True
    if relation.replace("_", " ") in COST_CENTRES and not word & _CENTRES:
        return False  # which is no cost
    is_other = not OF_OTHERS.isdisjoint(relation.replace("_", " ").split())  # a hiring manager leads no team
    return bool(word & own) or not is_other and any(word & group and own & group for group in same)


def _but_files(row: Sequence[StoredFact], cell: StoredFact) -> list[StoredFact]:
    """The cells of a row without the others that are names of files: a row that names a page is not that page."""
    return [one for one in row if one is cell or FILE_NAME.search(one.fact.value) is None]


def _is_nothing_yet(cell: StoredFact, row: Sequence[StoredFact]) -> bool:
    """Whether a cell says 0 and another one of its row an amount of money: what a quote comes to, that is not yet paid."""
    amount = amount_of(cell.fact.value)
    return amount is not None and not amount.number and any(says_money(one.fact.value) for one in row if one is not cell)


def _is_numbered(row: Sequence[StoredFact], every: Set[str]) -> bool:
    """Whether a row that only a number or a letter names is asked for with what its column calls it: "gate 4" of a column "Gate"."""
    named = (one for one in row if one.fact.value == one.fact.subject.name)
    short = (one for one in named if one.fact.value.isdigit() or len(one.fact.value) == 1)
    return any(one.fact.value.casefold() in every and not every.isdisjoint(terms(one.fact.relation)) for one in short)


def _is_meant(
    cell: StoredFact, row: Sequence[StoredFact], said: Said, light: Set[str], same: Sequence[frozenset[str]]
) -> bool:  # fmt: skip
    """Whether some words name the column, and all others stand in the row: at least one of them in a cell."""
    relation = folded(cell.fact.relation)
    every = frozenset().union(*said)
    cells = [
        frozenset(terms(one.fact.value))
        for one in row
        if one.fact.relation != cell.fact.relation and REMARKS.isdisjoint(folded(one.fact.relation).split())
    ]
    beside = frozenset().union(*(own for own in cells if 2 * len(own & every) >= len(own)))  # a word of a sentence names no row
    if not any(word for word in beside & every if not word.isdigit()) and not _is_numbered(row, every):
        return False  # "kettle 4" is no row called 4
    around = cell.heading | frozenset(terms(cell.fact.group))
    others = frozenset(term for one in row if one is not cell for term in terms(one.fact.relation))
    if every & others & _WORTH - frozenset(terms(relation)) or _is_nothing_yet(cell, row):
        return False  # how many orders there were is not what they were worth
    left = [word for word in said if not _names_column(word, relation, same) and not word <= light]
    if _names_column(said[0], relation, same):
        others = frozenset(term for one in row for term in terms(one.fact.relation))
        left = [word for word in left if not word & others]
    in_row = [word for word in left if word & beside]
    is_named = any(_names_column(word, relation, same) for word in said)
    own = frozenset(terms(relation)) - light
    spoken = sum(any(term in word or any(term in g and word & g for g in same) for word in said) for term in own)
    return is_named and bool(in_row) and 2 * spoken >= len(own) and all(word & (beside | around) for word in left)
