"""Real tickets through a Jira simulator: what reading them costs, and how soon an edit there can be asked about.

The simulator runs in this process, the app with its worker in its own, as it does for people; meanwhile chats are being
answered in a third. An edit counts as answerable when the search index that questions go by holds its word.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from bench.jira_faults import run_all
from bench.report import store_run
from ingestion.sources import Sources
from ingestion.sync import sync, verify
from jira_simulator import Clock, Site, load_archive, load_sample, running
from tree.accounts.principal import OPERATOR
from tree.ask.ask import ask
from tree.retrieve.index import SearchScope
from tree.workspace import Workspace, open_workspace

EMAIL, TOKEN, SECRET = "reader@example.com", "simulator-token", "simulator-secret"
PATIENCE = 120.0  # seconds until an edit counts as lost
LOOKS = 0.02  # seconds between two looks at the index
QUESTIONS = ("What was decided?", "Who is assigned?", "Which error came up?", "How is it tested?", "What is still open?")


def run(options: argparse.Namespace) -> int:
    if options.faults:
        return 1 if run_all(options.jobs).wrong else 0
    site = Site(clock=Clock(speed=1))
    if options.load:
        for number, path in enumerate(options.load):
            load_archive(site, path, options.adf[number] if number < len(options.adf) else None)
    else:
        load_sample(site, Path(__file__).parents[1] / "sample" / "jira")
    account = site.add_user("Bench Reader", email=EMAIL)
    site.add_token(account, TOKEN)
    report: dict[str, Any] = {"settings": {"edits": options.edits, "chats": options.chats, "poll_seconds": options.poll}}
    with running(site) as address, TemporaryDirectory(prefix="knowledge-tree-bench-") as home:
        report["reading"] = _read(site, address, Path(home) / "reading")
        report |= _followed(site, address, Path(home) / "following", options)
    print(_table(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "jira.json").write_text(json.dumps(report, indent=1))
        store_run(options.out, "jira", report)
    return 0 if all(not report[way]["lost"] for way in ("webhook", "poll")) else 1


def _config(site: Site, address: str, poll: float) -> dict[str, Any]:
    keys = [project.key for project in site.projects.values()]
    return {"url": address, "auth": "token", "email": EMAIL, "projects": keys, "poll_seconds": poll}


# ---------------------------------------------------------------- reading everything


def _read(site: Site, address: str, home: Path) -> dict[str, Any]:
    workspace = open_workspace(home)
    sources = Sources(workspace.database)
    source = sources.add("jira", "Jira", _config(site, address, 30), {"token": TOKEN})
    figures: dict[str, Any] = {"tickets": len(site.tickets)}
    for name in ("first", "again"):
        site.log.clear()
        began = time.perf_counter()
        sync(workspace, sources, sources.get(source.id))
        figures[f"{name}_seconds"] = round(time.perf_counter() - began, 2)
        figures[f"{name}_requests"] = len(site.log)
    root = workspace.store.nodes.get(f"{source.id}/")
    figures |= {
        "documents": workspace.store.documents.count(source.id),
        "leaves": root.leaves if root else 0,
        "nodes": workspace.store.nodes.count(source.id),
        "depth": root.height if root else 0,
        "failures": len(sources.failures(source.id)),
        "verified": verify(workspace, sources.get(source.id)).is_equal,
    }
    workspace.close()
    return figures


# ---------------------------------------------------------------- following edits


def _followed(site: Site, address: str, home: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Lags of edits. By webhook the poll is an hour away; by poll there is no webhook."""
    workspace = open_workspace(home)
    sources = Sources(workspace.database)
    source = sources.add("jira", "Jira", _config(site, address, 3_600), {"token": TOKEN, "webhook_secret": SECRET})

    def is_in_step() -> bool:
        now = sources.get(source.id)
        return now.state == "ready" and now.requested_at is None

    with _app(home) as app, _chats(home, options.chats) as answered:
        _wait(is_in_step, PATIENCE * 5, "the tickets were read")
        hook = site.webhooks.register(f"{app}/hooks/jira/{source.id}", secret=SECRET)
        by_webhook = _lags(_Edits(site, workspace, source.id, "webhook", options).lags(), answered.value)
        site.webhooks.unregister(hook.id)
        sources.configure(source.id, _config(site, address, options.poll))
        _wait(is_in_step, PATIENCE, "the new interval was taken")
        before = answered.value
        by_poll = _lags(_Edits(site, workspace, source.id, "poll", options).lags(), answered.value - before)
    workspace.close()
    return {"webhook": by_webhook, "poll": by_poll}


