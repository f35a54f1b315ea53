"""A Jira site in a real browser: from the form to a cited ticket, a change that arrives, the webhook's secret and its test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ingestion.sources import Sources
from jira_simulator import Site, running
from tests.browser.conftest import App, ask, settled
from tests.connectors.jira.world import TOKEN
from tests.ui.jira_site import EMAIL, SCANNER, config_of, harbour
from tree.workspace import workspace

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)  # milliseconds: a busy machine is slow


@pytest.fixture
def site() -> Site:
    made = harbour()
    made.clock.speed = 1
    return made


@pytest.fixture
def url(site: Site) -> Iterator[str]:
    with running(site) as address:
        yield address


@pytest.fixture(scope="module")
def served(start_app) -> App:
    return start_app(empty=True)


@pytest.fixture
def sources(served: App) -> Iterator[Sources]:
    """Those of the app; at the end of a test there are none, because the site is not there any more."""
    with workspace(served.home) as opened:
        made = Sources(opened.database)
        yield made
        for source in made.all():
            made.mark_removing(source.id)


@pytest.fixture
def tickets(sources: Sources, url: str) -> str:
    """A source that asks every second; its name."""
    return sources.add("jira", "Harbour tickets", config_of(url, poll_seconds=1), {"token": TOKEN}).name


def card(page: Page, name: str):
    return page.locator("[class*=st-key-source_]").filter(has=page.get_by_role("heading", name=name))


def test_from_the_form_by_keyboard_to_a_cited_ticket(served: App, sources: Sources, url: str, open_page) -> None:
    page = open_page(served, "/sources")
    page.get_by_role("tab", name="Jira").click()
    page.get_by_role("textbox", name="Address of Jira").focus()
    page.keyboard.type(url)
    for _ in range(10):  # over the kinds of token, with the links in their words, to the e-mail address
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == "E-mail address of the token's account":
            break
    page.keyboard.type(EMAIL)
    page.get_by_role("textbox", name="Token", exact=True).focus()
    page.keyboard.type(TOKEN)
    page.keyboard.press("Tab")  # the token is not lost on the way to the button
    page.get_by_role("button", name="Sign in", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("who can see 2 projects")).to_be_visible()
    page.get_by_role("combobox", name="Projects").focus()
    page.keyboard.type("gan")
    page.keyboard.press("Enter")
    expect(page.get_by_text("4 tickets in GANG Gangway.")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Name").last.focus()
    page.keyboard.type("Typed tickets")
    page.keyboard.press("Enter")
    settled(page)
    page.get_by_role("button", name="Add", exact=True).last.focus()
    page.keyboard.press("Enter")
    expect(card(page, "Typed tickets")).to_contain_text("Up to date")
    assert TOKEN not in page.content()
    page.get_by_role("link", name="Chat").click()
    ask(page, SCANNER)
    chip = page.locator("button.source", has_text="GANG-1").first
    expect(chip).to_contain_text("To Do")
    expect(chip).to_contain_text("Bob Roy")
    way_out = page.get_by_role("link", name="Open the comment in GANG-1").first
    assert (way_out.get_attribute("href") or "").startswith(f"{url}/browse/GANG-1?focusedCommentId=")
    chip.click()
    drawer = page.locator(".st-key-source-panel")
    expect(drawer.get_by_role("link", name="Open GANG-1")).to_be_visible()
    expect(drawer).to_contain_text("Bob Roy")


def test_a_change_reaches_the_status_line_and_the_citation(served: App, site: Site, tickets: str, open_page) -> None:
    page = open_page(served)
    status = page.locator(".status .item", has_text=tickets)
    expect(status).to_contain_text("Up to date")
    page.goto(served.url)
    ask(page, SCANNER)
    chip = page.locator("button.source.current", has_text="GANG-1").first
    expect(chip).to_be_visible()
    site.edit("GANG-1", status="Done", assignee="Ann Lee")
    site.edit_comment(site.find("GANG-1").comments[0].id, "We decided to buy the Petrel 3 scanner after all.", "Bob Roy")
    expect(status).to_contain_text("1 document changed")
    aged = page.locator("button.source.edited", has_text="GANG-1").first
    expect(aged).to_contain_text("Done")
    expect(aged).to_contain_text("edited since")
    page.get_by_role("button", name="Ask again").last.click()
    expect(page.get_by_text("Petrel 3").last).to_be_visible()


def test_the_secret_of_a_webhook_is_shown_once_and_rings(
    served: App, sources: Sources, tickets: str, open_page, tmp_path: Path
) -> None:
    page = open_page(served, "/sources")
    expect(card(page, tickets)).to_contain_text("Up to date")

    def open_webhook():
        card(page, tickets).get_by_role("button", name="Settings").click()
        page.get_by_role("tab", name="Webhook").click()
        return page.get_by_role("dialog")

    drawer = open_webhook()
    expect(drawer.locator("code").first).to_contain_text(f"{served.url}/hooks/jira/")
    drawer.get_by_role("button", name="Create a secret").click()
    expect(drawer.get_by_text("not shown again")).to_be_visible()
    secret = drawer.locator("code").nth(1).inner_text()
    sources.add("folder", "Added meanwhile", {"path": str(tmp_path)})
    drawer.get_by_role("button", name="Send a test").click()
    expect(drawer.get_by_text("arrived with a valid signature")).to_be_visible()
    expect(card(page, "Added meanwhile")).to_be_visible()
    settled(page)
    expect(drawer.locator("code").nth(1)).to_have_text(secret)  # what changes beneath the dialog does not close it
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(card(page, tickets)).to_contain_text("last webhook")
    expect(open_webhook().get_by_text("A secret is saved")).to_be_visible()
    assert len(secret) > 40 and secret not in page.content()


def test_the_page_with_a_jira_card_fits_a_telephone(served: App, tickets: str, open_page) -> None:
    page = open_page(served, "/sources", width=390, height=800, dark=True)
    expect(card(page, tickets)).to_contain_text("Up to date")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
