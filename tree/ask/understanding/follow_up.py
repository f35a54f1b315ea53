"""A follow-up that facts can answer: it narrows the set before it, or leaves out a name that the chat gave.

Nothing of an earlier answer is used: what "them", "it" or "he" stands for is looked up anew in the snapshot of this question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from prompts.follow_up import TURNS
from prompts.language import terms
from prompts.question import analyse
from prompts.regex import regex
from prompts.timespans import find_span
from tree.ask.facts.answered import is_answered
from tree.ask.facts.attribute import find_attribute
from tree.ask.facts.collection_question import read_collections
from tree.ask.facts.fact_question import read_set_question
from tree.ask.facts.set_question import SetQuestion
from tree.ask.facts.thing_sets import find_set
from tree.ask.facts.ticket_history import find_history
from tree.ask.facts.ticket_words import BY_WORD, in_words_of_facts
from tree.ask.snapshot.chart import without_chart_words
from tree.ask.understanding.item_question import read_item_question
from tree.ask.understanding.narrowing import described_set, narrow
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Mention, Names, tokens

_LEAD_IN = regex(
    r"\A\W*(?:(?:and|but|ok|okay|so|then|now|also|what about|how about|what of|same for|the same for)\b[\s,]*){1,4}",
    re.IGNORECASE,
)
_AMOUNT = regex(r"(?<![\w.,:/-])\d[\d.,']*k?(?![\w:/-])")
_AMOUNT_ALONE = regex(
    r"\A\W*(?:and|what about|how about|or)\b[\s,]*(?:for |with |of |at )?(?P<amount>\d[\d.,']*\d|\d)k?(?: ?(?:€|\$|£|%|euros?|EUR|CHF|pieces|people|persons))?\W*\Z",
    re.IGNORECASE,
)
_STEP_ALONE = regex(  # "step 3?", "what was the second step again"
    r"\A\W*(?:(?:and|so|ok|what|what['’]?s|which|is|was|about|how|show|tell|me|again)\b[\s,]*){0,4}(?:the )?"
    r"(?:step (?:no\.? ?)?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)|(?:first|second|third|fourth|fifth|sixth|next|last) step)(?: again)?\W*\Z",
    re.IGNORECASE,
)
_OF_ANOTHER = regex(
    r"\A\W*(?:and|what about|how about|(?:the )?same)\b[\s,]*(?:for|of|in|at|with|from)\b", re.IGNORECASE
)  # and of it alone
_TO_COME = regex(r"\b(?:next (?:week|month|year)|tomorrow)\b", re.IGNORECASE)
_WEEK = regex(
    r"\b(?:calendar )?(?:week|wk|kw|cw|kalenderwoche|semaine) (?:no\.? ?)?\d{1,2}\b(?! (?:days|hours))|\bw\d{2}\b", re.IGNORECASE
)
_TIME_WORDS = regex(r"\b(?:in|on|at|for|during|the|of|from|beginning|starting|week|month|day)\b", re.IGNORECASE)
_IT = regex(
    r"\b(?:its|it|this (?:ticket|one|component|team|ship|page)|that (?:ticket|one|component|team|ship|page)"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )there(?! (?:is|are|was|were)\b)"  # and not "how many are there per status?"
    r"|(?:this|that)(?=\W*\Z| (?:late|overdue|due|done|finished|blocked|moved|put|postponed|delayed)\b))\b",
    re.IGNORECASE,
)
_THAT = regex(r"\bthat \w+", re.IGNORECASE)  # what the answer was, rather than what was asked about
_PERSON = regex(r"\b(?:he|she|him|her|his|hers|that person|they|them|their)\b", re.IGNORECASE)
_ELSE = regex(r"(?<=\w) else\b", re.IGNORECASE)
_WHICH = regex(r"\W*(?:which|what|how many|list|show)\b", re.IGNORECASE)
_ALL_THERE_ARE = regex(r"\W*(?:which|what|how many) (?:\w+ ){1,3}(?:are|were) there\W*\Z", re.IGNORECASE)
_FEW = 6  # words of a question that leaves out what it is about


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question understood with the chat: `text` is what it asks in full, `narrowing` what it asks of the set before it, if it does."""

    text: str
    narrowing: SetQuestion | None = None


def follow_up(question: str, earlier: Sequence[str], names: Names, facts: FactIndex, today: date) -> FollowUp | None:
    """None where it stands by itself, or is not understood as either. `earlier`: the questions before it, the oldest first."""
    chat = _Chat()
    for text in [text for text in earlier if text.strip()][-TURNS:]:
        chat = _after(text, chat, _understood(text, chat, names, facts, today), names, facts, today)
    return _understood(question, chat, names, facts, today)


