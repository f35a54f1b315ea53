"""Rows of a table that a question may mean, where not every word of it is understood: a guess, and told as one.

A word of the question that stands in some rows of a table and not in others is a condition on them; other words name the table or
a column, or are not understood. The rows with most of such words, each by how few rows have it, are meant, if what is understood
weighs enough of the question and what is asked for has a column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from math import log

from prompts.coming_times import find_times
from prompts.extractive.dates import days
from prompts.language import terms, wholes
from prompts.other_languages import FRENCH, GERMAN, said_in_english
from prompts.question import Word
from prompts.regex import regex
from prompts.synonyms import same_as
from prompts.timespans import Span
from tree.ask.facts.amounts import MONEY, amount_of
from tree.ask.facts.attribute import LIGHT, SAME, TURNING
from tree.ask.facts.collection_question import SUM, aggregate_asked
from tree.ask.facts.column_vocabulary import FILLERS_OF_ROWS
from tree.ask.facts.described_row import PLACES
from tree.ask.facts.leading_roles import HAS_IT, holder_among
from tree.ask.facts.price_columns import is_price, lists_prices
from tree.ask.facts.rows_of_kind import head_of_list
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.thing_sets import BLANK
from tree.ask.facts.ticket_words import NEGATIONS, SOMEBODY
from tree.retrieve.collections import Table, nouns_of_table, surroundings_of
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names, Token, tokens

FEWEST_ROWS, MOST_ROWS = 2, 400  # of a table that is looked through
MOST_MEANT = 12  # rows
MOST_PLACED = 4  # rows of one place
LONGEST_NAME, LONGEST_CELL = 5, 12  # words of a cell: of what is no more than a name, and of what is told as a condition
OF_SAME = 0.6  # of the weight of a word for which only another with the same meaning stands there
# Of the weight of a question the share that has to be understood: of any, of one for things that are rows of the table, and of
# one that has the whole name of a row.
LEAST_SHARE, LEAST_OF_LIST, LEAST_OF_NAMED = 0.7, 0.55, 0.3
LONGEST_DATE = 30  # characters of a cell that holds one
FEWEST_CONDITIONS = 2  # on rows that the question calls by a word that nothing around them says
_EQUAL = 0.999  # of the worth of the best row, for another to be worth as much
_ENDING = frozenset(terms("end ends ended ending expire expires expired expiry run runs running out due until valid renewal"))
_UNTIL = frozenset("until end ends expires expiry till valid due deadline next".split())
_TICKETS = frozenset("ticket tickets issue issues epic epics bug bugs sub-task subtask sprint".split())  # what else is asked for
_OF_ONE = frozenset(("definition", "overview"))  # kinds of question about one thing that has a name
_EMPTY = frozenset(("without", "no"))
_TURNING = (NEGATIONS | TURNING | SOMEBODY | _TICKETS | {word.replace("'", "") for word in NEGATIONS}) - _EMPTY  # "arent" too
_SAME = (*SAME, *(
    frozenset(terms(words))
    for words in ("annual year yearly", "month monthly", "broken fault faulty defect defective", "phone number telephone call ring extension")
))  # fmt: skip
_DOING = frozenset(terms("work works working"))  # what somebody is asked for by, "who works remotely"
_LIGHT = LIGHT | frozenset(terms(" ".join(FILLERS_OF_ROWS)))
_OF_OTHERS = regex(r"\b(?:them|those|these|they|ones)\b", re.IGNORECASE)  # of a chat: not of all rows
_LISTED = regex(r"[,;\n]")
_DIGITS, _AROUND = regex(r"\d+"), ".,;:!?()[]\"'"
_NEXT = regex(r"\b(?:next|upcoming|coming)\b", re.IGNORECASE)
_PHRASAL = regex(
    r"\b(sign|log|check|set|look|hand|pick|drop|turn|switch|fill|call) (?:up|in|off|out|on|over|back)\b", re.IGNORECASE
)
_MONEY_ASKED = regex(r"\b(?:cost|costs|price|prices|pay|expensive|(?<!in )charge|fee)\b|\bhow much is\b", re.IGNORECASE)

_Cells = Mapping[str, Mapping[str, str]]  # of each row (thing) what its columns (folded) say
CellsOf = Callable[[Table], _Cells]


@dataclass(frozen=True, slots=True)
class LikelyRows:
    """`question` has what was understood; `things` are the rows that satisfy it, in the order of the table."""

    question: SetQuestion
    things: tuple[str, ...]
    total: int  # rows of the table
    not_understood: tuple[str, ...]  # words of the question
    share: float  # of the weight of the question that is understood
    is_worked_out: bool = False  # by an operation that the question asks for
    names_column: bool = False  # the question, of a condition, and all but what rows are called is understood: "firmware 4.3"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as it is held against each table."""

    text: str
    tokens: Sequence[Token]
    words: Sequence[Word]  # that carry it
    kind: str
    noun: str  # the word (a term) for what is listed; empty where no list is asked for
    behind: Span | None  # the time that is named, where it is over, and where it lies ahead
    ahead: Span | None
    held_by_people: Set[tuple[str, str]]  # (relation, collection)
    is_strict: bool
    asks_money: bool


