"""Who is away, and who stands in: "who is off next week", "when is Ida on holiday", from a list of absences with their first and last days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from prompts.coming_times import find_coming
from prompts.extractive import as_text
from prompts.extractive.dates import days
from prompts.language import terms
from prompts.records import Verdict
from prompts.regex import regex
from prompts.timespans import Span, day_of, find_span
from tree.ask.facts.deputies import DEPUTIES
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


@dataclass(frozen=True, slots=True)
class Absence:
    first: date
    last: date
    person: StoredFact
    cells: dict[str, StoredFact]  # by column (folded)


def answer_absences(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """None where it asks for something else, no list of absences has it, or several do."""
    text, day = understanding.text, today(snapshot)
    covers = _COVERS.match(text) or _COVERS.match(understanding.question)
    asked = _WHO.match(text) or _WHEN.match(text) or covers
    if asked is None:
        return None
    lists = [(found, is_whole) for found, is_whole in _absences(snapshot) if found]
    if len(lists) != 1:
        return None
    [(absences, is_whole)] = lists
    parts = asked.groupdict()
    span = _span(parts.get("when") or "", day)
    if span is None:
        return None
    if "who" in parts:
        named = folded(parts["who"].removesuffix("'s"))
        absences = [one for one in absences if named in (folded(one.person.fact.value), *folded(one.person.fact.value).split())]
        if len({folded(one.person.fact.value) for one in absences}) != 1:
            return None
        ahead = [one for one in absences if one.last >= (span.first if parts.get("when") else day)]
        found = [one for one in ahead if not parts.get("when") or one.first <= span.last]
    else:
        found = [one for one in absences if one.first <= span.last and one.last >= span.first]
    if covers is not None:
        found = [one for one in found[:1] if _cover_of(one) is not None]
    return _told(found, snapshot, "complete" if is_whole else "partial", is_cover=covers is not None) if found else None


def _span(when: str, day: date) -> Span | None:
    said = when.strip()
    if not said or said.casefold() in ("now", "at the moment", "currently", "right now"):
        return Span(day, day, 0, 0, "today")
    span = find_coming(said, day) or find_span(said, day)
    left = f"{said[: span.start]} {said[span.end :]}" if span is not None else said
    return span if span is not None and not terms(left) else None


def _absences(snapshot: Snapshot) -> Iterator[tuple[list[Absence], bool]]:
    """The absences of each document that has a list of them, by their first days, and whether the days of all can be read."""
    facts = snapshot.index.facts(snapshot.scope)
    fitting = [(table, found) for table in snapshot.index.names(snapshot.scope).tables.values() if (found := _columns(table))]
    for place, rows in rows_of_tables(facts, [table for table, _ in fitting]):
        on_page = [(table, found) for table, found in fitting if table.place == place]
        is_called_so = any(_KINDS & set(terms(f"{table.title} {table.file}")) for table, _ in on_page)
        of_absences = [cells for cells in rows if _says_kind(cells)] or (rows if is_called_so else [])
        kept: list[Absence] = []
        is_whole = True
        for cells in of_absences:
            if is_total(cells):
                continue
            who, first, last = (cells.get(one) for one in on_page[0][1])
            begun, ended = _day(first), _day(last) if _is_filled(last) else _day(first)
            if who is None or begun is None or ended is None:
                is_whole = False
                continue
            kept.append(Absence(begun, ended, who, cells))
        yield sorted(kept, key=lambda one: one.first), is_whole


def _columns(table: Table) -> tuple[str, str, str] | None:
    """The columns (folded) of the person, the first and the last day."""
    labels = [folded(one) for one in (table.naming, *table.columns) if one]
    found = [next((one for one in labels if words & set(one.split())), "") for words in (_PEOPLE, _FIRST, _LAST)]
    return (found[0], found[1], found[2]) if all(found) and len(set(found)) == len(found) else None


def _says_kind(cells: dict[str, StoredFact]) -> bool:
    return any(_KINDS & set(terms(cell.fact.value)) for cell in cells.values())


def _day(cell: StoredFact | None) -> date | None:
    found = days(cell.fact.value) if cell is not None else []
    return day_of(*found[0]) if len(found) == 1 and all(found[0]) else None


def _is_filled(cell: StoredFact | None) -> bool:
    return cell is not None and bool(cell.fact.value.strip(" -–"))


def _cover_of(one: Absence) -> StoredFact | None:
    return next((cell for label, cell in one.cells.items() if _COVER & set(label.split()) and _is_filled(cell)), None)


def _told(found: Sequence[Absence], snapshot: Snapshot, verdict: Verdict, *, is_cover: bool) -> DirectAnswer | None:
    cited = FactCitations(snapshot.store, snapshot.version).cite(one.person for one in found)
    if any(one.person.place not in cited for one in found):
        return None
    node = cited[found[0].person.place][0]
    step = Step("register", node.place, node.hash, node.title, reason="Each row says from when to when somebody is away.")
    numbers = {place: number for number, place in enumerate(dict.fromkeys(one.person.place for one in found), 1)}
    lines: list[Line] = []
    for one in found:
        number, cover = numbers[one.person.place], _cover_of(one)
        told = _in_words(one)
        if is_cover and cover is not None:
            said = f"**{as_text(cover.fact.value)}**, for {as_text(one.person.fact.value)}: {told}"
        else:
            beside = f"; {as_text(readable(cover.fact.relation))}: {as_text(cover.fact.value)}" if cover is not None else ""
            said = f"{'- ' if len(found) > 1 else ''}**{as_text(one.person.fact.value)}**: {told}{beside}"
        lines.append(line(f"{said} [{number}]{chr(10) if one is not found[-1] else ''}", number, one.person, cited))
    return DirectAnswer(step, tuple(lines), verdict, is_list=len(found) > 1)


def _in_words(one: Absence) -> str:
    def said(day: date) -> str:
        return f"{day.day} {day:%B} {day.year}"

    if one.first == one.last:
        return said(one.first)
    is_same = one.first.year == one.last.year
    return f"{one.first.day} {one.first:%B}{'' if is_same else f' {one.first.year}'} to {said(one.last)}"
