"""Statements that say otherwise of the same thing: when each was made, whether two of them differ, and which is the newest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.extractive.dates import Day, days, stated_on
from prompts.extractive.passages import written_by
from prompts.extractive.rendering import Point
from prompts.extractive.section_days import before_mails, told_on
from prompts.number_words import NUMBER_WORDS
from prompts.question import Kind
from prompts.records import LeafText, Quote
from prompts.regex import regex

COMPARED = frozenset(("who", "when", "where", "count", "definition"))  # questions to which two values cannot both be right
OPENING = 400  # characters at the beginning of a document in which it says of when it is
_CREATED = regex(r"^- Created: (\d{4}-\d\d-\d\d)", re.MULTILINE)
_DATED = ("Date", "Last updated", "Last reviewed")  # what a document says of itself
_NUMBERS, _YEARS = regex(r"\d[\d.,:]*\d|\d"), regex(r"(?:19|20)\d\d\Z")
_COUNTED = regex(  # "seven years"
    rf"\b(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})\b(?=\W{{0,3}} (?:years?|months?|weeks?|days?|hours?|minutes?|euros?|pounds?|dollars?|per ?cent)\b)",
    re.IGNORECASE,
)
_NAMES = regex(r"\b[A-Z][a-zà-ž]+\b")
_NO_NAMES = frozenset(
    """The This That These Those Since From Until Before After Decision Agreed Owner Lead On At In By For And But It He She We They Our
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
    November December""".split()
)
_SPOKEN = regex(  # in the name of a file, its title or a folder
    r"(?<![^\W_])(?:minutes?|meetings?|mtg|protokolle?|besprechung(?:en)?|sitzung(?:en)?|stand-?ups?|retros?|chats?|channels?|comptes?[ _-]rendus?)(?![^\W_])",
    re.IGNORECASE,
)
_OVER = regex(  # whom or what a sentence names as over
    r"\b(?:no longer|not|instead of|rather than|formerly|previously|until then|replac(?:es|ed|ing)|took over from|takes over from)\b[^.;,:]{0,40}",
    re.IGNORECASE,
)


_TO_COME = regex(  # what is still to be done on a day says not when a document was made
    r"\b(?:next review|review (?:due|date|by|on|again)|to be reviewed|(?:valid |in force )?(?:until|till)|expires?|expiry|due|nächste (?:prüfung|überprüfung)|gültig bis)\b[^.;\n]{0,30}",
    re.IGNORECASE,
)


_WRITTEN = regex(  # "Version 3, 19 November 2026", above a term that begins in February
    r"\b(?:version|revision|edition|stand|as of|(?:last )?(?:updated|changed|edited|revised)|dated|written|issued|published|printed|sent|(?:in force|valid|effective)(?: from)?)\b(?P<day>[^.;\n]{4,40})",
    re.IGNORECASE,
)


def dated(leaf: LeafText, said: Quote, kind: Kind) -> Day | None:
    """When something was said: by the head of its comment, its section, the headings above it or itself, or what its document says of itself.

    A date in the answer to "when" is what is said, and not when it was.
    """
    if (author := written_by(leaf, said.start)) is not None:
        return stated_on("", (author[1],))
    if (day := told_on(leaf.text, said.start, leaf.title)) is not None:
        return day
    if (day := stated_on("" if kind == "when" else said.text, leaf.heading)) is not None:
        return day
    if (made := _CREATED.search(leaf.text)) is not None:  # the description of a ticket
        return stated_on(made[1], ())
    own = [day for name in _DATED for day in days(leaf.stated(name))]
    return max([*own, *_opening_days(leaf)], default=None)


def is_said_then(leaf: LeafText, at: int) -> bool:
    """Whether a line was said on a day: in a chat, in a mail, in a comment, below a heading or a title with a date; and not in a manual."""
    has_day = told_on(leaf.text, at, leaf.title) or written_by(leaf, at)
    return (
        has_day is not None or any(map(days, leaf.heading)) or any(map(_SPOKEN.search, (leaf.name, *leaf.heading, *leaf.inside)))
    )


def _opening_days(leaf: LeafText) -> list[Day]:
    """The dates that a document begins with, "Jane Doe, 3 March 2026", and not those of its tables."""
    begins = not leaf.text.startswith("##") and len(set(leaf.heading)) == 1
    opening = leaf.text[:OPENING].split("\n## ", 1)[0].split("\n|", 1)[0]
    opening = _TO_COME.sub(" ", before_mails(opening)) if begins else ""
    written = [day for label in _WRITTEN.finditer(opening) for day in days(label["day"]) if day.day]
    found = written or days(opening)
    return [day for day in found if day.day] or found


def newest(rivals: Sequence[Point], kind: Kind) -> tuple[Point, Point | None]:
    """The lead, and another statement that gives other values: an older one, or one of which no date says which holds."""
    lead = rivals[0]
    others = [point for point in rivals[1:] if differ(point, lead, kind) and not _is_one_text(point, lead)]
    if not others:
        return lead, None
    known = [point for point in [lead, *others] if point.day is not None]
    if lead.day is None or len(known) < 2:
        return lead, others[0]
    latest = max(known, key=lambda point: point.day or Day(0, 0))
    older = max((point for point in known if point is not latest), key=lambda point: point.day or Day(0, 0))
    return (latest, older) if latest.day != older.day else (lead, None)


def _is_one_text(one: Point, other: Point) -> bool:
    """Whether two statements were made in one go: in the same part of a document, or the same comment."""
    return one.leaf.heading == other.leaf.heading and one.day == other.day


_DROPPED = regex(  # before a number that holds no more
    r"\b(?:instead of|rather than|in place of|(?:up |down )?from|was|were|previously|formerly|before|not) (?:the |only )?\d[\d.,]*",
    re.IGNORECASE,
)


def differ(one: Point, other: Point, kind: Kind) -> bool:
    """Whether two statements give other people, or other numbers: none of the one in the other."""
    mine, others = (_values(point.quote.text, kind) for point in (one, other))
    return bool(mine and others) and not mine & others


def confirms(said: str, told: str, kind: Kind) -> bool:
    """Whether a statement of a change gives the one number of another as what holds since: "24 months from now on instead of 12"."""
    own = _values(told, kind)
    return kind == "count" and len(own) == 1 and _values(_DROPPED.sub(" ", said), kind) == own


def _values(text: str, kind: Kind) -> set[str]:
    if kind == "who":
        return set(_NAMES.findall(_OVER.sub(" ", text))) - _NO_NAMES
    found = set(_NUMBERS.findall(text)) | {str(NUMBER_WORDS[match.group().casefold()]) for match in _COUNTED.finditer(text)}
    return {number for number in found if not _YEARS.match(number)} or found


def in_order(leaf: LeafText, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of one text by when their comments were written, the newest first; as they are where nothing tells."""
    written = {span: author[1] for span in spans if (author := written_by(leaf, span[0])) is not None}
    return sorted(spans, key=lambda span: written.get(span, ""), reverse=True)
