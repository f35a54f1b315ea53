"""When it is somebody's turn: the rows of rotas in which they stand, "in which weeks is Ada the primary?", below what has changed since.

Changes are looked for at every time that is asked about, also where somebody else stands: a swap gives one of these to whoever is asked
about. They are told first, and what they make of the rows is left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from prompts.extractive import as_text
from prompts.language import terms
from prompts.months import IN_ENGLISH, MONTH, number_of
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.direct.rota import (
    RotaRow,
    called_by_table,
    duty_terms,
    is_said,
    last_day,
    read_rota,
    rota_tables,
)
from tree.ask.direct.rota_changes import remarks_on, swaps_at
from tree.ask.direct.rota_letters import with_names
from tree.ask.direct.rota_question import DAYS_OF_WEEK, RotaQuestion, duty_words
from tree.ask.facts.described_row import PLACES, REMARKS
from tree.ask.facts.table_rows import rows_of_tables
from tree.ask.facts.told_facts import FactCitations, line, listed, readable, small
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.store.leaves import Leaf
from tree.store.nodes import Node

MOST_TURNS = 30  # that are told
MOST_LOOKED_AT = 60  # rows, for changes
MONTHS_OF_QUARTER = 3
_UNITS = "weeks?|days?|dates?|nights?|week-?ends?|evenings?|mornings?|afternoons?|shifts?|turns?|times"
_ASKS = regex(
    rf"\A\W*(?:and |so )?(?:(?:in |on |for |over |at )?(?:which|what) (?P<sort>(?:[\w-]+ ){{0,2}}?)(?:{_UNITS})|when(?:['’]s)?(?: is| are| does| do| has| have| will)?|how (?:many (?P<counted>(?:[\w-]+ ){{0,2}}?)(?:{_UNITS})|often))\b",
    re.IGNORECASE,
)
_NEXT = regex(r"\bnext(?! (?:week|month|quarter|year|night|weekend)\b)", re.IGNORECASE)
_PERIOD = regex(
    r"\b(?:in |of |for |during |over )?(?P<which>this|next|last|the) (?P<unit>week|month|quarter|year)\b"
    rf"|\b(?:in|of|for|during) (?P<month>{MONTH})(?: (?P<year>20\d\d))?\b",
    re.IGNORECASE,
)
_PAST = regex(r"\b(?:was|were|did|had|last|so far|until now)\b", re.IGNORECASE)
_NAME = regex(r"[^\W\d_][\w'’-]+")
_FILLERS = frozenset(
    terms("time turn again her his their row slot scheduled planned supposed meant down put assigned so far until now")
)


@dataclass(frozen=True, slots=True)
class _Period:
    """The days that are asked about, both included; of a month without a year that of any year."""

    first: date
    last: date
    month: int = 0

    @property
    def in_words(self) -> str:
        if self.month:
            return f" in {IN_ENGLISH[self.month - 1]}"
        if self.last == date.max:
            return " from today on"
        if self.first == date.min:
            return " until today"
        return f" from {readable(self.first.isoformat())} to {readable(self.last.isoformat())}"

    def has(self, row: RotaRow) -> bool:
        ends = last_day(row, row.days)
        if self.month:
            return self.month in (row.day.month, ends.month)
        return row.day <= self.last and self.first <= ends


@dataclass(frozen=True, slots=True)
class _Rota:
    """A rota that has somebody, with the columns for what is asked about."""

    node: Node
    leaf: Leaf
    rows: Sequence[RotaRow]
    duties: Sequence[str]
    people: frozenset[str]  # words of the name, of those that are asked for

    def turns(self, period: _Period) -> list[tuple[RotaRow, list[str]]]:
        """The rows in which they stand, with the columns."""
        found = [(row, [name for name in self.duties if self._stands_in(row, name)]) for row in self.rows if period.has(row)]
        return [(row, columns) for row, columns in found if columns]

    def _stands_in(self, row: RotaRow, column: str) -> bool:
        return column in row.cells and self.people <= _words_of_names(row.cells[column].fact.value, self.leaf.text)


def answer_turns(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "when is Ada on call?"; None where no rota has anybody who is named."""
    text = understanding.text
    asked = _ASKS.match(text)
    if asked is None:
        return None
    now, rest = today(snapshot), f"{asked['sort'] or asked['counted'] or ''}{text[asked.end() :]}"
    period, rest = _period(rest, now, is_past=_PAST.search(text) is not None)
    is_next = _NEXT.search(rest) is not None
    found = list(_rotas(snapshot, _NEXT.sub(" ", rest), now))
    if not found:
        return None
    turns = sorted(((row, columns, one) for one in found for row, columns in one.turns(period)), key=lambda turn: turn[0].day)
    changes = [change for one in found for change in _changes(snapshot, one, period)]
    return _told(found, turns[:1] if is_next else turns, changes, period)


