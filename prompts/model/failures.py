"""The sentence for each thing that can go wrong with a model: what happened, and what to do next."""

from __future__ import annotations

import re

from prompts.errors import ErrorKind, ModelError
from prompts.model.settings import KEY_VARIABLES, NEEDS_KEY, ModelSettings
from prompts.regex import regex

LONGEST_DETAIL = 240
_KEYLIKE = regex(r"\b(?:sk|pk|rk|gsk|xai|key|AIza)[-_]?[\w*.-]{6,}|\bBearer\s+\S+", re.IGNORECASE)

_SENTENCES: dict[ErrorKind, str] = {
    "quota": "The account for {label} has no credit left; add credit at the provider, or choose another model.",
    "rate": "{host} takes no more requests right now; wait a little, or lower the number of requests at once.",
    "timeout": "{label} did not answer within {timeout:g} seconds; allow it more time, or choose a faster model.",
    "context": "The text is too long for {label}; set the context size to what the model really has, now {context:,} tokens.",
    "rejected": "{label} at {host} refused the request{detail}; press Test to see what it takes.",
    "refused": "{label} declined to answer, or a content filter stopped it; ask in other words, or choose another model.",
    "invalid_output": "{label} did not reply in the form asked for{detail}; choose a model that can follow a JSON schema.",
    "truncated": "The reply of {label} broke off at its length limit; raise the maximum tokens of one reply, or choose a model that keeps to the form.",
    "network": "{host} cannot be reached or fails{detail}; check the address and that the server is running.",
    "config": "{label} cannot be used{detail}; check the address, the model name and the provider.",
}


def explained(
    kind: ErrorKind,
    settings: ModelSettings,
    *,
    detail: str = "",
    retry_after: float | None = None,
    sentence: str = "",
    is_lost: bool = False,
) -> ModelError:
    """The error with its sentence. What a provider said goes in without keys, and short."""
    detail = without_keys(detail, settings)
    if kind == "auth" and not sentence:
        sentence = _refused_key(settings)
    said = (sentence or _SENTENCES[kind]).format(
        label=settings.label,
        host=settings.host,
        timeout=settings.timeout,
        context=settings.context,
        detail=f" ({detail.rstrip('.')})" if detail else "",
    )
    return ModelError(kind, said, detail=detail, retry_after=retry_after, is_lost=is_lost)


def without_keys(text: str, settings: ModelSettings) -> str:
    key = settings.key()
    if key:
        text = text.replace(key, "[key]")
    text = " ".join(_KEYLIKE.sub("[key]", text).split())
    return text if len(text) <= LONGEST_DETAIL else f"{text[:LONGEST_DETAIL].rsplit(' ', 1)[0]} …"


def is_busy(error: ModelError) -> bool:
    """Whether the same request may well succeed in a moment."""
    return error.kind in ("rate", "network")


def _refused_key(settings: ModelSettings) -> str:
    variable = " or ".join(KEY_VARIABLES[settings.provider])
    where = f"under Settings{f', or in {variable}' if variable else ''}"
    if not settings.key() and settings.provider in NEEDS_KEY:
        return f"There is no key for {{label}}; enter one {where}."
    if not settings.key():
        return f"{{host}} wants a key; enter one {where}."
    return f"{{host}} refused the key for {{label}}; make a new one at the provider and enter it {where}."
