"""The upgrader: has the chosen model read every leaf, then every branch, in the background and within its budget.

Trees are whole without it: each change is published with records of the extractive reader. A leaf that the model has not
read is read by it, a branch when everything below it is settled. What a call brought is stored at once and published
with what came about the same time; the table of leases keeps two processes from asking the same.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ingestion.progress import Progress, progress
from ingestion.sync import lock_of
from prompts.model import ErrorKind, ModelCallCancelled, ModelError, ModelReader, ModelSettings, Stop, Usage
from prompts.model.read_several import MOST_LEAVES, fit_together
from prompts.records import Reading
from tree.build.upgrades import Job, Upgrades
from tree.store.database import StoreError
from tree.store.language_model import Labels, ModelChoice, labels_of
from tree.store.locks import Taken, held
from tree.store.models import Source
from tree.workspace import Workspace

TICK_SECONDS, IDLE_SECONDS = 0.2, 1.0
BATCH_SECONDS, PUBLISH_SHARE = 2.0, 0.1  # between two publishes, of which they may take so much of the time
MOST_PUBLISHED = 500  # records at once: a sync may be waiting
LEASE_SECONDS, RENEW_SECONDS = 60.0, 15.0
HEARTBEAT_SECONDS = 10.0
TOLD_SECONDS = 5.0
LOOK_SECONDS = 30.0  # until a tree is looked through again in which nothing was to be done
QUEUED = 5_000  # places that are found in one look through a tree; each is looked at again before it is asked
CITED_SECONDS = 300.0
GIVEN_UP_SECONDS = 86_400.0
GOODBYE_SECONDS = 3.0  # when the process is to end: for what is asked, which is paid for
MOST_AT_ONCE = 64  # as many as any settings allow
MOST_TIMEOUTS = 3  # of the same input
MOST_FAILED_TOGETHER = 2  # calls for several leaves, one after the other: then this model is given them alone
TOGETHER_SHARE = 1 / 3  # of the timeout that they may take, at what one record took so far
MOST_IN_A_ROW = 10  # inputs given up one after the other: it is not the inputs

BUSY: frozenset[ErrorKind] = frozenset({"rate", "network", "timeout"})  # for all; it will pass
BARRED: frozenset[ErrorKind] = frozenset({"auth", "quota", "config", "budget"})  # an admin has to do something

log = logging.getLogger("knowledge-tree")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long nothing is asked after a failure, in seconds: growing while a provider is busy, fixed where it refuses us.

    `look_share`: of the time, which looks through trees may take; one through 100,000 places takes seconds.
    """

    first: float = 5.0
    longest: float = 300.0
    barred: float = 600.0
    look_share: float = 0.1


