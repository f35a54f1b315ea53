"""The tab Questions of the Admin page in a browser: in the dark and on a phone, with the way to an answer."""

from __future__ import annotations

import itertools

import pytest

from tests.browser.conftest import App
from tree.store.chats import Chats
from tree.workspace import workspace

BIKES = "the key for the <b>bike</b> shed, please"
LOST = "How long is parental leave for somebody who joined the harbour in the spring?"


@pytest.fixture(scope="module")
def asked(app: App) -> App:
    with workspace(app.home) as opened:
        chats, [source] = Chats(opened.database), opened.store.sources.askable()
        for owner in ("ben", "cy"):
            for question, verdict in ((LOST, "none"), ("What is drift?", "complete"), ("Who owns the gate?", "partial")):
                turn = chats.running.begin(question, owner=owner)
                answer = {
                    "answer": f"About {question}", "verdict": verdict, "citations": [], "trail": [], "version": 1, "as_of": None,
                    "coverage": {}, "notes": [], "closest": [], "sources": [source.id], "rests_on": [],
                }  # fmt: skip
                chats.running.finish(turn.id, "done", answer)
                chats.turns.rate(turn.id, 0 if verdict == "partial" else None, "Something is missing", owner)
        answer |= {"verdict": "none"}
        for owner, question in (("dee", "Bike shed key"), ("eve", "Where is the key of the bicycle shed?"), ("eve", BIKES)):
            chats.running.finish(chats.running.begin(question, owner=owner).id, "done", answer)
    return app


def test_questions_lead_to_their_answers(asked: App, open_page) -> None:
    page = open_page(asked, "/admin?admin_tab=Questions")
    link = page.locator("ul.kt-asked").last.get_by_role("link", name=LOST)
    for width, scheme in itertools.product((1280, 390), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        link.wait_for()
        page.get_by_text("asked 2 times by 2 people").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (width, scheme)
    link.click()
    page.get_by_text(f"About {LOST}").wait_for()


def test_a_gap_is_told_with_the_wordings_in_which_it_was_asked_for(asked: App, open_page) -> None:
    page = open_page(asked, "/admin?admin_tab=Questions")
    page.get_by_text("2 people asked about “Bike shed key”; nothing is known").wait_for()
    page.get_by_text("3 questions", exact=True).click()
    opened = page.locator("ul.kt-asked", has_text="bicycle shed").first
    for width, scheme in itertools.product((1280, 390), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        opened.get_by_role("link", name=BIKES).wait_for()
        assert opened.get_by_role("link").count() == 3
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (width, scheme)
    opened.get_by_role("link", name="Where is the key of the bicycle shed?").click()
    page.get_by_text("About Who owns the gate?").wait_for()