def at_another_time(question: str, before: str, day: date) -> str | None:
    """The question before, of another time, where this one says nothing else: "and in the week of 7 December?"."""
    bare = _LEAD_IN.sub("", question).strip(" ?.!")
    told, was = _time_in(bare, day), _time_in(before, day)
    if told is None or was is None or not _LEAD_IN.match(question):
        return None
    rest = f"{bare[: told[0]]} {bare[told[1] :]}"
    return f"{before[: was[0]]}{bare}{before[was[1] :]}" if not terms(_TIME_WORDS.sub(" ", rest)) else None


def of_another_amount(question: str, before: str) -> str | None:
    """The question before, of another amount, where this one says nothing else: "and for 60,000?"."""
    asked, was = _AMOUNT_ALONE.match(question), list(_AMOUNT.finditer(before))
    return f"{before[: was[0].start()]}{asked['amount']}{before[was[0].end() :]}" if asked is not None and len(was) == 1 else None


def of_a_step(question: str, before: str) -> str | None:
    """The question before, whose steps this one asks for one of: "and step 3?"."""
    return before if _STEP_ALONE.match(question) and analyse(before).kind == "how_to" else None


def _time_in(text: str, day: date) -> tuple[int, int] | None:
    """Where a text names a time."""
    if (match := _TO_COME.search(text) or _WEEK.search(text)) is not None:
        return match.span()
    span = find_span(text, day)
    return (span.start, span.end) if span is not None else None


@dataclass(frozen=True, slots=True)
class _Chat:
    """What a chat has come to: its last question in full, and the set of things that it left behind."""

    text: str = ""
    left: SetQuestion | None = None


def _understood(question: str, chat: _Chat, names: Names, facts: FactIndex, today: date) -> FollowUp | None:
    asked = narrow(question, chat.left, names, facts, today) if chat.left is not None else None
    if asked is not None and find_set(asked, facts, today) is not None:
        return FollowUp(f"{question.strip()} (of the {described_set(asked)})", asked)
    completed = _in_full(question, chat.text, names, facts, today) if chat.text else question
    return FollowUp(completed) if completed != question else None


def _after(text: str, chat: _Chat, found: FollowUp | None, names: Names, facts: FactIndex, today: date) -> _Chat:
    """A question about one ticket, or without a word of its own, does not end a set: "them" cannot mean one ticket.

    Nor can it mean none: after "which of them are overdue?" with none, it is again those of which that was asked.
    """
    if found is not None and (asked := found.narrowing) is not None:
        left = find_set(asked, facts, today)
        is_empty = left is not None and not left.keys
        return _Chat(chat.text, replace(asked, wanted="list", conditions=asked.within, within=()) if is_empty else asked)
    full = found.text if found is not None else text
    own = read_set_question(without_chart_words(full) or full, names, today)
    if own is not None and (not own.conditions or find_set(own, facts, today) is not None):
        return _Chat(full, own)
    if own is None and (rows := _rows(full, names, facts, today)) is not None:
        return _Chat(full, rows)
    is_known = found is not None or not chat.text or bool(names.find(tokens(text)))
    is_of_one = found is not None or bool(analyse(text).keys) or not terms(text)
    return _Chat(full if is_known else chat.text, chat.left if is_of_one else None)


def _rows(text: str, names: Names, facts: FactIndex, today: date) -> SetQuestion | None:
    """The one set of rows or files that a question was answered with; None where it was answered otherwise."""
    if read_item_question(text, names, lambda _: {}, today) is not None:
        return None
    asked = [one for one in read_collections(text, names, facts, today) if find_set(one, facts, today) is not None]
    return asked[0] if len(asked) == 1 else None


def _in_full(question: str, before: str, names: Names, facts: FactIndex, today: date) -> str:
    """The first way to put it in full that facts answer; as it is where it needs no more, or there is none."""
    bare = _ELSE.sub("", _LEAD_IN.sub("", question)).strip()
    named = names.find(tokens(before))
    swapped = _swapped(bare, before, named, names)
    if swapped is not None and (_OF_ANOTHER.match(question) or is_answered(swapped, names, facts, today)):
        return swapped
    if is_answered(question, names, facts, today) or _asks_for_all(question, names, facts, today):
        return question
    ways = _ways(bare, before, named, names, facts, today)
    said = (text for way in ways for text in dict.fromkeys((way, in_words_of_facts(way))))
    return next((text for text in said if is_answered(text, names, facts, today)), question)


def _asks_for_all(question: str, names: Names, facts: FactIndex, today: date) -> bool:
    """Whether it asks for all things of a kind, or under another condition, in full: "which products are out of stock?"."""
    if _ALL_THERE_ARE.match(question):
        return True
    asked = read_collections(question, names, facts, today) if _WHICH.match(question) else []
    return any(one.conditions or one.group for one in asked)


