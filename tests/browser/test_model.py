"""A team brings its model, in a real browser: it is set on the page, asked, watched while it writes, and stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from prompts.model import compose, look
from prompts.model.discovery import PLACES_VARIABLE
from tests.browser.conftest import App, ask, settled
from tests.prompts.model.provider import MANNERS, MODEL, Provider, serving

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=30_000)

KEY = "sk-secret-of-the-team-0815"
QUESTION = "How do I restore the orders database?"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


@pytest.fixture(scope="module")
def app(start_app) -> App:
    return start_app()


def test_a_model_is_set_asked_watched_and_stopped(app: App, provider: Provider, open_page) -> None:
    page = open_page(app, "/settings", alone=True)
    seen: list[str] = []
    page.on("websocket", lambda opened: opened.on("framereceived", lambda frame: seen.append(str(frame))))
    page.reload()
    settled(page)
    expect(page.get_by_text("No language model is set")).to_be_visible()
    page.get_by_role("combobox", name="Provider").click()
    page.get_by_role("option", name="OpenAI-compatible").click()
    expect(page.get_by_role("textbox", name="Address")).to_have_attribute("placeholder", "http://localhost:8000/v1")
    settled(page)
    page.get_by_role("textbox", name="Address").fill(provider.url)
    page.get_by_role("textbox", name="Key").fill(KEY)
    page.get_by_role("textbox", name="Model").fill(MODEL)
    page.get_by_role("button", name="Test").click()
    expect(page.locator("strong").filter(has_text=f"{MODEL} works.")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Questions are answered with it from now on")).to_be_visible()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_text("a key is saved")).to_be_visible()
    settled(page)  # the form that was sent is taken away last
    assert KEY not in page.content() and KEY not in "".join(seen)

    page.get_by_test_id("stSidebarNavLink").filter(has_text="Chat").click()
    asked = len(provider.received)
    ask(page, QUESTION)
    expect(page.locator(".verdict")).to_have_text("Answered")
    calls = len(provider.received) - asked
    expect(page.locator(".usage")).to_contain_text(f"{MODEL} · {calls} call")

    provider.behave(replace(MANNERS["ok"], stream="stalls"))  # half of the answer, then nothing until somebody goes away
    provider.left.clear()
    ask(page, "Why are Postgres tables the message queue?")
    writing = page.locator(".text.writing")
    expect(writing).to_contain_text("We decided")
    expect(page.locator(".trail.running")).to_contain_text("Writing the answer")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.", exact=True).last).to_be_visible()
    expect(page.locator(".text").last).to_contain_text("We decided")
    assert provider.left.wait(20), "the request is given up at the provider too"
    provider.behave("ok")
    settled(page)
    read = page.locator(".trail").last.locator(".step").all_inner_texts()
    asked = len(provider.received)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".verdict").last).to_have_text("Answered")
    expect(page.get_by_text("Stopped.", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
    asked_of = [one.body["messages"][0]["content"] for one in provider.received[asked:]]
    assert look.SYSTEM not in asked_of and compose.SYSTEM in asked_of, "what was read is judged no more: the answer is written"
    assert page.locator(".trail").last.locator(".step").all_inner_texts() == read


def test_one_click_on_the_first_page_tests_a_model_and_what_was_found_stays(start_own_app, open_page) -> None:
    """Of an Ollama that reads only short prompts, and passes its other model on."""
    with serving(Provider()) as ollama:
        ollama.models = [{"id": "gpt-oss:120b-cloud"}, {"id": MODEL}]
        page = open_page(start_own_app(empty=True, **{PLACES_VARIABLE: f"ollama={ollama.url}"}), "/")
        expect(page.get_by_text(f"Use {MODEL} on this machine")).to_be_visible()
        page.get_by_role("button", name=f"Use {MODEL}").click()
        card = page.locator(".st-key-model_card")
        expect(card.get_by_text("In use")).to_be_visible()
        for decision in ("Chooses", "Judges", "Quotes exactly", "Writes with sources", "Says none"):
            expect(card.get_by_text(decision)).to_be_visible()
        expect(card.get_by_text("set num_ctx in a Modelfile")).to_be_visible()
        page.reload()
        expect(card.get_by_text("Its test: 5 of 5 decisions passed")).to_be_visible()
        expect(card.get_by_text("set num_ctx in a Modelfile")).to_be_visible()


def test_saving_an_unfit_model_tests_it_and_does_not_use_it(start_own_app, open_page) -> None:
    with serving(Provider()) as started:
        started.behave("writes prose only")
        page = open_page(start_own_app(empty=True), "/settings")
        page.get_by_role("combobox", name="Provider").click()
        page.get_by_role("option", name="OpenAI-compatible").click()
        expect(page.get_by_role("textbox", name="Address")).to_have_attribute("placeholder", "http://localhost:8000/v1")
        settled(page)
        page.get_by_role("textbox", name="Address").fill(started.url)
        page.get_by_role("textbox", name="Model", exact=True).fill(MODEL)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("was not saved. Choose another model")).to_be_visible()
        page.get_by_role("button", name="Use it anyway").click()
        expect(page.get_by_text("is used although it is unfit for answers")).to_be_visible()