def _period(text: str, now: date, is_past: bool) -> tuple[_Period, str]:
    """What is asked about, and the question without it; without a time all that is to come, or of the past all before."""
    said = _PERIOD.search(text)
    if said is None:
        return (_Period(date.min, now) if is_past else _Period(now, date.max)), text
    rest = f"{text[: said.start()]} {text[said.end() :]}"
    if said["month"]:
        month, year = number_of(said["month"]), int(said["year"] or 0)
        return (_Period(*_months(year, month, 1)) if year else _Period(date.min, date.max, month)), rest
    ahead = {"next": 1, "last": -1}.get(said["which"].casefold(), 0)
    match said["unit"].casefold():
        case "week":
            monday = now + timedelta(days=7 * ahead - now.weekday())
            return _Period(monday, monday + timedelta(days=6)), rest
        case "year":
            return _Period(date(now.year + ahead, 1, 1), date(now.year + ahead, 12, 31)), rest
        case unit:
            many = MONTHS_OF_QUARTER if unit == "quarter" else 1
            return _Period(*_months(now.year, (now.month - 1) // many * many + 1 + many * ahead, many)), rest


def _months(year: int, month: int, many: int) -> tuple[date, date]:
    """The first and the last day of so many months; `month` may be of the year before or after."""
    first = date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    after = date(year + (month + many - 1) // 12, (month + many - 1) % 12 + 1, 1)
    return first, after - timedelta(days=1)


def _rotas(snapshot: Snapshot, text: str, now: date) -> Iterator[_Rota]:
    """The rotas that have somebody who is named, and are called by all else that is said."""
    said = {word.casefold().removesuffix("'s").removesuffix("’s") for word in _NAME.findall(text)}
    words = duty_words(text) - _FILLERS
    named, others = rota_tables(snapshot, RotaQuestion(now, 0, words))
    for table in (*named, *others):
        for document, lines in rows_of_tables(snapshot.index.facts(snapshot.scope), [table]):
            columns = tuple(dict.fromkeys(name for cells in lines for name in cells))
            rows, _ = read_rota(lines, now, columns) if document == table.place else ([], 0)
            cited = FactCitations(snapshot.store, snapshot.version).cite(row.first for row in rows)
            if not rows or any(row.first.place not in cited for row in rows):
                continue
            node, leaf = cited[rows[0].first.place]
            duties = [
                name for name in columns if name not in rows[0].times and PLACES.isdisjoint(name.split()) and name not in REMARKS
            ]
            names = {
                word
                for row in rows
                for name in duties
                if name in row.cells
                for word in _words_of_names(row.cells[name].fact.value, leaf.text)
            }
            people = frozenset(said & names)
            asked = words - {term for word in people for term in terms(word)}
            called = called_by_table(table)
            if not people or not asked or not all(is_said(word, called) for word in asked):
                continue
            shares = {name: len(asked & duty_terms(name)) for name in duties}
            best = max(shares.values(), default=0)
            yield _Rota(node, leaf, rows, [name for name in duties if shares[name] == best], people)


def _words_of_names(value: str, page: str) -> set[str]:
    """The words of the names in a cell, in small letters; letters that stand for somebody by the text of the page as what they stand for."""
    return {word.casefold() for word in _NAME.findall(with_names(value.strip(), page)) if word[:1].isupper()}


def _changes(snapshot: Snapshot, rota: _Rota, period: _Period) -> list[tuple[Node, Leaf, Quote]]:
    """What is said of changes at these times by or of whoever is asked about: on the page of the rota, and elsewhere."""
    rows = [row for row in rota.rows if period.has(row)][:MOST_LOOKED_AT]
    on_page = {
        said.start: said
        for row in rows
        for said in remarks_on(rota.leaf, row)
        if rota.people <= {word.casefold() for word in _NAME.findall(said.text)}
    }
    elsewhere = swaps_at(snapshot, rows, rota.people)
    return [*((rota.node, rota.leaf, said) for _, said in sorted(on_page.items())), *elsewhere]


def _told(
    found: Sequence[_Rota],
    turns: Sequence[tuple[RotaRow, Sequence[str], _Rota]],
    changes: Sequence[tuple[Node, Leaf, Quote]],
    period: _Period,
) -> DirectAnswer:
    first = found[0]
    who = sorted({name for row, columns, one in turns if (name := _full_name(row, columns, one))})
    called = listed(who) if who else " ".join(word.capitalize() for word in sorted(first.people))
    places = [
        *(node.place for node, _, _ in changes),
        *(row.first.place for row, _, _ in turns),
        *(one.node.place for one in found),
    ]
    numbers = {place: number for number, place in enumerate(dict.fromkeys(places), 1)}
    lines: list[Line] = []
    if changes:
        lines.append(Line("Said of changes at these times:\n"))
        for node, leaf, said in changes:
            number = numbers[node.place]
            lines.append(Line(f"\n- {as_text(said.text)} [{number}]", number, node, leaf, said))
        lines.append(Line("\n\nThe table itself: "))
    lines += (
        _turn_lines(turns, called, period.in_words, numbers, is_of_several=len(found) > 1)
        if turns
        else [Line(_none_told(first, called, period))]
    )
    step = Step(
        "register",
        first.node.place,
        first.node.hash,
        first.node.title,
        reason=f"The rows of this rota in which {called} stands, and what is said elsewhere of changes.",
    )
    is_sure = bool(turns) and not changes and len(who) == 1
    return DirectAnswer(
        step, tuple(lines), "complete" if is_sure else "partial" if turns or changes else "none", is_list=len(turns) > 1
    )


def _turn_lines(
    turns: Sequence[tuple[RotaRow, Sequence[str], _Rota]],
    called: str,
    when: str,
    numbers: Mapping[str, int],
    *,
    is_of_several: bool,
) -> Iterator[Line]:
    if len(turns) > 1:
        yield Line(f"**{len(turns)} turns** of {as_text(called)}{when}:\n")
    for row, columns, one in turns[:MOST_TURNS]:
        number = numbers[row.first.place]
        cited = {row.first.place: (one.node, one.leaf)}
        week = f", week {row.week}" if row.week else ""
        duty = listed([as_text(small(row.cells[name].fact.relation)) for name in columns])
        notes = [cell.fact.value for name, cell in row.cells.items() if name in REMARKS and cell.fact.value.strip()]
        beside = f" ({as_text('; '.join(notes))})" if notes else ""
        where = f", {as_text(one.node.title)}" if is_of_several else ""
        begins = "\n- " if len(turns) > 1 else ""
        day = f"{'week of ' if row.days == DAYS_OF_WEEK else ''}{readable(row.day.isoformat())}"
        name = "" if len(turns) > 1 else f" {as_text(called)},"
        said = f"{begins}**{day}**{week}:{name} {duty}{where}{beside} [{number}]"
        yield line(said, number, row.first, cited)
    if len(turns) > MOST_TURNS:
        yield Line(f"\n\n… and {len(turns) - MOST_TURNS} more.")


def _none_told(rota: _Rota, called: str, period: _Period) -> str:
    rows = rota.rows
    reach = f"{readable(rows[0].day.isoformat())} to {readable(last_day(rows[-1], rows[-1].days).isoformat())}"
    return f"The rota “{as_text(rota.node.title)}” ({reach}) has no turn of {as_text(called)}{period.in_words}."


def _full_name(row: RotaRow, columns: Sequence[str], rota: _Rota) -> str:
    """Who stands in the first of these cells, where that is nobody else besides."""
    value = with_names(row.cells[columns[0]].fact.value.strip(), rota.leaf.text)
    return value if re.search(r"[,/&+;]| and ", value) is None else ""
