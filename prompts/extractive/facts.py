"""Named facts: lines such as "Status: Done" that say outright what a question asks of the thing its leaf is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from prompts.extractive.passages import quote
from prompts.language import terms
from prompts.question import Word
from prompts.records import LeafAnswer, LeafText
from prompts.regex import regex
from prompts.sentences import TEXTS_KEPT

# What people say, and the names under which teams and their tools keep it.
_ASKED_AS = tuple(
    (regex(pattern, re.IGNORECASE), frozenset(names.split("|")))
    for pattern, names in (
        (r"\b(?:status|state|how far)\b", "status|state|resolution|resolved"),
        (r"^(?:is|was|are|were|has|have)\b.{1,200}\b(?:done|finished|closed|open|resolved|fixed|complete(?:d)?|released)\W*$", "status|resolution|resolved"),
        (r"\bassign(?:ed|ee)\b|\bwho(?:'s| is| are)? (?:working|works) on\b|\bresponsible for\b", "assignee|assigned to|owner|responsible"),
        (r"\bwho owns\b|\bowner of\b", "owner|owned by|responsible|lead"),
        (r"\b(?:who owns|owner of) (?:the )?(?:(?:ticket|issue|bug|task|story)\b|[a-z][a-z0-9]+-\d)", "assignee"),
        (r"\b(?:who|by whom)\b.{0,200}\b(?:report(?:ed)?|filed?|raised?|opened|created)\b|\breporter\b", "reporter|reported by|creator|author"),
        (r"\bpriority\b|\bhow (?:urgent|important)\b", "priority"),
        (r"\b(?:severity|how severe)\b", "severity"),
        (r"\bdue\b|\bdeadline\b", "due|due date|deadline"),
        (r"\bwhen\b.{0,200}\b(?:created|opened|reported|filed|raised)\b", "created|reported|opened"),
        (r"\bwhen\b.{0,200}\b(?:resolved|closed|fixed|done|finished|completed)\b", "resolution|resolved|closed"),
        (r"\bwhen\b.{0,200}\b(?:updated|changed|touched)\b", "updated|last updated"),
        (r"\bsprint\b", "sprint|sprints"),
        (r"\bepic\b|\bparent\b", "epic|parent"),
        (r"\bwhat block(?:s|ed)\b|\bblocked by\b|\bblockers?\b|\bwaiting for\b", "is blocked by"),
        (r"^is\b.{1,200}\bblocked\b", "is blocked by|status"),
        (r"\b(?:what|which)\b.{0,80}\bdo(?:es)?\b.{1,200}\bblock\W*$", "blocks"),
        (r"\b(?:what|which)\b.{0,80}\brelat(?:ed|es)\b", "relates to"),
        (r"\bduplicat(?:e|ed|es)\b", "duplicates|is duplicated by"),
        (r"\bwhat caused\b|\bcaused by\b|\bcause of\b", "is caused by"),
        (r"\b(?:which|what) (?:version|release)s?\b|\bfix versions?\b|\breleased in\b", "fix versions|fix version|version|release"),
    )
)  # fmt: skip
_LINE = regex(r"^(?:[-*]\s+)?(?P<name>[A-Z][\w /&'()-]{0,40}?):[ \t]+(?P<value>\S.*)$", re.MULTILINE)
_LINK = regex(r"^- (?P<name>[a-z][a-z ]{3,30}?) (?P<value>[A-Z][A-Z0-9_]*-\d+ .+)$", re.MULTILINE)
_EVENT = regex(r"^- \d{4}-\d\d-\d\d \d\d:\d\d (?:UTC )?(?P<name>[A-Za-z][\w /-]{1,40}): (?P<value>.+ -> .+)$", re.MULTILINE)
_HEAD = regex(r"(?:- [A-Z][\w /&'()-]{0,40}?:[ \t]+\S.*(?:\n|\Z)){4,}")
UNASKED = 0.4  # what a named fact is worth less than a sentence, where it is not what was asked for
_CHAIN = regex(  # of another thing than the one that is named: "who works on what blocks the pier"
    r"\A\W*(?:who|whose|when|what|which|where|how)\b[^?]{1,200}?\b(?:what|whatever|whichever|that|which)(?: \w+){0,2} (?:(?:is|are) )?(?:block|depend|caus|duplicat|trigger|hold|stop|delay)\w*",
    re.IGNORECASE,
)
_OF_EACH = regex(
    r"\b(?:per|for each|for every|grouped by|broken down by|most|fewest)\b", re.IGNORECASE
)  # counts, and not one thing's
_BEFORE = regex(r"\b(?:before|previous(?:ly)?|formerly|used to be|histor(?:y|ies)|changed|moved)\b", re.IGNORECASE)
_ABOUT = 0.75  # of what else the question says must be in the title of the thing
_KINDS = frozenset(
    terms("ticket issue card task bug story epic version release new old last latest next current")
)  # of things: by these alone none is named
_MANY = 60  # named lines; a leaf of more is a list, and none of them is about all of it


@dataclass(frozen=True, slots=True)
class Fact:
    start: int
    end: int
    name: str


def stated(question_text: str, carrying: Sequence[Word], leaf: LeafText) -> LeafAnswer | None:
    """The answer, where the question asks one thing for a named fact of it; else None."""
    title = set(terms(" ".join(leaf.heading)))
    before = _BEFORE.search(question_text)
    known = list(_facts(leaf.text, (_EVENT,) if before else (_LINE, _LINK)))
    if not title or not 0 < len(known) <= _MANY or _CHAIN.search(question_text) or _OF_EACH.search(question_text):
        return None
    found: list[Fact] = []
    spent: set[str] = set(terms(before.group())) if before else set()
    for pattern, names in _ASKED_AS:
        if (match := pattern.search(question_text)) and (matching := [fact for fact in known if fact.name in names]):
            found += matching
            spent |= set(terms(_asking(match.group()) if "." in pattern.pattern else match.group())) - title
    said = set(terms(question_text))
    for fact in known:
        own = set(terms(fact.name))
        if len(own) > 1 and own <= said and {word.whole for word in carrying} <= own | title | spent | _KINDS:
            found.append(fact)
            spent |= own
    if not found or not _is_about(carrying, spent, title):
        return None
    spans = sorted({(fact.start, fact.end) for fact in found})
    stated_names = " and ".join(dict.fromkeys(fact.name for fact in found))
    quotes = tuple(quote(leaf.text, *span) for span in spans)
    return LeafAnswer("complete", quotes, 1.0, f"It states its {stated_names}.", is_stated=True)


def _asking(said: str) -> str:
    """The first and the last word of a part of a question, with which it asks for something of what stands between: "is ... done"."""
    words = said.split()
    return f"{words[0]} {words[-1]}"


@lru_cache(TEXTS_KEPT)
def spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where named facts of a ticket stand: the list at its head, its links, its history. They say little unless asked for."""
    head = _HEAD.match(text)
    listed = (match.span() for pattern in (_LINK, _EVENT) for match in pattern.finditer(text))
    return (*([head.span()] if head else []), *listed)


def are_all(text: str) -> bool:
    """Whether a text is nothing but named facts, as at the head of a ticket: no answer to a question that its title is."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return len(lines) > 2 and all(_LINE.match(line) for line in lines)


def _facts(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[Fact]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            start = match.start("name") if pattern is _LINE else match.start() + 2
            yield Fact(start, match.end(), " ".join(match["name"].split()).casefold())


def _is_about(carrying: Sequence[Word], spent: set[str], title: set[str]) -> bool:
    """Whether the rest of the question names what the leaf is about."""
    rest = [word for word in carrying if word.whole not in spent]
    if all(word.whole in _KINDS for word in rest):
        return False
    there = sum(word.weight for word in rest if word.whole in title or (word.parts and set(word.parts) <= title))
    return there > 0 and there >= _ABOUT * sum(word.weight for word in rest)
