"""Questions over the history of a ticket: what a field was before, on a day, since when, how often, for how long.

Told is when something held, as the ticket's own history says; when it was known here is another question (`--as-of`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from prompts.language import terms
from prompts.regex import regex
from prompts.timespans import Span, find_span
from tree.ask.facts.set_reading import without_names
from tree.ask.facts.ticket_form import MOVED
from tree.ask.facts.ticket_words import BY_WORD, CLOSED, NEGATIONS, TICKET_FILLERS
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Mention, Names, Token, tokens

Kind = Literal["before", "on", "since", "became", "often", "long", "first", "all", "unchanged"]

CHANGING = ("assignee", "status", "priority", "sprint")  # relations whose values a question may name
_BEFORE = regex(r"\b(?:before|previous(?:ly)?|formerly|used to be|earlier|last time)\b", re.IGNORECASE)
_SINCE = regex(r"\bsince when\b|\bhow long (?:has|have)\b", re.IGNORECASE)
_BECAME = regex(
    r"\bwhen\b.{0,80}\b(?:become|became|move[ds]?|go|went|get|got|set|change[ds]?|assigned|put|start(?:ed)?|turn(?:ed)?)\b",
    re.IGNORECASE,
)
_OFTEN = regex(r"\bhow (?:often|many times)\b", re.IGNORECASE)
_LONG = regex(r"\bhow long (?:was|were|did|is)\b", re.IGNORECASE)
_FIRST = regex(r"\b(?:first|initial(?:ly)?|original(?:ly)?|at the (?:beginning|start))\b", re.IGNORECASE)
_ALL = regex(r"\b(?:history|how did .{1,60} change|changes of)\b", re.IGNORECASE)
_MOVED = MOVED | {"move", "pushed", "delay", "slip"}  # of its date
_PUT_OFF = frozenset("put off back out again forward".split())
_CHANGED = frozenset("change changed changes reopened reassigned set put moved move got get gone go went become became".split())
# When it should first have been there: by its due date.
_PLANNED = regex(r"\Awhen (?:should|was|were|would|is)\b", re.IGNORECASE)
_MEANT = frozenset(
    """should supposed meant planned scheduled expected gone go live go-live golive ready finished done delivered completed complete released
    shipped out come over be""".split()
)
_WORDS = frozenset(
    """before previous previously formerly used earlier time times since often long first initial initially original originally beginning
    start started history change changes changed become became move moves moved go went get got set put turn turned into stay stayed was
    were held hold value same""".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class History:
    """What a question over time comes to: the values that answer it, in the order of time, and what was asked."""

    kind: Kind
    relation: str
    values: tuple[StoredFact, ...]
    now: StoredFact | None
    times: int = 0
    span: timedelta | None = None
    day: date | None = None
    value: str = ""


def find_history(text: str, names: Names, facts: FactIndex, today: date) -> History | None:
    """None where the question is not one over the time of one ticket."""
    found = tokens(text)
    mentions = names.find(found)
    ticket = next((mention for mention in mentions if "ticket" in mention.kinds), None)
    span = find_span(without_names(text, found, mentions), today)
    kind = _kind(text, span)
    if ticket is None or kind is None:
        return None
    held = [one for one in facts.about(ticket.names) if one.fact.subject.kind == "ticket"]
    value = _held_value(found, ticket, held) or next(
        (one for one in mentions if one is not ticket and one.relations & set(CHANGING)), None
    )
    relation = _relation(text, kind, found, ticket, value)
    if not relation or not _is_accounted(found, [ticket, *([value] if value else [])], span, relation):
        return None
    stated = [one for one in held if folded(one.fact.relation) == relation]
    stated.sort(key=lambda one: (one.fact.since, one.fact.until or "9"))
    if (
        kind in ("since", "before")
        and value is None
        and len(stated) == 1
        and not stated[0].fact.since
        and not stated[0].fact.until
    ):
        return _unchanged(relation, stated[0], facts, ticket)
    return _answer(kind, relation, stated, value, span, today) if stated else None


def _held_value(found: Sequence[Token], ticket: Mention, held: Iterable[StoredFact]) -> Mention | None:
    """A value that the ticket has or had, named by the question: the longest. It need not be known of any other ticket."""
    best: Mention | None = None
    for one in held:
        relation, words = folded(one.fact.relation), folded(one.fact.value).split()
        for at in range(len(found) - len(words) + 1 if relation in CHANGING and words else 0):
            is_it = [token.folded for token in found[at : at + len(words)]] == words
            is_apart = at + len(words) <= ticket.first or at >= ticket.last
            if is_it and is_apart and (best is None or len(words) > best.last - best.first):
                text = " ".join(token.text for token in found[at : at + len(words)])
                name = frozenset((" ".join(words),))
                best = Mention(at, at + len(words), text, name, frozenset(), frozenset((relation,)), frozenset())
    return best


def _unchanged(relation: str, now: StoredFact, facts: FactIndex, ticket: Mention) -> History | None:
    """Of a field of which the history has no change: what it is, and when the ticket was created."""
    created = facts.current(ticket.names, "ticket", ("created",))
    return History("unchanged", relation, (created[0], now), now) if len(created) == 1 and relation != "created" else None


def _kind(text: str, span: Span | None) -> Kind | None:
    for kind, pattern in (
        ("often", _OFTEN),
        ("since", _SINCE),
        ("long", _LONG),
        ("first", _FIRST),
        ("became", _BECAME),
        ("all", _ALL),
    ):
        if pattern.search(text):
            return kind  # type: ignore[return-value]  # one of the words above
    if span is not None and span.first == span.last:
        return "on"
    return "before" if _BEFORE.search(text) else None


def _relation(text: str, kind: Kind, found: Sequence[Token], ticket: Mention, value: Mention | None) -> str:
    """Empty where how often is asked of nothing that changes."""
    said = next((BY_WORD[token.text.casefold()] for at, token in enumerate(found)
                 if not ticket.first <= at < ticket.last and BY_WORD.get(token.text.casefold()) not in (None, "created", "updated", "resolved")), "")  # fmt: skip
    if said:
        return said
    if value is not None:
        return next(one for one in CHANGING if one in value.relations)
    low = {token.text.casefold() for token in found}
    if (kind == "often" and low & _MOVED and ("put" not in low or low & _PUT_OFF - {"again"})) or _is_planned(text, kind, low):
        return "due"
    if kind == "often" and not low & _CHANGED:
        return ""
    return "assignee" if found and found[0].text.casefold() == "who" else "status"


def _is_planned(text: str, kind: Kind, low: Set[str]) -> bool:
    return kind == "first" and _PLANNED.match(text.strip()) is not None and bool(low & _MEANT)


def _is_accounted(found: Sequence[Token], mentions: Sequence[Mention], span: Span | None, relation: str) -> bool:
    for at, token in enumerate(found):
        word = token.text.casefold()
        if word in NEGATIONS or word == "why":
            return False
        inside = any(mention.first <= at < mention.last for mention in mentions)
        if relation == "due" and word in _MOVED | _PUT_OFF | _MEANT:
            continue
        if word in CLOSED and not inside:
            return False  # a state that the ticket never had
        dated = span is not None and token.start < span.end and token.end > span.start
        if not (inside or dated or word in _WORDS or word in TICKET_FILLERS or BY_WORD.get(word) == relation or not terms(word)):
            return False
    return True


def _answer(
    kind: Kind, relation: str, stated: list[StoredFact], value: Mention | None, span: Span | None, today: date
) -> History | None:
    now = next((one for one in reversed(stated) if not one.fact.until), None)
    past = [one for one in stated if one.fact.until]
    named = [one for one in stated if value is not None and folded(one.fact.value) in value.names]
    match kind:
        case "before":
            if value is not None:
                earlier = stated[: stated.index(named[-1])] if named else []
                return History(kind, relation, (earlier[-1],), now) if earlier else None
            return History(kind, relation, (past[-1],), now) if past else None
        case "first":
            return History(kind, relation, (stated[0],), now)
        case "often":
            return History(kind, relation, tuple(stated), now, times=len(past))
        case "all":
            return History(kind, relation, tuple(stated), now)
        case "since":
            one = now if value is None or now in named else None
            return History(kind, relation, (one,), now, value=one.fact.value) if one is not None and one.fact.since else None
        case "became":
            one = named[-1] if named else now if value is None else None
            return History(kind, relation, (one,), now, value=one.fact.value) if one is not None and one.fact.since else None
        case "long":
            held = named or ([now] if now is not None and value is None else [])
            lasted = sum((_lasted(one, today) for one in held), timedelta())
            return History(kind, relation, tuple(held), now, span=lasted) if held and lasted else None
        case "on":
            day = span.first if span else today
            moment = day.isoformat()
            holding = [
                one for one in stated if one.fact.since[:10] <= moment and (not one.fact.until or one.fact.until[:10] > moment)
            ]
            return History(kind, relation, (holding[-1],), now, day=day) if holding else None
    return None


def _lasted(one: StoredFact, today: date) -> timedelta:
    if not one.fact.since:
        return timedelta()
    until = datetime.fromisoformat(one.fact.until) if one.fact.until else None
    since = datetime.fromisoformat(one.fact.since)
    return (until or datetime(today.year, today.month, today.day, tzinfo=since.tzinfo)) - since
