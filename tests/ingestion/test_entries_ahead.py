"""What the search index notes of a leaf is worked out where the leaf is read, and is the same as if it were not."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Batch, Document
from connectors.sandbox import Sandbox
from ingestion.pool import TryEach, children
from prompts.extractive import ExtractiveReader
from prompts.records import SummaryRecord
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tree.retrieve import index_entries
from tree.retrieve.index import Index
from tree.retrieve.leaf_entry import Given, LeafEntry, leaf_entry
from tree.store.forms import LeafContents, contents_of
from tree.store.leaves import FILE, Entity, Fact, Leaf

PARTS = "\n\n".join(f"## Part {number}\n\n" + f"We decided on 3 May 2026 to replace pump {number}.\n\n" * 60 for number in "AB")


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def write_some(docs: Following) -> None:
    """Enough for children to be started, with a document of several leaves, and two that are the same."""
    for name in ("one", "two"):
        docs.write(f"{name}/twin.md", "# Twin\n\nOwner: Dee Ash\n\nWe decided on 5 May 2026 to keep it.\n")
    docs.write("pumps.md", f"# Pumps\n\nOwner: Maren Oduya\n\n{PARTS}")
    for number in range(60):
        docs.write(
            f"2026-05-{number % 28 + 1:02} area {number}/notes.md",
            f"# Minutes {number // 2}\n\nPresent: Ada Byron, Ben Marsh\n\n- Ben Marsh: order {number // 2} valves by 9 June\n\n"
            f"| Pump | Owner |\n|---|---|\n| P-{number} | Cy Noll |\n\n" + "The valve is checked every week.\n\n" * 90,
        )


def rows(index: Index) -> dict[str, list[str]]:
    """All that it holds but the numbers of entries and subjects, in place of which the places stand."""
    assert index.path is not None
    with closing(sqlite3.connect(index.path)) as connection:
        named = connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'named%' AND type = 'table'").fetchall()
        queries = {
            "words": "SELECT e.place, e.leaf, e.record, e.length, w.heading, w.body FROM words w JOIN entry e ON e.id = w.entry",
            "item": "SELECT e.place, i.* FROM item i JOIN entry e ON e.id = i.entry",
            "content": "SELECT e.place, c.type FROM content c JOIN entry e ON e.id = c.entry",
            "heading": "SELECT e.place, h.name FROM heading h JOIN entry e ON e.id = h.entry",
            "fact": """SELECT e.place, s.kind, s.subject, s.title, s.category, substr(f.thing, 10), f.row, f.collection, f.name, f.relation,
                f.label, f.value, f.match, f.object, f.object_id, f.since, f.until, f.start, f.stop, f.is_cut
                FROM fact f JOIN entry e ON e.id = f.entry JOIN subject s ON s.id = f.subject AND s.entry = f.entry""",
            "part_of_table": "SELECT e.place, p.collection, p.key FROM part_of_table p JOIN entry e ON e.id = p.entry",
            **{table: f"SELECT * FROM {table}" for table in ("name", "folder", "term", *(name for (name,) in named))},
        }
        found = {name: connection.execute(query).fetchall() for name, query in queries.items()}
    found["item"] = [(place, *rest) for place, _, *rest in found["item"]]
    return {name: sorted(map(repr, some)) for name, some in found.items()}


def without_index(docs: Following) -> None:
    index = docs.workspace.index
    index.close()
    assert index.path is not None
    for file in index.path.parent.glob("search.db*"):
        file.unlink()


def test_what_children_worked_out_is_what_an_index_built_again_holds(docs: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    write_some(docs)
    made: list[str] = []

    def counted(leaf: LeafContents, record: SummaryRecord, place: str) -> LeafEntry:
        made.append(place)
        return leaf_entry(leaf, record, place)

    monkeypatch.setattr(index_entries, "leaf_entry", counted)
    docs.sync()
    assert len(made) <= 1  # all had been worked out where they were read, but for what is there twice
    ahead = rows(docs.workspace.index)
    without_index(docs)
    docs.workspace.index.catch_up()
    assert made and rows(docs.workspace.index) == ahead and len(ahead["item"]) > 60 and len(ahead["fact"]) > 120


class CarefulReader(ExtractiveReader):
    """Another reader than the one that reads ahead."""


def test_another_reader_gets_the_same_index(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    both = [Following(tmp_path), Following(tmp_path / "other", reader=CarefulReader())]
    found = []
    for docs in both:
        write_some(docs)
        docs.sync()
        held = rows(docs.workspace.index)
        tables = ("words", "item", "content", "heading", "name", "term", "named_word")  # others are called by their source
        found.append({table: sorted(row.replace(docs.source.id, "s") for row in held[table]) for table in tables})
        docs.workspace.close()
    assert found[0] == found[1]


@pytest.mark.parametrize("changed", [{"record": "0" * 32}, {"leaf": "0" * 32}, {"place": "s/another.md"}])
def test_what_was_worked_out_of_anything_else_is_not_used(docs: Following, changed: dict[str, str]) -> None:
    docs.write("a.md", "# A\n\nThe pump.\n")
    docs.sync()
    right = rows(docs.workspace.index)
    without_index(docs)
    [node] = [one for one in docs.workspace.store.nodes.of_source(docs.source.id) if one.leaf]
    assert node.leaf
    wrong = leaf_entry(LeafContents("The gate.", ["A"], (), ()), SummaryRecord(), node.place)
    given = Given(node.place, node.leaf, node.record)
    docs.workspace.index.catch_up(ahead={given._replace(**changed): wrong})
    assert rows(docs.workspace.index) == right
    without_index(docs)
    docs.workspace.index.catch_up(ahead={given: wrong})  # just what it would be used for
    assert rows(docs.workspace.index)["words"] != right["words"]


class KilledOnPoison:
    """Does what it is given to do, and ends its process by a signal where that was poison."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, task: Any) -> Any:
        made = self.function(task)
        if isinstance(self.function, TryEach) and any("poison" in one.leaf.text for one in task):
            os.kill(os.getpid(), signal.SIGKILL)
        return made


