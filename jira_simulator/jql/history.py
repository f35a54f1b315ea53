"""What WAS and CHANGED mean: the states a field went through, each with when it began and ended and who brought it about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jira_simulator.jql.fields import HISTORY, FieldCatalogue, is_empty_word
from jira_simulator.jql.parse import Clause, JqlError, Predicate, Value
from jira_simulator.model.records import Change, Ticket

Test = Callable[[Ticket], bool]
MomentOf = Callable[[Value, str], dt.datetime]


@dataclass(frozen=True, slots=True)
class State:
    """The values a field had from `start` until `end` (None: still). `author` set them."""

    values: frozenset[str]
    start: dt.datetime
    end: dt.datetime | None
    author: str | None


@dataclass(frozen=True, slots=True)
class _Edit:
    at: dt.datetime
    author: str | None
    change: Change


class HistorySearch:
    """Compiles WAS and CHANGED for one caller at one moment."""

    def __init__(self, fields: FieldCatalogue, moment_of: MomentOf) -> None:
        self.fields = fields
        self.moment_of = moment_of

    def compiled(self, clause: Clause) -> Test:
        """Raises JqlError for fields whose history Jira does not search."""
        name = clause.field.lower()
        if name not in HISTORY:
            raise JqlError("no history" if self.fields.is_known(clause.field) else "field", clause.field)
        for each in clause.predicates:
            if each.name in ("from", "to") and clause.operator != "changed":
                raise JqlError("predicate", each.name, clause.operator)
        return self._changed(clause, name) if clause.operator == "changed" else self._was(clause, name)

    def _was(self, clause: Clause, name: str) -> Test:
        wanted = self._wanted(clause.values, clause.field)
        asks_empty = any(is_empty_word(each) for each in clause.values)
        fits, positive = self._state_fits(clause.predicates), "not" not in clause.operator
        read = self.fields.find(clause.field).read

        def test(ticket: Ticket) -> bool:
            held = any(
                (each.values & wanted or (asks_empty and not each.values)) and fits(each)
                for each in states(ticket, HISTORY[name], read)
            )
            return held == positive

        return test

    def _changed(self, clause: Clause, name: str) -> Test:
        wanted = {each.name: self._wanted(each.values, clause.field) for each in clause.predicates if each.name in ("from", "to")}
        empties = {each.name for each in clause.predicates if any(is_empty_word(value) for value in each.values)}
        fits = self._edit_fits(clause.predicates)

        def is_value(side: str, ids: frozenset[str]) -> bool:
            return side not in wanted or bool(ids & wanted[side]) or (side in empties and not ids)

        def test(ticket: Ticket) -> bool:
            return any(
                is_value("from", _sides(each.change)[0]) and is_value("to", _sides(each.change)[1]) and fits(each)
                for each in _edits(ticket, HISTORY[name])
            )

        return test

    def _wanted(self, values: Iterable[Value], field: str) -> frozenset[str]:
        """Ids, and names in small letters: what a value was called may be gone by now."""
        found: set[str] = set()
        for value in values:
            if is_empty_word(value):
                continue
            try:
                found |= {str(each) for each in self.fields.find(field).resolve(value)}
            except JqlError:
                if value.function or not self._was_ever_called(value.text, field):
                    raise
            if not value.function:
                found.add(_name(value.text))
        return frozenset(found)

    def _was_ever_called(self, text: str, field: str) -> bool:
        wanted, field_id = _name(text), HISTORY[field.lower()]
        return any(
            wanted in side
            for ticket in self.fields.site.tickets.values()
            for edit in _edits(ticket, field_id)
            for side in _sides(edit.change)
        )

    # ------------------------------------------------------------ predicates

    def _state_fits(self, predicates: Iterable[Predicate]) -> Callable[[State], bool]:
        tests: list[Callable[[State], bool]] = []
        for each in predicates:
            if each.name == "by":
                people = self._people(each)
                tests.append(lambda state, people=people: state.author in people)  # type: ignore[misc]  # not inferred with defaults
            else:
                start, end = self._span(each)
                tests.append(lambda state, start=start, end=end: _overlaps(state, start, end))  # type: ignore[misc]  # not inferred with defaults
        return lambda state: all(test(state) for test in tests)

    def _edit_fits(self, predicates: Iterable[Predicate]) -> Callable[[_Edit], bool]:
        tests: list[Callable[[_Edit], bool]] = []
        for each in predicates:
            if each.name == "by":
                people = self._people(each)
                tests.append(lambda edit, people=people: edit.author in people)  # type: ignore[misc]  # not inferred with defaults
            elif each.name not in ("from", "to"):
                start, end = self._span(each)
                tests.append(lambda edit, start=start, end=end: _is_between(edit.at, start, end))  # type: ignore[misc]  # not inferred with defaults
        return lambda edit: all(test(edit) for test in tests)

    def _people(self, predicate: Predicate) -> frozenset[str]:
        return frozenset(found for each in predicate.values for found in self.fields.person(each))

    def _span(self, predicate: Predicate) -> tuple[dt.datetime | None, dt.datetime | None]:
        """From when until when; None is open."""
        moments = [self.moment_of(each, predicate.name) for each in predicate.values]
        match predicate.name:
            case "after":
                return moments[0], None
            case "before":
                return None, moments[0]
            case "on":
                return moments[0], moments[0] + dt.timedelta(days=1)
        if len(moments) != 2:
            raise JqlError("during", len(moments))
        return moments[0], moments[1]


def states(ticket: Ticket, field_id: str, read: Callable[[Ticket], Iterable[Any]]) -> Iterator[State]:
    """Newest first. Values are ids and, as "=name", what histories called them."""
    values, end = frozenset(str(each) for each in read(ticket)), None
    for edit in reversed(list(_edits(ticket, field_id))):
        old, new = _sides(edit.change)
        yield State(values | new, edit.at, end, edit.author)
        values, end = (values - new) | old, edit.at
    yield State(values, ticket.created, end, ticket.creator)


def _edits(ticket: Ticket, field_id: str) -> Iterator[_Edit]:
    for history in ticket.histories:
        for change in history.changes:
            if change.field_id == field_id:
                yield _Edit(history.created, history.author, change)


def _sides(change: Change) -> tuple[frozenset[str], frozenset[str]]:
    return _values(change.old, change.old_text), _values(change.new, change.new_text)


def _values(value: Any, text: str | None) -> frozenset[str]:
    return frozenset([*([str(value)] if value is not None else []), *([_name(text)] if text else [])])


def _name(text: str) -> str:
    return f"={text.lower()}"


def _overlaps(state: State, start: dt.datetime | None, end: dt.datetime | None) -> bool:
    return (end is None or state.start < end) and (start is None or state.end is None or state.end > start)


def _is_between(moment: dt.datetime, start: dt.datetime | None, end: dt.datetime | None) -> bool:
    return (start is None or moment >= start) and (end is None or moment < end)
