"""The words in which rows of a table and files are asked for: they come from the table and the files themselves.

A column or a statement is meant by a word of its name, or by one that people use for the same; a value by its name, wherever
only one column has it. What may mean two things is not understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from prompts.language import terms
from prompts.months import weekday_of
from tree.ask.facts.attribute import is_of_degree
from tree.ask.facts.column_vocabulary import (
    BEGINNING,
    FILLERS_OF_ROWS,
    PEOPLE_FIRST,
)
from tree.ask.facts.set_question import Condition
from tree.ask.facts.set_reading import WEEKDAY, Reading
from tree.ask.facts.state_vocabulary import BEING, StateVocabulary
from tree.ask.facts.state_words import (
    columns_of_states,
)
from tree.ask.facts.thing_sets import BLANK
from tree.ask.facts.ticket_words import ACTS, CLOSED, FILLERS, NEGATIONS, STATES, TURNING
from tree.ask.facts.value_forms import MODEL, holds_lists, loosely, singular_forms
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Mention, Token, word_at

MOST_VALUE_WORDS = 8
_SHORT_FOR = {
    "production": "prod", "development": "dev", "staging": "stage", "infrastructure": "infra", "laboratory": "lab", "administration": "admin",
    "management": "mgmt", "operations": "ops", "external": "ext", "internal": "int", "temporary": "temp", "permanent": "perm", "finance": "fin",
}  # fmt: skip
FEW_BEFORE = 4  # words before a state, for one of negation among them
_SEVERAL = frozenset("everything work all every each".split())
_MANY_IN_ONE = frozenset("equipment kit gear furniture staff stock machinery hardware".split())
_ANY_DATE = BEGINNING | frozenset(
    "day when month year week time dated datum tag jour".split()
)  # of a column: it says of what date a row is
_STARTS_ALONE = frozenset(("start", "begin"))
_USING, _USED = frozenset(("use", "uses", "used")), frozenset(("used", "user", "users"))
_BELONGING = frozenset(("belong", "belongs"))  # to whatever is named, not to an owner alone
_DONE = frozenset("close fix resolve finish complete solve ship create open update change write make".split())
_SINGLE = frozenset(FILLERS | NEGATIONS | TURNING)


class CollectionVocabulary(StateVocabulary):
    """The words for the things of one collection."""

    def mentions(self, found: list[Token]) -> list[Mention]:
        """Values of these things, the longest first; a person also by a part of the name."""
        spans = [mention for size in range(min(MOST_VALUE_WORDS, len(found)), 0, -1) for mention in self._of_size(found, size)]
        spans += [known for one in self._names.find(found) if (known := self._known(found, one)) is not None]
        mentions: list[Mention] = []
        spelt = self._spell(found)
        spans = [one for one in spans if not (one.first in spelt and one.last - 1 in spelt)]
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
            if size == 1 and (text == "owns" or not self._may_be_value(found, first) or self._kind(text) is not None):
                continue  # who "owns" a machine does not ask for those that are serviced by "own"
            if size > 1 and all(token.text in _SINGLE for token in found[first : first + size]):
                continue  # "in the", where a column says "in" and "out"
            others = loosely(found[first : first + size]) if size > 1 else singular_forms(text)
            forms = (text, *(others if text not in self.relations else ()))  # "seats" is the column, and no "seat" of another
            held = {form: [one for one, values in self._values if form in values] for form in forms}
            for other in forms[1:]:  # a name with an "s" is rather a verb: "which method inserts"
                held[other] = [one for one in held[other] if one != self._naming]
            form = next((form for form in forms if held[form]), None)
            if form is not None:
                yield self._mention(found, first, first + size, frozenset((form,)), held[form])
            elif size > 1 and len(places := self._numbered(text)) == 1:
                [(relation, called)] = places.items()
                yield self._mention(found, first, first + size, called, [relation])
            elif size == 1 and len(weekdays := self._of_weekday(text)) == 1:
                [(relation, called)] = weekdays.items()
                yield replace(self._mention(found, first, first + size, called, [relation]), objects=frozenset((WEEKDAY,)))
            elif size == 1 and len(short := self._shortened(text)) == 1:
                [(relation, called)] = short.items()
                yield self._mention(found, first, first + size, called, [relation])
            elif size == 1 and len(families := self._families(text)) == 1:
                [(relation, models)] = families.items()
                yield self._mention(found, first, first + size, models, [relation])

    def _of_weekday(self, word: str) -> Mapping[str, frozenset[str]]:
        """The values of a column of weekdays that are this one: "Tue" of "tuesday"."""
        day = weekday_of(word) if word.removesuffix("s").endswith("day") else None
        found: dict[str, frozenset[str]] = {}
        for relation, values in self._values if day is not None else ():
            known = {value: weekday_of(value) for value in values if value not in BLANK}
            called = frozenset(value for value, at in known.items() if at == day)
            if called and all(one is not None for one in known.values()):
                found[relation] = called
        return found

    def _shortened(self, word: str) -> Mapping[str, frozenset[str]]:
        """Of a word the values that are its abbreviation: "prod" of "production"."""
        short = _SHORT_FOR.get(word, "")
        return {relation: frozenset((short,)) for relation, values in self._values if short in values}

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
        if at and at + 1 < len(found) and word_at(found, at - 1) in ("a", "an") and self._is_noun(found[at + 1].folded):
            return not self._is_noun(found[at].folded)  # "who has a complete contract"
        if word.casefold() in _SINGLE:
            relation = self.relation_of(found[at - 1].text) if at else ""
            is_written = len(word) > 1 and word.isupper() and not all(one.text.isupper() for one in found)
            return is_written or bool(relation and folded(word) in self.values_of(relation))
        return word.isdigit() or not self._is_noun(found[at].folded)

    def _known(self, found: list[Token], mention: Mention) -> Mention | None:
        names = {relation: mention.names & values for relation, values in self._values}
        held = [relation for relation, some in names.items() if some]
        is_one = mention.last - mention.first == 1
        if not held or is_one and (folded(mention.text) in _SINGLE or self._kind(mention.text) is not None):
            return None
        if is_one and (said := folded(mention.text)) in self.relations and not any(said in some for some in names.values()):
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

    def kinds(self, reading: Reading) -> tuple[Condition, ...] | None:
        found: list[Condition] = []
        is_named = bool(self._named)
        for named in self._named:
            reading.take(named.start, named.stop)
        for at, token in enumerate(reading.tokens):
            term = next(iter(terms(token.text)), "")
            is_last = any(one.last == at + 1 and one.relations for one in reading.mentions)
            if is_last and (self._kind(token.text) is not None or term in self._nouns):
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
        return tuple(found) if is_named or self._is_implied else None

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
        beside = self.relation_of(reading.word(mention.last))  # "free places" where a fee is "free"
        is_word = mention.text.isalpha() and mention.text.islower() and mention.last - mention.first == 1
        if is_word and beside and beside not in mention.relations and not self._is_noun(reading.word(mention.last)):
            return ()
        held = [one for one in mention.relations if not mention.text.isdigit()]
        if len(held) > 1 and "person" in mention.objects:
            held = [one for first in PEOPLE_FIRST for one in held if first in one.split()][:1]
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
        begun = [one for one in self._dates if usual & set(one.split())] or [one for one in self._dates if one in _STARTS_ALONE]
        made = next(((date, at) for at in near if len(begun) != 1 and (date := self.date_made(reading.word(at)))), None)
        if made is not None:
            return made
        return (begun[0], None) if len(begun) == 1 and not said else ("", None)

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
            is_small = (
                word in FILLERS and word.endswith("ed") and bool(self.relation_of(word)) and self._is_predicate(reading, at)
            )
            if is_small and at not in reading.used and self.relation_of(word) not in asked:
                return False  # "which licences are used?"
            by_whom = {held for one in reading.mentions if one.first == at + 2 for held in one.relations}
            if reading.word(at + 1) == "by" and by_whom and relation not in by_whom and not self._is_noun(token.folded):
                return False  # who closed it need not be who owns it
        if any(self._is_put_by(relation, reading) for relation in self.relations if not terms(relation)):
            return False  # "which licences are in use?", where a column is called so
        single = [one for one in reading.conditions if one.values and not one.negated and not holds_lists(one.relations[0])]
        return len(single) == len({one.relations for one in single})

    def _is_put_by(self, relation: str, reading: Reading) -> bool:
        """Whether it is asked which of the things are what a column is called, "in use"."""
        said, words = [token.folded for token in reading.tokens], relation.split()
        places = (at for at in range(1, len(said)) if said[at : at + len(words)] == words)
        return any(reading.word(at - 1) in BEING and reading.used.isdisjoint(range(at, at + len(words))) for at in places)

    def _is_done_by_another(self, reading: Reading, mention: Mention) -> bool:
        """Whether it is asked what somebody did, "did Ana close", "has Ana closed", and the name is a value of something else."""
        did, before = reading.word(mention.last), reading.word(mention.first - 1)
        is_put = before in ("does", "do", "did") and bool(self.relation_of(did))  # "which tools does Nils use?"
        if did in _USING and not any(_USED & set(one.split()) for one in mention.relations):
            return any(_USED & set(one.split()) for one in self.relations)
        is_act = did in _DONE or is_put or (did in ACTS and before in ("has", "have", "had"))
        return bool(is_act and mention.relations and self.relation_of(did) not in mention.relations)
