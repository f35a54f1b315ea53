"""What a question asks to be worked out of the rows of a table, where not every word of it is understood: a guess, and told as one.

The operation is read first (`row_operations`). Then each table is tried: words of the question that are values of its cells choose the
rows, others name a column or the table, and the operation needs a column of its kind: amounts to add up, days to put in order. The
table of which most of the question is understood is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from itertools import pairwise

from prompts.asking_part import asking_part, without_its_value
from prompts.coming_times import find_times
from prompts.language import terms, wholes
from prompts.question import Word
from prompts.regex import regex
from tree.ask.facts.attribute import LIGHT
from tree.ask.facts.likely_rows import CellsOf, LikelyRows, called_by, is_said
from tree.ask.facts.row_amounts import aggregated_column, choose_first, counted_column
from tree.ask.facts.row_choice import (
    RowChoice,
    RowsAsked,
    choose_by_time,
    choose_by_values,
    choose_by_yes,
    choose_with_begun,
    leave_out,
    name_columns,
)
from tree.ask.facts.row_grid import RowGrid, is_called_by, terms_of
from tree.ask.facts.row_operations import Operation, read_operation
from tree.ask.facts.row_states import choose_by_bounds, choose_by_state
from tree.ask.facts.row_words import TALK, called_by_initials, naming_of
from tree.ask.facts.rows_of_kind import head_of_list
from tree.ask.facts.set_question import SetQuestion
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Names, tokens

LEAST_SHARE, LEAST_OF_TIME = 0.45, 0.7  # of the weight of a question that has to be understood; where it asks for no operation
MOST_TABLES = 200  # whose names and columns are looked through
MOST_CALLED = 6  # of those that are looked through, beside the promising ones
MOST_PROMISING = 2  # tables of which the first is taken where two have as much of the question
MOST_SHOWN = 7  # columns
FEW = 4  # rows that are told with all they say
MOST_BEFORE_NOUN = 3  # words behind "how many" that are looked at for what is counted
OF_NOUN = 0.25  # of the share that a table is worth more whose rows are called as they are asked for
OF_COLUMN = 0.5  # whose rows were chosen by a column that the question names

_LEFT_OUT = regex(
    r"[,(;]? ?\b(?:leav(?:e|ing) (?:out|aside)|not counting|excluding|except(?: for)?|apart from|ignoring|ignore|other than) (?P<what>[^,;.?!()]{3,60})(?: out\b)?\)?"
    r"|[,(;]? ?\bleaving (?P<also>[^,;.?!()]{3,60}?) out\b\)?",
    re.IGNORECASE,
)
_WHO = regex(r"\b(?:who|whose|whom)\b", re.IGNORECASE)
_PEOPLE = frozenset(  # columns
    "tenant customer name owner holder hirer person employee member client colleague author volunteer primary who borrower lender".split()
)
_POINTS = regex(  # at what was said before, and not at what the question itself asks for: "which pieces are past their date"
    r"\A(?:(?!\b(?:who|whose|which|what(?! (?:is|are|was|were|do|does|did|have|has|would|can)\b))\b)[^\n])*?"
    r"\b(?:their|theirs|his|hers|her|its|of (?:them|him)|that (?:service|firm|company|customer|supplier|person|team|house))\b",
    re.IGNORECASE,
)
_NO_ROWS = frozenset(
    terms("people persons years months weeks days hours minutes seconds times percent euros pounds dollars")
)  # counted
_PERSONS = frozenset(terms("people persons"))
_LISTS_PEOPLE = frozenset(
    terms("staff people personnel employees colleagues members volunteers contacts")
)  # in what a table is called
_OF_LETTERS = regex(
    r"\b(?:begin|start|end)(?:s|ning|ing)? with\b|\b[A-Z] codes?\b", re.IGNORECASE
)  # which no condition here is on
_TAKING = frozenset(terms("take takes took taken"))  # "which took the longest"
_TURNING = frozenset("not never neither nor nobody non none except".split())
_LACKING = regex(r"\bwithout\b|\b(?:has|have|had|with|are|is|there['’]s|got) no\b", re.IGNORECASE)
_COUNTING = frozenset((("how", "many"), ("number", "of"), ("count", "of")))


def find_calculation(
    text: str, carrying: Sequence[Word], promising: Sequence[Table], names: Names, cells: CellsOf, today: date
) -> LikelyRows | None:
    """None where nothing is to be worked out, or no table has what that needs. `carrying` are the words of the question with their
    weights, `promising` the tables that a search found."""
    part = asking_part(text)
    said = without_its_value(part.asked)
    left_out = [match["what"] or match["also"] for match in _LEFT_OUT.finditer(said)]
    part = replace(part, asked=_LEFT_OUT.sub("", said))
    operation = read_operation(part.asked)
    left = {term for one in tokens(operation.rest) for term in wholes(one.text)}
    light = LIGHT | TALK | (_TAKING if operation.rank and not operation.aggregate else frozenset())
    words = [word for word in carrying if word.whole in left and word.whole not in light]
    if (not words and not operation.states) or _OF_LETTERS.search(part.asked) or _says_more(operation):
        return None
    times = [one for one in find_times(part.asked, today) if one is not None]
    named = {term for one in tokens(part.asked)[1:] if one.text[:1].isupper() for term in wholes(one.text)}
    asked = RowsAsked(part, operation, words, times, today, left_out, named)
    tables = [*promising, *_called(asked, names, promising)]
    found = [one for table in tables if (one := _of_table(table, asked, names, cells(table))) is not None]
    said_light = {term for one in tokens(part.asked) for term in terms(one.text)[:1]} & LIGHT
    worth = [
        one.share
        + OF_NOUN * _called_so(names.tables[one.question.collection], asked)
        + OF_COLUMN * _is_by_column(one, said_light)
        for one in found
    ]
    most = max(worth, default=0.0)
    best = [one for one, own in zip(found, worth, strict=True) if own == most]
    if len(best) < 2:
        return best[0] if best else None
    first = {one.collection for one in promising[:MOST_PROMISING]}
    return next((one for one in best if one.question.collection in first), None)


def _says_more(operation: Operation) -> bool:
    """Whether a word of negation is left that no operation is of, or it asks for what holds of two things at once. What has not been done
    for the longest time was done the longest ago."""
    low = [token.folded for token in tokens(operation.rest)]
    is_negated = not _TURNING.isdisjoint(low) or "n't" in operation.rest.casefold() or "n’t" in operation.rest.casefold()
    return "both" in low or (is_negated and operation.rank != "earliest")


def _is_of_another_table(word: Word, table: Table, names: Names) -> bool:
    """Whether a word is what another table, or a column of it, is called by; not looked for among very many."""
    others = (
        [one for one in names.tables.values() if one.collection != table.collection] if len(names.tables) <= MOST_TABLES else []
    )
    return any(
        is_said(word, called_by(one)) or any(naming_of(word, folded(label)) >= 1.0 for label in one.columns) for one in others
    )


def _called(asked: RowsAsked, names: Names, but: Sequence[Table]) -> list[Table]:
    """The tables with most of the question's words in their names and columns; none where there are too many to look."""
    if len(names.tables) > MOST_TABLES:
        return []
    worth: dict[str, int] = {}
    for table in names.tables.values():
        around, columns = called_by(table), [folded(one) for one in table.columns]
        worth[table.collection] = sum(
            is_said(word, around) or any(naming_of(word, one) for one in columns) for word in asked.words
        )
        worth[table.collection] += any(called_by_initials(columns, asked.operation.rest))
    best = sorted((one for one in names.tables.values() if worth[one.collection]), key=lambda one: -worth[one.collection])
    return [one for one in best if one not in but][:MOST_CALLED]


