"""Histories with several sources at once, several processes, people who never stop asking, and everything going wrong.

Two folders, PDFs and a Jira over HTTP share texts; sources are added, paused, removed and added again while a worker
follows them, other processes sync, forget and verify, and two people ask. Processes are killed at commit points, requests
and files fail, the index is lost, clocks jump. After each step all is left in peace until every source has been looked at
once more; then the trees must be what is outside, nothing may refer to what is not there (bench.integrity), the index must
be a fresh one, and nothing may have failed that was not made to fail.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from filelock import FileLock

from bench import processes
from bench.crash import Kill
from bench.databases import own_database
from bench.processes import Child, Report, Reports, start
from bench.several_checks import Checked, Entry
from bench.several_worlds import SITE_FAULTS, SeveralFolder, SeveralTickets, SeveralWorld
from bench.truth import Wrong
from connectors.sandbox import Sandbox
from ingestion.sync import lock_of
from tree.store.locks import held

STEPS = 4  # of one history
PEACE_SECONDS = 90  # within which every source is in step once all faults are lifted
FAULT_SECONDS = 5  # a sync that meets a fault is waited for so long
END_SECONDS = 60  # within which a process ends when it is told to
KILL_POINTS = 40  # a process is killed at one of its first commit points
CLOCKS = (1, -1, 50, -50, 9_600)  # hours that the clock of a process is off
EMPTY_AT_ONCE = "are empty all at once"
OF_THE_APP = frozenset(
    (
        "StoreError",
        "Unreachable",
        "DamagedTree",
        "Vanished",
        "SourceRemoved",
        "DatabaseError",
        "Contradiction",
        "IntegrityError",
        "command",
        "log",
    )
)  # never the fault of a source
DAMAGED = "the search index is damaged and is built anew"
MAY_BE_TOLD = (
    "There is no such source any more",
    "There is no source called",
    "This source has been removed",
    "Another program is still reading what was deleted",
    "takes too long to answer",  # on a machine that has much to do
)


def replay(seed: int, steps: int = STEPS, world: str = "several", sandbox: Sandbox | None = None) -> Counter[str]:
    """One history. Raises Wrong, with what happened before it. Returns what happened how often."""
    chance = Random(seed)
    with TemporaryDirectory(prefix="knowledge-tree-several-", ignore_cleanup_errors=True) as place, own_database():
        history = Several(Path(place), chance)
        try:
            history.live(steps)
        except Exception as error:
            raise Wrong("\n  ".join([f"{type(error).__name__}: {error}", "what happened:", *history.log])) from error
        finally:
            history.close()
        return history.events


class Several(Checked):
    """One history: what happens outside, in the app's processes and to them, and what must be so after it."""

    def __init__(self, place: Path, chance: Random) -> None:
        super().__init__(place, chance)
        self.events: Counter[str] = Counter()
        self.log: list[str] = []
        self.reports = Reports(place / "reports.jsonl")
        self.faults = ExitStack()
        self.faulty: list[SeveralWorld] = []  # worlds that are left alone until their fault is lifted
        self.has_had_faults = False
        self.children: list[Child] = []
        self.worker: Child | None = None
        self.added = 0
        self._note_words()
        self.stopping = processes.forked.Event()
        self.asker = start("asker", processes.ask_on, str(self.home), str(place), chance.randrange(1 << 30), self.stopping)
        self._start_worker()

    def close(self) -> None:
        self.stopping.set()
        for child in [self.asker, *self.children, *([self.worker] if self.worker else [])]:
            child.process.terminate()
            child.process.join(2)
            child.kill()
        self.faults.close()
        super().close()

    # ---- a history

    def live(self, steps: int) -> None:
        for world in self.chance.sample(self.worlds, self.chance.randint(1, len(self.worlds))):
            self._add(world)
        for step in range(steps):
            self.log.append(f"step {step}")
            for _ in range(self.chance.choice((2, 4, 6))):
                self.event()
                self._look_round()
                self.check_references()
                time.sleep(self.chance.choice((0, 0, 0.02, 0.2)))
            self.settle()
            self.check()
        self._end()

    def event(self) -> None:
        happenings: dict[Callable[[], str | None], int] = {
            self.change_worlds: 12, self.share_a_text: 4,
            self.add_a_source: 2, self.remove_a_source: 2, self.pause_or_resume: 2, self.approve: 2, self.sync_now: 2,
            self.set_up_again: 1, self.hint: 2,
            self.sync_elsewhere: 3, self.sync_elsewhere_and_kill: 5, self.kill_the_worker: 2, self.arm_the_worker: 2,
            self.forget: 2, self.forget_and_kill: 1, self.verify: 2, self.status: 1,
            self.lose_the_index: 2, self.damage_the_index: 1,
            self.fault_of_the_site: 4, self.away: 2, self.empty_files: 2, self.unreadable_files: 2,
            self.sync_with_another_clock: 1, self.set_the_workers_clock: 1,
        }  # fmt: skip
        [happening] = self.chance.choices(list(happenings), list(happenings.values()))
        told = len(self.log)
        if (what := happening()) is not None:
            self.log.append(what)
        self.events[happening.__name__.replace("_", " ")] += len(self.log) > told

    # ---- what changes outside

    def _at_peace(self) -> list[SeveralWorld]:
        return [world for world in self.worlds if world not in self.faulty]

    def change_worlds(self) -> str | None:
        if not (worlds := self._at_peace()):
            return None
        world = self.chance.choice(worlds)
        done = [world.change() for _ in range(self.chance.choice((1, 1, 2, 5)))]
        self._note_words()
        return f"{self._called(world)}: {', '.join(done)}"

    def share_a_text(self) -> str | None:
        able = [world for world in self._at_peace() if world.words]
        if not able:
            return None
        one, other = self.chance.choice(able), self.chance.choice(self._at_peace())
        word, paragraphs = one.copy_out()
        other.copy_in(word, paragraphs)
        return f"{word} of {self._called(one)} copied to {self._called(other)}"

    def _called(self, world: SeveralWorld) -> str:
        return "tickets" if isinstance(world, SeveralTickets) else world.root.name

    # ---- what admins do

    def add_a_source(self) -> str | None:
        """Of any world, also of one that is followed already or is just being removed."""
        if len(self.entries) >= 5 or not (worlds := self._at_peace()):
            return None
        return self._add(self.chance.choice(worlds))

    def _add(self, world: SeveralWorld) -> str:
        self.added += 1
        name = f"Source {self.added}"
        source = self.sources.add(world.kind, name, *world.config())
        self.entries[source.id] = Entry(world, name, {})
        return f"added {name} ({source.id}) of {self._called(world)}"

    def remove_a_source(self) -> str | None:
        if (id_ := self._any_source()) is None:
            return None
        entry = self.entries.pop(id_)
        if self.chance.random() < 0.5:
            self.sources.mark_removing(id_)
            return f"removed {entry.name} on the page"
        self._start(f"remove {entry.name}", processes.command, ["remove", entry.name])
        return f"removed {entry.name} with a command"

    def pause_or_resume(self) -> str | None:
        if (id_ := self._any_source()) is None:
            return None
        entry = self.entries[id_]
        entry.is_paused = not entry.is_paused
        self.sources.pause(id_, entry.is_paused)
        return f"{'paused' if entry.is_paused else 'resumed'} {entry.name}"

    def approve(self) -> str | None:
        if (id_ := self._any_source()) is None:
            return None
        self.entries[id_].may_be_emptied = bool(self.faulty)
        self._start(f"approve {self.entries[id_].name}", processes.command, ["approve", self.entries[id_].name])
        return f"approved what went missing from {self.entries[id_].name}"

    def sync_now(self) -> str | None:
        if (id_ := self._any_source()) is None:
            return None
        self.sources.request_sync(id_)
        return f"asked for a sync of {self.entries[id_].name}"

    def set_up_again(self) -> str | None:
        """The same settings, saved once more."""
        if (id_ := self._any_source()) is None:
            return None
        self.sources.configure(id_, *self.entries[id_].world.config())
        return f"set up {self.entries[id_].name} again"

    def hint(self) -> str | None:
        """As a webhook gives it; some of what it names may not exist."""
        if (id_ := self._any_source()) is None:
            return None
        names = sorted(self.entries[id_].world.words.keys() | self.entries[id_].known.keys() | {"99999"})
        ids = self.chance.sample(names, min(3, len(names)))
        self.sources.hint(id_, ids)
        return f"hints for {self.entries[id_].name}: {', '.join(ids)}"

    def _any_source(self) -> str | None:
        return self.chance.choice(sorted(self.entries, key=lambda id_: self.entries[id_].name)) if self.entries else None

    # ---- what other processes do, and what becomes of them

    def sync_elsewhere(self) -> str | None:
        if (id_ := self._any_source()) is None:
            return None
        self._start(f"sync {self.entries[id_].name}", processes.sync_once, self.entries[id_].name)
        return f"synced {self.entries[id_].name} in another process"

    def sync_elsewhere_and_kill(self) -> str | None:
        if (id_ := self._any_source()) is None:
            return None
        kill = self._kill()
        self._start(f"sync {self.entries[id_].name}", processes.sync_once, self.entries[id_].name, kill=kill)
        return f"synced {self.entries[id_].name} in another process, {_told(kill)}"

    def kill_the_worker(self) -> str:
        if self.worker is not None:
            self.worker.kill()
        self._start_worker()
        return "killed the worker, started another"

    def arm_the_worker(self) -> str:
        kill = self._kill()
        if self.worker is not None:
            self.worker.kill()
        self._start_worker(kill)
        return f"killed the worker, started another, {_told(kill)}"

    def set_the_workers_clock(self) -> str:
        hours = self.chance.choice(CLOCKS)
        if self.worker is not None:
            self.worker.kill()
        self._start_worker(hours=hours)
        return f"killed the worker, started another whose clock is {hours:+} h off"

    def forget(self) -> str:
        self._start("forget 0", processes.command, ["forget", "0"])
        return "forgot old versions"

    def forget_and_kill(self) -> str:
        kill = Kill(self.chance.randint(1, 4), self.chance.random() < 0.5)
        self._start("forget 0", processes.command, ["forget", "0"], kill=kill)
        return f"forgot old versions, {_told(kill)}"

    def verify(self) -> str:
        self._start("verify", processes.command, ["verify", "--json"])
        return "verified in another process"

    def status(self) -> str:
        self._start("status", processes.command, ["status", "--json"])
        return "asked for the status in another process"

    def lose_the_index(self) -> str:
        path = self.home / "search.db"
        with FileLock(f"{path}.lock"):  # a file that is just being made is not half there
            for part in self.home.glob("search.db*"):
                if part.suffix != ".lock":
                    part.unlink(missing_ok=True)
        return "lost the index"

    def damage_the_index(self) -> str | None:
        path = self.home / "search.db"
        if not path.exists():
            return None
        with path.open("r+b") as file:  # its first page: what is changed further in, SQLite need not notice
            file.write(b"\0damage\0" * 200)
        return "damaged the index"

    def sync_with_another_clock(self) -> str | None:
        if (id_ := self._any_source()) is None:
            return None
        hours, name = self.chance.choice(CLOCKS), self.entries[id_].name
        self._start(f"sync {name}", processes.sync_by_another_clock, name, hours * 3600.0)
        return f"synced {name} in a process whose clock is {hours:+} h off"

    def _kill(self) -> Kill:
        return Kill(self.chance.randint(1, KILL_POINTS), self.chance.random() < 0.5)

    def _start(self, name: str, target: Callable[..., None], *arguments: object, kill: Kill | None = None) -> None:
        self.children.append(start(name, target, str(self.home), str(self.place), *arguments, kill=kill))

    def _start_worker(self, kill: Kill | None = None, hours: float = 0) -> None:
        self.worker = start("worker", processes.follow, str(self.home), str(self.place), hours * 3600.0, kill=kill)

    # ---- what fails

    def fault_of_the_site(self) -> None:
        if (tickets := self._one_of(SeveralTickets)) is None:
            return
        fault = self.chance.choice(SITE_FAULTS)
        self._during(tickets, tickets.faulty(fault), f"the site fails: {dict(fault)}")

    def away(self) -> None:
        world = self._one_of((SeveralFolder, SeveralTickets))
        if world is not None:
            self._during(world, world.away(), f"{self._called(world)} cannot be reached")

    def empty_files(self) -> None:
        """All at once: a sync that saw a few of them empty and the others not yet would rightly take those for edited."""
        if (folder := self._one_of(SeveralFolder)) is None:
            return
        for child in self.children:
            if child.name.startswith("approve"):  # what an admin agrees to is what is missing now
                child.process.join(PEACE_SECONDS)
        with ExitStack() as locks:
            for id_ in [id_ for id_, entry in self.entries.items() if entry.world is folder]:
                locks.enter_context(held(lock_of(self.workspace, id_), PEACE_SECONDS))
            self.faults.enter_context(folder.empty_files())
        self._during(folder, nullcontext(), f"every file of {self._called(folder)} is empty")

    def unreadable_files(self) -> None:
        if (folder := self._one_of(SeveralFolder)) is None:
            return
        self._during(folder, folder.unreadable_files(), f"some files of {self._called(folder)} cannot be read")

    def _one_of(self, kind: Any) -> Any:
        """A world of this kind (or of these kinds) that nothing ails."""
        able = [world for world in self._at_peace() if isinstance(world, kind)]
        return self.chance.choice(able) if able else None

    def _during(self, world: SeveralWorld, fault: AbstractContextManager[None], words: str) -> None:
        """From now on until all is left in peace; the worker has most often looked at it before anything else happens."""
        self.faulty.append(world)
        self.has_had_faults = True
        self.faults.enter_context(fault)
        self.log.append(words)
        if self.chance.random() < 0.8:
            self._sync_during(world)

    def _sync_during(self, world: SeveralWorld) -> None:
        """Waits until the worker has looked at the sources of this world, as far as they can be looked at."""
        waiting = {id_ for id_, entry in self.entries.items() if entry.world is world and not entry.is_paused}
        for id_ in waiting:
            self.sources.request_sync(id_)
        deadline = time.monotonic() + FAULT_SECONDS
        while waiting and time.monotonic() < deadline:
            time.sleep(0.05)
            waiting = {id_ for id_ in waiting if (source := self.sources.get(id_)).requested_at or source.state == "syncing"}
            self._look_round()
        self.check_what_stands()

    # ---- peace

    def settle(self) -> None:
        """All faults are lifted, all processes end, and every source is looked at once more."""
        self.check_what_stands()
        self.faults.close()
        was_faulty, self.faulty = bool(self.faulty), []
        for world in self.worlds:
            world.mend_all()
        for child in self.children:
            child.process.join(PEACE_SECONDS)
            self._check_end(child)
        self.children.clear()
        self._look_round()
        if self.worker is None or not self.worker.process.is_alive():
            self._start_worker()
        for entry_id, entry in self.entries.items():
            if entry.is_paused and self.chance.random() < 0.7:
                entry.is_paused = False
                self.sources.pause(entry_id, False)
                self.log.append(f"resumed {entry.name}")
        self._wait_for_peace()
        if was_faulty:
            self.events["steps with a fault"] += 1
        for entry in self.entries.values():
            entry.may_be_emptied = False
        if self.chance.random() < 0.5:
            self.forget_now()
            self.log.append("forgot all that is old")

    def _wait_for_peace(self) -> None:
        followed = [id_ for id_, entry in self.entries.items() if not entry.is_paused]
        for id_ in followed:
            self.sources.configure(id_, *self.entries[id_].world.config())  # asks for a sync, whatever was to be waited for
        deadline = time.monotonic() + PEACE_SECONDS
        waiting = set(followed)
        while waiting or self.sources.removing():
            if time.monotonic() > deadline:
                told = [f"{self.entries[id_].name} is {self._state(id_)}" for id_ in sorted(waiting)]
                raise Wrong(f"not in step after {PEACE_SECONDS} s: {'; '.join(told)}, being removed: {self.sources.removing()}")
            self._look_round()
            waiting = {id_ for id_ in waiting if not self._is_in_step(id_)}
            for id_ in [id_ for id_ in waiting if EMPTY_AT_ONCE in self.sources.get(id_).message]:
                self.sources.approve(id_)  # nothing has failed: that many files were really emptied
            time.sleep(0.05)

    def _is_in_step(self, source_id: str) -> bool:
        source = self.sources.get(source_id)
        return source.requested_at is None and source.state == "ready"

    def _state(self, source_id: str) -> str:
        source = self.sources.get(source_id)
        return f"{source.state} ({source.message}), {'asked for' if source.requested_at else 'not asked for'}"

    def _look_round(self) -> None:
        """What the processes tell, and whether they live."""
        for report in self.reports.since():
            self._judge(report)
        for child in [child for child in self.children if not child.process.is_alive()]:
            self._check_end(child)
            self.children.remove(child)
        if not self.asker.process.is_alive():
            raise Wrong(f"the process that asks has ended with {self.asker.process.exitcode}")
        if self.worker is not None and not self.worker.process.is_alive():
            if not self.worker.is_armed:
                raise Wrong(f"the worker has ended by itself, with {self.worker.process.exitcode}")
            self._check_end(self.worker)
            self.log.append("the worker was killed; started another")
            self._start_worker()

    def _judge(self, report: Report) -> None:
        if report.kind == "answered":
            self.events["questions answered meanwhile"] += 1
        elif report.kind == "fault":
            raise Wrong(f"{report.who}: {report.error} {report.text}\n{report.trace}")
        elif not self._may_be_told(report):
            raise Wrong(f"{report.who} failed, and nothing was made to fail: {report.error} {report.text}")
        else:
            self.events[f"told: {report.error}"] += 1

    def _may_be_told(self, report: Report) -> bool:
        """Whether that is about a fault that there is, or was a moment ago, or a source that was removed."""
        if DAMAGED in report.text:
            return bool(self.events["damage the index"])
        is_about_a_source = report.error not in OF_THE_APP
        return any(words in report.text for words in MAY_BE_TOLD) or (is_about_a_source and self.has_had_faults)

    def _check_end(self, child: Child) -> None:
        code = child.process.exitcode
        if code is None:
            where = child.where_it_is(self.place)
            child.kill()
            raise Wrong(f"{child.name} did not end within {PEACE_SECONDS} s\n{where}")
        if code == 0:
            return
        if child.is_armed and child.died_of_a_kill:
            self.events["killed at a commit point" if child.name != "worker" else "workers killed"] += 1
        else:
            raise Wrong(f"{child.name} ended with {code}")

    def _end(self) -> None:
        """Everything ends when it is told to."""
        self.stopping.set()
        self.asker.process.join(END_SECONDS)
        assert self.worker is not None
        self.worker.process.terminate()
        self.worker.process.join(END_SECONDS)
        for child in (self.asker, self.worker):
            if child.process.exitcode is None:
                where = child.where_it_is(self.place)
                raise Wrong(f"{child.name} did not end within {END_SECONDS} s of being told to\n{where}")
        for report in self.reports.since():
            self._judge(report)

    # ---- what must be so, and who is told

    def check(self) -> None:
        super().check()
        self._look_round()
        self._note_words(self.dead())
        self.events["checks"] += 1

    def _note_words(self, dead: set[str] | None = None) -> None:
        """For those who ask: how many words there are, and which of them may be nowhere any more."""
        path = self.place / "words.json"
        before = json.loads(path.read_text())["dead"] if path.exists() else []
        made = path.with_suffix(".made")
        made.write_text(json.dumps({"made": self.numbers.count, "dead": sorted({*before, *(dead or ())})}))
        made.replace(path)


def _told(kill: Kill) -> str:
    return f"killed {'after' if kill.is_after else 'before'} commit {kill.at}"
