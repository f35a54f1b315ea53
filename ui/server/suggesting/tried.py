"""Questions that were tried and are answered, as long as what their answers cite stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tree.ask.ask import Answer
from tree.store.node_rows import NodeRows


class Tried(NamedTuple):
    """A question, and the place and the leaf of each passage that its answer cites."""

    question: str
    cited: tuple[tuple[str, str], ...]


def tried(question: str, answer: Answer) -> Tried:
    return Tried(question, tuple((citation.place, citation.leaf) for citation in answer.citations))


def questions_of(found: Iterable[Tried]) -> list[str]:
    return [one.question for one in found]


def stand(rows: NodeRows, found: Iterable[Tried]) -> bool:
    """Whether all that is cited for these is still where it was, word for word: they need not be tried again then."""
    found = list(found)
    if not all(one.cited for one in found):
        return False
    cited = {passage for one in found for passage in one.cited}
    nodes = rows.at({place for place, _ in cited})
    return all((node := nodes.get(place)) is not None and node.leaf == leaf for place, leaf in cited)


def as_told(one: Tried) -> list[Any]:
    """As an answering process tells it; `from_told` reads it."""
    return [one.question, one.cited]


def from_told(told: Any) -> Tried:
    question, cited = told
    return Tried(question, tuple((place, leaf) for place, leaf in cited))
