"""What a question wants done with the rows of a table, in whatever words: added up, put in order, those that are over, late or not done.

Only the operation is read here. Of which table, which rows and which column is for `row_calculations` to find out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from prompts.months import MONTH
from prompts.number_words import NUMBER_WORDS
from prompts.regex import regex
from tree.ask.facts.amounts import Bounds, number_of, unit_of
from tree.ask.facts.set_question import Aggregate

Rank = Literal["", "earliest", "latest", "most", "least"]
State = Literal["past", "valid", "coming", "done", "open", "late", "below"]

_SUM = regex(
    r"\b(?:add(?:ed|ing)? (?:[\w'’]+ ){0,3}?up\b|add(?:ed|ing)? up\b|add (?=(?:the|all|their|its) )|(?<!what )(?<!which )sum(?:med)?(?: up)?\b(?: of)?|(?:grand |in )?total(?:s|led|ling)?\b(?: of| number of| amount of)?"
    r"|(?!what does \w+ pay for\b)(?:how much|what) (?:money )?(?:have|has|did|do|does) (?:we|they|i|you|[a-z]+) (?:already |now )?(?:spent|spend|paid|pay|brought in|bring in)\b(?: so far)?|al{1,2}together|all together|put together|everything together|(?<!work )together(?=\W*\Z|[,.?!])|(?:all )?combined|in all\b|all in all|overall)",
    re.IGNORECASE,
)
_AVERAGE = regex(
    r"\b(?:on average|average(?: of)?|avg\.?|averaged?|\Amean(?= [a-z_]{3,})|(?:the|their|a|its) mean\b(?: of)?|mean (?:of|value)|typical(?:ly)?)\b",
    re.IGNORECASE,
)
_OF_A_TIME = rf"(?:in|of|on) (?:(?:the|this) (?:\w+ )?(?:year|season|month|quarter|list|register|log|table)|20\d\d|{MONTH})\b"
_EARLIEST = regex(
    r"\b(?:oldest|most ancient|earliest|first of all|(?:furthest|farthest) (?:back )?in the past|(?:furthest|farthest) back|(?:the )?longest ago|for the longest(?: time)?|the longest(?= (?:past|without|overdue)\b)|longest(?= (?:rental|hire|loan|overdue|serving|standing)\b)|(?:started|bought|bought it|buy|rented|joined|hired|ordered) first|first (?:started|bought|rented|joined|hired|ordered)|most (?:faithful|loyal)|long-?est-standing|first(?= (?:one|to|that|next|date|day)\b|\W*\Z)"
    rf"|(?:very )?first(?= (?:[a-z-]+ ){{1,3}}{_OF_A_TIME}))\b",
    re.IGNORECASE,
)
_HAS_BEEN = regex(r"(?:\b(?:has|have|had|been|hanging on)|['’]s|['’]ve)\b", re.IGNORECASE)
_THE_LONGEST = regex(r"\bthe longest(?=\W*\Z)", re.IGNORECASE)  # of what has been so
_LATEST = regex(
    rf"\b(?:newest|most recent(?:ly)?|latest|youngest|last of all|very last|the last(?= (?:entry|record|row|line)\b)|the last(?= (?:[a-z-]+ ){{1,3}}{_OF_A_TIME}))\b",
    re.IGNORECASE,
)
_MOST = regex(
    r"\b(?:(?:the )?most expensive|dearest|priciest|(?:the )?most(?! (?:of|recent|recently|important|common|likely|people)\b)|highest|largest|biggest|greatest|longest|tallest|heaviest|maximum|max|strictest|busiest|worst)\b",
    re.IGNORECASE,
)
_LEAST = regex(r"\b(?:lowest|(?:the )?least|smallest|shortest|fewest|cheapest|lightest|driest|slowest)\b", re.IGNORECASE)
_ENDING = r"(?:expire[sd]?|expiring|end[s]?|ending|lapses?|run(?:s|ning)? out|come(?:s|ing)? (?:up|due|to (?:its|their|an|the) end)|(?:is |are |be |fall(?:s)? )?due|renew(?:ed|al)?)"
_NEXT = regex(
    rf"\b(?:the )?(?:very )?next (?:one )?(?:to |that )?{_ENDING}\b|\b(?:the )?(?:very )?next (?=(?:[\w-]+ ){{1,3}}(?:to|that|which) (?:will )?{_ENDING}\b)"
    rf"|\b{_ENDING} (?:the )?(?:very )?(?:next|soonest|first)\b|\bsoonest\b|\b(?:the )?(?:very )?next (?=(?:[\w-]+ ){{1,2}}(?:is )?due\b)|\b(?:the )?(?:very )?next (?=(?:one )?to be\b)",
    re.IGNORECASE,
)
_NEXT_OF = regex(r"\b(?:the )?(?:very )?next (?:one )?(?=(?:[a-z-]+ ){0,3}(?:on|in|after|with|that|for)\b)", re.IGNORECASE)
_ENDS = regex(
    r"\b(?:to )?(?:expir(?:e|es|ed|ing|y)|runs? out|running out|ran out|run out|lapse[sd]?|come to (?:its|their|an|the) end|(?:reach|reaches|comes?) (?:its|their|an|the) end)\b",
    re.IGNORECASE,
)
_PAST = regex(
    r"\b(?:(?:(?:is|are|has|have|had|did|was|were) )?(?:already |now |long ){0,2}(?:overdue|expired|lapsed|out of date|uninsured|no longer (?:valid|good|insured|current|covered)|not (?:valid|insured|current|covered) any ?more)"
    r"|(?:has|have|had|['’]s|['’]ve|already|are|is) (?:already |now |long ){0,2}(?:run out|gone by|gone out of date|passed|come to (?:its|their|an) end|over\b)|(?:is|are) behind us|already passed"
    r"|(?:furthest )?past (?:its|their|the|his|her) (?:[\w-]+ )?(?:date|day|end|deadline)|past the day|past due|dropped off|should(?: \w+){0,3} have(?: been)? \w+(?: \w+){0,4} by now|should have been \w+(?: \w+){0,4} by now)\b",
    re.IGNORECASE,
)
_VALID = regex(r"\b(?:still|currently) (?:valid|current|in force|good|insured|covered)(?: today| now)?\b", re.IGNORECASE)
_OPEN = regex(
    r"(?:\bnot|n['’]t)(?: (?:yet|been|be|it|them|all))* (?:returned|brought (?:it |them )?back|brought|handed (?:it |them |in )?back|handed|given (?:it |them )?back|given|sent back|come back|back|done|finished|completed|delivered|arrived|paid|closed|settled)\b(?: (?:back|yet|so far))*"
    r"|\bstill (?:(?:have|has|had|got|hold|holds|holding|keep|keeps|out|open|missing|outstanding|owe|owes|unpaid|undone)\b|to do\b)|\b(?:has|have|['’]s|['’]ve) still (?:got|not)\b|\b(?:and|but) (?:they |it )?(?:has|have|was|were|is|are)(?: not|n['’]t)(?=\W*\Z|[,.?])|\bhanging on to\b|\byet to (?:be )?(?:returned|done|delivered|paid|come back)\b|\bhave out\b|\bout at the moment\b",
    re.IGNORECASE,
)
_EITHER = regex(  # whether done or not
    r"\b(?:returned|done|finished|closed|delivered|paid) (?:and|or|as well as) (?:still |not )(?:out|open|unpaid|not|done|returned|paid)\b|\b(?:open|out) (?:and|or) (?:already )?(?:closed|done|returned)\b",
    re.IGNORECASE,
)
_DONE = regex(
    r"\b(?:already|have been|has been|were|actually|have) (?:already |actually )?(?:returned|brought back|done|finished|completed|delivered|arrived|paid|closed|settled)\b|\balready here\b",
    re.IGNORECASE,
)
_LATE = regex(
    r"\b(?:(?:(?:came|come|been|were|was|brought|given|handed) (?:back |home |in |done |finished |delivered |completed |returned ){0,2})?(?:later|after) (?:than )?(?:(?:its|their|the|it|they) )?(?:was |were )?(?:due(?: date)?|promised|planned|agreed|deadline)|(?:delivered|finished|completed|returned|brought back|given back|handed back|done|arrived|came|come) (?:too )?late|too late|late (?:deliver(?:y|ies)|returns?))\b",
    re.IGNORECASE,
)
_BELOW = regex(
    r"\b(?:(?:below|under|beneath|less than|fewer than|lower than|less (?:\w+ ){0,3}than|fewer (?:\w+ ){0,4}than)(?: (?:[\w]+ ){0,3}?)(?:min(?:imum)?|reorder)\b(?: level| stock| says)?|too (?:little|few)(?: (?:of|left))?|(?:running|getting|run) (?:short|low)\b(?: of| on)?|short of)",
    re.IGNORECASE,
)
_COUNT = regex(r"\bhow (?:many|much)\b|\b(?:number|count) of (?=[a-z]{3,}s\b)", re.IGNORECASE)
_WORDS = NUMBER_WORDS | {"a hundred": 100, "a thousand": 1000, "one thousand": 1000, "two thousand": 2000}
_NUMBERED = rf"(?:\d[\d,.']*\d|\d|{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_BETWEEN = regex(
    rf"\b(?:(?:between|from) (?:(?P<what>[a-z]{{2,12}}) )?(?P<sign>[€$£])?(?P<low>{_NUMBERED}) (?:and|to|up to|until) (?:[a-z]{{2,12}} )?[€$£]?(?P<high>{_NUMBERED})"
    rf"|(?P<weeks>weeks?|wk|kw) (?P<first>\d{{1,2}}) ?(?:to|and|until|[-–]) ?(?:week )?(?P<last>\d{{1,2}}))\b(?! ?(?:{MONTH}\b|[/.-]\d))(?: (?P<unit>[a-z]+))?",
    re.IGNORECASE,
)
_COMPARED = regex(
    rf"\b(?:(?P<more>more|greater|higher|larger|bigger|longer|over|above|exceeding|upwards of|at least)|(?P<less>less|fewer|lower|smaller|shorter|cheaper|under|below|at most|up to))(?: than)? (?P<sign>[€$£])? ?(?P<number>{_NUMBERED})(?: ?(?P<unit>[€$£%]|[a-z]+))?",
    re.IGNORECASE,
)
_PAST_BY = regex(  # "more than a week overdue"
    rf"\b(?:more than|over|at least) (?P<number>an?|\d{{1,3}}|{'|'.join(sorted(_WORDS, key=len, reverse=True))}) (?P<unit>day|week|month)s? (?=overdue|late|past|expired|out of date)",
    re.IGNORECASE,
)
_DAYS = {"day": 1, "week": 7, "month": 30}
_CLOSED = regex(r"\bat (?:least|most)|\bup to", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Operation:
    """`rest` is the question without the words that say what is to be done, so that these are not looked for in the rows."""

    aggregate: Aggregate = ""
    rank: Rank = ""
    states: tuple[State, ...] = ()
    bounds: Bounds | None = None
    bounds_said: str = ""  # the bounds as they are written
    acts: tuple[str, ...] = ()  # what is done or not: "returned", "paid"
    bounded: str = ""  # the word for what the bounds are of, where that stands between them: "weeks 38 to 47"
    past_by: int = 0  # days that something is at least over, for one that is
    is_count: bool = False
    is_end: bool = False  # it is spoken of something that ends
    rest: str = ""
    measure: str = ""  # the word for the greatest or the smallest: "longest", "cheapest"

    @property
    def is_any(self) -> bool:
        return bool(self.aggregate or self.rank or self.states or self.bounds or self.is_count or self.is_end)


class _Text:
    """A question, and what of it says an operation: no word says two of them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._used: list[tuple[int, int]] = []

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first place that a pattern is found at and nothing else was; it is then taken, a word of a unit that is none left there."""
        found = next((one for one in pattern.finditer(self.text) if self._is_free(*one.span())), None)
        if found is not None:
            unit = found.groupdict().get("unit") if pattern in (_COMPARED, _BETWEEN) else None
            end = found.start("unit") if unit and unit_of(unit.strip()) is None else found.end()
            self._used.append((found.start(), end))
        return found

    def has(self, pattern: re.Pattern[str]) -> bool:
        return self.take(pattern) is not None

    def _is_free(self, start: int, end: int) -> bool:
        return start < end and all(end <= first or last <= start for first, last in self._used)

    @property
    def rest(self) -> str:
        """The text with what was taken left blank."""
        left = list(self.text)
        for start, end in self._used:
            left[start:end] = " " * (end - start)
        return "".join(left)


def read_operation(text: str) -> Operation:
    """What is asked to be done; nothing of it where a question only asks what a row says."""
    said, states = _Text(text), list[State]()
    past_by, between = said.take(_PAST_BY), said.take(_BETWEEN)
    if said.has(_BELOW):
        states.append("below")
    if said.has(_LATE):
        states.append("late")
    is_over = said.has(_PAST)
    act: re.Match[str] | None = None
    if not said.has(_EITHER):
        if (act := said.take(_OPEN)) is not None:
            states.append("open")
        elif "late" not in states and not is_over and (act := said.take(_DONE)) is not None:
            states.append("done")
    coming = said.take(_NEXT) if not is_over else None
    is_next = coming is not None or (not is_over and said.has(_NEXT_OF))
    if is_next:
        states.append("coming")
    elif said.has(_VALID):
        states.append("valid")
    compared = said.take(_COMPARED) if not states and between is None else None
    bounded = between if between is not None else compared
    rank, measure = _rank(said) if not is_next else ("earliest", "")
    if is_over:
        states.append("past")
    is_end = said.has(_ENDS) or coming is not None
    is_average = said.has(_AVERAGE)
    return Operation(
        aggregate="average" if is_average else "sum" if said.has(_SUM) else "",
        rank=rank,
        states=tuple(states),
        bounds=_between(between) if between is not None else _bounds(compared) if compared is not None else None,
        bounds_said=" ".join(bounded[0].split()) if bounded is not None else "",
        acts=tuple(act.group().casefold().split()) if act is not None else (),
        bounded=(between["what"] or between["weeks"] or "").casefold() if between is not None else "",
        past_by=_days_of(past_by) if past_by is not None else 0,
        is_count=said.has(_COUNT),
        is_end=is_end,
        rest=said.rest,
        measure=measure,
    )


def _rank(said: _Text) -> tuple[Rank, str]:
    """What comes first, with the word for it where that is of an amount."""
    by_day: tuple[tuple[Rank, re.Pattern[str]], ...] = (("earliest", _EARLIEST), ("latest", _LATEST))
    by_amount: tuple[tuple[Rank, re.Pattern[str]], ...] = (("most", _MOST), ("least", _LEAST))
    for rank, pattern in by_day:
        if said.has(pattern):
            return rank, ""
    if _HAS_BEEN.search(said.text) and said.has(_THE_LONGEST):
        return "earliest", ""
    for rank, pattern in by_amount:
        if (found := said.take(pattern)) is not None:
            return rank, found.group().casefold().removeprefix("the ")
    return "", ""


def _number(said: str) -> float | None:
    low = said.casefold()
    return float(_WORDS[low]) if low in _WORDS else number_of(low)


def _between(said: re.Match[str]) -> Bounds | None:
    """From the first to the last, both of them too."""
    low, high = _number(said["low"] or said["first"]), _number(said["high"] or said["last"])
    unit = unit_of(said["sign"] or said["unit"] or "")
    factor, name = (unit[1], unit[0]) if unit is not None else (1.0, "")
    return Bounds(low * factor, high * factor, is_closed=True, unit=name) if low is not None and high is not None else None


def _bounds(said: re.Match[str]) -> Bounds | None:
    number = _number(said["number"])
    if number is None:
        return None
    unit = unit_of((said["sign"] or said["unit"] or "").strip())
    factor, name = (unit[1], unit[0]) if unit is not None else (1.0, "")
    is_closed = _CLOSED.match(said.group()) is not None
    if said["more"]:
        return Bounds(low=number * factor, is_closed=is_closed, unit=name)
    return Bounds(high=number * factor, is_closed=is_closed, unit=name)


def _days_of(said: re.Match[str]) -> int:
    number = said["number"].casefold()
    many = 1 if number in ("a", "an") else int(number) if number.isdigit() else _WORDS[number]
    return many * _DAYS[said["unit"].casefold()]
