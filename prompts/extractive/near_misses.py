"""Sentences that have every word of a question and still do not answer it: a step of an example, a comparison.

`low` is the question in small letters throughout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.extractive.passages import Passage
from prompts.regex import regex

FARTHEST = 12  # passages before one that are looked at for the beginning of an example
_NEGATED = r"\b(?:not|no|never|nobody|nothing|none|neither|nor|without|cannot)\b|n['’]t\b"
_ASKS_WHETHER = regex(r"\W*(?:can|could|may|might|should|shall|must|is it (?:possible|allowed|okay|ok|fine|permitted))\b")
_SAYS_WHETHER = regex(
    r"\b(?:can|could|may|might|must|shall|should|yes|only|able|unable|always|please|free to|permission"
    r"|(?:allow|permit|support|forbid|prohibit|prevent|avoid|need|require|enable|refus|accept|reject|recommend)\w*|let|lets|possible)\b|"
    + _NEGATED,
    re.IGNORECASE,
)  # fmt: skip
_COMPARES = regex(r"\b(?:more|less) \w+ than\b", re.IGNORECASE)
_EXEMPTS = regex(
    r"\W*(?:\w+ )?no [\w-]+(?: [\w-]+)? (?:below|under|above|over|up to|less than|more than|until|for)\b", re.IGNORECASE
)
_MOST = "most|highest|largest|biggest|greatest|maximum|top"
_LEAST = "least|fewest|lowest|smallest|minimum"
_FIRST_OF_ALL = regex(
    rf"(?<!\bat )\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<other>oldest|newest|longest|shortest|fastest|slowest|cheapest|dearest|busiest|heaviest|best|worst))\b"
)
# what a document says of itself, as "This page is a checklist of what to do when a lamp fails", answers no question about the thing
_DOCUMENT = regex(r"\b(?:document|page|guide|section|chapter|readme|checklist|runbook|tutorial|topic|manual)s?\b")
_OF_ITSELF = regex(
    r"\W{0,3}(?:this|the following) (?:[a-z]+ )?(?:document|page|guide|section|chapter|file|readme|checklist|runbook|tutorial|topic|manual) "
    r"(?:is|are|describes?|explains?|covers?|discuss(?:es)?|lists?|contains?|outlines?|shows?|gives?|provides?)\b", re.IGNORECASE,
)  # fmt: skip
_EXAMPLE = regex(
    r"\W*(?:imagine|suppose|assume|(?:let['’]s|let us) (?:say|assume|suppose|imagine|take|look)|consider (?:the|an?) |for (?:example|instance)\b)",
    re.IGNORECASE,
)
_LEADS_TO_EXAMPLE = regex(
    r"\b(?:by way of example|an? (?:[a-z]+ )?(?:example|scenario|walk-?through)|for (?:example|instance)|imagine|suppose)\b",
    re.IGNORECASE,
)


def tells_of_its_page(low: str, said: str) -> bool:
    """Whether a sentence says what its own document is, where that is not asked."""
    return _OF_ITSELF.match(said) is not None and _DOCUMENT.search(low) is None


def says_whether(low: str, said: str) -> bool:
    """Whether a sentence says that something may be done, or not: "Ida marks her ticket as ready" does not say that one can."""
    return _ASKS_WHETHER.match(low) is None or _SAYS_WHETHER.search(said) is not None


def only_compares(low: str, said: str) -> bool:
    """Whether a sentence only compares: "Releasing more frequently than monthly brings little" does not say how often that is done,
    nor "No deposit below 500 euros" how much it is."""
    if low.startswith(("how much", "how many")) and _EXEMPTS.match(said):
        return True
    return _COMPARES.search(said) is not None and _COMPARES.search(low) is None


def tells_first_of_all(low: str, said: str) -> bool:
    """Whether a sentence says of whom or what something is so the most, where that is asked: one that names somebody who wrote a
    comment does not say who wrote most of them."""
    asked = _FIRST_OF_ALL.search(low)
    if asked is None:
        return True
    same = _MOST if asked["most"] else _LEAST if asked["least"] else asked["other"]
    return re.search(rf"(?<!\bat )\b(?:{same}|(?:than (?:any|all|every)|no) other)\b", said, re.IGNORECASE) is not None


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
