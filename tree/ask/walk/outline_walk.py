"""The walk with a language model: it is asked as seldom as will do, and about as much at once as it can judge.

Where the reader that counts is shown one level after the other, a model is shown a pruned outline (a collapsed tree, as
in RAPTOR, arXiv 2401.18059, but with the way to each leaf): the best leaves by scent, and the branches that scent does
not lead to, so that it can also go where the question's words do not. What it chooses is read best first: one leaf, and
where that is not the whole answer, two at once. What was read at once is merged before the next choice: the walk ends when all parts of the question are
answered between them, when its premise is wrong, or when nobody can tell what is asked. What is left open becomes a search
of its own, in which leaves that were chosen before and not read are options again. A branch of which all is asked is told
from its own record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, TypeVar

from prompts.extractive import ExtractiveReader
from prompts.records import Choice, Chosen, Here, LeafAnswer, Notes, Option, Question, Reader, Standing
from prompts.stop import Stop
from tree.ask.direct.overview import describe_branch
from tree.ask.snapshot.direct_answer import DirectAnswer
from tree.ask.snapshot.leaf_links import linked_units
from tree.ask.snapshot.snapshot_view import OpenedLeaf, ReadLeaf, SnapshotView
from tree.ask.snapshot.trail import Step, shown_option
from tree.ask.walk.protocol import Candidate, Frontier, WalkProgress, WalkResult
from tree.ask.walk.unfold import unfold
from tree.ask.walk.walk_notes import WalkNotes
from tree.retrieve.scent import Scent
from tree.store.rows import Node

LEAVES_SHOWN, BRANCHES_SHOWN = 10, 20
FOUND_SHOWN = 6  # leaves that a search for what is missing shows
AGAIN = 4  # leaves that were options before, beside those that are new
EVIDENCE_LINES = 3  # of an option, at most
LIKELY = 0.5  # likelihood of what was chosen and not read, from which on the answer says so
AT_ONCE = 2  # leaves read, or branches looked into, at the same time
FOLLOW_UPS, OUTLINES = 2, 2  # searches for what is missing; outlines of everything, the one at the beginning included
LINKED_UNITS = 2  # shown beside a leaf, to understand it by
LINK_SCORE = 0.6  # of a leaf that another leads to, beside the likelihoods a model gives

T = TypeVar("T")


class _Outline(NamedTuple):
    """Options to choose from: what lies below `here`, or in all sources."""

    here: Node | None
    options: list[Option]
    nodes: dict[str, Node]  # of the options, by place
    question: Question


class _Reading(NamedTuple):
    """A leaf to be read, and what led to it."""

    candidate: Candidate
    opened: OpenedLeaf


@dataclass(slots=True)
class OutlineWalk:
    """One walk over a snapshot, several levels at once. Keeps the protocol `Walk`. `search` scores the leaves of the same
    snapshot for another question; once `stop` is set, nothing more is asked."""

    progress: WalkProgress
    reader: Reader
    question: Question
    search: Callable[[str], Scent]
    stop: Stop
    notes: WalkNotes = field(default_factory=WalkNotes)
    _branch_answer: DirectAnswer | None = None
    _tops: Sequence[Node] = ()
    _frontier: Frontier = field(default_factory=Frontier)
    _passed_over: dict[str, Candidate] = field(default_factory=dict)  # chosen, in branches that the budget does not allow
    _shown: set[str] = field(default_factory=set)  # leaves that were options before
    _chosen_branches: dict[str, str] = field(default_factory=dict)  # by place, each with why
    _outlines: int = 0  # of everything
    _checked: int = 0  # leaves of which it was looked at what they leave open
    _follow_ups: list[str] = field(default_factory=list)  # searches for what was missing
    _is_hopeless: bool = False  # the model thinks nothing likely

    @property
    def view(self) -> SnapshotView:
        return self.progress.view

    @property
    def read(self) -> Sequence[ReadLeaf]:
        return self.progress.read

    @property
    def result(self) -> WalkResult:
        unread = [one.node.title for one in self._left_unread()]
        notes = self.notes
        return WalkResult(
            self.question, tuple(self.read), self._branch_answer, notes.standing, notes.notes(unread=unread), notes.unclear,
            notes.readings,
        )  # fmt: skip

    def _left_unread(self) -> list[Candidate]:
        """What seemed likely and was not read because the budget was used up, while the question is open."""
        if self._is_over:
            return []
        left = {one.node.place: one for one in (*self._passed_over.values(), *self._frontier.waiting())}
        known = {*self._chosen_branches, *self.progress.places_read}
        return [one for place, one in left.items() if place not in known and one.score >= LIKELY]

    @property
    def _is_over(self) -> bool:
        return self.notes.is_settled or self._branch_answer is not None

    def steps(self, tops: Sequence[Node], named: Sequence[Node] = ()) -> Iterator[Step]:
        self._tops = tops
        yield from self.progress.named_steps(named)
        for node in sorted(named, key=lambda node: -self.view.scent.of(node.place))[:AT_ONCE]:
            if (leaf := self.view.entry_leaf(node)) is not None:
                candidate = Candidate(leaf, 1.0, f"The question names “{node.title}”.")
                yield from self._tell_fact(candidate)
                self._frontier.push(candidate)
        if self._top is not None and self._top.kind == "leaf":
            self._frontier.push(Candidate(self._top, 1.0, f"The question is asked in “{self._top.title}”."))
            self._is_hopeless = True  # there is nothing else to look at
        while not self._is_over:
            if candidates := self._next_candidates(AT_ONCE if self.read or len(named) > 1 else 1):
                yield from self._open(candidates)
                yield from self._look_for_what_is_missing()
            elif self._may_look_again():
                yield from self._look_from_the_top()
            else:
                break
        yield from unfold(self.progress)

    def _tell_fact(self, candidate: Candidate) -> Iterator[Step]:
        """A fact that what was named states of itself ("Status: Done") is told as it stands: no model knows it better."""
        reading = self._reading(candidate)
        fact = ExtractiveReader().answer(self.view.question, reading.opened.text)
        if fact.is_stated and not self._is_over:
            self.notes.standing = "answered"
            yield from self._read(reading, fact)

    # ---- where to go

    def _next_candidates(self, number: int) -> list[Candidate]:
        """The most promising places that were chosen and are within the budget."""
        found: list[Candidate] = []
        known, opened = {*self._chosen_branches, *self.progress.places_read}, set(self.progress.branches)
        leaves = self.progress.leaves_left
        while self._frontier and leaves > 0 and len(found) < number:
            candidate = self._frontier.pop()
            is_leaf = candidate.node.kind == "leaf"
            branch = self.view.branch_of(candidate.node) if is_leaf else candidate.node.place
            if candidate.node.place in known or (is_leaf and self.progress.has_read(self.view.text_of(candidate.node))):
                continue
            if branch not in opened and len(opened) >= self.progress.budget.branches:
                self._passed_over[candidate.node.place] = candidate
                continue
            known.add(candidate.node.place)
            opened.add(branch)
            leaves -= is_leaf
            found.append(candidate)
        return found

    def _may_look_again(self) -> bool:
        return self.progress.leaves_left > 0 and self._outlines < OUTLINES and not self._is_hopeless

    def _look_from_the_top(self) -> Iterator[Step]:
        outline = self._outline(self._top, self.view, is_first=not self._outlines)
        self._outlines += 1
        chosen = self._choose(outline) if outline.options else Chosen()
        if chosen.unclear and not self.read:
            self.notes.ask_back(chosen.unclear, chosen.readings)
            yield replace(self.view.step("choose", outline.here, reason=chosen.unclear), standing=self.notes.standing)
            return
        choices = chosen.ways
        self.notes.take_apart(chosen.parts)
        self._is_hopeless = not choices
        nearest = max(outline.options, key=lambda option: option.scent, default=None)
        if nearest is None or choices or self.read or nearest.scent <= 0:
            yield from self._take(outline, choices)
            return
        reason = "None of these was thought likely; the one nearest by its words is read to be sure."
        yield from self._take(outline, [Choice(nearest.place, 0.0, reason)])

    def _look_for_what_is_missing(self) -> Iterator[Step]:
        """A leaf that answers a part says what is missing: that is searched for, and the outline it leads to shown."""
        unchecked, self._checked = self.read[self._checked :], len(self.read)
        missing = [one for one in unchecked if self.notes.is_open(one.answer) and one.answer.follow_up not in self._follow_ups]
        if self._is_over or self.progress.leaves_left <= 0 or not missing or len(self._follow_ups) >= FOLLOW_UPS:
            return
        read = max(missing, key=lambda one: one.answer.coverage)
        query = read.answer.follow_up
        self._follow_ups.append(query)
        reason = f"“{read.node.title}” answers a part of it; this is what is missing."
        yield Step("follow_up", "", "", query, reason=reason, node_kind="root")
        found = self.view.with_scent(self.search(self.notes.search_text(query)))
        outline = self._outline(self._top, found, is_search=True)
        if outline.options:
            self._frontier.begin_round()
            yield from self._take(outline, self._choose(outline, query).ways)

    # ---- what is shown

    @property
    def _top(self) -> Node | None:
        return self._tops[0] if len(self._tops) == 1 else None

    def _outline(self, here: Node | None, view: SnapshotView, is_first: bool = True, is_search: bool = False) -> _Outline:
        """The best leaves below a branch, and the branches below it: at first only those that no such leaf is in.

        In a search for what is missing only leaves. What was an option before is one again beside something new.
        """
        waiting = {one.node.place: one for one in self._frontier.waiting() if one.node.kind == "leaf"}
        old = set() if is_search else self._shown | waiting.keys()
        leaves = self._leaves(here, view, waiting, old, FOUND_SHOWN if is_search else LEAVES_SHOWN)
        led_to = {node.place for place in leaves for node in view.scent.path(place)} if is_first else set()
        branches: dict[str, Node] = {}
        if not is_search:
            below = self._tops if here is None else view.children_without_runs(here, BRANCHES_SHOWN)
            known = {*self._chosen_branches, *self.progress.places_read, *leaves} | led_to
            branches = {node.place: node for node in below if node.place not in known}
        nodes = leaves | branches
        if nodes.keys() <= old | waiting.keys():
            return _Outline(here, [], {}, self.question)
        self._shown |= {place for place, node in nodes.items() if node.kind == "leaf"}
        options = [
            replace(
                option,
                evidence="" if self._is_read_below(option.place, view) else option.evidence,
                note=_chosen_before(waiting.get(option.place)),
                below=view.titles_below(nodes[option.place]),
            )
            for option in view.options(list(nodes.values()), here, LEAVES_SHOWN)
        ]
        question = self.question if is_search else replace(self.question, here=self._here(here))
        return _Outline(here, options, nodes, question)

    def _leaves(
        self, here: Node | None, view: SnapshotView, waiting: Mapping[str, Candidate], old: Collection[str], number: int
    ) -> dict[str, Node]:
        """So many of the best leaves by scent that are not old, and some that are, those chosen and not read first.

        Of leaves with the same text only the best is an option, and none that was read.
        """
        scent = view.scent
        paths = {place: path for place in view.best_leaves() if (path := scent.path(place))}
        inside = [place for place, path in paths.items() if here is None or any(node.place == here.place for node in path)]
        new = [place for place in inside if place not in old]
        again = [*waiting, *(place for place in inside if place in old)]
        texts = {one.leaf.text for one in self.read}
        found: dict[str, Node] = {}
        for places, most in ((new, number), (again, AGAIN)):
            left = most
            for place in places:
                node = scent.nodes[place] if place in paths else waiting[place].node
                if left and place not in found and (text := view.text_of(node)) not in texts:
                    texts.add(text)
                    found[place] = node
                    left -= 1
        return found

    def _is_read_below(self, place: str, view: SnapshotView) -> bool:
        """Whether the evidence for a place is known already."""
        leaf = view.scent.best_leaf(place)
        return leaf is not None and self.progress.has_read(view.text_of(leaf))

    def _here(self, node: Node | None) -> Here | None:
        if node is None:
            return None
        above = {one.place: one.title for one in self.view.store.path(node.place, self.view.version)}
        walked = tuple(f"{above[place]}: {why}" for place, why in self._chosen_branches.items() if place in above)
        return Here(node.place, node.title, self.view.record(node), walked)

    # ---- deciding

    def _choose(self, outline: _Outline, searched: str = "") -> Chosen:
        """The choice of the reader; what it says of the parts of the question is kept."""
        return self.reader.choose(outline.question, outline.options, self.notes.notes(self.read, searched))

    def _take(self, outline: _Outline, choices: Sequence[Choice]) -> Iterator[Step]:
        """The step of a choice; what was chosen joins the frontier."""
        if outline.here is not None and any(choice.place == outline.here.place for choice in choices[:1]):
            self._branch_answer = describe_branch(self.view.store, outline.here, self.view.version, choices[0].reason)
        why = {choice.place: choice.reason for choice in choices if choice.place in outline.nodes}  # nothing that was not shown
        for choice in choices:
            if choice.place in why:
                self._frontier.push(Candidate(outline.nodes[choice.place], choice.score, choice.reason))
        reason = choices[0].reason if choices else "Nothing here speaks to the question."
        shown = tuple(shown_option(option, why.get(option.place, "")) for option in outline.options)
        yield self.view.step("choose", outline.here, shown, tuple(why), reason)
        if self._branch_answer is not None:
            yield self._branch_answer.step

    def _open(self, candidates: Sequence[Candidate]) -> Iterator[Step]:
        """Reads the leaves and looks into the branches, all at once."""
        if (back := self._back(candidates)) is not None:
            yield back
        self._chosen_branches |= {one.node.place: one.reason for one in candidates if one.node.kind != "leaf"}
        self.progress.branches |= self._chosen_branches.keys()
        prepared = [self._prepared(candidate) for candidate in candidates]
        notes = self.notes.notes(self.read)
        decided = self._at_once([partial(self._decide, one, notes) for one in prepared])
        self.notes.merge([one for one in decided if isinstance(one, LeafAnswer)])
        for at, (one, made) in enumerate(zip(prepared, decided, strict=True), 1):
            if isinstance(one, _Reading) and isinstance(made, LeafAnswer):
                is_last = at == len(prepared)
                yield from self._read(one, made, self.notes.standing if is_last else made.standing)
            elif isinstance(one, _Outline) and isinstance(made, Chosen):
                yield from self._take(one, made.ways)

    def _prepared(self, candidate: Candidate) -> _Reading | _Outline:
        """All that has to be looked up for a decision, so that the decision itself needs nothing but the model."""
        if candidate.node.kind != "leaf":
            return self._outline(candidate.node, self.view)
        opened = self._reading(candidate).opened
        linked = linked_units(self.view, candidate.node, opened.text, LINKED_UNITS)
        return _Reading(candidate, replace(opened, text=replace(opened.text, linked=linked)))

    def _reading(self, candidate: Candidate) -> _Reading:
        return _Reading(candidate, self.view.open_leaf(candidate.node, units_of_record=True))

    def _decide(self, prepared: _Reading | _Outline, notes: Notes) -> LeafAnswer | Chosen:
        """One decision, in any thread. What follows from it is done in the thread of the walk."""
        if isinstance(prepared, _Reading):
            return self.reader.answer(self.question, prepared.opened.text, notes)
        return self.reader.choose(prepared.question, prepared.options, notes) if prepared.options else Chosen()

    def _read(self, reading: _Reading, answer: LeafAnswer, standing: Standing = "open") -> Iterator[Step]:
        candidate, node = reading.candidate, reading.opened.node
        self.progress.branches.add(self.view.branch_of(node))
        if candidate.link:
            yield self.view.step("link", node, reason=candidate.link)
        judged = None if answer.is_fallback or answer.is_stated else standing
        yield self.progress.add(reading.opened, answer, candidate.score, bool(candidate.link), judged)
        if answer.verdict == "partial":  # what it leads to may have the rest
            for read, to in self.progress.unread_links(self.read[-1:]):
                reason = f"“{read.node.title}” leads here: {to.reason}."
                self._frontier.push(Candidate(to.node, LINK_SCORE, reason, reason))

    def _back(self, candidates: Sequence[Candidate]) -> Step | None:
        """The step that says that the walk leaves the branch in which it read last."""
        if not self.read or candidates[0].link:
            return None
        last, node = self.read[-1], candidates[0].node
        if self.view.branch_of(last.node) in (node.place, self.view.branch_of(node)):
            return None
        said = {"none": "adds nothing", "partial": "answers a part of it", "complete": "has the words of it"}
        names = " and ".join(f"“{candidate.node.title}”" for candidate in candidates)
        reason = f"“{last.node.title}” {said[last.answer.verdict]}; next {'are' if len(candidates) > 1 else 'is'} {names}."
        return self.view.step("back", node, reason=reason)

    def _at_once(self, decisions: Sequence[Callable[[], T]]) -> list[T]:
        """The results of decisions that do not need each other, in order."""
        if len(decisions) == 1:
            return [decisions[0]()]
        with ThreadPoolExecutor(len(decisions), thread_name_prefix="walk") as pool:
            futures = [pool.submit(decision) for decision in decisions]
            try:
                return [future.result() for future in futures]
            except BaseException:  # also a Ctrl-C: leaving the pool would wait for the others
                self.stop.set()
                raise


def _chosen_before(candidate: Candidate | None) -> str:
    return "" if candidate is None else f"chosen before with likelihood {10 * candidate.score:.0f}, not read"
