"""The tree is a function of its documents: whatever the order of the changes, it equals the one made from nothing."""

from __future__ import annotations

import time

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.databases import LEFT_OUT, SERVER, new_database
from tests.tree.fakes import CountingReader, document
from tree.build.builder import build, rebuild
from tree.build.records import Records, read_ahead
from tree.store.errors import StaleBase
from tree.store.forgetting import forget_before
from tree.store.leaves import Container, Leaf, LeafDocument
from tree.store.models import Source, table_of
from tree.store.publishing import publish
from tree.store.shape import FANOUT, LEAST, runs, segments, weight
from tree.store.store import Store
from tree.workspace import open_database


class Tree:
    """A live tree kept beside the plain set of documents it should be made of."""

    def __init__(self, home, url: str | None = None) -> None:
        self.database = open_database(home, url)
        self.store = Store(self.database)
        self.reader = CountingReader()
        self.documents: dict[str, LeafDocument] = {}
        with self.database.write() as connection:
            connection.execute(sa.insert(table_of(Source)).values(id="s", name="S", kind="folder", config={}, created_at=0))

    @property
    def base(self) -> int:
        return self.store.versions.newest()

    def apply(self, *documents: LeafDocument, gone: tuple[str, ...] = ()):
        change, asked = build(self.store, "s", "S", self.base, self.reader, documents, gone)
        publish(self.database, change)
        self.documents.update((document.id, document) for document in documents)
        for document_id in gone:
            self.documents.pop(document_id, None)
        return change, asked

    def live(self):
        return {node.place: node for node in self.store.nodes.of_source("s")}

    def from_nothing(self):
        return rebuild("s", "S", sorted(self.documents.values(), key=lambda d: d.id), Records(CountingReader()))


@pytest.fixture
def tree(tmp_path, each_database):
    made = Tree(tmp_path)
    yield made
    made.database.close()


NAMES = st.integers(0, 40).map(lambda n: f"f{n}.md")
FOLDERS = st.sampled_from(["", "", "a/", "a/b/", "c/", "c/d/e/"])
TEXTS = st.lists(st.sampled_from(["w", "x: w", "x: v", "x/y: u", "z: t", "q"]), min_size=0, max_size=14)
PUT = st.tuples(st.just("put"), FOLDERS, NAMES, TEXTS)
DROP = st.tuples(st.just("drop"), st.integers(0, 1000), st.just(""), st.just([]))
MOVE = st.tuples(st.just("move"), FOLDERS, NAMES, st.integers(0, 1000))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.one_of(PUT, PUT, DROP, MOVE), min_size=1, max_size=25), min_size=1, max_size=8))
def test_the_incremental_tree_equals_the_rebuilt_one_node_for_node(tmp_path_factory, batches) -> None:
    _change_and_rebuild(Tree(tmp_path_factory.mktemp("home")), batches)


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.one_of(PUT, PUT, DROP, MOVE), min_size=1, max_size=25), min_size=1, max_size=8))
def test_on_postgresql_too_the_incremental_tree_equals_the_rebuilt_one(tmp_path_factory, batches) -> None:
    with new_database() as url:
        _change_and_rebuild(Tree(tmp_path_factory.mktemp("home"), url), batches)


def _change_and_rebuild(tree: Tree, batches) -> None:
    try:
        for batch in batches:
            put, gone = _planned(batch, tree.documents)
            tree.apply(*put.values(), gone=tuple(gone))
            assert tree.live() == tree.from_nothing()
    finally:
        tree.database.close()


def _planned(batch, documents):
    put: dict[str, LeafDocument] = {}
    gone: set[str] = set()
    known = dict(documents)
    for verb, first, name, last in batch:
        if verb == "put":
            made = document(f"{first}{name}", *last)
        elif not known:
            continue
        else:
            number = first if verb == "drop" else last
            old = sorted(known)[number % len(known)]
            texts = known.pop(old).fingerprint.split("|")
            put.pop(old, None)
            gone.add(old)
            if verb == "drop":
                continue
            made = document(f"{first}{name}", *texts)
        put[made.id] = known[made.id] = made
        gone.discard(made.id)
    return put, gone & set(documents)


