"""The tab Usage: what the language model took by day, against the daily limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import streamlit as st

from ingestion.words import counted
from tree.store.language_model import LanguageModel, ModelChoice, Spent
from ui.server.tools import Tools
from ui.shared.markup import escaped
from ui.shared.usage import money

DAYS = 30
PURPOSES = {"question": "Questions", "upgrade": "Summaries", "embedding": "Vectors (search by meaning)"}
COUNTED = ("Calls", "Tokens", "Written", "Reused", "Skipped")


def usage_tab(tools: Tools, choice: ModelChoice) -> None:
    """Draws what was used today against the limit, and a table of the last days."""
    model = tools.workspace.model
    _today(model, choice)
    spent = model.spent(DAYS)
    if not spent:
        st.caption(f"The model was not used in the last {DAYS} days.")
        return
    names = {source.id: source.name for source in tools.sources.all()}
    st.dataframe(
        usage_columns(spent, names),
        key="usage_table",
        hide_index=True,
        column_config={
            "Day": st.column_config.DateColumn(format="YYYY-MM-DD"),
            **{name: st.column_config.NumberColumn(format="localized") for name in COUNTED},
            "Cost": st.column_config.TextColumn(alignment="right"),
        },
        alt="What the model was used for, by day",
    )
    st.caption(
        "Days begin at midnight UTC. “Written” are those of the tokens that the model wrote. “Reused” are replies that were made "
        "before from exactly the same text, at no cost. Vectors count for no daily limit. “Skipped” are steps that were done without the model. Costs are in the currency of the prices that are set, or in US "
        "dollars where the provider's own list was used; they are not known where a price is missing."
    )


def _today(model: LanguageModel, choice: ModelChoice) -> None:
    used, limit = model.tokens_today(), choice.daily_tokens
    if limit is None:
        st.markdown(f"**{counted(used, 'token')}** today. No daily limit is set.")
        return
    st.progress(min(1.0, used / limit) if limit else 1.0, text=f"{used:,} of {limit:,} tokens for today")
    if why := model.spent_out(choice):
        st.warning(f"{escaped(why)} Until then, everything works without the model.", icon=":material/hourglass_top:")


def usage_columns(spent: Sequence[Spent], names: Mapping[str, str]) -> dict[str, list[Any]]:
    """The columns of the table, a row for each day and purpose; a column Model only where there were several."""
    columns: dict[str, list[Any]] = {
        "Day": [date.fromisoformat(one.day) for one in spent],
        "Used for": [_purpose(one, names) for one in spent],
        "Calls": [one.calls for one in spent],
        "Tokens": [one.input_tokens + one.output_tokens for one in spent],
        "Written": [one.output_tokens for one in spent],
        "Cost": ["not known" if one.cost is None else money(one.cost) for one in spent],
        "Reused": [one.hits for one in spent],
        "Skipped": [one.without_model for one in spent],
    }
    if len({one.model for one in spent}) > 1:
        columns["Model"] = [one.model for one in spent]
    return columns


def _purpose(one: Spent, names: Mapping[str, str]) -> str:
    words = PURPOSES.get(one.purpose, one.purpose)
    of = names.get(one.source_id, "a source that was removed") if one.source_id else ""
    return f"{words} of {of}" if of else words
