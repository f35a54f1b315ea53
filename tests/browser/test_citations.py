"""A click on a number of an answer in a real browser: the source opens at what is said before that number, and marks it as current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.conftest import App, ask, settled

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=30_000)

RUNBOOKS = Path(__file__).parents[2] / "sample" / "runbooks"
FARES = "\n".join(f"| Ship {number} | {number + 40} people | {number + 10} cars |" for number in range(40))


@pytest.fixture(scope="module")
def quay(start_app) -> App:
    documents = {path.name: path.read_text("utf-8") for path in RUNBOOKS.glob("*.md")}
    return start_app(documents={**documents, "ships.md": f"# Ships\n\n| Ship | Room | Deck |\n|---|---|---|\n{FARES}\n"})


@pytest.mark.parametrize("width", [1280, 390])
def test_each_number_of_a_procedure_opens_what_stands_before_it(quay: App, open_page, width: int) -> None:
    page = open_page(quay, width=width)
    ask(page, "How do I restore the booking database?")
    expect(page.locator(".verdict")).to_have_text("Answered")
    settled(page)
    source = page.get_by_role("complementary") if width > 1000 else page.get_by_role("dialog")
    needed, step = page.locator(".text ul > li").nth(1), page.locator(".text ol").first.locator("> li").nth(3)
    for told, said, others in (
        (
            needed,
            "A shell on gw-db-1 as postgres. Your key must be in the db-emergency group",
            ("You are on call", "At least 180 GB"),
        ),
        (step, "Stop the server. sudo systemctl stop postgresql@16-bookings", ("Look at what can", "Restore to the agreed")),
    ):
        expect(told).to_contain_text(said)
        told.locator(".cite").first.click()
        current = source.locator("mark.current")
        expect(current.first).to_have_text(said.partition("gw-db-1")[0].partition("sudo")[0])
        assert "".join(current.all_text_contents()).startswith(said)
        expect(current.first).to_be_in_viewport()
        for other in others:
            expect(source.locator("mark:not(.current)").filter(has_text=other)).not_to_have_count(0)
            expect(current.filter(has_text=other)).to_have_count(0)
        expect(page.locator(".text .cite[aria-current]")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(source).to_have_count(0)


def test_the_number_of_a_row_opens_that_row(quay: App, open_page) -> None:
    page = open_page(quay)
    ask(page, "What is the deck of Ship 3? What is the deck of Ship 33?")
    source = page.get_by_role("complementary")
    for ship, other in (("Ship 33", "Ship 3"), ("Ship 3", "Ship 33")):
        page.locator(".text p").filter(has_text=re.compile(f"deck of {ship}[^?0-9]*[0-9]$")).locator(".cite").click()
        expect(source.locator("mark.current").first).to_have_text(ship)
        expect(source.locator("mark.current").first).to_be_in_viewport()
        expect(source.locator("mark").get_by_text(other, exact=True)).not_to_be_in_viewport()
