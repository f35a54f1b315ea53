"""The admin page: people, groups and the audit log, found, changed and told in words."""

from __future__ import annotations

import csv
import io
import re
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from tests.ui.conftest import read_again
from tests.ui.opened import page, words
from tests.ui.people import ADMIN, MEMBER, PASSWORD, tools_of
from tree.store.models import Source
from ui.admin.audit_tab import HEADS
from ui.server.tools import Tools

ODD = "R&D *pilots* [x](http://evil.example) <b>"


def said(app: AppTest) -> str:
    assert not app.exception
    return words(app).replace("\\", "").replace("\u2060", "")


def tab(name: str) -> AppTest:
    return page("admin", admin_tab=name).run()


def dialog(which: str, about: str = "", who: str = ADMIN) -> AppTest:
    """What stands in a dialog; AppTest closes dialogs at every click."""

    def script(which: str, about: str, who: str) -> None:
        from tests.ui.people import tools_of
        from ui.admin.page import DIALOGS
        from ui.shared.admins import for_admins

        for_admins(DIALOGS[which].draw, tools_of(who), about)

    return AppTest.from_function(script, default_timeout=20, args=(which, about, who)).run()


@pytest.fixture
def ben(tools: Tools) -> str:
    return tools.accounts.people.add(MEMBER, "Ben", PASSWORD).id


def rows(app: AppTest) -> list[str]:
    """The names in the list."""
    return [
        line.partition("**")[0] for element in app.markdown if (line := str(element.value).removeprefix("**")) != element.value
    ]


# ---------------------------------------------------------------- people


def test_people_are_listed_with_what_they_may_and_when_they_were_seen(tools: Tools, ben: str) -> None:
    crew = tools.admin.add_group(ODD)
    tools.admin.set_groups(ben, [crew])
    tools.admin.set_active(tools.accounts.people.add("cy@example.org", "Cy").id, False)
    app = page("admin").run()
    lines = {line.partition("**")[2].partition("**")[0]: line for line in said(app).splitlines() if line.startswith("**")}
    assert ":blue-badge[Admin]" in lines["Ada"] and "(you)" in lines["Ada"] and ":gray-badge[Deactivated]" in lines["Cy"]
    assert f"ben@example.org · {ODD} · never signed in" in said(app) and re.search(r"seen \d+ s ago", said(app))
    assert "3 people" in said(app)


def test_a_thousand_people_come_by_pages_and_are_found_by_words(tools: Tools) -> None:
    for number in range(1, 60):
        tools.accounts.people.add(f"p{number:03}@example.org", f"Person {number:03}")
    app = page("admin").run()
    assert rows(app)[:2] == ["Ada", "Person 001"] and len(rows(app)) == 25 and "60 people" in said(app)
    app.pagination[0].set_value(3).run()
    assert rows(app) == [f"Person {number:03}" for number in range(50, 60)]
    app.text_input(key="people_search").set_value("person p01").run()
    assert rows(app) == [f"Person {number:03}" for number in range(10, 20)] and "10 people" in said(app)
    app.text_input(key="people_search").set_value("nobody like this").run()
    assert rows(app) == [] and "Nobody is found by these words." in said(app)


def test_somebody_is_invited_by_a_link_that_is_shown_once(tools: Tools) -> None:
    crew = tools.admin.add_group("Crew")
    app = dialog("invite")
    app.text_input(key="invite_email").set_value("kim@example.org")
    app.text_input(key="invite_name").set_value("Kim")
    app.multiselect(key="invite_groups").set_value([crew])
    app.checkbox(key="invite_admin").set_value(True)
    app.button(key="invite_create").click().run()
    link = app.code[0].value
    assert "It works once, for 7 days." in said(app) and "kim@example.org" in said(app)
    kim = tools.accounts.links.use(link.rpartition("/link/")[2], name="Kim", password=PASSWORD)
    assert kim.is_admin and tools.accounts.people.groups_of(kim.id) == {crew}
    app.button(key="invite_again").click().run()
    assert not app.code and app.text_input(key="invite_email")


@pytest.mark.parametrize(
    ("email", "told"),
    [
        ("", "Give an e-mail address"),
        ("kim", "Give an e-mail address"),
        (ADMIN, "already here"),
        (ADMIN.replace("@", "\u2060@"), "already here"),  # as it is copied from a page
    ],
)
def test_an_invitation_that_cannot_be_says_why(tools: Tools, email: str, told: str) -> None:
    app = dialog("invite")
    app.text_input(key="invite_email").set_value(email)
    app.button(key="invite_create").click().run()
    assert told in said(app) and not app.code and tools.accounts.links.invitations() == []


def test_an_invitation_can_be_withdrawn(tools: Tools) -> None:
    token = tools.admin.invite("kim@example.org", "Kim", is_admin=True, groups=[])
    app = page("admin").run()
    app.session_state["invitations"] = True
    app.run()
    assert "kim@example.org" in said(app) and "as an admin" in said(app)
    next(button for button in app.button if button.label == "Withdraw").click().run()
    assert tools.accounts.links.look(token) is None and "kim@example.org" not in said(app)


