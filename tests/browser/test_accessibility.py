"""axe-core finds nothing serious on any page, in both themes: names, roles, contrast."""

from __future__ import annotations

import pytest

from tests.browser.conftest import App, ask, settled

expect = pytest.importorskip("playwright.sync_api").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
PATHS = ("/", "/tree", "/activity", "/following", "/sources", "/settings", "/admin", "/help", "/account")
BACKGROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
SERIOUS = ("serious", "critical")


def findings(page) -> list[str]:
    """What axe calls serious or worse, in words."""
    return [
        f"{rule['id']}: {node['html'][:120]} {node.get('failureSummary', '')}"
        for rule in Axe().run(page).response["violations"]
        for node in rule["nodes"]
        if rule["impact"] in SERIOUS
    ]


def in_both_themes(page) -> list[str]:
    found = findings(page)
    light = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{BACKGROUND} !== {light!r}")
    found += [f"dark: {said}" for said in findings(page)]
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"{BACKGROUND} === {light!r}")
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


@pytest.mark.parametrize("width", [390, 1280])
def test_an_answer_with_its_trail_and_an_opened_source_has_none(app: App, open_page, width: int) -> None:
    page = open_page(app, width=width)
    ask(page, "How do I restore the orders database?")
    expect(page.locator(".verdict")).to_be_visible()
    settled(page)
    page.locator(".trail > summary").click()
    page.locator(".options > summary").first.click()
    assert in_both_themes(page) == []
    page.locator(".text .cite").first.click()
    expect(page.locator(".passage mark").first).to_be_visible()
    settled(page)
    assert in_both_themes(page) == []
