"""Who is on duty at a time: the row of a rota that holds then, below what has changed since.

Where something states changes that name the row, by its day or its week, these are told first, and what they make of the row is left to
the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from prompts.extractive import as_text
from prompts.language import terms
from prompts.other_languages import in_english
from prompts.regex import regex
from tree.ask.direct.rota import (
    FoundRow,
    RotaRow,
    are_of_one_time,
    best_rows,
    duty_terms,
    entries_then,
    in_known_words,
    is_said,
    rota_tables,
    rows_then,
    tells_of,
)
from tree.ask.direct.rota_changes import absences_in, is_open, remarks_on, swaps_elsewhere
from tree.ask.direct.rota_end import tell_rota_end
from tree.ask.direct.rota_letters import with_names
from tree.ask.direct.rota_question import RotaQuestion, is_of_duty, read_rota_question
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.told_facts import FactCitations, line
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.standing_documents import standing_only
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

BELOW = "\n\n"
_ON_CALL = frozenset(terms("on call duty standby pager watch rota roster shift responsible person week"))
_NEAR_PHONES = _ON_CALL | frozenset(terms("line"))  # words that are said for a phone too
_AT_WORK = frozenset(terms("shift shifts"))
_WORK = frozenset(terms("work works working shift shifts staff staffing crew desk counter opening"))
NOON, EVENING = 12, 17  # the hours with which the afternoon and the evening begin
_TIME = regex(r"(?P<hour>[01]?\d|2[0-3])[:.][0-5]\d")
_SMALL = frozenset("on of the at in for and a".split())  # words of a column's name that a question may leave out
_PEOPLE = regex(r"\W*[A-ZÀ-Þ][^\d]{1,60}\Z|\W*\Z")  # in a cell
_LIMITED = regex(r"\b(?:valid|from|until|till|closed|ab|bis|gültig|geschlossen)\b[^.\n]{0,60}\d|\b20\d\d\b", re.IGNORECASE)


def answer_from_rota(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "who is on call this week?"; None where no table, or more than one, says it."""
    text = understanding.text
    asked = read_rota_question(text, today(snapshot)) or read_rota_question(in_english(text), today(snapshot))
    if asked is None:
        return None
    named, others = rota_tables(snapshot, asked)
    found = best_rows(rows_then(snapshot, named, asked), asked)
    is_rota = bool(found)
    found = found or best_rows(rows_then(snapshot, others, asked), asked)
    found = found or best_rows(entries_then(snapshot, text, asked), asked)
    if not found and (fewer := in_known_words(asked, named)).words not in (asked.words, frozenset()):
        asked = fewer
        found = [replace(one, is_sure=False) for one in best_rows(rows_then(snapshot, named, asked), asked)]
    found = [one for one in found if _names_somebody(one.row) and (one.row.is_weekly or not asked.is_usual)]
    if not found:
        return tell_rota_end(snapshot, text, named, asked) if not asked.is_usual else None
    if exact := [one for one in found if _is_named(one.row, text)]:
        found = exact  # "tower a" is no tower B
    found, _ = standing_only(snapshot, found, lambda one: one.row.first.place)
    found, is_in_part = _in_part(found, asked)
    if not are_of_one_time(found, asked):
        return _of_each_source(snapshot, found, asked, text)
    chosen, rows = found[0], [one.row for one in found]
    row = _joined(rows)
    cited = FactCitations(snapshot.store, snapshot.version).cite(one.first for one in rows)
    numbers = {place: number for number, place in enumerate(dict.fromkeys(one.first.place for one in rows), 1)}
    if not numbers.keys() <= cited.keys():
        return None
    node, leaf = cited[row.first.place]
    step = Step(
        "register", node.place, node.hash, node.title, reason="The row of this rota holds at the time that is asked about."
    )
    cells, is_whole = _asked_of(row, asked, text)
    if not cells:
        return None
    is_in_part = is_in_part or any(asked.part in folded(cell.fact.relation).split() for cell in cells if asked.part)
    of_day = [] if asked.week else [cell for cell in row.cells.values() if tells_of(cell.fact.value, asked.day)]
    is_long = asked.last is not None  # of many rows swaps are not looked for, and nothing is called answered
    lines = [] if is_long else [*_changed_on_page(node, leaf, row, cells, [_cell_line(one, numbers, cited) for one in of_day])]
    lines += [] if is_long else _changed_elsewhere(snapshot, row, leaf.text, len(numbers), bool(lines))
    is_whole = (
        is_whole
        and _is_of_asked_duty(snapshot, row, leaf, asked, is_rota=is_rota)
        and not lines
        and (is_in_part or not asked.is_part)
        and not is_long
        and not (row.is_weekly and _LIMITED.search(" ".join((*leaf.heading, leaf.title, leaf.text))))
    )
    if len(rows) > 1:
        lines.append(Line("\n\nThe table itself:\n" if lines else f"**{len(rows)} rows of this time**:\n"))
        for one in rows:
            number = numbers[one.first.place]
            lines.append(line(f"\n- {_told(one.cells.values(), leaf.text)} [{number}]", number, one.first, cited))
        return DirectAnswer(step, tuple(lines), "complete" if chosen.is_sure and is_whole and row.is_one_of else "partial")
    told = _told(cells, leaf.text)
    told = told if chosen.is_sure or not chosen.heading else f"{as_text(chosen.heading)}: {told}"  # it may be another's
    said = f"\n\nThe table itself: {told}" if lines else f"**{told}**"
    lines.append(line(f"{said} [1]", 1, row.first, cited))
    return DirectAnswer(step, tuple(lines), "complete" if chosen.is_sure and is_whole else "partial")


