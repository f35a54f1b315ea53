"""What a question asks to be worked out of the rows of a table, where not every word of it is understood: a guess, and told as one.

The operation is read first (`row_operations`). Then each table is tried: words of the question that are values of its cells choose the
rows, others name a column or the table, and the operation needs a column of its kind: amounts to add up, days to put in order. The
table of which most of the question is understood is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise

from prompts.asking_part import AskingPart, asking_part, without_its_value
from prompts.coming_times import find_coming
from prompts.extractive.dates import days
from prompts.language import terms
from prompts.question import Word
from prompts.regex import regex
from prompts.synonyms import same_as
from prompts.timespans import Span, find_span
from tree.ask.facts.amounts import DATE, MONEY, TIME, amount_of, units_in
from tree.ask.facts.attribute import LIGHT, SAME
from tree.ask.facts.column_vocabulary import MEASURES
from tree.ask.facts.likely_rows import LikelyRows, called_by, cells_of, is_said
from tree.ask.facts.price_columns import COSTING, is_of_each, is_price
from tree.ask.facts.row_operations import Operation, read_operation
from tree.ask.facts.rows_of_kind import head_of_list
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.stock_columns import is_stock, stock_and_minimum
from tree.ask.facts.thing_sets import BLANK
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names, tokens

FEWEST_ROWS, MOST_ROWS = 2, 400  # of a table that is looked through
LEAST_SHARE = 0.5  # of the weight of a question that has to be understood
LONGEST_VALUE = 5  # words of a cell that is a name
MOST_TABLES = 200  # whose names and columns are looked through
MOST_CALLED = 6  # of those that are looked through, beside the promising ones
OF_PART = 0.8  # of the weight of a word that is a part of a name
MOST_SHOWN = 7  # columns
FEW = 4  # rows that are told with all they say
LEAST_INITIALS, MOST_INITIALS = 2, 4
OF_NOUN = 0.25  # what a table is worth more whose rows are called so
MOSTLY = 0.6  # of the cells of a column that are amounts or days, for one of them

_NO_AMOUNT = frozenset(
    "id no nr number code key ref reference phone tel ext extension year week wk kw floor room version plate serial sn s/n ip postcode zip port tier".split()
)  # in the name of a column of numbers that are none to add up
_ENDING = frozenset(
    "until till to end ends expires expiry expire expiration exp valid val renewal renew due next deadline return by back before".split()
)  # in the name of a column of days
_DUE = frozenset("due deadline promised planned agreed back until return".split())
_DONE = frozenset(
    "returned delivered done completed finished closed paid resolved received arrived in back repaired settled ended".split()
)  # in the name of a column of days, or of who did it
_BEGINNING = frozenset(
    "since from start started begin began bought purchased purchase acquired built born issued joined hired opened created ordered signed registered rented date first contract day reg last".split()
)
_STATES = frozenset("status state stand stage condition".split())  # columns
_FINISHED = frozenset(
    "done closed cancelled canceled finished completed complete returned delivered paid settled resolved withdrawn rejected abgeschlossen erledigt".split()
)
_COSTING = frozenset(terms(" ".join(COSTING)))
_NUMBERS = {word: str(at) for at, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_LEFT_OUT = regex(
    r"[,(;]? ?\b(?:leav(?:e|ing) (?:out|aside)|not counting|excluding|except(?: for)?|apart from|ignoring|ignore|other than) (?P<what>[^,;.?!()]{3,60})(?: out\b)?\)?|[,(;]? ?\bleaving (?P<also>[^,;.?!()]{3,60}?) out\b\)?",
    re.IGNORECASE,
)
_YES, _NO = frozenset(("yes", "y", "true", "x", "ja", "oui")), frozenset(("no", "n", "false", "nein", "non", *BLANK))
_WITHOUT = frozenset("without no not non".split())
_TALK = frozenset(
    terms(
        """give tell list name names show write find look check need want please just only them these those number numbers title titles one ones date dates today now
        current currently already figure figures pound pounds penny pence euro euros decimal decimals place places round rounded nearest digit digits point register
        list sheet table book log file each every all whole entire various according going through moment row rows entry entries thing things stuff piece pieces item items
        year month whole lot vat net gross counting standing far way people anybody somebody altogether together sort kind type big good real really single value values amount amounts figure"""
    )
)
_SAME = (*SAME, *(
    frozenset(terms(words))
    for words in (
        "arrears owe owed owes owing outstanding debt debts", "rate charge charges charged hourly wage", "rent rental bring income lease let", "fee fees hire",
        "insurance insured cover covered uninsured", "downtime down outage", "used usage use uses", "hours worked put", "flat apartment", "licence license licensed",
        "renewal renew extend extended", "expires expiry until valid", "purchase purchased bought buy", "bump bumped updated upgrade", "budget allowed", "pages paged",
    )
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    part: AskingPart
    operation: Operation
    words: Sequence[Word]  # that carry the part of it that asks, without those of the operation
    behind: Span | None
    ahead: Span | None
    today: date
    left_out: Sequence[str]  # terms of what the question leaves out


@dataclass
class _Reading:
    """A table while a question is held against it."""

    table: Table
    cells: Mapping[str, Mapping[str, str]]
    things: set[str]
    known: dict[str, float] = field(default_factory=dict)  # how much of each word is understood
    conditions: list[Condition] = field(default_factory=list)
    columns: dict[str, float] = field(default_factory=dict)  # that words of the question name, and how well

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The columns (folded) in the order of the table."""
        held = {relation for row in self.cells.values() for relation in row}
        return tuple(dict.fromkeys(one for label in (self.table.naming, *self.table.columns) if (one := folded(label)) in held))

    def values(self, relation: str, among: Iterable[str] | None = None) -> list[tuple[str, str]]:
        """(thing, value) of the cells of a column that say something."""
        some = self.cells if among is None else among
        return [(one, value) for one in some if folded(value := self.cells[one].get(relation, "")) not in BLANK]

    def label(self, relation: str) -> str:
        return next((one for one in (*self.table.columns, self.table.naming) if folded(one) == relation), relation)


