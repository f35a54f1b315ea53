"""Rows that are over, still to come, done, not done, late or below their minimum, and those with more or less than an amount."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from prompts.language import terms
from tree.ask.facts.amounts import MONEY, units_in, within
from tree.ask.facts.price_columns import COSTING, is_price
from tree.ask.facts.row_choice import FINISHED, RowChoice, RowsAsked
from tree.ask.facts.row_grid import BEGINNING, DONE, DUE, ENDING, RowGrid, is_called_by, terms_of
from tree.ask.facts.row_operations import State
from tree.ask.facts.set_question import Condition
from tree.ask.facts.state_words import columns_of_states
from tree.ask.facts.stock_columns import stock_and_minimum
from tree.ask.facts.thing_sets import BLANK
from tree.retrieve.fact_index import folded

_WEEKS = frozenset("wk kw cw week".split())
_PAID = frozenset(("paid", "unpaid"))
_RETURNED = frozenset(("back",))  # may say when something is due back, and when it came


def choose_by_state(choice: RowChoice, asked: RowsAsked, state: State) -> bool:
    """Leaves the rows in a state; False where no column tells, or none is in it."""
    return _CHOICES[state](choice, asked)


def _past(choice: RowChoice, asked: RowsAsked) -> bool:
    relation = _end(choice)
    if not relation:
        return False
    until = asked.today - timedelta(days=asked.operation.past_by)
    words = "before today" if not asked.operation.past_by else f"before {until.isoformat()}"
    is_left = choice.keep(
        _between(choice, relation, date.min, until - timedelta(days=1)),
        Condition((relation,), words=f"{choice.grid.label(relation)} {words}"),
    )
    is_due = is_called_by(relation, DUE)
    may_be_done = bool(_done_columns(choice.grid) or columns_of_states(choice.grid.relations))
    if is_left and is_due and may_be_done and "open" not in asked.operation.states:
        _undone(choice, asked)
    return bool(choice.things)


def _valid(choice: RowChoice, asked: RowsAsked) -> bool:
    relation = _end(choice)
    words = f"{choice.grid.label(relation)} from today on"
    return bool(relation) and choice.keep(_between(choice, relation, asked.today, date.max), Condition((relation,), words=words))


def _coming(choice: RowChoice, asked: RowsAsked) -> bool:
    grid = choice.grid
    relation = _end(choice) or ("" if asked.operation.is_end else choice.best_column(grid.of_days, BEGINNING))
    rows = _between(choice, relation, asked.today, date.max) if relation else set()
    first = min((grid.day(one, relation) for one in rows), default="")
    condition = Condition((relation,), rank="least", words=f"the next {grid.label(relation)}")
    return choice.keep({one for one in rows if grid.day(one, relation) == first}, condition)


def _late(choice: RowChoice, asked: RowsAsked) -> bool:
    grid = choice.grid
    done = _done_columns(grid)
    due = [one for one in grid.of_days if is_called_by(one, DUE) and one not in done]
    if len(due) != 1 or len(done) != 1:
        return False
    days = {one: (grid.day(one, done[0]), grid.day(one, due[0])) for one in choice.things}
    condition = Condition((done[0], due[0]), words=f"{grid.label(done[0])} after {grid.label(due[0])}")
    return choice.keep({one for one, (on, by) in days.items() if on and by and on > by}, condition)


def _done(choice: RowChoice, asked: RowsAsked) -> bool:
    """All of them where no column says when they were done."""
    done = [one for one in _done_columns(choice.grid) if not _is_of_another_act(asked) or is_called_by(one, _PAID)]
    if len(done) != 1:
        return bool(choice.things) and not _is_of_another_act(asked)
    condition = Condition((done[0],), negated=True, words=f"with {choice.grid.label(done[0])}")
    return choice.keep({one for one in choice.things if choice.grid.day(one, done[0])}, condition)


def _undone(choice: RowChoice, asked: RowsAsked) -> bool:
    """Those with nothing in the column of when it was done, and in a state that is none of the last ones."""
    grid, is_known = choice.grid, False
    if _is_of_another_act(asked):
        done = [one for one in _done_columns(grid) if is_called_by(one, _PAID)]
        if not done:
            return False  # that it was returned says nothing of whether it was paid
    else:
        done = _done_columns(grid)
    if len(done) == 1:
        rows = {one for one in choice.things if folded(grid.cell(one, done[0])) in BLANK or not grid.day(one, done[0])}
        choice.keep(rows, Condition((done[0],), words=f"not {grid.label(done[0])}"))
        is_known = choice.is_lacking = True
    for relation in columns_of_states(grid.relations):
        said = {folded(value) for _, value in grid.values(relation)}
        finished = {one for one in said if not FINISHED.isdisjoint(one.split())}
        over = {one for one in choice.things if folded(grid.cell(one, relation)) in finished}
        if finished and (over or not is_known):
            words = f"{grid.label(relation)} not {' or '.join(sorted(finished))}"
            choice.keep(choice.things - over, Condition((relation,), words=words))
            is_known = True
    return is_known and bool(choice.things)


def _is_of_another_act(asked: RowsAsked) -> bool:
    """Whether it is asked what was paid, which other columns of what was done say nothing of."""
    return not _PAID.isdisjoint(asked.operation.acts)


def _below(choice: RowChoice, asked: RowsAsked) -> bool:
    by_name = {one.replace("_", " "): one for one in choice.grid.relations}
    pair = stock_and_minimum([*by_name])
    if not pair:
        return False
    stock, least = by_name[pair[0]], by_name[pair[1]]
    amounts = {one: (choice.grid.amount(one, stock), choice.grid.amount(one, least)) for one in choice.things}
    rows = {one for one, (has, wants) in amounts.items() if has is not None and wants is not None and has.number < wants.number}
    words = f"{choice.grid.label(stock)} below {choice.grid.label(least)}"
    return choice.keep(rows, Condition((stock, least), words=words))


_CHOICES: dict[State, Callable[[RowChoice, RowsAsked], bool]] = {
    "past": _past, "valid": _valid, "coming": _coming, "late": _late, "done": _done, "open": _undone, "below": _below,
}  # fmt: skip


def _end(choice: RowChoice) -> str:
    """The one column of until when something holds, or by when it is due; empty where there is none, or several may be meant."""
    done = _done_columns(choice.grid)
    ending = [one for one in choice.grid.of_days if is_called_by(one, ENDING) and one not in done]
    return choice.best_column(ending, ENDING)


def _between(choice: RowChoice, relation: str, first: date, last: date) -> set[str]:
    begins, ends = first.isoformat(), last.isoformat()
    return {one for one in choice.things if (day := choice.grid.day(one, relation)) and begins <= day <= ends}


def _done_columns(grid: RowGrid) -> list[str]:
    """The columns of when something was done, and not of when it is due."""
    return [one for one in grid.of_days if is_called_by(one, DONE) and not is_called_by(one, DUE - _RETURNED)]


def choose_by_bounds(choice: RowChoice, asked: RowsAsked) -> bool:
    """Leaves the rows with more or less than an amount, or between two, by the column that is named, or the one of its unit; False where
    several may be meant."""
    grid, operation, bounds = choice.grid, asked.operation, asked.operation.bounds
    relation = _bounded(choice, asked, bounds.unit) if bounds is not None and " or " not in f" {operation.rest} " else ""
    if bounds is None or not relation:
        return False
    choice.know_price(relation)
    amounts = {one: amount for one in choice.things if (amount := grid.amount(one, relation)) is not None}
    units = {amount.unit for amount in amounts.values()}
    if bounds.unit == "" and len(units) == 1 and units <= MONEY:
        bounds = replace(bounds, unit=units.copy().pop())  # a price need not be asked for in its currency
    rows = within(amounts, bounds, grid.label(relation)) if len(units) == 1 else None
    return rows is not None and choice.keep(
        rows, Condition((relation,), bounds=bounds, words=f"{grid.label(relation)} {operation.bounds_said}")
    )


def _bounded(choice: RowChoice, asked: RowsAsked, unit: str) -> str:
    grid, operation = choice.grid, asked.operation
    if operation.bounded:  # it may be a number by which things go: "weeks 38 to 47"
        term = next(iter(terms(operation.bounded)), "")
        named = [one for one in grid.relations if term in terms_of(one) or (term == "week" and is_called_by(one, _WEEKS))]
        return named[0] if len(named) == 1 else ""

    def is_of_unit(relation: str) -> bool:
        amounts = (grid.amount(thing, relation) for thing, _ in grid.values(relation))
        return bool(unit) and (unit in units_in(relation) or any(one is not None and one.unit == unit for one in amounts))

    of_unit = [one for one in grid.of_amounts if is_of_unit(one)]
    best = choice.best_column([one for one in grid.of_amounts if one in choice.columns])
    if best and (not of_unit or best in of_unit):
        return best
    is_of_money = unit in MONEY or not COSTING.isdisjoint(folded(asked.part.asked).split()) or not choice.columns
    priced = [one for one in grid.of_amounts if is_price(one)] if is_of_money else []
    return next((some[0] for some in (of_unit, priced) if len(some) == 1), "")
