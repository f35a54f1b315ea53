"""Whether facts answer a question as it is put: what tells one way to put it from another."""

from __future__ import annotations

from datetime import date

from tree.ask.facts.attribute import find_attribute
from tree.ask.facts.deputies import find_deputy
from tree.ask.facts.described_ticket import Described, find_described
from tree.ask.facts.fact_question import read_set_question
from tree.ask.facts.thing_sets import find_set
from tree.ask.facts.ticket_form import read_ticket_form
from tree.ask.facts.ticket_history import find_history
from tree.ask.facts.ticket_words import in_words_of_facts
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names

_PLACED = frozenset(("epic", "parent"))


def is_answered(text: str, names: Names, facts: FactIndex, today: date) -> bool:
    if find_history(text, names, facts, today) is not None or read_ticket_form(text, names, facts) is not None:
        return True
    asked = read_set_question(text, names, today)
    if asked is not None and asked.conditions and find_set(asked, facts, today) is not None:
        return True
    return (find_attribute(text, names, facts) or find_deputy(text, names, facts)) is not None


def tickets_meant(text: str, names: Names, facts: FactIndex, today: date) -> Described | None:
    """The tickets that a question describes, where facts answer it with a key in the place of these words and not as it is."""
    described = find_described(text, names, facts)
    if not described or is_answered(text, names, facts, today):
        return None
    return next((one for one in described if _is_answered_with(one, names, facts, today)), None)


def _is_answered_with(described: Described, names: Names, facts: FactIndex, today: date) -> bool:
    text = described.put(described.keys[0])
    is_told = any(is_answered(way, names, facts, today) for way in dict.fromkeys((text, in_words_of_facts(text))))
    return is_told and (described.is_called_ticket or not _is_asked_for_inside(text, described.keys[0], names, facts, today))


def _is_asked_for_inside(text: str, key: str, names: Names, facts: FactIndex, today: date) -> bool:
    """Whether it asks for tickets in this one, and none are: what is in a room that a title names is not in the ticket."""
    asked = read_set_question(text, names, today)
    inside = [one for one in asked.conditions if _PLACED & set(one.relations) and folded(key) in one.values] if asked else []
    return bool(inside) and not has_children(key, facts)


def has_children(key: str, facts: FactIndex) -> bool:
    """Whether tickets are stated to be part of this one."""
    return any(folded(id_) == folded(key) for _, _, id_ in facts.leading("ticket", sorted(_PLACED), "ticket"))
