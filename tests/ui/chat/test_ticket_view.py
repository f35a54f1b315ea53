"""A cited ticket: how it stands now beside what was cited of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from jira_simulator import Site, running
from tests.ui.chat.test_turns import answered, drawn
from tests.ui.jira_site import SCANNER, add_jira, harbour, read
from tree.store.models import Source, Turn
from ui.chat.citation_status import citation_statuses
from ui.chat.ticket_view import ticket_of
from ui.chat.turns import view
from ui.server.tools import Tools


@pytest.fixture
def site() -> Site:
    return harbour()


@pytest.fixture
def jira(tools: Tools, site: Site) -> Iterator[Source]:
    with running(site) as url:
        yield add_jira(tools, url)


def cited(tools: Tools, turn: Turn) -> dict[str, Any]:
    """The chip of GANG-1."""
    return next(one for one in drawn(tools, turn)["citations"] if one["title"].startswith("GANG-1 "))


def test_a_citation_shows_the_ticket_and_leads_to_the_comment(tools: Tools, site: Site, jira: Source) -> None:
    ticket = cited(tools, answered(tools, SCANNER))["ticket"]
    assert (ticket["key"], ticket["title"], ticket["status"], ticket["assignee"]) == ("GANG-1", SCANNER, "To Do", "Bob Roy")
    assert datetime.fromtimestamp(ticket["updated"], UTC) == site.find("GANG-1").updated
    comment = site.find("GANG-1").comments[0].id
    assert ticket["url"] == f"{site.url}/browse/GANG-1?focusedCommentId={comment}"
    assert ticket["opens"] == "Open the comment in GANG-1"


def test_a_remembered_answer_shows_how_the_ticket_stands_today(tools: Tools, site: Site, jira: Source) -> None:
    turn = answered(tools, SCANNER)
    site.clock.advance(600)
    site.edit("GANG-1", status="Done", assignee="Ann Lee")
    site.edit_comment(site.find("GANG-1").comments[0].id, "We decided to buy the Petrel 3 scanner after all.", "Bob Roy")
    read(tools, jira)
    chip = cited(tools, turn)
    assert chip["state"] == "edited" and "Corvus" not in chip["hint"]
    assert (chip["ticket"]["status"], chip["ticket"]["assignee"]) == ("Done", "Ann Lee")


def test_a_deleted_ticket_shows_nothing_of_itself(tools: Tools, site: Site, jira: Source) -> None:
    turn = answered(tools, SCANNER)
    site.delete("GANG-1")
    read(tools, jira)
    chip = cited(tools, turn)
    assert chip["state"] == "removed" and chip["ticket"] is None


def test_an_answer_from_before_there_were_facts_is_still_drawn(tools: Tools, jira: Source) -> None:
    turn = answered(tools, SCANNER)
    assert turn.answer is not None
    old = [{name: value for name, value in one.items() if name not in ("kind", "facts")} for one in turn.answer["citations"]]
    turn.answer["citations"] = old
    assert view(turn, None, citation_statuses(tools, old))["citations"][0]["ticket"]["key"].startswith("GANG-")


def test_a_file_is_no_ticket(tools: Tools, source: Source) -> None:
    turn = answered(tools)
    assert {chip["ticket"] for chip in drawn(tools, turn)["citations"]} == {None}
    assert turn.answer is not None
    assert ticket_of(citation_statuses(tools, turn.answer["citations"])[0]) is None
