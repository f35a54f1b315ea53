"""Workers that the network cuts off from their PostgreSQL: what was edited meanwhile is read once they reach it, and once only."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from bench.network import Cut, Network
from ingestion.tasks.source_tasks import REACHED_SECONDS, seconds_to_wait
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.ingestion.workspaces import Following
from tree.store.database import StoreError
from tree.store.errors import Unreachable
from tree.workspace import DATABASE_VARIABLE

pytestmark = pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
ROOT = Path(__file__).parents[3]
CUT_SECONDS = 6
PATIENCE = 60  # seconds: within a minute without help
REPEATED = """SELECT count(*) FROM (SELECT fingerprint, lag(fingerprint) OVER (PARTITION BY document_id ORDER BY live_from) AS before
FROM document) AS each WHERE fingerprint = before"""


@pytest.fixture
def network() -> Iterator[Network]:
    server = sa.make_url(SERVER)
    made = Network(str(server.host), server.port or 5432)
    yield made
    made.close()


@pytest.fixture
def docs(tmp_path: Path, network: Network, monkeypatch: pytest.MonkeyPatch) -> Iterator[Following]:
    """Followed by two workers beyond the network; what the test looks at it reaches without."""
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        docs = Following(tmp_path)
        through = sa.make_url(url).set(host="127.0.0.1", port=network.port).render_as_string(hide_password=False)
        workers = []
        for number in range(2):
            command = [sys.executable, "-m", "ingestion.worker", "--home", str(tmp_path / f"worker{number}")]
            environment = {**os.environ, DATABASE_VARIABLE: through}
            with (tmp_path / f"worker{number}.log").open("wb") as log:
                workers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, cwd=ROOT, env=environment))
        yield docs
        for worker in workers:
            worker.kill()
            worker.wait()
        docs.workspace.close()


def until_read(docs: Following, word: str) -> None:
    late = time.monotonic() + PATIENCE
    while not any(word in leaf.text for leaf in docs.workspace.store.leaves.by_key(leaves_of(docs)).values()):
        assert time.monotonic() < late, f"{word} was not read"
        time.sleep(0.2)


def leaves_of(docs: Following) -> set[str]:
    return {node.leaf for node in docs.workspace.store.nodes.of_source(docs.source.id) if node.leaf}


@pytest.mark.parametrize("how", ["silent", "reset"])
def test_what_was_edited_while_the_database_could_not_be_reached_is_read_afterwards(
    docs: Following, network: Network, how: Cut
) -> None:
    docs.write("a.md", "# A\n\nThe gate is green.\n")
    until_read(docs, "green")
    with network.cut(how):
        for colour in ("yellow", "white", "blue"):
            docs.write("a.md", f"# A\n\nThe gate is {colour}.\n")
            docs.write(f"{colour}.md", f"# B\n\nThe crane is {colour}.\n")
            time.sleep(CUT_SECONDS / 3)
        assert docs.titles() == {"a.md"}
    until_read(docs, "gate is blue")
    until_read(docs, "crane is blue")
    docs.write("later.md", "# Later\n\nThe ferry is amber.\n")
    until_read(docs, "amber")
    assert docs.titles() == {"a.md", "yellow.md", "white.md", "blue.md", "later.md"} and docs.holds()
    with docs.workspace.database.backend.server.connect(psycopg.Connection) as connection:
        assert connection.execute(REPEATED).fetchall() == [(0,)]


def test_a_task_that_has_failed_often_while_the_database_was_away_is_tried_soon_after_it_is_back() -> None:
    assert seconds_to_wait(StoreError("The disk is full."), 5) > seconds_to_wait(Unreachable("No."), 5) == REACHED_SECONDS