class KillingSandbox(Sandbox):
    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        yield from super().map(KilledOnPoison(function), tasks)


def test_a_child_that_is_killed_costs_its_leaf_the_summary_and_nothing_else(docs: Following) -> None:
    write_some(docs)
    docs.write("poison.md", "# Store\n\nThe poison is kept apart.\n\n" + "It is locked away at night.\n\n" * 100)
    sandbox = KillingSandbox(2, children().limits, at_once=1)
    with sandbox:
        docs.sync(children=sandbox)
    assert docs.workspace.store.documents.ids(docs.source.id) >= {"poison.md", "pumps.md"}
    ahead = rows(docs.workspace.index)
    assert any("poison" in row for row in ahead["words"])
    without_index(docs)
    docs.workspace.index.catch_up()
    assert rows(docs.workspace.index) == ahead


def test_a_leaf_is_noted_before_it_is_stored_as_it_is_afterwards(docs: Following) -> None:
    docs.write("a.md", "# A\n\nOwner: Maren Oduya\n\nThe pump.\n")
    docs.sync()
    store = docs.workspace.store
    [key] = [one.leaf for one in store.nodes.of_source(docs.source.id) if one.leaf]
    [leaf] = store.leaves.by_key([key]).values()
    assert contents_of(leaf) == store.leaves.contents([key])[key]
    row = Fact(Entity("row", "P-1", "P-1"), "owner", "Cy", 0, 3, table="t\nu", row=1)
    own = Fact(Entity(FILE, "A", "A"), "owner", "Cy", 0, 3, group=FILE)
    broken = Leaf("a", "A", "lone \ud800 surrogate", heading=("A",), facts=(row, own))
    assert contents_of(broken).text == r"lone \ud800 surrogate" and [one.table for one in contents_of(broken).facts] == ["", ""]


class Repeating:
    """A connector that names one document twice in a batch, in two editions, as a ticket that changes while pages of them are fetched;
    or one that is gone as well."""

    def __init__(self, documents: list[Document], gone: tuple[str, ...] = ()) -> None:
        self.documents, self.gone = documents, gone

    def fetch(self, checkpoint: Mapping[str, str], hints: object = None) -> Iterator[Batch]:
        yield Batch(tuple(self.documents), gone=self.gone)

    def census(self) -> Iterator[str]:
        return iter({document.id for document in self.documents} - {*self.gone})

    def close(self) -> None:
        pass


def test_a_document_that_a_batch_names_twice_is_its_last_edition(docs: Following) -> None:
    write_some(docs)
    read = [one for batch in open_folder(str(docs.folder)).fetch({}) for one in batch.documents]
    docs.write("pumps.md", "# Pumps\n\nAll were sold on 5 May 2026.\n")
    [short] = [one for batch in open_folder(str(docs.folder)).fetch({}) for one in batch.documents if one.id == "pumps.md"]
    docs.sync(connector=Repeating([*read, short]))
    built = rows(docs.workspace.index)
    assert docs.holds() and "All were sold" in docs.everything_live() and "replace pump" not in docs.everything_live()
    without_index(docs)
    docs.workspace.index.catch_up()
    assert rows(docs.workspace.index) == built
    docs.sync(connector=Repeating(read, gone=("pumps.md",)))
    assert docs.holds() and "pumps.md" not in docs.titles() and "sold" not in docs.everything_live()


def test_what_is_gone_in_the_same_step_is_read_anew_should_it_be_there(docs: Following) -> None:
    docs.write("a.md", "# A\n\nOne.\n")
    [document] = [one for batch in open_folder(str(docs.folder)).fetch({}) for one in batch.documents]
    settled = Batch((document,), gone=("a.md",), checkpoint={"a.md": "stamp", "b.md": "stamp"}).settled()
    assert settled.documents == () and settled.checkpoint == {"a.md": None, "b.md": "stamp"}
