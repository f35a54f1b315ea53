"""The cells of a table by row and column, and which of its columns hold days or amounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from prompts.extractive.dates import days
from prompts.language import terms
from tree.ask.facts.amounts import DATE, MONEY, TIME, Amount, amount_of, units_in
from tree.ask.facts.attribute import PAST
from tree.ask.facts.price_columns import PERIODS, is_price, lists_prices
from tree.ask.facts.thing_sets import BLANK
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import folded

MOSTLY = 0.6  # of the cells of a column that are amounts or days, for one of them
LONGEST_DATE = 30  # characters of a cell that holds one
LONGEST_VALUE = 5  # words of a cell that is a name

ENDING = frozenset(  # in the name of a column of days: until when something holds
    "until till to end ends expires expiry expire expiration exp valid val renewal renew due next deadline return by back before".split()
)
DUE = frozenset("due deadline promised planned agreed back until return".split())
DONE = frozenset(  # when something was done
    "returned delivered done completed finished closed paid resolved received arrived in back repaired settled ended".split()
)
BEGINNING = frozenset(  # since when something is
    """since from start started begin began bought purchased purchase acquired built born issued joined hired opened created ordered signed registered rented
    date first contract day reg last""".split()
)
MADE = frozenset("bought purchased purchase acquired built born manufactured made".split())  # by which age is told
_NO_AMOUNT = frozenset(  # of a column of numbers that are none to add up or compare
    """id no nr number code key ref reference phone tel ext extension year week wk kw floor room version plate serial sn ip postcode zip port
    tier""".split()
)
_OF_TIME = frozenset("ms minutes min mins hours hrs h days duration length".split())


@dataclass(frozen=True)
class RowGrid:
    """`cells`: of each row (thing) what its columns (folded) say."""

    table: Table
    cells: Mapping[str, Mapping[str, str]]

    @property
    def naming(self) -> str:
        """The column (folded) that names the rows."""
        return folded(self.table.naming)

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The columns (folded) in the order of the table."""
        held = {relation for row in self.cells.values() for relation in row}
        return tuple(dict.fromkeys(one for label in (self.table.naming, *self.table.columns) if (one := folded(label)) in held))

    def label(self, relation: str) -> str:
        """A column as it is written."""
        return next((one for one in (*self.table.columns, self.table.naming) if folded(one) == relation), relation)

    def cell(self, thing: str, relation: str) -> str:
        return self.cells[thing].get(relation, "")

    def values(self, relation: str, among: Iterable[str] | None = None) -> list[tuple[str, str]]:
        """(row, value) of the cells of a column that say something."""
        some = self.cells if among is None else among
        return [(one, value) for one in some if folded(value := self.cell(one, relation)) not in BLANK]

    def day(self, thing: str, relation: str) -> str:
        """The first day of a cell as yyyy-mm-dd, a month without a day as yyyy-mm-00; empty where it has none."""
        return next((str(day) if day.day else f"{day}-00" for day in days(self.cell(thing, relation)) if day.month), "")

    def amount(self, thing: str, relation: str) -> Amount | None:
        """The amount of a cell; None where it is none, or a date."""
        amount = amount_of(self.cell(thing, relation))
        return amount if amount is not None and amount.unit != DATE else None

    @cached_property
    def of_days(self) -> tuple[str, ...]:
        """The columns of days; those called by a time too of which only some cells are days: "periodic" of most contracts."""
        found: list[str] = []
        for relation in self.relations:
            values = [value for _, value in self.values(relation)]
            held = sum(len(value) < LONGEST_DATE and any(day.month for day in days(value)) for value in values)
            is_called_so = held > 1 and not (ENDING | BEGINNING | DONE).isdisjoint(words_of(relation))
            if held and (held >= MOSTLY * len(values) or is_called_so):
                found.append(relation)
        return tuple(found)

    @cached_property
    def of_amounts(self) -> tuple[str, ...]:
        """The columns of amounts that hold now, without those of numbers by which things only go."""
        found: list[str] = []
        for relation in self.relations:
            stated = [thing for thing, _ in self.values(relation)]
            held = sum(self.amount(thing, relation) is not None for thing in stated)
            if (
                held
                and held >= MOSTLY * len(stated)
                and relation != self.naming
                and (_NO_AMOUNT | PAST).isdisjoint(_without_period(words_of(relation)))
            ):
                found.append(relation)
        return tuple(found)

    @cached_property
    def is_of_prices(self) -> bool:
        """Whether the table is a list of prices: its columns of amounts need not be called so."""
        return lists_prices(self.table.file, self.table.title, *self.table.headings)

    def is_of_time(self, relation: str) -> bool:
        """Whether the amounts of a column say how long something takes."""
        amounts = [self.amount(thing, relation) for thing, _ in self.values(relation)]
        return not _OF_TIME.isdisjoint(words_of(relation)) or all(one is not None and one.unit == TIME for one in amounts)

    def is_short(self, relation: str, things: Iterable[str]) -> bool:
        """Whether a column says of each of some rows no more than a name."""
        return all(len(self.cell(one, relation).split()) <= LONGEST_VALUE for one in things)

    def can_be_added(self, relation: str, things: Iterable[str]) -> bool:
        """Whether all that a column says of some rows are amounts, and it says some."""
        amounts = [self.amount(thing, relation) for thing, _ in self.values(relation, things)]
        return bool(amounts) and all(one is not None for one in amounts)


def is_of_money(relation: str) -> bool:
    return is_price(relation) or bool(units_in(relation) & MONEY)


def money_among(columns: Sequence[str]) -> str:
    """The one column of prices among some, else the one of money; empty where several may be meant."""
    for some in ([one for one in columns if is_price(one)], [one for one in columns if units_in(one) & MONEY]):
        if len(some) == 1:
            return some[0]
    return ""


def _without_period(words: Sequence[str]) -> list[str]:
    """The words of the name of a column without the time that an amount is for: "eur per year"."""
    return [word for word, before in zip(words, ("", *words), strict=False) if before != "per" or word not in PERIODS]


@lru_cache(maxsize=4096)  # the same columns are asked about again and again
def words_of(relation: str) -> tuple[str, ...]:
    """The words of the name of a column (folded), "first_reg" and "carriage/parcel" in their parts."""
    return tuple(word.strip(".:()") for word in relation.replace("_", " ").replace("/", " ").split())


@lru_cache(maxsize=4096)
def terms_of(relation: str) -> tuple[str, ...]:
    """The terms of the name of a column (folded)."""
    return tuple(term for word in relation.replace("_", " ").split() for term in terms(word)[:1])


def is_called_by(relation: str, words: Set[str]) -> bool:
    """Whether one of these words is in the name of a column."""
    return not words.isdisjoint(words_of(relation))
