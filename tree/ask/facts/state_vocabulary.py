"""The words that say how rows of a table stand: open, valid, expired, overdue, returned late, full, below their minimum, and what they have."""

from __future__ import annotations

from datetime import date, timedelta

from prompts.language import terms
from prompts.timespans import FIRST, Span
from tree.ask.facts.column_vocabulary import COSTS, ENDS_SAID, ColumnVocabulary
from tree.ask.facts.degrees import SUPERLATIVES
from tree.ask.facts.price_columns import COSTING, PERIODS, is_price
from tree.ask.facts.set_question import Condition
from tree.ask.facts.set_reading import Reading, negates
from tree.ask.facts.state_words import (
    DURING,
    FINISHED,
    OVER,
    UNFINISHED,
    alike,
    begins,
    columns_of_states,
    lasts,
    shortest,
    values_in_state,
)
from tree.ask.facts.stock_columns import stock_and_minimum, words_of_minimum
from tree.ask.facts.thing_sets import BLANK
from tree.ask.facts.ticket_words import CLOSED, NOBODY, OPEN

HAVING = frozenset("have has having with".split())
BEING = frozenset("is are was were be been being that".split())
_YES, _NO = frozenset("yes y true x ja oui ok done".split()), frozenset("no n false nein non not".split())
_ENDED = frozenset(
    "returned return actual completed finished paid delivered received closed done".split()
)  # columns of when it was over
_WAS_DONE = _ENDED - {"return", "actual"}
_OVER_SAID = frozenset("over expired".split())
_FULL = frozenset(("full", "booked"))  # "fully booked"
_TAKEN = frozenset("taken booked signed enrolled registered occupied participants bookings signups".split())  # columns
_PLACES = frozenset("places seats capacity spots slots max maximum spaces".split())
_WHOSE = frozenset("its their the a an".split())
_LATE, _LATE_FOR = frozenset(("overdue", "late")), frozenset(("for", "with", "on"))


