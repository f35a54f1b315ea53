"""The sources page in a real browser: adding, watching it being read, settings, uploading, removing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)  # milliseconds: a busy machine is slow
EVIL = "<img src=x onerror=window.hacked=1> [x](javascript:window.hacked=2).md"


@pytest.fixture(scope="module")
def served(start_app):
    return start_app(empty=True)


@pytest.fixture
def page(served, open_page):
    page = open_page(served, "/sources")
    expect(page.get_by_role("heading", name="Sources", level=1)).to_be_visible()
    return page


def card(page: Page, name: str):
    return page.locator("[class*=st-key-source_]").filter(has=page.get_by_role("heading", name=name))


def open_adding(page: Page) -> None:
    if not page.get_by_role("textbox", name="Path of the folder").is_visible():
        page.get_by_text("Add a source", exact=True).click()
    expect(page.get_by_role("textbox", name="Path of the folder")).to_be_visible()


def add(page: Page, served, folder: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        (served.folder / folder).mkdir(parents=True, exist_ok=True)
        (served.folder / folder / name).write_text(text, encoding="utf-8")
    open_adding(page)
    page.get_by_role("textbox", name="Path of the folder").fill(str(served.folder / folder))
    page.keyboard.press("Tab")
    page.locator(".st-key-folder_add button").click()
    expect(card(page, folder)).to_contain_text("Up to date")


def test_a_folder_is_tested_added_and_read(page, served):
    open_adding(page)
    field = page.get_by_role("textbox", name="Path of the folder")
    field.fill("/no/such/folder")
    page.keyboard.press("Tab")
    page.locator(".st-key-folder_test button").click()
    expect(page.get_by_text("There is no folder")).to_be_visible()
    add(page, served, "handbook", {"a.md": "# Anchor\n\nDrop it slowly.\n", EVIL: ""})
    expect(card(page, "handbook")).to_contain_text("1 document · 1 passage")
    expect(field).to_be_hidden()  # the card is in sight
    open_adding(page)
    expect(field).to_have_value("")
    settled(page)  # a click on what is just being drawn again is lost
    card(page, "handbook").get_by_text("1 document could not be read").click()
    shown = EVIL.replace("javascript:", "javascript:\u2060")  # Streamlit sees no directive or address in what is parted so
    expect(card(page, "handbook").locator("table")).to_contain_text(shown)
    expect(card(page, "handbook").locator("table")).to_contain_text("Empty")
    assert card(page, "handbook").locator("table img, table a").count() == 0
    assert page.evaluate("window.hacked") is None


def test_settings_stay_open_while_the_page_draws_itself_and_are_kept(page, served):
    add(page, served, "mixed", {"keep.md": "# Keep\n\nThis one stays.\n", "draft.md": "# Draft\n\nThis one goes.\n"})
    card(page, "mixed").get_by_role("button", name="Settings").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("textbox", name="Exclude").fill("draft.md")
    before = card(page, "mixed").inner_text()
    page.wait_for_function("before => !document.body.innerText.includes(before)", arg=re.search(r"Checked \d+ s ago", before)[0])
    expect(drawer.get_by_role("textbox", name="Exclude")).to_have_value("draft.md")
    drawer.get_by_role("button", name="Save and sync").click()
    expect(card(page, "mixed")).to_contain_text("1 document · 1 passage")


def test_uploaded_files_are_read_and_go_when_the_source_is_removed(page, served):
    open_adding(page)
    page.get_by_role("tab", name="Upload files").click()
    page.locator("input[type=file]").set_input_files(
        [{"name": "notes.md", "mimeType": "text/markdown", "buffer": b"# Notes\n\nThe tide turns at noon.\n"}]
    )
    button = page.locator(".st-key-upload button")
    expect(button).to_be_enabled()
    button.click()
    uploaded = card(page, "Uploaded files")
    expect(uploaded).to_contain_text("Up to date")
    assert [path.name for path in served.home.glob("uploads/*/*")] == ["notes.md"]
    uploaded.get_by_role("button", name="Remove").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The uploaded files are deleted too")
    dialog.get_by_role("button", name="Remove").click()
    expect(uploaded).to_have_count(0)
    assert list(served.home.glob("uploads/*/*")) == []


def test_the_page_fits_a_telephone(served, open_page):
    page = open_page(served, "/sources", width=390, height=800, dark=True)
    expect(page.get_by_role("heading", name="Sources", level=1)).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