def find_calculation(
    text: str, carrying: Sequence[Word], promising: Sequence[Table], names: Names, facts: FactIndex, today: date
) -> LikelyRows | None:
    """None where nothing is to be worked out, or no table has what that needs. `carrying` are the words of the question with their
    weights, `promising` the tables that a search found."""
    part = asking_part(text)
    part = replace(part, asked=without_its_value(part.asked))
    left_out = [term for match in _LEFT_OUT.finditer(part.asked) for term in terms(match["what"] or match["also"])]
    part = replace(part, asked=_LEFT_OUT.sub("", part.asked))
    operation = read_operation(part.asked)
    if not operation.is_any:
        return None
    left = {term for one in tokens(operation.rest) for term in terms(one.text)[:1]}
    words = [word for word in carrying if word.whole in left and word.whole not in LIGHT | _TALK]
    if not words and not operation.states:
        return None
    behind, ahead = find_span(part.asked, today), find_coming(part.asked, today)
    asked = _Asked(part, operation, words, behind, ahead, today, left_out)
    tables = [*promising, *_called(words, names, promising)]
    found = [one for table in tables if (one := _of_table(table, asked, names, facts)) is not None]
    found.sort(key=lambda one: -one.share - (OF_NOUN if _is_naming(names.tables[one.question.collection], part.asked) else 0.0))
    if not found or (len(found) > 1 and found[0].share == found[1].share and found[1].question.collection not in _collections(promising[:1])):
        return found[0] if found and found[0].question.collection in _collections(promising[:2]) else None
    return found[0]


def _called(words: Sequence[Word], names: Names, but: Sequence[Table]) -> list[Table]:
    """The tables with most of these words in their names and columns; nothing where there are too many to look."""
    if len(names.tables) > MOST_TABLES:
        return []
    worth = {
        one.collection: sum(is_said(word, called_by(one)) or any(_names(word, folded(label)) for label in one.columns) for word in words)
        for one in names.tables.values()
        if one not in but
    }
    best = sorted((one for one, said in worth.items() if said), key=lambda one: -worth[one])
    return [names.tables[one] for one in best[:MOST_CALLED]]


def _is_naming(table: Table, asked: str) -> bool:
    """Whether the rows of a table are called by the noun that is asked for: "which flats", of those that a column "flat" names."""
    noun = head_of_list(tokens(asked))
    return bool(noun) and noun in _parts(folded(table.naming))


def _collections(tables: Iterable[Table]) -> set[str]:
    return {one.collection for one in tables}


