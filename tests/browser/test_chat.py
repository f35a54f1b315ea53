"""The chat in a real browser: asking, watching, stopping, citations, the drawer, what changes meanwhile."""

from __future__ import annotations

import itertools
import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.browser.conftest import App, ask, settled
from tests.ui.people import ADMIN
from tests.ui.test_busy_database import held
from tree.accounts.accounts import open_accounts
from tree.store.chats import Chats
from tree.workspace import workspace
from ui.server.scope import parse_scope

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=30_000)

QUESTION = "How do I restore the orders database?"
LOG = "\n\n".join(f"Line {number} of the log says that it was calm and nothing was noted." for number in range(25))
SLOW = Path(__file__).with_name("slow_app.py")


@pytest.fixture(scope="module")
def gate(tmp_path_factory) -> Path:
    """Walks of the slow app go on while this file exists."""
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def kitchen(start_app) -> App:
    """One app for tests that need documents of their own, and leave those of the others alone."""
    return start_app(documents={
        "kettle.md": "# Kettle\n\n## Descaling the kettle\n\n| Part | Needs |\n|---|---|\n| kettle lid | **vinegar** |\n\nSee `boil.sh` <name>.\n",
        "pot.md": "# Pot\n\nThe kettle of the pot is descaled on Mondays.\n",
        "samovar.md": "# Samovar\n\n## How to rinse the samovar\n\n1. Fill the samovar with vinegar.\n2. Shake it.\n",
        "tray.md": "# Tray\n\nThe samovar of the tray is rinsed on Mondays.\n",
        "budget.csv": "line,approved,spent\nStaff,1020,961\nHosting,186,118\nTraining,90,77\n",
        "note.md": "# Note\n\nThe pump is blue.\n",
        "ladle.md": "# Ladle\n\nThe ladle hangs beside the stove.\n",
        "boiler.md": f"# Boiler\n\nThe boiler was bought by the harbour in March.\n\n{LOG}\n\nThe boiler is repaired by Maren Oduya every June.\n",
        "boiler.txt": f"The winch was bought by the harbour in March.\n\n{LOG}\n\nThe winch is repaired by Maren Oduya every June.\n",
    })  # fmt: skip


@pytest.fixture(scope="module")
def slow(start_app, gate: Path) -> App:
    return start_app(script=SLOW, GATE=str(gate))


def test_a_question_is_answered_with_citations_that_open_their_passage(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, QUESTION)
    expect(page.locator(".verdict")).to_have_text("Answered")
    expect(page.locator(".text")).to_contain_text("snap restore orders")
    expect(page).to_have_url(re.compile(r"\?c=[0-9a-f]{32}$"))
    page.locator(".text .cite").first.click()
    source = page.get_by_role("complementary", name="Source 1")
    expect(source.locator("mark").first).to_be_in_viewport()
    expect(source).to_contain_text("Team › runbooks")
    link = source.get_by_role("link", name="Open original")
    original = page.request.get(app.url + link.get_attribute("href"))
    assert original.status == 200 and "snap restore orders" in original.text()
    page.keyboard.press("Escape")
    expect(source).to_have_count(0)


FOCUSED = """() => { let e = document.activeElement; while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement
  return `${e.className.split(" ")[0]} ${e.dataset.cite ?? ""}` }"""