def test_rights_and_groups_of_a_person_are_changed(tools: Tools, ben: str) -> None:
    crew = tools.admin.add_group(ODD)
    app = dialog("person", ben)
    app.multiselect(key=f"groups_of_{ben}").set_value([crew])
    app.button(key="person_groups_save").click().run()
    assert tools.accounts.people.groups_of(ben) == {crew}
    app = dialog("person", ben)
    app.button(key="person_admin").click().run()
    assert "Ben is an admin now." in said(app) and tools.accounts.people.principal(ben).is_admin
    app.button(key="person_admin").click().run()
    assert "Ben is no admin any more." in said(app) and not tools.accounts.people.principal(ben).is_admin


def test_somebody_is_signed_out_deactivated_and_activated(tools: Tools, ben: str) -> None:
    session = tools.accounts.sessions.start(ben)
    app = dialog("person", ben)
    app.button(key="person_sign_out").click().run()
    assert tools.accounts.sessions.find(session) is None and app.button(key="person_sign_out").disabled
    session = tools.accounts.sessions.start(ben)
    app.button(key="person_active").click().run()
    assert tools.accounts.sessions.find(session) is None and "cannot sign in any more" in said(app)
    assert {button.key for button in app.button} == {"person_sign_out", "person_active"}, "no link, no rights meanwhile"
    app.button(key="person_active").click().run()
    assert "Ben can sign in again." in said(app) and tools.accounts.people.signed_in_with(MEMBER, PASSWORD)


def test_a_link_for_a_new_password_is_shown_to_that_dialog_alone(tools: Tools, ben: str) -> None:
    app = dialog("person", ben)
    app.button(key="person_reset").click().run()
    token = app.code[0].value.rpartition("/link/")[2]
    assert "It works once, for a day." in said(app) and tools.accounts.links.look(token).person_id == ben
    app.run()
    assert app.code[0].value.endswith(token)
    assert not dialog("person", ben).code and not dialog("person", tools.principal.person_id).code


def test_the_last_admin_stays_and_the_message_says_so(tools: Tools) -> None:
    app = dialog("person", tools.principal.person_id)
    for key in ("person_admin", "person_active"):
        app.button(key=key).click().run()
        assert "This is the last admin. Make somebody else an admin first." in said(app)
    assert tools.accounts.people.principal(tools.principal.person_id).is_admin


@pytest.mark.parametrize("which", ["invite", "person", "members", "delete"])
def test_a_dialog_that_was_left_open_shows_nothing_to_whoever_is_no_admin_any_more(tools: Tools, ben: str, which: str) -> None:
    crew = tools.admin.add_group("Crew")
    about = crew if which in ("members", "delete") else tools.principal.person_id
    app = dialog(which, about, MEMBER)
    assert "Only an admin can do this" in said(app)
    assert not app.button and not app.text_input and not app.markdown


# ---------------------------------------------------------------- groups


def test_groups_are_added_and_listed_with_what_they_see(tools: Tools, source: Source, ben: str) -> None:
    app = tab("Groups")
    assert "No groups yet" in said(app)
    app.text_input(key="group_name").set_value(f" {ODD} ")
    app.button(key="group_add").click().run()
    [(crew, name)] = tools.accounts.people.groups().items()
    assert name == ODD and f"The group “{ODD}” is added." in said(app) and "0 people · no source is for it" in said(app)
    tools.admin.set_audience(source.id, [crew])
    tools.admin.change_members(crew, [ben])
    app.run()
    assert "1 person · sees Team" in said(app)
    app.text_input(key="group_name").set_value(ODD.lower())
    app.button(key="group_add").click().run()
    assert "already a group" in said(app) and len(tools.accounts.people.groups()) == 1


def test_people_are_put_into_a_group_and_taken_out_of_it(tools: Tools, ben: str) -> None:
    crew = tools.admin.add_group("Crew")
    app = dialog("members", crew)
    assert "Nobody is in it yet." in said(app)
    app.multiselect(key="members_added").set_value([ben])
    app.button(key="members_add").click().run()
    assert tools.accounts.people.members(crew) == {ben}
    app = dialog("members", crew)
    assert "1 person is in it." in said(app) and "Ben · ben@example.org" in said(app)
    app.button(key=f"member_{ben}").click().run()
    assert tools.accounts.people.members(crew) == frozenset() and "Nobody is in it yet." in said(app)


