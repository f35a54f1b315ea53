"""Where a leaf that was read leads: files and keys it links to, the heading a procedure goes on at, names of documents.

What a text names is looked up among the titles of all documents and folders, so that the second of two steps is
found whose own words the question does not have: "the director of the film" is named by the page of the film. A name that
stands near words of the question that the title of its page lacks ("directed by …") is followed first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import fsum

from prompts.extractive.pages import is_alert, is_how_to, names_page, says_what_it_means, says_what_to_do
from prompts.extractive.passages import beginning
from prompts.language import terms
from prompts.phrases import entities
from prompts.question import PUTTING, analyse, weigh
from prompts.records import LeafText, Linked, LogicUnit, Question
from prompts.regex import regex
from prompts.sentences import sentences
from tree.ask.snapshot.link_targets import targets_of
from tree.ask.snapshot.said_names import said_names
from tree.ask.snapshot.snapshot_view import ReadLeaf, SnapshotView, document_of
from tree.retrieve.index_entries import as_name
from tree.store.leaves import Leaf
from tree.store.nodes import Node

LINKS_FOLLOWED = 40  # names in a passage that are looked up, of those that are linked or quoted
RARE = 0.5  # of the weight of a word that stands in one leaf alone: what a name's rarest word has, or it names nothing
LONGEST_LINKED = 600  # characters of a linked unit
_WORD = regex(r"\w[\w'’.-]*\w|\w")
STEM = 5  # letters by which "director" and "directed" are the same word
NEAR = 80  # characters on either side of a name in which a word of the question speaks of it
GOES_ON, SAYS_WHAT_TO_DO = -2.0, -1.5  # ranks before any name


@dataclass(frozen=True, slots=True)
class LeadingTo:
    """A leaf that another leads to, and why; of those with the lowest rank the first is followed first."""

    node: Node
    reason: str
    rank: tuple[float, int]
    name: str = ""  # as the text writes it, where a name leads there
    sentence: str = ""  # in which it stands


def leaves_linked_from(view: SnapshotView, read: ReadLeaf) -> Iterator[LeadingTo]:
    """The leaves that a leaf leads to, the best first, none of its own document but where a procedure goes on.

    They are looked up when the first is asked for. A name with nothing beside it that is asked, whose page says nothing of it
    either, leads on only from the page of what the question names.
    """
    found = [
        *_continued(view, read), *_instructions(view, read), *_beginning(view, read), *_linked(view, read), *_named(view, read)
    ]  # fmt: skip
    is_asked_of = _is_asked_of(view, read)
    yield from (one for one in sorted(found, key=lambda one: one.rank) if is_asked_of or one.rank[0] < 0)


def may_lead_on(view: SnapshotView, read: ReadLeaf) -> bool:
    """Whether a leaf says something to the question, or is the page of what the question names."""
    return read.answer.verdict != "none" or _is_asked_of(view, read)


def _is_asked_of(view: SnapshotView, read: ReadLeaf) -> bool:
    """Whether the question says the whole title of a leaf's document."""
    title = set(terms(read.text.heading[0])) if read.text.heading else set()
    return bool(title) and title <= view.question.weights.keys()


# ---------------------------------------------------------------- names of documents


def _named(view: SnapshotView, read: ReadLeaf) -> Iterator[LeadingTo]:
    """The documents that a leaf names, and the headings and terms that only one leaf has, each with how near to words of the
    question that is."""
    names = _names_in(read)
    order = {name: number for number, name in enumerate(names)}
    known = view.index.named(names, view.scope)
    inside = view.index.told_under((name for name in names.keys() - dict(known) if " " in name), view.scope)
    found = [(name, place) for name, place in (*known, *inside) if place != read.node.place]
    telling = _telling(view, {name: names[name] for name, _ in found})
    places = {place: name for name, place in found if name in telling}
    asked = _left_to_ask(view, read)
    for place, node in view.store.nodes.at(places, view.version).items():
        leaf = view.entry_leaf(node)
        if leaf is not None and document_of(leaf) != document_of(read.node):
            name = places[place]
            written, start, end = names[name]
            low, high = _sentence_around(read.text.text, start, end)
            near = _nearness(read.text.text, low, high, start, end, asked)
            rank = -view.scent.of(leaf.place) - near, order[name]
            yield LeadingTo(leaf, f"it names “{written}”", rank, written, read.text.text[low:high])