def _of_table(table: Table, asked: _Asked, names: Names, facts: FactIndex) -> LikelyRows | None:
    columns = [folded(one) for one in (table.naming, *table.columns) if one]
    if not columns or max(facts.count(table.collection, one) for one in columns) > MOST_ROWS:
        return None
    cells = cells_of(table, facts)
    if len(cells) < FEWEST_ROWS:
        return None
    reading = _Reading(table, cells, set(cells))
    _name_columns(reading, asked)
    around = called_by(table)
    for word in asked.words:
        if word.whole not in reading.known and is_said(word, around):
            reading.known[word.whole] = 1.0
    _choose_by_values(reading, asked)
    if not _choose_by_yes(reading, asked) or not _choose_by_time(reading, asked):
        return None
    _leave_out(reading, asked)
    operation = asked.operation
    if not all(_choose_by_state(reading, asked, state) for state in operation.states):
        return None
    if operation.bounds is not None and not _choose_by_bounds(reading, operation):
        return None
    aggregated = ""
    if operation.aggregate and not (aggregated := _amounts(reading, asked)):
        return None
    if operation.rank and not operation.aggregate and not _choose_by_rank(reading, asked):
        return None
    is_counted = operation.is_count and not operation.aggregate and not operation.rank
    if is_counted and not (reading.conditions and _counts_rows(reading, asked, around)):
        return None
    total = sum(word.weight for word in asked.words)
    share = sum(word.weight * min(1.0, reading.known.get(word.whole, 0.0)) for word in asked.words) / total if total else 1.0
    written = {term: token.text for token in tokens(asked.part.asked) for term in terms(token.text)[:1]}
    unknown = [written.get(word.whole, word.whole) for word in asked.words if not reading.known.get(word.whole)]
    first = next((token.text for token in tokens(asked.part.asked)), "")
    is_named = any(word[:1].isupper() or any(map(str.isdigit, word)) for word in unknown if word != first)
    if share < LEAST_SHARE or is_named or not reading.things or not (reading.conditions or operation.aggregate):
        return None
    shown = _shown(reading, asked, aggregated)
    question = SetQuestion(
        "count" if is_counted else "list", tuple({one.words: one for one in reading.conditions}.values()), columns=shown,
        noun="rows", collection=table.collection, called=table.called, naming=table.named_by, aggregate=operation.aggregate,
        leading=_leading(reading, asked, names),
    )  # fmt: skip
    things = tuple(one for one in cells if one in reading.things)
    return LikelyRows(question, things, len(cells), tuple(unknown), round(share, 4))


def _shown(reading: _Reading, asked: _Asked, aggregated: str) -> tuple[str, ...]:
    """The columns that are told of each row beside those that chose it: of a few rows all, as what is asked of them may be in any."""
    if aggregated:
        return (aggregated,)
    chosen = {relation for one in reading.conditions for relation in one.relations}
    named = [one for one in reading.columns if one not in chosen]
    others = [one for one in reading.relations if one not in chosen and one not in named and _is_short(reading, one)]
    return tuple((*named, *(others if len(reading.things) <= FEW else others[:1]))[: MOST_SHOWN - len(chosen)])


def _leading(reading: _Reading, asked: _Asked, names: Names) -> tuple[str, ...]:
    """What the one row is told by, beside its name: the column that is asked for, of who the one of people."""
    chosen = {relation for one in reading.conditions for relation in one.relations} | {folded(reading.table.naming)}
    named = [one for one in reading.columns if one not in chosen and one not in _amount_columns(reading)][:1]
    people = [one for one in reading.relations if (one, reading.table.collection) in names.held_by_people and one not in chosen]
    asks_who = re.match(r"\W*(?:and )?who", asked.part.asked, re.IGNORECASE) is not None
    return tuple(dict.fromkeys((*named, *(people[:1] if asks_who else ()))))


def _is_short(reading: _Reading, relation: str) -> bool:
    return all(len(reading.cells[one].get(relation, "").split()) <= LONGEST_VALUE for one in reading.things)


# ---------------------------------------------------------------- columns


def _name_columns(reading: _Reading, asked: _Asked) -> None:
    """The columns that words of the question name, a word by the column that has most of the question."""
    scores: dict[str, dict[str, float]] = {}
    for word in asked.words:
        for relation in reading.relations:
            if worth := _names(word, relation):
                scores.setdefault(relation, {})[word.whole] = worth
    for relation, short in _initials(reading, asked):
        scores.setdefault(relation, {}).update(dict.fromkeys(short, 1.0))
    weights = {word.whole: word.weight for word in asked.words}
    for relation, said in scores.items():
        reading.columns[relation] = sum(weights[word] * worth for word, worth in said.items()) / max(1, len(_parts(relation))) ** 0.25
        for word, worth in said.items():
            reading.known[word] = max(reading.known.get(word, 0.0), worth)
    reading.columns = dict(sorted(reading.columns.items(), key=lambda one: -one[1]))


def _initials(reading: _Reading, asked: _Asked) -> list[tuple[str, list[str]]]:
    """The columns that are called by the first letters of words that stand side by side, "RH" of "relative humidity", and these."""
    said = [(token.folded, next(iter(terms(token.text)), "")) for token in tokens(asked.operation.rest)]
    known = {word.whole for word in asked.words}
    found: list[tuple[str, list[str]]] = []
    for relation in reading.relations:
        for short in _written(relation):
            size = len(short)
            if not LEAST_INITIALS <= size <= MOST_INITIALS or not short.isalpha():
                continue
            for at in range(len(said) - size + 1):
                some = said[at : at + size]
                if all(word[:1] == letter for (word, _), letter in zip(some, short, strict=True)):
                    found.append((relation, [term for _, term in some if term in known]))
    return found


