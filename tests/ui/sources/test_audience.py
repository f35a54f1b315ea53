"""Who may see a source: chosen when it is added and in its settings, told on its card."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jira_simulator import running
from tests.connectors.jira.world import TOKEN
from tests.ui.jira_site import EMAIL, add_jira, harbour
from tests.ui.opened import page, words
from tests.ui.people import ADMIN, MEMBER
from tree.store.models import Source
from ui.server.tools import Tools
from ui.sources import jira_adding
from ui.sources.audience import EVERYBODY, GROUPS, NOT_YOURS, TO_DO
from ui.sources.audience import in_words as audience_in_words

pytestmark = pytest.mark.usefixtures("each_database")


def said(app: AppTest) -> str:
    assert not app.exception
    return words(app).replace("\\", "").replace("\u2060", "")


@pytest.fixture
def crew(tools: Tools) -> str:
    return tools.admin.add_group("Crew & [pilots](http://x.example)")


def added(app: AppTest, folder: Path) -> AppTest:
    app.text_input(key="folder_path").set_value(str(folder)).run()
    return app.button(key="folder_add").click().run()


def test_a_folder_is_for_everybody_unless_somebody_says_otherwise(tools: Tools, folder: Path) -> None:
    app = added(page("sources").run(), folder)
    assert tools.sources.all()[0].audience is None and "Only " not in said(app)
    assert "Everybody who is signed in may see it. To narrow that, make a group" in said(app)


def test_a_folder_is_added_for_groups(tools: Tools, folder: Path, crew: str) -> None:
    app = page("sources").run()
    app.radio(key="folder_audience").set_value(GROUPS).run()
    added(app, folder)
    assert TO_DO in said(app) and tools.sources.all() == [], "for nobody, or for everybody, is not what was meant"
    app.multiselect(key="folder_groups").set_value([crew]).run()
    app.button(key="folder_add").click().run()
    assert tools.sources.all()[0].audience == [crew]
    assert f"Only Crew & [pilots](http://x.example) may see it. {NOT_YOURS}" in said(app)
    tools.admin.set_groups(tools.principal.person_id, [crew])
    app.run()
    assert "may see it" in said(app) and NOT_YOURS not in said(app)


def test_uploaded_files_are_for_groups_from_the_first_moment(tools: Tools, crew: str) -> None:
    app = page("sources").run()
    app.file_uploader[0].upload("note.md", b"# Note\n\nWords.\n", "text/markdown").run()
    app.radio(key="upload_audience").set_value(GROUPS).run()
    app.button(key="upload").click().run()
    assert TO_DO in app.error[0].value and tools.sources.all() == []
    assert not list(tools.workspace.home.glob("uploads/*"))
    app.multiselect(key="upload_groups").set_value([crew]).run()
    app.button(key="upload").click().run()
    assert tools.sources.all()[0].audience == [crew]


def test_a_jira_site_is_added_for_groups(tools: Tools, crew: str) -> None:
    with running(harbour()) as url:
        app = page("sources").run()
        for field, value in (("url", url), ("email", EMAIL), ("token", TOKEN)):
            app.text_input(key=f"jira0_{field}").set_value(value)
        app.button(key="jira0_check").click().run()
        assert app.session_state[jira_adding.SIGN_IN].task.ended.wait(20)
        app.run()
        app.multiselect(key="jira0_projects").set_value(["GANG"]).run()
        assert app.session_state[jira_adding.PREVIEW].task.ended.wait(20)
        app.radio(key="jira0_audience").set_value(GROUPS).run()
        assert app.button(key="jira0_add").disabled and TO_DO in words(app)
        app.multiselect(key="jira0_groups").set_value([crew]).run()
        app.button(key="jira0_add").click().run()
        assert tools.sources.all()[0].audience == [crew]


def settings(source: Source) -> AppTest:
    """What stands in the dialog; AppTest closes dialogs at every click."""

    def script(source_id: str) -> None:
        from tests.ui.people import tools_of
        from ui.shared import notices
        from ui.sources import jira_settings
        from ui.sources import settings as source_settings

        notices.draw()
        tools = tools_of()
        source = tools.sources.get(source_id)
        (jira_settings if source.kind == "jira" else source_settings).settings(tools, source)

    return AppTest.from_function(script, default_timeout=20, args=(source.id,)).run()


@pytest.fixture(params=["folder", "pdf", "jira"])
def any_source(request: pytest.FixtureRequest, tools: Tools, folder: Path):
    if request.param != "jira":
        yield tools.sources.add(request.param, "Team", {"path": str(folder)})
        return
    with running(harbour()) as url:
        yield add_jira(tools, url)


def test_the_settings_of_every_kind_say_who_may_see_it(tools: Tools, any_source: Source, crew: str) -> None:
    app = settings(any_source)
    key = f"settings_{any_source.id}"
    assert app.radio(key=f"{key}_audience").value == EVERYBODY
    app.radio(key=f"{key}_audience").set_value(GROUPS).run()
    app.button(key="audience_save").click().run()
    assert app.error[0].value == TO_DO and tools.sources.get(any_source.id).audience is None
    app.multiselect(key=f"{key}_groups").set_value([crew]).run()
    assert NOT_YOURS in said(app)
    app.button(key="audience_save").click().run()
    assert tools.sources.get(any_source.id).audience == [crew]
    assert "may now be seen by Crew & [pilots]" in said(app)
    app = settings(any_source)
    assert app.multiselect(key=f"{key}_groups").value == [crew]
    app.radio(key=f"{key}_audience").set_value(EVERYBODY).run()
    app.button(key="audience_save").click().run()
    assert tools.sources.get(any_source.id).audience is None


def test_a_source_whose_groups_were_deleted_is_for_nobody_and_says_so(tools: Tools, source: Source, crew: str) -> None:
    tools.admin.set_audience(source.id, [crew])
    tools.admin.delete_group(crew)
    app = page("sources").run()
    assert "Nobody may see it: its groups were deleted" in said(app)
    app = settings(source)
    assert app.radio(key=f"settings_{source.id}_audience").value == GROUPS
    app.button(key="audience_save").click().run()
    assert app.error[0].value == TO_DO and tools.sources.get(source.id).audience == [crew]


def test_groups_are_told_in_words() -> None:
    names = {"a": "Ada's", "b": "Ben's", "c": "Cy's"}
    assert [audience_in_words(ids, names) for ids in (["a"], ["b", "a"], ["c", "b", "a", "z"], [])] == [
        "Ada's", "Ada's and Ben's", "Ada's, Ben's and Cy's", ""
    ]  # fmt: skip


def test_the_open_page_of_somebody_who_is_no_admin_any_more_shows_no_source(tools: Tools, source: Source) -> None:
    """The cards draw themselves again and again, without the page around them, which looked whether it is an admin."""

    def cards(who: str) -> None:
        from tests.ui.people import tools_of
        from ui.shared.admins import for_admins
        from ui.sources import page as sources_page

        tools = tools_of(who)
        for_admins(sources_page._cards, tools, False, [source.id for source in tools.sources.all()])

    shown = {who: said(AppTest.from_function(cards, default_timeout=20, args=(who,)).run()) for who in (ADMIN, MEMBER)}
    assert "Team" in shown[ADMIN] and "Team" not in shown[MEMBER] and "Only an admin can do this" in shown[MEMBER]
