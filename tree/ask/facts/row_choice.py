"""The rows of a table that a question means, chosen step by step: by values of their cells, by numbers, by yes and no, by a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date

from prompts.asking_part import AskingPart
from prompts.extractive.dates import days
from prompts.language import terms, wholes
from prompts.number_words import NUMBER_WORDS
from prompts.question import Word
from prompts.shorter_questions import words_of_time
from prompts.synonyms import same_as
from prompts.timespans import Span
from tree.ask.facts.attribute import LIGHT
from tree.ask.facts.ended_rows import is_gone, speaks_of_gone
from tree.ask.facts.price_columns import COSTING
from tree.ask.facts.row_grid import BEGINNING, DONE, ENDING, LONGEST_VALUE, RowGrid, is_called_by, is_of_money, terms_of, words_of
from tree.ask.facts.row_operations import Operation
from tree.ask.facts.row_words import OF_USUAL, TALK, called_by_initials, naming_of
from tree.ask.facts.set_question import Condition
from tree.ask.facts.thing_sets import BLANK
from tree.retrieve.fact_index import folded
from tree.retrieve.names import tokens

OF_PART = 0.9  # of the weight of a word that is a part of a name
EQUAL = 0.999  # of the worth of the best column, for another to be worth as much
MOST_DAYS_OFF = 1  # of "before today" and "as of today"
FINISHED = frozenset(
    """done closed cancelled canceled finished completed complete returned delivered paid settled resolved withdrawn rejected abgeschlossen
    erledigt""".split()
)
_COSTING = frozenset(terms(" ".join(COSTING)))
_YES, _NO = frozenset(("yes", "y", "true", "x", "ja", "oui")), frozenset(("no", "n", "false", "nein", "non", *BLANK))
_WITHOUT = frozenset("without no not non".split())
_SINCE = "since"
MOST_BEFORE = 3  # words between one of negation and the column that it is of

_Holding = Mapping[str, Set[str]]  # column -> the rows in which it says something


@dataclass(frozen=True, slots=True)
class RowsAsked:
    """A question as it is held against each table."""

    part: AskingPart
    operation: Operation
    words: Sequence[Word]  # that carry the part of it that asks, without those of the operation
    times: Sequence[Span]  # that is named: where it is over, and where it lies ahead
    today: date
    left_out: Sequence[str]  # what the question leaves out, as it is written
    names: Set[str]  # terms of words that are written like names


@dataclass(slots=True)
class RowChoice:
    """A table while a question is held against it: the rows that are left, and what of the question is understood by then."""

    grid: RowGrid
    things: set[str]
    known: dict[str, float] = field(default_factory=dict)  # how much of each word (term), from 0 to 1
    conditions: list[Condition] = field(default_factory=list)
    columns: dict[str, float] = field(default_factory=dict)  # that words of the question name, the best first, and how well
    is_guessed: bool = False  # whether the column of amounts is the only one of its kind, and not named
    is_lacking: bool = False  # whether rows were chosen by what they have not
    not_left_out: list[str] = field(default_factory=list)  # what the question leaves out, where the table has nothing of it
    says_yes: bool = False  # whether a column that is named chose rows by saying yes or no

    def keep(self, things: Iterable[str], condition: Condition) -> bool:
        """Leaves only these rows, and says by which condition; whether any are left."""
        self.things &= set(things)
        self.conditions.append(condition)
        return bool(self.things)

    def know(self, words: Iterable[str], worth: float = 1.0) -> None:
        for word in words:
            self.known[word] = max(self.known.get(word, 0.0), worth)

    def know_price(self, relation: str) -> None:
        """That something costs, or is paid for, says no more than that the amounts are of money."""
        if is_of_money(relation):
            self.know(_COSTING)

    @property
    def chosen_by(self) -> frozenset[str]:
        """The columns that chose the rows."""
        return frozenset(relation for one in self.conditions for relation in one.relations)

    def best_column(self, columns: Sequence[str], usual: Set[str] = frozenset()) -> str:
        """Of some columns the one that the question names best, else the one with a usual word; empty where several may be meant."""
        named = [one for one in self.columns if one in columns]
        best = [one for one in named if self.columns[one] >= self.columns[named[0]] * EQUAL]
        left = best or columns
        held = left if len(left) == 1 else [one for one in left if is_called_by(one, usual)]
        return held[0] if len(held) == 1 else ""


def name_columns(choice: RowChoice, asked: RowsAsked) -> None:
    """Notes the columns that words of the question name, and how much of the question each has: a long label less."""
    weights = {word.whole: word.weight for word in asked.words}
    named: dict[str, dict[str, float]] = {}
    for relation in choice.grid.relations:
        named[relation] = {word.whole: worth for word in asked.words if (worth := naming_of(word, relation))}
    for relation, initials in called_by_initials(choice.grid.relations, asked.operation.rest):
        named[relation] |= dict.fromkeys((term for term in initials if term in weights), 1.0)
    worths = {
        relation: sum(weights[word] * worth for word, worth in said.items()) / max(1, len(terms_of(relation))) ** 0.25
        for relation, said in named.items()
        if said
    }
    choice.columns = dict(sorted(worths.items(), key=lambda one: -one[1]))
    for said in named.values():
        for word, worth in said.items():
            choice.know([word], worth)


# ---------------------------------------------------------------- values


def choose_by_values(choice: RowChoice, asked: RowsAsked) -> None:
    """Leaves the rows that have what the question names: whole values first, the longest before others, then parts of names. What stands
    around the part that asks counts only where that names no rows by itself."""
    whole, parts = _values_of(choice.grid)
    found = [term for token in tokens(asked.operation.rest) for term in wholes(token.text)]
    taken = _take_whole(choice, found, whole, shortest=1)
    words = {word.whole: word for word in asked.words}
    no_value = TALK | LIGHT | words_of_time(asked.part.asked)
    for at, term in enumerate(found):
        if at in taken or term in no_value or term not in words or choice.known.get(term, 0.0) >= OF_USUAL:
            continue
        held = parts.get(term) or next((parts[one] for one in (*words[term].others, *same_as(term)) if one in parts), None)
        either = _either(found, at, parts)
        if held is not None and either:
            held = {one: rows | parts[either][one] for one, rows in held.items() if one in parts[either]}
        if held is not None and asked.operation.rank and _is_of_one(choice, held):
            continue  # of one row none is the first
        if held is not None and _has_value(choice, held, f"{term} or {either}" if either else term):
            choice.know([term, *([either] if either else [])], OF_PART)
    _choose_by_numbers(choice, asked)
    if not choice.conditions:
        _choose_by_around(choice, asked, whole, parts)


def _either(found: Sequence[str], at: int, parts: Mapping[str, _Holding]) -> str:
    """The term behind one, where both are parts of names in one column: "fridges and freezers", which no row is both of."""
    after = found[at + 1] if at + 1 < len(found) else ""
    here, there = parts.get(found[at], {}), parts.get(after, {})
    common = [one for one in here if one in there]
    return after if common and all(here[one].isdisjoint(there[one]) for one in common) else ""


def _choose_by_around(choice: RowChoice, asked: RowsAsked, whole: Mapping[str, _Holding], parts: Mapping[str, _Holding]) -> None:
    """By names that only stand around the part that asks: "Volta come on Monday. What is the sum of their orders?"."""
    around = tokens(asked.part.around)
    found = [term for token in around for term in wholes(token.text)]
    if _take_whole(choice, found, whole, shortest=2):
        return
    for number, token in enumerate(around):
        term = next(iter(terms(token.text)), "")
        is_name = (token.text[:1].isupper() and number > 0) or not token.text.isalpha()
        held = whole.get(" ".join(terms(token.text))) or parts.get(term)
        if is_name and term and held is not None and term not in TALK and _has_value(choice, held, term):
            return


def _values_of(grid: RowGrid) -> tuple[dict[str, dict[str, set[str]]], dict[str, dict[str, set[str]]]]:
    """The rows of each short value, by all its terms and by each of them, and by the column that they stand in; no numbers and days."""
    whole: dict[str, dict[str, set[str]]] = {}
    parts: dict[str, dict[str, set[str]]] = {}
    for thing, row in grid.cells.items():
        for relation, value in row.items():
            own, has_digit = terms(value), any(map(str.isdigit, value))
            is_plain = value.strip().replace(".", "").replace(",", "").isdigit() or (has_digit and bool(days(value)))
            if not own or is_plain or folded(value) in BLANK or len(value.split()) > LONGEST_VALUE:
                continue
            whole.setdefault(" ".join(own), {}).setdefault(relation, set()).add(thing)
            for term in own:
                parts.setdefault(term, {}).setdefault(relation, set()).add(thing)
    return whole, parts


def _take_whole(choice: RowChoice, found: Sequence[str], whole: Mapping[str, _Holding], *, shortest: int) -> set[int]:
    """The places of the terms that are whole values of rows, which are then chosen."""
    taken: set[int] = set()
    for size in range(LONGEST_VALUE + 1, shortest - 1, -1):
        for at in range(len(found) - size + 1):
            some = found[at : at + size]
            held = whole.get(" ".join(some)) if taken.isdisjoint(range(at, at + size)) else None
            is_of_table = size == 1 and (some[0] in TALK or choice.known.get(some[0], 0.0) >= 1.0)
            if held is not None and not is_of_table and _has_value(choice, held, " ".join(some)):
                taken.update(range(at, at + size))
                choice.know(some)
    return taken


def _has_value(choice: RowChoice, held: _Holding, said: str) -> bool:
    """Leaves the rows that have a value in the column that is meant; False where none of those left has it. What all rows have says no
    more than what they are."""
    column, rows = _column_of(choice, held)
    if len(rows) == len(choice.grid.cells):
        return True
    left = choice.things & rows
    if not left:
        return False
    values = [choice.grid.cell(thing, column) for thing in choice.grid.cells if thing in left]
    is_one = len(set(values)) == 1 and values[0]
    words = f"{choice.grid.label(column)} {values[0] if is_one else f'with “{said}”'}"
    return choice.keep(left, Condition((column,), values=frozenset(map(folded, values)), words=words))


def _is_of_one(choice: RowChoice, held: _Holding) -> bool:
    """Whether a part of a value leaves one row, where several are put in order."""
    _, rows = _column_of(choice, held)
    return len(choice.things & rows) == 1 < len(choice.things)


def _column_of(choice: RowChoice, held: _Holding) -> tuple[str, Set[str]]:
    """Of the columns with a value the one that is meant, and the rows: the one that the question names, that does not name the rows, or
    that has it by far more often; else any of them."""
    named = [one for one in held if one in choice.columns]
    others = [one for one in held if one != choice.grid.naming]
    sizes = sorted(held, key=lambda one: -len(held[one]))
    is_by_far = len(sizes) > 1 and len(held[sizes[0]]) >= 2 * len(held[sizes[1]])
    for some in (named, [*held], others, sizes[:1] if is_by_far else []):
        if len(some) == 1:
            return some[0], held[some[0]]
    return next(iter(held)), {thing for rows in held.values() for thing in rows}


def _choose_by_numbers(choice: RowChoice, asked: RowsAsked) -> None:
    """ "Three rooms", "rack 4": a number beside the name of a column is a value of it."""
    grid, found = choice.grid, tokens(asked.operation.rest)
    for at, token in enumerate(found):
        number = str(NUMBER_WORDS.get(token.folded, token.folded))
        for beside in (at + 1, at - 1) if number.isdecimal() else ():
            term = next(iter(terms(found[beside].text)), "") if 0 <= beside < len(found) else ""
            held = {
                one: {thing for thing in choice.things if (amount := grid.amount(thing, one)) and amount.number == float(number)}
                for one in grid.relations
                if term and term in terms_of(one)
            }
            some = [(one, rows) for one, rows in held.items() if rows]
            if len(some) == 1:
                [(relation, rows)] = some
                choice.keep(rows, Condition((relation,), frozenset((number,)), words=f"{grid.label(relation)} {number}"))
                choice.know([term, *terms(token.text), number])
                break


def leave_out(choice: RowChoice, asked: RowsAsked) -> None:
    """Without the rows that have a value which the question leaves out: "leave out the cancelled ones"."""
    for said in asked.left_out:
        wanted = set(terms(said))
        held = {
            relation: {one for one, value in choice.grid.values(relation) if set(terms(value)) and set(terms(value)) <= wanted}
            for relation in choice.grid.relations
        }
        relation, rows = next(((one, rows) for one, rows in held.items() if rows), ("", set[str]()))
        if rows & choice.things and choice.things - rows:
            choice.is_lacking = choice.keep(
                choice.things - rows, Condition((relation,), negated=True, words=f"{choice.grid.label(relation)} not {said}")
            )
        elif speaks_of_gone(said) and (gone := _gone_rows(choice.grid)) and choice.things - gone:
            choice.is_lacking = choice.keep(choice.things - gone, Condition((), words=f"without {said}"))
        elif not rows and not any(wanted & set(terms_of(one)) for one in choice.grid.relations):
            choice.not_left_out.append(said)


def _gone_rows(grid: RowGrid) -> set[str]:
    """The rows that say of themselves that they hold no more."""
    return {thing for thing, cells in grid.cells.items() if any(is_gone(relation, value) for relation, value in cells.items())}


# ---------------------------------------------------------------- yes and no, times


def choose_by_yes(choice: RowChoice, asked: RowsAsked) -> None:
    """Leaves the rows that say yes in a column that is named, or no where it is named with "without"."""
    for relation in choice.columns:
        said = {folded(value) for _, value in choice.grid.values(relation)}
        if not said & _YES or not said & _NO or not said <= _YES | _NO:
            continue
        found = [token.folded for token in tokens(asked.part.asked)]
        at = next((at for at, one in enumerate(found) if not set(terms(one)[:1]).isdisjoint(terms_of(relation))), 0)
        is_negated = not _WITHOUT.isdisjoint(found[max(0, at - MOST_BEFORE) : at])
        wanted, words = (_NO, "no ") if is_negated else (_YES, "")
        rows = {one for one in choice.things if folded(choice.grid.cell(one, relation)) in wanted}
        choice.is_lacking |= is_negated
        choice.says_yes = choice.keep(rows, Condition((relation,), words=f"{words}{choice.grid.label(relation)}"))


def choose_with_begun(choice: RowChoice, asked: RowsAsked) -> None:
    """Leaves the rows that are by now what a column says since when they are, "live since", where others are only planned to be."""
    for relation in choice.columns:
        if asked.times or _SINCE not in words_of(relation) or relation not in choice.grid.of_days:
            continue
        said = {token.folded for token in tokens(asked.part.asked)} & set(words_of(relation))
        others = {term for one in choice.grid.relations if one != relation for term in terms_of(one)}
        if not said or not others.isdisjoint(terms(" ".join(said))):
            continue  # "the rent of all sites", where a column says since when they are rented
        begun = {one for one in choice.things if "" < choice.grid.day(one, relation) <= asked.today.isoformat()}
        if any(choice.grid.cell(one, relation) for one in choice.things - begun):
            choice.keep(begun, Condition((relation,), words=f"{choice.grid.label(relation)} by today"))


def choose_by_time(choice: RowChoice, asked: RowsAsked) -> bool:
    """Leaves the rows of the time that is named; False where none is of it, or nothing says of what time they are."""
    if not asked.times:
        return True
    grid, said = choice.grid, asked.times[0]
    spent = [term for token in tokens(said.words) for term in terms(token.text)]
    is_today = bool(asked.operation.states) and abs((said.last - asked.today).days) <= MOST_DAYS_OFF
    if is_today or _is_titled(grid, said) or _is_in_label(grid, said) or (not grid.of_days and _is_called(grid, said)):
        choice.know(spent)
        return True
    is_end, is_done = asked.operation.is_end, not FINISHED.isdisjoint(folded(asked.part.asked).split())
    usual = ENDING if is_end else DONE if is_done else BEGINNING
    ending = [one for one in grid.of_days if is_called_by(one, ENDING)]
    others = [one for one in grid.of_days if one not in ending or one in choice.columns]
    columns = (ending or others) if is_end else others
    if not columns:
        return bool(asked.operation.rank)  # the time is then told as not understood
    relation = choice.best_column(columns, usual) or next((one for one in columns if is_called_by(one, usual)), columns[0])
    for span in reversed(asked.times) if is_end else asked.times:
        first, last = span.first.isoformat(), span.last.isoformat()
        rows = {one for one in choice.things if first <= grid.day(one, relation) <= last}
        if rows:
            choice.know(spent)
            return choice.keep(rows, Condition((relation,), span=span, words=f"{grid.label(relation)} {span.words}"))
    return False


def _is_titled(grid: RowGrid, said: Span) -> bool:
    """Whether the table is called by a year or a day that is named: "arrears_2026-11-20"."""
    is_year = (said.first.month, said.first.day, said.last.month, said.last.day) == (1, 1, 12, 31)
    wanted = {str(said.first.year)} if is_year else set(said.first.isoformat().split("-")) if said.first == said.last else set()
    return bool(wanted) and wanted <= _titles(grid)


def _is_in_label(grid: RowGrid, said: Span) -> bool:
    """Whether a column is called by the year that is named: "kg_2025_26"."""
    is_year = (said.first.month, said.first.day, said.last.month, said.last.day) == (1, 1, 12, 31)
    return is_year and any(str(said.first.year) in terms_of(relation) for relation in grid.relations)


def _is_called(grid: RowGrid, said: Span) -> bool:
    """Whether the table, that has no days, is called by a word of the time that is named, or by its year."""
    words = {str(said.first.year), *(word for word in folded(said.words).split() if not word.isdigit())}
    return not words.isdisjoint(_titles(grid))


def _titles(grid: RowGrid) -> Set[str]:
    return set(folded(f"{grid.table.file} {grid.table.title} {' '.join(grid.table.headings)}").split())
