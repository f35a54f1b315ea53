"""The taxonomy in a prompt, and the types a model names, brought back to it: by name, then by likeness."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache, lru_cache

from prompts.regex import regex
from prompts.taxonomy import UNCLASSIFIED, taxonomy

MOST_TYPES = 5
_LIKE = 0.8
_WORD = regex(r"[a-z0-9]+")
_FILLING = frozenset({"a", "an", "the", "of", "or", "and", "document", "page", "description", "guide"})


@cache
def type_names() -> str:
    """All names in one line. Not an enum in the schema: small models miss one of 50, and a retry costs a call."""
    return "; ".join(kind.name for kind in taxonomy().types)


def known_types(said: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """The ids of what was said, and how many of it no type comes near to."""
    found = [type_id(one) for one in said]
    known = tuple(dict.fromkeys(one for one in found if one))[:MOST_TYPES]
    return known or (UNCLASSIFIED,), sum(one is None for one in found)


@lru_cache(maxsize=1_024)
def type_id(said: str) -> str | None:
    names = _names()
    words = _words(said)
    if not words:
        return None
    if found := names.get(" ".join(words)) or names.get(" ".join(w for w in words if w not in _FILLING)):
        return found
    if close := get_close_matches(" ".join(words), names, n=1, cutoff=_LIKE):
        return names[close[0]]
    telling = {w for w in words if w not in _FILLING}
    within = [name for name in names if len(name) > 2 and {w for w in name.split() if w not in _FILLING} <= telling]
    return names[max(within, key=len)] if within else None


@cache
def _names() -> dict[str, str]:
    """Every way to write a type that means it without doubt: its id, its name, and each side of an "or"."""
    found: dict[str, str] = {}
    for kind in taxonomy().types:
        ways = [kind.name, kind.id, *(kind.name.split(" or ") if " or " in kind.name else ())]
        for way in ways:
            words = _words(way)
            found.setdefault(" ".join(words), kind.id)
            if bare := " ".join(w for w in words if w not in _FILLING):
                found.setdefault(bare, kind.id)
    return found


def _words(said: str) -> list[str]:
    return [word.removesuffix("s") if len(word) > 4 and not word.endswith("ss") else word for word in _WORD.findall(said.lower())]
