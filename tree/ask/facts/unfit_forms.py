"""Facts that have the words of a question and are of another form than it asks for: a description for a number, an extension for a count,
what was bought for what is going to be, the phone of somebody else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.language import terms
from prompts.regex import regex
from tree.ask.facts.amounts import says_money
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.text_facts import DEFINITION, PART, says_meaning

PERSON_LABELS = frozenset(("name", "person", "who"))
FULL_NAME = regex(r"[A-ZÀ-Þ][\w'’.-]{1,30}(?: [\w'’.-]{1,30}){0,2} [A-ZÀ-Þ][\w'’-]{1,30}")


def names_its_row(fact: StoredFact) -> bool:
    return fact.fact.row > 0 and fact.fact.value == fact.fact.subject.name


def has_wrong_form(
    told: Sequence[StoredFact], way: Sequence[StoredFact], text: str, low: Sequence[str], facts: FactIndex, *, is_reverse: bool
) -> bool:
    """Whether what was found, by `way` of other facts, is of the wrong form for what a question asks, or lacks a word of it that is written
    with a hyphen. `low`: the words of the question in small letters; `is_reverse`: the subjects are what is told, not the values."""
    labels = [folded(one.fact.relation) for one in told]
    values = [one.fact.value for one in told]
    if _ASKS_A_NUMBER.search(text) and not any(_NUMBER_IN.search(value) and not says_money(value) for value in values):
        return True  # "the number of the service desk" is no description of it, and no pay
    is_of_named = low[0] != "how" and all(set(terms(one.fact.subject.name)) <= set(terms(text)) for one in told)
    is_identifier = all(map(_is_identifier, labels))
    if _ASKS_COUNT.match(text) and is_identifier and not is_of_named:
        return True  # how many telephones there are is not the number of a change, nor an extension
    if _FOR_A_LIVING.search(text) and not any(set(label.split()) & _OCCUPATIONS for label in labels):
        return True  # nor is where somebody lives
    if _ASKS_MEANING.search(text) and not all(_says_what(one) for one in told):
        return True  # which requests have a red band is not what a red band means
    if _is_of_another_person(told, frozenset(terms(text)), facts):
        return True  # the number of whoever she stands in for is not hers
    if is_reverse and low[0] == "where" and not any(_WORDS_OF_PLACE.search(one.fact.subject.name) for one in told):
        return True  # "26-052" is no place
    if _PLANNED.search(text) and all(label.split()[-1:] and label.split()[-1] in _DONE for label in labels):
        return True  # what we are going to buy is not what was bought
    if (one := _WHAT_IS.match(text)) and not any(set(terms(one[1])) <= _words_of(fact) for fact in told):
        return True  # "quick-notes" is no note of Mrs Quick
    compounds = [frozenset(terms(word)) for word in low if "-" in word]
    return any(compound and not _says_some_of(compound, [*told, *way], facts) for compound in compounds)


def _is_identifier(label: str) -> bool:
    """Whether a column holds what a row goes by, or a number on which somebody is reached: "number", "extension", "mobile for emergencies"."""
    first, *others = label.split() or [""]
    return label in _IDENTIFIERS or first in _PHONES or (len(others) == 1 and others[0] in _PHONES)


def _says_what(fact: StoredFact) -> bool:
    return fact.fact.relation == DEFINITION or fact.fact.group == PART or says_meaning(folded(fact.fact.relation))


def _words_of(fact: StoredFact) -> set[str]:
    return set(terms(f"{fact.fact.subject.name} {fact.fact.value}"))


def _says_some_of(compound: frozenset[str], every: Sequence[StoredFact], facts: FactIndex) -> bool:
    """Whether what was found, its row, or what stands above it has a word of a compound, "stand-by", that may be a word of any question."""
    said = set().union(*(one.heading for one in every))
    for one in [*every, *facts.lines({fact.line for fact in every if fact.fact.row})]:
        said.update(terms(f"{one.fact.relation} {one.fact.value} {one.fact.subject.name} {one.fact.group} {one.place}"))
    return not compound.isdisjoint(said)


_ASKS_A_NUMBER = regex(
    r"\A\W{0,8}(?:(?:what|which)(?:['’]?s| is| are| was)? )?(?:the |our )?(?:\w[\w-]{0,30} ){0,2}?numbers? (?:of|for) (?:the |our )?(?!\w+s\b(?! desk))|\bon (?:what|which) number\b",
    re.IGNORECASE,
)
_NUMBER_IN = regex(r"\d")
_ASKS_COUNT = regex(r"\A\W*(?:how many|(?:what is )?(?:the )?number of (?!the |our |an? )(?:[\w-]+ )?[\w-]+s\b)", re.IGNORECASE)
_ASKS_MEANING = regex(r"\bwhat (?:does|do|did) [^?\n]{2,80} (?:mean|stand for)\W*\Z", re.IGNORECASE)
_FOR_A_LIVING = regex(r"\bfor a living\b", re.IGNORECASE)
_OCCUPATIONS = frozenset("occupation profession job trade work employer".split())
_WHAT_IS = regex(r"\A\W*what(?:['’]?s| is| are) (?:the |an? )?([^\W_]{1,30}-[\w-]{1,30})\W*\Z", re.IGNORECASE)
_WORDS_OF_PLACE = regex(r"[^\W\d_]{3}")
_IDENTIFIERS = frozenset(("number", "no", "nr", "no.", "id", "code", "key", "reference", "ref", "#"))
_PHONES = frozenset("extension ext phone telephone tel mobile fax".split())
_PLANNED = regex(
    r"\b(?:are|is|am) (?:we|they|you|i|he|she) (?:going to|planning to|\w+ing\b)|\b(?:will|shall) (?:we|they|you|he|she)\b|\bgoing to\b",
    re.IGNORECASE,
)
_DONE = frozenset(
    "bought purchased acquired delivered installed built opened closed ended started received sold replaced".split()
)

_REACHED = _PHONES | {"email", "mail", "e-mail", "address", "room"}  # in the name of a column: where somebody is reached


def _is_of_another_person(told: Sequence[StoredFact], said: frozenset[str], facts: FactIndex) -> bool:
    """Whether a phone number or the like stands in a row that is called by somebody else, and only names whoever is asked about in a cell."""
    rows = [one for one in told if one.fact.row and not _REACHED.isdisjoint(folded(one.fact.relation).split())]
    others = [one for one in rows if FULL_NAME.fullmatch(one.fact.subject.name) and said.isdisjoint(terms(one.fact.subject.name))]
    cells = facts.lines({one.line for one in others}) if others and len(others) == len(rows) else []
    if not any(names_its_row(one) and folded(one.fact.relation) in PERSON_LABELS for one in cells):
        return False  # the extension of a port is that of whoever runs it
    return any(FULL_NAME.fullmatch(one.fact.value) and set(terms(one.fact.value)) <= said for one in cells)
