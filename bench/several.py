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
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from filelock import FileLock

from bench import processes
from bench.crash import Kill
from bench.integrity import dangling, index_differences, left_behind, tables_with
from bench.processes import Child, Report, Reports, citations_that_do_not_stand, start
from bench.several_worlds import SeveralFolder, SeveralPdfs, SeveralTickets, SeveralWorld
from bench.truth import Wrong
from bench.worlds import Made
from connectors.sandbox import Sandbox
from ingestion.sources import Sources
from ingestion.sync import verify
from prompts.extractive import ExtractiveReader
from tree.ask.ask import Answer, ask
from tree.retrieve.index import Index, Scope
from tree.store.models import Source
from tree.workspace import open_workspace

STEPS = 4  # of one history
PEACE_SECONDS = 90  # within which every source is in step once all faults are lifted
FAULT_SECONDS = 5  # a sync that meets a fault is waited for so long
END_SECONDS = 30  # within which a process ends when it is told to
KILL_POINTS = 40  # a process is killed at one of its first commit points
CLOCKS = (1, -1, 50, -50, 9_600)  # hours that the clock of a process is off
MAY_BE_TOLD = ("There is no such source any more", "There is no source called")


@dataclass(slots=True)
class Entry:
    """A source of the app, and the world it follows."""

    world: SeveralWorld
    name: str
    known: dict[str, str]  # documents and their words when all was last in step
    is_paused: bool = False


def replay(seed: int, steps: int = STEPS, world: str = "several", sandbox: Sandbox | None = None) -> Counter[str]:
    """One history. Raises Wrong, with what happened before it. Returns what happened how often."""
    chance = Random(seed)
    with TemporaryDirectory(prefix="knowledge-tree-several-", ignore_cleanup_errors=True) as place:
        history = Several(Path(place), chance)
        try:
            history.live(steps)
        except Exception as error:
            raise Wrong("\n  ".join([f"{type(error).__name__}: {error}", "what happened:", *history.log])) from error
        finally:
            history.close()
        return history.events


