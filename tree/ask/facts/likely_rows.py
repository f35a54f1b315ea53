"""Rows of a table that a question may mean, where not every word of it is understood: a guess, and told as one.

A word of the question that stands in some rows of a table and not in others is a condition on them; other words name the table or
a column, or are not understood. The rows with most of such words, each by how few rows have it, are meant, if what is understood
weighs enough of the question and what is asked for has a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from math import log

from prompts.coming_times import find_coming
from prompts.extractive.dates import days
from prompts.language import terms
from prompts.question import Word
from prompts.synonyms import same_as
from prompts.timespans import Span, find_span
from tree.ask.facts.amounts import MONEY, amount_of
from tree.ask.facts.attribute import LIGHT, SAME, TURNING
from tree.ask.facts.collection_question import SUM, head_of_list
from tree.ask.facts.collection_vocabulary import FILLERS_OF_ROWS, is_price
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.thing_sets import BLANK
from tree.ask.facts.ticket_words import NEGATIONS, SOMEBODY, SORTS, TICKETS
from tree.retrieve.collections import Table, nouns_of_table, surroundings_of
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Token, tokens

MOST_ROWS = 400  # of a table that is looked through
MOST_MEANT = 12  # rows
LONGEST_CELL = 12  # words; a longer one is a text, of which a word says less
OF_TEXT = 0.4  # of the weight of a word that stands in a text only
OF_SAME = 0.6  # of the weight of a word for which only another with the same meaning stands there
LEAST_SHARE, LEAST_OF_LIST = 0.7, 0.55  # of the weight of a question that has to be understood; of one for things that are rows of the table
LONGEST_DATE = 30  # characters of a cell that holds one
_EQUAL = 0.999  # of the worth of the best row, for another to be worth as much
_ENDING = frozenset(terms("end ends ended ending expire expires expired expiry run runs running out due until valid renewal"))
_UNTIL = frozenset("until end ends expires expiry till valid due deadline next".split())
_EMPTY = frozenset(("without", "no"))
_SAME = (*SAME, *(
    frozenset(terms(words))
    for words in ("annual year yearly", "month monthly", "broken fault faulty defect defective", "phone number telephone call ring")
))  # fmt: skip
_LIGHT = LIGHT | frozenset(terms(" ".join(FILLERS_OF_ROWS)))
_OF_OTHERS = re.compile(r"\b(?:them|those|these|they|ones)\b", re.IGNORECASE)  # of a chat: not of all rows
_MONEY_ASKED = re.compile(r"\b(?:cost|costs|price|prices|pay|expensive|charge|fee)\b|\bhow much is\b", re.IGNORECASE)

_Cells = Mapping[str, Mapping[str, str]]  # of each row (thing) what its columns (folded) say


@dataclass(frozen=True, slots=True)
class LikelyRows:
    """`question` has what was understood; `things` are the rows that satisfy it, in the order of the table."""

    question: SetQuestion
    things: tuple[str, ...]
    total: int  # rows of the table
    not_understood: tuple[str, ...]  # words of the question
    share: float  # of the weight of the question that is understood


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as it is held against each table."""

    text: str
    tokens: Sequence[Token]
    words: Sequence[Word]  # that carry it
    kind: str
    noun: str  # the word (a term) for what is listed; empty where no list is asked for
    today: date
    asks_money: bool


def find_likely_rows(
    text: str, carrying: Sequence[Word], kind: str, tables: Iterable[Table], facts: FactIndex, today: date
) -> LikelyRows | None:
    """The best fit among some tables; None where none has enough of the question, or two have as much of it."""
    found = tokens(text)
    words = [word for word in carrying if word.whole not in _LIGHT]
    if not words or _says_more(text, found):
        return None
    asked = _Asked(text, found, words, kind, head_of_list(found), today, _MONEY_ASKED.search(text) is not None)
    fits = [one for table in tables if (one := _rows_of(table, asked, facts)) is not None]
    fits.sort(key=lambda one: (-one.share, len(one.things)))
    if len(fits) > 1 and (fits[0].share, len(fits[0].things)) == (fits[1].share, len(fits[1].things)):
        return None
    return fits[0] if fits else None