@dataclass(slots=True)
class _Chosen:
    """The rows of a table that are left, while a question is held against it."""

    things: Set[str]
    words: list[Word]  # that no time has made use of
    conditions: list[Condition] = field(default_factory=list)
    known: dict[str, float] = field(default_factory=dict)  # how much of each word is understood, from 0 to 1

    @property
    def share(self) -> float:
        """Of the weight of all words that of those that are understood."""
        total = sum(word.weight for word in self.words)
        return sum(word.weight * self.known.get(word.whole, 0.0) for word in self.words) / total if total else 1.0

    def unknown(self, asked: _Asked) -> tuple[str, ...]:
        """The words that are not understood, as they are written."""
        written = {term: token.text for token in asked.tokens for term in wholes(token.text)}
        return tuple(written.get(word.whole, word.whole) for word in self.words if not self.known.get(word.whole))


def find_likely_rows(
    text: str,
    carrying: Sequence[Word],
    kind: str,
    tables: Iterable[Table],
    names: Names,
    facts: FactIndex,
    cells: CellsOf,
    today: date,
    is_strict: bool,
) -> LikelyRows | None:
    """The best fit among some tables; None where none has enough of the question, or two have as much of it.

    `carrying` are the words of the question with their weights, `kind` is its kind; `is_strict`: only rows that are known by a
    name, and by no words of a text.
    """
    found = tokens(text)
    summing = frozenset(terms(" ".join(SUM.findall(text))))
    verbs = frozenset(terms(" ".join(_PHRASAL.findall(text))))
    light = _LIGHT | summing | verbs | (_DOING if kind == "who" else frozenset())
    words = [word for word in carrying if word.whole not in light]
    if not words or _says_more(text, found):
        return None
    behind, ahead = find_times(text, today)
    asked = _Asked(
        text=text,
        tokens=found,
        words=words,
        kind=kind,
        noun=head_of_list(found),
        behind=behind,
        ahead=ahead,
        held_by_people=names.held_by_people,
        is_strict=is_strict,
        asks_money=_MONEY_ASKED.search(text) is not None,
    )
    fits = [one for table in tables if (one := _rows_of(table, asked, cells)) is not None]
    if _NEXT.search(text):
        fits = [one for one in fits if not _is_past(one, facts, today)]
    fits.sort(key=lambda one: (-one.share, len(one.things)))
    if len(fits) > 1 and (fits[0].share, len(fits[0].things)) == (fits[1].share, len(fits[1].things)):
        return None
    return fits[0] if fits else None


def _is_past(found: LikelyRows, facts: FactIndex, today: date) -> bool:
    """Whether all days in the rows are over: they tell nothing of what comes next."""
    told = [
        date(day.year, day.month, day.day)
        for fact in facts.of_things(found.things, found.question.collection)
        if len(fact.fact.value) <= LONGEST_DATE
        for day in days(fact.fact.value)
        if day.day
    ]
    return bool(told) and max(told) < today


def _says_more(text: str, found: Sequence[Token]) -> bool:
    """Whether a word turns the question round, or makes it one for tickets or for what a chat spoke of."""
    said = [token.folded for token in found]
    if any(word == "many" and before != "how" for before, word in pairwise(said)):
        return True  # "by as many": of how many something is so
    low = frozenset(said)
    return bool(low & _TURNING) or _OF_OTHERS.search(text) is not None


# ---------------------------------------------------------------- one table


