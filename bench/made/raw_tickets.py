"""Tickets as raw data state them, and what follows from that: the oracle that answers of the product are held against.

Nothing of the product is used here. A value is what the raw field says, by its name; times are read in UTC.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True)
class RawTicket:
    """`said`: relation -> values, in the words in which a person would ask for it."""

    key: str
    said: Mapping[str, tuple[str, ...]]
    created: datetime | None = None
    resolved: datetime | None = None
    is_done: bool = False
    parent: str = ""
    linked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # "blocks" -> keys

    def one(self, relation: str) -> str:
        """The value, where there is just one; else nothing."""
        values = self.said.get(relation, ())
        return values[0] if len(values) == 1 else ""


@dataclass(frozen=True)
class RawTickets:
    tickets: Mapping[str, RawTicket]
    projects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # component -> projects that have it

    def having(self, *tests: Callable[[RawTicket], bool]) -> frozenset[str]:
        return frozenset(key for key, ticket in self.tickets.items() if all(test(ticket) for test in tests))

    def counted(self, relation: str, among: Collection[str]) -> Counter[str]:
        return Counter(value for key in among for value in self.tickets[key].said.get(relation, ()))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of every value, in small letters: what a made-up name must not be."""
        values = (value for ticket in self.tickets.values() for some in ticket.said.values() for value in some)
        return frozenset(word.casefold() for value in values for word in re.findall(r"\w+", value))


def has(relation: str, value: str) -> Callable[[RawTicket], bool]:
    """Names that differ by nothing but capitals are one."""
    wanted = value.casefold()
    return lambda ticket: wanted in (one.casefold() for one in ticket.said.get(relation, ()))


def lacks(relation: str, value: str = "") -> Callable[[RawTicket], bool]:
    """Not this value; without one, none at all."""
    return lambda ticket: value not in ticket.said.get(relation, ()) if value else not ticket.said.get(relation)


def has_one_of(relation: str, values: Collection[str]) -> Callable[[RawTicket], bool]:
    return lambda ticket: not set(values).isdisjoint(ticket.said.get(relation, ()))


def states(relation: str) -> Callable[[RawTicket], bool]:
    """Whether it has a value; `created` and `resolved` are relations too."""
    return lambda ticket: bool(getattr(ticket, relation) if relation in ("created", "resolved") else ticket.said.get(relation))


def leads_to_one(link: str) -> Callable[[RawTicket], bool]:
    return lambda ticket: len(ticket.linked.get(link, ())) == 1


def in_span(moment: str, first: date, last: date) -> Callable[[RawTicket], bool]:
    def test(ticket: RawTicket) -> bool:
        stated: datetime | None = getattr(ticket, moment)
        return stated is not None and first <= stated.date() <= last

    return test


def spoken(moment: datetime) -> str:
    """A day as an answer says it."""
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def moment_of(text: str | None) -> datetime | None:
    """Raises ValueError for what is no time of Jira's."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z").astimezone(UTC) if text else None


# ---------------------------------------------------------------- REST bodies, one a line


def archives(data: Path) -> list[Path]:
    """Files of REST bodies below a folder: those with a description of their project beside them."""
    return [
        path for path in sorted(data.rglob("*.jsonl.gz")) if path.with_name(path.name.split(".")[0] + ".project.json").exists()
    ]


def read_archives(paths: Iterable[Path]) -> RawTickets:
    tickets: dict[str, RawTicket] = {}
    projects: dict[str, tuple[str, ...]] = {}
    for path in paths:
        about = json.loads(path.with_name(path.name.split(".")[0] + ".project.json").read_text(encoding="utf-8"))
        for one in about["components"]:
            projects[one["name"]] = (*projects.get(one["name"], ()), about["name"])
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            tickets |= {one.key: one for one in map(_ticket, map(json.loads, lines))}
    used = {name for ticket in tickets.values() for name in ticket.said["component"]}  # no other comes into the simulator
    return RawTickets(tickets, {name: homes for name, homes in projects.items() if name in used})


NAMED = {"status": "status", "priority": "priority", "issuetype": "type", "resolution": "resolution"}
LISTED = {"components": "component", "fixVersions": "fix version"}
PEOPLE = ("assignee", "reporter")


def _ticket(row: Mapping[str, Any]) -> RawTicket:
    given = row["fields"]
    said: dict[str, tuple[str, ...]] = {ours: (given[name]["name"],) for name, ours in NAMED.items() if given.get(name)}
    said |= {ours: tuple(one["name"] for one in given.get(name) or ()) for name, ours in LISTED.items()}
    said |= {name: (given[name]["displayName"],) for name in PEOPLE if given.get(name)}
    said["label"] = tuple(given.get("labels") or ())
    done = given["status"]["statusCategory"]["key"] == "done"
    parent = (given.get("parent") or {}).get("key", "")
    created, resolved = moment_of(given["created"]), moment_of(given.get("resolutiondate"))
    return RawTicket(row["key"], said, created, resolved, done, parent, dict(_links(given.get("issuelinks") or ())))


def _links(links: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    found: dict[str, list[str]] = {}
    for link in links:
        for side, words in (("outwardIssue", "outward"), ("inwardIssue", "inward")):
            if link.get(side):
                found.setdefault(link["type"][words], []).append(link[side]["key"])
    return ((words, tuple(keys)) for words, keys in found.items())
