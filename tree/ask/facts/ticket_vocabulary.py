"""The words in which tickets are asked for: their kinds, people, components, versions, states, links, dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise

from prompts.language import plural, singular
from prompts.regex import regex
from prompts.timespans import Span
from tree.ask.facts.degrees import AGES
from tree.ask.facts.set_question import BLOCKED, Condition
from tree.ask.facts.set_reading import Reading, negates
from tree.ask.facts.ticket_words import (
    ACTS,
    BY_WORD,
    CLOSED,
    DONE_BY,
    GROUPED_BY,
    MANY,
    NEEDED,
    NOBODY,
    OPEN,
    RECORDED,
    TICKET_FILLERS,
    TICKETS,
)
from tree.retrieve.fact_index import TICKET, folded
from tree.retrieve.names import Mention, Names, Token

_WORKING = regex(r"\b(?:what|which)\b.{0,60}\bwork(?:s|ing)? on\b", re.IGNORECASE)
_BEFORE_A_KIND = frozenset("a an any which what every each".split())
_LEAVING_OUT = frozenset(("except", "excluding", "other"))
_BEFORE_LEFT_OUT = frozenset(("a", "an", "any", "the", "for", "than"))
_NOT = frozenset("without not no isn't aren't haven't hasn't don't".split())  # before somebody, or before having one
_AUXILIARY = frozenset("have has had got yet been is are".split())
_ANYBODY = frozenset("anybody anyone somebody someone person assignee".split())
_OF_ONE = frozenset(("in", "that", "which", "of"))
_IS_BETWEEN = (TICKET_FILLERS - CLOSED - OPEN).__contains__


class TicketVocabulary:
    """The words that people use for tickets, with the names that a scope knows."""

    grouped_by: Mapping[str, str] = GROUPED_BY

    def __init__(self, names: Names) -> None:
        self._names = names

    def mentions(self, found: list[Token]) -> list[Mention]:
        return self._names.find(found)

    def relation_of(self, word: str) -> str:
        return BY_WORD.get(word, "")

    def is_filler(self, word: str) -> bool:
        return word in TICKET_FILLERS

    def columns(self, words: Iterable[str]) -> tuple[str, ...]:
        return ()

    def beginning_with(self, relation: str, value: str) -> Iterable[str]:
        return ()

    def amount_of(self, word: str) -> str:
        return ""

    def date_of(self, word: str) -> str:
        relation = BY_WORD.get(word, "") if word else "created"
        return "created" if relation == "reporter" else relation if relation in ("created", "updated", "resolved") else ""

    @property
    def spelt(self) -> range:
        return range(0)

    def price_spelt(self) -> str:
        return ""

    def measured_by(self, word: str) -> str:
        return ""

    def is_thing(self, word: str) -> bool:
        return word in TICKETS or (
            word not in GROUPED_BY and bool({word, singular(word)} & self._names.values_of("type", TICKET))
        )

    def is_shown_ranked(self, left: Set[str]) -> bool:
        return not any(word in BY_WORD for word in left)

    def date_ahead(self) -> str:
        return "due"

    def has_date_in(self, relation: str, span: Span) -> bool:
        return True

    def label_of(self, relation: str) -> str:
        return relation

    def absence(self, relation: str) -> Condition:
        return Condition((relation,), words=f"without {relation}")

    def none_of(self, relation: str) -> frozenset[str]:
        return frozenset(("none",)) & self._names.values_of(relation, TICKET)

    def kinds(self, reading: Reading) -> tuple[Condition, ...] | None:
        kinds = self._kinds(reading)
        names_one = any("ticket" in mention.kinds for mention in reading.mentions)
        return () if kinds is None and _WORKING.search(reading.text) and not names_one else kinds

    def _kinds(self, reading: Reading) -> tuple[Condition, ...] | None:
        """The kinds of ticket that are named, or left out; None where the question is not about tickets."""
        types = self._names.values_of("type", TICKET) - RECORDED
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
            kind = next((kind for kind in types if folded(word) in (kind, plural(kind))), None)
            if kind is None or named or _is_group(reading, at) or (word == kind and not _is_said_as_kind(reading, at)):
                continue
            found[negates(reading, at, _BEFORE_LEFT_OUT.__contains__)].append(kind)
            reading.take(at)
        if found[False] or found[True]:
            return tuple(
                Condition(("type",), frozenset(kinds), negated=negated, words="not " * negated + " or ".join(kinds))
                for negated, kinds in found.items()
                if kinds
            )
        return () if is_about_tickets else None

    def date_meant(self, reading: Reading, first: int, last: int) -> tuple[str, int | None]:
        """The nearest word before the time, or after it, that names a date."""
        near = [*range(first - 1, -1, -1), *range(last, len(reading.tokens))]
        at = next((at for at in near if BY_WORD.get(reading.word(at)) in ("created", "updated", "resolved", "due")), None)
        return (BY_WORD[reading.word(at)] if at is not None else "updated"), at

    def is_general(self, reading: Reading, mention: Mention) -> bool:
        state = folded(mention.text)
        is_state = reading.word(mention.first - 1) in ("status", "state") and state in self._names.values_of("status", TICKET) | {
            "done"
        }
        return state in ("blocked", "open", "closed", "done") and not is_state

    def relations_meant(self, reading: Reading, mention: Mention) -> tuple[str, ...]:
        before = [reading.word(at) for at in range(mention.first - 1, max(-1, mention.first - 6), -1)]
        put = next((at for at, word in enumerate(before) if word in ("except", "excluding", "other")), len(before))
        around = [*before[:put], reading.word(mention.last)]
        if "person" in mention.objects and not mention.relations & {"assignee", "reporter", "creator"}:
            return _of_owner(mention)
        if "person" in mention.objects and _owns(reading, mention):
            return ()  # "Ines' epic": what is hers is named by it, and not whose the tickets are
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
        known = [relation for relation in order if relation in mention.relations and self._is_of_tickets(relation, mention)]
        said = next((BY_WORD[word] for word in around if BY_WORD.get(word) in known), "")
        return (said,) if said else tuple(known[:1]) or _of_owner(mention)

    def _is_of_tickets(self, relation: str, mention: Mention) -> bool:
        """Whether tickets have the value, and not only rows of some table."""
        return relation == "status" or bool(mention.names & self._names.values_of(relation, TICKET))

    def states(self, reading: Reading) -> None:
        for at in list(reading.left()):
            word = reading.word(at)
            if word in _NOT and (last := _is_of_nobody(reading, at)):
                reading.take(at, last)
                reading.conditions.append(Condition(("assignee",), words="assigned to nobody"))
                continue
            if reading.word(at - 1) in ("status", "state") and word in self._names.values_of("status", TICKET):
                negated = negates(reading, at, _IS_BETWEEN)
                reading.take(at)
                reading.conditions.append(
                    Condition(("status",), frozenset((word,)), negated=negated, words="not " * negated + f"status {word}")
                )
            elif word in OPEN:
                negated = negates(reading, at, _IS_BETWEEN)
                reading.take(at)
                reading.conditions.append(Condition(("open",), negated=negated, words="closed" if negated else "open"))
            elif word in CLOSED and not any(one.span and one.relations == ("resolved",) for one in reading.conditions):
                negated = negates(reading, at, _IS_BETWEEN)
                reading.take(at)
                reading.conditions.append(Condition(("open",), negated=not negated, words="open" if negated else "closed"))
            elif word in NOBODY:
                negated = negates(reading, at, _IS_BETWEEN)
                reading.take(at)
                said = "assigned to somebody" if negated else "assigned to nobody"
                reading.conditions.append(Condition(("assignee",), negated=negated, words=said))
            elif word == "blocked":
                negated = negates(reading, at, _IS_BETWEEN)
                reading.take(at)
                is_state = not negated and "blocked" in self._names.values_of("status", TICKET)
                reading.conditions.append(
                    Condition(("status",), frozenset((BLOCKED,)), words="status blocked")
                    if is_state
                    else Condition((BLOCKED,), negated=negated, words="not blocked" if negated else "blocked")
                )
            elif word == "overdue":
                negated = negates(reading, at, _IS_BETWEEN)
                reading.take(at)
                reading.conditions.append(Condition(("overdue",), negated=negated, words="not overdue" if negated else "overdue"))
        is_told = any(one.relations[0] in ("open", "status", "resolved") for one in reading.conditions)
        if _WORKING.search(reading.text) and not is_told:
            reading.conditions.append(Condition(("open",), words="open"))

    def is_clear(self, reading: Reading, group: str) -> bool:
        if reading.word(0) == "who" and reading.word(1) in ACTS:
            return False  # who closed or created most of them need not be who they are assigned to
        if (
            [reading.word(0), reading.word(1)] == ["how", "many"]
            and not group
            and 2 not in reading.used
            and reading.word(2) in GROUPED_BY
        ):
            return False  # "how many people work on it?" asks for no tickets
        asked = {relation for condition in reading.conditions for relation in condition.relations} | {group}
        for at in range(len(reading.tokens)):
            word = reading.word(at)
            if word == "sprint" and reading.word(at - 1) in _WHICH_SPRINT and "sprint" not in asked:
                return False  # "done this sprint", where no sprint is known to be meant
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

    def asks_of_one(self, words: Sequence[str]) -> bool:
        """ "which epic is the ticket in", "what is the priority of the issue": something of one ticket, not a set of them."""
        if words[0] in ("what", "which") and words[1:2] in (["team"], ["teams"], ["person"], ["people"], ["role"]):
            return not any(word in ("most", "fewest", "least", "than", "over") for word in words)
        noun = words[3:4] if words[1:3] == ["is", "the"] else words[1:2]
        is_one = any(before == "the" and word in ("ticket", "issue", "card") for before, word in pairwise(words))
        return words[0] in ("what", "which") and is_one and bool(noun) and noun[0] in BY_WORD


def _is_group(reading: Reading, at: int) -> bool:
    """ "which epic has the most tickets": tickets are counted by it."""
    compares = any(reading.word(one) in ("most", "fewest", "than", "least", "over") for one in range(at, len(reading.tokens)))
    return reading.word(at) in GROUPED_BY and reading.word(at + 1) in ("has", "have", "with") and compares


def _is_ranked(reading: Reading, at: int) -> bool:
    """ "the oldest open bug", "the most recent incident"."""
    return any(reading.word(before) in AGES or reading.word(before) == "recent" for before in range(at - 3, at))


def _is_one(reading: Reading, at: int) -> bool:
    is_singular = reading.word(at) in ("ticket", "issue") and reading.word(at - 1) in ("the", "a", "that", "this")
    return is_singular and reading.word(at + 1) in _OF_ONE


def _is_of_nobody(reading: Reading, at: int) -> int:
    """Where what says that nobody has them ends: "without anybody assigned", "not assigned to anyone", "no one working on"; else 0."""
    words = [reading.word(one) for one in range(at + 1, len(reading.tokens))]
    skipped = next((number for number, word in enumerate(words) if word not in _AUXILIARY), len(words))
    words = words[skipped:]
    if words[:1] and (words[0] in _ANYBODY or (words[0] == "one" and reading.word(at) == "no")):
        end = 1 + (words[1:2] == ["is"])
        has_it = words[end : end + 1] and words[end] in ("assigned", "working", "responsible", "doing")
        end += bool(has_it)
    elif words[:2] == ["assigned", "to"] and words[2:3] and words[2] in _ANYBODY:
        end = 3
    else:
        return 0
    end += sum(1 for word in words[end : end + 2] if word in ("on", "to", "for", "it", "them"))
    return at + 1 + skipped + end


def _is_said_as_kind(reading: Reading, at: int) -> bool:
    """Whether one word for a kind means all that are of it: "which bug", "the oldest bug", "except the epic"."""
    if reading.word(at) in BY_WORD and reading.word(at - 1) in ("a", "an", "any") and reading.word(at - 2) in ("without", "no"):
        return False  # "without an epic" is said of where tickets belong
    if reading.word(at - 1) in _BEFORE_A_KIND or _is_ranked(reading, at):
        return True
    if reading.word(at - 1) != "the":  # nor is "without epic"
        return reading.word(at - 1) in _LEAVING_OUT
    before = at - 3 if reading.word(at - 2) in ("for", "from", "than") else at - 2
    return reading.word(before) in _LEAVING_OUT | {"without", "not"}


def _are_of_tickets(reading: Reading) -> bool:
    """Whether "everything" can only mean tickets: it says what is true of these alone, or names nothing but values of theirs."""
    words = {BY_WORD.get(reading.word(at)) for at in range(len(reading.tokens))}
    names = [mention for mention in reading.mentions if folded(mention.text) not in TICKET_FILLERS]
    only = all(mention.relations and mention.kinds <= {"ticket"} for mention in names)
    return bool(names) and (only or not words.isdisjoint(("assignee", "reporter", "priority", "label", "sprint", "fix version")))


_WHICH_SPRINT = frozenset("this the current last previous next our".split())
_OWNED = frozenset(("epic", "epics", "sprint", "project", "component"))


def _owns(reading: Reading, mention: Mention) -> bool:
    """Whether something of somebody is named, "Maren's epic", and not somebody whose the tickets are."""
    return reading.word(mention.last) == "s" and reading.word(mention.last + 1) in _OWNED


_LINKS = {"blocks": ("blocks", "block", "blocking"), "is blocked by": ("blocked",)}


def _of_owner(mention: Mention) -> tuple[str, ...]:
    """A team has the tickets of the components that it owns."""
    return ("team",) if any(relation.startswith("own") for relation in mention.relations) else ()


def _is_inside(reading: Reading, mention: Mention) -> bool:
    """Whether tickets are asked for that are part of this one: in, of, under it."""
    at = mention.first - 1
    while reading.word(at) in ("the", "ticket", "issue"):
        at -= 1
    word = reading.word(at)
    return word in ("in", "of", "under", "to", "for", "epic", "parent", "story") or reading.word(mention.last) in TICKETS