def test_what_the_identity_provider_says_of_groups_is_told_and_cannot_be_changed_here(tools: Tools, ben: str) -> None:
    crew, pilots = tools.admin.add_group("Crew"), tools.admin.add_group("Pilots")
    tools.admin.set_groups(ben, [crew])
    with tools.workspace.database.write() as connection:
        connection.execute(sa.text("UPDATE membership SET from_claims = 1"))
    app = dialog("person", ben)
    assert "In Crew, as your identity provider says." in said(app) and app.multiselect(key=f"groups_of_{ben}").options == [
        "Pilots"
    ]
    app.multiselect(key=f"groups_of_{ben}").set_value([pilots])
    app.button(key="person_groups_save").click().run()
    assert tools.accounts.people.groups_of(ben) == {crew, pilots}
    app = dialog("members", crew)
    assert "by your identity provider" in said(app) and f"member_{ben}" not in {button.key for button in app.button}


def test_deleting_a_group_says_which_sources_nobody_may_then_see(tools: Tools, source: Source, ben: str) -> None:
    crew, pilots = tools.admin.add_group("Crew"), tools.admin.add_group("Pilots")
    tools.admin.set_audience(source.id, [crew, pilots])
    tools.admin.change_members(crew, [ben])
    assert "Only this group" not in said(dialog("delete", crew)), "the other may still see it"
    tools.admin.set_audience(source.id, [crew, "one that was deleted"])
    app = dialog("delete", crew)
    assert "has 1 person" in said(app) and "Only this group may see **Team**" in said(app) + app.warning[0].value
    app.button(key="group_delete_confirmed").click().run()
    assert list(tools.accounts.people.groups().values()) == ["Pilots"]
    assert not tools_of(MEMBER).visible_sources(), "for nobody, not for everybody"


# ---------------------------------------------------------------- the audit log


def test_the_audit_log_is_read_by_pages_in_the_zone_of_the_viewer(tools: Tools) -> None:
    for number in range(1, 231):
        tools.accounts.audit.write("source paused", f"**Team** {number}", who="Ada", address="10.0.0.7")
    app = page("admin", admin_tab="Audit")
    app.context["timezone"] = "Asia/Kolkata"
    app.run()
    assert "230 entries, the newest first. Times in Asia/Kolkata." in said(app)
    table = app.table[0].value
    assert list(table.columns) == list(HEADS) and len(table) == 100
    assert table["To what"][0] == r"\*\*Team\*\* 230"
    at = tools.accounts.audit.entries(1)[0].at
    assert table["When"][0].replace("\\", "").replace("\u2060", "") == time.strftime(
        "%Y-%m-%d %H:%M:%S", time.gmtime(at + 5.5 * 3_600)
    )
    app.pagination[0].set_value(3).run()
    assert len(app.table[0].value) == 30 and app.table[0].value["To what"][29] == r"\*\*Team\*\* 1"
    app.text_input(key="audit_search").set_value("team** 23").run()
    assert [target.replace("\\", "") for target in app.table[0].value["To what"]] == ["**Team** 230", "**Team** 23"]


def test_a_browser_that_says_no_zone_is_shown_utc(tools: Tools) -> None:
    app = page("admin", admin_tab="Audit")
    app.context["timezone"] = "Nowhere/At_all"
    assert "Times in UTC." in said(app.run())


def test_the_export_holds_everything_and_itself(tools: Tools) -> None:
    tools.admin.add_group("Crew")
    lines = list(csv.reader(io.StringIO(tools.admin.export_audit())))
    assert [line[2] for line in lines] == ["action", "group added", "audit log exported"]


def test_a_group_is_renamed_and_keeps_its_people(tools: Tools) -> None:
    crew = tools.admin.add_group("Crew")
    tools.admin.add_group("Pilots")
    tools.admin.change_members(crew, [tools.principal.person_id])
    app = page("admin", admin_tab="Groups").run()
    app.button(key=f"rename_{crew}").click().run()
    app.text_input(key="group_new_name").set_value("pilots")
    app.button(key="group_rename").click().run()
    assert "already a group" in words(app) and tools.accounts.people.groups()[crew] == "Crew"
    app.button(key=f"rename_{crew}").click().run()
    app.text_input(key="group_new_name").set_value("  Deck   hands ")
    app.button(key="group_rename").click().run()
    assert tools.accounts.people.groups()[crew] == "Deck hands"
    assert tools.accounts.people.members(crew) == {tools.principal.person_id}


# ---------------------------------------------------------------- health


def test_an_admin_sees_whether_the_app_works_and_what_it_takes(tools: Tools, source: Source) -> None:
    app = tab("Health")
    assert not app.exception and "The worker does not run" in str(app.error[0].value)  # as in every test of a page alone
    told = dict(app.table[0].value.itertuples(index=False))
    assert (
        told["Sources"] == "1 up to date"
        and int(told["Browsers signed in"]) >= 1
        and " free of " in told["Disk of the data folder"]
    )


def test_an_admin_sees_how_much_could_not_be_read(tools: Tools, source: Source, folder: Path) -> None:
    (folder / "empty.md").write_text("", "utf-8")
    read_again(tools, source)
    told = dict(tab("Health").table[0].value.itertuples(index=False))
    assert told["Sources"] == "1 up to date; 1 document could not be read"