def _of_each_source(snapshot: Snapshot, found: Sequence[FoundRow], asked: RotaQuestion, text: str) -> DirectAnswer | None:
    """What the rotas of several sources say, each with its source; None where one of them has several that may be meant."""
    by_source: dict[str, list[FoundRow]] = {}
    for one in found:
        by_source.setdefault(one.row.first.place.partition("/")[0], []).append(one)
    if len(by_source) < 2 or not all(len(some) == 1 for some in by_source.values()):
        return None
    rows = {source: some[0].row for source, some in by_source.items()}
    cited = FactCitations(snapshot.store, snapshot.version).cite(row.first for row in rows.values())
    lines: list[Line] = []
    for number, (source, row) in enumerate(rows.items(), 1):
        cells, _ = _asked_of(row, asked, text)
        if not cells or row.first.place not in cited:
            return None
        _, leaf = cited[row.first.place]
        name = as_text(snapshot.sources[source].name)
        lines.append(line(f"\n- {name}: **{_told(cells, leaf.text)}** [{number}]", number, row.first, cited))
    reason = f"The rotas of {len(rows)} sources hold at the time that is asked about; each is told."
    lines = [Line("Each of these rotas has one:\n"), *lines]
    return DirectAnswer(Step("register", "", "", f"{len(rows)} rotas", reason=reason), tuple(lines), "partial")


def _is_of_asked_duty(snapshot: Snapshot, row: RotaRow, leaf: Leaf, asked: RotaQuestion, *, is_rota: bool) -> bool:
    """Whether a table says all that the duty is called: who has the pager need not be who works, or has the duty phone. Any rota is of who
    is on call; a list with a day in it is none."""
    document = document_around(row.first.place)
    tables = [one for one in snapshot.index.names(snapshot.scope).tables.values() if document_around(one.place) == document]
    called = (f"{one.place} {one.title} {' '.join((*one.headings, *one.columns))}" for one in tables)
    there = set(terms(" ".join(cell.fact.value for cell in row.cells.values()))).union(*map(duty_terms, called))
    if asked.is_at_work or asked.words <= _AT_WORK:
        return not there.isdisjoint(_WORK)
    if not is_rota:
        there |= set(terms(" ".join((*leaf.heading, leaf.title, leaf.text))))
    left = {word for word in asked.words - _ON_CALL - there if not is_said(word, there - _NEAR_PHONES)}
    return not left and not there.isdisjoint(asked.words | _ON_CALL if is_rota else asked.words)


def _in_part(found: list[FoundRow], asked: RotaQuestion) -> tuple[list[FoundRow], bool]:
    """Of the rows of a day those of the part of it that is asked about, "afternoon", and whether they are just these; as they are where
    no cell says which part a row is of. A row of a longer time that holds on that day too is left out beside one of the day."""
    if asked.is_day and any(one.row.day == asked.day for one in found):
        found = [one for one in found if one.row.day == asked.day]
    cells = [[cell.fact.value.strip().casefold() for cell in one.row.cells.values()] for one in found]
    named = [one for one, said in zip(found, cells, strict=True) if asked.part and asked.part in said]
    timed = [one for one, said in zip(found, cells, strict=True) if asked.part and asked.part == _part_of_day(said)]
    return (named, True) if named else (timed or found, False)


def _part_of_day(cells: Sequence[str]) -> str:
    """The part of a day in which the one time of a row is, "19:00"; empty for one from a time to another."""
    times = [time for cell in cells if (time := _TIME.fullmatch(cell)) is not None]
    if len(times) != 1:
        return ""
    hour = int(times[0]["hour"])
    return "morning" if hour < NOON else "afternoon" if hour < EVENING else "evening"


def _cell_line(cell: StoredFact, numbers: Mapping[str, int], cited: dict[str, tuple[Node, Leaf]]) -> Line:
    number = numbers[cell.place]
    return line(f"\n- {as_text(cell.fact.value)} [{number}]", number, cell, cited)


def _is_named(row: RotaRow, text: str) -> bool:
    """Whether the question has the whole of a cell of several words."""
    said = f" {folded(text)} "
    cells = (cell for name, cell in row.cells.items() if name not in REMARKS)  # "New Year" beside two rotas
    return any(" " in (value := folded(cell.fact.value)) and f" {value} " in said for cell in cells)


def _told(cells: Iterable[StoredFact], page: str) -> str:
    """`page`: the text of the rota, which may say what the letters in its cells stand for."""
    told = (cell for cell in cells if _says_something(cell.fact.value) or folded(cell.fact.relation) not in REMARKS)
    return " · ".join(f"{as_text(cell.fact.relation)}: {_held_by(with_names(cell.fact.value, page))}" for cell in told)