def _rows_of(table: Table, asked: _Asked, cells_of_table: CellsOf) -> LikelyRows | None:
    cells = cells_of_table(table)
    if not cells:
        return None
    relations = tuple(dict.fromkeys(relation for row in cells.values() for relation in row))
    chosen = _told_apart(asked, cells, relations, table)
    if chosen is None:
        return None
    around = called_by(table)
    columns = {word.whole: relation for word in chosen.words if (relation := _column_of(word, relations))}
    held = _held(chosen.words, cells, columns) | _exactly(asked, cells)
    chosen.known |= {word.whole: 1.0 for word in chosen.words if word.whole in columns or is_said(word, around)}
    is_named = _choose_named(chosen, asked, cells, table) or _choose_placed(chosen, asked, cells, table)
    if asked.kind in _OF_ONE and not is_named and not asked.asks_money:  # "what does a guest pay for a tent?"
        return None
    if not _choose_by_words(chosen, asked, held, columns, cells, table) or not chosen.conditions:
        return None
    is_of_noun = not asked.noun or asked.noun in {*columns, *around, *held}
    said = {term for token in asked.tokens for term in terms(token.text)}
    by_column = {relation for one in chosen.conditions for relation in one.relations if said & set(terms(relation))}
    is_all_said = bool(by_column) and chosen.share >= 1.0  # "who is based in Arden"
    if asked.asks_money or asked.kind == "count":
        by_column = set()  # "what did the bench for House 2 cost" is of the bench
    is_of_file = any(word.whole in terms(table.file.rpartition(".")[0]) for word in chosen.words if word.whole != asked.noun)
    if not (is_of_noun or is_named or is_of_file or len(chosen.conditions) + len(by_column) >= FEWEST_CONDITIONS):
        return None  # rows of this table are no such things
    least = LEAST_OF_NAMED if is_named else LEAST_OF_LIST if asked.noun and (is_of_noun or by_column) else LEAST_SHARE
    things, share = chosen.things, chosen.share
    if share < least or (not is_all_said and (len(things) > MOST_MEANT or 2 * len(things) > len(cells) + 1)):
        return None
    chosen_by = {relation for one in chosen.conditions for relation in one.relations}
    shown = tuple(dict.fromkeys(relation for relation in columns.values() if relation not in chosen_by))
    if asked.kind == "where" and not shown:
        shown = tuple(one for one in relations if PLACES & set(one.split()))
    if not shown and HAS_IT.search(asked.text):
        shown = tuple(filter(None, [holder_among(relations)]))
    if asked.asks_money and not shown:
        shown = tuple(filter(is_price, relations))
    if not is_named and not _has_asked(asked, shown, [cells[thing] for thing in things], relations, table):
        return None
    is_counted = asked.kind == "count" and not asked.asks_money and bool(asked.noun) and asked.noun not in columns
    if is_counted and (asked.noun not in around or share < 1.0):
        return None
    unknown = chosen.unknown(asked)
    if any(word[0].isupper() for word in unknown if word != asked.tokens[0].text):
        return None  # the name of something else
    if any(_has_another(word, cells[thing]) for word in unknown for thing in things):
        return None
    is_noun = bool(asked.noun) and {term for one in unknown for term in wholes(one)} <= {asked.noun}
    is_of_column = is_noun and bool(by_column)
    question = SetQuestion(
        "count" if is_counted else "list", tuple({one.words: one for one in chosen.conditions}.values()), columns=shown,
        noun="rows", collection=table.collection, called=table.called,
        naming=table.named_by, aggregate=aggregate_asked(asked.text),
    )  # fmt: skip
    return LikelyRows(
        question, tuple(one for one in cells if one in things), len(cells), unknown, round(share, 4), names_column=is_of_column
    )


def _has_another(word: str, row: Mapping[str, str]) -> bool:
    """Whether a row has, in place of a word with a number in it, another one of that form: "v3" for "v2"."""
    if not (any(map(str.isdigit, word)) and any(map(str.isalpha, word))):
        return False
    form = _form_of(word)
    return any(_form_of(other) == form for value in row.values() for other in value.split())


def _form_of(word: str) -> str:
    return _DIGITS.sub("0", word.strip(_AROUND).casefold())


def cells_once(facts: FactIndex) -> CellsOf:
    """Of a table the cells, read once for whoever asks; none of one with too few rows, or too many to look through."""

    @cache
    def cells(table: Table) -> _Cells:
        columns = [folded(one) for one in (table.naming, *table.columns) if one]
        if not columns or max(facts.count(table.collection, one) for one in columns) > MOST_ROWS:
            return {}  # counted before its cells are read
        found = cells_of(table, facts)
        return found if len(found) >= FEWEST_ROWS else {}

    return cells