def _linked(view: SnapshotView, read: ReadLeaf) -> Iterator[LeadingTo]:
    """Where labels, headings of other files and web addresses lead that the quoted units link to."""
    links = [link for unit in read.quoted_units for link in unit.links][:LINKS_FOLLOWED]
    asked = _left_to_ask(view, read) if links else {}
    for number, (node, written) in enumerate(targets_of(view, links)):
        if node.place != read.node.place:
            start = max(read.text.text.find(written), 0)
            low, high = _sentence_around(read.text.text, start, start + len(written))
            near = _nearness(read.text.text, low, high, start, start + len(written), asked)
            yield LeadingTo(node, f"it links to “{written}”", (-view.scent.of(node.place) - near, number))


def _names_in(read: ReadLeaf) -> dict[str, tuple[str, int, int]]:
    """What a leaf names, as names are compared, to how and where it is written: what its quotes name first, and only that
    where they answer the question."""
    text, names = read.text.text, dict[str, tuple[str, int, int]]()
    quoted = dict(_link_names(read.quoted_units))
    for entity in entities("\n".join(quote.text for quote in read.answer.quotes)):
        if entity.kind in ("name", "key"):
            quoted.setdefault(as_name(entity.text), entity.text)
    for name, written in list(quoted.items())[:LINKS_FOLLOWED]:
        at = max(text.find(written), 0)
        names[name] = written, at, at + len(written)
    for said in said_names(text) if read.answer.verdict != "complete" else ():
        names.setdefault(as_name(said.written), said)
    return names


def _telling(view: SnapshotView, names: Mapping[str, tuple[str, int, int]]) -> dict[str, tuple[str, int, int]]:
    """Without names made of everyday words or of the question's own, by which the scent went already."""
    asked = set(view.question.weights)
    words = {name: terms(said[0]) for name, said in names.items()}
    weights = view.index.weights((word for some in words.values() for word in some), view.scope)
    least = RARE * view.index.weight(1, view.scope)
    return {
        name: names[name]
        for name, some in words.items()
        if any(weights[word] >= least for word in some) and not asked.issuperset(some)
    }


def _left_to_ask(view: SnapshotView, read: ReadLeaf) -> dict[str, float]:
    """The share of each word of the question that the title of a leaf does not have, by how the word begins."""
    title = set(terms(" ".join(read.text.heading)))
    left = {word[:STEM]: weight for word, weight in view.question.weights.items() if word not in title and word not in PUTTING}
    total = fsum(left.values()) or 1.0
    return {stem: weight / total for stem, weight in left.items()}


