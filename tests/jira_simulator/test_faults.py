"""Faults are data, and each does to an answer what it says: as often, as long and where it says."""

from __future__ import annotations

import json
import time

import httpx
import pytest

from tests.jira_simulator.sites import client, small_site

JQL = "project = BOAT order by updated asc, key asc"


@pytest.mark.parametrize("wait", ["0", "5", "3600", "Mon, 03 Aug 2026 12:10:00 GMT", None])
def test_too_many_requests_with_every_kind_of_retry_after(wait) -> None:
    site = small_site()
    headers = {"RateLimit-Reason": "jira-burst-based", **({"Retry-After": wait} if wait else {})}
    site.faults.set(path="*/search/jql", status=429, headers=headers, count=1)
    with client(site) as http:
        first, second = (http.post("search/jql", json={"jql": JQL}) for _ in range(2))
        assert http.get("myself").status_code == 200  # the limit is on one address
    assert (first.status_code, second.status_code) == (429, 200)
    assert first.headers.get("retry-after") == wait and first.headers["ratelimit-reason"] == "jira-burst-based"


def test_a_limit_on_page_7_of_20() -> None:
    site = small_site(tickets=20)
    site.faults.set(path="*/search/jql", status=429, headers={"Retry-After": "1"}, skip=6, count=1)
    statuses, body = [], {"jql": JQL, "maxResults": 1}
    with client(site) as http:
        while True:
            answer = http.post("search/jql", json=body)
            statuses.append(answer.status_code)
            if answer.status_code == 200:
                if answer.json()["isLast"]:
                    break
                body = {**body, "nextPageToken": answer.json()["nextPageToken"]}
    assert statuses == [200] * 6 + [429] + [200] * 14


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("body", [{"errorMessages": ["Internal server error"], "errors": {}}, "<html>Bad gateway</html>", ""])
def test_a_server_in_trouble(status, body) -> None:
    site = small_site()
    site.faults.set(status=status, body=body, count=2)
    with client(site) as http:
        answers = [http.get("myself") for _ in range(3)]
    assert [each.status_code for each in answers] == [status, status, 200]
    assert answers[0].text == (body if isinstance(body, str) else json.dumps(body))


def test_trouble_for_some_time_ends_by_the_clock() -> None:
    site = small_site()
    now = site.clock.true()
    site.faults.set(status=503, since=now.replace(minute=10), until=now.replace(minute=20))
    statuses = []
    with client(site) as http:
        for _ in range(4):
            statuses.append(http.get("myself").status_code)
            site.clock.advance(420)
    assert statuses == [200, 503, 503, 200]


def test_trouble_for_ever_ends_when_it_is_cleared() -> None:
    site = small_site()
    site.faults.set(name="down", status=503, headers={"Retry-After": "30"})
    with client(site) as http:
        assert {http.get("myself").status_code for _ in range(5)} == {503}
        site.faults.clear("down")
        assert http.get("myself").status_code == 200


def test_late_headers_and_dribbling_bodies_take_their_time() -> None:
    site = small_site()
    site.faults.set(path="*/myself", delay=0.2, count=1)
    site.faults.set(path="*/_edge/tenant_info", dribble=0.002, count=1)
    with client(site) as http:
        began = time.monotonic()
        assert http.get("myself").status_code == 200
        assert time.monotonic() - began >= 0.2
        began = time.monotonic()
        assert http.get(f"{site.url}/_edge/tenant_info").json()["cloudId"]
        assert time.monotonic() - began >= 0.002 * 50


def test_a_dribbling_or_silent_server_runs_into_the_time_limit_of_the_client() -> None:
    site = small_site()
    site.faults.set(path="*/myself", dribble=1, count=1)
    site.faults.set(path="*/myself", kind="hang", count=1)
    with client(site, timeout=0.1) as http:
        for _ in range(2):
            with pytest.raises(httpx.ReadTimeout):
                http.get("myself")
        assert http.get("field").status_code == 200  # nobody else waits


@pytest.mark.parametrize(
    ("kind", "error"),
    [("truncate", httpx.RemoteProtocolError), ("reset", httpx.ReadError), ("half json", json.JSONDecodeError),
     ("empty", json.JSONDecodeError), ("html login", json.JSONDecodeError)],
)  # fmt: skip
def test_a_broken_answer_breaks_in_its_own_way_and_the_next_one_does_not(kind, error) -> None:
    site = small_site()
    site.faults.set(path="*/search/jql", kind=kind, count=1)
    with client(site) as http:
        with pytest.raises(error):
            http.post("search/jql", json={"jql": JQL}).json()
        assert len(http.post("search/jql", json={"jql": JQL}).json()["issues"]) == 3


def test_a_login_page_and_wrong_json_come_with_a_200() -> None:
    site = small_site()
    site.faults.set(kind="html login", count=1)
    site.faults.set(kind="wrong json", count=1)
    with client(site) as http:
        page, wrong = http.get("myself"), http.get("myself")
    assert (page.status_code, wrong.status_code) == (200, 200)
    assert "Sign in" in page.text and page.headers["content-type"].startswith("text/html")
    assert isinstance(wrong.json(), list)


