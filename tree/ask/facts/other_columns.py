"""Values of a row that have the words of a question and are nevertheless of something else than asked: of another year, of all seats and not of
each, how something is renewed and not whether it was."""

from __future__ import annotations

import re
from collections.abc import Callable

from prompts.language import terms
from prompts.question import analyse
from prompts.regex import regex
from tree.ask.facts.amounts import MONEY, amount_of
from tree.ask.facts.attribute import Attribute
from tree.ask.facts.price_columns import is_price
from tree.retrieve.fact_index import FactIndex, StoredFact, folded

_YEAR = regex(r"(?<![\d-])20\d\d(?![\d-])")
_PER = regex(
    r"\b(?:per|a|each|for each|for every|every) (?P<unit>seat|head|person|piece|item|unit|user|licence|license|hour|day|night|week|month|quarter|year)\b",
    re.IGNORECASE,
)
_RATE = regex(r"\b(?:price|cost|costs|fee|fees|rate|pay|paid|much)\b", re.IGNORECASE)
_HOW_MANY = regex(r"\A\W*(?:and )?how many\b", re.IGNORECASE)
_IN_STATE = regex(
    r"\b(?P<thing>[a-z]{3,20}) (?:are |is )?(?:actually |really )?(?P<state>in use|used|unused|left over|left|free|available|booked|taken)\b",
    re.IGNORECASE,
)
_WHEN_WAS = regex(r"\A\W*when (?:was|were|did)\b", re.IGNORECASE)
_CLOCK = regex(r"\W*\d{1,2}[:.]\d\d(?: ?(?:h|am|pm|uhr))?\W*\Z", re.IGNORECASE)
_ASKS_PRICE = regex(r"\b(?:price|prices|cost|costs|how much is|how much are)\b", re.IGNORECASE)
_ASKS_PAID = regex(r"\b(?:pay|paid|pays|spend|spent|cost us|bought for)\b", re.IGNORECASE)
_WORTH = frozenset("value worth valuation insured wert valeur".split())  # in the name of a column
_PRICED = frozenset("price cost paid purchase bought".split())  # in one that says what was paid all the same
_PLAIN_PRICE = frozenset(terms("price cost costs amount value fee rate unit eur usd gbp chf euro pounds dollars each net gross"))
_OUR = regex(r"\W*our\b", re.IGNORECASE)
_OWNER = regex(r"(?<=[a-z] )[A-Z][\w&.-]{1,30}(?:['\u2019]s|s['\u2019])(?= [a-z])")  # somebody's something
_YES_OR_NO = frozenset("yes no y n true false done open ja nein oui non".split())


def says_something_else(text: str, answer: Attribute, facts: FactIndex) -> bool:
    """Whether one of the values that are told need not be what is asked for."""
    tests: tuple[Callable[[str, StoredFact], bool], ...] = (
        _is_of_other_year,
        _is_not_of_each,
        _is_in_other_state,
        _is_only_a_time,
        _is_no_state,
        _is_no_number,
        _is_its_worth,
        _is_ours,
    )
    return any(test(text, one) for test in tests for one in answer.facts) or _is_one_of_several_prices(text, answer, facts)


def _is_of_other_year(text: str, fact: StoredFact) -> bool:
    """ "What do we pay in 2027?", and the column is "Cost 2026"."""
    asked, told = set(_YEAR.findall(text)), set(_YEAR.findall(fact.fact.relation))
    return bool(asked and told) and asked.isdisjoint(told)


def _is_not_of_each(text: str, fact: StoredFact) -> bool:
    """ "The price per seat", and the column is what all of them cost; "a month" is said by "monthly fee" too."""
    unit = _PER.search(text) if _RATE.search(text) else None
    if unit is None or not fact.fact.row:
        return False
    said = f"{fact.fact.relation} {fact.fact.value} {fact.fact.group} {fact.fact.subject.name}"
    also = _PERIODS.get(unit["unit"].casefold(), ())
    return set(terms(unit["unit"])).isdisjoint(terms(said)) and not any(word in folded(said) for word in also)


_PERIODS = {  # how the name of a column says that something is for each of them
    "hour": ("hour",), "day": ("dai", "day"), "night": ("night",), "week": ("week",), "month": ("month",), "quarter": ("quarter",),
    "year": ("annual", "year", "p a"),
}  # fmt: skip


def _is_in_other_state(text: str, fact: StoredFact) -> bool:
    """ "How many seats are in use?", and the column is of all seats."""
    asked = _IN_STATE.search(text)
    if asked is None or not set(terms(asked["thing"])) & set(terms(fact.fact.relation)):
        return False
    return set(folded(asked["state"]).split()).isdisjoint(folded(fact.fact.relation).split())


def _is_no_number(text: str, fact: StoredFact) -> bool:
    """ "How many items are from Dorrel?", and what is told is one of the items; "how many lockers", and it is what one costs a year."""
    is_rate = _is_money(fact.fact.value) or _PER.search(fact.fact.value) is not None
    is_thing = bool(fact.fact.row) and amount_of(fact.fact.value) is None
    return _HOW_MANY.match(text) is not None and (is_rate or is_thing)


def _is_its_worth(text: str, fact: StoredFact) -> bool:
    """ "What did we pay for it?", and the column says what it is worth."""
    label = set(folded(fact.fact.relation).replace("_", " ").split())
    return _ASKS_PAID.search(text) is not None and not label.isdisjoint(_WORTH) and label.isdisjoint(_PRICED)


def _is_ours(text: str, fact: StoredFact) -> bool:
    """ "What was Portalis' price?", and the column is what we ask for."""
    return _OUR.match(fact.fact.relation) is not None and _OWNER.search(text) is not None and fact.fact.subject.name not in text


def _is_only_a_time(text: str, fact: StoredFact) -> bool:
    """ "When was it?", and only the time of the day is told."""
    return _WHEN_WAS.match(text) is not None and _CLOCK.match(fact.fact.value) is not None


def _is_no_state(text: str, fact: StoredFact) -> bool:
    """ "Is it renewed?", and what is told is how: a column "renewal" that says "manual"."""
    if analyse(text).kind != "yes_no":
        return False
    done = [word for word in folded(text).split() if word.endswith("ed")]
    return (
        not set(terms(fact.fact.relation)).isdisjoint(terms(" ".join(done)))
        and set(folded(fact.fact.relation).split()).isdisjoint(done)
        and not any(map(str.isdigit, fact.fact.value))
        and set(terms(fact.fact.value)).isdisjoint(terms(text))
        and folded(fact.fact.value) not in _YES_OR_NO
    )


def _is_one_of_several_prices(text: str, answer: Attribute, facts: FactIndex) -> bool:
    """ "The price of Meadow", of a row with several amounts of money, none of which is called by a word of the question."""
    told = {(fact.line, folded(fact.fact.relation)) for fact in answer.facts if fact.fact.row}
    if not told or _ASKS_PRICE.search(text) is None:
        return False
    said = set(terms(text))
    if any(not said.isdisjoint(own := set(terms(relation))) or own <= _PLAIN_PRICE for _, relation in told):
        return False
    others = [cell for cell in facts.lines({line for line, _ in told}) if (cell.line, folded(cell.fact.relation)) not in told]
    numbers = (cell for cell in others if any(map(str.isdigit, cell.fact.value)))
    return any(is_price(folded(cell.fact.relation)) or _is_money(cell.fact.value) for cell in numbers)


def _is_money(value: str) -> bool:
    amount = amount_of(value)
    return amount is not None and amount.unit in MONEY
