"""What a language model took, in words and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import streamlit as st

from tree.store.language_model import LanguageModel, ModelChoice, Spent
from ui.shared.markup import escaped
from ui.shared.source_status import plain
from ui.shared.tools import Tools
from ui.shared.trail import counted

DAYS = 30
PURPOSES = {"question": "Questions", "upgrade": "Summaries"}
HEADS = ("", "Calls", "Tokens", "Cost", "Reused", "Without it")


def in_words(usage: Mapping[str, Any]) -> str:
    """What one answer took: "gpt-x · 3 calls · 4,210 tokens · 0.4 ct"; empty where no model was asked."""
    calls = usage.get("model_calls", 0)
    if not calls:
        return ""
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    cost = usage.get("cost")
    parts = (model_of(usage), counted(calls, "call"), counted(tokens, "token"), money(cost) if cost is not None else "")
    return " · ".join(part for part in parts if part)


def model_of(usage: Mapping[str, Any]) -> str:
    """The name of the model that answered, without its provider's; empty where none did."""
    label = str(usage.get("model") or "") if usage.get("model_calls") else ""
    return label.partition(":")[2] or label


def in_detail(usage: Mapping[str, Any]) -> str:
    """What is behind the line, for whoever points at it."""
    if not usage.get("model_calls", 0):
        return ""
    cached = usage.get("cached_tokens", 0)
    without = sum(usage.get("without_model", {}).values())
    parts = (
        f"{usage.get('input_tokens', 0):,} tokens read"
        + (f", {cached:,} of them known to the provider before" if cached else ""),
        f"{usage.get('output_tokens', 0):,} written",
        f"{counted(without, 'step')} made without the model" if without else "",
    )
    return "; ".join(part for part in parts if part)


def money(amount: float) -> str:
    """An amount of a currency that we do not know: in hundredths below one."""
    if amount <= 0:
        return "0 ct"
    if amount < 0.995:
        cents = amount * 100
        return f"{cents:.1f} ct" if cents >= 0.095 else "less than 0.1 ct"
    return f"{amount:,.2f}"


# ---------------------------------------------------------------- the page


def section(tools: Tools, choice: ModelChoice) -> None:
    model = tools.workspace.model
    _today(model, choice)
    spent = model.spent(DAYS)
    if not spent:
        st.caption(f"No model was asked for anything in the last {DAYS} days.")
        return
    names = {source.id: source.name for source in tools.sources.all()}
    st.html(usage_table(spent, names))
    st.caption(
        "Days begin at midnight UTC. “Reused” was made before from exactly the same text and cost nothing again. “Without it” are "
        "steps the model was to make and did not. Costs are in the currency of the prices that are set, in US dollars where the "
        "provider's own list was used, and not known where a price is missing."
    )


def _today(model: LanguageModel, choice: ModelChoice) -> None:
    used, limit = model.tokens_today(), choice.daily_tokens
    if limit is None:
        st.markdown(f"**{counted(used, 'token')}** today. No daily limit is set.")
        return
    st.progress(min(1.0, used / limit) if limit else 1.0, text=f"{used:,} of {limit:,} tokens for today")
    if why := model.spent_out(choice):
        st.warning(f"{escaped(why)} Until then, everything goes on without the model.", icon=":material/hourglass_top:")


def usage_table(spent: Sequence[Spent], names: Mapping[str, str]) -> str:
    """A day's sum, and below it what it was spent for."""
    is_one_model = len({one.model for one in spent}) == 1
    rows: list[str] = []
    for day, each in groupby(spent, key=lambda one: one.day):
        of_day = list(each)
        rows.append(_row("day", f'<time datetime="{plain(day)}">{plain(day)}</time>', of_day))
        rows += [_row("", _purpose(one, names, is_one_model), [one]) for one in of_day]
    head = "".join(f'<th scope="col">{plain(word)}</th>' for word in HEADS)
    inside = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'{_STYLE}<div class="kt-usage" tabindex="0" role="region" aria-label="What the model took, by day">{inside}</div>'


def _purpose(one: Spent, names: Mapping[str, str], is_one_model: bool) -> str:
    words = PURPOSES.get(one.purpose, one.purpose)
    of = names.get(one.source_id, "a source that was removed") if one.source_id else ""
    model = "" if is_one_model else f"<br><small>{plain(one.model)}</small>"
    return f"{plain(words)}{f' of {plain(of)}' if of else ''}{model}"


def _row(kind: str, words: str, spent: Sequence[Spent]) -> str:
    read, written = (sum(getattr(one, name) for one in spent) for name in ("input_tokens", "output_tokens"))
    costs = [one.cost for one in spent]
    cost = "not known" if None in costs else money(sum(cost for cost in costs if cost is not None))
    calls, hits, without = (f"{sum(getattr(one, name) for one in spent):,}" for name in ("calls", "hits", "without_model"))
    tokens = f'<span title="{read:,} read, {written:,} written">{read + written:,}</span>'
    cells = "".join(f"<td>{cell}</td>" for cell in (calls, tokens, plain(cost), hits, without))
    return f'<tr class="{kind}"><th scope="row">{words}</th>{cells}</tr>'


_STYLE = """<style>
.kt-usage { overflow-x: auto }
.kt-usage table { width: 100%; border-collapse: collapse; font-size: 0.9rem; line-height: 1.45 }
.kt-usage :is(th, td) { text-align: right; vertical-align: top; white-space: nowrap; padding: 0.35rem 0 0.35rem 1rem; font-variant-numeric: tabular-nums; font-weight: 400 }
.kt-usage thead th { font-weight: 600; opacity: 0.75; font-size: 0.82rem }
.kt-usage tbody th { text-align: left; padding-left: 0; white-space: normal; min-width: 6rem; overflow-wrap: anywhere }
.kt-usage tbody :is(th, td) { border-top: 1px solid rgba(128, 140, 138, 0.28) }
.kt-usage .day :is(th, td) { font-weight: 600 }
.kt-usage tr:not(.day) th { padding-left: 0.9rem }
.kt-usage small { opacity: 0.72 }
</style>"""