def _sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of what stands around a name, within its sentence."""
    low = max(0, start - NEAR)
    around = text[low : end + NEAR]
    spans = ((low + first, low + last) for first, last in sentences(around))
    return next(((first, max(last, end)) for first, last in spans if first <= start < last), (start, end))


def _nearness(text: str, low: int, high: int, start: int, end: int, asked: Mapping[str, float]) -> float:
    """The share of what is asked that stands in a span around a name, each word the less the farther it is from the name."""
    near: dict[str, float] = {}
    for match in _WORD.finditer(text, low, high):
        for term in terms(match.group()):
            if share := asked.get(term[:STEM]):
                before = match.end() <= start
                between = text[match.end() : start] if before else text[end : match.start()]
                distance = min(len(between) + NEAR * any(mark in between for mark in ",;:()"), 2 * NEAR)
                near[term[:STEM]] = max(near.get(term[:STEM], 0.0), share * (1 - distance / (2 * NEAR)))
    return fsum(near.values())


def rest_of(view: SnapshotView, read: ReadLeaf, to: LeadingTo) -> Question | None:
    """What is left to ask of the leaf that a name leads to: the question with that name in place of what led there.

    "Where was the keyboardist of Veslefrekk born?" is "Where was born? Ståle Storløkken" there. None where nothing is left.
    """
    said = {word[:STEM] for word in (*terms(" ".join(read.text.heading)), *terms(to.sentence))}
    words = _WORD.findall(view.question.text)
    left = [word for word in words if not (own := terms(word)) or not said.issuperset(one[:STEM] for one in own)]
    if not to.name or len(left) == len(words) or not set(terms(" ".join(left))) - PUTTING:
        return None
    text = f"{' '.join(left)}? {to.name}"
    return replace(view.question, text=text, weights=view.index.weights(terms(text), view.scope))


# ---------------------------------------------------------------- files, keys, headings


def linked_units(view: SnapshotView, node: Node, text: LeafText, number: int) -> tuple[Linked, ...]:
    """So many units of other documents that the units of a leaf link to, the best by scent first.

    A file that is merely mentioned ("add it to app-config.yaml") is no link: many documents have one of that name.
    """
    names = list(_link_names(text.units, text.text))[:LINKS_FOLLOWED]
    places = [place for _, place in view.index.named(names, view.scope)]
    others = [one for one in view.store.nodes.at(places, view.version).values() if document_of(one) != document_of(node)]
    best = sorted(others, key=lambda one: -view.scent.of(one.place))[:number]
    nearest = [leaf for one in best if (leaf := view.entry_leaf(one)) is not None]
    stored = view.store.leaves.by_key(leaf.leaf for leaf in nearest if leaf.leaf)
    return tuple(_unit_of(view, leaf, stored[leaf.leaf]) for leaf in nearest if leaf.leaf in stored)


def _unit_of(view: SnapshotView, node: Node, leaf: Leaf) -> Linked:
    """The unit of a leaf that says most of the question, else its first."""
    asked = set(view.question.weights)
    spans = [(unit.header, leaf.text[unit.start : unit.end]) for unit in leaf.units] or [(leaf.title, leaf.text)]
    header, body = max(spans, key=lambda span: len(asked & set(terms(f"{span[0]} {span[1]}"))))
    return Linked(" › ".join(view.path(node)), header, beginning(body, LONGEST_LINKED))


def _continued(view: SnapshotView, read: ReadLeaf) -> list[LeadingTo]:
    """Where a procedure that was quoted goes on: the next leaf of the same document."""
    headings = {as_name(link.to) for unit in read.quoted_units for link in unit.links if link.kind == "heading"}
    if not headings or read.node.document_id is None:
        return []
    inside = view.store.nodes.of_document(read.node.source_id, read.node.document_id, view.version)
    return [
        LeadingTo(node, f"it goes on under “{node.title}”", (GOES_ON, number))
        for number, node in enumerate(inside)
        if node.kind == "leaf" and node.place != read.node.place and as_name(node.title) in headings
    ]


def _instructions(view: SnapshotView, read: ReadLeaf) -> list[LeadingTo]:
    """Where the document that a question names says what to do, if the leaf that was read does not."""
    asked = is_how_to(view.question.text) and (read.answer.verdict != "complete" or is_alert(read.text))
    if not asked or read.node.document_id is None or not names_page(weigh(view.question), read.text):
        return []
    inside = view.store.nodes.of_document(read.node.source_id, read.node.document_id, view.version)
    below = [node for node in inside if node.kind == "leaf" and node.place != read.node.place]
    return [
        LeadingTo(node, f"“{node.title}” of the same document says what to do", (SAYS_WHAT_TO_DO, number))
        for number, node in enumerate(below)
        if any(says_what_to_do(title) or says_what_it_means(title) for title in view.path(node)[1:])
    ]


def _beginning(view: SnapshotView, read: ReadLeaf) -> list[LeadingTo]:
    """Where the document begins that is called like what a question asks the meaning of."""
    asked = analyse(view.question.text)
    is_asked = asked.kind == "definition" and read.answer.verdict != "complete" and read.node.document_id is not None
    if not is_asked or not names_page(weigh(view.question), read.text):
        return []
    document = next(iter(view.store.nodes.of_document(read.node.source_id, read.node.document_id or "", view.version)), None)
    first = view.store.nodes.first_leaves(document, view.version, 1) if document is not None else []
    reason = f"“{read.text.heading[0]}” begins there"
    return [LeadingTo(node, reason, (SAYS_WHAT_TO_DO, 0)) for node in first if node.place != read.node.place]


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