def test_data_center_asks_for_a_captcha() -> None:
    site = small_site("dc")
    site.faults.set(kind="captcha")
    with client(site) as http:
        answer = http.get("myself")
    assert answer.status_code == 403
    assert answer.headers["x-authentication-denied-reason"].startswith("CAPTCHA_CHALLENGE; login-url=")


def test_a_large_batch_comes_broken_and_its_halves_do_not() -> None:
    site = small_site(tickets=8)
    ids = [each.id for each in site.tickets.values()]
    site.faults.set(path="*/bulkfetch", kind="half json", body_above=70)
    with client(site) as http:
        with pytest.raises(json.JSONDecodeError):
            http.post("issue/bulkfetch", json={"issueIdsOrKeys": ids}).json()
        halves = [http.post("issue/bulkfetch", json={"issueIdsOrKeys": part}).json()["issues"] for part in (ids[:4], ids[4:])]
    assert [len(each) for each in halves] == [4, 4]


def test_one_ticket_spoils_every_batch_it_is_in() -> None:
    site = small_site()
    site.faults.set(path="*/bulkfetch", status=500, contains=site.find("BOAT-2").id)
    with client(site) as http:
        statuses = [http.post("issue/bulkfetch", json={"issueIdsOrKeys": [each]}).status_code for each in site.tickets]
    assert statuses == [200, 500, 200]


# ---------------------------------------------------------------- paging


def pages_with(paging: str, most: int = 2, tickets: int = 6, skip: int = 1) -> list[dict]:
    """The first three pages of a walk whose second page meets the fault."""
    site = small_site(tickets=tickets)
    site.faults.set(path="*/search/jql", paging=paging, skip=skip, count=1)
    found, body = [], {"jql": JQL, "maxResults": most, "fields": ["key"]}
    with client(site) as http:
        for _ in range(3):
            answer = http.post("search/jql", json=body)
            found.append({"status": answer.status_code, **answer.json()})
            body = {**body, "nextPageToken": found[-1].get("nextPageToken", body.get("nextPageToken"))}
    return found


def test_a_token_that_has_expired() -> None:
    first, second, _ = pages_with("expired token")
    assert (first["status"], second["status"]) == (200, 400)


def test_the_same_token_twice() -> None:
    first, second, third = pages_with("same token")
    assert second["nextPageToken"] == first["nextPageToken"] and not second["isLast"]
    assert third["issues"] == second["issues"]


def test_an_empty_page_with_a_token_loses_nothing() -> None:
    first, second, third = pages_with("empty page")
    assert second["issues"] == [] and second["nextPageToken"] and not second["isLast"]
    assert [each["key"] for each in first["issues"] + third["issues"]] == ["BOAT-1", "BOAT-2", "BOAT-3", "BOAT-4"]


def test_a_first_page_that_is_empty_loses_nothing_either() -> None:
    first, second, third = pages_with("empty page", skip=0)
    assert first["issues"] == []
    assert [each["key"] for each in second["issues"] + third["issues"]] == ["BOAT-1", "BOAT-2", "BOAT-3", "BOAT-4"]


def test_a_page_shorter_than_asked_loses_nothing() -> None:
    found = pages_with("short page")
    assert [len(each["issues"]) for each in found] == [2, 1, 2]
    assert [each["key"] for page in found for each in page["issues"]] == [f"BOAT-{n}" for n in range(1, 6)]


def test_the_last_page_with_a_token() -> None:
    _, second, _ = pages_with("last with token", tickets=4)
    assert second["isLast"] and second["nextPageToken"]


def test_pages_clamped_to_fifty() -> None:
    assert [len(each["issues"]) for each in pages_with("clamp", most=90, tickets=70, skip=0)][:2] == [50, 20]


@pytest.mark.parametrize(("paging", "total", "length"), [("total shrinks", 1, 4), ("total grows", 11, 4), ("short page", 6, 3)])
def test_data_center_totals_that_lie_and_pages_that_are_short(paging, total, length) -> None:
    site = small_site("dc", tickets=6)
    site.faults.set(path="*/search", paging=paging, count=1)
    with client(site) as http:
        answer = http.get("search", params={"jql": JQL, "maxResults": 4}).json()
    assert (answer["total"], len(answer["issues"])) == (total, length)


def test_a_fault_with_a_member_it_does_not_have_is_refused() -> None:
    site = small_site()
    with client(site) as http:
        answer = http.post(f"{site.url}/simulator/faults", json={"path": "*", "stats": 503})
    assert answer.status_code == 400 and "A fault has no stats; it has: name, path" in answer.json()["error"]


def test_a_request_that_got_no_answer_is_in_the_log_too() -> None:
    site = small_site()
    site.faults.set(kind="reset", count=1)
    with client(site) as http:
        with pytest.raises(httpx.ReadError):
            http.get("myself")
        http.get("myself")
    assert [each.status for each in site.log] == [0, 200]
