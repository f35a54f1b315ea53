"""Which rows of a table have spent more, or less, than their budget: two columns of amounts held against each other, row by row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date

from prompts.extractive import as_text
from prompts.language import terms
from prompts.records import Verdict
from prompts.regex import regex
from prompts.timespans import find_span
from tree.ask.facts.amounts import amount_of
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.likely_rows import called_by, cells_of
from tree.ask.facts.row_table import table_of
from tree.ask.facts.timed_columns import time_asked
from tree.ask.facts.told_facts import FactCitations
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.collections import Table, nouns_of_table
from tree.retrieve.fact_index import StoredFact, folded
from tree.retrieve.names import tokens

MOST_ROWS = 40
_ABOUT = r"(?:(?:their|its|the|our) )?(?:budgets?|planned|plan)"
_OVER = regex(
    rf"\b(?:over ?spent|over[- ]budget|over {_ABOUT}|(?:spent|cost|used|needed) more than (?:{_ABOUT}|planned|budgeted|allowed)|exceed(?:ed|s|ing)? {_ABOUT}|above {_ABOUT})\b",
    re.IGNORECASE,
)
_UNDER = regex(
    rf"\b(?:under ?spent|under[- ]budget|below {_ABOUT}|(?:spent|cost|used|needed) less than (?:{_ABOUT}|planned|budgeted|allowed))\b",
    re.IGNORECASE,
)
_SEVERAL = regex(r"\A\W*(?:and )?(?:which|what|who|how many|list|show)\b", re.IGNORECASE)
_YEAR = regex(r"\b(?P<year>20\d\d)(?:[-/]\d{2,4})?\b")
_BESIDE = frozenset(
    "is are was were be been has have had that of our the its their all so far already yet and for in fy year financial fiscal".split()
)
_ROWS = frozenset(terms("rows lines items positions entries ones things"))
_UNITS = frozenset(
    terms("departments teams units divisions groups sections areas")
)  # of an organisation: people say one for another
_SPENT = frozenset("spent actual spend expenditure used ausgegeben ist dépensé".split())
_PLANNED = frozenset("budget budgeted planned plan soll".split())
_ASIDE = frozenset("draft proposed forecast remaining left".split())


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks of the rows of a table with budgets."""

    is_over: bool
    year: str  # "2025", "2025-26"; empty where it says none
    day: date | None  # up to which was spent
    words: tuple[str, ...]  # that are left, of which table and rows must account: "departments"


