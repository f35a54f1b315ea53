"""What is looked for whatever the case of its letters is found so in any alphabet, on each database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.ingestion.workspaces import Following
from tree.accounts.accounts import open_accounts
from tree.accounts.principal import OPERATOR
from tree.ask.direct.folder_answer import find_folders
from tree.ask.snapshot.snapshot import open_snapshot
from tree.store.chats import Chats
from tree.store.database import Database
from tree.workspace import open_database

WORDS = ("Ärztin", "Straße", "Éclair", "ΟΔΟΣ", "Москва", "100%_\\", "İzmir")


@pytest.fixture
def database(tmp_path: Path, each_database) -> Iterator[Database]:
    opened = open_database(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def docs(tmp_path: Path, each_database) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


@pytest.mark.parametrize("word", WORDS)
def test_chats_and_the_audit_log_are_searched(database: Database, word: str) -> None:
    chats, audit = Chats(database), open_accounts(database).audit
    titled, answered = chats.running.begin(f"What of {word} here?", owner="ada"), chats.running.begin("What else?", owner="ada")
    chats.running.begin("Nothing of it", owner="ada")
    chats.running.finish(answered.id, "done", {"answer": f"It is {word}.", "verdict": "answered", "citations": []})
    audit.write("source paused", f"of {word} alone")
    audit.write("source paused", "of others")
    for said in (word, word.upper(), word.lower(), word.casefold()):
        assert {chat.id for chat in chats.rows.recent("ada", containing=said)} == {titled.chat_id, answered.chat_id}, said
        assert [entry.target for entry in audit.entries(containing=said)] == [f"of {word} alone"] and audit.count(said) == 1, said
    assert chats.rows.recent("ada", containing=f"{word}x") == [] and chats.rows.recent("ben", containing=word) == []


@pytest.mark.parametrize("word", ["Übersicht", "Straße", "Москва"])
def test_folders_and_documents_are_named(docs: Following, word: str) -> None:
    docs.write(f"a/{word}/pump.md", "# Pump\n\nThe pump is green.\n")
    docs.write(f"a/{word}.md", "# Gate\n\nThe gate is shut.\n")
    docs.sync()
    store, ids = docs.workspace.store, [docs.source.id]
    for said in (word, word.upper(), word.casefold()):
        assert len(find_folders(open_snapshot(docs.workspace, OPERATOR), said)) == 1, said
        assert [one.title for one in store.documents.called(ids, f"{said}.md")] == ["Gate"], said
    assert find_folders(open_snapshot(docs.workspace, OPERATOR), word[1:]) == []


def test_whether_a_chat_has_files_is_found_by_indexes(tmp_path: Path) -> None:
    database, plans = Database(tmp_path), []
    chats = Chats(database)
    first = chats.running.begin("What of it?", owner="ada")
    chats.rows.branch(first.id, "ada")

    def explain(_connection: object, cursor: sa.engine.interfaces.DBAPICursor, statement: str, parameters: tuple, *_: object) -> None:  # fmt: skip
        plans.extend(row[3] for row in cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters))

    sa.event.listen(database.backend.writing, "before_cursor_execute", explain)
    assert chats.rows.has_files_of(first.chat_id) and chats.rows.has_files_of(first.chat_id, "ada")
    assert not chats.rows.has_files_of("another") and not chats.rows.has_files_of(first.chat_id, "ben")
    assert plans and not [plan for plan in plans if plan.startswith("SCAN") or "ix_chat_owner" in plan], plans
    database.close()
