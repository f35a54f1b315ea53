"""Many workers on one PostgreSQL: how fast 1, 2 and 4 of them read the same sources, and what is lost when they are killed, or the
network to it is cut."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psycopg
import sqlalchemy as sa

from bench.network import Network
from bench.synthetic import Texts
from ingestion.sources import Sources
from ingestion.sync import verify
from ingestion.tasks.waking import board_of
from tree.workspace import DATABASE_VARIABLE, Workspace, open_workspace

ROOT = Path(__file__).parents[1]
CHARACTERS = 3_000  # of a file
START_SECONDS, READ_SECONDS, SETTLE_SECONDS = 120.0, 900.0, 120.0
RESTART_SECONDS = 1.5  # as long as the app waits before it starts a worker again
KILL_SECONDS = (2.0, 6.0)
EDIT_SECONDS = 2.0  # between two edits while the network is cut


class Stuck(Exception):
    """What was waited for did not come."""


def run(options: argparse.Namespace) -> int:
    for number in options.workers:
        with _team(options, number) as team:
            megabytes = team.write_all() / 1e6
            began = time.monotonic()
            team.add_all()
            team.until(team.is_read, READ_SECONDS, "every source was read")
            seconds = time.monotonic() - began
            print(f"| {number} | {seconds:.1f} s | {megabytes / seconds:.2f} MB | {team.shares()} | {_load()} |", flush=True)
    if options.kills:
        with _team(options, max(options.workers, default=3)) as team:
            team.write_all()
            team.add_all()
            team.until(team.is_read, READ_SECONDS, "every source was read")
            print(team.be_killed(options.kills, Random(options.seed)), flush=True)
    if options.cuts:
        with _network(options.server) as network, _team(options, max(options.workers, default=3), network) as team:
            team.write_all()
            team.add_all()
            team.until(team.is_read, READ_SECONDS, "every source was read")
            print(team.be_cut_off(network, options.cuts, options.cut_seconds, Random(options.seed)), flush=True)
    return 0


class _Team:
    def __init__(self, place: Path, opened: Workspace, options: argparse.Namespace, number: int, url: str) -> None:
        """`url` is where the workers find the database."""
        self.place, self.workspace, self.options, self.number, self.url = place, opened, options, number, url
        self.sources = Sources(opened.database)
        self.texts = Texts(options.seed)
        self.folders = [place / f"folder {n}" for n in range(options.sources)]
        self.ids: list[str] = []
        self.running: list[subprocess.Popen[bytes]] = []
        assert opened.database.backend.server is not None
        self.engine = opened.database.backend.server.connect(psycopg.Connection)
        self.engine.autocommit = True
        self.seen: dict[str, set[int]] = {}  # by source: who has read it

    def start(self) -> None:
        """All on one data folder, as workers of one machine are."""
        command = [sys.executable, "-m", "ingestion.worker", "--home", str(self.place / "home")]
        with (self.place / "workers.log").open("ab") as log:
            environment = {**os.environ, DATABASE_VARIABLE: self.url}
            self.running.append(subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, cwd=ROOT, env=environment))

    def start_all(self) -> None:
        for _ in range(self.number):
            self.start()
        board = board_of(self.workspace.database)
        assert board is not None
        self.until(lambda: board.count_workers() >= self.number, START_SECONDS, "the workers had started")

    def write_all(self) -> int:
        for number, folder in enumerate(self.folders):
            folder.mkdir()
            for file in range(self.options.files):
                text = self.texts.text(number * 10_000 + file, CHARACTERS)
                (folder / f"{file}.md").write_text(f"# {self.texts.title(number * 10_000 + file)}\n\n{text}\n", encoding="utf-8")
        return sum(file.stat().st_size for folder in self.folders for file in folder.iterdir())

    def add_all(self) -> None:
        self.ids += [self.sources.add("folder", folder.name, {"path": str(folder)}).id for folder in self.folders]

    def is_read(self) -> bool:
        doing = "SELECT args->>'source_id', worker_id FROM knowledge_tree_tasks.procrastinate_jobs WHERE status = 'doing' AND task_name = 'sync'"
        for source_id, worker in self.engine.execute(doing).fetchall():
            self.seen.setdefault(source_id, set()).add(worker)
        return all(self._holds_all(source_id) for source_id in self.ids)

    def _holds_all(self, source_id: str) -> bool:
        return (
            self.workspace.store.documents.count(source_id) == self.options.files and self.sources.get(source_id).state == "ready"
        )

    def shares(self) -> str:
        first = [min(workers) for workers in self.seen.values() if workers]
        return ", ".join(str(first.count(worker)) for worker in sorted(set(first)))

    def until(self, condition: Callable[[], bool], seconds: float, what: str) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise Stuck(f"waited {seconds:.0f} s in vain until {what}")
            time.sleep(0.1)

    # ---- kills

    def be_killed(self, kills: int, chance: Random) -> str:
        """Files are edited, a few each time, and a worker is killed a moment later, in the middle of what that brings."""
        edits: dict[tuple[str, str], tuple[str, float]] = {}
        waits: list[float] = []
        for _ in range(kills):
            for _ in range(3):
                self._edit(edits, chance)
            time.sleep(chance.uniform(*KILL_SECONDS))
            victim = chance.choice(self.running)
            victim.kill()
            victim.wait()
            self.running.remove(victim)
            time.sleep(RESTART_SECONDS)
            self.start()
            waits += self._arrived(edits)
        waits += self._settled(edits)
        return f"{kills} kills -9 among {self.number} workers, {kills * 3} edits of {self._told(len(edits), waits)}"

    # ---- cuts

    def be_cut_off(self, network: Network, cuts: int, seconds: float, chance: Random) -> str:
        """The workers lose the database, in turn without a word and with an end of every connection; files are edited meanwhile."""
        waits: list[float] = []
        made = lost = 0
        for number in range(cuts):
            edits: dict[tuple[str, str], tuple[str, float]] = {}
            with network.cut("reset" if number % 2 else "silent"):
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    self._edit(edits, chance)
                    time.sleep(EDIT_SECONDS)
            ended = time.monotonic()
            edits = {key: (word, ended) for key, (word, _) in edits.items()}
            made += len(edits)
            waits += self._settled(edits)
            lost += len(edits)
        return (
            f"{cuts} cuts of {seconds:.0f} s between {self.number} workers and the database, {made} files edited meanwhile in "
            f"{self._told(lost, waits)}"
        )

    # ---- what both do

    def _edit(self, edits: dict[tuple[str, str], tuple[str, float]], chance: Random) -> None:
        number, file = chance.randrange(len(self.folders)), f"{chance.randrange(self.options.files)}.md"
        word = f"canary{uuid.uuid4().hex[:10]}"
        path = self.folders[number] / file
        path.write_text(f"{path.read_text('utf-8')}\n\nThe word is {word}.\n", encoding="utf-8")
        edits[self.ids[number], file] = word, time.monotonic()

    def _settled(self, edits: dict[tuple[str, str], tuple[str, float]]) -> list[float]:
        """Waits until all of them are in the tree; what is left then is lost."""
        waits: list[float] = []
        end = time.monotonic() + SETTLE_SECONDS
        while edits and time.monotonic() < end:
            waits += self._arrived(edits)
            time.sleep(0.2)
        return waits

    def _told(self, lost: int, waits: list[float]) -> str:
        equal = [verify(self.workspace, self.sources.get(source_id)).is_equal for source_id in self.ids]
        return (
            f"{len(self.folders)} sources: {lost} lost; published after {statistics.median(waits):.1f} s (half) and {max(waits):.1f} s "
            f"(the last); {self._repeats()} published twice with the same text; {sum(equal)} of {len(equal)} trees are what their "
            f"documents make; load {_load()}"
        )

    def _arrived(self, edits: dict[tuple[str, str], tuple[str, float]]) -> list[float]:
        """Those that are in the tree now are taken off; how long they took, as far as it was looked."""
        waits = []
        for (source_id, file), (word, at) in list(edits.items()):
            document = self.workspace.store.documents.get(source_id, file)
            keys = [key for *_, key in document.outline] if document is not None else []
            if any(word in leaf.text for leaf in self.workspace.store.leaves.by_key(keys).values()):
                waits.append(time.monotonic() - at)
                del edits[source_id, file]
        return waits

    def _repeats(self) -> int:
        """How often a document was published that was no other than the one before."""
        query = """SELECT count(*) FROM (SELECT fingerprint, lag(fingerprint) OVER (PARTITION BY source_id, document_id ORDER BY live_from)
        AS before FROM document) AS each WHERE fingerprint = before"""
        return int(self.engine.execute(query).fetchall()[0][0])

    def close(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()
        self.engine.close()


@contextmanager
def _team(options: argparse.Namespace, number: int, network: Network | None = None) -> Iterator[_Team]:
    """Workers on a new database of the server, and what they read; all of it is gone afterwards."""
    name = f"bench{uuid.uuid4().hex[:12]}"
    server, before = options.server.rstrip("/"), os.environ.get(DATABASE_VARIABLE)
    _administer(server, f"CREATE DATABASE {name}")
    os.environ[DATABASE_VARIABLE] = f"{server}/{name}"
    url = sa.make_url(f"{server}/{name}")
    if network is not None:
        url = url.set(host="127.0.0.1", port=network.port)
    try:
        with TemporaryDirectory(prefix="knowledge-tree-bench-") as place, closing(open_workspace(Path(place) / "home")) as opened:
            team = _Team(Path(place), opened, options, number, url.render_as_string(hide_password=False))
            try:
                team.start_all()
                yield team
            finally:
                team.close()
    finally:
        os.environ.pop(DATABASE_VARIABLE)
        if before is not None:
            os.environ[DATABASE_VARIABLE] = before
        _administer(server, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def _network(server: str) -> Iterator[Network]:
    url = sa.make_url(server)
    with closing(Network(str(url.host), url.port or 5432)) as network:
        yield network


def _administer(server: str, statement: str) -> None:
    with psycopg.connect(f"{server.replace('+psycopg', '')}/postgres", autocommit=True) as connection:
        connection.execute(statement.encode())


def _load() -> str:
    return f"{os.getloadavg()[0]:.0f}"
