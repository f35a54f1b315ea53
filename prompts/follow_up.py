"""What a question takes over from the chat before it, by its words alone: more words to look for, and names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prompts.language import terms
from prompts.question import PUTTING, QuestionAnalysis, analyse
from prompts.regex import regex

# What the words of the last question count beside a question's own; of each question before that, FADING as much.
# Measured on 186 questions of real conversations of which three in four need it: evidence among the first six hits for
# 85 % of them without the chat, for 95 % with it. Half or twice as much changes that by less than two points.
FOLLOWING, OTHERWISE, FADING = 0.5, 0.3, 0.6
TURNS = 6  # questions that are looked back at
FEW = 2  # words that hardly are a question of their own
LITTLE = 1  # words, besides those by which a question is put, that are none
_POINTING = regex(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|she|him|her|his|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )there(?! (?:is|are|was|were)\b)|there(?=\W*\Z)|ones?|such|same|others?|another|else|both|either)\b",
    re.IGNORECASE,
)
_AT_SOMETHING = regex(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|she|him|her|his)\b", re.IGNORECASE
)  # and not "is there", nor "another"
_GOING_ON = regex(
    r"\s*(?:and|or|but|so|then|also|what about|how about|why|no worries|ok(?:ay)?|i (?:mean|meant)|und|oder|aber|dann|was ist mit|et|ou|mais|alors)\b",
    re.IGNORECASE,
)
_HOW = regex(r"\bhow (?:long|much|many|often|old|far|soon|big|late|early)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChatContext:
    """`words` maps terms to what they count beside the question's own, from 0 to 1."""

    words: Mapping[str, float] = field(default_factory=dict)
    follows: str = ""  # the question it cannot be understood without; empty when it can
    points: bool = False  # at something in that question: "it", "those"
    leans: bool = False  # says hardly anything by itself, or points or goes on: what that was answered from may answer it as well
    names: QuestionAnalysis | None = (
        None  # names that the chat gave last, where the question points at something and names nothing
    )


def chat_context(question: str, earlier: Sequence[str]) -> ChatContext:
    """`earlier` are the questions of the chat before this one, the oldest first."""
    earlier = [text for text in earlier if text.strip()][-TURNS:]
    if not earlier:
        return ChatContext()
    asked = analyse(question)
    own = set(terms(question))
    is_named = bool(asked.keys or asked.files)
    points, goes_on = _POINTING.search(question) is not None, _GOING_ON.match(question) is not None
    follows = not is_named and (len(own) <= FEW or points or goes_on)
    share = FOLLOWING if follows else OTHERWISE
    words: dict[str, float] = {}
    for back, text in enumerate(reversed(earlier)):
        for term in terms(text):
            if term not in own:
                words.setdefault(term, share * FADING**back)
    named = (analyse(text) for text in reversed(earlier))
    # few words can be a whole question: "When is the failover test?" is not about the ticket before it
    leans = not is_named and (points or not own or (goes_on and len(own) < FEW))
    names = next((names for names in named if names.keys or names.files), None) if leans else None
    is_little = len(set(terms(_HOW.sub(" ", question))) - PUTTING) <= LITTLE
    return ChatContext(
        words,
        earlier[-1] if follows else "",
        points=follows and bool(_AT_SOMETHING.search(question)),
        leans=follows and (points or goes_on or is_little),
        names=names,
    )


def points_at_something(text: str) -> bool:
    """Whether a text says "it", "them", "she" or the like of something that was named before."""
    return _AT_SOMETHING.search(text) is not None