def _is_by_column(found: LikelyRows, light: Set[str]) -> bool:
    """Whether rows were chosen by a column that is called by a word which else says little: "responsible", where a log says who made an
    entry."""
    return any(not light.isdisjoint(terms_of(relation)) for one in found.question.conditions for relation in one.relations)


def _called_so(table: Table, asked: RowsAsked) -> int:
    """In how many ways the rows of a table are called by the noun that is asked for: "which flats", by the column that names them, and by
    the name of the file."""
    noun = head_of_list(tokens(asked.part.asked))
    titles = terms(f"{table.title} {table.file} {' '.join(table.headings)}")
    return (noun in terms_of(folded(table.naming))) + (noun in titles) if noun else 0


def _of_table(table: Table, asked: RowsAsked, names: Names, cells: Mapping[str, Mapping[str, str]]) -> LikelyRows | None:
    if not cells:
        return None
    choice, around = RowChoice(RowGrid(table, cells), set(cells)), called_by(table)
    name_columns(choice, asked)
    said = [word.whole for word in asked.words if word.whole not in choice.known and is_said(word, around)]
    choice.know(word for word in said if word not in asked.names)  # a name that the title has too is rather a value
    choose_by_values(choice, asked)
    choice.know(said)
    if (not choice.conditions and _POINTS.search(asked.part.asked)) or not _work_out(choice, asked):
        return None  # "their orders": whose is not known
    operation = asked.operation
    if _LACKING.search(operation.rest) and not choice.is_lacking:
        return None  # what they are without is not known
    aggregated, is_counted = "", False
    if operation.aggregate:
        aggregated = aggregated_column(choice, asked)
    elif operation.is_count and not operation.rank:
        aggregated = counted_column(choice, asked)
        is_counted = not aggregated
    if (operation.aggregate and not aggregated) or (
        is_counted and not (choice.conditions and _counts_rows(choice, asked, around, names))
    ):
        return None
    unknown, share = _not_understood(choice, asked, is_counted)
    least = LEAST_SHARE if operation.is_any or choice.says_yes else LEAST_OF_TIME
    if choice.is_guessed and any(
        _is_of_another_table(word, table, names) for word in asked.words if not choice.known.get(word.whole)
    ):
        return None  # what it is the sum of is in another table
    if share < least or unknown is None or not choice.things or not (choice.conditions or aggregated):
        return None
    if _knows_only_the_time(choice, asked):
        return None  # "most turns in Q4 2026": of something else in that time
    leading = _leading(choice, asked, names)
    question = SetQuestion(
        "count" if is_counted else "list", tuple({one.words: one for one in choice.conditions}.values()),
        columns=(aggregated,) if aggregated else tuple(dict.fromkeys((*leading, *_shown(choice)))),
        noun="rows", collection=table.collection, called=table.called, naming=table.named_by,
        aggregate=operation.aggregate or ("sum" if aggregated else ""), leading=leading,
    )  # fmt: skip
    return LikelyRows(
        question, tuple(one for one in cells if one in choice.things), len(cells), unknown, round(share, 4), is_worked_out=True
    )


