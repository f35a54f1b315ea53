"""What changed in the knowledge: told by day, to those who may see it, and handed on as a digest."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa

from jira_simulator import running
from tests.ui.conftest import read_again
from tests.ui.jira_site import add_jira, harbour, read
from tests.ui.opened import html
from tests.ui.opened import page as opened_page
from tests.ui.people import MEMBER, tools_of
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.browse.activity import FIRST_READ, Activity, find_activity
from tree.store.models import Source, Version, table_of
from tree.store.models import Source as SourceRow
from ui.activity.digest import as_markdown
from ui.server.tools import Tools

TODAY = datetime.now(UTC).date()


def activity(tools: Tools, first: date = TODAY - timedelta(days=6), last: date = TODAY, **where: str) -> Activity:
    return find_activity(tools.workspace, tools.principal, first, last, UTC, **where)


def told(found: Activity) -> set[tuple[str, str]]:
    return {(entry.how, entry.words) for entry in found.entries}


@pytest.fixture
def aged(tools: Tools, source: Source) -> Source:
    """The source as if it had been added and read ten days ago."""
    then = datetime.now(UTC).timestamp() - 10 * 86_400
    with tools.workspace.database.write() as connection:
        connection.execute(sa.update(table_of(SourceRow)).values(created_at=then))
        connection.execute(sa.update(table_of(Version)).values(published_at=then))
    return source


def test_what_was_added_changed_and_removed_is_told_with_where_it_is(tools: Tools, aged: Source, folder: Path) -> None:
    (folder / "glossary.md").write_text("# Glossary\n\n**Drift**: another meaning.\n")
    (folder / "new.md").write_text("# New\n\nSomething new.\n")
    (folder / "decisions/0007-queue.md").unlink()
    read_again(tools, aged)
    found = activity(tools)
    assert told(found) == {("changed", "Glossary"), ("added", "New"), ("removed", "0007: Message queue")}
    places = {entry.words: entry.place for entry in found.entries}
    assert places["New"] == f"{aged.id}/new.md" and places["0007: Message queue"] == ""
    assert activity(tools, TODAY - timedelta(days=9), TODAY - timedelta(days=1)).entries == []
    digest = as_markdown(found, TODAY - timedelta(days=6), TODAY)
    assert "New was added (Team)" in digest and digest.count("\n- ") == 3


def test_what_was_removed_and_put_back_is_told_so(tools: Tools, aged: Source, folder: Path) -> None:
    glossary, queue, page = (folder / name for name in ("glossary.md", "decisions/0007-queue.md", "notes/page.html"))
    before = {file: file.read_text() for file in (glossary, queue, page)}
    glossary.write_text("# Glossary\n\n**Drift**: another meaning.\n")
    page.write_text("<html><body><h1>Cellar</h1><p>The keys are gone.</p></body></html>")
    read_again(tools, aged)
    page.write_text("<html><body><h1>Cellar</h1><p>The keys are back.</p></body></html>")
    for file in (glossary, queue):
        file.unlink()
    read_again(tools, aged)
    for file in (glossary, queue):
        file.write_text(before[file])
    read_again(tools, aged)
    digest = as_markdown(activity(tools), TODAY, TODAY)
    assert "Glossary was changed, removed and added again (Team)" in digest
    assert "0007: Message queue was removed and added again (Team)" in digest
    assert "was changed 2 times (Team)" in digest and digest.count("\n- ") == 3


def test_what_was_put_back_with_other_words_was_changed_too(tools: Tools, aged: Source, folder: Path) -> None:
    (folder / "glossary.md").unlink()
    read_again(tools, aged)
    (folder / "glossary.md").write_text("# Glossary\n\n**Drift**: another meaning.\n")
    read_again(tools, aged)
    assert "Glossary was removed, added again and changed (Team)" in as_markdown(activity(tools), TODAY, TODAY)


def test_all_that_was_read_of_a_new_source_is_one_line(tools: Tools, source: Source, folder: Path) -> None:
    (folder / "glossary.md").write_text("# Glossary\n\n**Drift**: another meaning.\n")
    read_again(tools, source)
    assert told(activity(tools)) == {(FIRST_READ, "4 documents"), ("changed", "Glossary")}


def test_days_are_those_of_the_viewer(tools: Tools, source: Source) -> None:
    moment = datetime.fromtimestamp(tools.workspace.store.versions.with_changes(limit=1)[0].published_at, UTC)
    for hours in (-12, 14):
        zone = timezone(timedelta(hours=hours))
        [entry] = find_activity(
            tools.workspace, tools.principal, moment.astimezone(zone).date(), moment.astimezone(zone).date(), zone
        ).entries
        assert entry.at.utcoffset() == timedelta(hours=hours)


def test_nobody_hears_of_a_source_that_is_not_for_them(tools: Tools, source: Source) -> None:
    tools.admin.set_audience(source.id, [])
    member = tools_of(MEMBER)
    assert activity(member).entries == [] and activity(member, source_id=source.id).entries == []
    page = opened_page("activity", MEMBER).run()
    assert not page.exception and "no source that you may see" in page.markdown[0].value


def test_the_page_shows_the_days_with_links(tools: Tools, aged: Source, folder: Path) -> None:
    (folder / "a <img src=x> & c.txt").write_text("Only words.\n")
    read_again(tools, aged)
    page = opened_page("activity").run()
    assert not page.exception
    drawn = "".join(html(page))
    assert "&lt;img src=x&gt; &amp; c" in drawn and "<img" not in drawn and 'href="tree?at=' in drawn


def test_one_branch_has_a_page_and_a_digest_of_its_own(tools: Tools, aged: Source, folder: Path) -> None:
    (folder / "runbooks/restart.md").write_text("# Restart\n\nPress the green button.\n")
    (folder / "glossary.md").write_text("# Glossary\n\n**Drift**: another meaning.\n")
    read_again(tools, aged)
    of_branch = opened_page("activity", at=f"{aged.id}/runbooks/").run()
    assert "Restart" in "".join(html(of_branch)) and "Glossary" not in "".join(html(of_branch))
    of_branch.button(key="activity-branch").click().run()
    assert "Glossary" in "".join(html(of_branch))
    found = activity(tools, place=f"{aged.id}/runbooks/")
    assert "# What changed in runbooks from " in as_markdown(found, TODAY, TODAY, "runbooks")


def test_a_branch_that_is_not_for_one_looks_like_none(tools: Tools, aged: Source) -> None:
    tools.admin.set_audience(aged.id, [])
    shown = [opened_page("activity", MEMBER, at=f"{at}/runbooks/").run() for at in (aged.id, "nothing")]
    assert [str(one.main).replace(aged.id, "nothing") for one in shown][0] == str(shown[1].main)


def test_a_ticket_that_was_restricted_is_told_by_its_key_alone(tools: Tools) -> None:
    site = harbour()
    with running(site) as url:
        source = add_jira(tools, url)
        then = datetime.now(UTC).timestamp() - 10 * 86_400
        with tools.workspace.database.write() as connection:
            connection.execute(
                sa.update(table_of(SourceRow)).where(table_of(SourceRow).c.id == source.id).values(created_at=then)
            )
            connection.execute(sa.update(table_of(Version)).values(published_at=then))
        site.clock.advance(600)
        for key in ("GANG-2", "GANG-3"):
            site.edit(key, summary=f"Merger of lamp {key[-1]}")
        read(tools, source)
        assert {"GANG-2 Merger of lamp 2", "GANG-3 Merger of lamp 3"} <= {
            words for how, words in told(activity(tools)) if how == "changed"
        }
        site.clock.advance(600)
        site.add_level("Board", [])
        site.restrict("GANG-2", "Board")
        read(tools, source)
    found = told(activity(tools))
    assert ("removed", "GANG-2") in found and ("changed", "GANG-3 Merger of lamp 3") in found
    assert not any("lamp 2" in words for _, words in found)
    answer = next(one for one in ask(tools.workspace, "What changed today?", principal=OPERATOR) if isinstance(one, Answer))
    assert "GANG\\-2 was removed" in answer.text and "lamp 2" not in answer.text
