"""A page that is edited while somebody asks is not passed over for the one that it has replaced."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

import pytest

from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.ask import CHANGED, TRIES, Answer, Restart, ask
from tree.ask.snapshot.snapshot import open_snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.store.errors import Overtaken

OLD = "# Mooring policy 2023\n\nDo NOT use any more, see the mooring policy.\n\nVisitors pay 18 EUR a night for a berth.\n"
QUESTION = "What does a visitor pay for a night?"


def policy(price: int) -> str:
    return f"# Mooring policy\n\nVisitors pay {price} EUR a night for a berth. The quiet hours start at 23:00.\n"


@pytest.fixture
def harbour(tmp_path) -> Following:
    following = Following(tmp_path)
    following.write("mooring-policy-2023.md", OLD)
    following.write("mooring-policy.md", policy(400))
    following.sync()
    return following


def test_what_the_index_has_in_a_later_version_is_not_asked_of_the_one_before(harbour: Following) -> None:
    before = open_snapshot(harbour.workspace, OPERATOR)
    SnapshotView.of(before, QUESTION)
    harbour.write("mooring-policy.md", policy(401))
    harbour.sync()
    harbour.ask(QUESTION)  # brings the index to the newest version
    with pytest.raises(Overtaken):
        SnapshotView.of(before, QUESTION)
    SnapshotView.of(replace(before, is_final=True), QUESTION)
    SnapshotView.of(open_snapshot(harbour.workspace, OPERATOR), QUESTION)
    harbour.workspace.close()


class EditingZone(tzinfo):
    """Where whoever asks is; once the time there is looked at, so often a page is edited and indexed."""

    def __init__(self, following: Following, edits: int) -> None:
        self.following, self.left = following, edits

    def utcoffset(self, when: datetime | None) -> timedelta:
        if self.left:
            self.left -= 1
            self.following.write("mooring-policy.md", policy(500 - self.left))
            self.following.sync()
            self.following.workspace.index.catch_up()
        return timedelta(0)

    def dst(self, when: datetime | None) -> timedelta:
        return timedelta(0)


def test_a_page_that_is_edited_while_it_is_asked_leads_in_its_new_form(harbour: Following) -> None:
    zone = EditingZone(harbour, edits=1)
    events = list(ask(harbour.workspace, QUESTION, principal=OPERATOR, zone=zone))
    assert zone.left == 0 and Restart(CHANGED) in events
    [answer] = [event for event in events if isinstance(event, Answer)]
    assert answer.text.partition("18 EUR")[0].count("Visitors pay 500 EUR"), answer.text
    harbour.workspace.close()


def test_where_it_is_edited_without_an_end_the_question_is_answered_all_the_same(harbour: Following) -> None:
    zone = EditingZone(harbour, edits=100)
    events = list(ask(harbour.workspace, QUESTION, principal=OPERATOR, zone=zone))
    assert events.count(Restart(CHANGED)) == TRIES - 1
    assert isinstance(events[-1], Answer) and events[-1].verdict != "complete"
    harbour.workspace.close()
