"""A small simulated Jira, and a source that has read it."""

from __future__ import annotations

from typing import Any

from ingestion.sync import sync
from jira_simulator import Site
from tests.connectors.jira.world import TOKEN, jira
from tree.store.models import Source
from ui.server.tools import Tools

EMAIL = "ann@example.com"
SCANNER = "Which scanner do we buy for the gangway?"
DECIDED = "We decided to buy the Corvus H7 scanner, because it reads codes in full sun."


def harbour(personality: str = "cloud") -> Site:
    """GANG-1 is a question that a comment answers; GANG-2 to GANG-4 are about lamps."""
    site = jira(personality)
    ticket = site.create("GANG", SCANNER, "Bob Roy", assignee="Bob Roy")
    site.clock.advance(60)
    site.comment(ticket, DECIDED, "Bob Roy")
    for number in range(2, 5):
        site.create("GANG", f"Lamp {number} is dark", "Ann Lee", description=f"The lamp {number} at the gangway is out.")
    return site


def config_of(url: str, **more: Any) -> dict[str, Any]:
    return {"url": url, "auth": "token", "email": EMAIL, "projects": ["GANG"], **more}


def add_jira(tools: Tools, url: str, **more: Any) -> Source:
    """A source that has read the site."""
    source = tools.sources.add("jira", "Tickets", config_of(url, **more), {"token": TOKEN})
    return read(tools, source)


def read(tools: Tools, source: Source) -> Source:
    sync(tools.workspace, tools.sources, tools.sources.get(source.id))
    tools.workspace.index.catch_up()
    return tools.sources.get(source.id)