@lru_cache(maxsize=4096)
def _parts(relation: str) -> tuple[str, ...]:
    return tuple(term for word in relation.replace("_", " ").split() for term in terms(word)[:1])


@lru_cache(maxsize=4096)
def _written(relation: str) -> tuple[str, ...]:
    return tuple(word.strip(".:()") for word in relation.replace("_", " ").replace("/", " ").split())


def _names(word: Word, relation: str) -> float:
    own = _parts(relation)
    if word.whole in own:
        return 1.0
    same = {term for group in _SAME if word.whole in group for term in group}
    if same & set(own):
        return 0.9
    if any(_is_short_for(short, word.whole) for short in _written(relation)):
        return 0.9
    if set(same_as(word.whole)) & set(own):
        return 0.6
    return 0.0


def _is_short_for(short: str, term: str) -> bool:
    """ "repl" of "replac", "qty" of "quantity", "cond" of "condition": the beginning, or first and consonants."""
    if len(short) < 3 or len(short) >= len(term) or short[0] != term[0] or not short.isalpha():
        return False
    if term.startswith(short):
        return True
    if any(vowel in short[1:] for vowel in "aeiou"):
        return False
    at = 0
    for letter in short:
        at = term.find(letter, at) + 1
        if not at:
            return False
    return True


def _is_of(reading: _Reading, relation: str, *, dates: bool) -> bool:
    """Whether a column is one of days, or of amounts."""
    values = [value for _, value in reading.values(relation)]
    if not values:
        return False
    if dates:
        held = sum(len(value) < 30 and any(day.day or day.month for day in days(value)) for value in values)
    else:
        held = sum((amount := amount_of(value)) is not None and amount.unit != DATE for value in values)
    is_dated = dates and held > 1 and not (_ENDING | _BEGINNING | _DONE).isdisjoint(_written(relation))  # "periodic" of most contracts
    return held >= MOSTLY * len(values) or is_dated


def _amount_columns(reading: _Reading) -> list[str]:
    return [
        one
        for one in reading.relations
        if one != folded(reading.table.naming) and _NO_AMOUNT.isdisjoint(_written(one)) and _is_of(reading, one, dates=False)
    ]


def _amounts(reading: _Reading, asked: _Asked) -> str:
    """The one column whose amounts are to be added up or averaged; empty where there is none, or several may be meant. Where some of
    them cannot be read nothing is worked out."""
    found = _amount_columns(reading)
    if asked.operation.aggregate == "sum":
        found = [one for one in found if not is_of_each(one) or len(found) == 1]
    said = folded(asked.part.asked).split()
    named = {one: reading.columns[one] for one in found if one in reading.columns}
    chosen = ""
    if named:
        best = max(named.values())
        top = [one for one, worth in named.items() if worth >= best * 0.999]
        chosen = top[0] if len(top) == 1 else ""
    elif not COSTING.isdisjoint(said) or any(one in said for one in ("money", "euros", "pounds", "bring", "income")):
        chosen = _money_column(reading, found)
    elif "long" in said or "last" in said or "length" in said:
        timed = [one for one in found if _is_time(reading, one)]
        chosen = timed[0] if len(timed) == 1 else ""
    elif len(found) == 1:
        chosen = found[0]
    elif asked.operation.is_count and len(pieces := [one for one in found if is_stock(one.replace("_", " "))]) == 1:
        chosen = pieces[0]
    if not chosen:
        return ""
    _know_price(reading, chosen)
    amounts = [amount_of(value) for _, value in reading.values(chosen, reading.things)]
    return chosen if amounts and all(one is not None and one.unit != DATE for one in amounts) else ""


def _know_price(reading: _Reading, relation: str) -> None:
    """That something costs, or is paid for, says no more than that the amounts are of money."""
    if is_price(relation) or units_in(relation) & MONEY:
        reading.known |= dict.fromkeys(_COSTING, 1.0)


def _money_column(reading: _Reading, columns: Sequence[str]) -> str:
    """The one column of prices among some, else the one of money; empty where several may be meant."""
    for some in ([one for one in columns if is_price(one)], [one for one in columns if units_in(one) & MONEY]):
        if len(some) == 1:
            return some[0]
    return ""


def _is_time(reading: _Reading, relation: str) -> bool:
    if {"minutes", "min", "mins", "hours", "hrs", "h", "days", "duration", "length"} & set(_written(relation)):
        return True
    amounts = [amount_of(value) for _, value in reading.values(relation)]
    return all(one is not None and one.unit == TIME for one in amounts)


