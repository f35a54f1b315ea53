"""The search index follows the tree, forgets what has left it, and can be lost at any time."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from tests.ingestion.workspaces import Following
from tree.retrieve.index import Index, Scope, as_name


@pytest.fixture
def docs(tmp_path):
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def _found(docs, *words: str, places: tuple[str, ...] = ()) -> list[str]:
    index = docs.workspace.index
    index.catch_up()
    return [hit.place.partition("/")[2] for hit in index.search(words, Scope((docs.source.id,), places), 20)]


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
    assert docs.workspace.index.search(["pump"], Scope(("another",)), 20) == []


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
    scope = Scope((docs.source.id,))
    for number in range(40):
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
    hits = indexes[0].search(["text"], Scope((docs.source.id,)), 100)
    assert len(hits) == len({hit.place for hit in hits}) == 30


def test_lengths_kept_step_by_step_are_those_counted_anew(docs) -> None:
    for number in range(12):
        docs.write(f"{number}.md", f"# Pump {number}\n\n{'The pump runs well. ' * (number + 1)}\n")
    docs.sync()
    docs.write("3.md", "# Pump 3\n\nIt leaks.\n")
    (docs.folder / "7.md").unlink()
    docs.sync()
    docs.workspace.index.catch_up()
    kept = docs.workspace.index.mean_length()
    for file in docs.workspace.index.path.parent.glob("search.db*"):
        file.unlink()
    docs.workspace.index.catch_up()
    assert docs.workspace.index.mean_length() == kept > 0
