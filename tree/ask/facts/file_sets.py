"""Whether all files of a set say in a form that is read what is asked of them: else the set is not known to be whole."""

from __future__ import annotations

from collections.abc import Iterator, Set

from prompts.regex import regex
from tree.ask.facts.set_question import SetQuestion
from tree.ask.facts.state_words import columns_of_states
from tree.retrieve.fact_index import FactIndex
from tree.store.places import unescape

MOST_FOLDERS = 40  # of tickets, that are looked through for others
_KEYED = regex(r"[A-Z][A-Z0-9]{0,14}-\d{1,8}\.\w{1,8}\Z")  # the name of a file that is a ticket
_SAID_OF_ALL = frozenset(("priority", "severity"))  # beside states: who says none says it in another form


def unread_files(question: SetQuestion, whole: Set[str], facts: FactIndex) -> frozenset[str]:
    """Files (places) of which it is not known whether what is asked holds: those of the set that say nothing of a state or a priority
    that is asked about, and those beside tickets that are called as tickets are and state no key."""
    collection = question.collection
    asked = [one for condition in question.conditions if condition.values for one in condition.relations]
    told = {one for one in asked if one in _SAID_OF_ALL or columns_of_states([one])}
    silent = {file for one in told for file in whole - facts.holding(collection, [one])}
    return frozenset({*silent, *_called_alike(question, whole, facts)})


def _called_alike(question: SetQuestion, whole: Set[str], facts: FactIndex) -> Iterator[str]:
    if not any(one.relations == ("key",) for one in question.within):
        return
    folders = {f"{file.rpartition('/')[0]}/" for file in whole}
    if len(folders) > MOST_FOLDERS:
        return
    for file in facts.files_below(folders) - whole:
        if _KEYED.match(unescape(file.rpartition("/")[2])):
            yield file
