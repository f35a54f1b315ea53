"""Which way a link between tickets is asked for: "what blocks AB-1" and "what does AB-1 block" are two questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from prompts.regex import regex

Direction = Literal["to", "from"]  # what does it to the thing that is named; what that thing does it to

_DOES = regex(r"(?:block|duplicat|clon|caus|trigger|supersed|replac|test|split)(?:e|es|s|ing)?\Z|depend(?:s|ing)?\Z")
_IS_DONE = regex(r"(?:block|duplicat|clon|caus|trigger|supersed|replac|test|split)(?:ed|d)\Z")
_LINK = regex(
    r"(?P<done>(?:is|are|was) )?(?P<verb>block|duplicat|clon|caus|trigger|supersed|replac|test|split|depend)\w*(?P<by> by| on)?\Z"
)


def direction_asked(low: Sequence[str], first: int, last: int) -> Direction | None:
    """By the words of a question (in lower case) and where in it the name stands; None where it asks for no link, or in no way
    that is understood."""
    verbs = [at for at, word in enumerate(low) if not first <= at < last and (_DOES.match(word) or _IS_DONE.match(word))]
    if not verbs:
        return None
    verb = min(verbs, key=lambda at: min(abs(at - first), abs(at - last + 1)))
    is_done = _IS_DONE.match(low[verb]) is not None
    is_before = verb < first
    if is_done:
        if "by" not in low[verb + 1 :]:
            return "to" if not is_before and low[first - 1 : first] != ["by"] else None  # "why is AB-1 blocked"
        return "from" if is_before else "to"  # "what is blocked by AB-1"; "what is AB-1 blocked by"
    if low[verb].startswith("depend"):
        return "from" if is_before else "to"  # what depends on it is what it holds up
    return "to" if is_before else "from"


def goes(relation: str, of_named: bool) -> Direction | None:
    """Which way a stated link goes, seen from the thing that a question names; None for what is no such link.

    `of_named`: it is stated of that thing, else it names that thing as its value.
    """
    link = _LINK.match(relation.casefold())
    if link is None:
        return None
    is_to = bool(link["done"] and link["by"]) or link["verb"] == "depend"  # it is done to what it is stated of
    return "to" if is_to == of_named else "from"
