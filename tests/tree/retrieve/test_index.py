"""The search index follows the tree, forgets what has left it, and can be lost at any time."""

from __future__ import annotations

import gc
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bench.integrity import index_differences
from ingestion.sync import sync
from prompts.language import terms
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tree.retrieve.index import Index, SearchScope
from tree.retrieve.index_entries import as_name
from tree.store.forgetting import forget_before, forget_source


@pytest.fixture
def docs(tmp_path):
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def _found(docs, *words: str, places: tuple[str, ...] = ()) -> list[str]:
    index = docs.workspace.index
    index.catch_up()
    return [hit.place.partition("/")[2] for hit in index.search(words, SearchScope((docs.source.id,), places), 20)]


def test_the_best_leaf_comes_first(docs) -> None:
    docs.write("a.md", "# Pumps\n\nThe pump is green.\n")
    docs.write("b.md", "# Gates\n\nA gate, beside which a pump stands among many other things that fill this page with words.\n")
    docs.sync()
    assert _found(docs, "pump") == ["a.md", "b.md"]


def test_a_scope_is_held_to(docs) -> None:
    docs.write("a/one.md", "# One\n\nThe pump.\n")
    docs.write("b/two.md", "# Two\n\nThe pump.\n")
    docs.sync()
    assert _found(docs, "pump", places=(f"{docs.source.id}/b/",)) == ["b/two.md"]
    assert docs.workspace.index.search(["pump"], SearchScope(("another",)), 20) == []


def test_vowel_signs_tell_words_apart(docs) -> None:
    docs.write("a.md", "# A\n\nกัน\n")
    docs.write("b.md", "# B\n\nกิน\n")
    docs.sync()
    assert _found(docs, *terms("กิน")) == ["b.md"]


def test_every_leaf_is_found_by_what_its_document_says_of_itself(docs) -> None:
    parts = "\n\n".join(f"## Part {part}\n\n" + "The gate is shut at night and opened again.\n\n" * 100 for part in "AB")
    docs.write("a.md", f"# Gates\n\nOwner: Team Heron\n\n{parts}")
    docs.write("b.md", f"# Doors\n\nOwner: Team Plover\n\n{parts}")
    docs.sync()
    found = _found(docs, "heron")
    assert len(found) > 1 and all(place.startswith("a.md") for place in found)
    docs.write("a.md", f"# Gates\n\nOwner: Team Egret\n\n{parts}")
    docs.sync()
    assert _found(docs, "heron") == [] and len(_found(docs, "egret")) == len(found)


def test_a_question_waits_for_nobody_who_is_writing(docs) -> None:
    docs.write("a.md", "# A\n\nThe pump.\n")
    docs.sync()
    with closing(sqlite3.connect(docs.workspace.index.path, isolation_level=None, timeout=0)) as writing:
        writing.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(1) as asking:
            assert asking.submit(_found, docs, "pump").result(timeout=10) == ["a.md"]


@pytest.mark.parametrize("broken", ["gone", "garbage"])
def test_a_lost_index_is_built_again(docs, broken) -> None:
    docs.write("a.md", "# A\n\nThe pump.\n")
    docs.sync()
    docs.workspace.index.close()
    path = docs.workspace.index.path
    for file in path.parent.glob("search.db*"):
        file.unlink()
    if broken == "garbage":
        path.write_bytes(b"not a database at all" * 500)
    assert _found(docs, "pump") == ["a.md"]


