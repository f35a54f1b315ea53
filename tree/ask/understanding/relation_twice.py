"""Questions that ask for the same relation twice, "who is the deputy of Ada's deputy?": a set of words has it only once."""

from __future__ import annotations

import re
from typing import NamedTuple

from prompts.regex import regex

_TWICE = regex(
    r"\A\W*(?:and )?(?:who|what)(?: is| are| was|['’]s) "
    r"(?:(?:the )?(?P<outer>\w{3,}) of (?:the (?P=outer) of (?P<of>[^?\n]{2,60}?)|(?P<whose>[^?\n]{2,60}?)['’]s? (?P=outer))"
    r"|(?P<first>[^?\n]{2,60}?)['’]s? (?P<relation>\w{3,})['’]s? (?P=relation))\W*\Z",
    re.IGNORECASE,
)


class RelationTwice(NamedTuple):
    relation: str
    of: str

    @property
    def first(self) -> str:
        """The question for what the relation leads to at first."""
        return f"Who is the {self.relation} of {self.of}?"

    def then(self, value: str) -> str:
        """The question for what it leads to from there."""
        return f"Who is the {self.relation} of {value}?"


def relation_twice(text: str) -> RelationTwice | None:
    """None where a question does not ask so."""
    found = _TWICE.match(text)
    if found is None:
        return None
    of = found["of"] or found["whose"] or found["first"]
    return RelationTwice(found["outer"] or found["relation"], of.removeprefix("the "))