def _date_columns(reading: _Reading) -> list[str]:
    return [one for one in reading.relations if _is_of(reading, one, dates=True)]


def _best(columns: Sequence[str], reading: _Reading, usual: Set[str]) -> str:
    """Of some columns the one that the question names best, else the one with a usual word; empty where several may be meant."""
    if len(columns) == 1:
        return columns[0]
    named = {one: reading.columns[one] for one in columns if one in reading.columns}
    if named:
        best = max(named.values())
        top = [one for one, worth in named.items() if worth >= best * 0.999]
        if len(top) == 1:
            return top[0]
        columns = top
    held = [one for one in columns if usual & set(_written(one))]
    return held[0] if len(held) == 1 else ""


# ---------------------------------------------------------------- rows


def _choose_by_values(reading: _Reading, asked: _Asked) -> None:
    """Leaves the rows that have what the question names: whole values first, the longest before others, then parts of names."""
    whole: dict[str, dict[str, set[str]]] = {}  # value (terms) -> column -> rows
    parts: dict[str, dict[str, set[str]]] = {}  # term -> column -> rows
    for thing, row in reading.cells.items():
        for relation, value in row.items():
            said = folded(value)
            if not said or said in BLANK or len(said.split()) > LONGEST_VALUE:
                continue
            if _is_plain_number(value) or (any(map(str.isdigit, value)) and days(value)):
                continue
            own = tuple(terms(value))
            if own:
                whole.setdefault(" ".join(own), {}).setdefault(relation, set()).add(thing)
            for term in own:
                parts.setdefault(term, {}).setdefault(relation, set()).add(thing)
    for text, weight in ((asked.operation.rest, 1.0), (asked.part.around, 0.0)):
        found = [term for token in tokens(text) for term in terms(token.text)[:1]]
        taken: set[int] = set()
        for size in range(LONGEST_VALUE + 1, 0, -1):
            for at in range(len(found) - size + 1):
                span = range(at, at + size)
                held = whole.get(" ".join(found[at : at + size])) if taken.isdisjoint(span) else None
                if held is None or (size == 1 and (found[at] in _TALK or (not weight))):
                    continue
                if size == 1 and reading.known.get(found[at], 0.0) >= 1.0:
                    continue  # the word of a column or of the table
                if _choose(reading, held, " ".join(found[at : at + size])):
                    taken.update(span)
                    reading.known |= dict.fromkeys(found[at : at + size], 1.0)
        if not weight:
            continue
        for at, term in enumerate(found):
            if at in taken or term in _TALK | LIGHT or term not in {word.whole for word in asked.words}:
                continue
            if reading.known.get(term, 0.0) >= 0.9:
                continue
            word = next(word for word in asked.words if word.whole == term)
            held = parts.get(term) or next((parts[one] for one in (*word.others, *same_as(term)) if one in parts), None)
            if held is not None and _choose(reading, held, term):
                reading.known[term] = OF_PART
                taken.add(at)
    _choose_by_numbers(reading, asked)


def _leave_out(reading: _Reading, asked: _Asked) -> None:
    """Without the rows that have a value which the question leaves out: "leave out the cancelled ones"."""
    for term in asked.left_out:
        for relation in reading.relations:
            rows = {one for one, value in reading.values(relation, reading.things) if terms(value)[:1] == [term] and len(value.split()) <= LONGEST_VALUE}
            if rows and rows < reading.things:
                reading.things -= rows
                reading.conditions.append(Condition((relation,), negated=True, words=f"{reading.label(relation)} not {term}"))
                break


def _choose(reading: _Reading, held: Mapping[str, set[str]], said: str) -> bool:
    """Leaves the rows that have a value in the one column that is meant; False where none of those left has it, or it says nothing."""
    named = [one for one in held if one in reading.columns]
    meant = named[:1] if len(named) == 1 else list(held)
    if len(meant) > 1:
        naming = folded(reading.table.naming)
        others = [one for one in meant if one != naming]
        sizes = sorted(meant, key=lambda one: -len(held[one]))
        meant = others if len(others) == 1 else sizes if len(held[sizes[0]]) >= 2 * len(held[sizes[1]]) else meant
        if len(meant) > 1 and meant is not sizes:
            rows = {thing for one in meant for thing in held[one]}
        else:
            rows = held[meant[0]]
            meant = meant[:1]
    else:
        rows = held[meant[0]]
    left = reading.things & rows
    if not left or len(rows) == len(reading.cells):
        return len(rows) == len(reading.cells)  # all of them: it says what they are
    value = next(reading.cells[thing][meant[0]] for thing in reading.cells if thing in left and meant[0] in reading.cells[thing])
    is_whole = " ".join(terms(value)) == said
    reading.things = left
    reading.conditions.append(
        Condition((meant[0],), values=frozenset((folded(value),)), words=f"{reading.label(meant[0])} {value if is_whole else f'with “{said}”' if len({reading.cells[one].get(meant[0], '') for one in left}) > 1 else value}")
    )
    return True


