"""Questions for rows of a table in plain words: without what is only said besides, and a quarter of a year as its days."""

from __future__ import annotations

import re
from datetime import date

from prompts.asking_part import without_its_value
from prompts.regex import regex
from prompts.timespans import QUARTER, days_of_quarter, quarter_of
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import folded

_FOR_SOMEBODY = regex(  # "Jane wants to know which ..."
    r"\A\W*+(?!(?:who|whoever|which|what|how)\b)(?:[\w'’.-]+ )(?:(?!(?-i:[A-Z])|\d)[\w'’.-]+ ){0,2}?(?:wants?|needs?|asks?|asked|would like|['’]d like)(?: to (?:know|see))?[,:]? (?=(?:what|which|how|who)\b)",
    re.IGNORECASE,
)
_AND_WHICH = regex(
    r",? and (?:which|what)(?: (?:ones|numbers|of them))?(?: (?:are|were) (?:they|these|those))?\W*\Z", re.IGNORECASE
)
_BRACKETS = regex(r"\((?:[\w'’ -]{0,40}\b)?(?:pls|plz|please|thanks|thx)\)", re.IGNORECASE)
_POLITE = regex(r"\b(?:pls|plz|thx|please)\b", re.IGNORECASE)
_ACCORDING = regex(
    r",? (?:according to|as per|going by) (?:the|our|this|that) (?:register|list|log|table|file|sheet|matrix|plan)\b",
    re.IGNORECASE,
)
_ADD_UP = regex(
    r"[,.;?!]{0,3} {0,3}(?:(?:and|so)? ?(?:can|could|would) (?:you|we|someone) )?(?:please )?add (?:that|it|them|this|these|those|all(?: of (?:that|it|them))?) up\b",
    re.IGNORECASE,
)
_WHEN_BOUGHT = regex(r" when (?:we|they) (?:bought|got|purchased|ordered|acquired) (?:it|them|these|those)\b", re.IGNORECASE)
_HOW_MUCH = regex(
    r"\A\W*how much (?=(?:do|does|did) .{2,100}\b(?:cost|pay) (?:altogether|in total|in sum|together)\b)", re.IGNORECASE
)
_COST_MOST = regex(  # "which complaint cost us the most": not which text most complaints have
    r"\A\W*(?:which|what) (?P<what>[\w-]+) (?:costs?|did cost|has cost)(?: us)? (?:the )?(?P<how>most|least)(?: money)?(?=\W*\Z)",
    re.IGNORECASE,
)
_GONE_OUT_OF_DATE = regex(r"\b(?:gone|went) out of date\b", re.IGNORECASE)
_OUT_OF_DATE = regex(r"\b(?:go(?:es|ing)?|run(?:s|ning)?) out of date\b", re.IGNORECASE)
_BROUGHT_BACK = regex(r"\b(?:brought|came|come|given|handed|taken|sent) back\b", re.IGNORECASE)
_FULLY_BOOKED = regex(r"\b(?:fully booked|booked (?:out|up|full)|sold out)\b", re.IGNORECASE)
_NOW_LATE = regex(  # "overdue at the moment", "expired staff certificates today"
    r"\b(?P<late>overdue|late|expired|lapsed) (?P<what>(?:(?!(?:before|since|until|after|by|from|in|on|than)\b)[a-z-]+ ){0,4}?)"
    r"(?:(?:as of |by |right )?(?:today|now)|at the moment|currently)\b(?! ['’])",
    re.IGNORECASE,
)
_STILL_NOW = regex(
    r"\b(?P<state>still (?:on|off|open|out|in|valid|active|running|in use|in force)) (?:as of )?(?:today|now|right now)(?=\W*\Z)",
    re.IGNORECASE,
)
_TOTAL_LAST = regex(
    r"\A\W*+(?!(?:who|what|which|how|is|are|does|do)\b)(?P<what>[^?!.;:]{5,100}?)[,:]? (?:-+ )?(?:in )?(?:total|sum)\W*\Z",
    re.IGNORECASE,
)
_SUM_FIRST = regex(r"\A\W*(?:please )?(?:sum(?: up)?|add up|total up)(?: of)?(?: the| all)? (?=[a-z])", re.IGNORECASE)
_COMBINED = regex(r"\b(?:combined|summed(?: up)?) (?=[a-z])", re.IGNORECASE)
_AS_NAMES = regex(r"(?: [–-]|,) (?:just |only )?(?:the )?(?:names?|titles?|list)(?: (?:only|please))?\W*\Z", re.IGNORECASE)
_PASSED = regex(  # "has already passed", "past their end of support"
    r"\b(?:(?:is|are|has|have) )?(?:already )?(?:(?:passed|lapsed)\b|past\b(?= (?:its|their)\b|\W*\Z))(?: (?:by )?(?:now|already))?(?! on\b)",
    re.IGNORECASE,
)
_STANDING = regex(r"\b(?:standing|located|situated|placed|kept|stored) (?=(?:in|at|on) )", re.IGNORECASE)
_MARKED_AS = regex(
    r"\b(?P<be>is|are|was|were) (?:marked|listed|recorded|shown|entered|flagged|noted|down) (?:there )?as (?=[a-z])",
    re.IGNORECASE,
)
_LOUD = regex(r"(?<=[a-z] )(?:AND|OR|NOT|BUT|ALL|ONLY)(?= [a-z])")


def in_plain_words(text: str) -> str:
    """A question without for whom it is put, thanks, and what asks for the same once more."""
    text = _LOUD.sub(lambda match: match.group().lower(), text)
    text = _POLITE.sub("", _BRACKETS.sub("", text))
    text = _AND_WHICH.sub("?", _FOR_SOMEBODY.sub("", text))
    text = without_its_value(_AS_NAMES.sub("", text))
    text = _COMBINED.sub("total ", _SUM_FIRST.sub("total ", _TOTAL_LAST.sub(r"total \g<what>", text)))
    text = _STILL_NOW.sub(r"\g<state>", text)
    text = _ADD_UP.sub(" altogether", _WHEN_BOUGHT.sub("", _ACCORDING.sub("", text)))
    text = _COST_MOST.sub(r"which \g<what> is the \g<how> expensive", _HOW_MUCH.sub("what ", text))
    text = _OUT_OF_DATE.sub("expiring", _GONE_OUT_OF_DATE.sub("expired", text))
    text = _FULLY_BOOKED.sub("full", _PASSED.sub("have expired", text))
    text = _NOW_LATE.sub(r"\g<late> \g<what>", _BROUGHT_BACK.sub("returned", text))
    return " ".join(_MARKED_AS.sub(r"\g<be> ", _STANDING.sub("", text)).split())


def with_days_of_quarter(text: str, table: Table, today: date) -> str:
    """A quarter as its days; left out where the table is called by it, and left as it is where it begins after today."""
    if (match := QUARTER.search(text)) is None:
        return text
    number = quarter_of(match)
    said = match["year"] or match["after"]
    year = int(said) if said else today.year
    called = set(folded(f"{table.file} {table.title} {' '.join(table.headings)}").split())
    if f"q{number}" in called and (not said or said in called):
        return f"{text[: match.start()].rstrip()}{text[match.end() :]}"
    first, last = days_of_quarter(number, year)
    if first > today:
        return text
    days = f"between {first.isoformat()} and {last.isoformat()}"
    return f"{text[: match.start()]}{days}{text[match.end() :]}"
