"""Which values of a column of states are meant by words such as "open", "done" and "not closed"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set

from prompts.language import terms
from tree.ask.facts.ticket_words import CLOSED, OPEN

STATUS = frozenset(terms("status state stage phase progress condition"))
UNFINISHED = OPEN | frozenset(
    "new todo to planned in under blocked waiting draft proposed reopened started backlog doing review".split()
)
FINISHED = CLOSED | frozenset("cancelled canceled rejected won wont duplicate replaced superseded obsolete retired".split())
OVER = frozenset("returned paid settled delivered shipped sold scrapped".split())
DURING = frozenset(("being", "in", "under"))

_OPEN = frozenset(("open",))

ValuesOf = Callable[[str], Set[str]]


def columns_of_states(relations: Iterable[str]) -> list[str]:
    """Those that are called so."""
    return [one for one in relations if set(terms(one)) & STATUS]


def values_in_state(word: str, relations: Sequence[str], values_of: ValuesOf, blank: Iterable[str]) -> tuple[str, frozenset[str]]:
    """The one column of states, and its values that begin with this word, or else mean the same; empty where that is not clear."""
    held = columns_of_states(relations)
    held = held or [one for one in relations if any(begins(value, OPEN) for value in values_of(one))]
    if len(held) != 1:
        return "", frozenset()
    values = values_of(held[0]) - frozenset(blank)
    exact = frozenset(value for value in values if value.split(" ")[0] == word)
    if not exact and all(begins(value, FINISHED | UNFINISHED) for value in values):
        exact = frozenset(value for value in values if begins(value, UNFINISHED if word in OPEN else FINISHED))
    return held[0], exact


def alike(values: Set[str], among: Set[str], words: Set[str]) -> frozenset[str]:
    """The values that begin with one of these words, beside those of a column that are called as it is asked: what is not closed is not
    done either. These alone where nothing tells of another value whether it is finished."""
    if not all(begins(value, FINISHED | UNFINISHED) for value in among):
        return frozenset(values)
    return frozenset(value for value in among if begins(value, words))


def unfinished_beside(values: Set[str], among: Set[str]) -> frozenset[str]:
    """All values of a column that say of something that it is not finished, where "open" is the one that is meant and others say so too:
    in a list of what is open, what is being done is as open as what waits. Else nothing."""
    if values != _OPEN or not all(begins(value, FINISHED | UNFINISHED) for value in among):
        return frozenset()
    unfinished = frozenset(value for value in among if begins(value, UNFINISHED))
    return unfinished if len(unfinished) > 1 else frozenset()


def shortest(values: Iterable[str]) -> list[str]:
    """Values in order, without those that begin with another: "closed", and not "closed in May"."""
    every = frozenset(values)
    return sorted(one for one in every if not any(one.startswith(f"{other} ") for other in every))


def begins(value: str, words: Set[str]) -> bool:
    """Whether the first word of a value is one of these."""
    return value.split(" ")[0] in words


def lasts(state: str) -> bool:
    """Whether something is still being done to what is in this state: "in repair", "renewing"."""
    return state.split(" ")[0] in DURING or state.endswith("ing")
