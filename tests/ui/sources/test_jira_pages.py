"""Adding a Jira site in the browser, its card and its settings, against the simulator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ingestion.webhooks import SECRET
from jira_simulator import Site, running
from tests.connectors.jira.world import TOKEN
from tests.ui.jira_site import EMAIL, add_jira, config_of, harbour, read
from tests.ui.opened import page, words
from tree.store.models import Source
from ui.server.tools import Tools
from ui.shared.urls import is_unencrypted
from ui.sources import jira_adding, jira_view, jira_webhook
from ui.sources import page as sources_page
from ui.sources.audience import GROUPS, TO_DO
from ui.sources.removed import PREVIEWS

NOW = 1_800_000_000.0
PATIENCE = 20  # seconds


@pytest.fixture
def site() -> Site:
    return harbour()


@pytest.fixture
def url(site: Site) -> Iterator[str]:
    with running(site) as address:
        yield address


def said(app: AppTest) -> str:
    """All words of the page as a reader sees them."""
    return words(app).replace("\\", "").replace("\u2060", "")


def filled(app: AppTest, url: str, token: str = TOKEN, email: str = EMAIL) -> AppTest:
    app.text_input(key="jira0_url").set_value(url)
    app.text_input(key="jira0_email").set_value(email)
    app.text_input(key="jira0_token").set_value(token)
    return app


def check(app: AppTest) -> AppTest:
    app.button(key="jira0_check").click().run()
    return back(app, jira_adding.SIGN_IN)


def back(app: AppTest, task: str) -> AppTest:
    """The page when an task is back."""
    assert app.session_state[task].task.ended.wait(PATIENCE)
    app.run()
    assert not app.exception
    return app


def choose(app: AppTest, *projects: str) -> AppTest:
    app.multiselect(key="jira0_projects").set_value(list(projects)).run()
    return back(app, jira_adding.PREVIEW)


# ---------------------------------------------------------------- adding


def test_a_site_is_checked_looked_at_and_added(tools: Tools, url: str) -> None:
    app = check(filled(page("sources").run(), url))
    assert "Signed in as **Ann Lee**, who can see 2 projects" in said(app)
    assert app.button(key="jira0_add").disabled and "Choose projects or write a filter first." in said(app)
    choose(app, "GANG")
    assert "Choose projects or write" not in said(app)
    assert "4 tickets in GANG Gangway" in said(app) and "GANG-4 Lamp 4 is dark" in said(app)
    app.button(key="jira0_add").click().run()
    [source] = tools.sources.all()
    assert source.kind == "jira" and source.config == config_of(url) and source.name.endswith("GANG")
    assert "is added" in said(app)


def test_what_is_filled_in_just_before_the_button_is_pressed_counts(tools: Tools, url: str) -> None:
    group = tools.accounts.people.add_group("Harbour")
    app = choose(check(filled(page("sources").run(), url)), "GANG")
    # a quick hand: the browser sends the last field and the button together
    app.text_input(key="jira0_name").set_value("Tickets of the harbour")
    app.radio(key="jira0_audience").set_value(GROUPS)
    app.button(key="jira0_add").click().run()
    assert tools.sources.all() == [] and TO_DO in said(app)  # a group is to be chosen first
    app.multiselect(key="jira0_groups").set_value([group]).run()
    app.button(key="jira0_add").click().run()
    [source] = tools.sources.all()
    assert source.name == "Tickets of the harbour" and list(source.audience or ()) == [group]


def test_the_token_is_saved_encrypted_and_never_comes_back(tools: Tools, url: str) -> None:
    app = choose(check(filled(page("sources").run(), url)), "GANG")
    app.button(key="jira0_add").click().run()
    [source] = tools.sources.all()
    assert tools.sources.secrets(source) == {"token": TOKEN} and TOKEN.encode() not in (source.secret or b"")
    assert {field.value for field in app.text_input if "token" in (field.key or "")} == {""}
    app.session_state[sources_page.DIALOG] = ("settings", source.id)
    app.run()
    assert TOKEN not in said(app) and TOKEN not in {field.value for field in app.text_input}
    assert "New token" in repr(app) and TOKEN not in repr(app)


def test_a_data_center_below_a_path_is_added_with_a_personal_access_token(tools: Tools) -> None:
    site = harbour("dc")
    with running(site) as url:
        app = filled(page("sources").run(), f"{url}/browse/GANG-1", email="")
        app.radio(key="jira0_auth").set_value("pat")
        choose(check(app), "GANG")
        assert "4 tickets in GANG Gangway" in said(app)
        app.button(key="jira0_add").click().run()
    assert url.endswith("/jira") and tools.sources.all()[0].config == {"url": url, "auth": "pat", "projects": ["GANG"]}


@pytest.mark.parametrize(
    ("address", "email", "token", "sentence"),
    [
        ("", EMAIL, TOKEN, "Enter the address of Jira first"),
        ("ftp://team.example", EMAIL, TOKEN, "Write the address as in the browser"),
        (None, "", TOKEN, "needs the e-mail address"),
        (None, EMAIL, "", "Paste the token first"),
        (None, EMAIL, "not the token", "characters in it that no token has"),
        (None, EMAIL, "wrong", f"Jira refused the API token of {EMAIL}"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_added(
    tools: Tools, url: str, address: str | None, email: str, token: str, sentence: str
) -> None:
    app = check(filled(page("sources").run(), url if address is None else address, token, email))
    assert sentence in app.error[0].value.replace("\\", "").replace("\u2060", "")
    assert "jira0_add" not in {button.key for button in app.button} and tools.sources.all() == []


def test_a_site_without_tls_has_no_certificate_that_could_be_wrong(tools: Tools, url: str) -> None:
    app = check(filled(page("sources").run(), url.replace("http://", "https://")))
    assert "begin its address with http://." in said(app)


def test_of_several_projects_each_is_told_with_its_tickets(tools: Tools, url: str) -> None:
    app = choose(check(filled(page("sources").run(), url)), "GANG", "PORT")
    assert "4 tickets: GANG Gangway 4, PORT Port 0." in said(app)


def test_a_filter_that_jira_does_not_take_is_said_and_cannot_be_added(tools: Tools, url: str) -> None:
    app = check(filled(page("sources").run(), url))
    app.text_input(key="jira0_jql").set_value("colour = green").run()
    back(app, jira_adding.PREVIEW)
    assert "Jira does not take the filter" in said(app)
    assert app.button(key="jira0_add").disabled and "change what is chosen, or try again" in said(app)
    app.text_input(key="jira0_jql").set_value("summary ~ lamp").run()
    back(app, jira_adding.PREVIEW)
    assert "The filter names 3 tickets" in said(app) and not app.button(key="jira0_add").disabled


def test_signing_in_to_a_site_that_does_not_answer_can_be_cancelled(tools: Tools, site: Site, url: str) -> None:
    site.faults.set(path="*", kind="hang")
    app = filled(page("sources").run(), url)
    app.button(key="jira0_check").click().run()
    assert any(":shimmer[" in str(element.value) for element in app.markdown)
    app.button(key="jira0_signing_in_cancel").click().run()
    app.run()
    assert app.session_state[jira_adding.SIGN_IN].task.state == "cancelled"
    assert "Cancelled" in said(app) and tools.sources.all() == []


def test_other_access_than_what_was_checked_has_to_be_checked_anew(tools: Tools, url: str) -> None:
    app = check(filled(page("sources").run(), url))
    filled(app, url, token="wrong")
    check(app)
    assert "Signed in" not in said(app) and "Jira refused" in said(app)


def test_an_open_line_to_another_machine_is_warned_of() -> None:
    assert is_unencrypted("http://jira.example/jira")
    for kept in ("https://jira.example", "jira.example", "http://127.0.0.1:8090", "http://localhost:8090", "http://[::1]:1", ""):
        assert not is_unencrypted(kept)


# ---------------------------------------------------------------- settings


def settings(source: Source) -> AppTest:
    """What stands in the dialog; AppTest closes dialogs at every click."""

    def script(source_id: str) -> None:
        from tests.ui.people import tools_of
        from ui.shared import notices
        from ui.sources import jira_settings

        notices.draw()
        tools = tools_of()
        jira_settings.settings(tools, tools.sources.get(source_id))

    app = AppTest.from_function(script, default_timeout=20, args=(source.id,)).run()
    assert not app.exception
    return app


def test_settings_keep_what_is_read_and_how_often(tools: Tools, url: str) -> None:
    source = add_jira(tools, url)
    app = settings(source)
    app.multiselect(key="jira_settings_projects").set_value(["GANG", "PORT"])
    app.checkbox(key="jira_settings_restricted").set_value(True)
    next(box for box in app.selectbox if "changes" in box.label).set_value(5)
    next(button for button in app.button if button.label == "Save and sync").click().run()
    changed = tools.sources.get(source.id)
    assert changed.config == config_of(url, projects=["GANG", "PORT"], restricted=True, poll_seconds=5)
    assert changed.requested_at is not None and tools.sources.secrets(changed) == {"token": TOKEN}


def test_a_source_cannot_be_left_without_a_scope(tools: Tools, url: str) -> None:
    source = add_jira(tools, url)
    app = settings(source)
    app.multiselect(key="jira_settings_projects").set_value([])
    next(button for button in app.button if button.label == "Save and sync").click().run()
    assert "Choose at least one project, or write a JQL filter." in said(app)
    assert tools.sources.get(source.id).config["projects"] == ["GANG"]


def test_another_token_takes_the_place_of_the_first(tools: Tools, url: str) -> None:
    source = add_jira(tools, url)
    app = settings(source)
    app.button(key="jira_new_save").click().run()
    assert "Paste the new token first" in said(app)
    app.text_input(key="jira_new_token").set_value("a-newer-one")
    app.button(key="jira_new_save").click().run()
    assert tools.sources.secrets(tools.sources.get(source.id)) == {"token": "a-newer-one"}
    assert "a-newer-one" not in said(app)


def test_the_secret_of_the_webhook_is_shown_once(tools: Tools, url: str) -> None:
    source = add_jira(tools, url)
    app = settings(source)
    assert f"/hooks/jira/{source.id}" in app.code[0].value
    assert app.button(key="jira_hook_test").disabled
    app.button(key="jira_hook_secret").click().run()
    secrets = tools.sources.secrets(tools.sources.get(source.id))
    assert secrets["token"] == TOKEN and len(str(secrets[SECRET])) > 40
    assert secrets[SECRET] in {block.value for block in app.code}
    again = settings(source)
    assert secrets[SECRET] not in {block.value for block in again.code} and secrets[SECRET] not in said(again)
    assert "A secret is saved" in said(again)


def test_a_test_that_does_not_arrive_says_why() -> None:
    assert "cannot be reached" in jira_webhook.send_test_delivery("http://127.0.0.1:9/hooks/jira/x", "secret", "")


# ---------------------------------------------------------------- the card


def test_what_left_and_what_would_leave_is_listed(tools: Tools, site: Site, url: str) -> None:
    source = add_jira(tools, url)
    site.delete("GANG-2")
    app = page("sources").run()
    app.session_state[f"gone_{source.id}"] = True
    app.run()
    app.button(key=f"preview_{source.id}").click().run()
    assert app.session_state[PREVIEWS][source.id].ended.wait(PATIENCE)
    app.run()
    assert "would remove 1 document" in said(app) and list(app.dataframe[0].value["Document"]) == ["GANG-2 Lamp 2 is dark"]
    assert tools.workspace.store.documents.count(source.id) == 5
    read(tools, source)
    app.run()
    app.session_state[f"gone_{source.id}"] = True
    app.run()
    assert "1 document removed in the last 30 days" in {box.label for box in app.expander}
    assert list(app.dataframe[0].value["Reason"]) == ["Deleted, moved or hidden"]


def test_the_scope_is_told_in_one_line() -> None:
    config = {"url": "https://host.example/jira", "projects": ["PAY", "OPS"], "jql": "labels = x"}
    assert jira_view.scope_in_words(config) == "host.example/jira · PAY, OPS · filter: labels = x"


def test_an_app_without_sources_offers_a_jira_site(home: Path) -> None:
    assert "Jira" in [tab.label for tab in page("sources").run().tabs]


def test_a_form_that_asks_once_does_not_say_that_the_app_tries_again(tools: Tools) -> None:
    app = check(filled(page("sources").run(), "http://127.0.0.1:9"))
    assert "127.0.0.1:9 cannot be reached. Check the network and the address. Try again." in said(app)
