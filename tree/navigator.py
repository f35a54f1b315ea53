"""The walk: from the root down to a few leaves, going back when a path was wrong, and telling every step.

Best first with backtracking (after MemWalker, arXiv 2310.05029): the reader chooses among options that carry their
full record and the best evidence below them; what it chooses joins a frontier, and the most promising place of the
whole frontier is opened next. So the walk leaves a branch as soon as another one promises more.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from prompts.language import entities, sentences, terms
from prompts.records import LeafAnswer, LeafText, LogicUnit, Option, Question, Reader, SummaryRecord, Verdict
from tree.leaves import Leaf
from tree.scent import Scent
from tree.search import Index, Scope, as_name, is_below
from tree.store import Node, Store

StepKind = Literal["named", "choose", "read", "back", "link", "overview", "register", "chat"]
OPTIONS_WITH_EVIDENCE = 3  # the line of best evidence is looked up for the most promising options
SHORT = 280  # characters of a summary that a trail keeps
LINKS_FOLLOWED = 40  # names in a quoted passage that are looked up
RARE = 0.5  # of the weight of a word that stands in one leaf alone: what a name's rarest word has, or it names nothing


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one walk may read. Linked leaves are part of the leaves."""

    branches: int = 6
    leaves: int = 6
    linked: int = 2


@dataclass(frozen=True, slots=True)
class Seen:
    """An option as the trail shows it."""

    place: str
    title: str
    kind: str
    summary: str
    scent: float
    evidence: str
    content_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a walk, with everything a person needs to follow it."""

    kind: StepKind
    place: str
    hash: str
    title: str
    path: tuple[str, ...] = ()  # titles from the source down to here
    options: tuple[Seen, ...] = ()
    chosen: tuple[str, ...] = ()
    reason: str = ""
    verdict: Verdict | None = None
    node_kind: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A leaf that was read, and what it says to the question."""

    node: Node
    leaf: Leaf
    text: LeafText
    answer: LeafAnswer
    score: float
    linked: bool = False


