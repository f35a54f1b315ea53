"""What the walk is held against, on the same leaves: flat search, the same scores without a tree, summaries alone."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import count

import bm25s
import numpy as np
import Stemmer

from bench.sets import Planted
from prompts.language import terms
from prompts.records import SummaryRecord
from tree.retrieve.index import SearchScope
from tree.retrieve.likeness import Likeness
from tree.retrieve.scent import MEANING, Scent
from tree.store.nodes import Node


class FlatSearch:
    """BM25 by an independent library (bm25s, its own tokens and stop words) over leaves with their header paths."""

    def __init__(self, planted: Planted) -> None:
        self.nodes = planted.leaves
        self._stemmer = Stemmer.Stemmer("english")
        texts = planted.workspace.store.leaves.texts(node.leaf or "" for node in self.nodes)
        corpus = ["\n".join((*texts[node.leaf or ""][1], texts[node.leaf or ""][0])) for node in self.nodes]
        self._index = bm25s.BM25()
        self._index.index(self._tokens(corpus), show_progress=False)

    def _tokens(self, texts: list[str]) -> bm25s.tokenization.Tokenized:
        return bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)

    def search(self, question: str, scope: SearchScope, number: int, likeness: Likeness | None = None) -> list[Node]:
        """With `likeness` by words and vectors: both from 0 to 1, the second with the weight that a walk gives it."""
        tokens = bm25s.tokenize([question], stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=False)
        scores = self._index.get_scores(tokens[0]) if tokens[0] else np.zeros(len(self.nodes))
        if likeness is not None:
            likes = [likeness.of(node.source_id, node.leaf or "") for node in self.nodes]
            scores = scores / (scores.max() or 1.0) + MEANING * np.array([like.share if like else 0.0 for like in likes])
        inside = (
            [at for at, node in enumerate(self.nodes) if scope.includes(node.place)] if scope.places else range(len(self.nodes))
        )
        return [self.nodes[at] for at in sorted(inside, key=lambda at: -scores[at])[:number] if scores[at] > 0]


def best_by_scent(scent: Scent, number: int) -> list[Node]:
    """The leaves with the highest scores, whatever branch they are in: the walk's own evidence without the walk."""
    best = heapq.nsmallest(number, scent.leaves, key=lambda place: (-scent.leaves[place], place))
    return [scent.nodes[place] for place in best]


def greedy_walk(planted: Planted, question: str, tops: Sequence[Node], number: int, version: int) -> list[Node]:
    """MemWalker's way (arXiv 2310.05029) with words counted instead of a model asked: at each node the child whose
    summary shares most with the question, down to a leaf, then back to the nearest node with a child left."""
    store = planted.workspace.store
    wanted = set(terms(question))
    order = count()
    read: list[Node] = []
    stack: list[list[tuple[float, int, Node]]] = [[(0.0, next(order), top) for top in tops]]
    while stack and len(read) < number:
        if not stack[-1]:
            stack.pop()
            continue
        _, _, node = heapq.heappop(stack[-1])
        if node.kind == "leaf":
            read.append(node)
            continue
        children = store.nodes.children(node.place, version)
        records = store.records.by_hash(child.record for child in children)
        ranked = [(-_shared(wanted, child, records.get(child.record)), next(order), child) for child in children]
        heapq.heapify(ranked)
        stack.append(ranked)
    return read


def _shared(wanted: set[str], node: Node, record: SummaryRecord | None) -> float:
    card = " ".join((node.title, record.summary, *record.about)) if record else node.title
    there = set(terms(card))
    return len(wanted & there) / (len(there) ** 0.25 or 1.0)
