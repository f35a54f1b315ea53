"""Which sentences give a reason, for a question that asks why: what stands below "Cause", behind "Reasons:", and not what was considered
besides."""

from __future__ import annotations

import re
from collections.abc import Set

from prompts.language import terms
from prompts.regex import regex

_OF_CHOICE = regex(
    r"\b(?:we|you|they|(?:chosen?|chose|decided?|picked|replaced?|switched|dropped|kept|bought|changed?|preferred|rejected|refused)\b(?! to\b))\b",
    re.IGNORECASE,
)
_OF_FAILURE = regex(
    r"\b(?:fail\w*|br(?:oken?|eak)\w*|crash\w*|down|slow\w*|errors?|wrong|los[et]\w*|stuck|missing|late|delay\w*|outages?|incident|happen\w*|stop\w*)\b",
    re.IGNORECASE,
)
_HEAD = regex(
    r"(?:\d[\d.]{0,6} )?(?:(?:the|root|probable|likely|main) )*(?:causes?|reasons?|what went wrong|why(?: it happened| this happened)?|ursachen?|cause racine)\W*",
    re.IGNORECASE,
)
_WHY = regex(r"(?:\d[\d.]{0,6} )?why\b(?P<what>[^?\n]{2,80})", re.IGNORECASE)  # "Why not 15 seconds"
_LABEL = regex(
    r"\W{0,6}(?:(?:root|probable|likely|main|the) )?(?:causes?|reasons?|why|rationale|ursache)\b(?: (?:is|was))?\W{0,3}:",
    re.IGNORECASE,
)
_ALTERNATIVES = regex(r"\W{0,6}(?:alternatives?|other options?|(?:we )?also considered|rejected)\b", re.IGNORECASE)
_OF_ALTERNATIVES = regex(r"\b(?:alternatives?|reject\w*|against|not|instead|rather|options?)\b|n['’]t\b", re.IGNORECASE)


def label_of_reason(heading: str, text: str) -> str:
    """What a sentence begins with, or the heading right above it, where that says that a reason follows: "Root cause", "Why:"; else
    empty."""
    found = _HEAD.fullmatch(heading.strip()) or _LABEL.match(text)
    return found.group() if found is not None else ""


def heads_reason(heading: str, asked: Set[str]) -> bool:
    """Whether a heading says why, and all its other words (as terms) are asked about: "Why not 15 seconds"."""
    found = _WHY.match(heading.strip())
    words = set(terms(found["what"])) if found is not None else set()
    return bool(words) and words <= asked


def asks_of_choice(question: str) -> bool:
    """Whether it may be asked why a way was chosen, and not why something happened."""
    return _OF_CHOICE.search(question) is not None or _OF_FAILURE.search(question) is None


def names_alternatives(text: str) -> bool:
    """Whether a sentence tells what else was considered."""
    return _ALTERNATIVES.match(text) is not None


def asks_of_alternatives(question: str) -> bool:
    return _OF_ALTERNATIVES.search(question) is not None
