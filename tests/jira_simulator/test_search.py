"""Search as Cloud and Data Center do it: pages, tokens, an index that lags, and what changes during a walk."""

from __future__ import annotations

import pytest

from tests.jira_simulator.sites import client, keys, small_site, walk

ASCENDING = "project = BOAT order by updated asc, key asc"
DESCENDING = "project = BOAT order by updated desc, key desc"


def boats(*numbers: int) -> list[str]:
    return [f"BOAT-{n}" for n in numbers]


# ---------------------------------------------------------------- Cloud


def test_a_walk_by_tokens_gives_every_ticket_once_and_no_total() -> None:
    with client(small_site(tickets=5)) as http:
        assert walk(http, ASCENDING) == [boats(1, 2), boats(3, 4), boats(5)]
        last = http.post("search/jql", json={"jql": ASCENDING, "maxResults": 5}).json()
    assert last == {"issues": [{"id": str(10000 + n)} for n in range(5)], "isLast": True}


def test_pages_with_fields_are_smaller_than_asked_and_pages_of_ids_are_not() -> None:
    with client(small_site(tickets=120)) as http:
        full = http.post("search/jql", json={"jql": ASCENDING, "maxResults": 250, "fields": ["summary"]}).json()
        ids = http.post("search/jql", json={"jql": ASCENDING, "maxResults": 5000, "fields": ["id"]}).json()
    assert len(full["issues"]) == 100 and not full["isLast"]
    assert len(ids["issues"]) == 120 and ids["isLast"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"maxResults": 0}, "between 1 and 5000"),
        ({"maxResults": -1}, "between 1 and 5000"),
        ({"maxResults": 5001}, "between 1 and 5000"),
        ({"nextPageToken": "made up"}, "nextPageToken is invalid"),
        ({"reconcileIssues": list(range(51))}, "max number of issues to reconcile is 50"),
        ({"startAt": 50}, "Invalid request payload"),
    ],
)
def test_a_body_that_cloud_does_not_take_is_a_400(body, words) -> None:
    with client(small_site()) as http:
        answer = http.post("search/jql", json={"jql": ASCENDING, **body})
    assert answer.status_code == 400
    assert words in answer.json()["errorMessages"][0]


def test_reconcile_null_is_a_500_and_what_the_library_sends_is_taken() -> None:
    with client(small_site()) as http:
        assert http.post("search/jql", json={"jql": ASCENDING, "reconcileIssues": None}).status_code == 500
        sent = {"jql": ASCENDING, "reconcileIssues": [], "expand": None, "properties": None}
        assert http.post("search/jql", json=sent).status_code == 200


def test_a_token_ends_after_seven_days_and_belongs_to_its_query() -> None:
    site = small_site(tickets=3)
    with client(site) as http:
        token = http.post("search/jql", json={"jql": ASCENDING, "maxResults": 1}).json()["nextPageToken"]
        other = http.post("search/jql", json={"jql": DESCENDING, "nextPageToken": token})
        site.clock.advance(7 * 86400 + 1)
        late = http.post("search/jql", json={"jql": ASCENDING, "nextPageToken": token})
    assert other.status_code == late.status_code == 400


def test_the_old_search_is_gone() -> None:
    with client(small_site()) as http:
        answer = http.get("search", params={"jql": ASCENDING})
    assert answer.status_code == 410
    assert "CHANGE-2046" in answer.json()["errorMessages"][0]


def test_count_and_match_ask_the_same_question() -> None:
    with client(small_site(tickets=5)) as http:
        assert http.post("search/approximate-count", json={"jql": "project = BOAT"}).json() == {"count": 5}
        matches = http.post("jql/match", json={"issueIds": [10000, 10001], "jqls": ["key = BOAT-1", "key ="]}).json()["matches"]
    assert matches[0] == {"errors": [], "matchedIssues": [10000]}
    assert matches[1]["errors"] and matches[1]["matchedIssues"] == []


# ---------------------------------------------------------------- bulkfetch


def test_bulkfetch_gives_what_is_there_in_the_order_of_ids_and_says_nothing_of_the_rest() -> None:
    site = small_site()
    site.hide("BOAT-2")
    with client(site) as http:
        answer = http.post("issue/bulkfetch", json={"issueIdsOrKeys": ["BOAT-3", "10000", "BOAT-2", "BOAT-99", "boat-1"]})
    assert keys(answer) == boats(1, 3)
    assert answer.json()["issueErrors"] == []


def test_bulkfetch_takes_a_hundred() -> None:
    with client(small_site()) as http:
        assert http.post("issue/bulkfetch", json={"issueIdsOrKeys": list(range(101))}).status_code == 400


# ---------------------------------------------------------------- the index


