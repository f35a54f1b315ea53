"""What a site says of itself: projects, fields, boards, sprints, people, and the work that was logged."""

from __future__ import annotations

from dataclasses import replace

from tests.jira_simulator.sites import client, small_site


def test_projects_come_in_pages_and_archived_ones_only_when_asked_for() -> None:
    site = small_site(tickets=0)
    for number in range(4):
        site.add_project(f"P{number}", f"Project {number}")
    site.projects[site.project("P3").id] = replace(site.project("P3"), archived=True)
    with client(site) as http:
        first = http.get("project/search", params={"maxResults": 3}).json()
        second = http.get(first["nextPage"]).json()
        both = http.get("project/search", params={"status": "live,archived"}).json()
    assert [each["key"] for each in first["values"] + second["values"]] == ["BOAT", "P0", "P1", "P2"]
    assert (first["isLast"], second["isLast"], first["total"], both["total"]) == (False, True, 4, 5)
    assert [each["key"] for each in both["values"] if each.get("archived")] == ["P3"]


def test_a_project_for_some_people_is_seen_by_those() -> None:
    site = small_site(tickets=0)
    site.add_project("CREW", "Crew only", browsers=frozenset({"acc-bo"}))
    site.create("CREW", "Secret")
    site.add_token("acc-bo", "of bo")
    with client(site) as http:
        assert [each["key"] for each in http.get("project").json()] == ["BOAT"]
        assert http.get("issue/CREW-1").status_code == 404
        assert http.get("issue/CREW-1", auth=("bo@example.com", "of bo")).status_code == 200


def test_boards_and_sprints_are_those_of_projects_one_sees() -> None:
    site = small_site(tickets=0)
    board = site.add_board("Boats board", "BOAT")
    for number, state in enumerate(("closed", "active", "future")):
        site.add_sprint(f"Sprint {number}", board, state=state)
    with client(site) as http:
        agile = f"{site.url}/rest/agile/1.0"
        assert [each["name"] for each in http.get(f"{agile}/board", params={"projectKeyOrId": "BOAT"}).json()["values"]] == [
            "Boats board"
        ]
        states = [
            each["state"] for each in http.get(f"{agile}/board/1/sprint", params={"state": "active,future"}).json()["values"]
        ]
        assert states == ["active", "future"]
        assert http.get(f"{agile}/sprint/2").json()["name"] == "Sprint 1"
        site.hide("BOAT")
        assert http.get(f"{agile}/board").json()["values"] == []
        assert {http.get(f"{agile}/{path}").status_code for path in ("board/1", "board/1/sprint", "sprint/2", "sprint/99")} == {
            404
        }


def test_a_ticket_holds_twenty_worklogs_and_its_page_all() -> None:
    site = small_site()
    for _ in range(25):
        site.log_work("BOAT-1", 60, "acc-bo")
    with client(site) as http:
        inside = http.get("issue/BOAT-1").json()["fields"]["worklog"]
        page = http.get("issue/BOAT-1/worklog").json()
    assert (len(inside["worklogs"]), inside["total"], len(page["worklogs"])) == (20, 25, 25)


def test_deleted_worklogs_are_told_after_a_minute() -> None:
    site = small_site()
    gone = site.log_work("BOAT-1", 60, "acc-bo")
    site.delete_worklog(gone.id)
    with client(site) as http:
        assert http.get("worklog/deleted", params={"since": 0}).json()["values"] == []
        site.clock.advance(61)
        assert [each["worklogId"] for each in http.get("worklog/deleted", params={"since": 0}).json()["values"]] == [int(gone.id)]


def test_fields_are_told_with_what_they_are_for() -> None:
    site = small_site()
    severity = site.add_field("Severity", "option", "select")
    site.edit("BOAT-1", custom={"Severity": {"value": "1"}})
    with client(site) as http:
        fields = {each["id"]: each for each in http.get("field").json()}
        assert http.get("issue/BOAT-1", params={"fields": severity}).json()["fields"] == {severity: {"value": "1"}}
        found = http.post("search/jql", json={"jql": "Severity = 1", "fields": ["key"]}).json()["issues"]
    assert fields[severity]["name"] == "Severity" and fields[severity]["custom"]
    assert fields[site.sprint_field]["schema"]["custom"] == "com.pyxis.greenhopper.jira:gh-sprint"
    assert [each["key"] for each in found] == ["BOAT-1"]


def test_people_are_found_by_what_the_personality_calls_them() -> None:
    with client(small_site()) as http:
        assert http.get("user", params={"accountId": "acc-bo"}).json()["displayName"] == "Bo Lindgren"
        assert http.get("user", params={"accountId": "nobody"}).status_code == 404
    with client(small_site("dc")) as http:
        assert http.get("user", params={"username": "bo"}).json()["key"] == "bo"


def test_a_former_project_key_leads_to_the_project() -> None:
    site = small_site()
    site.rename_project("BOAT", key="SHIP")
    with client(site) as http:
        assert http.get("project/BOAT").json()["key"] == "SHIP"
        found = http.post("search/jql", json={"jql": "project = BOAT", "fields": ["key"]}).json()["issues"]
    assert [each["key"] for each in found] == ["SHIP-3", "SHIP-2", "SHIP-1"]
