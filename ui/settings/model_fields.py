"""The fields that say which language model is asked, and what they come to as settings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import streamlit as st
from pydantic import ValidationError

from prompts.model import ModelSettings
from prompts.model.settings import DEFAULT_URLS, KEY_VARIABLES, NEEDS_KEY, Provider
from tree.store.database import StoreError
from tree.store.language_model import ModelChoice
from ui.shared.found_models import PROVIDERS

EXAMPLES: dict[Provider, str] = {"azure": "https://team.openai.azure.com", "openai-compatible": "http://localhost:8000/v1"}
PACKAGES: dict[Provider, tuple[str, str]] = {  # module, extra of the package that brings it
    "anthropic": ("anthropic", "anthropic"),
    "google": ("google.genai", "google"),
}
UNNAMED = "-"  # a model's name while only the list of models is asked for


def missing_package(provider: str) -> str:
    """What to install before a provider can be used; empty where nothing is missing."""
    module, extra = PACKAGES.get(provider, ("", ""))  # type: ignore[call-overload]  # any provider may be asked for
    try:
        is_there = not module or find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package it is in
        is_there = False
    name = PROVIDERS.get(provider, provider)  # type: ignore[call-overload]  # any provider may be asked for
    return (
        ""
        if is_there
        else f'{name} needs one more package: run `pip install "pydantic-ai-slim[{extra}]"`, then start the app again.'
    )


# ---------------------------------------------------------------- where it is


def place_fields(
    key: str, provider: Provider, saved: ModelSettings | None, models: Sequence[str] = (), *, is_fallback: bool = False
) -> dict[str, Any]:
    """Model, address and key. `saved` is what is in use now, if it is at this provider."""
    address = st.text_input(
        "Address", saved.base_url if saved else "", key=f"{key}_address", autocomplete="off",
        placeholder=DEFAULT_URLS.get(provider) or EXAMPLES[provider],
        help="Empty is the provider's own." if provider in DEFAULT_URLS else "Most model servers end in /v1.",
    )  # fmt: skip
    fields = {"provider": provider, "base_url": address.strip()} | _key(key, provider, saved)
    if provider == "azure":
        version = st.text_input("API version", saved.api_version if saved else "", key=f"{key}_version", placeholder="2024-10-21")
        fields["api_version"] = version.strip()
    named = saved.model if saved else ""
    if models:
        known = [*models, *([named] if named and named not in models else [])]
        model = st.selectbox(
            "Model", known, known.index(named) if named else None, key=f"{key}_model_listed", accept_new_options=True,
            placeholder="Choose one, or type a name", help=f"The address lists {len(models):,}. You can also type another name and press Enter.",
        )  # fmt: skip
    else:
        what = "deployment" if provider == "azure" else "model"
        model = st.text_input(
            "Model", named, max_chars=200, key=f"{key}_model", autocomplete="off",
            placeholder=f"The name of the {what}", help=None if is_fallback else "“List models” shows which there are.",
        )  # fmt: skip
    return fields | {"model": (model or "").strip()}


def _key(key: str, provider: Provider, saved: ModelSettings | None) -> dict[str, Any]:
    """Only ever filled by the person: what is saved is not put into it."""
    is_saved = bool(saved and saved.api_key.get_secret_value())
    variable = next((name for name in KEY_VARIABLES[provider] if os.environ.get(name)), "")
    if is_saved:
        placeholder = "A key is saved. Leave this empty to keep it"
    elif variable:
        placeholder = f"Taken from {variable} of the environment"
    else:
        placeholder = "Paste the key" if provider in NEEDS_KEY else "Only if the server needs one"
    given = st.text_input(
        "Key", type="password", key=f"{key}_key", autocomplete="off", placeholder=placeholder,
        help="Saved encrypted with a key outside the database, and never shown again.",
    ).strip()  # fmt: skip
    is_forgotten = is_saved and st.checkbox("Delete the saved key", key=f"{key}_forget")
    return {"api_key": given, "keeps_key": not is_forgotten}


# ---------------------------------------------------------------- how it is asked


def limit_fields(key: str, saved: ModelSettings | None) -> dict[str, Any]:
    left, right = st.columns(2)
    with left:
        context = st.number_input(
            "Context size in tokens", 2_048, 10_000_000, saved.context_tokens if saved else None, 1_024, key=f"{key}_context",
            placeholder="the provider's usual size", help="How much the model can read at once. “Test” shows what the server reports.",
        )  # fmt: skip
        timeout = st.number_input(
            "Timeout for one reply, in seconds",
            1.0,
            900.0,
            float(saved.timeout) if saved else 60.0,
            10.0,
            "%.0f",
            key=f"{key}_timeout",
        )
    with right:
        reply = st.number_input(
            "Maximum tokens of one reply", 64, 1_000_000, saved.max_tokens if saved else None, 256, key=f"{key}_reply",
            placeholder="the provider's default",
        )  # fmt: skip
        at_once = st.number_input(
            "Requests of one process at once", 1, 64, saved.concurrency if saved else 4, 1, key=f"{key}_at_once"
        )
        in_all = st.number_input(
            "Requests of all processes at once", 1, 1_000, saved.total_concurrency if saved else None, 1, key=f"{key}_in_all",
            placeholder="no limit", help="Of every app, answering process and worker on this database together.",
        )  # fmt: skip
    limits = {"context_tokens": context, "timeout": timeout, "max_tokens": reply}
    return limits | {"concurrency": at_once, "total_concurrency": in_all} | _prices(key, saved)


def _prices(key: str, saved: ModelSettings | None) -> dict[str, Any]:
    now = saved.prices if saved else None
    st.caption(
        "Prices of a million tokens, in your currency. If empty, the provider's own price list is used where there is one."
    )
    columns = st.columns(3)
    labels = {"input": "Read", "output": "Written", "cached": "Read from cache"}
    prices = {
        name: column.number_input(
            label, 0.0, 100_000.0, getattr(now, name) if now else None, 0.1, key=f"{key}_price_{name}", placeholder="not known"
        )
        for column, (name, label) in zip(columns, labels.items(), strict=True)
    }
    return {"prices": prices}


def fallback_fields(key: str, saved: ModelSettings | None) -> dict[str, Any] | None:
    """The fields of the model that is asked when the first one fails; None where there is to be none."""
    now = saved.fallback if saved else None
    choices = ["none", *PROVIDERS]
    chosen = st.selectbox(
        "Provider of the fallback", choices, choices.index(now.provider) if now else 0, key=f"{key}_fallback",
        format_func=lambda one: str(PROVIDERS.get(one, "No fallback")),
        help="Asked when the model above fails. Without one, that step is done without a model.",
    )  # fmt: skip
    provider = next((one for one in PROVIDERS if one == chosen), None)
    if provider is None:
        return None
    return place_fields(
        f"{key}_fallback_{provider}", provider, now if now and now.provider == provider else None, is_fallback=True
    )


# ---------------------------------------------------------------- what it is used for


def use_fields(key: str, choice: ModelChoice) -> dict[str, Any]:
    """Fields of a ModelChoice beside its settings."""
    answers = st.checkbox("Answer questions with it", choice.answers, key=f"{key}_answers")
    upgrades = st.checkbox(
        "Improve summaries with it, in the background", choice.upgrades, key=f"{key}_upgrades",
        help="A change is in the tree at once, without the model. The model then rewrites the summaries one by one.",
    )  # fmt: skip
    daily = st.number_input(
        "Token limit per day", 0, None, choice.daily_tokens, 100_000, key=f"{key}_daily", placeholder="no limit",
        help="Read and written, for questions and summaries together, from midnight to midnight UTC.",
    )  # fmt: skip
    st.caption("One question may take at most; then it is answered from what was read, without the model.")
    calls, tokens, seconds = st.columns(3)
    return {
        "answers": answers, "upgrades": upgrades, "daily_tokens": daily,
        "question_calls": calls.number_input("Calls", 2, 1_000, choice.question_calls, 1, key=f"{key}_question_calls"),
        "question_tokens": tokens.number_input("Tokens", 1_000, 10_000_000, choice.question_tokens, 1_000, key=f"{key}_question_tokens"),
        "question_seconds": seconds.number_input(
            "Seconds", 5.0, 3_600.0, choice.question_seconds, 10.0, "%.0f", key=f"{key}_question_seconds"
        ),
    }  # fmt: skip


# ---------------------------------------------------------------- as settings


class NotUsable(StoreError):
    """What was typed is no model that could be asked; the message says what to change."""


def as_settings(fields: Mapping[str, Any], saved: ModelSettings | None) -> ModelSettings:
    """Raises NotUsable. A saved key goes only to the address it was saved for."""
    if not fields["model"]:
        raise NotUsable("Enter the name of the model first, or list the models.")
    prices = fields.get("prices") or {}
    fallback = fields.get("fallback")
    if fallback and not fallback["model"]:
        raise NotUsable("Enter the name of the fallback model too, or choose no fallback.")
    known = (prices.get("input") is not None) + (prices.get("output") is not None)
    if known == 1 or (not known and prices.get("cached") is not None):
        raise NotUsable("Enter the price of what is read and of what is written, or none of them.")
    values = {
        **{name: value for name, value in fields.items() if name != "keeps_key" and value is not None},
        "prices": prices if known else None,
        "fallback": as_settings(fallback, saved.fallback if saved else None) if fallback else None,
    }
    try:
        settings = ModelSettings.model_validate(values)
    except ValidationError as error:
        raise NotUsable(in_words(error)) from None  # the original shows what was typed, keys too
    return _with_saved_key(settings, saved, keeps=fields["keeps_key"])


def _with_saved_key(settings: ModelSettings, saved: ModelSettings | None, *, keeps: bool) -> ModelSettings:
    if settings.api_key.get_secret_value() or not keeps or saved is None or not saved.api_key.get_secret_value():
        return settings
    if saved.provider != settings.provider:
        return settings
    if saved.address != settings.address:
        raise NotUsable(f"The saved key is for {saved.host}. Enter the key for {settings.host}, or delete the saved one.")
    return settings.model_copy(update={"api_key": saved.api_key})


def in_words(error: ValidationError) -> str:
    """What is wrong with settings, without what was typed."""
    said = (f"{one['msg'].removeprefix('Value error, ').rstrip('.')}." for one in error.errors(include_input=False))
    return " ".join(dict.fromkeys(said))
