"""The Tree page left open while what it shows changes: requests that fail or come late, sources that go while nobody looks."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from ingestion.sources import Sources
from ingestion.sync import sync
from tree.workspace import workspace

DOCUMENTS = {
    "a/one.md": "# One\n\nThe first lamp is red.\n",
    "a/two.md": "# Two\n\nThe second lamp is blue.\n",
    "b/three.md": "# Three\n\nThe third lamp is green.\n",
    "b/four.md": "# Four\n\nThe fourth lamp is black.\n",
}
HIDE = "Object.defineProperty(document, 'hidden', {get: () => true, configurable: true}); Object.defineProperty(document, 'visibilityState', {get: () => 'hidden', configurable: true})"
SHOW = "delete document.hidden; delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def own(start_own_app):
    return start_own_app(documents=DOCUMENTS)


def row(page, title: str):
    return page.get_by_role("treeitem", name=re.compile(f"^{re.escape(title)}"))


def opened_tree(app, open_page, **more):
    page = open_page(app, "/tree", **more)
    row(page, "Team").wait_for()
    if row(page, "Team").get_attribute("aria-expanded") != "true":
        row(page, "Team").locator(".twist").click()
    for folder in ("a", "b"):
        row(page, f"{folder},").locator(".twist").click()
    expect(row(page, "Three")).to_be_visible()
    expect(row(page, "One")).to_be_visible()
    return page


def test_one_failed_request_while_it_refreshes(own, open_page) -> None:
    """The branches are asked for again with the next look."""
    page = opened_tree(own, open_page, is_refused=True, alone=True)
    failed = []
    page.route(re.compile(r"/api/tree\?"), lambda route: (failed.append(1), route.abort()))
    (own.folder / "b/three.md").unlink()
    page.wait_for_timeout(500)
    until = time.time() + 20
    while not failed and time.time() < until:
        page.wait_for_timeout(200)
    assert failed, "nothing was asked for that could fail"
    page.unroute(re.compile(r"/api/tree\?"))
    expect(row(page, "Three")).to_have_count(0, timeout=30_000)


def test_an_answer_that_comes_late(own, open_page) -> None:
    """Of two refreshes the first is answered last, with what is there no more."""
    page = opened_tree(own, open_page, alone=True)
    held = []

    def hold_first(route):
        if not held:
            held.append(route.fetch())  # answered by the server now, told to the page later
            held.append(route)
        else:
            route.continue_()

    page.route(re.compile(r"/api/tree\?"), hold_first)
    (own.folder / "b/five.md").write_text("# Five\n\nThe fifth lamp is white.\n")
    until = time.time() + 20
    while len(held) < 2 and time.time() < until:
        page.wait_for_timeout(200)
    assert len(held) == 2, "nothing was asked for that could come late"
    (own.folder / "b/three.md").unlink()
    expect(row(page, "Three")).to_have_count(0, timeout=20_000)
    held[1].fulfill(response=held[0])
    page.wait_for_timeout(1_500)  # it is there by then
    expect(row(page, "Three")).to_have_count(0, timeout=1_000)


@pytest.mark.parametrize("how", ["removed", "withdrawn"])
def test_another_source_in_its_place(own, open_page, tmp_path, how) -> None:
    """The version of the tree is the sum of the versions of its sources: one goes, another one has one more, and it is the same."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "pay.md").write_text("# Salaries\n\nThe salary of the mayor is 9 crowns.\n")
    with workspace(own.home) as opened:
        sources = Sources(opened.database)
        other = sources.add("folder", "Payroll", {"path": str(secret)})
        sync(opened, sources, other)
    page = opened_tree(own, open_page, alone=True)
    row(page, "Payroll").locator(".twist").click()
    expect(row(page, "Salaries")).to_be_visible()
    page.evaluate(HIDE)
    before = page.evaluate("fetch('api/tree/version').then(r => r.json())")
    with workspace(own.home) as opened:
        sources = Sources(opened.database)
        if how == "removed":
            sources.mark_removing(other.id)
        else:
            sources.set_audience(other.id, ["nobody"])
    (own.folder / "a/two.md").write_text("# Two\n\nThe second lamp is yellow.\n")
    until = time.time() + 25
    while time.time() < until:
        now = page.evaluate("fetch('api/tree/version').then(r => r.json())")
        names = page.evaluate("fetch('api/tree').then(r => r.json()).then(r => r.levels[''].map(x => x.title))")
        if names == ["Team"] and now["version"] >= before["version"]:
            break
        page.wait_for_timeout(300)
    assert names == ["Team"] and now["version"] >= before["version"]
    page.evaluate(SHOW)
    expect(row(page, "Payroll")).to_have_count(0, timeout=30_000)