def _is_plain_number(value: str) -> bool:
    return value.strip().replace(".", "").replace(",", "").isdigit()


def _choose_by_numbers(reading: _Reading, asked: _Asked) -> None:
    """ "Three rooms", "rack 4": a number beside the name of a column is a value of it."""
    found = tokens(asked.operation.rest)
    for at, token in enumerate(found):
        number = _NUMBERS.get(token.folded, token.folded)
        if not number.isdigit():
            continue
        for beside in (at + 1, at - 1):
            if not 0 <= beside < len(found):
                continue
            term = next(iter(terms(found[beside].text)), "")
            columns = [one for one in reading.relations if term and term in _parts(one)]
            rows = {
                one: {thing for thing, value in reading.values(one) if _is_same_number(value, number)} for one in columns
            }
            held = {one: some for one, some in rows.items() if some}
            if len(held) == 1:
                [(relation, some)] = held.items()
                if left := reading.things & some:
                    reading.things = left
                    reading.conditions.append(Condition((relation,), values=frozenset((number,)), words=f"{reading.label(relation)} {number}"))
                    reading.known |= {term: 1.0, next(iter(terms(token.text)), number): 1.0, number: 1.0}
                    break


def _is_same_number(value: str, number: str) -> bool:
    amount = amount_of(value)
    return amount is not None and amount.unit != DATE and amount.number == float(number)


def _choose_by_yes(reading: _Reading, asked: _Asked) -> bool:
    """Leaves the rows that say yes in a column that is named; where it is named with "without", those that say no."""
    for relation in list(reading.columns):
        said = {folded(value) for _, value in reading.values(relation)}
        if not said & _YES or not said & _NO or not said <= _YES | _NO:
            continue
        found = [token.folded for token in tokens(asked.part.asked)]
        at = next((at for at, one in enumerate(found) if set(terms(one)[:1]) & set(_parts(relation))), 0)
        is_negated = not _WITHOUT.isdisjoint(found[max(0, at - 3) : at])
        wanted = _NO if is_negated else _YES
        left = {one for one in reading.things if folded(reading.cells[one].get(relation, "")) in wanted}
        if not left:
            return False
        reading.things = left
        reading.conditions.append(Condition((relation,), words=f"{'no ' if is_negated else ''}{reading.label(relation)}"))
    return True


def _choose_by_time(reading: _Reading, asked: _Asked) -> bool:
    """Leaves the rows of the time that is named; False where it is not clear of what it is, or none is of it."""
    if asked.behind is None and asked.ahead is None:
        return True
    said = (asked.behind or asked.ahead)
    assert said is not None
    spent = {term for token in tokens(said.words) for term in terms(token.text)}
    if asked.operation.states and abs((said.last - asked.today).days) <= 1:
        reading.known |= dict.fromkeys(spent, 1.0)
        return True  # "as of today", "before today"
    called = set(folded(f"{reading.table.file} {reading.table.title} {' '.join(reading.table.headings)}").split())
    dates = _date_columns(reading)
    year = str(said.first.year)
    is_titled = year in called and (said.first.month, said.first.day, said.last.month) == (1, 1, 12)
    is_titled = is_titled or (said.first == said.last and set(said.first.isoformat().split("-")) <= called)  # "arrears_2026-11-20"
    if not is_titled and dates:
        ending = [one for one in dates if _ENDING & set(_written(one))]
        usual = _ENDING if asked.operation.is_end else _DONE if not _FINISHED.isdisjoint(folded(asked.part.asked).split()) else _BEGINNING
        some = ending if asked.operation.is_end and ending else dates
        relation = _best(some, reading, usual) or next((one for one in some if usual & set(_written(one))), some[0])
        spans = [one for one in (asked.behind, asked.ahead) if one is not None]
        for span in reversed(spans) if asked.operation.is_end else spans:
            left = {one for one, value in reading.values(relation, reading.things) if _lies_in(value, span)}
            if left:
                reading.things = left
                reading.conditions.append(Condition((relation,), span=span, words=f"{reading.label(relation)} {span.words}"))
                reading.known |= dict.fromkeys(spent, 1.0)
                return True
        return False
    if is_titled or year in called or any(word in called for word in folded(said.words).split() if not word.isdigit()):
        reading.known |= dict.fromkeys(spent, 1.0)
        return True
    return False


def _lies_in(value: str, span: Span) -> bool:
    first, last = span.first.isoformat(), span.last.isoformat()
    return any(first <= str(day) <= last for day in days(value) if day.day)


