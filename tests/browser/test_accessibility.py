"""axe-core finds nothing serious on any page, in both themes: names, roles, contrast."""

from __future__ import annotations

import pytest

from tests.browser.conftest import App, ask, settled
from tree.accounts.accounts import open_accounts
from tree.workspace import workspace

expect = pytest.importorskip("playwright.sync_api").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
PATHS = ("/", "/tree", "/activity", "/following", "/sources", "/settings", "/admin", "/help", "/account")
PAGE = "[data-testid=stApp], body:not(:has([data-testid=stApp]))"  # Streamlit's, or one of those before signing in
BACKGROUND = "element => getComputedStyle(element).backgroundColor"
SERIOUS = ("serious", "critical")


def findings(page, within: str, **options) -> list[str]:
    """What axe calls serious or worse, in words."""
    if not page.evaluate("'axe' in window"):  # once for a page: it is half a megabyte
        page.evaluate(Axe().axe_script)
    run = "([within, options]) => axe.run(within, options).then((said) => said.violations)"
    return [
        f"{rule['id']}: {node['html'][:120]} {node.get('failureSummary', '')}"
        for rule in page.evaluate(run, [within, {"resultTypes": ["violations"], **options}])
        for node in rule["nodes"]
        if rule["impact"] in SERIOUS
    ]


def in_both_themes(page, within: str = "html") -> list[str]:
    """Of a part of the page; in the dark only the colours differ."""
    found = findings(page, within)
    light = page.locator(PAGE).evaluate(BACKGROUND)
    page.emulate_media(color_scheme="dark")
    expect(page.locator(PAGE)).not_to_have_css("background-color", light)
    found += [f"dark: {said}" for said in findings(page, within, runOnly=["color-contrast"])]
    page.emulate_media(color_scheme="light")
    expect(page.locator(PAGE)).to_have_css("background-color", light)
    return found


def test_no_page_has_a_serious_finding(app: App, open_page) -> None:
    page = open_page(app)
    found: dict[str, list[str]] = {}
    for path in PATHS:
        page.goto(app.url + path)
        settled(page)
        expect(page.locator(".status .item").first).to_be_visible()
        found[path] = in_both_themes(page)
    assert {path: said for path, said in found.items() if said} == {}


def test_an_answer_with_its_trail_and_an_opened_source_has_none(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, "How do I restore the orders database?")
    expect(page.locator(".verdict")).to_be_visible()
    settled(page)
    page.locator(".trail > summary").click()
    page.locator(".options > summary").first.click()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert in_both_themes(page) == [], width
        page.locator(".text .cite").first.click()
        expect(page.locator(".passage mark").first).to_be_visible()
        settled(page)
        assert in_both_themes(page) == [], width
        page.keyboard.press("Escape")
        expect(page.locator(".passage")).to_have_count(0)


def test_what_is_seen_before_signing_in_has_none(app: App, open_page) -> None:
    with workspace(app.home) as opened:
        invitation = open_accounts(opened.database).links.for_invitation("ben@example.org")
    page = open_page(app, "/sign-in", token="")
    found: dict[str, list[str]] = {}
    for path in ("/sign-in", f"/link/{invitation}", "/link/gone"):
        page.goto(app.url + path)
        found[path] = in_both_themes(page)
    assert {path: said for path, said in found.items() if said} == {}


def test_no_dialog_has_one(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, "Who is on call?")
    expect(page.locator(".verdict")).to_be_visible()
    settled(page)
    found = {}
    for item in ("Rename", "Share", "Export", "Delete"):
        page.get_by_role("button", name="This chat").click()
        page.get_by_text(item, exact=True).click()
        found[item] = _of_dialog(page)
    for clicked in ("edit", "down"):
        page.locator(f"[data-act={clicked}]").last.click()
        found[clicked] = _of_dialog(page)
    page.goto(f"{app.url}/sources")
    settled(page)
    for button in ("Settings", "Remove"):
        page.get_by_role("button", name=button).first.click()
        found[button] = _of_dialog(page)
    assert {name: said for name, said in found.items() if said} == {}


def _of_dialog(page) -> list[str]:
    """The findings while a dialog is open, which is then closed."""
    expect(page.get_by_role("dialog")).to_be_visible()
    settled(page)
    found = in_both_themes(page, "[role=dialog]")
    page.get_by_role("dialog").get_by_label("Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    return found
