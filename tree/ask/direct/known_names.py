"""What the names in a question stand for: one sentence each, a step of the trail, and for a model evidence that it can cite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prompts.language import terms
from prompts.records import Evidence, LeafAnswer, LeafText, Quote
from tree.ask.facts.things import Thing, statement, things_named
from tree.ask.facts.told_facts import FactCitations
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.retrieve.fact_index import StoredFact, folded
from tree.retrieve.names import tokens
from tree.store.leaves import Leaf
from tree.store.nodes import Node

MOST_NAMES = 4  # of one question
MOST_FACTS = 8  # of one thing, for a model
# What is told of a ticket first, where the question does not say what it is after.
_TELLING = ("status", "assignee", "priority", "is blocked by", "blocks", "epic", "component", "due", "resolution", "fix version")


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name as the question writes it, and the things that it may stand for, each with its sentence."""

    text: str
    things: tuple[Thing, ...]
    sentences: tuple[str, ...]

    @property
    def told(self) -> str:
        """ "Turnstile: a component; Team Quay; 23 tickets, 4 open"; of several things all, and that it may be any."""
        if len(self.sentences) == 1:
            return self.sentences[0]
        return f"“{self.text}” may be any of {len(self.sentences)}: {' / '.join(self.sentences)}"


def find_known_names(snapshot: Snapshot, text: str) -> tuple[KnownName, ...]:
    """The names in a question that stand for something, in the order of the question."""
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    found: dict[str, KnownName] = {}
    for mention in names.find(tokens(text)):
        if len(found) == MOST_NAMES:
            break
        if mention.text in found or (folded(mention.text) not in mention.names and not mention.text[:1].isupper()):
            continue  # told already, or a word that is also a part of some name
        things = tuple(thing for thing in things_named(mention, facts) if thing.kind not in ("thing", "label"))
        if things:
            found[mention.text] = KnownName(mention.text, things, tuple(statement(one, facts, day) for one in things))
    return tuple(found.values())


def names_step(known: Sequence[KnownName]) -> Step:
    return Step("names", "", "", ", ".join(one.text for one in known), reason=". ".join(one.told for one in known))


def as_evidence(
    known: Iterable[KnownName], question: str, sources: FactCitations, first: int
) -> Iterator[tuple[Evidence, Node, Leaf]]:
    """The facts of what is named, leaf by leaf, numbered from `first`: what speaks to the words of the question first."""
    by_place: dict[str, list[StoredFact]] = {}
    for fact in (fact for name in known for thing in name.things for fact in _telling(thing, question)):
        by_place.setdefault(fact.place, []).append(fact)
    cited = sources.cite(fact for facts in by_place.values() for fact in facts)
    for number, (place, facts) in enumerate(((place, facts) for place, facts in by_place.items() if place in cited), first):
        node, leaf = cited[place]
        spans = dict.fromkeys((one.fact.start, one.fact.end) for one in facts if one.fact.end)
        quotes = tuple(Quote(text=leaf.text[start:end], start=start, end=end) for start, end in spans)
        answer = LeafAnswer("partial", quotes, 0.5, "stated of what the question names")
        if quotes:
            yield (
                Evidence(number, LeafText(leaf.text, (*leaf.heading, leaf.title), leaf.units, node.kind), answer, 0.5),
                node,
                leaf,
            )


def _telling(thing: Thing, question: str) -> list[StoredFact]:
    asked = set(terms(question))

    def rank(fact: StoredFact) -> tuple[bool, int]:
        relation = folded(fact.fact.relation)
        return not asked & set(terms(relation)), _TELLING.index(relation) if relation in _TELLING else len(_TELLING)

    known = [*thing.facts, *thing.places] if thing.kind not in ("ticket", "epic") else list(thing.facts)
    known = [
        fact
        for fact in known
        if fact.fact.subject.kind != "ticket" or not rank(fact)[0] or folded(fact.fact.relation) in _TELLING
    ]
    return sorted(known, key=rank)[:MOST_FACTS]