def test_the_source_is_beside_the_answer_and_both_can_be_read(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, QUESTION)
    for width in (1000, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.locator(".text .cite").first.click()
        source = page.get_by_role("complementary", name="Source 1")
        expect(source).to_be_focused()
        there, answer, box = (
            source.bounding_box(),
            page.locator(".text").bounding_box(),
            page.get_by_test_id("stChatInput").bounding_box(),
        )
        assert answer["x"] + answer["width"] <= there["x"] and box["x"] + box["width"] <= there["x"], width
        assert answer["width"] > 380 and there["width"] > 380, width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        expect(page.locator(".text .cite").first).to_have_attribute("aria-current", "true")
        page.get_by_test_id("stChatInputTextArea").fill("still mine to type in")
        page.keyboard.press("Escape")
        expect(source).to_have_count(0)


def test_escape_closes_the_source_and_gives_the_focus_back_to_the_citation(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, QUESTION)
    expect(page.locator(".verdict")).to_be_visible()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settled(page)
        page.locator(".text .cite").nth(1).focus()
        page.keyboard.press("Enter")
        source = page.get_by_role("complementary", name="Source 1") if width > 1000 else page.get_by_role("dialog")
        expect(source.locator("mark").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(source).to_have_count(0)
        page.wait_for_function(f"({FOCUSED})().startsWith('cite')")
        assert (
            page.evaluate("""() => { let e = document.activeElement; while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement
            return [...e.getRootNode().querySelectorAll(".text .cite")].indexOf(e) }""")
            == 1
        )


@pytest.mark.parametrize("thing", ["boiler", "winch"])
def test_a_source_opens_at_the_words_of_the_sentence_whose_number_was_clicked(kitchen: App, open_page, thing: str) -> None:
    page = open_page(kitchen)
    ask(page, f"Who bought the {thing} and who repairs the {thing}?")
    first, last = f"The {thing} was bought by the harbour in March.", f"The {thing} is repaired by Maren Oduya every June."
    source = page.get_by_role("complementary", name="Source 1")
    for said, other in ((last, first), (first, last)):
        page.locator(".text p").filter(has_text=said).first.locator(".cite").first.click()
        expect(source.locator("mark").filter(has_text=said)).to_be_in_viewport()
        expect(source.locator("mark").filter(has_text=other)).not_to_be_in_viewport()


def test_a_source_is_drawn_as_its_document_looks_and_the_next_follows(kitchen: App, open_page) -> None:
    page = open_page(kitchen)
    ask(page, "What about the kettle?")
    expect(page.locator(".source.current")).to_have_count(2)
    page.locator(".sources .source").first.click()
    names = [page.locator(".sources .source .name").nth(number).inner_text() for number in (0, 1)]
    source = page.locator(".st-key-source-panel")
    expect(source).to_contain_text("Source 1 of 2")
    expect(source.get_by_role("heading", name=names[0], level=3)).to_be_visible()
    source.get_by_role("button", name="Next source").click()
    expect(source).to_contain_text("Source 2 of 2")
    expect(source.get_by_role("heading", name=names[1], level=3)).to_be_visible()
    expect(source.get_by_role("button", name="Next source")).to_be_focused()
    if "Kettle" not in names[1]:
        source.get_by_role("button", name="Previous source").click()
    expect(source.locator(".document td").first).to_have_text("kettle lid")
    expect(source.locator(".document strong")).to_have_text("vinegar")
    expect(source.locator(".document")).to_contain_text("<name>")
    source.get_by_role("button", name="Close").click()
    expect(source).to_have_count(0)


def test_an_answer_is_there_after_a_reload_and_in_the_history(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, "What was decided about the message queue?")
    expect(page.locator(".text")).to_contain_text("Postgres")
    page.reload()
    expect(page.locator(".text")).to_contain_text("Postgres")
    page.get_by_role("button", name="New chat").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    page.locator(".st-key-history").get_by_role("button", name="What was decided about").first.click()
    expect(page.locator(".text")).to_contain_text("Postgres")


def test_chats_are_beside_every_page_and_the_sources_below_them_in_sight(app: App, open_page) -> None:
    with workspace(app.home) as opened:
        [ada] = [person.id for person in open_accounts(opened.database).people.all() if person.email == ADMIN]
        for number in range(12):
            chat = Chats(opened.database).running.begin(f"How heavy is anchor {number}?", owner=ada)
            Chats(opened.database).running.finish(chat.id, "stopped")
    page = open_page(app, "/activity")
    expect(page.locator(".status .name")).to_be_in_viewport()
    page.locator(".st-key-history").get_by_role("button", name="How heavy is anchor 2?").click()
    expect(page).to_have_url(re.compile(r"/\?c=[0-9a-f]{32}$"))
    expect(page.locator(".status .name")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 480})  # below any number of chats and sources is who is signed in
    menu = page.locator(".st-key-account-menu button").first
    expect(menu).to_be_in_viewport(ratio=1)
    menu.click()
    expect(page.get_by_role("button", name="Sign out")).to_be_in_viewport(ratio=1)


def test_on_a_phone_what_was_chosen_in_the_sidebar_is_seen(app: App, open_page) -> None:
    page = open_page(app, "/help", width=390, height=844, alone=True)
    expect(page.locator(".st-key-drawer [data-testid=stBidiComponentIsolated]")).to_be_attached()  # it listens by then
    for chosen, seen in (
        (page.get_by_test_id("stSidebarNavLink").filter(has_text="Activity"), page.get_by_role("heading", name="Activity")),
        (page.get_by_role("button", name="New chat"), page.get_by_role("heading", name="What would you like to know?")),
    ):
        page.get_by_test_id("stExpandSidebarButton").click()
        expect(chosen).to_be_in_viewport()
        chosen.click()
        expect(seen).to_be_visible()
        expect(chosen).not_to_be_in_viewport()
        page.reload()  # the browser remembers how the sidebar was left
        expect(seen).to_be_visible()
        expect(chosen).not_to_be_in_viewport()


def test_a_chat_is_renamed_and_deleted(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, "Where do the spare keys hang?")
    expect(page.locator(".verdict")).to_be_visible()
    page.get_by_role("button", name="This chat").click()
    page.get_by_text("Rename", exact=True).click()
    page.get_by_role("dialog").get_by_label("Name").fill("Keys")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.locator(".st-key-history").get_by_role("button", name="Keys")).to_be_visible()
    page.get_by_role("button", name="This chat").click()
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    expect(page.locator(".st-key-history").get_by_role("button", name="Keys")).to_have_count(0)


