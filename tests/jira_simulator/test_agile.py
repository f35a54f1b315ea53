"""Boards, sprints, epics, the backlog and ranking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from jira_simulator import Site
from tests.jira_simulator.sites import client, small_site

WEEK = {"startDate": "2026-08-03T12:00:00.000Z", "endDate": "2026-08-10T12:00:00.000Z"}
Ask = Callable[..., httpx.Response]


@pytest.fixture(params=["cloud", "dc"])
def site(request) -> Site:
    """Board 1 with sprint 1; BOAT-1 to BOAT-4, and the epic BOAT-5."""
    site = small_site(request.param, tickets=4)
    board = site.add_board("Boats board", "BOAT")
    site.add_sprint("Sprint 1", board)
    site.create("BOAT", "Everything afloat", "acc-bo", "Epic")
    return site


@pytest.fixture
def agile(site):
    with client(site) as http:
        base = f"{site.url}{site.context}/rest/agile/1.0/"

        def ask(method: str, path: str, **more: Any) -> httpx.Response:
            return http.request(method, base + path, **more)

        yield ask


def keys(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [each["key"] for each in answer.json()["issues"]]


def test_a_sprint_is_made_filled_started_and_closed(site, agile) -> None:
    made = agile("POST", "sprint", json={"name": "Sprint 2", "originBoardId": 1, "goal": "Float"})
    assert made.status_code == 201 and made.json()["state"] == "future"
    number = made.json()["id"]
    assert agile("POST", f"sprint/{number}/issue", json={"issues": ["BOAT-1", "BOAT-2"]}).status_code == 204
    assert (
        keys(agile("GET", f"sprint/{number}/issue"))
        == keys(agile("GET", f"board/1/sprint/{number}/issue"))
        == ["BOAT-1", "BOAT-2"]
    )
    without = agile("POST", f"sprint/{number}", json={"state": "active"})
    assert without.status_code == 400 and "startDate" in without.json()["errorMessages"][0]
    assert agile("POST", f"sprint/{number}", json={"state": "active", **WEEK}).json()["state"] == "active"
    assert keys(agile("GET", "board/1/backlog")) == ["BOAT-3", "BOAT-4"]
    assert agile("POST", "backlog/issue", json={"issues": ["BOAT-2"]}).status_code == 204
    assert keys(agile("GET", "board/1/backlog")) == ["BOAT-2", "BOAT-3", "BOAT-4"]
    closed = agile("PUT", f"sprint/{number}", json={"name": "Sprint two", "state": "closed"}).json()
    assert closed["name"] == "Sprint two" and closed["completeDate"]
    assert agile("POST", f"sprint/{number}", json={"state": "active"}).status_code == 400
    assert agile("POST", f"sprint/{number}/issue", json={"issues": ["BOAT-3"]}).status_code == 400
    shown = agile("GET", "issue/BOAT-1").json()["fields"]
    assert shown["sprint"] is None and [each["name"] for each in shown["closedSprints"]] == ["Sprint two"]
    assert agile("DELETE", f"sprint/{number}").status_code == 204 and site.find("BOAT-1").sprints == ()


def test_an_epic_has_its_issues(site, agile) -> None:
    assert agile("POST", "epic/BOAT-5/issue", json={"issues": ["BOAT-1", "BOAT-2"]}).status_code == 204
    assert keys(agile("GET", "epic/BOAT-5/issue")) == ["BOAT-1", "BOAT-2"]
    assert keys(agile("GET", "board/1/epic/none/issue")) == ["BOAT-3", "BOAT-4"]
    assert keys(agile("GET", f"board/1/epic/{site.find('BOAT-5').id}/issue")) == ["BOAT-1", "BOAT-2"]
    assert agile("POST", "epic/none/issue", json={"issues": ["BOAT-1"]}).status_code == 204
    assert agile("POST", "epic/BOAT-5", json={"name": "Afloat"}).json()["name"] == "Afloat"
    assert [each["name"] for each in agile("GET", "board/1/epic").json()["values"]] == ["Afloat"]
    assert agile("GET", "epic/BOAT-1").status_code == 404
    refused = agile("POST", "epic/BOAT-5/issue", json={"issues": ["BOAT-5"]})
    assert refused.status_code == 400 and "is an epic" in refused.json()["errorMessages"][0]


def test_ranking_orders_the_backlog(agile) -> None:
    assert agile("PUT", "issue/rank", json={"issues": ["BOAT-4", "BOAT-3"], "rankBeforeIssue": "BOAT-1"}).status_code == 204
    assert keys(agile("GET", "board/1/backlog")) == ["BOAT-4", "BOAT-3", "BOAT-1", "BOAT-2"]
    assert agile("PUT", "issue/rank", json={"issues": ["BOAT-4"], "rankAfterIssue": "BOAT-2"}).status_code == 204
    assert keys(agile("GET", "board/1/issue", params={"jql": "issuetype != Epic"})) == ["BOAT-3", "BOAT-1", "BOAT-2", "BOAT-4"]
    assert keys(agile("GET", "board/1/issue", params={"jql": "key > BOAT-3 order by key desc"})) == ["BOAT-5", "BOAT-4"]
    assert agile("PUT", "issue/rank", json={"issues": ["BOAT-4"]}).status_code == 400


def test_a_board_shows_what_its_filter_selects(site, agile) -> None:
    saved = site.add_filter("First two", "acc-ines", "project = BOAT and key < BOAT-3")
    made = agile("POST", "board", json={"name": "Second", "type": "kanban", "filterId": int(saved.id)})
    assert made.status_code == 201
    number = made.json()["id"]
    assert keys(agile("GET", f"board/{number}/issue")) == ["BOAT-1", "BOAT-2"]
    assert [each["id"] for each in agile("GET", f"board/filter/{saved.id}").json()["values"]] == [number]
    assert agile("GET", f"board/{number}/configuration").json()["filter"]["id"] == saved.id
    assert agile("GET", f"board/{number}/sprint").status_code == 400  # a kanban board has none
    assert [each["name"] for each in agile("GET", "board", params={"type": "kanban"}).json()["values"]] == ["Second"]
    assert agile("DELETE", f"board/{number}").status_code == 204 and agile("GET", f"board/{number}").status_code == 404


def test_the_backlog_comes_page_by_page(agile) -> None:
    page = agile("GET", "board/1/backlog", params={"maxResults": 2, "startAt": 1}).json()
    assert (page["startAt"], page["maxResults"], page["total"], len(page["issues"])) == (1, 2, 4, 2)
