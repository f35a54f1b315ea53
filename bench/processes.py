"""The processes of a history with several sources: a worker, other syncs, commands, people who ask.

Each is forked from a server that has imported everything, opens the data folder as the app does, and writes into one
file what went wrong, so that nothing is lost with the process that saw it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import json
import logging
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from typing import Any

from bench.crash import Kill, die_at
from bench.databases import in_same_database
from bench.several_worlds import UNREADABLE
from bench.truth import InPlace
from bench.worlds import canary
from connectors.base import Cancelled, Connector, ConnectorError, Problem
from connectors.folder import FolderConfig, FolderConnector
from connectors.formats.file import Outcome
from connectors.jira.config import JiraConfig
from connectors.jira.connector import JiraConnector
from connectors.jira.exchange import Timing
from connectors.pdf import PdfConfig, PdfConnector
from connectors.sandbox import Stopped
from connectors.watch import Watch
from ingestion import __main__ as commands
from ingestion.sources import Sources
from ingestion.sync import sync
from ingestion.worker import worker_of
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.store.database import StoreError
from tree.store.nodes import Node
from tree.store.store import Store
from tree.workspace import Workspace, open_workspace

forked = multiprocessing.get_context("forkserver")
HASTY = Timing(connect=2, read=2, whole=6, short=1.5, pauses=(0.05, 0.1))  # a site that hangs is waited for that long
ASKERS = 2  # threads of the process that asks
PAUSE_SECONDS = 0.3  # between two questions of a thread, on average
QUESTIONS = (
    "What did we decide to call {}?",
    "What is {}?",
    "{}",
    "What do the notes say about the harbour ferry?",
    "What is new?",
)
STDERR = "stderr.txt"  # what the processes of a history print
QUICK_RESCAN = 4.0


# ---------------------------------------------------------------- what is told


@dataclass(frozen=True, slots=True)
class Report:
    """What one process has to say. `kind`: fault (never right), told (an error in words), answered, gone (out of date)."""

    who: str
    kind: str
    error: str = ""
    text: str = ""
    trace: str = ""


class Reports:
    """A file that any number of processes append to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0

    def add(self, report: Report) -> None:
        line = json.dumps(asdict(report)).encode() + b"\n"
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(handle, line)
        finally:
            os.close(handle)

    def failed(self, who: str, error: BaseException) -> None:
        told = isinstance(error, (ConnectorError, StoreError, Cancelled))
        trace = "" if told else "".join(traceback.format_exception(error))
        self.add(Report(who, "told" if told else "fault", type(error).__name__, str(error), trace))

    def since(self) -> list[Report]:
        """What was added since this was last asked."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        return [Report(**json.loads(line)) for line in whole.splitlines()]


class _LogReports(logging.Handler):
    """What the app writes into its log."""

    def __init__(self, who: str, reports: Reports) -> None:
        super().__init__()
        self.who = who
        self.reports = reports

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            self.reports.add(
                Report(self.who, "fault", record.getMessage(), trace="".join(traceback.format_exception(record.exc_info[1])))
            )
        elif record.levelno >= logging.WARNING:
            last = record.args[-1] if isinstance(record.args, tuple) and record.args else None
            error = type(last).__name__ if isinstance(last, Exception) else "log"
            self.reports.add(Report(self.who, "told", error, record.getMessage()))


# ---------------------------------------------------------------- connectors that lose no time


class FaultyReading(InPlace):
    """Reads in this process; what the note beside the folders names cannot be read."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        self.note = place / UNREADABLE

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        for task in tasks:
            how = json.loads(self.note.read_text()).get(task.path) if self.note.exists() else None
            yield task, _unread(how) if how else function(task)


def _unread(how: str) -> Outcome | Stopped:
    if how == "killed":
        return Stopped("memory", "The reader needed more memory than there was.")
    if how == "closed":
        return Outcome("closed")
    return Outcome("later", problem=Problem("unreadable", "This file could not be read now (input/output error)."))


class _Quick(FolderConnector):
    """Sees a change after a tenth of a second, and looks at everything every few seconds."""

    rescan_seconds = QUICK_RESCAN

    def watch(self) -> Watch:
        return Watch(
            self.config.root, self.config.polling, settle_seconds=0.1, cap_seconds=1.0, rescan_seconds=5.0, skipped=self.skipped
        ).start()


