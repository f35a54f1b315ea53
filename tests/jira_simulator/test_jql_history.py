"""WAS, CHANGED, saved filters, functions and comparisons select what Jira's documentation says they select."""

from __future__ import annotations

import pytest

from jira_simulator import Site
from jira_simulator.jql.evaluate import Evaluator
from jira_simulator.jql.parse import parse
from jira_simulator.model.visibility import Caller
from tests.jira_simulator.sites import client, small_site


def found(site: Site, jql: str, who: str = "Ines Okafor") -> str:
    """The numbers of the issues that a query selects for somebody."""
    test = Evaluator(site, Caller(site.user(who), "basic")).test(parse(jql))
    return "".join(each.key.rpartition("-")[2] for each in site.tickets.values() if test(each))


@pytest.fixture
def site() -> Site:
    """BOAT-1 went To Do, In Progress, Done; BOAT-2 In Progress; BOAT-3 never moved; all on 4 and 5 August."""
    site = small_site(tickets=3)
    for name, released in (("1.0", True), ("1.1", True), ("2.0", False)):
        site.add_named("versions", name, project="BOAT", released=released)
    size = site.add_field("Size", "number", "float")
    site.add_field("Noticed by")
    site.clock.set(site.clock.now().fromisoformat("2026-08-04T10:00:00+00:00"))
    site.edit("BOAT-1", "acc-bo", status="In Progress", assignee="acc-bo", priority="Highest")
    site.edit("BOAT-2", "acc-ines", status="In Progress", fix_versions=["1.0"], priority="Low", custom={size: 3})
    site.clock.advance(86400)
    site.edit(
        "BOAT-1",
        "acc-ines",
        status="Done",
        assignee="acc-ines",
        fix_versions=["2.0"],
        custom={size: 8, "Noticed by": "the night shift"},
    )
    site.edit("BOAT-2", "acc-ines", fix_versions=["1.1"])
    return site


@pytest.mark.parametrize(
    ("jql", "expected"),
    [
        ("status was 'In Progress'", "12"),
        ("status was 'To Do'", "123"),
        ("status was not 'In Progress'", "3"),
        ("status was in (Done, Blocked)", "1"),
        ("status was not in (Done, 'In Progress')", "3"),
        ("status was 'In Progress' and status = Done", "1"),
        ("status was 'In Progress' by acc-bo", "1"),
        ("status was 'In Progress' by currentUser()", "2"),
        ("status was 'In Progress' on 2026-08-05", "12"),
        ("status was 'In Progress' after 2026-08-05 ", "12"),
        ("status was 'In Progress' before '2026-08-04 10:00'", ""),
        ("status was 'To Do' during (2026-08-03, 2026-08-04)", "123"),
        ("status was Done during (2026-08-03, 2026-08-05)", ""),
        ("assignee was acc-bo", "1"),
        ("assignee was empty", "123"),
        ("fixVersion was '1.0'", "2"),
        ("fixVersion was not empty", ""),
        ("priority was Medium and priority != Medium", "12"),
        ("status changed", "12"),
        ("status changed to Done", "1"),
        ("status changed from 'To Do' to 'In Progress'", "12"),
        ("status changed by acc-bo", "1"),
        ("status changed after 2026-08-05", "1"),
        ("status changed before 2026-08-05", "12"),
        ("status changed on 2026-08-05", "1"),
        ("status changed to Done after 2026-08-05 by acc-bo", ""),
        ("status changed during ('2026-08-04', '2026-08-05')", "12"),
        ("assignee changed from empty", "1"),
        ("not status changed", "3"),
        ("status changed AND project = BOAT ORDER BY key", "12"),
    ],
)
def test_the_history_of_a_field_is_searched(site, jql, expected) -> None:
    assert found(site, jql) == expected


def test_a_status_is_found_by_the_name_it_had(site) -> None:
    site.rename("statuses", "In Progress", "Under way")
    assert found(site, "status was 'Under way'") == found(site, "status was 'In Progress'") == "12"


