"""The walk without a model: from the root down to a few leaves, going back when a path was wrong, and telling every step.

Best first with backtracking (after MemWalker, Chen et al. 2023, arXiv 2310.05029): the reader chooses among options that
carry their full record and the best evidence below them; what it chooses joins a frontier, and the most promising place
of the whole frontier is opened next. So the walk leaves a branch as soon as another one promises more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from prompts.records import LeafAnswer, Question, Reader
from tree.ask.direct.newer_statements import stating_leaves
from tree.ask.snapshot.leaf_links import LeadingTo, may_lead_on, rest_of
from tree.ask.snapshot.snapshot_view import OpenedLeaf, ReadLeaf, SnapshotView
from tree.ask.snapshot.trail import Step, shown_option
from tree.ask.walk.by_meaning import near_in_meaning
from tree.ask.walk.called_so import leaves_called_so
from tree.ask.walk.protocol import NOTHING_SPEAKS, Candidate, Frontier, WalkProgress, WalkResult
from tree.ask.walk.stopped_walk import TakenUp
from tree.ask.walk.unfold import unfold
from tree.store.nodes import Node
from tree.store.places import is_below


@dataclass(slots=True)
class BestFirstWalk:
    """One walk over a snapshot, one level after the other. Keeps the protocol `Walk`; it always reads leaves."""

    progress: WalkProgress
    reader: Reader
    _frontier: Frontier = field(default_factory=Frontier)
    _last: Candidate | None = None

    @property
    def view(self) -> SnapshotView:
        return self.progress.view

    @property
    def question(self) -> Question:
        return self.view.question

    @property
    def read(self) -> Sequence[ReadLeaf]:
        return self.progress.read

    @property
    def result(self) -> WalkResult:
        return WalkResult(self.question, tuple(self.read))

    def take_up(self, taken_up: TakenUp) -> None:
        """Begins with what was read before a stop; choosing costs nothing here."""
        self.progress.take_up(taken_up)

    def steps(self, tops: Sequence[Node], named: Sequence[Node] = ()) -> Iterator[Step]:
        budget = self.progress.budget
        yield from self.progress.named_steps(named)
        self.view.look_ahead(tops, budget.leaves)
        if len(tops) == 1:
            self._frontier.push(Candidate(tops[0], 1.0))
        elif tops:
            yield self._choose(None, list(tops))
        # links lead to what the question's own words do not: keep room for them
        yield from self._explore(budget.leaves - min(budget.linked, budget.leaves - 1), named)
        if not (named and self._is_settled(None, named)):
            yield from self._follow_links()
            yield from self._explore(budget.leaves)
            yield from self._look_beside()
        yield from unfold(self.progress)

    def _explore(self, leaves: int, named: Sequence[Node] = ()) -> Iterator[Step]:
        """Opens the most promising place of all that was chosen, until so many leaves are read or none is left."""
        while self._frontier and len(self.read) < leaves:
            candidate = self._frontier.pop()
            node = candidate.node
            if named and self._is_settled(node, named):
                return
            if node.place in self.progress.places_read or not self._is_within_budget(node):
                continue
            if self._last is not None and not self._continues(self._last, candidate):
                yield self._back(self._last.node, node)
            if node.kind == "leaf":
                self.progress.branches.add(self.view.branch_of(node))
                yield self._read(node, candidate.score)
            else:
                yield self._choose(node, self.view.outline(node))
            self._last = candidate

    def _is_within_budget(self, node: Node) -> bool:
        """Whether one more branch may be opened, or a node is in one that was opened or above it."""
        opened = self.progress.branches
        if node.kind == "leaf":
            return self.progress.has_room_for(self.view.branch_of(node))
        if len(opened) < self.progress.budget.branches:
            return True
        return any(node in self.view.scent.path(branch) for branch in opened if branch is not None)

    def _is_settled(self, node: Node | None, named: Sequence[Node]) -> bool:
        """Whether what the question names has answered it, and the next place is not part of that."""
        if not any(one.answer.verdict == "complete" for one in self.read):
            return False
        next_leaf = self.view.scent.best_leaf(node.place) if node else None
        return next_leaf is None or not any(is_below(next_leaf.place, one.place) for one in named)

    def _look_beside(self) -> Iterator[Step]:
        """What answers the question may be out of date: further leaves that answer it are read as well. Where nothing answers how
        something is done, one that is called so."""
        known, most = self.progress.places_read, self.progress.budget.beside
        if not any(one.answer.verdict == "complete" for one in self.read):
            for node, opened in leaves_called_so(self.view, self.reader, known, most):
                answer = self.reader.answer(self.question, opened.text)
                yield self.progress.add(opened, answer, self.view.scent.of(node.place))
        else:
            for opened, answer in stating_leaves(self.view, self.reader, known, most, with_changes=True):
                yield self.progress.add(opened, answer, self.view.scent.of(opened.node.place))

    # ---- steps

    def _choose(self, node: Node | None, shown: list[Node]) -> Step:
        """What the reader chooses of what is shown below a branch joins the frontier."""
        options = self.view.options(shown, node)
        choices = self.reader.choose(self.question, options).ways
        by_place = {one.place: one for one in shown}
        choices = tuple(choice for choice in choices if choice.place in by_place)  # ids in, ids out: nothing that was not shown
        for choice in choices:
            self._frontier.push(
                Candidate(by_place[choice.place], choice.score, choice.reason_in_full, above=node.place if node else "")
            )
        places = tuple(choice.place for choice in choices)
        step = self.view.step("choose", node, tuple(map(shown_option, options)), places, NOTHING_SPEAKS)
        return replace(step, reason=choices[0].reason, quote=choices[0].quote) if choices else step

    def _read(self, node: Node, score: float) -> Step:
        opened = self.view.open_leaf(node)
        answer = near_in_meaning(self.view, opened, self.reader.answer(self.question, opened.text))
        return self.progress.add(opened, answer, score)

    def _back(self, last: Node, node: Node) -> Step:
        reason = f"“{node.title}” now promises more than what is left below “{last.title}”."
        if self.read and self.read[-1].answer.verdict == "none":
            reason = f"“{last.title}” does not answer it; “{node.title}” is the next best."
        return self.view.step("back", node, reason=reason)

    def _follow_links(self) -> Iterator[Step]:
        """Reads what the leaves read so far lead to: named files and keys, the heading a step goes on at, names of documents."""
        leading = sorted((one for one in self.read if may_lead_on(self.view, one)), key=lambda one: -one.answer.coverage)
        yield from self._read_again(leading)
        for read, to in self.progress.unread_links(leading):
            yield self.view.step("link", to.node, reason=f"“{read.node.title}” leads here: {to.reason}.")
            opened, score = self.view.open_leaf(to.node), self.view.scent.of(to.node.place)
            answer = self._answer_to_rest(read, to, opened) or self.reader.answer(self.question, opened.text)
            yield self.progress.add(opened, answer, score, True)

    def _read_again(self, leading: Sequence[ReadLeaf]) -> Iterator[Step]:
        """What was read and said nothing, for what the leaf that names it leaves open."""
        silent = {one.node.place: one for one in self.read if one.answer.verdict == "none"}
        for read in leading[: self.progress.budget.linked] if silent else ():
            to = next(self.progress.links_of(read), None)
            if to is not None and to.node.place in silent:
                answer = self._answer_to_rest(read, to, self.view.open_leaf(to.node))
                if answer is not None:
                    yield self.view.step("link", to.node, reason=f"“{read.node.title}” leads here: {to.reason}.")
                    yield self.progress.judge_again(silent.pop(to.node.place), answer)

    def _answer_to_rest(self, read: ReadLeaf, to: LeadingTo, opened: OpenedLeaf) -> LeafAnswer | None:
        """What a leaf says to what the leaf that leads to it leaves open; None where that is nothing."""
        rest = rest_of(self.view, read, to)
        answer = self.reader.answer(rest, opened.text) if rest is not None else None
        return _as_a_part(answer) if answer is not None and answer.verdict != "none" else None

    def _continues(self, last: Candidate, candidate: Candidate) -> bool:
        """Whether a place is the next one on the way down, or the next in the same list or branch."""
        branch_of = self.view.branch_of
        return candidate.above in (last.node.place, last.above) or branch_of(candidate.node) == branch_of(last.node)


def _as_a_part(answer: LeafAnswer) -> LeafAnswer:
    """An answer to the rest of a question: that the leaf before led to the right place is not certain."""
    return replace(answer, verdict="partial", is_stated=False) if answer.verdict == "complete" else answer
