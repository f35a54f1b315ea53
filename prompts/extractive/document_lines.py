"""What makes a line fit for a summary. Unfit are those that tell of a document and of nothing in it: who wrote it and when, who
was there, until when it holds, the head of a mail. What a document says of itself is shown beside its summary anyway."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from prompts.regex import regex

FEWEST_WORDS = 2  # of its own, without which a sentence that has a date or names says nothing
FEWEST_LISTED = 5  # names or columns
_LONGEST_LISTED = 2.6  # words of each, on average: more are clauses of a sentence

_ENDS = tuple(".!?:;…")

_WORD = regex(r"[^\W\d_][\w'’-]{2,}")
_LABEL = regex(
    r"[\s*_>|#(-]{0,6}(?:from|to|cc|bcc|subject|sent|date|author|owner|maintainer|publisher|status|version|classification|von|an|betreff"
    r"|datum|gesendet|stand|verfasser\w*|autor\w*|de|à|objet|auteur|mise à jour|(?:also )?present|attend(?:ees|ed|ing)|participants|there|not there"
    r"|excused|absent|apologies|minutes|chair\w*|anwesend\w*|teilnehmer\w*|entschuldigt|protokoll\w*|présents?|excusés?|absents?"
    r"|(?:last |next )?(?:review|read|updat|check|chang|revis)\w*|(?:written|prepared|compiled|made|reported|approved|released|kept|maintained) by"
    r"|responsible|deciders|place|time)(?: [\w ]{1,24})?[*_]{0,2}:[*_\s]",
    re.IGNORECASE,
)  # fmt: skip
_NAME = regex(r"\b[A-ZÀ-Ý][\w'’.-]+")
_OF_DOCUMENTS = frozenset(
    "written made held valid from until effective document controlled page pages version revision rev minutes notes note export exported "
    "released release approved updated update reviewed review read through last first next since newest oldest top running and the for "
    "this draft final author owner date day status confidential internal january february march april may june july august september "
    "october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday "
    "mon tue tues wed thu thur fri sat sun gültig vom seit bis und für der die das geschrieben stand fassung mise jour par pour "
    "établi rédigé".split()
)


OPENING = 200  # characters of a document
_OF_PRINTING = regex(
    r"\b(?:printed|exported?|pasted|copied|scanned|saved|downloaded|collected|compiled|typed|(?:oldest|newest) (?:first|at the)|(?:mail|chat|e-mail) (?:thread|export|folder))\b",
    re.IGNORECASE,
)


def is_of_printing(text: str, at: int) -> bool:
    """Whether a line in the opening of a document says of it that it was printed, exported or put together."""
    return at < OPENING and _OF_PRINTING.search(text) is not None


def tells_of_document(text: str) -> bool:
    """Whether a sentence does so: "Written by Ann Lee, 21 May 2026", "Present: Ann, Bo, Cy"."""
    return begins_with_label(text) or is_enumeration(text) or _has_no_predicate(text)


def begins_with_label(text: str) -> bool:
    """Whether a text begins with what a document says of itself: "Owner: Ann Lee. Version of 4 May."."""
    return ":" in text and _LABEL.match(text) is not None


def in_one_text(parts: Iterable[str]) -> str:
    """Sentences one after the other, each with an end: items and labels are written without."""
    ended = (part if part[-1:] in _ENDS or part[-2:-1] in _ENDS else f"{part}." for part in parts if part)
    return " ".join(ended)


def is_sentence(text: str) -> bool:
    """Whether a text is written as one: from a capital or a number to its end."""
    return (text[:1].isupper() or text[:1].isdigit()) and text.rstrip("\"'”’)")[-1:] in _ENDS


def is_enumeration(text: str) -> bool:
    """Whether a text lists short things one after the other and says nothing of them: names, the columns of a table."""
    listed = text.count(",") + text.count("|") + text.count(";") + 1
    return listed >= FEWEST_LISTED and len(text.split()) <= _LONGEST_LISTED * listed


def _has_no_predicate(text: str) -> bool:
    count = 0
    for token in text.split():  # most sentences have such words soon, and need no expression
        if token[0].islower() and len(token) > 2 and token.isalpha() and token not in _OF_DOCUMENTS:
            count += 1
            if count == FEWEST_WORDS:
                return False
    words = map(re.Match.group, _WORD.finditer(text))
    own = islice((word for word in words if word[0].islower() and word not in _OF_DOCUMENTS), FEWEST_WORDS)
    return sum(1 for _ in own) < FEWEST_WORDS and (any(map(str.isdigit, text)) or len(_NAME.findall(text)) > 2)
