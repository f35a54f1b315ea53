"""How fast and how large: cold build, one change, a file saved until it can be asked for, walk, pages, memory, disk.

With a server the same is measured on a database of PostgreSQL beside the data folder, size by size in turn. Processor and memory are
those of our processes, without the server's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from bench.apart import in_a_process
from bench.databases import own_database
from bench.figures import percentile
from bench.page import speed_page
from bench.report import store_run
from bench.server import ROOT, Page, Server, descendants, reader, resident, time_alone, time_in_turn
from bench.speed_table import growth, table
from bench.synthetic import Texts
from ingestion.connection import open_connector
from ingestion.sources import Sources
from ingestion.sync import sync
from prompts.language import terms
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.garbage import collect_seldom
from tree.store.chats import Chats
from tree.store.models import Source
from tree.store.nodes import Node
from tree.workspace import DATABASE_VARIABLE, Workspace, open_workspace

CHARACTERS = 1_500  # of one made-up file, which is one leaf
FOLDER = 40  # files in a folder, and folders in a folder
WALKS = 3  # for each repetition
ASKED = 6  # words of a question
TURNS = 5  # of the chat that is drawn anew
SAMPLE_SECONDS = 0.5  # between two looks at the memory of a build
PATIENCE = 120  # seconds to wait for a saved file


def run(options: argparse.Namespace) -> int:
    rows = []
    for given in (*options.leaves, *options.data):
        for server in ("", options.server) if options.server else ("",):
            with TemporaryDirectory(prefix="knowledge-tree-speed-") as place, _kept_on(server):
                is_ours = isinstance(given, int)
                folder = Path(place) / "folder" if is_ours else given.resolve()
                if is_ours:
                    write_files(folder, given, options.seed)
                row = in_a_process(measure, Path(place) / "home", folder, is_ours, options)
            if server:
                row["name"] = f"{row['name'] or format(row['leaves'], ',')}, PostgreSQL"
            rows.append(row)
            print(table({"rows": rows[-1:]}), file=sys.stderr)
    report = {"rows": rows, "growth": growth(rows), "seed": options.seed, "processors": os.cpu_count()}
    print(table(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "speed.json").write_text(json.dumps(report, indent=1))
        (options.out / "speed.html").write_text(speed_page(report), encoding="utf-8")
        store_run(options.out, "speed", report)
    return 0


@contextmanager
def _kept_on(server: str) -> Iterator[None]:
    """In the data folder, else in a database of its own on this server, which is gone afterwards."""
    before = os.environ.pop(DATABASE_VARIABLE, None)
    if server:
        os.environ[DATABASE_VARIABLE] = f"{server.rstrip('/')}/speed"
    try:
        with own_database():
            yield
    finally:
        os.environ.pop(DATABASE_VARIABLE, None)
        if before is not None:
            os.environ[DATABASE_VARIABLE] = before


def measure(home: Path, folder: Path, is_ours: bool, options: argparse.Namespace) -> dict[str, Any]:
    """One folder from nothing to fifty open pages. Only in a folder of ours are files changed."""
    workspace = open_workspace(home)
    collect_seldom()  # as the worker does
    sources = Sources(workspace.database)
    source = sources.add("folder", folder.name, {"path": str(folder)})
    row = {"name": "" if is_ours else folder.name, "seed": options.seed}
    row |= build(workspace, sources, source)
    row |= flat_build(home / "flat.db", workspace, source)
    if is_ours:
        row |= publish(workspace, sources, source, folder, options)
    workspace.close()
    row |= warm_start(home, options.seed)
    workspace = open_workspace(home)
    row |= walks(workspace, source, home / "flat.db", options)
    row |= sizes(workspace, source, home)
    if options.sessions:
        row |= pages(workspace, source, home, folder, is_ours, options)
    workspace.close()
    return row


# ---------------------------------------------------------------- a folder of made-up files


def write_files(folder: Path, leaves: int, seed: int) -> None:
    texts = Texts(seed)
    for number in range(leaves):
        file = folder / file_of(number, texts)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(texts.text(number, CHARACTERS), encoding="utf-8")


def file_of(number: int, texts: Texts) -> str:
    return f"area {number // FOLDER**2}/topic {number // FOLDER}/{texts.title(number)} {number}.md"


# ---------------------------------------------------------------- the write side


def build(workspace: Workspace, sources: Sources, source: Source) -> dict[str, float]:
    """Everything from the files on disk to the published tree and its index."""
    with _memory() as most:
        began, worked = time.perf_counter(), _worked()
        done = sync(workspace, sources, source)
        seconds, worked = time.perf_counter() - began, _worked() - worked
    characters = sum(len(text) for text, _ in _leaf_texts(workspace, source))
    root = _root(workspace, source)
    return {
        "documents": done.put, "leaves": root.leaves, "depth": root.height, "megabytes": characters / 1e6, "build_seconds": seconds,
        "build_megabytes_per_second": characters / 1e6 / seconds, "build_memory": most[0], "build_cpu_seconds": worked, "load": os.getloadavg()[0],
    }  # fmt: skip


@contextmanager
def _memory() -> Iterator[list[int]]:
    """The most bytes that this process and those below it have held at one moment."""
    most, stopping = [0], threading.Event()

    def look() -> None:
        while not stopping.wait(SAMPLE_SECONDS):
            most[0] = max(most[0], resident([os.getpid(), *descendants(os.getpid())]))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        stopping.set()
        thread.join()
        most[0] = max(most[0], resident([os.getpid()]))


def publish(
    workspace: Workspace, sources: Sources, source: Source, folder: Path, options: argparse.Namespace
) -> dict[str, float]:
    """One file at a time written anew: from the hint that it changed to the next version, as the worker does it."""
    texts, chance = Texts(options.seed), Random(options.seed)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    took = []
    with closing(open_connector(workspace.home, source.kind, source.config, {})) as connector:
        for number in range(options.repeat + 1):
            name = chance.choice(files)
            (folder / name).write_text(texts.text(50_000_000 + number, CHARACTERS), encoding="utf-8")
            took.append(_took(partial(sync, workspace, sources, source, hints=[name], connector=connector)))
    return _both("publish", took[1:])  # the first one starts the children that read files


# ---------------------------------------------------------------- the read side


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    leaf: Node  # whose words they are


def questions(workspace: Workspace, source: Source, number: int, seed: int) -> list[Asked]:
    """Some of the longer words of leaves taken by chance, as a person would ask for them."""
    chance = Random(seed)
    leaves = sorted(
        (node for node in workspace.store.nodes.of_source(source.id) if node.kind == "leaf"), key=lambda node: node.place
    )
    chosen = [leaves[chance.randrange(len(leaves))] for _ in range(number)]
    texts = workspace.store.leaves.texts(node.leaf or "" for node in chosen)
    asked = []
    for leaf in chosen:
        words = sorted(
            {word for word in texts[leaf.leaf or ""][0].split() if word.isalpha()}, key=lambda word: (-len(word), word)
        )
        some = chance.sample(words[:40], min(ASKED, len(words)))
        asked.append(Asked(f"What about {' '.join(some)}?", leaf))
    return [one for one in asked if terms(one.question)]


def walks(workspace: Workspace, source: Source, flat: Path, options: argparse.Namespace) -> dict[str, float]:
    """Whole answers, beside a plain full-text search for the same words that reads as many texts."""
    asked = questions(workspace, source, WALKS * options.repeat, options.seed)
    list(ask(workspace, asked[0].question, principal=OPERATOR))
    events: list[Any] = []
    took = [_took(partial(_drain, workspace, one.question, events)) for one in asked]
    found = sum(
        any(step.kind == "read" and step.place == one.leaf.place for step in answer.trail)
        for one, answer in zip(asked, [event for event in events if isinstance(event, Answer)], strict=True)
    )
    query = "SELECT text FROM page WHERE page MATCH ? ORDER BY bm25(page) LIMIT 6"
    with closing(sqlite3.connect(flat)) as connection:
        matches = [" OR ".join(f'"{word}"' for word in one.question.strip("?").split()) for one in asked]
        searched = [_timed(partial(_rows, connection, query, match)) for match in matches]
    return _both("walk", took) | _percentiles("flat", searched) | {"found": found / len(asked)}


def warm_start(home: Path, seed: int) -> dict[str, float]:
    """A process that starts, opens what is there and answers."""
    command = [sys.executable, "-m", "tree", "ask", Texts(seed).question(1), "--home", str(home), "--json"]
    return {"warm_start": _timed(lambda: subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL))}


def flat_build(path: Path, workspace: Workspace, source: Source) -> dict[str, float]:
    """A plain full-text index of the same text: what search alone would cost."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIRTUAL TABLE page USING fts5(text, tokenize = 'porter')")
        texts = [(text,) for text, _ in _leaf_texts(workspace, source)]
        began = time.perf_counter()
        connection.executemany("INSERT INTO page VALUES (?)", texts)
        connection.commit()
        return {"flat_build_seconds": time.perf_counter() - began, "flat_size": path.stat().st_size}