class QuickFolder(_Quick):
    pass


class QuickPdfs(_Quick, PdfConnector):
    pass


def connecting(place: Path) -> Callable[[Path, str, Mapping[str, Any], Mapping[str, Any]], Connector]:
    """How the processes of a history open their sources."""

    def connect(home: Path, kind: str, config: Mapping[str, Any], secrets: Mapping[str, Any]) -> Connector:
        if kind == "jira":
            return JiraConnector(JiraConfig(**config), secrets["token"], HASTY, clock=lambda: time.time())
        if kind == "folder":
            return QuickFolder(FolderConfig(**config), sandbox=FaultyReading(place))
        connector = QuickPdfs(PdfConfig(**config))
        connector.sandbox = FaultyReading(place)
        return connector

    return connect


# ---------------------------------------------------------------- processes


@dataclass(slots=True)
class Child:
    """A process. `is_killed`: we have ended it, or armed it to end itself."""

    name: str
    process: BaseProcess
    is_armed: bool = False

    @property
    def died_of_a_kill(self) -> bool:
        return self.process.exitcode == -signal.SIGKILL

    def where_it_is(self, place: Path) -> str:
        """What each of its threads is doing."""
        if self.process.pid is None:
            return ""
        before = (place / STDERR).stat().st_size
        os.kill(self.process.pid, signal.SIGUSR1)
        time.sleep(1)
        with (place / STDERR).open("rb") as file:
            file.seek(before)
            return file.read().decode(errors="replace")

    def kill(self) -> None:
        self.is_armed = True
        self.process.kill()
        self.process.join()


def start(name: str, target: Callable[..., None], *arguments: object, kill: Kill | None = None) -> Child:
    forked.set_forkserver_preload(["bench.several"])  # once, for all of them
    begin, first = in_same_database(target)
    process = forked.Process(target=begin, args=(*first, *arguments, kill), name=name, daemon=False)
    process.start()
    return Child(name, process, kill is not None)


@contextlib.contextmanager
def _at_home(who: str, home: str, place: str, kill: Kill | None) -> Iterator[tuple[Workspace, Reports]]:
    """The data folder, opened in a process of its own; whatever rises is told."""
    reports = _reports_of(place)
    log = logging.getLogger("knowledge-tree")
    log.addHandler(_LogReports(who, reports))
    log.propagate = False
    if kill is not None:
        die_at(kill)
    try:
        opened = open_workspace(home)
        try:
            yield opened, reports
        finally:
            opened.close()
    except Exception as error:  # noqa: BLE001 whatever goes wrong in the app is what this is here to find
        reports.failed(who, error)


def _set_clock(seconds: float) -> None:
    """From now on this process, which is one of ours alone, has another time: all of the app reads `time.time`."""
    if seconds:
        true = time.time
        time.time = lambda: true() + seconds


