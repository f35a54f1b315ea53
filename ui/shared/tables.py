"""Tables of text from documents, in which every word of a document is only a word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

ROW_HEIGHT = 64  # pixels: two or three lines of text
MOST_ROWS_IN_SIGHT = 6


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], key: str, wide: str = "") -> None:
    """Draws rows of plain text with these column heads; long texts wrap in the column `wide`. It can be sorted and searched."""
    columns = {head: [row[number] for row in rows] for number, head in enumerate(heads)}
    st.dataframe(
        columns,
        key=key,
        hide_index=True,
        row_height=ROW_HEIGHT if wide else None,
        height="content" if len(rows) <= MOST_ROWS_IN_SIGHT else 42 + MOST_ROWS_IN_SIGHT * (ROW_HEIGHT if wide else 35),
        column_config={wide: st.column_config.TextColumn(width="large")} if wide else None,
        alt=", ".join(heads),
    )