def cells_of(table: Table, facts: FactIndex) -> _Cells:
    """What the columns of a table say of each row, in the order of the rows."""
    rows: dict[str, dict[str, str]] = {}
    for thing, relation, value in facts.cells(table.collection, {folded(one) for one in (*table.columns, table.naming) if one}):
        rows.setdefault(thing, {}).setdefault(relation, value)
    return dict(sorted(rows.items()))


def _told_apart(asked: _Asked, cells: _Cells, relations: Sequence[str], table: Table) -> _Chosen | None:
    """The rows in the time that is named and without what they are said to be without; None where it is not clear what these are
    of."""
    chosen = _Chosen(cells.keys(), list(asked.words))
    if asked.behind is not None or asked.ahead is not None:
        dated = _dated(asked, cells, relations)
        if dated is None:
            return None
        span, relation, chosen.things = dated
        chosen.conditions.append(Condition((relation,), span=span, words=f"{_label(relation, table)} {span.words}"))
        spent = {*terms(span.words), *_ENDING}
        chosen.words = [word for word in chosen.words if word.whole not in spent]
    if any(token.folded in _EMPTY for token in asked.tokens):
        relation = _empty_column(asked.tokens, relations)
        chosen.things = {one for one in chosen.things if relation and folded(cells[one].get(relation, "")) in BLANK}
        if not chosen.things:
            return None
        chosen.conditions.append(Condition((relation,), words=f"without {_label(relation, table)}"))
    return chosen


def _choose_named(chosen: _Chosen, asked: _Asked, cells: _Cells, table: Table) -> bool:
    """Whether the question has the whole name of one row, which is then meant: "what is the story with R-126"."""
    said, naming = f" {folded(asked.text)} ", folded(table.naming)
    named = [thing for thing in chosen.things if (name := folded(cells[thing].get(naming, ""))) and f" {name} " in said]
    value = cells[named[0]][naming] if len(named) == 1 else ""
    if not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)):
        return False  # a plain word or number may be another thing's
    chosen.things = set(named)
    chosen.conditions.append(_condition(naming, value, "", table))
    chosen.known |= {word.whole: 1.0 for word in chosen.words if word.is_in(terms(value))}
    return True


def _choose_placed(chosen: _Chosen, asked: _Asked, cells: _Cells, table: Table) -> bool:
    """Whether a question for a time or a person has the whole name of a place that few rows have: "when do we play in Aldersea"."""
    if asked.kind not in ("when", "who"):
        return False
    said = f" {folded(asked.text)} "
    for relation in dict.fromkeys(relation for row in cells.values() for relation in row):
        if PLACES.isdisjoint(relation.split()):
            continue
        placed = {
            thing: name for thing in chosen.things if (name := folded(cells[thing].get(relation, ""))) and f" {name} " in said
        }
        if 0 < len(placed) <= MOST_PLACED and len(set(placed.values())) == 1:
            value = cells[next(iter(placed))][relation]
            chosen.things = set(placed)
            chosen.conditions.append(_condition(relation, value, "", table))
            chosen.known |= {word.whole: 1.0 for word in chosen.words if word.is_in(terms(value))}
            return True
    return False


def _choose_by_words(
    chosen: _Chosen,
    asked: _Asked,
    held: Mapping[str, Mapping[str, tuple[float, str]]],
    columns: Mapping[str, str],
    cells: _Cells,
    table: Table,
) -> bool:
    """Leaves the rows that have most of the words by which rows differ; False where they have a word in common and no value."""
    worth, telling = _worths(chosen.words, held, columns, cells)
    best = max((worth[thing] for thing in chosen.things), default=0.0)
    chosen.things = {thing for thing in chosen.things if worth[thing] >= best * _EQUAL}
    some = next((thing for thing in cells if thing in chosen.things), "")
    for word in telling:
        if chosen.things <= held[word].keys():
            share, relation = held[word][some]
            if asked.is_strict and len(cells[some][relation].split()) > LONGEST_NAME:
                continue  # known by words of a text
            values = {folded(cells[thing].get(relation, "")) for thing in chosen.things}
            kind = _kind_of(values) if len(values) > 1 else cells[some][relation]
            if len(values) > 1 and word not in terms(kind):
                return False
            chosen.known[word] = max(chosen.known.get(word, 0.0), share)
            chosen.conditions.append(_condition(relation, kind, word, table))
    return True


