"""A query means what Jira says it means: precedence, dates in the account's zone, and 400 for what is not known."""

from __future__ import annotations

import pytest

from jira_simulator import Site
from jira_simulator.jql.evaluate import Evaluator
from jira_simulator.jql.parse import Clause, Every, JqlError, Not, Some, parse
from jira_simulator.model.visibility import Caller
from tests.jira_simulator.sites import client, keys, small_site


def found(site: Site, jql: str) -> list[str]:
    """The numbers of the tickets that a query of Ines means."""
    test = Evaluator(site, Caller(site.user("Ines Okafor"), "basic")).test(parse(jql))
    return [each.key.rpartition("-")[2] for each in site.tickets.values() if test(each)]


@pytest.fixture
def site() -> Site:
    site = small_site(tickets=4)
    site.add_named("components", "Ramp", project="BOAT")
    site.add_named("versions", "1.0", project="BOAT")
    board = site.add_board("Board", "BOAT")
    site.add_sprint("Sprint 1", board, state="closed")
    site.add_sprint("Sprint 2", board, state="active")
    site.edit("BOAT-1", status="Done", labels=["red", "blue"], assignee="acc-ines", sprints=["Sprint 1"])
    site.edit("BOAT-2", status="In Progress", components=["Ramp"], fix_versions=["1.0"], epic="BOAT-4", sprints=["Sprint 2"])
    site.edit("BOAT-3", summary="The quay wall", description="Cracks below the *waterline*.", assignee="acc-bo", priority="High")
    site.comment("BOAT-3", "Divers came on Tuesday", "acc-bo")
    site.create("BOAT", "Part of three", issuetype="Sub-task", parent="BOAT-3")
    return site


def test_not_binds_before_and_and_before_or() -> None:
    a, b, c = (Clause(name, "=", parse(f"{name} = 1").where.values) for name in "abc")  # type: ignore[union-attr]
    assert parse("a = 1 or b = 1 and not c = 1").where == Some((a, Every((b, Not(c)))))
    assert parse("(a = 1 OR b = 1) AND c = 1").where == Every((Some((a, b)), c))


@pytest.mark.parametrize(
    ("jql", "expected"),
    [
        ("project = BOAT", "12345"),
        ("project = boats", "12345"),
        ("project in (BOAT)", "12345"),
        ("project not in (BOAT)", ""),
        ("key = BOAT-2", "2"),
        ("key in (boat-1, BOAT-3)", "13"),
        ("issuekey = BOAT-1 or id = 10001", "12"),
        ("key > BOAT-3", "45"),
        ("status = Done", "1"),
        ("status in (Done, 'In Progress')", "12"),
        ("status != Done", "2345"),
        ("statusCategory = 'To Do'", "345"),
        ("statusCategory != Done AND status != 'To Do'", "2"),
        ("issuetype = Sub-task", "5"),
        ("labels = red", "1"),
        ("labels in (red, green)", "1"),
        ("labels != red", ""),
        ("labels is EMPTY", "2345"),
        ("labels is not EMPTY", "1"),
        ("component = Ramp", "2"),
        ("fixVersion = '1.0'", "2"),
        ("assignee = currentUser()", "1"),
        ("assignee = acc-bo", "3"),
        ("assignee != currentUser()", "3"),
        ("assignee is EMPTY", "245"),
        ("resolution = Unresolved", "2345"),
        ("priority = High", "3"),
        ("parent = BOAT-3", "5"),
        ("parent = BOAT-4", "2"),
        ("'Epic Link' = BOAT-4", "2"),
        ("cf[10014] = BOAT-4", "2"),
        ("sprint = 'Sprint 1'", "1"),
        ("sprint in openSprints()", "2"),
        ("summary ~ quay", "3"),
        ("summary ~ qua", ""),
        ("summary ~ 'qua*'", "3"),
        ("text ~ waterline", "3"),
        ("text ~ 'divers tuesday'", "3"),
        ('text ~ "\\"Tuesday came\\""', ""),
        ("text !~ number", "35"),
        ("not status = Done and not key = BOAT-2", "345"),
        ("status = Done or status = 'In Progress' and labels is not empty", "1"),
        ("(status = Done or status = 'In Progress') and labels is empty", "2"),
    ],
)
def test_a_clause_means_these_tickets(site, jql, expected) -> None:
    assert "".join(found(site, jql)) == expected


