"""The words in which rows of a table and files are asked for: they come from the table and the files themselves.

A column or a statement is meant by a word of its name, or by one that people use for the same; a value by its name, wherever
only one column has it. What may mean two things is not understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date, timedelta
from functools import cached_property
from itertools import islice

from prompts.extractive.dates import days
from prompts.language import terms
from prompts.timespans import FIRST, Span
from tree.ask.facts.amounts import MONEY, unit_of
from tree.ask.facts.attribute import PAST, SAME, is_of_degree
from tree.ask.facts.degrees import PRICED, SUPERLATIVES
from tree.ask.facts.described_row import PLACES
from tree.ask.facts.price_columns import COSTING, PERIODS, is_price, price_for, price_in_all
from tree.ask.facts.set_question import Condition
from tree.ask.facts.set_reading import LIES_AHEAD, Reading, negates
from tree.ask.facts.state_words import (
    FINISHED,
    OVER,
    UNFINISHED,
    ValuesOf,
    alike,
    begins,
    columns_of_states,
    lasts,
    shortest,
    values_in_state,
)
from tree.ask.facts.stock_columns import stock_and_minimum, words_of_minimum
from tree.ask.facts.thing_sets import BLANK, YEAR, lies_within
from tree.ask.facts.ticket_words import ACTS, CLOSED, FILLERS, NEGATIONS, NOBODY, OPEN, RELATIONS, STATES, TURNING
from tree.ask.facts.value_forms import MODEL, does, holds_lists, loosely, numbered_as, singular_forms, unfolded
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Mention, Names, Token

MOST_VALUE_WORDS = 8
SHORT_FORM = 5  # letters of one that stands for a longer word: "infra"
FEW_BEFORE = 4  # words before a state, for one of negation among them
SAMPLE = 12  # values of a relation that are looked at, to see whether they are dates
FILLERS_OF_ROWS = FILLERS | frozenset(
    """row rows line lines entry entries record records item items table file files sheet workbook spreadsheet column columns listed list
    document documents under one ones some same take takes carry carries hold holds fit fits belong belongs everything value values
    whose marked flagged shown as field state set equal equals only status came come comes coming""".split()
) - {"only"}
_DURING = frozenset(("being", "in", "under"))
_SEVERAL = frozenset("everything work all every each".split())
_MANY_IN_ONE = frozenset("equipment kit gear furniture staff stock machinery hardware".split())
HAVING = frozenset("have has having with".split())
_BEING = frozenset("is are was were be been being that".split())
BEGINNING = frozenset(
    "created opened date started raised filed bought reported added begun since received arrived logged entered".split()
)
_ANY_DATE = BEGINNING | frozenset(
    "day when month year week time dated datum tag jour".split()
)  # of a column: it says of what date a row is
_YES, _NO = frozenset("yes y true x ja oui ok done".split()), frozenset("no n false nein non not".split())
_GROUPS = tuple(frozenset(terms(" ".join(words))) for words in RELATIONS.values())
_ENDED = frozenset(
    "returned return actual completed finished paid delivered received closed done".split()
)  # columns of when it was over
_ENDING = frozenset("until till end ends expiry expires warranty valid bis".split())  # of a date that says nothing of an age
_ENDS = frozenset("until end ends ended ending expires expiry expiring valid to bis fin".split())  # in the name of a date
_STARTS = frozenset("from since start starts started begin begins began von ab".split())
_STARTS_SAID = frozenset("start starts started begin begins began begun".split())
_ENDS_SAID = frozenset("end ends ended ending expire expires expired expiring".split())
_OVER_SAID = frozenset("over expired".split())
_BELONGING = frozenset(("belong", "belongs"))  # to whatever is named, not to an owner alone
_WHOSE = frozenset("its their the a an".split())
_LATE, _LATE_FOR = frozenset(("overdue", "late")), frozenset(("for", "with", "on"))
_PEOPLE_FIRST = ("assignee", "owner", "lead", "responsible")  # of several columns that hold people, whose a thing is
_MONEYS = frozenset((coin, 1.0) for coin in MONEY)
_RESULTS = frozenset("resolution result outcome".split())
_DONE = frozenset("close fix resolve finish complete solve ship create open update change write make".split())
_COSTS = frozenset(terms("costs bills expenses spending"))
_SINGLE = frozenset(FILLERS | NEGATIONS | TURNING)


class CollectionVocabulary:
    """The words for the things of one collection. `nouns` are terms; `kinds` those of them that mean only some of the things."""

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
        is_sum: bool = False,
    ) -> None:
        """`stated`: the values that these very things have, where the collection has others. `is_of_tickets`: what is open is all
        that is not finished, whatever its state is called. `is_sum`: what they cost in all is asked."""
        self._names = names
        self._stated = stated or self.values_of
        self._is_of_tickets = is_of_tickets
        self._is_sum = is_sum
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

    # ---- words

    @cached_property
    def _by_term(self) -> Mapping[str, str]:
        """Terms of the names of relations; a term that is all of one name means that, one in several names means none."""
        whole = {own[0]: relation for relation in self.relations if len(own := terms(relation)) == 1}
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
            return self._by_term[term]
        agents = {relation for relation in self.relations if does(relation, word)}
        if len(agents) == 1:
            return agents.pop()
        for groups in (_GROUPS, SAME):
            found = {self._by_term[other] for group in groups if term in group for other in group if other in self._by_term}
            if len(found) == 1:
                return found.pop()
        return self._end if word in _ENDS_SAID else self._date_called(_STARTS) if word in _STARTS_SAID else ""

    @cached_property
    def _end(self) -> str:
        """The date on which something is over: "until", "valid to"."""
        return self._date_called(_ENDS)

    def _date_called(self, names: Set[str]) -> str:
        """The one date with such a word in its name; empty where there is none, or several."""
        held = [one for one in self._dates if names & set(one.split())]
        return held[0] if len(held) == 1 else ""

    @cached_property
    def grouped_by(self) -> Mapping[str, str]:
        words = {word: relation for relation in self.relations for word in relation.split() if relation != self._naming}
        said = {word: relation for word in words if (relation := self.relation_of(word)) and relation != self._naming}
        said = {form: relation for word, relation in said.items() for form in (f"{word}s", word.removesuffix("s"), word)}
        people = [one for first in _PEOPLE_FIRST for one in self._people if first in one.split()] or self._people
        is_clear = len(people) == 1 or people != self._people
        return said | {word: people[0] for word in ("who", "person", "people") if people and is_clear and word not in said}

    @cached_property
    def _people(self) -> list[str]:
        held = [one for one in self.relations if (one, self._collection) in self._names.held_by_people]
        return held or [one for one in self.relations if one in _PEOPLE_FIRST]  # of first names, or of teams

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

    # ---- names in the question

    def mentions(self, found: list[Token]) -> list[Mention]:
        """Values of these things, the longest first; a person also by a part of the name."""
        spans = [mention for size in range(min(MOST_VALUE_WORDS, len(found)), 0, -1) for mention in self._of_size(found, size)]
        spans += [known for one in self._names.find(found) if (known := self._known(found, one)) is not None]
        mentions: list[Mention] = []
        taken = {at for named in self._named for at in named}
        for mention in sorted(spans, key=lambda one: (one.first - one.last, one.first)):
            if taken.isdisjoint(range(mention.first, mention.last)):
                taken.update(range(mention.first, mention.last))
                mentions.append(mention)
        mentions += [self._mention(found, named.start, named.stop, frozenset(), ()) for named in self._named]
        return sorted(mentions, key=lambda one: one.first)

    def _of_size(self, found: list[Token], size: int) -> Iterable[Mention]:
        for first in range(len(found) - size + 1):
            text = " ".join(token.folded for token in found[first : first + size])
            if size == 1 and not self._may_be_value(found, first):
                continue
            forms = (text, *singular_forms(text)) if size == 1 else (text, *loosely(found[first : first + size]))
            held = {form: [one for one, values in self._values if form in values] for form in forms}
            for other in forms[1:]:  # a name with an "s" is rather a verb: "which method inserts"
                held[other] = [one for one in held[other] if one != self._naming]
            form = next((form for form in forms if held[form]), None)
            if form is not None:
                yield self._mention(found, first, first + size, frozenset((form,)), held[form])
            elif size > 1 and len(places := self._numbered(text)) == 1:
                [(relation, called)] = places.items()
                yield self._mention(found, first, first + size, called, [relation])
            elif size == 1 and len(families := self._families(text)) == 1:
                [(relation, models)] = families.items()
                yield self._mention(found, first, first + size, models, [relation])

    def _numbered(self, place: str) -> Mapping[str, frozenset[str]]:
        """The values of columns of places that have a number before what the question says."""
        relations = ((relation, values) for relation, values in self._values if PLACES & set(relation.split()))
        return {relation: called for relation, values in relations if (called := numbered_as(place, values))}

    def _families(self, word: str) -> Mapping[str, frozenset[str]]:
        """Of a word in the plural, "limpets": the values of each relation that are of that family, "limpet 3" and "limpet 8"."""
        begins = [one for one in singular_forms(word) if len(one) > 3]
        found: dict[str, frozenset[str]] = {}
        for relation, values in self._values if begins else ():
            some = {one for one in values if any(one == begin or one.startswith(f"{begin} ") for begin in begins)}
            if sum(any(MODEL.match(one, len(begin)) for begin in begins if one.startswith(begin)) for one in some) > 1:
                found[relation] = frozenset(some)  # those without a number too: "limpet pro"
        return found

    def _may_be_value(self, found: list[Token], at: int) -> bool:
        """Not a small word, unless it stands as a value does: "on AS", "of route as"."""
        word = found[at].text
        if word.casefold() in _SINGLE:
            relation = self.relation_of(found[at - 1].text) if at else ""
            is_written = len(word) > 1 and word.isupper() and not all(one.text.isupper() for one in found)
            return is_written or bool(relation and folded(word) in self.values_of(relation))
        return word.isdigit() or not self._is_noun(found[at].folded)

    def _known(self, found: list[Token], mention: Mention) -> Mention | None:
        names = {relation: mention.names & values for relation, values in self._values}
        held = [relation for relation, some in names.items() if some]
        is_one = mention.last - mention.first == 1
        if not held or is_one and folded(mention.text) in _SINGLE:
            return None
        whole = folded(mention.text)
        if is_one and whole.islower() and mention.text == whole and not any(whole in some for some in names.values()):
            columns = {term for relation in self.relations for term in terms(relation)}
            if not columns.isdisjoint(terms(whole)):
                return None  # "calibration" is no part of the name of Loughrea Calibration where a column speaks of it
        return self._mention(found, mention.first, mention.last, frozenset().union(*names.values()), held)

    def _mention(self, found: list[Token], first: int, last: int, names: frozenset[str], held: Sequence[str]) -> Mention:
        text = " ".join(token.text for token in found[first:last])
        objects = {"person"} if set(held) & set(self._people) else set()
        objects |= set() if set(held) & set(self._dates) else {"name"}
        return Mention(first, last, text, names, frozenset(), frozenset(held), frozenset(objects))

    def _is_noun(self, word: str) -> bool:
        return bool(set(terms(word)[:1]) & self._nouns) or self._kind(word) is not None

    def _kind(self, word: str) -> Condition | None:
        forms = (*terms(word)[:1], folded(word), *singular_forms(folded(word)))
        return next((self._kinds[form] for form in forms if form in self._kinds), None)

    # ---- the vocabulary of a set

    def kinds(self, reading: Reading) -> tuple[Condition, ...] | None:
        found: list[Condition] = []
        is_named = bool(self._named)
        for named in self._named:
            reading.take(named.start, named.stop)
        for at, token in enumerate(reading.tokens):
            term = next(iter(terms(token.text)), "")
            if any(one.last == at + 1 and one.relations for one in reading.mentions) and self._kind(token.text) is not None:
                is_named = self.is_plural = True  # "relay faults": of all faults, those
            if at in reading.used or any(one.first <= at < one.last for one in reading.mentions):
                continue
            kind = self._kind(token.text)
            if self._is_where_kept(reading, at):
                reading.take(at)
            if reading.word(at + 1) == "under" and not reading.word(at + 2).isdigit():  # filed under a component
                reading.take(at)
            if kind is not None or term in self._nouns:
                is_named = True
                is_several = (
                    token.folded.endswith("s") or token.folded in _SEVERAL | _MANY_IN_ONE or reading.word(at - 1) in _SEVERAL
                )
                self.is_plural = self.is_plural or is_several
                reading.take(at)
                if (
                    at
                    and self._around & set(terms(reading.tokens[at - 1].text)[:1])
                    and not self.relation_of(reading.word(at - 1))
                    and not any(one.first <= at - 1 < one.last for one in reading.mentions)  # "hire contracts", of all contracts
                ):
                    reading.take(at - 1)
            if kind is not None and kind not in found:
                found.append(kind)
        return tuple(found) if is_named else None

    def _is_where_kept(self, reading: Reading, at: int) -> bool:
        """Whether a word says where all of these things are: "in the warehouse", of a file in the folder "warehouse"."""
        before = reading.word(at - 2) if reading.word(at - 1) == "the" else reading.word(at - 1)
        is_around = not self._around.isdisjoint(terms(reading.tokens[at].text)[:1])
        return before == "in" and is_around and not self.relation_of(reading.word(at))

    def relations_meant(self, reading: Reading, mention: Mention) -> tuple[str, ...]:
        before = [reading.word(at) for at in range(mention.first - 1, max(-1, mention.first - 6), -1)]
        around = [*before, *(reading.word(mention.last + at) for at in range(2))]
        said = next((one for word in around if (one := self.relation_of(word)) in mention.relations), "")
        if said:
            return (said,)
        held = [one for one in mention.relations if not mention.text.isdigit()]
        if len(held) > 1 and "person" in mention.objects:
            held = [one for first in _PEOPLE_FIRST for one in held if first in one.split()][:1]
        return tuple(held) if len(held) == 1 else ()

    def is_general(self, reading: Reading, mention: Mention) -> bool:
        """A value that is called so is meant, but "not closed" is not done under another name either."""
        word = mention.text.casefold()
        if word not in STATES or mention.relations.isdisjoint(columns_of_states(self.relations)):
            return False
        before = {reading.word(at) for at in range(mention.first - FEW_BEFORE, mention.first)}
        if self._is_of_tickets:
            return self.relation_of(reading.word(mention.first - 1)) not in mention.relations  # "with the status open"
        return word in CLOSED and not NEGATIONS.isdisjoint(before)

    def date_meant(self, reading: Reading, first: int, last: int) -> tuple[str, int | None]:
        near = [*range(first - 1, -1, -1), *range(last, len(reading.tokens))]
        if (due := next((one for one in near if reading.word(one) == "due"), None)) is not None and (ahead := self.date_ahead()):
            of_label = set(terms(ahead))
            for one in near:  # "due for inspection"
                if set(terms(reading.word(one))) & of_label:
                    reading.take(one)
            return ahead, due
        at = next((at for at in near if self.relation_of(reading.word(at)) in self._dates), None)
        if at is not None:
            return self.relation_of(reading.word(at)), at
        said = any(reading.word(one) in CLOSED for one in near)  # "done in May" is no matter of when it was created
        usual = BEGINNING if len(self._dates) > 1 else _ANY_DATE  # no time is one of a "survey" that is not spoken of
        begun = [one for one in self._dates if usual & set(one.split())]
        return (begun[0], None) if len(begun) == 1 and not said else ("", None)

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
        return Condition((relation,), words=f"without {self.label_of(relation)}")

    def none_of(self, relation: str) -> frozenset[str]:
        return frozenset()

    def states(self, reading: Reading) -> None:
        self._minimum(reading)
        self._prices(reading)
        self._letters(reading)
        for at in list(reading.left()):
            word = reading.word(at)
            if word == "after" and reading.word(at - 1).startswith("look"):
                reading.take(at)  # "that Luke looks after": no matter of time
            elif word in NOBODY and len(self._people) == 1 and self._has_people(reading.word(at + 1)):
                negated = negates(reading, at, self.is_filler)
                reading.take(at)
                reading.says(
                    Condition(
                        (self._people[0],),
                        negated=negated,
                        words=f"{'with' if negated else 'without'} {self.label_of(self._people[0])}",
                    )
                )
            elif word in OPEN | CLOSED and (condition := self._of_state(word)) is not None:
                negated = negates(reading, at, self.is_filler)
                condition = self._of_state(word, negated) or condition
                reading.take(at)
                said = "not " * negated + f"{self.label_of(condition.relations[0])} {condition.words}"
                reading.says(Condition(condition.relations, condition.values, negated=negated, words=said))
            elif word in _LATE and (relation := self.date_ahead()) and self._today is not None:
                self._overdue(reading, at, relation, self._today)
            elif word in _OVER_SAID and self._end and self._today is not None and self._is_predicate(reading, at):
                self._before_today(reading, at, self._end, self._today)
            elif (condition := self._in_other_form(reading, at)) is not None or (
                condition := self._is_so(reading, at)
            ) is not None:
                negated = negates(reading, at, self.is_filler)
                reading.take(at)
                said = "not " * negated + condition.words
                reading.says(Condition(condition.relations, condition.values, negated=negated, words=said))
            elif word in HAVING and (relation := self._had(reading, at)) and not _is_asked(reading, relation):
                reading.says(Condition((relation,), negated=True, words=f"with {self.label_of(relation)}"))

    def _letters(self, reading: Reading) -> None:
        """ "Rating B", "a B rating", where a column has nothing but letters, which are no names."""
        for at in list(reading.left()):
            letter = reading.tokens[at].text
            near = next((one for one in (at - 1, at + 1) if self.relation_of(reading.word(one)) and one not in reading.used), -1)
            relation = self.relation_of(reading.word(near)) if near >= 0 else ""
            if len(letter) != 1 or not letter.isupper() or not relation or self.values_of(relation) - frozenset(BLANK):
                continue
            negated = negates(reading, min(at, near), self.is_filler)
            reading.take(min(at, near), max(at, near) + 1)
            said = f"{'not ' * negated}{self.label_of(relation)} {letter}"
            reading.says(Condition((relation,), frozenset((letter.casefold(),)), negated=negated, words=said))

    def _minimum(self, reading: Reading) -> None:
        """ "below their minimum": two columns of a row are compared."""
        columns = stock_and_minimum(self.relations)
        words = [reading.word(at) for at in range(len(reading.tokens))] if columns else []
        for at in range(len(words)):
            if at in reading.used or not (end := words_of_minimum(words, at)):
                continue
            negated = negates(reading, at, self.is_filler)
            reading.take(at, end)
            stock, least = map(self.label_of, columns)
            reading.says(Condition(columns, is_below=True, negated=negated, words=f"{'not ' * negated}{stock} below {least}"))

    def _prices(self, reading: Reading) -> None:
        """Words that say no more than that a price is asked about, where one is: "cost", "a month"; and where the things are kept, before
        such a word: "the highest plant bill"."""
        priced = [one for one in self.relations if is_price(one)]
        asked = [one for condition in reading.conditions for one in condition.relations]
        is_asked = self._is_sum or not set(priced).isdisjoint(asked) or bool(asked and self._said & _COSTS)
        for at in reversed(list(reading.left())):
            word, after = reading.word(at), reading.word(at + 1)
            is_period = after in PERIODS and any(after in one.split() for one in priced)
            if word in ("per", "a", "each", "every") and is_period:
                self._period = after
                reading.take(at, at + 2)
            elif is_asked and (word in COSTING or (after in COSTING and at + 1 in reading.used and self._is_of_place(word))):
                reading.take(at)

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

    def _overdue(self, reading: Reading, at: int, relation: str, today: date) -> None:
        """ "overdue for service": the day is over, and the state, where there is one, is none in which nothing is left to do."""
        negated = self._before_today(reading, at, relation, today)
        last = at + 3 if reading.word(at + 2) in _WHOSE else at + 2
        what = reading.word(last) if reading.word(at + 1) in _LATE_FOR else ""
        if what and not any(what in values for _, values in self._values):  # "overdue for calibration": for what it is due
            reading.take(at + 1, last + 1)
        ended = [one for one in self.relations if one != relation and _ENDED & set(one.split())]
        if len(ended) == 1 and not negated and not _is_asked(reading, ended[0]):
            reading.says(self.absence(ended[0]))  # what was returned is no longer due
        states = columns_of_states(self.relations)
        done = {value for one in states for value in self.values_of(one) if begins(value, FINISHED | OVER)}
        if len(states) == 1 and done and not negated and not _is_asked(reading, states[0]):
            said = f"not {self.label_of(states[0])} {', '.join(sorted(done))}"
            reading.says(Condition((states[0],), frozenset(done), negated=True, words=said))

    def _before_today(self, reading: Reading, at: int, relation: str, today: date) -> bool:
        """Takes a word as the condition that a day is over; whether it is negated."""
        negated = negates(reading, at, self.is_filler)
        reading.take(at)
        span = Span(FIRST, today - timedelta(days=1), 0, 0, "before today")
        words = f"{'not ' * negated}{self.label_of(relation)} before today"
        reading.says(Condition((relation,), span=span, negated=negated, words=words))
        return negated

    def _in_other_form(self, reading: Reading, at: int) -> Condition | None:
        """ "which are being repaired", "under repair", where the state is called "in repair"; what was repaired is in it no more."""
        held = columns_of_states(self.relations)
        stem = terms(reading.word(at))[:1]
        if len(held) != 1 or not stem or reading.word(at - 1) not in _DURING:
            return None
        values = frozenset(one for one in self.values_of(held[0]) if terms(one) == stem and lasts(one))
        return Condition((held[0],), values, words=f"{self.label_of(held[0])} {min(values)}") if len(values) == 1 else None

    def _is_so(self, reading: Reading, at: int) -> Condition | None:
        """ "which vehicles are electric": a column that says yes or no."""
        relation = self.relation_of(reading.word(at)) if self._is_predicate(reading, at) else ""
        values = {value for value in self.values_of(relation) if value not in BLANK} if relation else set()
        if not values or not all(value.split(" ")[0] in _YES | _NO for value in values):
            return None
        so = frozenset(value for value in values if value.split(" ")[0] in _YES)
        return Condition((relation,), so, words=self.label_of(relation)) if so else None

    def _is_predicate(self, reading: Reading, at: int) -> bool:
        """Whether a word says what the things are, as in "which are done" or "done tasks", and asks for no column."""
        before = next((word for back in range(1, 4) if (word := reading.word(at - back)) not in ("not", "never", "all")), "")
        return before in _BEING or at + 1 < len(reading.tokens) and self._is_noun(reading.tokens[at + 1].text)

    def _had(self, reading: Reading, at: int) -> str:
        """ "which risks have a mitigation": the relation is stated, whatever its value."""
        after = next((one for one in range(at + 1, at + 4) if reading.word(one) not in ("a", "an", "any", "the", "some")), at)
        relation = self.relation_of(reading.word(after)) if after not in reading.used else ""
        if not relation or relation == self._naming or reading.word(after) in SUPERLATIVES:
            return ""  # "has the highest number of" asks for no "highest vehicle"
        reading.take(after)
        return relation

    def _of_state(self, word: str, negated: bool = False) -> Condition | None:
        """The values of the one relation that holds states, which begin with this word, or else mean the same."""
        relation, values = values_in_state(word, self.relations, self._stated, BLANK)
        if not values:
            return None
        every = frozenset(self._stated(relation)) - frozenset(BLANK)
        if (negated and word in CLOSED) or self._is_of_tickets:
            values = alike(values, every, FINISHED if word in CLOSED else UNFINISHED)
        return Condition((relation,), values, words=", ".join(shortest(values)) if values != {word} else word)

    def is_clear(self, reading: Reading, group: str) -> bool:
        act = reading.word(1) if reading.word(0) == "who" else ""
        is_done = act in ACTS or (act and act not in FILLERS_OF_ROWS and not self._is_noun(act))
        if is_done and self.relation_of(act) not in self._people:
            return False  # who built most of them need not be who drives them
        if any(self._is_done_by_another(reading, mention) for mention in reading.mentions):
            return False  # whoever it is assigned to need not have closed it
        if is_of_degree([token.text.casefold() for token in reading.tokens], reading.mentions):
            return False  # "very high" is not high
        asked = {relation for condition in reading.conditions for relation in condition.relations} | {group}
        for at, token in enumerate(reading.tokens):
            word = reading.word(at)
            relation = "" if word in FILLERS | _BELONGING else self.relation_of(word)
            is_meant = self._is_shown(word) and word not in STATES and not self._is_predicate(reading, at)
            if relation and at not in reading.used and relation not in asked and not is_meant:
                return False  # "which are assigned?" is not answered with all
            by_whom = {held for one in reading.mentions if one.first == at + 2 for held in one.relations}
            if reading.word(at + 1) == "by" and by_whom and relation not in by_whom and not self._is_noun(token.folded):
                return False  # who closed it need not be who owns it
        single = [one for one in reading.conditions if one.values and not one.negated and not holds_lists(one.relations[0])]
        return len(single) == len({one.relations for one in single})

    def _is_done_by_another(self, reading: Reading, mention: Mention) -> bool:
        """Whether it is asked what somebody did, "did Ana close", and the name is a value of something else."""
        did = reading.word(mention.last)
        return bool(did in _DONE and mention.relations and self.relation_of(did) not in mention.relations)

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
            return price_in_all(self.relations, self._period) if word in COSTING else ""  # of several prices
        if not relation and (found := price_for(word, self.relations) or self._bill(word)):
            return found
        if not relation and (word in PRICED or unit_of(word) in _MONEYS):
            priced = [one for one in self.relations if is_price(one)]
            return priced[0] if len(priced) == 1 else ""
        return "" if relation == self._naming or PAST & set(relation.split()) else relation

    def _bill(self, word: str) -> str:
        """The column of totals of a table that is called by costs: "the highest bill"."""
        totals = [one for one in self.relations if one in ("total", "sum")] if word in COSTING else []
        return totals[0] if len(totals) == 1 and self._said & _COSTS else ""

    def date_of(self, word: str) -> str:
        if word:
            relation = self.relation_of(word)
            return relation if relation in self._dates else ""
        begun = [one for one in self._dates if BEGINNING & set(one.split())]
        known = begun if len(begun) == 1 else [one for one in self._dates if not _ENDING & set(one.split())]
        return known[0] if len(known) == 1 else ""

    def is_thing(self, word: str) -> bool:
        return self._is_noun(word)

    def is_shown_ranked(self, left: Set[str]) -> bool:
        return True  # the columns that are asked for are told

    def is_filler(self, word: str) -> bool:
        return word in FILLERS_OF_ROWS or bool(self.relation_of(word)) or bool(self._said & set(terms(word)[:1]))

    def asks_of_one(self, words: Sequence[str]) -> bool:
        return False


def _is_asked(reading: Reading, relation: str) -> bool:
    return any(relation in condition.relations for condition in reading.conditions)
