"""What a question asks of a set: of which things, under which conditions, and what of them is wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from prompts.timespans import Span
from tree.ask.facts.amounts import Bounds
from tree.retrieve.fact_index import TICKET

Wanted = Literal["list", "count", "groups", "most", "least", "any", "all"]
Aggregate = Literal["", "sum", "average"]


_TURNED = {
    "open": "closed",
    "closed": "open",
    "assigned to nobody": "assigned to somebody",
    "assigned to somebody": "assigned to nobody",
}


BLOCKED = "blocked"  # a state of many teams; where none is called so, what a ticket that is not finished blocks


@dataclass(frozen=True, slots=True)
class Condition:
    """One of `values` (folded, or ids of tickets) is among those of one of `relations`; with no values, the relation is empty.

    `span` asks for a date in it instead, `bounds` for an amount, `folders` (places) for files below them. `negated` turns the
    condition round. `rank` asks for the greatest or the smallest among those of which all other conditions hold.
    """

    relations: tuple[str, ...]
    values: frozenset[str] = frozenset()
    span: Span | None = None
    negated: bool = False
    words: str = ""
    extreme: str = ""  # "most", "least": those of the value that most or fewest of the things have
    folders: tuple[str, ...] = ()
    bounds: Bounds | None = None
    rank: Literal["", "most", "least"] = ""
    number: int = 1  # of them, by rank; as many more as are equal to the last
    either: tuple[Condition, ...] = ()  # one of these holds instead: "in Turnstile or release 2.1"
    is_counted: bool = False  # "the most" of something: a number without a unit, or of a price
    is_below: bool = False  # the amount in the first of the relations is below that in the second

    @property
    def date(self) -> str:
        """The relation whose date decides whether it holds; empty where none does."""
        if self.negated:
            return ""
        return "due" if self.relations == ("overdue",) else self.relations[0] if self.span is not None else ""

    @property
    def turned(self) -> Condition:
        """What holds of all others."""
        words = self.words.removeprefix("not ") if self.words.startswith("not ") else f"not {self.words}"
        return replace(self, negated=not self.negated, words=_TURNED.get(self.words, words))


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """For a set of things: which satisfy all conditions, and what of them is wanted. `within` is the set it is asked of.

    Where `wanted` is "all", it is asked whether the last condition holds of all that satisfy the others.
    """

    wanted: Wanted
    conditions: tuple[Condition, ...]
    group: str = ""  # relation by which they are counted
    noun: str = "tickets"  # for many of them
    shown: str = ""  # relation that is told of each besides
    columns: tuple[str, ...] = ()  # of a table, that are asked for
    within: tuple[Condition, ...] = ()  # of the question before, where this one narrows it
    is_narrowing: bool = False  # whether it is asked of the set before it
    sizes: Condition | None = None  # how many things a group has to have, by its bounds
    collection: str = TICKET
    naming: tuple[str, ...] = ()  # relations of which each row of the table has one: the column that names the rows
    called: str = ""  # the table or folder that they are of, as people know it
    is_by_heading: bool = False  # the heading above a table alone says what its rows are, and may be that of more than the table
    aggregate: Aggregate = ""  # what the amounts of one column are asked to be made into
    leading: tuple[str, ...] = ()  # columns by which the first of all is told, beside its name
    is_guess: bool = False  # nothing says that the rows of the table are what the question calls them

    @property
    def exceptions(self) -> SetQuestion:
        """Of a question whether something holds of all: for those of which it does not."""
        *others, last = self.conditions
        return replace(self, wanted="list", conditions=(last.turned,), within=(*self.within, *others))

    @property
    def date(self) -> str:
        """The relation of the first condition that a date decides, by which they are put in order; empty where none does."""
        return next((one.date for one in self.conditions if one.date), "")