def test_a_damaged_index_is_thrown_away_and_built_again(docs) -> None:
    for number in range(300):
        docs.write(f"{number}.md", f"# Note {number}\n\n{'The pump. ' * 50}\n")
    docs.sync()
    docs.workspace.index.close()
    with closing(sqlite3.connect(docs.workspace.index.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with docs.workspace.index.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (docs.workspace.index.path.stat().st_size - 4096))
    assert len(_found(docs, "pump")) == 20


def test_a_document_keeps_its_names_when_its_neighbours_are_regrouped(docs) -> None:
    for number in range(9):
        docs.write(f"note-{number}.md", f"# Note {number}\n\nText {number}.\n")
    docs.sync()
    for number in range(9, 40):
        docs.write(f"note-{number}.md", f"# Note {number}\n\nText {number}.\n")
    docs.sync()
    scope = SearchScope((docs.source.id,))
    for number in range(12):
        for name in (f"note-{number}.md", f"Note {number}", f"note-{number}"):
            assert {place for _, place in docs.workspace.index.named([as_name(name)], scope)} == {
                f"{docs.source.id}/note-{number}.md"
            }


def test_many_that_make_the_index_at_once_agree(docs) -> None:
    for number in range(30):
        docs.write(f"{number}.md", f"# Note {number}\n\nText {number}.\n")
    docs.sync()
    indexes = [Index(docs.workspace.store, docs.workspace.home / "other.db") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        versions = [made.result() for made in [pool.submit(index.catch_up) for index in indexes]]
    assert set(versions) == {docs.source.published}
    hits = indexes[0].search(["text"], SearchScope((docs.source.id,)), 100)
    assert len(hits) == len({hit.place for hit in hits}) == 30


def test_lengths_kept_step_by_step_are_those_counted_anew(docs) -> None:
    for number in range(12):
        docs.write(f"{number}.md", f"# Pump {number}\n\n{'The pump runs well. ' * (number + 1)}\n")
    docs.sync()
    docs.write("3.md", "# Pump 3\n\nIt leaks.\n")
    (docs.folder / "7.md").unlink()
    docs.sync()
    docs.workspace.index.catch_up()
    kept = docs.workspace.index.mean_length(SearchScope((docs.source.id,)))
    for file in docs.workspace.index.path.parent.glob("search.db*"):
        file.unlink()
    docs.workspace.index.catch_up()
    assert docs.workspace.index.mean_length(SearchScope((docs.source.id,))) == kept > 0


# ---------------------------------------------------------------- several processes and threads


def _publish_unindexed(docs, name: str, text: str) -> None:
    """What a process leaves that is killed between publishing and indexing."""
    docs.write(name, text)
    _publish_without_index(docs)


def _publish_without_index(docs) -> None:
    elsewhere = replace(docs.workspace, index=Index(docs.workspace.store, docs.workspace.home / "unused.db"))
    sync(elsewhere, docs.sources, docs.source, None, open_folder(**docs.source.config))
    elsewhere.index.close()


def test_a_version_published_while_the_index_follows_another_is_followed_next(docs) -> None:
    docs.write("a.md", "# A\n\nThe pump.\n")
    docs.sync()
    _publish_unindexed(docs, "b.md", "# B\n\nThe pump.\n")
    later = iter(["# C\n\nThe pump.\n"])

    def publish_more() -> None:
        for text in later:
            _publish_unindexed(docs, "c.md", text)

    index = Index(docs.workspace.store, docs.workspace.index.path, publish_more)
    assert index.catch_up() < docs.source.published
    assert index.catch_up() == docs.source.published
    index.close()
    assert sorted(_found(docs, "pump")) == ["a.md", "b.md", "c.md"]
    docs.write("d.md", "# D\n\nThe pump.\n")
    docs.sync()
    assert len(_found(docs, "pump")) == 4


def test_two_sources_may_be_published_while_somebody_asks(tmp_path) -> None:
    docs = [Following(tmp_path, folder=name) for name in ("one", "two")]
    stop = threading.Event()

    def publish(following: Following) -> int:
        for number in range(12):
            following.write(f"{number}.md", f"# Note {number}\n\nThe pump number {number}.\n")
            following.sync(f"{number}.md")
        return 12

    def ask() -> int:
        index, asked = Index(docs[0].workspace.store, docs[0].workspace.index.path), 0
        while not stop.is_set():
            index.catch_up()
            asked += 1
        index.close()
        return asked

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask) for _ in range(2)]
        assert [made.result() for made in [pool.submit(publish, one) for one in docs]] == [12, 12]
        stop.set()
        assert all(one.result() for one in asking)
    index = docs[0].workspace.index
    assert index.catch_up() == docs[0].workspace.store.versions.newest()
    hits = index.search(["pump"], SearchScope(tuple(one.source.id for one in docs)), 200)
    assert len(hits) == len({hit.place for hit in hits}) == 24
    for one in docs:
        one.workspace.close()


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM source",
        "INSERT INTO entry (place, source_id, leaf, length) VALUES ('{place}/c.md', '{place}', 'x', 1)",
        "UPDATE meta SET value = '99' WHERE key = 'version'",
        "UPDATE meta SET value = '1' WHERE key = 'published_at'",
        "DROP TABLE name",
        "DROP TABLE words",
        "UPDATE meta SET value = '2' WHERE key = 'format'",
    ],
)
def test_an_index_that_contradicts_itself_is_built_anew(docs, harm) -> None:
    for name in "ab":
        docs.write(f"{name}.md", f"# {name}\n\nThe pump.\n")
    docs.sync()
    docs.workspace.index.close()
    with closing(sqlite3.connect(docs.workspace.index.path)) as connection:
        connection.execute(harm.format(place=docs.source.id))
        connection.commit()
    docs.write("c.md", "# C\n\nThe pump.\n")
    docs.sync()
    assert sorted(_found(docs, "pump")) == ["a.md", "b.md", "c.md"]
    assert "The pump." in docs.ask("What about the pump?").text


