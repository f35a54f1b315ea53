"""Many large folders are added, and then a few more: after how long can each of these be asked, and when is everything read."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.databases import own_database
from bench.server import ROOT, descendants, resident
from bench.synthetic import Texts
from ingestion.sources import Sources
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.workspace import Workspace, open_workspace

CHARACTERS = 3_000  # of a file
FOLDER = 50  # files
LOOK_SECONDS = 0.25
START_SECONDS = 5.0  # for the workers
PATIENCE = 3_600.0  # seconds until everything is read


def run(options: argparse.Namespace) -> int:
    with own_database(), TemporaryDirectory(prefix="knowledge-tree-bench-") as place:
        root = Path(place)
        large = [_written(root / f"large {number}", options.files, number, options.seed) for number in range(options.large)]
        later = [
            _written(root / f"later {number}", files, 100 + number, options.seed) for number, files in enumerate(options.later)
        ]
        with closing(open_workspace(root / "home")) as opened, _workers(root, options.workers) as running:
            time.sleep(START_SECONDS)
            _measure(opened, large, later, running, options.after)
    return 0


def _measure(
    opened: Workspace, large: list[Path], later: list[Path], running: list[subprocess.Popen[bytes]], after: float
) -> None:
    sources = Sources(opened.database)
    began = time.monotonic()
    added: dict[str, float] = {}  # by the name of a folder: when
    asked: dict[str, float] = {}  # after how many seconds
    ready: dict[str, float] = {}
    most = 0
    for folder in large:
        sources.add("folder", folder.name, {"path": str(folder)})
        added[folder.name] = time.monotonic()
    coming = [(began + after * (number + 1), folder) for number, folder in enumerate(later)]
    while len(ready) < len(large) + len(later):
        time.sleep(LOOK_SECONDS)
        now = time.monotonic()
        if now - began > PATIENCE:
            raise SystemExit(f"not everything was read within {PATIENCE:.0f} s")
        if coming and now >= coming[0][0]:
            _, folder = coming.pop(0)
            sources.add("folder", folder.name, {"path": str(folder)})
            added[folder.name] = time.monotonic()
        for source in sources.all():
            if source.name not in asked and source.published and _answers(opened, source.id, source.name):
                asked[source.name] = time.monotonic() - added[source.name]
            if source.name not in ready and source.state == "ready" and source.synced_at:
                ready[source.name] = time.monotonic() - added[source.name]
        most = max(most, resident(_processes(running)))
    for folder in (*large, *later):
        print(f"| {folder.name} | {asked[folder.name]:.1f} s | {ready[folder.name]:.1f} s |")
    print(
        f"everything after {time.monotonic() - began:.1f} s; processor {_worked(running):.0f} s; most memory {most / 1e6:.0f} MB; load {os.getloadavg()[0]:.0f}"
    )


def _processes(running: list[subprocess.Popen[bytes]]) -> list[int]:
    return [process for one in running for process in (one.pid, *descendants(one.pid))]


def _worked(running: list[subprocess.Popen[bytes]]) -> float:
    """Seconds of processor that the workers and their children have used, those that have ended too."""
    ticks = 0
    for process in _processes(running):
        with suppress(OSError):  # it has just ended
            ticks += sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _answers(opened: Workspace, source_id: str, name: str) -> bool:
    """Whether a question of the folder alone is answered from it."""
    question = f"What does the sign of {name} say?"
    events = ask(opened, question, principal=OPERATOR, sources=[source_id])
    return any(isinstance(event, Answer) and event.citations for event in events)


def _written(folder: Path, files: int, number: int, seed: int) -> Path:
    texts = Texts(seed)
    for file in range(files):
        path = folder / f"part {file // FOLDER}" / f"{file}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        title, text = texts.title(number * 100_000 + file), texts.text(number * 100_000 + file, CHARACTERS)
        path.write_text(f"# {title}\n\nThe sign of {folder.name} says {title.lower()}.\n\n{text}\n", encoding="utf-8")
    return folder


@contextmanager
def _workers(root: Path, number: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    command = [sys.executable, "-m", "ingestion.worker", "--home", str(root / "home")]
    with (root / "worker.log").open("ab") as log:
        running = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, cwd=ROOT) for _ in range(number)]
    try:
        yield running
    finally:
        for process in running:
            process.kill()
            process.wait()
