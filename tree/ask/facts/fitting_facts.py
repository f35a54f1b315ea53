"""Whether a fact that was found is the one that is asked for: of that time and that party, in a row that is known by more than a remark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from prompts.coming_times import find_coming
from prompts.extractive.dates import days
from prompts.extractive.no_answers import sends_elsewhere
from prompts.extractive.tenses import asks_how_things_are
from prompts.language import terms
from prompts.months import MONTH
from prompts.regex import regex
from tree.ask.facts.amounts import DATE, amount_of
from tree.ask.facts.attribute import COSTS, OF_MONEY, Attribute
from tree.ask.facts.deputies import is_of_whose
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.leading_roles import DEPUTIES
from tree.ask.facts.turned_questions import says_less, turned
from tree.retrieve.fact_index import FactIndex, StoredFact, folded

_TO_COME = regex(
    r"\bwhen (?:is|are|do|does|will|must|should|has|have) (?!.{0,60}\b(?:last|previous|been|was|were)\b)", re.IGNORECASE
)
_LAST = frozenset("last previous latest former".split())  # in the label of a date
_NEXT = frozenset("next due until expires expiry upcoming coming planned".split())
_ENDED = frozenset("until till to end ended left bis".split())
_BEGUN = frozenset("from since ab von seit".split())
_ASKS_WHAT = regex(r"\W*(?:and )?what (?:(?:has|have|was|is) )?(?:been )?(?:changed|updated|edited)\b", re.IGNORECASE)
_SAYS_UPDATED = regex(r"\b(?:updated|changed|edited|touched|modified)\b|\blast (?:update|change|edit)", re.IGNORECASE)
_AT_PARTY = regex(r"\w (?:at|by|from|with) ([A-ZÀ-Þ][\w-]{2,30})\Z")  # in the label of a column
_HOW_MANY = regex(
    r"\W*(?:and )?how many (?!m\b|metres?\b|meters?\b|kg\b|kilos?\b|tons?\b|hours?\b|days?\b|minutes?\b|seconds?\b|weeks?\b|months?\b|years?\b|degrees?\b|litres?\b|percent\b)",
    re.IGNORECASE,
)
_MEASURE = regex(r"\d[\d.,]* ?(?:m|cm|mm|km|kg|g|t|l|hl|ml|s|ms|h|min|°C|%|kW|V|A|bar)", re.IGNORECASE)
_THINGS_WITH = regex(
    r"\A\W{0,3}(?:(?:which|what|list|show|all|the) ){0,3}[\w-]{2,30}s (?:with|that have|which have|have|of) (?:[\w-]{1,30} )?\d|\bfor \d[\d.,]{0,9} [a-z]{3,20}s\b",
    re.IGNORECASE,
)
_ASKS_TIME = regex(
    r"\A\W*(?:and )?(?:when\b|(?:in |on |for |over |at )?(?:which|what) (?:weeks?|days?|dates?|months?|nights?|weekends?|evenings?)\b)",
    re.IGNORECASE,
)
_SAYS_TIME = regex(
    rf"\d|\b(?:{MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun)\b|\w*days?\b|\w*(?:week|month|year|quarter|hour|night|evening|morning|noon|spring|summer|autumn|winter|term)\w*"
    r"|today|tomorrow|yesterday|now|soon|never|always|immediately|before|after|until|since|once|when|as soon|every|daily|open|tbc|tbd|unknown)",
    re.IGNORECASE,
)
ON_DUTY = regex(r"\bon[- ]call\b|\bon (?:duty|standby|stand-by|shift|watch)\b", re.IGNORECASE)
_OF_DUTY = frozenset(terms("call oncall duty standby shift watch rota roster primary secondary"))
_NOUNS = regex(r"\b(?:recordings?|(?<!who )calls)\b", re.IGNORECASE)  # as verbs they only put a question
_NUMBERED = regex(r"\b(?P<of>[a-z]{3,20}) (?:no\.? |number )?(?P<number>\d{1,6})\b", re.IGNORECASE)
_OWN = regex(r"\b(?:our|ours|us|we|my|unser\w*|notre|nos)\b", re.IGNORECASE)


_ASKS_PLACE = regex(r"\A\W*(?:and )?where\b", re.IGNORECASE)
_ASKS_OUTCOME = regex(  # what an audit found is not when it was
    r"\A\W*(?:and )?what (?:did|do|does|has|have) [^?]{2,80} (?:find|found|found out|show|shown|showed|reveal\w*|result in|conclude\w*)\W*\Z",
    re.IGNORECASE,
)
_WHICH_ARE = regex(r"\A\W*(?:and )?which [\w-]+s are\b", re.IGNORECASE)
_BARE_NUMBER = regex(r"\d[\d.,]*")


def fitting(text: str, answer: Attribute, facts: FactIndex, today: date) -> Attribute | None:
    """None where what was found is of another time, or of another party: the "contact at Quillmere" is nobody's at the supplier."""
    if asks_how_things_are(text):
        answer = replace(answer, facts=tuple(_not_over(answer.facts, facts, *_time_of(text, today))))
    if _ASKS_PLACE.match(text):
        answer = replace(answer, facts=tuple(fact for fact in answer.facts if not _is_day_or_person(fact)))
    if _ASKS_OUTCOME.match(text) or all(sends_elsewhere(text, fact.fact.value) for fact in answer.facts):
        return None
    if _WHICH_ARE.match(text) and all(_BARE_NUMBER.fullmatch(fact.fact.value.strip()) for fact in answer.facts):
        return None  # which seats are held is not how many there are
    answer = replace(answer, facts=tuple(_of_numbers_named(text, answer.facts, facts)))
    if not answer.facts or _is_of_the_way(text, answer) or says_less(text, answer, facts):
        return None
    if (the_right_way := turned(text, answer, facts)) is None:
        return None
    answer = the_right_way
    is_price = any((OF_MONEY | COSTS) & set(terms(fact.fact.relation)) for fact in answer.facts)
    is_by_cell = not answer.is_reverse and all(_is_by_another_cell(fact, answer.subject) for fact in answer.facts)
    if (answer.way or is_by_cell) and is_price and len({folded(fact.fact.value) for fact in answer.facts}) > 1:
        return None  # what each of those pays that have a plan is not what the plan costs
    if is_by_cell and not answer.way and _ASKS_PRICE.match(text) and not any(_says_price(fact) for fact in answer.facts):
        return None  # nor is the cost of a complaint about a sideboard what that costs
    said = set(terms(text))
    if any(said & set(terms(fact.fact.relation)) == {"go"} for fact in answer.facts):
        return None  # when something goes live is not its "go or no-go"
    if _HOW_MANY.match(text) and any(_MEASURE.fullmatch(fact.fact.value.strip()) for fact in answer.facts):
        return None  # "4.4 m" of "highest vehicle" counts no vehicles
    if _THINGS_WITH.match(text) and not any(map(str.isalpha, answer.subject)):
        return None  # "ships with 54 vehicles" asks for ships, and not for what is said of the one that has this number
    named = {
        term
        for fact in answer.facts
        for said in (fact.fact.relation, fact.fact.subject.name, fact.fact.value)
        for term in terms(said)
    }
    if any(terms(noun)[:1] and terms(noun)[0] not in named for noun in _NOUNS.findall(text)):
        return None  # how long support tickets are kept is not how long "recordings of support calls" are
    if _ASKS_TIME.match(text) and not answer.is_reverse and not any(_SAYS_TIME.search(fact.fact.value) for fact in answer.facts):
        return None  # who else stands in a row is no week
    if ON_DUTY.search(text) and not any(
        _OF_DUTY & set(terms(f"{fact.fact.relation} {fact.fact.subject.name} {fact.fact.value} {fact.fact.group}"))
        for fact in answer.facts
    ):
        return None  # when somebody has to have done something is not when they are on call
    parties = (match[1] for fact in answer.facts if (match := _AT_PARTY.search(fact.fact.relation)) is not None)
    if any(folded(party) not in folded(text) for party in parties) and _OWN.search(text) is None:
        return None
    return _of_time_asked(text, answer, facts)


