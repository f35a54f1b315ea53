"""Other spellings of a question that is not answered: a word that occurs nowhere, and a known name one edit from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, product

from prompts.language import terms
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.index import Index, SearchScope
from tree.retrieve.names import Names, Token, tokens

MOST_NAMES = 2  # near a word; more of them say nothing
MOST_OFFERED = 3
ALIKE = 0.75  # of a part of a name beside one that is written rightly
_NOWHERE = "\0"  # a term that no text has


@dataclass(frozen=True, slots=True)
class Correction:
    """A question with words replaced: `name` is what was put in, as it is written where it stands."""

    name: str
    question: str

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "question": self.question}


def find_corrections(question: str, snapshot: Snapshot) -> tuple[Correction, ...]:
    """What the question may have meant, at most three; empty where all its words occur, or nothing is near them."""
    index, scope = snapshot.index, snapshot.scope
    unknown = list(_unknown(question, index, scope))
    if not unknown:
        return ()
    names, facts = index.names(scope), index.facts(scope)
    near = {token: names.near(token.folded) or _in_full_name(token, question, names) for token in unknown}
    spelt = {
        token: [_spelling(name, names, facts) for name in found] for token, found in near.items() if 1 <= len(found) <= MOST_NAMES
    }
    return tuple(islice(_corrected(question, spelt), MOST_OFFERED))


def _in_full_name(token: Token, question: str, names: Names) -> list[str]:
    """What a word may be beside another part of a full name: "Joakin Brand" where there is a Joaquin Brand."""
    found = tokens(question)
    at = found.index(token)
    beside = [found[other].folded for other in (at - 1, at + 1) if 0 <= other < len(found)]
    parts = {
        part for word in beside for full in names.full(word) if len(full.split()) == 2 for part in full.split() if part != word
    }
    return sorted(
        part for part in parts if part[0] == token.folded[0] and SequenceMatcher(None, part, token.folded).ratio() >= ALIKE
    )


def _unknown(question: str, index: Index, scope: SearchScope) -> Iterator[Token]:
    """The words that occur in no leaf."""
    words = {token: terms(token.text)[:1] for token in tokens(question) if " " not in token.folded and token.folded.isalpha()}
    weights = index.weights([*(term[0] for term in words.values() if term), _NOWHERE], scope)
    return (token for token, term in words.items() if term and weights[term[0]] == weights[_NOWHERE])


def _spelling(name: str, names: Names, facts: FactIndex) -> str:
    """A name as it is written where it stands, rather than as names are compared."""
    full = names.full(name)
    stated = [*facts.about(full), *facts.with_value(full)]
    written = (token.text for fact in stated for text in (fact.fact.subject.name, fact.fact.value) for token in tokens(text))
    return next((word for word in written if folded(word) == name), name)


def _corrected(question: str, spelt: Mapping[Token, Sequence[str]]) -> Iterator[Correction]:
    for chosen in product(*spelt.values()) if spelt else ():
        text = question
        for token, name in sorted(zip(spelt, chosen, strict=True), key=lambda pair: -pair[0].start):
            text = f"{text[: token.start]}{name}{text[token.end :]}"
        yield Correction(" ".join(chosen), text)