def test_an_index_of_a_format_before_is_brought_forward_with_all_it_holds(docs, monkeypatch) -> None:
    monkeypatch.setattr(
        "tree.retrieve.index_file.STEPS", {"earlier": ("CREATE INDEX item_other ON item (sort) WHERE NOT is_own",)}
    )
    docs.write("a.md", "# Gate\n\nOwner: Ada Wren\n\nIt is green.\n")
    docs.sync()
    index = docs.workspace.index
    with index.file.transaction("DEFERRED") as connection:
        made = set(connection.execute("SELECT name, sql FROM sqlite_master"))
    index.close()
    with closing(sqlite3.connect(index.path)) as connection:
        connection.executescript("DROP INDEX item_other")
        connection.execute("UPDATE meta SET value = 'earlier' WHERE key = 'format'")
        connection.commit()
    monkeypatch.setattr("tree.retrieve.index_entries.add", None)  # no leaf is read again
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: index.version(), range(8))) == {docs.workspace.store.versions.newest()}
    assert docs.ask("Who is the owner of the gate?").text.startswith("**Ada Wren**")
    with index.file.transaction("DEFERRED") as connection:
        assert set(connection.execute("SELECT name, sql FROM sqlite_master")) == made


def test_while_another_process_builds_the_index_questions_go_on_with_the_old_one(docs) -> None:
    docs.write("a.md", "# A\n\nThe pump is green.\n")
    docs.sync()
    _publish_unindexed(docs, "b.md", "# B\n\nA gate.\n")
    with closing(sqlite3.connect(docs.workspace.index.path, isolation_level=None, timeout=0)) as building:
        building.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        answer = docs.ask("Is the pump green?")
        assert time.monotonic() - began < 20
    assert answer.citations and any("indexed" in note for note in answer.notes)


def test_while_another_process_builds_the_first_index_a_question_makes_one_of_its_own(docs) -> None:
    _publish_unindexed(docs, "a.md", "# A\n\nThe pump.\n")
    index = docs.workspace.index
    assert index.version() == 0
    with closing(sqlite3.connect(index.path, isolation_level=None, timeout=0)) as building:
        building.execute("BEGIN IMMEDIATE")
        version = index.catch_up(patience=0.1)
        assert index.serving([docs.source.id], version, wait=0.2).search(["pump"], SearchScope((docs.source.id,)), 5)
    assert index.serving([docs.source.id], version) is index and index.version() == version


