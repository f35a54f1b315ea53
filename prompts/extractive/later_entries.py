"""What was said later of the same thing: the entry of later minutes, or the line of a chat, that has the topic of another, names the number
of its decision, or says that it is cancelled or moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from prompts.extractive.dates import Day
from prompts.extractive.passages import quote
from prompts.extractive.rendering import Point, place_above
from prompts.extractive.rivals import dated
from prompts.extractive.section_days import CHAT_HEAD
from prompts.extractive.tenses import says_what_moved
from prompts.language import terms
from prompts.months import MONTH
from prompts.records import LeafText
from prompts.regex import regex
from prompts.sentences import topic_of

FIRST_WORDS = 4  # of a sentence, in which it says what it is about
FEWEST_OF_SERIES = 3  # entries that begin with numbers of one kind
AGAIN = frozenset(terms("again once more update cont continued"))  # in a topic: it has been talked about before
_LABELS = frozenset(
    terms("decision decisions decided agreed action actions note notes outcome result resolved update status beschluss décision")
)
_ENTRY = regex(
    r"^[ \t]*(?:(?:[-*+•]|\(?\d{1,3}[.)]|[a-z]\))[ \t]+)?(?P<said>\S[^\n]*(?:\n(?!\s*(?:[-*+•#|=]|\(?\d{1,3}[.)]|[a-z]\)) )[ \t]+\S[^\n]*)*)",
    re.MULTILINE,
)
_LEAD_IN = regex(  # "Open day (26/26).", "3 Trolley B.", "26/22 Christmas lunch."
    r"[*_]{0,2}(?:\d{1,3}(?:[/-]\d{1,3})? )?(?P<topic>[^\W\d][\w'’&/-]*(?: [\w'’&/-]+){0,3})[*_]{0,2}(?: \([^()\n]{1,20}\))?(?:(?:[.:]|!+)[*_]{0,2}(?=\s)| [–—-] )"
)
_NUMBER = regex(  # of a decision: "26-09", "D-35"
    r"(?<![\w/.-])(?:(?P<series>[A-Z]{1,4})-?\d{1,4}|(?:[A-Z]{1,4}-?)?\d{1,4}[/-]\d{1,4})(?![\w/-]|\.\d)"
)
_OWN_NUMBER = regex(  # at the beginning of an entry, or of a sentence in it
    r"(?:^[ \t]*(?:(?:[-*+•]|\(?\d{1,3}[.)])[ \t]+)?|[.:;(?,] |\b[Dd]ecision |\bDECISION )[*_]{0,2}(?P<series>[A-Z]{1,4})-?\d{1,4}(?=[*_]{0,2}(?:[.:)]| ))",
    re.MULTILINE,
)
_PARTS = regex(r"(?<=[.:;!?])[*_]{0,2}\s")
_LEADING_NUMBER = regex(r"\A\W{0,4}(?:[A-Z]{1,4}-?\d{1,4}|\d{1,4}[/-]\d{1,4})[*_]{0,2}(?=[ :.)])[:.)]?")
_CHANGED = regex(
    r"\b(?:(?:is|are|was|were|has been) (?:\w+ ){0,2}(?:cancel\w*|postponed|withdrawn|dropped|moved|put (?:off|back)|called off|taken back|off)|cancel\w*|moves?|goes to|no longer|instead"
    r"|new (?:date|day|time|place|price)|(?:starts?|begins?|ends?) (?:\w+ ){1,2}(?:days?|weeks?|months?) (?:earlier|later))\b",
    re.IGNORECASE,
)
_SUBJECT = regex(r"(?:Subject|Betreff|Objet): (?:(?:Re|Fwd?|AW|WG|TR): )*(?P<topic>[^\n]{2,80})")  # of a mail
_DAY = regex(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th|\.)? {MONTH}|{MONTH} \d{{1,2}})\b")  # "Open evening 21 January"
_BEHIND = regex(r"\b(?:for|of|in|at|on|with|from|to)\b", re.IGNORECASE)
_SENTENCE = regex(
    r"\A(?:now|started|starts|stays?|agreed|done|moved|still|not|no|yes)\b|\b(?:is|are|was|were|has|have|had|will|can|may|must|should|did|does|do|went|goes|came|comes)\b",
    re.IGNORECASE,
)  # of a few words, and no title
_STOP = regex(r"(?<=[.:])\s")
_HEAD_OF_ITEM = regex(  # "3) freeze", "4. Office hours - CHANGED", alone in its line
    r"[ \t]*\(?\d{1,2}[.)][ \t]+(?P<topic>(?:[^\W\d][\w'’&/-]*|\d+\.\d[\w.]*)(?: [\w'’&/-]+){0,3}?)(?: [–—-]{1,2} [A-Z]{4,12})?:?[ \t]*\Z"
)


class Topic(NamedTuple):
    """What an entry is about."""

    terms: frozenset[str]
    is_said: bool  # by the entry itself, and not by the heading above it
    head: str = ""  # the term of what it is: "pause" of "Christmas pause for adoptions"


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
    name = _name_of_row(lead.leaf.text[slice(*line)])
    name = name if name <= asked else frozenset()
    if not (topic.terms & asked or numbers or of_lead):
        return None
    newer: list[tuple[Day, Point]] = []
    for one in among:
        for start, end in entries(one.leaf.text):
            if one.leaf.text.startswith("#", start):
                continue  # a heading says nothing of what is above it
            other = _topic(one.leaf, start, end)
            said_of = {match.group() for match in _NUMBER.finditer(one.leaf.text, start, end)}
            is_of_it = _are_of_one(topic, other, asked) or not numbers.isdisjoint(said_of)
            is_of_it = is_of_it or (bool(other.terms) and other.terms <= of_lead and says_change(one.leaf.text[start:end]))
            if not is_of_it and not _changes_it(one.leaf.text[start:end], of_lead, name):
                continue
            said = quote(one.leaf.text, start, end)
            later = dated(one.leaf, said, "when")
            if later is not None and later > day:
                newer.append((later, Point(one.number, one.leaf, said, lead.worth, later, best=(start, end))))
    return max(newer, key=lambda one: one[0])[1] if newer else None


def entries(text: str) -> Iterator[tuple[int, int]]:
    """The entries of a text: lines with those that go on with them, indented and no items; without their marks, none empty."""
    return ((match.start("said"), match.end("said")) for match in _ENTRY.finditer(text))


def topic_at(leaf: LeafText, at: int) -> frozenset[str]:
    """The topic that the entry at a place of a text begins with, as terms; empty where it begins with none."""
    topic = _topic(leaf, *_line_around(leaf.text, at))
    return topic.terms if topic.is_said else frozenset()


def topic_of_entry(leaf: LeafText, at: int) -> frozenset[str]:
    """The topic of the entry at a place of a text, as terms: that it begins with, or the heading right above it."""
    return _topic(leaf, *_line_around(leaf.text, at)).terms


def _are_of_one(topic: Topic, other: Topic, asked: Set[str]) -> bool:
    """Whether two entries have one topic, which the question names: one that is said in fewer words, "Barrier" for "Car park barrier", or
    headings that are the same."""
    (one, is_lead, head), (two, is_other_lead, other_head) = topic, other
    is_shorter = (is_lead or is_other_lead) and (one <= two or two <= one)
    is_one_word = len(one) != len(two) and min(len(one), len(two)) == 1
    if is_shorter and (is_one_word or not (is_lead and is_other_lead)):
        is_shorter = head == other_head  # "Barrier" is "Car park barrier", "Christmas" is no party
    is_named = (
        is_other_lead and len(two & asked) > 1 and two <= one
    )  # below "Save the date: open evening", and "Open evening" in minutes
    return bool(one & two & asked) and (one == two or is_shorter or is_named)


def says_change(text: str) -> bool:
    """Whether it says that something is no longer as it was: cancelled, moved, taken back."""
    return _CHANGED.search(text) is not None or says_what_moved(text, len(text))


def _name_of_row(line: str) -> frozenset[str]:
    """The terms of the first cell of a row of a table, by which it goes; empty for any other line."""
    cells = [cell for cell in line.split("|") if cell.strip()] if line.startswith("|") else []
    return frozenset(terms(cells[0])) if cells else frozenset()


def _changes_it(entry: str, of_lead: Set[str], name: Set[str]) -> bool:
    """Whether a sentence of an entry begins with two of these words, one that is a number such as 2.9.0, or the `name` of a row, and says
    what has changed: "Field day is cancelled"."""
    for part in _PARTS.split(entry):
        if _CHANGED.search(part) is None:
            continue
        begins = of_lead & set(terms(" ".join(_LEADING_NUMBER.sub("", part).split()[:FIRST_WORDS])))
        if len(begins) > 1 or (name and name <= begins) or any("." in term and term[:1].isdigit() for term in begins):
            return True
    return False


def _line_around(text: str, at: int) -> tuple[int, int]:
    return next(((start, end) for start, end in entries(text) if start <= at < end), (at, at))


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


def _topic(leaf: LeafText, start: int, end: int) -> Topic:
    """The topic that an entry begins with, in bold or as a word or a few, "Car park barrier: three quotes", the subject of a mail, or the
    heading right above it; none where that is the title."""
    said = CHAT_HEAD.sub("", leaf.text[start:end], count=1)
    lead = _SUBJECT.match(said) or _LEAD_IN.match(said)
    if lead is not None and _SENTENCE.search(lead["topic"]) is not None and not said.startswith(("*", "_")):
        lead = None  # "Northgate is late." below "5 Jackets"
    item = _head_of_item(leaf.text, start)
    named = "" if lead is not None and item else topic_of(said) or (lead["topic"] if lead is not None else "")
    if set(terms(named)) <= _LABELS:
        named = ""  # "Decision:" is of what the heading says, "Start stays 23 Nov." of the item "3) freeze" above it
    topic = named or item
    if not topic:
        above = place_above(leaf, start).split(" › ")
        topic = above[-1] if len(above) > 1 else ""
    words = [term for term in terms(_DAY.sub(" ", topic)) if not term.isdigit() and term not in AGAIN]
    head = [term for term in terms(_DAY.sub(" ", _BEHIND.split(topic, 1)[0])) if term in words]
    return Topic(frozenset(words), bool(named), head[-1] if head else "")


def _head_of_item(text: str, start: int) -> str:
    """The line of a numbered item that an entry stands below, without a line between them that is empty; empty where it is none."""
    for line in reversed(text[:start].split("\n")[:-1]):
        if not line.strip():
            return ""
        if (match := _HEAD_OF_ITEM.match(line)) is not None:
            return match["topic"]
    return ""
