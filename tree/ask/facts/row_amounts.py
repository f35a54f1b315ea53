"""The column whose amounts a question wants added up, averaged or compared, and the row that comes first by it."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from prompts.language import terms
from tree.ask.facts.amounts import MONEY, unit_of, units_in
from tree.ask.facts.column_vocabulary import MEASURES
from tree.ask.facts.price_columns import COSTING, is_of_each, is_price
from tree.ask.facts.row_choice import RowChoice, RowsAsked
from tree.ask.facts.row_grid import BEGINNING, ENDING, MADE, is_called_by, is_of_money, money_among
from tree.ask.facts.row_words import naming_of
from tree.ask.facts.set_question import Condition
from tree.ask.facts.stock_columns import is_stock
from tree.retrieve.fact_index import folded
from tree.retrieve.names import tokens

FEWEST = 2  # rows of which something is added up that only "how much" asks for
_MONEY = COSTING | frozenset("money euros pounds dollars bring income".split())  # in a question
_LONG = frozenset("long last lasts lasted length".split())
_OF_SPEED = frozenset(("fastest", "slowest"))  # by how long something takes it is the other way round
_OF_LENGTH = frozenset(("longest", "shortest"))
_PRICED = ("expensive", "dearest", "priciest", "cheapest")  # in a superlative


def aggregated_column(choice: RowChoice, asked: RowsAsked) -> str:
    """The one column whose amounts are to be added up or averaged; empty where there is none, several may be meant, or one of the amounts
    cannot be read. What each of several costs is not added up beside other amounts."""
    grid = choice.grid
    columns = [*grid.of_amounts]
    if asked.operation.aggregate == "sum" and len(columns) > 1:
        columns = [one for one in columns if not is_of_each(one)]
    said = frozenset(folded(asked.part.asked).split())
    if asked.operation.is_count and _MONEY.isdisjoint(said):
        columns = [one for one in columns if not is_of_money(one)]  # "how many" asks for no money
    named = [one for one in columns if one in choice.columns]
    choice.is_guessed = not named
    if named:
        relation = choice.best_column(named)
    elif not _MONEY.isdisjoint(said):
        relation = money_among(columns)
    elif not _LONG.isdisjoint(said):
        relation = _only(one for one in columns if grid.is_of_time(one))
    else:
        pieces = (one for one in columns if is_stock(one.replace("_", " "))) if asked.operation.is_count else ()
        relation = (_only(columns) if not asked.operation.is_count else "") or _only(pieces)
    if not relation or not grid.can_be_added(relation, choice.things) or _is_of_other_money(relation, said):
        return ""
    choice.know_price(relation)
    return relation


def _is_of_other_money(relation: str, said: Set[str]) -> bool:
    """Whether a question names another currency than the column."""
    asked = {unit[0] for word in said if (unit := unit_of(word)) is not None and unit[0] in MONEY}
    own = units_in(relation) & MONEY
    return bool(asked and own) and asked.isdisjoint(own)


def counted_column(choice: RowChoice, asked: RowsAsked) -> str:
    """The column of amounts that "how much ..." or "how many ..." asks for, of several rows: what these come to. Empty where it asks for
    none."""
    low = [token.folded for token in tokens(asked.part.asked)]
    at = next((at for at, (one, after) in enumerate(pairwise(low)) if one == "how" and after in ("many", "much")), len(low)) + 2
    noun = next(iter(terms(low[at])), "") if at < len(low) else ""
    word = next((one for one in asked.words if one.whole == noun), None)
    if word is None or len(choice.things) < FEWEST or not choice.conditions:
        return ""
    relation = _only(one for one in choice.grid.of_amounts if naming_of(word, one) and not is_of_each(one))
    return relation if relation and choice.grid.can_be_added(relation, choice.things) else ""


def choose_first(choice: RowChoice, asked: RowsAsked) -> bool:
    """Leaves the row with the greatest or the smallest amount, or the first or the last day; False where no column tells."""
    rank, grid = asked.operation.rank, choice.grid
    if "coming" in asked.operation.states:
        return True  # the next one is chosen
    if rank in ("earliest", "latest"):
        return _choose_by_day(choice, asked)
    named = [one for one in grid.of_amounts if one in choice.columns]
    if any(word in asked.operation.measure for word in _PRICED):
        named = [one for one in named if grid.is_of_prices or is_of_money(one)]
    if asked.operation.measure in _OF_LENGTH:
        named = [one for one in named if not is_of_money(one)]  # "the longest rental"
    relation = choice.best_column(named) or _measured(choice, asked)
    if not relation and asked.operation.measure == "longest":
        return _choose_by_day(choice, replace(asked, operation=replace(asked.operation, rank="earliest")))
    numbers = {one: amount.number for one in choice.things if relation and (amount := grid.amount(one, relation)) is not None}
    if not numbers:
        return False
    is_most = (rank == "most") != (asked.operation.measure in _OF_SPEED and grid.is_of_time(relation))
    best = (max if is_most else min)(numbers.values())
    ranked: Literal["most", "least"] = "most" if is_most else "least"
    words = f"{'highest' if is_most else 'lowest'} {grid.label(relation)}"
    return choice.keep(
        {one for one, number in numbers.items() if number == best}, Condition((relation,), rank=ranked, words=words)
    )


def _choose_by_day(choice: RowChoice, asked: RowsAsked) -> bool:
    """By the day that rows were chosen by, the one that is named, or since when things are."""
    grid, is_first = choice.grid, asked.operation.rank == "earliest"
    over = [one for one in grid.of_days if one in choice.chosen_by and is_called_by(one, ENDING)]
    if asked.operation.states and over:
        relation = over[0]
    else:
        columns = [
            one for one in grid.of_days if asked.operation.states or not is_called_by(one, ENDING) or one in choice.columns
        ]
        relation = choice.best_column(columns, MADE) or choice.best_column(columns, BEGINNING)
    known = {one: day for one in choice.things if relation and (day := grid.day(one, relation))}
    if not known:
        return False
    if asked.operation.measure == "longest" and is_called_by(relation, ENDING):
        is_first = False  # what runs longest ends last
    best = (min if is_first else max)(known.values())
    ranked: Literal["most", "least"] = "least" if is_first else "most"
    words = f"{'earliest' if is_first else 'latest'} {grid.label(relation)}"
    return choice.keep({one for one, day in known.items() if day == best}, Condition((relation,), rank=ranked, words=words))


def _measured(choice: RowChoice, asked: RowsAsked) -> str:
    """The column that a superlative is of: "longest" of minutes, "cheapest" of a price, "biggest" of an area."""
    measure, columns = asked.operation.measure, choice.grid.of_amounts
    if any(word in measure for word in _PRICED):
        return _only(one for one in columns if is_price(one))
    group = next((said for words, said in MEASURES if measure in words), frozenset[str]())
    if found := _only(one for one in columns if is_called_by(one, group)):
        return found
    return _only(one for one in columns if choice.grid.is_of_time(one)) if measure in ("longest", "shortest") else ""


def _only(columns: Iterable[str]) -> str:
    """The one of them; empty where there are none, or several."""
    some = [*columns]
    return some[0] if len(some) == 1 else ""
