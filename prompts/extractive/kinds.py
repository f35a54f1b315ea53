"""What a thing of the kind that a question asks for looks like: loosely, to tell one passage from another."""

from __future__ import annotations

import re

from prompts.number_words import NUMBER_WORD
from prompts.regex import regex

_NUMBER = regex(
    rf"(?<![#\w-])\d|\b(?:{NUMBER_WORD}|dozen|hundred|thousand|million|half|none|several|once|twice)\b",
    re.I,
)
_TIME = regex(
    r"\b(?:\d{4}|\d{1,2}:\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"yesterday|today|tomorrow|(?:last|next|this|every) (?:week|month|year|quarter|night|weekend)|\d+ (?:days?|weeks?|months?|years?|hours?|minutes?)|ago|daily|weekly|monthly|quarterly)\b", re.I
)  # fmt: skip
_PERSON = regex(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]+\b|@\w+|\b(?:owner|lead|manager|team|director)\b")
_REASON = regex(
    r"\b(?:because|since|due to|caused?|reason|so that|in order to|therefore|as a result|led to|owing to|root cause|to avoid|to prevent)\b",
    re.I,
)
_PLACE = regex(r"\b(?:in|at|near|from|under|located|on) (?:the )?[A-Z`/]|[/\\]\w+[/\\]|https?://")
SPEAKER = regex(r"^[\w .'-]{1,30}: ")
EXPECTED: dict[str, re.Pattern[str]] = {
    "count": _NUMBER, "when": _TIME, "who": _PERSON, "why": _REASON, "where": _PLACE,
}  # fmt: skip
_FREQUENCY = regex(
    r"\b(?:every|each|per|once|twice|daily|weekly|monthly|quarterly|yearly|annually|hourly|nightly|always|never|seldom|rarely|usually|cadence)\b"
    r"|\b\w+ times\b|\d ?%|\b\d+-(?:minute|hour|day|week|month|year)\b",
    re.IGNORECASE,
)
_HOW_OFTEN = regex(r"\bhow (?:often|frequently)\b|\bwie oft\b|\b(?:à quelle fréquence|combien de fois)\b", re.IGNORECASE)
_HOW_MANY = regex(r"\bhow (?:many|much) (?:\w+ )??([a-z]{3,})", re.IGNORECASE)


_TIMES = regex(
    rf"\b(?:every|each|(?:times|once|twice) per) (?:(?:other|second|third|single|few|couple of|\d+|{NUMBER_WORD}) ){{0,2}}"
    r"(?:second|minute|hour|day|night|week|weekend|month|quarter|year|half|morning|evening|[a-z]+day|release|sprint|time)s?\b"
    r"|\b(?:hourly|daily|nightly|weekly|biweekly|fortnightly|(?:bi-?)?monthly|quarterly|yearly|annually|once|twice|continuously)\b"
    rf"|\b(?:\d+|{NUMBER_WORD}|several|many) (?:times|attempts)\b|\balle (?:\w+ )?(?:minuten|stunden|tage|wochen|monate|jahre)\b"
    r"|\b(?:täglich|wöchentlich|monatlich|jährlich|einmal|zweimal|stündlich)\b|\btou(?:s|tes) les \w+\b|\b(?:une|deux|trois) fois\b|\bpar (?:jour|semaine|mois|an)\b",
    re.IGNORECASE,
)


def asks_how_often(text: str) -> bool:
    return _HOW_OFTEN.search(text) is not None


def how_often_in(text: str) -> int | None:
    """Where a text says how often something is done: "every five minutes", "weekly"."""
    return match.start() if (match := _TIMES.search(text)) else None


def expected_in(kind: str, text: str) -> re.Pattern[str] | None:
    """What a thing that such a question asks for looks like."""
    return _FREQUENCY if kind == "count" and _HOW_OFTEN.search(text) else EXPECTED.get(kind)


def counted_in(text: str) -> re.Pattern[str] | None:
    """For "how many passengers": a number and then passengers, with at most two words between them."""
    asked_for = _HOW_MANY.search(text)
    if asked_for is None:
        return None
    stem = re.escape(asked_for.group(1)[:-1] if asked_for.group(1).endswith("s") else asked_for.group(1))
    return re.compile(rf"\d[\d.,]*(?: [\w-]+){{0,2}}? {stem}", re.IGNORECASE)


def defines(subject: str, said: str) -> bool:
    lowered, subject = said.casefold(), subject.casefold()
    at = lowered.find(subject) if subject else -1
    if at < 0 or at > 40:
        return False
    rest = lowered[at + len(subject) : at + len(subject) + 40]
    return bool(
        re.match(
            r"[\s*_`\"')]{0,4}(?:\([^)]{1,20}\)\s*)?(?::|-|\u2013|\u2014|is\b|are\b|means\b|refers\b|stands for\b|describes\b|was\b|denotes\b)",
            rest,
        )
    )
