"""Several questions asked at once: "Who leads Team Quay, and when is the failover test?"."""

from __future__ import annotations

import re

MOST = 3  # questions that are answered one by one
_FEWEST_WORDS = 3
_AUXILIARY = r"(?:am|is|are|was|were|do|does|did|has|have|had|can|could|should|shall|must|may|might|will|would|isn't|aren't|doesn't|don't|didn't|can't)"
# In the order of a question: "when is it", and not "when it is", which belongs to what is before it.
_ASKS = rf"""(?:
    (?:when|where|why|how(?:\ (?!to\b)\w+){{0,3}}?|(?:what|which|whose)(?:\ [\w-]+){{0,3}}?)\ {_AUXILIARY}\b
  | who(?:m|\ else)?\ (?!\w+\ also\b|(?:i|you|he|she|it|we|they|the|a|an|this|that)\b)\w
  | (?:what|which(?:\ \w+)?)\ (?!(?:i|you|he|she|it|we|they|the|a|an|this|that|to|if|about|of|for|kinds?|sorts?|types?)\b)[a-z]+s\b(?!\ {_AUXILIARY})
)"""
_BEGINS = re.compile(rf"\W*(?:(?:and|also|so|ok|please)\b[\s,]*)*(?:{_ASKS}|{_AUXILIARY}\ \w)", re.IGNORECASE | re.VERBOSE)
_BETWEEN = re.compile(rf"(?:\?\ (?:and\ |also\ )?|[,;]?\ and\ (?:also\ )?)(?={_ASKS})", re.IGNORECASE | re.VERBOSE)
_AS_ONE = re.compile(r"\b(?:between|both|compared?|differ\w*|versus|vs)\b", re.IGNORECASE)


def each_question(text: str) -> tuple[str, ...]:
    """The questions in a text, each as it is asked; the text alone where it is one, or where they cannot be told apart.

    Only where each begins as a question does and has words enough to be one: "who decided what and when" stays whole.
    """
    parts = [part.strip(" \t\n,;") for part in _BETWEEN.split(" ".join(text.split()))]
    is_sound = 1 < len(parts) <= MOST and not _AS_ONE.search(text)
    if not is_sound or not all(_BEGINS.match(part) and len(part.split()) >= _FEWEST_WORDS for part in parts):
        return (text,)
    return tuple(f"{part[:1].upper()}{part[1:].rstrip(' ?')}?" for part in parts)