class Upgrader:
    """Upgrades all sources, or one, by name or id."""

    def __init__(
        self,
        workspace: Workspace,
        only: str | None = None,
        reader: Callable[[ModelSettings], ModelReader] = ModelReader,
        patience: Patience | None = None,
    ) -> None:
        self.workspace = workspace
        self.only = only
        self.reader = reader
        self.patience = patience or Patience()
        self.stopping = threading.Event()
        self.upgrades = Upgrades(workspace.database)
        self.owner = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._round: _Round | None = None
        self._is_ahead = False  # there may be more to do at once
        self._told = ""
        self._renewed = self._noted = self._buried = -math.inf  # when that was done last
        self._noted_last: object = None

    def run(self) -> None:
        """Until `stopping` is set."""
        with self._present():
            while not self.stopping.is_set():
                try:
                    self._beat()
                    self._rest()
                except StoreError as error:
                    log.error("upgrades: %s", error)
                    self.stopping.wait(5)
                except Exception:
                    # a fault of ours must not end all upgrades: it is noted, and tried again
                    log.exception("upgrading failed")
                    self.stopping.wait(30)

    def run_out(self, told: Callable[[Progress], None] = lambda now: None) -> Progress:
        """Until nothing is left, or nothing can be done before an admin does something; tells now and then how it stands.

        Raises StoreError.
        """
        told_at = time.monotonic()
        with self._present():
            while not self.stopping.is_set():
                self._beat()
                if time.monotonic() - told_at > TOLD_SECONDS:
                    told(progress(self.workspace))
                    told_at = time.monotonic()
                if self._round is None or self._round.is_over():
                    break
                self._rest()
        return progress(self.workspace)

    # ---- being there

    @contextmanager
    def _present(self) -> Iterator[None]:
        """While inside, others can see that this process lives; what was leased by one that does not is free again."""
        locks, name = self.workspace.database.locks, _presence(self.owner)
        with held(locks.lock(name)):
            try:
                yield
            finally:
                self._end_round(GOODBYE_SECONDS)
                self.upgrades.leases.release_all(self.owner)
        locks.forget(name)

    def _free_the_dead(self) -> None:
        for owner in self.upgrades.leases.owners() - {self.owner}:
            if not self._lives(owner):
                self.upgrades.leases.release_all(owner)
                self.workspace.database.locks.forget(_presence(owner))

    def _lives(self, owner: str) -> bool:
        """Whether another process is there. What we hold ourselves is renewed before anything else, or was forgotten."""
        return owner != self.owner and self.workspace.database.locks.is_taken(_presence(owner))

    # ---- one step

    def _beat(self) -> None:
        choice = self._choice()
        if choice is None or choice.settings is None or not choice.upgrades:
            self._end_round()
            self._is_ahead = False
            return
        now = time.monotonic()
        if now - self._buried > LEASE_SECONDS:
            self._free_the_dead()
            self._buried = now
        round_ = self._round_of(choice, choice.settings)
        if now - self._renewed > RENEW_SECONDS and (at_hand := round_.at_hand()):
            self.upgrades.leases.renew(at_hand, LEASE_SECONDS)
            self._renewed = now
        self._is_ahead = round_.beat(choice)
        state = round_.state()
        if state != self._noted_last or now - self._noted > HEARTBEAT_SECONDS:
            self.upgrades.note_state(state)
            self._noted_last, self._noted = state, now

    def _choice(self) -> ModelChoice | None:
        try:
            return self.workspace.model.choice()
        except ValueError as error:  # in the environment; the page shows it too
            if str(error) != self._told:
                log.error("The language model of the environment cannot be used: %s", error)
            self._told = str(error)
            return None

    def _round_of(self, choice: ModelChoice, settings: ModelSettings) -> _Round:
        if self._round is not None and not self._round.is_of(settings):
            self._end_round()
        if self._round is None:
            self._round = _Round(
                self.workspace, self.upgrades, choice, settings, self._reader(settings), self.patience, self.owner, self._lives, self.only
            )  # fmt: skip
        elif self._round.settings != settings:
            self._round.go_on_with(settings, self._reader(settings))
        return self._round

    def _reader(self, settings: ModelSettings) -> ModelReader:
        # a record must say truly who made it: an upgrade waits for its model rather than take the fallback
        reader = self.reader(settings.model_copy(update={"fallback": None})).strict()
        return replace(reader, slots=self.workspace.model.slots(settings, is_for_question=False))

    def _end_round(self, goodbye: float = 0.0) -> None:
        if self._round is not None:
            self._round.close(goodbye)
            self._round = None

    def _rest(self) -> None:
        asked = self._round.asked if self._round is not None else {}
        if asked:
            wait(asked, TICK_SECONDS, FIRST_COMPLETED)
        else:
            self.stopping.wait(0 if self._is_ahead else IDLE_SECONDS)


def _presence(owner: str) -> str:
    """The name of the lock that an owner holds as long as it lives."""
    return f"upgrade-{owner}"


class _Asked(NamedTuple):
    """What is asked now, and of whom: the settings may be others by the time it is answered."""

    jobs: Sequence[Job]  # several small leaves of a document, or one input
    reader: ModelReader


