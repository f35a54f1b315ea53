"""Who is let in, and how a token that is no longer believed looks: like an empty site."""

from __future__ import annotations

import httpx
import pytest

from tests.jira_simulator.sites import EMAIL, TOKEN, client, small_site

SERAPH = "x-seraph-loginreason"


def test_a_dead_token_is_served_as_anonymous_with_a_200() -> None:
    site = small_site()
    with client(site) as http:
        site.kill_token()
        answers = {
            "search": http.post("search/jql", json={"jql": "project = BOAT"}),
            "projects": http.get("project/search"),
            "fields": http.get("field"),
            "server": http.get("serverInfo"),
        }
        ticket = http.get("issue/BOAT-1")
    assert {each.status_code for each in answers.values()} == {200}
    assert answers["search"].json() == {"issues": [], "isLast": True}
    assert (answers["projects"].json()["total"], answers["projects"].json()["values"]) == (0, [])
    assert "serverTime" not in answers["server"].json()
    assert ticket.status_code == 404
    for answer in (*answers.values(), ticket):
        assert answer.headers[SERAPH] == "AUTHENTICATED_FAILED"
        assert "x-aaccountid" not in answer.headers and "x-ratelimit-limit" not in answer.headers


@pytest.mark.parametrize("path", ["myself", "worklog/deleted", "changelog/bulkfetch"])
def test_three_addresses_refuse_a_dead_token(path) -> None:
    site = small_site()
    with client(site) as http:
        site.kill_token()
        answer = http.post(path, json={"issueIdsOrKeys": ["BOAT-1"]}) if "bulk" in path else http.get(path)
    assert answer.status_code == 401
    assert answer.text == "Client must be authenticated to access this resource."
    assert answer.headers["www-authenticate"].startswith('OAuth realm="http%3A%2F%2F127.0.0.1')
    assert answer.headers[SERAPH] == "AUTHENTICATED_FAILED"


def test_a_revived_token_sees_everything_again() -> None:
    site = small_site()
    with client(site) as http:
        site.kill_token(TOKEN)
        assert http.get("myself").status_code == 401
        site.revive_token(TOKEN)
        answer = http.get("myself")
    assert answer.json()["emailAddress"] == EMAIL
    assert answer.headers["x-aaccountid"] == "acc-ines" and SERAPH not in answer.headers


def test_a_token_ends_at_its_time() -> None:
    site = small_site()
    site.add_token("acc-ines", "short", expires=site.clock.now().fromisoformat("2026-08-03T13:00:00+00:00"))
    with client(site, auth=(EMAIL, "short")) as http:
        assert http.get("myself").status_code == 200
        site.clock.advance(3600)
        assert http.get("myself").status_code == 401


def test_the_wrong_address_with_a_good_token_is_refused_like_a_dead_one() -> None:
    with client(small_site(), auth=("someone@example.com", TOKEN)) as http:
        assert http.get("myself").status_code == 401


def test_a_project_that_anonymous_may_not_see_is_empty_or_unknown_as_the_switch_says() -> None:
    with client(small_site(anonymous_project_search="refused"), auth=None) as http:
        answer = http.post("search/jql", json={"jql": "project = BOAT"})
    assert answer.status_code == 400
    assert "The value 'BOAT' does not exist" in answer.text


def test_anonymous_sees_public_projects() -> None:
    site = small_site()
    site.add_project("OPEN", "Open", public=True)
    site.create("OPEN", "For all")
    with client(site, auth=None) as http:
        found = http.post("search/jql", json={"jql": "project in (BOAT, OPEN)", "fields": ["key"]})
        assert SERAPH not in found.headers
    assert [each["key"] for each in found.json()["issues"]] == ["OPEN-1"]


def test_bearer_is_not_for_the_address_of_a_cloud_site() -> None:
    with client(small_site(), auth=None, headers={"Authorization": f"Bearer {TOKEN}"}) as http:
        answer = http.get("myself")
    assert (answer.status_code, answer.json()) == (403, {"error": "Failed to parse Connect Session Auth Token"})


