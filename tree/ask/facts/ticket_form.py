"""Questions over one ticket that no single fact answers: what is new of it, whether it is late, why its date was moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prompts.language import terms
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS
from tree.retrieve.fact_index import FactIndex, StoredFact
from tree.retrieve.names import Names, tokens

Form = Literal["news", "late", "why moved"]
LONGEST = 24  # words of such a question
_NEWS = frozenset("news update updates latest newest happening developments".split())
_LATE = frozenset("late overdue delayed behind".split())
_IN_TIME = frozenset("time schedule track".split())
MOVED = frozenset(
    """moved postponed delayed pushed shifted rescheduled slipped deferred put""".split()
)  # of a date, where no other field is named
_BESIDE: dict[Form, frozenset[str]] = {
    "news": _NEWS
    | frozenset("progress new last recent most comment comments word going happened goes state anything something".split()),
    "late": _LATE | _IN_TIME | frozenset("schedule already due date deadline past running its".split()),
    "why moved": MOVED | frozenset("why off back out again due date deadline later go-live".split()),
}
_TO_ANOTHER = frozenset("on back off out".split())  # "put off", "pushed back"


@dataclass(frozen=True, slots=True)
class TicketForm:
    """What is asked of which ticket."""

    form: Form
    stated: tuple[StoredFact, ...]  # of the ticket, also what held before


def read_ticket_form(text: str, names: Names, facts: FactIndex) -> TicketForm | None:
    """None where it is none of these, says more, or the ticket is not there."""
    found = tokens(text)
    tickets = [one for one in names.find(found) if "ticket" in one.kinds] if len(found) <= LONGEST else []
    if len(tickets) != 1:
        return None
    [ticket] = tickets
    words = [token.text.casefold() for at, token in enumerate(found) if not ticket.first <= at < ticket.last]
    form = _form(words)
    if form is None or set(words) & NEGATIONS or not all(_is_said(word, form) for word in words):
        return None
    stated = tuple(one for one in facts.about(ticket.names) if one.fact.subject.kind == "ticket")
    return TicketForm(form, stated) if stated else None


def _form(words: list[str]) -> Form | None:
    said = set(words)
    if words[:1] == ["why"] and said & MOVED and ("put" not in said or said & _TO_ANOTHER):
        return "why moved"
    if words[:1] in (["is"], ["are"], ["will"], ["isn't"]) and (said & _LATE or said & _IN_TIME):
        return "late"
    is_new = "new" in said and words[:1] in (["what"], ["what's"], ["whats"], ["anything"], ["something"], ["is"])
    is_new = is_new or words[:2] == ["any", "progress"]
    last_comment = said & {"last", "latest", "newest"} and "comment" in said
    return (
        "news" if words and (said & _NEWS or is_new or last_comment) and words[0] not in ("who", "when", "why", "how") else None
    )


def _is_said(word: str, form: Form) -> bool:
    return word in _BESIDE[form] or word in FILLERS or not terms(word)
