"""What a walk sees of a snapshot: nodes, records, lines of evidence and links, each looked up once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum

from prompts.extractive.procedures import names_document, says_what_to_do
from prompts.language import entities, sentences, terms
from prompts.question import analyse, weigh
from prompts.records import LeafAnswer, LeafText, Linked, LogicUnit, Option, Question, SummaryRecord, Verdict
from tree.ask.snapshot.trail import ShownOption, Step, StepKind
from tree.retrieve.index import Index, SearchScope, as_name
from tree.retrieve.scent import Scent
from tree.store.leaves import Leaf
from tree.store.rows import Node, Store

OPTIONS_WITH_EVIDENCE = 3  # the line of best evidence is looked up for the most promising options
OUTLINE = 20  # options of several levels shown at once
LONGEST_EVIDENCE = 280  # characters of a line of evidence of an option
LEAST_MORE = 0.15  # of the weight of a question that another line of evidence has to add
LONGEST_MORE = 160  # characters of each further line
LONGEST_BELOW = 200  # characters of the titles below an option
LINKS_FOLLOWED = 40  # names in a passage that are looked up
RARE = 0.5  # of the weight of a word that stands in one leaf alone: what a name's rarest word has, or it names nothing
LONGEST_LINKED = 600  # characters of a linked unit


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
        self._records |= self.store.records({node.record for family in shown for node in family})
        evident = (self.scent.best_leaf(node.place) for family in shown for node in self._promising(family))
        self._leaves |= self.store.leaves({leaf.leaf for leaf in evident if leaf and leaf.leaf})

    def _opened_above(self, leaf: str, tops: Container[str]) -> Iterator[Node]:
        """The branches that are chosen from on the way down to a leaf."""
        way = self.scent.path(leaf)
        at = next((at for at, node in enumerate(way) if node.place in tops), 0)
        while at < len(way) - 1:
            yield way[at]
            shown = {node.place for node in self._outlined(way[at].place)}
            at = next((below for below in range(at + 1, len(way)) if way[below].place in shown), at + 1)

    def look_up(self, places: Iterable[str]) -> None:
        self._families |= self.store.families(places, self.version)

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
            nodes = self.scent.path(node.place) or self.store.path(node.place, self.version)
            self._paths[node.place] = tuple(
                self.titles.get(n.source_id, n.title) if n.kind == "root" else n.title for n in nodes if n.kind != "run"
            )
        return self._paths[node.place]

    def record(self, node: Node) -> SummaryRecord:
        return self.store.records([node.record]).get(node.record, SummaryRecord())

    def open_leaf(self, node: Node, units_of_record: bool = False) -> OpenedLeaf:
        """The text of a leaf, with the units that its layout suggests, or those that a model made with its record."""
        if not units_of_record:
            leaf = self._leaf(node.leaf or "")
            return OpenedLeaf(node, leaf, leaf.as_read(node.kind))
        leaf = self.store.leaf(node.leaf or "")  # anew: a model takes seconds, and it may be deleted meanwhile
        return OpenedLeaf(node, leaf, leaf.as_read(node.kind, self.store.units_of(node.record)))

    def text_of(self, node: Node) -> str:
        """The text of a leaf."""
        return self._leaf(node.leaf or "").text

    def _leaf(self, key: str) -> Leaf:
        if key not in self._leaves:
            self._leaves[key] = self.store.leaf(key)
        return self._leaves[key]

    # ---- options

    def options(self, nodes: Sequence[Node], here: Node | None = None, evident: int = OPTIONS_WITH_EVIDENCE) -> list[Option]:
        """Each with the titles between `here` and it; so many of the most promising with their line of evidence."""
        if unknown := {node.record for node in nodes} - self._records.keys():
            self._records |= self.store.records(unknown)
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

    # ---- links

    def leaves_linked_from(self, read: ReadLeaf) -> list[tuple[Node, str]]:
        """The leaves that what was quoted leads to, each with why: names of documents, the heading a procedure goes on at."""
        names = self._telling(_names_in(read))
        mentions = {name: number for number, name in enumerate(names)}
        named = {place: name for name, place in self.index.named(names, self.scope) if place != read.node.place}
        best = [*self._continued(read), *self._instructions(read), *self._beginning(read)]
        for place, node in self.store.nodes(named, self.version).items():
            leaf = self.entry_leaf(node)
            if leaf is not None and document_of(leaf) != document_of(read.node):
                name = named[place]
                best.append((-self.scent.of(leaf.place), mentions[name], leaf, f"it names “{names[name]}”"))
        return [(node, reason) for _, _, node, reason in sorted(best, key=lambda item: item[:2])]

    def linked_units(self, node: Node, text: LeafText, number: int) -> tuple[Linked, ...]:
        """So many units of other documents that the units of a leaf link to, the best by scent first.

        A file that is merely mentioned ("add it to app-config.yaml") is no link: many documents have one of that name.
        """
        names = list(_link_names(text.units, text.text))[:LINKS_FOLLOWED]
        places = [place for _, place in self.index.named(names, self.scope)]
        others = [one for one in self.store.nodes(places, self.version).values() if document_of(one) != document_of(node)]
        best = sorted(others, key=lambda one: -self.scent.of(one.place))[:number]
        nearest = [leaf for one in best if (leaf := self.entry_leaf(one)) is not None]
        stored = self.store.leaves(leaf.leaf for leaf in nearest if leaf.leaf)
        return tuple(self._unit_of(leaf, stored[leaf.leaf]) for leaf in nearest if leaf.leaf in stored)

    def _unit_of(self, node: Node, leaf: Leaf) -> Linked:
        """The unit of a leaf that says most of the question, else its first."""
        asked = set(self.question.weights)
        spans = [(unit.header, leaf.text[unit.start : unit.end]) for unit in leaf.units] or [(leaf.title, leaf.text)]
        header, body = max(spans, key=lambda span: len(asked & set(terms(f"{span[0]} {span[1]}"))))
        return Linked(" › ".join(self.path(node)), header, body[:LONGEST_LINKED])

    def _telling(self, names: dict[str, str]) -> dict[str, str]:
        """Without names made of everyday words or of the question's own, by which the scent went already."""
        asked = set(self.question.weights)
        words = {name: terms(written) for name, written in names.items()}
        weights = self.index.weights((word for some in words.values() for word in some), self.scope)
        least = RARE * self.index.weight(1, self.scope)
        return {
            name: names[name]
            for name, some in words.items()
            if any(weights[word] >= least for word in some) and not asked.issuperset(some)
        }

    def _continued(self, read: ReadLeaf) -> list[tuple[float, int, Node, str]]:
        """Where a procedure that was quoted goes on: the next leaf of the same document."""
        headings = {as_name(link.to) for unit in _quoted_units(read) for link in unit.links if link.kind == "heading"}
        if not headings or read.node.document_id is None:
            return []
        inside = self.store.inside(read.node.source_id, read.node.document_id, self.version)
        return [
            (-2.0, number, node, f"it goes on under “{node.title}”")
            for number, node in enumerate(inside)
            if node.kind == "leaf" and node.place != read.node.place and as_name(node.title) in headings
        ]

    def _instructions(self, read: ReadLeaf) -> list[tuple[float, int, Node, str]]:
        """Where the document that a question names says what to do, if the leaf that was read does not."""
        asked = analyse(self.question.text).kind == "how_to" and read.answer.verdict != "complete"
        if not asked or read.node.document_id is None or not names_document(weigh(self.question), read.text.heading[0]):
            return []
        inside = self.store.inside(read.node.source_id, read.node.document_id, self.version)
        below = [node for node in inside if node.kind == "leaf" and node.place != read.node.place]
        return [
            (-1.5, number, node, f"“{node.title}” of the same document says what to do")
            for number, node in enumerate(below)
            if any(map(says_what_to_do, self.path(node)[1:]))
        ]

    def _beginning(self, read: ReadLeaf) -> list[tuple[float, int, Node, str]]:
        """Where the document begins that is called like what a question asks the meaning of."""
        asked = analyse(self.question.text)
        is_asked = asked.kind == "definition" and read.answer.verdict != "complete" and read.node.document_id is not None
        if not is_asked or not names_document(weigh(self.question), read.text.heading[0]):
            return []
        document = next(iter(self.store.inside(read.node.source_id, read.node.document_id or "", self.version)), None)
        first = self.store.first_leaves(document, self.version, 1) if document is not None else []
        reason = f"“{read.text.heading[0]}” begins there"
        return [(-1.5, 0, node, reason) for node in first if node.place != read.node.place]

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

    # ---- steps

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


