"""Of passages that may help, those that were said later before those that they may have replaced: comments of a ticket, minutes under
the same topic, states that have come to be, editions of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from prompts.extractive.asked_values import DATE, NUMBER_OF_WHAT
from prompts.extractive.dates import Day
from prompts.extractive.editions import edition_of
from prompts.extractive.passages import quote, written_by
from prompts.extractive.rendering import Point, place_above
from prompts.extractive.rivals import dated
from prompts.extractive.section_days import CHAT_HEAD
from prompts.extractive.standing import asks_of_then
from prompts.extractive.tenses import says_what_moved
from prompts.extractive.tickets import TYPE
from prompts.language import terms
from prompts.question import Word
from prompts.records import LeafText
from prompts.regex import regex
from prompts.sentences import topic_of

FIRST_WORDS = 4  # of a sentence, in which it says what it is about
FEWEST_OF_SERIES = 3  # entries that begin with numbers of one kind
SAME_TOPIC = 3.0  # of worth that the best of a leaf may be behind, in which the same topic is looked for
AGAIN = frozenset(terms("again once more update cont continued"))  # in a topic: it has been talked about before
OLDER = 1.2  # what a passage is worth less of a document of which there is a newer edition
_ENTRY = regex(
    r"^[ \t]*(?:(?:[-*+•]|\(?\d{1,3}[.)]|[a-z]\))[ \t]+)?(?P<said>\S[^\n]*(?:\n(?!\s*(?:[-*+•#|=]|\(?\d{1,3}[.)]|[a-z]\)) )[ \t]+\S[^\n]*)*)",
    re.MULTILINE,
)
_LEAD_IN = regex(  # "Open day (26/26).", "3 Trolley B.", "26/22 Christmas lunch."
    r"[*_]{0,2}(?:\d{1,3}(?:[/-]\d{1,3})? )?(?P<topic>[^\W\d][\w'’&/-]*(?: [\w'’&/-]+){0,3})[*_]{0,2}(?: \([^()\n]{1,20}\))?(?:(?:[.:]|!+)[*_]{0,2}(?=\s)| [–—-] )"
)
_NUMBER = regex(
    r"(?<![\w/.-])(?:(?P<series>[A-Z]{1,4})-?\d{1,4}|(?:[A-Z]{1,4}-?)?\d{1,4}[/-]\d{1,4})(?![\w/-]|\.\d)"
)  # of a decision: "26-09", "D-35"
_OWN_NUMBER = regex(  # at the beginning of an entry, or of a sentence in it
    r"(?:^[ \t]*(?:(?:[-*+•]|\(?\d{1,3}[.)])[ \t]+)?|[.:;(?,] |\b[Dd]ecision |\bDECISION )[*_]{0,2}(?P<series>[A-Z]{1,4})-?\d{1,4}(?=[*_]{0,2}(?:[.:)]| ))",
    re.MULTILINE,
)
_PARTS = regex(r"(?<=[.:;!?])[*_]{0,2}\s")
_LEADING_NUMBER = regex(r"\A\W{0,4}(?:[A-Z]{1,4}-?\d{1,4}|\d{1,4}[/-]\d{1,4})[*_]{0,2}(?=[ :.)])[:.)]?")
_CHANGED = regex(
    r"\b(?:(?:is|are|was|were|has been) (?:\w+ ){0,2}(?:cancel\w*|postponed|withdrawn|dropped|moved|put (?:off|back)|called off|taken back|off)|cancel\w*|moves?|goes to|no longer|instead"
    r"|new (?:date|day|time|place|price)|starts? \w+ (?:days?|weeks?) (?:earlier|later))\b",
    re.IGNORECASE,
)
_STOP = regex(r"(?<=[.:])\s")
_SAYS_WHICH = regex(r"(?<!\d)20\d\d(?!\d)|\b(?:version|edition|v) ?\d", re.IGNORECASE)


class Topic(NamedTuple):
    """What an entry is about."""

    terms: frozenset[str]
    is_said: bool  # by the entry itself, and not by the heading above it


def newest_state(ranked: list[Point], asked: tuple[Word, Sequence[Word]]) -> list[Point]:
    """What says of the thing that it is so, and is newer than the best passage, before that; the newest first."""
    state, others = asked
    lead = dated(ranked[0].leaf, ranked[0].quote, "yes_no")
    newer: list[tuple[Day, Point]] = []
    for point in ranked[1:] if lead is not None else []:
        there = set(terms(point.quote.text))
        day = dated(point.leaf, point.quote, "yes_no")
        if (
            day is not None
            and lead is not None
            and day > lead
            and state.is_in(there)
            and any(word.is_in(there) for word in others)
        ):
            newer.append((day, point))
    if not newer:
        return ranked
    first = max(newer, key=lambda one: one[0])[1]
    return _put_first(first, ranked)


def newest_of_ticket(ranked: list[Point]) -> list[Point]:
    """What the newest comment says before the best passage, where that gives a day, or an amount, that an older comment of the same
    ticket says or its description, and the newest gives another."""
    lead, *others = ranked
    mine, form = next(
        ((values, form) for form in (DATE, NUMBER_OF_WHAT) if (values := set(form.findall(_best_of(lead))))), (set[str](), None)
    )
    if form is None or not lead.leaf.stated(TYPE):
        return ranked
    written = _written(lead)
    newer = [
        point
        for point in others
        if point.leaf is lead.leaf and _written(point) > written and not mine.issuperset(form.findall(point.quote.text))
    ]
    if not newer:
        return ranked
    first = max(newer, key=_written)
    return _put_first(first, ranked)


def newest_of_topic(ranked: list[Point], question: str) -> list[Point]:
    """What later minutes say under the topic of the best passage before that, "Christmas party": there it may have changed."""
    first = newest_entry(ranked[0], _leaves_near(ranked), question)
    if first is None:
        return ranked
    begins, ends = first.best
    same = next((one for one in ranked if one.leaf is first.leaf and begins <= one.best[0] < ends), first)
    return _put_first(same, ranked)


def newest_entry(lead: Point, among: Iterable[Point], question: str) -> Point | None:
    """The newest entry in the leaves of these points that is later than `lead` and has its topic; None where there is none.

    The question has to name the topic: all minutes have "Decisions". An entry that names the number of the decision, "26-09 is taken
    back", is of the same whatever it is about.
    """
    day = dated(lead.leaf, lead.quote, "when")
    if day is None:
        return None
    line, asked = _line_around(lead.leaf.text, lead.best[0] or lead.quote.start), set(terms(question))
    topic = _topic(lead.leaf, *line)
    numbers = _numbers_in(_head_of(lead.leaf.text[slice(*line)]), lead.leaf.text)
    of_lead = asked & set(terms(lead.leaf.text[slice(*line)]))
    if not (topic.terms & asked or numbers or of_lead):
        return None
    newer: list[tuple[Day, Point]] = []
    for one in among:
        for start, end in _lines(one.leaf.text):
            other = _topic(one.leaf, start, end)
            said_of = {match.group() for match in _NUMBER.finditer(one.leaf.text, start, end)}
            is_of_it = _are_of_one(topic, other, asked) or not numbers.isdisjoint(said_of)
            if not is_of_it and not _says_change(one.leaf.text[start:end], of_lead):
                continue
            said = quote(one.leaf.text, start, end)
            later = dated(one.leaf, said, "when")
            if later is not None and later > day:
                newer.append((later, Point(one.number, one.leaf, said, lead.worth, later, best=(start, end))))
    return max(newer, key=lambda one: one[0])[1] if newer else None


def _are_of_one(topic: Topic, other: Topic, asked: Set[str]) -> bool:
    """Whether two entries have one topic, which the question names: one that is said in fewer words, "Barrier" for "Car park barrier", or
    headings that are the same."""
    (one, is_lead), (two, is_other_lead) = topic, other
    is_shorter = is_lead and is_other_lead and (one <= two or two <= one)
    return bool(one & two & asked) and (one == two or is_shorter)


def says_change(text: str) -> bool:
    """Whether it says that something is no longer as it was: cancelled, moved, taken back."""
    return _CHANGED.search(text) is not None or says_what_moved(text, len(text))


def _says_change(entry: str, of_lead: Set[str]) -> bool:
    """Whether a sentence of an entry begins with two of these words, or one that is a number such as 2.9.0, and says what has changed:
    "Field day is cancelled"."""
    for part in _PARTS.split(entry):
        if _CHANGED.search(part) is None:
            continue
        begins = of_lead & set(terms(" ".join(_LEADING_NUMBER.sub("", part).split()[:FIRST_WORDS])))
        if len(begins) > 1 or any("." in term and term[:1].isdigit() for term in begins):
            return True
    return False


def _leaves_near(ranked: Sequence[Point]) -> list[Point]:
    """The best point of each leaf that has one hardly worse than the best of all."""
    best: dict[int, Point] = {}
    for point in ranked:
        if point.worth >= ranked[0].worth - SAME_TOPIC:
            best.setdefault(id(point.leaf), point)
    return [*best.values()]


def _line_around(text: str, at: int) -> tuple[int, int]:
    return next(((start, end) for start, end in _lines(text) if start <= at < end), (at, at))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """The entries of a text: lines with those that go on with them, indented and no items; without their marks, none empty."""
    return ((match.start("said"), match.end("said")) for match in _ENTRY.finditer(text))


def _numbers_in(said: str, text: str) -> set[str]:
    """The numbers of decisions in the head of an entry; those that begin with letters where the text has a series of them: "SL-12" may be
    anything."""
    series = Counter(match["series"] for match in _OWN_NUMBER.finditer(text))
    return {
        match.group()
        for match in _NUMBER.finditer(said)
        if match["series"] is None or series[match["series"]] >= FEWEST_OF_SERIES
    }


def _head_of(line: str) -> str:
    """The part of an entry in which it says its number: up to the end of its third sentence."""
    return " ".join(_STOP.split(line)[:3])


def older_editions_less(points: list[Point], question: str) -> list[Point]:
    """Each worth less that is of an older edition of a document than another of them: "Price list 2025" beside that of 2026; not where
    the question says which, or asks how it was."""
    if _SAYS_WHICH.search(question) or asks_of_then(question):
        return points
    editions = {id(point.leaf): edition_of(point.leaf.heading[0] if point.leaf.heading else "") for point in points}
    known = list({one for one in editions.values() if one is not None})
    older = {id_ for id_, own in editions.items() if own is not None and any(own.is_before(other) for other in known)}
    return [replace(point, worth=point.worth - OLDER) if id(point.leaf) in older else point for point in points]


def _put_first(first: Point, ranked: Sequence[Point]) -> list[Point]:
    return [replace(first, worth=ranked[0].worth), *(point for point in ranked if point is not first)]


def _topic(leaf: LeafText, start: int, end: int) -> Topic:
    """The topic that an entry begins with, in bold or as a word or a few, "Car park barrier: three quotes", or that of the heading right
    above it; none where that is the title."""
    said = CHAT_HEAD.sub("", leaf.text[start:end], count=1)
    lead = _LEAD_IN.match(said)
    above = place_above(leaf, start).split(" › ") if lead is None else []
    heading = above[-1] if len(above) > 1 else ""
    bold = topic_of(said)
    topic = bold or (lead["topic"] if lead is not None else heading)
    return Topic(frozenset(term for term in terms(topic) if not term.isdigit()) - AGAIN, bool(bold) or lead is not None)


def _best_of(point: Point) -> str:
    return point.leaf.text[slice(*point.best)]


def _written(point: Point) -> str:
    """When the comment was written that a point is of; empty for a description."""
    author = written_by(point.leaf, point.best[0])
    return author[1] if author is not None else ""
