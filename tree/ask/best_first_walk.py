"""The walk: from the root down to a few leaves, going back when a path was wrong, and telling every step.

Best first with backtracking (after MemWalker, arXiv 2310.05029): the reader chooses among options that carry their
full record and the best evidence below them; what it chooses joins a frontier, and the most promising place of the
whole frontier is opened next. So the walk leaves a branch as soon as another one promises more.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from prompts.records import LeafText, Question, Reader
from tree.ask.snapshot_view import Budget, Found, Ground, Step, document_of, seen
from tree.retrieve.index import is_below
from tree.store.rows import Node


@dataclass(slots=True)
class Walk:
    """One walk over the pinned version. `steps` yields as it goes; `found` then holds what was read, in order."""

    ground: Ground
    reader: Reader
    budget: Budget = field(default_factory=Budget)
    found: list[Found] = field(default_factory=list)
    characters: int = 0
    _opened: set[str | None] = field(default_factory=set)  # bottom branches of which a leaf was read
    _last: Node | None = None

    @property
    def question(self) -> Question:
        return self.ground.question

    def steps(self, tops: Sequence[Node], named: Sequence[Node] = ()) -> Iterator[Step]:
        """`tops` are the nodes to start from: the roots in scope, or the branches the question is asked in."""
        frontier = _Frontier()
        for node in named:
            yield self.ground.step("named", node, reason=f"The question names “{node.title}”.")
        self.ground.look_ahead(tops, self.budget.leaves)
        if len(tops) == 1:
            frontier.push(tops[0], 1.0)
        elif tops:
            yield self._open(None, list(tops), frontier)
        # links lead to what the question's own words do not: keep room for them
        yield from self._explore(frontier, self.budget.leaves - self._room_for_links(), named)
        if named and self._is_settled(None, named):
            return
        if self.budget.linked:
            yield from self._follow_links()
        yield from self._explore(frontier, self.budget.leaves)

    def _explore(self, frontier: _Frontier, leaves: int, named: Sequence[Node] = ()) -> Iterator[Step]:
        """Opens the most promising place of all that was chosen, until so many leaves are read or none is left."""
        while frontier and len(self.found) < leaves:
            score, node = frontier.pop()
            if named and self._is_settled(node, named):
                return
            if any(found.node.place == node.place for found in self.found):
                continue
            if len(self._opened) >= self.budget.branches and not self._leads_to_opened(node):
                continue
            if self._last is not None and not self._continues(self._last, node):
                yield self._back(self._last, node)
            if node.kind == "leaf":
                self._opened.add(self.ground.branch_of(node))
                yield self._read(node, score)
            else:
                yield self._open(node, self.ground.children(node), frontier)
            self._last = node

    def _open(self, node: Node | None, children: list[Node], frontier: _Frontier) -> Step:
        step, chosen = self._choose(node, children)
        for child, score in chosen:
            frontier.push(child, score)
        return step

    def _leads_to_opened(self, node: Node) -> bool:
        """Whether a leaf is in a branch that was opened, or a branch above one."""
        if node.kind == "leaf":
            return self.ground.branch_of(node) in self._opened
        return any(node in self.ground.scent.path(branch) for branch in self._opened if branch is not None)

    def _is_settled(self, node: Node | None, named: Sequence[Node]) -> bool:
        """Whether what the question names has answered it, and the next place is not part of that."""
        if not any(found.answer.verdict == "complete" for found in self.found):
            return False
        next_leaf = self.ground.scent.best_leaf(node.place) if node else None
        return next_leaf is None or not any(is_below(next_leaf.place, one.place) for one in named)

    def _room_for_links(self) -> int:
        return min(self.budget.linked, self.budget.leaves - 1)

    # ---- steps

    def _choose(self, node: Node | None, children: list[Node]) -> tuple[Step, list[tuple[Node, float]]]:
        options = self.ground.options(children)
        choices = self.reader.choose(self.question, options, [found.answer.reason for found in self.found])
        by_place = {child.place: child for child in children}
        choices = [choice for choice in choices if choice.place in by_place]  # ids in, ids out: nothing that was not shown
        chosen = [(by_place[choice.place], choice.score) for choice in choices]
        reason = choices[0].reason if choices else "Nothing here speaks to the question."
        step = self.ground.step("choose", node, tuple(map(seen, options)), tuple(choice.place for choice in choices), reason)
        return step, chosen

    def _read(self, node: Node, score: float, linked: bool = False) -> Step:
        leaf = self.ground.leaf(node)
        text = LeafText(leaf.text, (*leaf.heading, leaf.title), leaf.units, node.kind)
        answer = self.reader.answer(self.question, text, [found.answer.reason for found in self.found])
        self.characters += len(leaf.text)
        self.found.append(Found(node, leaf, text, answer, score, linked))
        return self.ground.step("read", node, reason=answer.reason, verdict=answer.verdict)

    def _back(self, last: Node, node: Node) -> Step:
        reason = f"“{node.title}” now promises more than what is left below “{last.title}”."
        if self.found and self.found[-1].answer.verdict == "none":
            reason = f"“{last.title}” does not answer it; “{node.title}” is the next best."
        return self.ground.step("back", node, reason=reason)

    def _follow_links(self) -> Iterator[Step]:
        """Reads what the leaves read so far lead to: named files and keys, the heading a step goes on at, names of documents."""
        followed = 0
        known = {found.node.place for found in self.found} | {document_of(found.node) for found in self.found}
        for found in sorted(self.found, key=lambda found: -found.answer.coverage):
            if found.answer.verdict == "none":
                continue
            for node, why in self.ground.linked(found):
                if followed >= self.budget.linked or len(self.found) >= self.budget.leaves:
                    return
                if node.place in known or (document_of(node) in known and document_of(node) != document_of(found.node)):
                    continue
                known |= {node.place, document_of(node)}
                followed += 1
                yield self.ground.step("link", node, reason=f"“{found.node.title}” leads here: {why}.")
                yield self._read(node, self.ground.scent.of(node.place), linked=True)

    def _continues(self, last: Node, node: Node) -> bool:
        """Whether a node is the next one on the way down, or the next leaf in the same branch."""
        above, branch_of = node.parent, self.ground.branch_of
        return above == last.place or above == last.parent or branch_of(node) in (last.place, branch_of(last))


class _Frontier:
    """What was chosen and not yet opened, the most promising first; of equals the one chosen first."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Node]] = []
        self._order = count()

    def __bool__(self) -> bool:
        return bool(self._heap)

    def push(self, node: Node, score: float) -> None:
        heapq.heappush(self._heap, (-score, next(self._order), node))

    def pop(self) -> tuple[float, Node]:
        score, _, node = heapq.heappop(self._heap)
        return -score, node