def test_dates_are_milliseconds_texts_or_steps_from_now() -> None:
    site = small_site(tickets=3)  # created at 12:00, 12:01 and 12:02; now it is 12:03
    noon = 1785758400000
    assert found(site, f"created > {noon}") == ["2", "3"]
    assert found(site, f"created >= {noon}") == ["1", "2", "3"]
    assert found(site, f"created <= {noon}") == ["1"]
    assert found(site, "created >= '2026-08-03 12:01'") == ["2", "3"]
    assert found(site, 'created < "2026/08/03 12:01"') == ["1"]
    assert found(site, "created >= 2026-08-03") == ["1", "2", "3"]
    assert found(site, "created >= -2m") == ["2", "3"]
    assert found(site, "created >= '-1h 30m'") == ["1", "2", "3"]
    assert found(site, "created < now()") == ["1", "2", "3"]
    assert found(site, "created >= startOfDay() and created < endOfDay()") == ["1", "2", "3"]
    assert found(site, "created >= startOfDay('+1d')") == []


def test_steps_and_now_are_cut_to_the_minute() -> None:
    site = small_site(tickets=1)
    site.clock.advance(59)
    site.create("BOAT", "Within this minute")
    assert found(site, "created >= now()") == ["2"]


@pytest.mark.parametrize(
    ("zone", "literal", "expected"),
    [
        ("America/New_York", "2026-08-03 08:01", ["2", "3"]),
        ("Asia/Kolkata", "2026-08-03 17:31", ["2", "3"]),
        ("Pacific/Kiritimati", "2026-08-04 02:01", ["2", "3"]),
        ("America/New_York", "2026-08-03 12:01", []),
    ],
)
def test_written_dates_are_in_the_zone_of_the_account(zone, literal, expected) -> None:
    assert found(small_site(tickets=3, zone=zone), f'created >= "{literal}"') == expected


def test_a_written_date_on_the_day_the_clocks_change_means_the_local_time() -> None:
    site = small_site(tickets=0, zone="Europe/Paris")
    site.clock.set(site.clock.now().fromisoformat("2026-03-29T01:30:00+00:00"))  # 03:30, half an hour after the change
    site.create("BOAT", "Early")
    assert found(site, "created >= '2026-03-29 03:30'") == ["1"]
    assert found(site, "created < '2026-03-29 03:30'") == []


def test_numeric_bounds_are_cut_to_the_minute_where_the_switch_says_so() -> None:
    half_past = 1785758400000 + 30_000
    assert found(small_site(tickets=1), f"created >= {half_past}") == []
    assert found(small_site(tickets=1, jql_truncates_milliseconds=True), f"created >= {half_past}") == ["1"]


@pytest.mark.parametrize(
    ("jql", "words"),
    [
        ("projct = BOAT", "Field 'projct' does not exist"),
        ("project = NOPE", "The value 'NOPE' does not exist for the field 'project'."),
        ("status = Finished", "The value 'Finished' does not exist"),
        ("key = BOAT-99", "An issue with key 'BOAT-99' does not exist"),
        ("project = BOAT order by nonsense", "Field 'nonsense' does not exist"),
        ("project = BOAT and", "ended before it was complete"),
        ("project = BOAT labels = red", "but got 'labels'"),
        ("project ~ BOAT", "The operator '~' is not supported by the 'project' field"),
        ("summary was Done", "History searches do not support the 'summary' field."),
        ("assignee = membersOf()", "Function 'membersOf' expected at least '1' argument but received '0'."),
        ("updated > yesterday", "Date value 'yesterday' for field 'updated' is invalid"),
        ("order by key", "Unbounded JQL queries are not allowed"),
        ("", "Unbounded JQL queries are not allowed"),
        ("project = BOAT order by " + ", ".join(["key"] * 8), "maximum number of fields to order by is 7"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_reason(jql_client, jql, words) -> None:
    answer = jql_client.get("search/jql", params={"jql": jql})
    assert answer.status_code == 400
    assert words in answer.json()["errorMessages"][0]


@pytest.fixture(scope="module")
def jql_client():
    with client(small_site()) as http:
        yield http


def test_refusals_come_in_the_language_of_the_account() -> None:
    with client(small_site(language="de")) as http:
        message = http.get("search/jql", params={"jql": "project = NOPE"}).json()["errorMessages"][0]
    assert message == "Der Wert 'NOPE' existiert nicht für das Feld 'project'."


def test_an_order_sorts_by_its_fields_one_after_the_other(jql_client) -> None:
    assert keys(jql_client.get("search/jql", params={"jql": "project = BOAT order by key desc", "fields": "key"})) == [
        "BOAT-3", "BOAT-2", "BOAT-1",
    ]  # fmt: skip


def test_a_hidden_project_is_a_value_that_does_not_exist() -> None:
    site = small_site()
    site.hide("BOAT")
    with pytest.raises(JqlError, match="value"):
        found(site, "project = BOAT")
