"""Tables that are laid out by time: a column for each year, "2026 | 2027", or from a day on, "until 30 Sept 2026 | from 1 Oct 2026".

What a row has at a time, what it has more or less than at the time before, and which row has most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from prompts.extractive.dates import days
from prompts.language import terms
from prompts.timespans import day_of, find_span
from tree.ask.facts.amounts import amount_of
from tree.ask.facts.attribute import COST_WORDS, UNITS_OF_LABELS
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.table_rows import is_total, rows_of_table
from tree.ask.facts.ticket_words import FILLERS
from tree.retrieve.collections import Table, nouns_of_table
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names, tokens
from tree.store.places import unescape

Wanted = Literal["value", "change", "changed", "most"]  # of a row; of a row; the rows that go up or down; the row with most

FEWEST_COLUMNS = 2
_YEAR = re.compile(r"(?<![\w.-])(20\d\d)(?![\w.-])")
_FROM = re.compile(r"\b(?:from|since|as of|starting|valid from|ab|seit|dès|depuis)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|up to|to|before|bis|jusqu)\b", re.IGNORECASE)
_BESIDE_YEAR = frozenset("plan planned planning budget forecast actual estimate est fy year jahr ist soll goal target".split())
_MORE = re.compile(
    r"\b(?:more|higher|increased?|up|rises?|rose|raised|gains?|grows?|grew|dearer|most increased)\b", re.IGNORECASE
)
_LESS = re.compile(
    r"\b(?:less|lower|fewer|decreased?|down|cut|cuts|drops?|dropped|falls?|fell|loses?|cheaper|shrinks?|shrank)\b", re.IGNORECASE
)
_CHANGES = re.compile(r"\b(?:chang\w+|differ\w*)\b", re.IGNORECASE)
_MOST = re.compile(r"\b(?:most|biggest|largest|highest|greatest)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:least|smallest|lowest|fewest)\b", re.IGNORECASE)
_TIMES = re.compile(
    r"\b(?:in |for |of |from |as of |since )?(?:(?P<next>next year|nächstes jahr)|(?P<this>this year|now|today|currently|at the moment|right now|dieses jahr)|(?P<last>last year))\b",
    re.IGNORECASE,
)
_PUT = frozenset(
    terms(
        f"{COST_WORDS} much many get gets got earn spend spends spending have has does did will go goes went change changes changed differ than compared"
        " more less higher lower increase increased up down rise rises rose raised grow grows grew cut drop dropped fall fell cheaper dearer fewer"
        " most biggest largest highest greatest least smallest lowest fewest planned plan year years next last this current currently valid"
    )
)


@dataclass(frozen=True, slots=True)
class Period:
    """The time that a column is of; without an end it holds until the next one begins."""

    column: str  # folded
    first: date
    last: date
    is_year: bool = False


@dataclass(frozen=True, slots=True)
class Timed:
    """What a table says to a question: cells in the order of their columns, and which of them is meant."""

    wanted: Wanted
    rows: tuple[tuple[StoredFact, ...], ...]  # of each row the cells that are told, the one that is asked for last
    labels: tuple[str, ...]  # what each row is called
    naming: str = ""  # what the rows are, as the question calls it
    is_more: bool | None = None  # up or down, where one is asked for
    also: tuple[StoredFact, ...] = ()  # what holds before or after


def find_timed(text: str, names: Names, facts: FactIndex, now: date) -> Timed | None:
    """None where no table is laid out so, the question asks for something else, or several tables answer it."""
    found: list[Timed] = []
    for table in names.tables.values():
        periods = periods_of(table.columns)
        if len(periods) >= FEWEST_COLUMNS and (one := _of_table(text, table, periods, facts, now)) is not None:
            found.append(one)
    return found[0] if len(found) == 1 else None


def periods_of(columns: Iterable[str]) -> list[Period]:
    """The columns of a table that are times, in their order; nothing where they are of several things."""
    read = [(column, _period(column)) for column in columns]
    besides = {rest for _, (kind, _, rest) in read if kind}
    if len(besides) != 1:
        return []
    timed = [(folded(column), kind, day) for column, (kind, day, _) in read if kind and day is not None]
    years = [Period(column, day, date(day.year, 12, 31), is_year=True) for column, kind, day in timed if kind == "year"]
    begun = sorted(((day, column) for column, kind, day in timed if kind == "from"), key=lambda one: one[0])
    ends = [day for _, kind, day in timed if kind == "until"]
    found = [Period(column, date.min, day) for column, kind, day in timed if kind == "until"]
    for number, (day, column) in enumerate(begun, 1):
        last = begun[number][0] - timedelta(days=1) if number < len(begun) else date.max
        found.append(Period(column, day, last))
    if len(ends) > 1 or (years and found) or len({one.column for one in found}) < len(found):
        return []
    return sorted(years or found, key=lambda one: one.first)


def _period(column: str) -> tuple[str, date | None, tuple[str, ...]]:
    """ "year", "from" or "until", the day, and what else the column says; an empty kind for one of no time."""
    dated = next((day for day in days(column) if day.day), None)
    for kind, form in (("from", _FROM), ("until", _UNTIL)):
        if dated is not None and form.search(column):
            return kind, day_of(*dated), ()
    if (years := _YEAR.findall(column)) and len(years) == 1 and not re.search(r"\d", _YEAR.sub("", column)):
        rest = [word for word in folded(_YEAR.sub("", column)).split() if word not in _BESIDE_YEAR]
        return "year", date(int(years[0]), 1, 1), tuple(rest)
    return "", None, ()


def _of_table(text: str, table: Table, periods: Sequence[Period], facts: FactIndex, now: date) -> Timed | None:
    asked_in, rest = _time_asked(text, now)
    found = [one.text for one in tokens(rest) if one.text.casefold() not in FILLERS or one.text.isupper()]  # "IT" is no "it"
    said = {term for word in found for term in terms(word)[:1]} - _PUT
    around = set(terms(" ".join((unescape(table.place.partition("/")[2]), table.title, *table.headings, *table.columns))))
    rows = rows_of_table(facts, table)
    at = next((number for number, one in enumerate(periods) if one.first <= asked_in <= one.last), None)
    named = _named(said, rows, around, {one.column for one in periods})
    if named is not None:
        return _of_row(named, periods, at, rest, is_timed=rest != text)
    nouns = nouns_of_table(table)
    noun = next((word.casefold() for word in found if not nouns.isdisjoint(terms(word)[:1])), "")
    if at is None or not noun or said - around:
        return None
    if _MOST.search(rest) or _LEAST.search(rest):
        return _most(rows, periods[at], noun, is_least=bool(_LEAST.search(rest)))
    return _changed(rows, periods, at, noun, _way(rest)) if at and _asks_for_change(rest) else None


def _of_row(
    row: Mapping[str, StoredFact], periods: Sequence[Period], at: int | None, asked: str, *, is_timed: bool
) -> Timed | None:
    """What a row has: all of it where a change is asked for without a time, two times where it is with one, else what holds then.
    `at`: which of the periods is asked for."""
    cells = tuple(row[one.column] for one in periods if one.column in row)
    label = _label(row, {one.column for one in periods})
    if _asks_for_change(asked):
        before = [row[one.column] for one in periods[max(0, at - 1) : at + 1] if one.column in row] if at else []
        changed = tuple(before) if is_timed else cells
        return Timed("change", (changed,), (label,)) if len(changed) > 1 else None
    if at is None or periods[at].column not in row or _MOST.search(asked) or _LEAST.search(asked):
        return None
    told = row[periods[at].column]
    is_alone = periods[at].is_year and is_timed  # what holds in another year was not asked
    return Timed("value", ((told,),), (label,), also=() if is_alone else tuple(cell for cell in cells if cell is not told))


def _asks_for_change(asked: str) -> bool:
    return _way(asked) is not None or _CHANGES.search(asked) is not None


def _way(asked: str) -> bool | None:
    """Up, down, or neither."""
    return True if _MORE.search(asked) else False if _LESS.search(asked) else None


def _time_asked(text: str, now: date) -> tuple[date, str]:
    """A day of the time that is asked for, and the question without it; today where it names none."""
    if (said := _TIMES.search(text)) is not None:
        ahead = bool(said["next"]) - bool(said["last"])
        return date(now.year + ahead, 7, 1) if ahead else now, text[: said.start()] + text[said.end() :]
    if (year := _YEAR.search(text)) is not None:
        return date(int(year[1]), 7, 1), _YEAR.sub("", text)
    if (span := find_span(text, now)) is not None:
        return max(span.first, date.min), text[: span.start] + text[span.end :]
    return now, text


def _label(row: Mapping[str, StoredFact], timed: Set[str]) -> str:
    """What a row is called: by its first two cells that are of no time, "Service · Training"."""
    cells = [cell.fact.value for column, cell in row.items() if column not in timed | REMARKS]
    return " · ".join(cells[:2]) or row_name(row)


def row_name(row: Mapping[str, StoredFact]) -> str:
    return next(iter(row.values())).fact.subject.name


def _named(
    said: set[str], rows: Sequence[Mapping[str, StoredFact]], around: set[str], timed: Set[str]
) -> Mapping[str, StoredFact] | None:
    """The one row that has all words which what stands around the table has not; of several the one whose whole name is said.
    `timed`: the columns of times."""
    fitting: list[tuple[int, bool, Mapping[str, StoredFact]]] = []
    for row in rows:
        name = set(terms(row_name(row)))
        own = name.union(*(terms(cell.fact.value) for column, cell in row.items() if column not in timed | REMARKS))
        told = own - UNITS_OF_LABELS
        if 2 * len(told & said) >= max(1, len(told)) and not said - own - around:
            fitting.append((len(own & said), bool(name) and name <= said | around, row))
    if len(fitting) == 1:
        return fitting[0][2]
    named = [(size, row) for size, is_named, row in fitting if is_named]
    best = max((size for size, _ in named), default=0)
    chosen = [row for size, row in named if size == best]
    return chosen[0] if len(chosen) == 1 else None


def _changed(
    rows: Sequence[Mapping[str, StoredFact]], periods: Sequence[Period], at: int, noun: str, is_more: bool | None
) -> Timed | None:
    """The rows that have more, or less, than at the time before."""
    before, after = periods[at - 1].column, periods[at].column
    timed = {one.column for one in periods}
    pairs = [(_label(row, timed), (row[before], row[after])) for row in _things(rows) if before in row and after in row]
    steps = [(label, pair, step_between(*pair)) for label, pair in pairs]
    if not pairs or any(step is None for _, _, step in steps):
        return None
    kept = [(label, pair) for label, pair, step in steps if step and (is_more is None or (step > 0) == is_more)]
    return Timed("changed", tuple(pair for _, pair in kept), tuple(label for label, _ in kept), noun, is_more)


def _most(rows: Sequence[Mapping[str, StoredFact]], period: Period, noun: str, *, is_least: bool) -> Timed | None:
    sized = [(amount.number, row[period.column]) for row in _things(rows) if period.column in row and (amount := amount_of(row[period.column].fact.value))]  # fmt: skip
    if len(sized) < FEWEST_COLUMNS or len(sized) < sum(period.column in row for row in _things(rows)):
        return None
    best = (min if is_least else max)(size for size, _ in sized)
    chosen = [cell for size, cell in sized if size == best]
    return Timed("most", tuple((cell,) for cell in chosen), tuple(cell.fact.subject.name for cell in chosen), noun)


def _things(rows: Sequence[Mapping[str, StoredFact]]) -> list[Mapping[str, StoredFact]]:
    """The rows without those that hold sums."""
    return [row for row in rows if not is_total(row)]


def step_between(before: StoredFact, after: StoredFact) -> float | None:
    first, last = amount_of(before.fact.value), amount_of(after.fact.value)
    return last.number - first.number if first is not None and last is not None and first.unit == last.unit else None
