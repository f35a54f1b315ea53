"""The columns of one collection, and the words in which they are asked for: they come from the table and the files themselves.

A column or a statement is meant by a word of its name, or by one that people use for the same. What may mean two things is not
understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date
from functools import cached_property
from itertools import islice, product, takewhile

from prompts.extractive.dates import days
from prompts.language import terms
from prompts.timespans import Span
from tree.ask.facts.amounts import MONEY, unit_of
from tree.ask.facts.attribute import PAST, SAME
from tree.ask.facts.degrees import PRICED
from tree.ask.facts.described_row import PLACES
from tree.ask.facts.price_columns import COSTING, is_price, price_for, price_in_all
from tree.ask.facts.set_question import Condition
from tree.ask.facts.set_reading import LIES_AHEAD, PAST_DATES
from tree.ask.facts.state_words import (
    ValuesOf,
    columns_of_states,
)
from tree.ask.facts.thing_sets import BLANK, YEAR, lies_within
from tree.ask.facts.ticket_words import FILLERS, RELATIONS
from tree.ask.facts.value_forms import does, numbered_as, singular_forms, unfolded
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Names, Token

SHORTEST_FORM = 3  # letters of a column called by the beginning of a word: "first_reg"
MADE = frozenset("built made manufactured registered published issued purchased bought".split())
MEASURES = tuple(  # superlatives, and words of columns that say such a thing
    (frozenset(said.split()), frozenset(columns.split()))
    for said, columns in (
        ("longest shortest", "km kilometres kilometers miles metres meters length distance duration"),
        ("heaviest lightest", "kg kilos weight tonnes tons"),
        ("tallest highest lowest", "height tall"),
        ("fastest slowest", "speed kmh mph knots"),
        ("largest biggest smallest", "size area sqm m2 capacity"),
    )
)
SHORT_FORM = 5  # letters of one that stands for a longer word: "infra"
SAMPLE = 12  # values of a relation that are looked at, to see whether they are dates
FILLERS_OF_ROWS = FILLERS | frozenset(
    """row rows line lines entry entries record records item items table file files sheet workbook spreadsheet column columns listed list
    document documents under one ones some same take takes carry carries hold holds fit fits belong belongs everything value values
    whose marked flagged shown as field state set piece pieces equal equals only status came come comes coming""".split()
) - {"only"}
BEGINNING = frozenset(
    "created opened date started raised filed bought reported added begun since received arrived logged entered".split()
)
_GROUPS = tuple(frozenset(terms(" ".join(words))) for words in RELATIONS.values())
_ENDING = frozenset("until till end ends expiry expires warranty valid bis".split())  # of a date that says nothing of an age
_BORN = frozenset("born birth dob birthday birthdate".split())
_KEPT = frozenset("updated changed counted checked reviewed row".split())  # of a date on which a row was looked at
_ENDS = frozenset("until end ends ended ending expires expiry expiring valid to bis fin".split())  # in the name of a date
_BEST_BEFORE = frozenset(("best before", "use by", "sell by", "bbd", "mhd"))
_STARTS = frozenset("from since start starts started begin begins began von ab".split())
_STARTS_SAID = frozenset("start starts started begin begins began begun".split())
ENDS_SAID = frozenset("end ends ended ending expire expires expired expiring".split())
_SAID_YES = frozenset(("yes", "y", "true", "done", "ja", "oui"))
PEOPLE_FIRST = ("assignee", "owner", "lead", "responsible")  # of several columns that hold people, whose a thing is
_MONEYS = frozenset((coin, 1.0) for coin in MONEY)
_RESULTS = frozenset("resolution result outcome".split())
_WITHIN = frozenset("per a an of the".split())
AVERAGING = ("average", "mean", "avg")
COSTS = frozenset(terms("costs bills expenses spending"))


class ColumnVocabulary:
    """The columns of the things of one collection. `nouns` are terms; `kinds` those of them that mean only some of the things."""

    def __init__(
        self,
        names: Names,
        collection: str,
        nouns: Iterable[str],
        named: Iterable[range] = (),
        naming: str = "",
        kinds: Mapping[str, Condition] | None = None,
        relations: Sequence[str] | None = None,
        labels: Iterable[str] = (),
        said: Iterable[str] = (),
        around: Iterable[str] = (),
        today: date | None = None,
        stated: ValuesOf | None = None,
        is_of_tickets: bool = False,
        is_aggregate: bool = False,
        is_implied: bool = False,
    ) -> None:
        """`stated`: the values that these very things have, where the collection has others. `is_of_tickets`: what is open is all
        that is not finished, whatever its state is called. `is_aggregate`: what amounts come to is asked,
        such as what they cost in all. `is_implied`: that it is about these things need not be said."""
        self._names = names
        self._stated = stated or self.values_of
        self._is_of_tickets = is_of_tickets
        self._is_aggregate = is_aggregate
        self._is_implied = is_implied
        self._period = ""  # for which prices are asked for: "per month"
        self._collection = collection
        self._nouns = frozenset(nouns)
        self._named = tuple(named)  # tokens of the question that say which collection is meant
        self._naming = folded(naming)
        self._kinds = kinds or {}
        self.relations = tuple(relations or names.relations_of(collection))
        self._labels = {folded(label): label for label in labels}  # relations as they are written
        self._said = frozenset(
            term for words in said for term in terms(words)
        )  # of all of these things, by what they stand under
        self._today = today
        self._around = frozenset(around)  # terms that may stand before a noun: those of where the things are kept
        self.is_plural = False  # whether the question asks for several
        self._spelt_at = range(0)  # the words of the question that spell out two words or more of the name of a column
        self._spelt: dict[str, str] = {}  # term -> the column of which the question spells out two words or more

    @cached_property
    def _by_term(self) -> Mapping[str, str]:
        """Terms of the names of relations; a term that is all of one name means that, one in several names means none."""
        shortest_last = sorted(self.relations, key=lambda relation: -len(relation.split()))  # "paid", and not "paid until"
        whole = {own[0]: relation for relation in shortest_last if len(own := terms(relation)) == 1}
        parts: dict[str, str] = {}
        for relation in self.relations:
            for term in terms(relation):
                parts[term] = "" if parts.get(term, relation) != relation else relation
        return parts | whole

    def relation_of(self, word: str) -> str:
        term = next(iter(terms(word)), "")
        if not term:
            return ""
        if term in self._by_term:
            return self._spelt.get(term) or self._by_term[term]
        agents = {relation for relation in self.relations if does(relation, word)}
        if len(agents) == 1:
            return agents.pop()
        for groups in (_GROUPS, SAME):
            found = {self._by_term[other] for group in groups if term in group for other in group if other in self._by_term}
            if len(found) == 1:
                return found.pop()
        return self._end if word in ENDS_SAID else self._date_called(_STARTS) if word in _STARTS_SAID else ""

    def _spell(self, found: Sequence[Token]) -> range:
        """Where a question has two words or more of the name of one column side by side, "fridge unit", "monthly value": these mean it,
        whatever each of them means elsewhere."""
        places = [at for at, token in enumerate(found) if token.folded not in _WITHIN]  # "hire per day" is "hire/day"
        said = [next(iter(terms(found[at].text)), "") for at in places]
        runs: list[tuple[int, int, str]] = []
        for relation in self.relations:
            own = [next(iter(terms(word)), "") for word in relation.split()]
            for at, start in product(range(len(said) - 1), range(len(own) - 1)):
                pairs = zip(said[at:], own[start:], strict=False)
                if (length := sum(1 for _ in takewhile(lambda pair: pair[0] and pair[0] == pair[1], pairs))) > 1:
                    runs.append((length, at, relation))
        longest = max(runs, default=(0, 0, ""))
        if not runs or len({relation for length, _, relation in runs if length == longest[0]}) > 1:
            return range(0)
        length, at, relation = longest
        self._spelt = dict.fromkeys(said[at : at + length], relation)
        self._spelt_at = range(places[at], places[at + length - 1] + 1)
        return self._spelt_at

    @cached_property
    def _end(self) -> str:
        """The date on which something is over: "until", "valid to"."""
        return self._date_called(_ENDS)

    def _date_called(self, names: Set[str]) -> str:
        """The one date with such a word in its name; empty where there is none, or several."""
        held = [one for one in self._dates if names & set(one.split()) or (names is _ENDS and one in _BEST_BEFORE)]
        return held[0] if len(held) == 1 else ""

    @cached_property
    def grouped_by(self) -> Mapping[str, str]:
        words = {
            word: relation
            for relation in self.relations
            for word in relation.split()
            if relation != self._naming and word not in COSTING
        }
        said = {word: relation for word in words if (relation := self.relation_of(word)) and relation != self._naming}
        said = {form: relation for word, relation in said.items() for form in (f"{word}s", word.removesuffix("s"), word)}
        people = [one for first in PEOPLE_FIRST for one in self._people if first in one.split()] or self._people
        is_clear = len(people) == 1 or people != self._people
        return said | {word: people[0] for word in ("who", "person", "people") if people and is_clear and word not in said}

    @cached_property
    def _people(self) -> list[str]:
        held = [one for one in self.relations if (one, self._collection) in self._names.held_by_people]
        return held or [one for one in self.relations if one in PEOPLE_FIRST]  # of first names, or of teams

    @cached_property
    def _dates(self) -> list[str]:
        return [relation for relation in self.relations if self._is_date(relation)]

    @property
    def has_dates(self) -> bool:
        """Whether the things have a day: orders have, prices have none."""
        return bool(self._dates)

    def _is_date(self, relation: str) -> bool:
        some = [value for value in islice(self.values_of(relation), SAMPLE) if value not in BLANK]
        dated = sum(any(map(days, unfolded(value))) for value in some)
        return bool(some) and (dated * 2 > len(some) or all(map(YEAR.match, some)))

    def values_of(self, relation: str) -> Set[str]:
        return self._names.values_of(relation, self._collection)

    @cached_property
    def _values(self) -> list[tuple[str, Set[str]]]:
        """The relations, each with its values, without those that have none."""
        return [(relation, values) for relation in self.relations if (values := self.values_of(relation))]

    def _numbered(self, place: str) -> Mapping[str, frozenset[str]]:
        """The values of columns of places that have a number before what the question says."""
        relations = ((relation, values) for relation, values in self._values if PLACES & set(relation.split()))
        return {relation: called for relation, values in relations if (called := numbered_as(place, values))}

    def _is_noun(self, word: str) -> bool:
        return bool(set(terms(word)[:1]) & self._nouns) or self._kind(word) is not None

    def _kind(self, word: str) -> Condition | None:
        forms = (*terms(word)[:1], folded(word), *singular_forms(folded(word)))
        return next((self._kinds[form] for form in forms if form in self._kinds), None)

    def has_date_in(self, relation: str, span: Span) -> bool:
        first, last = span.first.isoformat(), span.last.isoformat()
        values = (form for value in self.values_of(relation) for form in unfolded(value))
        return any(lies_within(value, first, last) for value in values)

    def beginning_with(self, relation: str, value: str) -> Iterable[str]:
        is_state = bool(columns_of_states([relation]) or _RESULTS & set(relation.split()))  # "fixed in 2.1"
        longer = is_state or " " in value and relation in self._labels  # one word begins many a name
        return (one for one in self.values_of(relation) if longer and one.startswith(f"{value} "))

    def label_of(self, relation: str) -> str:
        return self._labels.get(relation, relation)

    def absence(self, relation: str) -> Condition:
        said = frozenset(islice(self.values_of(relation), SAMPLE)) - frozenset(BLANK) - _SAID_YES
        denied = frozenset(value for value in said if value.split()[:1] in (["no"], ["not"]))  # "no - waits for parts"
        if said and denied == said and any(" " in value for value in denied):
            return Condition((relation,), denied, words=f"{self.label_of(relation)} no")
        return Condition((relation,), words=f"without {self.label_of(relation)}")

    def none_of(self, relation: str) -> frozenset[str]:
        return frozenset()

    def _is_of_place(self, word: str) -> bool:
        """Whether a word, or the beginning of it, says where the things are kept."""
        return bool(self._around & set(terms(word)[:1])) or any(
            word.startswith(one) for one in self._around if len(one) >= SHORT_FORM
        )

    def price_in_all(self) -> str:
        """The one column of prices that may be added up, for the period that is spoken of."""
        return price_in_all(self.relations, self._period)

    def _has_people(self, act: str) -> bool:
        """Whether what nobody does is to have them: "nobody owns", and not "nobody uses"."""
        return not act or act in FILLERS_OF_ROWS or self.relation_of(act) == self._people[0] or self._is_noun(act)

    def date_ahead(self) -> str:
        """ "Due", "next service"."""
        ahead = [one for one in self._dates if LIES_AHEAD & set(one.split())]
        due = [one for one in ahead if "due" in one.split()] or ahead
        return due[0] if len(due) == 1 else ""

    def _is_shown(self, word: str) -> bool:
        """Whether a word that no condition has made use of is the name of a column, which is then asked for."""
        return bool(set(terms(word)[:1]) & {term for relation in self.relations for term in terms(relation)})

    def columns(self, words: Iterable[str]) -> tuple[str, ...]:
        """The relations that words of a question ask to be told of each thing."""
        said = (self.relation_of(word) for word in words if word not in FILLERS and self._is_shown(word))
        return tuple(dict.fromkeys(one for one in said if one and one != self._naming))

    def amount_of(self, word: str) -> str:
        """A column that tells of a time that is over is meant only by its whole name."""
        relation = "" if word in FILLERS else self.relation_of(word)
        if word in COSTING | PRICED and is_price(relation) and len([one for one in self.relations if is_price(one)]) > 1:
            return self.price_in_all() if word in COSTING else ""  # of several prices
        if not relation and (found := price_for(word, self.relations) or self._bill(word)):
            return found
        if not relation and (word in PRICED or unit_of(word) in _MONEYS):
            priced = [one for one in self.relations if is_price(one)]
            return priced[0] if len(priced) == 1 else ""
        return "" if relation == self._naming or PAST & set(relation.split()) else relation

    def _bill(self, word: str) -> str:
        """The column of totals of a table that is called by costs: "the highest bill"."""
        totals = [one for one in self.relations if one in ("total", "sum")] if word in COSTING else []
        return totals[0] if len(totals) == 1 and self._said & COSTS else ""

    def date_of(self, word: str) -> str:
        if word:
            relation = self.relation_of(word)
            return relation if relation in self._dates else ""
        begun = [one for one in self._dates if _BORN & set(one.split())]
        begun = begun or [one for one in self._dates if BEGINNING & set(one.split())]
        no_age = _ENDING | LIES_AHEAD | PAST_DATES | _KEPT
        known = begun if len(begun) == 1 else [one for one in self._dates if not no_age & set(one.split())]
        return known[0] if len(known) == 1 else self._year

    @cached_property
    def _year(self) -> str:
        """The one column of nothing but years, "year": that of which things are; empty where there is none, or several."""
        held = [one for one in self._dates if not (_ENDING | LIES_AHEAD) & set(one.split()) and self._is_of_years(one)]
        return held[0] if len(held) == 1 else ""

    def _is_of_years(self, relation: str) -> bool:
        some = [value for value in islice(self.values_of(relation), SAMPLE) if value not in BLANK]
        return bool(some) and all(map(YEAR.match, some))

    def price_spelt(self) -> str:
        return next((one for one in self._spelt.values() if is_price(one)), "")

    @property
    def spelt(self) -> range:
        return self._spelt_at

    def measured_by(self, word: str) -> str:
        measures = next((group for words, group in MEASURES if word in words), frozenset[str]())
        held = [one for one in self.relations if measures & set(one.split())]
        return held[0] if len(held) == 1 else ""

    def date_made(self, word: str) -> str:
        """The date that a word such as "built" or "registered" is of: the one column with an abbreviation of it, or the one of years."""
        if word not in MADE:
            return ""
        ahead = _ENDING | LIES_AHEAD
        short = [
            one
            for one in self._dates
            if not ahead & set(one.split()) and any(len(part) >= SHORTEST_FORM and word.startswith(part) for part in one.split())
        ]
        return short[0] if len(short) == 1 else self._year

    def is_thing(self, word: str) -> bool:
        return self._is_noun(word)

    def is_shown_ranked(self, left: Set[str]) -> bool:
        return True  # the columns that are asked for are told

    def is_filler(self, word: str) -> bool:
        if self._is_aggregate and word in AVERAGING or self.date_made(word):
            return True
        return word in FILLERS_OF_ROWS or bool(self.relation_of(word)) or bool(self._said & set(terms(word)[:1]))

    def asks_of_one(self, words: Sequence[str]) -> bool:
        return False
