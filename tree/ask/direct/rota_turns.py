"""When it is somebody's turn: the rows of rotas in which they stand, "in which weeks is Ada the primary?", below what has changed since.

Changes are looked for at every time that is asked about, also where somebody else stands: a swap gives one of these to whoever is asked
about. They are told first, and what they make of the rows is left to the reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from prompts.extractive import as_text
from prompts.language import terms
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.direct.rota import (
    RotaRow,
    called_by_table,
    documents_with,
    duty_terms,
    is_said,
    last_day,
    read_rota,
    rota_tables,
)
from tree.ask.direct.rota_changes import remarks_on, swaps_at
from tree.ask.direct.rota_letters import with_names
from tree.ask.direct.rota_question import DAYS_OF_WEEK, RotaQuestion
from tree.ask.direct.turn_question import Period, TurnQuestion, read_turn_question
from tree.ask.facts.described_row import PLACES, REMARKS
from tree.ask.facts.table_rows import rows_of_tables
from tree.ask.facts.told_facts import FactCitations, line, listed, readable, small
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.standing_documents import standing_only
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.collections import Table
from tree.store.leaves import Leaf
from tree.store.nodes import Node

MOST_TURNS = 30  # that are told
MOST_LOOKED_AT = 60  # rows, for changes
MOST_TABLES = 12
_NAME = regex(r"[^\W\d_][\w'’-]+")
_PARTS = regex(r"[,/&+;]|\band\b")  # of a cell with several people
_ONLY_NAMES = regex(r"\W*(?:[A-ZÀ-Þ]{2,3} \()?[A-ZÀ-Þ][\w'’-]*\.?(?: [A-ZÀ-Þ][\w'’-]*\.?){0,3}\W*")


@dataclass(frozen=True, slots=True)
class _Turn:
    """A row in which somebody stands, with the columns; unsure where one of these cells says more than names."""

    row: RotaRow
    columns: Sequence[str]
    rota: _Rota
    is_sure: bool


@dataclass(frozen=True, slots=True)
class _Rota:
    """A rota that has somebody, with the columns for what is asked about."""

    node: Node
    leaf: Leaf
    rows: Sequence[RotaRow]
    duties: Sequence[str]
    people: frozenset[str]  # words of the name, of those that are asked for
    known: frozenset[str]  # those of all names in it
    is_of_some: bool = False  # it has other columns for duties besides

    def turns(self, period: Period) -> Iterator[_Turn]:
        """The rows in which they stand."""
        for row in self.rows:
            stands = {name: sure for name in self.duties if (sure := self._stands_in(row, name)) is not None}
            if stands and period.has(row):
                yield _Turn(row, [*stands], self, all(stands.values()))

    def _stands_in(self, row: RotaRow, column: str) -> bool | None:
        """Whether it is certain that they stand in a cell; None where they do not: "Ana Sol, instead of Ben Marsh" may be of both."""
        parts = _parts_of(row.cells[column].fact.value, self.leaf.text) if column in row.cells else []
        of_them = [part for part in parts if self.people <= _words_of_names(part)]
        return all(map(_ONLY_NAMES.fullmatch, parts)) if of_them else None


def answer_turns(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "when is Ada on call?"; None where no rota has anybody who is named."""
    now = today(snapshot)
    asked = read_turn_question(understanding.text, now)
    rotas = list(_rotas(snapshot, asked, now)) if asked is not None else []
    found, _ = standing_only(snapshot, rotas, lambda one: one.node.place)
    if asked is None or not found:
        return None
    turns = sorted((turn for one in found for turn in one.turns(asked.period)), key=lambda turn: turn.row.day)
    turns = turns[:1] if asked.is_next else turns[-1:] if asked.is_last else turns
    changes = [change for one in found for change in _changes(snapshot, one, asked.period)]
    return _told(found, turns, changes, asked)


def _rotas(snapshot: Snapshot, asked: TurnQuestion, now: date) -> Iterator[_Rota]:
    """The rotas that have somebody who is named, and are called by all else that is said."""
    for table in candidate_tables(snapshot, asked, now):
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
            cells = (row.cells[name].fact.value for row in rows for name in duties if name in row.cells)
            whole = {frozenset(_words_of_names(part)) for cell in dict.fromkeys(cells) for part in _parts_of(cell, leaf.text)}
            known = frozenset[str]().union(*whole)
            people = asked.names & known
            of_duty = asked.words - {term for word in people for term in terms(word)}
            called = called_by_table(table)
            is_one = bool(people) and any(people <= one for one in whole)  # and not the names of two
            if not is_one or not of_duty or not all(is_said(word, called) for word in of_duty):
                continue
            shares = {name: len(of_duty & duty_terms(name)) for name in duties}
            best = max(shares.values(), default=0)
            chosen = [name for name in duties if shares[name] == best]
            yield _Rota(node, leaf, rows, chosen, people, known, is_of_some=len(chosen) < len(duties))


def candidate_tables(snapshot: Snapshot, asked: TurnQuestion, now: date) -> list[Table]:
    """The tables that may be such rotas: called by some of what is said, in a document that has the words which may be a name."""
    named, _ = rota_tables(snapshot, RotaQuestion(now, 0, asked.words))
    left = {table: [word for word in asked.words if not is_said(word, called_by_table(table))] for table in named}
    naming = documents_with(snapshot, {word for words in left.values() for word in words})
    return [table for table, words in left.items() if not words or table.place in naming][:MOST_TABLES]


def _parts_of(value: str, page: str) -> list[str]:
    """What a cell has of each of several people; letters that stand for somebody by the text of the page as what they stand for."""
    return [part for part in _PARTS.split(with_names(value.strip(), page)) if part.strip()]


