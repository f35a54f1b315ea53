"""The tickets that satisfy the conditions of a question, counted: from their facts, all of them, not the few that a walk reads."""

from __future__ import annotations

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
    """The tickets that satisfy all conditions by their keys (folded). `total` is how many tickets there are.

    `tickets` has what is told of the first SHOWN, the one updated last first: relation -> the fact that says it.
    """

    keys: frozenset[str]
    tickets: Mapping[str, Mapping[str, StoredFact]]
    total: int  # of the set before, where it was narrowed
    groups: tuple[Group, ...] = ()


SHOWN = 20  # tickets told one by one
TOLD = ("key", "status", "assignee", "updated", "type", "priority", "due")
REFERRING = frozenset(("epic", "parent", "blocks", "is blocked by"))  # relations whose values are tickets


def find_tickets(question: SetQuestion, facts: FactIndex, today: date) -> Found | None:
    """None where there are no tickets at all, or a relation that is asked about is stated of none of them."""
    keys = facts.holding(KIND, ["key"])
    if not keys:
        return None
    whole = _satisfying(question.within, facts, keys, keys, today)
    left = _satisfying(question.conditions, facts, keys, whole, today) if whole is not None else None
    if whole is None or left is None:
        return None
    groups = _groups(question.group, facts, left) if question.group else ()
    return Found(frozenset(left), _told(facts, _first(facts, left), question.shown), len(whole), groups)


def matching(conditions: Sequence[Condition], facts: FactIndex, today: date) -> set[str] | None:
    """The keys (folded) of the tickets that satisfy these conditions; None where that cannot be told."""
    keys = facts.holding(KIND, ["key"])
    return _satisfying(conditions, facts, keys, keys, today)


def _satisfying(
    conditions: Iterable[Condition], facts: FactIndex, keys: set[str], among: set[str], today: date
) -> set[str] | None:
    """Those among some tickets that satisfy all conditions."""
    left = set(among)
    for condition in conditions:
        holding = _of_extreme(condition, facts, left) if condition.extreme else _holding(condition, facts, keys, today)
        if holding is None:
            return None
        left &= keys - holding if condition.negated else holding
    return left


def _of_extreme(condition: Condition, facts: FactIndex, among: set[str]) -> set[str]:
    """The tickets of whoever has the most of them, or the fewest."""
    return {key for group in extremes(_groups(condition.relations[0], facts, among), condition.extreme) for key in group.tickets}


def extremes(groups: Sequence[Group], extreme: str) -> list[Group]:
    """The groups with the most tickets, or the fewest; those without a value do not count."""
    known = [group for group in groups if group.value not in ("none", "nobody")]
    sizes = [len(group.tickets) for group in known]
    best = (max if extreme == "most" else min)(sizes, default=0)
    return [group for group in known if len(group.tickets) == best]


def _holding(condition: Condition, facts: FactIndex, keys: set[str], today: date) -> set[str] | None:
    """Keys of the tickets of which a condition holds, its negation left aside."""
    if condition.relations == ("open",):
        return keys - _finished(facts)
    if condition.relations == ("overdue",):
        return facts.holding(KIND, ["due"], " AND f.match < ?", [folded(today.isoformat())]) - _finished(facts)
    if condition.relations == ("blocked",):
        return _blocked(facts)
    if condition.relations == ("team",):
        return _of_team(condition.values, facts)
    if condition.span is not None:
        first, after = folded(condition.span.first.isoformat()), folded(condition.span.last.isoformat()) + "~"
        held = facts.holding(KIND, condition.relations, " AND f.match >= ? AND f.match < ?", [first, after])
        return held if held or facts.holds_any(KIND, condition.relations) else None
    if not condition.values:
        return keys - facts.holding(KIND, condition.relations)
    return _with_value(condition, facts)


