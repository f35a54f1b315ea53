"""Whatever goes wrong with Jira: words that say what to do, nothing lost, and afterwards the tree as if nothing had been."""

from __future__ import annotations

import base64
import datetime as dt
import logging
import threading
import time
from collections.abc import Iterator
from email.utils import format_datetime
from typing import Any

import pytest

from connectors.base import AccessLost, Cancelled, ConfigurationError, ConnectorError, CredentialsError, Limited
from connectors.jira.client import MOST_LATE
from connectors.jira.exchange import Timing
from jira_simulator import Site
from tests.connectors.jira.world import HASTY, TOKEN, Diary, World, jira, world

PATIENT = Timing(connect=2, read=20, whole=20, short=1.5)


def furnished(personality: str = "cloud", lamps: int = 10, **switches: Any) -> Site:
    """A site with 15 tickets that are linked, commented and below each other."""
    site = jira(personality, **switches)
    epic = site.create("GANG", "Boarding by night", issuetype="Epic")
    for number in range(lamps):
        ticket = site.create("GANG", f"Lamp {number}", description=f"The lamp {number} is out.", author="Bob Roy", epic=epic)
        site.comment(ticket, f"Bulb {number} is ordered.", author="Ann Lee")
    story = site.create("GANG", "Rails")
    for number in range(3):
        site.create("GANG", f"Rail {number}", issuetype="Sub-task", parent=story)
    site.link("GANG-2", "blocks", "GANG-3")
    return site


@pytest.fixture
def cloud() -> Iterator[World]:
    with world(furnished()) as made:
        yield made


@pytest.fixture
def server() -> Iterator[World]:
    with world(furnished("dc")) as made:
        yield made


def work(world: World) -> None:
    """What happens to the site while the fault lasts."""
    site = world.site
    world.advance(120)
    site.edit("GANG-2", status="Done")
    site.comment("GANG-4", "It burns again.", author="Bob Roy")
    site.create("GANG", "Another lamp")
    site.delete("GANG-5")


def attempt(world: World) -> ConnectorError | None:
    """A look at everything, as the worker makes it."""
    try:
        world.look()
    except ConnectorError as error:
        return error
    return None


# ---------------------------------------------------------------- the table of failures (JIRA.md 4.4)

FAULTS: dict[str, dict[str, Any]] = {
    "once too many requests": {"status": 429, "count": 1},
    "too many requests, at once again": {"status": 429, "headers": {"Retry-After": "0"}, "count": 2},
    "too many requests, in an hour again": {"status": 429, "headers": {"Retry-After": "3600"}},
    "too many requests in the middle": {"path": "*/issue/*", "skip": 1, "status": 429, "headers": {"Retry-After": "3600"}},
    "a wait that is no whole number": {"status": 429, "headers": {"Retry-After": "0.5"}, "count": 1},
    "a wait that is nothing": {"status": 429, "headers": {"Retry-After": "soon"}, "count": 1},
    "500 for ever": {"status": 500},
    "502 as a page": {"status": 502, "body": "<html>Bad gateway</html>", "count": 1},
    "503 once with a wait": {"status": 503, "headers": {"Retry-After": "1"}, "count": 1},
    "503 for ever": {"status": 503},
    "504 twice": {"status": 504, "count": 2},
    "headers that never come": {"kind": "hang", "count": 2, "path": "*/myself"},
    "a body byte by byte": {"dribble": 0.05, "path": "*/search*"},
    "less than promised": {"kind": "truncate", "count": 1},
    "always less than promised": {"kind": "truncate"},
    "half of the JSON": {"kind": "half json", "count": 1},
    "always half of the JSON": {"kind": "half json"},
    "a broken line": {"kind": "reset", "count": 2},
    "a page to sign in": {"kind": "html login"},
    "nothing at all": {"kind": "empty"},
    "something else": {"kind": "wrong json"},
    "something else, in the tickets": {"kind": "wrong json", "path": "*/search*"},
    "something else, in the projects": {"kind": "wrong json", "path": "*/project*"},
    "something else, in the fields": {"kind": "wrong json", "path": "*/field"},
    "forbidden": {"status": 403, "body": {"message": "no"}},
    "gone for good": {"status": 410, "path": "*/search*", "body": {"errorMessages": ["The requested API has been removed."]}},
}
PAGING = ["expired token", "same token", "empty page", "short page", "last with token", "clamp", "total shrinks", "total grows"]


