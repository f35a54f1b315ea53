"""What a walk sees of a snapshot: nodes, records, lines of evidence and links, each looked up once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum

from prompts.extractive.passages import beginning
from prompts.records import LeafAnswer, LeafText, LogicUnit, Option, Question, SummaryRecord, Verdict
from prompts.sentences import sentences, terms_by_sentence
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import ShownOption, Step, StepKind
from tree.retrieve.index import Index, SearchScope
from tree.retrieve.scent import Scent
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.store import Store

OPTIONS_WITH_EVIDENCE = 3  # the line of best evidence is looked up for the most promising options
OUTLINE = 20  # options of several levels shown at once
LONGEST_EVIDENCE = 280  # characters of a line of evidence of an option
LEAST_MORE = 0.15  # of the weight of a question that another line of evidence has to add
LONGEST_MORE = 160  # characters of each further line
LONGEST_BELOW = 200  # characters of the titles below an option
FEW_WORDS = 4  # of a line of evidence, below which the next sentence is shown with it


@dataclass(frozen=True, slots=True)
class OpenedLeaf:
    """A leaf that is about to be read, as a reader gets it."""

    node: Node
    leaf: Leaf
    text: LeafText


@dataclass(frozen=True, slots=True)
class ReadLeaf:
    """A leaf that was read, and what it says to the question."""

    node: Node
    leaf: Leaf
    text: LeafText
    answer: LeafAnswer
    score: float  # how promising it was before it was read, from 0 to 1
    path: tuple[str, ...]  # titles from the source down to it
    linked: bool = False  # something read before led here

    @property
    def quoted_units(self) -> list[LogicUnit]:
        quotes = self.answer.quotes
        return [unit for unit in self.text.units if any(quote.start < unit.end and unit.start < quote.end for quote in quotes)]


@dataclass(slots=True)
class SnapshotView:
    """The nodes of one version under the scent of one question. Reads ahead, and remembers what it has read."""

    store: Store
    index: Index
    scent: Scent
    scope: SearchScope
    version: int
    titles: Mapping[str, str]  # source names by id
    evidence_lines: int = 1  # at most, for an option
    _families: dict[str, list[Node]] = field(default_factory=dict)
    _records: dict[str, SummaryRecord] = field(default_factory=dict)
    _paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _leaves: dict[str, Leaf] = field(default_factory=dict)
    _lines: dict[str, str] = field(default_factory=dict)
    _leading_on: dict[str, list[Node]] = field(default_factory=dict)
    _outlines: dict[str, list[Node]] = field(default_factory=dict)

    @classmethod
    def of(cls, snapshot: Snapshot, text: str) -> SnapshotView:
        """The view of a snapshot under the scent of these words."""
        return cls(snapshot.store, snapshot.index, snapshot.scent_of(text), snapshot.scope, snapshot.version, {})

    @classmethod
    def unscored(cls, snapshot: Snapshot) -> SnapshotView:
        """The view of a snapshot in which nothing was looked for: for leaves whose places are known."""
        nothing = Scent(Question(""), {}, {})
        return cls(snapshot.store, snapshot.index, nothing, snapshot.scope, snapshot.version, {})

    @property
    def question(self) -> Question:
        return self.scent.question

    def with_scent(self, scent: Scent) -> SnapshotView:
        """The same view under the scent of another question."""
        return replace(self, scent=scent, _lines={}, _leading_on={}, _outlines={})

    # ---- nodes

    def children(self, node: Node) -> list[Node]:
        if node.place not in self._families:
            self.look_up([node.place])
        return self._families[node.place]

    def look_ahead(self, tops: Sequence[Node], leaves: int) -> None:
        """Reads in one go what is on the way to so many of the best leaves: a walk will most likely come by there."""
        places = {top.place for top in tops}
        opened = {node.place: node for leaf in self.best_leaves()[:leaves] for node in self._opened_above(leaf, places)}
        self.look_up([place for place in opened if not self._outlined(place)])
        shown = [tops, *(self.outline(node) for node in opened.values())]
        self._records |= self.store.records.by_hash({node.record for family in shown for node in family})
        evident = (self.scent.best_leaf(node.place) for family in shown for node in self._promising(family))
        self._leaves |= self.store.leaves.by_key({leaf.leaf for leaf in evident if leaf and leaf.leaf})

    def _opened_above(self, leaf: str, tops: Container[str]) -> Iterator[Node]:
        """The branches that are chosen from on the way down to a leaf."""
        way = self.scent.path(leaf)
        at = next((at for at, node in enumerate(way) if node.place in tops), 0)
        while at < len(way) - 1:
            yield way[at]
            shown = {node.place for node in self._outlined(way[at].place)}
            at = next((below for below in range(at + 1, len(way)) if way[below].place in shown), at + 1)

    def look_up(self, places: Iterable[str]) -> None:
        self._families |= self.store.nodes.families(places, self.version)

    def outline(self, node: Node) -> list[Node]:
        """What there is to choose from below a branch: its children, or, where few of them lead on, what these lead to."""
        return self._outlined(node.place) or self.children(node)

    def _outlined(self, place: str) -> list[Node]:
        """What promises something below a branch, as many levels down as fit into one list; empty where not even two do."""
        if place not in self._outlines:
            shown, levels = self._promising_below(place), 1
            while (below := [one for node in shown for one in self._promising_below(node.place) or [node]]) != shown:
                if len(below) > OUTLINE:
                    break
                shown, levels = below, levels + 1
            self._outlines[place] = shown if levels > 1 else []
        return self._outlines[place]

    def _promising_below(self, place: str) -> list[Node]:
        if not self._leading_on:
            self._leading_on |= self.scent.families()
        return sorted(self._leading_on.get(place, ()), key=lambda node: node.position)

    def best_leaves(self) -> list[str]:
        return sorted(self.scent.leaves, key=lambda place: -self.scent.leaves[place])

    def best_nodes(self, most: int) -> list[Node]:
        """At most so many of the leaves that score best, the best first."""
        places = self.best_leaves()[:most]
        nodes = self.store.nodes.at(places, self.version)
        return [nodes[place] for place in places if place in nodes and nodes[place].kind == "leaf"]

    def open_leaves(self, nodes: Sequence[Node]) -> list[OpenedLeaf]:
        """These leaves, their texts read in one go."""
        self._leaves |= self.store.leaves.by_key({node.leaf for node in nodes if node.leaf} - self._leaves.keys())
        return [self.open_leaf(node) for node in nodes]

    def entry_leaf(self, node: Node) -> Node | None:
        """The leaf to read of a document that was named: the one that scores best, else the first."""
        leaf = self.scent.best_leaf(node.place)
        while leaf is None and node.kind != "leaf":
            children = self.children(node)
            if not children:
                return None
            node = children[0]
        return leaf or node

    def branch_of(self, node: Node) -> str | None:
        return self.scent.parent(node.place) if node.place in self.scent.nodes else node.parent

    def path(self, node: Node) -> tuple[str, ...]:
        """Titles from the source down to a node, for people; runs left out."""
        if node.place not in self._paths:
            nodes = self.scent.path(node.place) or self.store.nodes.path(node.place, self.version)
            self._paths[node.place] = tuple(
                self.titles.get(n.source_id, n.title) if n.kind == "root" else n.title for n in nodes if n.kind != "run"
            )
        return self._paths[node.place]

    def record(self, node: Node) -> SummaryRecord:
        return self.store.records.get(node.record) or SummaryRecord()

    def open_leaf(self, node: Node, units_of_record: bool = False) -> OpenedLeaf:
        """The text of a leaf, with the units that its layout suggests, or those that a model made with its record."""
        if units_of_record:
            leaf = self.store.leaves.require(node.leaf or "")  # anew: a model takes seconds, and it may be deleted meanwhile
            text = leaf.as_read(node.kind, self.store.records.units(node.record))
        else:
            leaf = self._leaf(node.leaf or "")
            text = leaf.as_read(node.kind)
        inside = dict.fromkeys((*self.path(node)[:-1], *folders_of(node)))
        return OpenedLeaf(node, leaf, replace(text, name=file_name(node), inside=tuple(inside)))

    def text_of(self, node: Node) -> str:
        """The text of a leaf."""
        return self._leaf(node.leaf or "").text

    def _leaf(self, key: str) -> Leaf:
        if key not in self._leaves:
            self._leaves[key] = self.store.leaves.require(key)
        return self._leaves[key]

    # ---- options

    def options(self, nodes: Sequence[Node], here: Node | None = None, evident: int = OPTIONS_WITH_EVIDENCE) -> list[Option]:
        """Each with the titles between `here` and it; so many of the most promising with their line of evidence."""
        if unknown := {node.record for node in nodes} - self._records.keys():
            self._records |= self.store.records.by_hash(unknown)
        lines = {node.place: self._evidence(node) for node in self._promising(nodes, evident)}
        depth = len(self.path(here)) if here is not None else 0
        return [
            Option(
                node.place,
                node.title,
                node.kind,
                self._records.get(node.record, SummaryRecord()),
                self.scent.of(node.place),
                lines.get(node.place, ""),
                self.path(node)[depth:-1] if node.place in self.scent.nodes else (),
            )
            for node in nodes
        ]

    def _promising(self, nodes: Iterable[Node], number: int = OPTIONS_WITH_EVIDENCE) -> list[Node]:
        promising = [node for node in nodes if self.scent.of(node.place) > 0]
        return sorted(promising, key=lambda node: -self.scent.of(node.place))[:number]

    def _evidence(self, node: Node) -> str:
        """The lines that speak most to the question in the best leaf below a node."""
        leaf = self.scent.best_leaf(node.place)
        if leaf is None or leaf.leaf is None:
            return ""
        if leaf.leaf not in self._lines:
            self._lines[leaf.leaf] = "\n".join(_best_lines(self._leaf(leaf.leaf).text, self.question, self.evidence_lines))
        return self._lines[leaf.leaf]

    # ---- branches and steps

    def titles_below(self, node: Node) -> tuple[str, ...]:
        """The titles of a branch's children, as many as fit, and how many more there are."""
        children = self.children_without_runs(node, OUTLINE)
        size, shown = 0, list[str]()
        for child in children:
            size += len(child.title) + 2
            if size > LONGEST_BELOW and shown:
                return (*shown, f"and {len(children) - len(shown)} more")
            shown.append(child.title)
        return tuple(shown)

    def children_without_runs(self, node: Node, most: int) -> list[Node]:
        """The children of a branch, as `without_runs` shows them."""
        return without_runs(self.children(node), self.children, most)

    def step(
        self,
        kind: StepKind,
        node: Node | None,
        options: tuple[ShownOption, ...] = (),
        chosen: tuple[str, ...] = (),
        reason: str = "",
        verdict: Verdict | None = None,
    ) -> Step:
        if node is None:
            return Step(kind, "", "", "All sources", (), options, chosen, reason, verdict, "root")
        return Step(kind, node.place, node.hash, node.title, self.path(node), options, chosen, reason, verdict, node.kind)


