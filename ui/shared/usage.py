"""What a language model took for one answer, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ingestion.words import counted


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