def _with_value(condition: Condition, facts: FactIndex) -> set[str] | None:
    """Those that have one of the values; None where no ticket has ever had one, so that it may be something else."""
    if not REFERRING.intersection(condition.relations) and facts.is_whole(KIND, condition.relations):
        held = facts.holding(
            KIND, condition.relations, f" AND f.match IN ({','.join('?' * len(condition.values))})", sorted(condition.values)
        )
        if held:
            return held
    if REFERRING.intersection(condition.relations):
        stated = facts.leading(KIND, condition.relations, KIND)
    else:
        stated = facts.holding_value(KIND, condition.relations, condition.values)
    names: dict[tuple[str, str], bool] = {}
    for _, value, id_ in stated:
        if (value, id_) not in names:
            names[value, id_] = bool({folded(value), folded(id_)} & condition.values)
    holding = {name for name, value, id_ in stated if names[value, id_]}
    if not holding and len(names) == 1 and not REFERRING.intersection(condition.relations):
        return {name for name, _, _ in stated}  # "Gate (old)", where nothing else is called Gate
    is_known = (
        holding
        or _may_refer(condition, facts)
        or condition.values <= frozenset(USUAL_STATES)
        or facts.ever(KIND, condition.relations, tuple(condition.values))
    )
    return holding if is_known else None


def _may_refer(condition: Condition, facts: FactIndex) -> bool:
    """Whether tickets are referred to by this relation at all, so that it says something that none refers to this one."""
    is_link = bool({"blocks", "is blocked by"}.intersection(condition.relations))
    return is_link and facts.holds_any(KIND, ("blocks", "is blocked by"))


def _of_team(teams: frozenset[str], facts: FactIndex) -> set[str] | None:
    """The tickets of the components that a table says these teams own."""
    owned = {fact.key[1] for fact in facts.with_value(teams) if "own" in folded(fact.fact.relation)}
    return {name for name, _, _ in facts.holding_value(KIND, ["component"], owned)} if owned else None


def _finished(facts: FactIndex) -> set[str]:
    """Those whose state is of the category "done"; without categories, those that are resolved."""
    if facts.holds_any(KIND, ["category"]):
        return facts.holding(KIND, ["category"], " AND f.match = ?", [DONE])
    return facts.holding(KIND, ["resolved", "resolution"])


def _blocked(facts: FactIndex) -> set[str]:
    """Those in a state called so, and those that a ticket that is not finished blocks."""
    finished = _finished(facts)
    held = {name for name, _, other in facts.leading(KIND, ["is blocked by"], KIND) if folded(other) not in finished}
    return facts.holding(KIND, ["status"], " AND f.match = ?", ["blocked"]) | (held - finished)


def _groups(relation: str, facts: FactIndex, keys: set[str]) -> tuple[Group, ...]:
    """Of each value of a relation the tickets that have it, most first; those that have none under "none"."""
    found: dict[str, list[str]] = {}
    for name, stated in facts.stated(KIND, ["created"] if relation == "month" else [relation]):
        if name in keys:
            found.setdefault(stated[:7] if relation == "month" else stated, []).append(name)
    without = keys - {key for named in found.values() for key in named}
    if without:
        found["nobody" if relation in ("assignee", "reporter") else "none"] = sorted(without)
    groups = [Group(value, tuple(dict.fromkeys(named))) for value, named in found.items()]
    if relation == "month":
        return tuple(sorted(groups, key=lambda group: group.value))
    return tuple(sorted(groups, key=lambda group: (-len(group.tickets), group.value)))


def _first(facts: FactIndex, keys: set[str]) -> list[str]:
    """The SHOWN that were updated last, the last first; those of which that is not known after them."""
    dated = facts.last(KIND, "updated", keys, SHOWN) if keys else []
    return list(dict.fromkeys([*dated, *(sorted(keys.difference(dated)) if len(dated) < SHOWN else [])]))[:SHOWN]


def _told(facts: FactIndex, keys: Sequence[str], shown: str = "") -> dict[str, dict[str, StoredFact]]:
    found: dict[str, dict[str, StoredFact]] = {key: {} for key in keys}
    for fact in facts.current(keys, KIND, (*TOLD, shown)):
        found[fact.key[1]].setdefault(folded(fact.fact.relation), fact)
    return found