_ASKS_PRICE = regex(
    r"\A\W*(?:and )?(?:how much (?:does|do|is|are)|what (?:does|do)|what is the (?:price|cost) of) ", re.IGNORECASE
)


def _says_price(fact: StoredFact) -> bool:
    """Whether a cell is no cost that something else had, a complaint or a repair, by its column or by what its table is called."""
    is_cost = not {"cost", "costs"}.isdisjoint(folded(fact.fact.relation).split())
    return not is_cost or "price" in folded(f"{fact.fact.group} {fact.place.rpartition('/')[2]}")


def _is_day_or_person(fact: StoredFact) -> bool:
    """Whether a cell says when, or by whom, and so not where: "found on", "found by"."""
    amount = amount_of(fact.fact.value)
    is_day = amount is not None and amount.unit == DATE
    return is_day or folded(fact.fact.relation).replace("_", " ").endswith((" by", " on")) and bool(fact.fact.row)


def _is_by_another_cell(fact: StoredFact, subject: str) -> bool:
    """Whether a row was found by a cell that does not name it."""
    return bool(fact.fact.row) and set(terms(subject)).isdisjoint(terms(fact.fact.subject.name))


def _is_of_the_way(text: str, answer: Attribute) -> bool:
    """Whether it is of what stands on the way to an answer, and not of what is asked about: who stands in for the head of a unit
    stands in for nobody else in it, and when a contract began is not when to give notice."""
    relations = {folded(fact.fact.relation) for fact in answer.facts}
    if not answer.way:
        return False
    said = set(terms(text))
    if relations <= DEPUTIES:  # "the deputy of the supervisor of" names its way
        return not all(is_of_whose(one) or said & set(terms(one.fact.relation)) for one in answer.way)
    return answer.asked == "when" and not any(said & set(terms(relation)) for relation in relations)