ALIKE = ("once", "500", "504", "a wait", "a body", "always", "less", "forbidden")  # the same code for both: tried on Cloud alone
TABLE = [
    (personality, name)
    for personality in ("cloud", "dc")
    for name in FAULTS
    if personality == "cloud" or not name.startswith(ALIKE)
]


@pytest.mark.parametrize(("personality", "name"), TABLE)
def test_after_any_fault_the_tree_is_what_a_fresh_look_gives(personality: str, name: str) -> None:
    with world(furnished(personality)) as one:
        one.look()
        work(one)
        gone = [id for id in one.tree if id.isdigit() and id not in one.site.tickets]
        before = set(one.tree)
        one.site.faults.set(**FAULTS[name])
        if FAULTS[name].keys() & {"dribble"} or FAULTS[name].get("kind") == "hang":
            one.reconnect(HASTY)
        error = attempt(one)
        assert set(one.tree) >= before - set(gone), "a fault never removes what is still there"
        if error:
            assert str(error).endswith(".") and " " in str(error) and TOKEN not in str(error)
        one.site.faults.clear()
        one.reconnect()
        one.look()
        one.poll()
        assert one.tree == one.fresh()


@pytest.mark.parametrize("paging", PAGING)
@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_no_trick_of_paging_loses_a_ticket_or_loops(personality: str, paging: str) -> None:
    site = jira(personality, cloud_page_cap=10, dc_max_results=30)
    for number in range(75):
        site.create("GANG", f"Ticket {number}")
    with world(site) as one:
        site.faults.set(paging=paging, path="*/search*", skip=1, count=2)
        attempt(one)
        site.faults.clear()
        one.look()
        assert len(one.tree) == 76 and one.tree == one.fresh()
        assert len(one.asked()) < 120


def test_a_page_that_is_repeated_for_ever_ends_in_words(cloud: World) -> None:
    cloud.site.switches.cloud_page_cap = 5
    cloud.site.faults.set(paging="same token", path="*/search*")
    with pytest.raises(AccessLost, match="again and again"):
        cloud.look()


def test_data_center_pages_that_a_right_made_shorter_are_not_the_last(server: World) -> None:
    server.site.switches.dc_max_results = 10
    server.site.faults.set(paging="short page", path="*/search", count=1)
    server.look()
    assert len(server.tree) == 16


# ---------------------------------------------------------------- a token that died


@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_a_dead_token_removes_nothing_and_says_which_and_where_to_make_another(personality: str) -> None:
    with world(furnished(personality)) as one:
        one.look()
        before = dict(one.tree)
        one.site.kill_token()
        where = "id.atlassian.com/manage-profile/security/api-tokens" if personality == "cloud" else "Personal Access Tokens"
        for act in (one.look, lambda: one.hear(["10001"]), one.connector.changed, lambda: list(one.connector.census())):
            with pytest.raises(CredentialsError, match=where):
                act()
        with pytest.raises(CredentialsError):
            one.connector.confirm(["10001"])
        assert one.tree == before
        one.site.revive_token()
        one.look()
        assert one.tree == one.fresh()


def test_the_words_for_a_dead_token_name_its_account_and_never_the_token(cloud: World) -> None:
    cloud.site.kill_token()
    with pytest.raises(CredentialsError) as caught:
        cloud.look()
    assert "ann@example.com" in str(caught.value) and TOKEN not in str(caught.value)