def _says_more(text: str, found: Sequence[Token]) -> bool:
    """Whether a word turns the question round, or makes it one for tickets or for what a chat spoke of."""
    low = {token.folded for token in found}
    return bool(low & ((NEGATIONS | TURNING | SOMEBODY | TICKETS | SORTS) - _EMPTY)) or _OF_OTHERS.search(text) is not None


# ---------------------------------------------------------------- one table


def _rows_of(table: Table, asked: _Asked, facts: FactIndex) -> LikelyRows | None:
    cells = _cells(table, facts)
    if not 1 < len(cells) <= MOST_ROWS:
        return None
    relations = tuple(dict.fromkeys(relation for row in cells.values() for relation in row))
    conditions, things, words = _told_apart(asked, cells, relations, table)
    if conditions is None:
        return None
    around = _around(table)
    columns = {word.whole: relation for word in words if (relation := _column_of(word, relations))}
    held = _held(words, cells, columns)
    if asked.noun and asked.noun not in {*columns, *around, *held} and any(word.whole == asked.noun for word in words):
        return None  # rows of this table are no such things
    known = {word.whole: 1.0 for word in words if word.whole in columns or _is_said(word, around)}
    worth, telling = _worths(words, held, columns, cells)
    best = max((worth[thing] for thing in things), default=0.0)
    if best <= 0 and not conditions:
        return None
    things = {thing for thing in things if worth[thing] >= best * _EQUAL}
    some = next((thing for thing in cells if thing in things), "")
    for word in telling:
        if things <= held[word].keys():
            share, relation = held[word][some]
            known[word] = max(known.get(word, 0.0), share)
            conditions.append(_condition(relation, [cells[thing].get(relation, "") for thing in things], word, table))
    total = sum(word.weight for word in words)
    share = sum(word.weight * known.get(word.whole, 0.0) for word in words) / total if total else 1.0
    is_few = len(things) <= MOST_MEANT and 2 * len(things) <= len(cells) + 1
    if share < (LEAST_OF_LIST if asked.noun and asked.noun in {*columns, *around} else LEAST_SHARE) or not conditions or not is_few:
        return None
    shown = tuple(dict.fromkeys(columns.values()))
    if not _has_asked(asked, shown, [cells[thing] for thing in things]):
        return None
    is_counted = asked.kind == "count" and bool(asked.noun) and asked.noun not in columns
    if is_counted and (asked.noun not in around or share < 1.0):
        return None
    question = SetQuestion(
        "count" if is_counted else "list", tuple({one.words: one for one in conditions}.values()), columns=shown,
        noun="rows", collection=table.collection, called=table.called,
        naming=(folded(table.naming),) if table.naming else tuple(map(folded, filter(None, table.columns))),
        is_sum=SUM.search(asked.text) is not None,
    )  # fmt: skip
    written = {term: token.text for token in asked.tokens for term in terms(token.text)[:1]}
    unknown = tuple(written.get(word.whole, word.whole) for word in words if not known.get(word.whole))
    return LikelyRows(question, tuple(one for one in cells if one in things), len(cells), unknown, round(share, 4))


def _cells(table: Table, facts: FactIndex) -> _Cells:
    rows: dict[str, dict[str, str]] = {}
    for thing, relation, value in facts.cells(table.collection, {folded(one) for one in (*table.columns, table.naming) if one}):
        rows.setdefault(thing, {}).setdefault(relation, value)
    return dict(sorted(rows.items()))


def _told_apart(
    asked: _Asked, cells: _Cells, relations: Sequence[str], table: Table
) -> tuple[list[Condition] | None, Set[str], Sequence[Word]]:
    """The rows in the time that is named and without what they are said to be without, and the words that are left; None for the
    conditions where it is not clear what these are of."""
    conditions: list[Condition] = []
    things: Set[str] = cells.keys()
    words = asked.words
    if find_span(asked.text, asked.today) is not None or find_coming(asked.text, asked.today) is not None:
        dated = _dated(asked, cells, relations)
        if dated is None:
            return None, things, words
        span, relation, things = dated
        conditions.append(Condition((relation,), span=span, words=f"{_label(relation, table)} {span.words}"))
        spent = {*terms(span.words), *_ENDING}
        words = [word for word in words if word.whole not in spent]
    if any(token.folded in _EMPTY for token in asked.tokens):
        relation = _empty_column(asked.tokens, relations)
        things = {thing for thing in things if relation and folded(cells[thing].get(relation, "")) in BLANK}
        if not things:
            return None, things, words
        conditions.append(Condition((relation,), words=f"without {_label(relation, table)}"))
    return conditions, things, words


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