def _time_of(text: str, today: date) -> tuple[date, date]:
    """The first and last day of the coming time that a question names, "in 2027"; today where it names none."""
    span = find_coming(text, today)
    return (span.first, span.last) if span is not None and span.first > today else (today, today)


def _not_over(found: Sequence[StoredFact], facts: FactIndex, first: date, last: date) -> Iterator[StoredFact]:
    """Those but for cells of rows that end before the first of these days, or begin behind the last: of whoever was lead from January to
    June."""
    since, until = (first.year, first.month, first.day), (last.year, last.month, last.day)
    cells = [
        (cell, day)
        for cell in facts.lines(dict.fromkeys(one.line for one in found if one.fact.row))
        if (day := max(days(cell.fact.value), default=None)) is not None
    ]
    others = {cell.line for cell, day in cells if _is_of(cell, _ENDED) and (day.year, day.month, day.day or 31) < since}
    others |= {cell.line for cell, day in cells if _is_of(cell, _BEGUN) and (day.year, day.month, day.day or 1) > until}
    return (one for one in found if not one.fact.row or one.line not in others or _is_of(one, _ENDED | _BEGUN))


def _of_numbers_named(text: str, found: Sequence[StoredFact], facts: FactIndex) -> Iterator[StoredFact]:
    """Those but for cells of rows that have another number in a column which the question names with one: "in week 49"."""
    named = {match["of"].casefold(): match["number"].lstrip("0") for match in _NUMBERED.finditer(text)}
    cells = facts.lines(dict.fromkeys(one.line for one in found if one.fact.row)) if named else []
    others = {
        cell.line
        for cell in cells
        if (number := named.get(folded(cell.fact.relation)))
        and cell.fact.value.strip().isdigit()
        and cell.fact.value.strip().lstrip("0") != number
    }
    return (one for one in found if not one.fact.row or one.line not in others)


def _of_time_asked(text: str, answer: Attribute, facts: FactIndex) -> Attribute | None:
    """The answer to "when is it calibrated?" is the column "next due" and not "last calibration"; None where a row has none of what is
    to come, and where the update of a thing is taken for the day on which its ticket was updated."""
    relations = {folded(fact.fact.relation) for fact in answer.facts}
    if relations == {"updated"} and (
        _SAYS_UPDATED.search(text) is None or _TO_COME.search(text) is not None or _ASKS_WHAT.match(text) is not None
    ):
        return None
    if _TO_COME.search(text) is None or not all(fact.fact.row and _is_of(fact, _LAST) for fact in answer.facts):
        return answer
    cells = facts.lines(dict.fromkeys(fact.line for fact in answer.facts))
    coming = tuple(cell for cell in cells if _is_of(cell, _NEXT))
    return replace(answer, facts=coming) if coming else None


def _is_of(fact: StoredFact, words: frozenset[str]) -> bool:
    return not words.isdisjoint(re.split(r"[\W_]+", folded(fact.fact.relation)))


def is_known_by_remark(answer: Attribute, facts: FactIndex) -> bool:
    """Whether its rows were found by a word of their remarks: that others have no such remark says nothing of them."""
    rows = [fact for fact in answer.facts if fact.fact.row]
    said = folded(answer.subject)
    if not rows or not said or any(said in folded(fact.fact.subject.name) for fact in rows):
        return False
    holding = [cell for cell in facts.lines(dict.fromkeys(fact.line for fact in rows)) if said in folded(cell.fact.value)]
    return bool(holding) and all(_is_of(cell, REMARKS) for cell in holding)