def answer_budgets(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "which departments spent more than their budget in 2025?"; None where no table, or more than one, says it, and
    where a question says more: whom else but one of them, by how much, in which month, or what to do about it."""
    now = today(snapshot)
    asked = _read(understanding.text, now)
    if asked is None:
        return None
    facts, names = snapshot.index.facts(snapshot.scope), snapshot.index.names(snapshot.scope)
    found = []
    for table in names.tables.values():
        columns = _columns(table, asked.year)
        if columns is not None:
            found.append((table, *columns))
    if len(found) != 1:
        return None
    [(table, spent, planned)] = found
    cells, years = cells_of(table, facts), _years_of(table, spent, planned)
    if not _YEAR.search(f"{spent} {planned}") and any(_is_of_year(value, "") for row in cells.values() for value in row.values()):
        if not asked.year:
            return None  # of which year is not said
        cells = {thing: row for thing, row in cells.items() if any(_is_of_year(value, asked.year) for value in row.values())}
        years = {asked.year}
    if not _is_of_time(asked, years, spent, now) or not _is_of_rows(asked.words, table, cells):
        return None
    is_of_now = bool(asked.year) or not years or str(now.year) in years
    compared = {thing: _difference(row, spent, planned) for thing, row in cells.items()}
    chosen = [thing for thing, gap in compared.items() if gap is not None and (gap > 0 if asked.is_over else gap < 0)]
    known = sum(gap is not None for gap in compared.values())
    if not known or len(chosen) > MOST_ROWS:
        return None
    rows: dict[str, dict[str, StoredFact]] = {thing: {} for thing in chosen or list(cells)[:1]}
    for fact in facts.of_things(rows, table.collection):
        rows[fact.thing].setdefault(folded(fact.fact.relation), fact)
    cited = FactCitations(snapshot.store, snapshot.version).cite([fact for row in rows.values() for fact in row.values()])
    first = next((fact for row in rows.values() for fact in row.values()), None)
    if first is None or any(fact.place not in cited for row in rows.values() for fact in row.values()):
        return None
    node = cited[first.place][0]
    label = {folded(one): one for one in table.columns}
    how = f"{as_text(label[spent])} {'above' if asked.is_over else 'below'} {as_text(label[planned])}"
    of_year = f" of {asked.year}" if asked.year else ""
    step = Step(
        "register", node.place, node.hash, node.title, reason=f"In each row {label[spent]} was held against {label[planned]}."
    )
    lead = f"**{len(chosen) or 'None'} of {known} rows{of_year} of {as_text(table.called)}** ({how})"
    verdict: Verdict = "complete" if known == len(compared) and is_of_now else "partial"
    if not chosen:
        return DirectAnswer(step, (Line(f"{lead}."),), verdict, is_list=True)
    named = [
        one
        for one in label
        if one not in REMARKS and any(amount_of(row[one].fact.value) is None for row in rows.values() if one in row)
    ]
    told = table_of(list(rows.values()), (*named[1:], planned, spent), cited, named[0] if named else folded(table.naming))
    return DirectAnswer(step, (Line(f"{lead}:\n\n"), *told), verdict, is_list=True)


def _read(text: str, now: date) -> _Asked | None:
    """None where a question is none for such rows, or is of a time that is neither a year nor a day up to which was spent."""
    lead = _SEVERAL.match(text)
    said = (_OVER.search(text) or _UNDER.search(text)) if lead is not None else None
    if lead is None or said is None:
        return None
    rest = f"{text[lead.end() : said.start()]} {text[said.end() :]}"
    named = _YEAR.search(rest)
    (first, last), left = time_asked(rest if named is None else f"{rest[: named.start()]} {rest[named.end() :]}", now)
    is_year = (first, last) == (date(first.year, 1, 1), date(first.year, 12, 31))
    if first != last and (named is not None or not is_year):
        return None
    year = named.group() if named is not None else str(first.year) if is_year else ""
    words = tuple(word for token in tokens(left) if (word := token.text.casefold()) not in _BESIDE)
    return _Asked(_OVER.search(text) is not None, year, first if first == last != now else None, words)


def _is_of_time(asked: _Asked, years: Set[str], spent: str, now: date) -> bool:
    """Whether a table is of the year that is asked for, and what was spent is known up to the day."""
    if asked.year and asked.year not in years:
        return False
    until = find_span(spent, now) if asked.day is not None else None
    return asked.day is None or (until is not None and (until.last.month, until.last.day) == (asked.day.month, asked.day.day))


def _is_of_rows(words: Sequence[str], table: Table, cells: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether these words say no more than what each row is of: a building has several rows, one for each sort of cost."""
    said = [frozenset(terms(word)[:1]) for word in words]
    around, called = called_by(table), nouns_of_table(table) | _ROWS
    called |= _UNITS if not _UNITS.isdisjoint(called) else frozenset()
    kinds = [_labels_with(one, table) for one in said]
    is_known = all(one and (labels or one <= around | called) for one, labels in zip(said, kinds, strict=True))
    is_noun = (
        any(_tells_apart(label, cells) for label in labels) if labels else bool(one & called)
        for one, labels in zip(said, kinds, strict=True)
    )
    return not said or (is_known and any(is_noun))


def _labels_with(word: Set[str], table: Table) -> list[str]:
    """The columns (folded) that are called so."""
    return [folded(one) for one in dict.fromkeys((table.naming, *table.columns)) if word & set(terms(one))]


def _tells_apart(label: str, cells: Mapping[str, Mapping[str, str]]) -> bool:
    return len({folded(row.get(label, "")) for row in cells.values()}) == len(cells)


def _years_of(table: Table, spent: str, planned: str) -> set[str]:
    """The years that a table is of, by the two columns, else by its headings, its title or its file."""
    for where in (f"{spent} {planned}", " ".join(table.headings), table.title, table.file.replace("_", " ")):
        if found := [(one.group(), one["year"]) for one in _YEAR.finditer(where)]:
            return {year for pair in found for year in pair}
    return set()


def _columns(table: Table, year: str) -> tuple[str, str] | None:
    """The columns (folded) of what was spent and what was planned, of that year where they say one; None where they are not clear."""
    columns = [one for one in map(folded, table.columns) if _ASIDE.isdisjoint(one.split())]
    spent = [one for one in columns if _SPENT & set(one.split())]
    planned = [one for one in columns if _PLANNED & set(one.split())]
    pairs = [
        (one, other)
        for one in spent
        for other in planned
        if _year_of(one) == _year_of(other) and (not year or _year_of(one) in ("", year))
    ]
    return pairs[0] if len(pairs) == 1 else None


def _year_of(column: str) -> str:
    found = _YEAR.search(column)
    return found["year"] if found is not None else ""


def _is_of_year(value: str, year: str) -> bool:
    """Whether a cell is just that year, or with an empty one any year: "2025-26"."""
    said = _YEAR.fullmatch(value.strip())
    return said is not None and (not year or said.group() == year or (year == said["year"] and said.group() != year))


def _difference(row: Mapping[str, str], spent: str, planned: str) -> float | None:
    """What was spent beyond what was planned; None where a cell is no amount."""
    amounts = [amount_of(row.get(column, "")) for column in (spent, planned)]
    mine, other = amounts
    return mine.number - other.number if mine is not None and other is not None and mine.unit == other.unit else None
