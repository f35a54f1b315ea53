"""The people for whom letters stand in the cells of a rota: "TR, WD" with "Key: TR Tess Roe, WD Will Dorn" on its page."""

from __future__ import annotations

import re

from prompts.regex import regex

_LETTERS = regex(r"\b[A-ZÀ-Þ]{2,3}\b")
_ALL = regex(r"[A-ZÀ-Þ]{2,3}(?:[ ,;/+&]+[A-ZÀ-Þ]{2,3})*")


def with_names(value: str, page: str) -> str:
    """A cell that is all letters, each followed by the name that the page gives for it; any other cell as it is."""
    if _ALL.fullmatch(value) is None:
        return value

    def named(letters: re.Match[str]) -> str:
        words = r"[ -]?".join(rf"{letter}[\w'’]+" for letter in letters.group())
        found = re.search(rf"\b{letters.group()}[ :=–-]{{1,3}}(?P<name>{words})\b", page)
        return f"{letters.group()} ({found['name']})" if found is not None else letters.group()

    return _LETTERS.sub(named, value)