def _drawn_once(page, name: str):
    """A button that can be pressed: while a page is drawn again, what it showed before stands beside it, and is replaced."""
    settled(page)
    button = page.get_by_role("button", name=name, exact=True)
    expect(button).to_have_count(1)
    return button


def _fail_at_second_step(page) -> None:
    page.get_by_role("button", name="Step by step").click()
    walking = page.locator("[class*=st-key-walking-]")
    for press, shown in (("Done", "Step 1 of 3"), ("Done", "Step 2 of 3"), ("It failed", "Look for it")):
        _drawn_once(page, press).click()
        expect(walking).to_contain_text(shown)


def test_a_procedure_is_gone_through_by_the_keyboard_and_kept_over_a_reload(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, QUESTION)
    page.get_by_role("button", name="Step by step").press("Enter")
    walking = page.locator("[class*=st-key-walking-]")
    expect(walking).to_contain_text("Before you start")
    _drawn_once(page, "Done").press("Enter")
    expect(walking).to_contain_text("Step 1 of 3")
    _drawn_once(page, "Done").press("Enter")
    expect(walking).to_contain_text("snap restore orders")
    page.reload()
    expect(walking).to_contain_text("Step 2 of 3")
    _drawn_once(page, "It failed").press("Enter")
    page.get_by_label("What did you see?").fill("snap: no such snapshot")
    page.get_by_label("What did you see?").press("Enter")
    expect(page.get_by_text("snap: no such snapshot: what should I do?")).to_be_visible()


def test_a_step_that_is_gone_to_is_in_sight_above_the_question_box(app: App, open_page) -> None:
    page = open_page(app, height=560)
    ask(page, QUESTION)
    _fail_at_second_step(page)
    settled(page)
    until = time.monotonic() + 5
    while (ends := _bottom(page.locator("[class*=st-key-walking-]"))) > _top(page.get_by_test_id("stBottom")):
        assert time.monotonic() < until, ends
        page.wait_for_timeout(100)


@pytest.mark.parametrize(
    ("width", "height", "questions"),  # a long answer, and one that leaves room
    [(1280, 900, ("How do I repair the winch?", "Who feeds the walrus?")), (390, 844, ())],
)
def test_a_new_question_comes_to_the_top_once_and_own_scrolling_is_left_alone(
    start_own_app, open_page, tmp_path, width: int, height: int, questions: tuple[str, ...]
) -> None:
    gate = tmp_path / "open"
    steps = "\n".join(f"{number}. Turn screw {number} of the winch slowly, with the right tool." for number in range(1, 26))
    documents = {"winch.md": f"# Winch\n\n## How to repair the winch\n\n{steps}\n"}
    page = open_page(start_own_app(documents=documents, script=SLOW, GATE=str(gate)), width=width, height=height)
    gate.touch()
    ask(page, "How do I repair the winch?")
    expect(page.locator(".verdict")).to_be_visible()
    settled(page)
    gate.unlink()
    asked, main = page.locator("[class*=st-key-asked-]"), page.get_by_test_id("stMain")
    for question in questions:
        before = asked.count()
        ask(page, question)
        expect(page.locator(".trail.running")).to_be_visible()
        expect(asked).to_have_count(before + 1)
        _wait_for_top(page, asked.last, height / 3)
        gate.touch()
        expect(page.locator(".verdict")).to_have_count(before + 1)
        settled(page)
        page.wait_for_timeout(700)  # what follows an answer is drawn
        assert 0 < _top(asked.last) < height / 3
        gate.unlink()
    ask(page, "How do I repair the winch?")
    expect(page.locator(".trail.running")).to_be_visible()
    _wait_for_top(page, asked.last, height / 3)
    main.hover()
    page.mouse.wheel(0, -500)
    page.wait_for_timeout(700)
    there = main.evaluate("main => main.scrollTop")
    assert _top(asked.last) > height / 3
    gate.touch()
    expect(page.locator(".trail.running")).to_have_count(0)
    settled(page)
    page.wait_for_timeout(700)
    assert main.evaluate("main => main.scrollTop") == pytest.approx(there, abs=2)


