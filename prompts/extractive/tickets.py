"""What a ticket of Jira says beside its sentences: its type, and in its history what became of it.

`connectors.jira.ticket` writes the text: a list of fields, sections of prose and comments, lists of links, files and changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from prompts.extractive.passages import Passage
from prompts.language import terms
from prompts.records import LeafText, Quote
from prompts.regex import regex
from prompts.taxonomy import taxonomy

TICKET = "ticket"  # the kind of their documents
TYPE = "Type"  # the property that has it
MOST_EVENTS = 6
TELLING_TERMS = 5  # a decision of fewer says nothing by itself

_HISTORY = "history"
_LISTS = frozenset(("links", "attachments", "work log", _HISTORY))  # sections of lines that are no sentences
_HEAD = regex(r"(?:- [A-Z][\w /&'()-]{0,40}?:[ \t]+\S.*(?:\n|\Z))+")
_SECTION = regex(r"^##[ ](?P<title>[^\n]+)$", re.MULTILINE)
_ENTRY = regex(
    r"^- (?P<day>\d{4}-\d\d-\d\d)(?: \d\d:\d\d)?(?: UTC)? (?P<changes>[^\n]+?)(?:, by (?P<who>[^\n,;]{1,80}))?$", re.MULTILINE
)
_KEY = regex(r"\A[A-Z][A-Z0-9_]*-\d+\s+")
_CHANGE = regex(r"(?P<field>[A-Za-z][\w /-]{0,40}): (?P<before>.{0,121}?) -> (?P<after>.{0,121})\Z")
_ENDED = regex(
    r"(?:done|closed?|resolved|fixed|finished|completed?|released|deployed|shipped|live|verified|erledigt|geschlossen|fertig|terminée?)\b",
    re.IGNORECASE,
)
_REFUSED = regex(
    r"(?:won[’']?t\b|will not|declined|rejected|cancell?ed|abandoned|withdrawn|obsolete|invalid|duplicate|not a bug|cannot reproduce|abgelehnt|verworfen)",
    re.IGNORECASE,
)
_ACCEPTED = regex(r"(?:approved|accepted|agreed|decided|superseded|angenommen|beschlossen)\b", re.IGNORECASE)
_URGENT = regex(r"(?:highest|blocker|critical|urgent|p0|p1)\b", re.IGNORECASE)


def type_of(leaf: LeafText) -> str:
    """The content type that the type of a ticket stands for; empty for what is no ticket."""
    name = leaf.stated(TYPE) if leaf.kind == TICKET else ""
    return content_type(name) if name else ""


@cache
def content_type(issue_type: str) -> str:
    """Of a type of tickets, by its name: as it stands, else by the last known words in it. One that nobody knows is a task."""
    name = " ".join(re.findall(r"\w+", issue_type.casefold()))
    known = {phrase: kind.id for kind in taxonomy().types for phrase in kind.tickets}
    padded = f" {name} "
    there = [
        (padded.rfind(f" {phrase} ") + len(phrase), len(phrase), known[phrase]) for phrase in known if f" {phrase} " in padded
    ]
    return max(there)[2] if there else known.get(name.replace(" ", ""), "task")


def lists_of(leaf: LeafText) -> list[tuple[int, int]]:
    """The spans of a ticket's text that are no sentences: its fields, links, files and history."""
    text = leaf.text
    head = fields_of(leaf)
    found = [head] if head[1] else []
    sections = list(_SECTION.finditer(text))
    ends = [section.start() for section in sections[1:]] + [len(text)]
    for section, end in zip(sections, ends, strict=False):
        if section["title"].strip().casefold() in _LISTS:
            found.append((section.start(), end))
    first = sections[0].start() if sections else len(text)
    if len(leaf.heading) > 2 and leaf.heading[1].casefold() in _LISTS:  # a part of a long list
        found.insert(0, (0, first))
    return found


def fields_of(leaf: LeafText) -> tuple[int, int]:
    """The span of the fields that a ticket's text begins with; an empty one where it is a later part of it."""
    head = _HEAD.match(leaf.text) if len(leaf.heading) <= 2 else None
    return head.span() if head is not None else (0, 0)


