"""The tree page: what it shows of a node, where it leads, and what it says when a place is gone."""

from __future__ import annotations

import pytest

from prompts.extractive.markdown import as_words
from tests.reading import read
from tests.ui.opened import add_folder, leaf, leaves, open_tools, page, words
from tree.browse.nodes import find_node
from ui.explorer import page as tree_page
from ui.explorer import view as tree_view
from ui.server import tools

GUIDE = """# Restoring the booking store

Before you begin, stop the writer.

## Steps

1. Stop the writer with `stop-writer`.
2. Copy the newest backup.
3. Start the writer again.

## Decision

We decided on 3 May 2026 to keep two copies of every booking. See [the queue](queue.md).
"""
FILES = {
    "ops/restore.md": GUIDE,
    "ops/queue.md": "# Queue is stuck\n\nOwner: Iris Vale\n\nRestart the consumer. You must tell the harbour office.\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A data folder that the tests of this file only read."""
    root = tmp_path_factory.mktemp("read")
    with pytest.MonkeyPatch.context() as patch:
        add_folder(open_tools(patch, root / "home"), root / "docs", FILES)
    yield root / "home"
    tools.close()


@pytest.fixture
def opened(monkeypatch, home):
    return open_tools(monkeypatch, home)


@pytest.fixture
def source(opened):
    return opened.sources.named("Docs")


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    yield open_tools(monkeypatch, tmp_path / "home")
    tools.close()


# ---------------------------------------------------------------- the page


def test_an_empty_tree_says_what_to_do(fresh):
    app = page("tree").run()
    assert not app.exception
    assert "There is no tree yet" in words(app)
    assert [button.label for button in app.button] == ["Open Sources"]


def test_a_tree_whose_first_documents_are_being_read_says_so(fresh, tmp_path):
    added = fresh.sources.add("folder", "Docs", {"path": str(tmp_path)})
    fresh.sources.started(added.id)
    fresh.sources.progressed(added.id, 3, 12)
    app = page("tree").run()
    assert "The first documents are being read" in words(app)


def test_a_place_in_the_address_is_opened(opened, source):
    app = page("tree", at=leaf(opened, source, "Queue is stuck").place).run()
    assert not app.exception
    assert not app.warning
    assert [link.proto.label for link in app.get("page_link")] == ["Ask about it"]


def test_a_place_that_is_gone_leads_to_the_nearest_above(opened, source):
    app = page("tree", at=f"{source.id}/ops/gone.md#steps/one").run()
    assert "no longer in the tree" in app.warning[0].value
    assert [link.proto.label for link in app.get("page_link")] == ["Ask about it", "Changes"]


@pytest.mark.parametrize("place", ["zzz/", "../../etc/passwd", "<script>alert(1)</script>", "x" * 20_000, "|||", "#", "/"])
def test_a_crafted_place_is_answered_with_a_clear_message(opened, source, place):
    app = page("tree", at=place).run()
    assert not app.exception
    assert "leads to no place" in app.warning[0].value
    assert "<script>" not in words(app)


@pytest.mark.parametrize(
    ("text", "segment"),
    [("3-9", (3, 9)), ("", None), ("9-3", None), ("a-b", None), ("-1-4", None), ("1-99999999", None), ("٣-٩", None)],
)
def test_a_mark_in_the_address_is_two_numbers_or_nothing(text, segment):
    assert tree_page.read_mark(text) == segment


# ---------------------------------------------------------------- what is known of a node


def test_every_quote_of_a_branch_leads_to_the_words_in_a_leaf(opened, source):
    root = find_node(opened.workspace, opened.principal, f"{source.id}/")
    view = tree_view.record_view(opened.workspace, root)
    quotes = [part for part in view["summary"] if "place" in part] + [quote for made in view["lists"] for quote in made["quotes"]]
    assert quotes
    for quote in quotes:
        node = find_node(opened.workspace, opened.principal, quote["place"])
        text = opened.workspace.store.leaves.by_key([node.leaf])[node.leaf].text
        assert as_words(text[quote["start"] : quote["end"]]).startswith(" ".join(quote["text"].rstrip("…").split())[:40])


def test_a_leaf_shows_all_of_its_text_with_its_units(opened, source):
    for node in leaves(opened, source):
        view = tree_view.record_view(opened.workspace, node)
        text = opened.workspace.store.leaves.by_key([node.leaf])[node.leaf].text
        shown = "".join(segment for part in view["text"]["parts"] for segment, _ in part["text"])
        assert "".join(shown.split()) == "".join(text.split())
    labels = {part.get("label") for node in leaves(opened, source)
              for part in tree_view.record_view(opened.workspace, node)["text"]["parts"]}  # fmt: skip
    assert {"Step 1", "Step 2", "Step 3"} <= labels


def test_a_marked_segment_is_pointed_out(opened, source):
    node = leaf(opened, source, "Queue is stuck")
    text = opened.workspace.store.leaves.by_key([node.leaf])[node.leaf].text
    start = text.index("consumer")
    view = tree_view.record_view(opened.workspace, node, (start, start + 8))
    assert [words for part in view["text"]["parts"] for words, marked in part["text"] if marked] == ["consumer"]


def test_a_mark_beyond_the_text_marks_nothing(opened, source):
    view = tree_view.record_view(opened.workspace, leaf(opened, source, "Queue is stuck"), (90_000, 90_010))
    assert not any(marked for part in view["text"]["parts"] for _, marked in part["text"])


def test_a_mentioned_file_leads_to_its_place(opened, source):
    links = [link for node in leaves(opened, source)
             for part in tree_view.record_view(opened.workspace, node)["text"]["parts"] for link in part.get("links", [])]  # fmt: skip
    assert f"{source.id}/ops/queue.md" in {link.get("place") for link in links}


def test_the_original_is_named_by_an_address_that_holds_no_markup(fresh, tmp_path):
    source = add_folder(
        fresh, tmp_path / "odd", {"a b/50% [x](y) #1?.md": "# Odd\n\nAn odd name for a page about harbours.\n"}, "Odd"
    )
    view = tree_view.record_view(fresh.workspace, leaf(fresh, source, "Odd"))
    assert view["document"]["original"] == f"/files/{source.id}/a%20b/50%25%20%5Bx%5D%28y%29%20%231%3F.md"


def test_only_web_addresses_become_links(fresh, tmp_path):
    text = "# Links\n\nSee [one](javascript:alert(1)) and [two](https://example.org/x) and [three](data:text/html,x).\n"
    source = add_folder(fresh, tmp_path / "links", {"links.md": text}, "Links")
    view = tree_view.record_view(fresh.workspace, leaf(fresh, source, "Links"))
    hrefs = [link["href"] for part in view["text"]["parts"] for link in part.get("links", []) if "href" in link]
    assert hrefs == ["https://example.org/x"]


def test_a_folder_with_one_thing_in_it_is_that_thing(fresh, tmp_path):
    source = add_folder(
        fresh, tmp_path / "deep", {"only/one.md": "# One\n\nThe only page.\n", "two.md": "# Two\n\nAnother page.\n"}, "Deep"
    )
    node = find_node(fresh.workspace, fresh.principal, f"{source.id}/only/")
    assert node.title == "One"
    titles = [row["title"] for row in tree_view.levels(fresh.workspace, fresh.principal, [f"{source.id}/"])[f"{source.id}/"]]
    assert titles == ["only / One", "Two"] or sorted(titles) == ["Two", "only / One"]


def test_a_node_says_as_of_when_it_is_and_what_speaks_against_it(fresh, tmp_path):
    source = add_folder(fresh, tmp_path / "docs", FILES)
    node = find_node(fresh.workspace, fresh.principal, f"{source.id}/")
    view = tree_view.record_view(fresh.workspace, node)
    assert view["as_of"] == fresh.sources.get(source.id).synced_at and view["note"] == ""
    fresh.sources.ended(source.id, "lost", "Connect its drive.")
    assert "Connect its drive." in tree_view.record_view(fresh.workspace, node)["note"]
    fresh.sources.pause(source.id, True)
    assert "Paused" in tree_view.record_view(fresh.workspace, node)["note"]


def test_a_document_that_cannot_be_read_now_is_shown_as_it_was_read_and_marked(fresh, tmp_path):
    source = add_folder(fresh, tmp_path / "docs", FILES)
    name = sorted(FILES)[0]
    (tmp_path / "docs" / name).write_bytes(b"\0\1\2\xff" * 500)
    read(fresh.workspace, fresh.sources, fresh.sources.get(source.id))
    node = next(node for node in leaves(fresh, source) if node.document_id == name)
    view = tree_view.record_view(fresh.workspace, node, stale=tree_page._stale(fresh, node))
    assert "Kept as it was read" in view["stale"] and view["text"]["parts"]


def test_a_passage_shows_what_its_document_says_of_itself(opened, source):
    view = tree_view.record_view(opened.workspace, find_node(opened.workspace, opened.principal, f"{source.id}/ops/queue.md"))
    assert view["text"]["properties"] == [{"name": "Owner", "value": "Iris Vale"}]
