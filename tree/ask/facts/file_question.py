"""Questions for files that state things of themselves: tickets that are kept as files, and what lies in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from functools import cache

from prompts.language import terms, wholes
from tree.ask.facts.collection_vocabulary import CollectionVocabulary
from tree.ask.facts.file_sets import MOST_FOLDERS
from tree.ask.facts.rows_of_kind import first_term
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.set_reading import read_set
from tree.ask.facts.state_words import ValuesOf
from tree.ask.facts.ticket_words import TICKETS
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names, Token
from tree.store.leaves import FILE
from tree.store.places import unescape

MOST_FOLDERS_MEANT = 6
FEWEST_FILES = 2  # of a folder that are things of one kind
RARE = 50  # a statement that one in so many files makes is a matter of these files alone
_NO_FILES = frozenset(
    terms("people persons teams staff customers members")
)  # what a folder called so is about, and not what lies in it
_FILES = frozenset(terms("files documents docs pages notes posts articles"))


def read_files(text: str, found: Sequence[Token], names: Names, facts: FactIndex, today: date) -> Iterator[SetQuestion]:
    """What is asked of files, of each folder that may be meant; nothing where none states anything of itself."""
    said = {term: token.text.casefold() for token in found for term in wholes(token.text)}
    common = max(names.of_files.values(), default=0)
    relations = [relation for relation, number in names.of_files.items() if number * RARE >= common]
    if not relations:
        return
    tickets = _ticket_kinds(said, names)
    if tickets is not None:
        keyed = facts.holding(FILE, ["key"])
        of_these = _stated_by(keyed, facts)
        relations = _relations_beside(keyed, relations, facts)
        nouns = map(first_term, (*TICKETS, "everything"))
        vocabulary = CollectionVocabulary(
            names, FILE, nouns, kinds=tickets, relations=relations, stated=of_these, is_of_tickets=True
        )
        yield from _asked(text, vocabulary, (_KEYED,), "tickets", "", today)
        return
    folders = [(term, place) for term in said if term not in _NO_FILES for place in names.folders(term)]
    for term, place in folders[:MOST_FOLDERS_MEANT]:
        if not (stated := facts.stated_below(place)):
            continue
        below = Condition((), folders=(place,), words=f"in {_path(place)}")
        files = facts.files_below([place])
        of_these = _stated_by(files, facts)
        vocabulary = CollectionVocabulary(names, FILE, _FILES, kinds={term: below}, relations=list(stated), stated=of_these)
        for question in _asked(text, vocabulary, (below,), _noun(found, term), f"in {_path(place)}", today):
            if any(one.relations == _KEYED.relations and one.values for one in question.conditions):
                continue  # what is asked of one ticket: "in which release was GEAR-12 fixed?"
            if question.conditions or question.group or _is_of_one_kind(stated, len(files)):
                yield question
    if not folders and _FILES & said.keys():
        yield from _asked(text, CollectionVocabulary(names, FILE, _FILES, relations=relations), (), "files", "", today)


def _relations_beside(files: Set[str], relations: list[str], facts: FactIndex) -> list[str]:
    """Those that files in the folders of some files state of themselves; all of them, where these lie in many."""
    folders = {f"{file.rpartition('/')[0]}/" for file in files}
    if len(folders) > MOST_FOLDERS:
        return relations
    stated = {relation for folder in folders for relation in facts.stated_below(folder)}
    return [one for one in relations if one in stated]


def _stated_by(files: Set[str], facts: FactIndex) -> ValuesOf:
    """The values (folded) that some files state for a relation."""

    @cache  # each word of a question may ask for the same
    def stated(relation: str) -> frozenset[str]:
        return frozenset(folded(value) for file, value in facts.values(FILE, (relation,)) if file in files)

    return stated


_KEYED = Condition(("key",), negated=True, words="tickets")


def _noun(found: Sequence[Token], term: str) -> str:
    """What the question calls the files of a folder: "incidents", "blog posts"."""
    at = next(at for at, token in enumerate(found) if term in wholes(token.text))
    more = found[at + 1].text if at + 1 < len(found) and first_term(found[at + 1].text) in _FILES else ""
    return f"{found[at].text} {more}".strip().casefold()


def _ticket_kinds(said: Mapping[str, str], names: Names) -> dict[str, Condition] | None:
    """The kinds of ticket that there are as files, by their terms; None where none is asked for."""
    if "key" not in names.of_files:
        return None
    kinds = {
        first_term(one): Condition(("type",), frozenset((one,)), words=one)
        for one in names.values_of("type", FILE)
        if " " not in one
    }
    return kinds if said.keys() & {*kinds, *map(first_term, (*TICKETS, "everything"))} else None


def _is_of_one_kind(stated: Mapping[str, int], files: int) -> bool:
    """Whether the files of a folder are things of one kind: half of them state the same of themselves."""
    return files >= FEWEST_FILES and max(stated.values(), default=0) * 2 >= files


def _asked(
    text: str, vocabulary: CollectionVocabulary, within: tuple[Condition, ...], noun: str, called: str, today: date
) -> Iterator[SetQuestion]:
    question = read_set(text, vocabulary, today, is_narrowing=bool(within))
    if question is None or not (vocabulary.is_plural or question.wanted == "count"):
        return
    conditions = tuple(one for one in question.conditions if not one.folders)
    yield replace(question, conditions=conditions, within=within, collection=FILE, noun=noun, called=called)


def _path(place: str) -> str:
    return "/".join(map(unescape, place.strip("/").split("/")[1:]))
