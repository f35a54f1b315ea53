"""Rows of a table as an answer shows them: the column that names them, and those that matter to the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prompts.extractive import as_text
from tree.ask.facts.told_facts import line
from tree.ask.snapshot.direct_answer import Line
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import Leaf
from tree.store.nodes import Node

MOST_ROWS, MOST_COLUMNS = 30, 4
MOST_TELLING = 2  # columns that tell rows of one name apart


def table_of(
    rows: Sequence[Mapping[str, StoredFact]],
    wanted: Sequence[str],
    cited: dict[str, tuple[Node, Leaf]],
    naming: str = "",
    numbers: dict[str, int] | None = None,
) -> Iterator[Line]:
    """The columns asked for beside the one that names the rows, or is the first, and what else it takes to tell these apart; without
    any the first few. `numbers` are those of the places that were cited before."""
    every = dict.fromkeys(column for row in rows for column in row)
    called = (column for row in rows for column, cell in row.items() if folded(cell.fact.value) == folded(cell.fact.subject.name))
    names = naming if naming in every else next(called, next(iter(every), ""))
    others = [column for column in every if column != names]
    asked = [column for column in wanted if column in others]
    columns = [names, *(asked or others[:MOST_COLUMNS])]
    columns += [column for column in others if column not in columns][: max(0, 2 - len(asked))] if naming and asked else []
    columns[1:1] = [column for column in _telling_apart(rows, names, others) if column not in columns]
    heads = [next(row[column].fact.relation for row in rows if column in row) for column in columns]
    yield Line(f"| {' | '.join(map(as_text, heads))} | |\n|{' --- |' * (len(columns) + 1)}")
    numbers = {} if numbers is None else numbers
    for row in rows:
        first = next(iter(row.values()))
        number = numbers.setdefault(first.place, len(numbers) + 1)
        said = " | ".join(as_text(row[column].fact.value) if column in row else "" for column in columns)
        yield line(f"\n| {said} | [{number}] |", number, first, cited)


def _telling_apart(rows: Sequence[Mapping[str, StoredFact]], names: str, others: Sequence[str]) -> list[str]:
    """The first columns that tell rows of one name apart: the number of a pump beside its station."""

    def kept_apart(columns: Sequence[str]) -> int:
        return len({tuple(row[column].fact.value if column in row else "" for column in columns) for row in rows})

    telling: list[str] = []
    apart = kept_apart([names])
    for column in others:
        if apart == len(rows) or len(telling) == MOST_TELLING:
            break
        if (now := kept_apart([names, *telling, column])) > apart:
            telling.append(column)
            apart = now
    return telling
