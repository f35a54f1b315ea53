"""The names of rows that a part of a name stands for: "Nordhalm" for "Nordhalm Akku", in the tables of a scope."""

from __future__ import annotations

from collections.abc import Iterator

from prompts.language import terms
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Names

MOST_TABLES = 60  # of which the names of rows are looked through


def rows_called(text: str, names: Names) -> Iterator[tuple[Table, str]]:
    """Each table with the name (folded) of the one row that has all words of the text in its name, the same name first."""
    asked, same = frozenset(terms(text)), folded(text)
    if not asked or len(names.tables) > MOST_TABLES:
        return
    for table in names.tables.values():
        called = names.values_of(folded(table.naming), table.collection) if table.naming else frozenset()
        held = [one for one in called if asked <= frozenset(terms(one))]
        if same in called or len(held) == 1:
            yield table, same if same in called else held[0]
