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
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Mention, Names, Token, tokens

Wanted = Literal["list", "count", "groups", "most", "least", "any"]
Answer = Literal["who", "when", "count", "where", "any"]

TICKETS = frozenset("ticket tickets issue issues card cards work".split())
RECORDED = frozenset(
    "decision action event question risk".split()
)  # documents hold these too: a list of tickets would not be all
NEGATIONS = frozenset(
    "not no without except excluding never neither nor isn't aren't don't doesn't hasn't haven't wasn't non other".split()
)
OPEN = frozenset("open unresolved unfinished outstanding ongoing active pending remaining going".split())
CLOSED = frozenset("closed resolved finished completed done fixed solved shipped".split())
NOBODY = frozenset("unassigned nobody noone".split())
# Words that change what is asked, though they carry no weight in a search.
TURNING = frozenset(
    """only both either never ever before after until between more most fewer few less again than over above below unless instead
    hardly always just first last longer per rather such""".split()
)
SOMEBODY = frozenset("he she him his her hers himself herself it its".split())  # whom or what the question does not name
_WORKING = re.compile(r"\b(?:what|which)\b.{0,60}\bwork(?:s|ing)? on\b", re.IGNORECASE)
# What a list of things is asked with, and words that add nothing to a condition beside them.
FILLERS = frozenset(
    """which what show list give me all the a an of are is was were be been there any in on at by for to from with and or that have has had
    do does did we our us i my you your please currently now right today's still so far exactly it them they their this these those who
    whom whose many much how number count total overview full complete comprehensive every each name names called tell can could would
    get got find see need know about being as""".split()
)
# Words about tickets that a condition has made use of, or that say no more than that tickets are meant.
TICKET_FILLERS = FILLERS | frozenset(
    """state states status field value set equal equals priority component components version versions
    fix release sprint label labels epic epics project assigned assignee assignees reporter reported raised filed created opened updated
    changed resolved closed due date dates working works worked work belong belongs belonging part under team person people type kind
    kinds types one ones some same report raise file assign""".split()
)  # fmt: skip
# The words people use for a relation of tickets.
RELATIONS: dict[str, tuple[str, ...]] = {
    "assignee": ("assignee", "assigned", "assign", "working", "works", "responsible", "handles", "handling", "doing"),
    "reporter": ("reporter", "reported", "reports", "report", "raised", "filed", "reporting"),
    "creator": ("creator",),
    "status": ("status", "state"),
    "priority": ("priority", "urgent", "important"),
    "type": ("type", "kind"),
    "component": ("component", "components"),
    "fix version": ("version", "versions", "release", "fix"),
    "sprint": ("sprint", "sprints"),
    "epic": ("epic", "epics"),
    "parent": ("parent",),
    "label": ("label", "labels"),
    "resolution": ("resolution",),
    "due": ("due", "deadline"),
    "created": ("created", "opened", "filed", "raised"),
    "updated": ("updated", "changed", "touched"),
    "resolved": ("resolved", "closed", "fixed", "done", "finished", "completed"),
    "project": ("project",),
}
BY_WORD = {word: relation for relation, words in RELATIONS.items() for word in words}
MANY = frozenset(("component", "fix version", "affects version", "sprint", "label", "epic", "parent", "blocks", "is blocked by"))
# Words that say nothing without a condition on one of these relations.
NEEDED = {
    "assigned": {"assignee"}, "due": {"due", "overdue"}, "deadline": {"due", "overdue"}, "reported": {"reporter", "created"},
    "raised": {"reporter", "created"}, "filed": {"reporter", "created"}, "updated": {"updated"}, "changed": {"updated"},
}  # fmt: skip
DONE_BY = CLOSED | {"updated", "changed", "touched"}
GROUPED_BY = {
    "person": "assignee", "people": "assignee", "assignee": "assignee", "assignees": "assignee", "who": "assignee", "reporter": "reporter",
    "status": "status", "state": "status", "priority": "priority", "component": "component", "components": "component", "type": "type",
    "types": "type", "version": "fix version", "versions": "fix version", "release": "fix version", "sprint": "sprint", "sprints": "sprint",
    "epic": "epic", "epics": "epic", "label": "label", "labels": "label", "project": "project", "month": "month", "months": "month",
}  # fmt: skip


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
    span = find_span(without_people(text, reading.tokens, reading.mentions), today)
    if span is not None:
        reading.take(*_covered(found, span))
        reading.conditions.append(_dated(reading, span))
    _absences(reading)
    _values(reading)
    _states(reading)
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