def _wait_for_top(page, found, most: float) -> None:
    """Waits until this is at most so many pixels below the top of the window."""
    until = time.monotonic() + 20
    while (top := _top(found)) > most:
        assert time.monotonic() < until, top
        page.wait_for_timeout(50)


def _top(found) -> float:
    return found.bounding_box()["y"]


def _bottom(found) -> float:
    return _top(found) + found.bounding_box()["height"]


def test_the_trail_tells_what_was_offered_chosen_and_read(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, QUESTION)
    page.locator(".trail > summary").click()
    expect(page.locator(".step.choose").first).to_contain_text("Chose")
    expect(page.locator(".step.read .pill").first).to_have_text("has the answer")
    page.locator(".options > summary").first.click()
    expect(page.locator(".option.chosen").first).to_be_visible()
    chat = page.url
    page.locator(".step.read summary").first.click()
    page.locator(".step.read .place").first.click()
    expect(page).to_have_url(re.compile(r"/tree\?at="))
    page.go_back()
    expect(page).to_have_url(chat)


def test_the_steps_tell_what_could_not_be_read_beside_what_was_read_and_why(start_own_app, open_page) -> None:
    page = open_page(
        start_own_app(documents={"pump.md": "# Pump\n\nThe pump is repaired by Maren Oduya.\n", "broken.docx": "no document"})
    )
    ask(page, "Who repairs the pump?")
    expect(page.locator(".verdict")).to_have_text("Answered")
    expect(page.locator(".foot")).not_to_contain_text("could not read nearby")
    page.locator(".trail > summary").click()
    expect(page.locator(".unread li")).to_contain_text("broken.docx")
    assert len(page.locator(".unread li").inner_text()) > len("broken.docx ")


def test_a_branch_that_the_walk_did_not_take_is_looked_in_on_a_click(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, "What is drift?")
    expect(page.locator(".verdict")).to_have_text("Answered")
    with workspace(app.home) as opened:
        [source] = opened.store.sources.askable()
        chats = Chats(opened.database)
        turn = chats.turns.of_chat(page.url.partition("?c=")[2].partition("&")[0])[-1]
        left = {
            "place": f"{source.id}/runbooks/",
            "title": "runbooks",
            "kind": "folder",
            "summary": "",
            "scent": 0.2,
            "evidence": "",
            "content_types": [],
        }
        offered = {
            "kind": "choose",
            "place": f"{source.id}/",
            "title": "Team",
            "path": ["Team"],
            "options": [left],
            "chosen": [],
            "reason": "",
            "verdict": None,
        }
        chats.running.finish(turn.id, "done", {**turn.answer, "trail": [offered, *turn.answer["trail"]]})
    page.reload()
    page.locator(".trail > summary").click()
    page.locator(".options > summary").first.click()
    page.get_by_role("button", name="Look in “runbooks” instead").click()
    expect(page.get_by_text("Answer 2 of 2")).to_be_visible()
    expect(page.get_by_text("asked in")).to_contain_text("runbooks")
    page.get_by_role("button", name="Previous answer").click()
    expect(page.get_by_text("Answer 1 of 2")).to_be_visible()
    expect(page.locator(".text")).to_contain_text("the time between a change")


def test_the_drawer_leads_to_the_tree_and_back(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, QUESTION)
    page.locator(".sources .source").first.click()
    chat = page.url
    page.get_by_role("complementary", name="Source 1").get_by_role("link", name="Show in the tree").click()
    expect(page).to_have_url(re.compile(r"/tree\?at=.+&mark=\d+-\d+$"))
    page.go_back()
    expect(page).to_have_url(chat)
    expect(page.locator(".verdict")).to_have_text("Answered")


