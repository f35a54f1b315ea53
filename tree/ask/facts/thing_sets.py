"""The things that satisfy the conditions of a question, counted: from their facts, all of them, not the few that a walk reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from heapq import nsmallest

from prompts.extractive.dates import days
from prompts.regex import regex
from prompts.timespans import Span
from tree.ask.facts.amounts import DATE, TIME, amount_of, amounts_of, ranked, units_in, within
from tree.ask.facts.ended_rows import is_void, says_how_it_stands
from tree.ask.facts.file_sets import unread_files
from tree.ask.facts.set_question import BLOCKED, Condition, SetQuestion
from tree.ask.facts.stock_columns import below
from tree.ask.facts.told_facts import ISO, day_sent
from tree.retrieve.fact_index import TICKET, FactIndex, StoredFact, folded, head_of
from tree.retrieve.names import USUAL_STATES
from tree.store.leaves import FILE

DONE = "done"  # the category of states that a ticket is finished in; Jira has three: to do, in progress, done


@dataclass(frozen=True, slots=True)
class Group:
    """How many things have a value."""

    value: str
    keys: tuple[str, ...]  # of the things


@dataclass(frozen=True, slots=True)
class Aggregated:
    """What the amounts of a column come to, added up or on average."""

    relation: str  # folded
    amount: float
    stated: int  # things that say it


@dataclass(frozen=True, slots=True)
class Found:
    """The things that satisfy all conditions, by what tells each apart: a ticket by its key (folded), a file by its place.
    `total` is how many there are.

    `told` has what is told of the first SHOWN: relation -> the fact that says it. Tickets come in the order of the date that
    is asked about, else those that were updated last first.
    """

    keys: frozenset[str]
    told: Mapping[str, Mapping[str, StoredFact]]
    total: int  # of the set before, where it was narrowed
    groups: tuple[Group, ...] = ()
    held_up: Mapping[str, Mapping[str, StoredFact]] = field(default_factory=dict)  # as `told`: blocked, but in another state
    aggregated: Aggregated | None = None  # where it is asked for, and all amounts can be read and are of one unit
    unread: frozenset[str] = frozenset()  # files of which it is not known whether they belong to it
    bases: tuple[str, ...] = ()  # what amounts that are compared are of, where that differs: "per" month and year
    void_besides: int = 0  # rows beside those that are told which say that they hold no more, or are there twice


BASES = ("per", "period", "frequency", "billing", "billed", "billing period", "interval", "cycle", "currency")  # columns
SHOWN = 20  # things told one by one
TOLD = ("key", "status", "assignee", "updated", "type", "priority", "due")
REFERRING = frozenset(("epic", "parent", "blocks", "is blocked by"))  # relations whose values are tickets
YEAR = regex(r"(?:1[89]|20)\d\d\Z")  # a value that is one
UNKNOWN = frozenset(("unknown", "unclear", "not known", "to be checked"))  # values that do not say whether there is one
BLANK = (
    "",
    "none",
    "n a",
    "na",
    "nil",
    "null",
    "nobody",
    "unassigned",
    "tbd",
    "not yet",
    "not done",
)  # values (folded) that say that there is none


def find_set(question: SetQuestion, facts: FactIndex, today: date) -> Found | None:
    """None where there are no such things at all, or a relation that is asked about is stated of none of them. Of a question
    whether something holds of all the exceptions are found."""
    if question.wanted == "all":
        return find_set(question.exceptions, facts, today)
    keys = _all(question, facts)
    if not keys:
        return None
    collection = question.collection
    whole = _satisfying(question.within, facts, collection, keys, keys, today)
    left = _satisfying(question.conditions, facts, collection, keys, whole, today) if whole is not None else None
    if whole is None or left is None or (not left and not _may_be_stated(question, facts, whole)):
        return None
    groups = _groups(question.group, facts, collection, left) if question.group else ()
    if question.sizes is not None and (bounds := question.sizes.bounds) is not None:
        groups = tuple(one for one in groups if one.value not in ("none", "nobody") and bounds.has(len(one.keys)))
        left = {key for group in groups for key in group.keys}
    if (
        question.wanted in ("most", "least")
        and collection not in (TICKET, FILE)
        and len(groups) > 1
        and all(len(one.keys) == 1 for one in groups)
    ):
        return None  # what each has once says nothing of who has the most
    shown = _first(facts, collection, left, question.date)
    told = _told(facts, shown, (question.shown, question.date)) if collection == TICKET else _stated(facts, question, shown)
    rank = next((one for one in question.conditions if one.rank), None)
    if rank is not None and collection == TICKET:
        dated = {key: told[key][rank.relations[0]].fact.value for key in shown}
        told = {key: told[key] for key in sorted(shown, key=lambda key: dated[key], reverse=rank.rank == "most")}
    held_up = _held_up(question, facts, keys, whole, left, today)
    unread = unread_files(question, whole, facts) if collection == FILE else frozenset()
    void = _void_besides(question, facts, left, told)
    bases = _bases(question, facts, today, left, whole)
    return Found(frozenset(left), told, len(whole), groups, held_up, aggregate(question, facts, left), unread, bases, void)


def _bases(question: SetQuestion, facts: FactIndex, today: date, left: Set[str], whole: Set[str]) -> tuple[str, ...]:
    """Of amounts that are added up or put in order what they are of by a column of their own, "Per: month" and "Per: year"; empty where
    that is the same for all."""
    is_ranked, collection = any(one.rank for one in question.conditions), question.collection
    if not (question.aggregate or is_ranked) or collection in (TICKET, FILE):
        return ()
    others = [one for one in question.conditions if not one.rank]
    compared = (_satisfying(others, facts, collection, whole, whole, today) or whole) if is_ranked else left
    for relation in BASES:
        said = {folded(value): value for thing, value in facts.values(collection, [relation]) if thing in compared}
        said = {name: value for name, value in said.items() if name not in BLANK}
        if len(said) > 1:
            return tuple(sorted(said.values()))
    return ()


def _void_besides(question: SetQuestion, facts: FactIndex, left: Set[str], told: Mapping[str, Mapping[str, StoredFact]]) -> int:
    if question.collection in (TICKET, FILE) or len(left) <= len(told):
        return 0
    asked = {relation for one in question.conditions for relation in one.relations}
    columns = {relation for row in told.values() for relation in row if says_how_it_stands(relation)} - asked
    said = [(thing, relation, value) for relation in columns for thing, value in facts.values(question.collection, [relation])]
    return len({thing for thing, relation, value in said if thing in left and thing not in told and is_void(relation, value)})


def _may_be_stated(question: SetQuestion, facts: FactIndex, whole: Set[str]) -> bool:
    """Whether each relation that is asked for is stated of some of the things: minutes have people who were there, tickets have none."""
    asked = (one for one in question.conditions if one.values and not one.negated and not one.either)
    return question.collection != FILE or all(facts.holding(FILE, one.relations) & whole for one in asked)


def aggregate(question: SetQuestion, facts: FactIndex, keys: Set[str]) -> Aggregated | None:
    """Of all these things, not of the few that are told; None where none is asked for, or an amount cannot be read."""
    if not question.aggregate or len(question.columns) != 1:
        return None
    stated = [(thing, value) for thing, value in facts.values(question.collection, question.columns) if thing in keys]
    amounts = amounts_of(stated, BLANK)
    if not amounts or next(iter(amounts.values())).unit in (DATE, TIME):
        return None
    total = sum(amount.number for amount in amounts.values())
    return Aggregated(question.columns[0], total / (len(amounts) if question.aggregate == "average" else 1), len(amounts))


def _held_up(
    question: SetQuestion, facts: FactIndex, keys: Set[str], whole: Set[str], left: Set[str], today: date
) -> Mapping[str, Mapping[str, StoredFact]]:
    """Beside the tickets in the state "blocked" those in another that a ticket which is not finished blocks."""
    state = next((one for one in question.conditions if one.relations == ("status",) and one.values == {BLOCKED}), None)
    if state is None or state.negated or question.collection != TICKET or question.group or question.wanted == "groups":
        return {}
    others = [Condition((BLOCKED,)) if one is state else one for one in question.conditions]
    held = _satisfying(others, facts, TICKET, keys, whole, today) or set()
    return _told(facts, _first(facts, TICKET, held - left), question.shown)


def matching(conditions: Sequence[Condition], facts: FactIndex, today: date) -> Set[str] | None:
    """The keys (folded) of the tickets that satisfy these conditions; None where that cannot be told."""
    keys = facts.tickets()
    return _satisfying(conditions, facts, TICKET, keys, keys, today)


def open_among(tickets: Set[str], facts: FactIndex) -> Set[str]:
    """Those of some tickets (keys, folded) that are not finished."""
    return tickets - _finished(facts)


def _all(question: SetQuestion, facts: FactIndex) -> Set[str]:
    """Everything that the question could be about."""
    if question.collection == TICKET:
        return facts.tickets()
    if question.collection == FILE:
        within = question.within[:1]
        if within and within[0].folders:
            return facts.files_below(within[0].folders)
        if within and within[0].relations == ("key",) and within[0].negated and not within[0].values:
            return facts.holding(FILE, ["key"])
        return facts.all_files()
    return facts.holding(question.collection, question.naming)


def _satisfying(
    conditions: Iterable[Condition], facts: FactIndex, collection: str, keys: Set[str], among: Set[str], today: date
) -> Set[str] | None:
    """Those among some things that satisfy all conditions."""
    left = among
    for condition in conditions:
        holding = (
            _of_either(condition, facts, collection, keys, today)
            if condition.either
            else _of_extreme(condition, facts, collection, left)
            if condition.extreme
            else _first_ranked(condition, facts, collection, left)
            if condition.rank
            else _holding(condition, facts, collection, keys, today)
        )
        if holding is None:
            return None
        left = left & (keys - holding if condition.negated else holding)
    return left


def _of_either(condition: Condition, facts: FactIndex, collection: str, keys: Set[str], today: date) -> Set[str] | None:
    """The things of which one of the conditions holds; None where that cannot be told of each."""
    found: set[str] = set()
    for one in condition.either:
        holding = _satisfying([one], facts, collection, keys, keys, today)
        if holding is None:
            return None
        found |= holding
    return found


def _of_extreme(condition: Condition, facts: FactIndex, collection: str, among: Set[str]) -> set[str]:
    """The things of whoever has the most of them, or the fewest."""
    groups = _groups(condition.relations[0], facts, collection, among)
    return {key for group in extremes(groups, condition.extreme) for key in group.keys}


def _first_ranked(condition: Condition, facts: FactIndex, collection: str, among: Set[str]) -> set[str] | None:
    """Those with the greatest amount or the latest date, or the smallest; None where not all of the column can be read."""
    stated = facts.values(collection, condition.relations)
    if collection == TICKET:
        known = {thing: value for thing, value in stated if thing in among}
        return ranked(known, condition.rank == "most", condition.number)
    amounts = amounts_of(stated, BLANK, without_words=condition.rank == "most")
    units = {amount.unit for amount in amounts.values()} if amounts else set()
    if not amounts or (condition.is_counted and units - {""} - units_in(condition.relations[0])):
        return None
    numbers = {thing: amount.number for thing, amount in amounts.items() if thing in among}
    return ranked(numbers, condition.rank == "most", condition.number)


def extremes(groups: Sequence[Group], extreme: str) -> list[Group]:
    """The groups with the most things, or the fewest; those without a value do not count."""
    known = [group for group in groups if group.value not in ("none", "nobody")]
    sizes = [len(group.keys) for group in known]
    best = (max if extreme == "most" else min)(sizes, default=0)
    return [group for group in known if len(group.keys) == best]


def _holding(condition: Condition, facts: FactIndex, collection: str, keys: Set[str], today: date) -> Set[str] | None:
    """Keys of the things of which a condition holds, its negation left aside."""
    if collection == TICKET:
        return _holding_tickets(condition, facts, keys, today)
    if condition.folders:
        return facts.files_below(condition.folders)
    if not facts.holds_any(collection, condition.relations):
        return None  # nothing says whether
    if condition.is_below:
        stock, least = (amounts_of(facts.values(collection, (one,)), BLANK) for one in condition.relations)
        return below(stock, least) if stock and least else None
    if condition.bounds is not None:
        amounts = amounts_of(facts.values(collection, condition.relations), BLANK)
        return within(amounts, condition.bounds, condition.relations[0]) if amounts else None
    if condition.span is not None:
        return _on_days(facts.values(collection, condition.relations), condition.span)
    marks = ",".join("?" * len(condition.values))
    if not condition.values:
        said = {folded(value): value for _, value in facts.values(collection, condition.relations)}
        if not UNKNOWN.isdisjoint(said):
            return None  # of some it is not known whether they have one
        nothing = [match for match, value in said.items() if (amount := amount_of(value)) is not None and not amount.number]
        nothing += [match for match in said if match.partition(" ")[0] in ("none", "nobody")]  # "none since the maker closed"
        marks = ",".join("?" * len(blank := (*BLANK, *nothing)))
        return keys - facts.holding(collection, condition.relations, f" AND f.match NOT IN ({marks})", blank)
    return facts.holding(collection, condition.relations, f" AND f.match IN ({marks})", sorted(condition.values))


def _on_days(stated: Iterable[tuple[str, str]], span: Span) -> set[str] | None:
    """The things of which the date (as written) lies in a span; None where a month or a year stands for it that only partly does."""
    first, last = span.first.isoformat(), span.last.isoformat()
    known: dict[str, bool | None] = {}
    found: set[str] = set()
    for thing, value in stated:
        if value not in known:
            known[value] = lies_within(value, first, last)
        if known[value] is None:
            return None
        if known[value]:
            found.add(thing)
    return found


def lies_within(value: str, first: str, last: str) -> bool | None:
    if ISO.match(value):
        return first <= value[:10] <= last
    day = next(iter(days(value)), None)
    if YEAR.match(value):
        begins, ends = f"{value}-01-01", f"{value}-12-31"
    elif day is None:
        return None if any(map(str.isdigit, value)) else False  # 31/12/2025 may be a date, and TBD is none
    else:
        begins, ends = (str(day), str(day)) if day.day else (f"{day}-01", f"{day}-28")
    is_within = first <= begins and ends <= last
    return is_within if is_within == (begins <= last and first <= ends) else None


# ---------------------------------------------------------------- tickets


def _holding_tickets(condition: Condition, facts: FactIndex, keys: Set[str], today: date) -> Set[str] | None:
    if condition.relations == ("open",):
        return keys - _finished(facts)
    if condition.relations == ("overdue",):
        return facts.holding(TICKET, ["due"], " AND f.match < ?", [folded(today.isoformat())]) - _finished(facts)
    if condition.relations == (BLOCKED,):
        return _blocked(facts)
    if condition.relations == ("team",):
        return _of_team(condition.values, facts)
    if condition.span is not None:
        first, after = folded(condition.span.first.isoformat()), folded(condition.span.last.isoformat()) + "~"
        held = facts.holding(TICKET, condition.relations, " AND f.match >= ? AND f.match < ?", [first, after])
        return held if held or facts.holds_any(TICKET, condition.relations) else None
    if not condition.values:
        return keys - facts.holding(TICKET, condition.relations)
    return _with_value(condition, facts)


def _with_value(condition: Condition, facts: FactIndex) -> set[str] | None:
    """Those that have one of the values; None where no ticket has ever had one, so that it may be something else."""
    if not REFERRING.intersection(condition.relations) and facts.is_whole(TICKET, condition.relations):
        held = facts.holding(
            TICKET, condition.relations, f" AND f.match IN ({','.join('?' * len(condition.values))})", sorted(condition.values)
        )
        if held:
            return held
    if REFERRING.intersection(condition.relations):
        stated = facts.leading(TICKET, condition.relations, TICKET)
    else:
        stated = facts.holding_value(TICKET, condition.relations, condition.values)
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
        or facts.ever(TICKET, condition.relations, tuple(condition.values))
    )
    return holding if is_known else None


def _may_refer(condition: Condition, facts: FactIndex) -> bool:
    """Whether tickets are referred to by this relation at all, so that it says something that none refers to this one."""
    is_link = bool({"blocks", "is blocked by"}.intersection(condition.relations))
    return is_link and facts.holds_any(TICKET, ("blocks", "is blocked by"))


_TEAM_COLUMNS = frozenset(("team", "squad", "maintained by", "responsible team"))


def _of_team(teams: frozenset[str], facts: FactIndex) -> set[str] | None:
    """The tickets of the components that a table says these teams own, or are of them; None where no component is known to be."""
    relations = ((fact.key[1], folded(fact.fact.relation)) for fact in facts.with_value(teams))
    owned = {name for name, relation in relations if "own" in relation or relation in _TEAM_COLUMNS}
    return {name for name, _, _ in facts.holding_value(TICKET, ["component"], owned)} or None


def _finished(facts: FactIndex) -> set[str]:
    """Those whose state is of the category "done"; without categories, those that are resolved."""
    if facts.holds_any(TICKET, ["category"]):
        return facts.holding(TICKET, ["category"], " AND f.match = ?", [DONE])
    return facts.holding(TICKET, ["resolved", "resolution"])


def _blocked(facts: FactIndex) -> set[str]:
    """Those in a state called so, and those that a ticket that is not finished blocks."""
    finished = _finished(facts)
    held = {name for name, _, other in facts.leading(TICKET, ["is blocked by"], TICKET) if folded(other) not in finished}
    return facts.holding(TICKET, ["status"], " AND f.match = ?", [BLOCKED]) | (held - finished)


# ---------------------------------------------------------------- what is told of them


def _groups(relation: str, facts: FactIndex, collection: str, keys: Set[str]) -> tuple[Group, ...]:
    """Of each value of a relation the things that have it, most first; those that have none under "none"."""
    found: dict[str, list[str]] = {}
    all_stated = facts.stated(collection, ["created"] if relation == "month" else [relation])
    blank = (
        set() if collection == TICKET else {stated for stated in {value for _, value in all_stated} if folded(stated) in BLANK}
    )
    for key, stated in all_stated:
        if key in keys and stated not in blank:
            found.setdefault(stated[:7] if relation == "month" else day_sent(stated), []).append(key)
    without = keys - {key for named in found.values() for key in named}
    if without:
        found["nobody" if relation in ("assignee", "reporter") else "none"] = sorted(without)
    groups = [Group(value, tuple(dict.fromkeys(named))) for value, named in found.items()]
    if relation == "month":
        return tuple(sorted(groups, key=lambda group: group.value))
    return tuple(sorted(groups, key=lambda group: (-len(group.keys), group.value)))


def _first(facts: FactIndex, collection: str, keys: Set[str], date_of: str = "") -> list[str]:
    """The SHOWN tickets with the earliest date `date_of`, or that were updated last, the last first, those of which that is not
    known after them; the first rows of a table; the first files by their paths."""
    if collection != TICKET:
        return nsmallest(SHOWN, keys)
    if date_of and date_of != "updated":
        dated_by = {key: value for key, value in facts.values(TICKET, (date_of,)) if key in keys}
        return nsmallest(SHOWN, keys, key=lambda key: (dated_by.get(key, "~"), key))
    dated = facts.last(TICKET, "updated", keys, SHOWN) if keys else []
    return list(dict.fromkeys([*dated, *(sorted(keys - set(dated)) if len(dated) < SHOWN else [])]))[:SHOWN]


def _told(facts: FactIndex, keys: Sequence[str], besides: Sequence[str]) -> dict[str, dict[str, StoredFact]]:
    found: dict[str, dict[str, StoredFact]] = {key: {} for key in keys}
    for fact in facts.current(keys, TICKET, (*TOLD, *besides)):
        found[fact.key[1]].setdefault(folded(fact.fact.relation), fact)
    return found


def _stated(facts: FactIndex, question: SetQuestion, keys: Sequence[str]) -> dict[str, dict[str, StoredFact]]:
    """Everything that is stated of these things, of a list what was asked for; where nothing is of a file, where it begins."""
    found: dict[str, dict[str, StoredFact]] = {key: {} for key in keys}
    asked = {value for condition in question.conditions for value in condition.values}
    for fact in facts.of_things(keys, question.collection):
        relation = folded(fact.fact.relation)
        if relation not in found[fact.thing] or folded(head_of(fact.fact.value)) in asked:
            found[fact.thing][relation] = fact
    if question.collection == FILE:
        for key, fact in facts.first_leaves(key for key, stated in found.items() if not stated).items():
            found[key][FILE] = fact
    return found
