"""Many sources: how fast and how large a forest of summary trees is, and how that grows with the leaves of all of them."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench.apart import in_a_process
from bench.figures import percentile
from bench.forest_files import Asked, questions, source_name, write_source, written_anew
from bench.report import store_run
from bench.server import ROOT, Server, resident
from ingestion.connection import open_connector
from ingestion.sources import Sources
from ingestion.sync import sync
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import Answer, ask
from tree.garbage import collect_seldom
from tree.store.models import Source
from tree.workspace import Workspace, open_workspace

OURS = 3  # sources of somebody who sees no more
CHANGED = 5  # sources that are changed in turn
INDEX_SECONDS = 3_600.0  # to wait for an index that is built anew
WATCHED_SECONDS = 60  # that the app and its worker are left alone with all sources


def run(options: argparse.Namespace) -> int:
    rows = []
    for leaves in options.leaves:
        with _place(options, leaves) as place:
            row = build_all(place, leaves, options)
            row |= in_a_process(measure, place, leaves, options)
            if options.app:
                row |= app(place / "home")
        rows.append(row)
        print(json.dumps(row), file=sys.stderr)
    report = {"rows": rows, "seed": options.seed, "sources": options.sources, "processors": os.cpu_count()}
    print(table(rows))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "forest.json").write_text(json.dumps(report, indent=1))
        store_run(options.out, "forest", report)
    return 0


@contextmanager
def _place(options: argparse.Namespace, leaves: int) -> Iterator[Path]:
    """Where the files and the data folder of one size are: kept below `--homes`, else thrown away."""
    if options.homes is None:
        with TemporaryDirectory(prefix="knowledge-tree-forest-") as place:
            yield Path(place)
        return
    place = options.homes / f"{leaves}-{options.sources}-{options.seed}"
    place.mkdir(parents=True, exist_ok=True)
    yield place


# ---------------------------------------------------------------- the write side


def build_all(place: Path, leaves: int, options: argparse.Namespace) -> dict[str, Any]:
    """Writes the files of all sources and reads them, so many sources side by side; nothing where that was done before."""
    done = place / "built.json"
    if done.exists():
        built: dict[str, Any] = json.loads(done.read_text())
        return built
    add_all(place, options.sources)
    began = time.perf_counter()
    shares = [(place, list(range(job, options.sources, options.jobs)), leaves, options) for job in range(options.jobs)]
    with ThreadPoolExecutor(options.jobs) as pool:
        parts = list(pool.map(lambda share: in_a_process(_build_some, *share), shares))
    seconds = time.perf_counter() - began
    built = {
        "leaves": sum(part["leaves"] for part in parts),
        "documents": sum(part["documents"] for part in parts),
        "text_bytes": sum(part["text_bytes"] for part in parts),
        "build_seconds": seconds,
        "build_cpu_seconds": sum(part["cpu"] for part in parts),
        "build_memory": max(part["memory"] for part in parts),
        "first_tenth": sum(part["first"] for part in parts),
        "last_tenth": sum(part["last"] for part in parts),
    }
    done.write_text(json.dumps(built))
    return built


def add_all(place: Path, sources: int) -> None:
    """The first few are for some people only, who see nothing else in `measure`."""
    with closing(open_workspace(place / "home")) as workspace:
        known = Sources(workspace.database)
        there = {source.name for source in known.all()}
        for number in range(sources):
            if source_name(number) not in there:
                known.add("folder", source_name(number), {"path": str(folder_of(place, number))})


def folder_of(place: Path, number: int) -> Path:
    return place / "files" / f"{number:03d}"


def _build_some(place: Path, numbers: Sequence[int], leaves: int, options: argparse.Namespace) -> dict[str, float]:
    took: list[float] = []
    made = {"leaves": 0, "documents": 0, "text_bytes": 0}
    with closing(open_workspace(place / "home")) as workspace:
        collect_seldom()  # as the worker does
        sources = Sources(workspace.database)
        for number in numbers:
            folder = folder_of(place, number)
            if not folder.exists():
                made["text_bytes"] += write_source(folder, number, leaves // options.sources, options.seed)
            source = sources.named(source_name(number))
            worked = _processor_seconds()
            if source.synced_at is None:
                made["documents"] += sync(workspace, sources, source).put
            took.append(_processor_seconds() - worked)
            root = workspace.store.nodes.get(f"{source.id}/")
            made["leaves"] += root.leaves if root else 0
            print(f"{time.strftime('%H:%M:%S')} source {number}: {took[-1]:.1f} s", file=sys.stderr, flush=True)
        tenth = max(1, len(took) // 10)
        return made | {
            "cpu": _processor_seconds(), "memory": resident([os.getpid()]), "first": sum(took[:tenth]), "last": sum(took[-tenth:]),
        }  # fmt: skip


def publish(workspace: Workspace, place: Path, options: argparse.Namespace) -> dict[str, float]:
    """One file at a time written anew in one of a few sources, from the hint to the next version, as the worker does it; and a
    question after each."""
    sources, chance = Sources(workspace.database), Random(options.seed)
    took, asked_after = [], []
    asked = questions(options.seed + 7, options.sources, options.repeat + CHANGED)
    chosen = [number * options.sources // CHANGED for number in range(CHANGED)]
    opened = {}
    try:
        for number in range(options.repeat + CHANGED):
            at = chosen[number % CHANGED]
            source = sources.named(source_name(at))
            if at not in opened:
                opened[at] = open_connector(workspace.home, source.kind, source.config, {})
            hint = written_anew(folder_of(place, at), at, chance, options.seed)
            took.append(_took(partial(sync, workspace, sources, source, hints=[hint], connector=opened[at])))
            asked_after.append(_took(partial(answered, workspace, asked[number].question, OPERATOR)))
    finally:
        for connector in opened.values():
            connector.close()
    return _both("publish", took[CHANGED:]) | _both("asked_after_publish", asked_after[CHANGED:])


# ---------------------------------------------------------------- the read side


def measure(place: Path, leaves: int, options: argparse.Namespace) -> dict[str, Any]:
    home = place / "home"
    with closing(open_workspace(home)) as workspace:
        workspace.index.catch_up(patience=INDEX_SECONDS)  # where what was kept is of another format
    row: dict[str, Any] = first_answers(home, options)
    workspace = open_workspace(home)
    collect_seldom()  # as the processes that answer do
    try:
        known = Sources(workspace.database).all()
        row |= {"sources": len(known), "database": _size(home, "knowledge.db"), "index": _size(home, "search.db")}
        roots = [root for source in known if (root := workspace.store.nodes.get(f"{source.id}/"))]
        row |= {"nodes_depth": max(root.height for root in roots), "opened_memory": resident([os.getpid()])}
        row |= walks(workspace, "walk", options, OPERATOR)
        row |= {"walk_memory": resident([os.getpid()])}
        ours = frozenset(source.id for source in _ours(known))
        row |= walks(workspace, "walk_of_few", options, Principal("few", "Few", only=ours))
        row |= publish(workspace, place, options)
        row |= {"memory": resident([os.getpid()])}
    finally:
        workspace.close()
    return row


def _ours(known: Sequence[Source]) -> Sequence[Source]:
    return [known[number * len(known) // OURS] for number in range(min(OURS, len(known)))]


def first_answers(home: Path, options: argparse.Namespace) -> dict[str, float]:
    """A process that starts, opens what is there and answers; and one that tells how all sources stand."""
    question = questions(options.seed, options.sources, 1)[0].question
    asked = [sys.executable, "-m", "tree", "ask", question, "--home", str(home), "--json"]
    status = [sys.executable, "-m", "ingestion", "status", "--home", str(home)]
    return {"first_answer": _seconds(asked), "status": _seconds(status)}


def _seconds(command: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def walks(workspace: Workspace, name: str, options: argparse.Namespace, principal: Principal) -> dict[str, float]:
    """Whole answers to questions of three kinds, and how many found what they were made of."""
    asked = questions(options.seed, options.sources, 3 * options.repeat)
    found: dict[str, list[bool]] = {}
    took = []
    answered(workspace, asked[0].question, principal)
    for one in asked:
        answers: list[Answer] = []
        took.append(_took(partial(_note_answer, answers, workspace, one.question, principal)))
        found.setdefault(one.kind, []).append(is_found(one, answers[0]))
    report = _both(name, took)
    if principal is OPERATOR:
        report |= {f"found_{kind}": sum(of_kind) / len(of_kind) for kind, of_kind in found.items()}
        for kind in found:
            report |= _both(f"{name}_{kind}", [one for asked_, one in zip(asked, took, strict=True) if asked_.kind == kind])
    return report


def answered(workspace: Workspace, question: str, principal: Principal) -> Answer:
    *_, answer = ask(workspace, question, principal=principal)
    assert isinstance(answer, Answer)
    return answer


def _note_answer(answers: list[Answer], workspace: Workspace, question: str, principal: Principal) -> None:
    answers.append(answered(workspace, question, principal))


def is_found(asked: Asked, answer: Answer) -> bool:
    return any(asked.title in citation.title for citation in answer.citations)


def app(home: Path) -> dict[str, float]:
    """The real app over all sources with its worker, left alone for a while."""
    began = time.perf_counter()
    with Server(home) as server:
        row: dict[str, float] = {"app_start": time.perf_counter() - began}
        time.sleep(WATCHED_SECONDS)
        return row | server.memory()


# ---------------------------------------------------------------- figures

LINES: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("documents, depth", lambda r: f"{r['documents']:,}, {r['nodes_depth']}"),
    ("text", lambda r: f"{r['text_bytes'] / 1e6:.1f} MB"),
    ("cold build", lambda r: f"{r['build_seconds'] / 60:.1f} min"),
    ("  on processors", lambda r: f"{r['build_cpu_seconds'] / 60:.1f} min"),
    ("  of that the first, the last tenth of the sources", lambda r: f"{r['first_tenth']:.0f}, {r['last_tenth']:.0f} s"),
    ("publish of one change", lambda r: _range(r, "publish")),
    ("  on a processor", lambda r: _range(r, "publish_cpu")),
    ("walk, all sources", lambda r: _range(r, "walk")),
    ("  on a processor", lambda r: _range(r, "walk_cpu")),
    ("  just after a publish", lambda r: _range(r, "asked_after_publish")),
    (f"walk, {OURS} sources", lambda r: _range(r, "walk_of_few")),
    ("  found: words, name, fact", lambda r: f"{r['found_words']:.0%}, {r['found_name']:.0%}, {r['found_fact']:.0%}"),
    ("start to first answer", lambda r: f"{r['first_answer']:.2f} s"),
    ("status of all sources", lambda r: f"{r['status']:.2f} s"),
    ("database", lambda r: f"{_mb(r['database'])}, x {r['database'] / r['text_bytes']:.1f}"),
    ("search index", lambda r: f"{_mb(r['index'])}, x {r['index'] / r['text_bytes']:.1f}"),
    ("memory: answering", lambda r: _mb(r["memory"])),
    ("memory: building", lambda r: _mb(r["build_memory"])),
    ("memory: app, worker", lambda r: f"{_mb(r['app_memory'])}, {_mb(r['worker_memory'])}"),
)  # fmt: skip


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A column for each size; times are p50 / p95."""
    lines = ["| | " + " | ".join(f"{row['leaves']:,} leaves" for row in rows) + " |", "|---|" + "---|" * len(rows)]
    for name, write in LINES:
        lines.append(f"| {name.strip()} | " + " | ".join(_cell(write, row) for row in rows) + " |")
    return "\n".join(lines)


def _cell(write: Callable[[Mapping[str, Any]], str], row: Mapping[str, Any]) -> str:
    try:
        return write(row)
    except KeyError:  # not measured
        return "–"


def _range(row: Mapping[str, float], name: str) -> str:
    return f"{row[f'{name}_p50'] * 1000:.0f} / {row[f'{name}_p95'] * 1000:.0f} ms"


def _mb(size: float) -> str:
    return f"{size / 1e6:.0f} MB"


def _took(do: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock, and of this process on a processor."""
    began, worked = time.perf_counter(), time.process_time()
    do()
    return time.perf_counter() - began, time.process_time() - worked


def _both(name: str, took: Sequence[tuple[float, float]]) -> dict[str, float]:
    clock, worked = zip(*took, strict=True)
    return {f"{name}_p50": percentile(clock, 50), f"{name}_p95": percentile(clock, 95),
            f"{name}_cpu_p50": percentile(worked, 50), f"{name}_cpu_p95": percentile(worked, 95)}  # fmt: skip


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _size(home: Path, name: str) -> int:
    return sum(path.stat().st_size for path in home.glob(f"{name}*"))