def _end_with_parent() -> None:
    """However whoever follows the history ended, nothing of it goes on."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _reports_of(place: str) -> Reports:
    """Where a process that has just begun tells what goes wrong; what libraries print goes beside it."""
    with (Path(place) / STDERR).open("ab") as file:
        os.dup2(file.fileno(), 2)
    faulthandler.register(signal.SIGUSR1, file=2)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    return Reports(Path(place) / "reports.jsonl")


def follow(home: str, place: str, clock: float = 0.0, kill: Kill | None = None) -> None:
    """The worker, as the app starts it; its clock is so many seconds off."""
    _set_clock(clock)
    with _at_home("worker", home, place, kill) as (opened, _):
        worker = worker_of(opened, connecting(Path(place)))
        signal.signal(signal.SIGTERM, lambda *_: worker.stopping.set())
        worker.run()


def sync_once(home: str, place: str, name: str, kill: Kill | None = None) -> None:
    """`python -m ingestion sync NAME`, with readers in place."""
    with _at_home(f"sync {name}", home, place, kill) as (opened, _):
        sources = Sources(opened.database)
        source = sources.named(name)
        connector = connecting(Path(place))(opened.home, source.kind, source.config, sources.secrets(source))
        with contextlib.closing(connector):
            sync(opened, sources, source, connector=connector)


def sync_by_another_clock(home: str, place: str, name: str, seconds: float, kill: Kill | None = None) -> None:
    """As `sync_once`, in a process whose clock is so far off."""
    _set_clock(seconds)
    sync_once(home, place, name, kill)


def command(home: str, place: str, arguments: list[str], kill: Kill | None = None) -> None:
    """`python -m ingestion ARGUMENTS`: what it prints on stderr when it fails is told."""
    reports = _reports_of(place)
    who = " ".join(arguments)
    if kill is not None:
        die_at(kill)
    out, errors = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = commands.main(["--home", home, *arguments])
    except Exception as error:  # noqa: BLE001 as above
        reports.failed(who, error)
        return
    if status:
        reports.add(Report(who, "told", "command", errors.getvalue().strip() + out.getvalue()[-300:]))


def ask_on(home: str, place: str, seed: int, stopping: Event, kill: Kill | None = None) -> None:
    """People who ask one question after the other until they are told to stop."""
    with _at_home("asker", home, place, kill) as (opened, reports):
        people = [
            threading.Thread(target=_ask_on, args=(opened, reports, Path(place), Random(seed + n), stopping))
            for n in range(ASKERS)
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()


def _ask_on(opened: Workspace, reports: Reports, place: Path, chance: Random, stopping: Event) -> None:
    while not stopping.is_set():
        told = json.loads((place / "words.json").read_text())
        question = chance.choice(QUESTIONS).format(canary(chance.randrange(max(1, told["made"]))))
        as_of = time.time() - chance.uniform(0, 3) if chance.random() < 0.1 else None
        try:
            answer = _asked(opened, question, as_of).as_json()
            wrong = citations_that_do_not_stand(opened.store, answer)
            dead = set(told["dead"]) if as_of is None else set()
            wrong += [f"{word} was gone before it was asked, and is shown" for word in sorted(dead) if word in shown(answer)]
            for text in wrong:
                reports.add(Report("asker", "fault", "a wrong answer", f"{question}: {text}"))
            reports.add(Report("asker", "answered"))
        except Exception as error:  # noqa: BLE001 no question may fail
            trace = "".join(traceback.format_exception(error))
            reports.add(Report("asker", "fault", f"a question failed: {type(error).__name__}", str(error), trace))
        stopping.wait(chance.uniform(0, 2 * PAUSE_SECONDS))


def _asked(opened: Workspace, question: str, as_of: float | None = None) -> Answer:
    *_, answer = ask(opened, question, as_of=as_of, principal=OPERATOR)
    assert isinstance(answer, Answer)
    return answer


def shown(answer: Mapping[str, Any]) -> str:
    """All that an answer, as JSON, shows but the question itself."""
    options = [option for step in answer["trail"] for option in step["options"]]
    return json.dumps([answer["citations"], answer["closest"], options])


def citations_that_do_not_stand(store: Store, answer: Mapping[str, Any]) -> list[str]:
    """Citations, in an answer as JSON, of what was not so at the version that the answer was pinned to.

    Nothing can be said of a version that has been forgotten meanwhile, or of a source that was removed.
    """
    citations = answer["citations"]
    versions = {id_: store.versions.number_of([id_], count) for id_, count in answer["versions"].items()}
    nodes: dict[str, Node] = {}
    for id_, version in versions.items():
        nodes |= store.nodes.at([citation["place"] for citation in citations if citation["source_id"] == id_], version or 0)
    leaves = store.leaves.by_key(citation["leaf"] for citation in citations)
    wrong = []
    for citation in citations:
        name = f"[{citation['number']}] {citation['place']}"
        node, leaf = nodes.get(citation["place"]), leaves.get(citation["leaf"])
        if node is None or leaf is None:
            wrong.append(f"{name} was not there at version {answer['versions']}")
        elif node.leaf is not None and node.leaf != citation["leaf"]:
            wrong.append(f"{name} had another text at version {answer['versions']}")
        elif any(leaf.text[quoted["start"] : quoted["end"]].strip() != quoted["text"] for quoted in citation["passages"]):
            wrong.append(f"{name}: what is quoted does not stand there")
    known = {source.id for source in store.sources.askable()}
    if wrong and (None in versions.values() or not {citation["source_id"] for citation in citations} <= known):
        return []
    return wrong