def history_of(leaf: LeafText) -> tuple[int, int]:
    """The span in which a ticket's text tells of its changes; an empty one where it does not."""
    if len(leaf.heading) > 2 and leaf.heading[1].casefold() == _HISTORY:  # a part of a long one
        return 0, len(leaf.text)
    sections = list(_SECTION.finditer(leaf.text))
    at = next((at for at, one in enumerate(sections) if one["title"].strip().casefold() == _HISTORY), None)
    if at is None:
        return 0, 0
    return sections[at].start(), sections[at + 1].start() if at + 1 < len(sections) else len(leaf.text)


class Said(NamedTuple):
    """The sentences of a ticket by where they stand."""

    description: list[Passage]  # and its other long texts
    comments: list[Passage]
    is_continued: bool  # whether the ticket begins in another leaf


def sentences_of(leaf: LeafText, found: Sequence[Passage]) -> Said:
    lists = lists_of(leaf)
    sentences = [p for p in found if not any(start <= p.start < end for start, end in lists) and p.kind != "heading"]
    comments = next((match.start() for match in _SECTION.finditer(leaf.text) if match["title"] == "Comments"), len(leaf.text))
    if len(leaf.heading) > 2 and leaf.heading[1] == "Comments":
        comments = 0
    return Said(
        [p for p in sentences if p.start < comments],
        [p for p in sentences if p.start >= comments],
        _HEAD.match(leaf.text) is None or len(leaf.heading) > 2 and leaf.heading[1].casefold() in _LISTS,
    )


def title_of(leaf: LeafText) -> str:
    """The title without the key, as a sentence."""
    title = _KEY.sub("", " ".join(leaf.heading[0].split())) if leaf.heading else ""
    return title if not title or title[-1] in ".!?…:" else f"{title}."


def with_title(title: str, quote: Quote) -> Quote:
    """A decision so short that only with the ticket's title it says what was decided."""
    if len(terms(quote.text)) >= TELLING_TERMS or not title:
        return quote
    return quote.model_copy(update={"text": f"{title} {quote.text}"})


class Happened(NamedTuple):
    decisions: tuple[Quote, ...]
    events: tuple[Quote, ...]


def happened(leaf: LeafText) -> Happened:
    """What the history tells that people want to know: done, reopened, turned down, made urgent, due on another day."""
    decisions: list[Quote] = []
    events: list[Quote] = []
    key = _KEY.match(leaf.heading[0]) if leaf.heading else None
    named = f"{key.group().strip()}: " if key else ""
    for start, end in lists_of(leaf):
        for entry in _ENTRY.finditer(leaf.text, start, end):
            for change in entry["changes"].split("; "):
                if (told := _told(change, entry["day"], entry["who"] or "")) is None:
                    continue
                quote = Quote(text=f"{named}{told.text}", start=entry.start(), end=entry.end())
                (decisions if told.is_decision else events).append(quote)
    return Happened(tuple(decisions), tuple(_latest(events)))


def _latest(events: list[Quote]) -> Iterator[Quote]:
    yield from events[-MOST_EVENTS:]


class _Told(NamedTuple):
    text: str
    is_decision: bool = False


def _told(change: str, day: str, who: str) -> _Told | None:
    match = _CHANGE.match(change.strip())
    if match is None:
        return None
    field, before, after = match["field"].casefold(), match["before"].strip(), match["after"].strip()
    on = f"on {in_words(day)}" + (f", by {who}" if who else "")
    if field in ("status", "resolution"):
        if _REFUSED.match(after) or _ACCEPTED.match(after):
            return _Told(f"{after} {on}", is_decision=True)
        if field == "status" and _ENDED.match(after):
            return _Told(f"{after} {on}")
        if field == "status" and (_ENDED.match(before) or _REFUSED.match(before)):
            return _Told(f"Reopened ({before} to {after}) {on}")
    if field == "priority" and _URGENT.match(after):
        return _Told(f"Priority raised from {before} to {after} {on}")
    if field in ("duedate", "due date") and before != "none" and after != "none":
        return _Told(f"Due date moved from {_day(before)} to {_day(after)} {on}")
    return None


def in_words(day: str) -> str:
    """ "2026-05-12" as "12 May 2026"."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found.day} {found:%B} {found.year}"


def _day(written: str) -> str:
    return in_words(written[:10])