def sizes(workspace: Workspace, source: Source, home: Path) -> dict[str, int]:
    return {"text_bytes": sum(len(text.encode()) for text, _ in _leaf_texts(workspace, source)),
            "database": workspace.database.size(), "index": _size(home, "search.db")}  # fmt: skip


def _leaf_texts(workspace: Workspace, source: Source) -> Iterator[tuple[str, list[str]]]:
    keys = [node.leaf for node in workspace.store.nodes.of_source(source.id) if node.leaf is not None]
    for start in range(0, len(keys), 2_000):
        texts = workspace.store.leaves.texts(keys[start : start + 2_000])
        yield from (texts[key] for key in keys[start : start + 2_000])


def _root(workspace: Workspace, source: Source) -> Node:
    root = workspace.store.nodes.get(f"{source.id}/")
    if root is None:
        raise ValueError("Nothing in this folder could be read.")
    return root


# ---------------------------------------------------------------- the app with many open pages


def pages(
    workspace: Workspace, source: Source, home: Path, folder: Path, is_ours: bool, options: argparse.Namespace
) -> dict[str, float]:
    """A real server over this tree: one page alone, many open ones, a file saved under the worker's eyes, memory."""
    chat, tree = (
        Page("chat", f"c={_conversation(workspace, source, options.seed)}"),
        Page("tree", f"at={_deep(workspace, source)}"),
    )
    began = time.perf_counter()
    with Server(home) as server:
        row: dict[str, float] = {"app_start": time.perf_counter() - began}
        row |= _percentiles("chat_page", asyncio.run(time_alone(server, chat, options.repeat)))
        row |= _percentiles("tree_page", asyncio.run(time_alone(server, tree, options.repeat)))
        if is_ours and options.saves:
            row |= saved_to_answerable(workspace, folder, options.saves)
        in_turn, at_once = asyncio.run(time_in_turn(server, [chat, tree] * -(-options.sessions // 2), 2 * options.sessions))
        row |= _percentiles("session", in_turn) | _percentiles("at_once", at_once) | {"sessions": 2 * -(-options.sessions // 2)}
        return row | server.memory()


def _conversation(workspace: Workspace, source: Source, seed: int) -> str:
    """A chat that somebody had."""
    chats, chat, owner = Chats(workspace.database), None, reader(workspace).id
    for asked in questions(workspace, source, TURNS, seed + 1):
        turn = chats.running.begin(asked.question, "", chat, owner=owner)
        *_, answer = ask(workspace, asked.question, principal=OPERATOR)
        assert isinstance(answer, Answer)
        chats.running.finish(turn.id, "done", answer.as_json())
        chat = turn.chat_id
    return chat or ""


def _deep(workspace: Workspace, source: Source) -> str:
    return quote(workspace.store.nodes.first_leaves(_root(workspace, source), limit=1)[0].place, safe="")


def saved_to_answerable(workspace: Workspace, folder: Path, saves: int) -> dict[str, float]:
    """How long a saved file takes until a question finds it, the wait for a stable file included."""
    files = sorted(folder.rglob("*.md"))
    seconds = []
    for number in range(saves + 1):
        word = "".join(chr(ord("b") + int(digit)) for digit in f"{number:04d}") + "zanzibar"
        path = files[number * 7 % len(files)]
        text, began = path.read_text(encoding="utf-8"), time.perf_counter()
        path.write_text(f"{text}\n\nThe word of the day is {word}.\n", encoding="utf-8")
        _wait_for_answer(workspace, f"Where is {word}?")
        seconds.append(time.perf_counter() - began)
    return _percentiles("saved", seconds[1:])  # at the first one the worker may still be looking at all files


def _wait_for_answer(workspace: Workspace, question: str) -> None:
    until, asked_at = time.monotonic() + PATIENCE, -1
    while time.monotonic() < until:
        newest = workspace.store.versions.newest()
        if newest != asked_at:  # asking again before anything is published would only take the worker's time
            asked_at = newest
            *_, answer = ask(workspace, question, principal=OPERATOR)
            if isinstance(answer, Answer) and answer.citations:
                return
        time.sleep(0.01)
    raise TimeoutError(f"A saved file could not be asked for within {PATIENCE} seconds.")


# ---------------------------------------------------------------- figures


def _timed(do: Callable[[], Any]) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def _drain(workspace: Workspace, question: str, events: list[Any]) -> None:
    events.extend(ask(workspace, question, principal=OPERATOR))


def _rows(connection: sqlite3.Connection, query: str, match: str) -> list[Any]:
    return connection.execute(query, (match,)).fetchall()


def _took(do: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock, and of this process on a processor: that is what a machine without other work would need."""
    began, worked = time.perf_counter(), time.process_time()
    do()
    return time.perf_counter() - began, time.process_time() - worked


def _worked() -> float:
    """Seconds on processors so far, those of children that have ended included."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _both(name: str, took: Sequence[tuple[float, float]]) -> dict[str, float]:
    return _percentiles(name, [clock for clock, _ in took]) | _percentiles(f"{name}_cpu", [worked for _, worked in took])


def _percentiles(name: str, seconds: Sequence[float]) -> dict[str, float]:
    return {f"{name}_p50": percentile(seconds, 50), f"{name}_p95": percentile(seconds, 95)}


def _size(home: Path, name: str) -> int:
    return sum(path.stat().st_size for path in home.glob(f"{name}*"))