def _joined(rows: Sequence[RotaRow]) -> RotaRow:
    """Rows of one time as one, with the cells of all: whoever stands in any of them may be away."""
    if len(rows) == 1:
        return rows[0]
    return replace(
        rows[0], cells={f"{name} {number}": cell for number, row in enumerate(rows) for name, cell in row.cells.items()}
    )


def _changed_on_page(node: Node, leaf: Leaf, row: RotaRow, cells: Sequence[StoredFact], of_day: Sequence[Line]) -> Iterator[Line]:
    """What the page of the rota says of the row besides, below the lines `of_day`, which the row itself has."""
    remarks = list(remarks_on(leaf, row))
    absences = absences_in(leaf, cells, remarks)
    if remarks or of_day:
        yield Line("Changes that name this row:\n")
    elif absences:
        yield Line("Changes that may be of this row:\n")
    yield from of_day
    for one in (*remarks, *absences):
        yield Line(f"\n- {as_text(one.text)} [1]", 1, node, leaf, one)


def _changed_elsewhere(snapshot: Snapshot, row: RotaRow, page: str, last: int, is_below: bool) -> Iterator[Line]:
    """`page`: the text of the rota; `last`: the number of the last citation of it."""
    swaps = swaps_elsewhere(snapshot, row, page) if not row.is_weekly else []
    if swaps:
        yield Line(f"{BELOW if is_below else ''}Said elsewhere of this time:\n")
    numbers = {place: number for number, place in enumerate(dict.fromkeys(node.place for node, _, _ in swaps), last + 1)}
    for node, leaf, said in swaps:
        sender = leaf.as_read().stated("From").partition("<")[0].strip(' "')  # of a mail: "takes week 49 for me"
        wrote = f"{as_text(sender)} wrote: " if sender else ""
        yield Line(f"\n- {wrote}{as_text(said.text)} [{numbers[node.place]}]", numbers[node.place], node, leaf, said)


def _held_by(value: str) -> str:
    return as_text(value) if _says_something(value) else "nobody"


def _says_something(value: str) -> bool:
    return any(map(str.isalnum, value))


def _asked_of(row: RotaRow, asked: RotaQuestion, text: str) -> tuple[list[StoredFact], bool]:
    """Of a row with a column for each duty those that are asked about, behind the cells that say when; all of it where none is called
    so, and nothing where the cell is empty. And whether a column is called by all that is asked about."""
    if row.is_one_of:
        return list(row.cells.values()), True
    said = {word for word in folded(text).replace("-", " ").split() if is_of_duty(word, asked)}
    duties = {name: duty_terms(name) for name in row.columns if name not in row.times and name not in REMARKS}
    chosen = [name for name in duties if said >= set(re.findall(r"[^\W\d_]+", name)) - _SMALL]  # "standby 2" by "standby"
    wanted = asked.called & set().union(*duties.values())
    is_whole = True
    if not chosen and wanted:
        shares = {name: len(wanted & there) for name, there in duties.items()}
        chosen = [name for name, share in shares.items() if share == max(shares.values())]
        is_whole = max(shares.values()) == len(wanted)
    if not chosen:
        held = [name for name in duties if name not in row.cells or _PEOPLE.match(row.cells[name].fact.value)]
        return list(row.cells.values()), not held or held[0] in row.cells  # who comes first is nobody
    if all(_is_other_role(name, text, asked) for name in chosen):
        return [], False
    told = [row.cells[name] for name in chosen if name in row.cells]
    is_whole = is_whole and not any(is_open(cell.fact.value) for cell in told)
    held = [name for name in duties if name not in row.cells or _is_held(row.cells[name].fact.value)]
    is_told = all(_is_held(cell.fact.value) for cell in told)
    if len(held) < 2 <= len(duties) or not is_told:
        return list(row.cells.values()), True  # no column for each duty: "goods: lamps" says not who received them
    kept = [cell for name, cell in row.cells.items() if name in row.times or name in REMARKS]
    return (told + kept if told else []), is_whole


def _names_somebody(row: RotaRow) -> bool:
    """Whether somebody may stand in a row, or nobody yet: not only times, as in a list of opening hours."""
    duties = [cell.fact.value for name, cell in row.cells.items() if name not in row.times and name not in REMARKS]
    return not duties or any(_is_held(one) or any(map(str.isupper, one)) for one in duties)


def _is_held(value: str) -> bool:
    """Whether a cell says who has a duty, or that nobody has it yet."""
    return _PEOPLE.match(value) is not None or is_open(value)


def _is_other_role(column: str, text: str, asked: RotaQuestion) -> bool:
    """Whether a question says another word before the last one of a column's name: the depot manager is no "duty manager"."""
    *before, last = column.split()
    said = folded(text).split()
    at = said.index(last) if last in said else 0
    is_other = bool(before and at) and set(terms(said[at - 1])).isdisjoint(terms(" ".join(before)))
    return is_other and is_of_duty(said[at - 1], asked)
