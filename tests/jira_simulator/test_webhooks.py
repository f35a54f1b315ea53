"""Webhooks are signed over their raw bytes, tried again on the site's clock, and as bad as their faults say."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from jira_simulator import Site
from jira_simulator.webhook_sender import signed
from tests.jira_simulator.receiver import Receiver, receiving
from tests.jira_simulator.sites import client, small_site

SECRET = "It's a Secret to Everybody"


@contextmanager
def hooked(site: Site, secret: str | None = SECRET, **more) -> Iterator[Receiver]:
    """The site sends all its webhooks to the receiver."""
    with receiving() as receiver:
        site.webhooks.register(receiver.url, secret=secret, **more)
        site.webhooks.start()
        try:
            yield receiver
        finally:
            site.webhooks.stop()


def test_the_signature_is_that_of_the_published_example() -> None:
    assert signed(SECRET, b"Hello World!") == "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9"


def test_an_edit_comes_signed_with_its_ticket_person_and_changelog() -> None:
    site = small_site()
    with hooked(site) as receiver:
        site.edit("BOAT-1", "acc-bo", status="Done", description="New words")
        (message,) = receiver.wait(1)
    expected = "sha256=" + hmac.new(SECRET.encode(), message.body, hashlib.sha256).hexdigest()
    assert message.headers["x-hub-signature"] == expected
    assert message.headers["x-atlassian-webhook-flow"] == "Primary" and "x-atlassian-webhook-retry" not in message.headers
    body = message.json
    assert (body["webhookEvent"], body["issue_event_type_name"]) == ("jira:issue_updated", "issue_generic")
    assert body["user"]["accountId"] == "acc-bo" and body["issue"]["id"] == "10000"
    assert [each["field"] for each in body["changelog"]["items"]] == ["resolution", "status", "description"]
    assert body["issue"]["fields"]["description"] == "New words"  # wiki markup, on Cloud too


def test_without_a_secret_nothing_is_signed() -> None:
    site = small_site()
    with hooked(site, secret=None) as receiver:
        site.edit("BOAT-1", summary="Changed")
        assert "x-hub-signature" not in receiver.wait(1)[0].headers


def test_a_comment_on_cloud_shows_six_fields_of_its_ticket_and_not_updated() -> None:
    site = small_site()
    with hooked(site) as receiver:
        site.comment("BOAT-1", "A *word*", "acc-bo")
        (message,) = receiver.wait(1)
    body = message.json
    assert (body["webhookEvent"], body["comment"]["body"]) == ("comment_created", "A *word*")
    assert set(body["issue"]["fields"]) == {"summary", "issuetype", "project", "assignee", "priority", "status"}


def test_a_comment_on_data_center_comes_twice_once_without_its_ticket() -> None:
    site = small_site("dc")
    with hooked(site) as receiver:
        comment = site.comment("BOAT-1", "A word", "acc-bo")
        site.edit_comment(comment.id, "A better word", "acc-bo")
        site.delete_comment(comment.id, "acc-bo")
        messages = [each.json for each in receiver.wait(6)]
    assert [(each["webhookEvent"], each.get("issue_event_type_name")) for each in messages] == [
        ("comment_created", None), ("jira:issue_updated", "issue_commented"),
        ("comment_updated", None), ("jira:issue_updated", "issue_comment_edited"),
        ("comment_deleted", None), ("jira:issue_updated", "issue_comment_deleted"),
    ]  # fmt: skip
    assert "issue" not in messages[0] and "/issue/10000/comment/" in messages[0]["comment"]["self"]
    assert messages[1]["issue"]["key"] == "BOAT-1" and "changelog" not in messages[1]


def test_a_deletion_comes_first_and_what_it_took_along_comes_as_secondary() -> None:
    site = small_site()
    site.comment("BOAT-1", "A word", "acc-bo")
    with hooked(site) as receiver:
        site.delete("BOAT-1", "acc-bo")
        first, second = receiver.wait(2)
    assert (first.json["webhookEvent"], first.headers["x-atlassian-webhook-flow"]) == ("jira:issue_deleted", "Primary")
    assert (second.json["webhookEvent"], second.headers["x-atlassian-webhook-flow"]) == ("comment_deleted", "Secondary")
    assert "changelog" not in first.json


@pytest.mark.parametrize("kind", ["issue_moved", "issue_updated", "issue_generic"])
def test_a_move_is_called_what_the_switch_says(kind) -> None:
    site = small_site(move_event=kind)
    site.add_project("QUAY", "Quays")
    with hooked(site) as receiver:
        site.move("BOAT-1", "QUAY")
        (message,) = receiver.wait(1)
    assert message.json["issue_event_type_name"] == kind and message.json["issue"]["key"] == "QUAY-1"


def test_other_things_that_happen_are_told_as_well() -> None:
    site = small_site()
    board = site.add_board("Board", "BOAT")
    sprint = site.add_sprint("Sprint 1", board)
    with hooked(site) as receiver:
        site.edit_sprint(sprint.id, state="active")
        site.edit_sprint(sprint.id, state="closed")
        link = site.link("BOAT-1", "blocks", "BOAT-2")
        site.unlink(link.id)
        made = site.attach("BOAT-1", "notes.md", b"words")
        site.detach(made.id)
        site.rename_project("BOAT", name="Ships")
        site.rename_user("acc-bo", "Bo")
        events = [each.json["webhookEvent"] for each in receiver.wait(10)]
    assert events == [
        "sprint_started", "sprint_closed", "issuelink_created", "issuelink_deleted", "jira:issue_updated", "attachment_created",
        "jira:issue_updated", "attachment_deleted", "project_updated", "user_updated",
    ]  # fmt: skip


def test_only_what_was_asked_for_comes() -> None:
    site = small_site()
    with hooked(site, events=("comment_*",)) as receiver, receiving() as other:
        site.webhooks.register(other.url, jql="key = BOAT-2")
        site.edit("BOAT-1", summary="Changed")
        site.edit("BOAT-2", summary="Changed")
        site.comment("BOAT-1", "A word")
        assert [each.json["webhookEvent"] for each in receiver.wait(1)] == ["comment_created"]
        assert site.webhooks.wait()
        assert [each.json["issue"]["key"] for each in other.wait(1)] == ["BOAT-2"]


# ---------------------------------------------------------------- trying again


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 503])
def test_a_refused_message_comes_again_with_the_same_identifier(status) -> None:
    site = small_site()
    with hooked(site) as receiver:
        receiver.answers = [status]
        site.edit("BOAT-1", summary="Changed")
        receiver.wait(1)
        assert site.webhooks.wait()
        assert len(receiver.messages) == 1  # the clock stands still
        site.clock.advance(5 * 60)
        first, again = receiver.wait(2)
    assert again.headers["x-atlassian-webhook-retry"] == "1"
    assert again.headers["x-atlassian-webhook-identifier"] == first.headers["x-atlassian-webhook-identifier"]
    assert again.body == first.body


def test_it_is_tried_five_times_more_and_then_given_up() -> None:
    site = small_site()
    with hooked(site) as receiver:
        receiver.answers = [503] * 20
        site.edit("BOAT-1", summary="Changed")
        for attempt in range(1, 8):
            receiver.wait(min(attempt, 6))
            assert site.webhooks.wait()
            site.clock.advance(15 * 60)
        assert site.webhooks.wait()
    assert [each.headers.get("x-atlassian-webhook-retry") for each in receiver.messages] == [None, "1", "2", "3", "4", "5"]
    assert [each.status for each in site.webhooks.sent] == [503] * 6


@pytest.mark.parametrize(("personality", "status"), [("cloud", 404), ("cloud", 200), ("dc", 503)])
def test_what_is_not_tried_again(personality, status) -> None:
    site = small_site(personality)
    with hooked(site) as receiver:
        receiver.answers = [status]
        site.edit("BOAT-1", summary="Changed")
        receiver.wait(1)
        site.clock.advance(3600)
        assert site.webhooks.wait()
    assert len(receiver.messages) == 1


def test_a_receiver_that_is_away_is_tried_again() -> None:
    site = small_site()
    site.webhooks.register("http://127.0.0.1:9/nobody", secret=SECRET)
    site.webhooks.start()
    try:
        site.edit("BOAT-1", summary="Changed")
        assert site.webhooks.wait()
        site.clock.advance(5 * 60)
        assert site.webhooks.wait()
    finally:
        site.webhooks.stop()
    assert [(each.status, each.attempt) for each in site.webhooks.sent] == [(0, 0), (0, 1)]


# ---------------------------------------------------------------- faults


def right(message) -> bool:
    expected = "sha256=" + hmac.new(SECRET.encode(), message.body, hashlib.sha256).hexdigest()
    return message.headers.get("x-hub-signature") == expected


def one_with(what, count: int = 1, **more) -> list:
    site = small_site()
    site.webhooks.fault(what, **more)
    with hooked(site) as receiver:
        site.edit("BOAT-1", summary="First")
        site.edit("BOAT-1", summary="Second")
        return receiver.wait(count)


def test_a_duplicate_has_the_identifier_of_the_first() -> None:
    first, again, other = one_with("duplicate", 3)
    identifiers = [each.headers["x-atlassian-webhook-identifier"] for each in (first, again, other)]
    assert identifiers[0] == identifiers[1] != identifiers[2]


def test_a_message_is_held_back_until_a_later_one_has_come() -> None:
    assert [each.json["issue"]["fields"]["summary"] for each in one_with("hold", 2)] == ["Second", "First"]


def test_a_message_is_lost() -> None:
    assert one_with("drop")[0].json["issue"]["fields"]["summary"] == "Second"


@pytest.mark.parametrize("what", ["wrong signature", "no signature", "altered body"])
def test_a_message_that_must_not_be_believed(what) -> None:
    bad, good = one_with(what, 2)
    assert not right(bad) and right(good)
    assert ("x-hub-signature" in bad.headers) == (what != "no signature")


@pytest.mark.parametrize("what", ["padded body", "empty body", "unknown event"])
def test_a_message_that_is_signed_and_strange(what) -> None:
    strange, good = one_with(what, 2)
    assert right(strange) and right(good)
    match what:
        case "padded body":
            assert len(strange.body) > 10_000_000 and strange.json["webhookEvent"] == "jira:issue_updated"
        case "empty body":
            assert strange.body == b""
        case _:
            assert strange.json["webhookEvent"] == "jira:something_unheard_of"


def test_anything_can_be_sent_such_as_a_comment_of_a_ticket_nobody_knows() -> None:
    site = small_site()
    with hooked(site) as receiver:
        (hook,) = site.webhooks.hooks.values()
        body = b'{"webhookEvent": "comment_created", "comment": {"id": "9"}, "issue": {"id": "424242"}}'
        site.webhooks.send(hook, "comment_created", body, signed(SECRET, body), identifier="made-up")
        (message,) = receiver.wait(1)
    assert message.body == body and message.headers["x-atlassian-webhook-identifier"] == "made-up"


def test_deleted_before_created() -> None:
    site = small_site()
    site.webhooks.fault("hold", event="jira:issue_created")
    with hooked(site) as receiver:
        site.delete(site.create("BOAT", "Short life"))
        events = [each.json["webhookEvent"] for each in receiver.wait(2)]
    assert events == ["jira:issue_deleted", "jira:issue_created"]


def test_a_burst_of_500_comes_whole_and_holds_nobody_up() -> None:
    site = small_site()
    with client(site) as http, receiving() as receiver:
        site.webhooks.register(receiver.url, secret=SECRET)
        for number in range(500):
            site.edit("BOAT-1", summary=f"Summary {number}")
        assert http.get("issue/BOAT-1").json()["fields"]["summary"] == "Summary 499"
        messages = receiver.wait(500, timeout=30)
    assert len({each.headers["x-atlassian-webhook-identifier"] for each in messages}) == 500


# ---------------------------------------------------------------- registering over REST


def test_an_administrator_registers_and_removes_a_webhook() -> None:
    site = small_site()
    with client(site) as http, receiving() as receiver:
        place = f"{site.url}/rest/webhooks/1.0/webhook"
        made = http.post(place, json={"name": "tree", "url": receiver.url, "events": ["jira:issue_updated"], "secret": SECRET,
                                      "filters": {"issue-related-events-section": "project = BOAT"}, "excludeBody": True})  # fmt: skip
        assert made.status_code == 201 and SECRET not in made.text
        assert [each["url"] for each in http.get(place).json()] == [receiver.url]
        site.edit("BOAT-1", summary="Changed")
        assert receiver.wait(1)[0].body == b""
        assert http.delete(made.json()["self"]).status_code == 204
        assert http.get(place).json() == []
        assert http.post("webhook", json={"url": receiver.url}).status_code == 403  # for apps only


def test_data_center_registers_under_its_own_address() -> None:
    site = small_site("dc")
    with client(site) as http:
        place = f"{site.url}/jira/rest/jira-webhook/1.0/webhooks"
        made = http.post(place, json={"name": "tree", "url": "http://127.0.0.1:9/", "events": ["jira:issue_updated"],
                                      "configuration": {"SECRET": SECRET, "EXCLUDE_BODY": "false"}, "active": True})  # fmt: skip
        assert made.status_code == 201 and made.json()["isSigned"]
        assert http.post(place, json={"name": "no address"}).status_code == 400
        assert http.get(place, headers={"Authorization": ""}).status_code == 401