@pytest.mark.parametrize("asked", [1, 3, 4, 5, 7])
@pytest.mark.parametrize("answered", ["empty", "refused"])
def test_a_token_that_dies_in_the_middle_removes_nothing(asked: int, answered: str) -> None:
    """After each of the first requests of a look in turn. Cloud answers 200 as if nobody had signed in from then on."""
    site = furnished(anonymous_project_search=answered)
    with world(site) as one:
        one.look()
        one.advance(60)
        site.edit("GANG-4", summary="Renamed")
        before = set(one.tree)
        site.log = Diary(lambda number: site.kill_token() if number >= asked else None)
        with pytest.raises(CredentialsError):
            one.look()
            one.look()
        assert set(one.tree) == before


def test_a_search_that_a_dead_token_sees_empty_is_not_believed_even_without_the_header(cloud: World) -> None:
    """A proxy may take the header away; who we are is asked after every listing."""
    cloud.look()
    before = dict(cloud.tree)
    cloud.site.faults.set(path="*/search/jql", body={"issues": [], "isLast": True})
    cloud.site.faults.set(path="*/myself", skip=1, status=401, body={})
    with pytest.raises(CredentialsError):
        cloud.look()
    assert cloud.tree == before


UNAUTHORIZED = {"errors": [{"message": "401 Unauthorized"}]}  # as many a server says it, and Jira does not


@pytest.mark.parametrize(
    ("about", "error", "words"),
    [
        ({"status": 404, "body": "<html>Not found</html>"}, ConfigurationError, "does not look like a Jira"),
        ({"status": 200, "body": "<html>Welcome</html>"}, ConfigurationError, "does not look like a Jira"),
        ({"status": 200, "body": {"message": "hello"}}, ConfigurationError, "does not look like a Jira"),
        ({"status": 401, "body": UNAUTHORIZED}, CredentialsError, "Either there is no Jira at this address, or"),
        ({"status": 503, "body": ""}, CredentialsError, "Either there is no Jira at this address, or"),
    ],
)
def test_a_refusal_that_is_not_of_jira_says_so(
    cloud: World, about: dict[str, Any], error: type[ConnectorError], words: str
) -> None:
    cloud.site.faults.set(path="*/myself", status=401, body=UNAUTHORIZED)
    cloud.site.faults.set(path="*/serverInfo", **about)
    with pytest.raises(error, match=words) as caught:
        cloud.look()
    assert "Jira refused" not in str(caught.value) and TOKEN not in str(caught.value)
    assert {request.auth for request in cloud.asked("/serverInfo")} == {"none"}


@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_a_jira_that_refuses_the_token_says_so_in_whatever_form(personality: str) -> None:
    site = furnished(personality)
    with world(site) as one:
        for body in ("Unauthorized", {}, "<html>Basic Authentication Failure</html>"):  # a proxy has taken the headers away
            site.faults.set(path="*/myself", status=401, body=body)
            with pytest.raises(CredentialsError, match="Jira refused"):
                one.look()
            site.faults.clear()
        site.kill_token()
        with pytest.raises(CredentialsError, match="Jira refused"):
            one.look()
        assert len(one.asked("/serverInfo")) == 3, "a refusal of Jira's own needs no second look"


def test_a_captcha_has_its_own_words(server: World) -> None:
    server.site.faults.set(kind="captcha")
    with pytest.raises(CredentialsError, match="Sign in to Jira once in a browser"):
        server.look()


def test_a_personal_access_token_on_cloud_has_its_own_words(cloud: World) -> None:
    connector = cloud.connect(auth="pat", email="")
    with pytest.raises(CredentialsError, match="takes no personal access tokens"):
        connector.check()
    connector.close()


def test_an_account_that_changes_during_a_sync_is_not_believed(cloud: World) -> None:
    cloud.look()
    bob = cloud.site.user("Bob Roy")
    cloud.site.faults.set(path="*/myself", skip=1, body={"accountId": bob.account_id, "displayName": "Bob Roy"})
    with pytest.raises(AccessLost, match="account behind the token changed"):
        cloud.look()


