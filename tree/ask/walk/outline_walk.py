"""The walk with a language model: it is asked as seldom as will do, and about as much at once as it can judge.

Where the reader that counts is shown one level after the other, a model is shown a pruned outline (a collapsed tree, as
in RAPTOR, arXiv 2401.18059, but with the way to each leaf): the best leaves by scent, and the branches that scent does
not lead to, so that it can also go where the question's words do not. Scent costs nothing, so the leaves that are nearest
by it are shown with the outline, to be read at once: one reply judges them and chooses further. What it chooses is read
several at once, and what it leaves open becomes a search of its own, of which the best leaves are read with the outline it
leads to; leaves that were chosen before and not read are options again. The walk ends when all parts of the question are
answered between them, when its premise is wrong, when nobody can tell what is asked, or after so many turns. A branch of
which all is asked is told from its own record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from prompts.excerpt import excerpt
from prompts.extractive import ExtractiveReader
from prompts.records import Choice, Here, LeafAnswer, Option, Question, Reader, Standing
from tree.ask.direct.overview import describe_branch
from tree.ask.snapshot.direct_answer import DirectAnswer
from tree.ask.snapshot.leaf_links import linked_units
from tree.ask.snapshot.snapshot_view import OpenedLeaf, ReadLeaf, SnapshotView
from tree.ask.snapshot.trail import Step, shown_option
from tree.ask.walk.protocol import NOTHING_SPEAKS, Candidate, Frontier, WalkProgress, WalkResult
from tree.ask.walk.stopped_walk import TakenUp
from tree.ask.walk.unfold import unfold
from tree.ask.walk.walk_notes import WalkNotes
from tree.retrieve.scent import Scent
from tree.store.nodes import Node

LEAVES_SHOWN, BRANCHES_SHOWN = 10, 20
FOUND_SHOWN = 6  # leaves that a search for what is missing shows
AGAIN = 4  # leaves that were options before, beside those that are new
EVIDENCE_LINES = 3  # of an option, at most
LIKELY = 0.5  # likelihood of what was chosen and not read, from which on the answer says so
AT_ONCE = 4  # leaves read in one turn
CHOSEN_AT_ONCE = 3  # of them chosen by the model
NAMED = 2  # documents that a question names, of which a leaf is read
# Characters that are shown of the leaves of each turn; its first leaf is read whatever it has. A turn is one call of the
# model: with outlines and the writing of the answer they stay within 16,000 tokens.
ROOMS = (7_000, 7_000, 5_000, 5_000)
FOLLOW_UPS, OUTLINES = 3, 2  # searches for what is missing; outlines of everything, the one at the beginning included
LINKED_UNITS = 2  # shown beside a leaf, to understand it by
LINK_SCORE = 0.6  # of a leaf that another leads to, beside the likelihoods a model gives
NEAR = 0.4  # of the scent of the nearest leaf, from which on another is read with it before anything is chosen
NEAREST = "Nearest to it by their words, so read at once."


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
    is_ahead: bool = False  # nobody has chosen it


@dataclass(slots=True)
class OutlineWalk:
    """One walk over a snapshot, several levels at once. Keeps the protocol `Walk`. `search` scores the leaves of the same
    snapshot for another question."""

    progress: WalkProgress
    reader: Reader
    question: Question
    search: Callable[[str], Scent]
    notes: WalkNotes = field(default_factory=WalkNotes)
    _branch_answer: DirectAnswer | None = None
    _tops: Sequence[Node] = ()
    _frontier: Frontier = field(default_factory=Frontier)
    _passed_over: dict[str, Candidate] = field(default_factory=dict)  # chosen, in branches that the budget does not allow
    _shown: set[str] = field(default_factory=set)  # leaves that were options before
    _chosen_branches: dict[str, str] = field(default_factory=dict)  # by place, each with why
    _turns: int = 0
    _outlines: int = 0  # of everything
    _checked: int = 0  # leaves of which it was looked at what they leave open
    _follow_ups: list[str] = field(default_factory=list)  # searches for what was missing
    _is_hopeless: bool = False  # the model thinks nothing likely
    _at: str | None = None  # the branch in which it read last, or into which it looked

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
    def _room(self) -> int:
        return ROOMS[self._turns]

    @property
    def _is_over(self) -> bool:
        return self.notes.is_settled or self._branch_answer is not None

    def take_up(self, taken_up: TakenUp) -> None:
        """Begins with what was read and chosen before a stop."""
        self.progress.take_up(taken_up)
        self.notes.take_apart(taken_up.parts)
        self.notes.merge([one.answer for one in self.read])
        for node, why in taken_up.chosen():
            self._frontier.push(Candidate(node, LIKELY, why))
        self._shown |= {node.place for node in taken_up.nodes.values() if node.kind == "leaf"}
        self._outlines = min(1, len(taken_up.steps))

    def steps(self, tops: Sequence[Node], named: Sequence[Node] = ()) -> Iterator[Step]:
        self._tops = tops
        yield from self.progress.named_steps(named)
        for node in sorted(named, key=lambda node: -self.view.scent.of(node.place))[:NAMED]:
            if (leaf := self.view.entry_leaf(node)) is not None and leaf.place not in self.progress.places_read:
                candidate = Candidate(leaf, 1.0, f"The question names “{node.title}”.")
                yield from self._tell_fact(candidate)
                self._frontier.push(candidate)
        if self._top is not None and self._top.kind == "leaf":
            self._frontier.push(Candidate(self._top, 1.0, f"The question is asked in “{self._top.title}”."))
            self._is_hopeless = True  # there is nothing else to look at
        while not self._is_over and self._turns < len(ROOMS) and self.progress.leaves_left > 0:
            if (leaving := self._leaving_most_open()) is not None:
                yield from self._look_for_what_is_missing(leaving)
            elif self._frontier:
                yield from self._open()
            elif self._outlines < OUTLINES and not self._is_hopeless:
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

    def _look_from_the_top(self) -> Iterator[Step]:
        """What lies below everything, with the leaves in it that are nearest by scent: a choice alone costs a call, and as much
        as the passages."""
        outline = self._outline(self._top, self.view, is_first=not self._outlines)
        nearest = self._nearest(outline, AT_ONCE, self._room)
        self._outlines += 1
        waiting = len(self._frontier.waiting())
        if outline.options:
            yield from self._turn([], nearest, outline)
        self._is_hopeless = not nearest and len(self._frontier.waiting()) == waiting

    def _leaving_most_open(self) -> ReadLeaf | None:
        """Of the leaves that were read last, the one that says best what is still missing, if that was not looked for yet."""
        unchecked, self._checked = self.read[self._checked :], len(self.read)
        missing = [one for one in unchecked if self.notes.is_open(one.answer) and one.answer.follow_up not in self._follow_ups]
        if len(self._follow_ups) >= FOLLOW_UPS:
            return None
        return max(missing, key=lambda one: one.answer.coverage, default=None)

    def _look_for_what_is_missing(self, read: ReadLeaf) -> Iterator[Step]:
        """Searches for it, and reads the best leaf that was chosen before with the best that are found."""
        query = read.answer.follow_up
        self._follow_ups.append(query)
        said = "says nothing to it" if read.answer.verdict == "none" else "answers a part of it"
        reason = f"“{read.node.title}” {said}; this is what is missing."
        yield Step("follow_up", "", "", query, reason=reason, node_kind="root")
        likely = self._frontier and self._frontier.waiting()[0].score >= LIKELY
        leaves, branch = self._next(1, self._room) if likely else ([], None)
        if branch is not None:
            self._frontier.push(branch)
        found = self.view.with_scent(self.search(self.notes.search_text(query)))
        outline = self._outline(self._top, found, is_search=True)
        nearest = self._nearest(outline, AT_ONCE - len(leaves), self._room - _size(leaves, self.view), leaves)
        self._frontier.begin_round()
        if leaves or outline.options:
            yield from self._turn(leaves, nearest, outline, query)

    def _open(self) -> Iterator[Step]:
        """Reads what was chosen, and looks into a branch that was: with the leaves in it that are nearest by scent."""
        leaves, branch = self._next(CHOSEN_AT_ONCE, self._room)
        if branch is None and not leaves:
            return
        outline, nearest = None, list[Candidate]()
        if branch is not None:
            self._chosen_branches[branch.node.place] = branch.reason
            self.progress.branches.add(branch.node.place)
            outline = self._outline(branch.node, self.view)
            nearest = self._nearest(outline, AT_ONCE - len(leaves), self._room - _size(leaves, self.view), leaves)
        if (back := self._back([*leaves, *filter(None, [branch])])) is not None:
            yield back
        self._at = branch.node.place if branch is not None else self._at
        if leaves or (outline is not None and outline.options):
            yield from self._turn(leaves, nearest, outline)

    def _next(self, number: int, room: int) -> tuple[list[Candidate], Candidate | None]:
        """The most promising leaves that were chosen and are within the budget, as many as have room, and a branch among them."""
        leaves, branch, later = list[Candidate](), None, list[Candidate]()
        known, opened = {*self._chosen_branches, *self.progress.places_read}, set(self.progress.branches)
        texts = set[str]()
        number = min(number, self.progress.leaves_left)
        while self._frontier and len(leaves) < number:
            candidate = self._frontier.pop()
            is_leaf = candidate.node.kind == "leaf"
            inside = self.view.branch_of(candidate.node) if is_leaf else candidate.node.place
            text = self.view.text_of(candidate.node) if is_leaf else ""
            if candidate.node.place in known or (is_leaf and (text in texts or self.progress.has_read(text))):
                continue
            if inside not in opened and len(opened) >= self.progress.budget.branches:
                self._passed_over[candidate.node.place] = candidate
                continue
            size = _shown_size(candidate.node, self.view) if is_leaf else 0
            if (is_leaf and leaves and size > room) or (not is_leaf and branch is not None):
                later.append(candidate)
                continue
            known.add(candidate.node.place)
            opened.add(inside)
            if is_leaf:
                leaves.append(candidate)
                texts.add(text)
                room -= size
            else:
                branch = candidate
        for candidate in later:
            self._frontier.push(candidate)
        return leaves, branch

    def _nearest(self, outline: _Outline, number: int, room: int, beside: Sequence[Candidate] = ()) -> list[Candidate]:
        """The leaves of an outline that are nearest by scent, as many as have room beside those that are read anyway."""
        found: list[Candidate] = []
        number = min(number, self.progress.budget.ahead, self.progress.leaves_left - len(beside))
        least = NEAR * max((option.scent for option in outline.options), default=0.0)
        opened = {*self.progress.branches, *(self.view.branch_of(one.node) for one in beside)}
        taken = {one.node.place for one in beside}
        for option in sorted(outline.options, key=lambda option: -option.scent):
            node = outline.nodes[option.place]
            if len(found) >= number or option.scent <= 0 or option.scent < least:
                break
            if node.kind != "leaf" or node.place in taken:
                continue
            branch, size = self.view.branch_of(node), _shown_size(node, self.view)
            if (size > room and (found or beside)) or (branch not in opened and len(opened) >= self.progress.budget.branches):
                continue
            opened.add(branch)
            room -= size
            found.append(Candidate(node, option.scent, NEAREST))
        return found

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
        above = {one.place: one.title for one in self.view.store.nodes.path(node.place, self.view.version)}
        walked = tuple(f"{above[place]}: {why}" for place, why in self._chosen_branches.items() if place in above)
        return Here(node.place, node.title, self.view.record(node), walked)

    # ---- deciding

    def _turn(
        self, leaves: Sequence[Candidate], nearest: Sequence[Candidate], outline: _Outline | None, searched: str = ""
    ) -> Iterator[Step]:
        """One call: leaves to read, of which the last were chosen by nobody, and what there is to choose from besides."""
        self._turns += 1
        readings = [*map(self._prepared, leaves), *(self._prepared(one, is_ahead=True) for one in nearest)]
        taken = {one.opened.node.place for one in readings}
        rest = [option for option in outline.options if option.place not in taken] if outline is not None else []
        question = outline.question if outline is not None else self.question
        texts = [one.opened.text for one in readings]
        looked = self.reader.look(question, texts, rest, self.notes.notes(self.read, searched))
        chosen = looked.chosen
        if chosen.unclear and not self.read and outline is not None:
            self.notes.ask_back(chosen.unclear, chosen.readings)
            yield replace(self.view.step("choose", outline.here, reason=chosen.unclear), standing=self.notes.standing)
            return
        self.notes.take_apart(chosen.parts)
        self.notes.merge(looked.answers)
        if nearest and outline is not None:
            yield self._choice(outline.here, outline.options, {one.node.place: NEAREST for one in nearest}, NEAREST)
        for at, (reading, made) in enumerate(zip(readings, looked.answers, strict=True), 1):
            yield from self._read(reading, made, self.notes.standing if at == len(readings) else made.standing)
        if outline is not None and (rest or not readings) and not self._is_over:
            yield from self._take(outline._replace(options=rest), chosen.ways, has_read=bool(readings))

    def _take(self, outline: _Outline, choices: Sequence[Choice], has_read: bool) -> Iterator[Step]:
        """The step of a choice; what was chosen joins the frontier. None chosen beside what was read is no step."""
        if outline.here is not None and any(choice.place == outline.here.place for choice in choices[:1]):
            self._branch_answer = describe_branch(self.view.store, outline.here, self.view.version, choices[0].reason_in_full)
        shown = {option.place for option in outline.options}  # nothing that was not shown
        why = {choice.place: choice.reason_in_full for choice in choices if choice.place in shown}
        for choice in choices:
            if choice.place in why:
                self._frontier.push(Candidate(outline.nodes[choice.place], choice.score, choice.reason_in_full))
        if choices or not has_read:
            step = self._choice(outline.here, outline.options, why, NOTHING_SPEAKS)
            yield replace(step, reason=choices[0].reason, quote=choices[0].quote) if choices else step
        if self._branch_answer is not None and self._branch_answer.step is not None:
            yield self._branch_answer.step

    def _choice(self, here: Node | None, options: Sequence[Option], why: Mapping[str, str], reason: str) -> Step:
        shown = tuple(shown_option(option, why.get(option.place, "")) for option in options)
        return self.view.step("choose", here, shown, tuple(why), reason)

    def _prepared(self, candidate: Candidate, is_ahead: bool = False) -> _Reading:
        """A leaf with the units of others that it leads to."""
        opened = self._reading(candidate).opened
        linked = linked_units(self.view, candidate.node, opened.text, LINKED_UNITS)
        return _Reading(candidate, replace(opened, text=replace(opened.text, linked=linked)), is_ahead)

    def _reading(self, candidate: Candidate) -> _Reading:
        return _Reading(candidate, self.view.open_leaf(candidate.node, units_of_record=True))

    def _read(self, reading: _Reading, answer: LeafAnswer, standing: Standing = "open") -> Iterator[Step]:
        candidate, node = reading.candidate, reading.opened.node
        self._at = self.view.branch_of(node)
        if reading.is_ahead and answer.verdict == "none":
            self.progress.uncounted += 1
        else:
            self.progress.branches.add(self.view.branch_of(node))
        if candidate.link:
            yield self.view.step("link", node, reason=candidate.link)
        judged = None if answer.is_fallback or answer.is_stated else standing
        yield self.progress.add(reading.opened, answer, candidate.score, bool(candidate.link), judged, self.notes.parts)
        if answer.verdict == "partial":  # what it leads to may have the rest
            for read, to in self.progress.unread_links(self.read[-1:]):
                reason = f"“{read.node.title}” leads here: {to.reason}."
                self._frontier.push(Candidate(to.node, LINK_SCORE, reason, reason))

    def _back(self, candidates: Sequence[Candidate]) -> Step | None:
        """The step that says that the walk leaves the branch in which it was last."""
        if not self.read or candidates[0].link:
            return None
        last, node = self.read[-1], candidates[0].node
        if self._at in (node.place, self.view.branch_of(node)):
            return None
        said = {"none": "adds nothing", "partial": "answers a part of it", "complete": "has the words of it"}
        names = " and ".join(f"“{candidate.node.title}”" for candidate in candidates)
        reason = f"“{last.node.title}” {said[last.answer.verdict]}; next {'are' if len(candidates) > 1 else 'is'} {names}."
        return self.view.step("back", node, reason=reason)


def _chosen_before(candidate: Candidate | None) -> str:
    return "" if candidate is None else f"chosen before with likelihood {10 * candidate.score:.0f}, not read"


def _size(leaves: Sequence[Candidate], view: SnapshotView) -> int:
    """Characters of their texts, as they are shown."""
    return sum(_shown_size(one.node, view) for one in leaves)


def _shown_size(leaf: Node, view: SnapshotView) -> int:
    """About so many characters of a leaf are shown beside others."""
    return len(excerpt(view.text_of(leaf), view.question.weights))
