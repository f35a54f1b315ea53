"""The tasks of the workers on the Admin page: only with PostgreSQL, only for admins, and written to the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from ingestion.tasks.board import SHOWN, TaskBoard
from ingestion.tasks.layout import in_schema
from ingestion.tasks.plan import plan
from ingestion.tasks.waking import board_of
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ui.opened import add_folder, open_tools, page, words
from tests.ui.people import MEMBER, sign_in, tools_of
from tree.store.database import StoreError
from tree.workspace import DATABASE_VARIABLE
from ui.server import health
from ui.server import tools as opened
from ui.server.administration import NotAllowed
from ui.server.middleware import middleware
from ui.server.tools import Tools


class Living:
    """A worker that is well."""

    restarts, is_alive = 0, True


def tab() -> AppTest:
    app = page("admin", admin_tab="Tasks").run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return words(app).replace("\\", "").replace("\u2060", "")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tools]:
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        tools = open_tools(monkeypatch, tmp_path / "home")
        add_folder(tools, tmp_path / "docs", {"a.md": "# A\n\nText.\n"}, "Harbour *papers*")
        plan(tools.workspace, tools.sources, board(tools), lambda source: True)
        yield tools
        opened.close()


def board(tools: Tools) -> TaskBoard:
    found = board_of(tools.workspace.database)
    assert found is not None
    return found


def execute(tools: Tools, statement: str) -> None:
    with in_schema(tools.workspace.database.backend.server).connect(psycopg.Connection) as connection:
        connection.execute(statement)


def test_with_a_data_folder_alone_there_is_no_such_tab(home: Path) -> None:
    app = page("admin").run()
    assert [one.label for one in app.tabs] == [
        "People",
        "Groups",
        "Questions",
        "Audit",
        "Health",
    ] and not tools_of().admin.has_tasks


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_what_failed_runs_and_waits_is_told_with_its_reason(tools: Tools) -> None:
    key = next(key for key in board(tools).standing() if key.startswith("sync"))
    task = board(tools).standing()[key]
    board(tools).note_failure(task.id, "The folder /srv/harbour is not there.")
    execute(tools, f"UPDATE procrastinate_jobs SET attempts = 3, scheduled_at = now() + interval '1 hour' WHERE id = {task.id}")
    execute(tools, "UPDATE procrastinate_jobs SET status = 'doing' WHERE task_name = 'watch'")
    shown = said(tab())
    assert "No worker lives" in shown and "The folder /srv/harbour is not there." in shown and "failed 3 times" in shown
    assert "Sync Harbour *papers*" in shown and "Watch Harbour *papers*" in shown and "plan" not in shown


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_a_task_is_cancelled_and_tried_again_and_both_are_in_the_audit_log(tools: Tools) -> None:
    key = next(key for key in board(tools).standing() if key.startswith("sync"))
    app = tab()
    app.button(key=f"cancel_{board(tools).standing()[key].id}").click().run()
    assert key not in board(tools).standing() and "**Cancelled**" in said(app)
    [cancelled] = [task for task in board(tools).shown() if task.key == key]
    app.button(key=f"again_{cancelled.id}").click().run()
    assert board(tools).standing()[key].status == "todo" and "**Cancelled**" not in said(app)
    assert [(entry.action, entry.target) for entry in tools.accounts.audit.entries(2)] == [
        ("task tried again", key), ("task cancelled", key),
    ]  # fmt: skip
    with pytest.raises(StoreError, match="is done"):
        tools.admin.cancel_task(cancelled.id)


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_of_very_many_tasks_those_that_failed_are_seen_and_all_are_counted(tools: Tools) -> None:
    key = next(key for key in board(tools).standing() if key.startswith("sync"))
    board(tools).note_failure(board(tools).standing()[key].id, "The folder /srv/harbour is not there.")
    execute(
        tools,
        "INSERT INTO procrastinate_jobs (queue_name, task_name, status, args) "
        f"SELECT 'changes', 'sync', 'todo', '{{}}' FROM generate_series(1, {3 * SHOWN})",
    )
    app = tab()
    shown = said(app)
    assert "The folder /srv/harbour is not there." in shown and f"{SHOWN:,} of {3 * SHOWN + 1:,} are listed." in shown
    [counted] = [table.value for table in app.table]
    assert counted["Waiting"].tolist()[2] == 3 * SHOWN and counted["Failed"].tolist()[1] == 1


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_sources_that_no_worker_has_room_to_watch_are_told(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LATE_SECONDS", -1)
    with TestClient(Starlette(routes=health.routes(), middleware=middleware()), base_url="http://127.0.0.1") as client:
        health.watch(Living())
        assert "cannot be watched" not in said(tab()) and client.get("/health").text == "ok"
        execute(tools, "UPDATE procrastinate_events SET at = now() - interval '2 minutes'")
        execute(tools, "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now())")
        assert "1 source cannot be watched" in said(tab()) and "Start another worker" in said(tab())
        answer = client.get("/health")
        health.watch(None)
    assert (answer.status_code, answer.text) == (200, "unwatched"), "a restart would mend nothing"


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_watches_are_folded_and_hide_nothing_else_that_runs(tools: Tools) -> None:
    execute(tools, "UPDATE procrastinate_jobs SET status = 'doing' WHERE task_name = 'sync'")
    execute(
        tools,
        "INSERT INTO procrastinate_jobs (queue_name, task_name, status, args) "
        f"SELECT 'watches', 'watch', 'doing', '{{}}' FROM generate_series(1, {3 * SHOWN})",
    )
    execute(tools, "INSERT INTO procrastinate_workers (last_heartbeat) SELECT now() FROM generate_series(1, 7)")
    app = tab()
    shown = said(app)
    assert "**Running**" in shown and "Sync Harbour *papers*" in shown and "2 workers share these tasks." in shown
    [watching] = [folded for folded in app.expander if folded.label.startswith("Watching")]
    assert watching.label == f"Watching: {3 * SHOWN:,}" and len(watching.button) == SHOWN


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_an_app_whose_own_worker_died_is_well_as_long_as_another_one_lives(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LATE_SECONDS", -1)
    health.watch(None)
    assert health.trouble() == "worker"
    execute(tools, "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now())")
    assert health.trouble() is None
    [table] = page("admin", admin_tab="Health").run().table
    rows = dict(zip(table.value["What"], table.value["Now"], strict=True))
    assert rows["Workers"] == "1 on all machines" and rows["Worker of this app"].startswith("does not run now")


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_metrics_tell_of_tasks_and_workers(tools: Tools) -> None:
    execute(tools, "INSERT INTO procrastinate_workers (last_heartbeat) SELECT now() FROM generate_series(1, 7)")
    with TestClient(Starlette(routes=health.routes(), middleware=middleware()), base_url="http://127.0.0.1") as client:
        lines = sign_in(client).get("/metrics").text.splitlines()
    for expected in ('knowledge_tree_tasks{queue="watches",state="waiting"} 1', 'knowledge_tree_tasks{queue="looks",state="waiting"} 1',
                     "knowledge_tree_workers 2"):  # fmt: skip
        assert expected in lines


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_a_member_learns_nothing_of_tasks(tools: Tools) -> None:
    member = tools_of(MEMBER)
    task = next(iter(board(tools).standing().values()))
    for action in (member.admin.tasks, lambda: member.admin.cancel_task(task.id), lambda: member.admin.try_task_again(task.id)):
        with pytest.raises(NotAllowed):
            action()
    assert board(tools).task(task.id).status == "todo"


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_files_of_a_chat_are_not_named(tools: Tools, tmp_path: Path) -> None:
    tools.sources.add("folder", "Divorce papers", {"path": str(tmp_path / "docs")}, chat_id="c1")
    plan(tools.workspace, tools.sources, board(tools), lambda source: True)
    shown = said(tab())
    assert "files of a chat" in shown and "Divorce" not in shown
