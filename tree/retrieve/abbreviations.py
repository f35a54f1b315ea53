"""Abbreviations that documents explain themselves, "CD – controlled drug": where a question says the one, a document may say the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from prompts.language import terms
from prompts.regex import regex
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.text_facts import DEFINITION

MOST_LOOKED_UP = 16  # words of a question
MOST_EXPLAINED = 20  # meanings that begin with one of them
SHORTEST, LONGEST = 2, 6  # letters of an abbreviation
LEAST_SAID = 2 / 3  # of the words that an abbreviation stands for, and two at least, for a question to speak of it
_SHORT = regex(r"(?<![\w-])[A-Z][A-Z&]*[A-Z](?:\d{0,3})(?![\w-])")
_SAID, _WORD = regex(r"[^\W_]+"), regex(r"[^\W\d_]+")
_SMALL = frozenset("of and the for in to a an on by und der die das für et de du des la le".split())


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """Those that a question says, by either form, as terms of the index."""

    short: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by each of the words it stands for, which the question says
    full: dict[str, tuple[str, ...]] = field(default_factory=dict)  # the words it stands for, by one that the question says


def find_abbreviations(text: str, facts: FactIndex) -> Abbreviations:
    """What the words of a question are short for, or what is short for them, by the definitions in the sources that are asked."""
    found, said = Abbreviations(), terms(text)
    asked = dict.fromkeys(folded(word) for word in _SAID.findall(text) if len(word) >= SHORTEST and terms(word))
    looked_up = list(islice(asked, MOST_LOOKED_UP))
    for short, full in _explained(facts.about(looked_up)):
        if short in said:
            found.full.setdefault(short, full)
    begun = (fact for word in looked_up for fact in facts.of_terms(DEFINITION, word, MOST_EXPLAINED))
    for short, full in _explained(begun):
        there = [at for at, term in enumerate(said) if term in full]
        known = {said[at] for at in there}
        is_together = bool(there) and there[-1] - there[0] <= len(full)
        if short not in said and is_together and len(known) >= max(2, LEAST_SAID * len(full)):
            for term in known:
                found.short[term] = (*found.short.get(term, ()), short)
    return found


def _explained(facts: Iterable[StoredFact]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The term of each abbreviation, with the terms of the words it stands for."""
    for fact in facts:
        for short in _SHORT.findall(fact.fact.subject.name):
            words, known = stands_for(short, fact.fact.value), terms(short)
            full = tuple(dict.fromkeys(term for word in words for term in terms(word)[:1]))
            if full and known:
                yield known[0], full


def stands_for(short: str, meaning: str) -> Sequence[str]:
    """The words that a meaning begins with whose first letters are the abbreviation; none where they are not."""
    letters = [letter for letter in short.casefold() if letter.isalpha()]
    if not SHORTEST <= len(letters) <= LONGEST:
        return ()
    words: list[str] = []
    for word in _WORD.findall(meaning[:120]):
        low = word.casefold()
        if len(words) == len(letters):
            break
        if low[0] == letters[len(words)]:
            words.append(low)
        elif low not in _SMALL:
            return ()
    return words if len(words) == len(letters) else ()