# ---------------------------------------------------------------- limits


def test_a_long_wait_ends_the_sync_with_the_time_and_keeps_what_was_read(cloud: World) -> None:
    cloud.site.faults.set(path="*/issue/bulkfetch", skip=1, status=429, headers={"Retry-After": "3600"})
    with pytest.raises(Limited, match=r"limited until \d\d:\d\d") as caught:
        cloud.look()
    assert caught.value.until == pytest.approx(cloud.site.clock.true().timestamp() + 3_600, abs=5)
    assert len(cloud.tree) == 9, "the project and the first eight tickets"


def test_a_wait_given_as_a_date_counts_by_the_clock_of_jira() -> None:
    site = furnished()
    with world(site) as one:
        theirs = dt.datetime(2031, 1, 1, 12, 0, tzinfo=dt.UTC)
        dates = {
            "Date": format_datetime(theirs, usegmt=True),
            "Retry-After": format_datetime(theirs + dt.timedelta(minutes=7), usegmt=True),
        }
        site.faults.set(status=429, headers=dates)
        with pytest.raises(Limited) as caught:
            one.look()
        assert caught.value.until == pytest.approx(site.clock.true().timestamp() + 420, abs=5)


@pytest.mark.parametrize("value", ["0", "1", "0.5"])
def test_a_short_wait_is_waited_for(cloud: World, value: str) -> None:
    cloud.site.faults.set(status=429, headers={"Retry-After": value}, count=1)
    began = time.monotonic()
    cloud.look()
    assert len(cloud.tree) == 16 and time.monotonic() - began >= float(value)


def test_a_limit_without_a_wait_is_tried_again_a_few_times_and_then_told(cloud: World) -> None:
    cloud.site.faults.set(status=429, path="*/myself")
    with pytest.raises(AccessLost, match="asks us to slow down"):
        cloud.look()
    assert len(cloud.asked("/myself")) == 4


# ---------------------------------------------------------------- cancelling


@pytest.mark.parametrize(
    "fault", [{"kind": "hang"}, {"dribble": 5.0}, {"delay": 5.0}, {"status": 429, "headers": {"Retry-After": "1"}}]
)
def test_closing_ends_a_fetch_within_a_second_even_while_a_request_hangs(fault: dict[str, Any]) -> None:
    with world(furnished()) as one:
        connector = one.connect(timing=PATIENT)
        one.site.faults.set(path="*/bulkfetch", **fault)
        ended: list[tuple[type, float]] = []
        reading = threading.Event()

        def fetch() -> None:
            try:
                for _ in connector.fetch({}):
                    reading.set()
            except Cancelled as error:
                ended.append((type(error), time.monotonic()))

        thread = threading.Thread(target=fetch, daemon=True)
        thread.start()
        assert reading.wait(10)
        closed = time.monotonic()
        connector.close()
        thread.join(5)
        assert ended and ended[0][1] - closed < 1


def test_a_closed_connector_is_cancelled_at_once(cloud: World) -> None:
    cloud.connector.close()
    with pytest.raises(Cancelled):
        list(cloud.connector.census())


# ---------------------------------------------------------------- connecting


def test_making_a_connector_asks_nothing(cloud: World) -> None:
    cloud.connect().close()
    assert cloud.asked() == []


def test_a_server_that_nobody_answers_at_is_told_in_words_within_seconds() -> None:
    made = World(jira(), "http://127.0.0.1:9")
    began = time.monotonic()
    with pytest.raises(AccessLost, match="cannot be reached"):
        made.look()
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_a_server_that_does_not_say_what_it_is_is_known_by_its_version(personality: str) -> None:
    with world(furnished(personality)) as one:
        numbers = [1001, 0, 0] if personality == "cloud" else [9, 12, 0]
        one.site.faults.set(path="*/serverInfo", body={"version": ".".join(map(str, numbers)), "versionNumbers": numbers})
        one.look()
        assert len(one.tree) == 16


