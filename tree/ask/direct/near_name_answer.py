"""What is known of the one name near to a name that a question misspells: shown as that, and never as the answer."""

from __future__ import annotations

import re
from dataclasses import replace

from prompts.extractive import as_text
from prompts.other_languages import language_of
from prompts.question import analyse
from prompts.regex import regex
from tree.ask.direct.shortcuts import answer_directly
from tree.ask.facts.fact_question import read_set_question
from tree.ask.facts.ticket_words import STATES, TICKET_FILLERS, TICKETS
from tree.ask.snapshot.corrections import find_corrections, missing_words
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.understanding.understand import Understanding
from tree.retrieve.names import tokens

_NOUN_OF = regex(r"\b(?:the|our|this|that) \w+ (?:of|with|for|at|from) \w", re.IGNORECASE)
_OF_TICKETS = TICKETS | STATES | TICKET_FILLERS  # words for tickets, which need not occur in them


def unknown_name(text: str, snapshot: Snapshot) -> str:
    """The one word of a question for tickets that occurs nowhere; empty where there is none, or without it none are asked for."""
    missing = [word for word in missing_words(text, snapshot) if word.casefold() not in _OF_TICKETS]
    if len(missing) != 1 or language_of(text) is not None:
        return ""
    without = text.replace(missing[0], " ", 1)
    return missing[0] if read_set_question(without, snapshot.index.names(snapshot.scope), today(snapshot)) is not None else ""


def answer_by_near_name(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """None where all words of the question occur, where more than one name is near, or nothing is known exactly of that either."""
    text = understanding.text
    if (told := _of_what_it_is_of(snapshot, understanding)) is not None:
        return told
    corrections = find_corrections(text, snapshot) or find_corrections(text, snapshot, with_words=True)  # a part of a name
    if len(corrections) != 1:
        return None
    [near] = corrections
    told = answer_directly(snapshot, replace(understanding, text=near.question, analysis=analyse(near.question)))
    if told is None or told.verdict == "none" or told.step is None:
        return None
    there = {token.text for token in tokens(near.question)}
    missing = " ".join(token.text for token in tokens(text) if token.text not in there)
    lead = Line(f"Nothing has the name “{as_text(missing)}”. If {as_text(near.name)} is meant:\n\n")
    step = replace(told.step, reason=f"“{missing}” occurs nowhere; it was looked up as “{near.name}”. {told.step.reason}")
    return replace(told, step=step, lines=(lead, *told.lines), verdict="partial", stated=None, may_be_outdated=False)


def _of_what_it_is_of(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The answer without the one noun that occurs nowhere, of what it is said to be of: "the contract of Quay ends" as "Quay ends"."""
    missing = missing_words(understanding.text, snapshot) if _NOUN_OF.search(understanding.text) else []
    if len(missing) != 1:
        return None
    held = re.compile(rf"\b(?:the|our|this|that) {re.escape(missing[0])} (?:of|with|for|at|from) (?=\w)", re.IGNORECASE)
    without = held.sub("", understanding.text, count=1)
    if without == understanding.text:
        return None
    told = answer_directly(snapshot, replace(understanding, text=without, analysis=analyse(without)))
    if told is None or told.stated is None or told.step is None:
        return None
    lead = Line(f"“{as_text(missing[0])}” occurs nowhere. Of {as_text(told.stated.subject)}:\n\n")
    step = replace(told.step, reason=f"“{missing[0]}” occurs nowhere; it was left out. {told.step.reason}")
    return replace(told, step=step, lines=(lead, *told.lines), verdict="partial", stated=None, may_be_outdated=False)
