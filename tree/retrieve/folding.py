"""How names and values are compared. It needs nothing of a database: also children that only cut texts import it."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from prompts.regex import regex

_STATE = regex(r"[a-z]{3,20}(?: [a-z]{2,20})?(?= [\u2013\u2014-] )")  # "proposed - no decision"
_SAID_OF_IT = regex(r"[;(\[]|,\s")
_APART = regex(r"[^\w]+")
NAMES_KEPT = 4_096  # of which it is remembered how they are compared: a table has the same columns, owners and states in each row


@lru_cache(NAMES_KEPT)
def folded(text: str) -> str:
    """A name as names are compared: small letters without accents, words and numbers apart by one space."""
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in text if not unicodedata.combining(char))
    return " ".join(_APART.sub(" ", text).replace("_", " ").split())


def as_name(text: str) -> str:
    """A title or an alias as names are compared: small letters, single spaces."""
    return " ".join(re.sub(r"[\s_]+", " ", text.casefold()).split())


@lru_cache(NAMES_KEPT)
def head_of(text: str) -> str:
    """A name or value without what is said of it after a comma, a semicolon or a bracket: "Team Quay (since June)"."""
    head = _SAID_OF_IT.split(text, maxsplit=1)[0].strip()
    head = (_STATE.match(head) or [head])[0]
    return head if head and any(map(str.isalpha, head)) else text
