"""The `jira` library works against both personalities, and falls into the traps it falls into with a real Jira."""

from __future__ import annotations

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