@pytest.mark.parametrize(
    ("jql", "expected"),
    [
        ("priority > Medium", "1"),
        ("priority >= Medium", "13"),
        ("priority < Medium", "2"),
        ("fixVersion > '1.0'", "12"),
        ("fixVersion < '2.0'", "2"),
        ("fixVersion in releasedVersions()", "2"),
        ("fixVersion in releasedVersions(BOAT)", "2"),
        ("fixVersion in unreleasedVersions()", "1"),
        ("fixVersion = latestReleasedVersion(BOAT)", "2"),
        ("fixVersion = earliestUnreleasedVersion('Boats')", "1"),
        ("Size > 3", "1"),
        ("Size in (3, 8)", "12"),
        ("Size is empty", "3"),
        ("'Noticed by' ~ night", "1"),
        ("watchers > 0", "2"),
        ("votes = 0", "123"),
        ("watcher = currentUser()", "2"),
        ("voter = currentUser()", ""),
        ("assignee in membersOf('crew')", "1"),
        ("assignee in (membersOf(crew), acc-bo)", "1"),
        ("key in linkedIssues(BOAT-1)", "3"),
        ("key in linkedIssues(BOAT-1, 'is blocked by')", ""),
        ("issue in watchedIssues()", "2"),
        ("project in projectsLeadByUser()", "123"),
        ("project in projectsWhereUserHasRole(Crew)", "123"),
        ("issuetype in standardIssueTypes()", "123"),
        ("issuetype in subtaskIssueTypes()", ""),
        ("issueLinkType = blocks", "1"),
        ("filter = 'Under way'", "2"),
        ("filter = 10000 or key = BOAT-3", "23"),
        ("filter != 'Under way'", "13"),
        ("filter in ('Under way', Nested)", "12"),
        ("created >= startOfDay(-2d) and created < startOfDay(-1d)", "123"),
        ("created >= startOfWeek() and created <= endOfMonth()", "123"),
        ("created > endOfYear(-1y)", "123"),
        ("created > startOfMonth('1M')", ""),
        ("worklogAuthor = acc-bo and worklogDate = 2026-08-05", "3"),
        ("timespent > 60", "3"),
        ("key >= BOAT-2 and key <= BOAT-3", "23"),
        ("due in (2026-08-09, 2026-08-10)", "3"),
    ],
)
def test_functions_filters_and_comparisons_select_these(site, jql, expected) -> None:
    site.add_group("crew", ["acc-ines"])
    site.watch("BOAT-2", "acc-ines")
    site.link("BOAT-1", "blocks", "BOAT-3")
    site.add_filter("Under way", "acc-bo", "status = 'In Progress'")
    site.add_filter("Nested", "acc-bo", "filter = 'Under way' or status = Done")
    site.log_work("BOAT-3", 120, "acc-bo")
    site.edit("BOAT-3", due="2026-08-09")
    assert found(site, jql) == expected


@pytest.mark.parametrize(
    ("jql", "message"),
    [
        ("colour = red", "Field 'colour' does not exist or you do not have permission to view it."),
        ("colour was red", "Field 'colour' does not exist or you do not have permission to view it."),
        ("project = BOAT order by colour", "Field 'colour' does not exist or you do not have permission to view it."),
        ("project = BOAT order by comment", "Not able to sort using field 'comment'."),
        ("labels was red", "History searches do not support the 'labels' field."),
        ("status was Nowhere", "The value 'Nowhere' does not exist for the field 'status'."),
        ("status changed to Nowhere", "The value 'Nowhere' does not exist for the field 'status'."),
        ("status was Done from 'To Do'", "The predicate 'from' can not be used with the operator 'was'."),
        ("status changed during 2026-08-01", "The predicate 'during' needs two dates, but got 1."),
        ("priority > Terrible", "The value 'Terrible' does not exist for the field 'priority'."),
        ("labels > red", "The operator '>' is not supported by the 'labels' field."),
        (
            "assignee in membersOf(nobody)",
            "Function 'membersOf' can not generate a list of usernames for group 'nobody'; the group does not exist.",
        ),
        ("assignee = somebody()", "Unable to find JQL function 'somebody()'."),
        ("fixVersion in releasedVersions(SHIP)", "Could not resolve the project 'SHIP' provided to function 'releasedVersions'."),
        ("component in releasedVersions()", "The function 'releasedVersions' cannot be used with the 'component' field."),
        ("filter = 999", "A value with ID '999' does not exist for the field 'filter'."),
        ("filter = Nobody's", "Error in the JQL Query: Expecting either 'OR' or 'AND' but got '''. (line 1, character 16)"),
        ("filter = Circle", "The filter 'Circle' can not be used, because it names itself."),
        ("cf[99999] = 1", "Field 'cf[99999]' does not exist or you do not have permission to view it."),
        ("Size > many", "The value 'many' is not a number, which the field 'Size' needs."),
        ("level = Nobody", "The value 'Nobody' does not exist for the field 'level'."),
        (
            "created > startOfDay(soon)",
            "The period 'soon' of function 'startOfDay' is invalid. Use a number with y, M, w, d, h or m, e.g. '-1w'.",
        ),
    ],
)
def test_an_error_names_what_is_unknown(site, jql, message) -> None:
    site.add_filter("Circle", "acc-bo", "filter = Circle")
    with client(site) as http:
        answer = http.get("search/jql", params={"jql": jql})
    assert (answer.status_code, answer.json()) == (400, {"errorMessages": [message], "errors": {}})


def test_a_filter_that_is_not_shared_is_its_owners_alone(site) -> None:
    kept = site.add_filter("Mine", "acc-bo", "status = Done")
    site.edit_filter(kept, shared=False)
    assert found(site, "filter = Mine", "Bo Lindgren") == "1"
    with client(site) as http:
        assert http.get("search/jql", params={"jql": "filter = Mine"}).status_code == 400


def test_several_fields_order_one_after_the_other(site) -> None:
    with client(site) as http:
        asked = {"jql": "project = BOAT order by resolution desc, priority asc, key desc", "fields": "key"}
        shown = [each["key"] for each in http.get("search/jql", params=asked).json()["issues"]]
    assert shown == ["BOAT-1", "BOAT-2", "BOAT-3"]
