"""What comes in by webhook: only what is signed is believed, and of that only which tickets to look at."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.base import Notice
from connectors.jira.webhook import read, verify

SIGNED = "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9"
SECRET = "It's a Secret to Everybody"


def told(**body: object) -> Notice:
    return read(json.dumps(body).encode(), {"X-Atlassian-Webhook-Identifier": "one-delivery"})


def test_a_body_signed_with_the_secret_is_from_jira() -> None:
    assert verify(SECRET, b"Hello World!", SIGNED)


@pytest.mark.parametrize(
    ("secret", "body", "signature"),
    [
        (SECRET, b"Hello World", SIGNED),
        (SECRET, b"Hello World!\n", SIGNED),
        ("another", b"Hello World!", SIGNED),
        (SECRET, b"Hello World!", None),
        (SECRET, b"Hello World!", ""),
        (SECRET, b"Hello World!", "sha256="),
        (SECRET, b"Hello World!", SIGNED[:-1] + "\u00e9\ud800"),
        ("", b"Hello World!", SIGNED),
    ],
)
def test_whatever_is_altered_unsigned_or_without_a_secret_is_not(secret: str, body: bytes, signature: str | None) -> None:
    assert not verify(secret, body, signature)


def test_an_event_of_a_ticket_names_it_by_its_number_and_never_by_its_key() -> None:
    notice = told(webhookEvent="jira:issue_updated", issue={"id": "10040", "key": "GANG-4"}, changelog={"items": []})
    assert notice == Notice("one-delivery", "jira:issue_updated", ("10040",))


def test_a_deleted_ticket_is_named_to_be_looked_at() -> None:
    assert told(webhookEvent="jira:issue_deleted", issue={"id": "10303", "key": "GANG-9"}).ids == ("10303",)


def test_a_comment_on_cloud_comes_with_its_ticket() -> None:
    issue = {"id": "10040", "key": "GANG-4", "fields": {"summary": "A", "status": {}}}
    assert told(webhookEvent="comment_created", comment={"id": "1"}, issue=issue).ids == ("10040",)


def test_a_comment_on_data_center_names_its_ticket_in_its_address_alone() -> None:
    comment = {"self": "https://jira.example.com/jira/rest/api/2/issue/10013/comment/10084", "id": "10084"}
    assert told(webhookEvent="comment_deleted", comment=comment).ids == ("10013",)


def test_a_link_names_both_tickets() -> None:
    link = {"id": 1, "sourceIssueId": 10001, "destinationIssueId": 10002}
    assert told(webhookEvent="issuelink_created", issueLink=link).ids == ("10001", "10002")


def test_a_work_log_names_its_ticket() -> None:
    assert told(webhookEvent="worklog_created", worklog={"id": "7", "issueId": "10085"}).ids == ("10085",)


@pytest.mark.parametrize(
    "event",
    ["sprint_started", "jira:version_released", "project_updated", "project_soft_deleted", "user_updated", "attachment_deleted"],
)
def test_what_is_about_no_single_ticket_asks_for_a_look_at_everything(event: str) -> None:
    assert told(webhookEvent=event, sprint={"id": 3}) == Notice("one-delivery", event, (), rescan=True)


def test_an_empty_body_says_that_something_happened() -> None:
    assert read(b"", {}) == Notice("", "", (), rescan=True)


def test_an_event_nobody_knows_yet_changes_nothing() -> None:
    assert told(webhookEvent="jira:weather_changed") == Notice("one-delivery", "jira:weather_changed")


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"issue": []}', b'{"issue": {"id": {"id": 1}}}',
        b'{"issue": {"id": true, "self": 7}}', b'{"issue": {"id": "1; DROP"}, "comment": "x"}', b'{"webhookEvent": {"a": 1}}',
        b'{"issue": {"id": ' + b"9" * 5_000 + b"}}",
    ],
)  # fmt: skip
def test_a_hostile_body_names_nothing_and_breaks_nothing(body: bytes) -> None:
    assert read(body, {}).ids == ()


def test_a_body_of_ten_megabytes_is_read() -> None:
    assert told(webhookEvent="jira:issue_updated", issue={"id": "10040", "fields": {"description": "x" * 10_000_000}}).ids == (
        "10040",
    )


def test_names_of_headers_are_compared_without_regard_to_case() -> None:
    assert read(b"{}", {"x-atlassian-webhook-identifier": "again"}).identifier == "again"


@settings(max_examples=25, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.dictionaries(
    st.sampled_from(["issue", "comment", "issueLink", "worklog", "id", "self", "webhookEvent", "sourceIssueId"]), inner
) | st.lists(inner)))  # fmt: skip
def test_no_json_whatever_breaks_it(body: object) -> None:
    assert all(id.isdigit() for id in read(json.dumps(body).encode(), {}).ids)
