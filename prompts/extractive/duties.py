"""Who has to do something: a sentence tells it where it says so of somebody by name, on the same side of the same number."""

from __future__ import annotations

import re

from prompts.language import terms
from prompts.regex import regex

_NAME = r"(?P<name>(?!(?:It|He|She|They|We|You|I|There|Nobody|Somebody|Everybody|Who|What|This|That|The|And|But|So|Then|Each|Every|Any|All|A|An)\b)[A-Z][\w'’-]{0,30}[a-zà-ž](?: (?:(?:de|van|von|der|la|le) ){0,3}[A-Z][\w'’-]{1,30}){1,4})"
_ASKED = regex(r"\bwho(?:m|se)? (?:has|have|needs|must|should|is)(?: to)? (?P<act>[a-z]+)\b", re.IGNORECASE)
_TOLD = (
    regex(rf"(?<!not )\bneeds? (?:the )?{_NAME}['’]s? (?P<act>[a-z]+)"),
    regex(rf"{_NAME} (?:must|has to|needs to|is to|should) (?!not\b)(?:also )?(?P<act>[a-z]+)"),
    regex(rf"\b(?:must|has to|have to|needs? to|should|is to|are to) be (?P<act>[a-z]+) by (?:the )?(?:[a-z]+ ){{0,3}}{_NAME}"),
)
_NUMBER = regex(r"\d[\d,.']*\d|\d")
_SIDES = (
    regex(r"\b(?:above|over|exceed\w*|more than|from)\b", re.IGNORECASE),
    regex(r"\b(?:below|under|less than|up to|at most|within)\b", re.IGNORECASE),
)


def who_has_to(question: str, text: str) -> int | None:
    """Where a sentence names whoever has to do what the question asks; None where it does not, or of another case."""
    asked = _ASKED.search(question)
    if asked is None or _numbers(question) - _numbers(text):
        return None
    if any(bool(side.search(question)) != bool(side.search(text)) for side in _SIDES if _NUMBER.search(f"{question}{text}")):
        return None
    act = terms(asked["act"])[:1]
    told = (match for pattern in _TOLD for match in pattern.finditer(text))
    return next((match.start("name") for match in told if act and terms(match["act"])[:1] == act), None)


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "").replace("'", "") for number in _NUMBER.findall(text)}
