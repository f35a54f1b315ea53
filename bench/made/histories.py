"""Questions over the history of tickets: before, on a day, since when, first, how often, for how long.

Histories are made from a seed, or recorded ones are played again; either way the gold is reckoned from the list of changes.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.judging import Gold
from bench.made.made_set import MadeSet
from bench.made.raw_tickets import moment_of, spoken
from bench.made.tickets import open_site
from jira_simulator import Site
from tree.workspace import Workspace

TICKETS = 200
FIELDS = ("status", "assignee", "priority")
FOLK = (
    "Alva Brekke",
    "Bram Dirksen",
    "Cato Eilers",
    "Dora Folkerts",
    "Enno Gronholt",
    "Fenna Harmsen",
    "Gero Ihnken",
    "Hilke Janshen",
)
STATES = {
    "To Do": "new",
    "In Progress": "indeterminate",
    "In Review": "indeterminate",
    "Blocked": "indeterminate",
    "Done": "done",
}
PRIORITIES = ("Lowest", "Low", "Medium", "High", "Highest")
BORDER = timedelta(hours=26)  # a change so near to a day may stand on another day elsewhere
Change = tuple[datetime, str, str]  # when, field, new value


@dataclass(frozen=True, slots=True)
class TicketHistory:
    """`first`: the values when it was created. `changes`, the oldest first, are of FIELDS and each to another value."""

    key: str
    created: datetime
    first: Mapping[str, str]
    changes: tuple[Change, ...]
    summary: str = "The tide gauge reports nothing"

    def line(self, name: str) -> list[tuple[datetime, str]]:
        """(since, value) of a field, the first first."""
        return [(self.created, self.first.get(name, "")), *((at, value) for at, what, value in self.changes if what == name)]


def history_sets(data: Path, limit: int, seed: int) -> Iterator[MadeSet]:
    made = tuple(_made(Random(seed)))
    yield _set("histories, made", made, limit, seed)
    recorded = tuple(_recorded(data))
    if recorded:
        yield _set("histories, recorded", recorded, limit, seed)


def _set(name: str, histories: tuple[TicketHistory, ...], limit: int, seed: int) -> MadeSet:
    golds = tuple(HistoryQuestions(histories, Random(seed), limit).all())
    return MadeSet(name, golds, lambda home: _open(histories, home.with_name(f"{home.name}, seed {seed}")))


# ---------------------------------------------------------------- where histories come from


def _made(chance: Random) -> Iterator[TicketHistory]:
    for number in range(1, TICKETS + 1):
        at = created = datetime(2025, 1, 6, 9, tzinfo=UTC) + timedelta(minutes=chance.randrange(250_000))
        now = {"status": "To Do", "assignee": chance.choice(FOLK), "priority": "Medium"}
        first, changes = dict(now), []
        for _ in range(chance.randrange(2, 9)):
            at += timedelta(minutes=chance.randrange(600, 20_000))
            name = chance.choices(FIELDS, (5, 2, 2))[0]
            value = chance.choice(
                [one for one in {"status": tuple(STATES), "assignee": FOLK, "priority": PRIORITIES}[name] if one != now[name]]
            )
            now[name] = value
            changes.append((at, name, value))
        yield TicketHistory(f"BUOY-{number}", created, first, tuple(changes), f"Buoy {number} drifts at spring tide")


def _recorded(data: Path) -> Iterator[TicketHistory]:
    """Of REST bodies with a change log: rows of `*_issues.csv.gz` with a column of them, and JSON files of one each."""
    csv.field_size_limit(sys.maxsize)
    bodies: dict[str, Mapping[str, Any]] = {}
    for path in sorted(data.rglob("*_api_issues.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            bodies |= {body["key"]: body for body in (json.loads(row["data"]) for row in csv.DictReader(lines))}
    for path in sorted(data.rglob("*-*.json")):
        body = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(body, dict) and "changelog" in body and "fields" in body and "key" in body:
            bodies[body["key"]] = body
    for body in bodies.values():
        if history := _history(body):
            yield history


def _history(body: Mapping[str, Any]) -> TicketHistory | None:
    """None without a change."""
    given, created = body["fields"], moment_of(body["fields"]["created"])
    logged = sorted((body.get("changelog") or {}).get("histories", ()), key=lambda one: str(one["created"]))
    items = [(moment_of(one["created"]), item) for one in logged for item in one["items"] if item["field"] in FIELDS]
    now = {"status": given["status"]["name"], "priority": (given.get("priority") or {}).get("name", ""),
           "assignee": (given.get("assignee") or {}).get("displayName", "")}  # fmt: skip
    first = dict(now)
    for _, item in reversed(items):
        first[item["field"]] = item["fromString"] or ""
    changes = tuple(
        (at, item["field"], item["toString"] or "") for at, item in items if at and item["fromString"] != item["toString"]
    )
    return TicketHistory(body["key"], created, first, changes, given["summary"]) if changes and created else None


def _open(histories: Sequence[TicketHistory], home: Path) -> Workspace:
    """Everything done again on a Jira simulator, in the order of time, and read through the connector."""
    site = Site("cloud")
    for key in sorted({one.key.rpartition("-")[0] for one in histories}):
        site.add_project(key, f"Project {key}")
    _add_names(site, histories)
    steps: list[tuple[datetime, Callable[[], object]]] = []
    for one in histories:
        steps.append((one.created, partial(_create, site, one)))
        steps += [(at, partial(site.edit, one.key, None, **{name: value or None})) for at, name, value in one.changes]
    for at, step in sorted(steps, key=lambda each: each[0]):
        site.clock.set(at)
        step()
    site.clock.set(max(at for at, _ in steps) + timedelta(days=20))
    return open_site(site, home)


def _add_names(site: Site, histories: Sequence[TicketHistory]) -> None:
    values = {name: sorted({value for one in histories for _, value in one.line(name) if value}) for name in FIELDS}
    for person in values["assignee"]:
        site.add_user(person)
    for kind, name in (("statuses", "status"), ("priorities", "priority")):
        for value in values[name]:
            if not site.has(kind, value):
                site.add_named(kind, value, **({"category": STATES.get(value, "indeterminate")} if name == "status" else {}))


def _create(site: Site, one: TicketHistory) -> None:
    fields = {name: value for name, value in one.first.items() if value}
    site.create(one.key.rpartition("-")[0], one.summary, None, key=one.key, **fields)


# ---------------------------------------------------------------- what is asked


@dataclass
class HistoryQuestions:
    """Draws questions; each kind has at most `limit` of them."""

    histories: Sequence[TicketHistory]
    chance: Random
    limit: int
    seen: set[str] = field(default_factory=set)

    def all(self) -> Iterator[Gold]:
        for kind in (self.before, self.on_a_day, self.since, self.became, self.first, self.often, self.long, self.who_before):
            made = 0
            for one in self.chance.sample(list(self.histories), len(self.histories)):
                gold = kind(one)
                if gold is not None and gold.question not in self.seen and made < self.limit:
                    self.seen.add(gold.question)
                    made += 1
                    yield gold

    def before(self, one: TicketHistory) -> Gold | None:
        name = self.chance.choice(("status", "priority"))
        line = one.line(name)
        asked = self.chance.choice(("What was the {n} of {k} before?", "previous {n} of {k}?", "which {n} did {k} have before"))
        return Gold(asked.format(n=name, k=one.key), "before", lead=(line[-2][1],)) if len(line) > 1 and line[-2][1] else None

    def on_a_day(self, one: TicketHistory) -> Gold | None:
        """A day between two changes, far from either."""
        name = self.chance.choice(FIELDS)
        line = one.line(name)
        apart = [
            (since, until, value)
            for (since, value), (until, _) in zip(line, line[1:], strict=False)
            if until - since > 3 * BORDER and value
        ]
        if not apart:
            return None
        since, until, value = self.chance.choice(apart)
        day = since + BORDER + (until - since - 2 * BORDER) * self.chance.random()
        asked = {
            "status": "What was the status of {k} on {d}?",
            "assignee": "Who was assigned to {k} on {d}?",
            "priority": "priority of {k} on {d}?",
        }[name]
        return Gold(asked.format(k=one.key, d=spoken(day)), "on a day", lead=(value,))

    def since(self, one: TicketHistory) -> Gold | None:
        line = one.line("status")
        asked = self.chance.choice(("Since when is {k} {v}?", "Since when has {k} had the status {v}?"))
        since, value = line[-1]
        return Gold(asked.format(k=one.key, v=value), "since", lead=(spoken(since),)) if len(line) > 1 else None

    def became(self, one: TicketHistory) -> Gold | None:
        line = one.line("status")[1:]
        last = {value: at for at, value in line}
        if not last:
            return None
        value = self.chance.choice(sorted(last))
        asked = self.chance.choice(
            ("When did {k} become {v}?", "when was {k} set to {v}", "When did the status of {k} change to {v}?")
        )
        return Gold(
            asked.format(k=one.key, v=value), "became", lead=tuple(spoken(at) for at, one_value in line if one_value == value)
        )

    def first(self, one: TicketHistory) -> Gold | None:
        name = self.chance.choice(("status", "priority"))
        value = one.line(name)[0][1]
        asked = {"status": "What was the first status of {k}?", "priority": "What was the original priority of {k}?"}[name]
        return Gold(asked.format(k=one.key), "first", lead=(value,)) if value and len(one.line(name)) > 1 else None

    def often(self, one: TicketHistory) -> Gold | None:
        name = self.chance.choice(("status", "priority"))
        asked = self.chance.choice(("How often did the {n} of {k} change?", "how many times was the {n} of {k} changed"))
        number = len(one.line(name)) - 1
        return Gold(asked.format(n=name, k=one.key), "how often", lead=(str(number),)) if number else None

    def long(self, one: TicketHistory) -> Gold | None:
        """Of a state that is over."""
        line = one.line("status")
        lasted: dict[str, timedelta] = {}
        for (since, value), (until, _) in zip(line, line[1:], strict=False):
            lasted[value] = lasted.get(value, timedelta()) + (until - since)
        over = sorted(value for value in lasted if value != line[-1][1])
        if not over:
            return None
        value = self.chance.choice(over)
        return Gold(f"How long was {one.key} {value}?", "how long", lead=tuple(_lasted(lasted[value])))

    def who_before(self, one: TicketHistory) -> Gold | None:
        line = one.line("assignee")
        asked = self.chance.choice(("Who was assigned to {k} before?", "who was the previous assignee of {k}"))
        return Gold(asked.format(k=one.key), "who before", lead=(line[-2][1],)) if len(line) > 1 and line[-2][1] else None


def _lasted(span: timedelta) -> Iterator[str]:
    hours = span.total_seconds() / 3_600
    yield from (f"{number} days" for number in {int(hours // 24), round(hours / 24)} if number > 1)
    yield from (f"{number} hours" for number in {int(hours), round(hours)} if hours < 50)
    if round(hours / 24) == 1:
        yield "1 day"
