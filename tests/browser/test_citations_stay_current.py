"""A citation whose value was only made longer is told as edited: what is cited still begins so."""

from __future__ import annotations

from playwright.sync_api import expect

from ingestion.sources import Sources
from jira_simulator import running
from tests.browser.conftest import ask
from tests.connectors.jira.world import TOKEN
from tests.ui.jira_site import config_of, harbour
from tree.workspace import workspace

SECONDS = 30_000  # milliseconds that a busy machine may take


def test_a_number_with_a_digit_more_is_another_one(start_own_app, open_page) -> None:
    app = start_own_app(documents={"petrel.md": "# Petrel\n\n- Crew size: 5\n- Home port: Lund\n\nNothing else.\n"})
    page = open_page(app)
    ask(page, "What is the crew size of the Petrel?")
    expect(page.locator(".source.current")).to_have_count(1, timeout=SECONDS)
    file = app.folder / "petrel.md"
    file.write_text(file.read_text().replace("Crew size: 5", "Crew size: 50"))
    expect(page.locator(".source.edited")).to_have_count(1, timeout=SECONDS)
    expect(page.locator(".verdict")).to_have_text("Out of date")


def test_a_name_with_letters_more_is_another_one(start_own_app, open_page) -> None:
    site = harbour()
    site.clock.speed = 1
    with running(site) as url:
        app = start_own_app(empty=True)
        with workspace(app.home) as opened:
            Sources(opened.database).add("jira", "Harbour", config_of(url, poll_seconds=1), {"token": TOKEN})
        page = open_page(app)
        expect(page.locator(".status .item")).to_contain_text("Up to date", timeout=SECONDS)
        page.goto(app.url)
        ask(page, "Who is the assignee of GANG-1?")
        expect(page.locator(".source.current").first).to_contain_text("Bob Roy", timeout=SECONDS)
        site.add_user("Bob Royce")
        site.edit("GANG-1", assignee="Bob Royce")
        expect(page.locator(".source.edited")).to_have_count(1, timeout=SECONDS)