@settings(max_examples=15, deadline=None)
@given(st.integers(11, 400), st.data())
def test_many_changes_in_one_large_folder(tmp_path_factory, size, data) -> None:
    tree = Tree(tmp_path_factory.mktemp("home"))
    try:
        tree.apply(*(document(f"{n}.md", f"text {n}") for n in range(0, size * 2, 2)))
        assert tree.live() == tree.from_nothing()
        for _ in range(3):
            inserted = data.draw(st.sets(st.integers(0, size * 2), max_size=30))
            deleted = data.draw(st.sets(st.sampled_from(sorted(tree.documents)), max_size=size)) - {f"{n}.md" for n in inserted}
            tree.apply(*(document(f"{n}.md", f"new {n}") for n in inserted), gone=tuple(deleted))
            assert tree.live() == tree.from_nothing()
    finally:
        tree.database.close()


def test_a_word_is_in_no_live_record_after_its_file_is_gone(tree) -> None:
    tree.apply(*(document(f"a/{n}.md", f"plain {n}", f"h: more {n}") for n in range(60)))
    tree.apply(document("a/31b.md", "the zanzibar word"))
    assert any("zanzibar" in r.summary for r in tree.store.records.by_hash(n.record for n in tree.live().values()).values())
    tree.apply(gone=("a/31b.md",))
    assert not any("zanzibar" in r.summary for r in tree.store.records.by_hash(n.record for n in tree.live().values()).values())
    forget_before(tree.database, time.time() + 1)
    with tree.database.read() as connection:
        for table in ("record", "leaf", "document", "node"):
            assert not [row for row in connection.exec_driver_sql(f"SELECT * FROM {table}") if "zanzibar" in str(row)]


def test_an_edit_asks_for_its_leaf_and_its_ancestors_only(tree) -> None:
    tree.apply(*(document(f"{n}.md", f"text {n}") for n in range(400)))
    root = tree.store.nodes.get("s/")
    _, asked = tree.apply(document("200.md", "changed"))
    assert asked == {"read": 1, "summarize": len(tree.store.nodes.path("s/200.md")) - 1}
    assert root.height <= 4


def test_a_touch_asks_nothing_and_publishes_nothing(tree) -> None:
    tree.apply(*(document(f"{n}.md", f"text {n}") for n in range(30)))
    before = tree.base
    change, asked = tree.apply(document("7.md", "text 7"))
    assert not change and asked == {} and tree.base == before


def test_a_file_that_returns_is_not_read_again(tree) -> None:
    tree.apply(*(document(f"{n}.md", f"text {n}") for n in range(30)))
    tree.apply(gone=("7.md",))
    _, asked = tree.apply(document("7.md", "text 7"))
    assert asked == {}


def test_a_publish_from_a_stale_base_is_refused(tree) -> None:
    tree.apply(document("1.md", "one"))
    first, _ = build(tree.store, "s", "S", tree.base, tree.reader, [document("2.md", "two")])
    second, _ = build(tree.store, "s", "S", tree.base, tree.reader, [document("3.md", "three")])
    publish(tree.database, first)
    with pytest.raises(StaleBase):
        publish(tree.database, second)


def test_a_pinned_version_keeps_what_it_saw(tree) -> None:
    tree.apply(*(document(f"a/{n}.md", f"text {n}") for n in range(25)))
    pinned = tree.store.versions.newest()
    before = {node.place: node for node in tree.store.nodes.of_source("s", pinned)}
    tree.apply(*(document(f"a/{n}.md", f"other {n}") for n in range(0, 25, 3)), gone=("a/1.md",))
    assert {node.place: node for node in tree.store.nodes.of_source("s", pinned)} == before


def test_a_folder_with_one_file_stands_for_that_file(tree) -> None:
    tree.apply(document("deep/er/one.md", "one"), document("two.md", "two"))
    assert [node.title for node in tree.store.nodes.children("s/")] == ["deep / er / one.md", "two.md"]
    assert [node.title for node in tree.store.nodes.path("s/deep/er/one.md")] == ["S", "one.md"]


@given(st.integers(11, 600), st.integers(0, 2**32))
def test_every_run_has_five_to_ten_children(size, seed) -> None:
    groups = list(runs(range(size), lambda item: weight(f"{seed} {item}")))
    assert [item for group in groups for item in group] == list(range(size))
    assert all(LEAST <= len(group) <= FANOUT for group in groups)