@pytest.mark.parametrize(("takes", "basic", "bearer"), [("both", 200, 200), ("basic", 200, 401), ("bearer", 401, 200)])
def test_a_scoped_token_goes_through_the_gateway(takes, basic, bearer) -> None:
    site = small_site(gateway_auth=takes)
    site.add_token("acc-ines", "scoped one", "scoped")
    with client(site, auth=None) as http:
        cloud = http.get(f"{site.url}/_edge/tenant_info").json()["cloudId"]
        gateway = f"{site.url}/ex/jira/{cloud}/rest/api/3/"
        assert http.get(gateway + "myself", auth=(EMAIL, "scoped one")).status_code == basic
        assert http.get(gateway + "myself", headers={"Authorization": "Bearer scoped one"}).status_code == bearer
        assert http.get(gateway + "myself", headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert http.get("myself", auth=(EMAIL, "scoped one")).status_code == 401  # the site itself does not take it
        if basic == 200:
            shown = http.get(gateway + "issue/BOAT-1", auth=(EMAIL, "scoped one")).json()
            assert shown["self"].startswith(site.url + "/rest/")  # links lead to the site, not to the gateway


def test_the_gateway_does_not_know_other_sites() -> None:
    site = small_site()
    with client(site) as http:
        assert http.get(f"{site.url}/ex/jira/another-site/rest/api/3/myself").status_code == 404


def test_data_center_takes_a_pat_below_its_context_path_and_says_401_for_a_dead_one() -> None:
    site = small_site("dc")
    with client(site) as http:
        info = http.get("serverInfo").json()
        assert (info["deploymentType"], info["baseUrl"]) == ("Server", site.url + "/jira")
        assert http.get("myself").json()["name"] == "ines"
        assert http.get(f"{site.url}/rest/api/2/myself").status_code == 404
        assert http.get(f"{site.url}/jira/rest/api/3/myself").status_code == 404
        site.kill_token()
        answer = http.get("search", params={"jql": "project = BOAT"})
    assert answer.status_code == 401 and answer.headers[SERAPH] == "AUTHENTICATED_FAILED"


def test_every_answer_has_the_headers_of_cloud_and_the_time_of_the_site() -> None:
    with client(small_site()) as http:
        answer = http.get("myself")
    assert answer.headers["content-type"] == "application/json;charset=UTF-8"
    assert {"atl-traceid", "x-arequestid", "ratelimit", "ratelimit-policy", "x-ratelimit-limit", "x-ratelimit-remaining"} <= set(
        answer.headers
    )
    assert answer.headers["date"] == "Mon, 03 Aug 2026 12:03:00 GMT"


def test_an_address_that_does_not_exist_is_a_problem_document() -> None:
    with client(small_site()) as http:
        answer = http.get("nope")
    assert answer.status_code == 404 and answer.headers["content-type"].startswith("application/problem+json")
    assert answer.json()["detail"] == "No endpoint GET /rest/api/3/nope."


def test_the_log_knows_how_somebody_signed_in_and_never_with_what() -> None:
    site = small_site()
    with client(site) as http:
        http.get("myself")
        http.post("search/jql", json={"jql": "project = BOAT"})
        httpx.get(f"{site.url}/rest/api/3/myself")
        shown = http.get(f"{site.url}/simulator/log").text
    assert [(each.method, each.path.rpartition("/3/")[2], each.auth, each.status) for each in site.log] == [
        ("GET", "myself", "basic", 200), ("POST", "search/jql", "basic", 200), ("GET", "myself", "none", 401),
    ]  # fmt: skip
    assert site.log[1].body == {"jql": "project = BOAT"}
    assert TOKEN not in shown and "Authorization" not in shown


@pytest.mark.parametrize(("zone", "written"), [("America/New_York", "08:00:00.000-0400"), ("Asia/Kolkata", "17:30:00.000+0530")])
def test_times_are_shown_in_the_zone_of_the_account(zone, written) -> None:
    with client(small_site(zone=zone)) as http:
        assert http.get("myself").json()["timeZone"] == zone
        assert http.get("issue/BOAT-1").json()["fields"]["created"] == f"2026-08-03T{written}"


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_server_whose_clock_is_off_says_so_and_writes_so(minutes) -> None:
    from datetime import timedelta

    site = small_site(tickets=0)
    site.clock.skew = timedelta(minutes=minutes)
    site.clock.zone = "Pacific/Kiritimati"
    site.create("BOAT", "Off")
    with client(site) as http:
        info = http.get("serverInfo").json()
        created = http.get("issue/BOAT-1").json()["fields"]["created"]
    assert (info["serverTime"], info["serverTimeZone"]) == (
        {5: "2026-08-04T02:05:00.000+1400", -5: "2026-08-04T01:55:00.000+1400"}[minutes], "Pacific/Kiritimati",
    )  # fmt: skip
    assert created == {5: "2026-08-03T12:05:00.000+0000", -5: "2026-08-03T11:55:00.000+0000"}[minutes]
