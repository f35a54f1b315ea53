"""Questions for a chart of a table: its columns of numbers, one of them, or the numbers of one row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from prompts.language import terms, wholes
from tree.ask.facts.table_rows import is_total, rows_of
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS
from tree.ask.snapshot.chart import Chart, chart_of, number_of
from tree.retrieve.fact_index import FactIndex, StoredFact
from tree.retrieve.names import Names, tokens

MOST_SERIES = 4
_FILE = frozenset(terms("table csv xlsx xls sheet file figures numbers values column columns row document data"))
_CAPTION, _COLUMN, _HEADING = 4, 2, 1  # what a word of the question is worth, by where it stands
Row = Mapping[str, StoredFact]


@dataclass(frozen=True, slots=True)
class ChartedRows:
    """The rows of a table with the columns drawn (folded) and, where there are any, the rows of totals below them."""

    chart: Chart
    naming: str  # column that names the rows, as the table writes it
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def find_chart(text: str, names: Names, facts: FactIndex) -> ChartedRows | None:
    """`text` is what is to be drawn. None where no table with numbers is called so, or it says more than a table can tell."""
    found = [token.text for token in tokens(text)]
    if any(word.casefold() in NEGATIONS for word in found):
        return None
    said = [word for word in found if word.casefold() not in FILLERS]
    words = frozenset(term for word in said for term in wholes(word)) - _FILE
    if not words:
        return None
    fitting: list[tuple[int, ChartedRows]] = []
    for naming, caption in dict.fromkeys(names.classes):
        rows = rows_of(facts, caption, naming)
        things = [row for row in rows if not is_total(row)]
        numeric = list(_numeric(things, naming))
        if len(things) < 2 or not numeric:
            continue
        for answer, named in _drawn(words, rows, things, naming, numeric):
            if (worth := _worth(words, caption, naming, answer.columns, named, things)) is not None:
                fitting.append((worth, answer))
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


def _drawn(
    words: frozenset[str], rows: Sequence[Row], things: Sequence[Row], naming: str, numeric: Sequence[str]
) -> Iterator[tuple[ChartedRows, frozenset[str]]]:
    """Ways to draw a table, each with the words of the question that name a row: all its rows, and each row that is named."""
    label = things[0][naming].fact.relation
    columns = [column for column in numeric if words & set(terms(column))] or list(numeric[:MOST_SERIES])
    names = [row[naming].fact.value for row in things]
    series = {
        things[0][column].fact.relation: [_value(row, column) for row in things] for column in columns if column in things[0]
    }
    if chart := chart_of(label, names, series):
        yield ChartedRows(chart, label, tuple(columns), tuple(rows)), frozenset()
    for row in things:
        name = frozenset(terms(row[naming].fact.value))
        if name and name <= words:
            held = [column for column in numeric if column in row]
            heads, values = [row[column].fact.relation for column in held], [_value(row, column) for column in held]
            if chart := chart_of(row[naming].fact.value, heads, {row[naming].fact.value: values}):
                yield ChartedRows(chart, label, tuple(held), (row,)), name


def _worth(
    words: frozenset[str], caption: str, naming: str, columns: Sequence[str], named: frozenset[str], things: Sequence[Row]
) -> int | None:
    """How well a table fits; None where a word of the question is accounted for by nothing in it."""
    titled = frozenset(terms(caption))
    headed = frozenset(term for column in (*columns, naming) for term in terms(column))
    above = things[0][naming].heading
    if words - titled - headed - above - named or not words & (titled | headed | named):
        return None
    worth = {word: _CAPTION if word in titled | named else _COLUMN if word in headed else _HEADING for word in words}
    return 10 * sum(worth.values()) - len(titled - words - _FILE)


def _numeric(things: Sequence[Row], naming: str) -> Iterator[str]:
    """The columns in which all cells are numbers of one unit, and most rows have one."""
    for column in dict.fromkeys(column for row in things for column in row if column != naming):
        read = [number_of(row[column].fact.value) for row in things if column in row]
        units = {one[1] for one in read if one is not None}
        if None not in read and len(units) == 1 and 2 * len(read) > len(things) and column not in ("no", "id", "key"):
            yield column


def _value(row: Row, column: str) -> float | None:
    read = number_of(row[column].fact.value) if column in row else None
    return read[0] if read else None
