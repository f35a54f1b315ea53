"""Columns of money: which of them says what a thing costs, for whom, and which may be added up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tree.ask.facts.amounts import MONEY, units_in

PRICES = frozenset("price prices cost costs amount fee fees".split())  # in the name of a column of money
COSTING = frozenset("cost costs costing price priced prices pay paid spend spent bill bills".split())  # in a question
_NO_PRICE = frozenset(  # in that of a column of money that does not say what a thing costs
    """volume turnover revenue sales sale income salary salaries wage wages pay budget budgets limit limits profit margin saving
    savings balance debt deposit damage discount refund fine umsatz volumen gehalt centre center code type""".split()
)
_OF_EACH = frozenset("per unit each single pro je".split())  # in the name of a price of one of several
_TOTAL = frozenset("total sum gesamt summe".split())
PERIODS = frozenset("day week month quarter year".split())
_FOR_WHOM = (
    frozenset("customer customers client clients consumer consumers buyer buyers retail".split()),
    frozenset("dealer dealers reseller resellers trade wholesale wholesaler".split()),
    frozenset("member members".split()),
    frozenset("employee employees staff colleagues internal".split()),
)


def is_price(relation: str) -> bool:
    words = set(relation.split())
    return not words & _NO_PRICE and bool(units_in(relation) & MONEY or words & PRICES)


def lists_prices(*titles: str) -> bool:
    """Whether a table is a list of prices by its titles: its columns of amounts need not be called so."""
    return not PRICES.isdisjoint(re.findall(r"[a-z]+", " ".join(titles).casefold()))


def is_of_each(relation: str) -> bool:
    """Whether an amount is that of one of several, "unit cost", "price per seat": added up it says nothing. What is "per month" may be
    added up."""
    words = relation.split()
    said = {word for word, after in pairwise((*words, "")) if word in _OF_EACH and after not in PERIODS}
    return bool(said) and _TOTAL.isdisjoint(words)


def price_for(word: str, relations: Iterable[str]) -> str:
    """The one price that those pay whom a word means: "retail" is what the customer pays. Empty where there are none, or several."""
    group = next((one for one in _FOR_WHOM if word in one), frozenset[str]())
    held = [one for one in relations if is_price(one) and not group.isdisjoint(one.split())] if group else []
    return held[0] if len(held) == 1 else ""


def price_in_all(relations: Sequence[str], period: str = "") -> str:
    """The one column of prices that may be added up, of those for a period that is named; empty where there is none, or several."""
    priced = [one for one in relations if is_price(one) and not is_of_each(one)]
    held = [one for one in priced if period in one.split()] if period else priced
    return held[0] if len(held) == 1 else ""
