"""What Jira states of a ticket, typed: its fields, people, links in both directions, and every change of its history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from connectors.base import Fact, Reference
from connectors.jira.values import mappings, one_line

Json = Mapping[str, Any]

# The fields that have one value at a time, by the name that a history gives them, and the relation they become.
SINGLE = {
    "status": "status",
    "assignee": "assignee",
    "reporter": "reporter",
    "priority": "priority",
    "issuetype": "type",
    "resolution": "resolution",
    "duedate": "due",
    "due date": "due",
    "sprint": "sprint",
    "summary": "summary",
    "story points": "story points",
}
# Those that have several, of which a change adds or removes one.
SEVERAL = {"component": "component", "fix version": "fix version", "version": "affects version", "labels": "label"}
PEOPLE = frozenset({"assignee", "reporter", "creator"})


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One change of a ticket's history. `at` is ISO 8601 in UTC, `line` the line of the ticket's text that tells of it."""

    at: str
    field: str
    before: str
    after: str
    line: str


def current(
    subject: Reference,
    values: Sequence[tuple[str, str, Reference | None]],
    quotes: Mapping[str, str],
    changes: Sequence[FieldChange],
) -> Iterator[Fact]:
    """What holds now. `values`: relation, value, reference; `quotes`: the line of the text that states a relation."""
    for relation, value, reference in values:
        since = next(
            (change.at for change in reversed(changes) if _relation(change) == relation and _is(change.after, value)), ""
        )
        yield Fact(subject, relation, value, reference, since, quote=quotes.get(relation, ""))


def past(subject: Reference, created: str, changes: Sequence[FieldChange]) -> Iterator[Fact]:
    """What held before, from when until when: of fields with one value each value it had, of others each that was removed."""
    began: dict[str, str] = {}
    for change in changes:
        relation = _relation(change)
        if change.field in SINGLE:
            if change.before:
                yield _fact(subject, relation, change.before, began.get(relation, created), change)
            began[relation] = change.at
        elif change.field in SEVERAL:
            if change.before and not change.after:
                yield _fact(subject, relation, change.before, began.get(f"{relation} {change.before}", created), change)
            elif change.after:
                began[f"{relation} {change.after}"] = change.at


def _fact(subject: Reference, relation: str, value: str, since: str, change: FieldChange) -> Fact:
    reference = Reference("person", value, value) if relation in PEOPLE else None
    return Fact(subject, relation, value, reference, since, max(change.at, since), change.line)


def _relation(change: FieldChange) -> str:
    return SINGLE.get(change.field) or SEVERAL.get(change.field) or change.field


def _is(after: str, value: str) -> bool:
    return after.casefold() == value.casefold()


def changes_of(entries: Sequence[Json], line_of: Callable[[Json], str], iso: Callable[[Any], str]) -> Iterator[FieldChange]:
    """The changes of a history, the oldest first. `line_of` gives the line of an entry, `iso` a time as ISO 8601."""
    for entry in entries:
        line = line_of(entry)
        for item in mappings(entry.get("items")):
            before, after = one_line(item.get("fromString")), one_line(item.get("toString"))
            yield FieldChange(iso(entry.get("created")), one_line(item.get("field")).casefold(), before, after, line)