def without_people(text: str, found: Sequence[Token], mentions: Iterable[Mention]) -> str:
    """The question with people's names blanked out, as long as before: Jun-ho is no month."""
    for mention in mentions:
        start, end = found[mention.first].start, found[mention.last - 1].end
        if "person" in mention.objects and not text[start:end].isalpha():
            text = f"{text[:start]}{'_' * (end - start)}{text[end:]}"
    return text


def _is_clear(reading: _Reading, group: str) -> bool:
    """Whether what was read can mean but one thing."""
    asked = {relation for condition in reading.conditions for relation in condition.relations} | {group}
    for at in range(len(reading.tokens)):
        word = reading.word(at)
        if word in NEEDED and not asked & NEEDED[word]:
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
    """The kinds of ticket that are named; None where the question is not about tickets."""
    types = names.values_of("type", "ticket") - RECORDED
    is_about_tickets = False
    found: list[str] = []
    for at in range(len(reading.tokens)):
        word = reading.word(at)
        if word in TICKETS:
            is_about_tickets = True
            reading.take(at)
            continue
        named = any(mention.first <= at < mention.last and mention.last - mention.first > 1 for mention in reading.mentions)
        kind = next((kind for kind in types if word in (kind, *_plurals(kind))), None)
        if (
            kind is None
            or named
            or (word == kind and reading.word(at - 1) not in ("a", "an", "any", "which", "what", "every", "each"))
        ):
            continue
        found.append(kind)
        reading.take(at)
    if found:
        return (Condition(("type",), frozenset(found), words=" or ".join(found)),)
    return () if is_about_tickets else None


def _plurals(kind: str) -> tuple[str, ...]:
    return (f"{kind}s", f"{kind[:-1]}ies") if kind.endswith("y") else (f"{kind}s",)


def _asks_for_a_set(reading: _Reading) -> bool:
    """Not why, how or when something is so, nor what one thing is like."""
    words = [reading.word(at) for at in range(len(reading.tokens))]
    if not words or words[0] in ("why", "when", "where", "whose", "whom"):
        return False
    if words[0] == "how":
        return words[1:2] == ["many"]
    if words[0] == "who":
        return any(word in ("most", "fewest", "least") for word in words)
    return True


def _wanted(reading: _Reading) -> tuple[Wanted, str]:
    """List, count or groups, and by what they are counted."""
    words = [reading.word(at) for at in range(len(reading.tokens))]
    for at, word in enumerate(words):
        if word in ("per", "by", "each") and at + 1 < len(words) and words[at + 1] in GROUPED_BY:
            reading.take(at, at + 2)
            return "groups", GROUPED_BY[words[at + 1]]
        if word in ("most", "fewest", "least") and any(one in ("who", "which", "what") for one in words[:at]):
            group = next((GROUPED_BY[one] for one in words[:at] if one in GROUPED_BY), "")
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


def _values(reading: _Reading) -> None:
    """Names in the question that are values of tickets: people, states, components, versions, sprints, epics."""
    lists: list[tuple[tuple[str, ...], bool, list[tuple[str, str]]]] = []
    last: tuple[int, tuple[str, ...], bool] | None = None  # where the value before ends, its relations, whether it is negated
    for mention in reading.mentions:
        if folded(mention.text) in ("blocked", "open", "closed") or any(
            at in reading.used for at in range(mention.first, mention.last)
        ):
            continue
        relations = _relations_meant(reading, mention)
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


def _is_listed(reading: _Reading, last: int, first: int) -> bool:
    """Whether a value follows one that ends there in a list: "A, B or C"."""
    return last == first or (last == first - 1 and reading.word(last) in ("or", "and"))


_LINKS = {"blocks": ("blocks", "block", "blocking"), "is blocked by": ("blocked",)}


def _relations_meant(reading: _Reading, mention: Mention) -> tuple[str, ...]:
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
        return ("epic", "parent")
    order = (
        "status",
        "component",
        "fix version",
        "affects version",
        "sprint",
        "label",
        "priority",
        "project",
        "resolution",
        "type",
    )
    known = [relation for relation in order if relation in mention.relations]
    said = next((BY_WORD[word] for word in around if BY_WORD.get(word) in known), "")
    return (said,) if said else tuple(known[:1]) or _of_owner(mention)


def _of_owner(mention: Mention) -> tuple[str, ...]:
    """A team has the tickets of the components that it owns."""
    return ("team",) if any(relation.startswith("own") for relation in mention.relations) else ()


def _states(reading: _Reading) -> None:
    """Open and closed, unassigned, blocked, overdue."""
    for at in list(reading.left()):
        word = reading.word(at)
        if word in OPEN:
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


def _absences(reading: _Reading) -> None:
    """ "without a component", "no assignee": the relation is empty."""
    for at in list(reading.left()):
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
