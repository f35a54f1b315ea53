"""Leaves that a walk did not come to, with a procedure or a section that is called what a question asks how to do."""

from __future__ import annotations

from collections.abc import Container, Iterator

from prompts.extractive.nearest import NEAR_IN_NAME, nearest
from prompts.question import analyse, weigh
from prompts.records import Reader
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView
from tree.store.nodes import Node


def leaves_called_so(view: SnapshotView, reader: Reader, read: Container[str], most: int) -> Iterator[tuple[Node, OpenedLeaf]]:
    """Of the `most` best leaves that were not read the one that comes nearest by such a name: "4. LEAVING" in the notes on a microscope
    has few words of "how do I leave Merlin at the end of a session?". Nothing with a model, which chooses what it reads by itself."""
    question = view.question
    if reader.model_label or analyse(question.text).kind != "how_to":
        return
    words = weigh(question)
    places = [place for place in view.best_leaves() if place not in read][:most]
    nodes = view.store.nodes.at(places, view.version)
    opened = [(nodes[place], view.open_leaf(nodes[place])) for place in places if place in nodes and nodes[place].kind == "leaf"]
    rated = [(nearest(words, one.text, question.text)[0], node, one) for node, one in opened]
    near, node, best = max(rated, key=lambda each: each[0], default=(0.0, None, None))
    if near >= NEAR_IN_NAME and node is not None and best is not None:
        yield node, best
