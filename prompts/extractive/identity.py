"""Sentences that say of a thing, in the words of the question, what it is: "Core hours are from 10:00 to 15:30." for "What are the core
hours?"."""

from __future__ import annotations

import re
from functools import lru_cache

from prompts.regex import regex

_ASKED = regex(
    r"\A\W*(?:(?:and|so|ok) )?(?:who|what|which|when|where)(?:['’]?s| is| are| was| were)(?: (?:currently|now|today))? (?P<thing>[^?\n,;:]{3,80}?)\W*\Z"
)
_SMALL = r"(?:(?:the|our|your|their|my|its|an?|all|both|these|those) )?"
_OPENS = r"\W*(?:[-*+•] +|\d{1,2}[.)] +)?[*_]{0,2}"  # a mark of a list, or of bold
_SAYS = r"[*_]{0,2}(?::[*_]{0,2}| (?:is|are|was|were)(?! (?:not|no|never|only|being|to)\b))\s+"
_VALUE = regex(  # what begins with an amount, a time, a name, a code or an address
    r"(?:(?:currently|now|always|from|between|at|on|about|around|exactly|up to|under|every|called|the) )*[*_`\"“'‘(]*(?:[€$£#]? ?\d|(?-i:[A-Z])[\w.'’-]|https?://|[\w.-]+@|[\w-]+_[\w-]+)",
    re.IGNORECASE,
)
_GAP = regex(r"[\s-]+")


def thing_asked(low: str) -> str:
    """What a question asks after, without its article: "core hours"; empty for a question of another form. `low`: in small letters."""
    asked = _ASKED.match(low)
    if asked is None:
        return ""
    thing = re.sub(rf"\A{_SMALL}", "", asked["thing"])
    return thing if thing != asked["thing"] or _GAP.search(thing) else ""  # what is missing is no thing


def identity_at(low: str, sentence: str) -> int | None:
    """Where in a sentence stands what the thing is that a question asks after, where the sentence begins with that thing and a value
    follows; None for any other."""
    thing = thing_asked(low)
    form = _form(thing) if thing else None
    said = form.match(sentence) if form is not None else None
    return said.end() if said is not None and _VALUE.match(sentence, said.end()) is not None else None


@lru_cache(maxsize=64)
def _form(thing: str) -> re.Pattern[str]:
    words = (re.escape(word) for word in _GAP.split(thing) if word)
    return re.compile(rf"{_OPENS}{_SMALL}{'[ -]+'.join(words)}{_SAYS}", re.IGNORECASE)
