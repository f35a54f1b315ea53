"""The `jira` library works against both personalities, and falls into the traps it falls into with a real Jira."""

from __future__ import annotations

from io import BytesIO

import pytest
from jira import JIRA
from jira.exceptions import JIRAError

from jira_simulator import Site, running
from tests.jira_simulator.sites import EMAIL, TOKEN, small_site

JQL = "project = BOAT ORDER BY updated ASC, key ASC"


def library(site: Site, url: str, **more) -> JIRA:
    sign_in = {"basic_auth": (EMAIL, TOKEN)} if site.personality == "cloud" else {"token_auth": TOKEN}
    return JIRA(url, max_retries=0, timeout=5, **sign_in, **more)


@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_it_reads_what_a_connector_needs(personality) -> None:
    site = small_site(personality, tickets=5)
    site.edit("BOAT-1", "acc-bo", status="In Progress", assignee="acc-ines")
    site.comment("BOAT-1", "First", "acc-bo")
    site.attach("BOAT-1", "notes.txt", b"words", "acc-bo")
    site.remote_link("BOAT-1", "https://wiki.example.com/1", "Wiki")
    with running(site) as url:
        jira = library(site, url)
        assert jira.server_info()["deploymentType"] == ("Cloud" if personality == "cloud" else "Server")
        assert jira.myself()["displayName"] == "Ines Okafor"
        assert {each["id"] for each in jira.fields()} >= {"summary", site.epic_field, site.sprint_field}
        assert [each.key for each in jira.projects()] == ["BOAT"]
        found = jira.search_issues(JQL, maxResults=3, fields=["summary", "status"])
        assert [each.key for each in found] == ["BOAT-2", "BOAT-3", "BOAT-4"]
        assert len(jira.search_issues(JQL, maxResults=False)) == 5
        ticket = jira.issue("BOAT-1", expand="changelog")
        assert ticket.fields.status.name == "In Progress" and ticket.fields.assignee.displayName == "Ines Okafor"
        assert [each.field for each in ticket.changelog.histories[0 if personality == "dc" else -1].items] == [
            "status",
            "assignee",
        ]
        assert [each.body for each in jira.comments("BOAT-1")] == ["First"]
        assert ticket.fields.attachment[0].get() == b"words"
        assert jira.remote_links("BOAT-1")[0].object.title == "Wiki"
        with pytest.raises(JIRAError) as refused:
            jira.issue("BOAT-99")
    assert refused.value.status_code == 404 and "do not have permission" in refused.value.text


@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_it_writes_what_a_team_writes(personality) -> None:
    """An issue from its creation to its end, with everything that hangs on it; a board with its sprints."""
    site = small_site(personality)
    site.add_group("crew", ["acc-ines"])
    board = site.add_board("Boats board", "BOAT")
    bo = "Bo Lindgren" if personality == "cloud" else "bo"
    with running(site) as url:
        jira = library(site, url)
        issue = jira.create_issue(project="BOAT", summary="Paint", description="Red", issuetype={"name": "Task"})
        issue.update(fields={"summary": "Paint the hull", "labels": ["hull"]})
        issue.add_field_value("labels", "red")
        jira.assign_issue(issue, bo)
        comment = jira.add_comment(issue, "First")
        comment.update(body="Second")
        work = jira.add_worklog(issue, timeSpent="2h", comment="Scraping")
        work.update(timeSpent="3h")
        attachment = jira.add_attachment(issue, BytesIO(b"\x00\r\n"), filename="hull.bin")
        jira.create_issue_link("Blocks", issue.key, "BOAT-1")
        jira.add_simple_link(issue, {"url": "https://wiki.example.com", "title": "Wiki"})
        jira.add_watcher(issue, bo)
        jira.transition_issue(issue, "Done", resolution={"name": "Done"}, comment="Dry")
        shown = jira.issue(issue.key)
        assert (shown.fields.summary, shown.fields.labels) == ("Paint the hull", ["hull", "red"])
        assert (shown.fields.status.name, shown.fields.assignee.displayName) == ("Done", "Bo Lindgren")
        assert [each.body for each in jira.comments(issue)] == ["Second", "Dry"]
        assert jira.worklogs(issue)[0].timeSpentSeconds == 10800 and jira.watchers(issue).watchCount == 1
        assert jira.attachment(attachment.id).get() == b"\x00\r\n"
        assert shown.fields.issuelinks[0].outwardIssue.key == "BOAT-1"
        version = jira.create_version("1.0", "BOAT")
        component = jira.create_component("Hull", "BOAT")
        assert (jira.version(version.id).name, jira.component(component.id).name) == ("1.0", "Hull")
        saved = jira.create_filter("Done", jql="project = BOAT and status = Done")
        assert [each.key for each in jira.search_issues(f"filter = {saved.id}")] == [issue.key]
        sprint = jira.create_sprint("Sprint 1", board.id, "2026-08-03T12:00:00.000Z", "2026-08-10T12:00:00.000Z")
        jira.add_issues_to_sprint(sprint.id, ["BOAT-1", "BOAT-2"])
        jira.update_sprint(sprint.id, name="Sprint 1", state="active", startDate=sprint.startDate, endDate=sprint.endDate)
        jira.move_to_backlog(["BOAT-2"])
        assert [each.key for each in jira.search_issues("sprint in openSprints()")] == ["BOAT-1"]
        assert jira.group_members("crew") and jira.permissionschemes() and jira.editmeta(issue)["fields"]
        issue.delete()
        with pytest.raises(JIRAError):
            jira.issue(issue.key)


def test_version_3_gives_adf() -> None:
    site = small_site()
    with running(site) as url:
        jira = library(site, url, options={"rest_api_version": "3"})
        assert jira.issue("BOAT-1").raw["fields"]["description"]["type"] == "doc"
        body = {"issueIdsOrKeys": ["BOAT-1"], "fields": ["summary"]}
        assert jira._get_json("issue/bulkfetch", params=body, use_post=True)["issues"][0]["key"] == "BOAT-1"


def test_a_dead_token_looks_like_a_site_without_tickets() -> None:
    site = small_site()
    with running(site) as url:
        jira = library(site, url)
        site.kill_token()
        assert list(jira.search_issues(JQL)) == []
        with pytest.raises(JIRAError) as refused:
            jira.myself()
    assert refused.value.status_code == 401


def test_a_page_is_no_limit_and_a_short_page_ends_a_walk_by_numbers() -> None:
    site = small_site("dc", tickets=6, dc_max_results=2)
    site.faults.set(path="*/search", paging="short page", skip=1, count=1)
    with running(site) as url:
        found = library(site, url).search_issues(JQL, maxResults=False)
    assert len(found) < 6  # the library believes a short page to be the last one


def test_a_date_in_retry_after_is_too_much_for_the_library() -> None:
    site = small_site()
    with running(site) as url:
        jira = JIRA(url, basic_auth=(EMAIL, TOKEN), max_retries=1, timeout=5)
        site.faults.set(path="*/myself", status=429, headers={"Retry-After": "Mon, 03 Aug 2026 12:10:00 GMT"})
        with pytest.raises(ValueError, match="Mon, 03 Aug 2026"):
            jira.myself()
