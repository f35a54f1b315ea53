"""Questions for sets that facts can tell: read with the vocabulary of what they are about."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tree.ask.facts.set_question import SetQuestion
from tree.ask.facts.set_reading import read_set
from tree.ask.facts.ticket_vocabulary import TicketVocabulary
from tree.retrieve.names import Names


def read_set_question(text: str, names: Names, today: date, is_narrowing: bool = False) -> SetQuestion | None:
    """A question for tickets that satisfy conditions; None when it is not one, or says more than conditions can."""
    found = read_set(text, TicketVocabulary(names), today, is_narrowing)
    ranked = next((one.relations[0] for one in found.conditions if one.rank), "") if found is not None else ""
    return replace(found, shown=ranked) if found is not None and ranked else found
