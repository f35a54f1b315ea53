"""Every commit point of the app's work: killed before and after each of them, the data folder is sound and work goes on.

A small data folder is made and closed. Then one piece of work (a sync of what changed, the first sync of a source, a
removal, forgetting, finding the index lost) is done again and again on a copy of it, each time in a process that is killed
at the next commit point, until one is not killed any more. After each kill nothing may refer to what is not there, a
question is answered, and after one more sync all is as if nothing had happened (bench.several_checks).
"""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench import processes
from bench.crash import Kill
from bench.databases import copied_database, own_database
from bench.processes import Reports, start
from bench.several_checks import Checked, Entry
from bench.several_worlds import SeveralWorld
from bench.truth import Wrong
from connectors.sandbox import Sandbox
from ingestion.sync import sync
from tree.store.forgetting import forget_source

STEPS = 1  # pieces of work of one history
SMALL = (3,)  # documents of each world
WORK_SECONDS = 120
MOST_POINTS = 200


def replay(seed: int, steps: int = STEPS, world: str = "commits", sandbox: Sandbox | None = None) -> Counter[str]:
    """One history. Raises Wrong. Returns what was killed how often."""
    chance = Random(seed)
    events: Counter[str] = Counter()
    for number in range(steps):
        work = WORKS[(seed + number) % len(WORKS)]
        with (
            TemporaryDirectory(prefix="knowledge-tree-commits-", ignore_cleanup_errors=True) as place,
            own_database(),
            closing(Sweep(Path(place), chance)) as sweep,
        ):
            events[f"{work.__name__.replace('_', ' ')}: killed at"] += sweep.over(work)
    return events


class Sweep(Checked):
    """A data folder with two folders that share a text, kept aside to be taken again."""

    def __init__(self, place: Path, chance: Random) -> None:
        super().__init__(place, chance, SMALL)
        self.reports = Reports(place / "reports.jsonl")
        self.aside = place / "aside"
        one, two = self.worlds[:2]
        two.copy_in(*one.copy_out())
        for world in (one, two):
            self._add(world)
        self.sync_all()

    def over(self, work: Callable[[Sweep], list[str]], stride: int = 1) -> int:
        """Does the work at all its commit points. Returns at how many it was killed."""
        arguments = work(self)
        self.workspace.close()
        self.home.rename(self.aside)
        entries = self.entries
        for number in itertools.count(1, stride):
            shutil.copytree(self.aside, self.home)
            self.entries = {id_: replace(entry, known=dict(entry.known)) for id_, entry in entries.items()}
            with copied_database():
                is_killed = self._killed(arguments, Kill(number, is_after=bool(self.chance.getrandbits(1))))
                self._check_after(arguments, number)
                self.workspace.close()
            shutil.rmtree(self.home)
            if not is_killed:
                self.aside.rename(self.home)
                self.open()
                return (number - 1) // stride
            if number > MOST_POINTS:
                raise Wrong(f"{arguments} is not done after {number} commits")
        raise AssertionError("counting ends with the work")

    def _killed(self, arguments: list[str], kill: Kill) -> bool:
        target = processes.sync_once if arguments[0] == "sync" else processes.command
        rest = [arguments[1]] if arguments[0] == "sync" else [arguments]
        child = start(" ".join(arguments), target, str(self.home), str(self.place), *rest, kill=kill)
        child.process.join(WORK_SECONDS)
        if child.process.exitcode is None:
            child.kill()
            raise Wrong(f"{arguments} did not end within {WORK_SECONDS} s")
        if child.process.exitcode and not child.died_of_a_kill:
            raise Wrong(f"{arguments} ended with {child.process.exitcode}")
        for report in self.reports.since():
            raise Wrong(f"{arguments}, killed at commit {kill.at}: {report.error} {report.text}\n{report.trace}")
        return child.died_of_a_kill

    def _check_after(self, arguments: list[str], number: int) -> None:
        try:
            self.check_references()
            self.open()
            if arguments[0] == "remove":
                self.entries = {id_: entry for id_, entry in self.entries.items() if entry.name != arguments[1]}
            self.check_what_stands()
            self._ask("What do the notes say about the harbour ferry?")
            if arguments[0] == "remove":
                self._remove_for_good(arguments[1])
            self.sync_all()
            self.has_forgotten = arguments[0] == "forget"
            self.check()
        except Exception as error:
            raise Wrong(f"{' '.join(arguments)}, killed at commit {number}: {type(error).__name__}: {error}") from error

    def _remove_for_good(self, name: str) -> None:
        """As the worker does, or somebody who gives the command once more."""
        for id_ in [source.id for source in self.sources.all() if source.name == name]:
            self.sources.mark_removing(id_)
        for id_ in self.sources.removing():
            forget_source(self.workspace.database, id_)
            self.sources.delete(id_)
        self.workspace.index.catch_up()

    def _add(self, world: SeveralWorld) -> str:
        name = f"Source {len(self.entries) + 1}"
        source = self.sources.add(world.kind, name, *world.config())
        self.entries[source.id] = Entry(world, name, {})
        return name

    def sync_all(self) -> None:
        connect = processes.connecting(self.place)
        for id_ in self.entries:
            source = self.sources.get(id_)
            with closing(connect(self.home, source.kind, source.config, self.sources.secrets(source))) as connector:
                sync(self.workspace, self.sources, source, connector=connector)
        for entry in self.entries.values():
            entry.known = dict(entry.world.words)

    def change_worlds(self) -> None:
        world = self.worlds[0]
        for _ in range(6):
            world.change()
        world.mend_all()


# ---------------------------------------------------------------- the works: each prepares one and gives its command


def sync_of_changes(sweep: Sweep) -> list[str]:
    sweep.change_worlds()
    return ["sync", "Source 1"]


def first_sync(sweep: Sweep) -> list[str]:
    return ["sync", sweep._add(sweep.worlds[2])]


def removal(sweep: Sweep) -> list[str]:
    sweep.change_worlds()
    sweep.sync_all()
    return ["remove", "Source 1"]


def forgetting(sweep: Sweep) -> list[str]:
    sweep.change_worlds()
    sweep.sync_all()
    return ["forget", "0"]


def sync_without_index(sweep: Sweep) -> list[str]:
    sweep.change_worlds()
    sweep.workspace.index.close()
    for part in sweep.home.glob("search.db*"):
        part.unlink()
    return ["sync", "Source 1"]


WORKS = (sync_of_changes, first_sync, removal, forgetting, sync_without_index)