def _work_out(choice: RowChoice, asked: RowsAsked) -> bool:
    """Leaves the rows that the operation is of; False where no column tells, or where rows are only described: these `likely_rows`
    finds."""
    operation = asked.operation
    before = len(choice.conditions)
    choose_by_yes(choice, asked)
    choose_with_begun(choice, asked)
    if not choice.things or not choose_by_time(choice, asked) or not (operation.is_any or len(choice.conditions) > before):
        return False
    leave_out(choice, asked)
    return (
        all(choose_by_state(choice, asked, state) for state in operation.states)
        and (operation.bounds is None or choose_by_bounds(choice, asked))
        and (not operation.rank or bool(operation.aggregate) or choose_first(choice, asked))
    )


def _not_understood(choice: RowChoice, asked: RowsAsked, is_counted: bool) -> tuple[tuple[str, ...] | None, float]:
    """The words of the question that are not understood, None where one of them is a name or a number, and the share of its weight that
    is; of what is counted the noun may be another than the table has, and of what comes first in a column that is named: "which bus has
    the most miles"."""
    left = [word for word in asked.words if not choice.known.get(word.whole)]
    is_alone = len(left) == 1 < len(asked.words)
    noun = left[0] if is_counted and is_alone and left[0].whole in _nouns_counted(asked) else None
    if is_alone and asked.operation.rank and choice.columns and left[0].whole == head_of_list(tokens(asked.part.asked)):
        noun = left[0]
    total = sum(word.weight for word in asked.words if word is not noun)
    share = sum(word.weight * min(1.0, choice.known.get(word.whole, 0.0)) for word in asked.words) / total if total else 1.0
    found = tokens(asked.part.asked)
    written = {term: token.text for token in found for term in wholes(token.text)}
    unknown = (*(written.get(word.whole, word.whole) for word in left), *choice.not_left_out)
    is_name = any(word[:1].isupper() or any(map(str.isdigit, word)) for word in unknown if word != found[0].text)
    return (None if is_name else unknown), share