def without_runs(children: list[Node], children_of: Callable[[Node], list[Node]], most: int) -> list[Node]:
    """Children with runs opened while at most so many are shown: a run is only there to keep branches small."""
    while any(child.kind == "run" for child in children):
        opened = [below for child in children for below in (children_of(child) if child.kind == "run" else [child])]
        if len(opened) > most:
            break
        children = opened
    return children


def file_name(node: Node) -> str:
    """The name of the file that a node is of, without its extension; empty where its document is no file."""
    name = (node.document_id or "").rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return stem if dot else ""


def folders_of(node: Node) -> list[str]:
    """The folders that its file lies in, also those that hold nothing else and so are no nodes; none where its document is no file."""
    return (node.document_id or "").split("/")[:-1] if file_name(node) else []


def text_in_place(node: Node, leaf: Leaf) -> LeafText:
    """The text of a leaf with the name of its file and the folders that it lies in."""
    return replace(leaf.as_read(node.kind), name=file_name(node), inside=tuple(folders_of(node)))


def document_of(node: Node) -> tuple[str, str | None]:
    """What tells documents apart, whatever leaf of one a node is."""
    return node.source_id, node.document_id


def _best_lines(text: str, question: Question, number: int) -> list[str]:
    """At most so many sentences, each chosen by what it adds to those before it: the rarest words of the question first."""
    asked = question.weights.keys()
    spans = [(start, end, asked & said) for (start, end), said in zip(sentences(text), terms_by_sentence(text), strict=True)]
    left = {word: weight * weight for word, weight in question.weights.items()}
    least, found = 0.0, list[str]()
    while spans and len(found) < number:
        worths = [fsum(map(left.__getitem__, said)) for _, _, said in spans]  # in whatever order
        best = max(range(len(spans)), key=worths.__getitem__)
        if worths[best] <= least:
            break
        start, end, said = spans[best]
        if number > 1 and len(text[start:end].split()) < FEW_WORDS and best + 1 < len(spans):
            end = spans[best + 1][1]  # the name that a definition begins with, a title: nobody can choose by it alone
        found.append(beginning(" ".join(text[start:end].split()), LONGEST_MORE if found else LONGEST_EVIDENCE))
        least = LEAST_MORE * fsum(left.values()) if len(found) == 1 else least
        left |= dict.fromkeys(said, 0.0)
    return found
