"""Makes things happen to a site at random, and the same things for the same seed: any history, to test or to measure with.

Every text has a number that stands nowhere else, so that one can ask for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from jira_simulator.model.records import Ticket
from jira_simulator.site import Site
from jira_simulator.steps import Step, perform

WEIGHTS = {
    "comment": 30, "status": 18, "edit comment": 8, "description": 8, "assignee": 8, "summary": 6, "create": 6, "labels": 4,
    "link": 4, "delete comment": 4, "priority": 3, "due": 3, "delete": 2, "move": 2, "hide": 1, "restore": 2,
}  # fmt: skip
PLACES = ("the outer berth", "Holm", "berth 2", "the ticket hall", "the cellar", "Skarvoy", "the ramp", "the night shift")
THINGS = (
    "checked",
    "measured again",
    "agreed with the master",
    "put off",
    "found the cause",
    "asked the desk",
    "counted",
    "repaired",
)


class RandomActivity:
    """`step` thinks of something that can happen to the site as it is now; `play` does it, many times."""

    def __init__(self, site: Site, seed: int) -> None:
        self.site = site
        self.random = random.Random(seed)
        self.number = 0

    def play(self, count: int, seconds: float = 60) -> list[Step]:
        """That many steps, the clock advanced before each; they come back as they were taken."""
        taken = []
        for _ in range(count):
            self.site.clock.advance(seconds)
            step = self.step()
            perform(self.site, step)
            taken.append(step)
        return taken

    def step(self) -> Step:
        """Without tickets it is always a new one."""
        self.number += 1
        possible = [each for each in self.site.tickets.values() if not each.hidden]
        while possible:
            kind = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            made = self._makers()[kind](self.random.choice(possible))
            if made:
                return {**made, "by": self._person()}
        return {**self._create(None), "by": self._person()}

    def _makers(self) -> dict[str, Callable[[Ticket], Step | None]]:
        """What each kind becomes for a ticket; None where it cannot happen to that one."""
        return {
            "comment": lambda t: {"do": "comment", "ticket": t.id, "text": self._text()},
            "edit comment": lambda t: self._of_comment(t, "edit comment", text=self._text()),
            "delete comment": lambda t: self._of_comment(t, "delete comment"),
            "summary": lambda t: _edit(t, summary=self._text()),
            "description": lambda t: _edit(t, description=f"{self._text()}\n\n* {self._text()}"),
            "status": lambda t: _edit(t, status=self._one_of([each.name for each in self.site.statuses.values()])),
            "priority": lambda t: _edit(t, priority=self._one_of([each.name for each in self.site.priorities.values()])),
            "assignee": lambda t: _edit(t, assignee=self._person()),
            "labels": lambda t: _edit(t, labels=sorted({*t.labels, f"label-{self.number}"})[-3:]),
            "due": lambda t: _edit(t, due=f"2027-{self.random.randint(1, 12):02d}-{self.random.randint(1, 28):02d}"),
            "create": self._create,
            "delete": lambda t: {"do": "delete", "ticket": t.id} if len(self.site.tickets) > 3 else None,
            "move": self._move,
            "link": self._link,
            "hide": lambda t: {"do": "hide", "ticket": t.id},
            "restore": self._restore,
        }

    def _create(self, ticket: Ticket | None) -> Step:
        project = self._one_of([each.key for each in self.site.projects.values()])
        return {"do": "create", "project": project, "summary": self._text(), "description": self._text()}

    def _of_comment(self, ticket: Ticket, what: str, **more: str) -> Step | None:
        if not ticket.comments:
            return None
        return {"do": what, "ticket": ticket.id, "number": self.random.randrange(len(ticket.comments)), **more}

    def _move(self, ticket: Ticket) -> Step | None:
        """A sub-task goes only where its parent goes."""
        others = [each.key for each in self.site.projects.values() if each.id != ticket.project]
        return {"do": "move", "ticket": ticket.id, "project": self._one_of(others)} if others and not ticket.parent else None

    def _link(self, ticket: Ticket) -> Step | None:
        other = self.random.choice(list(self.site.tickets.values()))
        kind = self._one_of([each.name for each in self.site.link_types.values()])
        return {"do": "link", "ticket": ticket.id, "kind": kind, "target": other.id} if other.id != ticket.id else None

    def _restore(self, ticket: Ticket) -> Step | None:
        hidden = [each.id for each in self.site.tickets.values() if each.hidden]
        return {"do": "restore", "ticket": self._one_of(hidden)} if hidden else None

    def _text(self) -> str:
        return f"{self._one_of(THINGS).capitalize()} at {self._one_of(PLACES)}, note {self.number * 7919 + 100_003}."

    def _person(self) -> str:
        return self._one_of([each.account_id for each in self.site.users.values()])

    def _one_of(self, things: Sequence[str]) -> str:
        return self.random.choice(things)


def _edit(ticket: Ticket, **fields: object) -> Step:
    return {"do": "edit", "ticket": ticket.id, **fields}