def _lags(lags: Sequence[float | None], asked: int) -> dict[str, Any]:
    """In seconds."""
    done = sorted(lag for lag in lags if lag is not None)
    return {
        "edits": len(lags),
        "lost": len(lags) - len(done),
        "p50": round(_share(done, 0.5), 2),
        "p95": round(_share(done, 0.95), 2),
        "worst": round(done[-1], 2) if done else None,
        "answers_meanwhile": asked,
    }


@dataclass
class _Edits:
    """Comments written at random moments, each with a word of its own, and when that word can be found."""

    site: Site
    workspace: Workspace
    source_id: str
    way: str
    options: argparse.Namespace

    def lags(self) -> list[float | None]:
        chance = random.Random(self.options.seed)
        tickets = sorted(self.site.tickets)
        waiting: dict[str, float] = {}
        lags: dict[str, float | None] = {}
        lock = threading.Lock()
        over = threading.Event()

        def look() -> None:
            scope = SearchScope((self.source_id,))
            while not (over.is_set() and not waiting):
                self.workspace.index.catch_up()
                with lock:
                    looked_for = list(waiting.items())
                for word, since in looked_for:
                    found = bool(self.workspace.index.search([word], scope, 1))
                    if found or time.monotonic() - since > PATIENCE:
                        lags[word] = time.monotonic() - since if found else None
                        with lock:
                            del waiting[word]
                time.sleep(LOOKS)

        looking = threading.Thread(target=look)
        looking.start()
        for number in range(self.options.edits):
            word = f"{self.way}{self.options.seed}quokka{number}"  # never seen before, in this round or another
            ticket = self.site.tickets[chance.choice(tickets)]
            with lock:
                waiting[word] = time.monotonic()
            self.site.comment(ticket, f"The {word} was seen at the pier.", next(iter(self.site.users.values())))
            time.sleep(chance.uniform(0, 2 * self.options.pause))
        over.set()
        looking.join()
        return list(lags.values())


@contextmanager
def _app(home: Path) -> Iterator[str]:
    """The app as `make run` starts it, on a free port; gives its address."""
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", str(port)]
    process = subprocess.Popen(
        command, env={**os.environ, "KNOWLEDGE_TREE_HOME": str(home)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(lambda: _answers(f"{address}/_stcore/health"), PATIENCE, "the app was up")
        yield address
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def _chats(home: Path, number: int) -> Iterator[Any]:
    """So many chats that ask one question after the other, in a process of their own; gives how many were answered."""
    context = multiprocessing.get_context("spawn")
    answered, over = context.Value("i", 0), context.Event()
    process = context.Process(target=_chat, args=(str(home), number, answered, over))
    process.start()
    try:
        yield answered
    finally:
        over.set()
        process.join(60)


def _chat(home: str, number: int, answered: Any, over: Any) -> None:
    workspace = open_workspace(Path(home))

    def one(first: int) -> None:
        turn = first
        while not over.is_set():
            for _ in ask(workspace, QUESTIONS[turn % len(QUESTIONS)], principal=OPERATOR):
                pass
            with answered.get_lock():
                answered.value += 1
            turn += 1
            over.wait(1.0)  # somebody reads the answer

    threads = [threading.Thread(target=one, args=(first,)) for first in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    workspace.close()


def _wait(condition: Any, seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds:.0f} s in vain until {what}")
        time.sleep(0.1)


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _share(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def _table(report: dict[str, Any]) -> str:
    reading = report["reading"]
    lines = [
        f"{reading['tickets']:,} tickets: {reading['first_seconds']} s, {reading['first_requests']} requests, "
        f"{reading['documents']:,} documents, {reading['leaves']:,} leaves, {reading['nodes']:,} nodes, depth {reading['depth']}, "
        f"{reading['failures']} failures, {'equal to a rebuild' if reading['verified'] else 'NOT EQUAL TO A REBUILD'}",
        f"a second full look: {reading['again_seconds']} s, {reading['again_requests']} requests",
    ]
    lines += [
        f"edit to answerable by {way}: p50 {found['p50']} s, p95 {found['p95']} s, worst {found['worst']} s over {found['edits']} edits, "
        f"{found['lost']} lost, {found['answers_meanwhile']} questions answered meanwhile"
        for way, found in ((way, report[way]) for way in ("webhook", "poll"))
    ]
    return "\n".join(lines)
