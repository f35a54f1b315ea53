"""Rows of a table that are called by what a column says of them: "pumps" of which there are some among other equipment."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import takewhile

from prompts.language import terms
from prompts.regex import regex
from tree.ask.facts.column_vocabulary import FILLERS_OF_ROWS
from tree.ask.facts.degrees import AGES, SUPERLATIVES
from tree.ask.facts.described_row import PLACES, REMARKS
from tree.ask.facts.set_question import Condition
from tree.ask.facts.state_words import columns_of_states
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names, Token

MOST_NAME_WORDS = 6
MOST_SAID = 3  # values of a condition that are told
MOST_OF_KIND = 4  # words of what a column says, for it to say of what kind a thing is
SHORTEST_WORD = 2  # letters; what is shorter, or has a figure in it, tells things of one kind apart
ASKED_FIRST = frozenset("which what list show how many me all the of our did do does".split())
# columns of where a thing is and whose, of what it is for or how much of it there is, and of what a matter is about: a case of a pump is
# no pump
_OF_OTHERS = PLACES | frozenset(
    """home at in holder user category subject topic area component matter affected unit pack size form strength for used
    purpose""".split()
)
_CODE = regex(r"(?: (?:[a-z]|[a-z]{0,4}\d{1,6}[a-z]?)){1,4}\Z")  # behind the name of one of several: "pump 2 b"
_JOINING = frozenset(("and", "or"))
GENERAL = frozenset("machin devic item thing tool equip unit piec vehicl articl object asset".split())  # terms that name no kind
_GREATEST = SUPERLATIVES | AGES.keys()


def head_of_list(found: Sequence[Token]) -> str:
    """The word (a term) for what is asked for: the first that is no word of asking, with the last of a run of names."""
    low = [token.text.casefold() for token in found]
    greatest = _GREATEST.intersection(low)  # "what is our oldest printer?"
    asked_first = ASKED_FIRST | greatest | {"is"} if greatest else ASKED_FIRST
    at = next((at for at, word in enumerate(low) if word not in asked_first), len(low))
    begins = {"which", "what", "list", "show", "how", "all", *(["our", *greatest] if greatest else ())}
    if not 0 < at < len(low) or low[0] not in begins:
        return ""
    run = list(takewhile(lambda word: word not in FILLERS_OF_ROWS, low[at : at + MOST_NAME_WORDS]))
    return next((first_term(word) for word in run if word.endswith("s") and first_term(word)), first_term(low[at]))


def heads_of_list(found: Sequence[Token]) -> list[str]:
    """The words (terms) for what is asked for, where it is two kinds of thing: "pumps and motors"."""
    head = head_of_list(found)
    at = next((at for at, token in enumerate(found) if head and first_term(token.text) == head), len(found))
    also = first_term(found[at + 2].text) if at + 2 < len(found) and found[at + 1].folded in _JOINING else ""
    is_several = also and found[at + 2].folded.endswith("s") and found[at].folded.endswith("s")
    return [head, also] if is_several else [head] if head else []


def kind_of_rows(table: Table, nouns: Sequence[str], names: Names, facts: FactIndex) -> Condition | None:
    """The rows of which the one column that says of what kind they are has values that begin or end with these nouns: "tram Linea 4"."""
    held: list[Condition] = []
    for label in table.columns:
        relation = folded(label)
        is_other = not _OF_OTHERS.isdisjoint(relation.split())  # what lies in a van is none
        is_other = is_other or bool(columns_of_states([relation]) or REMARKS & set(relation.split()))  # "no new parts"
        if relation == folded(table.naming) or is_other or (relation, table.collection) in names.held_by_people:
            continue
        every = names.values_of(relation, table.collection)
        if any(sum(map(_tells_kind, one.split())) > MOST_OF_KIND for one in every):
            continue  # it describes them
        kinds = [_called(noun, every, len(facts.holding(table.collection, [relation]))) for noun in nouns]
        if kinds and all(kinds):
            values = frozenset().union(*kinds)
            held.append(Condition((relation,), values, words=f"{label} {in_words(values)}"))
    return held[0] if len(held) == 1 else None


def _called(noun: str, every: Set[str], rows: int) -> frozenset[str]:
    """The values that are names of things of a kind, or the kind itself."""
    begun = frozenset(one for one in every if first_term(one.split(" ")[0]) == noun)
    every = frozenset(one for one in every if _JOINING.isdisjoint(one.split()))  # "office and people" are no people
    values = frozenset(one for one in every if first_term(_CODE.sub("", one).split(" ")[-1]) == noun)
    is_numbered = len(begun) > 1 and all(any(map(str.isdigit, one.partition(" ")[2].partition(" ")[0])) for one in begun)
    is_name = is_numbered or len(values) > 1 and all(" " in one for one in values)  # "Heron van", "Otter van"
    values |= begun if len(begun) > 1 else frozenset()  # one alone may be a name: "Station Parade" is no station
    return values if is_name or len(every) < rows else frozenset()


def values_with(table: Table, noun: str, names: Names) -> Condition | None:
    """Some rows by a word anywhere in one column: a guess."""
    held = {
        relation: values
        for relation in map(folded, table.columns)
        if (values := frozenset(one for one in names.values_of(relation, table.collection) if noun in terms(one)))
    }
    if len(held) != 1:
        return None
    [(relation, values)] = held.items()
    return Condition((relation,), values, words=f"{relation} {in_words(values)}")


def in_words(values: frozenset[str]) -> str:
    """The first few of some values, and how many more there are."""
    more = len(values) - MOST_SAID
    return " or ".join(sorted(values)[:MOST_SAID]) + (f" or {more} more" if more > 0 else "")


def _tells_kind(word: str) -> bool:
    return len(word) >= SHORTEST_WORD and word.isalpha()


def first_term(word: str) -> str:
    return next(iter(terms(word)), "")