def test_an_address_that_is_no_jira_is_a_mistake_in_the_settings(server: World) -> None:
    connector = server.connect(url=server.url.removesuffix("/jira"))
    with pytest.raises(ConfigurationError, match="context path such as /jira"):
        connector.check()
    connector.close()


def test_a_redirect_is_never_followed_with_the_token(cloud: World) -> None:
    cloud.site.faults.set(status=302, headers={"Location": "http://127.0.0.1:9/login"})
    with pytest.raises(CredentialsError, match="sends us to another page"):
        cloud.look()


@pytest.mark.parametrize("gateway_auth", ["both", "basic", "bearer"])
def test_a_scoped_token_goes_through_the_gateway_however_it_wants_to_be_sent(gateway_auth: str) -> None:
    site = furnished(gateway_auth=gateway_auth)
    site.add_token("Ann Lee", "scoped-token", "scoped")
    site.attach("GANG-2", "plan.txt", b"The plan of the lamps.")
    with world(site) as one:
        one.settings |= {"auth": "scoped", "gateway": one.url}
        one.connector = one.connect(token="scoped-token")
        one.look()
        assert len(one.tree) == 17
        assert one.ticket("GANG-2").url == f"{one.url}/browse/GANG-2"
        assert all("/ex/jira/" in request.path for request in one.asked() if "tenant_info" not in request.path)


# ---------------------------------------------------------------- single tickets


def test_a_batch_that_arrives_broken_is_asked_for_in_halves(cloud: World) -> None:
    cloud.site.faults.set(path="*/issue/bulkfetch", kind="half json", body_above=100)
    cloud.look()
    assert len(cloud.tree) == 16


def test_a_ticket_that_never_arrives_whole_is_a_failure_and_the_others_are_read() -> None:
    with world(furnished("dc", lamps=3)) as one:
        bad = one.site.find("GANG-3").id
        one.site.faults.set(path=f"*/issue/{bad}", kind="half json")
        one.look()
        assert list(one.failures) == [bad] and len(one.tree) == 8
        assert one.failures[bad].again and one.failures[bad].problem.reason.endswith(".")
        again = one.take(one.connector.fetch(dict(one.checkpoint)))
        assert [failure for batch in again for failure in batch.failures] == [], "it is told once"
        one.site.faults.clear()
        one.hear([bad])
        assert not one.failures and one.tree == one.fresh()


# ---------------------------------------------------------------- secrets


def test_neither_the_token_nor_a_ticket_gets_into_a_log_or_a_message(caplog: pytest.LogCaptureFixture) -> None:
    messages = []
    with caplog.at_level(logging.DEBUG), world(furnished()) as one:
        one.look()
        for name in ("500 for ever", "always half of the JSON", "a page to sign in", "something else", "forbidden"):
            one.site.faults.set(**FAULTS[name])
            messages.append(str(attempt(one)))
            one.site.faults.clear()
    everything = caplog.text + "\n".join(messages)
    encoded = base64.b64encode(f"ann@example.com:{TOKEN}".encode()).decode()
    assert "POST" in everything, "the log was looked at"
    for secret in (TOKEN, encoded, "Authorization", "The lamp 3 is out", "Bulb 3"):
        assert secret not in everything


def test_an_error_does_not_carry_the_answer_with_it(cloud: World) -> None:
    cloud.site.faults.set(status=500)
    with pytest.raises(AccessLost) as caught:
        cloud.look()
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


# ---------------------------------------------------------------- a fault of the site is not one of each ticket

