"""Tables of text from documents, in which every word of a document is only a word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.shared.markup import escaped

ROWS = 25  # of a table of long texts at once
ROWS_IN_SIGHT, ROW_PIXELS = 8, 35


def short_table(heads: Sequence[str], rows: Sequence[Sequence[str]], key: str) -> None:
    """Draws any number of rows of short texts. It can be sorted and searched; a text that is too long is cut."""
    st.dataframe(
        {head: [row[number] for row in rows] for number, head in enumerate(heads)},
        key=key,
        hide_index=True,
        height="content" if len(rows) <= ROWS_IN_SIGHT else ROW_PIXELS * (ROWS_IN_SIGHT + 1),
        alt=", ".join(heads),
    )


def long_table(heads: Sequence[str], rows: Sequence[Sequence[str]], key: str) -> None:
    """Draws rows of long texts, which wrap on any width; 25 at once, with a control for the others."""
    if len(rows) > ROWS:
        page = st.pagination(-(-len(rows) // ROWS), key=key)
        rows = rows[(page - 1) * ROWS : page * ROWS]
    columns = {head: [escaped(row[number]) for row in rows] for number, head in enumerate(heads)}
    st.table(columns, border="horizontal", hide_index=True, alt=", ".join(heads))


def to_first_page(key: str) -> None:
    """Of a control that draws pages of rows under this key."""
    st.session_state[key] = 1