def test_a_deletion_that_was_forgotten_before_it_was_indexed_leaves_the_index(docs) -> None:
    docs.write("a.md", "# A\n\nThe canaryword pump.\n")
    docs.write("b.md", "# B\n\nA gate.\n")
    docs.sync()
    (docs.folder / "a.md").unlink()
    _publish_without_index(docs)
    forget_before(docs.workspace.database, time.time())
    assert "canaryword" not in docs.indexed()
    docs.write("a.md", "# A\n\nBack again.\n")
    docs.sync()
    assert docs.holds() and sorted(_found(docs, "gate", "back")) == ["a.md", "b.md"]


def test_nothing_of_a_source_that_is_being_removed_is_named(docs: Following, tmp_path: Path) -> None:
    """An index that follows between the removal on the page and the worker's deleting of what was read."""
    (tmp_path / "stays").mkdir()
    (tmp_path / "stays" / "crane.md").write_text("# Crane\n\nThe crane.\n")
    stays = docs.sources.add("folder", "Stays", {"path": str(tmp_path / "stays")})
    sync(docs.workspace, docs.sources, stays, connector=open_folder(tmp_path / "stays"))
    docs.write("pump.md", "# Pump\n\nThe pump.\n")
    docs.sync()
    index = Index(docs.workspace.store, tmp_path / "other.db")
    index.catch_up()
    docs.write("gate.md", "# Gate\n\nThe gate.\n")
    docs.sync()
    source = docs.source
    docs.sources.mark_removing(source.id)
    index.catch_up()
    forget_source(docs.workspace.database, source.id)
    docs.sources.delete(source.id)
    index.catch_up()
    assert index.containing("pump", SearchScope((source.id,)), 9) == [] == index.containing("gate", SearchScope((source.id,)), 9)


@pytest.mark.parametrize("lost", ["", "-wal", "-shm"])
def test_an_index_of_which_a_file_is_deleted_while_it_is_used_is_built_again(docs, lost) -> None:
    docs.write("a.md", "# A\n\nThe pump.\n")
    docs.sync()
    other = Index(docs.workspace.store, docs.workspace.index.path)
    assert other.catch_up() == docs.source.published
    path = docs.workspace.index.path
    path.with_name(f"{path.name}{lost}").unlink()
    docs.write("b.md", "# B\n\nThe pump.\n")
    docs.sync()
    assert sorted(_found(docs, "pump")) == ["a.md", "b.md"]
    assert len(other.search(["pump"], SearchScope((docs.source.id,)), 5)) >= 1 and other.catch_up() == docs.source.published
    other.close()


def test_a_question_goes_on_with_the_old_index_where_it_cannot_be_written(docs) -> None:
    docs.write("a.md", "# A\n\nThe pump is green.\n")
    docs.sync()
    _publish_unindexed(docs, "b.md", "# B\n\nA gate.\n")
    index = docs.workspace.index
    pages = index.file.connection().execute("PRAGMA page_count").fetchone()[0]
    index.file.connection().execute(f"PRAGMA max_page_count = {pages}")
    assert docs.ask("Is the pump green?").citations


