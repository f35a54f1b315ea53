"""Who gets in, who may do what, and who sees which answer: the first admin, invitations, groups, deactivation, in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.sources import Sources
from ingestion.sync import sync
from tests.browser.conftest import App, ask, settled
from tree.accounts.accounts import Accounts, open_accounts
from tree.workspace import Workspace, workspace

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=30_000)

PASSWORD = "a heron on the slipway"
PAY = {"salaries.md": "# Salaries\n\nThe harbour pilots earn 58,000 crowns a year.\n"}
QUESTION = "What do the harbour pilots earn?"


@pytest.fixture(scope="module")
def served(start_app) -> App:
    """With a source "Team" for everybody, and "Pay" that only the group Payroll may see."""
    app = start_app()
    for name, text in PAY.items():
        (app.home.parent / "pay").mkdir(exist_ok=True)
        (app.home.parent / "pay" / name).write_text(text, "utf-8")
    with workspace(app.home) as opened:
        group = open_accounts(opened.database).people.add_group("Payroll")
        sources = Sources(opened.database)
        source = sources.add("folder", "Pay", {"path": str(app.home.parent / "pay")}, None, [group])
        sync(opened, sources, source)
        opened.index.catch_up()
    return app


@pytest.fixture
def opened(served: App) -> Iterator[Workspace]:
    with workspace(served.home) as found:
        yield found


@pytest.fixture
def accounts(opened: Workspace) -> Accounts:
    return open_accounts(opened.database)


def member(accounts: Accounts, name: str, groups: tuple[str, ...] = ()) -> tuple[str, str]:
    """The id and the session of somebody new in these groups."""
    known = {group: id_ for id_, group in accounts.people.groups().items()}
    person = accounts.people.add(f"{name.lower()}@example.org", name, PASSWORD, groups=[known[group] for group in groups])
    return person.id, accounts.sessions.start(person.id)


def navigation(page) -> list[str]:
    return page.get_by_test_id("stSidebarNavLink").all_inner_texts()


def path_of(link: str) -> str:
    return "/link/" + link.rpartition("/link/")[2]


def test_the_first_admin_comes_by_the_link_that_is_printed(start_own_app, open_page) -> None:
    app = start_own_app(empty=True, admin=False)
    page = open_page(app, "/settings")
    expect(page.get_by_text("python -m tree people setup")).to_be_visible()
    printed = re.search(r"http://\S+/link/\S+", app.printed)
    page.goto(app.url + path_of(printed[0]))
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill("password1234")
    page.get_by_role("button", name="Create the account").click()
    expect(page.get_by_text("easy to guess")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    settled(page)
    assert {"Sources", "Settings", "Admin"} <= set(navigation(page))
    page.goto(app.url + path_of(printed[0]))
    expect(page.get_by_text("This link was used or is too old.")).to_be_visible()


def test_somebody_is_invited_joins_and_sees_what_members_see(served: App, open_page) -> None:
    admin = open_page(served, "/admin")
    admin.get_by_role("button", name="Invite").click()
    drawer = admin.get_by_role("dialog")
    drawer.get_by_label("E-mail").fill("ben@example.org")
    drawer.get_by_label("Name").fill("Ben <b>Oak</b>")
    drawer.get_by_role("button", name="Create the link").click()
    link = drawer.get_by_test_id("stCode").inner_text()
    expect(drawer).to_contain_text("It works once, for 7 days.")
    admin.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(admin.get_by_text("1 invitation not used yet")).to_be_visible()
    assert link not in admin.content()

    page = open_page(served, path_of(link), token="")
    expect(page.get_by_label("Name")).to_have_value("Ben <b>Oak</b>")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    settled(page)
    assert not {"Sources", "Settings", "Admin"} & set(navigation(page)) and "Chat" in navigation(page)
    for path in ("/sources", "/settings", "/admin", "/admin?admin_tab=Audit"):
        page.goto(served.url + path)
        settled(page)
        expect(page.get_by_text("Only an admin can do this.")).to_be_visible()
        expect(page.get_by_role("link", name="To the chat")).to_be_visible()
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
        expect(page.get_by_role("heading", name=re.compile("^(Sources|Settings|Admin)$"), level=1)).to_have_count(0)
        assert page.get_by_text("ada@example.org").count() == 0
    admin.reload()
    expect(admin.get_by_text("Ben <b>Oak</b>")).to_be_visible()


def test_a_wrong_password_is_refused_and_the_right_one_leads_to_where_somebody_wanted(served: App, open_page, accounts) -> None:
    member(accounts, "Cy")
    page = open_page(served, "/tree", token="")
    page.get_by_label("E-mail address").fill("cy@example.org")
    page.get_by_label("Password").fill(PASSWORD + "!")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("The e-mail address or the password is not right.")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    settled(page)
    expect(page).to_have_url(f"{served.url}/tree")


def test_the_open_page_of_somebody_who_is_deactivated_is_signed_out(served: App, open_page, accounts) -> None:
    _, token = member(accounts, "Dee")
    page = open_page(served, "/tree", token=token, is_refused=True)
    admin = open_page(served, "/admin")
    admin.get_by_placeholder("Search by name, e-mail or group").fill("dee@")
    expect(admin.get_by_text("1 person", exact=True)).to_be_visible()
    expect(admin.get_by_role("button", name="Manage")).to_have_count(1)  # the rows from before go last
    admin.get_by_role("button", name="Manage").click()
    admin.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    expect(admin.get_by_role("dialog")).to_contain_text("Dee is signed out and cannot sign in any more.")
    page.wait_for_url("**/sign-in?next=%2Ftree", timeout=10_000)  # it looks every two seconds
    assert accounts.sessions.find(token) is None


def test_the_open_page_of_an_admin_who_is_none_any_more_shows_no_source(served: App, open_page, accounts) -> None:
    id_, token = member(accounts, "Ida")
    accounts.people.set_admin(id_, True)
    page = open_page(served, "/sources", token=token)
    expect(page.get_by_role("heading", name="Pay")).to_be_visible()
    accounts.people.set_admin(id_, False)
    expect(page.get_by_text("Only an admin can do this.")).to_be_visible()
    expect(page.get_by_role("heading", name="Pay")).to_have_count(0)
    page.reload()
    settled(page)
    assert "Sources" not in navigation(page)


@pytest.mark.parametrize("name", ["Eve", "Gus"])
def test_only_somebody_in_its_group_is_answered_from_a_source(served: App, open_page, accounts, opened, name: str) -> None:
    _, token = member(accounts, name, ("Payroll",) if name == "Eve" else ())
    page = open_page(served, token=token)
    ask(page, QUESTION)
    source = next(source for source in Sources(opened.database).all() if source.name == "Pay")
    original = page.request.get(f"{served.url}/files/{source.id}/salaries.md")
    if name == "Eve":
        expect(page.locator(".text")).to_contain_text("58,000 crowns")
        assert original.status == 200
    else:
        expect(page.locator(".verdict")).to_be_visible()
        settled(page)
        assert "58,000" not in page.content() and "Salaries" not in page.content()
        assert original.status == 404 and "Pay" not in page.request.get(f"{served.url}/api/status").text()


def test_an_admin_says_who_may_see_a_source_and_its_card_tells_it(served: App, open_page, accounts, tmp_path: Path) -> None:
    accounts.people.add_group("R&D *crew*")
    page = open_page(served, "/sources")
    card = page.locator("[class*=st-key-source_]").filter(has=page.get_by_role("heading", name="Team"))
    card.get_by_role("button", name="Settings").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("tab", name="Who may see it").click()
    drawer.get_by_text("Only these groups").click()
    drawer.get_by_role("combobox").click()
    page.get_by_role("option", name="R&D *crew*").click()
    page.keyboard.press("Escape")
    expect(drawer).to_contain_text("you are in none of its groups")
    drawer.get_by_role("button", name="Save", exact=True).click()
    expect(card).to_contain_text("Only R&D *crew* may see it. You manage it, but you are in none of its groups")
    expect(card.get_by_role("link", name="Show in the tree")).to_have_count(0)
    card.get_by_role("button", name="Settings").click()
    drawer.get_by_role("tab", name="Who may see it").click()
    drawer.get_by_text("Everybody who is signed in").click()
    drawer.get_by_role("button", name="Save", exact=True).click()
    expect(card.get_by_text("may see it")).to_have_count(0)


def test_what_went_wrong_with_a_click_stands_below_it(served: App, open_page) -> None:
    page = open_page(served, "/admin?admin_tab=Groups")
    field = page.get_by_label("New group")
    field.fill("Payroll")
    page.get_by_role("button", name="Add", exact=True).click()
    error = page.get_by_test_id("stAlert").filter(has_text="Payroll")
    expect(error).to_be_visible()
    above, below = field.bounding_box(), page.get_by_role("button", name="Rename").first.bounding_box()
    at = error.bounding_box()
    assert above["y"] < at["y"] < below["y"] and at["y"] - above["y"] < 120
    field.fill("Payroll too")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("Payroll too", exact=True)).to_be_visible()
    expect(error).to_have_count(0)


def test_the_audit_log_is_searched_and_downloaded(served: App, open_page, accounts) -> None:
    accounts.audit.write("person deactivated", "hal@example.org", who="Ada")
    accounts.audit.write("person deactivated", "=SUM(1)", who="Ada")
    page = open_page(served, "/admin?admin_tab=Audit")
    page.get_by_placeholder("Search by person, action, target or address").fill("hal@")
    expect(page.get_by_text("1 entry, the newest first.")).to_be_visible()
    expect(page.get_by_role("table")).to_contain_text("Person deactivated")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download as CSV").click()
    text = Path(downloading.value.path()).read_text("utf-8-sig")
    assert text.startswith("at,who,action,target,address") and "audit log exported" in text and "'=SUM(1)" in text


@pytest.mark.parametrize("tab", ["People", "Groups", "Audit"])
def test_the_page_fits_a_telephone(served: App, open_page, tab: str) -> None:
    page = open_page(served, f"/admin?admin_tab={tab}", width=390, height=800, dark=True)
    expect(page.get_by_role("heading", name="Admin", level=1)).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390


def test_the_audit_log_can_be_read_whole_on_a_telephone(served: App, open_page, accounts) -> None:
    accounts.audit.write(
        "person deactivated", "somebody.of.the.harbour@example.org", who="Ada <ada.of.the.quay@example.org>", address="127.0.0.1"
    )
    page = open_page(served, "/admin?admin_tab=Audit", width=390, height=800)
    table = page.get_by_test_id("stTable").locator("table")
    expect(table).to_contain_text("127.0.0.1")
    expect(table).to_be_visible()
    assert table.bounding_box()["width"] <= 390


def test_a_group_has_its_name_above_what_can_be_done_with_it_on_a_telephone(served: App, open_page, accounts) -> None:
    accounts.people.add_group("Night crew of the harbour and the quay")
    page = open_page(served, "/admin?admin_tab=Groups", width=390, height=800)
    name = page.get_by_text("Night crew of the harbour and the quay")
    below = page.get_by_role("button", name="Rename").last
    expect(below).to_be_visible()
    assert name.bounding_box()["y"] + name.bounding_box()["height"] <= below.bounding_box()["y"]
    assert name.bounding_box()["height"] < 80
