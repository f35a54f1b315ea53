"""How many of something there are in stock: the column of what there is, of the rows that are called so.

What there is was counted on some day, and so it is told as a guess.
"""

from __future__ import annotations

import re

from prompts.language import terms
from prompts.regex import regex
from tree.ask.facts.rows_of_kind import in_words
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.stock_columns import is_stock
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Names

_ASKS = regex(
    r"\A\W*(?:and |so )?how (?:many|much) (?:(?P<unit>[a-z-]{3,20}) of )?(?:the |our )?(?P<what>[\w%./ -]{2,40}?) (?:do we (?:still )?have|have we(?: got)?|are (?:there|left|in stock)|is (?:there|left|in stock))(?: left| still| in stock| on hand| now| in the [\w-]{3,20}| at the moment| right now){0,3}\W*\Z",
    re.IGNORECASE,
)
_UNITS = frozenset(("unit", "units", "pack", "packaging"))  # columns
_PIECES = frozenset("piece pieces pc pcs each".split())


def read_stock(text: str, names: Names) -> SetQuestion | None:
    """None where it is not asked, or not one table with what there is has such rows; nor of what is counted in boxes, where no unit is
    said."""
    asked = _ASKS.match(text)
    what = frozenset(terms(asked["what"])) if asked is not None else frozenset()
    if asked is None or not what:
        return None
    unit = frozenset(terms(asked["unit"] or ""))
    found = [one for table in names.tables.values() if (one := _in_table(table, what, unit, names)) is not None]
    return found[0] if len(found) == 1 else None


def _in_table(table: Table, what: frozenset[str], unit: frozenset[str], names: Names) -> SetQuestion | None:
    columns = {folded(one): one for one in (table.naming, *table.columns) if one}
    stock = [one for one in columns if is_stock(one)]
    called = [condition for one in columns if one not in stock and (condition := _having(one, what, table, names)) is not None]
    units = [one for one in columns if one in _UNITS]
    if len(stock) != 1 or len(called) != 1:
        return None
    conditions = called
    if units:
        counted = _having(units[0], unit, table, names) if unit else None
        if counted is None and (unit or not names.values_of(units[0], table.collection) <= _PIECES):
            return None
        conditions = [*called, *([counted] if counted is not None else [])]
    return SetQuestion(
        "list", tuple(conditions), noun="rows", columns=(stock[0],), collection=table.collection, called=table.called,
        naming=table.named_by, aggregate="sum", is_guess=True,
    )  # fmt: skip


def _having(relation: str, words: frozenset[str], table: Table, names: Names) -> Condition | None:
    """The rows that have all of these words in a column."""
    values = frozenset(one for one in names.values_of(relation, table.collection) if words <= set(terms(one)))
    return Condition((relation,), values, words=f"{relation} {in_words(values)}") if values else None