READING = {"cloud": "*/issue/bulkfetch", "dc": "*/issue/*"}
ODD: dict[str, dict[str, Any]] = {
    "a login page": {"kind": "html login"},
    "nothing": {"kind": "empty"},
    "half an answer": {"kind": "half json"},
    "null": {"status": 200, "body": "null"},
    "an empty object": {"status": 200, "body": {}},
    "an empty list": {"status": 200, "body": []},
    "tickets without fields": {"status": 200, "body": {"id": "10001", "issues": [{"id": "10001", "key": "GANG-2"}]}},
    "tickets whose fields are null": {"status": 200, "body": {"id": "10001", "issues": [{"id": "10001", "fields": None}]}},
    "tickets with empty fields": {"status": 200, "body": {"id": "10001", "issues": [{"id": "10001", "fields": {}}]}},
    "the 404 of a proxy": {"status": 404, "body": "<html>Not found</html>"},
    "a 404 in no form of Jira": {"status": 404, "body": {"message": "no route matched"}},
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_a_site_that_gives_no_tickets_is_at_fault_itself_and_nothing_is_removed(personality: str, name: str) -> None:
    with world(furnished(personality, lamps=4)) as one:
        one.look()
        before = dict(one.tree)
        edited = one.site.edit("GANG-2", status="Done").id
        one.advance(700)  # everything is due to be read again, whether it changed or not
        one.site.faults.set(path=READING[personality], **ODD[name])
        for act in (one.look, lambda: one.hear([edited])):
            with pytest.raises(AccessLost) as caught:
                act()
            assert str(caught.value).endswith(".") and not isinstance(caught.value, ConfigurationError)
            assert one.tree == before and not one.failures
        one.site.faults.clear()
        one.look()
        assert one.tree == one.fresh()


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_one_ticket_that_comes_as_something_else_stays_as_it_was_read_and_is_said(personality: str, name: str) -> None:
    with world(furnished(personality, lamps=4)) as one:
        one.look()
        before = dict(one.tree)
        one.advance(60)
        bad = one.site.edit("GANG-3", status="Done").id
        for path, contains in ((f"*/issue/{bad}", ""), ("*/bulkfetch", f'"{bad}"')):
            one.site.faults.set(path=path, contains=contains, **ODD[name])
        for act in (one.look, lambda: one.hear([bad])):
            act()
            assert list(one.failures) == [bad] and one.failures[bad].again
            assert one.tree[bad] == before[bad], "it is kept as it was last read"
            assert one.connector.confirm([bad]).get(bad, "here") == "here"
        one.site.faults.clear()
        one.hear([bad])
        assert not one.failures and one.tree == one.fresh()


def test_no_list_of_projects_empties_a_source_that_has_a_filter_alone() -> None:
    with world(furnished(lamps=4), projects=[], jql="project = GANG") as one:
        one.look()
        before = {id for id in one.tree if id.isdigit()}
        edited = one.site.edit("GANG-3", summary="Lantern").id
        one.advance(60)
        one.site.faults.set(path="*/project/search", body={"values": [], "isLast": True, "total": 0})
        one.reconnect()
        one.look()
        one.hear([edited])
        assert {id for id in one.tree if id.isdigit()} == before and "Lantern" in one.tree[edited].title


def test_a_hint_of_a_ticket_whose_project_went_out_of_sight_is_no_deletion() -> None:
    site = furnished(lamps=4)
    there = site.create("PORT", "Crane")
    with world(site, projects=["GANG", "PORT"]) as one:
        one.look()
        site.hide(site.project("PORT"))
        one.hear([there.id])
        assert one.has(there.id), "the look at everything says what became of the project"


def test_a_login_page_is_not_the_content_of_a_file() -> None:
    site = furnished(lamps=1)
    ticket = site.find("GANG-2")
    id = f"{ticket.id}/attachment-{site.attach(ticket, 'plan.txt', b'The plan of the lamps.').id}"
    with world(site) as one:
        one.look()
        before = one.tree[id]
        for fault in ("html login", "empty", "half json"):
            site.faults.set(path="*/attachment/content/*", kind=fault)
            one.hear([id])
            assert one.failures[id].again and one.tree[id] == before
            site.faults.clear()
        one.hear([id])
        assert not one.failures and one.tree == one.fresh()


def test_files_that_a_host_does_not_give_are_asked_for_three_times_and_not_each() -> None:
    site = furnished(lamps=1)
    for number in range(12):
        site.attach("GANG-2", f"plan-{number}.txt", b"The plan of the lamps.")
    with world(site) as one:
        site.faults.set(path="*/attachment/content/*", kind="reset")
        one.look()
        assert len(one.failures) == 12 and len(one.asked("/attachment/content/")) == 3 * 4
        site.faults.clear()
        one.hear(list(one.failures))
        assert not one.failures and one.tree == one.fresh()


# ---------------------------------------------------------------- bounds on time


@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_tickets_that_never_come_take_a_few_time_outs_and_not_some_for_each(personality: str) -> None:
    with world(furnished(personality, lamps=30)) as one:
        one.look()
        one.advance(700)
        one.reconnect(HASTY)
        one.site.faults.set(path=READING[personality], kind="hang")
        one.site.faults.set(path="*/search", method="POST", contains="id in", kind="hang")
        began = time.monotonic()
        with pytest.raises(AccessLost, match="takes too long"):
            one.look()
        assert time.monotonic() - began < 6 * HASTY.whole


@pytest.mark.parametrize(
    ("personality", "bulk"),
    [("cloud", {"path": "*/bulkfetch", "contains": "*all"}), ("dc", {"path": "*/search", "contains": "id in"})],
)
def test_where_only_requests_for_several_tickets_hang_each_is_read_by_itself(personality: str, bulk: dict[str, Any]) -> None:
    with world(furnished(personality, lamps=30)) as one:
        one.look()
        one.advance(700)  # everything is due to be read again
        one.reconnect(HASTY)
        fault = one.site.faults.set(kind="hang", **bulk)
        one.look()
        one.site.faults.clear()
        assert 0 < fault.met <= 2 * MOST_LATE  # of two batches
        assert not one.failures and one.tree == one.fresh()


def test_a_batch_is_given_up_after_its_time_and_what_is_left_is_said_of_each() -> None:
    timing = Timing(connect=2, read=0.3, whole=0.3, batch=0.5, short=1.5, pauses=(0.01,))
    with world(furnished(lamps=30)) as one:
        one.look()
        before = dict(one.tree)
        witness = one.site.create("GANG", "Witness").id
        one.reconnect(timing)
        one.hear([witness])
        one.site.faults.set(path="*/bulkfetch", contains="*all", kind="hang")
        ids = [id for id in before if id.isdigit()][:20]
        began = time.monotonic()
        one.hear(ids)
        assert time.monotonic() - began < 4
        assert {*ids} == {*one.failures} and all(one.tree[id] == before[id] for id in ids)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("inf", 3_600), ("1e400", 3_600), ("9" * 400, 3_600), ("Tue, 01 Jan 2099 00:00:00 GMT", 3_600), ("100000", 3_600),
        ("2099-01-01T00:00:00Z", 3_600), ("1800", 1_800),
    ],
)  # fmt: skip
def test_a_wait_is_never_longer_than_an_hour(cloud: World, value: str, seconds: float) -> None:
    cloud.site.faults.set(status=429, headers={"Retry-After": value})
    with pytest.raises(Limited) as caught:
        cloud.look()
    assert caught.value.until == pytest.approx(cloud.site.clock.true().timestamp() + seconds, abs=5)


@pytest.mark.parametrize("value", ["nan", "-inf", "-5", "Tue, 01 Jan 1999 00:00:00 GMT", "0001-01-01", "", "soon", "\x7f"])
def test_a_wait_that_makes_no_sense_is_none(cloud: World, value: str) -> None:
    cloud.site.faults.set(status=429, headers={"Retry-After": value}, count=1)
    cloud.look()
    assert len(cloud.tree) == 16