def test_the_question_box_of_a_new_chat_has_the_focus(app: App, open_page) -> None:
    page = open_page(app)
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()


def test_everything_is_reached_by_the_keyboard(app: App, open_page) -> None:
    page = open_page(app)
    page.get_by_test_id("stChatInputTextArea").focus()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_be_visible()
    settled(page)
    page.locator(".trail > summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".steps")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".steps")).to_be_hidden()
    page.keyboard.press("Tab")
    assert (
        page.evaluate("document.activeElement.shadowRoot?.activeElement?.dataset.cite ?? document.activeElement.dataset.cite")
        == "1"
    )
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Source 1")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="Source 1")).to_have_count(0)


def test_the_shortcuts_go_between_answers_and_to_the_question_box(app: App, open_page) -> None:
    page = open_page(app)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page, QUESTION)
    expect(page.locator(".verdict")).to_have_count(1)
    ask(page, "What was decided about the message queue?")
    expect(page.locator(".verdict")).to_have_count(2)
    settled(page)
    own = page.get_by_role("button", name="Copy a link to this answer, for yourself: others can open it once you share the chat")
    expect(own).to_have_count(2)
    page.keyboard.press("Alt+Shift+C")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('Postgres')")
    page.keyboard.press("Alt+ArrowUp")
    page.wait_for_function("document.activeElement.className.includes('st-key-asked-')")
    page.keyboard.press("Alt+Q")
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()
    page.keyboard.press("Control+Shift+O")
    expect(page.get_by_text("What would you like to know?")).to_be_visible()


def test_a_tab_in_the_background_says_that_its_answer_is_there(slow: App, gate: Path, open_page) -> None:
    page = open_page(slow)
    ask(page, QUESTION)
    expect(page.locator(".trail.running")).to_be_visible()
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    gate.touch()
    page.wait_for_function("document.title.startsWith('● Answer ready')")
    gate.unlink()
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("!document.title.startsWith('●')")


def test_a_screen_reader_hears_that_the_answer_is_ready(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, QUESTION)
    expect(page.get_by_role("status").filter(has_text="Answer ready: Answered.")).to_have_attribute("aria-live", "polite")


def test_who_asks_while_another_program_writes_is_told_that_it_goes_on_by_itself(app: App, open_page) -> None:
    page = open_page(app)
    before = page.get_by_role("heading", level=1).bounding_box()
    with held(app.home):
        ask(page, QUESTION)
        notice = page.get_by_role("status").filter(has_text="The database is busy")
        expect(notice).to_be_in_viewport()
        assert page.get_by_role("heading", level=1).bounding_box() == before  # nothing is moved by it
    expect(page.locator(".verdict")).to_have_text("Answered")
    expect(notice).to_have_count(0)


def test_what_cannot_be_asked_is_refused_and_given_back(app: App, open_page) -> None:
    page = open_page(app)
    ask(page, "word " * 2_000)
    expect(page.get_by_text("ask one of at most 8,000")).to_be_visible()
    expect(page.get_by_test_id("stChatInputTextArea")).to_have_value(re.compile("(word ){1999}word"))


def test_a_walk_is_watched_by_two_and_stopped_by_one(slow: App, open_page) -> None:
    first = open_page(slow)
    ask(first, QUESTION)
    expect(first.locator(".trail.running")).to_be_visible()
    second = open_page(slow, first.url.removeprefix(slow.url))
    second.locator(".trail > summary").click()
    expect(second.locator(".step").first).to_be_visible()
    first.get_by_role("button", name="Stop").click()
    expect(first.get_by_text("Stopped.", exact=True).first).to_be_visible()
    expect(second.get_by_text("Stopped.", exact=True).first).to_be_visible()
    expect(first.get_by_role("button", name="Ask again")).to_be_visible()
    expect(first.get_by_role("button", name="Continue")).to_have_count(0)  # nothing was read


