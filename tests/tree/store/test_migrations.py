"""A data folder of today opens in every later release: its steps are never changed, and what is not known is said in words."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest

from ingestion.sources import Sources
from ingestion.sync import sync, verify
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.reading import open_folder
from tree.accounts.accounts import open_accounts
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.store import migrations
from tree.store.chats import Chats
from tree.store.database import Database, StoreError
from tree.workspace import DATABASE_VARIABLE, open_workspace

LAYOUTS = Path(__file__).parent / "layouts"
# A step that is on the main branch stands here and is never changed again; what comes later is a step of its own.
STEPS = {
    "0001_first": "e0404e222475690e72a52c682b566ce6d2bec942936f3bd0dda1a17273ceff63",
    "0002_kept_documents": "9f903ac10e6606aac38d3c3b76ef5655efb607fd69d3bf7b7b00e168889e4905",
    "0003_approval": "fafac543693820ef3d85319bc6942f62963f43af6196a2b8697971f91b219165",
    "0004_accounts": "944b382e2106deee6efb61d18cbb18caf9713a1735deb4e2a4c7e118bc2dac19",
    "0005_chat_actions": "8c7b0af44919fbc8f75595ed3604379d5558e89d340b4b9421e2742bb2e099cf",
    "0006_ordinals": "61dcb1ffbc1e48534265971283c9220bfbc871cb94ac62102cea6fd314b3da97",
    "0007_session_end": "942096a98acb93697861b9c84855b259d0236d6e491d688beb954a79213c378d",
    "0008_asked": "1c584bbc566fbc54b2222a35c574d8aee6d4de80457a249d28002dcc7f33be8a",
    "0009_answer_versions": "b1edc3b2cb75904e735d7c84bed31cebb2206e7c425ab87069f92065fc2d1c61",
    "0010_first_read": "b4a078eeab50a3a47fcbba88c704b4f1afade3b7ba95e62db2fe79909e0cdd11",
    "0011_following": "3e4d56c484a512bb35bb243256c18f3de74d2c98750d9d5d0e679e8ec27b07ff",
    "0012_chat_files": "a3b6c3ad4478f9a3e29c4e015fe99321f85bc1773f522703b1a1b152620db994",
    "0013_answered_by": "049f4e808b667fb080dc7c1513205eb2b21b86892f336b3d50fc5d6ee04f76c8",
    "0014_counted": "9cbe5b593b4aef63c91fe8c1dfd831041858688be23af462f53bd6572715e1aa",
    "0015_any_case": "9ae9b9e0b414a8c5b7335c26ece133edcf72bf2a1f8dd36950af3a173c3d9e12",
}

OF_POSTGRESQL = {
    "0012_chat_files": "0b72eaecadee1184da5954e1d2c5bc88b7102822264ae641ef56c7eb630d9802",
    "0013_answered_by": "c93c7e2119d85e69bccd231b3606999cf7591efcaa329b72b7675cc7a327e826",
    "0015_any_case": "d2cbb766297610a96a4703bc33b363a202d96d93d1744270ab2afa8e0f6eb655",
    "0016_moved": "58275b575f96030c9d6b1cf57550c064f86ab81183a3ba6b7585f6ed12b0eebd",
}


def _load(home: Path, layout: str) -> None:
    """A database as a release wrote it."""
    home.mkdir()
    with closing(sqlite3.connect(home / "knowledge.db")) as connection:
        connection.executescript((LAYOUTS / f"{layout}.sql").read_text(encoding="utf-8"))


def test_no_step_of_a_release_is_changed() -> None:
    found = {step.stem: sha256(step.read_bytes()).hexdigest() for step in migrations.steps()}
    own = {step.stem: sha256(step.read_bytes()).hexdigest() for step in migrations.steps("postgresql")}
    assert (found, own) == (
        STEPS,
        {name: print_ for name, print_ in STEPS.items() if name > min(OF_POSTGRESQL)} | OF_POSTGRESQL,
    ), "A step was changed: put it back and write a new one. Or it is new: add its fingerprint to this test."


@pytest.mark.parametrize("layout", ["release_1", "before_claims_by_place", "before_settings", "earliest"])
def test_a_data_folder_of_an_earlier_release_opens_answers_and_syncs(tmp_path, layout) -> None:
    _load(tmp_path / "home", layout)
    opened = open_workspace(tmp_path / "home")
    [answer] = [event for event in ask(opened, "What is green?", principal=OPERATOR) if isinstance(event, Answer)]
    assert answer.verdict != "none" and "pump" in answer.text and answer.citations
    [chat] = Chats(opened.database).rows.recent("")
    assert chat.title == "What is green?" and Chats(opened.database).turns.of_chat(chat.id)[0].answer
    sources = Sources(opened.database)
    [source] = sources.all()
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "pump.md").write_text("# The pump\n\nThe pump is blue.\n")
    sources.configure(source.id, {"path": str(folder)})
    sync(opened, sources, sources.get(source.id), None, open_folder(path=str(folder)))
    assert opened.store.documents.ids(source.id) == {"pump.md"} and verify(opened, source).is_equal
    assert opened.model.spent() == [] and opened.model.choice().settings is None
    opened.close()
    with Database(tmp_path / "home").read() as connection:
        fresh = migrations.layout_after(frozenset(STEPS))
        found = migrations.layout(connection)
    assert found.indexes == fresh.indexes
    assert {name: set(found.tables[name]) for name in fresh.tables} == {name: set(fresh.tables[name]) for name in fresh.tables}


def test_people_of_an_earlier_layout_sign_in_and_see_what_they_may(tmp_path) -> None:
    _load(tmp_path / "home", "with_accounts")
    opened = open_workspace(tmp_path / "home")
    accounts, [source] = open_accounts(opened.database), opened.store.sources.askable()
    ada, ben = (accounts.people.signed_in_with(f"{name}@example.org", "a heron on the slipway") for name in ("ada", "ben"))
    assert ada.is_admin and not ben.is_admin and accounts.audit.entries()[0].action == "person invited"
    assert accounts.people.principal(ben.id).may_see(source) and not accounts.people.principal(ada.id).may_see(source)
    assert [token.name for token in accounts.tokens.of(ben.id)] == ["a program"]
    [answer] = [e for e in ask(opened, "What is green?", principal=accounts.people.principal(ben.id)) if isinstance(e, Answer)]
    assert "pump" in answer.text and [chat.title for chat in Chats(opened.database).rows.recent(ada.id)] == ["What is green?"]
    opened.close()


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
def test_a_database_of_an_earlier_release_on_a_server_opens_answers_and_syncs(tmp_path, monkeypatch) -> None:
    with new_database(is_laid_out=False) as url, new_database() as fresh:
        with psycopg.connect(url.replace("+psycopg", "")) as connection:
            connection.execute((LAYOUTS / "postgresql_first.sql").read_text(encoding="utf-8"))
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        opened = open_workspace(tmp_path / "home")
        accounts, [source] = open_accounts(opened.database), Sources(opened.database).all()
        ada = accounts.people.signed_in_with("ada@example.org", "a heron on the slipway")
        assert ada.is_admin and len(accounts.people.all()) == 2
        [chat] = Chats(opened.database).rows.recent(ada.id)
        [turn] = Chats(opened.database).turns.of_chat(chat.id)
        assert turn.question == "What is green? A NUL: \0" and turn.answer["answer"] == "The pump \x01 is green."
        [answer] = [event for event in ask(opened, "What is green?", principal=OPERATOR) if isinstance(event, Answer)]
        assert answer.verdict != "none" and "pump" in answer.text and answer.citations
        assert opened.store.documents.ids(source.id) == {"pump.md", "quay/crane.md"} and verify(opened, source).is_equal
        sources, folder = Sources(opened.database), tmp_path / "docs"
        folder.mkdir()
        (folder / "pump.md").write_text("# The pump\n\nThe pump is blue.\n")
        sources.configure(source.id, {"path": str(folder)})
        sync(opened, sources, sources.get(source.id), None, open_folder(path=str(folder)))
        assert "pump.md" in opened.store.documents.ids(source.id) and verify(opened, source).is_equal
        opened.close()
        assert _layout_of(url) == _layout_of(fresh)


def _layout_of(url: str) -> list[tuple]:
    """Columns, indexes and functions of a database, but for the order of columns."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        columns = "SELECT table_name, column_name, data_type, is_nullable, collation_name, column_default FROM information_schema.columns"
        return [
            *connection.execute(f"{columns} WHERE table_schema = 'public' ORDER BY 1, 2").fetchall(),
            *connection.execute("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1").fetchall(),
            *connection.execute(
                "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1"
            ).fetchall(),
            *connection.execute("SELECT name FROM migration ORDER BY 1").fetchall(),
        ]


def test_a_missing_table_is_made(tmp_path) -> None:
    Database(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "knowledge.db")) as connection:
        connection.execute("DROP TABLE setting")
    with Database(tmp_path).read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM setting").scalar_one() == 0


@pytest.mark.parametrize(
    "harm", ["DROP TABLE source", "DROP TABLE document", "ALTER TABLE leaf RENAME COLUMN key TO name", "DROP TABLE migration"]
)
def test_a_layout_that_is_not_known_is_said_in_words(tmp_path, harm) -> None:
    Database(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "knowledge.db")) as connection:
        connection.execute(harm)
    with pytest.raises(StoreError, match="Move|move|Choose"):
        Database(tmp_path)


def test_a_database_of_another_program_is_not_touched(tmp_path) -> None:
    with closing(sqlite3.connect(tmp_path / "knowledge.db")) as connection:
        connection.execute("CREATE TABLE recipe (name TEXT)")
    with pytest.raises(StoreError, match="recipe"):
        Database(tmp_path)
    with closing(sqlite3.connect(tmp_path / "knowledge.db")) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipe",)]
