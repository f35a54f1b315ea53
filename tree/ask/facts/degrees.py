"""Comparisons with a number and superlatives in a question for a set: "more than 500 passengers", "the oldest open ticket".

Only what is understood whole is taken; any other word of comparison leaves the question to the walk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Literal, Protocol

from prompts.number_words import NUMBER_WORDS
from prompts.regex import regex
from prompts.timespans import Span
from tree.ask.facts.amounts import MONEY, Bounds, number_of, unit_of
from tree.ask.facts.price_columns import is_price
from tree.ask.facts.set_question import Condition
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS, STATES, TICKET_FILLERS
from tree.retrieve.names import Token

FIRST_FEW = 5  # told where the oldest or newest are asked for, and not how many
NEAR = 4  # words between a number and the column that it is of
_THAN = r"(?:more|greater|higher|larger|bigger|longer|taller|older|wider|heavier|faster)"
_LESS = r"(?:less|fewer|lower|smaller|shorter|younger|lighter|slower|cheaper)"
_OPERATORS: tuple[tuple[str, str], ...] = (
    (">=", r"at least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of"),
    ("<=", rf"at most|up to|no more than|not more than|not {_THAN} than|a maximum of"),
    (">", rf"{_THAN} than|above|over|exceed(?:s|ing)?|>"),
    ("<", rf"{_LESS} than|below|under|<"),
)
_NUMBER = rf"(?P<sign>[€$£])? ?(?P<coin>(?:eur|usd|gbp|euros?|dollars?|pounds?) )?(?P<number>\d[\d,.']*\d|\d|\b(?:{'|'.join(NUMBER_WORDS)})\b)"
_COMPARED = tuple(
    (
        operator,
        regex(rf"(?<!\w)(?:{said}) ?{_NUMBER}(?P<unit> ?[€$£%]| [a-z]+)?(?P<again> or (?:more|less|fewer))?", re.IGNORECASE),
    )
    for operator, said in _OPERATORS
)
_OR_MORE = regex(rf"(?<![\w.,]){_NUMBER}(?P<unit> ?[€$£%]| [a-z]+)? or (?P<which>more|less|fewer)\b", re.IGNORECASE)
_AGED = regex(r"\b(?P<how>older|newer|younger) than (?:from |of )?(?P<year>(?:19|20)\d\d)\b(?![-/.]\d)", re.IGNORECASE)
_BETWEEN = regex(r"\bbetween \d", re.IGNORECASE)
_OR = regex(r" or (?:more|less|fewer)\Z", re.IGNORECASE)
_SPREADS = regex(
    r"\d (?:to|or|and) (?:[a-z]+ )?\d|\d ?[-,\u2013] ?\d|\d (?:and|or) (?:up|above|higher|more|lower|below|less|over)\b|\d upwards?\b",
    re.IGNORECASE,
)
_COUNTED_COLUMN = regex(r"\bhow many (\w+)", re.IGNORECASE)
_FROM_ON = frozenset("since after before until till from over under above below by than between to".split())  # "since week 41"
_EQUAL = regex(
    r"\b(?P<column>[a-z]\w{1,30})(?: (?:is|of|of exactly|exactly|number))? (?P<number>\d{1,9})(?![\w.,:/-]*\d)\b", re.IGNORECASE
)
_SYMBOLS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_COUNTED = {"most": "most", "fewest": "least", "least": "least"}
_MEASURED = {
    "highest": "most", "largest": "most", "biggest": "most", "greatest": "most", "longest": "most", "tallest": "most", "maximum": "most",
    "lowest": "least", "smallest": "least", "shortest": "least", "minimum": "least", "cheapest": "least",
    "heaviest": "most", "lightest": "least", "fastest": "most", "slowest": "least",
}  # fmt: skip
SUPERLATIVES = frozenset(_MEASURED)
_OF_PRICE = {"dearest": "most", "costliest": "most", "priciest": "most", "cheapest": "least"}
PRICED = frozenset("expensive costly dear pricey valuable cheap".split())
AGES = {"oldest": "least", "earliest": "least", "newest": "most", "latest": "most", "youngest": "most"}
_LATER = regex(
    r"\b(?:(?P<how>most recently|last|first) (?P<what>[a-z]+)|(?P<done>[a-z]+) (?P<when>first|last|most recently)\b|(?P<recent>most recent)\b)",
    re.IGNORECASE,
)
_NEXT_TO = regex(r"\b(?:second|third|fourth|fifth|next|but (?:one|two))\b", re.IGNORECASE)  # to the oldest
_WHOSE = frozenset("the their its a an".split())
_LIMITS, _ANY = frozenset(("minimum", "maximum")), frozenset("no a any without".split())
_REACHED = frozenset("below under beneath above over".split())
_HAVING = frozenset(
    "have has having got with that who which many is are currently now still assigned to working on reported raised filed each".split()
)
_HOW = {"first": "least", "last": "most", "most recently": "most"}


class ReadSoFar(Protocol):
    """A question while it is read (`Reading`)."""

    text: str
    tokens: list[Token]
    used: set[int]

    def take(self, first: int, last: int | None = None) -> None: ...
    def word(self, at: int) -> str: ...
    def says(self, condition: Condition) -> None: ...


class Columns(Protocol):
    """What a vocabulary knows of amounts."""

    def amount_of(self, word: str) -> str:
        """The relation that a word means, where that may hold amounts; else empty."""

    def date_of(self, word: str) -> str:
        """The relation that holds the date which a word means; without a word the one by which age is told. Else empty."""

    @property
    def spelt(self) -> range:
        """The words of the question that spell out the name of a relation."""

    def price_spelt(self) -> str:
        """The relation of prices of which the question has several words of the name; else empty."""

    def measured_by(self, word: str) -> str:
        """The one relation that says how long, heavy or fast things are, for "longest"; else empty."""

    def is_thing(self, word: str) -> bool:
        """Whether a word means the things themselves."""

    def label_of(self, relation: str) -> str:
        """A relation as it is told."""


def read_degrees(reading: ReadSoFar, columns: Columns) -> None:
    """Takes one comparison, one superlative, or one of each, as conditions; the superlative is of what satisfies all others."""
    if (aged := _AGED.search(reading.text)) is not None:
        _compare_age(reading, columns, aged)
    elif (compared := _comparison(reading)) is not None:
        _compare(reading, columns, *compared)
    else:
        _equal(reading, columns)
    _rank(reading, columns)


def sizes(reading: ReadSoFar, columns: Columns, group: int) -> Condition | None:
    """ "components with more than 5 open tickets": how many of the things there have to be, where a number of them is compared.
    Takes its words. `group`: the word for what they are counted by."""
    compared = _comparison(reading)
    if compared is None:
        return None
    bounds, words, first, last, _ = compared
    if bounds.unit or not all(reading.word(at) in _HAVING for at in range(group + 1, first)):
        return None  # "who closed more than 3 tickets" asks for what was done
    for at in range(last, last + NEAR):
        word = reading.word(at)
        if columns.is_thing(word):
            break
        if not word or (word in TICKET_FILLERS and word not in STATES | {"of", "the"}):
            return None  # "more than 5 people with tickets"
    else:
        return None
    reading.take(first, last)
    return Condition((), bounds=bounds, words=words.replace("less than", "fewer than"))


# ---------------------------------------------------------------- comparisons

Compared = tuple[Bounds, str, int, int, str]  # bounds, as it is told, the tokens that say it, the word after the number


def _comparison(reading: ReadSoFar) -> Compared | None:
    if _BETWEEN.search(reading.text):
        return None
    found = [(operator, match) for operator, pattern in _COMPARED for match in pattern.finditer(reading.text)]
    found += [(">=" if match["which"].casefold() == "more" else "<=", match) for match in _OR_MORE.finditer(reading.text)]
    longest: list[tuple[str, re.Match[str]]] = []
    for operator, match in sorted(found, key=lambda one: one[1].start() - one[1].end()):
        if all(match.end() <= other.start() or other.end() <= match.start() for _, other in longest):
            longest.append((operator, match))
    if len(longest) != 1 or longest[0][1].groupdict().get("again"):
        return None
    [(operator, match)] = longest
    word = match["number"].casefold()
    number = float(NUMBER_WORDS[word]) if word in NUMBER_WORDS else number_of(word)
    if number is None:
        return None
    word = (match["unit"] or "").strip()
    coin = (match["coin"] or match["sign"] or "").strip()
    unit = unit_of(coin or word) if coin or word else None
    factor = unit[1] if unit else 1.0
    name = unit[0] if unit else ""
    end = match.end("unit") if unit and word and not coin else match.end("number")
    end = max(end, match.end() if "which" in match.groupdict() and (not word or unit) else end)
    bounds = Bounds(
        low=number * factor if ">" in operator else float("-inf"),
        high=number * factor if "<" in operator else float("inf"),
        is_closed="=" in operator,
        unit=name,
    )
    covered = [at for at, token in enumerate(reading.tokens) if token.start < end and token.end > match.start()]
    said = reading.text[
        match.start("sign") if match["sign"] else match.start("coin") if match["coin"] else match.start("number") : end
    ]
    is_taken = bool(reading.used.intersection(covered))
    more = (token.text for at, token in enumerate(reading.tokens) if at not in covered)
    if not covered or is_taken or reading.word(covered[0] - 1) in NEGATIONS or any(map(str.isdigit, more)):
        return None  # "more than 500 passengers and 100 cars"
    said = _OR.sub("", said).strip()
    return bounds, f"{_SYMBOLS[operator]} {said}", covered[0], covered[-1] + 1, "" if unit else word


def _compare(reading: ReadSoFar, columns: Columns, bounds: Bounds, words: str, first: int, last: int, unit: str) -> None:
    relation, at = _column(reading, columns, range(last, last + NEAR))
    if not relation and (not unit or unit in FILLERS):
        relation, at = _column(reading, columns, range(first - 1, first - 1 - NEAR, -1))
    if not relation and bounds.unit in MONEY and (relation := columns.amount_of(bounds.unit)):
        at = first  # of money, there is but one column: "which cases are over 2,000 euros?"
    if not relation:
        return
    reading.take(first, last)
    reading.take(at)
    reading.says(Condition((relation,), bounds=bounds, words=f"{columns.label_of(relation)} {words}"))


def _compare_age(reading: ReadSoFar, columns: Columns, aged: re.Match[str]) -> None:
    """ "Older than 2020": of before that year, where one column says how old things are."""
    relation = columns.date_of("")
    inside = [at for at, one in enumerate(reading.tokens) if aged.start() <= one.start and one.end <= aged.end()]
    if not relation or reading.used.intersection(inside) or reading.word(inside[0] - 1) in NEGATIONS:
        return
    year, is_before = int(aged["year"]), aged["how"].casefold() == "older"
    first, last = (date.min, date(year - 1, 12, 31)) if is_before else (date(year + 1, 1, 1), date.max)
    reading.take(inside[0], inside[-1] + 1)
    words = f"{columns.label_of(relation)} {'before' if is_before else 'after'} {year}"
    reading.says(Condition((relation,), span=Span(first, last, aged.start(), aged.end(), words), words=words))


def _equal(reading: ReadSoFar, columns: Columns) -> None:
    """Takes a number right behind the column it is of: "which tier 1 services", "services with a tier of 1"."""
    matches = list(_EQUAL.finditer(reading.text))
    if len({match["column"].casefold() for match in matches}) < len(matches) or _SPREADS.search(reading.text):
        return  # "floor 1 and floor 2", "floor 2 and up"
    counted = _COUNTED_COLUMN.search(reading.text)
    if counted is not None and any(match.start() == counted.start(1) for match in matches):
        counted = None  # "how many sev 1 incidents"
    if (counted is not None and columns.amount_of(counted[1].casefold())) or any(
        reading.word(at) in _COUNTED or reading.word(at) in SUPERLATIVES for at in range(len(reading.tokens))
    ):
        return  # "how many seats are on floor 2?" is a sum
    for match in matches:
        said = [at for at, token in enumerate(reading.tokens) if match.start() <= token.start and token.end <= match.end()]
        relation = columns.amount_of(match["column"].casefold())
        if relation and said and reading.used.isdisjoint(said) and reading.word(said[0] - 1) not in NEGATIONS | _FROM_ON:
            number = float(match["number"])
            reading.take(said[0], said[-1] + 1)
            condition = Condition(
                (relation,), bounds=Bounds(number, number, True), words=f"{columns.label_of(relation)} {match['number']}"
            )
            reading.says(condition)


def _column(reading: ReadSoFar, columns: Columns, near: Iterable[int]) -> tuple[str, int]:
    """The first column named there, before any of the things."""
    for at in near:
        word = reading.word(at)
        if not word or at in reading.used or columns.is_thing(word) or word in ("and", "or", "but"):
            break
        if relation := columns.amount_of(word):
            return relation, at
    return "", -1


# ---------------------------------------------------------------- superlatives


def _rank(reading: ReadSoFar, columns: Columns) -> None:
    if _NEXT_TO.search(reading.text):
        return
    found = [at for at, token in enumerate(reading.tokens) if token.text.casefold() in {*_COUNTED, *_MEASURED, *_OF_PRICE, *AGES}]
    later = _LATER.search(reading.text)
    what = (later["what"] or later["done"] or "").casefold() if later is not None else ""
    if later is not None and (relation := columns.date_of(what)):
        inside = [at for at, one in enumerate(reading.tokens) if one.start < later.end() and one.end > later.start()]
        if not set(found) <= set(inside) or reading.used & set(inside):
            return
        how = "most" if later["recent"] else _HOW[(later["how"] or later["when"]).casefold()]
        reading.take(inside[0], inside[-1] + 1)
        _ranked(reading, relation, how, later.group().casefold())
        return
    if len(found) != 1 or found[0] in reading.used:
        return
    [at] = found
    word = reading.word(at)
    before = reading.word(at - 2) if reading.word(at - 1) in _WHOSE else reading.word(at - 1)
    if reading.word(at - 1) == "at" or before in _REACHED or (word in _LIMITS and reading.word(at - 1) in _ANY):
        return  # "below their minimum stock", "have no minimum order"
    if word in AGES and (relation := columns.amount_of("age")):
        reading.take(at)
        _ranked(reading, relation, "most" if AGES[word] == "least" else "least", word)
        return
    if word in AGES:
        if relation := columns.date_of(""):
            reading.take(at)
            is_many = any(
                reading.word(one).endswith("s") and columns.is_thing(reading.word(one)) for one in range(at + 1, at + 4)
            )
            number = FIRST_FEW if is_many else 1
            said = reading.word(at - 1)
            if is_many and (said.isdigit() or said in NUMBER_WORDS) and at - 1 not in reading.used:
                number = max(1, int(said) if said.isdigit() else NUMBER_WORDS[said])
                reading.take(at - 1)
            _ranked(reading, relation, AGES[word], f"the {number} {word}" if is_many else word, number=number)
        return
    relation, near = _column(reading, columns, range(at + 1, at + 3))
    if relation and word in _OF_PRICE and not is_price(relation) and columns.amount_of("expensive"):
        relation = ""  # "the cheapest piece", where a column says which piece it is and another what it costs
    if not relation and word in _OF_PRICE and (price := columns.price_spelt()):
        reading.take(at)
        reading.take(columns.spelt.start, columns.spelt.stop)
        _ranked(reading, price, _OF_PRICE[word], f"{word}, by {columns.label_of(price)}", is_number=True)
    elif not relation and (measure := columns.measured_by(word)):
        reading.take(at)
        _ranked(reading, measure, _MEASURED[word], f"{word}, by {columns.label_of(measure)}")
    elif not relation and word in _OF_PRICE and (relation := columns.amount_of("expensive")):
        reading.take(at)
        _ranked(reading, relation, _OF_PRICE[word], f"{word}, by {columns.label_of(relation)}", is_number=True)
    elif relation:
        reading.take(at)
        reading.take(near)
        how = _COUNTED.get(word) or _MEASURED.get(word) or _OF_PRICE[word]
        _ranked(reading, relation, how, f"{word} {columns.label_of(relation)}", is_number=word in _COUNTED)


def _ranked(reading: ReadSoFar, relation: str, how: str, words: str, is_number: bool = False, number: int = 1) -> None:
    rank: Literal["most", "least"] = "most" if how == "most" else "least"
    reading.says(Condition((relation,), rank=rank, number=number, is_counted=is_number, words=words))
