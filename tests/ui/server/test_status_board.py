from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.ui.conftest import read_again
from tests.ui.people import MEMBER, tools_of
from tree.store.models import Source, Version
from ui.server.status_board import StatusBoard, status_line
from ui.server.tools import Tools

NOW = 1_000_000.0


def a_source(**values: Any) -> Source:
    return Source(
        **{"id": "s", "name": "Team", "kind": "folder", "config": {}, "created_at": 0.0, "state": "ready", "synced_at": NOW - 3}
        | values
    )


@pytest.mark.parametrize(
    ("values", "tone", "words"),
    [
        ({}, "ok", "Up to date. Checked 3 s ago."),
        ({"state": "new", "synced_at": None}, "busy", "Waiting to sync. It starts in a moment."),
        ({"state": "syncing", "synced_at": None, "done": 12, "total": 41}, "busy", "Syncing. 12 of 41 documents checked."),
        ({"paused": True}, "idle", "Paused. Changes are not read until you resume. The tree holds what was there 3 s ago."),
        ({"state": "lost", "message": "The folder is gone."}, "warning", "Cannot be read now. The folder is gone."),
        ({"state": "failed", "message": "The disk is full."}, "error", "Sync failed. The disk is full."),
    ],
)
def test_a_source_in_one_line(values: dict[str, Any], tone: str, words: str) -> None:
    line = status_line(a_source(**values), 41, 0, 0, None, NOW)
    assert (line["tone"], line["words"]) == (tone, words)


def test_a_source_of_which_something_could_not_be_read_says_so_and_not_only_how_fresh_it_is() -> None:
    line = status_line(a_source(), 41, 2, 0, None, NOW)
    assert line["words"] == "Up to date, but 2 could not be read. Checked 3 s ago."


def test_withheld_documents_ask_for_a_confirmation() -> None:
    line = status_line(a_source(), 41, 0, 12, None, NOW)
    assert line["tone"] == "warning" and line["words"].startswith("Confirmation needed. 12 documents went missing")


def test_what_changed_is_shown_for_a_while() -> None:
    version = Version(
        number=3, source_id="s", published_at=NOW - 5, added=0, changed=2, removed=1, titles=["Plan", "Costs", "Risks"]
    )
    assert (
        status_line(a_source(), 41, 0, 0, version, NOW)["news"] == "2 documents changed, 1 document removed 5 s ago: Plan, Costs"
    )
    assert status_line(a_source(), 41, 0, 0, version, NOW + 3_600)["news"] == ""


def test_a_first_read_is_told_as_a_whole_and_not_by_its_last_part() -> None:
    last = Version(number=3, source_id="s", published_at=NOW - 5, added=18, changed=0, removed=0, titles=["Plan"])
    told = status_line(a_source(first_read_at=NOW - 4), 58, 0, 0, last, NOW)["news"]
    assert told == "58 documents read for the first time 4 s ago"
    later = Version(number=4, source_id="s", published_at=NOW - 1, added=1, changed=0, removed=0, titles=["Costs"])
    assert status_line(a_source(first_read_at=NOW - 4), 59, 0, 0, later, NOW)["news"] == "1 document added 1 s ago: Costs"


@pytest.fixture
def counted() -> Iterator[list[str]]:
    """The statements that count documents or failures, as they are sent to a database."""
    sent: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if "count(" in statement and ("FROM document" in statement or "FROM failure" in statement):
            sent.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    yield sent
    sa.event.remove(sa.Engine, "before_cursor_execute", note)


def test_whoever_is_no_admin_is_told_too_what_could_not_be_read(tools: Tools, source: Source, folder: Path) -> None:
    (folder / "empty.md").write_text("", "utf-8")
    read_again(tools, source)
    [line] = StatusBoard().sources(tools_of(MEMBER))
    assert line["words"].startswith("Up to date, but 1 could not be read.")


def test_documents_are_counted_only_where_anything_was_written_since(
    tools: Tools, source: Source, folder: Path, counted: list[str]
) -> None:
    [first] = StatusBoard().sources(tools)
    assert len(counted) == 2
    assert [StatusBoard().sources(tools)[0]["documents"] for _ in range(3)] == [first["documents"]] * 3
    assert len(counted) == 2
    (folder / "new.md").write_text("# New\n\nA new document.\n", "utf-8")
    read_again(tools, source)
    [now] = StatusBoard().sources(tools)
    assert now["documents"] == first["documents"] + 1 and now["news"].startswith("1 document added")
