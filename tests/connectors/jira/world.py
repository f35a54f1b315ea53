"""A Jira site with a connector beside it, and a tree that follows the connector as the real one does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from connectors.base import Batch, Document, Failure
from connectors.jira.config import JiraConfig
from connectors.jira.connector import JiraConnector
from connectors.jira.exchange import Timing
from jira_simulator import Clock, Site, Switches, Ticket, running
from tests.reading import READER

TOKEN = "s3cret-token-of-ann"
QUICK = Timing(short=1.5, pauses=(0.01, 0.02, 0.02))
HASTY = Timing(connect=2, read=0.4, whole=0.7, short=1.5, pauses=(0.01, 0.02, 0.02))  # for what never answers
START = "2026-03-02T09:00:00+00:00"


class World:
    """Ann's Jira with the project GANG. `tree` is what the app would know now."""

    def __init__(self, site: Site, url: str, **config: Any) -> None:
        self.site = site
        self.url = url
        self.settings = {"url": url, "email": "ann@example.com", "projects": ["GANG"], **config}
        if site.personality == "dc":
            self.settings = {"auth": "pat", **self.settings}
        self.connector = self.connect()
        self.checkpoint: dict[str, str] = {}
        self.tree: dict[str, Document] = {}
        self.failures: dict[str, Failure] = {}

    def connect(self, token: str = TOKEN, timing: Timing = QUICK, **config: Any) -> JiraConnector:
        settings = JiraConfig.model_validate({**self.settings, **config})
        return JiraConnector(settings, token, timing, lambda: self.site.clock.true().timestamp(), READER)

    def reconnect(self, timing: Timing = QUICK) -> None:
        """As after a restart of the app: nothing is known but the checkpoint."""
        self.connector.close()
        self.connector = self.connect(timing=timing)

    # ------------------------------------------------------------ what the app does

    def look(self) -> None:
        """A look at everything."""
        self.take(self.connector.fetch(dict(self.checkpoint)))
        present = set(self.connector.census())
        missing = (self.tree.keys() | self.failures.keys()) - present
        verdicts = self.connector.confirm(sorted(missing)) if missing else {}
        for id in [id for id in missing if verdicts.get(id, "here") != "here"]:
            self.remove(id)
            self.checkpoint.pop(id, None)
        if strange := present - self.tree.keys() - self.failures.keys():
            self.take(self.connector.fetch(dict(self.checkpoint), sorted(strange)))

    def hear(self, hints: Collection[str]) -> None:
        """A look at what a webhook or the watch named."""
        self.take(self.connector.fetch(dict(self.checkpoint), hints))

    def poll(self) -> set[str] | None:
        """What the watch would report now, after which it is looked at."""
        if found := self.connector.changed():
            self.hear(found)
        return found

    def take(self, batches: Iterator[Batch]) -> list[Batch]:
        taken = []
        for batch in batches:
            taken.append(batch)
            for id in batch.gone:
                self.remove(id)
            for failure in batch.failures:
                if failure.problem.kind in ("access", "empty"):
                    self.remove(failure.id)
                self.failures[failure.id] = failure
            for document in batch.documents:
                self.failures.pop(document.id, None)
                self.tree[document.id] = document
            for key, value in batch.checkpoint.items():
                if value is None:
                    self.checkpoint.pop(key, None)
                else:
                    self.checkpoint[key] = value
        return taken

    def remove(self, id: str) -> None:
        self.tree.pop(id, None)
        self.failures.pop(id, None)

    # ------------------------------------------------------------ looking at it

    def fresh(self) -> dict[str, Document]:
        """The tree that somebody gets who begins now."""
        other = World(self.site, self.url)
        other.settings = self.settings
        other.connector = other.connect()
        try:
            other.look()
        finally:
            other.connector.close()
        return other.tree

    @property
    def requests(self) -> int:
        """How many the connector has made."""
        return self.connector.client.exchange.requests

    def ticket(self, ticket: Ticket | str) -> Document:
        return self.tree[self.site.find(ticket).id]

    def has(self, id: str) -> bool:
        return id in self.tree

    def asked(self, path: str = "") -> list[Any]:
        """The requests so far, those of one path if given."""
        return [one for one in self.site.log if path in one.path]

    def advance(self, seconds: float = 60) -> None:
        self.site.clock.advance(seconds)


class Diary(list[Any]):
    """A site's log in which something happens after each request: `then` is told how many there were."""

    def __init__(self, then: Callable[[int], object]) -> None:
        super().__init__()
        self.then = then

    def append(self, asked: Any) -> None:
        super().append(asked)
        self.then(len(self))


def jira(personality: str = "cloud", **switches: Any) -> Site:
    """A site with two people, two projects and a token."""
    site = Site(personality, clock=Clock(START), switches=Switches(**switches))
    ann = site.add_user("Ann Lee", email="ann@example.com")
    site.add_user("Bob Roy", email="bob@example.com")
    site.add_token(ann, TOKEN, "pat" if personality == "dc" else "api")
    site.add_project("GANG", "Gangway", description="How people board.", lead=ann.account_id)
    site.add_project("PORT", "Port")
    return site


@contextmanager
def world(site: Site | None = None, **config: Any) -> Iterator[World]:
    site = site or jira()
    with running(site) as url:
        made = World(site, url, **config)
        try:
            yield made
        finally:
            made.connector.close()


def text(document: Document) -> str:
    """Everything a document says."""
    return "\n".join("\n".join((" > ".join(section.locator.heading), section.text)) for section in document.sections)


def titles(document: Document) -> list[str]:
    return [step.title for step in document.path]
