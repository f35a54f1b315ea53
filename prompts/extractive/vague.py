"""Questions that leave open what they are about, and those for what comes next: what they could mean changes with the day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from prompts.coming_times import find_coming
from prompts.extractive.asked_values import LIGHT
from prompts.question import PUTTING, Word
from prompts.regex import regex
from prompts.timespans import find_span

FEWEST = 2  # words that name something, beside a pronoun, for the thing to be in the question itself
_POINTING = regex(
    r"\b(?:it|this|that|they|them|these|those|he|she|him|her)\b(?! (?:week|month|year|quarter|sprint)\b)", re.IGNORECASE
)
_NEXT = regex(
    r"\b(?:when(?:['’]?s| is| are| does| do)|what (?:day|date)|on (?:what|which) (?:day|date))\b.{0,40}\b(?:next|upcoming|coming)\b"
    r"|\A\W*(?:and )?what(?:['’]?s| is| comes) next\b|\A\W*(?:(?:the|our) )?next (?!to\b|year\b|month\b|week\b|door\b)"
)


_TO_GET = regex(r"\bhow (?:do|does|can|could|should|would|to) (?:(?:i|we|you|one|somebody|people) )?get\b")
_WON = regex(r"\bwon\b(?!['’]?t)")
_OF_NO_THING = regex(
    r"\b(?:not|never|nobody|nothing|no longer|isn['’]?t|aren['’]?t)\b|\A\W*what(?:['’]?s| is| are| was| were) (?:still |currently |now |already |being )?(?:missing|wrong|new|next|left|broken|unclear"
    r"|due|late|urgent|important|possible|impossible|needed|required|included|planned|allowed|forbidden|prohibited|ready|open|closed|blocked|different|happening|going on|expensive|cheap|good|bad)\W*\Z"
)


def asks_of_no_thing(low: str) -> bool:
    """Whether "what is" asks for what is so, or is not, and for no meaning of a word: "what is missing", "what is not decided"."""
    return _OF_NO_THING.search(low) is not None


def points_nowhere(question: str, words: Sequence[Word]) -> bool:
    """Whether "it" stands for something that neither the question nor a chat before it names: "what does it cost"."""
    naming = [word for word in words if word.whole not in LIGHT and word.whole not in PUTTING]
    return len(naming) < FEWEST and _POINTING.search(question) is not None


def asks_to_get_one(low: str, words: Sequence[Word]) -> bool:
    """Whether it is asked how to get something of one word, "access", "on call": steps below that word need not be how one gets it."""
    naming = [word for word in words if word.whole not in LIGHT and word.whole not in PUTTING and word.whole != "get"]
    return len(naming) < FEWEST and _TO_GET.search(low) is not None


def asks_who_won(low: str) -> bool:
    """ "Won" is a word of "won't" to the index, so that nothing there says whether somebody has."""
    return _WON.search(low) is not None


def asks_what_is_next(low: str) -> bool:
    return _NEXT.search(low) is not None


_ENDS = regex(  # what ends may have been renewed since
    r"\b(?:when(?:['’]?s| is| are| does| do| will)|how long(?: is| are| does| do| will)|until when(?: is| are| does| do| will))\b[^?\n]{0,80}\b(?:ends?|expires?|runs? (?:out|until)|lapses?|over|valid|renew\w*|last|good)\b"
)


def asks_when_it_ends(low: str) -> bool:
    """Whether it is asked when something ends, and not when it did."""
    return _ENDS.search(low) is not None


def is_over_by(said: str, written: date | None, day: date | None) -> bool:
    """Whether a text, written on a day, names one to come that is over by now: "ends 31 March", in minutes of January."""
    span = find_coming(said, written) if written is not None and day is not None else None
    return span is not None and day is not None and span.last < day


def is_to_come(said: str, day: date | None) -> bool:
    """Whether a text names a day that is not over: of old minutes "next meeting on 4 May" says nothing of the next one now."""
    span = find_span(said, day) if day is not None else None
    return span is not None and day is not None and span.last >= day