def _ways(bare: str, before: str, named: Sequence[Mention], names: Names, facts: FactIndex, today: date) -> Iterator[str]:
    named = [one for one in named if folded(one.text) in one.names or one.text[:1].isupper()]
    things = [one.text for one in named if "person" not in one.objects or "ticket" in one.kinds]
    persons = [one.text for one in named if "person" in one.objects]
    if _IT.search(bare):
        yield from (_put(one, _IT, bare) for one in _led_to(before, names, facts))
    answers = list(_answers(before, names, facts, today))
    if not answers and len(named) > 1:
        return  # which of them is meant is anybody's guess
    if _PERSON.search(bare):
        yield from (_put(one, _PERSON, bare) for one in (*(name for name, is_person in answers if is_person), *persons))
    if _IT.search(bare):
        told = [name for name, _ in answers]
        found = (*told, *things, *persons) if _THAT.search(bare) else (*things, *told, *persons)
        yield from (_put(one, _IT, bare) for one in dict.fromkeys(found))
    elif not _PERSON.search(bare) and not names.find(tokens(bare)) and len(bare.split()) <= _FEW:
        yield from _with_what_was_left_out(bare, before, [*things, *persons])


def _led_to(before: str, names: Names, facts: FactIndex) -> Iterator[str]:
    """What "it" is after a question for the tickets that one is linked to, or for something of these: these, not the one."""
    said = in_words_of_facts(before)
    found = find_attribute(said, names, facts)
    if found is None or found.is_reverse:
        return
    if found.way:
        keys = {one.fact.subject.id for one in found.facts if one.fact.subject.kind == "ticket"}
    else:
        keys = {one.fact.object.id for one in found.facts if _is_linked(one) and one.fact.object is not None}
    if len(keys) == 1:
        yield from keys
    elif keys and not found.way and said.casefold().startswith("what "):
        yield said.strip(" ?.!")  # "who has what blocks GWY-303"


def _is_linked(one: StoredFact) -> bool:
    is_part = folded(one.fact.relation) in ("epic", "parent")
    return one.fact.subject.kind == "ticket" and one.fact.object is not None and one.fact.object.kind == "ticket" and not is_part


def _put(name: str, pattern: re.Pattern[str], text: str) -> str:
    """A text with a name for the first word that points at it."""
    match = pattern.search(text)
    return f"{text[: match.start()]}{name}{text[match.end() :]}" if match else text


def _swapped(bare: str, before: str, named: Sequence[Mention], names: Names) -> str | None:
    """ "and GWY-304?": the question before it, of another thing of the same kind. None where it is not that."""
    found = tokens(bare)
    mentions = names.find(found)
    if len(mentions) != 1 or mentions[0].last - mentions[0].first < len(
        [one for one in found if one.folded not in ("the", "of", "for", "to", "in")]
    ):
        return None
    [new] = mentions
    known = tokens(before)
    for old in named:
        if (old.kinds & new.kinds or old.objects & new.objects) and old.names != new.names:
            start, end = known[old.first].start, known[old.last - 1].end
            return f"{before[:start]}{new.text}{before[end:]}"
    return None


def _answers(text: str, names: Names, facts: FactIndex, today: date) -> Iterator[tuple[str, bool]]:
    """What facts answer to a question now, one thing at most: as it is called, and whether that is a person."""
    if (history := find_history(text, names, facts, today)) is not None:
        if history.now is not None:
            yield history.now.fact.value, _is_person(history.now)
        return
    found = find_attribute(text, names, facts)
    values = {fact.fact.subject.name if found.is_reverse else fact.fact.value: fact for fact in found.facts} if found else {}
    if found is not None and len(values) == 1:
        [(value, fact)] = values.items()
        yield value, fact.fact.subject.kind == "person" if found.is_reverse else _is_person(fact)


def _is_person(fact: StoredFact) -> bool:
    return fact.fact.object is not None and fact.fact.object.kind == "person"


def _with_what_was_left_out(bare: str, before: str, things: Sequence[str]) -> Iterator[str]:
    """ "since when?" after "who is assigned to GWY-303?": of the same relation, and of the thing itself."""
    said = [token.text for token in tokens(before) if token.text.casefold() in BY_WORD]
    has_relation = any(token.text.casefold() in BY_WORD for token in tokens(bare))
    for thing in things:
        if said and not has_relation:
            yield f"{bare.rstrip(' ?.!')} {said[-1]} {thing}"
        yield f"{bare.rstrip(' ?.!')} {thing}"
