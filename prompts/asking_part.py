"""Of what somebody writes in a chat the part that asks: "I have to tell the board on Monday. Could you add up the rents of Mill Lane?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prompts.regex import regex

_ENDS = regex(r"(?<=[?!]) |(?<=[a-z\d)\"'’]\.) (?=[A-Z\"'“])")
_REQUESTS = regex(
    r"\b(?:can|could|would|will) (?:you|somebody|someone|anybody|anyone)\b|\bplease\b|\b(?:pls|plz)\b|\b(?:tell|give|show|list|name|send|find|work out|write out|write down|add up|count|check)\b"
    r"|\bi (?:just |only )?(?:need|want|would like|['’]d like)\b|\b(?:is|are|be) enough\b",
    re.IGNORECASE,
)
_HOW_PRECISELY = regex(  # "rounded to two decimals", "to the nearest penny", "counting from today"
    r"[,;(]? ?\b(?:(?:rounded|round it|rounding)\b[^,;.?!]{0,40}|(?:to|with) (?:the nearest [a-z]{1,12}|(?:one|two|three|\d) (?:decimals?|digits?|places?)\b[^,;.?!]{0,30})"
    r"|(?:one|two|three|\d) (?:decimals?|digits?)\b(?: places| after [^,;.?!]{1,20})?|(?:net|exclusive|inclusive) of vat|(?:with|without|excl(?:uding)?\.?|incl(?:uding)?\.?|plus) vat|as things stand(?: today)?|counting from today|(?:(?:from|after|as of) (?:today|now)(?: on)?|by today))\)?",
    re.IGNORECASE,
)
_AND_ITS_VALUE = regex(  # "which zone has the lowest humidity, and what is the value?": the value is told anyway
    r",? (?:and|\+) (?:(?:what(?:['’]?s| is| was)|how (?:much|many [a-z]+|high|big|long|large)(?: is| was| are| were)?) (?:it|that|this|the (?:value|amount|figure|number|price|sum|total)|that (?:value|amount|figure))"
    r"|by how (?:much|many [a-z]+)|how (?:much|many)|(?:from )?what amount|amount|value)(?: there| then| in all)?(?=\W*\Z)",
    re.IGNORECASE,
)
_QUESTION = regex(
    r"(?:^|[,;:] |\b(?:and|but|so) )(?:by |for |from |of |to |at |with |in |on )?(?:what|which|who|whose|whom|when|where|how (?:many|much|long|often|far|old)|is there|are there)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskingPart:
    """`asked` is what asks; `around` is what is said besides, which may have the names of things that "their" or "it" stands for."""

    asked: str
    around: str = ""


def without_its_value(text: str) -> str:
    """A question for what has the most of something without that it asks how much that is, and how precisely that is wanted."""
    return _AND_ITS_VALUE.sub("", _HOW_PRECISELY.sub("", text))


def asking_part(text: str) -> AskingPart:
    """All of it where it is one sentence, or where no sentence asks more than the others."""
    sentences = [one.strip() for one in _ENDS.split(" ".join(text.split())) if one and one.strip()]
    if len(sentences) < 2:
        return AskingPart(text)
    questions = [at for at, one in enumerate(sentences) if one.endswith("?")]
    asking = questions or [at for at, one in enumerate(sentences) if _REQUESTS.search(one) or _QUESTION.search(one)][-1:]
    if not asking or len(asking) == len(sentences):
        return AskingPart(text)
    asked = " ".join(sentences[at] for at in asking)
    around = " ".join(one for at, one in enumerate(sentences) if at not in asking)
    return AskingPart(asked, around)