@dataclass(slots=True)
class Walk:
    """One walk over the pinned version. `steps` yields as it goes; `found` then holds what was read, in order."""

    store: Store
    index: Index
    reader: Reader
    scent: Scent
    scope: Scope
    version: int
    titles: dict[str, str]  # source names by id
    budget: Budget = field(default_factory=Budget)
    found: list[Found] = field(default_factory=list)
    passed_over: list[Node] = field(default_factory=list)  # chosen once, never opened: the closest other places
    characters: int = 0
    decisions: int = 0
    _opened: set[str | None] = field(default_factory=set)  # bottom branches of which a leaf was read
    _last: Node | None = None
    _families: dict[str, list[Node]] = field(default_factory=dict)
    _records: dict[str, SummaryRecord] = field(default_factory=dict)
    _paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _lines: dict[str, str] = field(default_factory=dict)

    @property
    def question(self) -> Question:
        return self.scent.question

    def steps(self, tops: Sequence[Node], named: Sequence[Node] = ()) -> Iterator[Step]:
        """`tops` are the nodes to start from: the roots in scope, or the branches the question is asked in."""
        frontier = _Frontier()
        for node in named:
            yield self._step("named", node, reason=f"The question names “{node.title}”.")
        self._look_ahead(tops)
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
        self.passed_over += [node for _, node in frontier.rest(5)]

    def _explore(self, frontier: _Frontier, leaves: int, named: Sequence[Node] = ()) -> Iterator[Step]:
        """Opens the most promising place of all that was chosen, until so many leaves are read or none is left."""
        while frontier and len(self.found) < leaves:
            score, node = frontier.pop()
            if named and self._is_settled(node, named):
                self.passed_over.append(node)
                return
            if any(found.node.place == node.place for found in self.found):
                continue
            if len(self._opened) >= self.budget.branches and not self._leads_to_opened(node):
                self.passed_over.append(node)
                continue
            if self._last is not None and not self._continues(self._last, node):
                yield self._back(self._last, node)
            if node.kind == "leaf":
                self._opened.add(self._branch_of(node))
                yield self._read(node, score)
            else:
                yield self._open(node, self._children(node), frontier)
            self._last = node

    def _open(self, node: Node | None, children: list[Node], frontier: _Frontier) -> Step:
        step, chosen = self._choose(node, children)
        for child, score in chosen:
            frontier.push(child, score)
        return step

    def _leads_to_opened(self, node: Node) -> bool:
        """Whether a leaf is in a branch that was opened, or a branch above one."""
        if node.kind == "leaf":
            return self._branch_of(node) in self._opened
        return any(node in self.scent.path(branch) for branch in self._opened if branch is not None)

    def _is_settled(self, node: Node | None, named: Sequence[Node]) -> bool:
        """Whether what the question names has answered it, and the next place is not part of that."""
        if not any(found.answer.verdict == "complete" for found in self.found):
            return False
        next_leaf = self.scent.best_leaf(node.place) if node else None
        return next_leaf is None or not any(is_below(next_leaf.place, one.place) for one in named)

    def _room_for_links(self) -> int:
        return min(self.budget.linked, self.budget.leaves - 1)

    # ---- steps

    def _choose(self, node: Node | None, children: list[Node]) -> tuple[Step, list[tuple[Node, float]]]:
        options = self._options(children)
        choices = self.reader.choose(self.question, options, [found.answer.reason for found in self.found])
        self.decisions += 1
        by_place = {child.place: child for child in children}
        choices = [choice for choice in choices if choice.place in by_place]  # ids in, ids out: nothing that was not shown
        chosen = [(by_place[choice.place], choice.score) for choice in choices]
        seen = tuple(self._seen(option) for option in options)
        reason = choices[0].reason if choices else "Nothing here speaks to the question."
        step = self._step("choose", node, seen, tuple(choice.place for choice in choices), reason)
        return step, chosen

    def _read(self, node: Node, score: float, linked: bool = False) -> Step:
        leaf = self.store.leaves([node.leaf or ""])[node.leaf or ""]
        text = LeafText(leaf.text, (*leaf.heading, leaf.title), leaf.units, node.kind)
        answer = self.reader.answer(self.question, text, [found.answer.reason for found in self.found])
        self.decisions += 1
        self.characters += len(leaf.text)
        self.found.append(Found(node, leaf, text, answer, score, linked))
        return self._step("read", node, reason=answer.reason, verdict=answer.verdict)

    def _back(self, last: Node, node: Node) -> Step:
        reason = f"“{node.title}” now promises more than what is left below “{last.title}”."
        if self.found and self.found[-1].answer.verdict == "none":
            reason = f"“{last.title}” does not answer it; “{node.title}” is the next best."
        return self._step("back", node, reason=reason)

    def _step(
        self,
        kind: StepKind,
        node: Node | None,
        options: tuple[Seen, ...] = (),
        chosen: tuple[str, ...] = (),
        reason: str = "",
        verdict: Verdict | None = None,
    ) -> Step:
        if node is None:
            return Step(kind, "", "", "All sources", (), options, chosen, reason, verdict, "root")
        return Step(kind, node.place, node.hash, node.title, self.path(node), options, chosen, reason, verdict, node.kind)

    # ---- options

    def _children(self, node: Node) -> list[Node]:
        if node.place not in self._families:
            self._look_up([node.place])
        return self._families[node.place]

    def _look_ahead(self, tops: Sequence[Node]) -> None:
        """Reads in one go what is on the way to the best leaves: the walk will most likely come by there."""
        best = sorted(self.scent.leaves, key=lambda place: -self.scent.leaves[place])[: self.budget.leaves]
        self._look_up({node.place for leaf in best for node in self.scent.path(leaf) if node.kind != "leaf"})
        self._records |= self.store.records(node.record for node in tops)
        shown = (option for family in (tops, *self._families.values()) for option in self._with_evidence(family))
        leaves = {leaf.leaf for option in shown if (leaf := self.scent.best_leaf(option.place)) and leaf.leaf}
        self._texts = {key: text for key, (text, _) in self.store.leaf_texts(leaves).items()}

    def _look_up(self, places: Iterable[str]) -> None:
        families = self.store.families(places, self.version)
        self._families |= families
        self._records |= self.store.records(node.record for family in families.values() for node in family)

    def _options(self, nodes: list[Node]) -> list[Option]:
        lines = {node.place: self._evidence(node) for node in self._with_evidence(nodes)}
        return [
            Option(
                node.place,
                node.title,
                node.kind,
                self._records.get(node.record, SummaryRecord()),
                self.scent.of(node.place),
                lines.get(node.place, ""),
            )
            for node in nodes
        ]

    def _with_evidence(self, nodes: Iterable[Node]) -> list[Node]:
        promising = [node for node in nodes if self.scent.of(node.place) > 0]
        return sorted(promising, key=lambda node: -self.scent.of(node.place))[:OPTIONS_WITH_EVIDENCE]

    def _evidence(self, node: Node) -> str:
        """The line that speaks most to the question in the best leaf below a node."""
        leaf = self.scent.best_leaf(node.place)
        if leaf is None or leaf.leaf is None:
            return ""
        if leaf.leaf not in self._lines:
            if leaf.leaf not in self._texts:
                self._texts |= {key: text for key, (text, _) in self.store.leaf_texts([leaf.leaf]).items()}
            self._lines[leaf.leaf] = _best_line(self._texts.get(leaf.leaf, ""), self.question)
        return self._lines[leaf.leaf]

    @staticmethod
    def _seen(option: Option) -> Seen:
        record = option.record
        summary = record.summary if len(record.summary) <= SHORT else f"{record.summary[:SHORT].rsplit(' ', 1)[0]} …"
        return Seen(
            option.place, option.title, option.kind, summary, round(option.scent, 3), option.evidence, record.content_types[:3]
        )

    # ---- links

    def _follow_links(self) -> Iterator[Step]:
        """Reads what the leaves read so far lead to: named files and keys, the heading a step goes on at, names of documents."""
        followed = 0
        known = {found.node.place for found in self.found} | {_document_of(found.node) for found in self.found}
        for found in sorted(self.found, key=lambda found: -found.answer.coverage):
            if found.answer.verdict == "none":
                continue
            for node, why in self._linked(found):
                if followed >= self.budget.linked or len(self.found) >= self.budget.leaves:
                    return
                if node.place in known or (_document_of(node) in known and _document_of(node) != _document_of(found.node)):
                    continue
                known |= {node.place, _document_of(node)}
                followed += 1
                yield self._step("link", node, reason=f"“{found.node.title}” leads here: {why}.")
                yield self._read(node, self.scent.of(node.place), linked=True)

    def _linked(self, found: Found) -> list[tuple[Node, str]]:
        names = self._telling(_names_in(found))
        mentions = {name: number for number, name in enumerate(names)}
        named = {place: name for name, place in self.index.named(names, self.scope) if place != found.node.place}
        best = self._continued(found)
        for place, node in self.store.nodes(named, self.version).items():
            leaf = self._entry_leaf(node)
            if leaf is not None and _document_of(leaf) != _document_of(found.node):
                name = named[place]
                best.append((-self.scent.of(leaf.place), mentions[name], leaf, f"it names “{names[name]}”"))
        return [(node, reason) for _, _, node, reason in sorted(best, key=lambda item: item[:2])]

    def _telling(self, names: dict[str, str]) -> dict[str, str]:
        """Without names made of everyday words or of the question's own, by which the scent went already."""
        asked = set(self.question.weights)
        words = {name: terms(written) for name, written in names.items()}
        weights = self.index.weights((word for some in words.values() for word in some), self.scope)
        least = RARE * self.index.weight(1)
        return {
            name: names[name]
            for name, some in words.items()
            if any(weights[word] >= least for word in some) and not asked.issuperset(some)
        }

    def _continued(self, found: Found) -> list[tuple[float, int, Node, str]]:
        """Where a procedure that was quoted goes on: the next leaf of the same document."""
        headings = {as_name(link.to) for unit in _quoted_units(found) for link in unit.links if link.kind == "heading"}
        if not headings or found.node.document_id is None:
            return []
        inside = self.store.inside(found.node.source_id, found.node.document_id, self.version)
        return [
            (-2.0, number, node, f"it goes on under “{node.title}”")
            for number, node in enumerate(inside)
            if node.kind == "leaf" and node.place != found.node.place and as_name(node.title) in headings
        ]

    def _entry_leaf(self, node: Node) -> Node | None:
        """The leaf to read of a document that was named: the one the question smells of, else the first."""
        leaf = self.scent.best_leaf(node.place)
        while leaf is None and node.kind != "leaf":
            children = self._children(node)
            if not children:
                return None
            node = children[0]
        return leaf or node

    # ---- paths

    def path(self, node: Node) -> tuple[str, ...]:
        """Titles from the source down to a node, for people; runs left out."""
        if node.place not in self._paths:
            nodes = self.scent.path(node.place) or self.store.path(node.place, self.version)
            self._paths[node.place] = tuple(
                self.titles.get(n.source_id, n.title) if n.kind == "root" else n.title for n in nodes if n.kind != "run"
            )
        return self._paths[node.place]

    def _branch_of(self, node: Node) -> str | None:
        return self.scent.parent(node.place) if node.place in self.scent.nodes else node.parent

    def _continues(self, last: Node, node: Node) -> bool:
        """Whether a node is the next one on the way down, or the next leaf in the same branch."""
        above = node.parent
        return above == last.place or above == last.parent or self._branch_of(node) in (last.place, self._branch_of(last))


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

    def rest(self, number: int) -> list[tuple[float, Node]]:
        return [(-score, node) for score, _, node in heapq.nsmallest(number, self._heap)]


def _best_line(text: str, question: Question) -> str:
    best, line = 0.0, ""
    for start, end in sentences(text):
        found = set(terms(text[start:end]))
        score = sum(weight for word, weight in question.weights.items() if word in found)
        if score > best:
            best, line = score, text[start:end]
    return " ".join(line.split())[:SHORT]


def _names_in(found: Found) -> dict[str, str]:
    """What the quoted part of a leaf names that could be a document, as names are compared, to how it is written."""
    names: dict[str, str] = {}
    for unit in _quoted_units(found):
        for link in unit.links:
            if link.kind in ("file", "key"):
                written = link.to.rpartition("/")[2].partition("#")[0]
                names.setdefault(as_name(written), written)
    for entity in entities("\n".join(quote.text for quote in found.answer.quotes)):
        if entity.kind in ("name", "key"):
            names.setdefault(as_name(entity.text), entity.text)
    return dict(list(names.items())[:LINKS_FOLLOWED])


def _quoted_units(found: Found) -> list[LogicUnit]:
    quotes = found.answer.quotes
    return [unit for unit in found.leaf.units if any(quote.start < unit.end and unit.start < quote.end for quote in quotes)]


def _document_of(node: Node) -> tuple[str, str | None]:
    return node.source_id, node.document_id
