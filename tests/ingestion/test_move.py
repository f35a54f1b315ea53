"""The database of a data folder goes to PostgreSQL and comes back, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest
import sqlalchemy as sa

from ingestion.backup import back_up, restore
from ingestion.move import move
from ingestion.sources import Sources
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tree.accounts.accounts import open_accounts
from tree.store.chats import Chats
from tree.store.database import Database, StoreError
from tree.store.models import NodeRow, Turn, Version, table_of
from tree.workspace import DATABASE_VARIABLE, Workspace, open_workspace, workspace

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)


@pytest.fixture
def url() -> Iterator[str]:
    with new_database(is_laid_out=False) as made:
        yield made


@pytest.fixture
def home(tmp_path: Path) -> Path:
    docs = Following(tmp_path)
    for number in range(25):
        docs.write(f"quay/{number}.md", f"# Note {number}\n\nThe pump number {number} stands by gate {number * 7}.\n")
    docs.sync()
    docs.write("quay/3.md", "# Note 3\n\nThe crane \x01 is blue.\n")
    docs.sync("quay/3.md")
    open_accounts(docs.workspace.database).people.add("ada@example.org", "Ada", "a heron on the slipway", is_admin=True)
    chats = Chats(docs.workspace.database)
    chats.running.begin("What stands by gate 49?", owner="ada")
    turn = chats.running.begin("A NUL: \0", owner="ada")
    chats.running.finish(turn.id, "done", {"answer": "a \0 and a \x01", "verdict": "complete", "sources": [docs.source.id]})
    docs.sources.set_audience(docs.source.id, ["g"])
    docs.workspace.close()
    return docs.workspace.home


def _everything(opened: Workspace) -> dict[str, list[tuple[object, ...]]]:
    with opened.database.read() as connection:
        tables = {table.name: table for model in (NodeRow, Version, Turn) for table in [table_of(model)]}
        found = {name: connection.execute(sa.select(t).order_by(*t.primary_key.columns)).all() for name, t in tables.items()}
    return {name: [tuple(row) for row in rows] for name, rows in found.items()}


def test_a_data_folder_goes_to_a_server_and_back_with_all_it_holds(home, url, monkeypatch) -> None:
    with workspace(home) as opened:
        before = _everything(opened)
    moved = move(home, url)
    assert moved.trees == 1 and moved.rows > 100 and "tree@" not in moved.identity
    with pytest.raises(StoreError, match=f"moved to .*{DATABASE_VARIABLE}"):
        Database(home)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with workspace(home) as opened:
        assert _everything(opened) == before
        turn = Chats(opened.database).running.begin("What is new?", owner="ada")  # rows are numbered on from those that came
        [source] = Sources(opened.database).all()
        assert source.audience == ["g"] and opened.store.versions.newest() == source.published
        after = _everything(opened)
    move(home, "file")
    monkeypatch.delenv(DATABASE_VARIABLE)
    with workspace(home) as opened:
        assert _everything(opened) == after and Chats(opened.database).turns.get(turn.id).question == "What is new?"


def test_whoever_has_the_folder_open_is_told_that_it_was_moved_and_loses_nothing(home, url, monkeypatch) -> None:
    with workspace(home) as opened:
        chats, asked, is_over = Chats(opened.database), [], Event()

        def ask() -> None:
            with suppress(StoreError):
                while not is_over.is_set():
                    asked.append(chats.running.begin("What is new?", owner="ada").id)

        asking = Thread(target=ask)
        asking.start()
        move(home, url)
        is_over.set()
        asking.join()
        for use in (
            lambda: chats.running.begin("What is new?", owner="ada"),
            opened.database.check_readable,
            opened.store.versions.newest,
        ):
            with pytest.raises(StoreError, match=f"moved to .*{DATABASE_VARIABLE}"):
                use()
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    with workspace(home) as opened:
        assert [turn for turn in asked if Chats(opened.database).turns.get(turn) is None] == []


def test_numbers_go_on_behind_those_that_were_copied(home, url) -> None:
    move(home, url)
    with Database(home, url=url).write() as connection:
        numbers = [
            connection.execute(
                sa.insert(table_of(Version)).values(source_id="s", published_at=0, titles=[])
            ).inserted_primary_key[0]
            for _ in range(2)
        ]
        last = connection.scalar(sa.select(sa.func.max(table_of(Version).c.number)))
        assert numbers == [last - 1, last]


def test_what_is_not_empty_is_not_written_over(home, url, tmp_path) -> None:
    opened = open_workspace(tmp_path / "other", url=url)
    Chats(opened.database).running.begin("Whose is this?", owner="ben")
    opened.close()
    with pytest.raises(StoreError, match="not empty"):
        move(home, url)
    Database(home).close()  # it is still where it was


def test_a_wrong_folder_or_url_is_told_in_words(home, url, tmp_path) -> None:
    with pytest.raises(StoreError, match="not a data folder"):
        move(tmp_path / "nothing", url)
    for wrong in ("mysql://tree@host/tree", "nonsense", "postgresql://tree@127.0.0.1:1/none"):
        with pytest.raises(StoreError) as told:
            move(home, wrong)
        assert DATABASE_VARIABLE in str(told.value) or "cannot be reached" in str(told.value)
    with pytest.raises(StoreError, match="already"):
        move(home, "file")


def test_a_backup_of_a_server_fills_a_folder(home, url, monkeypatch, tmp_path) -> None:
    move(home, url)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    back_up(home, tmp_path / "b.tar.gz", with_key=True)
    monkeypatch.delenv(DATABASE_VARIABLE)
    assert restore(tmp_path / "b.tar.gz", tmp_path / "new").sources == 1
    with workspace(tmp_path / "new") as opened:
        assert [chat.owner for chat in Chats(opened.database).rows.recent("ada")] == ["ada", "ada"]
