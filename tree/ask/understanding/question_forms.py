"""Questions that are known by their whole form: patterns, each with what is asked for, that a question has to fit from its first word to
its last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from prompts.regex import regex

Asked = TypeVar("Asked")
Read = TypeVar("Read")
Patterns = tuple[tuple[Asked, re.Pattern[str]], ...]

LEAD = r"\W*(?:(?:and|so|ok|please)\b,? )?"  # what may stand before any of them


def whole_questions(forms: Iterable[tuple[Asked, str]], lead: str = LEAD) -> Patterns[Asked]:
    """Each form as a pattern of a whole question, in any case; what closes a question may stand behind it."""
    return tuple((asked, regex(rf"\A{lead}(?:{form})[\W_]*\Z", re.IGNORECASE)) for asked, form in forms)


def readings(patterns: Patterns[Asked], text: str, read: Callable[[Asked, re.Match[str]], Read | None]) -> Iterator[Read]:
    """What a question means by each of the forms that it fits, in their order; `read` gives None for one by which it means nothing."""
    found = (read(asked, match) for asked, pattern in patterns if (match := pattern.match(text)) is not None)
    return (one for one in found if one is not None)