def _knows_only_the_time(choice: RowChoice, asked: RowsAsked) -> bool:
    """Whether of the words of a question none is understood but those of the time that it names."""
    spent = {term for one in asked.times for token in tokens(one.words) for term in wholes(token.text)}
    others = [word for word in asked.words if word.whole not in spent]
    return bool(others) and not any(choice.known.get(word.whole) for word in others)


def _nouns_counted(asked: RowsAsked) -> Set[str]:
    """The terms of the first words behind "how many", of which one says what is counted."""
    low = [token.folded for token in tokens(asked.part.asked)]
    at = next((at for at, pair in enumerate(pairwise(low)) if pair in _COUNTING), -2) + 2
    return {term for one in low[at : at + MOST_BEFORE_NOUN] for term in wholes(one)}


def _counts_rows(choice: RowChoice, asked: RowsAsked, around: Set[str], names: Names) -> bool:
    """Whether "how many ..." is asked of the rows, and not of what one of their columns has: they are called so, or by a noun that is not
    understood where all the rest is."""
    nouns = _nouns_counted(asked)
    named = {term for one in choice.grid.relations if one not in choice.grid.of_amounts for term in terms_of(one)}
    unknown = [word.whole for word in asked.words if not choice.known.get(word.whole)]
    is_only_noun = len(unknown) == 1 < len(asked.words) and nouns - _NO_ROWS >= set(unknown)
    if is_only_noun and any(_is_of_another_table(one, choice.grid.table, names) for one in asked.words if one.whole in unknown):
        return False  # rows of that
    naming = [folded(value) for _, value in choice.grid.values(choice.grid.naming, choice.things)]
    if len(set(naming)) < len(naming) and not nouns.isdisjoint(terms_of(choice.grid.naming)):
        return False  # some of them have several rows
    if not nouns.isdisjoint(_PERSONS) and not _LISTS_PEOPLE.isdisjoint(around) and len(set(naming)) == len(naming):
        return True  # "how many people", of a list of the staff
    return is_only_noun or not nouns.isdisjoint({*around, *named})


# ---------------------------------------------------------------- what is told of them


def _shown(choice: RowChoice) -> Sequence[str]:
    """The columns that are told of each row beside those that chose it: of a few rows all, as what is asked of them may be in any."""
    grid, chosen = choice.grid, choice.chosen_by
    named = [one for one in choice.columns if one not in chosen]
    others = [one for one in grid.relations if one not in chosen and one not in named and grid.is_short(one, choice.things)]
    return (*named, *(others if len(choice.things) <= FEW else others[:1]))[: max(0, MOST_SHOWN - len(chosen))]


def _leading(choice: RowChoice, asked: RowsAsked, names: Names) -> tuple[str, ...]:
    """What the one row is told by, beside its name: the column that is asked for, of who the one of people."""
    grid = choice.grid
    others = [one for one in grid.relations if one not in choice.chosen_by and one != grid.naming]
    named = [one for one in choice.columns if one in others and one not in grid.of_amounts]
    people = _of_people(others, (one for one in others if (one, grid.table.collection) in names.held_by_people))
    asks_who = _WHO.search(asked.part.asked) is not None
    return tuple(dict.fromkeys((*named[:1], *(people[:1] if asks_who else ()))))


def _of_people(columns: Sequence[str], known: Iterable[str]) -> list[str]:
    """The columns of people: those that are called so, else those whose values are `known` to be people."""
    return [one for one in columns if is_called_by(one, _PEOPLE)] or [*known]
