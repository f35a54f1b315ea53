"""The webhook receiver: what is signed is passed on as a hint, everything else is turned away in words."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.sources import Sources
from ingestion.webhooks import MANY_HINTS, SECRET, Reply, WebhookReceiver
from tree.store.errors import FOR_MEMBERS, FolderTrouble
from tree.store.models import Source
from tree.workspace import open_workspace

pytestmark = pytest.mark.usefixtures("each_database")

MINE = "made for this test"


class Webhook:
    """A Jira source with a secret, and its webhook receiver."""

    def __init__(self, home: Path) -> None:
        self.workspace = open_workspace(home)
        self.sources = Sources(self.workspace.database)
        self.receiver = WebhookReceiver(self.sources)
        config = {"url": "https://team.example", "auth": "pat", "projects": ["GANG"]}
        self._added = self.sources.add("jira", "Tickets", config, {"token": "t", SECRET: MINE})
        self.sources.started(self._added.id)  # the request that comes with adding is taken up

    @property
    def source(self) -> Source:
        return self.sources.get(self._added.id)

    def receive(self, body: bytes, signature: str | None = None, identifier: str = "", source_id: str = "") -> Reply:
        headers = {
            "x-hub-signature": sign(body) if signature is None else signature,
            "x-atlassian-webhook-identifier": identifier,
        }
        return self.receiver.receive(source_id or self._added.id, headers, body)


def sign(body: bytes, secret: str = MINE) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def updated(ticket: int | str) -> bytes:
    return json.dumps({"webhookEvent": "jira:issue_updated", "issue": {"id": str(ticket), "key": f"GANG-{ticket}"}}).encode()


@pytest.fixture
def webhook(tmp_path: Path) -> Iterator[Webhook]:
    made = Webhook(tmp_path / "home")
    yield made
    made.workspace.close()


def test_a_signed_delivery_is_a_hint_and_is_noted(webhook: Webhook) -> None:
    assert webhook.receive(updated(10001)).status == 200
    assert set(webhook.sources.hints(webhook.source.id)) == {"10001"}
    assert webhook.source.heard_at is not None and webhook.source.requested_at is None


@pytest.mark.parametrize(
    "signature", ["", "sha256=", "sha256=" + "0" * 64, sign(updated(10001), "another secret"), "sha1=abc", "ü"]
)
def test_what_is_not_signed_with_our_secret_is_not_listened_to(webhook: Webhook, signature: str) -> None:
    reply = webhook.receive(updated(10001), signature)
    assert reply.status == 401 and "secret" in reply.words
    assert webhook.sources.hints(webhook.source.id) == {} and webhook.source.heard_at is None


def test_a_body_that_was_altered_on_its_way_is_refused(webhook: Webhook) -> None:
    assert webhook.receive(updated(10002), sign(updated(10001))).status == 401
    assert webhook.receive(updated(10001) + b" ", sign(updated(10001))).status == 401


def test_a_delivery_that_comes_again_is_known(webhook: Webhook) -> None:
    assert webhook.receive(updated(10001), identifier="one").words == "Thank you."
    assert webhook.receive(updated(10001), identifier="one") == Reply(200, "Known already.")
    assert webhook.receive(updated(10002), identifier="two").words == "Thank you."
    assert set(webhook.sources.hints(webhook.source.id)) == {"10001", "10002"}


def test_a_forged_delivery_does_not_make_the_real_one_known(webhook: Webhook) -> None:
    assert webhook.receive(updated(10001), "sha256=forged", identifier="one").status == 401
    assert webhook.receive(updated(10001), identifier="one").words == "Thank you."


def test_sources_that_are_unknown_removed_or_without_a_secret_say_what_to_do(webhook: Webhook) -> None:
    assert webhook.receive(updated(1), source_id="nothing").status == 404
    folder = webhook.sources.add("folder", "Docs", {"path": "/docs"})
    assert "takes no webhooks" in webhook.receive(updated(1), source_id=folder.id).words
    quiet = webhook.sources.add("jira", "Quiet", {"url": "https://quiet.example"}, {"token": "t"})
    assert "Create a secret" in webhook.receive(updated(1), sign(updated(1), ""), source_id=quiet.id).words
    webhook.sources.mark_removing(webhook.source.id)
    assert webhook.receive(updated(1)).status == 404


def test_another_secret_takes_the_place_of_the_first(webhook: Webhook) -> None:
    webhook.sources.configure(webhook.source.id, webhook.source.config, {"token": "t", SECRET: "newer"})
    assert webhook.receive(updated(1)).status == 401
    assert webhook.receive(updated(1), sign(updated(1), "newer")).status == 200


def test_an_empty_body_asks_for_a_look_at_everything(webhook: Webhook) -> None:
    assert webhook.receive(b"").status == 200
    assert webhook.source.requested_at is not None


def test_of_very_many_hints_a_look_at_everything_is_made(webhook: Webhook) -> None:
    webhook.sources.hint(webhook.source.id, [str(20_000 + number) for number in range(MANY_HINTS)])
    assert webhook.receive(updated(10001)).status == 200
    assert len(webhook.sources.hints(webhook.source.id)) == MANY_HINTS and webhook.source.requested_at is not None


def test_while_the_key_of_the_secrets_is_missing_jira_is_asked_to_come_again(webhook: Webhook) -> None:
    (webhook.workspace.home / "secret.key").unlink()
    reply = webhook.receive(updated(1))
    assert reply.status == 503 and "secret.key" in reply.words


class FullDisk(Sources):
    """On which nothing can be kept."""

    def heard(self, source_id: str) -> None:
        raise FolderTrouble("The disk that holds /srv/tree is full.")


class Damaged(FullDisk):
    """Which cannot be read either."""

    def all(self) -> list[Source]:
        raise FolderTrouble("/srv/tree/knowledge.db is damaged.")


@pytest.mark.parametrize("sources", [FullDisk, Damaged])
def test_nobody_who_calls_is_told_a_path_of_the_server(webhook: Webhook, sources: type[FullDisk]) -> None:
    receiver = WebhookReceiver(sources(webhook.workspace.database))
    headers = {"x-hub-signature": sign(updated(1))}
    assert receiver.receive(webhook.source.id, headers, updated(1)) == Reply(503, FOR_MEMBERS)
    assert receiver.refusal(webhook.source.id, headers) == (Reply(503, FOR_MEMBERS) if sources is Damaged else None)
