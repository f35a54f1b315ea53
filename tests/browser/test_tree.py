"""The explorer in a real browser: mouse, keyboard, search, links, and a tree that changes while somebody looks."""

from __future__ import annotations

import itertools
import re
import time
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tree.workspace import open_workspace, workspace

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)  # milliseconds: a busy machine is slow
EVIL = "<img src=x onerror=window.hacked=1>.md"
FILES = {
    "ops/restore.md": "# Restore the store\n\n## Steps\n\n1. Stop the writer.\n2. Copy the newest backup.\n\n## Decision\n\nWe decided on 3 May 2026 to keep two copies.\n",
    "ops/queue.md": "# Queue is stuck\n\nRestart the consumer. You must tell the harbour office.\n",
    EVIL: "# <b>Evil</b> [x](javascript:window.hacked=2)\n\nIt says <script>window.hacked=3</script> and ![i](http://outside.example/x.png).\n",
    "plans/long.md": "# Long plan\n"
    + "".join(f"\n## Part {n}\n\n{'The lighthouse is painted anew. ' * 120}\n" for n in range(3)),
    **{
        f"wiki/area {n // 10}/page {n:02d}.md": f"# Page {n:02d}\n\nThis page is about the lantern number {n}.\n"
        for n in range(40)
    },
}


@pytest.fixture(scope="module")
def served(start_app):
    return start_app(documents=FILES)


@pytest.fixture(scope="module")
def source_id(served):
    opened = open_workspace(served.home)
    found = opened.store.sources.askable()[0].id
    opened.close()
    return found


@pytest.fixture
def show(served, open_page):
    """Opens the tree at a place, in a window of its own."""

    def shown(place: str = "", more: str = "", **window) -> Page:
        page = open_page(served, "/tree" + (f"?at={quote(place, safe='')}{more}" if place else ""), **window)
        page.wait_for_selector(".row")
        return page

    return shown


def row(page: Page, title: str):
    return page.get_by_role("treeitem", name=re.compile(f"^{re.escape(title)}"))


def heading(page: Page):
    return page.locator(".record h2")


def test_branches_open_where_they_are_clicked_and_the_address_follows(show, source_id):
    page = show()
    row(page, "Team").click()
    row(page, "ops").click()
    expect(row(page, "Queue is stuck")).to_be_visible()
    row(page, "Queue is stuck").click()
    expect(heading(page)).to_have_text("Queue is stuck")
    expect(page).to_have_url(re.compile("queue"))
    expect(page.get_by_role("link", name="Original")).to_have_attribute("href", f"/files/{source_id}/ops/queue.md")
    page.go_back()
    expect(heading(page)).to_have_text("ops")
    expect(row(page, "ops")).to_have_attribute("aria-selected", "true")


def test_a_link_opens_the_way_to_its_place_and_points_out_the_words(show, source_id):
    page = show(f"{source_id}/ops/queue.md", "&mark=0-20")
    expect(row(page, "Queue is stuck")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".record mark")).to_have_text("Restart the consumer")


