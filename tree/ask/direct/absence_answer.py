"""Who is away, and who stands in: "who is off next week", "when is Ida on holiday", from a list of absences with their first and last days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from prompts.coming_times import find_coming
from prompts.extractive import as_text
from prompts.extractive.dates import days
from prompts.language import terms
from prompts.regex import regex
from prompts.timespans import Span, day_of, find_span
from tree.ask.direct.said_of_absence import Away, said_of_absences
from tree.ask.direct.written_lines import with_lines_above
from tree.ask.facts.leading_roles import DEPUTIES
from tree.ask.facts.request_states import State, is_denied, state_of_request
from tree.ask.facts.table_rows import is_total, rows_of_tables
from tree.ask.facts.told_facts import FactCitations, line, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import StoredFact, folded

_AWAY = r"(?:off|away|absent|out(?: of (?:the )?office)?|on (?:annual |parental |sick )?(?:leave|vacation|holidays?)|not (?:here|in|there)|missing)"
_WHO = regex(rf"\A\W*(?:and )?who(?:['’]?s| is| are|s)? (?:all )?{_AWAY}\b(?P<when>[^?\n]{{0,40}}?)\W*\Z", re.IGNORECASE)
_WHEN = regex(
    rf"\A\W*(?:and )?(?:when|until when) (?:is|are|will) (?P<who>[^?\n]{{2,40}}?) (?:be )?(?:{_AWAY}|back)\W*\Z", re.IGNORECASE
)
_COVERS = regex(
    r"\A\W*(?:and )?who (?:covers|stands in|fills in|steps in|is standing in|is covering) for (?P<who>[^?\n]{2,40}?)(?P<when> (?:in|on|this|next|over|during|until|from|today|tomorrow|while)\b[^?\n]{0,40}?)?\W*\Z",
    re.IGNORECASE,
)
_FIRST = frozenset("from start first begin begins since von ab".split())
_LAST = frozenset("to until till end ends last through bis".split())
_PEOPLE = frozenset("name who person employee colleague staff member wer".split())
_COVER = DEPUTIES | frozenset("cover covered covers covering replacement backup".split())
_KINDS = frozenset(
    terms(
        "absence absences absent leave vacation holiday holidays sick off away parental urlaub abwesend abwesenheit krank ferien"
    )
)
_DUTIES = frozenset(terms("duty duties shift shifts service call standby dienst bereitschaft"))  # kinds that are none
_BESIDE_DATE = frozenset(terms("next this coming"))  # "next Thursday 3 December"


@dataclass(frozen=True, slots=True)
class Absence:
    first: date
    last: date
    person: StoredFact
    cells: dict[str, StoredFact]  # by column (folded)
    kind: str = ""  # what it is called, where that may be no absence: "course"
    state: State = ""
    said: str = ""  # of its state


class _Unread(NamedTuple):
    person: StoredFact
    said: str  # in place of days
    cells: dict[str, StoredFact]


@dataclass(frozen=True, slots=True)
class _List:
    """What a document has: absences by their first days, and the rows whose days cannot be read."""

    absences: list[Absence]
    unread: list[_Unread]


def answer_absences(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """None where it asks for something else, no list of absences has it, or several do."""
    text, day = understanding.text, today(snapshot)
    covers = _COVERS.match(text) or _COVERS.match(understanding.question)
    asked = _WHO.match(text) or _WHEN.match(text) or covers
    if asked is None:
        return None
    lists = list(_lists(snapshot))
    if len(lists) != 1:
        return None
    absences, unread = lists[0].absences, lists[0].unread
    parts = asked.groupdict()
    span = _span(parts.get("when") or "", day)
    if span is None:
        return None
    if "who" in parts:
        named = folded(parts["who"].removesuffix("'s"))
        absences = [one for one in absences if _is_called(one.person, named)]
        unread = [one for one in unread if _is_called(one.person, named)]
        people = [one.person for one in absences] + [one.person for one in unread]
        if len({folded(one.fact.value) for one in people}) != 1:
            return None
        ahead = [one for one in absences if one.last >= (span.first if parts.get("when") else day)]
        found = [one for one in ahead if not parts.get("when") or one.first <= span.last]
    else:
        found = [one for one in absences if one.first <= span.last and one.last >= span.first]
    denied = [one for one in found if one.state == "denied"]
    found = [one for one in found if one.state != "denied"]
    if covers is not None:
        found = [one for one in found[:1] if _cover_of(one.cells) is not None]
    if not (found or unread):
        return _told_denied(denied, snapshot) if denied else None
    told = _told(found, unread, snapshot, is_cover=covers is not None)
    return _with_said(told, found, snapshot, of_cover=covers is not None) if told is not None else None


def _is_called(person: StoredFact, named: str) -> bool:
    name = folded(person.fact.value)
    return named in (name, *name.split())


def _span(when: str, day: date) -> Span | None:
    said = when.strip()
    if not said or said.casefold() in ("now", "at the moment", "currently", "right now"):
        return Span(day, day, 0, 0, "today")
    for span in (find_coming(said, day), find_span(said, day)):
        if span is not None:
            left = set(terms(f"{said[: span.start]} {said[span.end :]}"))
            is_dated = any(map(str.isdigit, said[span.start : span.end]))
            if not left - (_BESIDE_DATE if is_dated else set()):
                return span
    return None


def _lists(snapshot: Snapshot) -> Iterator[_List]:
    facts = snapshot.index.facts(snapshot.scope)
    tables = snapshot.index.names(snapshot.scope).tables.values()
    held = [one for one in tables if not any(map(is_denied, one.headings))]
    fitting = [(table, columns) for table in held if (columns := _columns(table)) is not None]
    for place, rows in rows_of_tables(facts, [table for table, _ in fitting]):
        on_page = [(table, columns) for table, columns in fitting if table.place == place]
        is_called_so = any(_KINDS & set(terms(f"{table.title} {table.file}")) for table, _ in on_page)
        says_kind = any(_says(_KINDS, cells) for cells in rows)
        who, first, last = on_page[0][1]
        labels = [folded(one) for one in (on_page[0][0].naming, *on_page[0][0].columns) if one]
        found = _List([], [])
        for cells in rows:
            is_absence = _says(_KINDS, cells) if says_kind else is_called_so
            if is_total(cells) or who not in cells or not (is_absence or (is_called_so and not _says(_DUTIES, cells))):
                continue
            begun = _day(cells.get(first))
            ended = _day(cells.get(last)) if _is_filled(cells.get(last)) else begun
            if begun is None or ended is None:
                said = " to ".join(cells[one].fact.value for one in (first, last) if _is_filled(cells.get(one)))
                found.unread.append(_Unread(cells[who], said, cells))
                continue
            others = (
                cell.fact.value
                for label, cell in cells.items()
                if label not in (who, first, last) and not _COVER & set(label.split())
            )
            kind = "" if is_absence else next(others, "")
            found.absences.append(Absence(begun, ended, cells[who], cells, kind, *state_of_request(cells, labels)))
        if found.absences or found.unread:
            found.absences.sort(key=lambda one: one.first)
            yield found


def _columns(table: Table) -> tuple[str, str, str] | None:
    """The columns (folded) of the person, the first and the last day."""
    labels = [folded(one) for one in (table.naming, *table.columns) if one]
    found = [next((one for one in labels if words & set(one.split())), "") for words in (_PEOPLE, _FIRST, _LAST)]
    return (found[0], found[1], found[2]) if all(found) and len(set(found)) == len(found) else None


def _says(words: Set[str], cells: Mapping[str, StoredFact]) -> bool:
    return any(words & set(terms(cell.fact.value)) for cell in cells.values())


def _day(cell: StoredFact | None) -> date | None:
    found = days(cell.fact.value) if cell is not None else []
    return day_of(*found[0]) if len(found) == 1 and all(found[0]) else None


def _is_filled(cell: StoredFact | None) -> bool:
    return cell is not None and bool(cell.fact.value.strip(" -–"))


def _cover_of(cells: Mapping[str, StoredFact]) -> StoredFact | None:
    return next((cell for label, cell in cells.items() if _COVER & set(label.split()) and _is_filled(cell)), None)


def _told(found: Sequence[Absence], unread: Sequence[_Unread], snapshot: Snapshot, *, is_cover: bool) -> DirectAnswer | None:
    people = [one.person for one in found] + [one.person for one in unread]
    cited = FactCitations(snapshot.store, snapshot.version).cite(people)
    if any(one.place not in cited for one in people):
        return None
    node = cited[people[0].place][0]
    step = Step("register", node.place, node.hash, node.title, reason="Each row says from when to when somebody is away.")
    numbers = {place: number for number, place in enumerate(dict.fromkeys(one.place for one in people), 1)}
    lines: list[Line] = []
    for one in found:
        number, cover = numbers[one.person.place], _cover_of(one.cells)
        told = _in_words(one)
        if is_cover and cover is not None:
            said = f"**{as_text(cover.fact.value)}**, for {as_text(one.person.fact.value)}: {told}{f' ({as_text(one.said)})' if one.said else ''}"
        else:
            beside = ", ".join(filter(None, (one.kind, one.said)))
            kind = f" ({as_text(beside)})" if beside else ""
            said = f"{'- ' if len(found) > 1 else ''}**{as_text(one.person.fact.value)}**: {told}{kind}{_beside(cover)}"
        lines.append(line(f"{said} [{number}]{chr(10) if one is not found[-1] else ''}", number, one.person, cited))
    if unread:
        begun = "\n\n" if found else ""
        lines.append(Line(f"{begun}Whose days cannot be read:\n"))
        for row in unread:
            number, told = numbers[row.person.place], f"{as_text(row.person.fact.value)}: {as_text(row.said)}"
            lines.append(line(f"\n- {told}{_beside(_cover_of(row.cells))} [{number}]", number, row.person, cited))
    is_sure = not unread and not any(one.kind or one.state for one in found)
    return DirectAnswer(step, tuple(lines), "complete" if is_sure else "partial", is_list=len(found) > 1)


def _told_denied(denied: Sequence[Absence], snapshot: Snapshot) -> DirectAnswer | None:
    """What was asked for and not granted, where there is nothing else: as that, and never as an absence."""
    cited = FactCitations(snapshot.store, snapshot.version).cite([one.person for one in denied])
    if any(one.person.place not in cited for one in denied):
        return None
    node = cited[denied[0].person.place][0]
    step = Step(
        "register", node.place, node.hash, node.title, reason="Each row says from when to when, and how the request stands."
    )
    numbers = {place: number for number, place in enumerate(dict.fromkeys(one.person.place for one in denied), 1)}
    lines = [Line("On the list, but not as an absence that holds:\n")]
    for one in denied:
        number = numbers[one.person.place]
        said = f"{as_text(one.person.fact.value)}: {_in_words(one)}, **{as_text(one.said)}**"
        lines.append(line(f"\n- {said} [{number}]", number, one.person, cited))
    return DirectAnswer(step, tuple(lines), "partial", is_list=True)


def _with_said(told: DirectAnswer, found: Sequence[Absence], snapshot: Snapshot, *, of_cover: bool) -> DirectAnswer:
    """Absences below what is said elsewhere against them; as they are where nothing is."""
    node = next((one.node for one in told.lines if one.node is not None), None)
    away = [
        Away(one.person.fact.value, one.first, one.last, cover.fact.value if (cover := _cover_of(one.cells)) is not None else "")
        for one in found
    ]
    said = said_of_absences(snapshot, away, node, of_cover=of_cover) if node is not None else []
    return with_lines_above(told, said, "Said elsewhere:", "The list itself:")


def _beside(cover: StoredFact | None) -> str:
    return f"; {as_text(readable(cover.fact.relation))}: {as_text(cover.fact.value)}" if cover is not None else ""


def _in_words(one: Absence) -> str:
    def said(day: date) -> str:
        return f"{day.day} {day:%B} {day.year}"

    if one.first == one.last:
        return said(one.first)
    is_same = one.first.year == one.last.year
    return f"{one.first.day} {one.first:%B}{'' if is_same else f' {one.first.year}'} to {said(one.last)}"
