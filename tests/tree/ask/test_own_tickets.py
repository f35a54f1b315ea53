"""What is one's own is told of whoever is signed in by that name, and of nobody else."""

from __future__ import annotations

import pytest

from ingestion.sync import sync
from tests.tree.ask.ticket_rows import GWY, Tickets, open_site
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import Answer, ask


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = open_site(tmp_path_factory.mktemp("site"))
    sync(following.workspace, following.sources, following.source, connector=Tickets([*GWY]))
    yield following
    following.workspace.close()


def asked_by(name: str, question: str, site) -> Answer:
    principal = Principal("p1", name, sees_all=True)
    [answer] = [one for one in ask(site.workspace, question, principal=principal) if isinstance(one, Answer)]
    return answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what are my tasks", "**2 of 5 tickets** (assignee Tomas Reyl, open)"),
        ("my open bugs?", "**1 of 5 tickets** (bug, assignee Tomas Reyl, open)"),
        ("What is assigned to me?", "**2 of 5 tickets** (assignee Tomas Reyl"),
        ("how many tickets do I have", "**2 of 5 tickets** (assignee Tomas Reyl)"),
        ("what am I working on", "**2 of 5 tickets** (assignee Tomas Reyl, open)"),
        ("what do i have to do", "**2 of 5 tickets** (assignee Tomas Reyl, open)"),
        ("what should I work on next?", "**2 of 5 tickets** (assignee Tomas Reyl, open)"),
        ("do I have any closed tickets", "**No: none of 5 tickets** (assignee Tomas Reyl, closed)"),
        ("are all my tickets done?", "**No: 2 of the 2 tickets"),
    ],
)
def test_my_is_of_whoever_asks(site, question: str, said: str) -> None:
    answer = asked_by("Tomas Reyl", question, site)
    assert answer.verdict == "complete" and answer.text.startswith(said)
    assert asked_by("Maren Oduya", question, site).text != answer.text


@pytest.mark.parametrize("name", ["Ida Holm", "Tomas Holm", ""])
@pytest.mark.parametrize("question", ["what are my tasks", "which tickets did I report?", "do I have overdue tickets"])
def test_somebody_whom_the_sources_do_not_know_is_told_so(site, name: str, question: str) -> None:
    answer = asked_by(name, question, site)
    assert answer.verdict == "none" and "I do not know which tickets are yours" in answer.text and "GWY" not in answer.text


def test_what_is_not_ones_own_is_as_before(site) -> None:
    assert asked_by("Ida Holm", "Which bugs are open?", site).text.startswith("**3 of 5 tickets**")


@pytest.mark.parametrize(
    "question",
    [
        "Can I close my own tickets?",
        "Where do I report a bug?",
        "How do I get an issue assigned to me?",
        "Do I have to get an issue assigned to me before I work on it?",
        "Will the team give my bug a number?",
        "What happens to my tickets when I leave?",
        "I created a new calendar, why is it not shown?",
    ],
)
def test_what_asks_for_a_rule_asks_for_no_tickets(site, question: str) -> None:
    assert "I do not know which tickets are yours" not in asked_by("Ida Holm", question, site).text


def test_on_the_command_line_nobody_is_signed_in(site) -> None:
    [answer] = [one for one in ask(site.workspace, "my tickets", principal=OPERATOR) if isinstance(one, Answer)]
    assert answer.verdict == "none" and answer.text.startswith("Nobody is signed in here")