def test_the_keyboard_alone_is_enough(show):
    page = show()
    row(page, "Team").focus()
    page.keyboard.press("ArrowRight")
    expect(row(page, "wiki")).to_be_visible()
    page.keyboard.press("w")
    expect(row(page, "wiki")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(row(page, "area 0")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(row(page, "area 0")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    expect(row(page, "Team")).to_be_focused()
    page.keyboard.press("w")
    page.keyboard.press("ArrowLeft")
    expect(row(page, "wiki")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("wiki")
    expect(row(page, "wiki")).to_be_focused()


def test_search_finds_while_typing_and_leads_to_the_node(show):
    page = show()
    field = page.get_by_role("searchbox")
    field.press_sequentially("lantern number 17")
    found = page.locator(".result", has_text="Page 17").first
    expect(found.locator("mark").first).to_be_visible()
    field.press("ArrowDown")
    expect(page.locator(".result").first).to_be_focused()
    found.click()
    expect(heading(page)).to_have_text("Page 17")
    expect(row(page, "Page 17")).to_have_attribute("aria-selected", "true")
    field.fill("zzzz")
    expect(page.get_by_text("Nothing in the tree is called")).to_be_visible()
    field.press("Escape")
    expect(page.locator(".found")).to_be_hidden()


def test_a_quote_of_a_branch_leads_to_the_words_it_was_taken_from(show, source_id):
    page = show(f"{source_id}/ops/")
    page.locator(".quotes li", has_text="tell the harbour office").get_by_role("link").click()
    expect(page.locator(".record mark")).to_contain_text("You must tell the harbour office")


def test_names_and_texts_are_only_words(show, source_id):
    page = show(f"{source_id}/{EVIL}")
    expect(heading(page)).to_contain_text("Evil")
    expect(page.locator(".record .body").first).to_contain_text("<script>window.hacked=3</script>")
    page.get_by_role("searchbox").fill("evil")
    expect(page.locator(".result").first).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator(".record img, .tree img, .found img").count() == 0


def test_a_place_that_is_gone_says_so(show, source_id):
    page = show(f"{source_id}/ops/gone.md")
    expect(page.get_by_text("no longer in the tree")).to_be_visible()
    expect(heading(page)).to_have_text("ops")
    page = show("../../etc/passwd")
    expect(page.get_by_text("leads to no place")).to_be_visible()


def test_a_new_file_appears_while_somebody_looks(show, served, source_id):
    page = show(f"{source_id}/ops/")
    expect(row(page, "Queue is stuck")).to_be_visible()
    (served.folder / "ops/anchor.md").write_text(f"# Anchor watch\n\nWritten at {time.time()}.\n", encoding="utf-8")
    expect(row(page, "Anchor watch")).to_be_visible()
    expect(row(page, "Queue is stuck")).to_be_visible()


def test_asking_about_a_branch_takes_it_to_the_chat(show, source_id):
    page = show(f"{source_id}/ops/")
    page.get_by_role("link", name="Ask about it").click()
    expect(page).to_have_url(re.compile(rf"/(chat)?\?at={source_id}%2Fops%2F$"))
    page.go_back()
    expect(page).to_have_url(re.compile(r"/tree\?"))


def test_open_branches_stay_open_over_a_visit_elsewhere(show):
    page = show()
    row(page, "Team").locator(".twist").click()
    row(page, "wiki").locator(".twist").click()
    expect(row(page, "area 0")).to_be_visible()
    page.get_by_role("link", name="Sources").click()
    expect(page.get_by_role("heading", name="Sources", level=1)).to_be_visible()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Tree").click()
    expect(row(page, "area 0")).to_be_visible()


def test_nothing_overflows_a_telephone(show, source_id):
    page = show(f"{source_id}/ops/restore.md", width=390, height=800, dark=True)
    expect(heading(page)).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("place", ["/wiki/", "/plans/long.md"])
def test_what_can_be_done_with_a_place_stands_in_one_row(show, source_id, place, width):
    page = show(f"{source_id}{place}", width=width)
    expect(heading(page)).to_be_visible()
    page.get_by_role("button", name="Follow").click()  # the longer word
    expect(page.get_by_role("button", name="Following")).to_be_visible()
    actions = page.locator(".st-key-place-actions").locator(":is(a, button):visible")
    assert actions.count() == (4 if place.endswith(".md") else 3)
    boxes = [one.bounding_box() for one in actions.all()]
    assert max(box["y"] for box in boxes) - min(box["y"] for box in boxes) < min(box["height"] for box in boxes)
    assert all(before["x"] + before["width"] <= after["x"] for before, after in itertools.pairwise(boxes))
    page.get_by_role("button", name="Following").click()
    expect(page.get_by_role("button", name="Following")).to_have_count(0)


def test_a_place_shows_no_fingerprint(show, source_id, served):
    page = show(f"{source_id}/ops/restore.md")
    expect(page.locator(".record .facts")).to_contain_text("as of")
    with workspace(served.home) as opened:
        hash_ = opened.store.nodes.get(f"{source_id}/ops/restore.md").hash
    expect(page.locator(".record")).not_to_contain_text(hash_[:8])


def test_a_branch_that_cannot_be_fetched_can_be_tried_again(show):
    page = show(is_refused=True)
    page.route("**/api/tree?**", lambda route: route.abort())
    row(page, "Team").locator(".twist").click()
    expect(page.get_by_text("The app cannot be reached")).to_be_visible()
    page.unroute("**/api/tree?**")
    page.get_by_role("button", name="Try again").click()
    expect(row(page, "ops")).to_be_visible()


def test_the_tree_is_narrowed_to_what_has_decisions_and_widened_again(show, source_id):
    page = show()
    chip = page.get_by_role("button", name=re.compile("^Decisions"))
    expect(chip).to_have_text("Decisions 1")
    chip.click()
    expect(page.locator(".narrowed")).to_have_text("1 passage with decisions")
    expect(page.locator(".row .quote")).to_contain_text("We decided on 3 May 2026 to keep two copies.")
    expect(row(page, "wiki")).to_have_count(0)
    page.locator(".row", has=page.locator(".quote")).click()
    expect(heading(page)).to_have_text("Restore the store")
    expect(row(page, "wiki")).to_have_count(0)
    words = page.get_by_label("Words that they have")
    words.fill("harbour")
    expect(page.locator(".narrowed")).to_have_text("No passage has decisions that say “harbour”.")
    words.fill("copies")
    expect(page.locator(".narrowed")).to_have_text("1 passage with decisions that say “copies”")
    page.get_by_role("button", name="Show everything").click()
    expect(row(page, "wiki")).to_be_visible()
    expect(page.locator(".narrowed")).to_be_hidden()
    expect(chip).to_be_focused()


def test_a_kind_of_content_narrows_the_tree_and_a_new_decision_appears_in_it(show, served, source_id):
    page = show()
    kinds = page.get_by_label("Kind of content")
    expect(kinds.locator("option").first).to_have_text("Any kind of content")
    page.get_by_role("button", name=re.compile("^Decisions")).click()
    expect(page.locator(".row .quote")).to_have_count(1)
    (served.folder / "ops/rota.md").write_text("# Rota\n\nWe decided to ring twice.\n", "utf-8")
    expect(page.locator(".row .quote", has_text="ring twice")).to_be_visible()
    (served.folder / "ops/rota.md").unlink()
    expect(page.locator(".row .quote", has_text="ring twice")).to_have_count(0)


def test_a_narrowed_tree_fits_a_telephone(show):
    page = show(width=390, height=800, dark=True)
    page.get_by_role("button", name=re.compile("^Decisions")).click()
    expect(page.locator(".row .quote")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