def _condition(relation: str, values: Sequence[str], word: str, table: Table) -> Condition:
    """By the value that all have, where it is one and short."""
    is_one = len(set(map(folded, values))) == 1 and len(values[0].split()) <= LONGEST_CELL
    return Condition((relation,), words=f"{_label(relation, table)} {values[0] if is_one else f'with “{word}”'}")


def _has_asked(asked: _Asked, columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether the rows can have what is asked for: money, a time."""
    told = [value for row in rows for relation, value in row.items() if not columns or relation in columns]
    if asked.asks_money:
        return any(is_price(relation) for row in rows for relation in row) or any((amount := amount_of(value)) is not None and amount.unit in MONEY for value in told)
    if asked.kind == "count":  # "how many kilometres has it", "how much ..."
        return len(rows) == 1 and any(any(map(str.isdigit, value)) for value in told) or not columns
    if asked.kind == "when":
        return any(any(map(str.isdigit, value)) for value in told)
    return True


# ---------------------------------------------------------------- words and cells


def _around(table: Table) -> frozenset[str]:
    said = (term for one in (table.title, *table.headings) for term in terms(one))
    return nouns_of_table(table) | surroundings_of(table) | frozenset(said)


def _is_said(word: Word, there: Set[str]) -> bool:
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
        word.whole: frozenset() if word.whole in columns or word.is_in(every) else frozenset(same_as(word.whole)) for word in words
    }
    for thing, row in cells.items():
        for relation, value in row.items():
            there = frozenset(terms(value))
            whole = 1.0 if len(value.split()) <= LONGEST_CELL else OF_TEXT
            for word in words:
                is_there = word.whole in there if word.whole in columns else word.is_in(there)
                share = whole if is_there else whole * OF_SAME if same[word.whole] & there else 0.0
                if share > found.get(word.whole, {}).get(thing, (0.0, ""))[0]:
                    found.setdefault(word.whole, {})[thing] = share, relation
    return found


def _dated(asked: _Asked, cells: _Cells, relations: Sequence[str]) -> tuple[Span, str, Set[str]] | None:
    """The rows whose date lies in the time that is named, by the one column of dates that may be meant; None where there are none."""
    columns = [relation for relation in relations if _holds_dates(relation, cells)]
    named = [relation for relation in columns if any(word.is_in(terms(relation)) for word in asked.words)]
    ending = [relation for relation in columns if _UNTIL & set(relation.split())]
    meant = named or (ending if any(word.whole in _ENDING for word in asked.words) else columns)
    if len(meant) != 1:
        return None
    lies_ahead = bool(_UNTIL & set(meant[0].split()))
    span = find_coming(asked.text, asked.today) if lies_ahead else find_span(asked.text, asked.today)
    if span is None:
        return None
    first, last = span.first.isoformat(), span.last.isoformat()
    inside = {
        thing
        for thing, row in cells.items()
        if any(day.day and first <= str(day) <= last for day in days(row.get(meant[0], "")))
    }
    return (span, meant[0], inside) if inside else None


def _holds_dates(relation: str, cells: _Cells) -> bool:
    values = [value for row in cells.values() if folded(value := row.get(relation, "")) not in BLANK]
    return bool(values) and 2 * sum(len(value) < LONGEST_DATE and bool(days(value)) for value in values) > len(values)


def _empty_column(found: Sequence[Token], relations: Sequence[str]) -> str:
    """The column that "without ..." or "no ..." names; empty where it names none, or several."""
    at = next(at for at, token in enumerate(found) if token.folded in _EMPTY)
    after = {term for other in found[at + 1 : at + 4] for term in terms(other.text)}
    own = [relation for relation in relations if set(terms(relation)) <= after]
    return own[0] if len(own) == 1 else ""
