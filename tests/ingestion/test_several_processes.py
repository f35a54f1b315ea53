"""Several sources, threads and processes on one data folder: what one of them removes or deletes breaks no other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from connectors.base import Cancelled, Document, Section
from ingestion.chunking.chunker import cut
from ingestion.sync import lock_of, repair, sync, verify
from ingestion.tidying import FOLLOWING, KEEP_DAYS, Clock, remove, tidy
from ingestion.worker import Worker
from prompts.extractive import ExtractiveReader
from prompts.records import LeafText, Reading
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.build.builder import build
from tree.store.chats import Chats
from tree.store.errors import SourceRemoved, StaleBase
from tree.store.forgetting import forget_before, forget_source
from tree.store.locks import Taken, held
from tree.store.models import Source
from tree.store.publishing import publish
from tree.store.recent_records import RecentRecords
from tree.workspace import open_database

TABLES = ("node", "document", "claim", "checkpoint", "failure", "hint")

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def docs(tmp_path):
    following = Following(tmp_path)
    for number in range(12):
        following.write(f"{number}.md", f"# Note {number}\n\nThe pump number {number} stands by gate {number * 7}.\n")
    following.sync()
    yield following
    following.workspace.close()


def _add_again(docs: Following) -> Source:
    return docs.sources.add("folder", "The same", {"path": str(docs.folder)})


def _remove(docs: Following, source_id: str) -> None:
    """As the command line does."""
    docs.sources.mark_removing(source_id)
    forget_source(docs.workspace.database, source_id)
    docs.sources.delete(source_id)


def _rows_of(docs: Following, source_id: str) -> dict[str, int]:
    with docs.workspace.database.read() as connection:
        counts = {t: connection.scalar(sa.text(f"SELECT count(*) FROM {t} WHERE source_id = '{source_id}'")) for t in TABLES}
    return {table: number for table, number in counts.items() if number}


# ---------------------------------------------------------------- records that another source shares


def test_records_swept_while_another_source_is_about_to_use_them_are_made_again(docs) -> None:
    other = _add_again(docs)
    removals = iter([docs.source.id])

    def remove_the_first() -> None:
        for source_id in removals:
            _remove(docs, source_id)

    done = sync(docs.workspace, docs.sources, other, None, open_folder(path=str(docs.folder)), before_publish=remove_the_first)
    assert done.put == 12
    assert docs.workspace.store.nodes.dangling(other.id) == []
    assert verify(docs.workspace, other).is_equal
    docs.write("3.md", "# Changed\n\nNow otherwise.\n")
    sync(docs.workspace, docs.sources, other, {"3.md"}, open_folder(path=str(docs.folder)))
    assert verify(docs.workspace, other).is_equal


def test_a_change_that_refers_to_a_record_that_is_gone_is_not_published(docs) -> None:
    document = cut(Document("new.md", "New", (), (Section("The pump is new."),), "f"))
    source = docs.source
    change, _ = build(docs.workspace.store, source.id, source.name, source.published, docs.workspace.reader, [document])
    change.records.clear()
    with pytest.raises(StaleBase):
        publish(docs.workspace.database, change)
    assert docs.source.published == source.published and "new.md" not in docs.titles() and docs.holds()


def _delete_some(docs: Following, table: str, column: str) -> list[str]:
    """As a release did that swept what was needed; returns the places that refer to it."""
    nodes = [node for node in docs.workspace.store.nodes.of_source(docs.source.id) if node.document_id in ("3.md", "7.md")]
    with docs.workspace.database.write() as connection:
        for node in nodes:
            key = node.record if table == "record" else node.leaf
            connection.execute(sa.text(f"DELETE FROM {table} WHERE {column} = '{key}'"))
    return sorted(node.place for node in nodes)


def test_nodes_that_refer_to_records_that_are_gone_are_told_by_verify_and_mended_by_a_sync(docs) -> None:
    places = _delete_some(docs, "record", "hash")
    assert docs.workspace.store.nodes.dangling(docs.source.id) == places
    assert set(places) <= set(verify(docs.workspace, docs.source).differing)
    docs.sync()
    assert docs.workspace.store.nodes.dangling(docs.source.id) == [] and docs.holds()
    assert "gate 49" in docs.ask("What stands by gate 49?").text


def test_an_edit_beside_nodes_whose_records_are_gone_is_read_and_mends_them(docs) -> None:
    [*_, place] = _delete_some(docs, "record", "hash")
    forget_before(docs.workspace.database, None)  # nothing of it is in memory either
    beside = [
        n
        for n in docs.workspace.store.nodes.of_source(docs.source.id)
        if n.kind == "leaf" and n.document_id not in ("3.md", "7.md")
    ]
    for node in beside:
        docs.write(node.document_id, f"# Changed\n\nThe crane {node.document_id}.\n")
    docs.sync(*(node.document_id for node in beside))
    assert place in {node.place for node in docs.workspace.store.nodes.of_source(docs.source.id)} and docs.holds()


def test_a_document_whose_text_is_gone_is_read_anew(docs) -> None:
    places = _delete_some(docs, "leaf", "key")
    assert docs.workspace.store.nodes.dangling(docs.source.id) == places
    docs.sync()
    assert docs.workspace.store.nodes.dangling(docs.source.id) == [] and docs.holds() and len(docs.titles()) == 12


def test_a_sound_tree_is_not_touched_by_a_repair(docs) -> None:
    before = docs.source.published
    assert repair(docs.workspace, docs.sources, docs.source) == 0
    assert docs.source.published == before


# ---------------------------------------------------------------- a removed source


def test_a_change_worked_out_before_its_source_was_removed_is_not_published(docs) -> None:
    source, store = docs.source, docs.workspace.store
    document = cut(Document("b.md", "B", (), (Section("The canaryword."),), "f"))
    change, _ = build(store, source.id, source.name, source.published, docs.workspace.reader, [document])
    docs.sources.mark_removing(source.id)
    forget_source(store.database, source.id)
    with pytest.raises(SourceRemoved):
        publish(store.database, change)
    docs.sources.delete(source.id)
    with pytest.raises(SourceRemoved):
        publish(store.database, change)
    docs.sources.hint(source.id, ["b.md"])
    assert _rows_of(docs, source.id) == {}
    assert "canaryword" not in docs.indexed()


def test_a_source_that_is_removed_while_it_is_verified_is_not_called_damaged(docs) -> None:
    source = docs.source

    class Removing(ExtractiveReader):
        def read(self, leaf: LeafText) -> Reading:
            if docs.sources.removing() == []:
                docs.sources.mark_removing(source.id)
                forget_source(docs.workspace.database, source.id)
            return super().read(leaf)

    with pytest.raises(SourceRemoved):
        verify(replace(docs.workspace, reader=Removing()), source)


def test_a_sync_under_way_of_a_source_that_is_removed_leaves_nothing(docs) -> None:
    docs.write("late.md", "# Late\n\nThe canaryword.\n")
    source = docs.source
    with pytest.raises(SourceRemoved):
        sync(
            docs.workspace, docs.sources, source, None, open_folder(path=str(docs.folder)),
            before_publish=lambda: _remove(docs, source.id),
        )  # fmt: skip
    assert _rows_of(docs, source.id) == {}
    assert "canaryword" not in docs.indexed()


def test_what_an_earlier_release_left_of_removed_sources_is_deleted(docs) -> None:
    source = docs.source
    with docs.workspace.database.write() as connection:
        connection.execute(sa.text(f"DELETE FROM source WHERE id = '{source.id}'"))
    forget_before(docs.workspace.database, time.time())
    docs.sources.forget_tombstones(0)
    assert _rows_of(docs, source.id) == {}
    assert "pump" not in docs.indexed()


# ---------------------------------------------------------------- requests and hints


def test_a_sync_asked_for_while_a_hint_is_followed_is_still_to_come(docs) -> None:
    docs.sources.request_sync(docs.source.id)
    docs.sync("1.md")
    assert docs.source.requested_at is not None
    docs.sync()
    assert docs.source.requested_at is None


def test_a_hint_given_twice_at_once_is_one(docs) -> None:
    docs.sources.hint(docs.source.id, ["1", "1"])
    assert list(docs.sources.hints(docs.source.id)) == ["1"]


def test_a_hint_given_again_after_the_clock_was_put_back_is_kept(docs) -> None:
    with docs.workspace.database.write() as connection:
        connection.execute(sa.text(f"INSERT INTO hint VALUES ('{docs.source.id}', '1.md', {time.time() + 86_400})"))
    seen = docs.sources.hints(docs.source.id)
    docs.sources.hint(docs.source.id, ["1.md"])
    docs.sources.drop_hints(docs.source.id, seen)
    assert list(docs.sources.hints(docs.source.id)) == ["1.md"]


# ---------------------------------------------------------------- locks


def _until(condition: Callable[[], bool], what: str, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s in vain until {what}"
        time.sleep(0.05)


def test_removing_a_source_that_another_process_holds_stops_no_other_and_not_the_worker(docs, tmp_path: Path) -> None:
    lock = lock_of(docs.workspace, docs.source.id)
    lock.acquire()
    docs.sources.request_sync(docs.source.id)
    worker = Worker(docs.workspace, docs.sources)
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        _until(lambda: bool(worker._followers), "the source is followed")
        docs.sources.mark_removing(docs.source.id)
        (tmp_path / "more").mkdir()
        (tmp_path / "more" / "x.md").write_text("# X\n\nThe crane.\n")
        other = docs.sources.add("folder", "More", {"path": str(tmp_path / "more")})
        _until(lambda: docs.sources.get(other.id).state == "ready", "the other source is read")
        _until(lambda: docs.sources.removing() == [], "the removed source is gone")
    finally:
        began = time.monotonic()
        worker.stopping.set()
        thread.join(30)
        lock.release()
    assert not thread.is_alive() and time.monotonic() - began < 15


def test_a_sync_that_waits_for_another_can_be_cancelled(docs) -> None:
    with held(lock_of(docs.workspace, docs.source.id)):
        began = time.monotonic()
        with pytest.raises(Cancelled):
            docs.sync(is_cancelled=lambda: time.monotonic() - began > 0.3)
    assert docs.source.state == "ready"


def test_what_another_app_is_answering_is_left_to_it_until_it_is_gone(docs) -> None:
    own, other = Chats(docs.workspace.database), Chats(open_database(docs.workspace.home))
    own.running.sign_on()
    other.running.sign_on()
    asked = [chats.running.begin(question, owner="ada") for chats, question in ((own, "Mine?"), (other, "Theirs?"))]
    assert own.running.interrupt_running() == other.running.interrupt_running() == 0
    other.running.sign_off()
    other.database.close()
    assert own.running.interrupt_running() == 1
    assert [own.turns.get(turn.id).state for turn in asked] == ["running", "interrupted"]
    own.running.sign_off()


# ---------------------------------------------------------------- what is forgotten


def _files_that_hold(home: Path, *words: str) -> dict[str, list[str]]:
    found = {}
    for path in sorted(home.rglob("*")):
        data = path.read_bytes().lower() if path.is_file() else b""
        if held := [word for word in words if word.encode() in data]:
            found[str(path.relative_to(home))] = held
    return found


def test_after_forget_0_no_file_of_the_data_folder_holds_what_was_deleted(docs, each_database) -> None:
    words = ("canaryfile", "canarytitle", "canarytext", "canaryfolder", "canaryedit", "canarymove", "canaryodd")
    for number in range(60):
        docs.write(f"canaryfolder/canaryfile {number}.md", f"# Canarytitle {number}\n\nThe canarytext pump {number}.\n")
    docs.write("edited.md", "# Edited\n\nThe canaryedit crane.\n")
    docs.write("canarymove.md", "# Moved\n\nThe hoist.\n")
    docs.write("canaryodd.pdf", "no PDF at all")
    docs.sync()
    docs.sources.hint(docs.source.id, ["canaryfolder/canaryfile 1.md"])
    docs.ask("What is the canarytext pump?")
    for path in (docs.folder / "canaryfolder").iterdir():
        path.unlink()
    (docs.folder / "canaryfolder").rmdir()
    (docs.folder / "canaryodd.pdf").unlink()
    (docs.folder / "canarymove.md").rename(docs.folder / "moved.md")
    docs.write("edited.md", "# Edited\n\nThe winch.\n")
    on_the_server = {"canaryodd"} if each_database == "postgresql" else set()  # the index does not have what could not be read
    held = _files_that_hold(docs.workspace.home, *words)
    assert set(words) == {word for words_of_file in held.values() for word in words_of_file} | on_the_server
    docs.sync()
    docs.sources.approve(docs.source.id)
    docs.sources.drop_hints(docs.source.id, docs.sources.hints(docs.source.id))
    forget_before(docs.workspace.database, None)
    docs.sources.forget_tombstones(None)
    assert docs.workspace.database.wipe() and docs.workspace.index.wipe()
    assert _files_that_hold(docs.workspace.home, *words) == {}
    assert docs.holds() and "The winch." in docs.ask("Where is the winch?").text


# ---------------------------------------------------------------- clocks


class SetClock:
    """A clock that may be put forward or back, beside time that only goes on."""

    def __init__(self) -> None:
        self.elapsed, self.shift = 1_000.0, 0.0

    def now(self) -> float:
        return time.time() + self.shift


def test_nothing_is_deleted_for_its_age_after_the_clock_was_put_forward(docs) -> None:
    times = SetClock()
    started = time.time()
    clock = Clock(times.now, lambda: time.time() - started)
    first = docs.workspace.store.versions.oldest_kept()
    docs.write("1.md", "# Note 1\n\nThe crane.\n")
    docs.sync()
    times.shift = (KEEP_DAYS + 30) * 86_400
    tidy(docs.workspace, docs.sources, clock)
    assert docs.workspace.store.versions.oldest_kept() == first
    times.shift = 0.0
    tidy(docs.workspace, docs.sources, clock)
    assert docs.workspace.store.versions.oldest_kept() == first and docs.holds()


def test_forget_0_forgets_what_was_published_while_the_clock_was_ahead(docs) -> None:
    docs.write("1.md", "# Note 1\n\nThe crane.\n")
    docs.sync()
    with docs.workspace.database.write() as connection:
        connection.execute(sa.text("UPDATE version SET published_at = published_at + 864000"))
    assert forget_before(docs.workspace.database, None) > 0


def test_the_locks_of_a_removed_source_are_forgotten_once_nobody_holds_them(docs) -> None:
    locks, other = docs.workspace.database.locks, _add_again(docs)
    kept = {docs.source.id, *(name for name in locks.names() if other.id not in name)}
    with held(locks.lock(f"{FOLLOWING}{other.id}")):
        pass
    docs.sources.mark_removing(other.id)
    with held(lock_of(docs.workspace, other.id)):  # by a sync that has not noticed yet
        remove(docs.workspace, docs.sources, other.id)
        assert f"{FOLLOWING}{other.id}" not in locks.names()
        with pytest.raises(Taken):
            lock_of(docs.workspace, other.id).acquire()
    tidy(docs.workspace, docs.sources, Clock())
    assert other.id not in locks.names() and {*locks.names(), docs.source.id} == kept
    with held(lock_of(docs.workspace, docs.source.id)):
        pass


# ---------------------------------------------------------------- threads


def test_records_read_lately_may_be_kept_by_many_threads_at_once() -> None:
    recent, failures = RecentRecords(size=100), []
    start = threading.Barrier(4)

    def keep(name: int) -> None:
        try:
            start.wait()
            for number in range(20_000):
                recent.keep(f"{name} {number}", None)
                recent.get(f"{name} {number - 1}")
        except Exception as error:  # noqa: BLE001  (whatever it is, the test is to see it)
            failures.append(error)

    threads = [threading.Thread(target=keep, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and len(recent) == 100


def test_questions_from_many_threads_are_answered_while_the_tree_changes(docs) -> None:
    stop, failures, answers = threading.Event(), [], []

    def keep_asking() -> None:
        try:
            while not stop.is_set():
                answers.extend(
                    "gate 49" in e.text
                    for e in ask(docs.workspace, "What stands by gate 49?", principal=OPERATOR)
                    if isinstance(e, Answer)
                )
        except Exception as error:  # noqa: BLE001  (whatever it is, the test is to see it)
            failures.append(error)

    threads = [threading.Thread(target=keep_asking) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(6):
        docs.write("new.md", f"# New\n\nText {number}.\n")
        docs.sync("new.md")
        forget_before(docs.workspace.database, None)
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == [] and set(answers) == {True}
