"""Sentences that have every word of a question and still do not answer it: a step of an example, what is not so, a comparison.

`low` is the question in small letters throughout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.extractive.passages import Passage

FARTHEST = 12  # passages before one that are looked at for the beginning of an example
_NEGATED = r"\b(?:not|no|never|nobody|nothing|none|neither|nor|without|cannot)\b|n['’]t\b"
_NO = re.compile(_NEGATED, re.IGNORECASE)
_ASKS_WHETHER = re.compile(r"\W*(?:can|could|may|might|should|shall|must|is it (?:possible|allowed|okay|ok|fine|permitted))\b")
_SAYS_WHETHER = re.compile(
    r"\b(?:can|could|may|might|must|shall|should|yes|only|able|unable|always|please|free to|permission"
    r"|(?:allow|permit|support|forbid|prohibit|prevent|avoid|need|require|enable|refus|accept|reject|recommend)\w*|let|lets|possible)\b|"
    + _NEGATED,
    re.IGNORECASE,
)  # fmt: skip
_ASKS_WHICH = re.compile(r"\W*(?:which|what)\b")
_CONTRAST = re.compile(r", (?:and |but )?(?:not|never) [^,;.]*", re.IGNORECASE)  # "in the past tense, not the present"
_COMPARES = re.compile(r"\b(?:more|less) \w+ than\b", re.IGNORECASE)
_POINTS_BEFORE = re.compile(
    r"\b(?:in|with|of|by|to|for|from|on|using|like) (?:that|this|these|those|such an?) [a-z]+", re.IGNORECASE
)
_EXAMPLE = re.compile(
    r"\W*(?:imagine|suppose|assume|(?:let['’]s|let us) (?:say|assume|suppose|imagine|take|look)|consider (?:the|an?) |for (?:example|instance)\b)",
    re.IGNORECASE,
)
_LEADS_TO_EXAMPLE = re.compile(
    r"\b(?:by way of example|an? (?:[a-z]+ )?(?:example|scenario|walk-?through)|for (?:example|instance)|imagine|suppose)\b",
    re.IGNORECASE,
)


def says_whether(low: str, said: str) -> bool:
    """Whether a sentence says that something may be done, or not: "Ida marks her ticket as ready" does not say that one can."""
    return _ASKS_WHETHER.match(low) is None or _SAYS_WHETHER.search(said) is not None


def says_which_not(low: str, said: str) -> bool:
    """Whether a sentence says what is not so, where a question asks which is: "Files are not supported" names no format that is."""
    return _ASKS_WHICH.match(low) is not None and _NO.search(low) is None and _NO.search(_CONTRAST.sub("", said)) is not None


def only_compares(low: str, said: str) -> bool:
    """Whether a sentence only compares: "Releasing more frequently than monthly brings little" does not say how often that is done."""
    return _COMPARES.search(said) is not None and _COMPARES.search(low) is None


def points_before(low: str, said: str) -> bool:
    """Whether a sentence says how with words that point at the one before: "a message in that format closes the ticket"."""
    return low.lstrip().startswith("how ") and _POINTS_BEFORE.search(said) is not None


def is_of_example(low: str, found: Sequence[Passage], at: int) -> bool:
    """Whether a sentence is a part of an example, which begins with it or before it in the same list: "Imagine ..."."""
    passage = found[at]
    if "example" in low:
        return False
    if _EXAMPLE.match(passage.text) or (passage.kind == "item" and _LEADS_TO_EXAMPLE.search(passage.heading)):
        return True
    for before in found[max(0, at - FARTHEST) : at][::-1]:
        if before.heading != passage.heading or before.kind == "heading":
            return False
        if before.kind != "item":
            return passage.kind == "item" and _LEADS_TO_EXAMPLE.search(before.text) is not None
        if _EXAMPLE.match(before.text):
            return True
        if passage.kind != "item":
            return False
    return False
