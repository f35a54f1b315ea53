"""How fast and how large: cold build, one change, a file saved until it can be asked for, the walk, memory, disk."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import sqlite3
import sys
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from bench.figures import percentile
from bench.page import speed_page
from bench.report import store_run
from bench.synthetic import Texts
from connectors.base import Batch, Check, Container, Document, Section
from ingestion.sources import Sources
from ingestion.sync import sync
from ingestion.worker import Worker
from prompts.language import terms
from tree.answerer import ask
from tree.workspace import Workspace, open_workspace

CHARACTERS = 1_500  # of one file, which is one leaf
FOLDER = 40  # files in a folder, and folders in a folder
BATCH = 1_000
CHANGES, WALKS, SAVES = 12, 60, 10
WATCHED = 200  # files beside the ones that are saved
PATIENCE = 60  # seconds to wait for a saved file
_processes = multiprocessing.get_context("forkserver")


def run(options: argparse.Namespace) -> int:
    rows = []
    for leaves in options.leaves:
        with TemporaryDirectory(prefix="knowledge-tree-speed-") as home:
            rows.append(_in_a_process(measure, Path(home), leaves, options.seed))
        print(f"{leaves} leaves: done", file=sys.stderr)
    saved = None
    if options.saves:
        with TemporaryDirectory(prefix="knowledge-tree-speed-") as place:
            saved = _in_a_process(saved_to_answerable, Path(place), options.saves, options.seed)
    report = {"rows": rows, "saved": saved, "seed": options.seed, "processors": os.cpu_count()}
    print(table(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "speed.json").write_text(json.dumps(report, indent=1))
        (options.out / "speed.html").write_text(speed_page(report), encoding="utf-8")
        store_run(options.out, "speed", report)
    return 0


def _in_a_process(function: Any, *arguments: Any) -> Any:
    """So that one size's memory is not counted for the next."""
    results = _processes.SimpleQueue()
    process = _processes.Process(target=_answer, args=(results, function, arguments))
    process.start()
    result = results.get()
    process.join()
    if isinstance(result, str):
        raise SystemExit(result)
    return result


def _answer(results: Any, function: Any, arguments: Sequence[Any]) -> None:
    try:
        results.put(function(*arguments))
    except Exception as error:  # noqa: BLE001 it is raised again on the other side
        results.put(f"{type(error).__name__}: {error}")


# ---------------------------------------------------------------- one size


class Library:
    """A connector over made-up files: as a folder gives them, without the disk."""

    def __init__(self, leaves: int, seed: int) -> None:
        self.leaves = leaves
        self.texts = Texts(seed)
        self.edited: dict[int, int] = {}

    def document(self, number: int) -> Document:
        text = self.texts.text(self.edited.get(number, number), CHARACTERS)
        path = (f"area {number // FOLDER**2}", f"topic {number // FOLDER}")
        name = f"{self.texts.title(number)} {number}.md"
        containers = tuple(Container(step, step) for step in path)
        return Document(
            "/".join((*path, name)), name, containers, (Section(text),), str(crc32(text.encode())), "markdown", aliases=(name,)
        )

    def question(self, number: int) -> str:
        number %= self.leaves
        return self.texts.question(self.edited.get(number, number))

    def check(self) -> Check:
        return Check("", self.leaves)

    def fetch(self, checkpoint: Mapping[str, str], hints: Collection[str] | None = None) -> Iterator[Batch]:
        """Hints are numbers of files."""
        numbers = [int(hint) for hint in hints] if hints else list(range(self.leaves))
        for start in range(0, len(numbers), BATCH):
            some = numbers[start : start + BATCH]
            yield Batch(tuple(self.document(number) for number in some), looked_at=len(some))

    def census(self) -> Iterator[str]:
        return (self.document(number).id for number in range(self.leaves))


def measure(home: Path, leaves: int, seed: int) -> dict[str, Any]:
    library = Library(leaves, seed)
    workspace = open_workspace(home)
    sources = Sources(workspace.database)
    source = sources.add("library", "Library", {})
    terms(library.texts.text(0, CHARACTERS))
    began = time.perf_counter()
    run_ = sync(workspace, sources, source, hints=[str(number) for number in range(leaves)], connector=library)
    build = time.perf_counter() - began
    characters = leaves * CHARACTERS
    publish = [_timed(lambda n=n: _edit(workspace, sources, library, n % leaves)) for n in range(7, 7 + CHANGES * 101, 101)]
    workspace.close()

    opened = time.perf_counter()
    workspace = open_workspace(home)
    list(ask(workspace, library.question(0)))
    warm = time.perf_counter() - opened
    walks = [_timed(lambda n=n: list(ask(workspace, library.question(n * 997)))) for n in range(WALKS)]
    found = sum(_finds(workspace, library, n * 997 % leaves) for n in range(10)) / 10
    flat = _flat(home / "flat.db", library, [library.question(n * 997) for n in range(WALKS)])
    root = workspace.store.node(f"{source.id}/")
    row = {
        "leaves": leaves,
        "megabytes": characters / 1e6,
        "depth": root.height if root else 0,
        "documents": run_.put,
        "build_seconds": build,
        "build_megabytes_per_second": characters / 1e6 / build,
        "publish_p50": percentile(publish, 50),
        "publish_p95": percentile(publish, 95),
        "warm_start": warm,
        "walk_p50": percentile(walks, 50),
        "walk_p95": percentile(walks, 95),
        "found": found,
        "memory": _resident(),
        "memory_most": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "database": _size(home, "knowledge.db"),
        "index": _size(home, "search.db"),
        **flat,
    }
    workspace.close()
    return row