def test_a_search_sees_a_write_after_the_lag_and_get_at_once() -> None:
    site = small_site(tickets=2)
    site.index.lag = 60
    site.edit("BOAT-1", summary="Changed")
    new = site.create("BOAT", "New")
    site.delete("BOAT-2")
    with client(site) as http:
        assert http.get("issue/BOAT-1").json()["fields"]["summary"] == "Changed"
        assert http.get(f"issue/{new.id}").status_code == 200 and http.get("issue/BOAT-2").status_code == 404
        early = http.post("search/jql", json={"jql": ASCENDING, "fields": ["summary"]}).json()["issues"]
        assert [(each["key"], each["fields"]["summary"]) for each in early] == [
            ("BOAT-1", "Ticket number 1"), ("BOAT-2", "Ticket number 2"),
        ]  # fmt: skip
        site.clock.advance(61)
        assert walk(http, ASCENDING, 5) == [boats(1, 3)]


def test_reconciled_ids_are_read_fresh() -> None:
    site = small_site(tickets=1)
    site.index.lag = 60
    new = site.create("BOAT", "New")
    with client(site) as http:
        assert walk(http, ASCENDING, 5) == [boats(1)]
        assert walk(http, ASCENDING, 5, reconcileIssues=[int(new.id)]) == [boats(1, 2)]


def test_a_ticket_vanishes_from_searches_and_comes_back() -> None:
    site = small_site(tickets=2)
    site.index.vanish(site.find("BOAT-1").id, seconds=30)
    with client(site) as http:
        assert walk(http, ASCENDING) == [boats(2)]
        assert http.get("issue/BOAT-1").status_code == 200
        assert walk(http, ASCENDING, reconcileIssues=[10000]) == [boats(1, 2)]
        site.clock.advance(31)
        assert walk(http, ASCENDING) == [boats(1, 2)]


# ---------------------------------------------------------------- changes during a walk


def test_a_ticket_edited_behind_an_ascending_walk_is_seen_again_at_its_end() -> None:
    site = small_site(tickets=4)
    site.page_hooks.after_page(1, lambda: site.edit("BOAT-1", summary="Again"))
    with client(site) as http:
        assert walk(http, ASCENDING) == [boats(1, 2), boats(3, 4), boats(1)]


def test_a_ticket_edited_ahead_of_a_descending_walk_is_missed() -> None:
    site = small_site(tickets=4)
    site.page_hooks.after_page(1, lambda: site.edit("BOAT-1", summary="Jumps back"))
    with client(site) as http:
        assert walk(http, DESCENDING) == [boats(4, 3), boats(2)]


def test_creation_deletion_and_a_move_between_pages() -> None:
    site = small_site(tickets=6)
    site.add_project("QUAY", "Quays")
    site.page_hooks.after_page(1, lambda: site.create("BOAT", "Late"))
    site.page_hooks.after_page(2, lambda: site.delete("BOAT-2"))
    site.page_hooks.after_page(2, lambda: site.move("BOAT-6", "QUAY"))
    with client(site) as http:
        assert walk(http, ASCENDING) == [boats(1, 2), boats(3, 4), boats(5, 7)]
        assert walk(http, DESCENDING) == [boats(7, 5), boats(4, 3), boats(1)]


# ---------------------------------------------------------------- Data Center


def test_data_center_pages_by_number_with_a_total_and_caps_what_is_asked() -> None:
    site = small_site("dc", tickets=5, dc_max_results=3)
    with client(site) as http:
        first = http.get("search", params={"jql": ASCENDING, "maxResults": 100, "fields": "summary"}).json()
        second = http.post("search", json={"jql": ASCENDING, "startAt": 3, "maxResults": 100, "fields": ["summary"]}).json()
    assert (first["startAt"], first["maxResults"], first["total"]) == (0, 3, 5)
    assert [each["key"] for each in first["issues"] + second["issues"]] == boats(1, 2, 3, 4, 5)


def test_data_center_has_no_search_by_tokens_and_takes_any_query() -> None:
    with client(small_site("dc")) as http:
        assert http.get("search/jql", params={"jql": ASCENDING}).status_code == 404
        assert http.get("search", params={"jql": "order by key"}).json()["total"] == 3


def test_an_edit_during_a_walk_by_numbers_makes_it_miss_a_ticket() -> None:
    site = small_site("dc", tickets=4)
    site.page_hooks.after_page(1, lambda: site.edit("BOAT-1", summary="Again"))
    with client(site) as http:
        pages = [keys(http.get("search", params={"jql": ASCENDING, "startAt": at, "maxResults": 2})) for at in (0, 2)]
    assert pages == [boats(1, 2), boats(4, 1)]