def names_in_cell(value: str, page: str) -> list[str] | None:
    """The names of the people in a cell; None where it says more than names."""
    parts = _parts_of(value, page)
    return [part.strip() for part in parts] if parts and all(map(_ONLY_NAMES.fullmatch, parts)) else None


def _words_of_names(value: str) -> set[str]:
    """The words of the names in a part of a cell, in small letters."""
    return {word.casefold() for word in _NAME.findall(value) if word[:1].isupper()}


def _changes(snapshot: Snapshot, rota: _Rota, period: Period) -> list[tuple[Node, Leaf, Quote]]:
    """What is said of changes at these times by or of whoever is asked about: on the page of the rota, and elsewhere."""
    rows = [row for row in rota.rows if period.has(row)][:MOST_LOOKED_AT]
    on_page = {
        said.start: said
        for row in rows
        for said in remarks_on(rota.leaf, row)
        if rota.people <= {word.casefold() for word in _NAME.findall(said.text)}
    }
    turns = {turn.row.first.line for turn in rota.turns(period)}
    elsewhere = swaps_at(snapshot, [(row, rota.known if row.first.line in turns else rota.people) for row in rows])
    return [*((rota.node, rota.leaf, said) for _, said in sorted(on_page.items())), *elsewhere]


def _told(
    found: Sequence[_Rota], turns: Sequence[_Turn], changes: Sequence[tuple[Node, Leaf, Quote]], asked: TurnQuestion
) -> DirectAnswer:
    first, when = found[0], asked.period.in_words
    who = sorted({name for turn in turns if (name := _full_name(turn))})
    called = listed(who) if who else " ".join(word.capitalize() for word in sorted(first.people))
    places = [
        *(node.place for node, _, _ in changes),
        *(turn.row.first.place for turn in turns),
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
    if turns:
        is_counted = asked.is_count or len(turns) > 1
        lines += _turn_lines(turns, called, when, numbers, is_of_several=len(found) > 1, is_counted=is_counted)
    else:
        lines.append(Line(_none_told(first, called, when)))
    step = Step(
        "register",
        first.node.place,
        first.node.hash,
        first.node.title,
        reason=f"The rows of this rota in which {called} stands, and what is said elsewhere of changes.",
    )
    is_sure = bool(turns) and not changes and len(who) == 1 and all(turn.is_sure for turn in turns)
    is_sure = is_sure and not (asked.is_count and any(len(turn.columns) > 1 for turn in turns))  # once, or twice
    is_sure = is_sure and len(turns) <= MOST_TURNS and are_counted_in(asked.unit, [turn.row.days for turn in turns])
    return DirectAnswer(
        step, tuple(lines), "complete" if is_sure else "partial" if turns or changes else "none", is_list=len(turns) > 1
    )


def are_counted_in(unit: str, days: Sequence[int]) -> bool:
    """Whether turns of so many days are counted in what is asked for: a week of duty is not one day."""
    are_days, are_weeks = (set(days) == {many} for many in (1, DAYS_OF_WEEK))
    return not unit or unit.startswith(("shift", "turn", "time", "dut")) or (are_weeks if unit.startswith("week") else are_days)


def _turn_lines(
    turns: Sequence[_Turn], called: str, when: str, numbers: Mapping[str, int], *, is_of_several: bool, is_counted: bool
) -> Iterator[Line]:
    if is_counted:
        yield Line(f"**{len(turns)} turn{'s' if len(turns) > 1 else ''}** of {as_text(called)}{when}:\n")
    for turn in turns[:MOST_TURNS]:
        row, one = turn.row, turn.rota
        number = numbers[row.first.place]
        cited = {row.first.place: (one.node, one.leaf)}
        week = f", week {row.week}" if row.week else ""
        cells = {as_text(small(row.cells[name].fact.relation)): row.cells[name].fact.value for name in turn.columns}
        duty = listed([name if turn.is_sure else f"{name}: {as_text(value)}" for name, value in cells.items()])
        notes = [cell.fact.value for name, cell in row.cells.items() if name in REMARKS and cell.fact.value.strip()]
        beside = f" ({as_text('; '.join(notes))})" if notes else ""
        where = f", {as_text(one.node.title)}" if is_of_several else ""
        begins = "\n- " if is_counted else ""
        day = f"{'week of ' if row.days == DAYS_OF_WEEK else ''}{readable(row.day.isoformat())}"
        name = "" if is_counted else f" {as_text(called)},"
        said = f"{begins}**{day}**{week}:{name} {duty}{where}{beside} [{number}]"
        yield line(said, number, row.first, cited)
    if len(turns) > MOST_TURNS:
        yield Line(f"\n\n… and {len(turns) - MOST_TURNS} more.")


def _none_told(rota: _Rota, called: str, when: str) -> str:
    rows = rota.rows
    reach = f"{readable(rows[0].day.isoformat())} to {readable(last_day(rows[-1], rows[-1].days).isoformat())}"
    duty = f" as {listed([as_text(name) for name in rota.duties])}" if rota.is_of_some else ""
    return f"The rota “{as_text(rota.node.title)}” ({reach}) has no turn of {as_text(called)}{duty}{when}."


def _full_name(turn: _Turn) -> str:
    """Who stands in the first of these cells, of those that are asked for."""
    parts = _parts_of(turn.row.cells[turn.columns[0]].fact.value, turn.rota.leaf.text)
    return next((one.strip() for one in parts if turn.rota.people <= _words_of_names(one) and _ONLY_NAMES.fullmatch(one)), "")