def _edit(workspace: Workspace, sources: Sources, library: Library, number: int) -> None:
    library.edited[number] = 50_000_000 + number
    sync(workspace, sources, sources.named("Library"), hints=[str(number)], connector=library)


def _finds(workspace: Workspace, library: Library, number: int) -> bool:
    *_, answer = ask(workspace, library.question(number))
    place = library.document(number).id
    return any(step.kind == "read" and step.place.endswith(f" {number}.md") for step in answer.trail) or place in str(
        answer.citations
    )


def _flat(path: Path, library: Library, questions: Sequence[str]) -> dict[str, float]:
    """A plain full-text index of the same text: what search alone would cost."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIRTUAL TABLE page USING fts5(text, tokenize = 'porter')")
        texts = [(library.texts.text(number, CHARACTERS),) for number in range(library.leaves)]
        began = time.perf_counter()
        connection.executemany("INSERT INTO page VALUES (?)", texts)
        connection.commit()
        build = time.perf_counter() - began
        query = "SELECT text FROM page WHERE page MATCH ? ORDER BY bm25(page) LIMIT 6"
        seconds = [
            _timed(lambda q=q: connection.execute(query, (" OR ".join(f'"{word}"' for word in q.strip("?").split()),)).fetchall())
            for q in questions
        ]
    return {
        "flat_build_seconds": build,
        "flat_p50": percentile(seconds, 50),
        "flat_p95": percentile(seconds, 95),
        "flat_size": path.stat().st_size,
    }


def _timed(do: Any) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def _size(home: Path, name: str) -> int:
    return sum(path.stat().st_size for path in home.glob(f"{name}*"))


def _resident() -> int:
    """Bytes in memory now; the most there ever were, where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# ---------------------------------------------------------------- from the disk to an answer


def saved_to_answerable(place: Path, saves: int, seed: int) -> dict[str, Any]:
    """A worker follows a real folder; how long a saved file takes until a question finds it, the wait for a stable file included."""
    texts, folder = Texts(seed), place / "folder"
    folder.mkdir()
    for number in range(WATCHED):
        (folder / f"note {number}.md").write_text(texts.text(number, CHARACTERS))
    workspace = open_workspace(place / "home")
    sources = Sources(workspace.database)
    source = sources.add("folder", "Folder", {"path": str(folder)})
    worker = Worker(workspace, sources)
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    _wait_for(lambda: workspace.store.count_documents(source.id) >= WATCHED and sources.get(source.id).state == "ready")
    time.sleep(2)
    seconds = []
    for number in range(saves):
        word = "".join(chr(ord("b") + int(digit)) for digit in f"{number:04d}") + "zanzibar"
        path = folder / f"note {number * 7 % WATCHED}.md"
        began = time.perf_counter()
        path.write_text(f"{path.read_text()}\n\nThe word of the day is {word}.\n")
        _wait_for(lambda word=word: bool(list(ask(workspace, f"Where is {word}?"))[-1].citations))
        seconds.append(time.perf_counter() - began)
    worker.stopping.set()
    thread.join(timeout=15)
    workspace.close()
    return {"saves": saves, "p50": percentile(seconds, 50), "p95": percentile(seconds, 95), "files": WATCHED}


def _wait_for(is_so: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError(f"nothing came of it within {PATIENCE} seconds")
        time.sleep(0.02)


# ---------------------------------------------------------------- the table


def table(report: dict[str, Any]) -> str:
    head = f"{'leaves':>8}{'MB':>7}{'depth':>6}{'build s':>9}{'MB/s':>7}{'publish ms':>14}{'warm s':>8}{'walk ms':>14}{'flat ms':>13}{'found':>7}{'memory':>9}{'database':>10}{'index':>8}{'flat':>7}"
    lines = [head + "   (p50 / p95; sizes in MB)", "-" * len(head)]
    for row in report["rows"]:
        lines.append(
            f"{row['leaves']:>8,}{row['megabytes']:>7.1f}{row['depth']:>6}{row['build_seconds']:>9.1f}{row['build_megabytes_per_second']:>7.2f}"
            f"{_both(row, 'publish'):>14}{row['warm_start']:>8.2f}{_both(row, 'walk'):>14}{_both(row, 'flat'):>13}{row['found']:>7.0%}"
            f"{row['memory'] / 1e6:>9.0f}{row['database'] / 1e6:>10.0f}{row['index'] / 1e6:>8.0f}{row['flat_size'] / 1e6:>7.0f}"
        )
    if saved := report["saved"]:
        lines.append(
            f"a saved file can be asked for after {saved['p50']:.2f} s (p50), {saved['p95']:.2f} s (p95), beside {saved['files']} others"
        )
    return "\n".join(lines)


def _both(row: Mapping[str, float], name: str) -> str:
    return f"{row[f'{name}_p50'] * 1000:.0f} / {row[f'{name}_p95'] * 1000:.0f}"
