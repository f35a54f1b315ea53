"""Named facts: lines such as "Status: Done" that say outright what a question asks of the thing its leaf is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive.passages import quote
from prompts.language import terms
from prompts.question import Word
from prompts.records import LeafAnswer, LeafText

# What people say, and the names under which teams and their tools keep it.
_ASKED_AS = tuple(
    (re.compile(pattern, re.IGNORECASE), frozenset(names.split("|")))
    for pattern, names in (
        (r"\b(?:status|state|how far)\b", "status|state|resolution"),
        (r"^(?:is|was|are|were|has|have)\b.{1,200}\b(?:done|finished|closed|open|resolved|fixed|complete(?:d)?|released)\W*$", "status|resolution"),
        (r"\bassign(?:ed|ee)\b|\bwho(?:'s| is| are)? (?:working|works) on\b|\bresponsible for\b", "assignee|assigned to|owner|responsible"),
        (r"\bwho owns\b|\bowner of\b", "owner|owned by|responsible|assignee|lead"),
        (r"\b(?:who|by whom)\b.{0,200}\b(?:report(?:ed)?|filed?|raised?|opened|created)\b|\breporter\b", "reporter|reported by|creator|author"),
        (r"\bpriority\b|\bhow (?:urgent|important)\b", "priority"),
        (r"\b(?:severity|how severe)\b", "severity"),
        (r"\bdue\b|\bdeadline\b", "due|due date|deadline"),
        (r"\bwhen\b.{0,200}\b(?:created|opened|reported|filed|raised)\b", "created|reported|opened"),
        (r"\bwhen\b.{0,200}\b(?:resolved|closed|fixed|done|finished|completed)\b", "resolution|resolved|closed"),
        (r"\bwhen\b.{0,200}\b(?:updated|changed|touched)\b", "updated|last updated"),
        (r"\bsprint\b", "sprint|sprints"),
        (r"\bepic\b|\bparent\b", "epic|parent"),
        (r"\b(?:which|what) (?:version|release)s?\b|\bfix versions?\b|\breleased in\b", "fix versions|fix version|version|release"),
    )
)  # fmt: skip
_LINE = re.compile(r"^(?:[-*]\s+)?(?P<name>[A-Z][\w /&'()-]{0,40}?):[ \t]+(?P<value>\S.*)$", re.MULTILINE)
_ABOUT = 0.75  # of what else the question says must be in the title of the thing
_MANY = 60  # named lines; a leaf of more is a list, and none of them is about all of it


@dataclass(frozen=True, slots=True)
class Fact:
    start: int
    end: int
    name: str


def stated(question_text: str, carrying: Sequence[Word], leaf: LeafText) -> LeafAnswer | None:
    """The answer, where the question asks one thing for a named fact of it; else None."""
    title = set(terms(" ".join(leaf.heading)))
    known = list(_facts(leaf.text))
    if not title or not 0 < len(known) <= _MANY:
        return None
    found: list[Fact] = []
    spent: set[str] = set()
    for pattern, names in _ASKED_AS:
        if (match := pattern.search(question_text)) and (matching := [fact for fact in known if fact.name in names]):
            found += matching
            spent |= set(terms(match.group())) - title
    said = set(terms(question_text))
    for fact in known:
        own = set(terms(fact.name))
        if len(own) > 1 and own <= said:
            found.append(fact)
            spent |= own
    if not found or not _is_about(carrying, spent, title):
        return None
    spans = sorted({(fact.start, fact.end) for fact in found})
    names = " and ".join(dict.fromkeys(fact.name for fact in found))
    quotes = tuple(quote(leaf.text, *span) for span in spans)
    return LeafAnswer("complete", quotes, 1.0, f"It states its {names}.", is_stated=True)


def _facts(text: str) -> Iterator[Fact]:
    for match in _LINE.finditer(text):
        yield Fact(match.start("name"), match.end(), " ".join(match["name"].split()).casefold())


def _is_about(carrying: Sequence[Word], spent: set[str], title: set[str]) -> bool:
    """Whether the rest of the question names what the leaf is about."""
    rest = [word for word in carrying if word.whole not in spent]
    there = sum(word.weight for word in rest if word.whole in title or (word.parts and set(word.parts) <= title))
    return there > 0 and there >= _ABOUT * sum(word.weight for word in rest)
