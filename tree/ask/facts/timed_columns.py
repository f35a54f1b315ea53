"""Tables that are laid out by time: a column for each year, "2026 | 2027", or from a day on, "until 30 Sept 2026 | from 1 Oct 2026".

What a row has at a time, what it has more or less than at the time before, and which row has most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from prompts.coming_times import find_coming
from prompts.extractive.dates import days
from prompts.language import terms, wholes
from prompts.regex import regex
from prompts.timespans import day_of
from tree.ask.facts.amounts import amount_of
from tree.ask.facts.attribute import COST_WORDS, UNITS_OF_LABELS
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.price_columns import is_price
from tree.ask.facts.table_rows import Rows, caption_of, is_total, rows_below
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS
from tree.retrieve.collections import Table, nouns_of_table
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names, tokens
from tree.store.places import unescape

Wanted = Literal["value", "change", "changed", "most"]  # of a row; of a row; the rows that go up or down; the row with most

FEWEST_COLUMNS = 2
FEWEST_SIZED = 2  # rows, for one of them to have most
MOST_TABLES, MOST_ROWS = 20, 1_000  # that are looked through, and rows of one of them
_YEAR = regex(r"(?<![\w.-])(20\d\d)(?![\w.-])")
_FROM = regex(r"\b(?:from|since|as of|starting|valid from|ab|seit|dès|depuis)\b", re.IGNORECASE)
_UNTIL = regex(r"\b(?:until|till|up to|to|before|bis|jusqu)\b", re.IGNORECASE)
_BESIDE_YEAR = frozenset("plan planned planning budget forecast actual estimate est fy year jahr ist soll goal target".split())
_MORE = regex(r"\b(?:more|higher|increased?|up|rises?|rose|raised|gains?|grows?|grew|dearer|most increased)\b", re.IGNORECASE)
_LESS = regex(
    r"\b(?:less|lower|fewer|decreased?|down|cut|cuts|drops?|dropped|falls?|fell|loses?|cheaper|shrinks?|shrank)\b", re.IGNORECASE
)
_CHANGES = regex(r"\b(?:chang\w+|differ\w*)\b", re.IGNORECASE)
_MOST = regex(r"\b(?:most|biggest|largest|highest|greatest)\b", re.IGNORECASE)
_LEAST = regex(r"\b(?:least|smallest|lowest|fewest)\b", re.IGNORECASE)
_TIMES = regex(
    r"\b(?:in |for |of |from |as of |since )?(?:(?P<next>next year|nächstes jahr)|(?P<year>this year|dieses jahr)|now|today|currently|at the moment|right now|(?P<last>last year))\b",
    re.IGNORECASE,
)
_GROWTH = regex(r"\b(?:increase|growth|change|rise|drop|cut)s?\b", re.IGNORECASE)
_MORE_ASKED = regex(
    r"\b(?:before|until|till|after|between|since|compared?|than|versus|vs|total|sum|altogether|all|average|both|each|every|per year|other|others|except)\b",
    re.IGNORECASE,
)
_OTHER_QUESTIONS = frozenset("why when can could may must should would who whose".split())
_COST_TERMS = frozenset(terms(COST_WORDS))
_HOW_MUCH = regex(r"\bhow much (?:is|are|was|were)\b", re.IGNORECASE)
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
class TimedRow:
    """What is told of a row."""

    label: str  # what it is called
    cells: tuple[StoredFact, ...]  # in the order of their times; of several the one that is asked for last


@dataclass(frozen=True, slots=True)
class Timed:
    """What a table says to a question."""

    wanted: Wanted
    rows: tuple[TimedRow, ...]
    is_more: bool | None = None  # up or down, where one is asked for
    also: tuple[StoredFact, ...] = ()  # the row's other times


def find_timed(text: str, names: Names, facts: FactIndex, now: date) -> Timed | None:
    """None where no table is laid out so, the question asks for something else, or several tables answer it."""
    found = tokens(text)
    if _says_more(text, [one.text.casefold() for one in found]):
        return None
    has_row = any("row" in mention.kinds for mention in names.find(found))
    asked, rest = time_asked(text, now)
    words = [one.text for one in tokens(rest) if one.text.casefold() not in FILLERS or one.text.isupper()]  # "IT" is no "it"
    question = _Question(rest, words, {term for word in words for term in wholes(word)} - _PUT, asked, rest != text)
    asks_price = not _COST_TERMS.isdisjoint(terms(text)) or _HOW_MUCH.search(text) is not None
    meant: list[tuple[Table, list[Period], set[str]]] = []
    for table in names.tables.values():
        periods = periods_of(table.columns)
        around = set(terms(" ".join((unescape(table.place.partition("/")[2]), table.title, *table.headings, *table.columns))))
        is_of_prices = asks_price and any(is_price(one.column) for one in periods)
        if len(periods) >= FEWEST_COLUMNS and (has_row or question.said & around or is_of_prices):
            meant.append((table, periods, around))
    if len(meant) > MOST_TABLES or any(facts.count(one.collection, periods[0].column) > MOST_ROWS for one, periods, _ in meant):
        return None  # what is not looked at may say it as well
    by_caption = {caption: rows_below(facts, caption) for caption in {caption_of(table) for table, _, _ in meant}}
    told: list[Timed] = []
    for table, periods, around in meant:
        rows = by_caption[caption_of(table)].get(table.place, [])
        if (one := _of_table(question, table, periods, around, rows)) is not None:
            told.append(one)
    return told[0] if len(told) == 1 else None


def _says_more(text: str, low: Sequence[str]) -> bool:
    """Whether a question is turned round, compares with another row or time, or asks for sums, reasons or permission."""
    is_negated = any(word in NEGATIONS for word in low) or "n't" in text or "n’t" in text
    is_ranked_change = (_MOST.search(text) or _LEAST.search(text)) and (_asks_for_change(text) or _GROWTH.search(text))
    several = len(_YEAR.findall(text)) + len(_TIMES.findall(text)) > 1
    return bool(is_negated or is_ranked_change or several or _MORE_ASKED.search(text) or low[:1] and low[0] in _OTHER_QUESTIONS)


def periods_of(columns: Iterable[str]) -> list[Period]:
    """The columns of a table that are times, in their order; nothing where they are of several things."""
    read = [(column, _period(column)) for column in columns]
    besides = {rest for _, (kind, _, rest) in read if kind}
    of_years = {rest for _, (kind, _, rest) in read if kind == "year"}
    if len(besides) == 2 and len(of_years) == 1:  # "price (2025)" beside "price (from 1 Jan 2026)"
        begun_so = [folded(column).split() for column, (kind, _, _) in read if kind == "from"]
        if begun_so and all(set(*of_years) <= set(words) for words in begun_so):
            besides = of_years
    if len(besides) != 1:
        return []
    timed = [(folded(column), kind, day) for column, (kind, day, _) in read if kind and day is not None]
    if any(kind and day is None for _, (kind, day, _) in read):
        return []  # a day that is none
    years = [Period(column, day, date(day.year, 12, 31), is_year=True) for column, kind, day in timed if kind == "year"]
    begun = sorted(((day, column) for column, kind, day in timed if kind == "from"), key=lambda one: one[0])
    ends = [day for _, kind, day in timed if kind == "until"]
    found = [Period(column, date.min, day) for column, kind, day in timed if kind == "until"]
    for number, (day, column) in enumerate(begun, 1):
        last = begun[number][0] - timedelta(days=1) if number < len(begun) else date.max
        found.append(Period(column, day, last))
    is_twice = len({one.first for one in years}) < len(years) or len({one.column for one in found}) < len(found)
    begins = found[0].first if found else date.max
    if len(ends) > 1 or is_twice or (years and (ends or any(one.first >= begins for one in years))):
        return []
    if years and found:  # until the first day from which something else holds
        before = found[0].first - timedelta(days=1)
        years = [replace(one, last=min(one.last, before)) for one in years]
    return sorted([*years, *found], key=lambda one: one.first)


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


@dataclass(frozen=True, slots=True)
class _Question:
    text: str  # without the time that is named
    words: Sequence[str]  # of it that carry it, as written
    said: set[str]  # the same in terms
    time: tuple[date, date]  # from the first day to the last
    is_timed: bool  # a time is named


def _of_table(asked: _Question, table: Table, periods: Sequence[Period], around: set[str], rows: Rows) -> Timed | None:
    at = next((number for number, one in enumerate(periods) if _is_meant(one, *asked.time)), None)
    named = _named(asked.said, asked.words, rows, around, {one.column for one in periods})
    if named is not None:
        if asked.said & _of_other_columns(named, asked.said, {one.column for one in periods}):
            return None  # "the commission of Cala Mirto" is in a column of its own, beside those of the years
        return _of_row(named, periods, at, asked.text, is_timed=asked.is_timed)
    nouns = nouns_of_table(table)
    noun = next((word.casefold() for word in asked.words if not nouns.isdisjoint(terms(word)[:1])), "")
    if at is None or not noun or asked.said - around:
        return None
    if _MOST.search(asked.text) or _LEAST.search(asked.text):
        return _most(rows, periods, at, is_least=bool(_LEAST.search(asked.text)))
    return _changed(rows, periods, at, _way(asked.text)) if at and _asks_for_change(asked.text) else None


def _is_meant(period: Period, first: date, last: date) -> bool:
    """Whether a time is all in that of a column; of a year nothing less than it is meant, but for today."""
    is_whole = not period.is_year or first == last or (first, last) == (period.first, period.last)
    return is_whole and period.first <= first and last <= period.last


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
        return Timed("change", (TimedRow(label, changed),)) if len(changed) > 1 else None
    if at is None or periods[at].column not in row or _MOST.search(asked) or _LEAST.search(asked):
        return None
    told = row[periods[at].column]
    if not any(map(str.isalnum, told.fact.value)):
        return None
    is_alone = periods[at].is_year and is_timed  # what holds in another year was not asked
    return Timed("value", (TimedRow(label, (told,)),), also=() if is_alone else tuple(cell for cell in cells if cell is not told))


def _asks_for_change(asked: str) -> bool:
    return _way(asked) is not None or _CHANGES.search(asked) is not None


def _way(asked: str) -> bool | None:
    """Up, down, or neither."""
    return True if _MORE.search(asked) else False if _LESS.search(asked) else None


def time_asked(text: str, now: date) -> tuple[tuple[date, date], str]:
    """The time that a question asks for, and the question without it; today where it names none."""
    if (said := _TIMES.search(text)) is not None:
        ahead = bool(said["next"]) - bool(said["last"])
        year = min(max(now.year + ahead, date.min.year), date.max.year)
        time = (date(year, 1, 1), date(year, 12, 31)) if ahead or said["year"] else (now, now)
        return time, text[: said.start()] + text[said.end() :]
    if (span := find_coming(text, now)) is not None:  # a price "from January" is that of the coming one
        return (span.first, span.last), text[: span.start] + text[span.end :]
    if (named := _YEAR.search(text)) is not None:
        return (date(int(named[1]), 1, 1), date(int(named[1]), 12, 31)), _YEAR.sub("", text)
    return (now, now), text


def _label(row: Mapping[str, StoredFact], timed: Set[str]) -> str:
    """What a row is called: by its first two cells that are of no time, "Service · Training"."""
    cells = [cell.fact.value for column, cell in row.items() if column not in timed | REMARKS]
    return " · ".join(cells[:2]) or _row_name(row)


def _row_name(row: Mapping[str, StoredFact]) -> str:
    return next(iter(row.values())).fact.subject.name


def _named(
    said: set[str], words: Sequence[str], rows: Rows, around: set[str], timed: Set[str]
) -> Mapping[str, StoredFact] | None:
    """The one row that has all words which what stands around the table has not; of several the one whose whole name is said.
    `timed`: the columns of times."""
    fitting: list[tuple[int, bool, Mapping[str, StoredFact]]] = []
    compounds = [halves for word in words if "-" in word and len(halves := set(wholes(word))) > 1]
    for row in rows:
        name = set(terms(_row_name(row)))
        own = name.union(*(terms(cell.fact.value) for column, cell in row.items() if column not in timed | REMARKS))
        told = own - UNITS_OF_LABELS
        cells = (set(terms(cell.fact.value)) for column, cell in row.items() if column not in timed | REMARKS)
        is_of_row = 2 * len(told & said) >= max(1, len(told)) or any(len(cell) > 1 and cell <= said for cell in cells)
        is_whole = not any(halves & own and halves - own for halves in compounds)  # "family-booking" is no family day
        if is_of_row and not said - own - around and is_whole:
            fitting.append((len(own & said), bool(name) and name <= said | around, row))
    if len(fitting) == 1:
        return fitting[0][2]
    named = [(size, row) for size, is_named, row in fitting if is_named]
    best = max((size for size, _ in named), default=0)
    chosen = [row for size, row in named if size == best]
    return chosen[0] if len(chosen) == 1 else None


def _of_other_columns(row: Mapping[str, StoredFact], said: set[str], timed: Set[str]) -> set[str]:
    """The words of columns that are of no time and say something of the row, rather than which row it is."""
    others = (
        cell.fact.relation for column, cell in row.items() if column not in timed and said.isdisjoint(terms(cell.fact.value))
    )
    return {term for name in others for term in terms(name)}


def _changed(rows: Rows, periods: Sequence[Period], at: int, is_more: bool | None) -> Timed | None:
    """The rows that have more, or less, than at the time before; None where one of them does not say how much it has."""
    before, after = periods[at - 1].column, periods[at].column
    things = _things(rows)
    if not things or not all(before in row and after in row for row in things):
        return None
    steps = [(row, step_between(row[before], row[after])) for row in things]
    if any(step is None for _, step in steps):
        return None
    kept = [row for row, step in steps if step and (is_more is None or (step > 0) == is_more)]
    timed = {one.column for one in periods}
    return Timed("changed", tuple(TimedRow(_label(row, timed), (row[before], row[after])) for row in kept), is_more)


def _most(rows: Rows, periods: Sequence[Period], at: int, *, is_least: bool) -> Timed | None:
    """The rows with the most, or least, at a time; None where they do not all say an amount of one unit."""
    column, things = periods[at].column, [row for row in _things(rows) if periods[at].column in row]
    sized = [(amount, row) for row in things if (amount := amount_of(row[column].fact.value)) is not None]
    if not FEWEST_SIZED <= len(sized) == len(things) or len({amount.unit for amount, _ in sized}) > 1:
        return None
    best = (min if is_least else max)(amount.number for amount, _ in sized)
    timed = {one.column for one in periods}
    return Timed("most", tuple(TimedRow(_label(row, timed), (row[column],)) for amount, row in sized if amount.number == best))


def _things(rows: Rows) -> Rows:
    """The rows without those that hold sums."""
    return [row for row in rows if not is_total(row)]


def step_between(before: StoredFact, after: StoredFact) -> float | None:
    first, last = amount_of(before.fact.value), amount_of(after.fact.value)
    return last.number - first.number if first is not None and last is not None and first.unit == last.unit else None
