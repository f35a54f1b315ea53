"""What is stated under a label of a thing that a question describes rather than names: "what did the incident of 2 April cost?"

The words beside the label have to stand in the headings above what is stated. Where they fit several documents, all are
told: of a few that are called so ("the incident", and there were two) each with its date, of others as a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prompts.extractive import as_text
from prompts.extractive.dates import Day, stated_on
from prompts.extractive.neighbours import is_half_named
from prompts.language import terms
from tree.ask.facts.told_facts import FactCitations, line, readable, small
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.trail import Step
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names
from tree.retrieve.text_facts import DEFINITION, PART
from tree.store.leaves import Leaf
from tree.store.places import document_around

MOST_LISTED = 6  # documents that are told one by one, as the answer
MOST_MEANT = 20  # documents that state it; of more, what they have in common names nothing that somebody would choose from
_ADJECTIVES = frozenset(
    terms("next last first previous new old other")
)  # as a whole label; in a question they say which of several
MOST_STATED = 2_000  # under a label: what so many rows have is no label of a document


@dataclass(frozen=True, slots=True)
class Described:
    """What is stated under a label, and the words that say of what: they stand in headings alone."""

    facts: tuple[StoredFact, ...]
    words: frozenset[str]

    @property
    def is_ambiguous(self) -> bool:
        """Whether it fits several documents, and they do not state the same."""
        return len(self.documents) > 1 and len(_values(self.facts)) > 1

    @property
    def documents(self) -> Mapping[str, list[StoredFact]]:
        """What each document states, by its place."""
        found: dict[str, list[StoredFact]] = {}
        for fact in self.facts:
            found.setdefault(document_around(fact.place), []).append(fact)
        return found


def find_described(
    rest: frozenset[str], names: Names, facts: FactIndex, light: frozenset[str], is_wanted: Callable[[StoredFact], bool]
) -> Described | None:
    """None where no label that is known stands among the words of the question (as terms), or nothing is stated under it there.

    `light` are the words with which things are asked for, `is_wanted` whether a fact has the kind of thing asked for.
    """
    known = [one for one in names.relations if (own := frozenset(terms(one))) and own <= rest and not own <= _ADJECTIVES]
    longest = max((len(terms(relation)) for relation in known), default=0)
    labels = [relation for relation in known if len(terms(relation)) == longest]
    held = [
        fact for fact in _stated(labels, facts) if not fact.fact.until and is_wanted(fact) and _is_described(fact, rest, light)
    ]
    several = {place for place, same in Described(tuple(held), rest).documents.items() if len(_values(same)) > 1}
    held = [fact for fact in held if document_around(fact.place) not in several]  # what a document lists is not the one thing
    if not held:
        return None
    described = Described(tuple(held), rest - _label(held[0]) - light)
    if any(is_half_named(fact.fact.subject.name, described.words) for fact in held if fact.fact.subject.kind == "document"):
        return None
    return described if described.words and len(described.documents) <= MOST_MEANT else None


def _values(facts: Iterable[StoredFact]) -> frozenset[str]:
    return frozenset(folded(fact.fact.value) for fact in facts)


def _stated(labels: Sequence[str], facts: FactIndex) -> Iterator[StoredFact]:
    """What stands under a label, also where it is the bold beginning of a paragraph."""
    yield from facts.with_relation(labels, "ticket", MOST_STATED)
    yield from (fact for fact in facts.about(labels) if fact.fact.subject.kind == "term" and fact.fact.relation == DEFINITION)


def _label(fact: StoredFact) -> frozenset[str]:
    is_term = fact.fact.subject.kind == "term"
    return frozenset(terms(fact.fact.subject.name if is_term else fact.fact.relation))


def _is_described(fact: StoredFact, rest: frozenset[str], light: frozenset[str]) -> bool:
    """Whether all that a question says beside the label stands in the headings above the fact."""
    subject = "" if fact.fact.subject.kind == "term" else fact.fact.subject.name
    around = fact.heading | frozenset(terms(f"{'' if fact.fact.group == PART else fact.fact.group} {subject}"))
    return not rest - _label(fact) - around - light


def tell_each(described: Described, sources: FactCitations) -> DirectAnswer | None:
    """What each document states. A few whose titles all say what was asked about are the answer, the newest first; of others,
    or of many, which one is meant was not said."""
    cited = sources.cite(described.facts)
    documents = [facts for facts in described.documents.values() if facts[0].place in cited]
    if not documents:
        return None
    if len(documents) > 1 and "next" in folded(_written(described.facts[0])).split():
        return None  # "next meeting: 24 November" held until then; which one is next now only what was written last can tell
    titles = {facts[0].place: _title(cited[facts[0].place][1]) for facts in documents}
    label = as_text(small(_written(described.facts[0])))
    is_list = len(documents) <= MOST_LISTED and all(described.words <= frozenset(terms(title)) for title in titles.values())
    if is_list:
        documents.sort(key=lambda facts: _day(facts[0], cited[facts[0].place][1]) or Day(1, 1), reverse=True)
        reason = f"{len(documents)} documents of which the title says this state a {label}."
        lines = [Line(f"**{len(documents)}** documents state a {label} of their own:\n")]
    else:
        reason = f"{len(documents)} documents that the question may mean state a {label}; ask with more of the title."
        lines = [Line(f"It may be any of {len(documents)}, and each has its own {label}:\n")]
    for number, facts in enumerate(documents, 1):
        said, title = as_text(readable(facts[0].fact.value)), titles[facts[0].place]
        day = _day(facts[0], cited[facts[0].place][1])
        when = f", {day.in_words}" if is_list and day is not None and day.in_words not in title else ""
        lines.append(line(f"\n- **{as_text(title)}**{when}: {said} [{number}]", number, facts[0], cited))
    step = Step("register", "", "", f"what documents state as their {label}", reason=reason)
    return DirectAnswer(step, tuple(lines), "complete" if is_list else "partial")


def _title(leaf: Leaf) -> str:
    return (*leaf.heading, leaf.title)[0]


def _day(fact: StoredFact, leaf: Leaf) -> Day | None:
    """The day in the title of a document, or since when the fact holds."""
    return stated_on("", (_title(leaf),)) or stated_on("", (fact.fact.since[:10],))


def _written(fact: StoredFact) -> str:
    return fact.fact.subject.name if fact.fact.subject.kind == "term" else fact.fact.relation
