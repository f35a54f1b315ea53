"""The Jira connector beside a Jira: what comes in, what it becomes, and how it follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from connectors import connect
from connectors.base import ConfigurationError, Confirming, CredentialsError, Watched
from connectors.jira.client import USER_AGENT, Client
from jira_simulator import Body, Site
from tests.connectors.jira.world import Diary, World, jira, text, titles, world

PERSONALITIES = ["cloud", "dc"]


@pytest.fixture(params=PERSONALITIES)
def both(request: pytest.FixtureRequest) -> Iterator[World]:
    """On Cloud and on Data Center."""
    with world(jira(request.param)) as made:
        yield made


@pytest.fixture
def cloud() -> Iterator[World]:
    with world(jira()) as made:
        yield made


# ---------------------------------------------------------------- setting up


def test_a_check_says_who_the_token_is_and_what_it_sees(both: World) -> None:
    for number in range(7):
        both.site.create("GANG", f"Lamp {number}")
        both.advance()
    check = both.connector.check()
    assert check.whole.endswith("as Ann Lee (time zone Etc/UTC). 7 tickets in GANG Gangway.")
    assert check.documents == 7 and check.sample[0] == "GANG-7 Lamp 6" and len(check.sample) == 5


def test_a_check_counts_several_projects_one_by_one(cloud: World) -> None:
    cloud.site.create("GANG", "Lamp")
    cloud.site.create("PORT", "Crane")
    cloud.site.create("PORT", "Quay")
    connector = cloud.connect(projects=["GANG", "PORT"])
    assert connector.check().message.startswith("3 tickets: GANG Gangway 1, PORT Port 2.")
    connector.close()


def test_a_filter_is_checked_with_what_it_names(both: World) -> None:
    both.site.create("GANG", "Lamp", labels=["urgent"])
    both.site.create("PORT", "Crane", labels=["urgent"])
    both.site.create("PORT", "Quay")
    connector = both.connect(projects=[], jql="labels = urgent ORDER BY created DESC")
    check = connector.check()
    assert check.documents == 2 and "The filter names 2 tickets." in check.message
    connector.close()


def test_a_filter_that_jira_does_not_take_is_told_with_the_words_of_jira(both: World) -> None:
    both.site.create("GANG", "Lamp")
    connector = both.connect(jql="wibble wobble")
    with pytest.raises(ConfigurationError, match="does not take the filter “wibble wobble”: .+"):
        connector.check()
    with pytest.raises(ConfigurationError, match="does not take the filter"):
        list(connector.fetch({}))
    connector.close()


def test_a_project_nobody_sees_is_a_mistake_in_the_settings_that_names_those_that_are_seen(both: World) -> None:
    connector = both.connect(projects=["GNAG"])
    for act in (connector.check, lambda: list(connector.fetch({}))):
        with pytest.raises(ConfigurationError, match="sees no project GNAG. It sees: GANG, PORT"):
            act()
    connector.close()


def test_the_projects_to_choose_from_are_those_the_token_sees(both: World) -> None:
    assert both.connector.projects() == [("GANG", "Gangway"), ("PORT", "Port")]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"url": "team.atlassian.net", "email": "a@b.c"}, "choose at least one project"),
        ({"url": "team.atlassian.net", "email": "a@b.c", "jql": " ORDER BY rank"}, "choose at least one project"),
        ({"url": "team.atlassian.net", "projects": ["A"]}, "needs the e-mail address"),
        ({"url": "ftp://team", "email": "a@b.c", "projects": ["A"]}, "as in the browser"),
        ({"url": "https://ann:pw@team", "email": "a@b.c", "projects": ["A"]}, "password out of the address"),
        ({"url": "team", "email": "a@b.c", "projects": ["A B-1"]}, "not the key of a project"),
        ({"url": "team", "email": "a@b.c", "projects": ["A"], "colour": "red"}, "colour"),
    ],
)
def test_settings_that_cannot_be_right_are_told_in_words(config: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words) as caught:
        connect("jira", config, {"token": "x"})
    assert "Value error" not in str(caught.value)


@pytest.mark.parametrize("token", ["", "  ", "two words", "schlüssel", "line\nbreak"])
def test_a_token_that_cannot_be_one_is_refused_before_it_is_sent(token: str) -> None:
    with pytest.raises(ConfigurationError, match="token"):
        connect("jira", {"url": "team.atlassian.net", "email": "a@b.c", "projects": ["A"]}, {"token": token})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("team.atlassian.net", "https://team.atlassian.net"),
        ("https://team.atlassian.net/browse/GANG-1", "https://team.atlassian.net"),
        ("https://host.example.com/jira/", "https://host.example.com/jira"),
        ("https://host.example.com/jira/projects/GANG/issues", "https://host.example.com/jira"),
        ("http://127.0.0.1:8080/jira/secure/Dashboard.jspa", "http://127.0.0.1:8080/jira"),
        ("https://team.atlassian.net/jira/software/projects/GANG/boards/1", "https://team.atlassian.net"),
        ("https://team.atlassian.net/jira/your-work", "https://team.atlassian.net"),
        ("https://team.atlassian.net/jira/dashboards/1", "https://team.atlassian.net"),
        ("https://team.atlassian.net/jira/projects", "https://team.atlassian.net"),
        ("https://jira.example.com/jira/dashboards/1", "https://jira.example.com"),
        ("https://jira.example.com/jira/browse/GANG-1?focusedCommentId=3", "https://jira.example.com/jira"),
        ("https://jira.example.com/issues/?jql=project%20%3D%20GANG", "https://jira.example.com"),
        ("https://jira.example.com/jira/servicedesk/customer/portal/1", "https://jira.example.com"),
    ],
)
def test_an_address_is_taken_as_it_is_copied_from_the_browser(typed: str, meant: str) -> None:
    made = connect("jira", {"url": typed, "email": "a@b.c", "projects": "gang, port"}, {"token": "x"})
    assert made.config.url == meant and made.config.projects == ("GANG", "PORT")  # type: ignore[attr-defined]
    assert isinstance(made, Watched) and isinstance(made, Confirming)
    made.close()


def test_several_sites_are_read_each_with_its_own_token() -> None:
    with world(jira()) as one, world(jira("dc")) as other:
        one.site.create("GANG", "On the first")
        other.site.create("GANG", "On the second")
        one.look()
        other.look()
        assert one.ticket("GANG-1").title == "GANG-1 On the first" and one.ticket("GANG-1").url == f"{one.url}/browse/GANG-1"
        assert other.ticket("GANG-1").title == "GANG-1 On the second" and "/jira/browse/" in other.ticket("GANG-1").url


# ---------------------------------------------------------------- following


def test_a_poll_says_nothing_before_everything_was_looked_at(both: World) -> None:
    both.site.create("GANG", "Lamp")
    assert both.connector.changed() is None


def test_an_edit_is_found_by_polling_and_reported_once(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.site.create("GANG", "Rail")
    both.advance()
    both.look()
    edited = both.site.edit("GANG-1", summary="Red lamp")
    both.advance()
    assert both.poll() == {edited.id} and both.ticket("GANG-1").title == "GANG-1 Red lamp"
    assert both.poll() == set() and both.tree == both.fresh()


def test_a_poll_without_changes_is_two_requests(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.look()
    before = both.requests
    assert both.connector.changed() == set()
    assert both.requests - before == 2


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Kiritimati"])
@pytest.mark.parametrize("cut", [False, True], ids=["to the millisecond", "to the minute"])
@pytest.mark.parametrize("personality", PERSONALITIES)
def test_no_time_zone_of_the_account_hides_an_edit(personality: str, zone: str, cut: bool) -> None:
    site = jira(personality, jql_truncates_milliseconds=cut)
    ann = site.user("Ann Lee")
    site.users[ann.account_id] = type(ann)(**{name: getattr(ann, name) for name in ann.__slots__ if name != "zone"}, zone=zone)
    with world(site) as one:
        site.create("GANG", "Lamp")
        one.look()
        for seconds in (1, 59, 3_600, 86_400):
            one.advance(seconds)
            edited = site.edit("GANG-1", summary=f"Lamp after {seconds}")
            assert one.poll() == {edited.id}


def test_an_edit_that_the_index_shows_late_is_found_later(cloud: World) -> None:
    cloud.site.create("GANG", "Lamp")
    cloud.advance()
    cloud.look()
    cloud.site.index.lag = 90
    cloud.advance()
    cloud.site.edit("GANG-1", summary="Red lamp")
    assert cloud.poll() == set()
    cloud.advance(60)
    newer = cloud.site.create("GANG", "Rail")
    cloud.advance(31)
    assert cloud.poll() == {cloud.site.find("GANG-1").id}
    cloud.advance(60)
    assert cloud.poll() == {newer.id} and cloud.tree == cloud.fresh()


def test_an_edit_that_the_index_shows_hours_late_is_found_by_a_look_at_everything(cloud: World) -> None:
    late, other = cloud.site.create("GANG", "Lamp"), cloud.site.create("GANG", "Rail")
    cloud.advance()
    cloud.look()
    cloud.advance()
    cloud.site.index.lag = 7_200
    cloud.site.edit(late, summary="Red lamp")
    cloud.site.index.lag = 0
    cloud.advance()
    cloud.site.edit(other, summary="Red rail")
    cloud.advance()
    assert cloud.poll() == {other.id}
    for _ in range(3):
        cloud.advance(3_000)
        assert cloud.poll() == set()
    cloud.look()
    assert cloud.tree[late.id].title == "GANG-1 Red lamp" and cloud.tree == cloud.fresh()


def test_after_a_change_of_very_many_tickets_polls_stay_small(cloud: World) -> None:
    cloud.site.switches.cloud_page_cap = 10
    for number in range(50):
        cloud.site.create("GANG", f"Lamp {number}")
    cloud.advance()
    cloud.look()
    assert cloud.poll() == set()
    for seconds in (30, 30, 30):
        cloud.advance(seconds)
        edited = cloud.site.edit("GANG-7", summary=f"Lamp after {cloud.requests}")
        before = cloud.requests
        assert cloud.connector.changed() == {edited.id} and cloud.requests - before <= 3
        cloud.hear([edited.id])


def test_a_watch_takes_up_what_another_process_has_read(cloud: World) -> None:
    first = cloud.site.create("GANG", "Lamp")
    cloud.advance()
    cloud.look()
    cloud.reconnect()
    assert cloud.connector.changed() is None  # nothing is known here
    cloud.connector.resume(cloud.checkpoint)
    assert cloud.connector.changed() == set()
    cloud.advance()
    cloud.site.edit(first.key, summary="Lamp post")
    assert cloud.connector.changed() == {first.id}


def test_of_what_others_have_read_a_watch_takes_up_what_is_another_than_before(cloud: World) -> None:
    tickets = [cloud.site.create("GANG", f"Lamp {number}") for number in range(9)]
    cloud.look()
    watching = cloud.connect()
    watching.resume(cloud.checkpoint)
    before = {id: watching.places[id] for id in watching.places}
    cloud.advance()
    cloud.site.edit(tickets[4].key, summary="Lamp post")
    cloud.hear([tickets[4].id])
    watching.resume(cloud.checkpoint)
    assert {id for id in before if watching.places[id] is not before[id]} == {tickets[4].id}
    assert "Lamp post" in watching.places[tickets[4].id].title
    watching.close()


def test_a_connector_knows_what_the_one_before_it_knew_and_reads_what_is_another_since(cloud: World) -> None:
    tickets = [cloud.site.create("GANG", f"Lamp {number}") for number in range(9)]
    cloud.look()
    cloud.hear([tickets[4].id])
    first = cloud.connector
    cloud.reconnect()
    cloud.connector.remember(first)
    before = {id: cloud.connector.places[id] for id in cloud.connector.places}
    cloud.advance()
    cloud.site.edit(tickets[4].key, summary="Lamp post")
    cloud.checkpoint[tickets[5].id] = replace(before[tickets[5].id], title="as another process has read it").packed()
    cloud.hear([tickets[4].id])
    changed = {id for id in before if cloud.connector.places[id] is not before[id]}
    assert changed == {tickets[4].id, tickets[5].id} and cloud.ticket(tickets[4].key).title == f"{tickets[4].key} Lamp post"
    assert cloud.connector.places[tickets[5].id].title == "as another process has read it"


def test_a_webhook_is_read_by_id_before_any_search_knows_of_it(cloud: World) -> None:
    cloud.site.create("GANG", "Lamp")
    cloud.look()
    cloud.site.index.lag = 3_600
    cloud.site.edit("GANG-1", summary="Red lamp")
    new = cloud.site.create("GANG", "Rail")
    cloud.hear([cloud.site.find("GANG-1").id, new.id])
    assert cloud.ticket("GANG-1").title == "GANG-1 Red lamp" and cloud.has(new.id)


def test_a_ticket_that_vanishes_from_the_index_for_a_while_stays(cloud: World) -> None:
    for number in range(3):
        cloud.site.create("GANG", f"Lamp {number}")
    cloud.look()
    cloud.site.index.vanish(cloud.site.find("GANG-2").id, 600)
    cloud.look()
    assert cloud.has(cloud.site.find("GANG-2").id)


def test_a_ticket_edited_all_the_time_is_read_all_the_same(cloud: World) -> None:
    cloud.site.create("GANG", "Lamp")
    cloud.look()
    for number in range(5):
        cloud.advance(1)
        cloud.site.edit("GANG-1", summary=f"Lamp {number}")
        assert cloud.poll() and cloud.ticket("GANG-1").title == f"GANG-1 Lamp {number}"


def test_a_project_that_goes_out_of_sight_makes_the_watch_ask_for_a_look_at_everything(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.site.create("PORT", "Crane")
    both.settings |= {"projects": ["GANG", "PORT"]}
    both.reconnect()
    both.look()
    both.site.hide(both.site.project("PORT"))
    found = both.connector.watch().poll()
    assert found is not None and found.rescan
    both.look()
    assert both.connector.changed() == set() and len(both.tree) == 3
    assert "does not see the project PORT" in both.tree["project/PORT"].problems[0].reason


@pytest.mark.parametrize("skew", [-300, 300])
def test_a_clock_of_jira_that_is_wrong_hides_no_edit(skew: int) -> None:
    site = jira()
    site.clock.skew = timedelta(seconds=skew)
    with world(site) as one:
        site.create("GANG", "Lamp")
        one.look()
        for seconds in (1, 30, 600):
            one.advance(seconds)
            edited = site.edit("GANG-1", summary=f"Lamp after {seconds}")
            assert one.poll() == {edited.id}
        assert one.tree == one.fresh()


def test_what_happens_between_two_pages_is_not_lost(both: World) -> None:
    site = both.site
    site.switches.cloud_page_cap = site.switches.dc_max_results = 10
    for number in range(35):
        site.create("GANG", f"Lamp {number}")
    happen = [
        lambda: site.edit("GANG-3", summary="Edited behind"),
        lambda: site.edit("GANG-33", summary="Edited ahead"),
        lambda: site.delete("GANG-5"),
        lambda: site.delete("GANG-30"),
        lambda: site.create("GANG", "New"),
        lambda: site.move("GANG-7", "PORT"),
        lambda: site.move("GANG-29", "PORT"),
        lambda: site.edit("GANG-3", status="Done"),
    ]

    def then(_: int) -> None:
        if happen:
            site.clock.advance(5)
            happen.pop(0)()

    site.log = Diary(then)
    both.look()
    assert not happen
    both.poll()
    both.look()
    assert both.tree == both.fresh()


@pytest.mark.parametrize("what", ["deleted", "moved", "hidden"])
def test_the_watch_asks_for_a_look_at_everything_when_there_are_fewer_tickets(both: World, what: str) -> None:
    """A ticket that is deleted, moved away or hidden from us is in no list of what was updated."""
    connector = both.connect(poll_seconds=0.01, projects=["GANG"])
    watch = connector.watch()
    both.site.add_project("ELSE", "Somewhere else")
    both.site.create("GANG", "Lamp")
    both.site.create("GANG", "Rail")
    both.advance()
    both.take(connector.fetch({}))
    first = watch.poll(1)
    assert first is not None and not first.rescan
    if what == "deleted":
        both.site.delete("GANG-1")
    elif what == "moved":
        both.site.move("GANG-1", "ELSE")
    else:
        both.site.add_level("Board", [both.site.add_user("Bo Kern", "bo@example.com").account_id])
        both.site.restrict("GANG-1", "Board")
    both.advance()
    found = watch.poll(1)
    assert found is not None and found.rescan and not found.paths
    both.advance()
    again = watch.poll(1)
    assert again is not None and not again.rescan
    watch.close()
    connector.close()


def test_a_jira_that_does_not_count_is_watched_all_the_same(cloud: World) -> None:
    connector = cloud.connect(poll_seconds=0.01)
    watch = connector.watch()
    cloud.site.create("GANG", "Lamp")
    cloud.take(connector.fetch({}))
    cloud.site.faults.set(path="*/search/approximate-count", status=404)
    found = watch.poll(1)
    assert found is not None and not found.rescan
    watch.close()
    connector.close()


def test_the_watch_reports_what_changed_and_that_nothing_did(both: World) -> None:
    connector = both.connect(poll_seconds=0.05)
    watch = connector.watch()
    assert watch.poll(0.2) is None
    both.site.create("GANG", "Lamp")
    both.advance()
    both.take(connector.fetch({}))
    edited = both.site.edit("GANG-1", summary="Red lamp")
    found = watch.poll()
    assert found is not None and found.paths == {edited.id} and not found.rescan
    quiet = watch.poll()
    assert quiet is not None and not quiet.paths
    watch.close()
    assert watch.poll() is None
    connector.close()


# ---------------------------------------------------------------- disappearing, moving, coming back


def test_a_deleted_ticket_is_gone_when_hinted_and_links_to_it_too(both: World) -> None:
    both.site.create("GANG", "Lamp")
    bad = both.site.create("GANG", "Rail")
    both.site.link("GANG-1", "blocks", bad)
    both.look()
    assert "GANG-2" in text(both.ticket("GANG-1"))
    both.advance()
    both.site.delete(bad)
    both.hear([bad.id])
    assert not both.has(bad.id) and bad.id not in both.checkpoint
    assert both.tree == both.fresh() and "- blocks GANG-2" not in text(both.ticket("GANG-1"))


def test_a_deleted_ticket_is_confirmed_gone_after_a_census(both: World) -> None:
    both.site.create("GANG", "Lamp")
    bad = both.site.create("GANG", "Rail")
    both.site.link("GANG-1", "blocks", bad)
    both.look()
    both.advance()
    both.site.delete(bad)
    assert bad.id not in set(both.connector.census())
    assert both.connector.confirm([bad.id]) == {bad.id: "gone"}
    both.look()
    both.poll()
    assert both.tree == both.fresh()


def test_a_hidden_project_is_hidden_and_comes_back(both: World) -> None:
    both.site.create("GANG", "Lamp")
    there = both.site.create("PORT", "Crane")
    both.settings |= {"projects": ["GANG", "PORT"]}
    both.reconnect()
    both.look()
    both.site.hide(both.site.project("PORT"))
    ids = [there.id, f"project/{there.project}"]
    assert both.connector.confirm(ids) == dict.fromkeys(ids, "hidden")
    both.look()
    assert not both.has(there.id) and both.tree == both.fresh()
    both.site.restore(both.site.project("PORT"))
    both.look()
    assert both.has(there.id) and both.tree == both.fresh()


def test_a_single_project_that_is_hidden_leaves_only_words_that_say_so(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.look()
    both.site.hide(both.site.project("GANG"))
    both.look()
    assert [(one.id, one.problems[0].kind) for one in both.tree.values()] == [("project/GANG", "access")]
    both.site.restore(both.site.project("GANG"))
    both.look()
    assert len(both.tree) == 2


def test_a_single_hidden_ticket_leaves_and_comes_back(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.look()
    one = both.site.find("GANG-1")
    both.site.hide(one)
    both.look()
    assert not both.has(one.id)
    both.site.restore(one)
    both.look()
    assert both.has(one.id) and both.tree == both.fresh()


@pytest.mark.parametrize("items", ["project and key", "key only"])
@pytest.mark.parametrize("personality", PERSONALITIES)
def test_a_move_keeps_the_document_and_its_former_key(personality: str, items: str) -> None:
    with world(jira(personality, move_items=items), projects=["GANG", "PORT"]) as one:
        ticket = one.site.create("GANG", "Lamp")
        below = one.site.create("GANG", "Bulb", issuetype="Sub-task", parent=ticket)
        one.look()
        one.advance()
        one.site.move(ticket, "PORT")
        assert one.poll() >= {ticket.id}
        moved = one.tree[ticket.id]
        assert moved.title == "PORT-1 Lamp" and moved.aliases == ("PORT-1", "GANG-1")
        assert moved.path[0].id == one.site.project("PORT").id == one.tree[below.id].path[0].id
        assert "formerly GANG-1" in text(moved) and one.tree == one.fresh()


def test_a_ticket_moved_out_of_the_source_is_gone(both: World) -> None:
    ticket = both.site.create("GANG", "Lamp")
    both.look()
    both.advance()
    both.site.move(ticket, "PORT")
    assert both.connector.confirm([ticket.id]) == {ticket.id: "gone"}
    both.hear([ticket.id])
    assert not both.has(ticket.id)


def test_a_ticket_that_a_filter_names_no_longer_is_gone(both: World) -> None:
    both.settings |= {"jql": "status != Done"}
    both.reconnect()
    both.site.create("GANG", "Lamp")
    ticket = both.site.create("GANG", "Rail")
    both.look()
    both.advance()
    both.site.index.lag = 600
    both.site.edit(ticket, status="Done")
    both.site.index.lag = 0
    both.hear([ticket.id])
    if both.site.personality == "cloud":  # which can look at a ticket as it is now
        assert not both.has(ticket.id)
    both.advance(601)
    both.look()
    assert not both.has(ticket.id) and both.tree == both.fresh()


def test_a_hint_of_a_ticket_elsewhere_or_of_none_brings_nothing(both: World) -> None:
    elsewhere = both.site.create("PORT", "Crane")
    both.site.create("GANG", "Lamp")
    both.look()
    before = dict(both.tree)
    both.hear([elsewhere.id, "99999", "never/was", "project/77"])
    assert both.tree == before


def test_a_renamed_key_of_a_project_is_still_the_project(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.look()
    both.advance(3_600)
    both.site.rename_project("GANG", key="RAMP", name="Ramp")
    both.look()
    assert both.tree[f"project/{both.site.project('RAMP').id}"].title == "Ramp (RAMP)"
    assert both.ticket("RAMP-1").aliases == ("RAMP-1", "GANG-1")


def test_who_leads_a_component_is_asked_for_and_stated(both: World) -> None:
    """A project names its components without their leads."""
    bob = next(user for user in both.site.users.values() if user.display_name == "Bob Roy")
    both.site.add_named("components", "Ramp", project="GANG", description="Goes up and down", lead=bob.account_id)
    both.site.add_named("components", "Deck", project="GANG")
    both.look()
    project = both.tree[f"project/{both.site.project('GANG').id}"]
    assert "- Ramp (lead: Bob Roy): Goes up and down\n- Deck" in text(project)
    assert [(fact.subject.name, fact.relation, fact.value) for fact in project.facts] == [("Ramp", "lead", "Bob Roy")]


# ---------------------------------------------------------------- resuming


def test_a_first_look_that_is_killed_goes_on_where_it_was(both: World) -> None:
    for number in range(60):
        both.site.create("GANG", f"Lamp {number}", epic=None)
    batches = both.connector.fetch({})
    for _ in range(3):
        both.take(iter([next(batches)]))
    batches.close()
    both.reconnect()
    known = set(both.tree)
    before = both.requests
    batch = [document.id for batch in both.take(both.connector.fetch(dict(both.checkpoint))) for document in batch.documents]
    assert known.isdisjoint(batch) and len(both.tree) == 61
    assert both.requests - before < 13 + (10 if both.site.personality == "dc" else 0)


def test_what_a_change_changes_elsewhere_is_not_forgotten_when_a_look_is_cut_off(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.site.create("GANG", "Rail")
    both.site.link("GANG-1", "blocks", "GANG-2")
    both.look()
    both.advance()
    both.site.edit("GANG-1", summary="Red lamp")
    batches = both.connector.fetch(dict(both.checkpoint), [both.site.find("GANG-1").id])
    both.take(iter([next(batches)]))
    batches.close()
    both.reconnect()
    both.look()
    assert both.tree == both.fresh() and "Red lamp" in text(both.ticket("GANG-2"))


def test_other_settings_read_everything_again(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.site.comment("GANG-1", "For us only.", internal=True)
    both.look()
    assert "For us only" not in text(both.ticket("GANG-1"))
    both.settings |= {"internal_comments": True}
    both.reconnect()
    both.look()
    assert "For us only" in text(both.ticket("GANG-1"))


# ---------------------------------------------------------------- budgets


def test_a_first_look_at_ten_thousand_tickets_takes_at_most_three_hundred_requests() -> None:
    """The sum is made on 400: what is per ticket shows."""
    site = jira()
    for number in range(400):
        site.create("GANG", f"Lamp {number}")
    with world(site) as one:
        one.take(one.connector.fetch({}))
        listing, reading = len(one.asked("/search/jql")), len(one.asked("/bulkfetch"))
        rest = one.requests - listing - reading
        assert len(one.tree) == 401 and 25 * (listing + reading) + rest <= 300
        before = one.requests
        list(one.connector.census())
        assert one.requests - before <= 4


# ---------------------------------------------------------------- what is not for everybody


def test_restricted_tickets_are_left_out_and_not_named_in_links(both: World) -> None:
    both.site.create("GANG", "Lamp")
    secret = both.site.create("GANG", "Merger with Acme")
    both.site.link("GANG-1", "blocks", secret)
    both.look()
    both.site.add_level("Board", [both.site.user("Ann Lee").account_id])
    both.advance()
    both.site.restrict(secret, "Board")
    assert both.poll() >= {secret.id}
    assert not both.has(secret.id)
    assert "blocks GANG-2" in text(both.ticket("GANG-1")) and "Acme" not in text(both.ticket("GANG-1"))
    before = both.requests
    both.look()
    assert both.requests - before <= 12, "it is not asked for again and again"
    assert not both.has(secret.id) and both.tree == both.fresh()
    both.advance()
    both.site.restrict(secret, None)
    both.poll()
    assert both.has(secret.id) and "Acme" in text(both.ticket("GANG-1")) and both.tree == both.fresh()


def test_a_restricted_parent_lends_its_title_to_nothing(both: World) -> None:
    both.site.add_level("Board", [both.site.user("Ann Lee").account_id])
    parent = both.site.create("GANG", "Merger with Acme", security="Board")
    epic = both.site.create("PORT", "Acme in the port", issuetype="Epic", security="Board")
    below = both.site.create("GANG", "Paper", issuetype="Sub-task", parent=parent)
    beside = both.site.create("GANG", "Pens", epic=epic)
    both.look()
    for id in (below.id, beside.id):
        document = both.tree[id]
        assert "Acme" not in f"{text(document)} {titles(document)} {document.metadata}"
    assert titles(both.tree[below.id])[-1] == "GANG-1" and titles(both.tree[beside.id])[-1] == "PORT-1"


def test_a_project_with_another_key_gives_it_to_all_its_tickets_in_the_next_look(both: World) -> None:
    both.settings |= {"projects": ["GANG", "PORT"]}
    both.reconnect()
    lamp, other = both.site.create("GANG", "Lamp"), both.site.create("PORT", "Crane")
    both.site.link(lamp, "blocks", other)
    both.look()
    both.advance(60)
    both.site.rename_project("GANG", key="PIER")
    both.look()
    assert both.ticket(lamp).aliases[0] == "PIER-1" and "PIER-1 Lamp" in text(both.ticket(other))
    both.advance(60)
    before = len(both.asked("/issue/"))
    both.look()
    assert len(both.asked("/issue/")) == before, "they are read again once"


def test_a_second_change_within_the_same_second_is_found_after_a_read_in_between(both: World) -> None:
    """Some servers keep times by the second: both changes then have the same."""
    ticket = both.site.create("GANG", "Lamp")
    both.look()
    both.site.edit(ticket, summary="Red lamp")
    both.hear([ticket.id])
    both.site.edit(ticket, summary="Green lamp")
    both.advance(30)
    both.poll()
    assert both.ticket(ticket).title == "GANG-1 Green lamp"
    before = len(both.asked("/issue/"))
    both.advance(30)
    assert both.poll() == set() and len(both.asked("/issue/")) == before
    both.site.edit(ticket, summary="Blue lamp")
    both.look()
    both.site.edit(ticket, summary="White lamp")
    both.advance(30)
    both.look()
    assert both.ticket(ticket).title == "GANG-1 White lamp"


def test_requests_say_what_program_they_come_from(both: World) -> None:
    client: Client = both.connector.client
    assert client._open()._session.headers["User-Agent"] == USER_AGENT and USER_AGENT.startswith("KnowledgeTree/")


def test_nothing_of_a_ticket_that_is_not_read_stands_in_others(both: World) -> None:
    """Whoever sees the project GANG sees neither the security level Board nor the project PORT."""
    site = both.site
    site.add_level("Board", ["Ann Lee"])
    secret = site.create("GANG", "Merger with Acme", security="Board")
    epic = site.create("GANG", "Acme as a whole", issuetype="Epic", security="Board")
    elsewhere = site.create("PORT", "Acme in the port")
    lamp = site.create("GANG", "Lamp", epic=epic)
    below = site.create("GANG", "Acme's bulb", issuetype="Sub-task", parent=lamp, security="Board")
    site.create("GANG", "Bulb", issuetype="Sub-task", parent=secret)
    later = site.create("GANG", "Rail")
    for number in range(40):  # in another batch than the first
        site.create("GANG", f"Rope {number}")
    last = site.create("GANG", "Anchor")
    for one in (secret, elsewhere, last):
        site.link(lamp, "blocks", one)
    for _ in range(2):
        both.look()
        said = "\n".join(f"{titles(one)} {text(one)} {one.metadata} {one.title}" for one in both.tree.values())
        assert "Acme" not in said
        for key in (secret.key, elsewhere.key, below.key):
            assert key in text(both.ticket(lamp))
        assert f"blocks {last.key} Anchor (To Do)" in text(both.ticket(lamp))
        assert both.tree == both.fresh()
        both.advance(60)
        site.edit(lamp, status="Done")
        site.link(later, "blocks", secret)
    site.edit(elsewhere, summary="Acme moves")
    both.poll()
    assert both.tree == both.fresh()


def test_a_link_shows_the_summary_as_soon_as_the_other_ticket_is_read_even_if_levels_cannot_be_searched(both: World) -> None:
    site = both.site
    lamp = site.create("GANG", "Lamp")
    for number in range(40):
        site.create("GANG", f"Rope {number}")
    last = site.create("GANG", "Anchor")
    site.link(lamp, "blocks", last)
    site.faults.set(path="*/search*", contains="level IS NOT EMPTY", status=400, body={"errorMessages": ["No field level."]})
    both.look()
    assert f"blocks {last.key} Anchor (To Do)" in text(both.ticket(lamp))
    site.faults.clear()
    assert both.tree == both.fresh()


def test_files_of_internal_comments_are_read_only_where_the_source_says_so(both: World) -> None:
    site = both.site
    ticket = site.create("GANG", "Lamp", description="See !photo.txt!")
    site.attach(ticket, "photo.txt", b"The lamp from afar.", author="Bob Roy")
    site.attach(ticket, "offer.txt", b"Our lowest price is 12.", author="Bob Roy")
    both.advance(600)
    site.attach(ticket, "scan.txt", b"Signed by both.", author="Bob Roy")
    site.comment(ticket, "Not for the customer: [^offer.txt]", author="Bob Roy", internal=True)
    both.advance(600)
    site.attach(ticket, "manual.txt", b"Turn it left.", author="Bob Roy")
    site.comment(ticket, "For all.", author="Bob Roy", internal=False)
    both.look()
    names = {one.aliases[0] for one in both.tree.values() if "/attachment-" in one.id}
    assert names == {"photo.txt", "manual.txt"}
    assert not any(word in text(both.ticket(ticket)) for word in ("offer", "scan"))
    both.advance()
    later = site.comment(ticket, "Keep [^manual.txt] to us", author="Ann Lee", internal=True)
    both.look()
    assert {one.aliases[0] for one in both.tree.values() if "/attachment-" in one.id} == {"photo.txt"} and later
    assert both.tree == both.fresh()
    both.settings |= {"internal_comments": True}
    both.reconnect()
    both.look()
    assert len([id for id in both.tree if "/attachment-" in id]) == 4 and "offer.txt" in text(both.ticket(ticket))


def test_a_service_desk_that_does_not_say_which_comments_are_internal_is_asked(both: World) -> None:
    site = both.site
    ticket = site.create("GANG", "Lamp")
    one, other = site.comment(ticket, "Our lowest price.", author="Bob Roy"), site.comment(ticket, "For all.", author="Bob Roy")
    both.look()
    assert "lowest" in text(both.ticket(ticket)), "no service desk"
    body = both.connector.client.issues([ticket.id]).issues[ticket.id]
    body["fields"]["project"]["projectTypeKey"] = "service_desk"
    comments = body["fields"]["comment"]["comments"]
    for comment in comments:
        comment.pop("jsdPublic", None)
    told = {"key": "sd.public.comment", "value": {"internal": True}}
    listed = [{**comment, "properties": [told] if comment["id"] == one.id else []} for comment in comments]
    site.faults.set(path="*/bulkfetch", body={"issues": [body]})
    site.faults.set(path=f"*/issue/{ticket.id}", body=body)
    site.faults.set(path="*/comment", contains="expand=properties", body={"comments": listed, "total": 2})
    both.hear([ticket.id])
    assert other and "For all." in text(both.ticket(ticket)) and "lowest" not in text(both.ticket(ticket))
    site.faults.set(path="*/comment", body={"comments": comments, "total": 2})
    site.faults.all.reverse()
    both.hear([ticket.id])
    assert "For all." not in text(both.ticket(ticket)), "what is not said to be for all is not read"


def test_restricted_tickets_come_in_where_the_source_says_so(both: World) -> None:
    both.site.add_level("Board", [both.site.user("Ann Lee").account_id])
    secret = both.site.create("GANG", "Merger", security="Board")
    both.look()
    assert not both.has(secret.id)
    both.settings |= {"restricted": True}
    both.reconnect()
    both.look()
    assert "Security level: Board" in text(both.tree[secret.id])


def test_a_ticket_restricted_away_from_us_leaves_and_comes_back(both: World) -> None:
    secret = both.site.create("GANG", "Merger")
    both.look()
    both.site.add_level("Others", [both.site.user("Bob Roy").account_id])
    both.advance()
    both.site.restrict(secret, "Others")
    both.look()
    assert not both.has(secret.id)
    both.advance()
    both.site.restrict(secret, None)
    both.look()
    assert both.has(secret.id)


# ---------------------------------------------------------------- what comes in several answers


@pytest.mark.parametrize("personality", PERSONALITIES)
def test_all_of_150_comments_are_read(personality: str) -> None:
    with world(jira(personality)) as one:
        one.site.create("GANG", "Lamp")
        for number in range(150):
            one.advance()
            one.site.comment("GANG-1", f"Word {number}.", author="Bob Roy")
        one.look()
        said = text(one.ticket("GANG-1"))
        assert all(f"Word {number}." in said for number in range(150))


def test_comments_that_are_only_counted_are_not_asked_for_again_and_again(both: World) -> None:
    both.site.create("GANG", "Lamp")
    for number in range(5):
        comment = both.site.comment("GANG-1", f"Word {number}.")
        if number == 2:
            both.site.hide(comment)
    both.look()
    assert (
        both.asked("/comment") == [] and "Word 2." not in text(both.ticket("GANG-1")) and "Word 4." in text(both.ticket("GANG-1"))
    )


@pytest.mark.parametrize("epoch", [False, True])
def test_a_history_longer_than_one_answer_is_whole(epoch: bool) -> None:
    with world(jira(changelog_bulk_epoch=epoch)) as one:
        one.site.create("GANG", "Lamp")
        for number in range(70):
            one.advance()
            one.site.edit("GANG-1", author="Bob Roy", summary=f"Lamp {number}")
        one.look()
        [history] = [section for section in one.ticket("GANG-1").sections if section.locator.heading == ("History",)]
        lines = history.text.splitlines()
        assert len(lines) == 70 and lines[0].startswith("- 2026-03-02 09:01 UTC summary: Lamp -> Lamp 0, by Bob Roy")
        assert lines[-1].startswith("- 2026-03-02 10:10 UTC summary: Lamp 68 -> Lamp 69")


def test_remote_links_are_read_where_there_are_any(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.site.create("GANG", "Rail")
    both.site.remote_link("GANG-1", "https://wiki.example.com/lamps", "About lamps", "mentioned in")
    both.look()
    assert "- mentioned in [About lamps](https://wiki.example.com/lamps)" in text(both.ticket("GANG-1"))
    assert len(both.asked("/remotelink")) == 1


def test_names_that_change_without_an_update_are_found_by_reading_again(both: World) -> None:
    both.site.create("GANG", "Lamp", assignee="Bob Roy")
    both.look()
    both.advance(700)
    both.site.rename_user("Bob Roy", "Robert Roy")
    both.site.rename("statuses", "To Do", "Waiting")
    both.look()
    assert "Assignee: Robert Roy" in text(both.ticket("GANG-1")) and "Status: Waiting" in text(both.ticket("GANG-1"))
    assert both.tree == both.fresh()


# ---------------------------------------------------------------- places


def test_a_ticket_lies_below_its_epic_and_a_sub_task_below_its_ticket(both: World) -> None:
    site = both.site
    epic = site.create("GANG", "Boarding", issuetype="Epic")
    story = site.create("GANG", "Lamp", epic=epic)
    below = site.create("GANG", "Bulb", issuetype="Sub-task", parent=story)
    alone = site.create("GANG", "Rail")
    both.look()
    project = site.project("GANG").id
    assert [step.id for step in both.tree[epic.id].path] == [project, epic.id] and both.tree[epic.id].heads
    assert [step.id for step in both.tree[story.id].path] == [project, epic.id, story.id] and both.tree[story.id].heads
    assert both.tree[below.id].path == both.tree[story.id].path and not both.tree[below.id].heads
    assert titles(both.tree[alone.id]) == [f"Project {project}", "No epic, 2026 Q1"] and not both.tree[alone.id].heads
    assert both.tree[f"project/{project}"].heads and both.tree[f"project/{project}"].title == "Gangway (GANG)"
    assert "- Epic: GANG-1 Boarding" in text(both.tree[story.id]) and "- Parent: GANG-2 Lamp" in text(both.tree[below.id])


def test_what_lies_below_follows_its_parent(both: World) -> None:
    site = both.site
    first, second = (site.create("GANG", name, issuetype="Epic") for name in ("Boarding", "Leaving"))
    story = site.create("GANG", "Lamp", epic=first)
    below = site.create("GANG", "Bulb", issuetype="Sub-task", parent=story)
    both.look()
    both.advance()
    site.edit(story, epic=second)
    both.poll()
    assert [step.id for step in both.tree[below.id].path][1:] == [second.id, story.id]
    assert both.tree == both.fresh()


def test_a_first_sub_task_makes_its_ticket_a_container_and_the_last_one_ends_that(both: World) -> None:
    story = both.site.create("GANG", "Lamp")
    both.look()
    assert not both.tree[story.id].heads
    both.advance()
    below = both.site.create("GANG", "Bulb", issuetype="Sub-task", parent=story)
    both.hear([below.id])
    assert both.tree[story.id].heads and both.tree == both.fresh()
    both.advance()
    both.site.delete(below)
    both.hear([below.id])
    assert not both.tree[story.id].heads and both.tree == both.fresh()


def test_an_epic_that_is_renamed_is_renamed_in_its_tickets(both: World) -> None:
    epic = both.site.create("GANG", "Boarding", issuetype="Epic")
    both.site.create("GANG", "Lamp", epic=epic)
    both.look()
    both.advance()
    both.site.edit(epic, summary="Going aboard")
    both.poll()
    assert "Going aboard" in text(both.ticket("GANG-2")) and both.tree == both.fresh()


def test_an_epic_outside_the_source_gives_its_container_a_name(both: World) -> None:
    epic = both.site.create("PORT", "Night shift", issuetype="Epic")
    both.site.create("GANG", "Lamp", epic=epic)
    both.look()
    assert titles(both.ticket("GANG-1"))[1:] == ["PORT-1 Night shift"] and epic.id not in both.tree
    both.advance()
    both.site.edit(epic, summary="Late shift")
    both.look()
    assert titles(both.ticket("GANG-1"))[1:] == ["PORT-1 Late shift"] and both.tree == both.fresh()


def test_parents_that_go_round_in_a_circle_break_nothing(cloud: World) -> None:
    first, second = cloud.site.create("GANG", "Hen"), cloud.site.create("GANG", "Egg")
    for ticket, parent in ((first, second), (second, first)):
        cloud.site.put(_with_parent(cloud.site, ticket.id, parent.id))
    alone = cloud.site.create("GANG", "Ouroboros")
    cloud.site.put(_with_parent(cloud.site, alone.id, alone.id))
    cloud.look()
    assert len(cloud.tree) == 4 and cloud.tree == cloud.fresh()


def _with_parent(site: Site, id: str, parent: str) -> Any:
    from dataclasses import replace

    return replace(site.find(id), parent=parent)


def test_links_are_worded_on_both_sides(both: World) -> None:
    both.site.create("GANG", "Lamp")
    both.site.create("GANG", "Rail")
    both.site.link("GANG-1", "blocks", "GANG-2")
    both.look()
    assert "- blocks GANG-2 Rail (To Do)" in text(both.ticket("GANG-1"))
    assert "- is blocked by GANG-1 Lamp (To Do)" in text(both.ticket("GANG-2"))
    both.advance()
    both.site.edit("GANG-2", status="Done")
    both.poll()
    assert "- blocks GANG-2 Rail (Done)" in text(both.ticket("GANG-1")) and both.tree == both.fresh()


@pytest.mark.parametrize("touches", [True, False])
@pytest.mark.parametrize("personality", PERSONALITIES)
def test_a_link_that_comes_or_goes_is_seen_on_both_sides(personality: str, touches: bool) -> None:
    with world(jira(personality, link_touches_updated=touches)) as one:
        one.site.create("GANG", "Lamp")
        one.site.create("GANG", "Rail")
        one.look()
        one.advance()
        link = one.site.link("GANG-1", "blocks", "GANG-2")
        one.hear([one.site.find("GANG-1").id])
        assert one.tree == one.fresh()
        one.advance()
        one.site.unlink(link.id)
        one.hear([one.site.find("GANG-2").id])
        assert one.tree == one.fresh()


# ---------------------------------------------------------------- attached files


def test_a_file_is_a_document_below_its_ticket(both: World) -> None:
    ticket = both.site.create("GANG", "Lamp")
    file = both.site.attach(ticket, "plan.md", b"# Plan\n\nBuy bulbs in May.\n", author="Bob Roy")
    both.look()
    document = both.tree[f"{ticket.id}/attachment-{file.id}"]
    assert "Buy bulbs in May." in text(document) and document.metadata["ticket"] == "GANG-1"
    assert document.path == both.tree[ticket.id].path and both.tree[ticket.id].heads
    assert "- plan.md (Bob Roy, 2026-03-02)" in text(both.tree[ticket.id])
    assert both.connector.confirm([document.id]) == {document.id: "here"}


def test_a_file_that_is_taken_away_is_gone(both: World) -> None:
    ticket = both.site.create("GANG", "Lamp")
    file = both.site.attach(ticket, "plan.txt", b"Buy bulbs.")
    both.look()
    both.advance()
    both.site.detach(file.id)
    id = f"{ticket.id}/attachment-{file.id}"
    assert both.connector.confirm([id]) == {id: "gone"}
    both.poll()
    assert id not in both.tree and both.tree == both.fresh()


def test_a_file_goes_with_its_ticket(both: World) -> None:
    ticket = both.site.create("GANG", "Lamp")
    both.site.attach(ticket, "plan.txt", b"Buy bulbs.")
    both.look()
    both.site.delete(ticket)
    both.look()
    assert [id for id in both.tree if not id.startswith("project/")] == []


def test_a_file_moves_with_its_ticket(both: World) -> None:
    epic = both.site.create("GANG", "Boarding", issuetype="Epic")
    ticket = both.site.create("GANG", "Lamp")
    both.site.attach(ticket, "plan.txt", b"Buy bulbs.")
    both.look()
    both.advance()
    both.site.edit(ticket, epic=epic)
    both.poll()
    assert both.tree == both.fresh()


def test_files_that_are_not_read_are_told(both: World) -> None:
    ticket = both.site.create("GANG", "Lamp")
    both.site.attach(ticket, "screen.png", b"\x89PNG")
    both.site.attach(ticket, "huge.log", b"x", size=50_000_000)
    damaged = both.site.attach(ticket, "order.pdf", b"no PDF at all")
    missing = both.site.attach(ticket, "gone.txt", None, size=20)
    both.look()
    reasons = " ".join(problem.reason for problem in both.tree[ticket.id].problems)
    assert "screen.png" in reasons and "huge.log: larger than 10 MB" in reasons
    told = {failure.title: failure.problem.kind for failure in both.failures.values()}
    assert told == {"order.pdf": "damaged", "gone.txt": "unreadable"}
    assert {failure.id for failure in both.failures.values()} == {
        f"{ticket.id}/attachment-{one.id}" for one in (damaged, missing)
    }


def test_files_can_be_left_out(both: World) -> None:
    ticket = both.site.create("GANG", "Lamp")
    both.site.attach(ticket, "plan.txt", b"Buy bulbs.")
    both.settings |= {"attachments": False}
    both.reconnect()
    both.look()
    assert len(both.tree) == 2 and not both.tree[ticket.id].heads


def test_a_file_from_another_host_is_fetched_without_the_token() -> None:
    with world(jira()) as one, world(jira()) as other:
        ticket = one.site.create("GANG", "Lamp")
        file = one.site.attach(ticket, "plan.txt", b"Here.")
        where = f"{other.url}/somewhere/else"
        one.site.faults.set(path="*/attachment/content/*", status=303, headers={"Location": where})
        other.site.faults.set(path="/somewhere/else", body="There")
        one.look()
        assert "There" in text(one.tree[f"{ticket.id}/attachment-{file.id}"])
        assert [request.auth for request in other.asked("/somewhere/else")] == ["none"]


def test_a_host_that_keeps_files_back_costs_the_file_alone() -> None:
    with world(jira()) as one, world(jira()) as other:
        ticket = one.site.create("GANG", "Lamp")
        id = f"{ticket.id}/attachment-{one.site.attach(ticket, 'plan.txt', b'Here.').id}"
        one.site.faults.set(path="*/attachment/content/*", status=303, headers={"Location": f"{other.url}/kept"})
        for answer in ({"status": 401}, {"status": 403, "kind": "captcha"}, {"status": 500}, {"kind": "reset"}):
            other.site.faults.set(path="/kept", **answer)
            one.look()
            assert one.has(ticket.id) and one.failures[id].problem.reason.endswith(".")
            other.site.faults.clear()
            one.checkpoint.pop(id)
        one.site.faults.clear()
        one.look()
        assert one.has(id) and not one.failures


def test_a_file_that_jira_keeps_back_because_the_token_died_is_no_fault_of_the_file(cloud: World) -> None:
    cloud.site.attach(cloud.site.create("GANG", "Lamp"), "plan.txt", b"Here.")
    cloud.site.faults.set(path="*/attachment/content/*", status=500)
    cloud.site.faults.set(path="*/myself", skip=2, status=401, body={})
    with pytest.raises(CredentialsError):
        cloud.look()
    assert not cloud.failures


# ---------------------------------------------------------------- everything at once


@pytest.mark.parametrize("personality", PERSONALITIES)
def test_a_day_of_work_followed_by_polls_gives_the_tree_of_a_fresh_look(personality: str) -> None:
    site = jira(personality)
    with world(site, projects=["GANG", "PORT"]) as one:
        epic = site.create("GANG", "Boarding", issuetype="Epic")
        lamp, rail = site.create("GANG", "Lamp", epic=epic), site.create("GANG", "Rail", epic=epic)
        crane = site.create("PORT", "Crane", description=Body(wiki="h2. Crane\n* lifts\n* turns"))
        one.look()
        bulb = site.create("GANG", "Bulb", issuetype="Sub-task", parent=lamp)
        steps = (
            lambda: site.comment(lamp, "Ordered.", author="Bob Roy"),
            lambda: site.link(rail, "relates to", crane),
            lambda: site.edit(rail, author="Bob Roy", status="In Progress", assignee="Bob Roy"),
            lambda: site.attach(crane, "crane.txt", b"Ten tons."),
            lambda: site.edit(epic, summary="Going aboard"),
            lambda: site.move(rail, "PORT"),
            lambda: site.log_work(lamp, 5_400, "Bob Roy", "Screwed it in."),
            lambda: site.edit(bulb, summary="LED"),
            lambda: site.edit(lamp, epic=None),
            lambda: site.edit(crane, status="Done"),
            lambda: site.delete(bulb),
        )
        for step in steps:
            one.advance(45)
            step()
            one.poll()
        one.look()
        one.poll()
        assert one.tree == one.fresh()
