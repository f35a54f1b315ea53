"""Names, files, headings and tables that try to be markup stay words, on every page that shows them."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.browser.conftest import App, ask, settled
from tree.accounts.accounts import open_accounts
from tree.workspace import workspace

IMAGE = "<img src=x onerror='window.pwned=1'>"
SCRIPT = "<script>window.pwned=2</script>"
LINK = "[press](javascript:window.pwned=3)"
DOCUMENTS = {
    f"notes {IMAGE.replace('/', '')}/heron.md": (
        f"# Heron {SCRIPT}\n\n## How to wake the heron {IMAGE}\n\n1. Ring the bell {LINK}.\n2. Wait for {SCRIPT} the heron.\n\n"
        f'<svg onload="window.pwned=4"></svg>\n\n**Gangway {IMAGE}**: the bridge to the ferry {LINK}.\n'
    ),
    "owners.csv": f'System,Owner\nGate {IMAGE},"Carla {SCRIPT}"\nBell,"=HYPERLINK(""javascript:window.pwned=5"")"\n',
    "page.html": f"<html><body><h1>Cellar {IMAGE}</h1><p onclick='window.pwned=6'>The keys hang in the cellar {SCRIPT}.</p></body></html>",
}


@pytest.fixture(scope="module")
def app(start_app) -> App:
    return start_app(documents=DOCUMENTS)


def test_no_page_runs_what_a_name_says(app: App, open_page) -> None:
    with workspace(app.home) as opened:
        accounts = open_accounts(opened.database)
        group = accounts.people.add_group(f"Crew {IMAGE}")
        eve = accounts.people.add("eve@example.org", f"Eve {IMAGE}{SCRIPT}", is_admin=True, groups=[group])
        token = accounts.sessions.start(eve.id, "192.0.2.1", f"Firefox/1 {IMAGE}")
        accounts.tokens.add(eve.id, f"Bot {IMAGE}")
        [source] = opened.store.sources.askable()
        places = [node.place for node in opened.store.nodes.of_source(source.id) if node.kind == "leaf"]
        accounts.audit.write("source added", f"{IMAGE}{SCRIPT}", who=f"Eve {IMAGE}", person_id=eve.id)
    page = open_page(app, token=token, alone=True)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    questions = ("How do I wake the heron?", f"Who owns Gate {IMAGE}?", "What is a gangway?", "Where are the keys of the cellar?")
    for number, question in enumerate(questions):
        ask(page, question)
        page.locator(".verdict").nth(number).wait_for()
    page.locator(".text .cite").first.click()
    page.get_by_role("complementary", name="Source 1").wait_for()
    settled(page)
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    assert page.evaluate("window.pwned") is None
    assert len(places) == 3
    for path in (
        *(f"/tree?at={quote(place, safe='')}" for place in places),
        "/sources",
        "/activity",
        "/admin",
        "/account",
        "/settings",
    ):
        page.goto(app.url + path)
        page.locator(".st-key-account-menu").wait_for()  # drawn last
        settled(page)
        page.wait_for_function("[...document.images].every((image) => image.complete)")
        assert page.evaluate("window.pwned") is None, path
        assert page.locator("img[src='x'], a[href^='javascript']").count() == 0, path
