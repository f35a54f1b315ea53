"""What every walk is and shares: its protocol, what it has read, and the places it may go next."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple, Protocol

from prompts.records import NO_NOTES, LeafAnswer, Notes, Question, Standing
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.direct_answer import DirectAnswer
from tree.ask.snapshot.leaf_links import LeadingTo, leaves_linked_from
from tree.ask.snapshot.snapshot_view import OpenedLeaf, ReadLeaf, SnapshotView, document_of
from tree.ask.snapshot.trail import Heard, Step
from tree.ask.walk.stopped_walk import TakenUp
from tree.store.nodes import Node

NOTHING_SPEAKS = "Nothing here speaks to the question."  # why nothing was chosen


@dataclass(frozen=True, slots=True)
class WalkResult:
    """What a walk has found, when it is over."""

    question: Question  # as the reader gets it
    read: tuple[ReadLeaf, ...] = ()  # the leaves that were read, in order
    branch_answer: DirectAnswer | None = None  # what a branch's own record says, where the walk chose to answer from that
    standing: Standing = "open"  # of the question, as far as a model has judged it
    notes: Notes = NO_NOTES  # for whoever writes the answer
    unclear: str = ""  # what is missing to understand the question, where that is how it stands
    readings: tuple[str, ...] = ()  # questions that it may mean then


class Walk(Protocol):
    """A way from the root to the leaves that answer a question. `steps` is called once; `result` holds when it has ended."""

    def take_up(self, taken_up: TakenUp) -> None:
        """Begins with what was found before a stop, for `steps` to go on from there."""
        ...

    def steps(self, tops: Sequence[Node], named: Sequence[Node] = ()) -> Iterator[Step]:
        """Each step as it is taken. `tops` are the nodes to start from, `named` those that the question names."""
        ...

    @property
    def result(self) -> WalkResult: ...


@dataclass(slots=True)
class WalkProgress:
    """What a walk has read and opened, and what its budget leaves it."""

    view: SnapshotView
    budget: Budget = field(default_factory=Budget)
    read: list[ReadLeaf] = field(default_factory=list)
    branches: set[str | None] = field(default_factory=set)  # places of which a leaf was read, or that were looked into
    links_followed: int = 0
    uncounted: int = 0  # leaves that were read before anything was chosen, and added nothing
    _links: dict[str, tuple[LeadingTo, ...]] = field(default_factory=dict)  # by the place of what was read

    @property
    def leaves_left(self) -> int:
        return self.budget.leaves - len(self.read) + self.uncounted

    @property
    def places_read(self) -> set[str]:
        return {one.node.place for one in self.read}

    def has_room_for(self, branch: str | None) -> bool:
        """Whether a branch was opened already, or one more may be."""
        return branch in self.branches or len(self.branches) < self.budget.branches

    def named_steps(self, named: Sequence[Node]) -> Iterator[Step]:
        for node in named:
            yield self.view.step("named", node, reason=f"The question names “{node.title}”.")

    def add(
        self,
        opened: OpenedLeaf,
        answer: LeafAnswer,
        score: float,
        is_linked: bool = False,
        standing: Standing | None = None,
        parts: tuple[str, ...] = (),
    ) -> Step:
        """Keeps what a leaf was found to say, and returns the step that tells it, with how the question stands then and the
        parts that it has."""
        node = opened.node
        self.read.append(ReadLeaf(node, opened.leaf, opened.text, answer, score, self.view.path(node), is_linked))
        return self._told(self.read[-1], standing, parts)

    def judge_again(self, read: ReadLeaf, answer: LeafAnswer) -> Step:
        """Replaces what a leaf was found to say, and returns the step that tells it."""
        again = self.read[self.read.index(read)] = replace(read, answer=answer, linked=True)
        return self._told(again)

    def _told(self, read: ReadLeaf, standing: Standing | None = None, parts: tuple[str, ...] = ()) -> Step:
        answer = read.answer
        step = self.view.step("read", read.node, reason=answer.reason, verdict=answer.verdict)
        heard = None if answer.is_fallback else Heard(answer, read.score, read.linked, parts)
        return replace(step, standing=standing, heard=heard, near_miss=answer.near_miss)

    def take_up(self, taken_up: TakenUp) -> None:
        """Begins with what was read before a stop."""
        self.read.extend(taken_up.read)
        adding = [one for one in taken_up.read if one.answer.verdict != "none"]
        self.branches |= {self.view.branch_of(one.node) for one in adding}
        self.uncounted = len(taken_up.read) - len(adding)

    def has_read(self, text: str) -> bool:
        """Whether a leaf with just this text was read: the same page in two places is read once."""
        return any(one.leaf.text == text for one in self.read)

    def unread_links(self, read: Sequence[ReadLeaf]) -> Iterator[tuple[ReadLeaf, LeadingTo]]:
        """Leaves that these lead to and that are new, while the budget for links lasts: the first of each, then the second."""
        if self.links_followed >= self.budget.linked:
            return
        waiting = [(one, self.links_of(one)) for one in read]
        while waiting:
            for one, links in list(waiting):
                if self.links_followed >= self.budget.linked or self.leaves_left <= 0:
                    return
                found = next((to for to in links if self._is_new(to.node, one)), None)
                if found is None:
                    waiting.remove((one, links))
                    continue
                self.links_followed += 1
                yield one, found

    def links_of(self, read: ReadLeaf) -> Iterator[LeadingTo]:
        """The leaves that one leads to, the best first; looked up when the first is asked for, and once only."""
        if read.node.place not in self._links:
            self._links[read.node.place] = tuple(leaves_linked_from(self.view, read))
        yield from self._links[read.node.place]

    def _is_new(self, node: Node, read: ReadLeaf) -> bool:
        documents = {document_of(one.node) for one in self.read} - {document_of(read.node)}
        return node.place not in self.places_read and document_of(node) not in documents


class Candidate(NamedTuple):
    """A place to go, how promising it is from 0 to 1, and why."""

    node: Node
    score: float
    reason: str = ""
    link: str = ""  # the sentence that says what leads there, where that is not a choice of the reader's
    above: str = ""  # the place of the branch below which it was shown


class Frontier:
    """What was chosen and not yet opened: the last round first, in it the most promising, of equals the one chosen first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, float, int, Candidate]] = []
        self._order = count()
        self._round = 0

    def __bool__(self) -> bool:
        return bool(self._heap)

    def begin_round(self) -> None:
        """What is pushed from now on goes before all that is here."""
        self._round -= 1

    def push(self, candidate: Candidate) -> None:
        heapq.heappush(self._heap, (self._round, -candidate.score, next(self._order), candidate))

    def pop(self) -> Candidate:
        return heapq.heappop(self._heap)[-1]

    def waiting(self) -> list[Candidate]:
        """What was not popped, each place once, the next first."""
        found: dict[str, Candidate] = {}
        for *_, candidate in sorted(self._heap, key=lambda one: one[:3]):
            found.setdefault(candidate.node.place, candidate)
        return list(found.values())
