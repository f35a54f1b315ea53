"""Is anything ever wrong: random histories of a folder with crashes and races, each held against the folder itself.

Every file holds a word of its own for each state it was in. After each step the tree must equal one made from
nothing, every present word must be found, and every word that was edited, moved or deleted away must be gone from
leaves, records, the search index and answers. A failure prints the seed that replays it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench.page import truth_page
from bench.report import store_run
from connectors.folder import FolderConfig, FolderConnector
from connectors.sandbox import Sandbox
from ingestion.sources import Sources
from ingestion.sync import sync, verify
from prompts.extractive import ExtractiveReader
from prompts.records import Child, LeafText, Reading, SummaryRecord
from tree.answerer import Answer, ask
from tree.models import Source
from tree.search import Scope
from tree.store import digest
from tree.workspace import Workspace, open_workspace

STEPS = 6  # of one history
FOLDERS = ("", "plans/", "plans/2026/", "minutes/", "minutes/old/", "notes and more/")
ENDINGS = (".md", ".md", ".txt", ".csv", ".json")
WORDS = [
    "harbour",
    "ferry",
    "ticket",
    "crew",
    "engine",
    "winter",
    "repair",
    "schedule",
    "budget",
    "safety",
    "radar",
    "mooring",
    "tide",
    "deck",
    "cabin",
    "anchor",
]
SOURCE = "folder"
CRASH_SECONDS = 0.6  # a sync is killed within so many seconds of its start
_processes = multiprocessing.get_context("forkserver")


class Wrong(AssertionError):
    """Something the tree says is not so."""


def run(options: argparse.Namespace) -> int:
    _processes.set_forkserver_preload(["bench.truth"])
    began, failures, events = time.perf_counter(), [], Counter[str]()
    sandbox = Sandbox()
    try:
        for number in range(options.runs):
            seed = options.seed + number
            try:
                events += replay(seed, options.steps, sandbox)
            except Exception as error:  # noqa: BLE001 whatever goes wrong is what this is here to find
                failures.append({"seed": seed, "error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()})
                again = f"python -m bench truth --runs 1 --seed {seed} --steps {options.steps}"
                print(f"seed {seed}: {error}\n  again with: {again}", file=sys.stderr)
            if sys.stderr.isatty() and number % 10 == 9:
                print(f"{number + 1} histories, {len(failures)} failures", file=sys.stderr)
    finally:
        sandbox.close()
    report = {
        "histories": options.runs,
        "steps": options.steps,
        "seed": options.seed,
        "failures": failures,
        "events": dict(sorted(events.items())),
        "seconds": round(time.perf_counter() - began, 1),
    }
    print(table(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "truth.json").write_text(json.dumps(report, indent=1))
        (options.out / "truth.html").write_text(truth_page(report), encoding="utf-8")
        store_run(options.out, "truth", report)
    return 1 if failures else 0


def table(report: dict[str, Any]) -> str:
    lines = [f"{report['histories']} histories of {report['steps']} steps from seed {report['seed']} in {report['seconds']} s"]
    lines += [f"  {name:<28}{count:>7}" for name, count in report["events"].items()]
    failures = report["failures"]
    seeds = ", ".join(str(failure["seed"]) for failure in failures)
    return "\n".join([*lines, f"{len(failures)} failures" + (f": seeds {seeds}" if failures else "")])


def replay(seed: int, steps: int = STEPS, sandbox: Sandbox | None = None) -> Counter[str]:
    """One history. Raises Wrong, or whatever the app raised. Returns what happened how often."""
    chance = Random(seed)
    with TemporaryDirectory(prefix="knowledge-tree-truth-") as place:
        folder = Folder(Path(place) / "folder", chance)
        history = History(Path(place) / "home", folder, chance, sandbox)
        try:
            for _ in range(steps):
                for _ in range(chance.choice((1, 1, 1, 3, 8))):
                    history.events[folder.change()] += 1
                history.bring_in()
                history.check()
        finally:
            history.close()
        return history.events


# ---------------------------------------------------------------- the folder


def canary(number: int) -> str:
    """A word that no text has, unlike any other of its kind, so that no correction of spelling leads to another."""
    chance = Random(number)
    return "".join(chance.choices("bcfhjklmnpqrtvwxz", k=11))


@dataclass
class Folder:
    """Real files, with the words that are in them now and those that must be nowhere any more."""

    root: Path
    chance: Random
    words: dict[str, str] = field(default_factory=dict)  # path: its word
    hidden: dict[str, str] = field(default_factory=dict)
    bin: list[tuple[str, bytes, str]] = field(default_factory=list)  # deleted files with their bytes and words
    made: int = 0

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True)
        for _ in range(self.chance.choice((3, 8, 20))):
            self.create()

    @property
    def gone(self) -> set[str]:
        every = {canary(number) for number in range(self.made)}
        return every - set(self.words.values())

    def change(self) -> str:
        """One random change, by name."""
        changes: list[Callable[[], None]] = [self.create, self.create]
        if self.words:
            changes += [self.edit, self.edit, self.rename, self.move, self.delete, self.touch, self.hide]
        if self.bin:
            changes.append(self.restore)
        if self.hidden:
            changes.append(self.show)
        if len(self.words) > 3:
            changes.append(self.move_folder)
        chosen = self.chance.choice(changes)
        chosen()
        return chosen.__name__.replace("_", " a ")

    def create(self) -> None:
        self._write(self._free_path())

    def edit(self) -> None:
        self._write(self._any())

    def touch(self) -> None:
        os.utime(self.root / self._any())

    def rename(self) -> None:
        old = self._any()
        folder = old.rpartition("/")[0]
        self._to(old, (f"{folder}/" if folder else "") + self._name() + Path(old).suffix)

    def move(self) -> None:
        self._to(self._any(), self._free_path())

    def move_folder(self) -> None:
        """A whole folder under another name."""
        folders = [path.partition("/")[0] for path in self.words if "/" in path]
        if not folders:
            return
        old, new = self.chance.choice(folders), f"moved {self.made} {self.chance.randrange(99)}"
        (self.root / old).rename(self.root / new)
        self.words = {new + path[len(old) :] if path.startswith(f"{old}/") else path: word for path, word in self.words.items()}
        self.hidden = {new + path[len(old) :] if path.startswith(f"{old}/") else path: word for path, word in self.hidden.items()}

    def delete(self) -> None:
        path = self._any()
        self.bin.append((path, (self.root / path).read_bytes(), self.words.pop(path)))
        (self.root / path).unlink()

    def restore(self) -> None:
        path, content, word = self.bin.pop(self.chance.randrange(len(self.bin)))
        if path not in self.words and path not in self.hidden:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(content)
            self.words[path] = word

    def hide(self) -> None:
        """A name that begins with a dot is out of sight."""
        path = self._any()
        folder, slash, name = path.rpartition("/")
        (self.root / path).rename(self.root / f"{folder}{slash}.{name}")
        self.hidden[path] = self.words.pop(path)

    def show(self) -> None:
        path = self.chance.choice(sorted(self.hidden))
        folder, slash, name = path.rpartition("/")
        word = self.hidden.pop(path)
        if path not in self.words:
            (self.root / f"{folder}{slash}.{name}").rename(self.root / path)
            self.words[path] = word

    def _any(self) -> str:
        return self.chance.choice(sorted(self.words)) if self.words else self._new()

    def _new(self) -> str:
        self.create()
        return next(reversed(self.words))

    def _name(self) -> str:
        return f"{self.chance.choice(WORDS)} {self.made}{self.chance.randrange(1000)}"

    def _free_path(self) -> str:
        return self.chance.choice(FOLDERS) + self._name() + self.chance.choice(ENDINGS)

    def _to(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)
        self.words[new] = self.words.pop(old)

    def _write(self, path: str) -> None:
        word = canary(self.made)
        self.made += 1
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(self._content(path, word), encoding="utf-8")
        self.words[path] = word

    def _content(self, path: str, word: str) -> str:
        def sentence() -> str:
            return " ".join(self.chance.choices(WORDS, k=9)).capitalize() + "."

        paragraphs = [" ".join(sentence() for _ in range(4)) for _ in range(self.chance.choice((1, 2, 4, 40)))]
        paragraphs.insert(self.chance.randrange(len(paragraphs) + 1), f"We decided to call it {word} from now on.")
        if path.endswith(".json"):
            return json.dumps({"text": paragraphs})
        if path.endswith(".csv"):
            return "name,words\n" + "\n".join(f"{at},{text}" for at, text in enumerate(paragraphs))
        if path.endswith(".md"):
            paragraphs = [f"## {self.chance.choice(WORDS).title()} {at}\n\n{text}" for at, text in enumerate(paragraphs)]
        return "\n\n".join(paragraphs)


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


def _sync_alone(home: str, notes: str) -> None:
    """A sync in a process of its own."""
    workspace = open_workspace(home, NotingReader(Path(notes)))
    sources = Sources(workspace.database)
    try:
        sync(workspace, sources, sources.named(SOURCE))
    finally:
        workspace.close()


class History:
    """The app's side of one history: brings changes in, one way or another, and checks what came of it."""

    def __init__(self, home: Path, folder: Folder, chance: Random, sandbox: Sandbox | None) -> None:
        self.home = home
        self.folder = folder
        self.chance = chance
        self.events: Counter[str] = Counter()
        self.notes = home.parent / "decisions"
        self.killed: set[int] = set()
        self.workspace: Workspace = open_workspace(home, NotingReader(self.notes))
        self.sources = Sources(self.workspace.database)
        self.connector = FolderConnector(FolderConfig(path=folder.root), sandbox=sandbox)
        self.owns_sandbox = sandbox is None
        self.sources.add("folder", SOURCE, {"path": str(folder.root)})

    def close(self) -> None:
        if self.owns_sandbox:
            self.connector.close()
        self.workspace.close()

    @property
    def source(self) -> Source:
        return self.sources.named(SOURCE)

    def bring_in(self) -> None:
        way = self.chance.choices(
            (self._plainly, self._with_hints, self._after_a_crash, self._in_a_race, self._without_index), (5, 3, 3, 1, 1)
        )[0]
        way()
        self.events["sync" + way.__name__.replace("_", " ")] += 1

    def _plainly(self) -> None:
        sync(self.workspace, self.sources, self.source, connector=self.connector)

    def _with_hints(self) -> None:
        """As a watcher would: the names of what changed, then, now and then, a look at everything."""
        known = self.workspace.store.document_ids(self.source.id)
        changed = sorted(known ^ self.folder.words.keys()) + sorted(self.folder.words)
        sync(self.workspace, self.sources, self.source, changed, connector=self.connector)

    def _after_a_crash(self) -> None:
        child = _processes.Process(target=_sync_alone, args=(str(self.home), str(self.notes)))
        child.start()
        child.join(self.chance.uniform(0, CRASH_SECONDS))
        if child.is_alive():
            os.kill(child.pid, signal.SIGKILL)
            self.killed.add(child.pid)
            self.events["killed in the middle"] += 1
        child.join()
        self._plainly()

    def _in_a_race(self) -> None:
        children = [_processes.Process(target=_sync_alone, args=(str(self.home), str(self.notes))) for _ in range(2)]
        for child in children:
            child.start()
        for child in children:
            child.join()
        if any(child.exitcode for child in children):
            raise Wrong(f"a sync in a race ended with {[child.exitcode for child in children]}")

    def _without_index(self) -> None:
        """The index is derived: it may be deleted at any time."""
        self.workspace.index.close()
        for path in self.home.glob("search.db*"):
            path.unlink()
        self._plainly()

    # ---- what must be so

    def check(self) -> None:
        checked = verify(self.workspace, self.source)
        if not checked.is_equal:
            raise Wrong(f"the tree is not what its documents make: {', '.join(checked.differing[:3])}")
        store = self.workspace.store
        known = store.document_ids(self.source.id)
        if known != self.folder.words.keys():
            raise Wrong(
                f"missing {sorted(self.folder.words.keys() - known)}, too many {sorted(known - self.folder.words.keys())}"
            )
        nodes = store.all_nodes(self.source.id)
        leaves = store.leaves(node.leaf for node in nodes if node.leaf)
        texts = "\n".join(leaf.text for leaf in leaves.values())
        records = "\n".join(record.model_dump_json() for record in store.records(node.record for node in nodes).values())
        for path, word in self.folder.words.items():
            if word not in texts:
                raise Wrong(f"{word} of {path} is in no leaf")
        for place, material in (("leaves", texts), ("records", records), ("titles", "\n".join(node.title for node in nodes))):
            if left := [word for word in self.folder.gone if word in material]:
                raise Wrong(f"{left[0]} is gone from the folder and still in the {place}")
        self._check_search()
        self._check_answers()
        self._check_decisions()

    def _check_search(self) -> None:
        self.workspace.index.catch_up()
        scope = Scope((self.source.id,))
        store = self.workspace.store
        for path, word in self.folder.words.items():
            places = [hit.place for hit in self.workspace.index.search([word], scope, 5)]
            if path not in {node.document_id for node in store.nodes(places).values()}:
                raise Wrong(f"{word} of {path} is not found by the search index")
        for word in self.folder.gone:
            if self.workspace.index.search([word], scope, 1):
                raise Wrong(f"{word} is gone from the folder and still in the search index")

    def _check_answers(self) -> None:
        for path, word in self._some(sorted(self.folder.words.items()), 2):
            answer = self._ask(f"What did we decide to call {word}?")
            if path not in {citation.document_id for citation in answer.citations}:
                raise Wrong(f"the answer about {word} does not cite {path}")
        for word in self._some(sorted(self.folder.gone), 2):
            answer = self._ask(f"What is {word}?").as_json()
            shown = [option for step in answer["trail"] for option in step["options"]]
            if word in json.dumps([answer["citations"], answer["closest"], shown]):
                raise Wrong(f"{word} is gone from the folder and still answered from")

    def _ask(self, question: str) -> Answer:
        *_, answer = ask(self.workspace, question)
        assert isinstance(answer, Answer)
        return answer

    def _some(self, items: list, number: int) -> Iterator[Any]:
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