class Several:
    """One history: what happens outside, in the app's processes and to them, and what must be so after it."""

    def __init__(self, place: Path, chance: Random) -> None:
        self.place = place
        self.home = place / "home"
        self.chance = chance
        self.events: Counter[str] = Counter()
        self.log: list[str] = []
        self.numbers = Made()
        self.reports = Reports(place / "reports.jsonl")
        self.faults = ExitStack()
        self.faulty: list[SeveralWorld] = []  # worlds that are left alone until their fault is lifted
        self.children: list[Child] = []
        self.worker: Child | None = None
        self.has_forgotten = False
        self.has_had_faults = False
        self.worlds: list[SeveralWorld] = [
            SeveralFolder(place, chance, self.numbers, "one"),
            SeveralFolder(place, chance, self.numbers, "two"),
            SeveralPdfs(place, chance, self.numbers, "papers"),
            SeveralTickets(chance, self.numbers),
        ]
        self._note_words()
        self.workspace = open_workspace(self.home)
        self.sources = Sources(self.workspace.database)
        self.entries: dict[str, Entry] = {}
        self.added = 0
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
        for world in self.worlds:
            world.close()
        self.workspace.close()

    # ---- a history

    def live(self, steps: int) -> None:
        for world in self.chance.sample(self.worlds, self.chance.randint(1, len(self.worlds))):
            self._add(world)
        for step in range(steps):
            self.log.append(f"step {step}")
            for _ in range(self.chance.choice((2, 4, 6))):
                self.event()
                self._look_round()
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
            self.lose_the_index: 2,
            self.fault_of_the_site: 4, self.away: 2, self.empty_files: 2, self.unreadable: 2,
            self.sync_with_another_clock: 1,
        }  # fmt: skip
        [happening] = self.chance.choices(list(happenings), list(happenings.values()))
        what = happening()
        if what is not None:
            self.events[happening.__name__.replace("_", " ")] += 1
            self.log.append(what)

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

    def _start_worker(self, kill: Kill | None = None) -> None:
        self.worker = start("worker", processes.follow, str(self.home), str(self.place), kill=kill)

    # ---- what fails

    def fault_of_the_site(self) -> str | None:
        tickets = self._one_of(SeveralTickets)
        if tickets is None:
            return None
        self._during(tickets, tickets.faulty())
        fault = tickets.site.faults.all[-1]
        return f"the site fails: { ({name: value for name, value in fault.as_json().items() if value}) }"

    def away(self) -> str | None:
        if not (worlds := self._at_peace()):
            return None
        world = self.chance.choice(worlds)
        self._during(world, world.away())
        return f"{self._called(world)} cannot be reached"

    def empty_files(self) -> str | None:
        folder = self._one_of(SeveralFolder)
        if folder is None:
            return None
        self._during(folder, folder.empty_files())
        return f"every file of {self._called(folder)} is empty"

    def unreadable(self) -> str | None:
        folder = self._one_of(SeveralFolder)
        if folder is None:
            return None
        self._during(folder, folder.unreadable())
        return f"some files of {self._called(folder)} cannot be read"

    def _one_of(self, kind: type[Any]) -> Any:
        able = [world for world in self._at_peace() if isinstance(world, kind)]
        return self.chance.choice(able) if able else None

    def _during(self, world: SeveralWorld, fault: Any) -> None:
        self.faulty.append(world)
        self.has_had_faults = True
        self.faults.enter_context(fault)
        self.log.append(f"a fault of {self._called(world)}:")
        if self.chance.random() < 0.8:
            self._sync_during(world)

    def _sync_during(self, world: SeveralWorld) -> None:
        """Waits until the worker has looked at the sources of this world, as far as they can be looked at."""
        waiting = {id_ for id_, entry in self.entries.items() if entry.world is world and not entry.is_paused}
        for id_ in waiting:
            self.sources.request_sync(id_)
        deadline = time.monotonic() + FAULT_SECONDS
        while waiting and time.monotonic() < deadline:
            time.sleep(0.03)
            waiting = {id_ for id_ in waiting if (source := self.sources.get(id_)).requested_at or source.state == "syncing"}
            self._look_round()
        self.check_what_stands()

    # ---- peace

    def settle(self) -> None:
        """All faults are lifted, all processes end, and every source is looked at once more."""
        self.check_what_stands()
        self.faults.close()
        was_faulty, self.faulty = bool(self.faulty), []
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
        if self.chance.random() < 0.5:
            self._forget_now()

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
            self._look_round(in_peace=True)
            waiting = {id_ for id_ in waiting if not self._is_in_step(id_)}
            time.sleep(0.03)

    def _is_in_step(self, source_id: str) -> bool:
        source = self.sources.get(source_id)
        return source.requested_at is None and source.state == "ready"

    def _state(self, source_id: str) -> str:
        source = self.sources.get(source_id)
        return f"{source.state} ({source.message}), {'asked for' if source.requested_at else 'not asked for'}"

    def _forget_now(self) -> None:
        self.workspace.store.forget_before(time.time())
        self.workspace.index.catch_up()
        self.has_forgotten = True
        self.log.append("forgot all that is old")

    def _look_round(self, in_peace: bool = False) -> None:
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
        if found := dangling(self.home):
            raise Wrong(f"it refers to what is not there: {'; '.join(found[:3])}")

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
        return any(words in report.text for words in MAY_BE_TOLD) or report.error in (
            "AccessLost", "NotFound", "Broken", "Limited", "CredentialsError", "Cancelled"
        ) and self.has_had_faults  # fmt: skip

    def _check_end(self, child: Child) -> None:
        code = child.process.exitcode
        if code is None:
            child.kill()
            raise Wrong(f"{child.name} did not end within {PEACE_SECONDS} s")
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
                raise Wrong(f"{child.name} did not end within {END_SECONDS} s of being told to")
        for report in self.reports.since():
            self._judge(report)

    # ---- what must be so

    def check_what_stands(self) -> None:
        """What has not changed since all was last in step is there, whatever could not be read meanwhile."""
        there = self._live_texts()
        for id_, entry in self.entries.items():
            for document, word in entry.known.items():
                if entry.world.words.get(document) == word and word not in there.get((id_, document), ""):
                    raise Wrong(f"{document} of {entry.name} ({word}) stands as it stood, and is not in the tree")

    def _live_texts(self) -> dict[tuple[str, str], str]:
        store = self.workspace.store
        texts: dict[tuple[str, str], str] = {}
        for id_ in self.entries:
            nodes = [node for node in store.all_nodes(id_) if node.leaf]
            leaves = store.leaves(node.leaf for node in nodes if node.leaf)
            for node in nodes:
                if node.leaf in leaves:
                    key = (id_, node.document_id or "")
                    texts[key] = f"{texts.get(key, '')}\n{leaves[node.leaf].text}"
        return texts

    def check(self) -> None:
        gone = self._gone()
        for id_ in self.entries:
            self._check_source(self.sources.get(id_), gone)
        if found := left_behind(self.home):
            raise Wrong("; ".join(found[:3]))
        self._check_index(gone)
        self._check_answers(gone)
        if self.has_forgotten:
            self._check_forgotten(gone)
        self._look_round()
        self._note_words(self._dead())
        self.events["checks"] += 1

    def _gone(self) -> set[str]:
        """Words that are in nothing the app may show now."""
        present = {word for entry in self.entries.values() for word in entry.world.words.values()}
        kept = {word for entry in self.entries.values() if entry.is_paused for word in entry.known.values()}
        return self.numbers.words() - present - kept - self._maybe_there()

    def _maybe_there(self) -> set[str]:
        """What a paused source may have read before it was paused."""
        paused = [entry for entry in self.entries.values() if entry.is_paused]
        return self.numbers.words() if paused else set()

    def _dead(self) -> set[str]:
        """Words that are gone and cannot come back."""
        present = {word for world in self.worlds for word in world.words.values()}
        return self._gone() - present - {word for world in self.worlds for word in world.returning}

    def _check_source(self, source: Source, gone: set[str]) -> None:
        entry = self.entries[source.id]
        proof = replace(self.workspace, reader=ExtractiveReader())
        verified = verify(proof, source)
        if not verified.is_equal:
            raise Wrong(f"the tree of {entry.name} is not what its documents make: {', '.join(verified.differing[:3])}")
        store, world = self.workspace.store, entry.world
        nodes = store.all_nodes(source.id)
        if not entry.is_paused:
            known = {id_ for id_ in store.document_ids(source.id) if world.has_word(id_)}
            if known != world.words.keys():
                missing, more = sorted(world.words.keys() - known), sorted(known - world.words.keys())
                raise Wrong(f"{entry.name}: missing {missing}, too many {more}")
            entry.known = dict(world.words)
            waiting = {tombstone.document_id for tombstone in self.sources.withheld(source.id)}
            if back := waiting & known:
                raise Wrong(f"{sorted(back)[0]} of {entry.name} is there, and an admin is asked whether it is gone")
            self.check_what_stands()
        leaves = "\n".join(leaf.text for leaf in store.leaves(node.leaf for node in nodes if node.leaf).values())
        records = "\n".join(record.model_dump_json() for record in store.records(node.record for node in nodes).values())
        for place, material in (("leaves", leaves), ("records", records), ("titles", "\n".join(node.title for node in nodes))):
            if left := [word for word in gone if word in material]:
                raise Wrong(f"{left[0]} is gone and still in the {place} of {entry.name}")

    def _check_index(self, gone: set[str]) -> None:
        index, store = self.workspace.index, self.workspace.store
        deadline = time.monotonic() + PEACE_SECONDS
        while index.catch_up() != index.version():  # another process is writing it
            if time.monotonic() > deadline:
                raise Wrong(f"the index is at version {index.version()} and stays there, the tree at {store.newest()}")
            time.sleep(0.03)
        fresh = Index(store, self.place / "fresh.db")
        try:
            fresh.catch_up()
            if found := index_differences(self.home / "search.db", self.place / "fresh.db"):
                raise Wrong(f"the index is not a fresh one: {'; '.join(found)}")
        finally:
            fresh.close()
            for part in self.place.glob("fresh.db*"):
                part.unlink()
        for id_, entry in self.entries.items():
            if entry.is_paused:
                continue
            for document, word in entry.known.items():
                places = [hit.place for hit in index.search([word], Scope((id_,)), 10)]
                if document not in {node.document_id for node in store.nodes(places).values()}:
                    raise Wrong(f"{word} of {document} is not found in {entry.name} by the search index")
        everywhere = Scope(tuple(self.entries))
        for word in gone:
            if index.search([word], everywhere, 1):
                raise Wrong(f"{word} is gone and still in the search index")

    def _check_answers(self, gone: set[str]) -> None:
        present = sorted({(word, entry.name) for entry in self.entries.values() for word in entry.known.values()})
        for word, name in self._some(present, 2):
            answer = self._ask(f"What did we decide to call {word}?")
            if not any(word in passage.text for citation in answer.citations for passage in citation.passages):
                raise Wrong(f"the answer about {word} of {name} does not quote it")
            if wrong := citations_that_do_not_stand(self.workspace.store, answer):
                raise Wrong(f"the answer about {word} cites what does not stand: {wrong[0]}")
        for word in self._some(sorted(gone), 2):
            answer = self._ask(f"What is {word}?")
            if word in processes._shown(answer):
                raise Wrong(f"{word} is gone and still answered from")

    def _check_forgotten(self, gone: set[str]) -> None:
        self.has_forgotten = False
        self._forget_now()
        self.has_forgotten = False
        if found := tables_with(self.home, gone):
            raise Wrong(f"all that is old was forgotten, and is still stored: {'; '.join(found)}")

    def _ask(self, question: str) -> Answer:
        *_, answer = ask(self.workspace, question)
        assert isinstance(answer, Answer)
        return answer

    def _some(self, items: list[Any], number: int) -> Iterator[Any]:
        yield from self.chance.sample(items, min(number, len(items)))

    def _note_words(self, dead: set[str] | None = None) -> None:
        """For those who ask: how many words there are, and which of them may be nowhere any more."""
        path = self.place / "words.json"
        before = json.loads(path.read_text())["dead"] if path.exists() else []
        made = path.with_suffix(".made")
        made.write_text(json.dumps({"made": self.numbers.count, "dead": sorted({*before, *(dead or ())})}))
        made.replace(path)


def _told(kill: Kill) -> str:
    return f"killed {'after' if kill.is_after else 'before'} commit {kill.at}"
