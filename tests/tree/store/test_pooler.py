"""A PgBouncer before the PostgreSQL: one that keeps sessions is as good as none, one that hands them on is refused in words."""

from __future__ import annotations

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

import pytest
import sqlalchemy as sa

from bench.server import free_port
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tree.store.database import Database, StoreError
from tree.store.locks import Taken
from tree.workspace import DATABASE_VARIABLE

POOLER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
pytestmark = [
    pytest.mark.skipif(not SERVER, reason=LEFT_OUT),
    pytest.mark.skipif(POOLER is None, reason="Nothing was tried with PgBouncer: it is not installed."),
]


@contextmanager
def pooled(url: str, mode: Literal["session", "transaction"], folder: Path) -> Iterator[str]:
    """The URL of the same database by way of a pooler."""
    server, port = sa.make_url(url), free_port()
    configuration = folder / "pgbouncer.ini"
    configuration.write_text(
        f"[databases]\n* = host={server.host} port={server.port or 5432} user={server.username}\n"
        f"[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port={port}\nunix_socket_dir=\nauth_type=any\npool_mode={mode}\n"
    )
    user = ["-u", "postgres"] if getpass.getuser() == "root" else []  # it refuses to run as root
    process = subprocess.Popen([str(POOLER), "-q", *user, str(configuration)])
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with closing(socket.socket()) as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield server.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)
    finally:
        process.terminate()
        process.wait()


def test_what_keeps_sessions_passes_everything_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ingestion.tasks.board import TaskBoard

    with new_database(is_laid_out=False) as url, pooled(url, "session", tmp_path) as through:
        monkeypatch.setenv(DATABASE_VARIABLE, through)
        docs = Following(tmp_path)
        docs.write("a.md", "# Pump\n\nThe pump stands by gate 7.\n")
        docs.sync()
        assert "gate 7" in docs.ask("Where is the pump?").text
        with closing(Database(tmp_path / "other", url=through)) as other:
            (lock := docs.workspace.database.locks.lock("one")).acquire()
            with pytest.raises(Taken):
                other.locks.lock("one").acquire()
            lock.release()
            other.locks.lock("one").acquire()
            assert other.backend.server is not None
            with closing(TaskBoard(other.backend.server)) as board:
                assert board.defer("sync", "sync s", "looks", source_id="s") and "sync s" in board.standing()
        docs.workspace.close()


def test_what_hands_sessions_on_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with (
        new_database() as url,
        pooled(url, "transaction", tmp_path) as through,
        pytest.raises(StoreError, match="pool_mode = session"),
    ):
        Database(tmp_path / "home", url=through)
