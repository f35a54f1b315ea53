"""Values of the same thing that different documents state differently: the newest leads where dates decide, else both stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from prompts.extractive.dates import Day, stated_on
from prompts.language import terms
from tree.retrieve.fact_index import StoredFact
from tree.store.leaves import Leaf
from tree.store.nodes import Node

DIFFER = "Statements differ:\n"
FEWEST_COPIED = 12  # different terms in two texts, for them to be taken for copies
MOST_EDITED = 0.1  # of these, that only one of them has
_NEGATED = re.compile(r"\b(?:not|no|never|without|cannot|none|nicht|kein\w*|nie|ohne|pas|jamais|sans)\b|n['’]t\b", re.IGNORECASE)

Cited = Mapping[str, tuple[Node, Leaf]]  # by place
Values = Sequence[Sequence[StoredFact]]  # the facts that state each value


def is_disputed(values: Values, cited: Cited) -> bool:
    """Whether there are several values, each stated by documents of its own."""
    documents = [{_document(fact, cited) for fact in same} for same in values]
    return len(values) > 1 and sum(map(len, documents)) == len(set().union(*documents))


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts are copies that were hardly edited: the words that only one of them has are few, and no number and no negation."""
    own, there = set(terms(one)), set(terms(other))
    apart = own ^ there
    if len(own | there) < FEWEST_COPIED or len(apart) > MOST_EDITED * len(own | there):
        return False
    said = (Counter(re.findall(r"\d[\d.,:]*\d|\d|[A-Z]{2,}", text)) for text in (one, other))
    negations = (len(_NEGATED.findall(text)) for text in (one, other))
    return (
        not any(any(map(str.isdigit, word)) for word in apart)
        and len({frozenset(each.items()) for each in said}) == len(set(negations)) == 1
    )


def newest_first(values: Values, cited: Cited) -> tuple[Values, Sequence[Day]]:
    """The values with the day on which each was last stated; no days, and the order unchanged, where they do not decide."""
    dated = [(max((day for fact in same if (day := _day(fact, cited))), default=None), same) for same in values]
    known = sorted(((day, same) for day, same in dated if day is not None), key=lambda pair: pair[0], reverse=True)
    if len(known) < len(values) or len({day for day, _ in known}) < len(known):
        return values, ()
    return [same for _, same in known], [day for day, _ in known]


def _document(fact: StoredFact, cited: Cited) -> tuple[str, str | None]:
    node, _ = cited[fact.place]
    return node.source_id, node.document_id


def _day(fact: StoredFact, cited: Cited) -> Day | None:
    """When a fact was stated: since when it holds, else the day in the headings that it stands under."""
    _, leaf = cited[fact.place]
    return stated_on("", (fact.fact.since[:10],)) or stated_on("", (*leaf.heading, leaf.title))
