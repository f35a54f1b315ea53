"""Issues and what hangs on them are made, changed and deleted over REST, with Jira's statuses and errors."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from jira_simulator import Site
from tests.jira_simulator.contract import check
from tests.jira_simulator.sites import client, small_site

NEW = {"project": {"key": "BOAT"}, "issuetype": {"name": "Task"}, "summary": "Paint the hull"}
ADF = {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Red."}]}]}


@pytest.fixture(params=["cloud", "dc"])
def site(request) -> Site:
    site = small_site(request.param)
    site.add_named("components", "Ramp", project="BOAT")
    site.add_named("versions", "1.0", project="BOAT")
    site.add_level("Officers", ["acc-ines"])
    return site


@pytest.fixture
def http(site):
    with client(site) as made:
        yield made


def text(site: Site, words: str) -> Any:
    if site.personality == "dc":
        return words
    return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [{"type": "text", "text": words}]}]}


def named(site: Site, account: str) -> dict[str, str]:
    return {"accountId": account} if site.personality == "cloud" else {"name": site.users[account].name}


def test_an_issue_is_created_with_all_its_fields(site, http) -> None:
    size = site.add_field("Size", "number", "float")
    given = {
        **NEW, "description": text(site, "Red."), "assignee": named(site, "acc-bo"), "priority": {"name": "High"},
        "labels": ["hull", "red"], "components": [{"name": "Ramp"}], "fixVersions": [{"name": "1.0"}], "duedate": "2026-09-01",
        "security": {"name": "Officers"}, size: 3, "timetracking": {"originalEstimate": "1d 2h"},
    }  # fmt: skip
    answer = http.post("issue", json={"fields": given, "properties": [{"key": "made.by", "value": {"robot": True}}]})
    assert answer.status_code == 201 and set(answer.json()) == {"id", "key", "self"}
    check("CreatedIssue", answer.json())
    made = site.find(answer.json()["key"])
    shown = http.get(f"issue/{made.key}").json()["fields"]
    assert (shown["summary"], shown["priority"]["name"], shown["labels"], shown[size]) == (
        "Paint the hull",
        "High",
        ["hull", "red"],
        3,
    )
    assert shown["timetracking"]["originalEstimate"] == "1d 2h" and shown["timetracking"]["remainingEstimateSeconds"] == 36000
    assert (made.reporter, made.assignee, made.due, made.histories) == ("acc-ines", "acc-bo", "2026-09-01", ())
    assert http.get(f"issue/{made.key}/properties/made.by").json() == {"key": "made.by", "value": {"robot": True}}


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"summary": ""}, {"summary": "You must specify a summary of the issue."}),
        ({"summary": "a\nb"}, {"summary": "The summary is invalid because it contains newline characters."}),
        ({"issuetype": {"name": "Nope"}}, {"issuetype": "Specify a valid issue type"}),
        ({"priority": {"name": "Nope"}}, {"priority": "The priority selected is invalid."}),
        ({"components": [{"name": "Nope"}]}, {"components": "Component name 'Nope' is not valid"}),
        ({"fixVersions": [{"name": "9"}]}, {"fixVersions": "Version name '9' is not valid"}),
        ({"labels": ["a b"]}, {"labels": "The label 'a b' contains spaces which is invalid."}),
        ({"duedate": "soon"}, {"duedate": "Error parsing date string: soon"}),
        ({"customfield_99999": 1}, {"customfield_99999": "Field 'customfield_99999' cannot be set. It is not on the appropriate screen, or unknown."}),
        ({"colour": "red"}, {"colour": "Field 'colour' cannot be set. It is not on the appropriate screen, or unknown."}),
        ({"parent": {"key": "BOAT-99"}}, {"parent": "Could not find issue by id or key."}),
        ({"issuetype": {"name": "Sub-task"}}, {"issuetype": "Issue type is a sub-task but parent issue key or id not specified."}),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_field_by_field(http, fields, errors) -> None:
    answer = http.post("issue", json={"fields": {**NEW, **fields}})
    assert (answer.status_code, answer.json()) == (400, {"errorMessages": [], "errors": errors})


def test_texts_are_documents_in_version_3_and_markup_in_version_2() -> None:
    with client(small_site()) as http:
        wrong = http.post("issue", json={"fields": {**NEW, "description": "Red."}})
        assert wrong.json()["errors"] == {
            "description": "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
        }
        version_2 = str(http.base_url).replace("/api/3/", "/api/2/")
        wrong = http.post(f"{version_2}issue", json={"fields": {**NEW, "description": ADF}})
        assert wrong.json()["errors"] == {"description": "Operation value must be a string"}
        key = http.post(f"{version_2}issue", json={"fields": {**NEW, "description": "*Red.*"}}).json()["key"]
        assert http.get(f"issue/{key}").json()["fields"]["description"]["type"] == "doc"


def test_an_edit_is_one_history_and_is_seen_by_searches(site, http) -> None:
    fields = {"summary": "Painted", "priority": {"name": "Low"}}
    update = {"labels": [{"add": "red"}, {"add": "blue"}, {"remove": "red"}], "components": [{"set": [{"name": "Ramp"}]}]}
    assert http.put("issue/BOAT-1", json={"fields": fields, "update": update}).status_code == 204
    ticket = site.find("BOAT-1")
    assert (ticket.summary, ticket.labels) == ("Painted", ("blue",)) and len(ticket.histories) == 1
    assert {each.field for each in ticket.histories[0].changes} == {"summary", "priority", "labels", "Component"}
    assert ticket.histories[0].author == "acc-ines"
    assert http.put("issue/BOAT-99", json={"fields": {}}).status_code == 404
    assert http.put("issue/BOAT-1", json={"update": {"labels": ["red"]}}).status_code == 400


def test_an_issue_goes_through_the_workflow(site, http) -> None:
    offered = http.get("issue/BOAT-1/transitions").json()
    check("Transitions", offered)
    done = next(each["id"] for each in offered["transitions"] if each["name"] == "Done")
    body = {
        "transition": {"id": done},
        "fields": {"resolution": {"name": "Won't Do"}},
        "update": {"comment": [{"add": {"body": text(site, "No.")}}]},
    }
    assert http.post("issue/BOAT-1/transitions", json=body).status_code == 204
    shown = http.get("issue/BOAT-1").json()["fields"]
    assert (shown["status"]["name"], shown["resolution"]["name"], shown["comment"]["total"]) == ("Done", "Won't Do", 1)
    wrong = http.post("issue/BOAT-1/transitions", json={"transition": {"id": "999"}})
    assert wrong.status_code == 400 and "is not valid for this issue" in wrong.json()["errorMessages"][0]


def test_an_issue_is_assigned_and_deleted_with_its_parts(site, http) -> None:
    assert http.put("issue/BOAT-1/assignee", json=named(site, "acc-bo")).status_code == 204
    assert site.find("BOAT-1").assignee == "acc-bo"
    nobody = {"accountId": None} if site.personality == "cloud" else {"name": None}
    assert http.put("issue/BOAT-1/assignee", json=nobody).status_code == 204 and site.find("BOAT-1").assignee is None
    site.create("BOAT", "A part", issuetype="Sub-task", parent="BOAT-1")
    refused = http.delete("issue/BOAT-1")
    assert refused.status_code == 400 and "has subtasks" in refused.json()["errorMessages"][0]
    assert http.delete("issue/BOAT-1", params={"deleteSubtasks": "true"}).status_code == 204
    assert sorted(each.key for each in site.tickets.values()) == ["BOAT-2", "BOAT-3"]


def test_many_are_created_at_once_and_one_that_is_wrong_is_named(http) -> None:
    answer = http.post(
        "issue/bulk", json={"issueUpdates": [{"fields": NEW}, {"fields": {**NEW, "summary": ""}}, {"fields": NEW}]}
    )
    assert answer.status_code == 201 and len(answer.json()["issues"]) == 2
    (error,) = answer.json()["errors"]
    assert error["failedElementNumber"] == 1 and error["elementErrors"]["errors"]["summary"]


def test_a_comment_is_written_changed_and_deleted(site, http) -> None:
    made = http.post("issue/BOAT-1/comment", json={"body": text(site, "First"), "visibility": {"type": "role", "value": "Crew"}})
    assert made.status_code == 201 and made.json()["visibility"]["value"] == "Crew"
    number = made.json()["id"]
    changed = http.put(f"issue/BOAT-1/comment/{number}", json={"body": text(site, "Second")})
    assert changed.status_code == 200 and changed.json()["updated"] >= changed.json()["created"]
    assert http.delete(f"issue/BOAT-1/comment/{number}").status_code == 204 and site.find("BOAT-1").comments == ()
    assert http.post("issue/BOAT-1/comment", json={"body": ""}).json()["errors"] == {"comment": "Comment body can not be empty!"}
    wrong = http.post("issue/BOAT-1/comment", json={"body": text(site, "x"), "visibility": {"type": "role", "value": "Nobody"}})
    assert wrong.json()["errors"] == {"comment": "Role: Nobody does not exist."}


def test_work_is_logged_and_the_feeds_tell_of_it_a_minute_later(site, http) -> None:
    http.put("issue/BOAT-1", json={"fields": {"timetracking": {"originalEstimate": "4h"}}})
    made = http.post("issue/BOAT-1/worklog", json={"timeSpent": "1h 30m", "started": "2026-08-01T09:00:00.000+0200"})
    assert made.status_code == 201 and (made.json()["timeSpentSeconds"], made.json()["started"]) == (
        5400,
        "2026-08-01T07:00:00.000+0000",
    )
    number = made.json()["id"]
    assert site.find("BOAT-1").remaining_estimate == 9000
    assert http.get("worklog/updated", params={"since": 0}).json()["values"] == []
    site.clock.advance(120)
    feed = http.get("worklog/updated", params={"since": 0}).json()
    check("ChangedWorklogs", feed)
    assert [each["worklogId"] for each in feed["values"]] == [int(number)]
    assert [each["id"] for each in http.post("worklog/list", json={"ids": [int(number), 99]}).json()] == [number]
    assert http.put(f"issue/BOAT-1/worklog/{number}", json={"timeSpentSeconds": 60}).json()["timeSpent"] == "1m"
    assert http.get("issue/BOAT-1/worklog", params={"startedAfter": 1785800000000}).json()["worklogs"] == []
    assert http.delete(f"issue/BOAT-1/worklog/{number}").status_code == 204
    site.clock.advance(120)
    assert [each["worklogId"] for each in http.get("worklog/deleted", params={"since": 0}).json()["values"]] == [int(number)]
    assert http.post("issue/BOAT-1/worklog", json={}).json()["errors"] == {
        "timeLogged": "You must indicate the time spent working."
    }


def test_a_file_is_attached_byte_for_byte_and_taken_away(site, http) -> None:
    content = b"one\r\n--two\x00\xff"
    safe = {"X-Atlassian-Token": "no-check"}
    made = http.post("issue/BOAT-1/attachments", headers=safe, files=[("file", ("nöte.bin", content)), ("file", ("b.txt", b"b"))])
    assert made.status_code == 200 and [each["filename"] for each in made.json()] == ["nöte.bin", "b.txt"]
    assert site.find("BOAT-1").attachments[0].content == content
    assert http.delete(f"attachment/{made.json()[0]['id']}").status_code == 204 and len(site.find("BOAT-1").attachments) == 1
    assert http.post("issue/BOAT-1/attachments", files={"file": ("a.txt", b"a")}).status_code == 403
    assert http.post("issue/BOAT-1/attachments", headers=safe, files={"other": ("a.txt", b"a")}).status_code == 400


def test_a_link_leads_from_the_one_that_blocks_to_the_one_that_is_blocked(site, http) -> None:
    body = {"type": {"name": "Blocks"}, "inwardIssue": {"key": "BOAT-1"}, "outwardIssue": {"key": "BOAT-2"}}
    assert http.post("issueLink", json=body).status_code == 201 == http.post("issueLink", json=body).status_code
    (link,) = http.get("issue/BOAT-1").json()["fields"]["issuelinks"]
    assert link["outwardIssue"]["key"] == "BOAT-2" and link["type"]["outward"] == "blocks"
    both = http.get(f"issueLink/{link['id']}").json()
    assert (both["inwardIssue"]["key"], both["outwardIssue"]["key"]) == ("BOAT-1", "BOAT-2")
    assert http.delete(f"issueLink/{link['id']}").status_code == 204 and not site.links
    assert http.post("issueLink", json={**body, "type": {"name": "Nope"}}).status_code == 404


def test_a_link_to_another_site_is_found_again_by_its_global_id(site, http) -> None:
    body = {
        "globalId": "wiki=1",
        "object": {"url": "https://wiki.example.com/1", "title": "One"},
        "application": {"name": "Wiki"},
    }
    made = http.post("issue/BOAT-1/remotelink", json=body)
    check("RemoteIssueLinkIdentifies", made.json())
    again = http.post("issue/BOAT-1/remotelink", json={**body, "object": {**body["object"], "title": "Uno"}})
    assert (made.status_code, again.status_code, made.json()["id"]) == (201, 200, again.json()["id"])
    shown = http.get("issue/BOAT-1/remotelink", params={"globalId": "wiki=1"}).json()
    assert shown["object"]["title"] == "Uno" and shown["application"] == {"name": "Wiki"}
    assert http.delete("issue/BOAT-1/remotelink", params={"globalId": "wiki=1"}).status_code == 204
    assert http.get("issue/BOAT-1/remotelink").json() == []
    assert http.post("issue/BOAT-1/remotelink", json={"object": {"title": "x"}}).json()["errors"] == {"url": "'url' is required."}


def test_one_watches_and_votes(site, http) -> None:
    assert http.post("issue/BOAT-1/watchers").status_code == 204
    who = named(site, "acc-bo")
    assert http.post("issue/BOAT-1/watchers", json=next(iter(who.values()))).status_code == 204
    shown = http.get("issue/BOAT-1/watchers").json()
    check("Watchers", shown)
    assert (shown["watchCount"], shown["isWatching"], len(shown["watchers"])) == (2, True, 2)
    given = {"username" if site.personality == "dc" else "accountId": next(iter(who.values()))}
    assert http.delete("issue/BOAT-1/watchers", params=given).status_code == 204
    assert http.post("issue/BOAT-1/votes").status_code == 204
    fields = http.get("issue/BOAT-1").json()["fields"]
    assert (fields["votes"]["votes"], fields["votes"]["hasVoted"], fields["watches"]["watchCount"]) == (1, True, 1)
    site.create("BOAT", "Mine", "acc-ines")
    assert http.post("issue/BOAT-4/votes").status_code == 404


def test_nobody_writes_without_signing_in_or_without_the_permission(site) -> None:
    site.edit_project("BOAT", public=True, permissions={"EDIT_ISSUES": frozenset({"acc-bo"}), "ADD_COMMENTS": frozenset()})
    with client(site) as http:
        assert http.put("issue/BOAT-1", json={"fields": {"summary": "x"}}).status_code == 403
        assert http.post("issue/BOAT-1/comment", json={"body": text(site, "x")}).status_code == 403
        allowed = http.get("mypermissions", params={"projectKey": "BOAT", "permissions": "EDIT_ISSUES,DELETE_ISSUES"}).json()[
            "permissions"
        ]
        assert [allowed[each]["havePermission"] for each in ("EDIT_ISSUES", "DELETE_ISSUES")] == [False, True]
        anonymous = httpx.post(str(http.base_url) + "issue", json={"fields": NEW})
    assert anonymous.status_code == 401 and site.find("BOAT-1").summary == "Ticket number 1"


def test_a_path_that_is_there_refuses_other_methods(http) -> None:
    assert http.delete("serverInfo").status_code == 405
    assert http.get("nowhere").status_code == 404


def test_what_is_written_is_told_to_webhooks_and_seen_after_the_lag(site, http) -> None:
    told: list[str] = []
    site.listeners.append(lambda event: told.append(event.name))
    site.index.lag = 60
    key = http.post("issue", json={"fields": NEW}).json()["key"]
    http.post(f"issue/{key}/comment", json={"body": text(site, "x")})
    assert told[:2] == ["jira:issue_created", "comment_created"]
    query = {"jql": "summary ~ hull", "fields": "key"}
    path = "search/jql" if site.personality == "cloud" else "search"
    assert http.get(path, params=query).json()["issues"] == []
    site.clock.advance(60)
    assert [each["key"] for each in http.get(path, params=query).json()["issues"]] == [key]
