"""The walk with a language model: it is asked as seldom as will do, and about as much at once as it can judge.

Where the reader that counts is shown one level after the other, a model is shown a pruned outline: the best leaves by
scent with the way to each, and the branches that scent does not lead to, so that it can also go where the question's
words do not. What it chooses is read best first: one leaf, and where that is not the whole answer, two at once. What a
leaf leaves open becomes a search of its own, and a branch of which all is asked is told from its own record.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple, TypeVar

from prompts.extractive import ExtractiveReader
from prompts.model import ModelReader
from prompts.records import Choice, Here, LeafAnswer, LeafText, Option, Question
from tree.ask.overview import Overview, told_from
from tree.ask.snapshot_view import Budget, Found, Ground, Step, document_of, seen
from tree.retrieve.scent import Scent
from tree.store.leaves import Leaf
from tree.store.rows import Node

LEAVES_SHOWN, BRANCHES_SHOWN = 10, 20
AT_ONCE = 2  # leaves read, or branches looked into, at the same time
FOLLOW_UPS, FROM_THE_TOP = 2, 2  # searches for what is missing; looks at the whole outline, the one at the beginning included
LINKED_UNITS = 2  # shown beside a leaf, to understand it by
LINK_PROMISE = 0.6  # of a leaf that another leads to, beside the likelihoods a model gives

T = TypeVar("T")


class _Way(NamedTuple):
    """A place to go, how likely it leads to the answer, and why."""

    node: Node
    promise: float
    why: str
    link: str = ""  # what leads there, where that is not a choice of the model's


class _Frontier:
    """What was chosen and not yet gone to: of the choice made last, the most promising first; then of those before."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, float, int, _Way]] = []
        self._order = count()
        self._choice = 0

    def __bool__(self) -> bool:
        return bool(self._heap)

    def begin_anew(self) -> None:
        """What comes now goes before all that is here."""
        self._choice -= 1

    def push(self, way: _Way) -> None:
        heapq.heappush(self._heap, (self._choice, -way.promise, next(self._order), way))

    def pop(self) -> _Way:
        return heapq.heappop(self._heap)[-1]


class _Reading(NamedTuple):
    """A leaf to be read."""

    way: _Way
    leaf: Leaf
    text: LeafText


class _Look(NamedTuple):
    """An outline to choose from: what lies below `here`, or all sources."""

    here: Node | None
    options: list[Option]
    nodes: dict[str, Node]
    question: Question


