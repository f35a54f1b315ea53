"""A question that goes on with a word alone: "when are the office hours, and in which room?" wants two things of one answer."""

from __future__ import annotations

import re

from prompts.extractive.asked_values import DATE
from prompts.months import MONTH, WEEKDAY
from prompts.number_words import NUMBER_WORD
from prompts.regex import regex

_SECOND = regex(
    r"\b(?:and|und|et) (?:(?:in|at|on|for|with|from|to|by|until|since) )?"
    r"(?:(?P<where>where|wo|où|(?:which|what) (?:room|place|building|hall|house|office|site|city|town|country|street|address|floor|shelf|folder))"
    r"|(?P<when>when|wann|quand|(?:what|which) (?:time|day|date|year|month|week))|(?P<who>who|whom|whose|wer|wem|qui)|(?P<count>how (?:much|many|long|often|big|far|old)))"
    r"(?: (?!(?:is|are|was|were|do|does|did|has|have|had|can|could|should|must|may|will|would)\b)[\w-]+)?\W*\Z",
    re.IGNORECASE,
)
_HAS = {
    "where": regex(
        rf"\b(?:in|at|near|under|on|below|behind|beside|opposite|next to|im|am|bei|auf|dans|sur|chez) (?:the |an? |der |dem |la |le )?[`\"“]?(?!\d|(?:{WEEKDAY}|{MONTH})\b|noon|midnight|time|least|most|once|order|case|half|(?:end|start|beginning|week|month|year|morning|evening|afternoon|night)\b)\w"
        r"|\b(?:rooms?|place|building|hall|location|where|site|address|floor|shelf|home|berth)\b|\b(?-i:[A-Z]{1,3})\d?\.?\d{1,4}\b",
        re.IGNORECASE,
    ),
    "when": regex(
        rf"\b\d{{1,2}}[:.]\d\d\b|\b(?:19|20)\d\d\b|\b(?:{WEEKDAY}s?|today|tomorrow|noon|midnight|daily|weekly|monthly|yearly|every|each|after|before|until|since)\b|\b\d{{1,2}} ?(?:am|pm|uhr|h)\b",
        re.IGNORECASE,
    ),
    "who": regex(r"\b[A-Z][\w'’-]+ [A-Z][\w'’-]+|\b(?:the|our|an?|every|each) [a-z]+"),
    "count": regex(rf"\d|\b(?:{NUMBER_WORD}|once|twice|daily|weekly|monthly|yearly|every|each|never|always)\b", re.IGNORECASE),
}


_HOW_MANY = regex(r"\bhow (?:many|much)\b", re.IGNORECASE)
_MARK = regex(r"\[\d+\]")
_NUMBER = regex(rf"\d[\d.,:]*|\b(?:{NUMBER_WORD}|none|no)\b", re.IGNORECASE)


def lacks_second_part(question: str, told: str) -> bool:
    """Whether a question asks for one thing more behind "and", and nothing that is told could be it; or for two numbers, and one is told."""
    if len(_HOW_MANY.findall(question)) > max(1, len(_NUMBER.findall(_MARK.sub(" ", told)))):
        return True
    if (match := _SECOND.search(question)) is None or match.lastgroup is None:
        return False
    return _HAS[match.lastgroup].search(told) is None and not (match.lastgroup == "when" and DATE.search(told))
