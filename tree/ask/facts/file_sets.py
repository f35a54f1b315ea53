"""Whether all files of a set say in a form that is read what is asked of them: else the set is not known to be whole."""

from __future__ import annotations

from collections.abc import Iterator, Set

from prompts.regex import regex
from prompts.ticket_keys import TICKET_KEY
from tree.ask.facts.set_question import SetQuestion
from tree.ask.facts.state_words import columns_of_states
from tree.retrieve.fact_index import FactIndex
from tree.store.places import unescape

MOST_FOLDERS = 40  # of tickets, that are looked through for others
_KEYED = regex(rf"{TICKET_KEY}\.\w{{1,8}}\Z")  # the name of a file that is a ticket
_MAY_BE_BLANK = frozenset("assignee reporter component label sprint epic due version asset links".split())  # of tickets
_SAID_OF_ALL = frozenset(("priority", "severity"))  # beside states: who says none says it in another form


def unread_files(question: SetQuestion, whole: Set[str], facts: FactIndex) -> frozenset[str]:
    """Files (places) of which it is not known whether what is asked holds: those of the set that say nothing of a state or a priority
    that is asked about, nor of what files of a folder are asked not to have or few of them say; and those beside tickets that are
    called as tickets are and state no key."""
    are_tickets = any(one.relations == ("key",) for one in question.within)
    silent: set[str] = set()
    for condition in question.conditions:
        is_of_value = bool(condition.values or condition.span)
        for relation in condition.relations if not are_tickets or is_of_value else ():
            saying = whole & facts.holding(question.collection, [relation])
            is_said_of_all = is_of_value and (relation in _SAID_OF_ALL or bool(columns_of_states([relation])))
            is_of_few = not are_tickets and 2 * len(saying) < len(whole)
            is_of_few = is_of_few or (is_of_value and condition.negated and not (are_tickets and relation in _MAY_BE_BLANK))
            silent |= whole - saying if is_said_of_all or is_of_few else set()
    return frozenset({*silent, *(_called_alike(whole, facts) if are_tickets else ())})


def _called_alike(whole: Set[str], facts: FactIndex) -> Iterator[str]:
    folders = {f"{file.rpartition('/')[0]}/" for file in whole}
    if len(folders) > MOST_FOLDERS:
        return
    for file in facts.files_below(folders) - whole:
        if _KEYED.match(unescape(file.rpartition("/")[2])):
            yield file
