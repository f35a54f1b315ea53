"""The forms in which values and columns are said: without articles, in the singular, without the number before a place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prompts.language import terms
from prompts.regex import regex
from tree.retrieve.names import Token

MODEL = regex(r" (?=\w*\d)\w{1,8}\Z")  # behind the name of a family of things
_DOERS = frozenset(  # columns of people
    """driver skipper trainer teacher keeper leader manager handler carer tester reviewer cleaner rider walker tutor instructor operator inspector
    editor translator supervisor moderator designer developer painter examiner buyer seller coach organiser organizer""".split()
)
_ARTICLES = frozenset(("a", "an", "the"))
_NUMBER_OF_PLACE = regex(r"(?:[a-z]{0,2}\d+[a-z]?(?: \d+[a-z]?)? )(?=[a-z])")  # "1 04 lab 1", "e3 equine lab"


def unfolded(value: str) -> tuple[str, ...]:
    """What a folded value may have been before, where it is a date: "2026-03-19", "19.03.2026"."""
    return (value.replace(" ", "-"), value.replace(" ", "."), value)


def holds_lists(relation: str) -> bool:
    return relation.endswith("s") and not relation.endswith(("ss", "us"))


def does(relation: str, word: str) -> bool:
    """Whether a word says what somebody does who is called so: a driver drives, and what is driven has one."""
    stem = relation[:-2]
    return relation.endswith(("er", "or")) and len(stem) > 2 and word.startswith(stem) and len(word) <= len(stem) + 3


def acts_of(noun: str) -> frozenset[str]:
    """The terms of what somebody does who is called so: "drive" of a driver."""
    stem = noun[:-2]
    return frozenset(terms(f"{stem} {stem}e")) if noun in _DOERS else frozenset()


def loosely(words: Sequence[Token]) -> tuple[str, ...]:
    """A value of several words as people write it: "waiting for a part", "relay faults"."""
    bare = [word.folded for word in words[:1]] + [word.folded for word in words[1:] if word.folded not in _ARTICLES]
    ends = (*singular_forms(bare[-1]),) if len(bare) > 1 else ()
    return (" ".join(bare), *(" ".join((*bare[:-1], end)) for end in ends))


def singular_forms(word: str) -> tuple[str, ...]:
    if word.endswith("ies"):
        return f"{word[:-3]}y", word[:-1]
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2], word[:-1]
    return (word[:-1],) if word.endswith("s") and len(word) > 3 else ()


def numbered_as(place: str, values: Iterable[str]) -> frozenset[str]:
    """The values that are a place with its number before it: "1.04 Lab 1" where Lab 1 is asked about."""
    return frozenset(
        one for one in values if one.endswith(place) and (m := _NUMBER_OF_PLACE.match(one)) and one[m.end() :] == place
    )