@dataclass(slots=True)
class _Tree:
    """One source in a round."""

    source: Source
    stop: Stop = field(default_factory=Stop)
    queue: deque[str] = field(default_factory=deque)
    looked_at: tuple[int | None, float | None] = (None, None)  # its version, and its last change by a sync
    is_due: bool = True  # a look, as soon as the queue is empty
    next_look: float = 0.0  # not before, though it is due
    next_recheck: float = 0.0  # though nothing has changed: what was given up, or held by others, may be free
    made: list[Job] = field(default_factory=list)  # stored, to be published
    published_at: float = field(default_factory=time.monotonic)
    publish_seconds: float = 0.0
    spent: str = ""  # why nothing more may be asked for it today


class _Round:
    """Upgrades by one model at one address, until it is another."""

    def __init__(
        self,
        workspace: Workspace,
        upgrades: Upgrades,
        choice: ModelChoice,
        settings: ModelSettings,
        reader: ModelReader,
        patience: Patience,
        owner: str,
        lives: Callable[[str], bool],
        only: str | None,
    ) -> None:
        self.workspace, self.upgrades, self.choice = workspace, upgrades, choice
        self.settings, self.reader, self.patience = settings, reader, patience
        self.owner, self.lives, self.only = owner, lives, only
        self.labels: Labels = labels_of(settings)
        self.asked: dict[Future[list[Job]], _Asked] = {}
        self.trees: dict[str, _Tree] = {}
        self._pool = ThreadPoolExecutor(MOST_AT_ONCE, "upgrade")
        self._resting: tuple[float, str] = (0.0, "")  # until when, by time.monotonic(), and why
        self._is_barred = False
        self._is_careful = False  # after a failure one is asked before many are
        self._pause = 0.0
        self._given_up_in_a_row = 0
        self._alone: set[str] = set()  # inputs that no call for several brought, by their keys
        self._failed_together = 0  # calls for several, one after the other
        self._spent = ""
        self._cited: tuple[float, Counter[str]] | None = None

    def is_of(self, settings: ModelSettings) -> bool:
        return labels_of(settings) == self.labels and settings.address == self.settings.address

    def go_on_with(self, settings: ModelSettings, reader: ModelReader) -> None:
        """The same model, set up differently: what is asked is waited for, what failed is tried again."""
        self.settings, self.reader = settings, reader
        self._resting, self._pause, self._given_up_in_a_row = (0.0, ""), 0.0, 0
        self._is_barred = self._is_careful = False
        for tree in self.trees.values():
            tree.is_due = True

    # ---- what it is doing

    def at_hand(self) -> list[Job]:
        """What is asked now, and what was made and is not published yet."""
        return [
            *(job for asked in self.asked.values() for job in asked.jobs),
            *(job for tree in self.trees.values() for job in tree.made),
        ]

    def state(self) -> dict[str, object]:
        """As `progress` reads it."""
        resting, sentence = self._resting
        now = time.time()
        until = now + resting - time.monotonic()
        if self._spent:
            until, sentence = _next_day(), self._spent
        is_waiting = now < until
        return {
            "state": "waiting" if is_waiting else "running",
            "sentence": sentence if is_waiting else "",
            "until": until if is_waiting else None,
            "is_paused": self.choice.paused,
            "sources": {id_: tree.spent for id_, tree in self.trees.items() if tree.spent},
        }

    def is_over(self) -> bool:
        """Whether there is nothing left to do, or nothing to be done before an admin does something."""
        if self.asked:
            return False
        if self.choice.paused or self._spent or (self._is_barred and time.monotonic() < self._resting[0]):
            return True
        open_ = {id_: tree for id_, tree in self.trees.items() if not tree.spent}
        if self.at_hand() or any(tree.queue for tree in open_.values()):
            return False
        return not any(self.upgrades.unread.counts(id_, self.labels).pending for id_ in open_)

    # ---- one step

    def beat(self, choice: ModelChoice) -> bool:
        """Returns whether something was published, so that what is above it may be ready."""
        self.choice = choice
        self._follow_sources()
        self._collect()
        if not choice.paused:  # what is asked already is paid for, and kept
            self._ask_more()
        return self._publish()

    def close(self, goodbye: float = 0.0) -> None:
        """Gives up what is not answered after `goodbye` seconds; what was made stays and is published."""
        wait(self.asked, goodbye)
        for tree in self.trees.values():
            self._cancel(tree)
        self._pool.shutdown()
        self._collect()
        self._publish(at_once=True)

    def _follow_sources(self) -> None:
        sources = {s.id: s for s in self.workspace.store.sources.askable() if self.only in (None, s.name, s.id)}
        for source_id in self.trees.keys() - sources.keys():
            self._cancel(self.trees.pop(source_id))
        for source_id, source in sources.items():
            self.trees.setdefault(source_id, _Tree(source)).source = source

    def _cancel(self, tree: _Tree) -> None:
        tree.stop.set()
        tree.stop = Stop()
        tree.queue.clear()
        tree.is_due = True

    # ---- asking

    def _ask_more(self) -> None:
        self._spent = self.workspace.model.spent_out(self.choice)
        if self._spent or time.monotonic() < self._resting[0]:
            return
        most = 1 if self._is_careful else self.settings.concurrency
        together = self._most_together()
        for tree in list(self.trees.values()):
            if len(self.asked) >= most:
                break
            tree.spent = self.workspace.model.spent_out(self.choice, tree.source.id)
            if not tree.spent:
                self._look_through(tree)
                while tree.queue and (room := most - len(self.asked)) > 0:
                    places = [tree.queue.popleft() for _ in range(min(room * together, len(tree.queue)))]
                    self._take(tree, places, room, together)
        if self.trees:  # another one is first the next time
            first = next(iter(self.trees))
            self.trees[first] = self.trees.pop(first)

    def _look_through(self, tree: _Tree) -> None:
        """Fills the queue where it is empty, and where a sync has changed the source: what is new comes first."""
        now, source = time.monotonic(), tree.source
        version, changed_at = tree.looked_at
        is_due = tree.is_due or version != source.published or now >= tree.next_recheck
        if now >= tree.next_look and (changed_at != source.changed_at or (is_due and not tree.queue)):
            look = self.upgrades.unread.look(source.id, self.labels, QUEUED, self._cited_lately())
            tree.queue = deque(look.waiting)
            tree.looked_at, tree.is_due = (source.published, source.changed_at), bool(tree.queue)
            ended = time.monotonic()
            tree.next_look = ended + (ended - now) / self.patience.look_share
            tree.next_recheck = math.inf if look.is_all_read else max(tree.next_look, ended + LOOK_SECONDS)

    def _most_together(self) -> int:
        """How many leaves may be read in one call: one where several would come near the timeout by what a record took so far,
        or failed."""
        if self._is_careful or self._failed_together >= MOST_FAILED_TOGETHER:
            return 1
        mean = self.workspace.model.mean_upgrade(self.settings.label)
        if mean is None:
            return 1
        in_time = self.settings.timeout * TOGETHER_SHARE / max(mean.seconds, 0.001)
        return max(1, min(MOST_LEAVES, int(in_time)))

    def _take(self, tree: _Tree, places: list[str], room: int, together: int) -> None:
        """Has these places read in at most so many calls, as far as nobody else does; what was read before is only to be
        published, and what has no room goes back into the queue."""
        groups = self._grouped(self.upgrades.jobs(tree.source.id, self.labels, places), together)
        tree.queue.extendleft(job.node.place for group in reversed(groups[room:]) for job in reversed(group))
        jobs = [job for group in groups[:room] for job in group]
        asked, known = self.upgrades.leases.take(tree.source.id, jobs, self.owner, LEASE_SECONDS, self.lives)
        for group in groups[:room]:
            if mine := [job for job in group if job in asked]:
                self.asked[self._pool.submit(self._ask, mine, self.reader, tree.stop)] = _Asked(mine, self.reader)
        if known:
            tree.made += known
            self.workspace.model.note("upgrade", Usage(), self.settings.label, 0.0, tree.source.id, len(known))

    def _grouped(self, jobs: Sequence[Job], most: int) -> list[list[Job]]:
        """Small leaves of one document together, everything else alone; in the order of the first of each."""
        groups: list[list[Job]] = []
        of_document: dict[str | None, list[Job]] = {}
        for job in jobs:
            is_leaf = job.leaf is not None and any(map(str.isalnum, job.leaf.text)) and job.key not in self._alone
            group = of_document.get(job.node.document_id) if is_leaf else None
            if group is not None and len(group) < most and self._fit([*group, job]):
                group.append(job)
                continue
            groups.append([job])
            if is_leaf:
                of_document[job.node.document_id] = groups[-1]
        return groups

    def _fit(self, jobs: Sequence[Job]) -> bool:
        return fit_together([job.leaf for job in jobs if job.leaf is not None], self.settings.context)

    def _cited_lately(self) -> Counter[str]:
        now = time.monotonic()
        if self._cited is None or now - self._cited[0] > CITED_SECONDS:
            self._cited = now, self.upgrades.cited()
        return self._cited[1]

    def _ask(self, jobs: Sequence[Job], whose: ModelReader, stop: Stop) -> list[Job]:
        """In a thread of the pool; returns those that were read. What it took is written down however it ends."""
        usage, began = Usage(), time.monotonic()
        made: list[tuple[Job, Reading]] = []
        is_kept = False

        def note(within: Any = None) -> None:
            seconds, source_id = time.monotonic() - began, jobs[0].node.source_id
            self.workspace.model.note(
                "upgrade", usage, self.settings.label, seconds, source_id, within=within, errands=max(1, len(made))
            )

        try:
            readings = _readings(whose.for_query(usage, stop), jobs)
            made = [(job, reading) for job, reading in zip(jobs, readings, strict=True) if reading is not None]
            if made:
                self.upgrades.keep_all(made, note)
                is_kept = True
        finally:
            if not is_kept:
                note()
        return [job for job, _ in made]

    # ---- what came of it

    def _collect(self) -> None:
        for future in [future for future in self.asked if future.done()]:
            jobs, reader = self.asked.pop(future)
            error = future.exception()
            tree = self.trees.get(jobs[0].node.source_id)
            if error is None:
                self._read(tree, jobs, future.result())
            elif len(jobs) > 1 and not _is_of_all(error):
                self._failed_together += 1
                self._read_alone(tree, jobs)
            else:
                for job in jobs:
                    self._failed(job, error, is_by_others=reader is not self.reader)
            if error is not None and tree is not None:
                tree.is_due = True

    def _read(self, tree: _Tree | None, jobs: Sequence[Job], read: Sequence[Job]) -> None:
        self._pause, self._is_careful, self._given_up_in_a_row = 0.0, False, 0
        if len(jobs) > 1:
            self._failed_together = 0 if read else self._failed_together + 1
        if tree is not None:
            tree.made += read
        else:  # its source was removed; the same text may stand in another
            for job in read:
                self.upgrades.leases.release(job, is_its_fault=False)
        self._read_alone(tree, [job for job in jobs if job not in read])

    def _read_alone(self, tree: _Tree | None, jobs: Sequence[Job]) -> None:
        """What a call for several did not bring is asked for once more, each by itself."""
        for job in reversed(jobs):
            self._alone.add(job.key)
            self.upgrades.leases.release(job, is_its_fault=False)
            if tree is not None:
                tree.queue.appendleft(job.node.place)

    def _failed(self, job: Job, error: BaseException, is_by_others: bool) -> None:
        """`is_by_others`: by settings of before, which tell nothing of those of now."""
        if isinstance(error, ModelCallCancelled) or (isinstance(error, ModelError) and is_by_others):
            self.upgrades.leases.release(job, is_its_fault=False)
        elif isinstance(error, ModelError) and error.kind in BUSY:
            tries = self.upgrades.leases.release(job, is_its_fault=error.kind == "timeout")
            if tries >= MOST_TIMEOUTS:
                self._mark_failed(job, error.message)
            self._wait(error)
        elif isinstance(error, ModelError) and error.kind in BARRED:
            self.upgrades.leases.release(job, is_its_fault=False)
            self._bar(error.message)
        elif isinstance(error, ModelError):
            self._mark_failed(job, error.message)
            self._given_up_in_a_row += 1
            if self._given_up_in_a_row >= MOST_IN_A_ROW:
                self._bar(f"{self._given_up_in_a_row} records one after the other could not be made. The last: {error.message}")
        elif isinstance(error, StoreError):
            log.error("upgrades: %s", error)
            self._resting, self._is_barred = (time.monotonic() + self.patience.first, str(error)), True
        else:
            log.error("upgrading a record of %s failed", job.node.source_id, exc_info=error)
            self._mark_failed(job, "The app failed at this: a fault of the app. Please report it.")

    def _mark_failed(self, job: Job, reason: str) -> None:
        self.upgrades.leases.give_up(job, reason, time.time() + GIVEN_UP_SECONDS)

    def _wait(self, error: ModelError) -> None:
        """The provider is busy, or cannot be reached: longer each time, and then with a single call."""
        now = time.monotonic()
        if now < self._resting[0]:
            return
        grown = min(self.patience.longest, max(self.patience.first, self._pause * 2))
        self._pause = max(grown, error.retry_after or 0.0)
        self._resting, self._is_barred, self._is_careful = (now + self._pause, error.message), False, True

    def _bar(self, sentence: str) -> None:
        self._resting = time.monotonic() + self.patience.barred, sentence
        self._is_barred = self._is_careful = True

    def _publish(self, at_once: bool = False) -> bool:
        has_published = False
        at_work = {asked.jobs[0].node.source_id for asked in self.asked.values()}
        for source_id, tree in self.trees.items():
            now = time.monotonic()
            is_due = now - tree.published_at >= max(BATCH_SECONDS, tree.publish_seconds / PUBLISH_SHARE)
            if not tree.made or not (is_due or at_once or source_id not in at_work):
                continue
            try:
                with held(lock_of(self.workspace, source_id)):  # never in the way of a sync
                    some = tree.made[:MOST_PUBLISHED]
                    is_done = self.upgrades.publish(source_id, self.workspace.reader, self.labels, some)
            except Taken:
                continue
            if is_done:
                has_published = True
                tree.made, tree.is_due = tree.made[MOST_PUBLISHED:], True
                self.workspace.index.catch_up()
            tree.published_at = time.monotonic()
            tree.publish_seconds = tree.published_at - now
        return has_published


def _readings(reader: ModelReader, jobs: Sequence[Job]) -> Sequence[Reading | None]:
    """What the model makes of these; None for each leaf that has to be asked for alone."""
    leaves = [job.leaf for job in jobs if job.leaf is not None]
    if len(leaves) > 1:
        return reader.read_several(leaves)
    [job] = jobs
    return [Reading(reader.summarize(job.node.title, job.children), ()) if job.leaf is None else reader.read(job.leaf)]


def _is_of_all(error: BaseException) -> bool:
    """Whether a failure has nothing to do with what was asked: each alone would have met it too."""
    if isinstance(error, ModelError):
        return error.kind in BARRED or error.kind in ("rate", "network")
    return isinstance(error, ModelCallCancelled | StoreError)


def _next_day() -> float:
    """When the next day begins in UTC, in seconds since 1970."""
    return (time.time() // 86_400 + 1) * 86_400
