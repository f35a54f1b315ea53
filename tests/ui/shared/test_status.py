from __future__ import annotations

from typing import Any

import pytest

from tree.store.models import Source, Version
from ui.shared.status import ago, told

NOW = 1_000_000.0


def source(**values: Any) -> Source:
    return Source(
        **{"id": "s", "name": "Team", "kind": "folder", "config": {}, "created_at": 0.0, "state": "ready", "synced_at": NOW - 3}
        | values
    )


@pytest.mark.parametrize(
    ("values", "tone", "words"),
    [
        ({}, "ready", "In step 3 s ago · 41 documents"),
        ({"state": "new", "synced_at": None}, "busy", "Waiting to be read"),
        ({"state": "syncing", "synced_at": None, "done": 12, "total": 41}, "busy", "Reading: 12 of 41 · 41 documents"),
        ({"state": "syncing", "done": 0, "total": None}, "busy", "Looking for changes · 41 documents"),
        ({"paused": True}, "idle", "Paused · 41 documents"),
        ({"state": "lost", "message": "The folder is gone."}, "lost", "Cannot be reached. The folder is gone."),
        ({"state": "failed", "message": "The disk is full."}, "failed", "The disk is full."),
    ],
)
def test_a_source_in_words(values: dict[str, Any], tone: str, words: str) -> None:
    standing = told(source(**values), 41, 0, 0, None, NOW)
    assert (standing["tone"], standing["words"]) == (tone, words)


def test_withheld_documents_come_before_being_in_step() -> None:
    standing = told(source(), 41, 0, 12, None, NOW)
    assert standing["tone"] == "held" and standing["words"].startswith("12 documents missing")


def test_what_changed_is_told_for_a_while() -> None:
    version = Version(
        number=3, source_id="s", published_at=NOW - 5, added=0, changed=2, removed=1, titles=["Plan", "Costs", "Risks"]
    )
    assert told(source(), 41, 0, 0, version, NOW)["news"] == "2 documents changed, 1 document removed 5 s ago: Plan, Costs"
    assert told(source(), 41, 0, 0, version, NOW + 3_600)["news"] == ""


@pytest.mark.parametrize(
    ("seconds", "words"), [(-2, "0 s ago"), (59, "59 s ago"), (300, "5 min ago"), (7_300, "2 h ago"), (400_000, "5 days ago")]
)
def test_how_long_ago(seconds: float, words: str) -> None:
    assert ago(seconds) == words