class StateVocabulary(ColumnVocabulary):
    """The words for how the things of one collection stand."""

    def states(self, reading: Reading) -> None:
        """Takes the words that say how things stand: open, expired, returned late, below their minimum, and what they have or have not."""
        self._minimum(reading)
        self._prices(reading)
        self._letters(reading)
        readers = (
            self._looked_after, self._nobody, self._open_or_closed, self._valid, self._full, self._done_late, self._overdue_now, self._expired,
            self._still_to_do, self._predicate, self._having,
        )  # fmt: skip
        for at in list(reading.left()):
            for read in readers:
                if read(reading, at):  # the first that knows the word takes it
                    break

    def _looked_after(self, reading: Reading, at: int) -> bool:
        """ "That Luke looks after": no matter of time."""
        is_care = reading.word(at) == "after" and reading.word(at - 1).startswith("look")
        if is_care:
            reading.take(at)
        return is_care

    def _nobody(self, reading: Reading, at: int) -> bool:
        if reading.word(at) not in NOBODY or len(self._people) != 1 or not self._has_people(reading.word(at + 1)):
            return False
        negated = negates(reading, at, self.is_filler)
        reading.take(at)
        words = f"{'with' if negated else 'without'} {self.label_of(self._people[0])}"
        reading.says(Condition((self._people[0],), negated=negated, words=words))
        return True

    def _open_or_closed(self, reading: Reading, at: int) -> bool:
        word = reading.word(at)
        condition = self._of_state(word) if word in OPEN | CLOSED else None
        if condition is None:
            return False
        negated = negates(reading, at, self.is_filler)
        condition = self._of_state(word, negated) or condition
        reading.take(at)
        said = "not " * negated + f"{self.label_of(condition.relations[0])} {condition.words}"
        reading.says(Condition(condition.relations, condition.values, negated=negated, words=said))
        return True

    def _valid(self, reading: Reading, at: int) -> bool:
        """ "That are still valid": the day until which they are is not over."""
        if reading.word(at) != "valid" or not self._end or self._today is None or not self._is_predicate(reading, at):
            return False
        negated = negates(reading, at, self.is_filler)
        reading.take(at)
        for one in range(max(0, at - 2), at):
            if reading.word(one) in ("still", "currently", "longer"):
                reading.take(one)
        over = Span(FIRST, self._today - timedelta(days=1), 0, 0, "before today")
        span = over if negated else Span(self._today, date.max, 0, 0, "from today on")
        reading.says(Condition((self._end,), span=span, words=f"{self.label_of(self._end)} {span.words}"))
        return True

    def _full(self, reading: Reading, at: int) -> bool:
        """ "Which courses are full?": as many places are taken as there are."""
        columns = self._taken_places() if reading.word(at) in _FULL and self._is_predicate(reading, at) else None
        if columns is None:
            return False
        negated = negates(reading, at, self.is_filler)
        reading.take(at)
        words = f"{self.label_of(columns[0])} {'below' if negated else 'no less than'} {self.label_of(columns[1])}"
        reading.says(Condition(columns, is_below=True, negated=not negated, words=words))
        return True

    def _done_late(self, reading: Reading, at: int) -> bool:
        """ "Returned late", "after the due date": one day is behind the other."""
        if (late := self._late(reading, at)) is None:
            return False
        reading.take(*late)
        ended, due = self._ended(self.date_ahead()), self.date_ahead()
        reading.says(Condition((due, ended), is_below=True, words=f"{self.label_of(ended)} after {self.label_of(due)}"))
        return True

    def _overdue_now(self, reading: Reading, at: int) -> bool:
        relation = self.date_ahead() if reading.word(at) in _LATE else ""
        if not relation or self._today is None:
            return False
        self._overdue(reading, at, relation, self._today)
        return True

    def _expired(self, reading: Reading, at: int) -> bool:
        """ "Have expired", "whose renewal date has passed"."""
        end = self._over() if reading.word(at) in _OVER_SAID else ""
        if not end or self._today is None or not self._is_over(reading, at):
            return False
        self._before_today(reading, at, end, self._today)
        for one in range(max(1, at - 3), at):
            if reading.word(one) in ("date", "day") and self.relation_of(reading.word(one - 1)) == end:
                reading.take(one)
        return True

    def _still_to_do(self, reading: Reading, at: int) -> bool:
        """ "Not returned"."""
        relation = self._not_done(reading, at)
        if not relation or not negates(reading, at, self.is_filler):
            return False
        reading.take(at)
        reading.says(self.absence(relation))
        return True

    def _predicate(self, reading: Reading, at: int) -> bool:
        """ "Under repair", "electric"."""
        condition = self._in_other_form(reading, at) or self._is_so(reading, at)
        if condition is None:
            return False
        negated = negates(reading, at, self.is_filler)
        reading.take(at)
        said = "not " * negated + condition.words
        reading.says(Condition(condition.relations, condition.values, negated=negated, words=said))
        return True

    def _having(self, reading: Reading, at: int) -> bool:
        relation = self._had(reading, at) if reading.word(at) in HAVING else ""
        if not relation or _is_asked(reading, relation):
            return False
        reading.says(Condition((relation,), negated=True, words=f"with {self.label_of(relation)}"))
        self._had_too(reading, at)
        return True

    def _had_too(self, reading: Reading, at: int) -> None:
        """The columns that "and" joins to the first one: "have a whiteboard and a projector"."""
        for joint in range(at + 1, len(reading.tokens)):
            if reading.word(joint) != "and" or joint in reading.used:
                continue
            relation = self._had(reading, joint)
            if relation and not _is_asked(reading, relation):
                reading.take(joint)
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
            end = 0 if at in reading.used else words_of_minimum(words, at)
            if not end or self.relation_of(reading.word(end)) or not reading.used.isdisjoint(range(at, end)):
                continue  # "below their minimum price"
            negated = negates(reading, at, self.is_filler)
            reading.take(at, end)
            stock, least = map(self.label_of, columns)
            reading.says(Condition(columns, is_below=True, negated=negated, words=f"{'not ' * negated}{stock} below {least}"))

    def _prices(self, reading: Reading) -> None:
        """Words that say no more than that a price is asked about, where one is: "cost", "a month"; and where the things are kept, before
        such a word: "the highest plant bill"."""
        priced = [one for one in self.relations if is_price(one)]
        asked = [one for condition in reading.conditions for one in condition.relations]
        is_asked = self._is_aggregate or not set(priced).isdisjoint(asked) or bool(asked and self._said & COSTS)
        for at in reversed(list(reading.left())):
            word, after = reading.word(at), reading.word(at + 1)
            is_period = after in PERIODS and any(after in one.split() for one in priced)
            if word in ("per", "a", "each", "every") and is_period:
                self._period = after
                reading.take(at, at + 2)
            elif is_asked and (word in COSTING or (after in COSTING and at + 1 in reading.used and self._is_of_place(word))):
                reading.take(at)

    def _overdue(self, reading: Reading, at: int, relation: str, today: date) -> None:
        """ "overdue for service": the day is over, and the state, where there is one, is none in which nothing is left to do."""
        negated = self._before_today(reading, at, relation, today)
        last = at + 3 if reading.word(at + 2) in _WHOSE else at + 2
        what = reading.word(last) if reading.word(at + 1) in _LATE_FOR else ""
        if what and not any(what in values for _, values in self._values):  # "overdue for calibration": for what it is due
            reading.take(at + 1, last + 1)
        ended = self._ended(relation)
        if ended and not negated and not _is_asked(reading, ended):
            reading.says(self.absence(ended))  # what was returned is no longer due
        states = columns_of_states(self.relations)
        done = {value for one in states for value in self.values_of(one) if begins(value, FINISHED | OVER)}
        if len(states) == 1 and done and not negated and not _is_asked(reading, states[0]):
            said = f"not {self.label_of(states[0])} {', '.join(sorted(done))}"
            reading.says(Condition((states[0],), frozenset(done), negated=True, words=said))

    def _taken_places(self) -> tuple[str, str] | None:
        """The columns that say how many places are taken, and how many there are: of a course that is "full"."""
        taken = [one for one in self.relations if _TAKEN & set(one.split())]
        there = [one for one in self.relations if _PLACES & set(one.split()) and one not in taken]
        return (taken[0], there[0]) if len(taken) == len(there) == 1 else None

    def _ended(self, due: str) -> str:
        """The one column that says when, or whether, it was over, beside that of when it was due."""
        held = [one for one in self.relations if one != due and _ENDED & set(one.split())]
        return held[0] if len(held) == 1 else ""

    def _over(self) -> str:
        """The date on which what is "expired" is over: the one that the question spells out, else that of an end, else what lies ahead."""
        spelt = {relation for relation in self._spelt.values() if relation in self._dates}
        return min(spelt) if len(spelt) == 1 else self._end or self.date_ahead()

    def _late(self, reading: Reading, at: int) -> tuple[int, int] | None:
        """The words "late" and "after the due date", of what was done; None for others."""
        due = self.date_ahead()
        if not due or not self._ended(due):
            return None
        done = {reading.word(at - 1), reading.word(at - 2)}
        if reading.word(at) == "late" and (
            "back" in done or any(self.relation_of(one) == self._ended(due) for one in done if one)
        ):
            return at, at + 1
        last = at + 2 if reading.word(at + 1) in _WHOSE else at + 1
        if reading.word(at) != "after" or self.relation_of(reading.word(last)) != due:
            return None
        return at, last + 2 if reading.word(last + 1) in ("date", "day") else last + 1

    def _not_done(self, reading: Reading, at: int) -> str:
        """ "Not returned": the column that says when it was done, which is empty."""
        relation = self.relation_of(reading.word(at))
        is_done = not _WAS_DONE.isdisjoint(relation.split()) and reading.word(at) in _WAS_DONE  # a "return" may be planned
        return relation if is_done and not _is_asked(reading, relation) else ""

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
        if len(held) != 1 or not stem or reading.word(at - 1) not in DURING:
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
        return before in BEING or at + 1 < len(reading.tokens) and self._is_noun(reading.tokens[at + 1].text)

    def _is_over(self, reading: Reading, at: int) -> bool:
        """ "Which are expired", "which have expired"."""
        before = reading.word(at - 2) if reading.word(at - 1) == "already" else reading.word(at - 1)
        is_had = before in ("a", "an") and reading.word(at - 2) in HAVING  # "have an expired test"
        return self._is_predicate(reading, at) or is_had or (before in HAVING and not before.startswith("w"))

    def _had(self, reading: Reading, at: int) -> str:
        """ "which risks have a mitigation": the relation is stated, whatever its value."""
        after = next((one for one in range(at + 1, at + 4) if reading.word(one) not in ("a", "an", "any", "the", "some")), at)
        relation = self.relation_of(reading.word(after)) if after not in reading.used else ""
        said = reading.word(after)  # "have expired", "have an expired test", "have run out"
        is_act = said in _OVER_SAID | ENDS_SAID or (after == at + 1 and said.endswith("ed"))
        if not relation or is_act or relation == self._naming or reading.word(after) in SUPERLATIVES:
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


def _is_asked(reading: Reading, relation: str) -> bool:
    return any(relation in condition.relations for condition in reading.conditions)
