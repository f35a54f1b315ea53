"""The doorbell: what is signed is passed on as a hint, everything else is turned away in words."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.sources import Sources
from ingestion.webhooks import MANY_HINTS, SECRET, Doorbell, Reply
from tree.store.models import Source
from tree.workspace import open_workspace

MINE = "made for this test"


class Ringing:
    """A Jira source with a secret, and its doorbell."""

    def __init__(self, home: Path) -> None:
        self.workspace = open_workspace(home)
        self.sources = Sources(self.workspace.database)
        self.doorbell = Doorbell(self.sources)
        config = {"url": "https://team.example", "auth": "pat", "projects": ["GANG"]}
        self._added = self.sources.add("jira", "Tickets", config, {"token": "t", SECRET: MINE})
        self.sources.started(self._added.id)  # the request that comes with adding is taken up

    @property
    def source(self) -> Source:
        return self.sources.get(self._added.id)

    def ring(self, body: bytes, signature: str | None = None, identifier: str = "", source_id: str = "") -> Reply:
        headers = {
            "x-hub-signature": sign(body) if signature is None else signature,
            "x-atlassian-webhook-identifier": identifier,
        }
        return self.doorbell.ring(source_id or self._added.id, headers, body)


def sign(body: bytes, secret: str = MINE) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def updated(ticket: int | str) -> bytes:
    return json.dumps({"webhookEvent": "jira:issue_updated", "issue": {"id": str(ticket), "key": f"GANG-{ticket}"}}).encode()


@pytest.fixture
def ringing(tmp_path: Path) -> Iterator[Ringing]:
    made = Ringing(tmp_path / "home")
    yield made
    made.workspace.close()


def test_a_signed_delivery_is_a_hint_and_is_noted(ringing: Ringing) -> None:
    assert ringing.ring(updated(10001)).status == 200
    assert set(ringing.sources.hints(ringing.source.id)) == {"10001"}
    assert ringing.source.heard_at is not None and ringing.source.requested_at is None


@pytest.mark.parametrize(
    "signature", ["", "sha256=", "sha256=" + "0" * 64, sign(updated(10001), "another secret"), "sha1=abc", "ü"]
)
def test_what_is_not_signed_with_our_secret_is_not_listened_to(ringing: Ringing, signature: str) -> None:
    reply = ringing.ring(updated(10001), signature)
    assert reply.status == 401 and "secret" in reply.words
    assert ringing.sources.hints(ringing.source.id) == {} and ringing.source.heard_at is None


def test_a_body_that_was_altered_on_its_way_is_refused(ringing: Ringing) -> None:
    assert ringing.ring(updated(10002), sign(updated(10001))).status == 401
    assert ringing.ring(updated(10001) + b" ", sign(updated(10001))).status == 401


def test_a_delivery_that_comes_again_is_known(ringing: Ringing) -> None:
    assert ringing.ring(updated(10001), identifier="one").words == "Thank you."
    assert ringing.ring(updated(10001), identifier="one") == Reply(200, "Known already.")
    assert ringing.ring(updated(10002), identifier="two").words == "Thank you."
    assert set(ringing.sources.hints(ringing.source.id)) == {"10001", "10002"}


def test_a_forged_delivery_does_not_make_the_real_one_known(ringing: Ringing) -> None:
    assert ringing.ring(updated(10001), "sha256=forged", identifier="one").status == 401
    assert ringing.ring(updated(10001), identifier="one").words == "Thank you."


def test_sources_that_are_unknown_removed_or_without_a_secret_say_what_to_do(ringing: Ringing) -> None:
    assert ringing.ring(updated(1), source_id="nothing").status == 404
    folder = ringing.sources.add("folder", "Docs", {"path": "/docs"})
    assert "takes no webhooks" in ringing.ring(updated(1), source_id=folder.id).words
    quiet = ringing.sources.add("jira", "Quiet", {"url": "https://quiet.example"}, {"token": "t"})
    assert "Make a secret" in ringing.ring(updated(1), sign(updated(1), ""), source_id=quiet.id).words
    ringing.sources.mark_removing(ringing.source.id)
    assert ringing.ring(updated(1)).status == 404


def test_another_secret_takes_the_place_of_the_first(ringing: Ringing) -> None:
    ringing.sources.configure(ringing.source.id, ringing.source.config, {"token": "t", SECRET: "newer"})
    assert ringing.ring(updated(1)).status == 401
    assert ringing.ring(updated(1), sign(updated(1), "newer")).status == 200


def test_an_empty_body_asks_for_a_look_at_everything(ringing: Ringing) -> None:
    assert ringing.ring(b"").status == 200
    assert ringing.source.requested_at is not None


def test_of_very_many_hints_a_look_at_everything_is_made(ringing: Ringing) -> None:
    ringing.sources.hint(ringing.source.id, [str(20_000 + number) for number in range(MANY_HINTS)])
    assert ringing.ring(updated(10001)).status == 200
    assert len(ringing.sources.hints(ringing.source.id)) == MANY_HINTS and ringing.source.requested_at is not None


def test_while_the_key_of_the_secrets_is_missing_jira_is_asked_to_come_again(ringing: Ringing) -> None:
    (ringing.workspace.home / "secret.key").unlink()
    reply = ringing.ring(updated(1))
    assert reply.status == 503 and "secret.key" in reply.words