def test_whichever_page_of_the_index_is_damaged_forgetting_goes_on(docs: Following) -> None:
    path = docs.workspace.index.path
    for number in range(6):
        docs.write(f"plans/{number}.md", f"# Plan {number}\n\n" + f"The pump number {number} is green. " * 60)
    docs.sync()
    assert docs.workspace.index.wipe()
    for page in range(path.stat().st_size // 4096):
        with path.open("r+b") as file:
            file.seek(4096 * page)
            file.write(b"\0damage\0" * 200)
        with closing(Index(docs.workspace.store, path)) as another:  # of another process, which has read nothing of it yet
            assert another.wipe(), page


def test_the_index_of_an_older_version_is_kept_for_the_next_question_until_something_of_it_is_forgotten(docs) -> None:
    docs.write("a.md", "# A\n\nThe pump is green.\n")
    docs.sync()
    store, index, source = docs.workspace.store, docs.workspace.index, docs.source.id
    then = store.versions.newest()
    docs.write("a.md", "# A\n\nThe pump is red.\n")
    docs.sync()
    older = index.as_of((source,), then)
    assert older.search(["green"], SearchScope((source,)), 5) and not older.search(["red"], SearchScope((source,)), 5)
    assert index.as_of((source,), then) is older
    docs.write("b.md", "# B\n\nThe gate.\n")
    docs.sync()
    assert index.as_of((source,), then) is older  # what comes later changes nothing of it
    assert index.as_of((), then) is not older and index.as_of((source,), store.versions.newest()) is not older
    before = index.as_of((source,), then)
    forget_before(store.database, None)
    after = index.as_of((source,), then)
    assert after is not before and not after.search(["green"], SearchScope((source,)), 5)


def test_those_who_ask_about_other_days_or_have_other_rights_do_not_take_each_others_index(docs) -> None:
    index, source, versions = docs.workspace.index, docs.source.id, []
    for number in range(4):
        docs.write("a.md", f"# A\n\nThe pump is shade{number}.\n")
        docs.sync()
        versions.append(docs.workspace.store.versions.newest())
    first, second, third = (
        index.as_of(*asked) for asked in (((source,), versions[0]), ((), versions[0]), ((source,), versions[1]))
    )
    for _ in range(3):
        assert index.as_of((), versions[0]) is second and index.as_of((source,), versions[0]) is first
    index.as_of((source,), versions[2])
    assert index.as_of((source,), versions[0]) is first and index.as_of((source,), versions[1]) is not third


def test_the_copy_of_an_older_version_is_gone_when_it_is_not_kept_and_nobody_uses_it(docs) -> None:
    """Not when garbage is next collected: it is as large as the index."""
    docs.write("a.md", "# A\n\nThe pump is green.\n")
    docs.sync()
    index, source = docs.workspace.index, docs.source.id
    then = docs.workspace.store.versions.newest()
    gc.disable()
    try:
        older = index.as_of((source,), then)
        with older.file.transaction("DEFERRED") as connection:
            pass
        assert index.wipe() and older.search(["green"], SearchScope((source,)), 5)
        del older
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
    finally:
        gc.enable()


@pytest.mark.parametrize("seed", range(3))
def test_a_copy_turned_back_to_an_older_version_is_what_a_fresh_index_of_it_is(
    docs: Following, tmp_path: Path, seed: int
) -> None:
    chance, versions = Random(seed), []
    index, source = docs.workspace.index, docs.source.id
    for number in range(24):
        name = f"{chance.choice(('quay', 'gate', 'quay/north'))}/{chance.randrange(8)}.md"
        path = docs.folder / name
        if path.exists() and chance.random() < 0.3:
            path.unlink()
        elif path.exists() and chance.random() < 0.3:
            path.rename(path.with_name(f"moved {number}.md"))
        else:
            owner = chance.choice(("Maren Oduya", "Tomas Reyl", "Ines Falk"))
            text = f"# Pump {chance.randrange(5)}\n\nOwner: {owner}\n\nWe decided to keep gate {number}.\n\n## Later {number}\n\nNo.\n"
            docs.write(name, text * chance.choice((1, 1, 90)))
        docs.sync()
        versions.append(docs.workspace.store.versions.newest())
    for version in chance.sample(versions, 8):
        fresh = Index(docs.workspace.store, None)
        fresh.load((source,), version)
        paths = []
        for made in (index.as_of((source,), version), fresh):
            paths.append(tmp_path / f"{version} {len(paths)}.db")
            with closing(sqlite3.connect(paths[-1])) as target:
                made.file.run("DEFERRED", lambda connection, to=target: connection.backup(to))
        assert index_differences(*paths) == []
        scope = SearchScope((source,))
        turned = index.as_of((source,), version)
        assert sorted(map(repr, turned.items(scope).everything())) == sorted(map(repr, fresh.items(scope).everything()))


def test_the_connection_of_a_thread_ends_with_it(docs) -> None:
    """Not when garbage is next collected, which may be an hour later."""
    opened: list[sqlite3.Connection] = []
    gc.disable()
    try:
        thread = threading.Thread(target=lambda: opened.append(docs.workspace.index.file.connection()))
        thread.start()
        thread.join()
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            opened[0].execute("SELECT 1")
    finally:
        gc.enable()
