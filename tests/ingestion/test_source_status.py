from __future__ import annotations

from typing import Any

import pytest

from ingestion.source_status import describe_status
from ingestion.words import ago, counted, duration
from tree.store.models import Source

NOW = 1_800_000_000.0


def source(**values: Any) -> Source:
    row = {"id": "a", "name": "Docs", "kind": "folder", "config": {}, "created_at": NOW, "state": "ready", "synced_at": NOW - 5}
    return Source(**(row | values))


@pytest.mark.parametrize(
    ("values", "tone", "label", "words"),
    [
        ({}, "ok", "Up to date", "Checked 5 s ago."),
        ({"state": "new", "synced_at": None, "requested_at": NOW}, "busy", "Waiting to sync", "in a moment"),
        ({"state": "new", "synced_at": None}, "busy", "Waiting to sync", "in a moment"),
        ({"state": "syncing", "synced_at": None, "done": 120, "total": 400}, "busy", "Syncing", "120 of 400 documents checked"),
        ({"state": "syncing", "done": 3, "total": 400}, "busy", "Syncing", "3 of 400"),
        ({"state": "syncing", "synced_at": None}, "busy", "Syncing", "Listing"),
        ({"state": "waiting", "synced_at": None}, "busy", "Waiting for its turn", "Other new sources are being read before it."),
        (
            {"state": "waiting", "synced_at": None, "published": 3, "done": 120, "total": 400, "requested_at": NOW - 60},
            "busy",
            "Waiting for its turn",
            "120 of 400 documents checked. Other new sources are being read before it goes on. You can ask questions already",
        ),
        ({"state": "syncing", "message": "Connect the drive."}, "warning", "Trying again", "Connect the drive."),
        ({"paused": True}, "idle", "Paused", "The tree holds what was there 5 s ago."),
        ({"paused": True, "synced_at": None}, "idle", "Paused", "Nothing has been read yet."),
        ({"state": "lost", "message": "Connect the drive."}, "warning", "Cannot be read now", "Connect the drive."),
        (
            {"state": "limited", "wait_until": NOW, "message": "Too many."},
            "warning",
            "Rate limited until",
            "asked the app to wait",
        ),
        ({"state": "failed", "message": "Give a password."}, "error", "Sync failed", "Give a password."),
        ({"state": "failed"}, "error", "Sync failed", "tries again"),
        ({"requested_at": NOW - 60}, "error", "Sync not started", "Restart the app"),
        ({"state": "stopped"}, "idle", "Sync interrupted", "continues where this one ended"),
    ],
)
def test_every_state_has_words_and_says_what_to_do(values: dict[str, Any], tone: str, label: str, words: str) -> None:
    status = describe_status(source(**values), NOW)
    assert status.tone == tone and status.label.startswith(label)
    assert words in status.in_one_line and status.in_one_line.startswith(label)


def test_missing_documents_ask_for_a_confirmation() -> None:
    status = describe_status(source(), NOW, awaiting_approval=12)
    assert (status.tone, status.label) == ("warning", "Confirmation needed")
    assert "12 documents went missing at once. Confirm the deletion" in status.to_do


def test_documents_that_are_kept_though_they_cannot_be_read_are_not_called_up_to_date() -> None:
    status = describe_status(source(), NOW, stale=2)
    assert (status.tone, status.label) == ("warning", "Partly up to date")
    assert "2 documents cannot be read now, kept as last read" in status.to_do and "other" not in status.to_do
    assert describe_status(source(), NOW, stale=2, unreadable=3).to_do.endswith(" 1 other could not be read.")


def test_what_could_not_be_read_is_told_with_up_to_date() -> None:
    status = describe_status(source(), NOW, unreadable=1_200)
    assert (status.tone, status.in_one_line) == ("ok", "Up to date, but 1,200 could not be read. Checked 5 s ago.")


def test_a_sync_whose_process_was_ended_is_interrupted() -> None:
    assert describe_status(source(state="syncing"), NOW, is_running=False).label == "Sync interrupted"


@pytest.mark.parametrize(
    ("seconds", "words"), [(-2, "0 s ago"), (59, "59 s ago"), (300, "5 min ago"), (7_300, "2 h ago"), (400_000, "5 days ago")]
)
def test_how_long_ago(seconds: float, words: str) -> None:
    assert ago(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "less than a minute"), (70, "about a minute"), (600, "about 10 minutes"), (9_000, "about 2 hours")]
)
def test_how_long_something_takes(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_number_is_counted_in_the_plural_unless_it_is_one() -> None:
    assert [counted(1, "branch", "branches"), counted(1_200, "branch", "branches"), counted(0, "step")] == [
        "1 branch", "1,200 branches", "0 steps",
    ]  # fmt: skip