@dataclass(slots=True)
class OutlineWalk:
    """One walk over the pinned version. `steps` yields as it goes; then `found` holds what was read, in order, and
    `told` what a branch's own record says, where that is the answer."""

    ground: Ground
    reader: ModelReader
    question: Question
    search: Callable[[str], Scent]  # the scent of another question on the same version
    budget: Budget = field(default_factory=Budget)
    found: list[Found] = field(default_factory=list)
    told: Overview | None = None
    characters: int = 0
    _tops: Sequence[Node] = ()
    _frontier: _Frontier = field(default_factory=_Frontier)
    _shown: set[str] = field(default_factory=set)  # leaves that were options before
    _opened: set[str | None] = field(default_factory=set)  # branches of which a leaf was read, or that were looked into
    _walked: dict[str, str] = field(default_factory=dict)  # branches that were chosen, by place, each with why
    _looks: int = 0  # from the top
    _heard: int = 0  # leaves whose word on what is missing was heard
    _searched: list[str] = field(default_factory=list)  # for what was missing
    _links: int = 0
    _is_hopeless: bool = False  # the model thinks nothing likely
    _is_answered: bool = False

    def steps(self, tops: Sequence[Node], named: Sequence[Node] = ()) -> Iterator[Step]:
        """`tops` are the nodes to start from: the roots in scope, or the branches the question is asked in."""
        self._tops = tops
        for node in named:
            yield self.ground.step("named", node, reason=f"The question names “{node.title}”.")
        for node in sorted(named, key=lambda node: -self.ground.scent.of(node.place))[:AT_ONCE]:
            if (leaf := self.ground.entry_leaf(node)) is not None:
                way = _Way(leaf, 1.0, f"The question names “{node.title}”.")
                yield from self._tell_fact(way)
                self._frontier.push(way)
        if self._top is not None and self._top.kind == "leaf":
            self._frontier.push(_Way(self._top, 1.0, f"The question is asked in “{self._top.title}”."))
            self._is_hopeless = True  # there is nothing else to look at
        while not self._is_answered and self.told is None:
            if ways := self._next_ways(AT_ONCE if self.found or len(named) > 1 else 1):
                yield from self._go(ways)
                yield from self._look_for_what_is_missing()
            elif self._may_look_again():
                yield from self._look_from_the_top()
            else:
                return

    def _tell_fact(self, way: _Way) -> Iterator[Step]:
        """A fact that what was named states of itself ("Status: Done") is told as it stands: no model knows it better."""
        reading = self._reading(way)
        fact = ExtractiveReader().answer(self.ground.question, reading.text)
        if fact.is_stated and not self._is_answered:
            self._is_answered = True
            yield from self._read(reading, fact)

    # ---- where to go

    def _next_ways(self, number: int) -> list[_Way]:
        """The most promising places that were chosen and are within the budget."""
        ways: list[_Way] = []
        known, opened = {*self._walked, *(found.node.place for found in self.found)}, set(self._opened)
        leaves = self.budget.leaves - len(self.found)
        while self._frontier and leaves > 0 and len(ways) < number:
            way = self._frontier.pop()
            is_leaf = way.node.kind == "leaf"
            branch = self.ground.branch_of(way.node) if is_leaf else way.node.place
            if way.node.place in known or (branch not in opened and len(opened) >= self.budget.branches):
                continue
            known.add(way.node.place)
            opened.add(branch)
            leaves -= is_leaf
            ways.append(way)
        return ways

    def _may_look_again(self) -> bool:
        return len(self.found) < self.budget.leaves and self._looks < FROM_THE_TOP and not self._is_hopeless

    def _look_from_the_top(self) -> Iterator[Step]:
        look = self._outline(self._top, self.ground, is_first=not self._looks)
        self._looks += 1
        choices = self._choose(look) if look.options else []
        self._is_hopeless = not choices
        nearest = max(look.options, key=lambda option: option.scent, default=None)
        if nearest is None or choices or self.found or nearest.scent <= 0:
            yield from self._chosen(look, choices)
            return
        reason = "None of these was thought likely; the one nearest by its words is read to be sure."
        yield from self._chosen(look, [Choice(nearest.place, 0.0, reason)])

    def _look_for_what_is_missing(self) -> Iterator[Step]:
        """A leaf that answers a part says what is missing: that is searched for, and the outline it leads to shown."""
        fresh, self._heard = self.found[self._heard :], len(self.found)
        missing = [found for found in fresh if found.answer.follow_up and found.answer.follow_up not in self._searched]
        is_over = self._is_answered or self.told is not None or len(self.found) >= self.budget.leaves
        if is_over or not missing or len(self._searched) >= FOLLOW_UPS:
            return
        found = max(missing, key=lambda one: one.answer.coverage)
        query = found.answer.follow_up
        self._searched.append(query)
        reason = f"“{found.node.title}” answers a part of it; this is what is missing."
        yield Step("follow_up", "", "", query, reason=reason, node_kind="root")
        look = self._outline(self._top, self.ground.by(self.search(query)), leaves_only=True)
        if look.options:
            self._frontier.begin_anew()
            yield from self._chosen(look, self._choose(look, f"looked for next: {query}"))

    # ---- what is shown

    @property
    def _top(self) -> Node | None:
        return self._tops[0] if len(self._tops) == 1 else None

    def _outline(self, here: Node | None, ground: Ground, is_first: bool = True, leaves_only: bool = False) -> _Look:
        """The best leaves below a branch, and the branches below it: at first only those that no such leaf is in."""
        known = {*self._walked, *(found.node.place for found in self.found)} | (set() if leaves_only else self._shown)
        ways = {place: ground.scent.path(place) for place in ground.best_leaves() if place not in known}
        inside = [place for place, way in ways.items() if here is None or any(node.place == here.place for node in way)]
        nodes = {place: ground.scent.nodes[place] for place in inside[:LEAVES_SHOWN]}
        led_to = {node.place for place in nodes for node in ways[place]} if is_first else set()
        if not leaves_only:
            nodes |= {node.place: node for node in self._below(here) if node.place not in known | led_to}
        self._shown |= {node.place for node in nodes.values() if node.kind == "leaf"}
        options = ground.options(list(nodes.values()), LEAVES_SHOWN)
        depth = len(ground.path(here)) if here is not None else 0
        options = [replace(option, path=ground.path(nodes[option.place])[depth:-1]) for option in options]
        question = self.question if leaves_only else replace(self.question, here=self._here(here))
        return _Look(here, options, nodes, question)

    def _below(self, here: Node | None) -> list[Node]:
        """The children of a branch, runs opened while there is room: a run is only there to keep branches small."""
        if here is None:
            return list(self._tops)
        children = self.ground.children(here)
        while any(child.kind == "run" for child in children):
            opened = [below for child in children for below in (self.ground.children(child) if child.kind == "run" else [child])]
            if len(opened) > BRANCHES_SHOWN:
                break
            children = opened
        return children

    def _here(self, node: Node | None) -> Here | None:
        if node is None:
            return None
        above = {one.place: one.title for one in self.ground.store.path(node.place, self.ground.version)}
        walked = tuple(f"{above[place]}: {why}" for place, why in self._walked.items() if place in above)
        return Here(node.place, node.title, self.ground.record(node), walked)

    @property
    def _notes(self) -> list[str]:
        """What was read so far, for whoever reads on."""
        return [f"{found.node.title} ({found.answer.verdict}): {found.answer.reason}" for found in self.found]

    # ---- deciding

    def _choose(self, look: _Look, *more: str) -> list[Choice]:
        return self.reader.choose(look.question, look.options, [*self._notes, *more])

    def _chosen(self, look: _Look, choices: Sequence[Choice]) -> Iterator[Step]:
        """The step of a choice; what was chosen joins the frontier."""
        if look.here is not None and any(choice.place == look.here.place for choice in choices[:1]):
            self.told = told_from(self.ground.store, look.here, self.ground.version, choices[0].reason)
        why = {choice.place: choice.reason for choice in choices if choice.place in look.nodes}  # nothing that was not shown
        for choice in choices:
            if choice.place in why:
                self._frontier.push(_Way(look.nodes[choice.place], choice.score, choice.reason))
        reason = choices[0].reason if choices else "Nothing here speaks to the question."
        shown = tuple(seen(option, why.get(option.place, "")) for option in look.options)
        yield self.ground.step("choose", look.here, shown, tuple(why), reason)
        if self.told is not None:
            yield self.told.step

    def _go(self, ways: Sequence[_Way]) -> Iterator[Step]:
        """Reads the leaves and looks into the branches, all at once."""
        if (back := self._turned(ways)) is not None:
            yield back
        self._walked |= {way.node.place: way.why for way in ways if way.node.kind != "leaf"}
        self._opened |= self._walked.keys()
        ahead = [self._prepared(way) for way in ways]
        notes, before, given_up = self._notes, len(self.found), self.reader.usage.without_model["answer"]
        made = self._at_once([self._decision(one, notes) for one in ahead])
        for one, result in zip(ahead, made, strict=True):
            if isinstance(one, _Reading):
                yield from self._read(one, result)
            else:
                yield from self._chosen(one, result)
        # by counting words nobody can be sure enough to stop
        is_judged = self.reader.usage.without_model["answer"] == given_up
        self._is_answered = is_judged and any(found.answer.verdict == "complete" for found in self.found[before:])

    def _prepared(self, way: _Way) -> _Reading | _Look:
        """All that has to be looked up for a decision, so that the decision itself needs nothing but the model."""
        if way.node.kind != "leaf":
            return self._outline(way.node, self.ground)
        reading = self._reading(way)
        return reading._replace(text=replace(reading.text, linked=self.ground.linked_units(way.node, reading.text, LINKED_UNITS)))

    def _reading(self, way: _Way) -> _Reading:
        leaf = self.ground.leaf(way.node)
        units = self.ground.store.units_of(way.node.record)
        text = LeafText(leaf.text, (*leaf.heading, leaf.title), leaf.units if units is None else units, way.node.kind)
        return _Reading(way, leaf, text)

    def _decision(self, ahead: _Reading | _Look, notes: Sequence[str]) -> Callable[[], LeafAnswer | list[Choice]]:
        if isinstance(ahead, _Reading):
            return lambda: self.reader.answer(self.question, ahead.text, notes)
        return lambda: self._choose(ahead) if ahead.options else []

    def _read(self, reading: _Reading, answer: LeafAnswer) -> Iterator[Step]:
        way, node = reading.way, reading.way.node
        found = Found(node, reading.leaf, reading.text, answer, way.promise, bool(way.link))
        self.found.append(found)
        self._opened.add(self.ground.branch_of(node))
        self.characters += len(reading.leaf.text)
        if way.link:
            yield self.ground.step("link", node, reason=way.link)
        yield self.ground.step("read", node, reason=answer.reason, verdict=answer.verdict)
        if answer.verdict == "partial":
            self._push_links(found)

    def _push_links(self, found: Found) -> None:
        """What a leaf that answers a part leads to may have the rest."""
        known = {document_of(one.node) for one in self.found} - {document_of(found.node)}
        for node, why in self.ground.linked(found):
            if self._links < self.budget.linked and document_of(node) not in known:
                self._links += 1
                reason = f"“{found.node.title}” leads here: {why}."
                self._frontier.push(_Way(node, LINK_PROMISE, reason, reason))

    def _turned(self, ways: Sequence[_Way]) -> Step | None:
        """The step that says that the walk leaves the branch in which it read last."""
        if not self.found or ways[0].link:
            return None
        last, node = self.found[-1], ways[0].node
        if self.ground.branch_of(last.node) in (node.place, self.ground.branch_of(node)):
            return None
        said = {"none": "does not answer it", "partial": "answers a part of it", "complete": "has the words of it"}
        names = " and ".join(f"“{way.node.title}”" for way in ways)
        reason = f"“{last.node.title}” {said[last.answer.verdict]}; next {'are' if len(ways) > 1 else 'is'} {names}."
        return self.ground.step("back", node, reason=reason)

    def _at_once(self, decisions: Sequence[Callable[[], T]]) -> list[T]:
        """The results of decisions that do not need each other, in order."""
        if len(decisions) == 1:
            return [decisions[0]()]
        with ThreadPoolExecutor(len(decisions), thread_name_prefix="walk") as pool:
            futures = [pool.submit(decision) for decision in decisions]
            try:
                return [future.result() for future in futures]
            except BaseException:  # also a Ctrl-C: leaving the pool would wait for the others
                if self.reader.stop is not None:
                    self.reader.stop.set()
                raise
