"""What a question asks of facts: of which things, under which conditions, and what of them is wanted.

A question is understood in this way only if every word of it is accounted for. A word of negation that is not
understood never becomes its opposite: such a question is left to the walk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Literal

from prompts.language import terms
from prompts.timespans import Span, find_span
from tree.ask.ticket_words import (
    BY_WORD,
    CLOSED,
    DONE_BY,
    FILLERS,
    GROUPED_BY,
    MANY,
    NEEDED,
    NEGATIONS,
    NOBODY,
    OPEN,
    RECORDED,
    SOMEBODY,
    TICKET_FILLERS,
    TICKETS,
    TURNING,
)
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Mention, Names, Token, tokens

Wanted = Literal["list", "count", "groups", "most", "least", "any"]
Answer = Literal["who", "when", "count", "where", "any"]

_WORKING = re.compile(r"\b(?:what|which)\b.{0,60}\bwork(?:s|ing)? on\b", re.IGNORECASE)
_OF_ONE = frozenset(("in", "that", "which", "of"))


@dataclass(frozen=True, slots=True)
class Condition:
    """One of `values` (folded, or ids of tickets) is among those of one of `relations`; with no values, the relation is empty.

    `span` asks for a date in it instead. `negated` turns the condition round.
    """

    relations: tuple[str, ...]
    values: frozenset[str] = frozenset()
    span: Span | None = None
    negated: bool = False
    words: str = ""
    extreme: str = ""  # "most", "least": those of the value that most or fewest of the tickets have


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """For a set of tickets: which satisfy all conditions, and what of them is wanted. `within` is the set it is asked of."""

    wanted: Wanted
    conditions: tuple[Condition, ...]
    group: str = ""  # relation by which they are counted
    noun: str = "tickets"
    shown: str = ""  # relation that is told of each ticket besides
    within: tuple[Condition, ...] = ()  # of the question before, where this one narrows it


@dataclass(slots=True)
class _Reading:
    """A question while it is read: which of its words are accounted for."""

    text: str
    tokens: list[Token]
    mentions: list[Mention]
    used: set[int] = field(default_factory=set)
    conditions: list[Condition] = field(default_factory=list)

    def take(self, first: int, last: int | None = None) -> None:
        self.used.update(range(first, first + 1 if last is None else last))

    def left(self) -> Iterable[int]:
        return (at for at in range(len(self.tokens)) if at not in self.used)

    def word(self, at: int) -> str:
        return self.tokens[at].text.casefold() if 0 <= at < len(self.tokens) else ""

    def has_comma(self, at: int) -> bool:
        """Whether a comma or the like stands between this word and the next."""
        between = self.text[self.tokens[at].end : self.tokens[at + 1].start] if at + 1 < len(self.tokens) else ""
        return any(mark in between for mark in ",;:.")


def read_set_question(text: str, names: Names, today: date, is_narrowing: bool = False) -> SetQuestion | None:
    """A question for tickets that satisfy conditions; None when it is not one, or says more than conditions can.

    Without conditions it is one only where it counts, or where it narrows the set before it: to all of that."""
    found = tokens(text)
    reading = _Reading(text, found, names.find(found))
    kinds = _kinds(reading, names)
    if kinds is None and _WORKING.search(text) and not any("ticket" in mention.kinds for mention in reading.mentions):
        kinds = ()
    if kinds is None or not _asks_for_a_set(reading):
        return None
    if any(_is_unknown_name(text, reading, one, other) for one, other in pairwise(reading.mentions)):
        return None
    span = find_span(without_names(text, reading.tokens, reading.mentions), today)
    if span is not None:
        reading.take(*_covered(found, span))
        reading.conditions.append(_dated(reading, span))
    _absences(reading, names)
    _values(reading, names)
    _states(reading, names)
    if _WORKING.search(text) and not any(one.relations[0] in ("open", "status", "resolved") for one in reading.conditions):
        reading.conditions.append(Condition(("open",), words="open"))
    wanted, group = _wanted(reading)
    if not _is_clear(reading, group):
        return None
    left = {reading.word(at) for at in reading.left()}
    if left & (NEGATIONS | TURNING | SOMEBODY) or not all(map(_is_filler, left)):
        return None
    conditions = (*kinds, *reading.conditions)
    if not conditions and not group:
        return SetQuestion(wanted, ()) if wanted == "count" or is_narrowing else None
    return SetQuestion(wanted, conditions, group)


_NEVER_DATES = frozenset(("person", "version", "sprint", "component", "project", "label"))


def without_names(text: str, found: Sequence[Token], mentions: Iterable[Mention]) -> str:
    """The question with longer names blanked out, as long as before: Jun-ho is no month, and "2021 Sprint 5" no year."""
    for mention in mentions:
        start, end = found[mention.first].start, found[mention.last - 1].end
        if mention.objects & _NEVER_DATES and not text[start:end].isalpha() and not text[start:end].isdigit():
            text = f"{text[:start]}{'_' * (end - start)}{text[end:]}"
    return text


def _is_clear(reading: _Reading, group: str) -> bool:
    """Whether what was read can mean but one thing."""
    asked = {relation for condition in reading.conditions for relation in condition.relations} | {group}
    for at in range(len(reading.tokens)):
        word = reading.word(at)
        if word in NEEDED and not asked & NEEDED[word] and reading.word(at + 1) != "under":  # filed under a component
            return False  # "which are assigned?" is not answered with all
        if (
            word in DONE_BY
            and reading.word(at + 1) == "by"
            and any(one.first == at + 2 and "person" in one.objects for one in reading.mentions)
        ):
            return False  # who closed it need not be who it is assigned to
    single = [one.relations for one in reading.conditions if one.values and not one.negated and not set(one.relations) & MANY]
    return len(single) == len(set(single))  # "in status A and in status B": one of them, or nothing?


def _is_unknown_name(text: str, reading: _Reading, one: Mention, other: Mention) -> bool:
    """Whether two people named side by side are one name that nobody has: the first of one and the last of another."""
    between = text[reading.tokens[one.last - 1].end : reading.tokens[other.first].start]
    return one.last == other.first and not between.strip() and "person" in one.objects & other.objects


# ---------------------------------------------------------------- what is asked for


def _kinds(reading: _Reading, names: Names) -> tuple[Condition, ...] | None:
    """The kinds of ticket that are named, or left out; None where the question is not about tickets."""
    types = names.values_of("type", "ticket") - RECORDED
    is_about_tickets = False
    found: dict[bool, list[str]] = {False: [], True: []}
    for at in range(len(reading.tokens)):
        word = reading.word(at)
        if _is_one(reading, at):
            return None  # "which epic is the ticket in that blocks ..." asks of one of them
        if word in TICKETS or (word == "everything" and _are_of_tickets(reading)):
            is_about_tickets = True
            reading.take(at)
            continue
        named = any(mention.first <= at < mention.last and mention.last - mention.first > 1 for mention in reading.mentions)
        kind = next((kind for kind in types if folded(word) in (kind, *_plurals(kind))), None)
        if (
            kind is None
            or named
            or (word == kind and reading.word(at - 1) not in ("a", "an", "any", "which", "what", "every", "each"))
        ):
            continue
        found[_negates(reading, at, frozenset(("a", "an", "any", "the")))].append(kind)
        reading.take(at)
    if found[False] or found[True]:
        return tuple(
            Condition(("type",), frozenset(kinds), negated=negated, words="not " * negated + " or ".join(kinds))
            for negated, kinds in found.items()
            if kinds
        )
    return () if is_about_tickets else None


def _is_one(reading: _Reading, at: int) -> bool:
    is_singular = reading.word(at) in ("ticket", "issue") and reading.word(at - 1) in ("the", "a", "that", "this")
    return is_singular and reading.word(at + 1) in _OF_ONE


def _are_of_tickets(reading: _Reading) -> bool:
    """Whether "everything" can only mean tickets: it says what is true of these alone, or names nothing but values of theirs."""
    words = {BY_WORD.get(reading.word(at)) for at in range(len(reading.tokens))}
    names = [mention for mention in reading.mentions if folded(mention.text) not in TICKET_FILLERS]
    only = all(mention.relations and mention.kinds <= {"ticket"} for mention in names)
    return bool(names) and (only or not words.isdisjoint(("assignee", "reporter", "priority", "label", "sprint", "fix version")))


def _plurals(kind: str) -> tuple[str, ...]:
    return (f"{kind}s", f"{kind[:-1]}ies") if kind.endswith("y") else (f"{kind}s",)


def _asks_for_a_set(reading: _Reading) -> bool:
    """Not why, how or when something is so, nor what one thing is like."""
    words = [reading.word(at) for at in range(len(reading.tokens))]
    if not words or words[0] in ("why", "when", "where", "whose", "whom"):
        return False
    if words[0] == "how":
        return words[1:2] == ["many"]
    if words[0] in ("what", "which") and words[1:2] in (["team"], ["teams"], ["person"], ["people"], ["role"]):
        return any(word in ("most", "fewest", "least") for word in words)
    if words[0] == "who":
        return any(word in ("most", "fewest", "least") for word in words)
    return not _asks_of_one(words)


def _asks_of_one(words: Sequence[str]) -> bool:
    """ "which epic is the ticket in", "what is the priority of the issue": something of one ticket, not a set of them."""
    noun = words[3:4] if words[1:3] == ["is", "the"] else words[1:2]
    is_one = any(before == "the" and word in ("ticket", "issue", "card") for before, word in pairwise(words))
    return words[0] in ("what", "which") and is_one and bool(noun) and noun[0] in BY_WORD


def _wanted(reading: _Reading) -> tuple[Wanted, str]:
    """List, count or groups, and by what they are counted."""
    words = [reading.word(at) for at in range(len(reading.tokens))]
    for at, word in enumerate(words):
        if word in ("per", "by", "each") and at + 1 < len(words) and words[at + 1] in GROUPED_BY:
            reading.take(at, at + 2)
            return "groups", GROUPED_BY[words[at + 1]]
        if word in ("most", "fewest", "least") and any(one in ("who", "which", "what") for one in words[:at]):
            group = next((GROUPED_BY[one] for one in words[:at] if one in GROUPED_BY), "")
            if words[0] == "who" and any(BY_WORD.get(one) == "reporter" for one in words[:at]):
                group = "reporter"
            if group:
                reading.take(at)
                reading.used.update(number for number, one in enumerate(words) if one in GROUPED_BY and number < at)
                return ("most" if word == "most" else "least"), group
    if words[:2] == ["how", "many"] or words[0] == "count" or "number" in words:
        return "count", ""
    if words[0] in ("is", "are", "any"):
        return "any", ""
    return "list", ""


# ---------------------------------------------------------------- conditions


def _dated(reading: _Reading, span: Span) -> Condition:
    """Which date of a ticket is meant: the nearest word before the time, or after it, that names one."""
    first, last = _covered(reading.tokens, span)
    near = [*range(first - 1, -1, -1), *range(last, len(reading.tokens))]
    at = next((at for at in near if BY_WORD.get(reading.word(at)) in ("created", "updated", "resolved", "due")), None)
    relation = BY_WORD[reading.word(at)] if at is not None else "updated"
    negated = _negates(reading, at if at is not None and at < first else first, FILLERS)
    if at is not None:
        reading.take(at)
    return Condition((relation,), span=span, negated=negated, words="not " * negated + f"{relation} {span.words}")


def _covered(found: Sequence[Token], span: Span) -> tuple[int, int]:
    inside = [number for number, token in enumerate(found) if token.start < span.end and token.end > span.start]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _negates(reading: _Reading, at: int, between: frozenset[str] = TICKET_FILLERS - CLOSED - OPEN) -> bool:
    """Whether a word of negation stands before this one, with nothing but such words between; it is then accounted for."""
    for before in range(at - 1, max(-1, at - 6), -1):
        word = reading.word(before)
        if reading.has_comma(before):
            return False
        if word in NEGATIONS - {"never"}:  # never is a matter of the history
            reading.take(before)
            if word == "other" and reading.word(before + 1) == "than":
                reading.take(before + 1)
            return True
        if word == "than" and reading.word(before - 1) == "other":
            reading.take(before - 1, before + 1)
            return True
        if before in reading.used or word in ("and", "or", "but") or word not in between:
            return False
    return False


def _values(reading: _Reading, names: Names) -> None:
    """Names in the question that are values of tickets: people, states, components, versions, sprints, epics."""
    lists: list[tuple[tuple[str, ...], bool, list[tuple[str, str]]]] = []
    last: tuple[int, tuple[str, ...], bool] | None = None  # where the value before ends, its relations, whether it is negated
    for mention in reading.mentions:
        is_used = any(at in reading.used for at in range(mention.first, mention.last))
        if is_used or _is_said_in_general(reading, mention, names) or _is_a_relation(reading, mention):
            continue
        relations = _relations_meant(reading, mention, names)
        if last is not None and set(last[1]) & mention.relations and _is_listed(reading, last[0], mention.first):
            relations, negated = last[1:]  # "not assigned to A or B"
            if negated and reading.word(mention.first - 1) == "and":
                continue  # "not in A and B" may mean two things
        elif relations:
            negated = _negates(reading, mention.first)
            lists.append((relations, negated, []))
        else:
            continue
        reading.take(mention.first, mention.last)
        last = mention.last, relations, negated
        lists[-1][2].extend((name, mention.text) for name in sorted(mention.names))
    for relations, negated, values in lists:
        words = " or ".join(dict.fromkeys(text for _, text in values))
        said = "not " * negated + ("of " if relations == ("team",) else f"{relations[0]} ") + words
        reading.conditions.append(Condition(relations, frozenset(name for name, _ in values), negated=negated, words=said))


def _is_said_in_general(reading: _Reading, mention: Mention, names: Names) -> bool:
    """Whether "open" or "done" asks what is finished and what is not, and not for the state that is called so."""
    state = folded(mention.text)
    is_state = reading.word(mention.first - 1) in ("status", "state") and state in names.values_of("status", "ticket") | {"done"}
    return state in ("blocked", "open", "closed", "done") and not is_state


def _is_a_relation(reading: _Reading, mention: Mention) -> bool:
    """Whether a word only says what the next name is a value of: "label" in "the label offline", though a label is called so."""
    at = mention.first
    relation = BY_WORD.get(reading.word(at))
    while relation is not None and BY_WORD.get(reading.word(at)) == relation:
        at += 1
        if any(one.first == at and relation in one.relations for one in reading.mentions):
            return True
    return False


def _is_listed(reading: _Reading, last: int, first: int) -> bool:
    """Whether a value follows one that ends there in a list: "A, B or C"."""
    return last == first or (last == first - 1 and reading.word(last) in ("or", "and"))


_LINKS = {"blocks": ("blocks", "block", "blocking"), "is blocked by": ("blocked",)}


def _relations_meant(reading: _Reading, mention: Mention, names: Names) -> tuple[str, ...]:
    """The relation that a name is a value of, by the words around it."""
    before = [reading.word(at) for at in range(mention.first - 1, max(-1, mention.first - 6), -1)]
    put = next((at for at, word in enumerate(before) if word in ("except", "excluding", "other")), len(before))
    around = [*before[:put], reading.word(mention.last)]
    if "person" in mention.objects and not mention.relations & {"assignee", "reporter", "creator"}:
        return _of_owner(mention)
    if "person" in mention.objects:
        said = next((BY_WORD[word] for word in around if BY_WORD.get(word) in ("assignee", "reporter", "creator")), "")
        by = around[0] == "by" and ("created" in around or "opened" in around)
        return ("reporter",) if said == "reporter" or (not said and by) else (said or "assignee",)
    if "ticket" in mention.kinds:
        for relation, verbs in _LINKS.items():
            if at := next((at for at in range(mention.first - 1, -1, -1) if reading.word(at) in verbs), None):
                reading.take(at)
                return (relation,)
        return ("epic", "parent") if _is_inside(reading, mention) else ()
    order = (
        "status",
        "component",
        "fix version",
        "affects version",
        "sprint",
        "project",
        "label",
        "priority",
        "resolution",
        "type",
    )
    known = [relation for relation in order if relation in mention.relations and _is_of_tickets(relation, mention, names)]
    said = next((BY_WORD[word] for word in around if BY_WORD.get(word) in known), "")
    return (said,) if said else tuple(known[:1]) or _of_owner(mention)


def _is_of_tickets(relation: str, mention: Mention, names: Names) -> bool:
    """Whether tickets have the value, and not only rows of some table."""
    return relation == "status" or bool(mention.names & names.values_of(relation, "ticket"))


def _of_owner(mention: Mention) -> tuple[str, ...]:
    """A team has the tickets of the components that it owns."""
    return ("team",) if any(relation.startswith("own") for relation in mention.relations) else ()


def _is_inside(reading: _Reading, mention: Mention) -> bool:
    """Whether tickets are asked for that are part of this one: in, of, under it."""
    at = mention.first - 1
    while reading.word(at) in ("the", "ticket", "issue"):
        at -= 1
    word = reading.word(at)
    return word in ("in", "of", "under", "to", "for", "epic", "parent", "story") or reading.word(mention.last) in TICKETS


def _states(reading: _Reading, names: Names) -> None:
    """Open and closed, unassigned, blocked, overdue."""
    for at in list(reading.left()):
        word = reading.word(at)
        if reading.word(at - 1) in ("status", "state") and word in names.values_of("status", "ticket"):
            negated = _negates(reading, at)
            reading.take(at)
            reading.conditions.append(
                Condition(("status",), frozenset((word,)), negated=negated, words="not " * negated + f"status {word}")
            )
        elif word in OPEN:
            negated = _negates(reading, at)
            reading.take(at)
            reading.conditions.append(Condition(("open",), negated=negated, words="closed" if negated else "open"))
        elif word in CLOSED and not any(one.span and one.relations == ("resolved",) for one in reading.conditions):
            negated = _negates(reading, at)
            reading.take(at)
            reading.conditions.append(Condition(("open",), negated=not negated, words="open" if negated else "closed"))
        elif word in NOBODY:
            negated = _negates(reading, at)
            reading.take(at)
            said = "assigned to somebody" if negated else "assigned to nobody"
            reading.conditions.append(Condition(("assignee",), negated=negated, words=said))
        elif word == "blocked":
            negated = _negates(reading, at)
            reading.take(at)
            reading.conditions.append(Condition(("blocked",), negated=negated, words="not blocked" if negated else "blocked"))
        elif word == "overdue":
            negated = _negates(reading, at)
            reading.take(at)
            reading.conditions.append(Condition(("overdue",), negated=negated, words="not overdue" if negated else "overdue"))


def _absences(reading: _Reading, names: Names) -> None:
    """ "without a component", "no assignee", "priority none": the relation is empty, or has that very value."""
    for at in list(reading.left()):
        relation = BY_WORD.get(reading.word(at - 1), "")
        if reading.word(at) == "none" and relation:
            reading.take(at - 1, at + 1)
            values = frozenset(("none",)) & names.values_of(relation, "ticket")
            reading.conditions.append(Condition((relation,), values, words=f"{relation} none"))
        if reading.word(at) not in ("without", "no"):
            continue
        after = next(
            (
                one
                for one in range(at + 1, min(at + 5, len(reading.tokens)))
                if reading.word(one) not in ("a", "an", "any", "the")
            ),
            at,
        )
        relation = BY_WORD.get(reading.word(after), "")
        named = " ".join((reading.word(after), reading.word(after + 1)))
        if named in ("fix version", "due date"):
            relation = "fix version" if named == "fix version" else "due"
            after += 1
        if relation and not _is_followed_by_value(reading, relation, after):
            reading.take(at, after + 1)
            reading.conditions.append(Condition((relation,), words=f"without {relation}"))


def _is_followed_by_value(reading: _Reading, relation: str, at: int) -> bool:
    """ "without the fix version 2.0" does not ask for those without any."""
    return any(mention.first == at + 1 and relation in mention.relations for mention in reading.mentions)


def _is_filler(word: str) -> bool:
    return word in TICKET_FILLERS or (not terms(word) and word not in NEGATIONS) or folded(word) == ""