def document_of(node: Node) -> tuple[str, str | None]:
    """What tells documents apart, whatever leaf of one a node is."""
    return node.source_id, node.document_id


def _best_lines(text: str, question: Question, number: int) -> list[str]:
    """At most so many sentences, each chosen by what it adds to those before it: the rarest words of the question first."""
    asked = question.weights.keys()
    spans = [(start, end, asked & terms(text[start:end])) for start, end in sentences(text)]
    left = {word: weight * weight for word, weight in question.weights.items()}
    least, found = 0.0, list[str]()
    while spans and len(found) < number:
        worths = [fsum(map(left.__getitem__, said)) for _, _, said in spans]  # in whatever order
        best = max(range(len(spans)), key=worths.__getitem__)
        if worths[best] <= least:
            break
        start, end, said = spans[best]
        found.append(" ".join(text[start:end].split())[: LONGEST_MORE if found else LONGEST_EVIDENCE])
        least = LEAST_MORE * fsum(left.values()) if len(found) == 1 else least
        left |= dict.fromkeys(said, 0.0)
    return found


def _names_in(read: ReadLeaf) -> dict[str, str]:
    """What the quoted part of a leaf names that could be a document, as names are compared, to how it is written."""
    names = _link_names(_quoted_units(read))
    for entity in entities("\n".join(quote.text for quote in read.answer.quotes)):
        if entity.kind in ("name", "key"):
            names.setdefault(as_name(entity.text), entity.text)
    return dict(list(names.items())[:LINKS_FOLLOWED])


def _link_names(units: Iterable[LogicUnit], text: str | None = None) -> dict[str, str]:
    """The files and tickets that units link to, as names are compared, to how they are written; with their text without
    files that it mentions by a bare name."""
    names: dict[str, str] = {}
    for link in (link for unit in units for link in unit.links if link.kind in ("file", "key")):
        is_bare = link.kind == "file" and "/" not in link.to
        if text is not None and is_bare and not any(f"{sign}{link.to}" in text for sign in ("(", "<", ":`")):
            continue
        written = link.to.rpartition("/")[2].partition("#")[0]
        names.setdefault(as_name(written), written)
    return names


def _quoted_units(read: ReadLeaf) -> list[LogicUnit]:
    quotes = read.answer.quotes
    return [unit for unit in read.text.units if any(quote.start < unit.end and unit.start < quote.end for quote in quotes)]
