"""Sources are what the database holds now, whoever wrote it; objects are made again only where that changed."""

from __future__ import annotations

from contextlib import closing

from ingestion.sources import Sources
from tree.workspace import open_workspace


def test_what_another_process_writes_is_seen_at_once_and_what_did_not_change_is_not_made_again(tmp_path) -> None:
    with closing(open_workspace(tmp_path)) as ours, closing(open_workspace(tmp_path)) as theirs:
        sources = Sources(theirs.database)
        one, other = (sources.add("folder", name, {"path": f"/{name}"}) for name in ("One", "Other"))
        before = {source.id: source for source in ours.store.sources.askable()}
        sources.set_audience(one.id, ["g1"])
        after = {source.id: source for source in ours.store.sources.askable()}
        assert after[one.id].audience == ["g1"] and before[one.id].audience is None
        assert after[other.id] is before[other.id]
        sources.set_audience(one.id, None)
        assert ours.store.sources.askable()[0].audience is None
        sources.mark_removing(one.id)
        assert [source.name for source in ours.store.sources.askable()] == ["Other"]


def test_the_files_of_a_chat_are_read_for_that_chat_alone(tmp_path) -> None:
    with closing(open_workspace(tmp_path)) as opened:
        sources = Sources(opened.database)
        sources.add("folder", "Of all", {"path": "/a"})
        sources.add("folder", "Of a chat", {"path": "/b"}, chat_id="c1")
        named = [[source.name for source in opened.store.sources.askable(chat)] for chat in (None, "c1", "c2", None)]
        assert named == [["Of all"], ["Of all", "Of a chat"], ["Of all"], ["Of all"]]
