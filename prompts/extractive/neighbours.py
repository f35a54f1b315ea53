"""Sentences that have the words of a question and a value of the kind it asks for, and say it of something else or of another time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.language import terms
from prompts.months import MONTH
from prompts.question import QuestionAnalysis, Word
from prompts.regex import regex

_DAY = rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH})|(?:{MONTH})(?: \d{{1,2}})?|\d{{4}}-\d\d-\d\d|\d{{1,2}}\.\d{{1,2}}\.)(?:,? \d{{4}})?"
_UNTIL = regex(  # "Until 4 May it was ...", which is over
    rf"\W*(?:until|till|up to|before|prior to) {_DAY}[^.;]{{0,80}}?"
    r"\b(?:was|were|had|did|could|went|came|ran|took|held|met|kept|paid|cost|began|stood|sat|[a-z]{2,20}ed)\b",
    re.IGNORECASE,
)
_REFERENCE = regex(  # the day of what a sentence refers to: "see the minutes of 4 May"
    r"\b(?:minutes|e-?mails?|letter|report|meeting|memo|protocol|offer|quote|invoice|decision|list|plan|message|call|note|notes|chat|post|comment|announcement|newsletter|presentation|slides)"
    rf" (?:of|from|dated|on) (?:[A-Z][a-z]{{2,8}}day,? )?{_DAY}",
    re.IGNORECASE,
)
_LIMITED = regex(
    r"\bhow (?:many|much|long|often|late|far|high|fast|big|heavy)\b[^?]{0,80}?\b(?:may|can|must|should|shall|allowed|at most)\b"
)
_SAYS_LIMIT = regex(
    r"\b(?:may|can|must|cannot|should|shall|will|allow(?:ed|s)?|permit(?:ted|s)?|(?:has|have|had|needs?) to|is to|are to|up to|at most|at least|no more than|not more than|within|"
    r"max(?:imum|imal)?|min(?:imum|imal)?|limit(?:ed|s)?|latest|no later|(?:fits?|holds?|carr(?:y|ies)|takes?|needs?|requires?|supports?) )",
    re.IGNORECASE,
)
_OF_SOME = regex(
    r"\W*(?:\w+ (?:years? ago|last \w+):? )?\d[\d.,]* (?:of (?:them|these|those) )?(?:are|were|is|was|have been) ", re.IGNORECASE
)
_DONE_TO = regex(
    r"\bhow many\b[^?]{1,100}?\b(?:are|were|is|was|have been|has been|got)(?: \w+){0,2}? (?P<done>(?!there\b)[a-z]{3,30})\W*\Z"
)
_DEED = regex(r"\W*(?:please )?(?P<verb>[A-Z][a-z]{2,30})\b")
_BELONGS = regex(
    r"\bwho(?: else| all)? (?:works?|belongs?|sits?|serves?|is|are) (?:in|on|to|at|with)\b|\bwho are the (?:\w+ )?(?:members|people)\b"
)
_ROLE = regex(
    r"\b(?:fore(?:wo)?man|lead(?:er|s)?|led by|manage[rd]?(?: by)?|head(?:ed)?(?: by)?|boss|chair\w*|deputy|supervisor|captain|contact|coordinator|owner|run by|director)"
    r"(?: is| are|:|,| of [\w ]{1,30}? is)? ?\W{0,3}\Z",
    re.IGNORECASE,
)
_FOR_EACH = regex(r"\bhow (?:many|much)\b[^?]{1,80}? (?:per|for each|for every|in each|in every|on each|on every) [a-z]")
_SAYS_EACH = regex(r"\b(?:per|each|every|apiece|a(?:n)? [a-z]{3,20})\b|/", re.IGNORECASE)
_SAYS_BELONGING = regex(
    r"\b(?:work(?:s|ed|ing)?|belong\w*|members?|consists?|includes?|(?:is|are|sits?|serves?) (?:now |also )?(?:in|on|at|with))\b",
    re.IGNORECASE,
)
_OTHER_THING = regex(
    r"[,;:–—-] (?:the |an? |our |its )?(?P<thing>[a-z][\w-]{2,30}) (?:is|are|was|were|stands?|lies?|hangs?) (?:now |still )?(?:in|at|on|under|near|behind|below)\b"
)
_AND = regex(r" (?:and|&|\+) |/|, (?=[a-z])")
_BRACKETS = regex(r"\([^()]{0,60}\)")
_CODE = regex(r"(?<![\w-])(?P<letters>[A-Za-z]{1,8})-(?P<number>\d{1,5})(?![\w-])")


def is_of_other(low: str, asked: QuestionAnalysis, needed: Sequence[Word], said: str, value: int) -> bool:
    """Whether the value at this place of a sentence is said of something else than what the question (in lower case) asks about."""
    match asked.kind:
        case "count":
            return _is_no_limit(low, said) or _is_not_done(low, said) or _is_sum(low, said)
        case "who":
            return _is_role(low, said, value)
        case "where":
            return any(
                not any(word.is_in(set(terms(one["thing"]))) for word in needed)
                for one in _OTHER_THING.finditer(said, 0, value + 3)
            )
        case _:
            return False


def was_until(said: str) -> bool:
    """Whether a sentence begins by saying until when it was so: "Until 4 May it closed at noon"."""
    return _UNTIL.match(said) is not None


def without_references(said: str) -> str:
    """A sentence without the days of what it refers to, each character of them a space."""
    return _REFERENCE.sub(lambda match: " " * len(match.group()), said)


def _is_no_limit(low: str, said: str) -> bool:
    """How many there are is not how many there may be."""
    return _LIMITED.search(low) is not None and (_SAYS_LIMIT.search(said) is None or _OF_SOME.match(said) is not None)


def _is_not_done(low: str, said: str) -> bool:
    """That something is to be done, "Paint all nine boats", does not say of how many it was."""
    done, deed = _DONE_TO.search(low), _DEED.match(said)
    return done is not None and deed is not None and terms(done["done"])[:1] == terms(deed["verb"])[:1]


def _is_sum(low: str, said: str) -> bool:
    """How many there are in all is not how many there are for each."""
    return _FOR_EACH.search(low) is not None and _SAYS_EACH.search(said) is None


def _is_role(low: str, said: str, value: int) -> bool:
    """Whether a sentence names somebody for a role, or beside other matters, where all who belong to something are asked for."""
    if _BELONGS.search(low) is None:
        return False
    role = _ROLE.search(said, max(0, value - 60), value)
    return _SAYS_BELONGING.search(said) is None or (role is not None and not set(terms(role.group())) & set(terms(low)))


def lacks_code(question: str, text: str) -> bool:
    """Whether a question names a thing by a code such as AB-12 that a text has not: its letters and its number apart are not it."""
    codes = {(one["letters"].casefold(), one["number"]) for one in _CODE.finditer(question)}
    if not codes:
        return False
    low = text.casefold()
    return any(
        re.search(rf"(?<![a-z0-9]){letters}[-_ ]?0*{number.lstrip('0') or '0'}(?!\d)", low) is None for letters, number in codes
    )


def is_half_named(title: str, words: frozenset[str]) -> bool:
    """Whether a page is called by the names of two things, and these words (terms) are of only one: who leads both need not lead one."""
    parts = [frozenset(terms(part)) for part in _AND.split(_BRACKETS.sub("", title))]
    return len(parts) > 1 and all(parts) and 0 < sum(bool(part & words) for part in parts) < len(parts)
