"""Questions for sets that facts can tell: read with the vocabulary of what they are about."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from prompts.regex import regex
from tree.ask.facts.set_question import SetQuestion
from tree.ask.facts.set_reading import read_set
from tree.ask.facts.ticket_vocabulary import TicketVocabulary
from tree.retrieve.names import Names

_ASKS_ELSE = regex(
    r"\b(?:what (?:do|must)|how (?:do|can|should)|where) (?:we|i|one|you|is|are|do)\b|\bwhat to do\b", re.IGNORECASE
)


def read_set_question(text: str, names: Names, today: date, is_narrowing: bool = False) -> SetQuestion | None:
    """A question for tickets that satisfy conditions; None when it is not one, or says more than conditions can."""
    if _ASKS_ELSE.search(text):
        return None  # "Beltline is down, what do we do and where are the cards?" names no set of tickets
    found = read_set(text, TicketVocabulary(names), today, is_narrowing)
    ranked = next((one.relations[0] for one in found.conditions if one.rank), "") if found is not None else ""
    return replace(found, shown=ranked) if found is not None and ranked else found