def test_a_day_is_one_of_the_browsers_zone(app: App, open_page) -> None:
    page = open_page(app, alone=True)
    page.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    page.goto(f"{app.url}/?on=2026-05-04")
    settled(page)
    expect(page.get_by_text("as of 4 May 2026")).to_be_visible()
    page.get_by_text("as of 4 May 2026").click()
    expect(page.get_by_text("at the end of a day (Asia/Tokyo).")).to_be_visible()
    page.keyboard.press("Escape")
    ask(page, QUESTION)
    expect(page).to_have_url(re.compile(r"c=[0-9a-f]{32}"))
    chat = re.search("c=([0-9a-f]{32})", page.url)[1]
    with workspace(app.home) as opened:
        [turn] = Chats(opened.database).turns.of_chat(chat)
    assert turn.scope == "tz:Asia/Tokyo;on:2026-05-04;"
    assert parse_scope(turn.scope).moment == pytest.approx(datetime(2026, 5, 4, 15, tzinfo=UTC).timestamp(), abs=1)
    page.goto(f"{app.url}/?c={chat}")
    settled(page)
    page.get_by_role("button", name="This chat").click()
    page.get_by_role("menuitem", name="Export").click()
    link = page.get_by_role("link", name="Markdown").get_attribute("href")
    assert "zone=Asia%2FTokyo" in link


def test_leaving_and_closing_the_page_does_not_end_a_walk(slow: App, gate: Path, open_page) -> None:
    page = open_page(slow)
    ask(page, "What was decided about the message queue?")
    expect(page.locator(".trail.running")).to_be_visible()
    address = page.url.removeprefix(slow.url)
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Tree").click()
    expect(page).to_have_url(re.compile("/tree"))
    page.close()
    gate.touch()
    again = open_page(slow, address)
    expect(again.locator(".verdict")).to_have_text("Answered")
    gate.unlink()