@given(st.integers(11, 600), st.integers(0, 2**32))
def test_segments_begin_at_the_same_children_from_either_side(size, seed) -> None:
    def heavy(item: int) -> bytes:
        return weight(f"{seed} {item}")

    onward = [segment[0] for segment in segments(range(size), heavy)][1:]
    back = [segment[0] for segment in segments(reversed(range(size)), heavy)][1:]
    assert onward == back[::-1]


# ---------------------------------------------------------------- containers that a document heads


def ticket(number: int, title: str, epic: int | None = None, heads: bool = False) -> LeafDocument:
    """A ticket in the container of its epic, which bears the title of the ticket that heads it."""
    steps = [step for step in (epic, number if heads else None) if step is not None]
    path = tuple(Container(str(step), f"Ticket {step}") for step in steps)
    leaf = Leaf("", title, f"About {title}.", (), (title,))
    return LeafDocument(str(number), title, path, (leaf,), f"{title} {epic} {heads}", heads=heads)


def titled(tree: Tree, place: str) -> str:
    return tree.live()[place].title


def test_a_container_bears_the_title_of_its_head_as_that_changes(tree) -> None:
    tree.apply(*(ticket(n, f"T{n}", epic=1) for n in range(2, 5)))
    assert titled(tree, "s/1/") == "Ticket 1"
    tree.apply(ticket(1, "Boarding", heads=True))
    assert titled(tree, "s/1/") == "Boarding"
    tree.apply(ticket(7, "T7", epic=1))
    assert titled(tree, "s/1/") == "Boarding"
    change, _ = tree.apply(ticket(1, "Boarding passes", heads=True))
    assert titled(tree, "s/1/") == "Boarding passes"
    assert set(change.documents) == {"1"}
    tree.apply(gone=("1",))
    assert titled(tree, "s/1/") == "Ticket 1"
    assert tree.live() == tree.from_nothing()


A_TICKET = st.tuples(st.integers(0, 12), st.sampled_from("abc"), st.sampled_from([None, 0, 1, 2]), st.booleans())


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.tuples(st.booleans(), A_TICKET), min_size=1, max_size=6), min_size=1, max_size=8))
def test_with_heads_too_the_incremental_tree_equals_the_rebuilt_one(tmp_path_factory, batches) -> None:
    tree = Tree(tmp_path_factory.mktemp("home"))
    try:
        for batch in batches:
            put: dict[str, LeafDocument] = {}
            gone: set[str] = set()
            for is_put, (number, title, epic, heads) in batch:
                put.pop(str(number), None)
                gone.discard(str(number))
                if not is_put:
                    gone.add(str(number))
                elif number < 3:  # an epic: it heads its own container, or does not
                    put[str(number)] = ticket(number, title, heads=heads)
                else:
                    put[str(number)] = ticket(number, title, epic, heads)
            tree.apply(*put.values(), gone=tuple(gone & tree.documents.keys()))
            assert tree.live() == tree.from_nothing()
    finally:
        tree.database.close()


def test_leaves_that_were_read_ahead_are_not_read_again_and_make_the_same_tree(tree) -> None:
    tree.apply(document("known.md", "one", "two"))
    added = [document("b/known.md", "one", "three"), document("other.md", "four")]
    asked: list[str] = []

    def read_all(leaves):
        asked.extend(leaf.text for leaf in leaves)
        return [tree.reader.read(leaf).record for leaf in leaves]

    def try_all(unread):
        assert [one.place for one in unread] == ["s/b/known.md#", "s/other.md"]
        return read_all([one.leaf.as_read(one.kind) for one in unread])

    ahead = read_ahead(tree.database, tree.reader, "s", added, try_all)
    assert asked == ["three", "four"]  # what was ever read, in whatever document, is not read ahead either
    change, decisions = build(tree.store, "s", "S", tree.base, tree.reader, added, (), read_all, ahead=ahead)
    assert asked == ["three", "four"] and decisions["read"] == 2
    publish(tree.database, change)
    tree.documents.update((one.id, one) for one in added)
    assert {place: node.hash for place, node in tree.live().items()} == {p: node.hash for p, node in tree.from_nothing().items()}