def _kind_of(names: Set[str]) -> str:
    """What the names of a few things of one kind begin with, "lamp" of "lamp 80 W" and "lamp 200 W"; empty where they are none."""
    if len(names) > MOST_PLACED or any(len(name.split()) > LONGEST_NAME for name in names):
        return ""
    first = zip(*(name.split() for name in names), strict=False)
    return " ".join(words[0] for words in takewhile(lambda same: len(set(same)) == 1, first))


def _worths(
    words: Sequence[Word], held: Mapping[str, Mapping[str, tuple[float, str]]], columns: Mapping[str, str], cells: _Cells
) -> tuple[dict[str, float], list[str]]:
    """What each row is worth, and the words that tell rows apart."""
    worth = dict.fromkeys(cells, 0.0)
    telling: list[str] = []
    for word in words:
        rows = held.get(word.whole, {})
        is_column = word.whole in columns and 2 * len(rows) > len(cells)
        if rows and len(rows) < len(cells) and not is_column:
            telling.append(word.whole)
            for thing, (share, _) in rows.items():
                worth[thing] += share * word.weight * log(1 + len(cells) / len(rows))
    return worth, telling


def _condition(relation: str, value: str, word: str, table: Table) -> Condition:
    is_short = len(value.split()) <= LONGEST_CELL
    return Condition((relation,), words=f"{_label(relation, table)} {value if is_short else f'with “{word}”'}")


def _has_asked(
    asked: _Asked, columns: Sequence[str], rows: Sequence[Mapping[str, str]], relations: Sequence[str], table: Table
) -> bool:
    """Whether the rows can have what is asked for: money, a number, a place, a time, somebody."""
    told = [value for row in rows for relation, value in row.items() if not columns or relation in columns]
    if asked.kind == "who" and not columns:
        return any((relation, table.collection) in asked.held_by_people for relation in relations)
    if asked.asks_money:
        if columns and lists_prices(table.file, table.title, *table.headings):
            return any(amount_of(value) is not None for value in told)
        return any(is_price(relation) for row in rows for relation in row) or any(
            (amount := amount_of(value)) is not None and amount.unit in MONEY for value in told
        )
    if asked.kind == "count":  # "how many kilometres has it", "how much ..."
        return len(rows) == 1 and any(any(map(str.isdigit, value)) for value in told) or not columns
    if asked.kind == "where" and not columns:
        return False
    if asked.kind == "when":
        return any(any(map(str.isdigit, value)) for value in told)
    return True


# ---------------------------------------------------------------- words and cells


@lru_cache(maxsize=512)  # the same tables are asked about again and again
def called_by(table: Table) -> frozenset[str]:
    """The words (terms) by which a table may be meant, of another language in English too."""
    titles = (table.title, *table.headings, table.file.rpartition(".")[0])
    foreign = (said_in_english(word, language) for one in titles for word in folded(one).split() for language in (GERMAN, FRENCH))
    said = (term for one in (*titles, *foreign) for term in terms(one))
    return nouns_of_table(table) | surroundings_of(table) | frozenset(said)


def is_said(word: Word, there: Set[str]) -> bool:
    """Whether a word of a question, or another with its meaning, is among some terms."""
    return word.is_in(there) or any(other in there for other in same_as(word.whole))


def _label(relation: str, table: Table) -> str:
    return next((one for one in (*table.columns, table.naming) if folded(one) == relation), relation)


def _column_of(word: Word, relations: Sequence[str]) -> str:
    """The one column that a word means, by its label or by another word for the same; empty where there is none."""
    own = [relation for relation in relations if word.is_in(terms(relation))]
    if not own:
        same = {term for group in _SAME if word.whole in group for term in group}
        own = [relation for relation in relations if same & set(terms(relation))]
    whole = [relation for relation in own if len(terms(relation)) == 1]
    return own[0] if len(own) == 1 else whole[0] if len(whole) == 1 else ""