def test_a_citation_tells_that_its_passage_was_edited_or_removed(kitchen: App, open_page) -> None:
    page = open_page(kitchen)
    ask(page, "What about the samovar?")
    expect(page.locator(".source.current")).to_have_count(2)
    (kitchen.folder / "samovar.md").write_text(
        "# Samovar\n\n## How to rinse the samovar\n\n1. Put two spoons of citric acid into it.\n2. Wait.\n"
    )
    (kitchen.folder / "tray.md").unlink()
    expect(page.locator(".source.edited")).to_contain_text("edited since")
    expect(page.locator(".source.removed")).to_contain_text("removed since")
    expect(page.locator(".note")).to_contain_text("Ask again for a current one")
    expect(page.locator(".status .news")).to_contain_text(re.compile("changed|removed"))  # published together or one by one
    page.locator(".source.edited").click()
    drawer = page.locator(".st-key-source-panel")
    expect(drawer).to_contain_text("citric acid")
    expect(drawer.locator("del", has_text="vinegar")).to_be_visible()
    expect(drawer.locator("ins", has_text="citric")).to_be_visible()
    expect(drawer.locator("mark")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    page.locator(".source.removed").click()
    expect(drawer).to_contain_text("removed or moved after it was cited")
    expect(drawer).not_to_contain_text("Mondays")


def test_a_page_that_was_drawn_again_without_a_change_still_notices_the_next(kitchen: App, open_page) -> None:
    """As when the end of an answer is told after the page has drawn it by itself."""
    page = open_page(kitchen)
    ask(page, "What about the ladle?")
    expect(page.locator(".source.current").first).to_be_visible()
    settled(page)
    page.evaluate("document.dispatchEvent(new Event('knowledge-tree-ended'))")
    settled(page)
    (kitchen.folder / "ladle.md").write_text("# Ladle\n\nThe ladle is kept in the drawer under the sink since June.\n")
    expect(page.locator(".source.edited").first).to_contain_text("edited since")


def test_a_first_visit_goes_from_the_sample_to_an_answer(start_own_app, open_page) -> None:
    page = open_page(start_own_app(empty=True))
    expect(page.get_by_role("list", name="State of the sources")).to_have_text("None yet.")
    page.get_by_role("button", name="Try the sample workspace").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible(timeout=90_000)
    page.locator(".st-key-suggestions").get_by_role("button").first.click()
    expect(page.locator(".verdict")).to_have_text("Answered")
    expect(page.locator(".status .item.ok")).to_contain_text("Up to date")


# ---------------------------------------------------------------- how it looks

# The contrast of every piece of text with what is behind it (WCAG 2.2, 1.4.3), shadow roots included.
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
  const rgba = color => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1]
  const light = ([r, g, b]) => { const c = [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] }
  const parent = e => e.parentElement ?? e.getRootNode().host
  const behind = element => {
    const layers = []
    for (let e = element; e; e = parent(e)) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] === 1) break }
    return layers.reverse().reduce((below, layer) => over(layer, below), rgba(getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor))
  }
  const found = []
  const visit = root => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) visit(e.shadowRoot)
      const text = [...e.childNodes].filter(n => n.nodeType === 3 && n.textContent.trim()).map(n => n.textContent.trim()).join(" ")
      const box = e.getBoundingClientRect()
      if (!text || !box.width || box.width < 3 || getComputedStyle(e).visibility === "hidden" || e.closest("[disabled], style, script")) continue
      if (getComputedStyle(e).fontFamily.includes("Material Symbols")) continue  // a picture
      const back = behind(e), front = over(rgba(getComputedStyle(e).color), back)
      const [high, low] = [light(front), light(back)].sort((a, b) => b - a)
      const ratio = (high + 0.05) / (low + 0.05)
      if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${e.className} ${text.slice(0, 40)}`)
    }
  }
  visit(document.body)
  return found
}"""


def test_an_answer_is_readable_in_both_themes_and_on_a_phone(app: App, open_page) -> None:
    page = open_page(app, height=844)
    ask(page, QUESTION)
    expect(page.locator(".verdict")).to_be_visible()
    page.locator(".trail > summary").click()
    page.locator(".options > summary").first.click()
    _fail_at_second_step(page)
    settled(page)
    for width, scheme in itertools.product((1280, 390), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(600)  # it is laid out anew, and colours fade in
        expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, scheme)
        assert page.evaluate("(e => e.scrollWidth <= e.clientWidth + 1)(document.querySelector('.turn, [data-testid=stApp]'))")
        assert page.evaluate(CONTRAST) == [], (width, scheme)


def test_no_question_to_ask_next_is_cut_off_on_a_phone(app: App, open_page) -> None:
    page = open_page(app, width=390, height=844)
    questions = page.locator(".st-key-suggestions, .st-key-follow-ups").get_by_role("button")
    expect(questions.first).to_be_visible()
    assert all(
        one.evaluate(
            "e => [...e.querySelectorAll('*')].every(x => x.scrollWidth <= x.clientWidth + 1 || getComputedStyle(x).display === 'inline')"
        )
        for one in questions.all()
    )


def test_numbers_are_drawn_as_bars_between_the_verdict_and_the_table(kitchen: App, open_page) -> None:
    page = open_page(kitchen, width=390, height=844)
    ask(page, "Plot the budget")
    expect(page.locator(".verdict")).to_have_text("Answered")
    chart = page.get_by_test_id("stVegaLiteChart")
    expect(chart).to_be_visible()
    expect(page.locator(".text table")).to_contain_text("961")
    tops = [
        box["y"] for box in (page.locator(".verdict").bounding_box(), chart.bounding_box(), page.locator(".text").bounding_box())
    ]
    assert tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.reload()
    expect(chart).to_be_visible()
    ask(page, "How heavy is the pumpp?")
    expect(page.locator(".verdict").last).to_have_text("Not found")


def test_files_are_dropped_into_a_chat_and_go_with_it(app: App, open_page, tmp_path) -> None:
    gate, broken = tmp_path / "gate.md", tmp_path / "broken.pdf"
    gate.write_text("# North gate\n\nThe code of the north gate is 4711.\n", "utf-8")
    broken.write_bytes(b"%PDF-1.4 nothing")
    page = open_page(app)
    page.locator("[data-testid=stChatInput] input[type=file]").set_input_files([gate, broken])
    expect(page.get_by_test_id("stChatInput").get_by_text("gate.md")).to_be_visible()
    ask(page, "What is the code of the north gate?")
    expect(page.locator(".text")).to_contain_text("4711")
    expect(page.get_by_text("“broken.pdf” could not be read")).to_be_visible()
    expect(page.get_by_text("Only you can ask about them, and only in this chat.")).to_be_visible()
    page.locator(".text .cite").first.click()
    expect(page.locator(".passage mark")).to_contain_text("4711")
    page.get_by_role("button", name="This chat").click()
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    assert list((app.home / "uploads").iterdir()) == []
    ask(page, "What is the code of the north gate?")
    expect(page.locator(".verdict")).to_contain_text("Not found")
