"""The checks of the truth bench on PostgreSQL: they see what is there, and a commit of the driver is a commit point."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from bench.crash import Countdown, Kill, traced_in_postgresql
from bench.databases import copied_database, own_database
from bench.integrity import dangling, left_behind, tables_with
from bench.truth import replay
from tests.databases import LEFT_OUT, SERVER
from tests.ingestion.workspaces import Following
from tree.workspace import DATABASE_VARIABLE, database_url, open_workspace

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)


@pytest.fixture(autouse=True)
def server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, f"{SERVER}/truth")


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    with own_database():
        docs = Following(tmp_path)
        for name in ("pump", "gate"):
            docs.write(f"plans/{name}.md", f"# {name.title()}\n\nWe decided to call the {name} {name}canary from now on.\n")
        docs.sync()
        yield docs
        docs.workspace.close()


def databases() -> set[str]:
    with psycopg.connect(f"{SERVER.replace('+psycopg', '')}/postgres") as connection:
        return {name for (name,) in connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'truth%'")}


def test_a_history_holds_and_leaves_no_database(tmp_path: Path) -> None:
    before = databases()
    assert replay(3, steps=1).total() > 1
    assert databases() <= before | {sa.make_url(f"{SERVER}/truth").database}


def test_what_is_missing_and_what_is_left_is_seen(docs: Following) -> None:
    home = docs.workspace.home
    assert dangling(home) == [] == left_behind(home)
    assert tables_with(home, {"pumpcanary"}) and not tables_with(home, {"cranecanary"})
    with docs.workspace.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM leaf WHERE key = (SELECT max(key) FROM leaf)")
    assert "whose leaf is not there" in " ".join(dangling(home))
    with docs.workspace.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM source")
    assert "rows of node" in " ".join(left_behind(home))


def test_a_copy_is_changed_alone(docs: Following) -> None:
    original = database_url()
    docs.workspace.close()
    with copied_database():
        assert database_url() != original
        copy = open_workspace(docs.workspace.home)
        with copy.database.write() as connection:
            connection.exec_driver_sql("DELETE FROM source")
        copy.close()
    assert database_url() == original
    docs.workspace = open_workspace(docs.workspace.home)
    assert [source.name for source in docs.workspace.store.sources.askable()] == ["Docs"]


@pytest.mark.parametrize(("is_after", "is_there"), [(False, False), (True, True)])
def test_a_process_ends_before_or_after_a_commit(
    docs: Following, monkeypatch: pytest.MonkeyPatch, is_after: bool, is_there: bool
) -> None:
    class Ended(BaseException):
        pass

    def end() -> None:
        raise Ended

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "commit", psycopg.Connection.commit)  # is put back afterwards
        traced_in_postgresql(Countdown(Kill(1, is_after), end))
        with pytest.raises(Ended), docs.workspace.database.write() as connection:
            connection.exec_driver_sql("CREATE TABLE drift (number INTEGER)")
    with docs.workspace.database.read() as connection:
        assert ("drift" in sa.inspect(connection).get_table_names()) is is_there
