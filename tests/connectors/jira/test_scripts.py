"""Weeks of random work with random faults: however it goes, the tree ends as one that is made afresh."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from connectors.base import ConnectorError
from jira_simulator import Site, Ticket
from tests.connectors.jira.world import World, jira, world

FAULTS: list[dict[str, Any]] = [
    {"status": 503, "count": 2},
    {"status": 500, "count": 9},
    {"status": 429, "headers": {"Retry-After": "3600"}, "count": 2},
    {"kind": "half json", "count": 5},
    {"kind": "truncate", "count": 3},
    {"kind": "reset", "count": 6},
    {"kind": "empty", "count": 3},
    {"kind": "wrong json", "count": 2},
    {"paging": "same token", "path": "*/search*", "count": 2},
    {"paging": "short page", "path": "*/search*", "count": 2},
    {"paging": "empty page", "path": "*/search*", "count": 2},
    {"paging": "expired token", "path": "*/search*", "count": 2},
]


class Team:
    """People who do something at random."""

    def __init__(self, site: Site, chance: random.Random) -> None:
        self.site = site
        self.chance = chance
        self.board = site.add_level("Board", [site.user("Ann Lee").account_id])
        self.deeds: list[Callable[[], object]] = [
            self.create, self.create, self.create_below, self.create_epic, self.edit, self.edit, self.edit, self.comment, self.link,
            self.unlink, self.move, self.delete, self.hide, self.restrict, self.attach, self.detach, self.to_epic, self.rename,
        ]  # fmt: skip

    def act(self) -> None:
        self.chance.choice(self.deeds)()

    def tickets(self, **wanted: str) -> list[Ticket]:
        named = {"issuetype": self.site.named("issuetypes", wanted["kind"]).id} if wanted else {}
        return [one for one in self.site.tickets.values() if all(getattr(one, name) == value for name, value in named.items())]

    def one(self, **wanted: str) -> Ticket:
        return self.chance.choice(self.tickets(**wanted) or [self.create()])

    def create(self) -> Ticket:
        return self.site.create(self.chance.choice(["GANG", "PORT"]), f"Task {len(self.site.tickets)}", author="Bob Roy")

    def create_below(self) -> Ticket:
        return self.site.create("GANG", f"Part {len(self.site.tickets)}", issuetype="Sub-task", parent=self.one(kind="Task"))

    def create_epic(self) -> Ticket:
        return self.site.create("GANG", f"Epic {len(self.site.tickets)}", issuetype="Epic")

    def edit(self) -> object:
        change: dict[str, Any] = self.chance.choice(
            [{"summary": f"Renamed {self.chance.random()}"}, {"status": "Done"}, {"status": "To Do"}, {"assignee": "Bob Roy"}]
        )
        return self.site.edit(self.one(), author="Ann Lee", **change)

    def comment(self) -> object:
        return self.site.comment(self.one(), f"Word {self.chance.random()}", author="Bob Roy")

    def link(self) -> object:
        source, target = self.one(), self.one()
        return None if source.id == target.id else self.site.link(source, "blocks", target)

    def unlink(self) -> object:
        return self.site.unlink(self.chance.choice(list(self.site.links))) if self.site.links else None

    def move(self) -> object:
        one = self.one(kind="Task")
        return self.site.move(one, self.chance.choice(["GANG", "PORT"]))

    def delete(self) -> None:
        self.site.delete(self.one())

    def hide(self) -> None:
        one = self.one()
        (self.site.restore if one.hidden else self.site.hide)(one)

    def restrict(self) -> object:
        one = self.one()
        return self.site.restrict(one, None if one.security else "Board")

    def attach(self) -> object:
        return self.site.attach(self.one(), f"note{self.chance.randrange(99)}.txt", b"Some words.")

    def detach(self) -> object:
        there = [file.id for one in self.tickets() for file in one.attachments]
        return self.site.detach(self.chance.choice(there)) if there else None

    def to_epic(self) -> object:
        epics = self.tickets(kind="Epic")
        return self.site.edit(self.one(kind="Task"), epic=self.chance.choice([*epics, None]))

    def rename(self) -> object:
        return self.site.rename_project("GANG", name=f"Gangway {self.chance.randrange(99)}")


def follow(world: World, chance: random.Random) -> None:
    """What the worker does, and what happens to it."""
    try:
        match chance.randrange(6):
            case 0:
                world.look()
            case 1:
                batches = world.connector.fetch(dict(world.checkpoint))
                for _ in range(chance.randrange(3)):
                    world.take(iter([batch]) if (batch := next(batches, None)) else iter([]))
                batches.close()
                world.reconnect()
            case 2:
                world.hear(chance.sample(sorted(world.site.tickets), min(3, len(world.site.tickets))))
            case _:
                world.poll()
    except ConnectorError:
        world.reconnect()  # after any error a look at everything is made: the last one is


@pytest.mark.parametrize("personality", ["cloud", "dc"])
@pytest.mark.parametrize("seed", range(2))
def test_after_any_script_of_work_and_faults_the_tree_is_what_a_fresh_look_gives(personality: str, seed: int) -> None:
    run(personality, seed)


def run(personality: str, seed: int) -> None:
    chance = random.Random(f"{personality} {seed}")
    site = jira(personality, cloud_page_cap=7, dc_max_results=7)
    site.index.lag = chance.choice([0, 0, 40])
    team = Team(site, chance)
    with world(site) as one:
        for _ in range(60):
            one.advance(chance.choice([1, 20, 50]))
            team.act()
            if chance.random() < 0.1:
                site.faults.set(**chance.choice(FAULTS))
            if chance.random() < 0.5:
                follow(one, chance)
        site.faults.clear()
        one.advance(3_600)
        one.look()
        one.poll()
        fresh = one.fresh()
        assert one.tree == fresh
