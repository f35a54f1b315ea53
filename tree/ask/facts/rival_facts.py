"""Values of the same thing that different documents state differently: the newest leads where dates decide, else both stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prompts.extractive.dates import Day, stated_on
from prompts.extractive.standing import is_superseded
from prompts.language import terms
from tree.ask.snapshot.snapshot_view import text_in_place
from tree.retrieve.fact_index import TICKET, StoredFact, folded
from tree.store.leaves import Leaf
from tree.store.nodes import Node

DIFFER = "Statements differ:\n"

Cited = Mapping[str, tuple[Node, Leaf]]  # by place
Values = Sequence[Sequence[StoredFact]]  # the facts that state each value


def is_disputed(values: Values, cited: Cited) -> bool:
    """Whether there are several values, each stated by documents of its own."""
    documents = [{_document(fact, cited) for fact in same} for same in values]
    return len(values) > 1 and sum(map(len, documents)) == len(set().union(*documents))


def newest_first(values: Values, cited: Cited) -> tuple[Values, Sequence[Day]]:
    """The values with the day on which each was last stated; no days, and the order unchanged, where they do not decide."""
    dated = [(max((day for fact in same if (day := _day(fact, cited))), default=None), same) for same in values]
    known = sorted(((day, same) for day, same in dated if day is not None), key=lambda pair: pair[0], reverse=True)
    if len(known) < len(values) or len({day for day, _ in known}) < len(known):
        return values, ()
    return [same for _, same in known], [day for day, _ in known]


def standing_and_over(facts: Sequence[StoredFact], cited: Cited) -> tuple[list[StoredFact], list[StoredFact]]:
    """Those of documents that hold, and those of documents that say or show that they hold no more; a ticket is what it is, whatever became of it."""
    standing: list[StoredFact] = []
    over: list[StoredFact] = []
    for fact in facts:
        is_over = fact.fact.subject.kind != TICKET and is_superseded(text_in_place(*cited[fact.place]), fact.fact.start)
        (over if is_over else standing).append(fact)
    return standing, over


def _document(fact: StoredFact, cited: Cited) -> tuple[str, str | None]:
    node, _ = cited[fact.place]
    return node.source_id, node.document_id


def _day(fact: StoredFact, cited: Cited) -> Day | None:
    """When a fact was stated: since when it holds, else the day in the headings that it stands under."""
    _, leaf = cited[fact.place]
    return stated_on("", (fact.fact.since[:10],)) or stated_on("", (*leaf.heading, leaf.title))


def are_owners_of_others(facts: Sequence[StoredFact], subject: str) -> bool:
    """Whether several rows that only have a name in a cell say each who owns it, and not the same: these own what the rows are."""
    if not all(fact.fact.row and terms(fact.fact.relation)[:1] == _OWNER for fact in facts):
        return False
    is_called_so = any(folded(fact.fact.subject.name) == folded(subject) for fact in facts)
    return not is_called_so and len({folded(fact.fact.value) for fact in facts}) > 1


_OWNER = terms("owner")