def _day_of(value: str) -> str:
    """The first day of a cell as yyyy-mm-dd, a month as its first; empty where there is none."""
    return next((str(day) if day.day else f"{day}-00" for day in days(value) if day.month), "")


def _choose_by_state(reading: _Reading, asked: _Asked, state: str) -> bool:
    """Leaves the rows that are over, to come, not done, late or below their minimum; False where no column tells."""
    if state == "below":
        return _choose_below(reading)
    dates = _date_columns(reading)
    done = [one for one in reading.relations if _DONE & set(_written(one)) and not _DUE & set(_written(one)) - {"back"} and one in dates]
    if state == "late":
        due = [one for one in dates if _DUE & set(_written(one)) and one not in done]
        if len(due) != 1 or len(done) != 1:
            return False
        rows = {
            one: (_day_of(reading.cells[one].get(done[0], "")), _day_of(reading.cells[one].get(due[0], ""))) for one in reading.things
        }
        reading.things = {one for one, (on, by) in rows.items() if on and by and on > by}
        reading.conditions.append(Condition((done[0], due[0]), words=f"{reading.label(done[0])} after {reading.label(due[0])}"))
        return bool(reading.things)
    if state == "open":
        return _choose_undone(reading, done)
    ending = [one for one in dates if _ENDING & set(_written(one)) and one not in done]
    ending = ending or ([one for one in dates if one in reading.columns] if state == "past" else [])
    relation = _best(ending, reading, _ENDING) if ending else ""
    if not relation:
        return False
    today = asked.today.isoformat()
    if state == "valid":
        reading.things = {one for one in reading.things if (day := _day_of(reading.cells[one].get(relation, ""))) and day >= today}
        reading.conditions.append(Condition((relation,), words=f"{reading.label(relation)} from today on"))
        return bool(reading.things)
    if state == "past":
        reading.things = {one for one in reading.things if (day := _day_of(reading.cells[one].get(relation, ""))) and day < today}
        reading.conditions.append(Condition((relation,), words=f"{reading.label(relation)} before today"))
        if "open" not in asked.operation.states and (len(done) == 1 or _states(reading)) and _DUE & set(_written(relation)):
            _choose_undone(reading, done)
        return bool(reading.things)
    reading.things = {one for one in reading.things if (day := _day_of(reading.cells[one].get(relation, ""))) and day >= today}
    first = min((_day_of(reading.cells[one][relation]) for one in reading.things), default="")
    reading.things = {one for one in reading.things if _day_of(reading.cells[one][relation]) == first}
    reading.conditions.append(Condition((relation,), rank="least", words=f"the next {reading.label(relation)}"))
    return bool(reading.things)


def _states(reading: _Reading) -> list[str]:
    return [one for one in reading.relations if _STATES & set(_written(one))]


def _choose_undone(reading: _Reading, done: Sequence[str]) -> bool:
    """Leaves the rows with nothing in the column of when it was done, and in a state that is none of the last ones."""
    states, is_known = _states(reading), False
    if len(done) == 1:
        blank = {one for one in reading.things if folded(reading.cells[one].get(done[0], "")) in ("", *BLANK) or not _day_of(reading.cells[one][done[0]])}
        reading.things &= blank
        reading.conditions.append(Condition((done[0],), words=f"not {reading.label(done[0])}"))
        is_known = True
    for relation in states:
        said = {folded(value) for _, value in reading.values(relation)}
        if finished := {one for one in said if _FINISHED & set(one.split())}:
            reading.things = {one for one in reading.things if folded(reading.cells[one].get(relation, "")) not in finished}
            if not is_known:
                reading.conditions.append(Condition((relation,), words=f"{reading.label(relation)} not {' or '.join(sorted(finished))}"))
            is_known = True
    return is_known and bool(reading.things)


def _choose_below(reading: _Reading) -> bool:
    pair = stock_and_minimum([one.replace("_", " ") for one in reading.relations])
    if not pair:
        return False
    by_name = {one.replace("_", " "): one for one in reading.relations}
    stock, least = by_name[pair[0]], by_name[pair[1]]

    def number(thing: str, relation: str) -> float | None:
        amount = amount_of(reading.cells[thing].get(relation, ""))
        return amount.number if amount is not None else None

    reading.things = {
        one for one in reading.things if (has := number(one, stock)) is not None and (wanted := number(one, least)) is not None and has < wanted
    }
    reading.conditions.append(Condition((stock, least), words=f"{reading.label(stock)} below {reading.label(least)}"))
    return bool(reading.things)


