"""The tickets that satisfy the conditions of a question, counted: from their facts, all of them, not the few that a walk reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tree.ask.fact_question import Condition, SetQuestion
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import USUAL_STATES

KIND = "ticket"
DONE = "done"  # the category of states that a ticket is finished in; Jira has three: to do, in progress, done


@dataclass(frozen=True, slots=True)
class Group:
    """How many tickets have a value."""

    value: str
    tickets: tuple[str, ...]  # their keys, folded


@dataclass(frozen=True, slots=True)
class Found:
    """The tickets that satisfy all conditions, by key (folded), the one updated last first; `total` is how many there are."""

    tickets: Mapping[str, Mapping[str, StoredFact]]  # relation -> the fact that says it, of each ticket
    total: int
    groups: tuple[Group, ...] = ()


SHOWN = ("key", "status", "assignee", "updated", "type", "priority", "due")


def find_tickets(question: SetQuestion, facts: FactIndex, today: date) -> Found | None:
    """None where there are no tickets at all, or a relation that is asked about is stated of none of them."""
    keys = {fact.key[1]: fact for fact in _current(facts, ("key",))}
    if not keys:
        return None
    left = set(keys)
    for condition in question.conditions:
        holding = _holding(condition, facts, keys.keys(), today)
        if holding is None:
            return None
        left &= keys.keys() - holding if condition.negated else holding
    groups = _groups(question.group, facts, left) if question.group else ()
    return Found(_shown(facts, left), len(keys), groups)


def _current(facts: FactIndex, relations: Iterable[str]) -> list[StoredFact]:
    return [fact for fact in facts.with_relation(relations, [KIND]) if not fact.fact.until]


def _holding(condition: Condition, facts: FactIndex, keys: Iterable[str], today: date) -> set[str] | None:
    """Keys of the tickets of which a condition holds, its negation left aside."""
    if condition.relations == ("open",):
        return set(keys) - _finished(facts)
    if condition.relations == ("overdue",):
        due = {fact.key[1] for fact in _current(facts, ("due",)) if fact.fact.value[:10] < today.isoformat()}
        return due - _finished(facts)
    if condition.relations == ("blocked",):
        return _blocked(facts)
    if condition.relations == ("team",):
        return _of_team(condition.values, facts)
    stated = _current(facts, condition.relations)
    if condition.span is not None:
        return {fact.key[1] for fact in stated if condition.span.has(fact.fact.value)} if stated else None
    if not condition.values:
        return set(keys) - {fact.key[1] for fact in stated}
    holding = {fact.key[1] for fact in stated if _named(fact) & condition.values}
    ever = holding or any(_named(fact) & condition.values for fact in facts.with_relation(condition.relations, [KIND]))
    return holding if ever or condition.values <= frozenset(USUAL_STATES) else None


def _of_team(teams: frozenset[str], facts: FactIndex) -> set[str] | None:
    """The tickets of the components that a table says these teams own."""
    owned = {fact.key[1] for fact in facts.with_value(teams) if "own" in folded(fact.fact.relation)}
    return {fact.key[1] for fact in _current(facts, ("component",)) if _named(fact) & owned} if owned else None


def _named(fact: StoredFact) -> set[str]:
    """What a value is called, as names are compared; a person by the name in full."""
    return {folded(fact.fact.value), folded(fact.fact.object.id) if fact.fact.object else ""}


def _finished(facts: FactIndex) -> set[str]:
    """Those whose state is of the category "done"; without categories, those that are resolved."""
    categories = _current(facts, ("category",))
    if categories:
        return {fact.key[1] for fact in categories if folded(fact.fact.value) == DONE}
    return {fact.key[1] for fact in _current(facts, ("resolved", "resolution"))}


def _blocked(facts: FactIndex) -> set[str]:
    """Those in a state called so, and those that a ticket that is not finished blocks."""
    finished = _finished(facts)
    held = {
        fact.key[1]
        for fact in _current(facts, ("is blocked by",))
        if fact.fact.object and folded(fact.fact.object.id) not in finished
    }
    return {fact.key[1] for fact in _current(facts, ("status",)) if folded(fact.fact.value) == "blocked"} | (held - finished)


def _groups(relation: str, facts: FactIndex, keys: set[str]) -> tuple[Group, ...]:
    """Of each value of a relation the tickets that have it, most first; those that have none under "none"."""
    found: dict[str, list[str]] = {}
    stated = _current(facts, ("created",) if relation == "month" else (relation,))
    for fact in stated:
        if fact.key[1] in keys:
            value = fact.fact.value[:7] if relation == "month" else fact.fact.object.name if fact.fact.object else fact.fact.value
            found.setdefault(value, []).append(fact.key[1])
    without = keys - {key for named in found.values() for key in named}
    if without:
        found["nobody" if relation in ("assignee", "reporter") else "none"] = sorted(without)
    groups = [Group(value, tuple(dict.fromkeys(named))) for value, named in found.items()]
    if relation == "month":
        return tuple(sorted(groups, key=lambda group: group.value))
    return tuple(sorted(groups, key=lambda group: (-len(group.tickets), group.value)))


def _shown(facts: FactIndex, keys: set[str]) -> dict[str, dict[str, StoredFact]]:
    found: dict[str, dict[str, StoredFact]] = {key: {} for key in keys}
    for fact in _current(facts, SHOWN):
        if fact.key[1] in found:
            found[fact.key[1]].setdefault(folded(fact.fact.relation), fact)
    latest = sorted(found, key=lambda key: found[key]["updated"].fact.value if "updated" in found[key] else "", reverse=True)
    return {key: found[key] for key in latest}


def counts(groups: Sequence[Group]) -> Counter[str]:
    return Counter({group.value: len(group.tickets) for group in groups})
