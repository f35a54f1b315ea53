"""Reads a question for a set of things, whatever they are: what is wanted of them, and under which conditions.

What the things and what is stated of them are called is a vocabulary's to say: that of tickets, of files, of a table. A
question is understood in this way only if every word of it is accounted for. A word of negation that is not understood
never becomes its opposite: such a question is left to the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise, takewhile
from typing import Protocol

from prompts.coming_times import find_coming
from prompts.language import terms
from prompts.timespans import Span, find_span
from tree.ask.facts.degrees import read_degrees, sizes
from tree.ask.facts.set_question import Condition, SetQuestion, Wanted
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS, NOBODY, SOMEBODY, STATES, TURNING
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Mention, Token, tokens, word_at


@dataclass(slots=True)
class Reading:
    """A question while it is read: which of its words are accounted for."""

    text: str
    tokens: list[Token]
    mentions: list[Mention]
    used: set[int] = field(default_factory=set)
    conditions: list[Condition] = field(default_factory=list)

    def take(self, first: int, last: int | None = None) -> None:
        self.used.update(range(first, first + 1 if last is None else last))

    def left(self) -> Iterable[int]:
        return (at for at in range(len(self.tokens)) if at not in self.used)

    def word(self, at: int) -> str:
        return word_at(self.tokens, at)

    def has_comma(self, at: int) -> bool:
        """Whether a comma or the like stands between this word and the next."""
        between = self.text[self.tokens[at].end : self.tokens[at + 1].start] if at + 1 < len(self.tokens) else ""
        return any(mark in between for mark in ",;:.")

    def says(self, condition: Condition) -> None:
        self.conditions.append(condition)


class Vocabulary(Protocol):
    """The words in which the things of one collection are asked for."""

    @property
    def grouped_by(self) -> Mapping[str, str]:
        """Words by which they can be counted, and the relation each means."""

    def mentions(self, found: list[Token]) -> list[Mention]:
        """The names in a question."""

    def kinds(self, reading: Reading) -> tuple[Condition, ...] | None:
        """The kinds of thing that are named, or left out; None where the question is not about these things."""

    def relation_of(self, word: str) -> str:
        """The relation that a word means; empty where it means none."""

    def relations_meant(self, reading: Reading, mention: Mention) -> tuple[str, ...]:
        """The relation that a name is a value of, by the words around it; none where that is not clear."""

    def is_general(self, reading: Reading, mention: Mention) -> bool:
        """Whether "open" or "done" asks what is finished and what is not, and not for the state that is called so."""

    def date_meant(self, reading: Reading, first: int, last: int) -> tuple[str, int | None]:
        """The date that a time is of, and the word that says so, if one does; empty where that is not clear."""

    def date_ahead(self) -> str:
        """The one date that lies ahead of what is not done yet; empty where there is none, or several."""

    def has_date_in(self, relation: str, span: Span) -> bool:
        """Whether one of these dates lies in a time; always so of dates that are not looked at."""

    def beginning_with(self, relation: str, value: str) -> Iterable[str]:
        """Longer values of a relation that begin with the words of this one: remarks such as "below minimum, ordered"."""

    def label_of(self, relation: str) -> str:
        """A relation as it is told."""

    def absence(self, relation: str) -> Condition:
        """That the relation is empty."""

    def none_of(self, relation: str) -> frozenset[str]:
        """The values that say "none", where it has some."""

    def states(self, reading: Reading) -> None:
        """Reads open and closed, unassigned, blocked, overdue."""

    def is_clear(self, reading: Reading, group: str) -> bool:
        """Whether what was read can mean but one thing."""

    def is_filler(self, word: str) -> bool:
        """Whether a word that no condition has made use of says no more than what these things are, or what to tell of them."""

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

    def is_shown_ranked(self, left: Set[str]) -> bool:
        """Whether what such words ask of the greatest or the smallest is told of it."""

    def columns(self, words: Iterable[str]) -> tuple[str, ...]:
        """The relations that such words ask to be told of each thing."""

    def asks_of_one(self, words: Sequence[str]) -> bool:
        """Whether something of one thing is asked, and not a set of them."""


def read_set(text: str, vocabulary: Vocabulary, today: date, is_narrowing: bool = False) -> SetQuestion | None:
    """A question for things that satisfy conditions; None when it is not one, or says more than conditions can.

    Without conditions it is one only where it counts, or where it narrows the set before it: to all of that."""
    found = tokens(text)
    reading = Reading(text, found, vocabulary.mentions(found))
    kinds = vocabulary.kinds(reading)
    of_kinds = frozenset(reading.used)
    if kinds is None or not _asks_for_a_set(reading, vocabulary):
        return None
    if any(_is_unknown_name(text, reading, one, other) for one, other in pairwise(reading.mentions)):
        return None
    dated = without_names(text, reading.tokens, reading.mentions)
    span, coming = find_span(dated, today), find_coming(dated, today)
    if (span or coming) is not None and not _is_date_read(reading, vocabulary, span, coming, today):
        return None
    wanted, group, size = _compared_groups(reading, vocabulary)
    is_grouped = size is not None
    if not is_grouped:
        read_degrees(reading, vocabulary)
    _absences(reading, vocabulary)
    _values(reading, vocabulary)
    vocabulary.states(reading)
    _presences(reading, vocabulary, of_kinds)
    if not is_grouped:
        wanted, group = _wanted(reading, vocabulary)
    if not vocabulary.is_clear(reading, group):
        return None
    if any(_is_name_of_small_word(reading, at) and not vocabulary.relation_of(reading.word(at)) for at in reading.left()):
        return None
    if any(_is_choice(reading, at, of_kinds) for at in reading.left()):
        return None  # "in Turnstile or blocked": not both
    if any(_is_particle(reading, at) for at in reading.left()):
        return None
    if any(_is_wanting(reading, at, vocabulary) for at in reading.left()):
        return None  # "which vans need an MOT?", "are out of MOT"
    if any(_is_of_many(reading, at) for at in reading.left()):
        return None  # "which method inserts many rows": of how many something is so is no condition
    left = {reading.word(at) for at in reading.left()}
    if left & (NEGATIONS | TURNING | SOMEBODY) or not all(_is_filler(word, vocabulary) for word in left):
        return None
    if any(one.rank for one in reading.conditions) and not vocabulary.is_shown_ranked({word for word in left if word}):
        return None
    conditions = (*kinds, *sorted(reading.conditions, key=lambda one: bool(one.rank)))
    if wanted == "all":
        said_of_all = _said_last(reading, conditions)
        if said_of_all is None:
            return None
        conditions = (*(one for one in conditions if one is not said_of_all), said_of_all)
    if not conditions and not group and wanted != "count" and not is_narrowing:
        return None
    columns = vocabulary.columns(reading.word(at) for at in reading.left())
    return SetQuestion(wanted, conditions, group, columns=columns, sizes=size)


WEEKDAY = "weekday"  # what a name is that a column of weekdays has
_NEVER_DATES = frozenset(("person", "version", "sprint", "component", "project", "label", "name"))


def without_names(text: str, found: Sequence[Token], mentions: Iterable[Mention]) -> str:
    """The question with longer names blanked out, as long as before: Jun-ho is no month, and "2021 Sprint 5" no year."""
    for mention in mentions:
        start, end = found[mention.first].start, found[mention.last - 1].end
        is_of_week = WEEKDAY in mention.objects
        if is_of_week or mention.objects & _NEVER_DATES and not text[start:end].isalpha() and not text[start:end].isdigit():
            text = f"{text[:start]}{'_' * (end - start)}{text[end:]}"
    return text


def _is_unknown_name(text: str, reading: Reading, one: Mention, other: Mention) -> bool:
    """Whether two people named side by side are one name that nobody has: the first of one and the last of another."""
    between = text[reading.tokens[one.last - 1].end : reading.tokens[other.first].start]
    return one.last == other.first and not between.strip() and "person" in one.objects & other.objects


# ---------------------------------------------------------------- what is asked for


def _asks_for_a_set(reading: Reading, vocabulary: Vocabulary) -> bool:
    """Not why, how or when something is so, nor what one thing is like."""
    words = [reading.word(at) for at in range(len(reading.tokens))]
    is_of_things = words[:1] != [] and (
        words[0] in _ASKS_FOR_THINGS or (words[0].endswith("s") and vocabulary.is_thing(words[0]))
    )
    if not words or not _OF_ONE_THING.isdisjoint(words[:1] if is_of_things else words[:3]):
        return False  # also "since when", "until when", "and why"
    if "same" in words or (words[0] == "is" and words[1:2] and words[1] in _OF_ONE):
        return False  # "with the same supplier" compares them, "is the contract signed" asks of one
    if words[0] == "how":
        return words[1:2] == ["many"]
    if words[0] == "who":
        return any(word in ("most", "fewest", "least", "than", "over", "more") for word in words)
    return not vocabulary.asks_of_one(words)


def _wanted(reading: Reading, vocabulary: Vocabulary) -> tuple[Wanted, str]:
    """List, count or groups, and by what they are counted."""
    grouped_by = vocabulary.grouped_by
    words = [reading.word(at) for at in range(len(reading.tokens))]
    for at, word in enumerate(words):
        is_free = at not in reading.used and at not in vocabulary.spelt and not any(one.rank for one in reading.conditions)
        if is_free and word in ("per", "by", "each") and at + 1 < len(words) and words[at + 1] in grouped_by:
            reading.take(at, at + 2)
            if f"{word} {words[at + 1]}" in grouped_by[words[at + 1]]:
                continue  # a part of what a column is called: "kg per month"
            return "groups", grouped_by[words[at + 1]]
        if (
            at not in reading.used
            and word in ("most", "fewest", "least")
            and any(one in ("who", "which", "what") for one in words[:at])
        ):
            group = next((grouped_by[one] for one in words[:at] if one in grouped_by), "")
            if words[0] == "who" and any(vocabulary.relation_of(one) == "reporter" for one in words[:at]):
                group = "reporter"
            if group:
                reading.take(at)
                reading.used.update(number for number, one in enumerate(words) if one in grouped_by and number < at)
                return ("most" if word == "most" else "least"), group
    if words[:2] == ["how", "many"] or words[0] == "count" or "number" in words:
        return "count", ""
    if words[0] in ("is", "are", "have", "has") and not _EVERY.isdisjoint(words[1:4]):
        return "all", ""
    if words[0] in ("is", "are", "any"):
        return "any", ""
    return "list", ""


_OF_ONE_THING = frozenset("why when where whose whom".split())
_ASKS_FOR_THINGS = frozenset("which what list show".split())
_OF_ONE = frozenset("the our my this that a an".split())
_EVERY = frozenset("all every everything each".split())


def _said_last(reading: Reading, conditions: Sequence[Condition]) -> Condition | None:
    """The condition that a question for all of some things ends with: "are all open bugs assigned?" asks who has them."""
    last = next((word for at in range(len(reading.tokens) - 1, -1, -1) if (word := reading.word(at)) not in FILLERS), "")
    said = [one for one in conditions if last in one.words.casefold().split()]
    if not said and last in STATES:
        said = [one for one in conditions if one.relations == ("open",)]
    if not said and last in NOBODY:
        said = [one for one in conditions if one.relations == ("assignee",) and not one.values]
    return said[0] if len(said) == 1 and not said[0].rank and not said[0].extreme else None


def _compared_groups(reading: Reading, vocabulary: Vocabulary) -> tuple[Wanted, str, Condition | None]:
    """ "Which components have more than 5 open tickets?": groups of a size. Without it, nothing."""
    words = [reading.word(at) for at in range(len(reading.tokens))]
    put = 2 if words[:2] == ["how", "many"] else 1 if words[:1] in (["which"], ["what"], ["who"], ["list"], ["show"]) else -1
    at = 0 if words[:1] == ["who"] or (put < 0 and words[:1] and words[0].endswith("s")) else put
    put = max(put, at)
    if put < 0 or at >= len(words) or vocabulary.is_thing(words[at]):
        return "list", "", None
    group = vocabulary.grouped_by.get(words[at], "")
    size = sizes(reading, vocabulary, at) if group else None
    if size is None:
        return "list", "", None
    reading.take(at)
    is_reported = group == "assignee" and any(vocabulary.relation_of(word) == "reporter" for word in words)
    return "groups", "reporter" if is_reported else group, size


# ---------------------------------------------------------------- conditions


_OF_TIMES = frozenset("end start beginning".split())  # "by the end of May"
PAST_DATES = frozenset("last previous latest".split())  # in the name of a date: of what was
LIES_AHEAD = frozenset("due deadline next end ends expires expiry expiring renewal renew valid until planned target".split())


def _is_date_read(reading: Reading, vocabulary: Vocabulary, span: Span | None, coming: Span | None, today: date) -> bool:
    """Takes a time as a condition on the date that it is of; whether it is clear which one that is. `coming` is the time where
    that date lies ahead."""
    said = span or coming
    if said is None:
        return False
    words = (reading.word(at) for at in range(*_covered(reading.tokens, said)))
    if any(vocabulary.relation_of(word) for word in words if word not in _OF_TIMES):
        return False  # "Sunday" may be the column of that day's hours
    relation, at = vocabulary.date_meant(reading, *_covered(reading.tokens, said))
    if not relation:
        return False
    if span is not None and span.first > today and PAST_DATES & set(folded(relation).split()):
        relation = vocabulary.date_ahead()  # "due for calibration in December", and not when that was done last
        if not relation:
            return False
    if span is not None and span.first > today and folded(relation).endswith(("ed", "ought", "one")):
        return False  # nothing was opened in a month to come
    if LIES_AHEAD.intersection(folded(relation).split()):
        span = coming
    elif (
        span is not None
        and coming is not None
        and not vocabulary.has_date_in(relation, span)
        and vocabulary.has_date_in(relation, coming)
    ):
        span = coming  # "a survey in December", and all of them lie ahead
    if span is None:
        return False  # "created next week"
    first, last = _covered(reading.tokens, span)
    reading.take(first, last)
    negated = negates(reading, at if at is not None and at < first else first, FILLERS.__contains__)
    if at is not None:
        reading.take(at)
        for near in (at - 1, at + 1):  # "next service"
            if reading.word(near) and reading.word(near) in folded(relation).split():
                reading.take(near)
    said_of = "not " * negated + f"{vocabulary.label_of(relation)} {span.words}"
    reading.says(Condition((relation,), span=span, negated=negated, words=said_of))
    return True


def _covered(found: Sequence[Token], span: Span) -> tuple[int, int]:
    inside = [number for number, token in enumerate(found) if token.start < span.end and token.end > span.start]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def negates(reading: Reading, at: int, is_between: Callable[[str], bool]) -> bool:
    """Whether a word of negation stands before this one, with nothing but such words between; it is then accounted for."""
    for before in range(at - 1, max(-1, at - 6), -1):
        word = reading.word(before)
        if reading.has_comma(before):
            return False
        if word in NEGATIONS - {"never"}:  # never is a matter of the history
            reading.take(before)
            if word == "other" and reading.word(before + 1) == "than":
                reading.take(before + 1)
            return True
        if word == "than" and reading.word(before - 1) == "other":
            reading.take(before - 1, before + 1)
            return True
        if before in reading.used or word in ("and", "or", "but") or not is_between(word):
            return False
    return False


def _values(reading: Reading, vocabulary: Vocabulary) -> None:
    """Names in the question that are values of tickets: people, states, components, versions, sprints, epics."""
    lists: list[tuple[tuple[str, ...], bool, list[tuple[str, str]]]] = []
    either: set[int] = set()  # of these, the numbers of those that "or" joins to the one before
    last: tuple[int, tuple[str, ...], bool] | None = None  # where the value before ends, its relations, whether it is negated
    for mention in reading.mentions:
        is_used = any(at in reading.used for at in range(mention.first, mention.last))
        if is_used or vocabulary.is_general(reading, mention) or _is_a_relation(reading, mention, vocabulary):
            continue
        relations = vocabulary.relations_meant(reading, mention)
        if last is not None and set(last[1]) & mention.relations and _is_listed(reading, last[0], mention.first):
            relations, negated = last[1:]  # "not assigned to A or B"
            if negated and reading.word(mention.first - 1) == "and":
                continue  # "not in A and B" may mean two things
        elif relations:
            negated = negates(reading, mention.first, lambda word: vocabulary.is_filler(word) and word not in STATES)
            if last is not None and not negated and not last[2] and _is_chosen(reading, vocabulary, last[0], mention.first):
                either.add(len(lists))
            lists.append((relations, negated, []))
        else:
            continue
        if last is not None and last[0] == mention.first - 1 and reading.word(last[0]) == "or":
            reading.take(last[0])
        reading.take(mention.first, mention.last)
        last = mention.last, relations, negated
        longer = (more for name in mention.names for one in relations for more in vocabulary.beginning_with(one, name))
        lists[-1][2].extend((name, mention.text) for name in sorted({*mention.names, *longer}))
    for number, (relations, negated, values) in enumerate(lists):
        words = " or ".join(dict.fromkeys(text for _, text in values))
        said = "not " * negated + ("of " if relations == ("team",) else f"{vocabulary.label_of(relations[0])} ") + words
        condition = Condition(relations, frozenset(name for name, _ in values), negated=negated, words=said)
        if number in either:
            before = reading.conditions.pop()
            both = tuple(dict.fromkeys((*before.relations, *relations)))
            condition = Condition(both, words=f"{before.words} or {said}", either=(*(before.either or (before,)), condition))
        reading.conditions.append(condition)


def _is_chosen(reading: Reading, vocabulary: Vocabulary, last: int, first: int) -> bool:
    """Whether "or" stands between a value that ends there and the next, of another relation; it is then accounted for."""
    between = range(last, first)
    words = [reading.word(at) for at in between]
    if words.count("or") != 1 or any(word != "or" and word in NEGATIONS for word in words):
        return False
    reading.take(last + words.index("or"))
    return True


def _is_choice(reading: Reading, at: int, of_kinds: Set[int]) -> bool:
    """Whether an "or" that nothing has accounted for stands between words of conditions, other than kinds of thing."""
    if reading.word(at) != "or":
        return False
    before, after = (set(range(at)) & reading.used, set(range(at + 1, len(reading.tokens))) & reading.used)
    return bool(before and after) and not (max(before) in of_kinds and min(after) in of_kinds)


def _is_a_relation(reading: Reading, mention: Mention, vocabulary: Vocabulary) -> bool:
    """Whether a word only says what the next name is a value of: "label" in "the label offline", though a label is called so."""
    at = mention.first
    relation = vocabulary.relation_of(reading.word(at))
    while relation and (vocabulary.relation_of(reading.word(at)) == relation or reading.word(at) in relation.split()):
        at += 1  # "blocked by"
        if any(one.first == at and relation in one.relations for one in reading.mentions):
            return True
    return False


def _is_listed(reading: Reading, last: int, first: int) -> bool:
    """Whether a value follows one that ends there in a list: "A, B or C"."""
    return last == first or (last == first - 1 and reading.word(last) in ("or", "and"))


def _absences(reading: Reading, vocabulary: Vocabulary) -> None:
    """ "without a component", "no assignee", "priority none": the relation is empty, or has that very value."""
    for at in list(reading.left()):
        relation = vocabulary.relation_of(reading.word(at - 1))
        if reading.word(at) == "none" and relation:
            reading.take(at - 1, at + 1)
            values = vocabulary.none_of(relation)
            reading.conditions.append(Condition((relation,), values, words=f"{vocabulary.label_of(relation)} none"))
        if reading.word(at) not in ("without", "no"):
            continue
        after = next(
            (
                one
                for one in range(at + 1, min(at + 5, len(reading.tokens)))
                if reading.word(one) not in ("a", "an", "any", "the")
            ),
            at,
        )
        relation = vocabulary.relation_of(reading.word(after))
        if relation and (vocabulary.relation_of(reading.word(after + 1)) == relation or reading.word(after + 1) == "date"):
            after += 1  # "fix version", "due date"
        if relation and not _is_followed_by_value(reading, relation, after):
            reading.take(at, after + 1)
            reading.says(vocabulary.absence(relation))


def _presences(reading: Reading, vocabulary: Vocabulary, of_kinds: Set[int]) -> None:
    """ "Signed contracts", "returned red bikes", "which bikes are not returned?", where a column of days is called so: those that have a day
    there; "dogs with medicine", of any column: those of which it says something."""
    values = {mention.first for mention in reading.mentions if mention.relations}
    for at in list(reading.left()):
        word = reading.word(at)
        relation = vocabulary.relation_of(word)
        if not relation or word not in relation.split():
            continue
        before = next((said for back in range(at - 1, -1, -1) if (said := reading.word(back)) not in NEGATIONS | _WHILE), "")
        is_last = all(reading.word(after) in _WHILE for after in range(at + 1, len(reading.tokens)))
        is_said_of_things = is_last if before in _BEING else at + 1 in of_kinds or at + 1 in values
        is_done = is_said_of_things and word.endswith("ed") and relation == vocabulary.date_of(word)
        if is_done or (is_last and before in _HAVING):
            absent = vocabulary.absence(relation)
            is_absent = negates(reading, at, FILLERS.__contains__)
            reading.take(at)
            reading.says(absent if is_absent else replace(absent, negated=True, words=f"with {vocabulary.label_of(relation)}"))


def _is_followed_by_value(reading: Reading, relation: str, at: int) -> bool:
    """ "without the fix version 2.0" does not ask for those without any."""
    return any(mention.first == at + 1 and relation in mention.relations for mention in reading.mentions)


def _is_name_of_small_word(reading: Reading, at: int) -> bool:
    """Route AS, the team IT, the rating B: no small word, where not all is written like that."""
    word = reading.tokens[at].text
    if len(word) == 1 and word.isalpha() and at:
        return word.casefold() not in _LETTERS or (word == "A" and not reading.text.isupper())
    return len(word) > 1 and word.isupper() and word.isalpha() and not reading.text.isupper()


_LETTERS = frozenset("a i s t d m".split())  # words, and what follows an apostrophe


def _is_particle(reading: Reading, at: int) -> bool:
    """Whether a small word says what the things are: "which lamps are off?"."""
    before = next((word for one in range(at - 1, -1, -1) if (word := reading.word(one)) not in _WHILE), "")
    is_last = at + 1 == len(reading.tokens) or reading.word(at + 1) in _WHILE
    return before in _BEING and is_last and reading.word(at) in _PARTICLES


_BEING = frozenset("is are was were be been".split())
_HAVING = frozenset("with get gets getting have has having take takes receive receives".split())
_WHILE = frozenset("currently now still again already right today not all yet".split())
_PARTICLES = frozenset("down up off out on in over away back through about around under behind".split())


_NEEDS = frozenset(
    "need needs needed needing require requires required requiring lack lacks lacking miss misses missing want wants".split()
)
_SUCH = frozenset(("out", "of", "at", "in", "on", "under", "off", "up", "for", "past", "near", "close", "to"))


def _is_wanting(reading: Reading, at: int, vocabulary: Vocabulary) -> bool:
    """Whether a word that no condition has made use of says how things stand with a column that is named: that they need it, or are
    "out of" it, "at" its end, "in" it."""
    word = reading.word(at)
    relation = vocabulary.relation_of(word)
    if word in _NEEDS and not relation:
        return reading.word(at - 1) not in ("i", "we", "you")  # "I need every ticket of ..."
    if not relation or any(relation in one.relations for one in reading.conditions):
        return False
    before = [
        one for back in range(1, 6) if (one := reading.word(at - back)) not in ("a", "an", "the", "their", "its", "your", "our")
    ]
    after_verb = list(takewhile(lambda one: one in _SUCH, before))
    being = before[len(after_verb)] if len(before) > len(after_verb) else ""
    return bool(after_verb) and being in _BEING | _WHILE


def _is_of_many(reading: Reading, at: int) -> bool:
    """Whether "many" stands there without asking for a number."""
    return reading.word(at) == "many" and reading.word(at - 1) != "how"


def _is_filler(word: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.is_filler(word) or (not terms(word) and word not in NEGATIONS) or folded(word) == ""
