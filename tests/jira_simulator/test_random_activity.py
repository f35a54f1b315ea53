"""Improvised histories are the same for the same seed, have everything in them, and keep the contract."""

from __future__ import annotations

import pytest

from jira_simulator.random_activity import RandomActivity
from tests.jira_simulator.contract import check
from tests.jira_simulator.sites import client, small_site, walk


def improvised(seed: int, personality: str = "cloud"):
    site = small_site(personality, tickets=6)
    site.add_project("QUAY", "Quays")
    return site, RandomActivity(site, seed).play(300)


def test_the_same_seed_makes_the_same_history_and_another_one_another() -> None:
    (one, steps), (same, same_steps), (other, other_steps) = improvised(1), improvised(1), improvised(2)
    assert steps == same_steps and one.tickets == same.tickets and one.links == same.links
    assert steps != other_steps and one.tickets != other.tickets


def test_everything_happens() -> None:
    assert {step["do"] for step in improvised(3)[1]} == {
        "comment", "edit comment", "delete comment", "edit", "create", "delete", "move", "link", "hide", "restore",
    }  # fmt: skip


@pytest.mark.parametrize("seed", [4, 5])
def test_whatever_has_happened_the_site_agrees_with_itself_and_with_the_schemas(seed) -> None:
    site, _ = improvised(seed)
    seen = {each.key for each in site.tickets.values() if not each.hidden}
    with client(site) as http:
        pages = walk(http, "project in (BOAT, QUAY) order by updated asc, key asc", most=7)
        body = http.post(
            "search/jql", json={"jql": "project = BOAT", "fields": ["*all"], "expand": "changelog", "maxResults": 100}
        ).json()
        for ticket in site.tickets.values():
            for key in (ticket.id, ticket.key, *ticket.old_keys):
                answer = http.get(f"issue/{key}", params={"fields": "summary"})
                assert answer.status_code == (404 if ticket.hidden else 200)
                assert ticket.hidden or answer.json()["key"] == ticket.key
    assert sorted(key for page in pages for key in page) == sorted(seen)
    check("SearchAndReconcileResults", body)
    for ticket in site.tickets.values():
        assert all(link.source in site.tickets and link.target in site.tickets for link in site.links_of(ticket))
        assert all(one.created <= other.created for one, other in zip(ticket.histories, ticket.histories[1:], strict=False))


def test_an_empty_site_begins_with_a_ticket() -> None:
    site = small_site(tickets=0)
    assert RandomActivity(site, 1).play(1)[0]["do"] == "create" and len(site.tickets) == 1