def _choose_by_bounds(reading: _Reading, operation: Operation) -> bool:
    assert operation.bounds is not None
    found = _amount_columns(reading)
    if " or " in f" {operation.rest} ":
        return False  # of which of the two
    named = [one for one in reading.columns if one in found]
    unit = operation.bounds.unit
    of_unit = [one for one in found if unit and (unit in units_in(one) or any((amount := amount_of(value)) is not None and amount.unit == unit for _, value in reading.values(one)))]
    priced = [one for one in found if is_price(one)] if unit in MONEY or not named or not _COSTING.isdisjoint(reading.known) else []
    chosen = named[:1] if named and (not of_unit or named[0] in of_unit) else of_unit if len(of_unit) == 1 else priced if len(priced) == 1 else []
    if len(chosen) != 1:
        return False
    [relation] = chosen
    _know_price(reading, relation)
    left = {one for one, value in reading.values(relation, reading.things) if (amount := amount_of(value)) is not None and operation.bounds.has(amount.number)}
    reading.things = left
    low, high = operation.bounds.low, operation.bounds.high
    words = f"more than {low:,.10g}" if low > float("-inf") else f"less than {high:,.10g}"
    words = words.replace("more than", "at least").replace("less than", "at most") if operation.bounds.is_closed else words
    reading.conditions.append(Condition((relation,), bounds=operation.bounds, words=f"{reading.label(relation)} {words}"))
    return bool(left)


def _choose_by_rank(reading: _Reading, asked: _Asked) -> bool:
    """Leaves the row with the greatest or the smallest amount, or the first or last day."""
    operation = asked.operation
    if operation.rank in ("earliest", "latest"):
        if "coming" in operation.states:
            return True
        past = next((one.relations[0] for one in reading.conditions if one.words.endswith("before today")), "")
        dates = [one for one in _date_columns(reading) if operation.states or not _ENDING & set(_written(one)) or one in reading.columns]
        relation = past or _best(dates, reading, _BEGINNING)
        known = {one: day for one in reading.things if relation and (day := _day_of(reading.cells[one].get(relation, "")))}
        if not known:
            return False
        best = (min if operation.rank == "earliest" else max)(known.values())
        reading.things = {one for one, day in known.items() if day == best}
        words = "earliest" if operation.rank == "earliest" else "latest"
        reading.conditions.append(
            Condition((relation,), rank="least" if operation.rank == "earliest" else "most", words=f"{words} {reading.label(relation)}")
        )
        return True
    found = _amount_columns(reading)
    named = [one for one in found if one in reading.columns]
    relation = ""
    if len(named) > 1:
        top = sorted(named, key=lambda one: -reading.columns[one])
        relation = top[0] if reading.columns[top[0]] > reading.columns[top[1]] else ""
    elif named:
        relation = named[0]
    if not relation:
        relation = _measured(operation.measure, found, reading)
    if not relation and operation.measure == "longest":
        return _choose_by_rank(reading, replace(asked, operation=replace(operation, rank="earliest")))
    if not relation:
        return False
    numbers = {one: amount.number for one, value in reading.values(relation, reading.things) if (amount := amount_of(value)) is not None}
    if not numbers:
        return False
    best = (max if operation.rank == "most" else min)(numbers.values())
    reading.things = {one for one, number in numbers.items() if number == best}
    words = f"{'highest' if operation.rank == 'most' else 'lowest'} {reading.label(relation)}"
    reading.conditions.append(Condition((relation,), rank=operation.rank if operation.rank in ("most", "least") else "most", words=words))  # type: ignore[arg-type]
    return True


def _measured(measure: str, columns: Sequence[str], reading: _Reading) -> str:
    """The column that a superlative is of: "longest" of minutes, "cheapest" of a price, "biggest" of an area."""
    if any(word in measure for word in ("expensive", "dearest", "priciest", "cheapest")):
        held = [one for one in columns if is_price(one)]
        return held[0] if len(held) == 1 else ""
    group = next((said for words, said in MEASURES if measure in words), frozenset[str]())
    held = [one for one in columns if group & set(_written(one))]
    if not held and measure in ("longest", "shortest"):
        held = [one for one in columns if _is_time(reading, one)]
    return held[0] if len(held) == 1 else ""


def _counts_rows(reading: _Reading, asked: _Asked, around: Set[str]) -> bool:
    """Whether "how many ..." is asked of the rows, and not of what one of their columns has."""
    low = [token.folded for token in tokens(asked.part.asked)]
    at = next((at for at, (one, after) in enumerate(pairwise(low)) if after in ("many", "of") and one in ("how", "number", "count")), -2) + 2
    nouns = {term for one in low[at : at + 3] for term in terms(one)[:1]}
    named = {term for one in reading.relations if one not in _amount_columns(reading) for term in _parts(one)}
    return not nouns.isdisjoint({*around, *named})