def _held(words: Sequence[Word], cells: _Cells, columns: Mapping[str, str]) -> dict[str, dict[str, tuple[float, str]]]:
    """Of each word the rows that have it: how much of it, from 0 to 1, and in which column. Another word for the same counts where
    the word itself stands in no row and means no column."""
    found: dict[str, dict[str, tuple[float, str]]] = {}
    every = {term for row in cells.values() for value in row.values() for term in terms(value)}
    same = {
        word.whole: frozenset() if word.whole in columns or word.is_in(every) else frozenset(same_as(word.whole))
        for word in words
    }
    for thing, row in cells.items():
        for relation, value in row.items():
            for part in _LISTED.split(value) if len(value.split()) > LONGEST_NAME else (value,):
                there = frozenset(terms(part))
                said = {
                    word.whole: share for word in words if (share := _share(word, there, word.whole in columns, same[word.whole]))
                }
                is_text = len(part.split()) > LONGEST_NAME
                whole = min(1.0, 2 * len(said.keys() - columns.keys()) / len(there)) if said and is_text else 1.0
                for word, share in said.items():
                    if share * whole > found.get(word, {}).get(thing, (0.0, ""))[0]:
                        found.setdefault(word, {})[thing] = share * whole, relation
    return found


def _exactly(asked: _Asked, cells: _Cells) -> dict[str, dict[str, tuple[float, str]]]:
    """Of each number or version of a question that is all of some cells the rows with these: 4.3.1 is a 4.3, but not where there is a 4.3
    itself. So of each word of several that are all of some cells, "Debian 11"."""
    rows_of: dict[tuple[str, ...], dict[str, tuple[float, str]]] = {}
    for thing, row in cells.items():
        for name, value in row.items():
            if value and len(value.split()) <= LONGEST_NAME:
                rows_of.setdefault(tuple(terms(value)), {})[thing] = 1.0, name
    found: dict[str, dict[str, tuple[float, str]]] = {}
    for said in (tuple(terms(token.text)) for token in asked.tokens if token.text[:1].isdigit()):
        found |= {said[0]: rows_of[said]} if said in rows_of else {}
    every = [term for token in asked.tokens for term in terms(token.text)]
    for size in range(2, LONGEST_NAME + 1):  # the longest last, which then holds
        for at in range(len(every) - size + 1):
            if (rows := rows_of.get(tuple(every[at : at + size]))) is not None:
                found |= dict.fromkeys(every[at : at + size], rows)
    return found


def _share(word: Word, there: Set[str], is_column: bool, same: Set[str]) -> float:
    if word.whole in there if is_column else word.is_in(there):
        return 1.0
    return OF_SAME if same & there else 0.0


def _dated(asked: _Asked, cells: _Cells, relations: Sequence[str]) -> tuple[Span, str, Set[str]] | None:
    """The rows whose date lies in the time that is named, by the one column of dates that may be meant; None where there are none."""
    columns = [relation for relation in relations if _holds_dates(relation, cells)]
    named = [relation for relation in columns if any(word.is_in(terms(relation)) for word in asked.words)]
    ending = [relation for relation in columns if _UNTIL & set(relation.split())]
    meant = named or (ending if any(word.whole in _ENDING for word in asked.words) else columns)
    if len(meant) != 1:
        return None
    spans = (
        (asked.ahead,) if _UNTIL & set(meant[0].split()) else (asked.behind, asked.ahead)
    )  # "in December" is the last one where it has any
    for span in filter(None, spans):
        first, last = span.first.isoformat(), span.last.isoformat()
        inside = {
            thing
            for thing, row in cells.items()
            if any(day.day and first <= str(day) <= last for day in days(row.get(meant[0], "")))
        }
        if inside:
            return span, meant[0], inside
    return None


def _holds_dates(relation: str, cells: _Cells) -> bool:
    values = [value for row in cells.values() if folded(value := row.get(relation, "")) not in BLANK]
    return bool(values) and 2 * sum(len(value) < LONGEST_DATE and bool(days(value)) for value in values) > len(values)


def _empty_column(found: Sequence[Token], relations: Sequence[str]) -> str:
    """The column that "without ..." or "no ..." names; empty where it names none, or several."""
    at = next(at for at, token in enumerate(found) if token.folded in _EMPTY)
    after = {term for other in found[at + 1 : at + 4] for term in terms(other.text)}
    own = [relation for relation in relations if terms(relation) and set(terms(relation)) <= after]
    own = own or [relation for relation in relations if set(terms(relation)) & after]
    return own[0] if len(own) == 1 else ""
