"""The passages nearest to a question that nothing answers: what may say it in other words, wherever it stands in what was asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prompts.extractive.rendering import Point
from prompts.extractive.windows import apart, nearest_windows, windows, with_best
from prompts.language import terms
from prompts.records import LeafText
from tree.ask.passage_order import nearest_first
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import ReadLeaf, text_in_place
from tree.retrieve.leaf_parts import parts_of
from tree.store.leaves import Leaf
from tree.store.nodes import Node

if TYPE_CHECKING:  # it brings numpy, which most commands can do without
    from tree.retrieve.likeness import NearPart

MOST_PARTS = 20  # of leaves, of about 1,000 characters each, whose sentences are held against the question
MOST_POINTS, MOST_SHOWN = 48, 12  # sentences with those beside them, and of these, none over another, the first

# a leaf with its segments that are near, as `windows` takes them
Found = tuple[Node, Leaf, LeafText, dict[tuple[int, int], float]]


@dataclass(frozen=True, slots=True)
class Closest:
    """The points, the nearest first and none over another, and the leaves by the numbers they have there. `problems` say why they were
    not looked for by meaning, or are not in the order of that, where they should be."""

    points: Sequence[Point] = ()
    leaves: Mapping[int, tuple[Node, Leaf]] = field(default_factory=dict)
    problems: Sequence[str] = ()


def closest_passages(question: str, snapshot: Snapshot, read: Sequence[ReadLeaf]) -> Closest:
    """Of the parts of leaves that are nearest to a question in meaning, and of the leaves that were read."""
    from prompts.word_vectors import word_vectors

    vectors, index, scope = word_vectors(), snapshot.index, snapshot.scope
    within = index.leaves(scope) if scope.places else None
    near = snapshot.workspace.meaning.nearest_parts(question, scope.sources, MOST_PARTS, within)
    found = _with_places(snapshot, near.parts)
    for one in read:  # behind the parts that are near, as the first segment counts that a sentence begins in
        found.setdefault(one.node.place, (one.node, one.leaf, one.text, {}))[3][0, len(one.text.text)] = 0.0
    of_text = {id(text): (node, leaf) for node, leaf, text, _ in found.values()}
    chosen = {one.node.place: one.answer.excerpts for one in read}
    every = [
        window for place, (_, _, text, spans) in found.items() for window in windows(question, text, spans, chosen.get(place, ()))
    ]
    weights = index.weights(terms(question), scope)
    points = nearest_windows(question, every, weights, vectors, MOST_POINTS)
    ordered, problem = nearest_first(question, points, snapshot.workspace.meaning)
    numbered = {point.number: of_text[id(point.leaf)] for point in points}
    shown = [with_best(question, point, vectors) for point in apart(ordered)[:MOST_SHOWN]]
    return Closest(shown, numbered, [*dict.fromkeys(filter(None, (near.problem, problem)))])


def _with_places(snapshot: Snapshot, parts: Sequence[NearPart]) -> dict[str, Found]:
    """The leaves of these parts by place, each with the segments that are near; without those that are not as they were when their
    vectors were made."""
    of_leaf: defaultdict[tuple[str, str], list[NearPart]] = defaultdict(list)
    most, least = (parts[0].cosine, parts[-1].cosine) if parts else (0.0, 0.0)  # what they are differs from model to model
    for part in parts:
        of_leaf[part.source_id, part.leaf].append(part)
    hits = snapshot.index.hits([*of_leaf], snapshot.scope, MOST_PARTS) if of_leaf else []
    nodes = snapshot.store.nodes.with_ancestors([hit.place for hit in hits], snapshot.version)
    leaves = snapshot.store.leaves.by_key({hit.leaf for hit in hits})
    found: dict[str, Found] = {}
    for hit in hits:
        node, leaf = nodes.get(hit.place), leaves.get(hit.leaf)
        if node is None or leaf is None or node.leaf != hit.leaf:
            continue
        text = text_in_place(node, leaf)
        cut = parts_of(text.text, text.heading)
        near = [part for part in of_leaf[hit.source_id, hit.leaf] if part.part < len(cut)]
        spans = {(cut[one.part].start, cut[one.part].end): (one.cosine - least) / ((most - least) or 1.0) for one in near}
        found[hit.place] = node, leaf, text, spans
    return found
