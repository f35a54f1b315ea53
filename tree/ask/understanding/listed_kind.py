"""Questions for all there is of a kind, under no condition: "which runbooks do we have?", "list the sprints"."""

from __future__ import annotations

import re

from prompts.regex import regex

_NOUN = r"(?P<{0}>[\w-]+(?: [\w-]+){{0,2}}?)"
_ALL = regex(
    rf"\A\W*(?:(?:which|what) (?:kinds of )?{_NOUN.format('which')} (?:(?:do|did) (?:we|you) (?:have|keep)|have we(?: got)?|are there|exist)"
    rf"|(?:list|show(?: me)?|give me)(?: all)?(?: of)?(?: the| our)? {_NOUN.format('listed')}"
    rf"|how many {_NOUN.format('counted')} (?:do we have|have we(?: got)?|are there|exist))\W*\Z",
    re.IGNORECASE,
)


def kind_listed(question: str) -> str:
    """The noun of what is listed, in small letters; empty where something else is asked."""
    asked = _ALL.match(question)
    return (asked["which"] or asked["listed"] or asked["counted"]).casefold() if asked is not None else ""
