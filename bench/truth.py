"""Is anything ever wrong: random histories with crashes and races, each held against what is really there.

Every document holds a word of its own for each state it was in (bench.worlds). After each step the tree must equal one
made from nothing, every present word must be found, and every word that was edited, moved or deleted away must be gone
from leaves, records, the search index, answers and the tree as it is shown. What cannot be read for a while must be there
as it was last read, and listed. A failure prints the seed that replays it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from functools import cache
from importlib import import_module
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from bench.databases import in_same_database, own_database
from bench.page import truth_page
from bench.report import store_run
from bench.worlds import FolderWorld, JiraWorld, World
from connectors.base import ConnectorError
from connectors.folder import FolderConfig, FolderConnector
from connectors.sandbox import Sandbox
from ingestion.sources import Sources
from ingestion.sync import GUARD_DOCUMENTS, GUARD_SHARE, sync, verify
from prompts.extractive import ExtractiveReader
from prompts.records import Child, LeafText, Reading, SummaryRecord
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.retrieve.index import Index, SearchScope
from tree.store.forms import digest
from tree.store.models import Source
from tree.workspace import Workspace, open_workspace

T = TypeVar("T")
STEPS = 6  # of one history
SOURCE = "source"
CRASH_SECONDS = 0.6  # a sync is killed within so many seconds of its beginning
CRASH_IN_PLACE_SECONDS = 0.3  # one that need not start readers first
CHILD_SECONDS = 600  # a sync in a process of its own that takes longer hangs
WORLDS = ("folder", "jira")
OTHER_WORLDS = ("several", "commits")  # each is a module with a history of its own
_processes = multiprocessing.get_context("forkserver")


class Wrong(AssertionError):
    """Something the tree says is not so."""


class Failure(NamedTuple):
    """What went wrong in one history."""

    error: str
    trace: str


def run(options: argparse.Namespace) -> int:
    if options.world in OTHER_WORLDS:
        module = import_module(f"bench.{options.world}")
        options.steps = options.steps or module.STEPS
        return follow(options, module.replay)
    options.steps = options.steps or STEPS
    return follow(options, replay)


def follow(options: argparse.Namespace, replayed: Callable[..., Counter[str]]) -> int:
    """History after history, each replayed from its seed; what goes wrong is told with the seed."""
    began, failures, events = time.perf_counter(), [], Counter[str]()
    done = 0
    for seed, outcome in _histories(options, replayed, began):
        if isinstance(outcome, Failure):
            failures.append({"seed": seed, **outcome._asdict()})
            again = f"python -m bench truth --world {options.world} --runs 1 --seed {seed} --steps {options.steps}"
            print(f"seed {seed}: {outcome.error}\n  again with: {again}", file=sys.stderr, flush=True)
        else:
            events += outcome
        done += 1
        if done % 10 == 0:
            print(f"{done} histories, {len(failures)} failures", file=sys.stderr, flush=True)
    report = {
        "world": options.world,
        "histories": done,
        "steps": options.steps,
        "seed": options.seed,
        "failures": failures,
        "events": dict(sorted(events.items())),
        "seconds": round(time.perf_counter() - began, 1),
    }
    print(table(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        name = "truth" if options.world == "folder" else f"truth_{options.world}"
        (options.out / f"{name}.json").write_text(json.dumps(report, indent=1))
        (options.out / f"{name}.html").write_text(truth_page(report), encoding="utf-8")
        store_run(options.out, name, report)
    return 1 if failures else 0


def _histories(
    options: argparse.Namespace, replayed: Callable[..., Counter[str]], began: float
) -> Iterator[tuple[int, Counter[str] | Failure]]:
    """Seeds with what came of them, as they end; so many side by side as there are jobs."""
    _import_ahead()
    limit = 60 * options.minutes if options.minutes else math.inf
    numbers = range(options.seed, options.seed + options.runs)
    seeds = itertools.takewhile(lambda _: time.perf_counter() - began < limit, numbers)
    if options.jobs == 1:
        with Sandbox() as sandbox:
            yield from ((seed, _outcome(replayed, seed, options.steps, options.world, sandbox)) for seed in seeds)
        return
    with ProcessPoolExecutor(options.jobs, mp_context=_processes, initializer=_import_ahead) as pool:
        running: dict[Future[Counter[str] | Failure], int] = {}
        while True:
            for seed in itertools.islice(seeds, options.jobs - len(running)):
                running[pool.submit(_outcome, replayed, seed, options.steps, options.world)] = seed
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()


def _import_ahead() -> None:
    """Syncs are forked from a server that has imported everything; each job has a server of its own."""
    _processes.set_forkserver_preload(["bench.several"])


def _outcome(
    replayed: Callable[..., Counter[str]], seed: int, steps: int, world: str, sandbox: Sandbox | None = None
) -> Counter[str] | Failure:
    try:
        return replayed(seed, steps, world, sandbox or _sandbox_of_this_process())
    except Exception as error:  # noqa: BLE001 whatever goes wrong is what this is here to find
        return Failure(f"{type(error).__name__}: {error}", traceback.format_exc())


@cache
def _sandbox_of_this_process() -> Sandbox:
    """One for all histories of a job; its children end with it."""
    return Sandbox()


def table(report: dict[str, Any]) -> str:
    lines = [
        f"{report['histories']} histories ({report['world']}) of {report['steps']} steps from seed {report['seed']} in {report['seconds']} s"
    ]
    lines += [f"  {name:<40}{count:>7}" for name, count in report["events"].items()]
    failures = report["failures"]
    seeds = ", ".join(str(failure["seed"]) for failure in failures)
    return "\n".join([*lines, f"{len(failures)} failures" + (f": seeds {seeds}" if failures else "")])


def replay(seed: int, steps: int = STEPS, world: str = "folder", sandbox: Sandbox | None = None) -> Counter[str]:
    """One history. Raises Wrong, or whatever the app raised. Returns what happened how often."""
    chance = Random(seed)
    with TemporaryDirectory(prefix="knowledge-tree-truth-") as place, own_database():
        outside = JiraWorld(chance) if world == "jira" else FolderWorld(Path(place), chance, sandbox)
        history = History(Path(place) / "home", outside, chance)
        try:
            for _ in range(steps):
                for _ in range(chance.choice((1, 1, 1, 3, 8))):
                    history.events[outside.change()] += 1
                history.bring_in()
                history.check()
                history.approve()
        finally:
            history.close()
            outside.close()
        return history.events


# ---------------------------------------------------------------- the app beside it


class NotingReader(ExtractiveReader):
    """Writes down each decision it is asked for, so that one made twice is found, over all processes."""

    def __init__(self, notes: Path) -> None:
        self.notes = notes

    def read(self, leaf: LeafText) -> Reading:
        self._note("read", leaf.text, leaf.heading, [unit.model_dump_json() for unit in leaf.units], leaf.kind)
        return super().read(leaf)

    def summarize(self, title: str, children: Sequence[Child]) -> SummaryRecord:
        self._note("summarize", title, [(c.title, c.kind, c.record.model_dump_json(), c.leaves) for c in children])
        return super().summarize(title, children)

    def _note(self, *asked: object) -> None:
        with self.notes.open("a") as file:
            file.write(f"{os.getpid()} {digest(*asked)}\n")


class InPlace(Sandbox):
    """Reads in the process that syncs, so that a kill hits the sync and not readers that have hardly started."""

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        return ((task, function(task)) for task in tasks)


def _sync_alone(home: str, notes: str, is_in_place: bool, begins: Event) -> None:
    """A sync in a process of its own."""
    workspace = open_workspace(home, NotingReader(Path(notes)))
    sources = Sources(workspace.database)
    source = sources.named(SOURCE)
    connector = FolderConnector(FolderConfig(**source.config), sandbox=InPlace()) if is_in_place else None
    begins.set()
    try:
        sync(workspace, sources, source, connector=connector)
    finally:
        workspace.close()


class OtherSync(NamedTuple):
    process: BaseProcess
    is_in_place: bool
    begins: Event  # set when its sync begins, so that a random moment of the sync can be waited for


class History:
    """The app's side of one history: brings changes in, one way or another, and checks what came of it."""

    def __init__(self, home: Path, world: World, chance: Random) -> None:
        self.home = home
        self.world = world
        self.chance = chance
        self.events: Counter[str] = Counter()
        self.notes = home.parent / "decisions"
        self.killed: set[int] = set()
        self.known: dict[str, str] = {}  # what the tree held when it was last checked: documents and their words
        self.workspace: Workspace = open_workspace(home, NotingReader(self.notes))
        self.sources = Sources(self.workspace.database)
        self.sources.add(world.kind, SOURCE, *world.config())

    def close(self) -> None:
        self.workspace.close()

    @property
    def source(self) -> Source:
        return self.sources.named(SOURCE)

    def bring_in(self) -> None:
        ways = {
            self._plainly: 5, self._with_hints: 3, self._after_a_crash: 3, self._in_a_race: 1, self._in_a_race_with_a_crash: 1,
            self._without_index: 1, self._after_it_was_away: 1,
        }  # fmt: skip
        [way] = self.chance.choices(list(ways), list(ways.values()))
        way()
        self.events["sync" + way.__name__.replace("_", " ")] += 1

    def _plainly(self) -> None:
        self._sync()
        self._check_guard()

    def _sync(self, hints: Sequence[str] | None = None) -> None:
        sync(self.workspace, self.sources, self.source, hints, connector=self.world.connector())

    def _with_hints(self) -> None:
        """As a watcher would: the names of what changed and no others."""
        there, known = self.world.words, self.known
        unreadable = self.world.unreadable
        changed = {id_ for id_ in there.keys() | known.keys() if there.get(id_) != known.get(id_)}
        self._sync(sorted(changed | unreadable))

    def _after_a_crash(self) -> None:
        [child] = self._start(1)
        self._kill(child)
        self._sync()

    def _in_a_race(self) -> None:
        """Two other processes and this one."""
        children = self._start(2)
        self._sync()
        self._end(children)

    def _in_a_race_with_a_crash(self) -> None:
        one, other = self._start(2)
        self._kill(one)
        self._sync()
        self._end([other])

    def _without_index(self) -> None:
        """The index is derived: it may be deleted at any time."""
        self.workspace.index.close()
        for path in self.home.glob("search.db*"):
            path.unlink()
        self._sync()

    def _after_it_was_away(self) -> None:
        """Nothing can be reached for a while. Whatever the app knows it keeps, and says so."""
        if before := self.workspace.store.documents.ids(self.source.id):
            with self.world.away():
                try:
                    self._sync()
                except ConnectorError:
                    self.events["could not reach it"] += 1
                else:
                    raise Wrong("nothing could be reached, and the sync ended as if it had been")
            if lost := before - self.workspace.store.documents.ids(self.source.id):
                raise Wrong(f"{len(lost)} documents were taken for deleted while nothing could be reached")
            if self.source.state not in ("lost", "failed", "limited"):
                raise Wrong(f"nothing could be reached, and the source says {self.source.state}")
        self._sync()

    # ---- other processes

    def _start(self, number: int) -> list[OtherSync]:
        children = []
        _import_ahead()
        for _ in range(number):
            begins = _processes.Event()
            is_in_place = self.world.kind == "folder" and self.chance.random() < 0.5
            begin, first = in_same_database(_sync_alone)
            process = _processes.Process(target=begin, args=(*first, str(self.home), str(self.notes), is_in_place, begins))
            process.start()
            children.append(OtherSync(process, is_in_place, begins))
        return children

    def _kill(self, one: OtherSync) -> None:
        one.begins.wait(CHILD_SECONDS)
        child = one.process
        child.join(self.chance.uniform(0, CRASH_IN_PLACE_SECONDS if one.is_in_place else CRASH_SECONDS))
        if child.is_alive() and child.pid:
            os.kill(child.pid, signal.SIGKILL)
            self.killed.add(child.pid)
            self.events["killed in the middle"] += 1
        child.join()

    def _end(self, children: Sequence[OtherSync]) -> None:
        processes = [child.process for child in children]
        for child in processes:
            child.join(CHILD_SECONDS)
            if child.is_alive():
                child.kill()
                raise Wrong(f"a sync in a race did not end within {CHILD_SECONDS} s")
        if any(child.exitcode for child in processes):
            raise Wrong(f"a sync in a race ended with {[child.exitcode for child in processes]}")

    # ---- the drop guard

    def _check_guard(self) -> None:
        """After one look at everything: an admin is asked about exactly that drop which is too large."""
        expected = self._expected()
        there = set(expected.values())
        dropped = {id_ for id_, word in self.known.items() if id_ not in expected and word not in there}
        large = len(dropped) > GUARD_DOCUMENTS and len(dropped) > GUARD_SHARE * (len(dropped) + len(expected))
        waiting = self._waiting()
        if large and not dropped <= waiting:
            raise Wrong(
                f"{len(dropped)} documents went missing at once, and only {len(dropped & waiting)} of them wait for an admin"
            )
        if not large and dropped & waiting:
            raise Wrong(f"{len(dropped)} documents went missing, which is not many, and an admin is asked about them")
        self.events["a drop that an admin was asked about"] += large

    def approve(self) -> None:
        """Now and then an admin says that what went missing is really gone; otherwise it waits, or comes back."""
        if self._waiting() and self.chance.random() < 0.4:
            self.sources.approve(self.source.id)
            self.events["an admin said it is gone"] += 1
            if self._waiting():
                raise Wrong("an admin has decided, and is asked again")
            self.check()

    def _waiting(self) -> set[str]:
        return {tombstone.document_id for tombstone in self.sources.awaiting_approval(self.source.id)}

    # ---- what must be so

    def _expected(self) -> dict[str, str]:
        """What the tree must hold: what can be read now, and what cannot as it was when it was last checked."""
        return self.world.words | {id_: word for id_, word in self.known.items() if id_ in self.world.unreadable}

    def check(self) -> None:
        proof = replace(self.workspace, reader=ExtractiveReader())  # what is read again for it does not count
        checked = verify(proof, self.source)
        if not checked.is_equal:
            raise Wrong(f"the tree is not what its documents make: {', '.join(checked.differing[:3])}")
        store = self.workspace.store
        known = {id_ for id_ in store.documents.ids(self.source.id) if self.world.has_word(id_)}
        expected = self._expected()
        if known != expected.keys():
            missing, more = sorted(expected.keys() - known), sorted(known - expected.keys())
            raise Wrong(f"missing {missing}, too many {more}")
        self.known = expected
        gone = self._gone()
        if marked := {row.document_id for row in self.sources.stale(self.source.id)} ^ (self.world.unreadable & known):
            raise Wrong(f"{sorted(marked)[0]} is marked as kept and can be read, or the other way round")
        if back := self._waiting() & known:
            raise Wrong(f"{sorted(back)[0]} is there, and an admin is asked whether it is gone")
        nodes = store.nodes.of_source(self.source.id)
        leaves = store.leaves.by_key(node.leaf for node in nodes if node.leaf)
        texts = "\n".join(leaf.text for leaf in leaves.values())
        records = "\n".join(record.model_dump_json() for record in store.records.by_hash(node.record for node in nodes).values())
        for path, word in expected.items():
            if word not in texts:
                raise Wrong(f"{word} of {path} is in no leaf")
        for place, material in (("leaves", texts), ("records", records), ("titles", "\n".join(node.title for node in nodes))):
            if left := [word for word in gone if word in material]:
                raise Wrong(f"{left[0]} is gone and still in the {place}")
        self._check_search()
        self._check_facts()
        self._check_answers()
        self._check_decisions()

    def _gone(self) -> set[str]:
        return self.world.gone - set(self.known.values())

    def _check_search(self) -> None:
        self.workspace.index.catch_up()
        scope = SearchScope((self.source.id,))
        store = self.workspace.store
        for path, word in self.known.items():
            places = [hit.place for hit in self.workspace.index.search([word], scope, 5)]
            if path not in {node.document_id for node in store.nodes.at(places).values()}:
                raise Wrong(f"{word} of {path} is not found by the search index")
        for word in self._gone():
            if self.workspace.index.search([word], scope, 1):
                raise Wrong(f"{word} is gone and still in the search index")

    def _check_facts(self) -> None:
        """The facts, decisions, actions and events in the index are those of one made from nothing."""
        scope = SearchScope((self.source.id,))
        fresh = Index(self.workspace.store, None)
        fresh.load(scope.sources, self.workspace.index.version())
        for what in (Index.facts, Index.items):
            held, expected = (what(index, scope).everything() for index in (self.workspace.index, fresh))
            if differing := set(held) ^ set(expected):
                raise Wrong(f"{sorted(map(str, differing))[0]} is in the search index or in a fresh one, and not in the other")
            if len(held) != len(expected):
                raise Wrong(f"the search index holds {len(held)} {what.__name__}, a fresh one {len(expected)}")

    def _check_answers(self) -> None:
        for path, word in self._some(sorted(self.known.items()), 2):
            answer = self._ask(f"What did we decide to call {word}?")
            if path not in {citation.document_id for citation in answer.citations}:
                raise Wrong(f"the answer about {word} does not cite {path}")
        for word in self._some(sorted(self._gone()), 2):
            told = self._ask(f"What is {word}?").as_json()
            shown = [option for step in told["trail"] for option in step["options"]]
            if word in json.dumps([told["citations"], told["closest"], shown]):
                raise Wrong(f"{word} is gone and still answered from")

    def _ask(self, question: str) -> Answer:
        *_, answer = ask(self.workspace, question, principal=OPERATOR)
        assert isinstance(answer, Answer)
        return answer

    def _some(self, items: Sequence[T], number: int) -> Iterator[T]:
        yield from self.chance.sample(items, min(number, len(items)))

    def _check_decisions(self) -> None:
        """What a killed process had not published may be asked for again; nothing else."""
        counted: Counter[str] = Counter()
        for line in self.notes.read_text().splitlines() if self.notes.exists() else ():
            pid, _, asked = line.partition(" ")
            if int(pid) not in self.killed:
                counted[asked] += 1
        if twice := [asked for asked, count in counted.items() if count > 1]:
            raise Wrong(f"{len(twice)} decisions were made twice for the same input")
