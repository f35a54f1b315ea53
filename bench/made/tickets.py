"""Questions on tickets in the Jira they come from: single facts, sets, counts, groups, chains, names that there are not."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

from bench.judging import Gold
from bench.made.made_set import MadeSet
from bench.made.raw_tickets import (
    MONTHS,
    RawTicket,
    RawTickets,
    archives,
    has,
    has_one_of,
    in_span,
    lacks,
    leads_to_one,
    read_archives,
    spoken,
    states,
)
from ingestion.sources import Sources
from ingestion.sync import sync
from jira_simulator import Site, load_archive, running
from tree.workspace import Workspace, open_workspace

Thing = TypeVar("Thing")
EMAIL, TOKEN = "reader@example.com", "simulator-token"
MOST_TICKETS = 400  # of a set that is asked for; nobody asks for more
BORDER = timedelta(hours=14)  # a ticket so near to the border of a month is in another one elsewhere

SIMPLE: dict[str, tuple[str, ...]] = {
    "assignee": ("Who is assigned to {key}?", "who is {key} assigned to", "assignee of {low}?"),
    "reporter": ("Who reported {key}?", "who filed {low}", "reporter of {key}"),
    "status": ("What is the status of {key}?", "status {low}", "whats the state of {key}"),
    "priority": ("What priority has {key}?", "priority of {low}?"),
    "type": ("What type of ticket is {key}?", "what kind of issue is {low}"),
    "resolution": ("What is the resolution of {key}?", "with which resolution was {key} closed?"),
    "component": ("Which component does {key} belong to?", "component of {low}"),
    "fix version": ("Which version fixes {key}?", "fix version of {low}?", "In which release was {key} fixed?"),
    "label": ("Which labels does {key} have?", "labels of {low}"),
}
CONDITIONS: dict[str, tuple[str, ...]] = {  # what is said of the tickets after "Which tickets are"
    "component": ("in the component {v}", "in component {v}"),
    "assignee": ("assigned to {v}",),
    "reporter": ("reported by {v}",),
    "status": ("in status {v}", "with status {v}"),
    "priority": ("with priority {v}", "of priority {v}"),
    "label": ("with the label {v}", "labelled {v}"),
    "fix version": ("with the fix version {v}", "for the version {v}"),
    "resolution": ("with resolution {v}",),
}
SAME: dict[str, tuple[str, ...]] = {  # ways of asking for the same list
    "component": (
        "Which tickets are in the component {v}?", "comprehensive list of all the {v} tickets", "show me everything in {v}",
        "what issues does {v} have", "give me the tickets that belong to {v}", "all {v} issues please", "which issues are filed under {v}",
        "tickets {v}", "I need every ticket of component {v}", "can you list the {v} tickets for me?",
    ),
    "assignee": (
        "Which tickets are assigned to {v}?", "{v}'s tickets", "what tickets does {v} have", "list everything assigned to {v}",
        "issues of {v}", "which issues is {v} responsible for", "show all tickets where {v} is the assignee", "tickets on {v}",
        "give me {v}'s issues", "all work assigned to {v}",
    ),
}  # fmt: skip
HEADS = ("Which {noun} are {c}?", "List all {noun} {c}", "show me the {noun} {c}")
NOUNS = {"Bug": "bugs", "Story": "stories", "Improvement": "improvements", "Sub-task": "sub-tasks", "Epic": "epics"}
MADE_UP = (
    "Quillon",
    "Brackenvale",
    "Tessarine",
    "Ostrava Relay",
    "Farrowgate",
    "Umberline",
    "Kestrel Bay",
    "Nimbolt",
    "Dovrefell",
    "Wexcombe",
)
PEOPLE = ("Odalys Brandvold", "Thaddeus Wickramasinghe", "Ingvild Castellanos", "Percival Nakagawa", "Rosamund Ekwueme")
KEYS = ("status", "assignee", "priority", "reporter")
LINKED: dict[
    str, tuple[str, str]
] = {  # link of a ticket -> how the ticket at its other end is called, and a question's noun for it
    "is blocked by": ("the ticket that blocks {key}", "what blocks {key}"),
    "duplicates": ("the ticket that {key} duplicates", "the issue {key} duplicates"),
    "depends on": ("the ticket that {key} depends on", "what {key} depends on"),
    "is cloned from": ("the ticket that {key} is cloned from", "the ticket {key} is cloned from"),
}


def ticket_sets(data: Path, limit: int, seed: int) -> Iterator[MadeSet]:
    paths = archives(data)
    if paths:
        questions = TicketQuestions(read_archives(paths), Random(seed), limit)
        yield MadeSet("Jira tickets", tuple(questions.all()), partial(open_archives, paths))


def open_archives(paths: Sequence[Path], home: Path) -> Workspace:
    """The tickets in a Jira simulator, read through the connector."""
    site = Site("cloud")
    for path in paths:
        load_archive(site, path)
    return open_site(site, home)


def open_site(site: Site, home: Path) -> Workspace:
    workspace = open_workspace(home)
    sources = Sources(workspace.database)
    if sources.all():
        return workspace
    site.add_token(site.add_user("Bench Reader", email=EMAIL, zone="Etc/UTC").account_id, TOKEN)
    with running(site) as address:
        keys = [project.key for project in site.projects.values()]
        config = {"url": address, "auth": "token", "email": EMAIL, "projects": keys, "poll_seconds": 3_600}
        sync(workspace, sources, sources.add("jira", "Jira", config, {"token": TOKEN}))
    return workspace


def is_askable(relation: str, value: str) -> bool:
    """Whether a value is meant by its name alone: no first name without a last, nothing that ends in a stray mark."""
    return value[-1:].isalnum() and (relation not in ("assignee", "reporter") or " " in value)


@dataclass
class TicketQuestions:
    """Draws questions; each kind has at most `limit` of them."""

    raw: RawTickets
    chance: Random
    limit: int

    def all(self) -> Iterator[Gold]:
        yield from self.simple()
        yield from self.projects()
        for kind in (self.one_condition, self.two_conditions, self.either, self.negated, self.counts, self.most):
            yield from kind()
        for kind in (self.chains, self.paraphrases, self.in_a_time, self.absent):
            yield from kind()

    # ---- one fact

    def simple(self) -> Iterator[Gold]:
        for relation, asked in SIMPLE.items():
            for ticket in self._some(states(relation), self.limit // 3 or 1):
                values = ticket.said[relation]
                yield Gold(self._put(asked, ticket), "simple", lead=values, all=values if len(values) > 1 else ())
        for moment, asked in {
            "created": ("When was {key} created?",),
            "resolved": ("When was {key} resolved?", "when was {low} closed"),
        }.items():
            for ticket in self._some(states(moment), self.limit // 3 or 1):
                yield Gold(self._put(asked, ticket), "simple", lead=(spoken(getattr(ticket, moment)),))
        for ticket in self._some(lambda one: bool(one.parent), self.limit // 2 or 1):
            yield Gold(
                self._put(("What is the parent of {key}?", "Which ticket is {key} a sub-task of?"), ticket),
                "simple",
                lead=(ticket.parent,),
            )

    def projects(self) -> Iterator[Gold]:
        single = sorted(name for name, homes in self.raw.projects.items() if len(homes) == 1)
        for name in self._drawn(single, self.limit // 3 or 1):
            text = self.chance.choice(("Which project has the component {v}?", "In which project is the component {v}?")).format(
                v=name
            )
            yield Gold(text, "simple", lead=self.raw.projects[name])

    # ---- sets

    def one_condition(self) -> Iterator[Gold]:
        for relation, value in self._values(tuple(CONDITIONS), self.limit):
            keys = self.raw.having(has(relation, value))
            if 0 < len(keys) <= MOST_TICKETS:
                yield self._list(self.chance.choice(HEADS), "tickets", self._said(relation, value), keys, "complex")

    def two_conditions(self) -> Iterator[Gold]:
        made = 0
        while made < self.limit:
            first, value = self._values(("component", "assignee", "fix version", "reporter"), 1)[0]
            ticket = self.chance.choice([self.raw.tickets[key] for key in sorted(self.raw.having(has(first, value)))])
            second = self.chance.choice(
                [name for name in ("component", "status", "priority", "reporter", "type", "open") if name != first]
            )
            noun, said, test = self._second(second, ticket)
            keys = self.raw.having(has(first, value), test) if test else frozenset()
            if test is None or not 0 < len(keys) <= MOST_TICKETS:
                continue
            made += 1
            condition = self._said(first, value) + (f" and {said}" if said else "")
            yield self._list(self.chance.choice(HEADS), noun, condition, keys, "complex")

    def _second(self, relation: str, ticket: RawTicket) -> tuple[str, str, Callable[[RawTicket], bool] | None]:
        """Noun, words and test of a condition that this ticket satisfies."""
        if relation == "open":
            return ("open tickets" if not ticket.is_done else "closed tickets"), "", lambda one: one.is_done == ticket.is_done
        value = ticket.one(relation)
        if relation == "type":
            return (NOUNS[value], "", has("type", value)) if value in NOUNS else ("", "", None)
        return ("tickets", self._said(relation, value), has(relation, value)) if value else ("", "", None)

    def either(self) -> Iterator[Gold]:
        for _ in range(self.limit // 2 or 1):
            relation = self.chance.choice(("component", "assignee"))
            (_, one), (_, other) = self._values((relation,), 1)[0], self._values((relation,), 1)[0]
            keys = self.raw.having(has_one_of(relation, (one, other)))
            if one != other and len(keys) <= MOST_TICKETS:
                said = f"in the component {one} or {other}" if relation == "component" else f"assigned to {one} or {other}"
                yield self._list(HEADS[0], "tickets", said, keys, "complex")

    def negated(self) -> Iterator[Gold]:
        for _ in range(self.limit // 2 or 1):
            _, component = self._values(("component",), 1)[0]
            _, person = self._values(("assignee",), 1)[0]
            inside = has("component", component)
            for said, test in (
                (f"in the component {component} and not assigned to {person}", lacks("assignee", person)),
                (f"in the component {component} without a fix version", lacks("fix version")),
                (f"in the component {component} and not done", lambda one: not one.is_done),
            ):
                keys = self.raw.having(inside, test)
                if 0 < len(keys) <= MOST_TICKETS:
                    yield self._list(HEADS[0], "tickets", said, keys, "complex")

    def counts(self) -> Iterator[Gold]:
        for relation, value in self._values(("component", "assignee", "reporter", "fix version", "label"), self.limit):
            noun, kind = self.chance.choice((("tickets", ""), ("bugs", "Bug"), ("stories", "Story")))
            keys = self.raw.having(has(relation, value), *([has("type", kind)] if kind else []))
            if keys:
                yield Gold(f"How many {noun} are {self._said(relation, value)}?", "count", keys=keys)

    def most(self) -> Iterator[Gold]:
        for _, component in self._values(("component",), self.limit // 2 or 1):
            for asked, relation in (
                ("Who has the most tickets in the component {v}?", "assignee"),
                ("Who reported the most tickets in the component {v}?", "reporter"),
            ):
                counted = self.raw.counted(relation, self.raw.having(has("component", component))).most_common(2)
                if counted and (len(counted) == 1 or counted[0][1] > counted[1][1]):
                    yield Gold(asked.format(v=component), "count", lead=(counted[0][0],), all=(str(counted[0][1]),))

    def paraphrases(self) -> Iterator[Gold]:
        for relation, asked in SAME.items():
            usable = [
                (name, value)
                for name, value in self._values((relation,), 50)
                if len(self.raw.having(has(name, value))) <= MOST_TICKETS
            ]
            for _, value in usable[: max(1, self.limit // 4)]:
                keys = self.raw.having(has(relation, value))
                yield from (Gold(one.format(v=value), "paraphrase", keys=keys) for one in asked)

    def in_a_time(self) -> Iterator[Gold]:
        made = 0
        for _ in range(50 * self.limit):
            moment, verb = self.chance.choice((("created", "created"), ("resolved", "resolved")))
            stated = getattr(self.chance.choice(list(self.raw.tickets.values())), moment)
            if made == self.limit or stated is None or not self._is_clear(moment, stated.year, stated.month):
                continue
            first = date(stated.year, stated.month, 1)
            keys = self.raw.having(
                in_span(moment, first, date(stated.year, stated.month, calendar.monthrange(stated.year, stated.month)[1]))
            )
            made += 1
            yield self._list(
                "Which tickets were {c}?", "tickets", f"{verb} in {MONTHS[stated.month - 1]} {stated.year}", keys, "in a time"
            )

    def _is_clear(self, moment: str, year: int, month: int) -> bool:
        """Whether no ticket is so near to the ends of the month that another zone would put it elsewhere."""
        stated = [one for ticket in self.raw.tickets.values() if (one := getattr(ticket, moment)) is not None]
        inside = (year, month)
        return all(
            ((one - BORDER).year, (one - BORDER).month) == ((one + BORDER).year, (one + BORDER).month) == (one.year, one.month)
            for one in stated
            if inside
            in ((one.year, one.month), ((one - BORDER).year, (one - BORDER).month), ((one + BORDER).year, (one + BORDER).month))
        )

    # ---- several steps, and what there is not

    def chains(self) -> Iterator[Gold]:
        for ticket in self._some(lambda one: one.parent in self.raw.tickets, self.limit // 2 or 1):
            yield from self._chained(ticket, self.raw.tickets[ticket.parent], "the parent of {key}")
        for link, called in LINKED.items():
            for ticket in self._some(leads_to_one(link), self.limit // 4 or 1):
                if (other := self.raw.tickets.get(ticket.linked[link][0])) is not None:
                    yield from self._chained(ticket, other, self.chance.choice(called))

    def _chained(self, ticket: RawTicket, other: RawTicket, called: str) -> Iterator[Gold]:
        relation = self.chance.choice(KEYS)
        value = other.one(relation)
        asked = {
            "status": "What is the status of {x}?",
            "assignee": "Who is assigned to {x}?",
            "priority": "What priority has {x}?",
            "reporter": "Who reported {x}?",
        }
        if value:
            yield Gold(asked[relation].format(x=called.format(key=ticket.key)), "chain", lead=(value,))

    def absent(self) -> Iterator[Gold]:
        names = [name for name in MADE_UP if not set(name.casefold().split()) & self.raw.words]
        people = [name for name in PEOPLE if not set(name.casefold().split()) & self.raw.words]
        project = next(iter(self.raw.tickets)).partition("-")[0]
        texts = [
            f"{asked.format(v=name)}"
            for name in names
            for asked in (
                "Which tickets are in the component {v}?",
                "How many bugs are in the component {v}?",
                "Which project has the component {v}?",
                "tickets with the label {v}",
                "Which tickets have the fix version {v} 9.0?",
            )
        ]
        texts += [
            asked.format(v=name)
            for name in people
            for asked in (
                "Which tickets are assigned to {v}?",
                "how many bugs did {v} report",
                "What is {v} working on?",
                "Who is {v}?",
            )
        ]
        texts += [
            f"{asked.format(key=f'{project}-{number}')}"
            for number in self.chance.sample(range(500_000, 900_000), 5)
            for asked in ("What is the status of {key}?", "who is assigned to {key}")
        ]
        yield from (Gold(text, "absent", none=True) for text in self._drawn(texts, 2 * self.limit))

    # ---- drawing

    def _list(self, head: str, noun: str, said: str, keys: frozenset[str], kind: str) -> Gold:
        return Gold(head.format(noun=noun, c=said), kind, keys=keys)

    def _said(self, relation: str, value: str) -> str:
        return self.chance.choice(CONDITIONS[relation]).format(v=value)

    def _put(self, asked: Sequence[str], ticket: RawTicket) -> str:
        return self.chance.choice(asked).format(key=ticket.key, low=ticket.key.lower())

    def _some(self, test: Callable[[RawTicket], bool], number: int) -> list[RawTicket]:
        return self._drawn([ticket for ticket in self.raw.tickets.values() if test(ticket)], number)

    def _values(self, relations: Sequence[str], number: int) -> list[tuple[str, str]]:
        """Values that tickets have, of relations drawn by chance."""
        known = {name: sorted(filter(partial(is_askable, name), self.raw.counted(name, self.raw.tickets))) for name in relations}
        return [
            (name, self.chance.choice(known[name]))
            for name in self.chance.choices([name for name in relations if known[name]], k=number)
        ]

    def _drawn(self, things: Sequence[Thing], number: int) -> list[Thing]:
        return self.chance.sample(list(things), min(number, len(things)))
